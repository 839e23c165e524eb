import IntentProtocol
import JSON
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// An acknowledged change is on disk, and a restart reads it back.
@Suite struct DurabilityTests {
  private static let add =
    #"{"jsonrpc":"2.0","id":1,"method":"widget.add","params":{"kind":"org.example.clock"}}"#
  private static let ping = #"{"jsonrpc":"2.0","id":9,"method":"daemon.ping"}"#

  @Test func `a reply that depends on the disk leaves after the transaction, others at once`()
    throws
  {
    var harness = Harness()
    harness.storeMode = .waits
    let client = harness.connect()
    #expect(harness.send(Self.add + "\n" + Self.ping, to: client).count == 1)
    #expect(harness.received(by: client) == [])
    #expect(harness.tables[.widget]?["clock"] == nil)
    try harness.commit()
    #expect(harness.received(by: client).count == 1)
    #expect(harness.tables[.widget]?["clock"] != nil)
  }

  @Test func `one transaction is under way at a time; what happens meanwhile shares the next`()
    throws
  {
    var harness = Harness()
    let client = harness.connect()
    harness.storeMode = .waits
    let before = harness.commitCount
    for id in 1...5 {
      harness.send(
        #"{"jsonrpc":"2.0","id":\#(id),"method":"widget.add","params":{"kind":"org.example.clock","id":"c\#(id)"}}"#,
        to: client)
    }
    #expect(harness.commitCount == before + 1)
    try harness.commit()
    #expect(harness.received(by: client).count == 1)
    #expect(harness.commitCount == before + 2)
    try harness.commit()
    #expect(harness.received(by: client).count == 4)
    #expect(harness.underWay == nil)
  }

