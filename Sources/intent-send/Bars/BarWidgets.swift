import JSON

/// The widgets that a bar shows, as the daemon last sent them.
struct BarWidgets {
  /// The widgets that were named, in this order; `nil`: the top of the stack.
  private let ids: [String]?
  /// The number of widgets of the stack that have a place.
  private let countMax: Int
  private var shown = JSONObject()
  private var order: [String] = []

  init(ids: [String]) {
    self.ids = ids
    countMax = ids.count
  }

  init(stack countMax: Int) {
    ids = nil
    self.countMax = countMax
  }

  /// The parameters of `surface.attach`: which widgets, and no part of them that no bar shows.
  var parameters: JSONObject {
    guard let ids else { return ["stack": true, "limit": .int(Int64(countMax)), "wants": []] }
    return ["widgets": .array(ids.map { .string($0) }), "wants": []]
  }

  /// Takes the answer to a new connection, which has all widgets.
  mutating func attached(_ answer: JSONValue) {
    shown = JSONObject()
    order = []
    updated(answer)
  }

  /// Takes an update, which has the changed widgets only.
  mutating func updated(_ update: JSONValue) {
    for id in update["removed"]?.arrayValue ?? [] {
      if let id = id.stringValue { shown[id] = nil }
    }
    for widget in update["widgets"]?.arrayValue ?? [] {
      if let id = widget["id"]?.stringValue { shown[id] = widget }
    }
    if let stack = update["stack"]?.arrayValue { order = stack.compactMap(\.stringValue) }
  }

  /// The widgets in the order of their places; one that is hidden takes none.
  var inPlace: [JSONValue] {
    let found = (ids ?? order).lazy.compactMap { shown[$0] }
    return Array(found.filter { $0["hidden"]?.isNull ?? true }.prefix(countMax))
  }
}
