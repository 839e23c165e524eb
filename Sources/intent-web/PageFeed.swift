import EventLoop
import Glibc
import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WebPages
import WebServer

/// The page's live part: one surface for all browsers, and a stream of events for each.
///
/// The surface is attached while a browser listens. Two seconds after the daemon went, the browsers
/// are told that nothing is current; a daemon that only restarts is back before that.
final class PageFeed {
  private let loop: Loop
  private let link: DaemonLink
  private var log: EventLog
  private var widgets: [String: JSONValue] = [:]
  private var order: [String] = []
  private var isAttached = false
  private var isLost = true
  private var listeners: [ObjectIdentifier: Listener] = [:]
  private let graceTimer: LoopTimer
  private let pulseTimer: LoopTimer

  private final class Listener {
    let exchange: WebExchange
    /// The last event that it was given; `nil`: it needs everything.
    var last: EventID?
    var isPulseDue = false

    init(_ exchange: WebExchange, after last: EventID?) {
      self.exchange = exchange
      self.last = last
    }
  }

  /// Milliseconds after the end of a connection for which its content passes for current.
  private static let graceMilliseconds: Int64 = 2_000

  /// The page's name as a surface.
  private static let surfaceName = "page"

  init(loop: Loop, link: DaemonLink) {
    self.loop = loop
    self.link = link
    // Numbers of an earlier start are not taken for those of this one.
    log = EventLog(epoch: UInt64(bitPattern: loop.readNow().wall.milliseconds))
    graceTimer = LoopTimer(loop: loop)
    pulseTimer = LoopTimer(loop: loop)
    link.onConnected = { [weak self] in self?.attach() }
    link.onLost = { [weak self] in self?.lost() }
    link.onNotification = { [weak self] method, params in
      if method == DaemonNotification.surfaceUpdate.rawValue { self?.take(params) }
    }
  }

  func close() {
    graceTimer.close()
    pulseTimer.close()
    listeners = [:]
  }

  // MARK: Browsers

  /// Answers with the stream of events after `last`, or with everything.
  func stream(_ exchange: WebExchange, after last: EventID?) {
    let listener = Listener(exchange, after: last)
    let key = ObjectIdentifier(exchange)
    listeners[key] = listener
    exchange.onEnd = { [weak self] in self?.ended(key) }
    let head = WebAnswer(
      200, "text/event-stream", [], head: [WebRequest.Field("Cache-Control", "no-store")])
    exchange.stream(head) { [weak self, weak listener] in
      guard let self, let listener else { return [] }
      return next(for: listener)
    }
    if listeners.count == 1 {
      pulse()
      if isAttached { link.request(.surfaceVisibility, ["visible": true]) { _ in } }
    }
    link.isWanted = true
    if link.isConnected, !isAttached { attach() }
  }

  private func ended(_ key: ObjectIdentifier) {
    listeners[key] = nil
    guard listeners.isEmpty else { return }
    link.isWanted = false
    pulseTimer.disarm()
    // The widgets are not kept fresh for nobody.
    if isAttached { link.request(.surfaceVisibility, ["visible": false]) { _ in } }
  }

  private func next(for listener: Listener) -> [UInt8] {
    var bytes: [UInt8]
    if let last = listener.last, let frames = log.frames(after: last) {
      bytes = frames
    } else {
      bytes = EventLog.frame("all", everything, id: log.lastID)
    }
    listener.last = log.lastID
    if bytes.isEmpty, listener.isPulseDue { bytes = EventLog.pulse }
    listener.isPulseDue = false
    return bytes
  }

  private var everything: JSONValue {
    [
      "widgets": .array(widgets.values.compactMap { PageWidget.members(of: $0) }),
      "order": .array(order.map { .string($0) }), "lost": .bool(isLost),
    ]
  }

  private func send(_ name: String, _ data: JSONValue) {
    log.append(name, data)
    for listener in listeners.values { listener.exchange.wake() }
  }

  /// Sends a sign of life now and then: a browser that went without a word is seen by it.
  private func pulse() {
    let moment = loop.readNow().monotonic.advanced(byMilliseconds: WebLimits.pulseMilliseconds)
    pulseTimer.arm(at: moment) { [weak self] in
      guard let self, !listeners.isEmpty else { return }
      for listener in listeners.values {
        listener.isPulseDue = true
        listener.exchange.wake()
      }
      pulse()
    }
  }

  // MARK: The surface

