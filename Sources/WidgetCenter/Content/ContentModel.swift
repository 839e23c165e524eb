package import JSON
import Plugins
import Timekeeping

/// The content of an entry: which keys there are, the form of each value, and the limits.
///
/// This is the only definition. `AnswerReview` judges answers by it, `docs/schema/answer.json` says
/// the same to editors, and the page `docs/WIDGETS.md` to people; tests compare them. To add a key,
/// add it here, and the tests name the other places.
package enum ContentModel {
  /// The form of a value.
  package enum Form: CaseIterable, Hashable, Sendable {
    /// A text, a live date, or text in runs.
    case line
    /// A line, or a list of lines.
    case lines
    /// A list of lines.
    case lineList
    /// A text, which may be empty.
    case text
    /// A text that is not empty.
    case word
    /// A list of words.
    case words
    /// A number from 0 to 100.
    case percentage
    /// `true` or `false`.
    case flag
    /// A list of items; an item may hold items again.
    case items
    /// An item.
    case item
    /// A list of runs of text.
    case runs
    /// A colour, or one for light and one for dark surroundings.
    case color
    /// A colour as `#rrggbb` or `#rrggbbaa`.
    case shade
    /// A number of points of a font.
    case points
    /// An object that says what a tap does.
    case action
    /// An object of actions by the number of the button.
    case clicks
    /// A date, as RFC 3339 writes it.
    case date
    /// An object that says a picture.
    case image
    /// A number of seconds, 0 or more.
    case seconds
    /// A URL with a scheme.
    case url
    /// A style of a live date.
    case style
    /// An object of values that a tap sets on the widget.
    case values
    /// An intent that a tap sends.
    case intent
  }

  /// A key of an entry's content, and the form of its value.
  package struct Key: Hashable, Sendable {
    package var name: String
    package var form: Form
    /// Names that other programs have for the same, and people therefore write.
    package var otherNames: [String]

    fileprivate init(_ name: String, _ form: Form, otherNames: [String] = []) {
      self.name = name
      self.form = form
      self.otherNames = otherNames
    }
  }

  /// The keys of `content`, in the order of the documentation.
  package static let keys = [
    Key("title", .line, otherNames: ["label", "name", "heading"]),
    Key("titles", .lineList, otherNames: ["headings"]),
    Key("subtitle", .line, otherNames: ["caption"]),
    Key("text", .lines, otherNames: ["full_text", "body", "value", "message", "lines"]),
    Key("short", .line, otherNames: ["short_text"]),
    Key("symbol", .word, otherNames: ["glyph"]),
    Key("icon", .word, otherNames: ["iconname"]),
    Key("image", .image, otherNames: ["picture", "img", "photo"]),
    Key("color", .color, otherNames: ["colour", "foreground", "fgcolor"]),
    Key("background", .color, otherNames: ["bgcolor"]),
    Key("class", .words, otherNames: ["alt", "classes", "style"]),
    Key("percentage", .percentage, otherNames: ["progress"]),
    Key("urgent", .flag, otherNames: ["alert", "important"]),
    Key("tooltip", .lines, otherNames: ["hint", "help"]),
    Key("items", .items, otherNames: ["menu", "children", "list"]),
    Key("action", .action, otherNames: ["onclick", "click"]),
    Key("clicks", .clicks),
    Key("refresh", .flag),
    Key("asOf", .date, otherNames: ["updated", "timestamp"]),
    Key("staleAfter", .seconds, otherNames: ["ttl", "expires"]),
  ]

  /// The keys of an item of `items`.
  package static let itemKeys = [
    Key("text", .lines, otherNames: ["title", "label", "name", "value"]),
    Key("url", .url, otherNames: ["href", "link"]),
    Key("checked", .flag),
    Key("disabled", .flag),
    Key("separator", .flag),
    Key("badge", .word),
    Key("icon", .word, otherNames: ["iconname"]),
    Key("image", .image, otherNames: ["picture", "img", "photo"]),
    Key("color", .color, otherNames: ["colour", "foreground"]),
    Key("tooltip", .lines, otherNames: ["hint", "help"]),
    Key("action", .action, otherNames: ["onclick", "click"]),
    Key("refresh", .flag),
    Key("set", .values, otherNames: ["values"]),
    Key("intent", .intent),
    Key("items", .items, otherNames: ["menu", "children", "submenu"]),
    Key("alternate", .item),
  ]

  /// The key of a line that is text in runs.
  package static let styledLineKeys = [Key("runs", .runs)]

  /// The keys of a run, of which it needs the text.
  package static let runKeys = [
    Key("text", .text), Key("color", .color), Key("background", .color), Key("bold", .flag),
    Key("italic", .flag), Key("underline", .flag), Key("strikethrough", .flag),
    Key("font", .word), Key("size", .points),
  ]

  /// The keys of a colour that is another in the dark, both of which it needs.
  package static let shadeKeys = [Key("light", .shade), Key("dark", .shade)]

  /// The keys of an action.
  ///
  /// The actions of a plugin also have `exec`, `terminal` and `stdin`, which it says by the rules of
  /// its family. An answer with an `exec` is refused: see `ForeignActions`.
  package static let actionKeys = [
    Key("url", .url, otherNames: ["href", "link"]), Key("refresh", .flag),
  ]

  /// The keys of a picture: one of the first three says it.
  package static let imageKeys = [
    Key("file", .word, otherNames: ["path", "src", "name"]),
    Key("data", .word, otherNames: ["base64"]),
    Key("hash", .word, otherNames: ["sha256"]),
    Key("alt", .text, otherNames: ["description", "title", "label"]), Key("template", .flag),
  ]

  /// The keys that a picture has in a content that surfaces get, beside those: an author may give it
  /// back with them, and they are read from the picture again.
  package static let imageFacts = ["type", "width", "height", "motion", "problem"]

  /// The names of the buttons of `clicks`, as X11 numbers them.
  package static let buttons = (1...9).map { "\($0)" }

  /// Points of a font that a surface shows.
  package static let fontPoints = 1.0...500.0

  /// Returns a line as text without its styles; `nil`: it is a live date, or no line.
  package static func plainText(of line: JSONValue) -> String? {
    if let text = line.stringValue { return text }
    return line["runs"]?.arrayValue?.map { $0["text"]?.stringValue ?? "" }.joined()
  }

  /// The keys of a live date, both of which it needs.
  package static let liveDateKeys = [Key("date", .date), Key("style", .style)]

  /// The styles of a live date: "in 2 h", "1:05:00", "+2 h".
  package static let styles = ["relative", "timer", "offset"]

  /// A key that begins so is the author's own: surfaces of ours leave it out, and nobody minds it.
  package static let ownPrefix = "x-"
}

