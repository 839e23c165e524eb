import JSON
import Timekeeping

/// `suggest`: when a kind wants to be suggested, and with which parameters.
///
/// ```yaml
/// suggest:
///   - {from: "07:00", to: "09:00", days: workdays, parameters: {line: U2}, kind: scheduled}
///   - {from: 2026-12-24T18:00:00Z, to: 2026-12-24T23:00:00Z}
/// ```
extension ManifestReader {
  private static let windowKeys = ["parameters", "from", "to", "days", "kind"]
  private static let example = "{from: 07:00, to: 09:00, days: workdays}"

  mutating func readSuggest(_ root: LocatedValue) -> [SuggestedWindow] {
    guard let value = root["suggest"], value.node != .null else { return [] }
    guard case .array(let items) = value.node, items.count <= Limits.suggestedWindowCountMax else {
      report(
        value.line, "suggest is \(Self.describe(value))",
        "a list of at most \(Limits.suggestedWindowCountMax) windows such as \(Self.example)")
      return []
    }
    let hasIntent = root["intent"].map { $0.node != .null } ?? false
    var windows: [SuggestedWindow] = []
    for item in items {
      if let window = readWindow(item, hasIntent: hasIntent) { windows.append(window) }
    }
    return windows
  }

  private mutating func readWindow(_ item: LocatedValue, hasIntent: Bool) -> SuggestedWindow? {
    guard case .object = item.node else {
      report(
        item.line, "a window of suggest is \(Self.describe(item))",
        "a mapping such as \(Self.example)")
      return nil
    }
    warnUnknown(in: item, at: "suggest.", known: Self.windowKeys)
    let span = readSpan(item)
    var kind = RelevanceKind.default
    if let word = item["kind"], word.node != .null {
      if let known = Self.scalarText(word).flatMap({ RelevanceKind(name: $0) }) {
        kind = known
      } else {
        report(
          word.line, "suggest.kind is \(Self.describe(word))",
          "one of \(RelevanceKind.allCases.map(\.name).joined(separator: ", "))")
      }
    }
    var parameters: JSONObject = [:]
    if let value = item["parameters"], value.node != .null {
      if !hasIntent {
        report(
          value.line, "suggest.parameters is there, and the kind has no intent",
          "an intent, or no parameters")
      } else if let object = value.json.objectValue {
        parameters = object
      } else {
        report(
          value.line, "suggest.parameters is \(Self.describe(value))",
          "a mapping such as {city: Oslo}")
      }
    }
    return span.map {
      SuggestedWindow(parameters: parameters, span: $0, kind: kind, line: item.line)
    }
  }

  private enum End {
    case date(WallTime)
    case minutes(Int)
  }

  private mutating func readSpan(_ item: LocatedValue) -> SuggestedWindow.Span? {
    let from = readEnd(item, "from")
    let to = readEnd(item, "to")
    let days = readDays(item)
    guard let from, let to, let toLine = item["to"]?.line else { return nil }
    let longest = DurationText.write(Limits.suggestedSpanMax)
    switch (from, to) {
    case (.date(let from), .date(let to)):
      if let days = item["days"] {
        report(
          days.line, "suggest.days stands beside dates", "days only with local times such as 07:00")
      }
      let length = to.milliseconds(since: from)
      guard length > 0, length <= Limits.suggestedSpanMax else {
        report(toLine, "suggest.to is \(to.rfc3339)", "a date after from, \(longest) later at most")
        return nil
      }
      return .once(from: from, to: to)
    case (.minutes(let from), .minutes(let to)):
      let minutes = to > from ? to - from : to + 1_440 - from
      guard from != to, Int64(minutes) * 60_000 <= Limits.suggestedSpanMax else {
        report(
          toLine, "suggest.to is \(item["to"].map { Self.describe($0) } ?? "")",
          "another time than from, \(longest) later at most")
        return nil
      }
      return days.map { .daily(from: from, to: to, $0) }
    case (.date, .minutes), (.minutes, .date):
      report(
        toLine, "suggest.from and suggest.to are a date and a time", "two dates, or two local times"
      )
      return nil
    }
  }

  private mutating func readEnd(_ item: LocatedValue, _ key: String) -> End? {
    guard let value = item[key], let text = Self.scalarText(value) else {
      report(
        item[key]?.line ?? item.line,
        "suggest.\(key) is \(item[key].map { Self.describe($0) } ?? "missing")",
        "a local time such as 07:00, or a date such as 2026-12-24T18:00:00Z")
      return nil
    }
    if let minutes = Self.minutes(text) { return .minutes(minutes) }
    if let date = WallTime(rfc3339: text) { return .date(date) }
    report(
      value.line, "suggest.\(key) is '\(text)'",
      "a local time such as 07:00, or a date such as 2026-12-24T18:00:00Z")
    return nil
  }

  /// `7:00`, `07:00` … `24:00`.
  private static func minutes(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let isTime =
      parts.count == 2 && (1...2).contains(parts[0].utf8.count) && parts[1].utf8.count == 2
      && parts.allSatisfy { $0.utf8.allSatisfy { (48...57).contains($0) } }
    guard isTime, let hour = Int(parts[0]), let minute = Int(parts[1]), minute < 60,
      hour * 60 + minute <= 1_440
    else { return nil }
    return hour * 60 + minute
  }

  private mutating func readDays(_ item: LocatedValue) -> SuggestedWindow.Days? {
    guard let value = item["days"], value.node != .null else { return .every }
    let expected = "workdays, daysOff, or a list such as [monday, friday]"
    var words = [value]
    if case .array(let items) = value.node { words = items }
    switch Self.scalarText(value) {
    case "workdays": return .workdays
    case "daysOff": return .daysOff
    case nil, .some: break
    }
    var weekdays: Set<Int> = []
    for word in words {
      guard let weekday = Self.scalarText(word).flatMap({ Weekday.number(named: $0) }) else {
        report(word.line, "suggest.days has \(Self.describe(word))", expected)
        return nil
      }
      weekdays.insert(weekday)
    }
    guard !weekdays.isEmpty else {
      report(value.line, "suggest.days is an empty list", expected)
      return nil
    }
    return .weekdays(weekdays)
  }
}
