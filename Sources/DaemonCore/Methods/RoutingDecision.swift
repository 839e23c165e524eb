import IntentRouter
import WidgetCenter

/// The widgets to which an intent goes, and why; `intent.recognize` shows it without acting on it.
struct RoutingDecision: Hashable, Sendable {
  /// Kinds that the intent configures, in order of their names.
  var kinds: [String] = []
  /// Placed widgets that are configured with exactly this intent; each is reloaded and promoted.
  var widgets: [String] = []
  /// The kind of the widget to suggest, because no placed widget fits; `nil`: none is suggested.
  var suggestion: String?

  /// The kind whose program performs the intent first; `nil`: none does, or more than one.
  var performer: String?
  /// The kinds of the programs that perform it, if there is more than one: then it is refused.
  var rivals: [String] = []

  /// One sentence for a person.
  var why: String {
    if !rivals.isEmpty {
      return "it is refused: the programs of \(rivals.joined(separator: " and ")) perform it"
    }
    guard let performer else { return routingWhy }
    let shown = kinds.isEmpty ? "" : "; then \(routingWhy)"
    return "the program of \(performer) performs it\(shown)"
  }

  private var routingWhy: String {
    if !widgets.isEmpty {
      return widgets.count == 1
        ? "1 widget is configured exactly so" : "\(widgets.count) widgets are configured exactly so"
    }
    if let suggestion { return "no widget is configured so; one of \(suggestion) is suggested" }
    return "no kind of widget is configured by this intent"
  }
}

extension Daemon {
  /// Finds the widgets to which the intent goes.
  ///
  /// O(kinds of the intent · their families).
  func routing(of intent: Intent) -> RoutingDecision {
    var decision = RoutingDecision()
    decision.performer = onlyPerformer(of: intent.name)?.kind
    let performers = configuration.performers(of: intent.name)
    if performers.count > 1 { decision.rivals = performers }
    let kinds = configuration.kinds(of: intent.name)
    guard !kinds.isEmpty else { return decision }
    let key = intent.canonicalKey
    for name in kinds {
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
