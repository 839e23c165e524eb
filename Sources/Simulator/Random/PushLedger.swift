import DaemonCore
import JSON
import WidgetCenter

/// The content that was pushed to the widgets of a kind without a provider.
///
/// Nobody can be asked for such content again, so an answered push has to stay, on disk and in
/// memory: until the next one, whatever is pushed to other widgets of the kind. The ledger knows the
/// content of a widget only while no other request about it is on its way.
struct PushLedger: Sendable {
  /// The title that each widget surely has, by its id.
  private var titles: [String: String] = [:]
  /// Requests about a widget whose end is unknown.
  private var underWay: [String: Int] = [:]
  /// The widgets about which two requests were on their way at once: the daemon took them in an
  /// order of its own, which the order of the answers to two clients does not tell.
  private var contested: Set<String> = []
  /// Whether bytes were sent whose meaning nobody knows.
  private var isClouded = false

  /// A request is on its way to the daemon.
  mutating func sent(_ method: String, _ params: JSONObject) {
    for id in Self.subjects(method, params) ?? [] {
      titles[id] = nil
      underWay[id, default: 0] += 1
      if underWay[id] != 1 { contested.insert(id) }
    }
    // It may place a widget under any id.
    if Self.subjects(method, params) == nil { titles = [:] }
  }

  /// A request was answered; `isDone`: with a result.
  mutating func answered(_ method: String, _ params: JSONObject, isDone: Bool) {
    guard let ids = Self.subjects(method, params) else {
      titles = [:]
      return
    }
    for id in ids {
      underWay[id, default: 1] -= 1
      guard underWay[id] == 0 else { continue }
      underWay[id] = nil
      guard contested.remove(id) == nil else { continue }
      guard isDone, method == "widget.push", !isClouded else { continue }
      let title = Self.title(params["timeline"]?["entries"]?.arrayValue?.last)
      // The entries of an odd timeline are in any order.
      if let title, title.hasPrefix("pushed ") { titles[id] = title }
    }
  }

  /// Bytes were sent that may mean anything.
  mutating func cloud() {
    titles = [:]
    isClouded = true
  }

  /// The process ended, and with it every request that was under way.
  mutating func restarted() {
    underWay = [:]
    contested = []
    isClouded = false
  }

  /// Returns how a widget of a kind without a provider shows something else than was pushed to it.
  func violation(on store: FakeStore, in engine: borrowing WidgetEngine) -> String? {
    for id in titles.keys.sorted() {
      guard let title = titles[id], let widget = engine.widgets[id],
        engine.hasNoProvider(widget.kind)
      else { continue }
      let key = widget.timelineKey
      let record = store.record(.timeline, key.text)?["timeline"]
      if Self.title(record?["entries"]?.arrayValue?.last) != title {
        return "'\(title)' was pushed to \(id), and on disk is \(record?.serialized ?? "nothing")"
      }
      let entry = engine.timelines[key]?.timeline?.entries.last
      if entry?.content["title"]?.stringValue != title {
        let has = entry.map { JSONValue.object($0.content).serialized } ?? "nothing"
        return "'\(title)' was pushed to \(id), and memory has \(has)"
      }
    }
    return nil
  }

  private static func title(_ entry: JSONValue?) -> String? {
    entry?["content"]?["title"]?.stringValue
  }

  /// Whether a request may change what a widget of such a kind shows.
  static func follows(_ method: String) -> Bool {
    subjects(method, [:]).map { !$0.isEmpty } ?? true
  }

  /// The widgets that a request may change or make; `nil`: any.
  private static func subjects(_ method: String, _ params: JSONObject) -> [String]? {
    switch method {
    case "widget.push", "widget.configure": [params["id"]?.stringValue ?? ""]
    case "widget.remove":
      params["ids"]?.arrayValue?.compactMap(\.stringValue) ?? [params["id"]?.stringValue ?? ""]
    // Without an id it makes one of its own.
    case "widget.add": params["id"]?.stringValue.map { [$0] }
    case "widget.restore": nil
    default: []
    }
  }
}
