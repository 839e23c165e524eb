import DaemonCore
import Downloads
import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import VirtualTime
import WidgetCenter

/// Fuzzes the whole core: each byte of the input chooses the next event, and any byte chooses a
/// possible one.
///
/// The simulator draws likely worlds; this fuzzer searches unlikely ones, led by coverage. Its
/// machine is smaller. It keeps the contract between core and shell (one outcome a run, one answer
/// a transaction). After each turn it checks that the core's invariants hold, that each sent line
/// is JSON, that each request is answered once, with a documented code, and that each wake-up is
/// armed. At the end all work under way succeeds, the daemon stops, and each request must have its
/// answer.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var machine = Machine(choices: Choices(bytes: bytes(start, count)))
  machine.run()
  return 0
}

/// The input as a source of decisions.
///
/// At its end, each decision is the first of its kind.
private struct Choices {
  var bytes: [UInt8]
  var index = 0

  var isDone: Bool { index >= bytes.count }

  mutating func next() -> UInt8 {
    guard index < bytes.count else { return 0 }
    index += 1
    return bytes[index - 1]
  }

  mutating func pick<Element>(_ items: [Element]) -> Element { items[Int(next()) % items.count] }

  mutating func raw() -> [UInt8] {
    let count = min(Int(next() % 32), bytes.count - index)
    index += count
    return Array(bytes[(index - count)..<index])
  }
}

private struct Client {
  /// Whether the client sent bytes whose answer cannot be predicted.
  var isWild = false
  var isClosing = false
  var outstanding: Set<Int64> = []
  /// The number of expected refusals with id null, one for each line that cannot be read.
  var nullsExpected = 0
  /// The rest of a line that was sent in part, with the answers it entitles to.
  var unsent: [UInt8] = []
  var unsentIDs: [Int64] = []
  var unsentNulls = 0
}

private struct Machine: VirtualShell {
  var choices: Choices
  var daemon = Daemon(options: .init(userID: 1000, processID: 7, version: "fuzzed"))
  var isAlive = false
  var hasStopped = false
  /// Starts at 2026-11-20T20:00:01Z; nothing is planned, since bytes decide when something happens.
  var clock = VirtualClock<Never>(wall: WallTime(milliseconds: 1_795_204_801_000))
  var inbox: [Event] = []

  var clients: [ConnectionID: Client] = [:]
  var lastConnection: UInt64 = 0
  var lastRequest: Int64 = 0

  // The requests to the shell that are under way.
  var isLoading = false
  var isReading = false
  var isClosing = false
  var isStopping = false
  var isReady = false
  var runs: [RunToken] = []
  var cancelled: Set<RunToken> = []
  var launches: [LaunchToken] = []
  var fetches: [FetchRequest] = []
  var transaction: (number: UInt64, writes: [StoreWrite])?
  var lastTransaction: UInt64 = 0
  var lastRun: UInt64 = 0
  var lastFetch: UInt64 = 0

  // The disk.
  var tables: [StoreTable: [String: [UInt8]]] = [:]
  var journal: [Int64: [UInt8]] = [:]

  var monotonic: Instant { clock.monotonic }

  init(choices: Choices) { self.choices = choices }

  mutating func run() {
    startProcess()
    if choices.next() & 1 == 0 { bringUp() }
    while !choices.isDone {
      let byte = choices.next()
      if !isAlive { startProcess() }
      happen(byte & 0x1F)
      // A turn handles the events that arrived during the last one.
      if byte < 0xC0 { endTurn() }
    }
    endTurn()
    finish()
  }

  private mutating func startProcess() {
    daemon = Daemon(options: .init(userID: 1000, processID: 7, version: "fuzzed"))
    isAlive = true
    isLoading = false
    isReading = false
    isClosing = false
    isStopping = false
    isReady = false
    runs = []
    cancelled = []
    launches = []
    fetches = []
    lastTransaction = 0
    lastRun = 0
    lastFetch = 0
    clock.wakeUpAt = nil
    clients = [:]
    inbox = []
    handle(.started)
    endTurn()
  }

  private mutating func bringUp() {
    answerStore(good: true)
    endTurn()
    handleConfiguration(0)
    endTurn()
    connect(userID: 1000)
  }

  private mutating func handle(_ event: Event) {
    if isAlive { inbox.append(event) }
  }

  // MARK: Events

