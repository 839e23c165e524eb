package import BusMessages
import JSON
package import Timekeeping

/// The desktop's search as a client of the core: calls of the session's bus in, lines of the
/// protocol out, and the other way round.
///
/// It reads no clock and opens no connection: `take` is given a call of the bus, `heard` a line of
/// the core, `passed` the time. GNOME Shell and KRunner call at every key, so the core is only asked for completions, which change
/// nothing. Three rules are here:
///
/// - A newer query of a caller replaces its older one, which is answered with nothing.
/// - No query is answered later than `DesktopLimits.searchWaitMax`.
/// - While the session is locked nothing is found, and nothing is done.
package struct DesktopSearch {
  /// The number of a call, which its answer has.
  package typealias CallNumber = UInt64

  /// One thing to do for a call.
  package enum Output: Hashable, Sendable {
    case reply(CallNumber, [BusValue])
    case refuse(CallNumber, name: String, message: String)
    /// A line of the protocol for the core, with its line feed.
    case send([UInt8])
    /// A call of another service: a notification.
    case call(BusRequest)
    /// The page of widgets is to be opened, if there is one.
    case openPage(activationToken: String?)
  }

  /// Whether the session is locked.
  package var isLocked = false {
    didSet { if isLocked { callers = [:] } }
  }

  /// The languages of the session for a text, in order.
  private let languages: (String) -> [String]
  private var lastRequest: Int64 = 0
  /// The requests that wait for the core, by id.
  var requests: [Int64: Request] = [:]
  /// The callers whose last results are remembered, by their unique names on the bus.
  var callers: [String: Caller] = [:]
  private var lastCaller: UInt64 = 0
  /// URLs that are being opened, by call.
  private var openings: [CallNumber: Opening] = [:]

  package init(languages: @escaping (String) -> [String]) { self.languages = languages }

  struct Request {
    var about: Subject
    var deadline: Instant
  }

  enum Subject {
    case search(CallNumber, sender: String, Asker)
    /// A result that was chosen: `choice` answers the question that it asks.
    case act(sentence: String, choice: JSONValue?, token: String?)
    case open(CallNumber)
  }

  /// The two who search.
  enum Asker { case shell, runner }

  struct Caller {
    /// Callers are numbered in the order of their first results; the lowest is forgotten first.
    var number: UInt64
    var results: [SearchResult] = []
    /// The activation token for the next run.
    var token: String?
  }

  private struct Opening {
    var sender: String
    var left: Int
    var failure: String?
  }

  /// The moment at which something has to be answered; `nil`: nothing waits.
  package var deadline: Instant? { requests.values.map(\.deadline).min() }

  /// Whether the core need not be connected: no request waits, and no caller has results or a token.
  ///
  /// A caller keeps its results until `Teardown`, the lock, or its end on the bus.
  package var isIdle: Bool { requests.isEmpty && callers.isEmpty }

  // MARK: - What happens

  /// Answers the calls whose time is up.
  package mutating func passed(at now: Instant, into outputs: inout [Output]) {
    for (id, request) in requests.sorted(by: { $0.key < $1.key }) where request.deadline <= now {
      requests[id] = nil
      switch request.about {
      case .search(let call, _, let asker): outputs.append(.reply(call, Self.nothing(for: asker)))
      case .act: break
      case .open(let call):
        ended(call, failure: "the daemon did not answer in time", into: &outputs)
      }
    }
  }

  /// Takes a line that the core sent.
  package mutating func heard(_ line: [UInt8], at now: Instant, into outputs: inout [Output]) {
    let message: JSONValue
    do throws(JSONError) { message = try JSONValue(parsing: line) } catch { return }
    guard let id = message["id"]?.intValue, let request = requests.removeValue(forKey: id) else {
      // A notification, or the answer to a query that a newer one replaced.
      return
    }
    switch request.about {
    case .search(let call, let sender, let asker):
      let results = isLocked ? [] : SearchResult.results(of: message["result"])
      remember(results, of: sender)
      outputs.append(.reply(call, Self.answer(results, for: asker)))
    case .act(let sentence, let choice, let token):
      acted(message, sentence, choice, token, at: now, into: &outputs)
    case .open(let call):
      ended(
        call, failure: message["error"].map { $0["message"]?.stringValue ?? "it failed" },
        into: &outputs)
    }
  }

  /// Forgets a caller that has gone from the bus; what it has chosen is still done.
  package mutating func callerLeft(_ sender: String) {
    callers[sender] = nil
    // Their URLs are opened all the same.
    openings = openings.filter { $0.value.sender != sender }
    for (id, request) in requests {
      if case .search(_, sender, _) = request.about { requests[id] = nil }
    }
  }

  /// Refuses everything that waits: the connection to the core is gone.
  package mutating func lostCore(into outputs: inout [Output]) {
    for (id, request) in requests.sorted(by: { $0.key < $1.key }) {
      requests[id] = nil
      switch request.about {
      case .search(let call, _, let asker): outputs.append(.reply(call, Self.nothing(for: asker)))
      case .act: break
      case .open(let call): ended(call, failure: "the daemon is busy", into: &outputs)
      }
    }
  }

  /// Forgets all calls and callers: the bus is gone, and nobody hears an answer.
  package mutating func lostBus() {
    callers = [:]
    openings = [:]
    for (id, request) in requests {
      // A chosen sentence is sent already; its answer is shown if a bus is there by then.
      if case .act = request.about { continue }
      requests[id] = nil
    }
  }

  // MARK: - Searching

  mutating func search(
    _ text: String, _ call: CallNumber, _ sender: String, _ asker: Asker, at now: Instant,
    into outputs: inout [Output]
  ) {
    for (id, request) in requests.sorted(by: { $0.key < $1.key }) {
      guard case .search(let older, sender, asker) = request.about else { continue }
      requests[id] = nil
      outputs.append(.reply(older, Self.nothing(for: asker)))
    }
    guard !isLocked, text.contains(where: { !$0.isWhitespace }),
      text.unicodeScalars.count <= DesktopLimits.queryLengthMax,
      requests.count < DesktopLimits.requestCountMax
    else {
      return outputs.append(.reply(call, Self.nothing(for: asker)))
    }
    ask(
      "intent.complete",
      [
        "text": .string(text), "languages": languagesOf(text),
        "limit": .int(Int64(DesktopLimits.completionCountMax)), "content": true,
      ], .search(call, sender: sender, asker), for: DesktopLimits.searchWaitMax, at: now,
      into: &outputs)
  }

  private func languagesOf(_ text: String) -> JSONValue {
    .array(languages(text).map { .string($0) })
  }

  private mutating func remember(_ results: [SearchResult], of sender: String) {
    guard !results.isEmpty || callers[sender] != nil else { return }
    var caller = known(sender)
    // Those of the query before, too: somebody may still ask about them.
    let kept = caller.results.filter { old in !results.contains { $0.id == old.id } }
    caller.results = results + kept.prefix(DesktopLimits.resultCountMax)
    callers[sender] = caller
  }

  private mutating func known(_ sender: String) -> Caller {
    if let caller = callers[sender] { return caller }
    if callers.count >= DesktopLimits.callerCountMax,
      let oldest = callers.min(by: { $0.value.number < $1.value.number })
    {
      callers[oldest.key] = nil
    }
    lastCaller += 1
    return Caller(number: lastCaller)
  }

  mutating func setToken(_ token: String, of sender: String) {
    guard !isLocked, let token = Self.activationToken(token) else {
      forgetToken(of: sender)
      return
    }
    var caller = known(sender)
    caller.token = token
    callers[sender] = caller
  }

  private mutating func forgetToken(of sender: String) {
    callers[sender]?.token = nil
    if callers[sender]?.results.isEmpty == true { callers[sender] = nil }
  }

  /// Forgets what a caller found; its next query begins anew.
  mutating func endSearch(_ sender: String) {
    callers[sender]?.results = []
    if callers[sender]?.token == nil { callers[sender] = nil }
  }

  // MARK: - Acting

  /// Sends the sentence of a result, once.
  mutating func act(on id: String, _ sender: String, at now: Instant, into outputs: inout [Output])
    -> Bool
  {
    guard !isLocked, requests.count < DesktopLimits.requestCountMax,
      let chosen = SearchResult.Identity(id: id)
    else { return false }
    let token = callers[sender]?.token
    forgetToken(of: sender)
    var params: JSONObject = [
      "text": .string(chosen.sentence), "languages": languagesOf(chosen.sentence), "wait": true,
      // The person chose this sentence, and no other that is near to it.
      "strict": true, "source": "search",
    ]
    if let language = chosen.language { params["languages"] = [.string(language)] }
    params["activationToken"] = token.map { .string($0) }
    ask(
      "intent.send", params, .act(sentence: chosen.sentence, choice: chosen.choice, token: token),
      for: DesktopLimits.actWaitMax, at: now, into: &outputs)
    return true
  }

  private mutating func acted(
    _ message: JSONValue, _ sentence: String, _ choice: JSONValue?, _ token: String?,
    at now: Instant, into outputs: inout [Output]
  ) {
    // Nobody reads the answer, and others may see the screen.
    guard !isLocked else { return }
    if let choice, let question = message["result"]?["needs"]?["token"] {
      var params: JSONObject = ["resume": question, "choice": choice, "wait": true]
      params["activationToken"] = token.map { .string($0) }
      return ask(
        "intent.send", params, .act(sentence: sentence, choice: nil, token: token),
        for: DesktopLimits.actWaitMax, at: now, into: &outputs)
    }
    outputs.append(.call(SearchNotice(message, of: sentence).request))
  }

  // MARK: - Opening

  mutating func open(
    _ urls: [String], _ call: CallNumber, _ sender: String, token: String?, at now: Instant,
    into outputs: inout [Output]
  ) {
    guard !urls.isEmpty else { return outputs.append(.reply(call, [])) }
    guard !isLocked else {
      return outputs.append(
        .refuse(
          call, name: "org.freedesktop.DBus.Error.AccessDenied",
          message: "the session is locked; unlock it, and open the link again"))
    }
    guard urls.count <= DesktopLimits.urlCountMax,
      requests.count + urls.count <= DesktopLimits.requestCountMax
    else {
      return outputs.append(
        .refuse(
          call, name: "org.freedesktop.DBus.Error.LimitsExceeded", message: "too many URLs at once")
      )
    }
    openings[call] = Opening(sender: sender, left: urls.count)
    for url in urls {
      var params: JSONObject = ["url": .string(url)]
      params["activationToken"] = token.map { .string($0) }
      ask(
        "url.open", params, .open(call), for: DesktopLimits.openWaitMax, at: now, into: &outputs)
    }
  }

  /// One URL of a call was opened, or not; the last one answers the call.
  private mutating func ended(
    _ call: CallNumber, failure: String?, into outputs: inout [Output]
  ) {
    guard var opening = openings[call] else { return }
    opening.left -= 1
    opening.failure = opening.failure ?? failure
    openings[call] = opening.left > 0 ? opening : nil
    guard opening.left == 0 else { return }
    if let failure = opening.failure {
      outputs.append(
        .refuse(call, name: "org.freedesktop.DBus.Error.Failed", message: failure))
    } else {
      outputs.append(.reply(call, []))
    }
  }

  static func activationToken(_ text: String?) -> String? {
    guard let text, (1...DesktopLimits.tokenBytesMax).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    return text
  }

  private mutating func ask(
    _ method: String, _ params: JSONObject, _ subject: Subject, for milliseconds: Int64,
    at now: Instant, into outputs: inout [Output]
  ) {
    lastRequest += 1
    requests[lastRequest] = Request(
      about: subject, deadline: now.advanced(byMilliseconds: milliseconds))
    let request: JSONValue = [
      "jsonrpc": "2.0", "id": .int(lastRequest), "method": .string(method),
      "params": .object(params),
    ]
    var bytes: [UInt8] = []
    request.write(into: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    outputs.append(.send(bytes))
  }
}
