import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// What a person did elsewhere, as an app donates it: a data point for the widgets that show it.
///
/// Of an intent with combinations only the parameters of one of them count, exactly those that were
/// given; a donation that fits none says nothing about any widget. Source: SiriKit, donations and
/// supported parameter combinations.
extension Daemon {
  mutating func donateIntent(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now
  ) throws(RPCError) {
    let params = try Params(value, known: ["intent", "parameters", "date", "source"])
    let given = try params.optionalObject("parameters")
    let intent = try resolve(try params.string("intent"), given)
    var date = now.wall
    if let text = try params.optionalString("date") {
      guard let given = WallTime(rfc3339: text), given <= now.wall else {
        throw Params.refusal(
          "date", "parameter 'date' is '\(text.prefix(40))'",
          expected: "an RFC 3339 date that is not in the future")
      }
      date = given
    }
    let combination = combination(of: intent, given: given)
    let widgets = widgets(matching: intent, combination)
    for id in widgets { engine.recordIntent(id, promotes: false, at: date) }
    if !widgets.isEmpty { stackCache = nil }
    journalIntent(
      intent, Origin(source: try source(params)), widgets: widgets, donated: true, at: date)
    var result: JSONObject = ["intent": .object(intent.view)]
    if let combination {
      result["combination"] = combination.map {
        .array($0.parameters.map { .string($0) })
      } ?? .null
    }
    result["widgets"] = .array(widgets.map { .string($0) })
    answerWhenDurable(address, result)
  }

  /// `nil`: the intent has no combinations; `.some(nil)`: none of them fits.
  ///
  /// What was given comes first, since a default fills a parameter that nobody set.
  private func combination(
    of intent: Intent, given: JSONObject?
  ) -> ParameterCombination?? {
    guard let definition = catalog.definition(named: intent.name), !definition.combinations.isEmpty
    else { return nil }
    var said = Intent(name: intent.name)
    for member in given?.members ?? [] { said.parameters[member.key] = member.value }
    return .some(definition.combination(of: said) ?? definition.combination(of: intent))
  }

  /// The placed widgets that a donation is about, in the order of placing.
  private func widgets(
    matching intent: Intent, _ combination: ParameterCombination??
  ) -> [String] {
    guard let combination else {
      let key = WidgetConfiguration(intent).key
      return engine.order.filter { engine.widgets[$0]?.configuration.key == key }
    }
    guard let combination else { return [] }
    func part(_ values: (String) -> JSONValue?) -> String {
      var part = Intent(name: intent.name)
      for name in combination.parameters { part.parameters[name] = values(name) ?? .null }
      return part.canonicalKey
    }
    let wanted = part { intent.parameters[$0] }
    return engine.order.filter { id in
      guard let configuration = engine.widgets[id]?.configuration,
        configuration.intent == intent.name
      else { return false }
      return part { configuration.parameters[$0] } == wanted
    }
  }
}
