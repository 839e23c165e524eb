import JSON
import Plugins
import Testing

struct OtherImportTests {
  @Test func `genmon's own file, the listing of xfconf and its XML say the same`() throws {
    let own = imported(
      .genmon, "Command=~/bin/load -1\nUseLabel=0\nUpdatePeriod=15000\n", path: "/h/genmon-7.rc")
    let listing = imported(
      .genmon,
      """
      /plugins/plugin-6                  clock
      /plugins/plugin-7                  genmon
      /plugins/plugin-7/command          ~/bin/load -1
      /plugins/plugin-7/update-period    15000
      /plugins/plugin-7/use-label        false
      """)
    let xml = imported(
      .genmon,
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <channel name="xfce4-panel" version="1.0">
        <property name="plugins" type="empty">
          <property name="plugin-6" type="string" value="clock"/>
          <property name="plugin-7" type="string" value="genmon">
            <property name="command" type="string" value="&quot;~/bin/load&quot; -1"/>
            <property name="update-period" type="int" value="15000"/>
          </property>
        </property>
      </channel>
      """)
    for reading in [own, listing, xml] {
      #expect(reading.modules.map(\.name) == ["genmon-7"])
      #expect(
        try reading.plugin("genmon-7").declaration == PluginDeclaration(.genmon, .every(15_000)))
    }
    #expect(try own.plugin("genmon-7").exec == ["/h/bin/load", "-1"])
    #expect(try listing.plugin("genmon-7").exec == ["/h/bin/load", "-1"])
    // In quotes a tilde is a character like others.
    #expect(try xml.plugin("genmon-7").exec == ["/h/~/bin/load", "-1"])
    #expect(imported(.genmon, "Command=\n").reasons.values.first == "no command, nothing to show")
  }

  @Test func `scripts say by their names and tags what they are`() throws {
    var swiftbar = PluginSource(
      path: "/p/b.sh",
      tags: PluginTagLines(
        in: Array(
          """
          # <swiftbar.schedule>*/5 * * * *</swiftbar.schedule>
          # <xbar.var>string(CITY=Rome): The city.</xbar.var>
          """.utf8)))
    swiftbar.values = ["CITY": "Oslo"]
    let sources = [
      PluginSource(path: "/p/a.5s.sh"), swiftbar,
      PluginSource(path: "/p/c.1m+.sh", format: .argos),
      PluginSource(path: "/p/d'.sh", isExecutable: false),
      PluginSource(path: "/p/e.sh", format: .argos, isExecutable: false),
      PluginSource(path: "/p/f.sh.off"), PluginSource(path: "/p/.g.sh"),
      PluginSource(path: "/p/a.5s.sh.vars.json"),
    ]
    let reading = ScriptImport.read(
      sources.map { ScriptImport.Script($0) }
        + [ScriptImport.Script(PluginSource(path: "/p/h.sh"), isEmpty: true)])
    let a = try reading.plugin("a.5s.sh")
    #expect(try reading.module("a.5s.sh").kind == "a")
    #expect(a.exec == ["/p/a.5s.sh"])
    #expect(a.declaration == PluginDeclaration(.xbar, .every(5_000)))
    let b = try reading.plugin("b.sh")
    #expect(b.declaration.format == .swiftbar)
    #expect(b.cron == "*/5 * * * *")
    #expect(b.environment == [PluginVariable("CITY", "Oslo")])
    let c = try reading.plugin("c.1m+.sh")
    #expect(c.declaration.runsWhenOpened && c.leftOut.isEmpty)
    #expect(
      ImportedManifest(kind: "c", module: try reading.module("c.1m+.sh"), plugin: c).body
        .contains("  refreshOnOpen: true\n"))
    #expect(
      reading.reasons == [
        "d'.sh": #"refused: it may not be executed: chmod u+x '/p/d'\''.sh'"#,
        "e.sh": "it may not be executed, so Argos skips it", "f.sh.off": "turned off by its name",
        ".g.sh": "a hidden file", "h.sh": "the file is empty",
      ])
  }

  @Test func `a script that stays running keeps the way in which its frames end`() throws {
    let source = PluginSource(
      path: "/p/s.sh",
      tags: PluginTagLines(
        in: Array(
          """
          # <swiftbar.type>streamable</swiftbar.type>
          # <swiftbar.useTrailingStreamSeparator>true</swiftbar.useTrailingStreamSeparator>
          # <swiftbar.alwaysVisible>true</swiftbar.alwaysVisible>
          """.utf8)))
    let reading = ScriptImport.read([ScriptImport.Script(source)])
    let plugin = try reading.plugin("s.sh")
    #expect(plugin.declaration.hasTrailingSeparator)
    #expect(plugin.leftOut == [])
    #expect(plugin.declaration.emptyTitle == "s")
    let manifest = ImportedManifest(kind: "s", module: try reading.module("s.sh"), plugin: plugin)
    #expect(
      manifest.body.contains(
        "  stream: true\n  useTrailingStreamSeparator: true\n  alwaysVisible: true\n"))
  }

  @Test(arguments: [
    ("// x\n{}", ImportFormat.waybar), ("[\n {\"a\": 1}]", .waybar), ("[]", .waybar),
    ("{", .waybar),
    ("[cpu]\ncommand=a", .i3blocks), ("# x\ncommand=a\n", .i3blocks),
    ("; x\n[bar/main]\n", .polybar), ("[colors]\na = b", .polybar), ("Command=a\n", .genmon),
    ("/plugins/plugin-1  genmon\n", .genmon), ("<?xml version='1.0'?>\n<channel/>", .genmon),
  ])
  func `settings are known by what stands in them`(text: String, format: ImportFormat) {
    #expect(ImportFormat.of(Array(text.utf8)) == format)
  }

  @Test(arguments: ["", " \n", "hello\n", "\0{", "a: b\n", "MZ\0"])
  func `other files are none`(text: String) {
    #expect(ImportFormat.of(Array(text.utf8)) == nil)
  }

  @Test(arguments: [
    ("custom/weather", "weather"), ("custom/weather#2", "weather-2"),
    ("../../etc/passwd", "etc-passwd"),
    ("custom/-x", "x"), ("", "module"), ("é", "module"), ("a\u{1B}[31m b", "a-31m-b"),
    ("a.b_c", "a.b_c"),
    (".hidden", "hidden"), (String(repeating: "x", count: 200), String(repeating: "x", count: 100)),
  ])
  func `a kind has a plain name`(module: String, kind: String) {
    #expect(ImportKinds.name(of: module) == kind)
  }

  @Test func `a name that is taken gets a number`() {
    #expect(ImportKinds.free("a") { _ in false } == "a")
    #expect(ImportKinds.free("a") { ["a", "a-2"].contains($0) } == "a-3")
  }
}