extension ContentModel.Form {
  /// The values that are accepted, in words that follow "expected".
  var expected: String {
    switch self {
    case .line:
      "a text, or a live date such as {\"date\":\"2026-11-20T21:00:00Z\",\"style\":\"relative\"}"
    case .lines: "a text, a live date, or a list of these"
    case .lineList: "a list of texts such as [\"one\",\"two\"]"
    case .text: "a text"
    case .word: "a text that is not empty"
    case .words: "a list of texts such as [\"night\"]"
    case .percentage: "a number from 0 to 100"
    case .flag: "true or false"
    case .items: "a list of items such as [{\"text\":\"22:00  2°\"}]"
    case .item: "an item such as {\"text\":\"22:00  2°\"}"
    case .runs: "a list of runs such as [{\"text\":\"hot\",\"color\":\"#ff0000\"}]"
    case .color:
      "a colour such as \"#ff0000\", or {\"light\":\"#a00000\",\"dark\":\"#ff8080\"}"
    case .shade: "a colour such as \"#ff0000\" or \"#ff000080\""
    case .points: "a number of points from 1 to 500"
    case .action: "an action such as {\"url\":\"weather://city/Beijing\"}"
    case .clicks: "actions by button such as {\"3\":{\"refresh\":true}}"
    case .image:
      "a picture such as {\"file\":\"sun.png\",\"alt\":\"sunny\"}, {\"data\":\"iVBORw0…\"} or {\"hash\":\"sha256-…\"}"
    case .date: "an RFC 3339 date such as 2026-11-20T21:00:00Z"
    case .seconds: "a number of seconds, 0 or more"
    case .url:
      "a URL with a scheme, at most \(Limits.entryURLBytesMax) bytes, such as weather://city/Beijing"
    case .style: "one of \(ContentModel.styles.joined(separator: ", "))"
    case .values:
      "an object of 1 to \(Limits.valueCountMax) values such as {\"rows\":6}, at most \(Limits.valuesBytesMax) bytes, of texts, numbers, true, false, and null, which takes one away"
    case .intent:
      "an intent such as {\"name\":\"ShowWeather\",\"parameters\":{\"city\":\"Oslo\"}}"
    }
  }

