import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Tells apps of their widgets: at their registration, and whenever a change is on disk.
extension Daemon {
  /// Adds the widgets of an app, as they are on disk, to the answer to its registration.
  func addWidgets(of app: String, to result: inout JSONObject) {
    let told = Self.bounded(appWidgets.widgets(of: app).map(\.view))
    result["widgets"] = .array(told.views)
    if told.isCut { result["more"] = true }
  }

  /// Notes that the widgets in memory are those on disk, when the daemon starts.
  ///
  /// An app that registers before the first transaction has ended knows them, too.
  mutating func restoreAppWidgets() {
    appWidgets.restore(engine.order.compactMap { appWidget($0) })
  }

  /// Notes what the transaction that begins says of the widgets of apps.
  mutating func beginTellingApps() {
    guard appWidgets.isTouched else { return }
    var widgets: [(id: String, widget: AppWidget?)] = []
    for id in appWidgets.takeTouched(of: engine.order).sorted() {
      widgets.append((id, appWidget(id)))
    }
    appWidgets.begin(widgets)
  }

  /// Sends the apps that are connected the changes that are on disk now, at the end of a turn.
  ///
  /// Every client that registered as the app is told, also of another program: the widgets are no
  /// secret on this socket, and an app may have several processes.
  mutating func tellApps() {
    let changes = appWidgets.settle()
    guard !changes.isEmpty else { return }
    for (connection, app) in sessions.apps {
      guard let own = changes[app], !appWidgets.isBehind(connection) else { continue }
      guard !outbox.isBackedUp(connection) else {
        appWidgets.noteBehind(connection)
        continue
      }
      let told = Self.bounded(own.map(\.view))
      outbox.notify(connection, Self.widgetsChanged(app, told.views, hasMore: told.isCut))
    }
  }

  /// Tells the clients that read again that they have missed changes.
  mutating func tellAppsBehind() {
    guard appWidgets.hasBehind else { return }
    for connection in appWidgets.connectionsBehind {
      guard let app = sessions.app(of: connection) else {
        appWidgets.forgetBehind(connection)
        continue
      }
      guard !outbox.isBackedUp(connection) else { continue }
      appWidgets.forgetBehind(connection)
      outbox.notify(connection, Self.widgetsChanged(app.id, [], hasMore: true))
    }
  }

  /// Returns a widget as its app is told of it; `nil`: it is not there, or of no app.
  private func appWidget(_ id: String) -> AppWidget? {
    guard let widget = engine.widgets[id], let app = engine.kinds[widget.kind]?.app else {
      return nil
    }
    return AppWidget(
      app: app, id: id, kind: widget.kind, family: widget.family,
      configuration: widget.configuration, isSuggestion: widget.isSuggestion,
      position: widget.position)
  }

  /// Returns the first views, as many as one message may have, and whether there are others.
  private static func bounded(_ views: [JSONValue]) -> (views: [JSONValue], isCut: Bool) {
    var told: [JSONValue] = []
    var byteCount = 0
    for view in views.prefix(Limits.toldAppWidgetCountMax) {
      byteCount += view.serialized.utf8.count
      if byteCount > Limits.pageBytes { break }
      told.append(view)
    }
    return (told, told.count < views.count)
  }

  /// Returns the line of one `app.widgetsChanged`.
  private static func widgetsChanged(
    _ app: String, _ changes: [JSONValue], hasMore: Bool
  ) -> [UInt8] {
    var params: JSONObject = ["app": .string(app), "changes": .array(changes)]
    if hasMore { params["more"] = true }
    var line: [UInt8] = []
    appendNotification(
      method: DaemonNotification.appWidgetsChanged.rawValue, params: .object(params), to: &line)
    return line
  }

  // MARK: Apps that configure

  /// Refuses what a registered app may not change: widgets of others, and the rules by which the
  /// person has a widget reloaded.
  ///
  /// A client that is no app may change every widget: it is the person's shell, bar or page.
  func checkMayConfigure(
    _ widget: Widget, rules: Bool, _ address: ReplyAddress
  ) throws(RPCError) {
    guard let app = sessions.app(of: address.connection) else { return }
    let owner = engine.kinds[widget.kind]?.app
    guard owner == app.id else {
      let whose = owner.map { "of the app \($0)" } ?? "of no app"
      throw RPCError(
        .foreignWidget,
        "'\(widget.id)' is a widget \(whose), and \(app.id) may configure its own alone; its kinds"
          + " are those whose manifests say app: \(app.id)",
        details: ["app": owner.map { .string($0) } ?? .null])
    }
    guard !rules else {
      throw RPCError.invalidParams(
        "an app does not change by which rules its widgets are reloaded; the person does:"
          + " intent-send configure \(widget.id) --reload perDay=24",
        data: ["parameter": "reload", "expected": "parameters or family"])
    }
  }

  /// Takes one of the configurations that an app in the background may change; refuses it beyond
  /// the pace.
  ///
  /// Each loads the widget anew, free of the budget of its timeline, and nobody looks at the app.
  mutating func paceConfiguring(_ address: ReplyAddress, at now: Now) throws(RPCError) {
    guard let app = sessions.app(of: address.connection), !app.isForeground else { return }
    guard !appConfigurationPace.take(at: now.monotonic) else { return }
    let milliseconds = appConfigurationPace.moment(at: now.monotonic).milliseconds(
      since: now.monotonic)
    let seconds = (milliseconds + 999) / 1_000
    throw RPCError(
      .limitReached,
      "apps in the background have configured \(Limits.appConfigurationBurst) widgets in a row;"
        + " try again in \(seconds) s, or when the person looks at the app (app.state foreground)",
      details: ["max": .int(Limits.appConfigurationBurst), "seconds": .int(seconds)])
  }
}

extension EngineOutput {
  /// Says in the history which app configured a widget.
  mutating func noteConfigured(by app: String) {
    for index in journal.indices
    where journal[index].decision == .widgetConfigured && !journal[index].isPrivate {
      journal[index].fields["app"] = .string(app)
    }
  }
}

// MARK: - Checks

extension Daemon {
  /// Compares what apps know of their widgets with what is in memory; O(widgets).
  ///
  /// Call it when everything is on disk.
  func checkAppWidgets() -> [String] {
    var actual: [String: AppWidget] = [:]
    for id in engine.order {
      if let widget = appWidget(id) { actual[id] = widget }
    }
    return appWidgets.checkInvariants(actual: actual)
  }
}
