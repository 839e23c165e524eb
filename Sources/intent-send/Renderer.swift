import Glibc
import JSON
import Timekeeping

/// Turns results into text for people.
///
/// Pure but for what it is given: the time, the zone, the style.
struct Renderer {
  var style: Style
  var now: WallTime
  /// Seconds east of UTC at a moment.
  var zoneOffset: (WallTime) -> Int

  /// For the person at this terminal.
  static var current: Renderer {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Renderer(
      style: Output.style,
      now: WallTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000),
      zoneOffset: { moment in
        var seconds = time_t(moment.milliseconds / 1000)
        var civil = tm()
        localtime_r(&seconds, &civil)
        return civil.tm_gmtoff
      })
  }
}

// MARK: - Time

extension Renderer {
  /// `14:05` today, `2026-11-21 14:05` on other days; what is no date is printed as it came.
  func time(_ value: JSONValue?, withSeconds: Bool = false) -> String {
    guard let text = value?.stringValue else { return value.map(word) ?? "" }
    guard let moment = WallTime(rfc3339: text) else { return printable(text) }
    let local = shifted(moment)
    let clock = local.dropFirst(11).prefix(withSeconds ? 8 : 5)
    return local.prefix(10) == shifted(now).prefix(10)
      ? String(clock) : "\(local.prefix(10)) \(clock)"
  }

  /// The moment as the zone's civil time, `2026-11-21T14:05:00…`.
  private func shifted(_ moment: WallTime) -> String {
    moment.advanced(bySeconds: Int64(zoneOffset(moment))).rfc3339
  }

  /// `3 min ago`, `in 2 h`.
  func relative(_ moment: WallTime) -> String {
    let seconds = moment.milliseconds(since: now) / 1000
    guard abs(seconds) >= 5 else { return "now" }
    return seconds > 0 ? "in \(span(seconds))" : "\(span(-seconds)) ago"
  }

  /// A span in its largest whole unit: `45 s`, `3 min`, `2 h`, `5 d`.
  func span(_ seconds: Int64) -> String {
    switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3_600: "\(seconds / 60) min"
    case ..<86_400: "\(seconds / 3_600) h"
    default: "\(seconds / 86_400) d"
    }
  }
}

// MARK: - Entries

extension Renderer {
  /// An entry as a person wants to read it: title, text, items, a line each.
  func entry(_ entry: JSONValue, isStale: Bool = false) -> String {
    guard let content = entry["content"] else { return "" }
    var lines: [String] = []
    let title = texts(content["title"])
    lines += title.map(style.strong)
    lines += texts(content["subtitle"])
    let body = texts(content["text"])
    if body != title { lines += body }
    if lines.isEmpty { lines += texts(content["short"]) }
    if lines.isEmpty, let percentage = content["percentage"], !percentage.isNull {
      lines.append("\(word(percentage))%")
    }
    lines += items(content["items"], level: 1)
    if lines.isEmpty { lines = texts(content["tooltip"]) }
    if lines.isEmpty { lines = [style.faint("(nothing to show)")] }
    if isStale || isOutlived(content, since: entry["date"]) {
      let date = content["asOf"] ?? entry["date"]
      lines.append(style.warning("stale: as of \(time(date))"))
    }
    return lines.map { "\($0)\n" }.joined()
  }

  /// An entry on one line, for tables: `Beijing: 3° clear`.
  func summary(_ entry: JSONValue?) -> String {
    guard let content = entry?["content"] else { return "" }
    let title = texts(content["title"]).first
    let body = texts(content["text"]).first ?? texts(content["short"]).first
    switch (title, body) {
    case (let title?, let body?): return title == body ? title : "\(title): \(body)"
    case (let text?, nil), (nil, let text?): return text
    case (nil, nil):
      return content["percentage"].map { $0.isNull ? "" : "\(word($0))%" } ?? ""
    }
  }

