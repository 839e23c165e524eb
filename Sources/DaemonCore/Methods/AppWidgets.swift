import JSON
import JSONRPC
import WidgetCenter

/// A widget of an app as it is told to the app: its place and its configuration, not its content.
struct AppWidget: Hashable, Sendable {
  /// The app that the manifest of its kind names.
  var app: String
  var id: String
  var kind: String
  var family: WidgetFamily
  var configuration: WidgetConfiguration
  var isSuggestion: Bool
  /// Its place in the order of placing.
  var position: Int64

  /// The `widget` of `app.register` and `app.widgetsChanged`.
  var view: JSONValue {
    var view: JSONObject = [
      "id": .string(id), "kind": .string(kind), "family": .string(family.rawValue),
    ]
    if configuration.intent != nil { view["intent"] = configuration.json }
    view["suggestion"] = .bool(isSuggestion)
    return .object(view)
  }
}

/// One change of a widget, for the app to which it belongs.
struct AppWidgetChange: Hashable, Sendable {
  /// The sort of a change; the raw value is the word of the wire.
  enum Sort: String, Hashable, Sendable {
    case placed, configured, moved, removed
  }

  var sort: Sort
  /// The widget as it is now; of a removed one as it was.
  var widget: AppWidget

  var view: JSONValue { ["change": .string(sort.rawValue), "widget": widget.view] }
}

/// The widgets of apps as they are on disk, and the changes of which apps have not been told.
///
/// A change is told when it is on disk, so that nobody has to take it back. Between two
/// transactions a widget may change several times: its app is told the difference once.
///
/// ```
/// note ─► touched ──begin──► underWay ──committed, settle──► known, and the changes to tell
///            ▲                   │
///            └──── takeBack ◄────┘  the transaction failed and is tried again
/// ```
///
/// A registration is answered with `known`, and each later difference is told to everybody who is
/// registered then: so a client misses none and hears none twice.
struct AppWidgets: Sendable {
  /// By id; only widgets whose kind names an app.
  private(set) var known: [String: AppWidget] = [:]
  /// Widgets that may differ from `known`.
  private var touched: Set<String> = []
  private var isEverythingTouched = false
  /// The widgets of the transaction under way as it writes them; `nil`: removed, or of no app.
  private var underWay: [(id: String, widget: AppWidget?)] = []
  /// Whether that transaction is on disk, and its changes are to be told at the end of the turn.
  private var isOnDisk = false
  /// Clients that did not read when they were to be told something.
  private var behind: Set<ConnectionID> = []

  /// Notes the widgets that are on disk when the daemon starts.
  mutating func restore(_ widgets: [AppWidget]) {
    assert(known.isEmpty && underWay.isEmpty, "nothing was told before the start")
    for widget in widgets { known[widget.id] = widget }
  }

  /// Notes that these widgets may have changed.
  mutating func note(_ ids: Set<String>) {
    if !ids.isEmpty { touched.formUnion(ids) }
  }

  /// Notes that every widget may have changed, or belong to another app.
  mutating func noteEverything() {
    isEverythingTouched = true
  }

  /// Whether some widgets may differ from what is known of them.
  var isTouched: Bool { isEverythingTouched || !touched.isEmpty }

  /// Takes the widgets to look at; `placed`: all that there are.
  mutating func takeTouched(of placed: [String]) -> Set<String> {
    defer {
      touched = []
      isEverythingTouched = false
    }
    return isEverythingTouched ? Set(placed).union(known.keys) : touched
  }

  /// Notes what the transaction that begins writes of these widgets.
  mutating func begin(_ widgets: [(id: String, widget: AppWidget?)]) {
    assert(underWay.isEmpty, "one transaction is under way at a time")
    underWay = widgets.filter { $0.widget != known[$0.id] }
  }

  /// Notes that the transaction is on disk.
  mutating func committed() { isOnDisk = true }

  /// Takes the changes that are on disk.
  ///
  /// Called at the end of a turn: what a registration in this turn was answered is told before
  /// them, and was true before them.
  ///
  /// - Returns: the changes to tell, by app; each list is in the order of placing.
  mutating func settle() -> [String: [AppWidgetChange]] {
    guard isOnDisk else { return [:] }
    isOnDisk = false
    var changes: [String: [AppWidgetChange]] = [:]
    for (id, widget) in underWay {
      let before = known[id]
      known[id] = widget
      guard before != widget else { continue }
      if let before, before.app != widget?.app {
        changes[before.app, default: []].append(AppWidgetChange(sort: .removed, widget: before))
      }
      guard let widget else { continue }
      let sort = Self.sort(from: before, to: widget)
      changes[widget.app, default: []].append(AppWidgetChange(sort: sort, widget: widget))
    }
    underWay = []
    return changes.mapValues { list in
      list.sorted { ($0.widget.position, $0.widget.id) < ($1.widget.position, $1.widget.id) }
    }
  }

  /// Lets the changes of a transaction that failed wait for the next one.
  mutating func takeBack() {
    assert(!isOnDisk, "a transaction that failed is not on disk")
    for change in underWay { touched.insert(change.id) }
    underWay = []
  }

  private static func sort(from before: AppWidget?, to widget: AppWidget) -> AppWidgetChange.Sort {
    guard let before, before.app == widget.app else { return .placed }
    let isSame =
      before.kind == widget.kind && before.configuration == widget.configuration
      && before.isSuggestion == widget.isSuggestion
    return isSame ? .moved : .configured
  }

  /// Returns the widgets of an app, in the order of placing; O(widgets of all apps).
  func widgets(of app: String) -> [AppWidget] {
    known.values.filter { $0.app == app }
      .sorted { ($0.position, $0.id) < ($1.position, $1.id) }
  }

  // MARK: Clients that do not read

  /// Whether a client has missed something that it has not been told of.
  var hasBehind: Bool { !behind.isEmpty }
  var connectionsBehind: [ConnectionID] { behind.sorted() }

  func isBehind(_ connection: ConnectionID) -> Bool { behind.contains(connection) }

  /// Notes that this client has missed changes, because it does not read.
  mutating func noteBehind(_ connection: ConnectionID) { behind.insert(connection) }

  /// Notes that this client knows that it has missed some, or is gone.
  mutating func forgetBehind(_ connection: ConnectionID) { behind.remove(connection) }

  // MARK: Checks

  /// Returns a sentence for each widget of which an app would not be told what it is; `actual`: the
  /// widgets of apps as they are in memory, when everything is on disk.
  func checkInvariants(actual: [String: AppWidget]) -> [String] {
    if isTouched || !underWay.isEmpty || isOnDisk {
      return ["changes for apps wait, and nothing else does"]
    }
    return Set(known.keys).union(actual.keys).sorted().filter { known[$0] != actual[$0] }.map {
      "the app of the widget '\($0)' does not know it as it is"
    }
  }
}
