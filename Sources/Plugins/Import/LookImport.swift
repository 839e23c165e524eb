import JSON

/// Makes the look of a module of what its bar's settings say about its text and its colours.
enum LookImport {
  // MARK: Waybar

  /// Reads a module of Waybar.
  ///
  /// `leftOut` gets the keys whose value cannot be taken. `nil`: nothing changes the output. Source:
  /// waybar-custom(5).
  static func waybar(_ module: LocatedValue, leftOut: inout [String]) -> PluginLook? {
    var look = PluginLook()
    if let format = module["format"]?.textOfScalar {
      look.format = template(format)
      if look.format == nil { leftOut.append("format") }
      if look.format == "{text}" { look.format = nil }
    }
    readAlternate(module, into: &look, leftOut: &leftOut)
    if module["tooltip"]?.node == .bool(false) {
      look.tooltip = .none
    } else if let format = module["tooltip-format"]?.textOfScalar {
      if let format = template(format) {
        look.tooltip = .format(format)
      } else {
        leftOut.append("tooltip-format")
      }
    }
    if let icons = module["format-icons"] {
      if let read = self.icons(icons) {
        look.icons = namesIcon(look) ? read : [:]
      } else {
        leftOut.append("format-icons")
      }
    }
    if let length = module["max-length"] {
      let number = length.numberOfScalar.flatMap { Int(exactly: $0) }
      look.lengthMax = number.flatMap(Self.length)
      if look.lengthMax == nil { leftOut.append("max-length") }
    }
    if let length = module["min-length"] {
      look.lengthMin = length.numberOfScalar.flatMap { Int(exactly: $0) }.flatMap(Self.length)
      // A label of GTK stands in the middle of its room.
      look.alignment = .center
      if look.lengthMin == nil { leftOut.append("min-length") }
    }
    if let place = module["align"] {
      // From 0, left, to 1, right.
      if look.lengthMin != nil, let place = place.numberOfScalar, (0...1).contains(place) {
        look.alignment = place < 0.33 ? .left : place > 0.67 ? .right : .center
      } else {
        leftOut.append("align")
      }
    }
    if look.lengthMin == nil { look.alignment = .left }
    look.isPlain = module["escape"]?.node == .bool(true)
    look.hidesEmpty = module["hide-empty-text"]?.node == .bool(true)
    return look == PluginLook() ? nil : look
  }

  /// A number of characters that a look can have; `nil`: it cannot.
  static func length(_ number: Int) -> Int? {
    (1...PluginLimits.lookCharacterCountMax).contains(number) ? number : nil
  }

  /// Reads `format-alt` and the click that shows it: `click-right`, `scroll-up` and the like.
  private static func readAlternate(
    _ module: LocatedValue, into look: inout PluginLook, leftOut: inout [String]
  ) {
    guard let format = module["format-alt"]?.textOfScalar else {
      if module["format-alt"] != nil { leftOut.append("format-alt") }
      if module["format-alt-click"] != nil { leftOut.append("format-alt-click") }
      return
    }
    look.alternate = template(format)
    guard look.alternate != nil else { return leftOut.append("format-alt") }
    guard let click = module["format-alt-click"] else { return }
    let event = click.textOfScalar ?? ""
    let key = event == "click-left" ? "on-click" : "on-" + event
    if let button = WaybarImport.buttons.first(where: { $0.key == key }) {
      look.alternateButton = button.button
    } else {
      leftOut.append("format-alt-click")
    }
  }

  private static func namesIcon(_ look: PluginLook) -> Bool {
    if look.format.map(PluginLook.namesIcon) ?? false { return true }
    if look.alternate.map(PluginLook.namesIcon) ?? false { return true }
    guard case .format(let tooltip) = look.tooltip else { return false }
    return PluginLook.namesIcon(tooltip)
  }

