/// The meaning of Pango's elements and attributes for a style.
enum PangoStyle {
  static let elements: Set<String> = [
    "b", "big", "i", "markup", "s", "small", "span", "sub", "sup", "tt", "u",
  ]

  /// Attributes that Pango has and no surface shows, such as the space between letters.
  private static let ignored: Set<String> = [
    "allow_breaks", "alpha", "background_alpha", "baseline_shift", "bgalpha", "fallback",
    "fgalpha", "font_features", "font_scale", "font_stretch", "font_variant", "foreground_alpha",
    "gravity", "gravity_hint", "insert_hyphens", "lang", "letter_spacing", "line_height",
    "overline", "overline_color", "rise", "segment", "show", "stretch", "strikethrough_color",
    "text_transform", "underline_color", "variant",
  ]

  /// Points of a text whose size nobody said: Pango's own default.
  private static let sizeDefault = 10.0
  /// Each step of Pango's sizes is 1.2 times the one before.
  private static let steps = [
    "xx-small": 1 / 1.728, "x-small": 1 / 1.44, "small": 1 / 1.2, "medium": 1, "large": 1.2,
    "x-large": 1.44, "xx-large": 1.728, "smaller": 1 / 1.2, "larger": 1.2,
  ]

  static func apply(element name: String, to style: inout TextStyle) {
    switch name {
    case "b": style.isBold = true
    case "i": style.isItalic = true
    case "s": style.isStruck = true
    case "u": style.isUnderlined = true
    case "tt": style.font = "monospace"
    case "big": scale(&style, by: 1.2)
    // Text above or below the line is only smaller here.
    case "small", "sub", "sup": scale(&style, by: 1 / 1.2)
    default: break
    }
  }

  /// Applies an attribute of a span; returns a sentence if it cannot be.
  static func apply(_ key: String, _ value: String, to style: inout TextStyle) -> String? {
    switch key {
    case "foreground", "fgcolor", "color":
      guard let color = ColorText.read(value) else { return problem(key, value, "no colour") }
      style.color = color
    case "background", "bgcolor":
      guard let color = ColorText.read(value) else { return problem(key, value, "no colour") }
      style.background = color
    case "weight", "font_weight":
      guard let isBold = isBold(value) else { return problem(key, value, "no weight") }
      style.isBold = isBold
    case "style", "font_style":
      style.isItalic = value == "italic" || value == "oblique"
    case "underline": style.isUnderlined = value != "none"
    case "strikethrough": style.isStruck = value == "true" || value == "yes" || value == "1"
    case "face", "font_family": style.font = value.isEmpty ? style.font : value
    case "font", "font_desc": describe(value, &style)
    case "size", "font_size":
      guard resize(&style, value) else { return problem(key, value, "no size") }
    default:
      guard !ignored.contains(key) else { return nil }
      return "the markup has an attribute \(key), which Pango does not know; it is ignored"
    }
    return nil
  }

  private static func problem(_ key: String, _ value: String, _ what: String) -> String {
    "the markup has \(key)='\(value)', which is \(what); it is ignored"
  }

  /// Returns whether a weight is bold, as numbers of at least 600 are; `nil`: it is no weight.
  private static func isBold(_ value: String) -> Bool? {
    switch value.lowercased() {
    case "semibold", "demibold", "bold", "ultrabold", "extrabold", "heavy", "black", "ultrablack",
      "ultraheavy":
      true
    case "thin", "ultralight", "extralight", "light", "semilight", "demilight", "book", "normal",
      "regular", "medium":
      false
    default: Int(value).map { $0 >= 600 }
    }
  }

  /// Reads a font description: a family, words such as `Bold Italic`, and a size in points.
  private static func describe(_ description: String, _ style: inout TextStyle) {
    var words = description.split(whereSeparator: { $0 == " " || $0 == "\t" })
    if let last = words.last {
      let isPixels = last.hasSuffix("px")
      if let size = Double(isPixels ? last.dropLast(2) : last), setSize(&style, size) {
        words.removeLast()
      }
    }
    while let last = words.last?.lowercased() {
      if last == "italic" || last == "oblique" {
        style.isItalic = true
      } else if words.count > 1 || last == "bold", let isBold = isBold(last) {
        style.isBold = isBold
      } else {
        break
      }
      words.removeLast()
    }
    var family = words.joined(separator: " ")
    while family.hasSuffix(",") { family.removeLast() }
    if !family.isEmpty { style.font = family }
  }

  /// Sets a size: 1/1024 points, `12pt`, `120%`, or a name; returns whether it is one.
  private static func resize(_ style: inout TextStyle, _ value: String) -> Bool {
    if let step = steps[value] {
      // Names beside the two relative ones are steps from the default.
      if !value.hasSuffix("er") { style.size = nil }
      return setSize(&style, (style.size ?? sizeDefault) * step)
    }
    if value.hasSuffix("pt"), let points = Double(value.dropLast(2)) {
      return setSize(&style, points)
    }
    if value.last == "%", let percent = Double(value.dropLast()) {
      return setSize(&style, (style.size ?? sizeDefault) * percent / 100)
    }
    guard let number = Double(value) else { return false }
    return setSize(&style, number / 1_024)
  }

  private static func scale(_ style: inout TextStyle, by factor: Double) {
    _ = setSize(&style, (style.size ?? sizeDefault) * factor)
  }

  /// Sets a size in points, to two digits; returns whether it is in the range.
  private static func setSize(_ style: inout TextStyle, _ points: Double) -> Bool {
    guard PluginLimits.fontPoints.contains(points) else { return false }
    style.size = (points * 100).rounded() / 100
    return true
  }
}