  private mutating func happen(_ choice: UInt8) {
    switch choice {
    case 0...8: ask()
    case 9: connect(userID: choices.next() == 255 ? 1001 : 1000)
    case 10:
      guard let connection = someClient() else { return }
      clients[connection] = nil
      handle(.disconnected(connection))
    case 11: sendGarbage()
    case 12, 13: answerStore(good: true)
    case 14: answerStore(good: false)
    case 15, 16, 17: endRun()
    case 18: endLaunch()
    case 19: endFetch()
    case 20: pass(milliseconds: Int64(choices.next()) * 50)
    case 21: pass(milliseconds: Int64(choices.next()) * 600_000)
    case 22:
      let days = Int64(Int8(bitPattern: choices.next()))
      clock.setWall(by: days * 3_600_000 + days)
      if days & 1 == 0 { handle(.clockChanged) }
    case 23, 24: passUntilWakeUp()
    case 25: handleConfiguration(choices.next())
    case 26: handle(choices.next() & 1 == 0 ? .reloadRequested : .filesChanged)
    case 27: someClient().map { handle(choices.next() & 1 == 0 ? .backedUp($0) : .drained($0)) }
    case 28:
      guard choices.next() & 7 == 0 else { return }
      isStopping = true
      handle(.stopRequested)
    case 29: crash()
    case 30:
      let choice = choices.next()
      // A wake-up that is late: what it was for is done.
      handle(choice & 1 == 0 ? .wakeUp : .machine(machineEvent(choice >> 1)))
    default:
      handle(.provider(RunToken(UInt64(choices.next())), .failed(ProviderFailure(.cancelled))))
    }
  }

  /// News of the machine, in any order.
  private func machineEvent(_ choice: UInt8) -> MachineEvent {
    switch choice & 7 {
    case 0: .willSleep
    case 1: .didWake
    case 2, 3: .sessionLocked(true)
    case 4, 5: .sessionLocked(false)
    case 6:
      .supplyChanged(
        MachineSupply(isOnBattery: true, batteryPercent: Double(choice) / 2, isMetered: false))
    default: .supplyChanged(MachineSupply(isMetered: choice & 8 == 0))
    }
  }

  private mutating func someClient() -> ConnectionID? {
    let all = clients.keys.sorted().filter { clients[$0]?.isClosing == false }
    return all.isEmpty ? nil : choices.pick(all)
  }

  private mutating func connect(userID: UInt32) {
    lastConnection += 1
    let connection = ConnectionID(lastConnection)
    // A client of another user is closed without a line, and no answer is expected.
    clients[connection] = Client(isClosing: userID != 1000)
    handle(.connected(connection, Peer(userID: userID, processID: 99)))
  }

  private mutating func answerStore(good: Bool) {
    if isLoading {
      isLoading = false
      guard good || choices.next() & 7 != 0 else {
        handle(.store(.loadFailed(StoreFailure(code: .cannotOpen, message: "no disk"))))
        return
      }
      var state = StoredState()
      for table in StoreTable.allCases {
        state.tables[table] = (tables[table] ?? [:]).sorted { $0.key < $1.key }
          .map { .init(key: $0.key, bytes: $0.value) }
      }
      state.journal = journal.sorted { $0.key < $1.key }
        .map { .init(sequence: $0.key, bytes: $0.value) }
      handle(.store(.loaded(state)))
    } else if let (number, writes) = transaction {
      transaction = nil
      if good {
        for write in writes { apply(write) }
        handle(.store(.committed(transaction: number)))
      } else {
        let code: StoreFailure.Code = choices.next() & 1 == 0 ? .diskFull : .system
        handle(
          .store(.commitFailed(transaction: number, StoreFailure(code: code, message: "not taken")))
        )
      }
    } else if isClosing {
      isClosing = false
      handle(.store(.closed))
    }
  }

  private mutating func apply(_ write: StoreWrite) {
    switch write {
    case .put(let table, let key, let bytes): tables[table, default: [:]][key] = bytes
    case .remove(let table, let key): tables[table]?[key] = nil
    case .appendJournal(let sequence, let bytes):
      precondition(journal[sequence] == nil, "a journal row is written over")
      journal[sequence] = bytes
    case .pruneJournal(let below): journal = journal.filter { $0.key >= below }
    case .scrub: break
    }
  }

  private mutating func crash() {
    if choices.next() & 1 == 0 { transaction?.writes.forEach { apply($0) } }
    transaction = nil
    isAlive = false
    startProcess()
    if choices.next() & 1 == 0 { bringUp() }
  }

