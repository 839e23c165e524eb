import Glibc
import JSON
import PlainText
import Timekeeping

/// Turns results into text for people.
///
/// The text depends on the result and on the members only: the time, the time zone, the style, the
/// columns. `Layout.swift` says what happens where a line is full.
struct Renderer {
  var style: Style
  var now: WallTime
  /// Returns by how many seconds local time is ahead of UTC at a moment.
  var zoneOffset: (WallTime) -> Int
  /// The columns of the terminal; `nil` for a pipe or a file, where nothing is cut or broken.
  var columns: Int?

  /// A renderer for this terminal, this time zone and the present.
  static var current: Renderer {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    // A command that goes on shows the zone of now, also after a journey.
    tzset()
    return Renderer(
      style: Output.style,
      now: WallTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000),
      zoneOffset: { moment in
        var seconds = time_t(moment.milliseconds / 1000)
        var civil = tm()
        localtime_r(&seconds, &civil)
        return civil.tm_gmtoff
      },
      columns: Output.columns)
  }
}

// MARK: - Time

extension Renderer {
  /// Renders a date: `14:05` for today, `2026-11-21 14:05` for other days.
  ///
  /// A value that is no date is printed unchanged.
  func time(_ value: JSONValue?, withSeconds: Bool = false) -> String {
    guard let text = value?.stringValue else { return value.map(word) ?? "" }
    guard let moment = WallTime(rfc3339: text) else { return printable(text) }
    let local = localText(moment)
    let clock = local.dropFirst(11).prefix(withSeconds ? 8 : 5)
    return local.prefix(10) == localText(now).prefix(10)
      ? String(clock) : "\(local.prefix(10)) \(clock)"
  }

  /// Renders a date with its distance: `14:05, 12 min ago`; empty without a date.
  func moment(_ value: JSONValue?) -> String {
    guard let value, !value.isNull else { return "" }
    guard let date = value.stringValue.flatMap({ WallTime(rfc3339: $0) }) else {
      return word(value)
    }
    return "\(time(value)), \(relative(date))"
  }

  /// Returns the moment in local time, `2026-11-21T14:05:00…`.
  func localText(_ moment: WallTime) -> String {
    moment.advanced(bySeconds: Int64(zoneOffset(moment))).rfc3339
  }

  /// Renders a moment relative to the present: `3 min ago`, `in 2 h`.
  func relative(_ moment: WallTime) -> String {
    let seconds = moment.milliseconds(since: now) / 1000
    guard abs(seconds) >= 5 else { return "now" }
    return seconds > 0 ? "in \(span(seconds))" : "\(span(-seconds)) ago"
  }

  /// Renders a span in its largest whole unit: `45 s`, `3 min`, `2 h`, `5 d`.
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
  /// Renders an entry: title, text and items, one a line.
  func entry(_ entry: JSONValue, isStale: Bool = false) -> String {
    guard let content = entry["content"] else { return "" }
    let lines = EntryLines(content, self)
    var text = lines.titles.map { paragraph($0, tone: .strong) }.joined()
    text += (lines.subtitles + lines.body).map { paragraph($0) }.joined()
    if lines.isEmpty, let percentage = content["percentage"], !percentage.isNull {
      text += "\(word(percentage))%\n"
    }
    text += lines.items.map { paragraph($0, indent: 2) }.joined()
    if text.isEmpty { text = lines.tooltip.map { paragraph($0) }.joined() }
    if text.isEmpty { text = style.faint("(nothing to show)") + "\n" }
    if isStale || isOutlived(content, since: entry["date"]) {
      text += style.warning("stale: as of \(time(content["asOf"] ?? entry["date"]))") + "\n"
    }
    return text
  }

  /// Renders an entry on one line, for tables: `Beijing: 3° clear`.
  func summary(_ entry: JSONValue?) -> String {
    guard let content = entry?["content"] else { return "" }
    let title = texts(content["title"]).first
    let body = texts(content["text"]).first ?? texts(content["short"]).first
    switch (title, body) {
    case (let title?, let body?): return title == body ? title : "\(title): \(body)"
    case (let text?, nil), (nil, let text?): return text
    case (nil, nil):
      if let percentage = content["percentage"], !percentage.isNull {
        return "\(word(percentage))%"
      }
      return picture(content["image"]) ?? ""
    }
  }

  /// Renders a picture that stands alone by its alternative text: `[a red square]`.
  ///
  /// `nil` if the value is no picture.
  func picture(_ image: JSONValue?) -> String? {
    guard let image, image.objectValue != nil else { return nil }
    let words = texts(image["alt"]).joined(separator: " ")
    return words.isEmpty ? "[a picture]" : "[\(words)]"
  }

