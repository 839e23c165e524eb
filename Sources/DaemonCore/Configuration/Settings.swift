package import Habits
package import JSON
import Timekeeping
import WidgetCenter

/// The person's settings in `config.yaml`.
package struct Settings: Hashable, Sendable {
  package var daysOff = DaysOff()
  /// Whether a sentence that matches nothing is read nearly.
  package var readsNearly = true
  /// Whether an urgent entry becomes a notification of the desktop.
  package var notifiesUrgent = false

  package init() {}
}

/// A settings file as it was read from disk, not checked yet.
package struct SettingsSource: Hashable, Sendable {
  package var file: String
  /// The content; `nil`: the file is empty.
  package var document: LocatedValue?

  package init(file: String, document: LocatedValue?) {
    self.file = file
    self.document = document
  }
}

/// Turns a settings file into `Settings` or into its issues.
///
/// One reading finds all mistakes. If there is an error, the last good settings hold.
package struct SettingsReader {
  private var issues: [DocumentIssue] = []
  private let file: String

  /// Reads a settings file; `settings` is `nil` when it has errors.
  package static func read(
    _ source: SettingsSource
  ) -> (settings: Settings?, issues: [DocumentIssue]) {
    guard let root = source.document, root.node != .null else { return (Settings(), []) }
    var reader = SettingsReader(file: source.file)
    let settings = reader.read(root)
    let failed = reader.issues.contains { $0.severity == .error }
    return (failed ? nil : settings, reader.issues)
  }

  private init(file: String) { self.file = file }

  private static let keys = ["daysOff", "near", "notifications", "weekend"]

  private mutating func read(_ root: LocatedValue) -> Settings {
    var settings = Settings()
    guard case .object(let members) = root.node else {
      report(
        root.line, "the settings are \(Self.describe(root))", "a mapping such as {daysOff: [12-25]}"
      )
      return settings
    }
    for member in members where !Self.keys.contains(member.key) {
      let near = didYouMean(nearest(to: member.key, among: Self.keys, countMax: 1))
      issues.append(
        DocumentIssue(
          severity: .warning, file: file, line: member.line,
          message: "'\(member.key)' is not a setting and is ignored\(near)",
          expected: "one of \(Self.keys.joined(separator: ", "))"))
    }
    if let weekend = readWeekend(root["weekend"]) { settings.daysOff = DaysOff(weekend: weekend) }
    readDaysOff(root["daysOff"], into: &settings.daysOff)
    readNotifications(root["notifications"], into: &settings)
    if let near = root["near"], near.node != .null {
      if case .bool(let flag) = near.node {
        settings.readsNearly = flag
      } else {
        report(
          near.line, "near is \(Self.describe(near))",
          "true to read sentences nearly, or false to take them only as they are written")
      }
    }
    return settings
  }

  private mutating func readNotifications(_ value: LocatedValue?, into settings: inout Settings) {
    guard let value, value.node != .null else { return }
    switch value.json.stringValue {
    case "urgent": settings.notifiesUrgent = true
    case "none": settings.notifiesUrgent = false
    default:
      report(
        value.line, "notifications is \(Self.describe(value))",
        "urgent, for entries that their provider calls urgent, or none")
    }
  }

  private mutating func readWeekend(_ value: LocatedValue?) -> Set<Int>? {
    guard let value, value.node != .null else { return nil }
    let expected = "a list such as [saturday, sunday], or [] for none"
    guard case .array(let items) = value.node else {
      report(value.line, "weekend is \(Self.describe(value))", expected)
      return nil
    }
    var weekend: Set<Int> = []
    for item in items {
      guard let word = item.json.stringValue, let weekday = Weekday.number(named: word) else {
        let near = item.json.stringValue.map { nearest(to: $0, among: Weekday.names, countMax: 1) }
        report(item.line, "weekend has \(Self.describe(item))\(didYouMean(near ?? []))", expected)
        continue
      }
      weekend.insert(weekday)
    }
    return weekend
  }

  private mutating func readDaysOff(_ value: LocatedValue?, into daysOff: inout DaysOff) {
    guard let value, value.node != .null else { return }
    guard case .array(let items) = value.node, items.count <= Limits.namedDayCountMax else {
      report(
        value.line, "daysOff is \(Self.describe(value))",
        "a list of at most \(Limits.namedDayCountMax) days such as [2026-12-25, 12-24/01-02]")
      return
    }
    for item in items {
      if let text = item.json.stringValue, daysOff.name(text) { continue }
      switch item.json.stringValue.flatMap({ DaysOff.problem(with: $0) }) {
      case .endsBeforeItBegins(let turned):
        report(
          item.line, "daysOff has \(Self.describe(item)), which ends before it begins",
          "the earlier day first: \(turned)")
      case .tooLong(let days, let first):
        report(
          item.line, "daysOff has \(Self.describe(item)), which are \(days) days",
          "at most \(Habits.Limits.dayOffSpanMax) days in one entry, such as \(first), and the rest in another"
        )
      case .none:
        report(
          item.line, "daysOff has \(Self.describe(item))",
          "a day such as 2026-12-25, days such as 2026-12-24/2027-01-02, or those of every year such as 12-25"
        )
      }
    }
  }

  private mutating func report(_ line: Int, _ message: String, _ expected: String) {
    issues.append(DocumentIssue(file: file, line: line, message: message, expected: expected))
  }

  private static func describe(_ value: LocatedValue) -> String {
    switch value.node {
    case .string(let text): quoted(text)
    case .array(let items): "a list of \(items.count)"
    case .object(let members): "a mapping of \(members.count)"
    case .null: "empty"
    case .bool, .int, .double: "'\(value.json.serialized)'"
    }
  }
}
