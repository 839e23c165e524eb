import JSON
import Timekeeping

/// Says when text with live dates has to be drawn again, and writes them as text.
enum LiveDates {
  /// Returns the first moment after `now` at which a live date or an age in these widgets reads
  /// differently; `nil` if none ever does.
  static func nextChange(in widgets: some Sequence<JSONValue>, after now: WallTime) -> WallTime? {
    var moments: [WallTime] = []
    for widget in widgets {
      guard let entry = widget["entry"] else { continue }
      collect(from: entry["content"] ?? .null, level: 0, now, &moments)
      // The age of the content: see `Renderer.age(of:)`.
      if let date = date(entry["content"]?["asOf"]) ?? date(entry["date"]) {
        moments.append(change(of: date, after: now, ticksBySecond: false))
      }
    }
    return moments.min()
  }

  /// Returns the first moment after `now` at which a live date in this content may read
  /// differently; `nil` if it has none.
  static func nextChange(inContent content: JSONValue, after now: WallTime) -> WallTime? {
    var moments: [WallTime] = []
    collect(from: content, level: 0, now, &moments)
    return moments.min()
  }

  /// Returns the content with each live date as its text at the moment of `renderer`.
  ///
  /// A value that has more than a date and a style is no live date and stays.
  static func written(_ content: JSONValue, _ renderer: Renderer, level: Int = 0) -> JSONValue {
    guard level < levelsMax else { return content }
    switch content {
    case .array(let values): return .array(values.map { written($0, renderer, level: level + 1) })
    case .object(var object):
      let keys = Set(object.members.map(\.key))
      if keys.isSubset(of: ["date", "style"]), let text = renderer.liveDate(content) {
        return .string(text)
      }
      for member in object.members {
        object[member.key] = written(member.value, renderer, level: level + 1)
      }
      return .object(object)
    case .null, .bool, .int, .double, .string: return content
    }
  }

  /// Levels of lists and objects that are searched, as deep as items are shown.
  private static let levelsMax = 20

  private static func collect(
    from value: JSONValue, level: Int, _ now: WallTime, _ moments: inout [WallTime]
  ) {
    guard level < levelsMax else { return }
    switch value {
    case .array(let values):
      for value in values { collect(from: value, level: level + 1, now, &moments) }
    case .object(let object):
      if let date = date(value["date"]) {
        let style = value["style"]?.stringValue
        moments.append(change(of: date, after: now, ticksBySecond: style == "timer"))
      }
      for member in object.members { collect(from: member.value, level: level + 1, now, &moments) }
    case .null, .bool, .int, .double, .string: break
    }
  }

  private static func date(_ value: JSONValue?) -> WallTime? {
    value?.stringValue.flatMap { WallTime(rfc3339: $0) }
  }

  /// Returns when the distance to `date` reads differently: at the next whole second, minute, hour
  /// or day of the distance, by its size.
  private static func change(
    of date: WallTime, after now: WallTime, ticksBySecond: Bool
  ) -> WallTime {
    let distance = date.milliseconds(since: now)
    let size = abs(distance)
    let unit: Int64
    switch size {
    case _ where ticksBySecond: unit = 1_000
    case ..<60_000: unit = 1_000
    case ..<3_600_000: unit = 60_000
    case ..<86_400_000: unit = 3_600_000
    default: unit = 86_400_000
    }
    // A date to come reads differently just below a whole unit, a past one at the next whole unit.
    let wait = distance > 0 ? size % unit + 1 : unit - size % unit
    return now.advanced(byMilliseconds: wait)
  }
}
