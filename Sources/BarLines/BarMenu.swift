package import JSON
import PlainText
package import Timekeeping

/// The items of a widget as rows of a menu program such as rofi or dmenu.
///
/// Such a program gets lines and gives one of them back, so every row is another line.
package struct BarMenu: Hashable, Sendable {
  /// A row of the menu.
  package struct Row: Hashable, Sendable {
    /// The line, clean of all that a menu program reads.
    package var line: String
    /// The path to the item, as `widget.tap` takes it.
    package var path: [Int]
    /// Whether it can be tapped.
    package var isEnabled: Bool
  }

  package private(set) var rows: [Row] = []
  private var lines: Set<String> = []

  /// Makes the menu of a widget, as `surface.update` gives it; live dates are those of `now`.
  ///
  /// Items of items stand behind theirs: `Fonts › Large`. Separators are left out. O(items).
  package init(_ widget: JSONValue, at now: WallTime) {
    add(widget["entry"]?["content"]?["items"], path: [], prefix: "", now)
  }

  /// Returns the row that the menu program gave back; `nil` if there is none, as when the person
  /// typed something else.
  package func row(chosen line: String) -> Row? {
    let line = line.last?.isNewline == true ? String(line.dropLast()) : line
    return rows.first { $0.line == line }
  }

  private mutating func add(_ items: JSONValue?, path: [Int], prefix: String, _ now: WallTime) {
    guard path.count < BarLimits.menuDepthMax else { return }
    for (index, item) in (items?.arrayValue ?? []).enumerated() {
      guard rows.count < BarLimits.menuRowCountMax else { return }
      let text = Self.text(item["text"], now)
      guard item["separator"]?.boolValue != true, !text.isEmpty else { continue }
      let path = path + [index]
      let isEnabled = item["disabled"]?.boolValue != true
      append(prefix + Self.marked(text, item), path, isEnabled)
      if isEnabled { add(item["items"], path: path, prefix: "\(prefix)\(text) › ", now) }
    }
  }

  private mutating func append(_ text: String, _ path: [Int], _ isEnabled: Bool) {
    let text =
      text.count > BarLimits.menuCharacterCountMax
      ? text.prefix(BarLimits.menuCharacterCountMax - 1) + "…" : text
    var line = text
    var number = 2
    while !lines.insert(line).inserted {
      line = "\(text) (\(number))"
      number += 1
    }
    rows.append(Row(line: line, path: path, isEnabled: isEnabled))
  }

  private static func marked(_ text: String, _ item: JSONValue) -> String {
    let mark = item["checked"]?.boolValue == true ? "✓ " : ""
    let badge = item["badge"]?.stringValue.map { " [\(printable($0))]" } ?? ""
    return mark + text + badge
  }

  private static func text(_ value: JSONValue?, _ now: WallTime) -> String {
    switch value {
    case .string(let text): return BarText(text).shortened(countMax: .max).plain
    case .array(let values):
      return values.map { text($0, now) }.filter { !$0.isEmpty }.joined(separator: " ")
    case .object:
      if let runs = value?["runs"]?.arrayValue {
        return text(.string(runs.map { $0["text"]?.stringValue ?? "" }.joined()), now)
      }
      return value.flatMap(LiveDate.init)?.text(at: now) ?? ""
    case .null, .bool, .int, .double, .none: return ""
    }
  }
}
