import JSON
import Testing

@testable import Plugins

struct InstalledPluginTests {
  private func read(
    _ file: String, _ text: String, format: PluginFormat? = nil
  ) throws -> InstalledPlugin {
    try InstalledPlugin.read(file, text.utf8, format: format).get()
  }

  @Test func `a downloaded script becomes a manifest that asks for what it names`() throws {
    let plugin = try read(
      "010-cpu load.5s.sh",
      """
      #!/bin/bash
      # <xbar.title>CPU: "load"</xbar.title>
      # <xbar.desc>How busy it is.</xbar.desc>
      # <xbar.dependencies>bash, curl</xbar.dependencies>
      # <xbar.var>number(COUNT=5): Lines.</xbar.var>
      curl -s https://example.org
      """)
    #expect(plugin.needs == ["bash", "curl"])
    #expect(plugin.networkWord == "curl")
    #expect(
      plugin.manifest == """
        # made of a script for xbar when it was installed
        kind: "cpu-load"
        name: "CPU: \\"load\\""
        families: [systemSmall, accessoryInline]
        provider:
          protocol: xbar
          exec: ["./010-cpu load.5s.sh"]
          every: 5s
        env:
          COUNT: "5"
        description: "How busy it is."
        sandbox: strict
        permissions: {network: true}

        """)
  }

  @Test func `a package of SwiftBar is called as its folder, and its scripts may use the network`()
    throws
  {
    let script = "#!/bin/sh\n# <xbar.var>string(CITY=Oslo): The city.</xbar.var>\n"
    let plugin = try InstalledPlugin.read(
      "tide.5m.swiftbar/plugin.sh", script.utf8, besides: [Array("x\ncurl y".utf8)[...]]
    ).get()
    #expect(plugin.format == .swiftbar)
    #expect(plugin.networkWord == "curl")
    #expect(
      plugin.manifest == """
        # made of a script for swiftbar when it was installed
        kind: "tide"
        name: "tide"
        families: [systemSmall, accessoryInline]
        provider:
          protocol: swiftbar
          exec: ["./tide.5m.swiftbar/plugin.sh"]
          every: 5m
        env:
          CITY: "Oslo"
        sandbox: strict
        permissions: {network: true}

        """)
  }

  @Test func `its folder or its tags choose the family`() throws {
    let swiftbar = "# <swiftbar.schedule>*/5 * * * *</swiftbar.schedule>"
    #expect(try read("a.sh", swiftbar).format == .swiftbar)
    #expect(try read("a.sh", swiftbar).manifest.contains("every: \"*/5 * * * *\"\n"))
    #expect(try read("a.sh", "#!/bin/sh", format: .argos).format == .argos)
    #expect(try read("a.sh", "#!/bin/sh").format == .xbar)
  }

  @Test(arguments: [
    ("curl x", "curl"), ("import urllib.request", "urllib"), ("x=$(/usr/bin/wget -q a)", "wget"),
    ("a;ping -c1 b", "ping"), ("Net::HTTP.get", "Net::HTTP"), ("await fetch(u)", "fetch"),
    ("echo 'a | href=https://curly.example'", nil), ("mycurl x; curl-config; shopping", nil),
    ("git fetch-pack", nil), ("echo pinged", nil), ("", nil),
  ]) func `a word of the network counts as a whole word`(text: String, word: String?) {
    #expect(NetworkWords.first(in: Array(text.utf8)) == word)
  }

  @Test(arguments: [
    ("x.sh.off", "turned off by its name"), (".x.sh", "a hidden file"),
    ("x.json", "it holds values of a script, and is none"), ("x.md", "a text, and no script"),
    ("--.sh", "its name has no letter and no digit"),
  ]) func `a file that is no plugin by its name is refused`(file: String, reason: String) {
    #expect(
      InstalledPlugin.read(file, "#!/bin/sh".utf8)
        == .failure(InstalledPlugin.Refusal(reason: reason)))
  }

  @Test func `a tag is found in any case of letters, as it is read`() {
    let file =
      "#!/bin/sh\n# <xbAr.title>Load</XBAR.Title>\n# <SwiftBar.Type>streamable</swiftbar.type>\n"
    let lines = PluginTagLines(in: Array(file.utf8))
    #expect(lines.numbers == [2, 3])
    #expect(PluginTags(lines).title == "Load")
    #expect(PluginTags(lines).isStream)
  }

  @Test func `lines with tags keep the numbers that they have in their file`() {
    let lines = PluginTagLines(
      in: Array("#!/bin/sh\n\n# <xbar.title>A</xbar.title>\n<b>\n# <xbar.frob>x</xbar.frob>".utf8))
    #expect(lines.numbers == [3, 5])
    let tags = PluginTags(lines)
    #expect(tags.title == "A")
    #expect(tags.warnings.map(\.line) == [5])
  }
}
