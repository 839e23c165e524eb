import JSON
import Plugins

/// Reads `provider.look`: what the settings of a bar add to the output of a script.
///
/// ```yaml
/// provider:
///   protocol: waybar
///   look:
///     format: "{icon} {percentage}%"
///     icons: {default: [low, middle, high], charging: up}
///     tooltip: false
///     maxLength: 30
/// ```
extension ManifestReader {
  static let lookKeys = [
    "text", "shortText", "format", "alternate", "alternateClick", "failFormat", "icons", "tooltip",
    "maxLength",
    "ellipsis", "minLength", "align", "color", "background", "plain", "hideEmpty",
  ]

  mutating func readLook(_ provider: LocatedValue, _ format: PluginFormat) -> PluginLook? {
    guard let value = provider["look"], value.node != .null else { return nil }
    let names = PluginLook.formats.map(\.rawValue).joined(separator: ", ")
    guard PluginLook.formats.contains(format) else {
      report(
        value.line, "provider.look stands beside the protocol \(format.rawValue)",
        "it only with \(names)")
      return nil
    }
    guard case .object = value.node else {
      report(
        value.line, "provider.look is \(Self.describe(value))",
        "a mapping such as {format: \"CPU {text}\"}")
      return nil
    }
    warnUnknown(in: value, at: "provider.look.", known: Self.lookKeys)
    var look = PluginLook()
    look.text = printedText(value, "text", format)
    look.shortText = printedText(value, "shortText", format)
    look.format = template(value, "format")
    look.alternate = template(value, "alternate")
    let buttons = PluginButton.allCases
    look.alternateButton =
      readWord(value, "alternateClick", buttons.map(\.name)).map { buttons[$0] } ?? .left
    look.failFormat = template(value, "failFormat")
    look.icons = readIcons(value)
    if let tooltip = value["tooltip"], tooltip.node != .null {
      if case .bool(let isShown) = tooltip.node {
        look.tooltip = isShown ? .printed : .none
      } else if let text = template(value, "tooltip") {
        look.tooltip = .format(text)
      }
    }
    look.lengthMax = readLength(value, "maxLength")
    look.hasEllipsis = flag(value, "ellipsis", else: true)
    look.lengthMin = readLength(value, "minLength")
    let sides = PluginLook.Alignment.allCases
    look.alignment = readWord(value, "align", sides.map(\.rawValue)).map { sides[$0] } ?? .left
    look.color = readColor(value, "color")
    look.background = readColor(value, "background")
    look.isPlain = flag(value, "plain")
    look.hidesEmpty = flag(value, "hideEmpty")
    return look
  }

  /// Reads a text that stands for one that is not printed, which only i3blocks has.
  private mutating func printedText(
    _ look: LocatedValue, _ key: String, _ format: PluginFormat
  ) -> String? {
    guard let text = template(look, key) else { return nil }
    if format == .i3blocks { return text }
    report(
      look[key]?.line ?? look.line,
      "provider.look.\(key) stands beside the protocol \(format.rawValue)", "it only with i3blocks")
    return nil
  }

  private mutating func template(_ look: LocatedValue, _ key: String) -> String? {
    guard let item = look[key], item.node != .null else { return nil }
    if let text = Self.lookText(item), !text.isEmpty { return text }
    report(
      item.line, "provider.look.\(key) is \(Self.describe(item))",
      "a text such as \"CPU {text}\", of at most \(PluginLimits.lookTextBytesMax) bytes")
    return nil
  }

  /// A text that fits; `nil`: it is none.
  private static func lookText(_ value: LocatedValue) -> String? {
    guard case .string(let text) = value.node, !text.utf8.contains(0),
      text.utf8.count <= PluginLimits.lookTextBytesMax
    else { return nil }
    return text
  }

  private mutating func readIcons(_ look: LocatedValue) -> [String: [String]] {
    guard let value = look["icons"], value.node != .null else { return [:] }
    guard case .object(let members) = value.node else {
      return icons(value, "icons").map { ["default": $0] } ?? [:]
    }
    guard members.count <= PluginLimits.lookWordCountMax else {
      report(
        value.line, "provider.look.icons has \(members.count) words",
        "at most \(PluginLimits.lookWordCountMax)")
      return [:]
    }
    var found: [String: [String]] = [:]
    for member in members {
      if let list = icons(member.value, "icons.\(member.key)") { found[member.key] = list }
    }
    return found
  }

  /// Reads an icon or a list of them.
  private mutating func icons(_ value: LocatedValue, _ path: String) -> [String]? {
    if let text = Self.lookText(value) { return [text] }
    if case .array(let items) = value.node,
      (1...PluginLimits.lookIconCountMax).contains(items.count)
    {
      let texts = items.compactMap(Self.lookText)
      if texts.count == items.count { return texts }
    }
    report(
      value.line, "provider.look.\(path) is \(Self.describe(value))",
      "a text, or a list of 1 to \(PluginLimits.lookIconCountMax) texts")
    return nil
  }

  private mutating func readColor(_ look: LocatedValue, _ key: String) -> PluginColor? {
    guard let item = look[key], item.node != .null else { return nil }
    if case .string(let text) = item.node, text.first == "#",
      [4, 5, 7, 9].contains(text.utf8.count),
      let color = ColorText.read(text)
    {
      return color
    }
    report(
      item.line, "provider.look.\(key) is \(Self.describe(item))",
      "a colour in quotes such as \"#ff8800\", also with three, four or eight digits")
    return nil
  }

  /// Reads a number of characters.
  private mutating func readLength(_ look: LocatedValue, _ key: String) -> Int? {
    guard let item = look[key], item.node != .null else { return nil }
    if case .int(let number) = item.node,
      (1...Int64(PluginLimits.lookCharacterCountMax)).contains(number)
    {
      return Int(number)
    }
    report(
      item.line, "provider.look.\(key) is \(Self.describe(item))",
      "a whole number from 1 to \(PluginLimits.lookCharacterCountMax)")
    return nil
  }

  /// Reads one of several words; returns its place among them.
  private mutating func readWord(
    _ look: LocatedValue, _ key: String, _ words: [String]
  ) -> Int? {
    guard let item = look[key], item.node != .null else { return nil }
    if case .string(let text) = item.node, let place = words.firstIndex(of: text) { return place }
    report(
      item.line, "provider.look.\(key) is \(Self.describe(item))",
      "one of \(words.joined(separator: ", "))")
    return nil
  }

  private mutating func flag(
    _ look: LocatedValue, _ key: String, else missing: Bool = false
  ) -> Bool {
    guard let item = look[key], item.node != .null else { return missing }
    if case .bool(let flag) = item.node { return flag }
    report(item.line, "provider.look.\(key) is \(Self.describe(item))", "true or false")
    return missing
  }
}
