import JSON

/// Turns surface updates into lines that are complete by themselves.
///
/// A line describes one widget, or says `{"id":…,"removed":true}`. For a stack, a line is the whole
/// stack in order: `{"stack":[ids],"widgets":[…]}`. A line is left out when it would tell nothing
/// new: the same widget again, or one that differs only in its plan for the next reload. The daemon
/// announces no change of the plan alone, so only the answer to a new connection could bring one.
struct FollowLines {
  let isStack: Bool
  /// The widgets as the daemon last sent them, in the order of their arrival.
  private var shown = JSONObject()
  private var order: [JSONValue] = []
  /// The widgets of the last line, in order, without their plans; `nil` before the first.
  private var lastTold: [JSONValue]?

  init(isStack: Bool) { self.isStack = isStack }

  /// Returns the lines for the first answer of a connection, which names all widgets.
  ///
  /// A widget that it does not name was removed.
  mutating func attached(_ answer: JSONValue) -> [JSONValue] {
    let present = Set(Self.widgets(of: answer).compactMap { $0["id"]?.stringValue })
    let gone = shown.members.map(\.key).filter { !present.contains($0) }
    return apply(answer, removed: gone)
  }

  /// Returns the lines for a later update, which names changed widgets only.
  mutating func updated(_ update: JSONValue) -> [JSONValue] {
    apply(update, removed: (update["removed"]?.arrayValue ?? []).compactMap(\.stringValue))
  }

  private mutating func apply(_ update: JSONValue, removed: [String]) -> [JSONValue] {
    var lines: [JSONValue] = []
    for id in removed where shown[id] != nil {
      shown[id] = nil
      lines.append(["id": .string(id), "removed": true])
    }
    for widget in Self.widgets(of: update) {
      guard let id = widget["id"]?.stringValue else { continue }
      let before = shown[id]
      shown[id] = widget
      if before.map(Self.withoutPlan) != Self.withoutPlan(widget) { lines.append(widget) }
    }
    guard isStack else { return lines }

    if let stack = update["stack"]?.arrayValue { order = stack }
    let widgets = order.compactMap { $0.stringValue.flatMap { shown[$0] } }
    let stack: JSONValue = [
      "stack": .array(widgets.compactMap { $0["id"] }), "widgets": .array(widgets),
    ]
    let told = widgets.map(Self.withoutPlan)
    guard told != lastTold else { return [] }
    lastTold = told
    return [stack]
  }

  /// The widget without the members that say only when it is reloaded next, and without the number
  /// of what it shows: the next daemon numbers the same entry anew.
  private static func withoutPlan(_ widget: JSONValue) -> JSONValue {
    guard var members = widget.objectValue else { return widget }
    members["nextReload"] = nil
    members["held"] = nil
    members["revision"] = nil
    return .object(members)
  }

  private static func widgets(of update: JSONValue) -> [JSONValue] {
    update["widgets"]?.arrayValue ?? []
  }
}
