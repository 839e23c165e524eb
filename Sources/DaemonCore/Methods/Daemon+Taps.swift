import Habits
import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Plugins
import Timekeeping
import WidgetCenter

/// Handles taps: a tap opens the widget's URL in its containing app, and nowhere else.
///
/// An item may say instead that its tap sets values or sends an intent (`Daemon+ItemActs`).
///
/// A connected host app that registered gets `app.open`; else its desktop entry is started. For a
/// kind without an app, only http, https, mailto and tel links are opened, in the app that the
/// person chose for them. The URL passes the profile and the deny list first, and never re-enters
/// the router. Nothing but a tap opens the URL of a widget, so a tap may also lead to an address,
/// such as that of a printer or a server at home.
extension Daemon {
  static let openSchemes: Set<String> = ["http", "https", "mailto", "tel"]

  mutating func tapWidget(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(
      value, known: ["id"] + TapGesture.parameters + ["mode", "name", "activationToken"])
    let id = try params.string("id")
    var gesture = try TapGesture(params)
    let asked = try askedMode(params)
    let activationToken = try activationToken(params)
    try refuseIfLocked()
    guard let widget = engine.widgets[id] else { throw RPCError(engine.unknownWidget(id)) }
    try outbox.checkMayWait(address)
    if let revision = gesture.revision {
      // The revision says what the person saw, whatever is chosen on a surface by now.
      let said: WidgetMode? = if case .mode(let mode) = asked { mode } else { nil }
      gesture.mode = try check(revision, of: id, in: said, at: now, into: &effects)
    } else {
      gesture.mode = mode(asked, of: id)
    }
    if try actInPlace(
      gesture, on: widget, activationToken: activationToken, address, at: now, into: &effects)
    {
      return
    }
    // Every refusal comes before the first effect: a tap that does nothing does not count as a use
    // of the widget.
    let wish = try wish(of: gesture, on: widget, at: now.wall)
    let url = try wish.url.map { text throws(RPCError) in try profile(text) }
    let opener =
      wish.isWithoutURL
      ? .nobody : try opener(of: url, widget, app: wish.app, orElse: wish.action.refreshes)
    let command = try command(of: wish, widget)
    let line = try line(wish.action.stdin, for: widget)
    if let click = wish.click { try checkMayClick(click, widget) }
    let tap = Tap(
      widget: id, kind: widget.kind, item: gesture.path, button: gesture.click.button,
      url: url?.text, program: command?.exec[0], writesLine: line != nil)
    switch opener {
    case .host(let app, let connection):
      record(tap, at: now, into: &effects)
      var opening: JSONObject = [
        "widget": .string(id), "kind": .string(widget.kind),
        "family": .string(widget.family.rawValue),
      ]
      opening["url"] = tap.url.map { .string($0) }
      opening["activationToken"] = activationToken.map { .string($0) }
      outbox.notifyWhenDurable(connection, .appOpen, opening)
      outbox.answerWhenDurable(address, tap.answer(["opened": "app", "application": .string(app)]))
    case .launch(let target):
      try outbox.reserveWaiting(address)
      let token = launches.begin(.tap(address, tap))
      effects.append(
        .launch(
          token, LaunchRequest(target: target, url: tap.url, activationToken: activationToken)))
    case .nobody where command == nil:
      record(tap, at: now, into: &effects)
      outbox.answerWhenDurable(address, tap.answer(["opened": "nothing"]))
    case .nobody:
      try outbox.reserveWaiting(address)
    }
    if let line { tell(line, into: &effects) }
    if wish.turnsLook {
      engine.turnLook(of: id)
      // A program of the click may run for long; the look does not wait for its end.
      if command != nil || line != nil { refresh(id, at: now, into: &effects) }
    }
    // A process that was told something goes on, and answers by a frame.
    let refreshes = wish.action.refreshes && line == nil
    if let command {
      let running = Commands.Running(kind: widget.kind, refreshed: refreshes ? id : nil)
      let waiting: ReplyAddress? = if case .nobody = opener { address } else { nil }
      let token = launches.begin(.command(waiting, tap))
      // Counted from here on: many taps come before the first program has started.
      commands.begin(token, running)
      effects.append(
        .launch(
          token,
          LaunchRequest(target: .command(command), url: nil, activationToken: activationToken)))
    } else if let click = wish.click {
      run(id, because: click, at: now, into: &effects)
    } else if refreshes {
      refresh(id, at: now, into: &effects)
    }
  }

