import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// x-callback-url: another app asks for an intent, and one URL of its own is opened when it is done.
///
/// A callback carries what a widget shows, so it goes to nobody but the one who asked: the host app
/// that this connection registered as, or the application that the client names. Who is neither (a
/// link that somebody clicked) is called back only where the intent's route says that anybody may
/// be. That is checked before anything is done; a URL whose callbacks may not be opened does
/// nothing at all.
///
/// Exactly one of success, error and cancel is opened, once; it goes the way of a tap. What is still
/// waiting when the daemon stops is not called back.
extension Daemon {
  /// The intent of an x-callback-url, and its callbacks with it.
  mutating func perform(
    _ request: XCallback, _ origin: Origin, app: String?, wait: Bool, _ address: ReplyAddress,
    at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    var origin = origin
    if origin.source == nil {
      origin.source = request.source.map { String($0.prefix(Limits.sourceLengthMax)) }
    }
    let ticket: CallbackTicket?
    do throws(RPCError) {
      ticket = try self.ticket(
        for: request, app: app ?? sessions[address.connection]?.app?.id, at: now)
    } catch {
      // What is wrong with the action itself helps more.
      if case .failed(let problem) = request.intent { throw RPCError(problem) }
      throw error
    }
    do throws(RPCError) {
      switch request.intent {
      case .failed(let problem): throw RPCError(problem)
      case .needs(let need): throw unanswered(need)
      case .ready(let intent):
        origin.callback = ticket
        try perform(intent, origin, wait: wait, address, at: now, into: &effects)
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

  /// Who may be called back; `nil` when nobody asked to be.
  private mutating func ticket(
    for request: XCallback, app: String?, at now: Now
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
    guard callbacks.pending.count < Limits.callbackCountMax,
      callbacks.pacing.take(at: now.monotonic)
    else {
      throw RPCError(
        .limitReached, "too many callbacks at once; open the URL again in a moment",
        details: ["max": .int(Int64(Limits.callbackCountMax))])
    }
    return CallbackTicket(
      target: app.map { .application($0) } ?? .chosen, success: request.success,
      error: request.error, cancel: request.cancel)
  }

  /// Calls back once the reloads of `intent` have ended.
  mutating func callBack(
    _ ticket: CallbackTicket, after receipts: [ReceiptID], of intent: Intent,
    showing widget: String?,
    at now: Now, into effects: inout [Effect]
  ) {
    callbacks.pending.append(
      PendingCallback(
        ticket: ticket, intent: intent.name, receipts: receipts, widget: widget))
    settleCallbacks(at: now, into: &effects)
  }

  /// Opens the callbacks of what has ended meanwhile.
  mutating func settleCallbacks(at now: Now, into effects: inout [Effect]) {
    guard !callbacks.pending.isEmpty else { return }
    let pending = callbacks.pending
    callbacks.pending = pending.filter { outcome(of: $0, at: now) == nil }
    for callback in pending {
      guard let outcome = outcome(of: callback, at: now) else { continue }
      callBack(callback.ticket, outcome, at: now, into: &effects)
    }
  }

  /// How it went; `nil` while a reload is under way.
  ///
  /// One widget that has its answer is enough.
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
    // What a provider says when it fails is for its owner's eyes, and stays in the history.
    if isDeferred {
      return .error(code: 75, message: "\(callback.intent): the reload was put off")
    }
    if let widget = callback.widget, engine.widgets[widget] == nil { return .cancel }
    return .error(code: 1, message: "\(callback.intent): the widget's provider failed")
  }

  /// What the widget shows now, as a person would read it out.
  private func results(of callback: PendingCallback, at now: Now) -> [ProfiledURL.QueryItem] {
    var items: [ProfiledURL.QueryItem] = [.init(name: "intent", value: callback.intent)]
    guard let widget = callback.widget, let view = engine.view(of: widget, at: now.wall),
      let content = view["entry"]?["content"]
    else { return items }
    func add(_ name: String, _ value: JSONValue?) {
      guard let text = value?.stringValue, !text.isEmpty else { return }
      items.append(.init(name: name, value: Self.cut(text)))
    }
    add("title", content["title"])
    add("result", content["text"] ?? content["short"] ?? content["title"])
    if view["stale"] == true { items.append(.init(name: "stale", value: "true")) }
    return items
  }

  /// As many whole characters as fit, without control characters, which no URL may carry.
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

  /// Opens the callback of `outcome`, if there is one: to the connected app, else by the desktop.
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
    // Only where it went: what was said may be private, and so may be the app's own parameters.
    var fields: JSONObject = ["outcome": .string(outcome.name), "scheme": .string(url.scheme)]
    if case .application(let id) = ticket.target { fields["application"] = .string(id) }
    journalAct("callback", at: now.wall, fields)

    let target: LaunchRequest.Target
    switch ticket.target {
    case .chosen: target = .handler(scheme: url.scheme)
    case .application(let id):
      let hosts = sessions.filter { $0.value.app?.id == id }.keys
      if let host = connection.flatMap({ hosts.contains($0) ? $0 : nil }) ?? hosts.min() {
        notifyWhenDurable(
          host, .appOpen, ["url": .string(text), "callback": .string(outcome.name)])
        return
      }
      target = .application(id)
    }
    lastLaunch += 1
    let token = LaunchToken(lastLaunch)
    callbacks.launches[token] = outcome.name
    counters.launches += 1
    effects.append(.launch(token, LaunchRequest(target: target, url: text)))
  }

  /// Whether the launch was a callback's; nobody waits for it, so its outcome is history.
  mutating func callbackLaunched(
    _ token: LaunchToken, _ outcome: LaunchOutcome, at now: Now
  ) -> Bool {
    guard let name = callbacks.launches.removeValue(forKey: token) else { return false }
    switch outcome {
    case .started(let application, let processID):
      journalAct(
        "launched", at: now.wall,
        [
          "callback": .string(name), "application": .string(application),
          "pid": .int(Int64(processID)),
        ])
    case .failed(let reason, let message):
      journalAct(
        "launch.failed", at: now.wall,
        [
          "callback": .string(name), "reason": .string(reason), "message": .string(message),
        ])
    }
    return true
  }
}
