import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Handles host apps: the connections that say which app they are.
extension Daemon {
  mutating func registerApp(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["app", "foreground"])
    let id = try params.string("app")
    guard ManifestReader.isIdentifier(id) else {
      throw Params.refusal(
        "app", "parameter 'app' is \(quoted(id))",
        expected: "a desktop id such as org.example.Weather")
    }
    let isForeground = try params.bool("foreground", default: false)
    sessions.register(id, isForeground: isForeground, address.connection, at: now.wall)
    let kinds = engine.kinds.values.filter { $0.app == id }.map(\.kind).sorted()
    var result: JSONObject = [
      "app": .string(id), "kinds": .array(kinds.map { .string($0) }),
    ]
    addWidgets(of: id, to: &result)
    addGroups(of: id, to: &result, into: &effects)
    // It learns everything by this answer.
    appWidgets.forgetBehind(address.connection)
    var warnings: [String] = []
    if kinds.isEmpty { warnings.append(unknownAppWarning(id)) }
    let hosts = sessions.hosts(of: id)
    let others = (hosts.holders + hosts.others).filter { $0.connection != address.connection }
    if !others.isEmpty {
      result["others"] = .array(others.prefix(Limits.otherHostCountMax).map(\.view))
      warnings.append(warning(to: address.connection, among: hosts, of: id))
    }
    if !warnings.isEmpty { result["warnings"] = .array(warnings.map { .string($0) }) }
    outbox.answer(address, result)
  }

  /// Says which of several connections that are one app gets its taps.
  private func warning(
    to connection: ConnectionID, among hosts: ConnectedHosts, of id: String
  ) -> String {
    if hosts.holders.first?.connection == connection {
      return "others are registered as \(id), too; taps come to this connection"
    }
    if hosts.holders.contains(where: { $0.connection == connection }) {
      return "others are registered as \(id), too; taps go to the one in the foreground"
    }
    let holder = hosts.holders.first.map { "process \($0.peer.processID)" } ?? "another process"
    return "\(holder) runs another program and is \(id) already; taps go there until it ends"
  }

  /// Says that no kind names the app, and which names are near.
  private func unknownAppWarning(_ id: String) -> String {
    let kinds = engine.kinds.values.sorted { $0.kind < $1.kind }
    let apps = Set(kinds.compactMap(\.app)).sorted()
    let nearApps = nearest(to: id, among: apps, countMax: 2)
    if !nearApps.isEmpty { return "no manifest names the app '\(id)'\(didYouMean(nearApps))" }
    guard let near = nearest(to: id, among: kinds.map(\.kind), countMax: 1).first else {
      return "no manifest names the app '\(id)'; write app: \(id) into the manifests of its kinds"
    }
    return "no manifest names the app '\(id)'; write app: \(id) into the manifest of '\(near)'"
  }

  mutating func setAppState(_ value: JSONValue?, _ address: ReplyAddress) throws(RPCError) {
    let params = try Params(value, known: ["state"])
    let state = try params.string("state")
    guard state == "foreground" || state == "background" else {
      throw Params.refusal(
        "state", "parameter 'state' is \(quoted(state))", expected: "foreground or background")
    }
    guard sessions.app(of: address.connection) != nil else {
      throw RPCError.invalidParams(
        "this connection is no host app; call app.register first",
        data: ["parameter": "state", "expected": "a registered app"])
    }
    sessions.setForeground(state == "foreground", address.connection)
    outbox.answer(address, [:])
  }

  /// Returns the cause of a reload of the widget `id` that this app asks for; `nil`: a client that
  /// is no app.
  ///
  /// An app in the foreground is what the person looks at, so its own kinds are exempt from the
  /// budget; those of others are not.
  func reloadCause(of id: String, askedBy app: HostApp?) -> ReloadCause {
    guard let app else { return .reload }
    let isOwn = engine.widgets[id].flatMap { engine.kinds[$0.kind]?.app } == app.id
    return app.isForeground && isOwn ? .hostForeground : .hostBackground
  }
}

extension ConnectedApp {
  /// The element of `others` in the answer to a client that registers as the same app.
  fileprivate var view: JSONValue {
    [
      "pid": .int(Int64(peer.processID)), "since": .string(app.registeredAt.rfc3339),
      "foreground": .bool(app.isForeground),
    ]
  }
}