  @Test func `a receipt is called done once its timeline is on disk`() throws {
    var harness = Harness()
    let client = harness.connect()
    harness.send(Self.add, to: client)
    harness.storeMode = .waits
    try harness.answer("org.example.clock", Harness.timeline("{}"))
    #expect(harness.received(by: client) == [])
    for wait in [false, true] {
      harness.send(
        #"{"jsonrpc":"2.0","id":2,"method":"widget.receipt","params":{"id":"r1","wait":\#(wait)}}"#,
        to: client)
    }
    // Requests that promise nothing are not held up.
    #expect(harness.send(Self.ping, to: client) == [#"{"jsonrpc":"2.0","id":9,"result":{}}"#])
    #expect(harness.tables[.timeline]?.isEmpty != false)
    try harness.commit()
    let told = harness.received(by: client)
    #expect(told.count == 3 && told.allSatisfy { $0.contains(#""state":"done""#) })
    #expect(harness.tables[.timeline]?.count == 1)
    // What is on disk is told at once.
    #expect(
      harness.send(
        #"{"jsonrpc":"2.0","id":3,"method":"widget.receipt","params":{"id":"r1"}}"#, to: client
      ).count == 1)
  }

  @Test func `a refused request never happened, in memory, on disk and later`() throws {
    var harness = Harness()
    let client = harness.connect()
    let before = try harness.call("daemon.history", from: client)
    harness.storeMode = .waits
    harness.send(Self.add, to: client)
    // This request waits for the second transaction. It fails with the first, because the store is
    // broken.
    harness.send(
      #"{"jsonrpc":"2.0","id":2,"method":"widget.add","params":{"kind":"org.example.news"}}"#,
      to: client)
    #expect(harness.running.isEmpty, "no provider runs for what is not on disk")
    try harness.failCommit()
    let refusals = harness.received(by: client)
    #expect(
      refusals
        == [1, 2].map {
          #"{"jsonrpc":"2.0","id":\#($0),"error":{"code":-32040,"message":"not saved: the disk is full","data":{"name":"storeUnavailable","reason":"diskFull"}}}"#
        })
    #expect(
      try harness.call("daemon.status", from: client)["store"]?.serialized
        == #"{"state":"failing","reason":"the disk is full"}"#)
    #expect(try harness.call("widget.list", from: client)["widgets"] == [])
    #expect(try harness.call("daemon.history", from: client) == before)
    // Only a probe is tried.
    let retried = try #require(harness.underWay)
    #expect(retried.writes.count == 1)
    try harness.commit()
    // The probe goes.
    try harness.commit()
    #expect(harness.tables[.setting]?["store/probe"] == nil)
    #expect(
      try harness.call("daemon.status", from: client)["store"]?.serialized == #"{"state":"ok"}"#)
    harness.storeMode = .commits
    harness.pass(60)
    #expect(harness.tables[.widget]?.isEmpty != false)
    #expect(harness.running.isEmpty)
    #expect(harness.received(by: client) == [])
    #expect(harness.log.filter { $0.event == "store.failed" }.count == 1)
    // A client that obeys finds the place free.
    let again = try harness.call("widget.add", ["kind": "org.example.clock"], from: client)
    #expect(again["widget"]?["id"] == "clock")
  }

  @Test func `while the store fails, a change is refused before anything of it is done`() throws {
    var harness = Harness()
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock"], from: client)
    try harness.answer("org.example.clock", Harness.timeline("{}"))
    harness.storeMode = .fails(Harness.diskFull)
    let commands: [(String, JSONValue)] = [
      ("widget.add", ["kind": "org.example.news"]), ("widget.remove", ["id": "clock"]),
      ("widget.reload", ["id": "clock"]), ("widget.reloadAll", [:]),
      ("widget.signal", ["signal": 8]),
      ("widget.configure", ["id": "clock", "reload": ["perDay": 3]]),
      ("widget.setMode", ["id": "clock", "mode": "compact"]),
      ("widget.push", ["id": "clock", "timeline": ["entries": [], "policy": "never"]]),
      ("widget.tap", ["id": "clock"]), ("widget.restore", [:]), ("stack.dismiss", ["id": "clock"]),
      ("intent.send", ["text": "what's on today"]), ("donation.setPrivate", [:]),
      ("intent.donate", ["intent": "ShowAgenda"]), ("donation.forget", ["all": true]),
      ("intent.setList", ["name": "cities", "values": ["Oslo"]]),
      ("url.open", ["url": "weather://city/Oslo"]),
    ]
    #expect(commands.count == Method.allCases.count { $0.changesState })
    func look(_ harness: inout Harness) throws -> [JSONValue] {
      let status = try harness.call("daemon.status", from: client)
      return [
        try harness.call("widget.list", from: client), status["private"] ?? .null,
        status["donations"] ?? .null, try harness.call("daemon.history", from: client),
        try harness.call("stack.order", from: client),
      ]
    }
    let before = try look(&harness)
    let rows = harness.tables.filter { $0.key != .setting }
    for _ in 0..<2 {
      for (method, params) in commands {
        #expect(
          try harness.refusal(method, params, from: client) == "-32040 storeUnavailable",
          "\(method)")
      }
      harness.pass(5)
    }
    #expect(try look(&harness) == before)
    #expect(harness.running.isEmpty && harness.launches.isEmpty)
    harness.storeMode = .commits
    harness.pass(5)
    #expect(try look(&harness) == before)
    #expect(harness.tables.filter { $0.key != .setting } == rows)
    #expect(harness.tables[.setting]?["list/cities"] == nil)
  }

  @Test func `a request that is on disk goes on although a later transaction fails`() throws {
    var harness = Harness()
    let client = harness.connect()
    let other = harness.connect()
    #expect(
      harness.send(
        #"{"jsonrpc":"2.0","id":1,"method":"widget.add","params":{"kind":"org.example.clock","wait":true}}"#,
        to: client) == [])
    let run = try #require(harness.running.first)
    harness.storeMode = .waits
    harness.send(
      #"{"jsonrpc":"2.0","id":2,"method":"widget.add","params":{"kind":"org.example.news"}}"#,
      to: other)
    // Its end is written with the news, and falls with them.
    try harness.answer("org.example.clock", Harness.timeline(#"{"title":"first"}"#))
    try harness.failCommit()
    #expect(harness.received(by: other).allSatisfy { $0.contains("-32040") })
    #expect(harness.received(by: client) == [])
    harness.storeMode = .commits
    try harness.commit()
    harness.pass(1)
    #expect(harness.received(by: client) == [])
    // The reload that is on disk runs again, and only it.
    #expect(harness.running.map(\.kind) == ["org.example.clock"])
    #expect(harness.running.first?.token != run.token)
    try harness.answer("org.example.clock", Harness.timeline(#"{"title":"second"}"#))
    let answer = try JSONValue(parsing: try #require(harness.received(by: client).first))
    #expect(answer["result"]?["receipt"]?["state"] == "done")
    #expect(answer["result"]?["widget"]?["entry"]?["content"]?["title"] == "second")
    #expect(harness.daemon.engine.order == ["clock"])
  }

  @Test func `a run under way outlives a transaction that failed`() throws {
    var harness = Harness()
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock"], from: client)
    harness.storeMode = .fails(Harness.diskFull)
    #expect(
      try harness.refusal("widget.add", ["kind": "org.example.news"], from: client)
        == "-32040 storeUnavailable")
    #expect(harness.running.count == 1 && harness.cancelled.isEmpty)
    harness.storeMode = .commits
    harness.pass(2)
    try harness.answer("org.example.clock", Harness.timeline(#"{"title":"late"}"#))
    let shown = try harness.call("widget.list", from: client)["widgets"]?.arrayValue ?? []
    #expect(shown.first?["entry"]?["content"]?["title"] == "late")
  }

  @Test func `a surface that saw a refused widget is told that it is gone`() throws {
    var harness = Harness()
    let surface = harness.connect()
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock"], from: client)
    try harness.call("surface.attach", [:], from: surface)
    harness.storeMode = .waits
    harness.send(
      #"{"jsonrpc":"2.0","id":2,"method":"widget.add","params":{"kind":"org.example.news"}}"#,
      to: client)
    #expect(harness.received(by: surface).contains { $0.contains(#""id":"news""#) })
    try harness.failCommit()
    let told = harness.received(by: surface)
    #expect(told.contains { $0.contains(#""removed":["news"]"#) }, "\(told)")
    #expect(!told.contains { $0.contains(#""id":"clock""#) })
  }

  @Test func `what comes while memory starts over is served after it`() throws {
    var harness = Harness()
    let client = harness.connect()
    harness.storeMode = .waits
    harness.send(Self.add, to: client)
    let (transaction, _) = try #require(harness.underWay)
    // Both come in one turn: the failure, and a question.
    harness.loseCommit()
    harness.handle(
      .store(.commitFailed(transaction: transaction, Harness.diskFull)),
      .received(client, Array((Self.ping + "\n").utf8)))
    let lines = harness.received(by: client)
    #expect(lines.count == 2 && lines.last == #"{"jsonrpc":"2.0","id":9,"result":{}}"#)
    #expect(!harness.daemon.isStartingOver)
  }

  @Test func `a store that stays broken is tried once a second and reported once`() throws {
    var harness = Harness()
    let client = harness.connect()
    harness.storeMode = .fails(Harness.diskFull)
    #expect(harness.send(Self.add, to: client).first?.contains("-32040") == true)
    let before = harness.commitCount
    harness.pass(10)
    #expect((9...11).contains(harness.commitCount - before))
    #expect(harness.log.filter { $0.event == "store.failed" }.count == 1)
    harness.storeMode = .commits
    harness.pass(1)
    #expect(harness.tables[.widget]?.isEmpty != false)
    #expect(harness.send(Self.add, to: client).first?.contains("result") == true)
  }

  @Test func `a store that was made anew gets all rows again`() throws {
    var harness = Harness()
    let client = harness.connect()
    harness.send(Self.add, to: client)
    try harness.answer("org.example.clock", Harness.timeline("{}"))
    let before = harness.tables
    #expect(before[.receipt]?.isEmpty == false && before[.timeline]?.isEmpty == false)
    harness.storeMode = .waits
    harness.send(
      #"{"jsonrpc":"2.0","id":2,"method":"widget.add","params":{"kind":"org.example.news"}}"#,
      to: client)
    let failure = StoreFailure(code: .damaged, message: "the store is damaged; it was made anew")
    // No row could be read from the old store.
    harness.tables = [:]
    try harness.failCommit(failure)
    // Memory has more than the new store, so the request is not taken back: its answer waits.
    #expect(harness.received(by: client) == [])
    harness.storeMode = .commits
    harness.pass(1)
    #expect(harness.received(by: client).contains { $0.contains(#""id":2,"result""#) })
    for table in [StoreTable.widget, .timeline, .receipt] {
      let keys = Set((before[table] ?? [:]).keys)
      #expect(keys.isSubset(of: Set((harness.tables[table] ?? [:]).keys)), "\(table)")
    }
    #expect(harness.tables[.setting]?.keys.contains("surroundings") == true)
    #expect(harness.tables[.widget]?.keys.sorted() == ["clock", "news"])
  }

  @Test func `a crash loses no view, and the timeline's record is not written for one`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    harness.send(Self.add, to: client)
    let record = try #require(harness.tables[.timeline]?.values.first)
    for _ in 0..<5 {
      try harness.call("surface.attach", from: client)
      harness.pass(700)
      try harness.call("surface.visibility", ["visible": false], from: client)
      harness.pass(700)
    }
    #expect(harness.tables[.timeline]?.values.first == record)
    let budget = try harness.call("widget.budget", ["id": "clock"], from: client)
    #expect(try #require(budget["viewsPerDay"]?.doubleValue) > 2)
    // Here the process is killed and started again.
    var next = Harness(stored: harness.stored, at: harness.now.wall)
    let other = next.connect()
    let restored = try next.call("widget.budget", ["id": "clock"], from: other)
    #expect(restored["viewsPerDay"] == budget["viewsPerDay"])
    // Removed widgets leave no rows behind.
    #expect(next.tables[.setting]?.keys.contains { $0.hasPrefix("views/") } == true)
    try next.call("widget.remove", ["id": "clock"], from: other)
    #expect(next.tables[.setting]?.keys.contains { $0.hasPrefix("views/") } == false)
  }

  @Test func `an update that a failed transaction held back is sent once it is on disk`() throws {
    var harness = Harness()
    let client = harness.connect()
    harness.send(Self.add, to: client)
    harness.storeMode = .waits
    try harness.answer("org.example.clock", Harness.timeline("{}"))
    try harness.failCommit()
    #expect(harness.received(by: client) == [])
    harness.pass(1)
    try harness.commit()
    let lines = harness.received(by: client)
    #expect(lines.count == 1)
    #expect(lines.first?.contains(#""method":"receipt.update""#) == true)
  }

  @Test func `a batch whose write failed is still answered on one line`() throws {
    var harness = Harness()
    let client = harness.connect()
    harness.storeMode = .fails(Harness.diskFull)
    let lines = harness.send("[\(Self.add),\(Self.ping)]", to: client)
    #expect(lines.count == 1)
    let answers = try JSONValue(parsing: try #require(lines.first)).arrayValue ?? []
    #expect(answers.compactMap { $0["error"]?["code"] } == [-32040])
    #expect(answers.count == 2)
  }

  // MARK: Stopping

  @Test func `stopping waits for the transaction, answers, and closes the store`() throws {
    var harness = Harness()
    let client = harness.connect()
    harness.storeMode = .waits
    harness.send(Self.add, to: client)
    harness.handle(.stopRequested)
    #expect(!harness.storeIsClosed)
    #expect(try harness.refusal("widget.list", from: client) == "-32042 stopping")
    try harness.commit()
    while harness.underWay != nil { try harness.commit() }
    #expect(harness.received(by: client).contains { $0.contains(#""id":1,"result""#) })
    #expect(harness.storeIsClosed)
    #expect(harness.hasStopped)
  }

  @Test func `stopping writes the replies of this turn before it closes`() {
    var harness = Harness()
    let client = harness.connect()
    harness.handle(.received(client, Array((Self.add + "\n").utf8)), .stopRequested)
    #expect(harness.received(by: client).count == 1)
    #expect(harness.tables[.widget]?["clock"] != nil)
    #expect(harness.hasStopped)
  }

  @Test func `a request that was acknowledged outlives the stop that cancels its run`() throws {
    for isHeld in [false, true] {
      var harness = Harness()
      let client = harness.connect()
      harness.send(Self.add, to: client)
      // While a transaction is under way, the cancelled run's outcome arrives before the store
      // closes.
      if isHeld {
        harness.storeMode = .waits
        harness.send(
          #"{"jsonrpc":"2.0","id":2,"method":"widget.reload","params":{"id":"clock"}}"#, to: client)
      }
      harness.handle(.stopRequested)
      while harness.underWay != nil { try harness.commit() }
      #expect(harness.hasStopped)
      #expect(harness.cancelled.count == 1)
      var next = Harness(stored: harness.stored)
      #expect(next.running.count == 1)
      try next.answer("org.example.clock", Harness.timeline("{}"))
      let reader = next.connect()
      let receipt = try next.call("widget.receipt", ["id": "r1"], from: reader)["receipt"]
      #expect(receipt?["state"] == "done")
    }
  }

  @Test func `nothing is started or written once stopped`() throws {
    var harness = Harness()
    let client = harness.connect()
    harness.send(Self.add, to: client)
    let token = try #require(harness.running.first).token
    harness.handle(.stopRequested)
    #expect(harness.hasStopped)
    let commits = harness.commitCount
    harness.handle(.provider(token, .answered(Array(Harness.timeline("{}").utf8))))
    harness.handle(.wakeUp)
    harness.handle(.clockChanged)
    harness.handle(.reloadRequested)
    harness.handle(.stopRequested)
    harness.handle(.disconnected(client))
    #expect(harness.commitCount == commits)
    #expect(harness.running.isEmpty)
  }

  @Test func `with a broken store the daemon still stops, and every client gets an answer`() throws
  {
    var harness = Harness()
    let client = harness.connect()
    harness.storeMode = .fails(Harness.diskFull)
    harness.send(Self.add, to: client)
    // The request comes between two attempts to write.
    harness.handle(
      .received(
        client,
        Array(
          #"{"jsonrpc":"2.0","id":2,"method":"widget.add","params":{"kind":"org.example.news"}}"#
            .utf8)
          + [10]), .stopRequested)
    #expect(harness.hasStopped)
    #expect(harness.received(by: client).filter { $0.contains("-32040") }.count == 1)
  }

  @Test func `a store that cannot be opened stops the daemon with its reason`() {
    var harness = Harness(isStarted: false)
    harness.handle(
      .store(.loadFailed(StoreFailure(code: .tooNew, message: "a newer intentd wrote it"))))
    #expect(harness.hasStopped)
    #expect(!harness.isReady)
    // The shell tells the reason, once.
    #expect(harness.log == [])
    #expect(
      harness.stopReason
        == .storeUnavailable(StoreFailure(code: .tooNew, message: "a newer intentd wrote it")))
  }

  // MARK: Restart

  private static let questions: [(String, JSONValue)] = [
    ("stack.order", [:]), ("stack.explain", [:]), ("widget.list", [:]), ("gallery.list", [:]),
    ("widget.timeline", ["id": "clock"]), ("widget.timeline", ["id": "weather"]),
    ("widget.receipt", ["id": "r1"]), ("widget.receipt", ["id": "r5"]),
    ("intent.recognize", ["text": "show the weather in Lönneberga"]),
    ("daemon.history", ["limit": 1_000]),
  ]

  @Test func `a restart gives the same stack, timelines, receipts and history`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    func ask(_ harness: inout Harness, _ client: ConnectionID) throws -> [String] {
      try Self.questions.map { try harness.call($0.0, $0.1, from: client).serialized }
    }
    for (method, params) in [
      ("widget.add", ["kind": "org.example.clock"]),
      ("widget.add", ["kind": "org.example.weather", "parameters": ["city": "Beijing"]]),
      ("widget.add", ["kind": "org.example.news"]),
      ("widget.add", ["kind": "org.example.clock", "id": "other"]),
      ("widget.tap", ["id": "weather"]),
      ("intent.send", ["text": "show weather for Beijing"]),
      ("intent.send", ["text": "what's on today"]),
      ("intent.donate", ["intent": "ShowWeather", "parameters": ["city": "Beijing"]]),
      ("stack.dismiss", ["id": "clock"]),
      ("widget.remove", ["id": "other"]),
      ("widget.add", ["kind": "org.example.clock", "id": "other"]),
      ("intent.setList", ["name": "cities", "values": ["Lönneberga"]]),
      ("widget.reload", ["kind": "org.example.clock"]),
    ] as [(String, JSONValue)] {
      harness.launcher = { _ in .started(application: "org.example.Weather", processID: 7) }
      let answer = try harness.call(method, params, from: client)
      #expect(answer["code"] == nil, "\(method): \(answer.serialized)")
      harness.pass(60)
    }
    // The taps of a widget are forgotten when it is removed, also by the next process.
    let timeline = Harness.timeline("{}", #","url":"https://clock.example/""#)
    try harness.call(
      "widget.push", ["id": "other", "timeline": try JSONValue(parsing: timeline)], from: client)
    let tap = try harness.call("widget.tap", ["id": "other"], from: client)
    #expect(tap["opened"] == "desktop")
    try harness.call("widget.remove", ["id": "other"], from: client)
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "other"], from: client)
    let before = try ask(&harness, client)

    var next = Harness(stored: harness.stored, at: harness.now.wall, provider: Harness.texts)
    let reader = next.connect()
    let after = try ask(&next, reader)
    for (question, (old, new)) in zip(Self.questions, zip(before, after)) {
      guard question.0 != "daemon.history" else { continue }
      #expect(
        Harness.withoutRevisions(old) == Harness.withoutRevisions(new), "\(question)")
    }
    // The start of the next process adds a row to the history.
    let old = try JSONValue(parsing: try #require(before.last))["entries"]?.arrayValue ?? []
    let new = try JSONValue(parsing: try #require(after.last))["entries"]?.arrayValue ?? []
    #expect(new.suffix(old.count) == old[...])
    #expect(new.count == old.count + 1)
    // Numbers of receipts continue.
    let receipt = try next.call("widget.reload", ["id": "clock"], from: reader)
    let last = harness.daemon.engine.receipts.keys.max()?.number ?? 0
    #expect(receipt["receipts"]?.arrayValue?.first?["id"] == .string("r\(last + 1)"))
  }

  @Test func `after a restart a suggestion keeps its lifetime`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    try harness.call("intent.send", ["text": "what's on today"], from: client)
    harness.pass(3_000)
    try harness.call("intent.send", ["text": "what's on today"], from: client)
    harness.pass(1_000)
    var next = Harness(stored: harness.stored, at: harness.now.wall, provider: Harness.texts)
    #expect(next.daemon.engine.widgets.count == 1)
    next.pass(2_599)
    #expect(next.daemon.engine.widgets.count == 1)
    next.pass(1)
    #expect(next.daemon.engine.widgets.isEmpty)
  }

  @Test func `rows that cannot be read are lost alone`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock"], from: client)
    var stored = harness.stored
    for table in StoreTable.allCases where table != .kept {
      stored.tables[table, default: []].append(.init(key: "zzz", bytes: Array("nonsense".utf8)))
    }
    stored.tables[.widget]?.append(.init(key: "half", bytes: Array(#"{"kind":"x"}"#.utf8)))
    stored.journal.append(.init(sequence: 900, bytes: Array("[{".utf8)))
    var next = Harness(stored: stored, provider: Harness.texts)
    #expect(next.isReady)
    #expect(next.daemon.engine.order == ["clock"])
    let complaint = next.log.first { $0.event == "store.unreadableRows" }
    #expect(complaint == LogLine(.error, "store.unreadableRows", ["count": "8"]))
    let reader = next.connect()
    // They are kept as they were, and are in nobody's way.
    #expect(next.tables[.kept]?.count == 7)
    #expect(next.tables[.kept]?["widget/half"] == Array(#"{"kind":"x"}"#.utf8))
    #expect(next.tables[.widget]?.keys.sorted() == ["clock"])
    let store = try next.call("daemon.status", from: reader)["store"]
    #expect(store?["damagedRows"] == 8)
    #expect(store?["damagedWidgets"] == ["half", "zzz"])
    #expect(
      try next.refusal("widget.add", ["kind": "org.example.clock", "id": "half"], from: reader)
        == "-32028 widgetDamaged")
    let newest = try next.call("daemon.history", ["limit": 1], from: reader)
    #expect(newest["entries"]?.arrayValue?.first?["sequence"] == 901)
  }

  /// Returns a stored state with one widget, one receipt and entries of the history.
  private func stored() throws -> StoredState {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock"], from: client)
    try harness.call("surface.attach", [:], from: client)
    try harness.call("widget.reload", ["id": "clock"], from: client)
    return harness.stored
  }

  private func changed(_ bytes: [UInt8], _ part: String, to other: String) -> [UInt8] {
    Array(String(decoding: bytes, as: UTF8.self).replacing(part, with: other).utf8)
  }

  @Test(arguments: [1, -5, 900_000, Int64.max])
  func `whatever number an entry claims, the next row has one that no row has`(_ claimed: Int64)
    throws
  {
    var stored = try stored()
    let last = try #require(stored.journal.indices.last)
    let number = stored.journal[last].sequence
    stored.journal[last].bytes = changed(
      stored.journal[last].bytes, #""sequence":\#(number)"#, to: #""sequence":\#(claimed)"#)
    var next = Harness(stored: stored, provider: Harness.texts)
    let client = next.connect()
    try next.call("widget.add", ["kind": "org.example.clock"], from: client)
    #expect(next.journal[number] == stored.journal[last].bytes)
    #expect(next.journal.keys.filter { $0 > number }.min() == number + 1)
  }

  @Test func `numbers at the end of their range are damage, and new ones do not follow them`()
    throws
  {
    var stored = try stored()
    stored.journal.append(.init(sequence: .max, bytes: Array("[]".utf8)))
    for (table, part) in [(StoreTable.widget, #""position":1"#), (.setting, #""day":"#)] {
      for index in stored.tables[table, default: []].indices {
        let bytes = stored.tables[table]?[index].bytes ?? []
        stored.tables[table]?[index].bytes = changed(
          bytes, part,
          to: table == .widget ? #""position":\#(Int64.max)"# : #""day":-9223372036854775808,"x":"#)
      }
    }
    let receipt = try #require(stored.tables[.receipt]?.first)
    stored.tables[.receipt]?.append(.init(key: "r\(Int64.max)", bytes: receipt.bytes))
    var next = Harness(stored: stored, provider: Harness.texts)
    #expect(next.isReady)
    let client = next.connect()
    try next.call("widget.add", ["kind": "org.example.clock"], from: client)
    try next.call("surface.attach", [:], from: client)
    try next.call("widget.reload", ["id": "clock"], from: client)
    next.pass(7_200)
    #expect(next.daemon.engine.widgets.count == 1)
  }
}