  /// The app or application that a tap opens.
  private enum Opener {
    /// The app `app`, which is connected.
    case host(app: String, ConnectionID)
    case launch(LaunchRequest.Target)
    /// None: the tap only refreshes the widget.
    case nobody
  }

  private func opener(
    of url: ProfiledURL?, _ widget: Widget, app: String?, orElse refreshes: Bool
  ) throws(RPCError) -> Opener {
    if let app {
      if let host = sessions.hosts(of: app).holders.first {
        return .host(app: app, host.connection)
      }
      return .launch(.application(app))
    }
    if let url, Self.openSchemes.contains(url.scheme) {
      return .launch(.handler(scheme: url.scheme))
    }
    if url == nil, refreshes { return .nobody }
    if url == nil, engine.kinds[widget.kind]?.provider.plugin != nil {
      // Its actions are printed by the plugin; the manifest need not name any.
      let items = engine.timelines[widget.timelineKey]?.shown?.content["items"]?.arrayValue ?? []
      throw RPCError(
        .nothingToOpen,
        "what you tapped on '\(widget.id)' has no action"
          + (items.isEmpty
            ? ""
            : "; 'intent-send show \(widget.id)' has its items: intent-send tap \(widget.id)"
              + " --item 0"))
    }
    throw RPCError(
      .nothingToOpen,
      url == nil
        ? "'\(widget.id)' has neither a URL nor an app; name one in its manifest (url, app)"
        : "nobody is named to open \(url?.text ?? ""); name the containing app in the manifest of \(widget.kind) (app: its desktop id)"
    )
  }

  /// Notes in the history, and for the stack, that the person used the widget.
  mutating func record(_ tap: Tap, at now: Now, into effects: inout [Effect]) {
    journal.append("tap", at: now.wall) { [isPrivate = engine.isPrivate] writer in
      guard !isPrivate else {
        writer.key("private")
        writer.bool(true)
        return
      }
      writer.key("widget")
      writer.string(tap.widget)
      writer.key("kind")
      writer.string(tap.kind)
      if tap.item.count == 1 {
        writer.key("item")
        writer.int(tap.item[0])
      } else if !tap.item.isEmpty {
        writer.key("item")
        writer.value(.array(tap.item.map { .int($0) }))
      }
      if tap.button != 1 {
        writer.key("button")
        writer.int(Int64(tap.button))
      }
      if let url = tap.url {
        writer.key("url")
        writer.string(url)
      }
      if let program = tap.program {
        writer.key("program")
        writer.string(program)
      }
      if let set = tap.set {
        writer.key("set")
        writer.value(.object(set))
      }
      if let intent = tap.intent {
        writer.key("intent")
        writer.string(intent)
      }
    }
    var output = EngineOutput()
    engine.record(.tap, of: tap.widget, at: now.wall, into: &output)
    if phase == .running { engine.advance(at: now, into: &output) }
    apply(output, at: now, into: &effects)
  }

  mutating func refresh(_ id: String, at now: Now, into effects: inout [Effect]) {
    var output = EngineOutput()
    do throws(WidgetError) {
      _ = try engine.requestReload(of: id, cause: .tap, at: now.wall, into: &output)
    } catch {
      preconditionFailure("the widget was there a moment ago: \(error.message)")
    }
    engine.advance(at: now, into: &output)
    apply(output, at: now, into: &effects)
  }

