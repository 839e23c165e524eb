package import JSON

/// Says which of a widget's own reload rules cannot be used, and which value is expected.
package struct ReloadRuleError: Error, Hashable, Sendable {
  package var key: String
  package var expected: String
}

/// The form of reload rules in a manifest and on the wire: `{"perDay": "40-70",
/// "minimumInterval": "5m", "learning": "3d", "unchangedIsFree": true, "activeHours": "7-23"}`.
extension ReloadOverrides {
  package static let keys = [
    "minimumInterval", "perDay", "learning", "unchangedIsFree", "activeHours",
  ]

  /// Reads the members that are there; `null` is as the kind says.
  package init(_ object: JSONObject) throws(ReloadRuleError) {
    for member in object.members where !member.value.isNull {
      try read(member.key, member.value)
    }
  }

  /// Takes one rule.
  package mutating func read(_ key: String, _ value: JSONValue) throws(ReloadRuleError) {
    func fail(_ expected: String) -> ReloadRuleError {
      ReloadRuleError(key: key, expected: expected)
    }
    switch key {
    case "perDay":
      guard let range = Self.readPerDay(value) else {
        throw fail("a whole number from 1 to \(Limits.reloadsPerDayMax), or two such as 40-70")
      }
      perDay = range
    case "minimumInterval":
      guard let interval = Self.readDuration(value), Limits.reloadSpacingRange.contains(interval)
      else {
        throw fail("a duration from 1s to 1d, such as 5m")
      }
      spacing = interval
    case "learning":
      guard let period = Self.readDuration(value), period <= Limits.learningPeriodMax else {
        throw fail(
          "a duration from 0s to \(DurationText.write(Limits.learningPeriodMax)), such as 3d")
      }
      learning = period
    case "unchangedIsFree":
      guard let flag = value.boolValue else { throw fail("true or false") }
      unchangedIsFree = flag
    case "activeHours":
      guard let hours = value.stringValue.flatMap({ ActiveHours(text: $0) }) else {
        throw fail("'learned', 'always', or two hours of the day such as 7-23")
      }
      activeHours = hours
    default:
      throw fail("one of \(Self.keys.joined(separator: ", "))")
    }
  }

  private static func readDuration(_ value: JSONValue) -> Int64? {
    switch value {
    case .string(let text): DurationText.read(text)
    case .int(let seconds): DurationText.read(String(seconds))
    case .double(let seconds): DurationText.read(String(seconds))
    case .null, .bool, .array, .object: nil
    }
  }

  private static func readPerDay(_ value: JSONValue) -> ClosedRange<Int>? {
    let bounds: [Int]
    switch value {
    case .int(let count): bounds = [Int(count), Int(count)]
    case .string(let text):
      bounds = text.split(separator: "-", omittingEmptySubsequences: false)
        .map { Int($0.filter { $0 != " " }) ?? 0 }
    case .array(let items): bounds = items.map { Int($0.intValue ?? 0) }
    case .null, .bool, .double, .object: return nil
    }
    guard let low = bounds.first, let high = bounds.last, (1...2).contains(bounds.count), low >= 1,
      low <= high, high <= Limits.reloadsPerDayMax
    else { return nil }
    return low...high
  }

  /// The form that `init(_:)` reads.
  package var json: JSONObject {
    var object: JSONObject = [:]
    if let perDay { object["perDay"] = perDay.json }
    if let spacing { object["minimumInterval"] = .string(DurationText.write(spacing)) }
    if let learning { object["learning"] = .string(DurationText.write(learning)) }
    if let unchangedIsFree { object["unchangedIsFree"] = .bool(unchangedIsFree) }
    if let activeHours { object["activeHours"] = .string(activeHours.text) }
    return object
  }
}

/// Reloads a day, as they are written: `48`, or `40-70`.
extension ClosedRange<Int> {
  package var json: JSONValue {
    count == 1 ? .int(Int64(lowerBound)) : .string("\(lowerBound)-\(upperBound)")
  }

  package var text: String { count == 1 ? "\(lowerBound)" : "\(lowerBound)-\(upperBound)" }
}
