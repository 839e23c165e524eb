import Documents
import Habits
import JSON
import Testing
import WidgetCenter

@testable import DaemonCore

/// Tests `config.yaml`, the person's settings.
@Suite struct SettingsTests {
  private func source(_ text: String) throws -> SettingsSource {
    let document = readYAML(text, file: "config.yaml")
    #expect(document.issues.isEmpty)
    return SettingsSource(file: "config.yaml", document: document.value)
  }

  private func read(_ text: String) throws -> (settings: Settings?, issues: [String]) {
    let read = SettingsReader.read(try source(text))
    return (read.settings, read.issues.map(\.description))
  }

  private func table(_ names: String..., weekend: Set<Int> = [5, 6]) -> DaysOff {
    var table = DaysOff(weekend: weekend)
    for name in names {
      let isRead = table.name(name)
      #expect(isRead, "\(name)")
    }
    return table
  }

  @Test func `days off and weekends are read, as YAML and as JSON`() throws {
    let yaml = try read(
      """
      weekend: [friday, saturday]
      daysOff:
        - 2026-12-25
        - 2026-12-24/2027-01-02
        - 12-25
      """)
    #expect(yaml.issues == [])
    #expect(
      yaml.settings?.daysOff
        == table("2026-12-25", "2026-12-24/2027-01-02", "12-25", weekend: [4, 5]))
    let json = try read(#"{"daysOff": ["2026-12-25", "12-24/01-02"], "weekend": []}"#)
    #expect(json.settings?.daysOff == table("2026-12-25", "12-24/01-02", weekend: []))
    for nothing in ["", "# nothing yet", "{}", "daysOff:\nweekend:"] {
      let read = try read(nothing)
      #expect(read.issues == [])
      #expect(read.settings == Settings())
    }
  }

  @Test func `urgent entries are notifications where the person says so`() throws {
    #expect(try read("notifications: urgent").settings?.notifiesUrgent == true)
    #expect(try read("notifications: none").settings?.notifiesUrgent == false)
    #expect(try read("notifications:").settings?.notifiesUrgent == false)
    #expect(
      try read("notifications: all").issues == [
        "config.yaml:1: error: notifications is 'all'; expected urgent, for entries that their provider calls urgent, or none"
      ])
  }

  @Test func `every mistake is found in one reading, with its line`() throws {
    let read = try read(
      """
      weekend: [saturday, sundy]
      daysOf: [12-25]
      daysOff:
        - 12-25
        - 2026-02-30
        - 7
        - {from: 12-24}
      """)
    #expect(read.settings == nil)
    let day =
      "expected a day such as 2026-12-25, days such as 2026-12-24/2027-01-02, or those of every year such as 12-25"
    #expect(
      read.issues == [
        "config.yaml:2: warning: 'daysOf' is not a setting and is ignored; did you mean 'daysOff'?; expected one of daysOff, near, notifications, weekend",
        "config.yaml:1: error: weekend has 'sundy'; did you mean 'sunday'?; expected a list such as [saturday, sunday], or [] for none",
        "config.yaml:5: error: daysOff has '2026-02-30'; \(day)",
        "config.yaml:6: error: daysOff has '7'; \(day)",
        "config.yaml:7: error: daysOff has a mapping of 1; \(day)",
      ])
    for (text, issue) in [
      (
        "- 12-25",
        "error: the settings are a list of 1; expected a mapping such as {daysOff: [12-25]}"
      ),
      (
        "daysOff: 12-25",
        "error: daysOff is '12-25'; expected a list of at most 1000 days such as [2026-12-25, 12-24/01-02]"
      ),
      (
        "weekend: sunday",
        "error: weekend is 'sunday'; expected a list such as [saturday, sunday], or [] for none"
      ),
    ] {
      #expect(try self.read(text).issues == ["config.yaml:1: \(issue)"])
    }
  }

  @Test func `days that end before they begin, or are too many, are refused with a proposal`()
    throws
  {
    let read = try read(
      """
      daysOff:
        - 12-25
        - 2027-01-02/2026-12-24
        - 2026-01-01/2027-12-31
        - 2024-01-01/2024-12-31
      """)
    #expect(read.settings == nil)
    #expect(
      read.issues == [
        "config.yaml:3: error: daysOff has '2027-01-02/2026-12-24', which ends before it begins; expected the earlier day first: 2026-12-24/2027-01-02",
        "config.yaml:4: error: daysOff has '2026-01-01/2027-12-31', which are 730 days; expected at most 366 days in one entry, such as 2026-01-01/2027-01-01, and the rest in another",
      ])
    // The proposed text is accepted.
    let again = try self.read("daysOff: [2026-12-24/2027-01-02, 2026-01-01/2027-01-01]")
    #expect(again.issues == [])
    let long = String(repeating: "x", count: 5_000)
    #expect((try self.read("daysOff: [\(long)]").issues.first ?? long).count < 300)
  }

  @Test func `a thousand entries are read, one more is not`() throws {
    func settings(_ count: Int) throws -> Settings? {
      let days = Array(repeating: "12-25", count: count).joined(separator: ", ")
      return try read("daysOff: [\(days)]").settings
    }
    #expect(try settings(1_000)?.daysOff == table("12-25"))
    #expect(try settings(1_001) == nil)
  }

  @Test func `sentences are read nearly unless the settings say no`() throws {
    #expect(Settings().readsNearly)
    for (text, reads) in [
      ("", true), ("near:", true), ("near: true", true), ("near: false", false),
    ] {
      #expect(try read(text).settings?.readsNearly == reads, "\(text)")
    }
    let mistake = try read("near: sometimes")
    #expect(mistake.settings == nil)
    #expect(
      mistake.issues == [
        "config.yaml:1: error: near is 'sometimes'; expected true to read sentences nearly, or false to take them only as they are written"
      ])
  }

  @Test func `a change takes effect at the next reading, and a mistake keeps the last settings`()
    throws
  {
    var files = Harness.configuration
    files.settings = try source("daysOff: [2026-11-20]")
    var harness = Harness(files: files)
    let client = harness.connect()
    #expect(harness.daemon.widgetEngine.daysOff == table("2026-11-20"))
    harness.files.settings = try source("daysOff: [2026-11-20, tomorrow]")
    let answer = try harness.call("daemon.reloadConfiguration", from: client)
    #expect(answer["issues"]?.arrayValue?.first?["file"] == "config.yaml")
    #expect(answer["issues"]?.arrayValue?.first?["line"] == 1)
    #expect(harness.daemon.widgetEngine.daysOff == table("2026-11-20"))
    // A file that cannot be read changes nothing.
    harness.files.settings = SettingsSource(file: "config.yaml", document: nil)
    harness.files.issues = [
      DocumentIssue(file: "config.yaml", line: 1, message: "it is no YAML", expected: "YAML")
    ]
    try harness.call("daemon.reloadConfiguration", from: client)
    #expect(harness.daemon.widgetEngine.daysOff == table("2026-11-20"))
    harness.files.issues = []
    harness.files.settings = try source("daysOff: [12-25]\nweekend: [sunday]")
    try harness.call("daemon.reloadConfiguration", from: client)
    #expect(harness.daemon.widgetEngine.daysOff == table("12-25", weekend: [6]))
    // Without a file the defaults are in force.
    harness.files.settings = nil
    try harness.call("daemon.reloadConfiguration", from: client)
    #expect(harness.daemon.widgetEngine.daysOff == .weekends)
  }
}
