import CXAttr
import DaemonCore
import Foundation
import Glibc
import JSON
import Plugins
import Testing

@testable import DaemonRuntime

/// The files of a plugins folder on a real disk.
@Suite struct PluginFolderTests {
  /// A folder of its own, which goes with the value.
  private final class Rig {
    let root: String
    var folder: String { root + "/plugins" }

    init() throws {
      root = NSTemporaryDirectory() + "plugins-" + UUID().uuidString
      try FileManager.default.createDirectory(
        atPath: root + "/plugins", withIntermediateDirectories: true)
    }

    deinit {
      // Best effort: a folder that stays in the temporary folder is not the test's result.
      _ = try? FileManager.default.removeItem(atPath: root)
    }

    func write(_ name: String, _ text: String = "#!/bin/sh\necho x\n", mode: mode_t = 0o755) throws
    {
      let file = URL(filePath: folder + "/" + name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      try #require(chmod(file.path, mode) == 0)
    }

    func read() -> (plugins: [PluginSource], issues: [DocumentIssue]) {
      PluginFolder(folder).read()
    }

    func names() -> [String] { read().plugins.map { String($0.path.dropFirst(folder.count + 1)) } }
  }

  @Test func `scripts are taken, in the order of their names; what is none is not`() throws {
    let rig = try Rig()
    for name in ["cpu.5s.sh", "a", "disk.1m.py"] { try rig.write(name) }
    for name in [".hidden.5s.sh", "off.5s.sh.off", "backup.5s.sh~", "cpu.5s.sh.vars.json"] {
      try rig.write(name, "{}")
    }
    try rig.write("empty.5s.sh", "")
    try rig.write("README.md", "no script\n", mode: 0o644)
    try rig.write("lib/shared.sh")
    try #require(mkfifo(rig.folder + "/pipe.5s.sh", 0o700) == 0)
    #expect(rig.names() == ["a", "cpu.5s.sh", "disk.1m.py"])
    #expect(rig.read().issues == [])
    #expect(PluginFolder(rig.root + "/missing").read().plugins == [])
  }

  @Test func `a folder with the name of a family chooses it`() throws {
    let rig = try Rig()
    try rig.write("x.sh")
    for folder in ["xbar", "argos", "swiftbar", "swiftbar/Sub", "waybar"] {
      try rig.write(folder + "/x.sh")
    }
    try rig.write("swiftbar/data.json", "{}")
    #expect(rig.read().plugins.map(\.format) == [nil, .argos, .swiftbar, .swiftbar, .xbar])
    #expect(
      rig.names() == ["x.sh", "argos/x.sh", "swiftbar/x.sh", "swiftbar/Sub/x.sh", "xbar/x.sh"])
  }

