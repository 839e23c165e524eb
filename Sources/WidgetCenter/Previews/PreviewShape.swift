package import JSON

/// The shape of a widget without its data, for the moment before its content is there.
///
/// A shape takes over only the keys that it names, and of each text only how long it is, in a few
/// classes. So nothing of the data is in it: no letter, digit, URL, picture, colour or symbol.
package enum PreviewShape {
  /// The character of which a shape's texts are made: a light block.
  package static let block: Character = "░"

  /// Characters up to which a text belongs to a class, and the blocks that stand for such a text.
  static let classes: [(lengthMax: Int, blocks: Int)] = [
    (4, 3), (8, 6), (16, 12), (32, 20), (.max, 28),
  ]

  /// Returns the shape of a content; O(size).
  package static func redacting(_ content: JSONObject) -> JSONObject {
    var shape: JSONObject = [:]
    for key in ["title", "subtitle", "text", "short"] {
      if let value = content[key], let text = lines(value) { shape[key] = text }
    }
    if case .array(let titles)? = content["titles"], !titles.isEmpty {
      shape["titles"] = .array(titles.prefix(Limits.previewLineCountMax).map(line))
    }
    if case .array(let items)? = content["items"], !items.isEmpty {
      shape["items"] = .array(items.prefix(Limits.previewLineCountMax).map(item))
    }
    return shape
  }

  /// Returns the shape that a widget of a family usually has.
  package static func generic(_ family: WidgetFamily) -> JSONObject {
    let short = blocks(6)
    let title = blocks(12)
    let text = blocks(20)
    let rows: [JSONValue] = [["text": text], ["text": text], ["text": title]]
    switch family {
    case .accessoryCircular, .accessoryCorner: return ["text": blocks(3)]
    case .accessoryInline: return ["text": title]
    case .accessoryRectangular, .systemSmall: return ["title": short, "text": title]
    case .systemMedium: return ["title": title, "subtitle": short, "text": text]
    case .systemLarge, .systemExtraLarge, .systemExtraLargePortrait:
      return ["title": title, "text": text, "items": .array(rows)]
    }
  }

  private static func item(_ value: JSONValue) -> JSONValue {
    if value["separator"]?.boolValue == true { return ["separator": true] }
    return ["text": value["text"].flatMap(lines) ?? blocks(6)]
  }

  /// The shape of a line or of a list of lines; `nil`: there is nothing to show.
  private static func lines(_ value: JSONValue) -> JSONValue? {
    switch value {
    case .null, .string(""): nil
    case .array(let some):
      some.isEmpty ? nil : .array(some.prefix(Limits.previewLineCountMax).map(line))
    default: line(value)
    }
  }

  private static func line(_ value: JSONValue) -> JSONValue {
    // A live date, or a value of a wrong form, is as long as a time.
    let length = ContentModel.plainText(of: value)?.count ?? 6
    let known = classes.first { length <= $0.lengthMax } ?? classes[classes.count - 1]
    return blocks(known.blocks)
  }

  private static func blocks(_ count: Int) -> JSONValue {
    .string(String(repeating: block, count: count))
  }
}