  /// Answers the tap that started an application, and notes the outcome in the history.
  ///
  /// The tap counts as a use only now: if nothing could be started, the person saw nothing.
  mutating func handleLaunch(
    _ token: LaunchToken, _ outcome: LaunchOutcome, at now: Now, into effects: inout [Effect]
  ) {
    if case .failed = outcome { _ = commands.end(token) }
    guard let launch = launches.end(token) else { return }
    let about: (name: String, value: String)
    switch launch {
    case .tap(_, let tap):
      about = ("widget", tap.widget)
      if case .started = outcome { record(tap, at: now, into: &effects) }
    case .command(let address, let tap):
      about = ("widget", tap.widget)
      // Where the tap opened something too, that is its use of the widget.
      if case .started = outcome, address != nil { record(tap, at: now, into: &effects) }
    case .callback(let outcome): about = ("callback", outcome)
    case .performed(let intent): about = ("intent", intent)
    }
    var isTold = true
    if case .callback = launch { isTold = links.takeEntry(at: now.monotonic) != nil }
    switch outcome {
    case _ where !isTold: break
    case .started(let application, let processID, let unit):
      var fields: JSONObject = [about.name: .string(about.value)]
      if case .command = launch {
        fields["program"] = .string(application)
      } else {
        fields["application"] = .string(application)
      }
      fields["pid"] = processID.map { .int(Int64($0)) }
      fields["unit"] = unit.map { .string($0) }
      journalAct("launched", at: now.wall, fields)
    case .failed(let reason, let message):
      journalAct(
        "launch.failed", at: now.wall,
        [
          about.name: .string(about.value), "reason": .string(reason), "message": .string(message),
        ])
    }
    let opened: String
    let answered: (address: ReplyAddress, tap: Tap)
    switch launch {
    case .tap(let address, let tap): (opened, answered) = ("desktop", (address, tap))
    case .command(let address?, let tap): (opened, answered) = ("program", (address, tap))
    case .command, .callback, .performed: return
    }
    outbox.releaseWaiting(answered.address)
    switch outcome {
    case .started(let application, let processID, let unit):
      statistics.countLaunch()
      var result: JSONObject = ["opened": .string(opened)]
      if opened == "desktop" { result["application"] = .string(application) }
      result["pid"] = processID.map { .int(Int64($0)) }
      result["unit"] = unit.map { .string($0) }
      outbox.answerWhenDurable(orUnsaved: answered.address, answered.tap.answer(result))
    case .failed(let reason, let message):
      outbox.refuse(
        answered.address, RPCError(.launchFailed, message, details: ["reason": .string(reason)]))
    }
  }

  /// Reads the token with which the opened app may take the focus; it is not kept anywhere.
  func activationToken(_ params: Params) throws(RPCError) -> String? {
    guard let token = try params.optionalString("activationToken") else { return nil }
    guard (1...WireLimits.activationTokenBytesMax).contains(token.utf8.count),
      token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw Params.refusal(
        "activationToken", "parameter 'activationToken' is not a token",
        expected:
          "1 to \(WireLimits.activationTokenBytesMax) visible ASCII characters, as the compositor gave them"
      )
    }
    return token
  }

  /// Notes the outcome of an act of the person; in private mode without its details.
  mutating func journalAct(_ event: String, at now: WallTime, _ fields: JSONObject) {
    journal.append(event, at: now, fields: engine.isPrivate ? ["private": true] : fields)
  }

  func profile(_ text: String) throws(RPCError) -> ProfiledURL {
    switch ProfiledURL.parse(tapped: text) {
    case .success(let url): return url
    case .failure(let error): throw RPCError(error)
    }
  }

  /// Fills the `{name}` places of a manifest's URL with parameters.
  ///
  /// Values are percent-encoded, so that each stays within its part of the URL. An object is its
  /// identifier, a place its name, a list its elements with commas. A name without a value leaves
  /// nothing.
  static func fill(_ template: String, _ parameters: JSONObject) -> String {
    var filled = ""
    let rest = forEachPlace(in: template) { text, name in
      filled += text
      if let value = parameters[name] {
        filled += IntentCatalog.urlForm(of: value).map(percentEncoded).joined(separator: ",")
      }
    }
    return filled + rest
  }

  /// Returns the names of the `{name}` places of a manifest's URL, in their order.
  static func placeNames(in template: String) -> [String] {
    var names: [String] = []
    _ = forEachPlace(in: template) { names.append($1) }
    return names
  }

  /// Calls `body` with the text before each place and the place's name; returns the text behind the
  /// last one.
  private static func forEachPlace(
    in template: String, _ body: (Substring, String) -> Void
  ) -> Substring {
    var rest = template[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      body(rest[..<open], String(rest[rest.index(after: open)..<close]))
      rest = rest[rest.index(after: close)...]
    }
    return rest
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
