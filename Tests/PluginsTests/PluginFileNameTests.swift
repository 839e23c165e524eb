import Plugins
import Testing

struct PluginFileNameTests {
  private static func read(_ file: String, _ format: PluginFormat) -> PluginFileName? {
    try? PluginFileName.read(file, format).get()
  }

  @Test(arguments: [
    ("cpu.5s.sh", "cpu", 5_000), ("cpu.sh", "cpu", 60_000), ("cpu", "cpu", 60_000),
    ("cpu.5s", "cpu", 5_000), ("x.1d.2s.sh", "x", 2_000), ("x.2s.1d.sh", "x", 86_400_000),
    ("010-load.10m.py", "load", 600_000), ("1password.1h.rb", "1password", 3_600_000),
    ("001.5s.sh", "001", 5_000), ("my plug in!.5s.sh", "my-plug-in", 5_000),
    ("a.1h30m.sh", "a", 5_400_000), ("foo.5.sh", "foo", 60_000), ("foo.5x.sh", "foo", 60_000),
    ("mail.l.5M+.sh", "mail", 300_000), ("a.10ms.py", "a", 1_000), ("a.0s.py", "a", 1_000),
    ("a.999999999d.py", "a", 8_640_000_000), ("a.9999999999d.py", "a", 60_000),
    ("a.999999999d999999999d.py", "a", 8_640_000_000),
    ("gmail-checker.sh", "gmail-checker", 60_000),
  ])
  func `the name says the kind and the interval of xbar`(
    file: String, name: String, milliseconds: Int64
  ) {
    #expect(Self.read(file, .xbar)?.name == name)
    #expect(Self.read(file, .xbar)?.schedule == .every(milliseconds))
  }

  @Test func `without an interval SwiftBar and Argos run a script once`() {
    #expect(Self.read("cpu.sh", .swiftbar)?.schedule == .once)
    #expect(Self.read("cpu.sh", .argos)?.schedule == .once)
    #expect(Self.read("cpu.sh", .argos)?.hasInterval == false)
  }

  @Test func `the shortest interval wins in SwiftBar`() {
    #expect(Self.read("x.2s.1d.sh", .swiftbar)?.schedule == .every(2_000))
  }

  @Test func `Argos has a position and a plus`() {
    let name = Self.read("mail.10r.5m+.sh", .argos)
    #expect(name?.position == "10r")
    #expect(name?.runsWhenOpened == true)
    #expect(name?.schedule == .every(300_000))
    #expect(Self.read("mail.x.5m.sh", .argos)?.position == nil)
  }

  @Test func `a name that is read otherwise is warned about`() {
    #expect(Self.read("a.10ms.py", .xbar)?.warning != nil)
    #expect(Self.read("a.101d.py", .xbar)?.warning != nil)
    // xbar, SwiftBar and Argos read five seconds.
    #expect(Self.read("a.1.5s.py", .xbar)?.schedule == .every(5_000))
    #expect(Self.read("a.1.5s.py", .xbar)?.warning?.contains("1.5s") == true)
    #expect(Self.read("a.5s.py", .xbar)?.warning == nil)
  }

  @Test(arguments: [
    (".cpu.5s.sh", PluginFileName.Rejection.hidden), ("cpu.5s.sh.off", .turnedOff),
    ("cpu.5s.sh.vars.json", .values), ("README.md", .text), ("notes.txt", .text),
    ("!!!.sh", .nameless), ("", .nameless),
  ])
  func `other files are no plugins`(file: String, reason: PluginFileName.Rejection) {
    #expect(PluginFileName.read(file, .xbar) == .failure(reason))
  }
}
