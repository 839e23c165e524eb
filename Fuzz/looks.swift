import JSON
import Plugins

/// Fuzzes what the settings of a bar add to an output: `provider.look`.
///
/// The first byte chooses a length and the percentage. Sections of the rest are a template, the
/// text, the word that chooses an icon, the icons of one line each, and a template of the tooltip.
///
/// - A title keeps its length, and templates take no more time or room than their limits.
/// - A template that names nothing does not show what was printed; one that names no icon does not
///   depend on the icons.
/// - Text that is marked as plain is shown as it is, and an empty one may hide the module.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes(start, count)
  guard let choice = input.first else { return 0 }
  let parts = sections(Array(input.dropFirst()), countMax: 5).map(line)
  let printed = Printed(
    text: parts.count > 1 ? parts[1] : "a", word: parts.count > 2 ? parts[2] : "",
    percentage: Int64(choice))
  var look = PluginLook()
  look.format = parts[0].isEmpty ? nil : parts[0]
  look.lengthMax = choice % 2 == 0 ? Int(choice) / 2 + 1 : nil
  look.isPlain = choice % 3 == 0
  if parts.count > 3 {
    look.icons = ["default": parts[3].split(separator: "\n").map(String.init), "on": ["1"]]
  }
  if parts.count > 4 { look.tooltip = .format(parts[4]) }
  within(500, "a look") { check(look, printed) }
  return 0
}

/// The output of a module of Waybar.
private struct Printed {
  var text: String
  var word: String
  var percentage: Int64

  func shown(_ look: PluginLook) -> PluginFrame {
    let object: JSONObject = [
      "text": .string(text), "alt": .string(word), "percentage": .int(percentage),
    ]
    let output = Array(JSONValue.object(object).serialized.utf8)
    return PluginReader.read(output, .waybar, look: look).frame
  }
}

private func check(_ look: PluginLook, _ printed: Printed) {
  let frame = printed.shown(look)
  precondition(frame.titles.count <= 1)
  if let lengthMax = look.lengthMax, let title = frame.titles.first {
    precondition(title.text.plain.count <= lengthMax, "longer than the look says")
  }

  var other = look
  other.tooltip = .none
  precondition(printed.shown(other).tooltip == nil || look.lengthMax == nil)
  if let format = look.format, !PluginLook.namesIcon(format) {
    other.icons = ["default": ["\u{2603}"]]
    precondition(printed.shown(other).titles == frame.titles, "icons that nobody named")
    other.isPlain = true
    let isText = !format.contains("{")
    precondition(!isText || printed.shown(other).titles == frame.titles, "text is a template")
  }

  var hiding = look
  hiding.hidesEmpty = true
  var nothing = printed
  nothing.text = ""
  precondition(nothing.shown(hiding).isHidden, "an empty text is shown")

  // Beside every other rule: the text, cleaned as each text is.
  var plain = PluginLook()
  plain.isPlain = true
  var expected = PluginFrame()
  if !printed.text.isEmpty { expected.titles = [PluginItem(printed.text)] }
  let cleaned = PluginReading(frame: expected).cleaned().frame.titles.map(\.text.plain)
  let shown = printed.shown(plain).titles.map(\.text.plain)
  precondition(shown == cleaned || printed.text.utf8.contains(0), "plain text is read as markup")
}