  private func attach() {
    guard !listeners.isEmpty else { return }
    isAttached = true
    let params: JSONValue = [
      "stack": true, "name": .string(Self.surfaceName), "visible": true,
      "wants": ["items", "images", "motion", "view"],
      // A page scrolls, so it has the room of a Today page.
      "entryPoint": "today",
    ]
    link.request(.surfaceAttach, params) { [weak self] answer in
      guard let self else { return }
      guard case .success(let value) = answer else {
        isAttached = false
        return
      }
      widgets = [:]
      order = []
      isLost = false
      graceTimer.disarm()
      merge(value)
      send("all", everything)
    }
  }

  private func lost() {
    isAttached = false
    guard !isLost else { return }
    let moment = loop.readNow().monotonic.advanced(byMilliseconds: Self.graceMilliseconds)
    graceTimer.arm(at: moment) { [weak self] in
      guard let self, !isAttached || !link.isConnected else { return }
      isLost = true
      send("lost", .object(JSONObject()))
    }
  }

  private func take(_ update: JSONValue) {
    merge(update)
    var event = JSONObject()
    let changed = (update["widgets"]?.arrayValue ?? []).compactMap { PageWidget.members(of: $0) }
    if !changed.isEmpty { event["widgets"] = .array(changed) }
    if let removed = update["removed"] { event["removed"] = removed }
    if update["stack"] != nil { event["order"] = .array(order.map { .string($0) }) }
    send("update", .object(event))
  }

  private func merge(_ update: JSONValue) {
    for id in update["removed"]?.arrayValue ?? [] {
      if let id = id.stringValue { widgets[id] = nil }
    }
    for widget in update["widgets"]?.arrayValue ?? [] {
      if let id = widget["id"]?.stringValue { widgets[id] = widget }
    }
    if let stack = update["stack"]?.arrayValue { order = stack.compactMap(\.stringValue) }
  }

  // MARK: Acts

  func tap(_ exchange: WebExchange, _ tap: PageTap) {
    var params: JSONObject = ["id": .string(tap.id), "revision": .int(tap.revision)]
    if !tap.item.isEmpty { params["item"] = .array(tap.item.map { .int($0) }) }
    params["idempotencyKey"] = tap.key.map { .string($0) }
    act(exchange, .widgetTap, .object(params), within: WebLimits.tapMilliseconds)
  }

  func reload(_ exchange: WebExchange, _ id: String) {
    act(exchange, .widgetReload, ["id": .string(id)])
  }

  /// Shows a widget expanded or compact on the page, in all browsers.
  func setMode(_ exchange: WebExchange, _ id: String, isExpanded: Bool) {
    act(
      exchange, .widgetSetMode,
      [
        "id": .string(id), "mode": isExpanded ? "expanded" : "compact",
        "name": .string(Self.surfaceName),
      ])
  }

  private func act(
    _ exchange: WebExchange, _ method: Method, _ params: JSONValue,
    within milliseconds: Int64 = WebLimits.answerMilliseconds
  ) {
    link.request(method, params, within: milliseconds) { answer in
      switch answer {
      case .success(let value): exchange.answer(PanelAnswer.json(200, PageWords.of(value)))
      case .failure(let error):
        exchange.answer(
          PanelAnswer.json(409, ["error": .string(PageWords.line(error.message))]))
      case nil:
        exchange.answer(
          PanelAnswer.json(503, ["error": .string(Self.silence(after: method))]))
      }
    }
  }

  /// The words for a request that got no answer; what a tap does may go on.
  private static func silence(after method: Method) -> String {
    method == .widgetTap
      ? "There is no answer yet. A program may still be at work: the widget shows what came of it."
      : "intentd does not answer"
  }

  /// Answers with a picture of a widget: an image, whatever its bytes are, or 304 to a browser that
  /// has it.
  func picture(_ exchange: WebExchange, _ hash: String) {
    if let known = PagePicture.unchanged(hash, for: exchange.request) {
      return exchange.answer(known)
    }
    link.request(.imageGet, ["hash": .string(hash)]) { answer in
      guard case .success(let value) = answer,
        let type = value["type"]?.stringValue,
        let data = value["data"]?.stringValue, let bytes = Base64.decode(data[...].utf8),
        let picture = PagePicture.answer(hash, type: type, bytes)
      else { return exchange.answer(WebAnswer(404, text: "There is no such picture.")) }
      exchange.answer(picture)
    }
  }
}
