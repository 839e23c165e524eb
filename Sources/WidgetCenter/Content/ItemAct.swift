package import JSON

/// The effect of a tap on an item that opens nothing: inside the daemon, it sets values of the
/// widget, or sends an intent.
package enum ItemAct: Hashable, Sendable {
  /// The values are merged into those of the widget.
  case set(JSONObject)
  case intent(name: String, parameters: JSONObject)

  /// Reads the act of an item; `nil`: it has none, and its URL or action counts.
  ///
  /// `set` comes before `intent`, and both before `action`, `url` and `refresh`. Throws a sentence
  /// about a member of another form, which begins with its name.
  package static func read(_ item: JSONValue) throws(ItemActError) -> ItemAct? {
    if let values = item["set"], !values.isNull {
      if let mistake = WidgetValues.mistake(in: values) {
        throw ItemActError(message: "set \(mistake)")
      }
      return .set(values.objectValue ?? [:])
    }
    guard let intent = item["intent"], !intent.isNull else { return nil }
    guard isIntent(intent), let name = intent["name"]?.stringValue else {
      throw ItemActError(
        message: "intent is \(intent.serialized.prefix(60)), and not an object such as"
          + " {\"name\":\"ShowWeather\",\"parameters\":{\"city\":\"Oslo\"}}")
    }
    return .intent(name: name, parameters: intent["parameters"]?.objectValue ?? [:])
  }

  /// Whether a value names an intent, with parameters or without.
  static func isIntent(_ value: JSONValue) -> Bool {
    guard let object = value.objectValue, object["name"]?.stringValue?.isEmpty == false,
      object.members.allSatisfy({ ["name", "parameters"].contains($0.key) })
    else { return false }
    guard let parameters = object["parameters"], !parameters.isNull else { return true }
    return parameters.objectValue != nil
  }

  /// The members of an item of which only one does something, the first first.
  static let members = ["set", "intent", "action", "url"]
}

/// Says why an item cannot do what it says.
package struct ItemActError: Error, Hashable, Sendable {
  /// Begins with the name of the member.
  package var message: String
}