  @Test func `a script without the mode is named with the command, and SwiftBar's runs`() throws {
    let rig = try Rig()
    for name in ["it's.sh", "argos/a.sh", "swiftbar/s.sh"] { try rig.write(name, mode: 0o644) }
    let (plugins, issues) = rig.read()
    #expect(plugins.map(\.path) == [rig.folder + "/swiftbar/s.sh"])
    #expect(plugins.map(\.isExecutable) == [false])
    #expect(issues.map(\.severity) == [.error, .warning, .warning])
    #expect(
      issues.map(\.expected) == [
        "a script that can be executed: chmod +x '\(rig.folder)/it'\\''s.sh'",
        "a script that can be executed: chmod +x \(rig.folder)/argos/a.sh",
        "a script that can be executed: chmod +x \(rig.folder)/swiftbar/s.sh",
      ])
    #expect(issues.first?.message == "the plugin is not run, because it is not executable")
  }

  @Test func `a plugin that others may write to is not taken`() throws {
    let rig = try Rig()
    try rig.write("a.sh", mode: 0o757)
    try rig.write("b.sh")
    try rig.write("b.sh.vars.json", #"{"A": "1"}"#, mode: 0o646)
    let (plugins, issues) = rig.read()
    #expect(plugins.map(\.path) == [rig.folder + "/b.sh"])
    #expect(plugins.first?.values == [:])
    #expect(
      issues.map(\.message) == [
        "the plugin is not run: every user may write to \(rig.folder)/a.sh",
        "the values are not read: every user may write to \(rig.folder)/b.sh.vars.json",
      ])
  }

  @Test func `the lines with tags are kept, and those alone`() throws {
    let rig = try Rig()
    let text = """
      #!/bin/sh
      # <xbar.title>CPU</xbar.title>
      echo "a bar. <b>no tag</b>" # <foobar.title>
      // <bitbar.author>somebody</bitbar.author>
      # <swiftbar.schedule>*/15 * * * *</swiftbar.schedule> <xbar.desc>two in a line</xbar.desc>
      """
    try rig.write("cpu.5s.sh", text)
    try rig.write("late.sh", String(repeating: "#\n", count: 600_000) + "# <xbar.title>x\n")
    try rig.write("many.sh", String(repeating: "# <xbar.title>x\n", count: 10_000))
    let tags = rig.read().plugins.map(\.tags.text)
    #expect(
      tags.first == """
        # <xbar.title>CPU</xbar.title>
        // <bitbar.author>somebody</bitbar.author>
        # <swiftbar.schedule>*/15 * * * *</swiftbar.schedule> <xbar.desc>two in a line</xbar.desc>

        """)
    #expect(tags.dropFirst().first == "")
    #expect(tags.last?.utf8.count == 64 << 10)
  }

  @Test func `the values of both apps are read, and xbar's win`() throws {
    let rig = try Rig()
    try rig.write("tail.5s.sh")
    try rig.write("tail.5s.vars.json", #"{"A": "swiftbar", "B": "2"}"#)
    try rig.write("tail.5s.sh.vars.json", #"{"A": "xbar", "N": 5}"#)
    try rig.write("bad.sh")
    try rig.write("bad.sh.vars.json", "[1]")
    let (plugins, issues) = rig.read()
    #expect(plugins.last?.values == ["A": "xbar", "B": "2", "N": 5])
    #expect(issues.map(\.file) == [rig.folder + "/bad.sh"])
    #expect(issues.first?.message.contains("bad.sh.vars.json' is no JSON object") == true)
  }

  @Test func `more plugins than anybody has are cut off, and the first one left out is named`()
    throws
  {
    let rig = try Rig()
    for number in 0...RuntimeLimits.pluginCountMax {
      try rig.write("p\(10_000 + number).sh", "x")
    }
    let (plugins, issues) = rig.read()
    #expect(plugins.count == RuntimeLimits.pluginCountMax)
    #expect(issues.map(\.file) == [rig.folder + "/p11000.sh"])
  }

  @Test func `a package is one plugin with the name of its folder`() throws {
    let rig = try Rig()
    try rig.write("tea.5s.swiftbar/plugin.a", "#!/bin/sh\n", mode: 0o644)
    try rig.write("tea.5s.swiftbar/plugin.sh")
    try rig.write("tea.5s.swiftbar/lib.sh")
    try rig.write("swiftbar/deep/mail.swiftbar/plugin.py")
    try rig.write("swiftbar/deep/mail.swiftbar/bin/plugin.sh")
    try rig.write("xbar/not.swiftbar/plugin.sh")
    try rig.write("empty.swiftbar/readme.sh")
    let (plugins, issues) = rig.read()
    #expect(
      plugins.map { String($0.path.dropFirst(rig.folder.count + 1)) } == [
        "swiftbar/deep/mail.swiftbar/plugin.py", "tea.5s.swiftbar/plugin.sh",
      ])
    #expect(plugins.map(\.format) == [.swiftbar, .swiftbar])
    #expect(plugins.map(\.name) == ["mail.swiftbar", "tea.5s.swiftbar"])
    #expect(issues.map(\.file) == [rig.folder + "/empty.swiftbar"])
    #expect(PluginFolder.plugin(at: rig.folder + "/tea.5s.swiftbar/plugin.sh").plugin?.name != nil)
  }

  @Test func `the tags of a program that is no text are in an extended attribute`() throws {
    let rig = try Rig()
    try rig.write("prog.5s", "\u{7F}ELF\u{0}")
    let tags = "# <xbar.title>Compiled</xbar.title>\n<swiftbar.type>streamable</swiftbar.type>"
    let value = Array(Data(tags.utf8).base64EncodedString().utf8)
    let file = rig.folder + "/prog.5s"
    let status = setxattr(file, "user.com.ameba.SwiftBar", value, value.count, 0)
    // A file system without such attributes has none to read.
    if status != 0, errno == ENOTSUP { return }
    try #require(status == 0)
    #expect(rig.read().plugins.first?.tags.text == tags + "\n")
    // Tags in the text win, and other bytes are no tags.
    try rig.write("prog.5s", "# <xbar.title>Text</xbar.title>\n")
    #expect(rig.read().plugins.first?.tags.text == "# <xbar.title>Text</xbar.title>\n")
    try rig.write("prog.5s", "\u{7F}ELF\u{0}")
    #expect(setxattr(file, "user.com.ameba.SwiftBar", [0, 1, 2], 3, 0) == 0)
    #expect(rig.read().plugins.first?.tags.text == "")
  }
}
