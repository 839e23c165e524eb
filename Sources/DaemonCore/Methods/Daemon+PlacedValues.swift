import IntentRouter
import JSON
import WidgetCenter

/// Fills in what a sentence leaves out from the placed widgets: if a person has one weather widget
/// and says "weather", its city is meant.
extension Daemon {
  /// A value that a placed widget of an intent has for a parameter.
  struct PlacedValue: Hashable {
    var value: JSONValue
    /// The first widget that has it.
    var widget: String
  }

  /// Gives each required parameter without a value the one that the placed widgets of the intent
  /// have for it, if they have just one.
  func fillFromPlacedWidgets(_ completion: inout IntentCompletion) {
    guard completion.origin.isSentence,
      let definition = configuration.catalog.definition(named: completion.intent)
    else { return }
    for parameter in definition.parameters
    where parameter.isRequired && parameter.defaultValue == nil
      && (completion.parameters[parameter.name] ?? .null).isNull
      && parameter.isActive(beside: completion.parameters)
    {
      let placed = placedValues(
        of: parameter.name, in: completion.intent, beside: completion.parameters)
      guard placed.count == 1 else { continue }
      completion.parameters[parameter.name] = placed[0].value
      completion.origin.fromWidgets[parameter.name] = placed[0].widget
    }
  }

  /// Returns the different values that placed widgets have for a parameter of an intent, in the
  /// order of placing: of those widgets that agree with the values that are known.
  ///
  /// O(widgets).
  func placedValues(
    of parameter: String, in intent: String, beside known: [String: JSONValue]
  ) -> [PlacedValue] {
    var found: [PlacedValue] = []
    for id in engine.order {
      guard let widget = engine.widgets[id], !widget.isSuggestion,
        widget.configuration.intent == intent,
        let value = widget.configuration.parameters[parameter], !value.isNull,
        known.allSatisfy({ name, value in
          value.isNull || Self.isSame(value, widget.configuration.parameters[name])
        }), !found.contains(where: { $0.value == value })
      else { continue }
      found.append(PlacedValue(value: value, widget: id))
    }
    return found
  }

  /// Offers the values of placed widgets first, then the choices that there are anyway.
  ///
  /// Not for numbers, which would be taken for places in the list.
  func offeringPlacedValues(_ need: IntentNeed) -> IntentNeed {
    guard need.reason == .value, let parameter = need.parameter else { return need }
    let placed = placedValues(of: parameter, in: need.intent, beside: need.parameters)
      .map { ResolutionChoice(value: $0.value, title: Self.title(of: $0.value)) }
    guard placed.allSatisfy({ $0.value.intValue == nil && $0.value.doubleValue == nil }) else {
      return need
    }
    var need = need
    let others = need.choices.filter { choice in !placed.contains { $0.value == choice.value } }
    need.choices = Array((placed + others).prefix(Limits.offeredChoiceCountMax))
    return need
  }

  /// Returns the meaning of a sentence that leaves something out: the intent with the values of the
  /// placed widgets, or else the question that `intent.send` would ask.
  func recognition(
    of need: IntentNeed, language: String, template: String, _ address: ReplyAddress
  ) -> JSONObject {
    var result: JSONObject = ["matched": true]
    if let (intent, fromWidgets) = meaningByPlacedWidgets(of: need, address) {
      result["intent"] = .object(intent.view)
      result["fromWidgets"] = fromWidgets
      result["widgets"] = .array(routing(of: intent).widgets.map { .string($0) })
    } else {
      result["needs"] = .object(offeringPlacedValues(need).view)
    }
    result["language"] = .string(language)
    result["template"] = .string(template)
    return result
  }

  /// Returns the intent that a sentence means with the values of the placed widgets, and the member
  /// `fromWidgets` of the answer; `nil` if these do not complete it.
  func meaningByPlacedWidgets(
    of need: IntentNeed, _ address: ReplyAddress
  ) -> (intent: Intent, fromWidgets: JSONValue)? {
    guard need.reason == .value else { return nil }
    var completion = IntentCompletion(
      intent: need.intent, parameters: need.parameters, origin: Origin(isSentence: true),
      wait: false, address: address)
    fillFromPlacedWidgets(&completion)
    let parameters = completion.parameters
    guard !completion.origin.fromWidgets.isEmpty,
      configuration.catalog.openOptions(of: need.intent, parameters: parameters) == nil,
      case .ready(let intent) = configuration.catalog.resolution(
        name: need.intent, parameters: parameters)
    else { return nil }
    return (intent, completion.origin.fromWidgetsView)
  }

  private static func isSame(_ value: JSONValue, _ other: JSONValue?) -> Bool {
    guard let other else { return false }
    if value == other { return true }
    return title(of: value).lowercased() == title(of: other).lowercased()
  }

  private static func title(of value: JSONValue) -> String {
    value.stringValue ?? value["display"]?.stringValue ?? value["name"]?.stringValue
      ?? value.serialized
  }
}
