package import JSON

/// Parts of an entry that not every surface shows: a bar has no place for pictures.
package struct ContentParts: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The rows below the text.
  package static let items = ContentParts(rawValue: 1)
  /// The pictures of the content and of its items, which a surface gets by their hashes.
  package static let images = ContentParts(rawValue: 2)

  /// The files of pictures that move; without them the pictures of a content are still ones.
  package static let motion = ContentParts(rawValue: 4)

  /// The view beside the content: its picture as markup.
  package static let view = ContentParts(rawValue: 8)

  /// The parts that only a surface gets which names them.
  package static let onlyByName: ContentParts = [.motion, .view]

  /// The parts by the names that the protocol has.
  package static let names: [(name: String, part: ContentParts)] = [
    ("items", .items), ("images", .images), ("motion", .motion), ("view", .view),
  ]

  /// Returns the content without these parts; O(size).
  package func removed(from content: JSONObject) -> JSONObject {
    var content = content
    if contains(.images) {
      content["image"] = nil
    } else if contains(.motion), case .object(var image)? = content["image"] {
      image["motion"] = nil
      content["image"] = .object(image)
    }
    if contains(.items) {
      content["items"] = nil
    } else if contains(.images) || contains(.motion) {
      for key in ["items", "alternate"] {
        if let value = content[key] { content[key] = removed(fromItems: value) }
      }
    }
    return content
  }

  private func removed(fromItems value: JSONValue) -> JSONValue {
    switch value {
    case .array(let items): .array(items.map { removed(fromItems: $0) })
    case .object(let item): .object(removed(from: item))
    default: value
    }
  }
}
