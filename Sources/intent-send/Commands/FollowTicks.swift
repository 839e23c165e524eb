import JSON
import Timekeeping

/// Keeps the last line of each widget, or of the stack, to write it anew when a live date in it
/// reads differently.
struct FollowTicks {
  private struct Line {
    /// The line as the daemon's content makes it.
    var content: JSONValue
    /// The line that was printed, with live dates as text.
    var told: JSONValue
  }

  /// The lines in which there are live dates, by the widget's id; the stack's has no id.
  private var lines: [String: Line] = [:]
  /// The keys of `lines`, in the order of their first line.
  private var order: [String] = []

  /// Returns new lines as they are printed.
  mutating func take(_ new: [JSONValue], _ renderer: Renderer) -> [JSONValue] {
    new.map { line in
      let key = line["id"]?.stringValue ?? ""
      let told = Self.written(line, renderer)
      let hasDates = told != line
      if hasDates, lines[key] == nil { order.append(key) }
      if !hasDates, lines[key] != nil { order.removeAll { $0 == key } }
      lines[key] = hasDates ? Line(content: line, told: told) : nil
      return told
    }
  }

  /// Returns the lines whose live dates read differently than in the last line that was printed.
  mutating func tick(_ renderer: Renderer) -> [JSONValue] {
    order.compactMap { key in
      guard let line = lines[key] else { return nil }
      let told = Self.written(line.content, renderer)
      guard told != line.told else { return nil }
      lines[key]?.told = told
      return told
    }
  }

  /// Returns the first moment after `now` at which a line may read differently; `nil` if there is
  /// no live date.
  func nextChange(after now: WallTime) -> WallTime? {
    lines.values.lazy.flatMap { Self.contents(of: $0.content) }
      .compactMap { LiveDates.nextChange(inContent: $0, after: now) }.min()
  }

  /// Returns a line with its live dates as text.
  private static func written(_ line: JSONValue, _ renderer: Renderer) -> JSONValue {
    guard var object = line.objectValue else { return line }
    if let widgets = object["widgets"]?.arrayValue {
      object["widgets"] = .array(widgets.map { written($0, renderer) })
    }
    guard var entry = object["entry"]?.objectValue, let content = entry["content"] else {
      return .object(object)
    }
    entry["content"] = LiveDates.written(content, renderer)
    object["entry"] = .object(entry)
    return .object(object)
  }

  private static func contents(of line: JSONValue) -> [JSONValue] {
    ((line["widgets"]?.arrayValue ?? []) + [line]).compactMap { $0["entry"]?["content"] }
  }
}
