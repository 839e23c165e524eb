import JSON

/// What the history says of reloads and suggestions, and what private mode keeps out of it.
extension WidgetEngine {
  /// Notes what became of a reload.
  ///
  /// In private mode neither widget nor kind, nor what the provider said, of what the person asked for.
  func note(
    _ event: String, of shared: SharedTimeline, _ cause: ReloadCause, _ fields: JSONObject,
    into output: inout EngineOutput
  ) {
    guard !isPrivate(cause, shared) else {
      output.note(event, ["private": true, "cause": .string(cause.rawValue)])
      return
    }
    var all: JSONObject = [
      "widget": shared.widgets.first.map { .string($0) } ?? .null,
      "kind": .string(shared.key.kind), "cause": .string(cause.rawValue),
    ]
    for member in fields.members { all[member.key] = member.value }
    output.note(event, all)
  }

  /// Whether a reload tells what the person did in private mode.
  private func isPrivate(_ cause: ReloadCause, _ shared: SharedTimeline) -> Bool {
    if !shared.widgets.isEmpty, shared.widgets.allSatisfy({ privateSuggestions.contains($0) }) {
      return true
    }
    switch cause {
    case .intent, .tap, .reload: return isPrivate
    case .placed, .configuration, .hostForeground, .providerUpgrade, .locale, .textSize,
      .displaySize, .timeChange, .hostBackground, .policy, .retry:
      return false
    }
  }

  /// Notes what happened to a widget: of what was suggested in private mode, that something was.
  func note(
    _ event: String, of widget: Widget, _ fields: JSONObject, into output: inout EngineOutput
  ) {
    guard !privateSuggestions.contains(widget.id) else {
      output.note(event, ["private": true, "suggestion": true])
      return
    }
    var all: JSONObject = ["widget": .string(widget.id)]
    for member in fields.members { all[member.key] = member.value }
    output.note(event, all)
  }
}
