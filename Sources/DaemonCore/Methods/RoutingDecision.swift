import IntentRouter
import JSON
import WidgetCenter

/// Where an intent goes, and why: a value that is shown before anything is done.
struct RoutingDecision: Hashable, Sendable {
  /// Kinds that the intent configures, in order of their names.
  var kinds: [String] = []
  /// Placed widgets that are configured exactly so: each is reloaded and promoted.
  var widgets: [String] = []
  /// The kind of the widget that is suggested where none is placed.
  var suggestion: String?

  /// One sentence for a person.
  var why: String {
    if !widgets.isEmpty {
      return widgets.count == 1
        ? "1 widget is configured exactly so" : "\(widgets.count) widgets are configured exactly so"
    }
    if let suggestion { return "no widget is configured so; one of \(suggestion) is suggested" }
    return "no kind of widget is configured by this intent"
  }

  var view: JSONObject {
    [
      "kinds": .array(kinds.map { .string($0) }), "widgets": .array(widgets.map { .string($0) }),
      "suggestion": suggestion.map { .string($0) } ?? .null, "why": .string(why),
    ]
  }
}

extension Daemon {
  /// Costs time proportional to the kinds of the intent and their families.
  func routing(of intent: Intent) -> RoutingDecision {
    var decision = RoutingDecision()
    let key = WidgetConfiguration(intent).key
    for name in kindsByIntent[intent.name] ?? [] {
      guard let kind = engine.kinds[name] else { continue }
      decision.kinds.append(name)
      for family in kind.families {
        let timeline = TimelineKey(kind: name, family: family, configuration: key)
        for id in engine.timelines[timeline]?.widgets ?? [] {
          guard let widget = engine.widgets[id], !widget.isSuggestion else { continue }
          decision.widgets.append(id)
        }
      }
    }
    if decision.widgets.isEmpty { decision.suggestion = decision.kinds.first }
    return decision
  }
}
