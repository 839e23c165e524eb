package import JSON

/// A click on a bar, as the daemon takes it.
package struct BarClick: Hashable, Sendable {
  package var widget: ShownWidget
  /// 1 to 9, as X11 numbers them.
  package var button: Int
  /// Of `shift`, `control`, `alt`, `super`, in this order.
  package var modifiers: [String]
  /// Where it was, in pixels, by the names that `widget.tap` has.
  package var position: JSONObject

  package init(
    _ widget: ShownWidget, button: Int, modifiers: [String] = [], position: JSONObject = [:]
  ) {
    self.widget = widget
    self.button = button
    self.modifiers = modifiers
    self.position = position
  }

  /// The parameters of `widget.tap`.
  package var parameters: JSONObject {
    var params: JSONObject = ["id": .string(widget.id)]
    params["button"] = .int(Int64(button))
    if !modifiers.isEmpty { params["modifiers"] = .array(modifiers.map { .string($0) }) }
    if !position.members.isEmpty { params["position"] = .object(position) }
    params["revision"] = .int(widget.revision)
    return params
  }
}

/// The buttons of a pointer by the names that people type.
package enum BarButton {
  private static let names = [
    "left", "middle", "right", "up", "down", "scroll-left", "scroll-right", "back", "forward",
  ]

  /// All names, in the order of the numbers.
  package static var all: [String] { names }

  /// Returns the number of a name or of a number from 1 to 9; `nil` for another text.
  package static func number(_ text: String) -> Int? {
    if let index = names.firstIndex(of: text) { return index + 1 }
    return Int(text).flatMap { (1...9).contains($0) ? $0 : nil }
  }
}

/// Reads the clicks that i3bar and swaybar write: an endless array, one object a line.
///
/// Source: i3's "i3bar input protocol", "Click events"; sway's swaybar-protocol(7), which adds
/// `event` and has no modifiers.
package enum I3barClicks {
  private static let modifiers: [(name: String, ours: String)] = [
    ("Shift", "shift"), ("Control", "control"), ("Mod1", "alt"), ("Mod4", "super"),
  ]
  private static let positions: [(name: String, ours: String)] = [
    ("x", "x"), ("y", "y"), ("relative_x", "relativeX"), ("relative_y", "relativeY"),
    ("output_x", "outputX"), ("output_y", "outputY"), ("width", "width"), ("height", "height"),
  ]

  /// Returns the click of a line; `nil` for a line that has none, such as the first, or one that
  /// is not ours.
  package static func click(line: [UInt8]) -> BarClick? {
    guard line.count <= BarLimits.clickBytesMax else { return nil }
    let start = line.firstIndex { ![0x20, 0x09, 0x0D, 0x5B, 0x2C].contains($0) }
    guard let start, let value = object(line[start...]) else { return nil }
    guard let button = value["button"]?.intValue, (1...9).contains(button),
      let name = value["name"]?.stringValue, let instance = value["instance"]?.stringValue,
      let widget = ShownWidget(word: "\(name)@\(instance)")
    else { return nil }
    let held = value["modifiers"]?.arrayValue ?? []
    var position: JSONObject = [:]
    for place in positions {
      guard let pixels = value[place.name]?.doubleValue, abs(pixels) <= 1e9 else { continue }
      position[place.ours] = .int(Int64(pixels))
    }
    return BarClick(
      widget, button: Int(button),
      modifiers: modifiers.filter { held.contains(.string($0.name)) }.map(\.ours),
      position: position)
  }

  private static func object(_ bytes: ArraySlice<UInt8>) -> JSONValue? {
    do throws(JSONError) {
      return try JSONValue(parsing: bytes.span, valueCountMax: BarLimits.clickValueCountMax)
    } catch {
      // A bar that writes something else has no click for us; there is nobody to tell.
      return nil
    }
  }
}

/// Writes and reads the clicks of lemonbar: it prints the text of the tag that was clicked.
package enum LemonbarClicks {
  private static let start = "intentd/"

  /// Returns the text for a tag: `intentd/3/weather@17`.
  static func word(_ widget: ShownWidget, button: Int) -> String {
    "\(start)\(button)/\(widget.word)"
  }

  /// Returns the click of a line; `nil` for a line that is not ours.
  package static func click(line: [UInt8]) -> BarClick? {
    guard line.count <= BarLimits.clickBytesMax,
      let text = String(validating: line, as: UTF8.self), text.hasPrefix(start)
    else { return nil }
    let rest = text.dropFirst(start.count)
    guard let slash = rest.firstIndex(of: "/"), rest[..<slash].count == 1,
      let button = Int(rest[..<slash]), (1...9).contains(button),
      let widget = ShownWidget(word: rest[rest.index(after: slash)...])
    else { return nil }
    return BarClick(widget, button: button)
  }
}
