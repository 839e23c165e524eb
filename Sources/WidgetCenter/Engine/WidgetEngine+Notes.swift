import JSON

/// Notes for the journal, without the details that private mode hides.
extension WidgetEngine {
  /// Notes what became of a reload.
  ///
  /// Of a reload that private mode hides the note gives only the cause.
  func note(
    _ decision: EngineDecision, of shared: SharedTimeline, _ cause: ReloadCause,
    _ fields: JSONObject,
    into output: inout EngineOutput
  ) {
    guard !privateMode.hides(cause, of: shared.widgets) else {
      output.note(decision, ["private": true, "cause": .string(cause.rawValue)], isPrivate: true)
      return
    }
    var all: JSONObject = [
      "widget": shared.widgets.first.map { .string($0) } ?? .null,
      "kind": .string(shared.key.kind), "cause": .string(cause.rawValue),
    ]
    if shared.key.mode != .compact { all["mode"] = .string(shared.key.mode.rawValue) }
    for member in fields.members { all[member.key] = member.value }
    output.note(decision, all)
  }

  /// Notes a change of a widget; of a suggestion that private mode made, only that something
  /// changed.
  func note(
    _ decision: EngineDecision, of widget: Widget, _ fields: JSONObject,
    into output: inout EngineOutput
  ) {
    guard !privateMode.made(widget.id) else {
      output.note(decision, ["private": true, "suggestion": true], isPrivate: true)
      return
    }
    var all: JSONObject = ["widget": .string(widget.id)]
    for member in fields.members { all[member.key] = member.value }
    output.note(decision, all)
  }
}
