import BarLines
package import JSON
import PlainText
import Timekeeping

/// A widget as the page gets it: only members that the page shows, and every text clean.
///
/// The page's script puts each text into a text node and each colour into a property, so nothing of
/// it is ever read as HTML or CSS. Colours are read here and written anew.
package enum PageWidget {
  /// Returns the members for the page; `nil` for a value without an id.
  package static func members(of widget: JSONValue) -> JSONValue? {
    guard let id = widget["id"]?.stringValue else { return nil }
    let content = widget["entry"]?["content"] ?? .null
    // The id goes back as it is, so it is not cleaned; the page shows the name.
    var members: JSONObject = [
      "id": .string(id), "name": text(widget["name"]) ?? .string(printable(id)),
      "family": .string(family(widget)), "revision": widget["revision"] ?? 0,
      "stale": .bool(widget["stale"]?.boolValue == true),
      "suggestion": .bool(widget["suggestion"]?.boolValue == true),
      "content": .object(self.content(content, depth: 0)),
    ]
    if let view = PageView.members(of: widget["entry"]?["view"]) { members["view"] = view }
    if isHidden(widget) { members["hidden"] = true }
    let modes = widget["modes"]?.arrayValue ?? []
    if modes.contains("expanded") { members["expanded"] = .bool(widget["mode"] == "expanded") }
    if let since = text(widget["staleSince"]) { members["staleSince"] = since }
    if let error = text(widget["error"]) { members["error"] = error }
    return .object(members)
  }

  /// Whether the daemon says that a widget has nothing to show although nothing is wrong, such as one
  /// of a script that printed nothing.
  package static func isHidden(_ widget: JSONValue) -> Bool { !(widget["hidden"]?.isNull ?? true) }

  /// The nine families; a family of a later daemon is shown as a medium one.
  private static let families: Set<String> = [
    "systemSmall", "systemMedium", "systemLarge", "systemExtraLarge", "systemExtraLargePortrait",
    "accessoryCircular", "accessoryRectangular", "accessoryInline", "accessoryCorner",
  ]

  private static func family(_ widget: JSONValue) -> String {
    let family = widget["family"]?.stringValue ?? ""
    return families.contains(family) ? family : "systemMedium"
  }

  private static func content(_ content: JSONValue, depth: Int) -> JSONObject {
    var shown = JSONObject()
    for key in ["title", "subtitle", "text", "short", "titles", "tooltip"] {
      let lines = lines(content[key])
      if !lines.isEmpty { shown[key] = .array(lines) }
    }
    if let symbol = text(content["symbol"]) { shown["symbol"] = symbol }
    for key in ["color", "background"] {
      if let color = color(content[key]) { shown[key] = color }
    }
    if let percentage = content["percentage"]?.doubleValue, (0...100).contains(percentage) {
      shown["percentage"] = .int(Int64(percentage.rounded()))
    }
    if content["urgent"]?.boolValue == true { shown["urgent"] = true }
    if let image = image(content["image"]) { shown["image"] = image }
    let items = (content["items"]?.arrayValue ?? []).prefix(WebLimits.pageItemCountMax)
    if !items.isEmpty { shown["items"] = .array(items.map { item($0, depth: depth) }) }
    return shown
  }

  private static func item(_ item: JSONValue, depth: Int) -> JSONValue {
    if item["separator"]?.boolValue == true { return ["separator": true] }
    var shown = JSONObject()
    let lines = lines(item["text"])
    if !lines.isEmpty { shown["text"] = .array(lines) }
    for key in ["checked", "disabled"] where item[key]?.boolValue == true { shown[key] = true }
    if let badge = text(item["badge"]) { shown["badge"] = badge }
    if let color = color(item["color"]) { shown["color"] = color }
    if let image = image(item["image"]) { shown["image"] = image }
    let inner = (item["items"]?.arrayValue ?? []).prefix(WebLimits.pageItemCountMax)
    if depth + 1 < WebLimits.itemDepthMax, !inner.isEmpty {
      shown["items"] = .array(inner.map { self.item($0, depth: depth + 1) })
    }
    return .object(shown)
  }

  /// A line is a text, a date that ticks, or runs of text.
  private static func lines(_ value: JSONValue?) -> [JSONValue] {
    guard let value else { return [] }
    return (value.arrayValue ?? [value]).prefix(WebLimits.lineCountMax).compactMap { line($0) }
  }

  private static func line(_ value: JSONValue) -> JSONValue? {
    if let text = text(value) { return text }
    if let date = LiveDate(value) {
      return ["date": .int(date.date.milliseconds), "style": .string(date.style.rawValue)]
    }
    guard let runs = value["runs"]?.arrayValue else { return nil }
    let shown = runs.prefix(64).compactMap { run -> JSONValue? in
      guard let text = text(run["text"]) else { return nil }
      var shown: JSONObject = ["text": text]
      for key in ["bold", "italic", "underline", "strikethrough"]
      where run[key]?.boolValue == true { shown[key] = true }
      if let color = color(run["color"]) { shown["color"] = color }
      return .object(shown)
    }
    return ["runs": .array(shown)]
  }

  private static func text(_ value: JSONValue?) -> JSONValue? {
    guard let text = value?.stringValue else { return nil }
    return .string(printable(String(text.prefix(2_000))))
  }

  private static func color(_ value: JSONValue?) -> JSONValue? {
    guard let light = BarColor(value, isDark: false), let dark = BarColor(value, isDark: true)
    else { return nil }
    return ["light": .string(light.alphaLast), "dark": .string(dark.alphaLast)]
  }

  private static func image(_ value: JSONValue?) -> JSONValue? {
    guard let hash = value?["hash"]?.stringValue, hash.hasPrefix("sha256-"),
      WebSecret(String(hash.dropFirst(7))) != nil
    else { return nil }
    var image: JSONObject = ["hash": .string(hash)]
    if let motion = value?["motion"]?.stringValue, motion.hasPrefix("sha256-"),
      WebSecret(String(motion.dropFirst(7))) != nil
    {
      image["motion"] = .string(motion)
    }
    if let alt = text(value?["alt"]) { image["alt"] = alt }
    for key in ["width", "height"] {
      if let pixels = value?[key]?.intValue, (1...100_000).contains(pixels) {
        image[key] = .int(pixels)
      }
    }
    if value?["template"]?.boolValue == true { image["template"] = true }
    return .object(image)
  }
}
