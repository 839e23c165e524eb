/// The part of a bar's own settings that changes what a module shows: Waybar's `format`, i3blocks'
/// `label`, polybar's `format` and `label`, and the like.
///
/// A manifest has it as `provider.look`. Without one the output is shown by itself.
package struct PluginLook: Hashable, Sendable {
  /// The tooltip of a module.
  package enum Tooltip: Hashable, Sendable {
    /// The one that the output has.
    case printed
    case none
    /// A template, as `format` is one.
    case format(String)
  }

  /// The side of a title that is shorter than its least length.
  package enum Alignment: String, CaseIterable, Hashable, Sendable {
    case left, center, right
  }

  /// The families whose settings have a look; the others say all in their output.
  package static let formats: [PluginFormat] = [.waybar, .i3blocks, .polybar]

  /// The text where none was printed, and before the first run; `nil`: then it is hidden.
  ///
  /// Source: i3blocks' `full_text` of a block's settings.
  package var text: String?
  /// The text for little room where none was printed.
  ///
  /// Source: i3blocks' `short_text`.
  package var shortText: String?
  /// The template of the title, in the family's markup; `nil`: the text by itself.
  ///
  /// `{text}`, `{alt}`, `{icon}` and `{percentage}` stand for what was printed, also with a width and
  /// a precision behind a colon, as in `{percentage:3}` and `{text:.20}`. Other braces are text.
  package var format: String?
  /// The template that a click on the text puts in the place of `format`, and the next one takes away
  /// again.
  ///
  /// `nil`: clicks change nothing. Source: Waybar's `format-alt`.
  package var alternate: String?
  /// The button of such a click.
  package var alternateButton = PluginButton.left
  /// The template of the title of a run that failed, instead of the last good content.
  ///
  /// `nil`: there is none. Source: polybar's `format-fail` and `label-fail`.
  package var failFormat: String?
  /// Icons by `alt`, and under `default` for every other one.
  ///
  /// Of several the percentage chooses one.
  package var icons: [String: [String]] = [:]
  package var tooltip = Tooltip.printed
  /// Characters of the title with its ellipsis; `nil`: it is not cut.
  package var lengthMax: Int?
  /// Whether a title that is cut ends with an ellipsis.
  package var hasEllipsis = true
  /// Characters to which blanks fill a shorter title up; `nil`: it stays as it is.
  package var lengthMin: Int?
  package var alignment = Alignment.left
  /// The colours of an output that has none.
  package var color: PluginColor?
  package var background: PluginColor?
  /// Whether the text that was printed is no markup.
  package var isPlain = false
  /// Whether the module is hidden when the text that was printed is empty, whatever the template
  /// adds to it.
  package var hidesEmpty = false

  package init() {}

  /// The values that a template may name, as the plugin printed them.
  struct Values {
    var text: String
    var alt = ""
    /// From 0 to 100; `nil`: none was printed, which templates show as 0.
    var percentage: Double?
  }

  private enum Name: String { case text, alt, icon, percentage }

  /// Returns the look of a run that failed; `nil`: such a run shows nothing.
  ///
  /// Its template has its own colours, and is not cut.
  var afterFailure: PluginLook? {
    guard let failFormat else { return nil }
    var look = self
    look.format = failFormat
    look.lengthMax = nil
    look.color = nil
    look.background = nil
    return look
  }

  /// Whether a template names an icon.
  package static func namesIcon(_ template: String) -> Bool {
    var names = false
    scan(template) { piece in if case .value(.icon, _) = piece { names = true } }
    return names
  }

  /// Returns the title of an output, still with its markup.
  func title(_ values: Values) -> String {
    format.map { fill($0, values) } ?? shown(values.text)
  }

  /// Returns a template with its values; O(length).
  ///
  /// Behind `PluginLimits.lookResultBytesMax` bytes the rest is left out.
  func fill(_ template: String, _ values: Values) -> String {
    var result = ""
    Self.scan(template) { piece in
      guard result.utf8.count < PluginLimits.lookResultBytesMax else { return }
      switch piece {
      case .text(let text): result += text
      case .value(.text, let width): result += width.apply(to: shown(values.text), isNumber: false)
      case .value(.alt, let width): result += width.apply(to: shown(values.alt), isNumber: false)
      case .value(.icon, let width): result += width.apply(to: icon(values), isNumber: false)
      case .value(.percentage, let width):
        result += width.apply(to: "\(Int(Self.percentage(values).rounded()))", isNumber: true)
      }
    }
    return result
  }

  private func shown(_ text: String) -> String {
    guard isPlain else { return text }
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func percentage(_ values: Values) -> Double {
    min(max(values.percentage ?? 0, 0), 100)
  }

  /// The icon for an output; empty: there is none.
  ///
  /// Each icon of a list has an equal part of the 100 percent, whole numbers of them; the last one
  /// has the rest.
  private func icon(_ values: Values) -> String {
    let list = icons[values.alt] ?? icons["default"] ?? []
    guard let last = list.indices.last else { return "" }
    let part = max(1, 100 / list.count)
    return list[min(Int(Self.percentage(values).rounded()) / part, last)]
  }

  // MARK: Templates

  private enum Piece {
    case text(Substring)
    case value(Name, LookWidth)
  }

  private static func scan(_ template: String, _ take: (Piece) -> Void) {
    var rest = template[...]
    while let start = rest.firstIndex(of: "{") {
      // Names and widths are short: the rest is not searched for each brace.
      if let end = rest[start...].prefix(PluginLimits.lookValueCountMax).firstIndex(of: "}"),
        let value = value(rest[rest.index(after: start)..<end])
      {
        take(.text(rest[..<start]))
        take(value)
        rest = rest[rest.index(after: end)...]
      } else {
        take(.text(rest[...start]))
        rest = rest[rest.index(after: start)...]
      }
    }
    take(.text(rest))
  }

  private static func value(_ inside: Substring) -> Piece? {
    let parts = inside.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = Name(rawValue: String(parts[0])) else { return nil }
    guard parts.count == 2 else { return .value(name, LookWidth()) }
    return LookWidth(parts[1]).map { .value(name, $0) }
  }
}

/// The width and the precision of a value in a template: `>5`, `*^8.3`, `03`, `.20`.
///
/// Source: the format specifications of the library fmt, which Waybar uses.
struct LookWidth {
  private var fill: Character = " "
  private var alignment: Character?
  private var width = 0
  /// Characters that are kept of a text; `nil`: all.
  private var precision: Int?

  init() {}

  /// `nil`: the text is no such specification.
  init?(_ text: Substring) {
    var rest = text
    let marks: Set<Character> = ["<", ">", "^"]
    if let second = rest.dropFirst().first, marks.contains(second) {
      fill = rest.removeFirst()
      alignment = rest.removeFirst()
    } else if let first = rest.first, marks.contains(first) {
      alignment = rest.removeFirst()
    }
    if rest.first == "0", alignment == nil {
      fill = "0"
      alignment = ">"
    }
    guard let width = Self.number(&rest) else { return nil }
    self.width = width
    if rest.first == "." {
      rest.removeFirst()
      guard rest.first.map({ $0.isASCII && $0.isNumber }) == true,
        let precision = Self.number(&rest)
      else { return nil }
      self.precision = precision
    }
    // The types of a text and of a whole number.
    if rest == "s" || rest == "d" { rest = "" }
    guard rest.isEmpty else { return nil }
  }

  /// Takes a number from the beginning, 0 if there is none; `nil`: it is too large.
  private static func number(_ rest: inout Substring) -> Int? {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest = rest[digits.endIndex...]
    guard !digits.isEmpty else { return 0 }
    return Int(digits).flatMap { $0 <= PluginLimits.lookCharacterCountMax ? $0 : nil }
  }

  func apply(to text: String, isNumber: Bool) -> String {
    let text = isNumber ? text : precision.map { String(text.prefix($0)) } ?? text
    let missing = width - text.count
    guard missing > 0 else { return text }
    let before: Int
    switch alignment ?? (isNumber ? ">" : "<") {
    case ">": before = missing
    case "^": before = missing / 2
    default: before = 0
    }
    return String(repeating: fill, count: before) + text
      + String(repeating: fill, count: missing - before)
  }
}