  private func items(_ value: JSONValue?, level: Int) -> [String] {
    // A tree deeper than this is a mistake; what is above it is still worth reading.
    guard level <= 8, let items = value?.arrayValue else { return [] }
    var lines: [String] = []
    let indent = String(repeating: "  ", count: level)
    for item in items {
      if item["separator"]?.boolValue == true {
        lines.append("\(indent)---")
        continue
      }
      let own = texts(item.objectValue == nil ? item : item["text"] ?? item["title"])
      let mark = item["checked"]?.boolValue == true ? "✓ " : ""
      lines += own.map { indent + mark + $0 }
      lines += self.items(item["items"], level: level + 1)
    }
    return lines
  }

  /// The lines of a text: a string, several, or a live date.
  ///
  /// Empty ones are left out.
  private func texts(_ value: JSONValue?) -> [String] {
    switch value {
    case .string(let text): return printableLines(text).filter { !$0.isEmpty }
    case .array(let values): return values.flatMap { texts($0) }
    case .int, .double: return value.map { [word($0)] } ?? []
    case .object: return value.flatMap(liveDate).map { [$0] } ?? []
    case .null, .bool, .none: return []
    }
  }

  /// `{"date":…,"style":"relative"|"timer"|"offset"}` as it reads now.
  private func liveDate(_ value: JSONValue) -> String? {
    guard let text = value["date"]?.stringValue, let date = WallTime(rfc3339: text) else {
      return nil
    }
    let seconds = date.milliseconds(since: now) / 1000
    switch value["style"]?.stringValue {
    case "timer":
      let total = abs(seconds)
      let clock = "\(padded(total / 60 % 60)):\(padded(total % 60))"
      return total >= 3_600 ? "\(total / 3_600):\(clock)" : clock
    case "offset": return "\(seconds < 0 ? "-" : "+")\(span(abs(seconds)))"
    default: return relative(date)
    }
  }

  /// Whether the content is older than it says it may be: `staleAfter` seconds from `asOf`, or from the
  /// entry's own date.
  private func isOutlived(_ content: JSONValue, since date: JSONValue?) -> Bool {
    guard let seconds = content["staleAfter"]?.doubleValue, (0...1e9).contains(seconds),
      let text = (content["asOf"] ?? date)?.stringValue, let start = WallTime(rfc3339: text)
    else { return false }
    return start.advanced(byMilliseconds: Int64(seconds * 1000)) <= now
  }

  private func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Whether a date has come; the second that an answer may take counts as come.
  func isPast(_ date: JSONValue?) -> Bool {
    guard let text = date?.stringValue, let moment = WallTime(rfc3339: text) else { return false }
    return moment.milliseconds(since: now) <= 1_000
  }
}

// MARK: - Values

extension Renderer {
  /// A value inside a line: a string without its quotes, everything else as JSON.
  func word(_ value: JSONValue) -> String {
    value.stringValue.map(printable) ?? printable(value.serialized)
  }

  /// `ShowWeather(city: "Beijing")`.
  func intent(_ value: JSONValue?) -> String {
    guard let value else { return "" }
    if let name = value.stringValue { return printable(name) }
    let parameters = (value["parameters"]?.objectValue?.members ?? [])
      .map { "\(printable($0.key)): \(printable($0.value.serialized))" }
    let name = value["name"].map(word) ?? ""
    return parameters.isEmpty ? name : "\(name)(\(parameters.joined(separator: ", ")))"
  }

  /// Rows in columns, two spaces apart; the last column is as wide as it is.
  ///
  /// Empty columns go away.
  func table(_ rows: [[String]]) -> String {
    guard let columns = rows.map(\.count).max() else { return "" }
    var widths = [Int](repeating: 0, count: columns)
    for row in rows {
      for (column, cell) in row.enumerated() {
        widths[column] = max(widths[column], displayWidth(cell))
      }
    }
    var text = ""
    for row in rows {
      var line = ""
      var gap = 0
      for (column, cell) in row.enumerated() where widths[column] > 0 {
        line += String(repeating: " ", count: cell.isEmpty ? 0 : gap) + cell
        gap = (cell.isEmpty ? gap : 0) + widths[column] - displayWidth(cell) + 2
      }
      text += line + "\n"
    }
    return text
  }

