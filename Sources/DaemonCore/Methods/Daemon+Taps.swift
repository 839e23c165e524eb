import Habits
import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Handles taps: a tap opens the widget's URL in its containing app, and nowhere else.
///
/// A connected host app that registered gets `app.open`; else its desktop entry is started. For a
/// kind without an app, only http, https, mailto and tel links are opened, in the app that the
/// person chose for them. The URL passes the profile and the deny list first, and never re-enters
/// the router.
extension Daemon {
  private static let openSchemes: Set<String> = ["http", "https", "mailto", "tel"]

  mutating func tapWidget(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["id", "item"])
    let id = try params.string("id")
    let item = try params.optionalInt("item", in: 0...Limits.tappedItemMax)
    guard let widget = engine.widgets[id] else { throw RPCError(engine.unknownWidget(id)) }
    try outbox.checkMayWait(address)
    let kind = engine.kinds[widget.kind]
    let entry = engine.timelines[widget.timelineKey]?.entry(at: now.wall)
    var tapped: JSONValue?
    if let item {
      let items = entry?.content["items"]?.arrayValue ?? []
      guard item < items.count else {
        throw Params.refusal(
          "item", "'\(id)' shows \(items.count) items, counted from 0, and \(item) was tapped",
          expected: items.isEmpty ? "no item: this widget has none" : "0 to \(items.count - 1)")
      }
      tapped = items[Int(item)]
    }
    let wanted =
      tapped?["url"]?.stringValue ?? entry?.url
      ?? kind?.url.map { Self.fill($0, widget.configuration.parameters) }
    let url = try wanted.map { text throws(RPCError) in try profile(text) }

    journal.append("tap", at: now.wall) { [isPrivate = engine.isPrivate] writer in
      guard !isPrivate else {
        writer.key("private")
        writer.bool(true)
        return
      }
      writer.key("widget")
      writer.string(id)
      writer.key("kind")
      writer.string(widget.kind)
      if let item {
        writer.key("item")
        writer.int(item)
      }
      if let url {
        writer.key("url")
        writer.string(url.text)
      }
    }
    var output = EngineOutput()
    engine.record(.tap, of: id, at: now.wall, into: &output)
    if tapped?["refresh"]?.boolValue == true || entry?.content["refresh"]?.boolValue == true {
      do throws(WidgetError) {
        _ = try engine.requestReload(of: id, cause: .tap, at: now.wall, into: &output)
      } catch {
        preconditionFailure("the widget was there a moment ago: \(error.message)")
      }
    }
    engine.advance(at: now, into: &output)
    apply(output, at: now, into: &effects)
    try open(url, of: widget, app: kind?.app, address, into: &effects)
  }

  private mutating func open(
    _ url: ProfiledURL?, of widget: Widget, app: String?, _ address: ReplyAddress,
    into effects: inout [Effect]
  ) throws(RPCError) {
    if let app {
      if let host = sessions.hosts(of: app).first {
        var opening: JSONObject = [
          "widget": .string(widget.id), "kind": .string(widget.kind),
          "family": .string(widget.family.rawValue),
        ]
        if let url { opening["url"] = .string(url.text) }
        outbox.notifyWhenDurable(host, .appOpen, opening)
        outbox.answerWhenDurable(address, opened("app", app, url))
        return
      }
    }
    let target: LaunchRequest.Target
    if let app {
      target = .application(app)
    } else if let url, Self.openSchemes.contains(url.scheme) {
      target = .handler(scheme: url.scheme)
    } else {
      throw RPCError(
        .nothingToOpen,
        url == nil
          ? "'\(widget.id)' has neither a URL nor an app; name one in its manifest (url, app)"
          : "nobody is named to open \(url?.text ?? ""); name the containing app in the manifest of \(widget.kind) (app: its desktop id)"
      )
    }
    try outbox.reserveWaiting(address)
    let token = launches.begin(.tap(address, widget: widget.id, url: url?.text))
    effects.append(.launch(token, LaunchRequest(target: target, url: url?.text)))
  }

  /// Answers the tap that started an application, and notes the outcome in the history.
  mutating func handleLaunch(_ token: LaunchToken, _ outcome: LaunchOutcome, at now: Now) {
    guard let launch = launches.end(token) else { return }
    let about: (name: String, value: String)
    switch launch {
    case .tap(_, let widget, _): about = ("widget", widget)
    case .callback(let outcome): about = ("callback", outcome)
    }
    switch outcome {
    case .started(let application, let processID):
      journalAct(
        "launched", at: now.wall,
        [
          about.name: .string(about.value), "application": .string(application),
          "pid": .int(Int64(processID)),
        ])
    case .failed(let reason, let message):
      journalAct(
        "launch.failed", at: now.wall,
        [
          about.name: .string(about.value), "reason": .string(reason), "message": .string(message),
        ])
    }
    guard case .tap(let address, _, let url) = launch else { return }
    outbox.releaseWaiting(address)
    switch outcome {
    case .started(let application, let processID):
      statistics.countLaunch()
      var result: JSONObject = [
        "opened": "desktop", "application": .string(application), "pid": .int(Int64(processID)),
      ]
      if let url { result["url"] = .string(url) }
      outbox.answerWhenDurable(address, result)
    case .failed(let reason, let message):
      outbox.refuse(
        address, RPCError(.launchFailed, message, details: ["reason": .string(reason)]))
    }
  }

  /// Notes the outcome of an act of the person; in private mode without its details.
  mutating func journalAct(_ event: String, at now: WallTime, _ fields: JSONObject) {
    journal.append(event, at: now, fields: engine.isPrivate ? ["private": true] : fields)
  }

  private func opened(_ how: String, _ application: String, _ url: ProfiledURL?) -> JSONObject {
    var result: JSONObject = ["opened": .string(how), "application": .string(application)]
    if let url { result["url"] = .string(url.text) }
    return result
  }

  private func profile(_ text: String) throws(RPCError) -> ProfiledURL {
    switch ProfiledURL.parse(text) {
    case .success(let url): return url
    case .failure(let error): throw RPCError(error)
    }
  }

  /// Fills the `{name}` places of a manifest's URL with parameters.
  ///
  /// Values are percent-encoded, so that each stays within its part of the URL. A name without a
  /// value leaves nothing.
  static func fill(_ template: String, _ parameters: JSONObject) -> String {
    var filled = ""
    var rest = template[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      filled += rest[..<open]
      let name = String(rest[rest.index(after: open)..<close])
      switch parameters[name] {
      case .string(let text): filled += percentEncoded(text)
      case .int, .double, .bool: filled += percentEncoded(parameters[name]?.serialized ?? "")
      case .none, .null, .array, .object: break
      }
      rest = rest[rest.index(after: close)...]
    }
    return filled + rest
  }

  /// Encodes all bytes as `%XX`, except RFC 3986's unreserved characters.
  private static func percentEncoded(_ text: String) -> String {
    let hex = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 48...57, 65...90, 97...122, 45, 46, 95, 126: bytes.append(byte)
      default: bytes += [37, hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
