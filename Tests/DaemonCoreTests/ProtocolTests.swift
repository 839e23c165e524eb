import Documents
import Foundation
import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Testing
import Timekeeping
import ViewMarkup
import WidgetCenter

@testable import DaemonCore

/// Checks that `docs/PROTOCOL.md` and the code agree exactly.
@Suite struct ProtocolTests {
  private static let hint =
    "if this is what it shall say, rewrite the answers with: INTENTD_UPDATE_DOCS=1 swift test --filter ProtocolTests"

  private func document() throws -> ProtocolDocument {
    ProtocolDocument(text: try String(contentsOfFile: ProtocolDocument.path, encoding: .utf8))
  }

  // MARK: Lists and tables

  @Test func `every method has its section and an example, and there is no section besides`() throws
  {
    let document = try document()
    let methods = Method.allCases.map(\.rawValue)
    #expect(document.subheadings.sorted() == methods.sorted())
    for method in methods {
      let example = document.steps.first {
        $0.heading == method && $0.text.contains(#""method":"\#(method)""#)
      }
      #expect(example != nil, "\(method) has no example")
      #expect(example?.replies.isEmpty == false, "the example of \(method) has no answer")
    }
  }

  @Test
  func `every name in the text is a method or a notification, and every notification is shown`()
    throws
  {
    let document = try document()
    let notifications = Set(DaemonNotification.allCases.map(\.rawValue))
    let known = notifications.union(Method.allCases.map(\.rawValue))
    let nouns = Set(known.map { $0.prefix { $0 != "." } })
    let unknown = document.names.subtracting(known)
      .filter { name in nouns.contains(name.prefix { $0 != "." }) }
    #expect(unknown == [])
    #expect(notifications.subtracting(document.names) == [])
    for notification in notifications.sorted() {
      let isShown = document.steps.contains { step in
        step.replies.contains { $0.hasPrefix(#"{"jsonrpc":"2.0","method":"\#(notification)""#) }
      }
      #expect(isShown, "\(notification) has no example")
    }
  }

  @Test func `the table of errors is the table in the code`() throws {
    let rows = try document().table("Errors").map { "\($0[0]) \($0[1])" }
    let standard = [
      RPCError.Code.parse, RPCError.Code.invalidRequest, RPCError.Code.methodNotFound,
      RPCError.Code.invalidParams, RPCError.Code.internalError,
    ].map { "−\(-$0) " }
    #expect(rows == standard + WireErrorCode.allCases.map { "−\(-$0.rawValue) \($0.name)" })
  }

  @Test func `every error that can be provoked has its example among the errors`() throws {
    let document = try document()
    let shown = document.steps.filter { $0.heading == "Errors" }.flatMap(\.replies)
    let codes = WireErrorCode.allCases.map(\.rawValue) + [-32700, -32600, -32601, -32602]
    for code in codes where code != WireErrorCode.configurationInvalid.rawValue {
      #expect(
        shown.contains { $0.contains(#""error":{"code":\#(code),"#) }, "\(code) has no example")
    }
  }

  @Test func `an error's data has the members that the table promises`() throws {
    let document = try document()
    let examples = try document.steps.filter { $0.heading == "Errors" }.flatMap(\.replies)
      .compactMap { try JSONValue(parsing: $0)["error"] }
    for row in document.table("Errors") {
      let promised = row[3].components(separatedBy: "`").enumerated()
        .filter { $0.offset % 2 == 1 }.map(\.element)
      let isOptional = row[3].components(separatedBy: "`").enumerated()
        .filter { $0.offset % 2 == 0 && $0.offset > 0 }.map { $0.element.hasPrefix("?") }
      let always = zip(promised, isOptional).filter { !$0.1 }.map(\.0)
      for error in examples where "−\(-(error["code"]?.intValue ?? 0))" == row[0] {
        let members = error["data"]?.objectValue?.members.map(\.key).filter { $0 != "name" } ?? []
        #expect(promised.filter(members.contains) == members, "\(row[0]) \(row[1])")
        #expect(Set(always).isSubset(of: members), "\(row[0]) \(row[1])")
        #expect(error["data"]?["name"]?.stringValue ?? "" == row[1])
      }
    }
  }

  @Test func `every member that the code gives an error's data is in the table`() throws {
    let cells = try document().table("Errors").map { $0[3].components(separatedBy: "`") }
    let documented = Set(
      cells.flatMap { cell in cell.enumerated().filter { $0.offset % 2 == 1 }.map(\.element) })
    let folder = projectFolder + "Sources/DaemonCore"
    let files = try #require(FileManager.default.enumerator(atPath: folder))
    for case let file as String in files where file.hasSuffix(".swift") {
      let source = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      let unknown = Self.detailNames(in: source).filter { !documented.contains($0) }
      #expect(unknown == [], "\(file): the table of errors in docs/PROTOCOL.md lacks them")
    }
  }

  /// The names in `details["name"]` and in the literals behind `details:`.
  private static func detailNames(in source: String) -> [String] {
    var names = source.components(separatedBy: "details[\"").dropFirst()
      .map { String($0.prefix { $0 != "\"" }) }
    for opening in ["details: [", "details: JSONObject = ["] {
      for rest in source.components(separatedBy: opening).dropFirst() { names += keys(of: rest) }
    }
    return names
  }

  /// The keys of a dictionary literal, from behind its opening bracket.
  private static func keys(of literal: String) -> [String] {
    var depth = 1
    var members = ""
    for character in literal {
      if "[(".contains(character) { depth += 1 }
      if "])".contains(character) { depth -= 1 }
      if depth == 0 { break }
      if depth == 1 { members.append(character) }
    }
    return members.components(separatedBy: "\":").dropLast()
      .map { String($0.reversed().prefix { $0 != "\"" }.reversed()) }
  }

  @Test func `the table of limits has the limits of the code`() throws {
    let limits: [(String, Int)] = [
      ("bytes in one line", WireLimits.frameBytesMax),
      (
        "widgets in the answer to `app.register`, and changes in one `app.widgetsChanged`",
        DaemonCore.Limits.toldAppWidgetCountMax
      ),
      (
        "widgets that apps in the background configure in a row",
        Int(DaemonCore.Limits.appConfigurationBurst)
      ),
      ("widgets in one `surface.update`", DaemonCore.Limits.updatedWidgetCountMax),
      ("bytes waiting for a client to read", WireLimits.queuedBytesMax),
      ("connections", DaemonCore.Limits.connectionCountMax),
      ("connections of one process", DaemonCore.Limits.connectionsOfProcessMax),
      ("seconds between two pieces of a line", Int(DaemonCore.Limits.linePauseMax / 1_000)),
      ("seconds that a line takes", Int(DaemonCore.Limits.lineTimeMax / 1_000)),
      ("bytes that all clients make the daemon hold", DaemonCore.Limits.clientBytesMax),
      ("bytes in the lists of one batch", DaemonCore.Limits.batchListBytesMax),
      ("JSON values in the parameters of a request", DaemonCore.Limits.valueCountMax),
      ("the same of `intent.setList`", DaemonCore.Limits.valueCountOfListMax),
      ("keys of an object in them, such as `parameters`", DaemonCore.Limits.keyCountMax),
      ("messages in a batch", WireLimits.batchCountMax),
      ("requests waiting on one connection (`wait`)", DaemonCore.Limits.waitingCountMax),
      ("entries in a timeline", WidgetCenter.Limits.timelineEntryCountMax),
      ("bytes in an entry's content", WidgetCenter.Limits.entryBytesMax),
      ("bytes in an entry's view", MarkupLimits.bytesMax),
      ("bytes in the views of a timeline", WidgetCenter.Limits.timelineViewBytesMax),
      ("bytes in the views of all widgets", WidgetCenter.Limits.viewBytesMax),
      ("placed widgets", WidgetCenter.Limits.widgetCountMax),
      ("characters in a sentence", IntentRouter.Limits.sentenceScalarsMax),
      ("bytes in a URL", IntentRouter.Limits.urlBytesMax),
      ("bytes in an activation token", WireLimits.activationTokenBytesMax),
      ("programs of clicks under way of one kind", DaemonCore.Limits.commandsOfKindMax),
      ("programs of clicks under way of all kinds", DaemonCore.Limits.commandCountMax),
      ("clicks on a plugin that wait for its run", WidgetCenter.Limits.waitingClickCountMax),
      ("intents that programs perform at once", WidgetCenter.Limits.performRunCountMax),
      (
        "intents that one program performs at once", WidgetCenter.Limits.performRunOfProgramCountMax
      ),
      ("bytes in an idempotency key", WireLimits.idempotencyKeyBytesMax),
      (
        "requests with a key remembered of one client",
        DaemonCore.Limits.rememberedRequestCountMax
      ),
      ("the same of all clients", DaemonCore.Limits.rememberedRequestSumMax),
      (
        "bytes of an answer to a request with a key", DaemonCore.Limits.rememberedAnswerBytesMax
      ),
      ("bytes of all such answers", DaemonCore.Limits.rememberedAnswerBytesSumMax),
      ("bytes of a text in an intent", IntentRouter.Limits.parameterBytesMax),
      ("provider processes at once", WidgetCenter.Limits.runningProviderCountMax),
      ("further ones for what a person waits for", WidgetCenter.Limits.reservedSlotCount),
      (
        "further ones for scripts whose last run took 100 ms at most",
        WidgetCenter.Limits.quickSlotCount
      ),
      ("further ones that have run for five seconds", WidgetCenter.Limits.overlongRunCountMax),
    ]
    let rows = try document().table("Limits").map { "\($0[0]): \($0[1])" }
    #expect(rows == limits.map { "\($0.0): \(Self.grouped($0.1))" })
    #expect(WireLimits.timelineEntryCountMax == WidgetCenter.Limits.timelineEntryCountMax)
  }

  private static func grouped(_ number: Int) -> String {
    var digits = String(number)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
  }

  // MARK: The session

  @Test func `the examples are one session with the daemon`() throws {
    let document = try document()
    var session = ProtocolSession()
    var replies: [[String]] = []
    for step in document.steps { replies.append(try session.perform(step)) }
    if ProcessInfo.processInfo.environment["INTENTD_UPDATE_DOCS"] == "1" {
      try document.updated(replies).write(
        toFile: ProtocolDocument.path, atomically: true, encoding: .utf8)
      return
    }
    for (step, found) in zip(document.steps, replies) where step.replies != found {
      Issue.record(
        """
        docs/PROTOCOL.md:\(step.line): after \(step.text.prefix(200))
        it says
        \(step.replies.map { "  ← \($0)" }.joined(separator: "\n"))
        the daemon says
        \(found.map { "  ← \($0)" }.joined(separator: "\n"))
        \(Self.hint)
        """)
      return
    }
  }
}

/// Plays the client of the examples and the events around the daemon.
private struct ProtocolSession {
  private var harness: Harness
  private var client: ConnectionID
  /// The session, while an example is in a world of its own.
  private var session: (harness: Harness, client: ConnectionID)?

  init() {
    let broken = StoredState.Row(key: "broken", bytes: Array("nonsense".utf8))
    harness = Harness(
      stored: StoredState(tables: [.widget: [broken]]), provider: Self.provider)
    harness.launcher = Self.launch
    client = harness.connect()
  }

  /// Performs a step and returns the lines that the client gets.
  mutating func perform(_ step: ProtocolDocument.Step) throws -> [String] {
    if step.text.hasPrefix("→ ") { return harness.send(String(step.text.dropFirst(2)), to: client) }
    switch step.text {
    case "# a line of 4,194,305 bytes":
      return harness.send(String(repeating: " ", count: 4_194_304) + "x", to: client)
    case "# the 1,025th client connects":
      for _ in 1..<1_024 { harness.handle(.disconnected(harness.connect())) }
      var others: [ConnectionID] = []
      while harness.closed.isEmpty {
        others.append(harness.connect(pid: Int32(100 + others.count)))
      }
      let last = try #require(others.last)
      #expect(others.count == 1_024)
      for other in others { harness.handle(.disconnected(other)) }
      return harness.received(by: last)
    case "# this client has not read its answers":
      harness.handle(.backedUp(client))
    case "# more than a quarter of the budget waits for this client to read":
      harness.handle(.queued(client, bytes: DaemonCore.Limits.clientBytesMax / 4 + 1))
    case "# another client sends half a line, and nothing for 30 seconds":
      // In a world of its own, since time passes.
      var other = Harness()
      let client = other.connect()
      other.handle(.received(client, Array(#"{"jsonrpc":"2.0","#.utf8)))
      other.pass(31)
      return other.received(by: client)
    case "# it has read them":
      harness.handle(.drained(client))
    case "# 256 requests of this connection wait":
      harness.provider = { _ in nil }
      let receipt = try harness.call("widget.reload", ["id": "clock"], from: client)["receipts"]
      let id = try #require(receipt?.arrayValue?.first?["id"]?.stringValue)
      for number in 1...256 {
        harness.send(
          #"{"jsonrpc":"2.0","id":"w\#(number)","method":"widget.receipt","params":{"id":"\#(id)","wait":true}}"#,
          to: client)
      }
    case "# they have been answered":
      harness.provider = Self.provider
      try harness.answer("org.example.clock", Harness.timeline(#"{"text":"08:00"}"#))
      #expect(harness.received(by: client).count == 257)
    case "# the daemon of somebody else, who has placed a counter":
      session = (harness, client)
      var files = Harness.configuration
      files.catalog.append(
        Self.intent("AddOne", "widgets: false\nparameters: [{name: by, type: integer, default: 1}]")
      )
      files.manifests.append(
        Harness.manifest(
          "counter.yaml",
          """
          provider: {exec: [./counter], protocol: extension}
          performs: [AddOne]
          kinds: [{kind: org.example.counter, name: Counter, families: [systemSmall]}]
          """))
      harness = Harness(files: files, provider: Self.counter)
      try harness.call(
        "widget.add", ["kind": "org.example.counter", "id": "counter"], from: harness.connect())
      client = harness.connect()
    case "# the daemon as before":
      (harness, client) = try #require(session)
      session = nil
    case "# the intents Pay (links: never) and Lock (links: ask) are there":
      for (name, links) in [("Pay", "never"), ("Lock", "ask")] {
        harness.files.catalog.append(Self.intent(name, "links: \(links)"))
      }
      try harness.call("daemon.reloadConfiguration", from: harness.connect())
      _ = harness.received(by: client)
    case "# two programs perform the intent Count":
      harness.files.catalog.append(Self.intent("Count", "widgets: false"))
      for name in ["first", "second"] {
        harness.files.manifests.append(
          Harness.manifest(
            "\(name).yaml",
            """
            provider: {exec: [./\(name)], protocol: extension}
            performs: [Count]
            kinds: [{kind: org.example.\(name), name: \(name), families: [systemSmall]}]
            """))
      }
      try harness.call("daemon.reloadConfiguration", from: harness.connect())
      _ = harness.received(by: client)
    case "# another client opens intentd://intent/Lock":
      try harness.call("url.open", ["url": "intentd://intent/Lock"], from: harness.connect())
    case "# another client gives weather the family systemMedium":
      let other = harness.connect()
      try harness.call(
        "widget.configure", ["id": "weather", "family": "systemMedium"], from: other)
      harness.handle(.disconnected(other))
    case "# the session is locked", "# the session is unlocked":
      harness.handle(.machine(.sessionLocked(step.text == "# the session is locked")))
      _ = harness.received(by: client)
    case "# the disk is full": harness.storeMode = .fails(Harness.diskFull)
    case "# there is room again":
      harness.storeMode = .commits
      harness.pass(1)
      _ = harness.received(by: client)
    case "# 10,000 widgets are placed":
      let free = 10_000 - harness.daemon.widgetCount
      let other = harness.connect()
      for batch in 0...(free / 1_000) {
        let requests = (0..<min(1_000, free - batch * 1_000)).map {
          #"{"jsonrpc":"2.0","id":\#($0),"method":"widget.add","params":{"kind":"org.example.clock","id":"c\#(batch).\#($0)"}}"#
        }
        harness.send("[\(requests.joined(separator: ","))]", to: other)
      }
    case "# a second later": harness.pass(1)
    case "# the daemon is asked to stop": harness.handle(.stopRequested)
    default: Issue.record("docs/PROTOCOL.md:\(step.line): nobody knows what '\(step.text)' means")
    }
    return harness.received(by: client)
  }

  private static func provider(_ run: ProviderRun) -> ProviderOutcome? {
    guard run.kind == "org.example.weather" else {
      return .answered(Array(Harness.timeline(#"{"text":"08:00"}"#).utf8))
    }
    let isBeijing = String(decoding: run.request, as: UTF8.self).contains("Beijing")
    let (city, text) = isBeijing ? ("Beijing", "3° clear") : ("Rome", "18° sunny")
    return .answered(
      Array(
        Harness.timeline(
          #"{"title":"\#(city)","text":"\#(text)"}"#,
          #","relevance":{"score":60,"duration":3600},"url":"weather://city/\#(city)""#,
          policy: #"{"after":"2026-11-20T09:00:00Z"}"#
        ).utf8))
  }

  private static func intent(_ name: String, _ rest: String) -> CatalogSource {
    let text = "name: \(name)\ntitle: \(name)\ndescription: An intent\n\(rest)"
    return CatalogSource(
      file: "\(name)/intent.yaml",
      document: readYAML(text, file: "\(name)/intent.yaml").value ?? LocatedValue(.null, line: 1),
      kind: .intent)
  }

  /// A program that counts from 4, and not beyond 9.
  private static func counter(_ run: ProviderRun) -> ProviderOutcome? {
    let request = String(decoding: run.request, as: UTF8.self)
    guard run.method == "perform" else {
      let button = #"{"text":"+ 5","intent":{"name":"AddOne","parameters":{"by":5}}}"#
      return .answered(Array(Harness.timeline(#"{"title":"6","items":[\#(button)]}"#).utf8))
    }
    guard request.contains(#""by":2"#) else {
      return .failed(ProviderFailure(.refused("9 is the most")))
    }
    return .answered(Array(#"{"dialog":"It is 6.","value":6}"#.utf8))
  }

  private static func launch(_ request: LaunchRequest) -> LaunchOutcome? {
    switch request.target {
    case .application: .started(application: "org.example.Weather.desktop", processID: 4712)
    case .command(let command): .started(application: command.exec[0], processID: 4714)
    case .handler(let scheme):
      .failed(reason: "no-handler", message: "no application opens \(scheme) links")
    }
  }
}

extension Daemon {
  fileprivate var widgetCount: Int { engine.widgets.count }
}