  private mutating func endRun() {
    guard !runs.isEmpty else { return }
    let token = runs.remove(at: Int(choices.next()) % runs.count)
    guard cancelled.remove(token) == nil else {
      handle(.provider(token, .failed(ProviderFailure(.cancelled))))
      return
    }
    switch choices.next() % 8 {
    case 0...4: handle(.provider(token, .answered(timeline())))
    case 5: handle(.provider(token, .answered(choices.raw())))
    case 6:
      let reason = choices.pick([
        ProviderFailure.Reason.exited(code: 1), .signaled(signal: 9), .timedOut(after: 30_000),
        .tooMuchOutput(limit: 1), .notStarted("no such file"), .refused("no"),
      ])
      handle(.provider(token, .failed(ProviderFailure(reason, diagnostics: text(choices.raw())))))
    default:
      let answer = timeline()
      handle(.provider(token, .answered(answer)))
      handle(.provider(token, .answered(answer)))
    }
  }

  private mutating func endLaunch() {
    guard !launches.isEmpty else { return }
    let token = launches.remove(at: Int(choices.next()) % launches.count)
    let started = LaunchOutcome.started(application: "org.fuzz.App", processID: 4711)
    handle(
      .launched(
        token, choices.next() & 1 == 0 ? started : .failed(reason: "no-handler", message: "none")))
  }

  private mutating func endFetch() {
    guard !fetches.isEmpty else { return endLaunch() }
    let request = fetches.remove(at: Int(choices.next()) % fetches.count)
    let shape = choices.next()
    switch shape % 8 {
    case 6: handle(.fetched(request.token, .failed("ended")))
    case 7: handle(.fetched(request.token, .noProgram))
    default:
      let results = request.items.compactMap { result(of: $0, choices.next()) }
      handle(.fetched(request.token, .ended(results)))
      // A second outcome changes nothing.
      if shape % 8 == 5 { handle(.fetched(request.token, .noProgram)) }
    }
  }

  /// Returns the result of one download; `nil`: the program ended before it.
  private func result(of item: FetchRequest.Item, _ choice: UInt8) -> DownloadResult? {
    if choice % 8 == 7 { return nil }
    let file = DownloadResult.File(
      path: "/cache/\(choice % 3)", status: 200, isUnchanged: choice & 8 != 0, byteCount: 3,
      date: clock.wall)
    guard choice % 8 > 4 else { return DownloadResult(id: item.name, file: file) }
    let code = choice & 8 == 0 ? DownloadError.Code.unreachable : .tooLarge
    let error = DownloadError(
      code, "it failed", hint: "try again",
      retryAt: choice & 16 == 0 ? nil : clock.wall.advanced(byMilliseconds: Int64(choice) * 60_000))
    return DownloadResult(id: item.name, file: choice & 32 == 0 ? nil : file, error: error)
  }

  private mutating func pass(milliseconds: Int64) {
    clock.move(to: monotonic.advanced(byMilliseconds: milliseconds))
  }

  private mutating func passUntilWakeUp() {
    guard let moment = clock.wakeUpAt else { return }
    // Move at most 400 days: a shell arms no timer for the end of time.
    clock.move(to: min(moment, monotonic.advanced(byMilliseconds: 400 * 86_400_000)))
    if clock.takeWakeUp() { handle(.wakeUp) }
  }

  private mutating func handleConfiguration(_ choice: UInt8) {
    guard isReading else { return }
    isReading = false
    handle(.configuration(configuration(choice)))
  }

  // MARK: Requests

  private mutating func ask() {
    guard let connection = someClient() else { return }
    let shape = choices.next()
    var line: [UInt8] = []
    var ids: [Int64] = []
    if shape % 16 == 15 {
      let count = Int(choices.next() % 5)
      line.append(UInt8(ascii: "["))
      for index in 0..<count {
        if index > 0 { line.append(UInt8(ascii: ",")) }
        appendRequest(to: &line, &ids, isNotification: choices.next() & 7 == 7)
      }
      line.append(UInt8(ascii: "]"))
      // An empty batch is refused with id null.
      if count == 0 { clients[connection]?.unsentNulls += 1 }
    } else {
      appendRequest(to: &line, &ids, isNotification: shape % 16 == 14)
    }
    line.append(10)
    clients[connection]?.unsent += line
    clients[connection]?.unsentIDs += ids
    if shape & 0xC0 == 0xC0 {
      // Only a part arrives; the rest comes with this client's next bytes.
      guard let unsent = clients[connection]?.unsent else { return }
      let part = Int(choices.next()) % unsent.count
      // The sent part must contain no whole line, so that no answer is expected yet.
      if !unsent[..<part].contains(10) {
        clients[connection]?.unsent.removeFirst(part)
        handle(.received(connection, Array(unsent[..<part])))
        return
      }
    }
    flush(connection)
  }

