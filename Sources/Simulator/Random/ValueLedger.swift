import DaemonCore
import JSON
import WidgetCenter

/// The values that taps set on widgets and that clients were told.
///
/// From the answer on they are on disk and in memory, also after any crash, until another request
/// about the widget changes them. The ledger knows them only while no other request about the widget
/// is on its way, as `PushLedger` knows what was pushed.
struct ValueLedger: Sendable {
  /// The values that each widget surely has, by its id.
  private var promised: [String: JSONObject] = [:]
  /// Requests about a widget whose end is unknown.
  private var underWay: [String: Int] = [:]
  /// The widgets about which two requests were on their way at once.
  private var contested: Set<String> = []
  /// Whether bytes were sent whose meaning nobody knows.
  private var isClouded = false

  /// A request is on its way to the daemon.
  mutating func sent(_ method: String, _ params: JSONObject) {
    guard let ids = Self.subjects(method, params) else {
      promised = [:]
      return
    }
    for id in ids {
      promised[id] = nil
      underWay[id, default: 0] += 1
      if underWay[id] != 1 { contested.insert(id) }
    }
  }

  /// A request was answered; `result` is `nil` where it was refused.
  mutating func answered(_ method: String, _ params: JSONObject, _ result: JSONValue?) {
    guard let ids = Self.subjects(method, params) else {
      promised = [:]
      return
    }
    for id in ids {
      underWay[id, default: 1] -= 1
      guard underWay[id] == 0 else { continue }
      underWay[id] = nil
      guard contested.remove(id) == nil, !isClouded, !id.hasPrefix("suggestion:") else { continue }
      if method == "widget.tap", let values = result?["values"]?.objectValue {
        promised[id] = values
      }
    }
  }

  /// Bytes were sent that may mean anything.
  mutating func cloud() {
    promised = [:]
    isClouded = true
  }

  /// The process ended, and with it every request that was under way.
  mutating func restarted() {
    underWay = [:]
    contested = []
    isClouded = false
  }

  /// Returns how a widget has other values than a client was told.
  func violation(on store: FakeStore, in engine: borrowing WidgetEngine) -> String? {
    for id in promised.keys.sorted() {
      guard let values = promised[id], let widget = engine.widgets[id] else { continue }
      let told = JSONValue.object(values).serialized
      let memory = JSONValue.object(widget.values.json).serialized
      if memory != told { return "\(id) has the values \(memory), and clients were told \(told)" }
      let stored = store.record(.widget, id)?["values"]?.serialized ?? "{}"
      if stored != told {
        return "on disk \(id) has the values \(stored), and clients were told \(told)"
      }
    }
    return nil
  }

  /// The widgets whose values a request may change; `nil`: any.
  private static func subjects(_ method: String, _ params: JSONObject) -> [String]? {
    switch method {
    case "widget.tap", "widget.configure": [params["id"]?.stringValue ?? ""]
    case "widget.remove":
      params["ids"]?.arrayValue?.compactMap(\.stringValue) ?? [params["id"]?.stringValue ?? ""]
    case "widget.add": params["id"]?.stringValue.map { [$0] }
    case "widget.restore": nil
    // It may be the answer to a question about the configuration of any widget.
    case "intent.send": params["resume"] == nil ? [] : nil
    default: []
    }
  }
}
