import IntentProtocol
import JSON
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// A request with an idempotency key takes effect once, however often it is sent.
@Suite struct RememberedRequestTests {
  private static let add: JSONValue = ["kind": "org.example.clock", "idempotencyKey": "a"]

  @Test func `a request that comes again gets the first answer, also after a restart`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let first = try harness.call("widget.add", Self.add, from: client)
    #expect(try harness.call("widget.add", Self.add, from: client) == first)
    let other = harness.connect()
    #expect(try harness.call("widget.add", Self.add, from: other) == first)
    #expect(harness.daemon.engine.order == ["clock"])
    var next = Harness(stored: harness.stored, at: harness.now.wall, provider: Harness.texts)
    let reader = next.connect()
    #expect(try next.call("widget.add", Self.add, from: reader) == first)
    #expect(next.daemon.engine.order == ["clock"])
  }

  @Test func `the same key with another request is refused`() throws {
    var harness = Harness()
    let client = harness.connect()
    try harness.call("widget.add", Self.add, from: client)
    let others: [(String, JSONValue)] = [
      ("widget.add", ["kind": "org.example.news", "idempotencyKey": "a"]),
      ("widget.add", ["kind": "org.example.clock", "id": "c", "idempotencyKey": "a"]),
      ("widget.remove", ["id": "clock", "idempotencyKey": "a"]),
    ]
    for (method, params) in others {
      #expect(try harness.refusal(method, params, from: client) == "-32043 keyReused")
    }
    #expect(harness.daemon.engine.order == ["clock"])
    // The order of the parameters does not count, and another app has keys of its own.
    let same: JSONValue = ["idempotencyKey": "a", "kind": "org.example.clock"]
    #expect(try harness.call("widget.add", same, from: client)["widget"]?["id"] == "clock")
    let app = harness.connect()
    try harness.call("app.register", ["app": "org.example.App"], from: app)
    #expect(try harness.call("widget.add", Self.add, from: app)["widget"]?["id"] == "clock-2")
  }

  @Test(arguments: ["", String(repeating: "k", count: 65), "é" + String(repeating: "k", count: 63)])
  func `a key is a text of 1 to 64 bytes`(_ key: String) throws {
    var harness = Harness()
    let client = harness.connect()
    for wrong in [JSONValue.string(key), .int(7), .null] {
      let error = try harness.call(
        "widget.add", ["kind": "org.example.clock", "idempotencyKey": wrong], from: client)
      #expect(error["code"] == -32602 && error["data"]?["parameter"] == "idempotencyKey")
    }
    #expect(harness.daemon.engine.order == [])
    let most = String(repeating: "k", count: 64)
    try harness.call(
      "widget.add", ["kind": "org.example.clock", "idempotencyKey": .string(most)], from: client)
    #expect(harness.daemon.engine.order == ["clock"])
    // A method that changes nothing takes no key.
    #expect(
      try harness.refusal("widget.list", ["idempotencyKey": "a"], from: client).hasPrefix("-32602"))
  }

  @Test func `what was refused is not remembered, and is done when it comes again`() throws {
    var harness = Harness()
    let client = harness.connect()
    harness.storeMode = .fails(Harness.diskFull)
    for _ in 0..<2 {
      #expect(
        try harness.refusal("widget.add", Self.add, from: client) == "-32040 storeUnavailable")
    }
    harness.storeMode = .commits
    harness.pass(2)
    #expect(harness.daemon.engine.order == [])
    for _ in 0..<2 {
      #expect(try harness.call("widget.add", Self.add, from: client)["widget"]?["id"] == "clock")
    }
    #expect(harness.daemon.engine.order == ["clock"])
    let unknown: JSONValue = ["id": "nobody", "idempotencyKey": "b"]
    #expect(
      try harness.refusal("widget.remove", unknown, from: client) == "-32020 unknownWidget")
    let known: JSONValue = ["id": "clock", "idempotencyKey": "b"]
    #expect(try harness.call("widget.remove", known, from: client)["removed"] == "clock")
  }

  @Test func `a known answer is given while the store fails`() throws {
    var harness = Harness()
    let client = harness.connect()
    let first = try harness.call("widget.add", Self.add, from: client)
    harness.storeMode = .fails(Harness.diskFull)
    #expect(
      try harness.refusal("widget.add", ["kind": "org.example.news"], from: client)
        == "-32040 storeUnavailable")
    #expect(try harness.call("widget.add", Self.add, from: client) == first)
  }

  @Test func `a request that is under way is joined`() throws {
    var harness = Harness()
    let client = harness.connect()
    let other = harness.connect()
    let params = #"{"kind":"org.example.clock","wait":true,"idempotencyKey":"a"}"#
    for connection in [client, other] {
      let line = #"{"jsonrpc":"2.0","id":1,"method":"widget.add","params":\#(params)}"#
      #expect(harness.send(line, to: connection) == [])
    }
    #expect(harness.running.count == 1)
    try harness.answer("org.example.clock", Harness.timeline("{}"))
    let answers = harness.received(by: client).filter { $0.contains(#""id":1"#) }
    #expect(answers.count == 1 && answers[0].contains(#""state":"done""#))
    #expect(harness.received(by: other) == answers)
    // After a crash on the way, the answer is the one without waiting.
    var next = Harness(stored: harness.stored)
    let reader = next.connect()
    let again = next.send(
      #"{"jsonrpc":"2.0","id":1,"method":"widget.add","params":\#(params)}"#, to: reader)
    #expect(again == answers)
  }

  @Test func `a request is remembered for an hour, and 10,000 of a client`() throws {
    var harness = Harness()
    let client = harness.connect()
    func donate(_ key: String) throws {
      try harness.call(
        "intent.donate",
        [
          "intent": "ShowWeather", "parameters": ["city": "Oslo"], "idempotencyKey": .string(key),
        ], from: client)
    }
    let before = harness.daemon.engine.stackModel.donationCount
    for _ in 0..<2 { try donate("a") }
    #expect(harness.daemon.engine.stackModel.donationCount == before + 1)
    harness.pass(3_601)
    try donate("a")
    #expect(harness.daemon.engine.stackModel.donationCount == before + 2)
    #expect(harness.tables[.request]?.count == 1)

    var requests = RememberedRequests()
    let now = WallTime(seconds: 1_000)
    for number in 0...Limits.rememberedRequestCountMax {
      let name = RequestName(client: "", key: "k\(number)")
      let begun = requests.begin(name, fingerprint: 1, at: now)
      guard case .new(let known) = begun.0 else { break }
      let last = number == Limits.rememberedRequestCountMax
      #expect(begun.forgotten == (last ? ["\nk0"] : []))
      _ = requests.end(known, Array("{}".utf8), transaction: 1, isPrivate: false)
    }
    #expect(requests.count == Limits.rememberedRequestCountMax)
  }

  @Test func `requests that are refused leave nothing behind, while one is remembered`() {
    var requests = RememberedRequests()
    let now = WallTime(seconds: 1_000)
    func begin(_ key: String) -> UInt64? {
      let begun = requests.begin(RequestName(client: "", key: key), fingerprint: 1, at: now)
      guard case .new(let number) = begun.0 else { return nil }
      return number
    }
    if let kept = begin("kept") {
      _ = requests.end(kept, Array("{}".utf8), transaction: 1, isPrivate: false)
    }
    for number in 0..<1_000 {
      guard let refused = begin("k\(number)") else { break }
      #expect(requests.forget(refused) == [])
    }
    #expect(requests.count == 1)
    #expect(requests.checkInvariants(alive: []) == [])
    let again = requests.begin(RequestName(client: "", key: "kept"), fingerprint: 1, at: now)
    #expect(again.0 == .known(.given(Array("{}".utf8), transaction: 1), number: 1))
  }

  @Test func `a long answer is not kept, and the request is not done again`() throws {
    var harness = Harness()
    let client = harness.connect()
    for number in 0..<120 {
      try harness.call(
        "widget.add", ["kind": "org.example.clock", "id": .string("c\(number)")], from: client)
    }
    let reload: JSONValue = ["kind": "org.example.clock", "idempotencyKey": "r"]
    let answer = try harness.call("widget.reload", reload, from: client)
    #expect(answer["receipts"]?.arrayValue?.count == 120)
    #expect(try harness.refusal("widget.reload", reload, from: client) == "-32044 alreadyDone")
  }

  @Test func `what is forgotten is forgotten from the answers too`() throws {
    var harness = Harness()
    let client = harness.connect()
    let send: JSONValue = [
      "intent": "ShowWeather", "parameters": ["city": "Oslo"], "idempotencyKey": "s",
    ]
    try harness.call("intent.send", send, from: client)
    #expect(harness.tables[.request]?.values.contains { Self.text($0).contains("Oslo") } == true)
    try harness.call("donation.forget", ["all": true], from: client)
    #expect(harness.tables[.request]?.values.contains { Self.text($0).contains("Oslo") } == false)
    #expect(try harness.refusal("intent.send", send, from: client) == "-32044 alreadyDone")
    try harness.call("donation.setPrivate", [:], from: client)
    let secret: JSONValue = [
      "intent": "ShowWeather", "parameters": ["city": "Bergen"], "idempotencyKey": "t",
    ]
    let first = try harness.call("intent.send", secret, from: client)
    #expect(try harness.call("intent.send", secret, from: client) == first)
    #expect(harness.tables[.request]?.values.contains { Self.text($0).contains("Bergen") } == false)
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