  private mutating func flush(_ connection: ConnectionID) {
    guard var client = clients[connection], !client.unsent.isEmpty else { return }
    let bytes = client.unsent
    client.unsent = []
    if !client.isWild {
      client.outstanding.formUnion(client.unsentIDs)
      client.nullsExpected += client.unsentNulls
    }
    client.unsentIDs = []
    client.unsentNulls = 0
    clients[connection] = client
    handle(.received(connection, bytes))
  }

  private mutating func sendGarbage() {
    guard let connection = someClient() else { return }
    flush(connection)
    clients[connection]?.isWild = true
    clients[connection]?.outstanding = []
    var bytes = choices.raw()
    if choices.next() & 1 == 0 { bytes.append(10) }
    handle(.received(connection, bytes))
  }

  private mutating func appendRequest(
    to line: inout [UInt8], _ ids: inout [Int64], isNotification: Bool
  ) {
    let (method, names) = choices.pick(Self.calls)
    var text = "{\"jsonrpc\":\"2.0\",\"method\":\"\(method)\""
    if !isNotification {
      lastRequest += 1
      ids.append(lastRequest)
      text += ",\"id\":\(lastRequest)"
    }
    // Set bits leave parameters out, so that 0 is the usual request.
    let left = choices.next()
    var members: [String] = []
    for (index, name) in names.enumerated() where left & (1 << (index % 8)) == 0 {
      members.append("\"\(name)\":\(value(of: name))")
    }
    if names.isEmpty ? left & 1 == 1 : true {
      text += ",\"params\":{\(members.joined(separator: ","))}"
    }
    line += Array("\(text)}".utf8)
  }

  private mutating func value(of name: String) -> String {
    if name == "timeline", choices.next() & 7 != 7 {
      return text(timeline())
    }
    let choice = choices.next()
    guard choice < 0xF0, let usual = Self.values[name] else {
      if choice == 0xFF {
        var quoted: [UInt8] = []
        appendJSONString(text(choices.raw()), to: &quoted)
        return text(quoted)
      }
      return choices.pick(Self.oddValues)
    }
    return usual[Int(choice) % usual.count]
  }

  private static let calls: [(String, [String])] = [
    ("intent.send", ["text", "wait", "source", "languages"]),
    ("intent.send", ["intent", "parameters", "wait", "source"]),
    ("intent.send", ["url", "wait"]),
    ("intent.send", ["text", "intent", "url", "parameters", "language"]),
    ("intent.recognize", ["text", "languages"]),
    ("intent.complete", ["text", "languages", "limit", "content"]),
    ("intent.donate", ["intent", "parameters", "source", "date"]),
    ("intent.list", []),
    ("intent.setList", ["name", "values", "add", "remove"]),
    ("donation.forget", ["all"]),
    ("donation.forget", ["intent", "since"]),
    ("widget.list", ["kind"]),
    ("widget.add", ["kind", "parameters", "id"]),
    ("widget.add", ["kind", "parameters", "id", "family"]),
    ("widget.add", ["kind", "parameters", "id"]),
    ("widget.remove", ["id"]),
    ("widget.restore", []),
    ("widget.configure", ["id", "parameters"]),
    ("widget.configure", ["id", "family"]),
    ("widget.reload", ["id", "wait"]),
    ("widget.reload", ["kind", "wait"]),
    ("widget.reloadAll", ["wait"]),
    ("widget.push", ["id", "timeline"]),
    ("widget.receipt", ["receipt", "wait"]),
    ("widget.receipt", ["id", "wait"]),
    ("widget.timeline", ["id"]),
    ("widget.budget", ["id"]),
    ("widget.tap", ["id", "item"]),
    ("widget.tap", ["id"]),
    ("gallery.list", []),
    ("stack.order", []),
    ("stack.explain", ["surface"]),
    ("stack.dismiss", ["id"]),
    ("surface.attach", ["visible", "stack"]),
    ("surface.attach", ["families", "widgets", "visible", "stack"]),
    ("surface.visibility", ["visible"]),
    ("app.register", ["app", "foreground"]),
    ("app.state", ["state"]),
    ("url.open", ["url", "wait", "source"]),
    ("url.open", ["url", "wait", "app"]),
    ("daemon.ping", []),
    ("daemon.status", []),
    ("daemon.metrics", []),
    ("daemon.history", ["limit", "widget"]),
    ("daemon.reloadConfiguration", []),
    ("widget.refresh", ["id"]),
    ("widget.setMode", ["id", "mode", "surface"]),
    ("widget.signal", ["signal", "wait"]),
    ("widget.openMenu", ["id"]),
    ("gallery.list", ["previews", "kind", "family"]),
    ("image.get", ["hash"]),
    ("surface.attach", ["modes", "screen", "orientation", "visible", "stack"]),
    ("surface.rotate", ["by"]),
    ("surface.detach", []),
    ("donation.setPrivate", ["private"]),
  ]

