package import JSON
import PlainText

/// The values that taps set on one widget: `{"rows": 6}`.
///
/// An item of its content says `set`; the tap merges the object into the values of the widget, where
/// `null` takes one away. The provider gets them with each request, so "show more" is a value and a
/// reload. They belong to the widget, are stored with it, and are at most `Limits.valuesBytesMax`
/// bytes of JSON together.
package struct WidgetValues: Hashable, Sendable {
  /// In the order of their names, without `null`.
  package private(set) var json: JSONObject

  package static let none = WidgetValues(json: [:])

  private init(json: JSONObject) { self.json = json }

  package var isEmpty: Bool { json.members.isEmpty }

  /// A text that is equal for equal values and empty without any; no other part of a timeline's key
  /// begins with its first character.
  var key: String { isEmpty ? "" : "\u{1E}\(JSONValue.object(json).serialized)" }

  /// Reads what the store kept; `nil`: it is no object of values.
  init?(record: JSONValue) {
    guard let object = record.objectValue else { return nil }
    let merged = Self.none.merged(object)
    guard Self.mistake(in: record) == nil, merged.json.members.count == object.members.count
    else { return nil }
    self = merged
  }

  /// Returns the values after a tap that sets `change`.
  ///
  /// Throws `.tooManyValues` if they are too many, or have too many bytes together.
  package func setting(_ change: JSONObject) throws(WidgetError) -> WidgetValues {
    let values = merged(change)
    guard values.json.members.count <= Limits.valueCountMax else {
      throw WidgetError(
        .tooManyValues,
        "a widget keeps \(Limits.valueCountMax) values, and with this tap it would have \(values.json.members.count); set those to null that are not needed any more"
      )
    }
    let count = JSONValue.object(values.json).serialized.utf8.count
    guard count <= Limits.valuesBytesMax else {
      throw WidgetError(
        .tooManyValues,
        "the values of a widget have \(Limits.valuesBytesMax) bytes at most, and with this tap they would have \(count); set fewer or shorter ones"
      )
    }
    return values
  }

  private func merged(_ change: JSONObject) -> WidgetValues {
    var object = json
    for member in change.members {
      if member.value.isNull {
        object.members.removeAll { $0.key == member.key }
      } else {
        object[member.key] = member.value
      }
    }
    return WidgetValues(json: JSONObject(object.members.sorted { $0.key < $1.key }))
  }

  /// Says what is wrong with the `set` of an item, in words that follow its name; `nil`: nothing is.
  package static func mistake(in value: JSONValue) -> String? {
    guard let object = value.objectValue else { return "is \(value.typeName)" }
    guard !object.members.isEmpty else { return "is empty" }
    guard object.members.count <= Limits.valueCountMax else {
      return "has \(object.members.count) values, of \(Limits.valueCountMax) at most"
    }
    for member in object.members {
      guard (1...Limits.valueNameLengthMax).contains(member.key.unicodeScalars.count) else {
        return
          "has a name of \(member.key.unicodeScalars.count) characters, of 1 to \(Limits.valueNameLengthMax)"
      }
      guard printable(member.key) == member.key else {
        return "has a name with characters that do not show, '\(escaped(member.key))'"
      }
      switch member.value {
      case .null, .bool, .int, .double, .string: break
      case .array, .object:
        return
          "has \(member.value.typeName) for \(quoted(member.key)), and takes texts, numbers, true, false and null"
      }
    }
    guard !value.isLarger(than: Limits.valuesBytesMax),
      value.serialized.utf8.count <= Limits.valuesBytesMax
    else { return "has more than \(Limits.valuesBytesMax) bytes" }
    return nil
  }
}