  /// Returns the value that the author probably meant by a value of another form; `nil` if it
  /// cannot be told.
  func meant(by value: JSONValue) -> JSONValue? {
    switch (self, value) {
    case (.line, .int), (.line, .double), (.lines, .int), (.lines, .double), (.word, .int),
      (.text, .int), (.text, .double):
      return .string(value.serialized)
    case (.lineList, .string): return [value]
    case (.color, .string(let text)): return ColorText.read(text)?.json
    case (.shade, .string(let text)):
      return ColorText.read(text).flatMap { $0.dark == nil ? .string($0.light) : nil }
    case (.item, .string(let text)): return ["text": .string(text)]
    case (.image, .string(let text)) where text.hasPrefix("sha256-"): return ["hash": value]
    case (.image, .string(let text)) where text.hasPrefix("data:"): return ["data": value]
    case (.image, .string(let text)) where !text.isEmpty: return ["file": value]
    case (.action, .string(let text)) where Self.url.takes(value): return ["url": .string(text)]
    case (.words, .string(let text)) where !text.isEmpty:
      return .array(text.split(separator: " ").map { .string(String($0)) })
    case (.percentage, .string(let text)), (.seconds, .string(let text)):
      return Self.number(in: text).flatMap { takes($0) ? $0 : nil }
    case (.flag, .string(let text)):
      if ["true", "yes", "on", "1"].contains(text.lowercased()) { return true }
      return ["false", "no", "off", "0", ""].contains(text.lowercased()) ? false : nil
    case (.flag, .int(let number)) where number == 0 || number == 1: return .bool(number == 1)
    case (.items, .string(let text)): return [["text": .string(text)]]
    case (.items, .object): return [value]
    case (.items, .array(let values)) where values.contains { $0.stringValue != nil }:
      return .array(values.map { $0.stringValue == nil ? $0 : ["text": $0] })
    case (.style, .string(let text)):
      return nearest(to: text, among: ContentModel.styles, countMax: 1).first.map { .string($0) }
    default: return nil
    }
  }

  /// `42` of "42 %" and "42%"; `nil` where more than a unit stands beside the number.
  private static func number(in text: String) -> JSONValue? {
    let digits = text.prefix { "0123456789.".contains($0) }
    let rest = text.dropFirst(digits.count).filter { $0 != " " }
    guard rest.isEmpty || rest == "%" || rest == "s", let number = Double(digits) else {
      return nil
    }
    return Int64(exactly: number).map { .int($0) } ?? .double(number)
  }

  /// Whether a value that is no list, no item and no live date has this form.
  ///
  /// `items`, and the objects in `line` and `lines`, have a form of their own inside.
  func takes(_ value: JSONValue) -> Bool {
    switch self {
    case .line: value.stringValue != nil
    case .lines: value.stringValue != nil
    case .word: value.stringValue.map { !$0.isEmpty } ?? false
    case .words: value.arrayValue.map { $0.allSatisfy { Self.word.takes($0) } } ?? false
    case .percentage: value.doubleValue.map { (0...100).contains($0) } ?? false
    case .flag: value.boolValue != nil
    case .items: value.arrayValue != nil
    case .text: value.stringValue != nil
    case .lineList: value.arrayValue.map { $0.allSatisfy { Self.line.takes($0) } } ?? false
    case .color, .shade: value.stringValue.map(Self.isShade) ?? false
    case .points: value.doubleValue.map { ContentModel.fontPoints.contains($0) } ?? false
    // These are lists and objects with a form inside.
    case .item, .runs, .action, .clicks, .image: false
    case .date: value.stringValue.flatMap { WallTime(rfc3339: $0) } != nil
    case .seconds: value.doubleValue.map { $0 >= 0 && $0.isFinite } ?? false
    case .url:
      value.stringValue.map { $0.contains(":") && $0.utf8.count <= Limits.entryURLBytesMax }
        ?? false
    case .style: value.stringValue.map { ContentModel.styles.contains($0) } ?? false
    case .values: WidgetValues.mistake(in: value) == nil
    case .intent: ItemAct.isIntent(value)
    }
  }
}

extension ContentModel.Form {
  /// Whether a text is `#` and six or eight hexadecimal digits.
  private static func isShade(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst()
    return text.utf8.first == UInt8(ascii: "#") && (digits.count == 6 || digits.count == 8)
      && digits.allSatisfy { byte in
        (48...57).contains(byte) || (97...102).contains(byte | 0x20)
      }
  }
}

extension [ContentModel.Key] {
  /// Returns the key that an author probably meant by `name`: another program's name for it, else
  /// the nearest.
  func meant(by name: String) -> String? {
    let folded = name.lowercased()
    if let key = first(where: { $0.otherNames.contains(folded) }) { return key.name }
    return nearest(to: name, among: map(\.name), countMax: 1).first
  }
}