  private static let values: [String: [String]] = [
    "id": [
      "w0", "w1", "w2", "weather", "weather-2", "clock", "note", "suggestion:org.fuzz.Weather",
      "r1", "r2", "r3", "r9", "nobody",
    ].map { "\"\($0)\"" },
    "receipt": ["\"r1\"", "\"r2\"", "\"r3\""],
    "kind": ["Weather", "Clock", "Note", "Radar", "Nothing"].map { "\"org.fuzz.\($0)\"" },
    "parameters": [
      #"{"city":"Oslo"}"#, #"{"city":"Lima"}"#, #"{"text":"hello"}"#, "{}", #"{"city":"Atlantis"}"#,
      #"{"city":7}"#, #"{"text":"é"}"#, #"{"text":"É"}"#,
    ],
    "family": ["systemSmall", "systemMedium", "systemLarge", "huge"].map { "\"\($0)\"" },
    "text": [
      "show weather for Oslo", "weather in Lima", "show the note hello", "show weather for Osol",
      "",
    ].map { "\"\($0)\"" },
    "intent": ["\"ShowWeather\"", "\"ShowNote\"", "\"Show\""],
    "url": [
      "weather://city/Oslo", "note://hello", "intentd://intent/ShowNote?text=%20", "javascript:1",
      "x",
      "intentd://x-callback-url/ShowWeather?city=Oslo&x-success=fuzz:a?b#c&x-error=fuzz:e&x-cancel=fuzz:c",
      "intentd://x-callback-url/ShowNote?x-error=fuzz://e&x-success=fuzz://ok",
      "intentd://x-callback-url/ShowNote?text=a&x-success=intentd:x",
      "swiftbar://refreshallplugins",
      "swiftbar://refreshplugin?name=clock", "xbar://app.xbarapp.com/openPlugin?path=a",
    ].map { "\"\($0)\"" },
    "wait": ["true", "false"], "visible": ["true", "false"], "stack": ["true", "false"],
    "all": ["true", "false"], "foreground": ["true", "false"],
    "language": ["\"en\"", "\"xx\""], "languages": [#"["en"]"#, "[]", #"["zh-CN","en"]"#],
    "source": ["\"tag\"", "\"\""],
    "name": ["\"cities\"", "\"words\"", "\"nothing\""],
    "values": [#"["Oslo","Rome"]"#, "[]", #"["Lima"]"#, #"["Oslo","oslo","OSLO"]"#, #"[""]"#],
    "date": ["\"2026-11-20T20:00:00Z\"", "\"2027-01-01T00:00:00Z\"", "\"0001-01-01T00:00:00Z\""],
    "since": ["\"2026-11-20T20:00:00Z\"", "\"9999-12-31T23:59:59Z\""],
    "item": ["0", "1", "2", "-1", "99"],
    "families": [#"["systemSmall"]"#, "[]", "null", #"["systemSmall","systemSmall"]"#],
    "widgets": [#"["w0"]"#, "[]", #"["w0","w1","nobody"]"#],
    "surface": ["\"s1\"", "\"s2\""],
    "app": ["\"org.fuzz.App\"", "\"org.fuzz.Other\"", "\"\""],
    "modes": [#"["compact","expanded"]"#, #"["compact"]"#, "[]"],
    "screen": ["\"568\"", "568", "\"large\""],
    "orientation": ["\"portrait\"", "\"landscape\""],
    "mode": ["\"expanded\"", "\"compact\"", "\"huge\""],
    "signal": ["1", "\"1\"", "99"],
    "previews": ["true", "false"], "private": ["true", "false"],
    "hash": ["\"sha256-0\"", "\"\""],
    "by": ["1", "-1", "99"],
    "state": ["\"foreground\"", "\"background\"", "\"away\""],
    "limit": ["60", "1", "1000", "0"],
    "widget": ["\"w0\"", "\"clock\""],
  ]

  private static let oddValues = [
    "null", "true", "0", "-1", "9223372036854775807", "-9223372036854775808", "1e308", "0.5",
    "\"\"", #""\u0000""#, "[]", "{}", "[[[]]]", #"{"a":{"a":{}}}"#, "[null]", #""\ud83d\ude00""#,
  ]

  /// Returns a timeline as a provider writes it: most entries are around now.
  private mutating func timeline() -> [UInt8] {
    var entries: [JSONValue] = []
    for _ in 0..<(choices.next() % 4) {
      let choice = choices.next()
      let minutes = Int64(Int8(bitPattern: choices.next()))
      let date = clock.wall.advanced(
        byMilliseconds: minutes * (choice & 0x20 == 0 ? 60_000 : 86_400_000))
      var content: JSONObject = ["title": .int(Int64(choice & 3))]
      if choice & 4 != 0 { content["staleAfter"] = .int(Int64(choice)) }
      if choice & 8 != 0 {
        content["items"] = [
          ["text": "a", "url": "weather://city/Lima"], ["text": "b", "refresh": true],
        ]
      }
      if choice & 0x80 != 0 { content["refresh"] = true }
      var entry: JSONObject = ["date": .string(date.rfc3339), "content": .object(content)]
      if choice & 0x10 != 0 {
        let score = Int64(Int8(bitPattern: choices.next()))
        entry["relevance"] = ["score": .int(score), "duration": .int(max(0, score) * 60)]
      }
      if choice & 0x40 != 0 {
        entry["url"] = choices.pick(["weather://city/Oslo", "javascript:alert(1)", "x", ""])
      }
      entries.append(.object(entry))
    }
    let shape = choices.next()
    if shape & 0x0F == 15 { return Array(#"{"result":"failed","reason":"no"}"#.utf8) }
    let minutes = Int64(Int8(bitPattern: choices.next()))
    let after = clock.wall.advanced(byMilliseconds: minutes * 600_000)
    let policy = choices.pick(
      [["after": .string(after.rfc3339)], "atEnd", "never", 7] as [JSONValue])
    var answer: JSONObject = ["entries": .array(entries), "policy": policy]
    if shape & 0x0F == 14 { answer = ["result": "noData", "policy": policy] }
    if shape & 0x10 != 0 { answer["preferredHeight"] = .int(Int64(shape) * 4) }
    if shape & 0x60 != 0 {
      answer["downloads"] = .array(
        (0..<Int(shape >> 5 & 3)).map { number in
          [
            "id": .string("file\(number)"), "url": .string("https://example.org/\(shape & 0x80)"),
            "ifChanged": .bool(shape & 0x80 == 0),
          ]
        })
    }
    return Array(JSONValue.object(answer).serialized.utf8)
  }

  // MARK: Effects

  private mutating func endTurn() {
    guard isAlive else { return }
    turn()
    guard !hasStopped else {
      checkNobodyWaits()
      transaction = nil
      hasStopped = false
      isAlive = false
      return
    }
    let wrong = daemon.checkInvariants(isThorough: true)
    precondition(wrong.isEmpty, wrong.joined(separator: "; "))
    var engine = daemon.widgetEngine
    // While memory starts over, the store is read again, and its answer is what comes next.
    if isReady, !isStopping, !isLoading, let next = engine.nextDeadline(at: clock.now) {
      precondition(
        clock.wakeUpAt.map { $0.milliseconds(since: max(next, monotonic)) <= 2 } ?? false,
        "something is due, and no wake-up is armed for it")
    }
  }

  mutating func handle(_ event: Event, at now: Now, into effects: inout [Effect]) {
    daemon.handle(event, at: now, into: &effects)
  }

  mutating func perform(_ action: Never) {}

  mutating func close(_ connection: ConnectionID, reason: String) {
    clients[connection]?.isClosing = true
  }

  mutating func openStore() { isLoading = true }

  mutating func closeStore() {
    precondition(transaction == nil, "closed over a transaction")
    isClosing = true
  }

  mutating func commit(_ number: UInt64, _ writes: [StoreWrite]) {
    precondition(transaction == nil, "two transactions at once")
    precondition(number == lastTransaction + 1, "a transaction out of order")
    precondition(!writes.isEmpty)
    lastTransaction = number
    transaction = (number, writes)
  }

  mutating func start(_ run: ProviderRun) {
    precondition(run.token.number > lastRun, "a run that was started before")
    precondition(!isStopping, "a run is started while the daemon stops")
    precondition((parsed(run.request) ?? .null)["now"] != nil, "a request that is no JSON")
    lastRun = run.token.number
    runs.append(run.token)
    let most =
      WidgetCenter.Limits.runCountMax + WidgetCenter.Limits.optionRunCountMax
      + WidgetCenter.Limits.previewRunCountMax + WidgetCenter.Limits.performRunCountMax
    precondition(runs.count <= most, "too many runs")
  }

  mutating func cancel(_ token: RunToken) {
    if runs.contains(token) { cancelled.insert(token) }
  }

  mutating func launch(_ request: LaunchRequest, _ token: LaunchToken) {
    precondition(!launches.contains(token), "a launch that was started before")
    launches.append(token)
    guard let url = request.url else { return }
    guard case .success(let judged) = ProfiledURL.parse(url) else {
      preconditionFailure("a URL is opened that the profile refuses: \(url)")
    }
    precondition(judged.text == url)
  }

  mutating func fetch(_ request: FetchRequest) {
    precondition(request.token.number > lastFetch, "downloads that were started before")
    precondition(!isStopping, "downloads are started while the daemon stops")
    precondition(!request.items.isEmpty, "downloads of nothing")
    precondition(Set(request.items.map(\.name)).count == request.items.count, "one name for two")
    lastFetch = request.token.number
    fetches.append(request)
    precondition(fetches.count <= WidgetCenter.Limits.fetchCountMax, "too many downloads")
  }

  mutating func cancelFetch(_ token: FetchToken) {
    guard let index = fetches.firstIndex(where: { $0.token == token }) else { return }
    handle(.fetched(fetches.remove(at: index).token, .failed("it took too long")))
  }

  mutating func readConfiguration() { isReading = true }

  mutating func becomeReady() {
    isReady = true
    precondition(
      daemon.restoreLosses.unreadableRowCount == 0, "what was stored cannot be read back")
  }

  mutating func stop(_ reason: StopReason) { hasStopped = true }

  mutating func receive(_ bytes: [UInt8], on connection: ConnectionID) {
    precondition(connection.number <= lastConnection, "a connection that never was")
    precondition(bytes.last == 10, "no whole line")
    for line in bytes.split(separator: 10) {
      guard let value = parsed(Array(line)) else {
        preconditionFailure("a line that is no JSON: \(text(Array(line)))")
      }
      for message in value.arrayValue ?? [value] { check(message, connection) }
    }
  }

  private mutating func check(_ message: JSONValue, _ connection: ConnectionID) {
    if let method = message["method"]?.stringValue {
      precondition(DaemonNotification(rawValue: method) != nil, "a notification nobody documented")
      return
    }
    precondition((message["result"] == nil) != (message["error"] == nil))
    if let error = message["error"], let code = RPCError(error)?.code {
      let standard = [
        RPCError.Code.parse, RPCError.Code.invalidRequest, RPCError.Code.methodNotFound,
        RPCError.Code.invalidParams,
      ]
      precondition(
        standard.contains(code) || WireErrorCode(rawValue: code) != nil, "a code nobody documented")
    }
    // A client that left in this turn, or whose bytes cannot be predicted, expects no answer.
    guard let client = clients[connection], !client.isWild, !client.isClosing else { return }
    if let id = message["id"]?.intValue {
      precondition(
        clients[connection]?.outstanding.remove(id) != nil, "an answer to nothing, or a second one")
    } else {
      clients[connection]?.nullsExpected -= 1
      let left = clients[connection]?.nullsExpected ?? 0
      precondition(
        left >= 0 || endsConnection(message), "an answer to no line: \(message.serialized)")
    }
  }

  /// Whether the daemon says why it closes a connection: there are too many, or a line did not end.
  private func endsConnection(_ message: JSONValue) -> Bool {
    let code = message["error"]?["code"]?.intValue
    return [WireErrorCode.tooManyConnections, .lineUnfinished].contains {
      code == Int64($0.rawValue)
    }
  }

  private func checkNobodyWaits() {
    for (connection, client) in clients where !client.isWild && !client.isClosing {
      precondition(
        client.outstanding.isEmpty,
        "the daemon stopped without an answer for \(connection.number): \(client.outstanding)")
    }
  }

  // MARK: The end

  /// Commits all transactions, ends runs and launches, and then stops the daemon.
  private mutating func finish() {
    func calm(_ machine: inout Machine) {
      machine.handleConfiguration(0)
      machine.answerStore(good: true)
      for token in machine.runs {
        machine.handle(.provider(token, .failed(ProviderFailure(.cancelled))))
      }
      machine.runs = []
      machine.cancelled = []
      for token in machine.launches {
        machine.handle(.launched(token, .failed(reason: "no-handler", message: "none")))
      }
      machine.launches = []
      for request in machine.fetches { machine.handle(.fetched(request.token, .failed("ended"))) }
      machine.fetches = []
      machine.pass(milliseconds: 2_000)
      machine.endTurn()
    }
    for _ in 0..<4 where isAlive { calm(&self) }
    guard isAlive else { return }
    isStopping = true
    handle(.stopRequested)
    endTurn()
    for _ in 0..<8 where isAlive { calm(&self) }
    precondition(!isAlive, "the daemon was asked to stop and is still there")
  }
}

// MARK: The configuration

/// Returns a configuration.
///
/// Set bits of `choice` leave out or break parts; 0 is the whole one.
private func configuration(_ choice: UInt8) -> ConfigurationFiles {
  var files = ConfigurationFiles()
  if choice & 1 == 0 {
    files.catalog = catalog
  } else {
    files.issues.append(
      DocumentIssue(file: "intents", line: 0, message: "cannot be read", expected: "a folder"))
  }
  for (index, manifest) in manifests.enumerated() where choice & (2 << index) == 0 {
    var document = manifest
    if choice & 0x40 != 0, index == 0 { document["families"] = ["enormous"] }
    if choice & 0x80 != 0 {
      document["provider"] = ["exec": ["./other"], "protocol": "extension", "timeout": "5s"]
    }
    files.manifests.append(
      ManifestSource(
        file: "widgets/\(index).yaml", directory: "/fuzz", document: located(.object(document))))
  }
  return files
}

private let manifests: [JSONObject] = [
  """
  {"kind":"org.fuzz.Weather","name":"Weather","families":["systemSmall","systemMedium"],
   "intent":"ShowWeather","app":"org.fuzz.App","url":"weather://city/{city}",
   "modes":["compact","expanded"],
   "provider":{"exec":["./weather"],"timeout":"30s"}}
  """,
  """
  {"kind":"org.fuzz.Clock","name":"Clock","families":["systemSmall"],
   "reload":{"minimumInterval":"1m","perDay":96},"provider":{"exec":["./clock"],"timeout":"2m"}}
  """,
  """
  {"kind":"org.fuzz.Note","name":"Note","families":["systemMedium"],"intent":"ShowNote",
   "url":"https://example.org/note/{text}","provider":{"exec":["./note"]}}
  """,
  """
  {"kind":"org.fuzz.Radar","name":"Radar","families":["systemLarge","systemSmall"],
   "intent":"ShowWeather","provider":{"exec":["./radar"],"protocol":"extension"}}
  """,
].map { json($0).objectValue ?? [:] }

private let catalog: [CatalogSource] = [
  source(
    .intent,
    """
    {"name":"ShowWeather","title":"Weather","description":"Weather","routes":["weather://city/{city}"],
     "parameters":[{"name":"city","title":"City","type":"string","list":"cities","required":true,"otherValues":true}]}
    """),
  source(
    .intent,
    """
    {"name":"ShowNote","title":"Note","description":"A note","routes":["note://{text}"],
     "parameters":[{"name":"text","title":"Text","type":"string","required":true}]}
    """),
  source(
    .sentences,
    """
    {"language":"en","lists":{"words":{"wildcard":true}},"intents":{
     "ShowWeather":{"data":[{"sentences":["show weather for {cities:city}","weather in {cities:city}"]}]},
     "ShowNote":{"data":[{"sentences":["show [the] note {words:text}"]}]}}}
    """),
  source(.list, #"{"lists":{"cities":{"values":["Oslo","Lima","Beijing"]}}}"#),
]

private func source(_ kind: CatalogSource.Kind, _ text: String) -> CatalogSource {
  CatalogSource(file: "\(kind).yaml", document: located(json(text)), kind: kind)
}

private func json(_ text: String) -> JSONValue {
  guard let value = parsed(Array(text.utf8)) else { preconditionFailure("broken: \(text)") }
  return value
}

private func parsed(_ bytes: [UInt8]) -> JSONValue? {
  do throws(JSONError) { return try JSONValue(parsing: bytes) } catch { return nil }
}
