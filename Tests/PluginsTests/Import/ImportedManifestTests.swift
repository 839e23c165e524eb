import Plugins
import Testing

struct ImportedManifestTests {
  private func hash(_ text: String) -> String { "\(text.utf8.count)" }

  private func manifest(_ exec: [String] = ["/h/w", "a b"], line: Int = 12) -> ImportedManifest {
    var declaration = PluginDeclaration(.waybar, .every(600_000))
    declaration.signal = 8
    declaration.condition = ["which", "curl"]
    declaration.clicks = [.scrollUp: ["x"], .left: ["y", "#z"]]
    var plugin = ImportedPlugin(exec, declaration)
    plugin.environment = [PluginVariable("CITY", "New \"York\": {x}\n- y")]
    plugin.leftOut = ["format"]
    let module = ImportedModule(
      name: "custom/w", file: "/h/config", line: line, .taken(plugin))
    return ImportedManifest(kind: "w", module: module, plugin: plugin)
  }

  @Test func `a manifest says everything, and each text of others is in quotes`() {
    #expect(
      manifest().text(hash: hash) == """
        # imported from "/h/config", "custom/w", line 12; sha256 \(manifest().body.utf8.count)
        kind: "w"
        name: "w"
        families: [systemSmall, accessoryInline]
        provider:
          protocol: waybar
          exec: ["/h/w", "a b"]
          every: 10m
          signal: 8
          if: ["which", "curl"]
          clicks:
            left: ["y", "#z"]
            scrollUp: ["x"]
        env:
          CITY: "New \\"York\\": {x}\\n- y"
        # these settings of the bar have no effect here: "format"

        """)
  }

  @Test func `a stream has no interval, and a crontab is a text`() {
    var plugin = ImportedPlugin(["a"], PluginDeclaration(.polybar, .once))
    let module = ImportedModule(name: "a", file: "/c", line: 1, .taken(plugin))
    plugin.declaration.isStream = true
    plugin.declaration.restart = 1_500
    let stream = ImportedManifest(kind: "a", module: module, plugin: plugin).body
    #expect(stream.contains("  stream: true\n  restart: 1500ms\n"))
    #expect(!stream.contains("every"))
    plugin.declaration = PluginDeclaration(.swiftbar, .cron([]))
    plugin.cron = "*/5 * * * *"
    let cron = ImportedManifest(kind: "a", module: module, plugin: plugin).body
    #expect(cron.contains("  every: \"*/5 * * * *\"\n"))
  }

  @Test func `a file that nobody changed is told from one that a person edited`() {
    let text = manifest().text(hash: hash)
    #expect(manifest().judge(text, hash: hash) == .untouched)
    // Another line, or another program, is still the same module.
    #expect(manifest(["/h/other"], line: 40).judge(text, hash: hash) == .untouched)
    #expect(manifest().judge(text + "# mine\n", hash: hash) == .edited)
    #expect(manifest().judge("kind: w\n", hash: hash) == .edited)
    #expect(manifest().judge("", hash: hash) == .edited)
    var other = manifest()
    other.module.name = "custom/v"
    #expect(other.judge(text, hash: hash) == .other)
    #expect(other.judge(text + "# mine\n", hash: hash) == .other)
  }

  @Test(arguments: [
    ("a", "\"a\""), ("é😀", "\"é😀\""), ("\u{1B}[2J", #""\x1b[2J""#), ("a\0", #""a\x00""#),
    ("\u{202E}x", #""\u202ex""#), ("\u{2028}", #""\u2028""#), ("\u{FEFF}", #""\ufeff""#),
    ("\u{E0041}", #""\U000e0041""#), ("\\ \"", #""\\ \"""#), ("a\r\n\t", #""a\x0d\n\t""#),
    ("\u{85}", #""\x85""#), ("\u{F0F1}", "\"\u{F0F1}\""), ("\u{FFFF}", #""\uffff""#),
  ])
  func `texts of others are quoted so that YAML reads them back`(text: String, quoted: String) {
    #expect(YAMLText.quoted(text) == quoted)
  }
}