  /// Any object, a member a line: for answers whose members may grow.
  func fields(_ value: JSONValue, level: Int = 0) -> String {
    let indent = String(repeating: "  ", count: level)
    guard let object = value.objectValue else { return "\(indent)\(plain(value))\n" }
    var text = ""
    for member in object.members {
      let name = printable(member.key)
      switch member.value {
      case .object(JSONObject()), .array([]): text += "\(indent)\(name): none\n"
      case .object where level < 8:
        text += "\(indent)\(name):\n" + fields(member.value, level: level + 1)
      case .array(let values) where values.contains { $0.objectValue != nil }:
        text += "\(indent)\(name):\n"
        text += values.map { "\(indent)  \(issue($0) ?? pairs($0))\n" }.joined()
      case .array(let values):
        text += "\(indent)\(name): \(values.map(plain).joined(separator: ", "))\n"
      case .null, .bool, .int, .double, .string, .object:
        text += "\(indent)\(name): \(plain(member.value))\n"
      }
    }
    return text
  }

  /// `name=value name=value`.
  func pairs(_ value: JSONValue, leavingOut: Set<String> = []) -> String {
    guard let members = value.objectValue?.members else { return plain(value) }
    return members.filter { !leavingOut.contains($0.key) && !$0.value.isNull }
      .map { "\(printable($0.key))=\(plain($0.value))" }.joined(separator: " ")
  }

  /// `file:line: error: message; expected …`, when the value is an issue of the configuration.
  func issue(_ value: JSONValue) -> String? {
    guard let file = value["file"]?.stringValue, let message = value["message"]?.stringValue else {
      return nil
    }
    let line = value["line"]?.intValue.map { $0 > 0 ? ":\($0)" : "" } ?? ""
    let severity = value["severity"]?.stringValue ?? "error"
    let expected = value["expected"]?.stringValue.map { $0.isEmpty ? "" : "; expected \($0)" } ?? ""
    return printable("\(file)\(line): \(severity): \(message)\(expected)")
  }

  /// A value inside a line; dates in local time.
  private func plain(_ value: JSONValue) -> String {
    if let text = value.stringValue, WallTime(rfc3339: text) != nil { return time(value) }
    switch value {
    case .bool(let value): return value ? "yes" : "no"
    case .null: return "none"
    case .int, .double, .string, .array, .object: return word(value)
    }
  }
}

/// One line of at most `columnsMax` columns; what is longer ends in an ellipsis.
func shortened(_ text: String, columnsMax: Int) -> String {
  guard displayWidth(text) > columnsMax else { return text }
  var short = ""
  var width = 1
  for character in text {
    width += displayWidth(String(character))
    if width > columnsMax { break }
    short.append(character)
  }
  return short + "…"
}

/// Columns that `text` takes on a terminal, escape sequences of `Style` not counted.
///
/// Near enough for tables: ideographs, kana, Hangul, full-width forms and emoji take two columns, marks
/// none. (The C library's own answer needs a locale that may not be there.)
func displayWidth(_ text: String) -> Int {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
  var width = 0
  var isEscape = false
  for character in text {
    if isEscape {
      isEscape = character != "m"
    } else if character == "\u{1B}" {
      isEscape = true
    } else {
      width += character.unicodeScalars.reduce(0) { max($0, columns(of: $1)) }
    }
  }
  return width
}

private func columns(of scalar: Unicode.Scalar) -> Int {
  guard scalar.value >= 0x300 else { return 1 }
  let properties = scalar.properties
  if properties.isIdeographic || properties.isEmojiPresentation { return 2 }
  switch scalar.value {
  case 0x1100...0x115F, 0x3000...0x30FF, 0xAC00...0xD7A3, 0xFF01...0xFF60: return 2
  default: break
  }
  switch properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format, .control: return 0
  default: return 1
  }
}
