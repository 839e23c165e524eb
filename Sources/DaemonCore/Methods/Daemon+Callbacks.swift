import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Handles x-callback-url: another app asks for an intent, and one of the app's own URLs is opened
/// when the intent is done.
///
/// A callback contains a widget's entry, so only the app that asked gets it: the host app that this
/// connection registered as, or the application that the client names. Any other sender, such as a
/// link in a page, is called back only if the intent's route allows it. The check comes first; a
/// URL whose callbacks may not be opened has no effect.
///
/// Exactly one of success, error and cancel is opened, once, in the way of a tap. A callback that
/// still waits when the daemon stops is not made.
extension Daemon {
  /// Performs the intent of an x-callback-url and keeps its callbacks for the end; an intent that
  /// is refused calls back its error at once.
  mutating func perform(
    _ request: XCallback, _ origin: Origin, app: String?, activationToken: String?, wait: Bool,
    _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    var origin = origin
    if origin.source == nil {
      origin.source = request.source.map { String($0.prefix(Limits.sourceLengthMax)) }
    }
    let ticket: CallbackTicket?
    do throws(RPCError) {
      ticket = try self.ticket(
        for: request, app: app ?? sessions.app(of: address.connection)?.id,
        activationToken: activationToken, at: now)
    } catch {
      // Prefer the refusal of the action itself, which is more helpful.
      if case .failed(let problem) = request.intent { throw RPCError(problem) }
      throw error
    }
    do throws(RPCError) {
      switch request.intent {
      case .failed(let problem): throw RPCError(problem)
      case .needs(let need):
        guard ticket == nil else { throw unanswered(need) }
        try follow(need, origin, address, at: now)
      case .ready(let intent):
        guard ticket != nil else {
          try follow(intent, origin, wait: wait, address, at: now, into: &effects)
          break
        }
        try checkCallsBack(intent, origin)
        origin.callback = ticket
        // Callbacks have a pace of their own, and this one kept it.
        try perform(intent, origin, wait: wait, address, at: now, into: &effects)
        if origin.isLink { links.countFollowed() }
      }
    } catch {
      if let ticket {
        callBack(
          ticket, .error(code: error.code, message: error.message), preferring: address.connection,
          at: now, into: &effects)
      }
      throw error
    }
  }

  /// Returns the app to call back; `nil` if the URL has no callbacks.
  private mutating func ticket(
    for request: XCallback, app: String?, activationToken: String?, at now: Now
  ) throws(RPCError) -> CallbackTicket? {
    guard !request.callbacks.isEmpty else { return nil }
    if app == nil,
      let stranger = request.callbacks.first(where: { !request.openCallbacks.contains($0.scheme) })
    {
      throw RPCError(
        .callbackDenied,
        "'\(stranger.scheme):' is not called back, since nobody knows who asks; register the app (app.register), name it (app, or intent-send open --app ID), or list the scheme under callbacks in the route of the intent",
        details: ["suggestions": []])
    }
    guard callbacks.mayAdd(at: now.monotonic) else {
      throw RPCError(
        .limitReached, "too many callbacks at once; open the URL again in a moment",
        details: ["max": .int(Int64(Limits.callbackCountMax))])
    }
    return CallbackTicket(
      target: app.map { .application($0) } ?? .chosen, success: request.success,
      error: request.error, cancel: request.cancel, activationToken: activationToken)
  }

  /// Calls back once the reloads of `intent` have ended.
  mutating func callBack(
    _ ticket: CallbackTicket, after receipts: [ReceiptID], of intent: Intent,
    showing widget: String?,
    at now: Now, into effects: inout [Effect]
  ) {
    callbacks.add(
      PendingCallback(
        ticket: ticket, intent: intent.name, receipts: receipts, widget: widget))
    settleCallbacks(at: now, into: &effects)
  }

  /// Calls back when the code of an intent has run: at once if it is not done, else once its reloads
  /// have ended.
  mutating func callBack(
    _ ticket: CallbackTicket, performed handled: HandledIntent, at now: Now,
    into effects: inout [Effect]
  ) {
    if let failed = handled.performed.first, failed.state != .done {
      // The program's own words stay with the person: they are not for other apps.
      callBack(
        ticket, .error(code: 1, message: "\(handled.intent.name): it was not performed"), at: now,
        into: &effects)
      return
    }
    callBack(
      ticket, after: handled.receipts, of: handled.intent, showing: handled.widget, at: now,
      into: &effects)
  }

