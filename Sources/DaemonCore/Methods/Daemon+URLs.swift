import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Handles opened URLs: intents by the catalogue's routes, callbacks, and plugin hosts' URLs.
extension Daemon {
  mutating func openURL(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["url", "wait", "source", "app", "activationToken"])
    let wait = try params.bool("wait", default: false)
    let app = try params.optionalString("app")
    if let app, !ManifestReader.isIdentifier(app) {
      throw Params.refusal(
        "app", "parameter 'app' is \(quoted(app))",
        expected: "a desktop id such as org.example.Weather")
    }
    let token = try activationToken(params)
    try open(
      try params.string("url"),
      Origin(source: try source(params), isLink: true, activationToken: token), app: app,
      activationToken: token, wait: wait, address, at: now, into: &effects)
  }

  /// Opens a URL for a client; `app` is the desktop id of the asking app, if the client names it.
  mutating func open(
    _ url: String, _ origin: Origin, app: String? = nil, activationToken: String? = nil,
    wait: Bool, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    switch configuration.catalog.open(url: url) {
    case .failure(let error): throw RPCError(error)
    case .success(.intent(let intent)):
      try follow(intent, origin, wait: wait, address, at: now, into: &effects)
    case .success(.needs(let need)): try follow(need, origin, address, at: now)
    case .success(.callback(let request)):
      try perform(
        request, origin, app: app, activationToken: activationToken, wait: wait, address, at: now,
        into: &effects)
    case .success(.plugins(.reloadAll)):
      try pacePlugins(origin, at: now)
      try reload(
        engine.order, cause: origin.isLink ? .link : nil, wait: wait, address, at: now,
        into: &effects)
    case .success(.plugins(.reload(let target, let ignored))):
      try pacePlugins(origin, at: now)
      let kinds = try self.kinds(target)
      let ids = engine.order.filter { id in
        engine.widgets[id].map { kinds.contains($0.kind) } ?? false
      }
      var about: JSONObject = ["kinds": .array(kinds.map { .string($0) })]
      if !ignored.isEmpty { about["ignored"] = .array(ignored.map { .string($0) }) }
      try reload(
        ids, about: about, cause: origin.isLink ? .link : nil, wait: wait, address, at: now,
        into: &effects)
    }
  }

  /// Returns a refusal in place of a question to the person.
  func unanswered(_ need: IntentNeed) -> RPCError {
    switch configuration.catalog.resolve(name: need.intent, parameters: need.parameters) {
    case .failure(let error): RPCError(error)
    case .success:
      RPCError(
        .invalidParameter,
        "\(need.intent) needs a yes from a person, and a URL cannot ask for it; send it as an intent",
        details: ["suggestions": []])
    }
  }

  /// Limits the rate of reloads by links, since any page can have a link.
  private mutating func pacePlugins(_ origin: Origin, at now: Now) throws(RPCError) {
    guard callbacks.pacePlugins(at: now.monotonic) else {
      links.countRefused()
      throw RPCError(
        .limitReached, "too many reloads by URL at once; open it again in a moment",
        details: ["max": .int(Limits.linkBurst)])
    }
    if origin.isLink { links.countFollowed() }
  }

  /// Returns the kinds of a plugin host's URL: by id, else by name, else by the name or path of the
  /// program or the manifest.
  ///
  /// Upper and lower case are equal, and a file also matches without the part from its first dot
  /// on.
  private func kinds(_ target: PluginHostURL.Target) throws(RPCError) -> [String] {
    let all = engine.kinds.values.sorted { $0.kind < $1.kind }
    switch target {
    case .index(let index):
      guard index < all.count else {
        throw RPCError(
          .unknownKind,
          "there is no kind with the index \(index); \(all.count) are known, counted from 0",
          details: ["suggestions": []])
      }
      return [all[index].kind]
    case .named(let name):
      let wanted = name.lowercased()
      let ways: [(WidgetKind) -> Bool] = [
        { $0.kind.lowercased() == wanted }, { $0.name.lowercased() == wanted },
        { Self.files(of: $0).contains(wanted) },
      ]
      for isMeant in ways {
        let found = all.filter(isMeant).map(\.kind)
        if !found.isEmpty { return found }
      }
      throw RPCError(engine.unknownKind(name))
    }
  }

  /// Returns lower-cased names of a kind's files: path, file name, and file name up to its first
  /// dot.
  private static func files(of kind: WidgetKind) -> Set<String> {
    var names: Set<String> = []
    for path in [kind.file, kind.provider.exec.first ?? ""] where !path.isEmpty {
      var path = path.lowercased()
      if path.hasPrefix("./") {
        path = "\(kind.provider.directory.lowercased())/\(path.dropFirst(2))"
      }
      let file = String(path.split(separator: "/").last ?? "")
      names.formUnion([path, file, String(file.prefix { $0 != "." })])
    }
    names.remove("")
    return names
  }
}