  /// Returns the lines of a text, which is a string, a list of strings, text in runs or a live date.
  ///
  /// Leaves out empty lines.
  func texts(_ value: JSONValue?) -> [String] {
    switch value {
    case .string(let text): return printableLines(text).filter { !$0.isEmpty }
    case .array(let values): return values.flatMap { texts($0) }
    case .int, .double: return value.map { [word($0)] } ?? []
    case .object(let object):
      if let runs = object["runs"]?.arrayValue {
        // Neighbours in different styles are one text.
        return texts(.string(runs.map { $0["text"]?.stringValue ?? "" }.joined()))
      }
      return value.flatMap(liveDate).map { [$0] } ?? []
    case .null, .bool, .none: return []
    }
  }

  /// Renders a live date, `{"date":…,"style":"relative"|"timer"|"offset"}`, for the present; `nil`
  /// if it is none.
  func liveDate(_ value: JSONValue) -> String? {
    guard let text = value["date"]?.stringValue, let date = WallTime(rfc3339: text) else {
      return nil
    }
    let seconds = date.milliseconds(since: now) / 1000
    switch value["style"]?.stringValue {
    case "timer":
      let total = abs(seconds)
      let clock = "\(twoDigits(total / 60 % 60)):\(twoDigits(total % 60))"
      return total >= 3_600 ? "\(total / 3_600):\(clock)" : clock
    case "offset": return "\(seconds < 0 ? "-" : "+")\(span(abs(seconds)))"
    default: return relative(date)
    }
  }

  /// Returns whether the content is stale: older than `staleAfter` seconds since `asOf`, or since
  /// the entry's date.
  private func isOutlived(_ content: JSONValue, since date: JSONValue?) -> Bool {
    guard let seconds = content["staleAfter"]?.doubleValue, (0...1e9).contains(seconds),
      let text = (content["asOf"] ?? date)?.stringValue, let start = WallTime(rfc3339: text)
    else { return false }
    return start.advanced(byMilliseconds: Int64(seconds * 1000)) <= now
  }

  private func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Returns whether a date has passed.
  ///
  /// A date within the next second counts as passed, because an answer may take that long.
  func isPast(_ date: JSONValue?) -> Bool {
    guard let text = date?.stringValue, let moment = WallTime(rfc3339: text) else { return false }
    return moment.milliseconds(since: now) <= 1_000
  }
}

// MARK: - Values

extension Renderer {
  /// Renders a value inside a line: a string without its quotes, any other value as JSON.
  func word(_ value: JSONValue) -> String {
    value.stringValue.map(printable) ?? printable(value.serialized)
  }

  /// Renders an intent: `ShowWeather(city: "Beijing")`.
  func intent(_ value: JSONValue?) -> String {
    guard let value else { return "" }
    if let name = value.stringValue { return printable(name) }
    let parameters = (value["parameters"]?.objectValue?.members ?? [])
      .map { "\(printable($0.key)): \(parameterValue($0.value))" }
    let name = value["name"].map(word) ?? ""
    return parameters.isEmpty ? name : "\(name)(\(parameters.joined(separator: ", ")))"
  }

  private func inBrackets(_ words: [String]) -> String {
    words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
  }

  /// Renders the value of a parameter: of an object its words, and what they do not tell.
  func parameterValue(_ value: JSONValue) -> String {
    switch value {
    case .array(let values): "[\(values.map(parameterValue).joined(separator: ", "))]"
    case .object(let object):
      if let text = object.shownText {
        printable(JSONValue.string(text).serialized)
          + inBrackets(
            object.valuesBesideShownText.map {
              "\(printable($0.key)): \(parameterValue($0.value))"
            })
      } else {
        printable(value.serialized)
      }
    case .null, .bool, .int, .double, .string: printable(value.serialized)
    }
  }

  /// Renders rows in columns, two spaces apart; the last column is not padded.
  ///
  /// Leaves out columns that are empty in all rows.
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

  /// Renders any object, one member a line; used for answers whose members may grow.
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

  /// Renders an object on one line: `name=value name=value`.
  func pairs(_ value: JSONValue, leavingOut: Set<String> = []) -> String {
    guard let members = value.objectValue?.members else { return plain(value) }
    return members.filter { !leavingOut.contains($0.key) && !$0.value.isNull }
      .map { "\(printable($0.key))=\(plain($0.value))" }.joined(separator: " ")
  }

  /// Renders an issue of the configuration: `file:line: error: message; expected …`.
  ///
  /// `nil` if the value is no issue.
  func issue(_ value: JSONValue) -> String? {
    guard let file = value["file"]?.stringValue, let message = value["message"]?.stringValue else {
      return nil
    }
    let line = value["line"]?.intValue.map { $0 > 0 ? ":\($0)" : "" } ?? ""
    let severity = value["severity"]?.stringValue ?? "error"
    let expected = value["expected"]?.stringValue.map { $0.isEmpty ? "" : "; expected \($0)" } ?? ""
    return printable("\(file)\(line): \(severity): \(message)\(expected)")
  }

  /// Renders a value inside a line, with dates in local time.
  private func plain(_ value: JSONValue) -> String {
    if let text = value.stringValue, WallTime(rfc3339: text) != nil { return time(value) }
    switch value {
    case .bool(let value): return value ? "yes" : "no"
    case .null: return "none"
    case .int, .double, .string, .array, .object: return word(value)
    }
  }
}