  /// Opens the callbacks of intents that have ended.
  mutating func settleCallbacks(at now: Now, into effects: inout [Effect]) {
    guard !callbacks.isEmpty else { return }
    for callback in callbacks.removeAll() {
      if let outcome = outcome(of: callback, at: now) {
        callBack(callback.ticket, outcome, at: now, into: &effects)
      } else {
        callbacks.add(callback)
      }
    }
  }

  /// Returns the outcome of a callback's reloads; `nil` while one is under way.
  ///
  /// The outcome is a success as soon as one widget has its answer and no reload is under way.
  private func outcome(of callback: PendingCallback, at now: Now) -> CallbackOutcome? {
    var isDone = callback.receipts.isEmpty
    var isDeferred = false
    for id in callback.receipts {
      switch engine.leader(of: id)?.state {
      case .accepted: return nil
      case .done, .coalesced: isDone = true
      case .deferred: isDeferred = true
      case .none, .dropped: break
      }
    }
    if isDone { return .success(results(of: callback, at: now)) }
    // The provider's own error text stays in the history: it is not for other apps.
    if isDeferred {
      return .error(code: 75, message: "\(callback.intent): the reload was put off")
    }
    if let widget = callback.widget, engine.widgets[widget] == nil { return .cancel }
    return .error(code: 1, message: "\(callback.intent): the widget's provider failed")
  }

  /// Returns the widget's present entry as query items.
  private func results(of callback: PendingCallback, at now: Now) -> [ProfiledURL.QueryItem] {
    var items: [ProfiledURL.QueryItem] = [.init(name: "intent", value: callback.intent)]
    guard let widget = callback.widget, let view = engine.view(of: widget, at: now.wall),
      let content = view["entry"]?["content"]
    else { return items }
    func add(_ name: String, _ value: JSONValue?) {
      guard let text = value.flatMap(ContentModel.plainText), !text.isEmpty else { return }
      items.append(.init(name: name, value: Self.cut(text)))
    }
    add("title", content["title"])
    add("result", content["text"] ?? content["short"] ?? content["title"])
    if view["stale"] == true { items.append(.init(name: "stale", value: "true")) }
    return items
  }

  /// Returns as many whole characters as fit into `Limits.callbackResultBytesMax`; spaces replace
  /// control characters, which no URL may carry.
  private static func cut(_ text: String) -> String {
    var result = ""
    var count = 0
    for character in text {
      let isControl = character.unicodeScalars.contains {
        $0.value < 0x20 || (0x7F...0x9F).contains($0.value)
      }
      let piece = isControl ? " " : String(character)
      count += piece.utf8.count
      guard count <= Limits.callbackResultBytesMax else { break }
      result += piece
    }
    return result
  }

  /// Opens the callback of `outcome`, if there is one: in the connected app, else by a launch.
  private mutating func callBack(
    _ ticket: CallbackTicket, _ outcome: CallbackOutcome,
    preferring connection: ConnectionID? = nil,
    at now: Now, into effects: inout [Effect]
  ) {
    let url: ProfiledURL?
    let results: [ProfiledURL.QueryItem]
    switch outcome {
    case .success(let items): (url, results) = (ticket.success, items)
    case .error(let code, let message):
      url = ticket.error
      results = [
        .init(name: "errorCode", value: "\(code)"),
        .init(name: "errorMessage", value: Self.cut(message)),
      ]
    case .cancel: (url, results) = (ticket.cancel, [])
    }
    guard let url else { return }
    let text = XCallback.url(url, with: results)
    // Journal only the scheme: the result and the app's own parameters may be private.
    var fields: JSONObject = ["outcome": .string(outcome.name), "scheme": .string(url.scheme)]
    if case .application(let id) = ticket.target { fields["application"] = .string(id) }
    if let untold = links.takeEntry(at: now.monotonic) {
      if untold > 0 { fields["more"] = .int(untold) }
      journalAct("callback", at: now.wall, fields)
    }

    let target: LaunchRequest.Target
    switch ticket.target {
    case .chosen: target = .handler(scheme: url.scheme)
    case .application(let id):
      let hosts = sessions.hosts(of: id).holders.map(\.connection)
      if let host = connection.flatMap({ hosts.contains($0) ? $0 : nil }) ?? hosts.first {
        var opening: JSONObject = ["url": .string(text), "callback": .string(outcome.name)]
        if let token = ticket.activationToken { opening["activationToken"] = .string(token) }
        outbox.notifyWhenDurable(host, .appOpen, opening)
        return
      }
      target = .application(id)
    }
    let token = launches.begin(.callback(outcome: outcome.name))
    statistics.countLaunch()
    // Not before what it tells of is on disk.
    carryOut(
      .launch(
        token,
        LaunchRequest(target: target, url: text, activationToken: ticket.activationToken)),
      into: &effects)
  }
}