  /// Returns a format of Waybar as a template of ours; `nil`: it names something that a plugin
  /// does not print, is empty, or is too long.
  ///
  /// `{}` and `{0}` are the text; two braces of a kind are one as text.
  static func template(_ format: String) -> String? {
    guard !format.isEmpty, format.utf8.count <= PluginLimits.lookTextBytesMax,
      !format.utf8.contains(0)
    else { return nil }
    var result = ""
    var rest = format[...]
    while let index = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      result += rest[..<index]
      let brace = rest[index]
      rest = rest[rest.index(after: index)...]
      if rest.first == brace {
        result.append(brace)
        rest.removeFirst()
        continue
      }
      guard brace == "{", let end = rest.firstIndex(of: "}") else { return nil }
      let parts = rest[..<end].split(
        separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts[0].isEmpty || parts[0] == "0" ? "text" : String(parts[0])
      guard ["text", "alt", "icon", "percentage"].contains(name) else { return nil }
      if parts.count == 2 {
        guard LookWidth(parts[1]) != nil else { return nil }
        result += "{\(name):\(parts[1])}"
      } else {
        result += "{\(name)}"
      }
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  private static func icons(_ value: LocatedValue) -> [String: [String]]? {
    func list(_ value: LocatedValue) -> [String]? {
      let items: [LocatedValue] =
        if case .array(let items) = value.node { items } else { [value] }
      let texts = items.compactMap(\.textOfScalar).filter {
        $0.utf8.count <= PluginLimits.lookTextBytesMax && !$0.utf8.contains(0)
      }
      let fits = (1...PluginLimits.lookIconCountMax).contains(texts.count)
      return fits && texts.count == items.count ? texts : nil
    }
    guard case .object(let members) = value.node else { return list(value).map { ["default": $0] } }
    guard members.count <= PluginLimits.lookWordCountMax else { return nil }
    var icons: [String: [String]] = [:]
    for member in members {
      guard let texts = list(member.value) else { return nil }
      icons[member.key] = texts
    }
    return icons
  }

  // MARK: i3blocks

  /// Reads the properties of a block.
  ///
  /// A label stands in front of the text, with a blank; `hasLabels` is false for settings of 1.5,
  /// where it is a variable and nothing else. `leftOut` gets the names of colours that cannot be
  /// read.
  static func block(
    _ value: (String) -> String?, hasLabels: Bool, leftOut: inout [String]
  ) -> PluginLook? {
    var look = PluginLook()
    if hasLabels, let label = value("label"), !label.isEmpty {
      let format = label + " {text}"
      if format.utf8.count <= PluginLimits.lookTextBytesMax, !label.utf8.contains(0) {
        look.format = format
      } else {
        leftOut.append("label")
      }
    }
    for (key, path) in [("full_text", \PluginLook.text), ("short_text", \PluginLook.shortText)] {
      guard let text = value(key), !text.isEmpty else { continue }
      if text.utf8.count <= PluginLimits.lookTextBytesMax, !text.utf8.contains(0) {
        look[keyPath: path] = text
      } else {
        leftOut.append(key)
      }
    }
    for key in ["color", "background"] {
      guard let text = value(key), !text.isEmpty else { continue }
      let color = ColorText.read(text)
      if color == nil { leftOut.append(key) }
      if key == "color" { look.color = color } else { look.background = color }
    }
    readWidth(value, into: &look, leftOut: &leftOut)
    look.isPlain = value("markup") == "none"
    return look == PluginLook() ? nil : look
  }
}

extension LookImport {
  /// Reads `min_width` and `align`: a text stands for its own width, and a number counts pixels,
  /// which a widget has not.
  ///
  /// Source: the i3bar protocol.
  private static func readWidth(
    _ value: (String) -> String?, into look: inout PluginLook, leftOut: inout [String]
  ) {
    if let width = value("min_width"), !width.isEmpty {
      look.lengthMin = Int(width) == nil ? length(width.count) : nil
      if look.lengthMin == nil { leftOut.append("min_width") }
    }
    if let align = value("align"), !align.isEmpty {
      if let alignment = PluginLook.Alignment(rawValue: align), look.lengthMin != nil {
        look.alignment = alignment
      } else {
        leftOut.append("align")
      }
    }
  }
}

/// Composes `format` and `label` of a module of polybar, with their prefixes and colours, into one
/// template in polybar's own tags.
///
/// Source: polybar's wiki, "Formatting" and "Module: script".
struct PolybarLook {
  /// Keys that have an effect here; those of `format` and `label` that are not listed have none.
  private static let known: Set<String> = [
    "format", "format-prefix", "format-suffix", "format-foreground", "format-background",
    "format-underline", "format-prefix-foreground", "format-prefix-background",
    "format-suffix-foreground", "format-suffix-background", "label", "label-foreground",
    "label-background", "label-underline", "label-maxlen", "label-ellipsis", "label-minlen",
    "label-alignment", "format-fail", "format-fail-prefix", "format-fail-suffix",
    "format-fail-foreground", "format-fail-background", "format-fail-underline",
    "format-fail-prefix-foreground", "format-fail-prefix-background",
    "format-fail-suffix-foreground", "format-fail-suffix-background", "label-fail",
    "label-fail-foreground", "label-fail-background", "label-fail-underline",
  ]

  private let values: [String: String]
  private(set) var leftOut: [String] = []
  private(set) var look: PluginLook?

  /// `values` are those of all keys of the module that begin with `format` or `label`.
  init(_ values: [String: String]) {
    self.values = values.filter { !$0.value.isEmpty }
    leftOut = self.values.keys.filter { !Self.known.contains($0) }.sorted()
    var look = PluginLook()
    let label = label("label")
    let text = format("format", label: label.text, names: ["<label>", "<output>"])
    look.color = color("format-foreground")
    look.background = color("format-background")
    if text.utf8.count > PluginLimits.lookTextBytesMax || text.utf8.contains(0) {
      leftOut.append("format")
    } else {
      look.format = text == "{text}" ? nil : text
      look.lengthMax = label.lengthMax.flatMap { lengthMax in
        // The rest of the title is not cut.
        let rest = PolybarTags.read(text.replacing("{text}", with: "")).text.plain.count
        let all = lengthMax + rest
        return all <= PluginLimits.lookCharacterCountMax ? all : nil
      }
      look.hasEllipsis = look.lengthMax == nil || values["label-ellipsis"] != "false"
      readWidth(besides: text, into: &look)
    }
    look.failFormat = failFormat()
    self.look = look == PluginLook() ? nil : look
  }

  /// Composes the format of a run that failed; `nil`: the settings have none.
  ///
  /// Its colours stand in its tags, as it is the only part of the look that has them.
  private mutating func failFormat() -> String? {
    guard values["format-fail"] != nil || values["label-fail"] != nil else { return nil }
    let label = label("label-fail")
    let text = format(
      "format-fail", label: label.text, names: ["<label-fail>", "<label>", "<output>"])
    let colored = colored(text, "format-fail")
    guard colored.utf8.count <= PluginLimits.lookTextBytesMax, !colored.utf8.contains(0) else {
      leftOut.append("format-fail")
      return nil
    }
    return colored
  }

  /// Returns a format with the label in the place of its names, with prefix and suffix.
  private mutating func format(_ key: String, label: String, names: [String]) -> String {
    var text = values[key] ?? names[0]
    for name in names { text = text.replacing(name, with: label) }
    text = piece("\(key)-prefix") + text + piece("\(key)-suffix")
    return values["\(key)-underline"] == nil ? text : "%{+u}\(text)%{-u}"
  }

  /// Reads `label-minlen` and `label-alignment`, where nothing but the label has a width.
  private mutating func readWidth(besides text: String, into look: inout PluginLook) {
    if let written = values["label-minlen"] {
      let rest = PolybarTags.read(text.replacing("{text}", with: "")).text.plain.count
      look.lengthMin = Int(written).flatMap { $0 > 0 ? LookImport.length($0 + rest) : nil }
      if look.lengthMin == nil { leftOut.append("label-minlen") }
    }
    guard let written = values["label-alignment"] else { return }
    if let alignment = PluginLook.Alignment(rawValue: written), look.lengthMin != nil {
      look.alignment = alignment
    } else {
      leftOut.append("label-alignment")
    }
  }

  private mutating func label(_ key: String) -> (text: String, lengthMax: Int?) {
    var text = values[key] ?? "%output%"
    var lengthMax = values["\(key)-maxlen"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    if let start = text.firstRange(of: "%output"),
      let end = text[start.upperBound...].firstIndex(of: "%")
    {
      // `%output:min:max:suffix%`
      let parts = text[start.upperBound..<end].split(
        separator: ":", omittingEmptySubsequences: false)
      if parts.count > 2, let number = Int(parts[2]), number > 0 { lengthMax = number }
      if parts.count > 1, Int(parts[1]) != 0, !parts[1].isEmpty {
        leftOut.append("\(key): the least length of %output%")
      }
      text.replaceSubrange(start.lowerBound...end, with: "{text}")
    }
    text = text.replacing("%output%", with: "{text}")
    if text.contains("%counter%") || text.contains("%pid%") {
      leftOut.append(key)
      text = "{text}"
    }
    if values["\(key)-underline"] != nil { text = "%{+u}\(text)%{-u}" }
    return (colored(text, key), lengthMax)
  }

  private mutating func piece(_ key: String) -> String {
    values[key].map { colored($0, key) } ?? ""
  }

  /// Returns a text with the tags of the colours that `key-foreground` and `key-background` name.
  private mutating func colored(_ text: String, _ key: String) -> String {
    var text = text
    for (suffix, tag) in [("-foreground", "F"), ("-background", "B")] {
      if color(key + suffix) != nil, let value = values[key + suffix] {
        text = "%{\(tag)\(value)}\(text)%{\(tag)-}"
      }
    }
    return text
  }

  private mutating func color(_ key: String) -> PluginColor? {
    guard let value = values[key] else { return nil }
    let color = ColorText.read(value, hasAlphaFirst: true)
    if color == nil, !leftOut.contains(key) { leftOut.append(key) }
    return color
  }
}
