import JSON
import PlainText

/// Makes an item of a line and its parameters.
struct MenuItemReader {
  let format: PluginFormat
  /// Whether it was said already that these are not done.
  private var saysCode = false
  private var saysSymbols = false

  init(format: PluginFormat) { self.format = format }

  /// An item, and where it belongs.
  struct Entry {
    var item: PluginItem
    /// Whether the menu shows it: `dropdown`, which is true when nothing is said.
    var isInMenu = true
    var isAlternate = false
  }

  /// Returns the item of a line; `nil` if it shows nothing.
  ///
  /// `text` is the line's text without the dashes of its level. Everything that is not taken is
  /// told in `reading`, with the line's number.
  mutating func read(
    _ line: MenuLine, text: String, number: Int, into reading: inout PluginReading
  ) -> Entry? {
    var values = Values(format: format)
    for parameter in line.parameters { take(parameter, into: &values, number, &reading) }
    for stray in line.strays.prefix(1) {
      reading.warn(
        line: number,
        "'\(printable(stray))' is no key=value, and is ignored; put quotes around a value with"
          + " blanks")
    }
    if line.hasUnknownTail {
      reading.warn(
        line: number, "no word behind '|' is a parameter; the line is shown as text with its pipe")
    }
    let shown = values.text.read(text, warning: { reading.warn(line: number, $0) })
    var item = values.item
    item.text = shown.text
    if item.tooltip == nil { item.tooltip = shown.full }
    guard !item.text.isEmpty || item.image != nil || item.icon != nil else { return nil }
    item.action.exec = values.command.argv(format) ?? []
    if item.action.exec.isEmpty, values.command.hasArguments {
      reading.warn(line: number, "there are arguments (param1=…), but no program (bash=…)")
    }
    item.action.isInTerminal = !item.action.exec.isEmpty && values.isInTerminal
    if item.isDisabled { item.action = PluginAction() }
    return Entry(item: item, isInMenu: values.isInMenu, isAlternate: values.isAlternate)
  }

  /// The parameters of a line as they are gathered.
  private struct Values {
    var item = PluginItem()
    var text: MenuText
    var command = MenuCommand()
    var isInTerminal: Bool
    var isInMenu = true
    var isAlternate = false

    init(format: PluginFormat) {
      text = MenuText(format: format)
      isInTerminal = format != .xbar
    }
  }

  /// Takes a parameter; a value that cannot be read leaves what the family has without it.
  private mutating func take(
    _ parameter: MenuLine.Parameter, into values: inout Values, _ number: Int,
    _ reading: inout PluginReading
  ) {
    let value = parameter.value
    let key = parameter.key
    // Looking for near words takes a while, and a long output has thousands of lines.
    func warn(_ message: @autoclosure () -> String) {
      guard reading.warnings.count < PluginLimits.warningCountMax else { return }
      reading.warn(line: number, message())
    }
    func set(_ flag: inout Bool) {
      if let new = MenuValue.flag(value) {
        flag = new
      } else {
        warn("'\(key)' is '\(printable(value))', and not true or false; it is ignored")
      }
    }
    switch key {
    case "color":
      values.item.color = ColorText.read(value)
      if values.item.color == nil {
        warn(
          "'\(printable(value))' is no colour, and is ignored; give a name of CSS or #rrggbb"
            + didYouMean(nearest(to: value, among: ColorNames.table.keys.sorted(), countMax: 1)))
      }
    case "href":
      if value.isEmpty || printable(value) != value {
        warn("'href' is empty or has control characters, and is ignored")
      } else {
        values.item.action.url = value
      }
    case "bash", "shell":
      if value.isEmpty { warn("'\(key)' is empty, and is ignored") }
      values.command.program = value
    case "terminal": set(&values.isInTerminal)
    case "refresh": set(&values.item.action.refreshes)
    case "stdin": values.item.action.stdin = value
    case "size":
      if let size = MenuValue.size(value) {
        values.text.style.size = size
      } else {
        warn("'size' is '\(printable(value))', and no number of points from 1 to 500")
      }
    case "font": values.text.style.font = printable(value).nonEmpty
    case "image", "templateimage":
      switch MenuImage.read(value) {
      case .success(let bytes):
        values.item.image = bytes
        values.item.imageIsTemplate = key == "templateimage"
      case .failure(let problem): warn(problem.message)
      }
    case "dropdown": set(&values.isInMenu)
    case "alternate": set(&values.isAlternate)
    case "length":
      values.text.lengthMax = MenuValue.count(value)
      if values.text.lengthMax == nil {
        warn("'length' is '\(printable(value))', and no number of characters")
      }
    case "trim": set(&values.text.isTrimmed)
    case "ansi": set(&values.text.hasANSI)
    case "emojize": set(&values.text.hasEmojiCodes)
    case "symbolize": set(&values.text.hasSymbols)
    case "usemarkup": set(&values.text.hasMarkup)
    case "unescape": set(&values.text.hasEscapes)
    case "disabled": set(&values.item.isDisabled)
    case "checked": set(&values.item.isChecked)
    case "tooltip": values.item.tooltip = printable(value).nonEmpty
    case "badge": values.item.badge = printable(value).nonEmpty
    case "iconname": values.item.icon = printable(value).nonEmpty
    case "eval", "onclick", "wheelup", "wheeldown":
      if !saysCode { warn("'\(key)' is code for another program, and is never run") }
      saysCode = true
    case "sfimage":
      if !saysSymbols { warn("SF Symbols are Apple's, and are not shown; 'image' takes a PNG") }
      saysSymbols = true
    default:
      if let index = MenuKey.number(key) {
        values.command.arguments[index] = value
      } else if !MenuKey.isKnown(key) {
        warn(
          "'\(key)' is no parameter, and is ignored"
            + didYouMean(MenuKey.nearest(to: key).map { [$0] } ?? []))
      }
    }
  }
}

/// The pictures of items.
private enum MenuImage {
  struct Problem: Error { var message: String }

  /// Reads Base64, also as a `data:` URL; of a pair `light,dark` the first.
  static func read(_ value: String) -> Result<[UInt8], Problem> {
    var text = value.utf8[...]
    if value.hasPrefix("data:"), let comma = text.firstIndex(of: UInt8(ascii: ",")) {
      text = text[text.index(after: comma)...]
    }
    if let comma = text.firstIndex(of: UInt8(ascii: ",")) { text = text[..<comma] }
    // Base64 has four characters for three bytes.
    guard text.count <= PluginLimits.imageBytesMax / 3 * 4 + 4 else {
      return .failure(
        Problem(
          message: "the picture has more than \(PluginLimits.imageBytesMax) bytes, and is left out")
      )
    }
    guard let bytes = Base64.decode(text), !bytes.isEmpty else {
      return .failure(Problem(message: "the picture is not in Base64, and is left out"))
    }
    return .success(bytes)
  }
}
