import BusMessages
import DaemonTestSupport
import EventLoop
import Glibc
import Testing
import UserBus

@Suite(.serialized) struct UserBusTests {
  private static let introspection = """
    <node><interface name="\(echo)"><method name="Echo"/></interface></node>
    """

  /// Serves an object that answers with what it is told, and returns its connection.
  private func serve(
    _ rig: BusRig, userID: UInt32 = getuid(),
    handler: @escaping (BusCall) -> Void = { $0.reply($0.invocation.arguments) },
    left: @escaping (String) -> Void = { _ in }
  ) throws -> UserBus {
    let server = try rig.connect(userID: userID)
    try server.serve(
      "/org/example/Echo", introspection: { _ in Self.introspection }, handler: handler,
      callerLeft: left)
    #expect(try rig.own(echo, server) == .owner)
    return server
  }

  @Test func `values of every type come back as they went`() throws {
    try withBus { rig in
      _ = try serve(rig)
      let client = try rig.connect()
      let values: [BusValue] = [
        .byte(1), .boolean(true), .boolean(false), .int16(-2), .uint16(3), .int32(-4), .uint32(5),
        .int64(-6), .uint64(.max), .double(0.5), .string("Zürich 北京"), .objectPath("/a/b"),
        .signature("a{sv}"), .strings(["a", ""]), .array([], of: "(sasas)"),
        .structure([.string("x"), .int32(1)]), .array([.structure([.byte(1)])], of: "(y)"),
        .dictionary(["name": .string("x"), "empty": .dictionary([:])]),
        .variant(.variant(.array([.variant(.byte(1))], of: "v"))),
      ]
      #expect(try rig.answer(client, request("Echo", values)) == .answered(values))
    }
  }

  @Test func `a descriptor belongs to who gets it`() throws {
    try withBus { rig in
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      let ours = BusDescriptor(ends[0]) { _ = Glibc.close($0) }
      _ = try serve(rig)
      let client = try rig.connect()
      let answer = try rig.answer(client, request("Echo", [.descriptor(ours)]))
      guard case .answered(let values) = answer, case .descriptor(let theirs)? = values.first else {
        Issue.record("no descriptor in \(answer)")
        return
      }
      #expect(theirs.number != ours.number)
      try #require(Glibc.write(ends[1], "x", 1) == 1)
      Glibc.close(ends[1])
      var byte: UInt8 = 0
      #expect(Glibc.read(theirs.number, &byte, 1) == 1 && byte == UInt8(ascii: "x"))
    }
  }

  @Test func `an answer may come in a later turn, and a refusal has a name`() throws {
    try withBus { rig in
      var kept: [BusCall] = []
      _ = try serve(rig) { kept.append($0) }
      let client = try rig.connect()
      var answers: [BusAnswer] = []
      for number in 1...3 {
        try client.call(request("Keep", [.int32(Int32(number))])) { answers.append($0) }
      }
      rig.run { kept.count == 3 }
      kept[2].reply([.string("third")])
      kept[2].reply([.string("twice")])
      rig.run { answers.count == 1 }
      kept[0].refuse("org.example.Error.Busy", "not now")
      kept[0].reply()
      rig.run { answers.count == 2 }
      // A call that nobody keeps is refused, so that its caller does not wait.
      kept = []
      rig.run { answers.count == 3 }
      #expect(
        answers == [
          .answered([.string("third")]),
          .refused(name: "org.example.Error.Busy", message: "not now"),
          .refused(name: "org.freedesktop.DBus.Error.Failed", message: "the call was given up"),
        ])
    }
  }

  @Test func `a call without an answer is lost after its time`() throws {
    try withBus { rig in
      var kept: [BusCall] = []
      _ = try serve(rig) { kept.append($0) }
      var late = request("Keep")
      late.timeout = 50
      let client = try rig.connect()
      #expect(try rig.answer(client, late).isLate)
      #expect(kept.count == 1)
    }
  }

  @Test func `nobody is started or called by a name that nobody has`() throws {
    try withBus { rig in
      var unknown = BusRequest("org.example.Nobody", "/", "org.example.Nobody", "Do")
      unknown.startsService = false
      let client = try rig.connect()
      #expect(try rig.answer(client, unknown).isFromNobody)
    }
  }

  @Test func `other users are refused`() throws {
    try withBus { rig in
      var count = 0
      _ = try serve(rig, userID: getuid() + 1) {
        count += 1
        $0.reply()
      }
      let client = try rig.connect()
      for _ in 0..<2 {
        guard case .refused(let name, _) = try rig.answer(client, request("Echo")) else {
          Issue.record("the call was answered")
          continue
        }
        #expect(name == "org.freedesktop.DBus.Error.AccessDenied")
      }
      #expect(count == 0)
    }
  }

  @Test func `a caller that goes is reported, and asked about again when it comes back`() throws {
    try withBus { rig in
      var left: [String] = []
      var senders: [String] = []
      _ = try serve(rig) {
        senders.append($0.invocation.sender)
        $0.reply()
      } left: {
        left.append($0)
      }
      for round in 1...2 {
        let client = try rig.connect()
        #expect(try rig.answer(client, request("Echo")) == .answered([]))
        client.close()
        rig.run { left.count == round }
      }
      #expect(senders == left && Set(senders).count == 2)
    }
  }

  @Test func `a message that is too large is refused, and the next one is read`() throws {
    try withBus { rig in
      _ = try serve(rig)
      let client = try rig.connect()
      let limits = BusLimits()
      for large in [
        BusValue.string(String(repeating: "x", count: limits.bytesMax + 1)),
        .array(Array(repeating: .byte(1), count: limits.valueCountMax), of: "y"),
        (0..<limits.depthMax).reduce(BusValue.byte(1)) { value, _ in .variant(value) },
      ] {
        // What is sent is not limited; here the server refuses what is nested once more.
        let answer = try rig.answer(client, request("Echo", [.variant(large)]))
        guard case .refused(let name, _) = answer else {
          Issue.record("it was read")
          continue
        }
        #expect(name == "org.freedesktop.DBus.Error.LimitsExceeded")
      }
      #expect(try rig.answer(client, request("Echo", [.byte(1)])) == .answered([.byte(1)]))
    }
  }

  @Test func `programs of others find the object, and it says that it is there`() throws {
    try withBus { rig in
      guard Programs.isInstalled("busctl"), Programs.isInstalled("gdbus") else {
        return print("there is no busctl or no gdbus here: they are not tested")
      }
      var count = 0
      _ = try serve(rig) {
        count += 1
        $0.reply($0.invocation.arguments)
      }
      let tree = try rig.output(
        "/usr/bin/gdbus",
        ["introspect", "--session", "-d", echo, "-o", "/org/example/Echo"])
      #expect(tree.output.contains("interface \(echo)"), "\(tree)")
      let ping = try rig.output(
        "/usr/bin/busctl",
        [
          "--address=\(rig.address)", "call", echo, "/org/example/Echo",
          "org.freedesktop.DBus.Peer", "Ping",
        ])
      #expect(ping.status == 0, "\(ping)")
      let answer = try rig.output(
        "/usr/bin/gdbus",
        [
          "call", "--session", "-d", echo, "-o", "/org/example/Echo/below", "-m", "\(echo).Echo",
          "{'a': <1>}",
        ])
      #expect(answer.output.contains("{'a': <1>}"), "\(answer)")
      // A caller that goes may be gone before the bus said whose it is; then it is not served.
      let silent = try rig.output(
        "/usr/bin/busctl",
        [
          "--address=\(rig.address)", "--expect-reply=no", "call", echo, "/org/example/Echo", echo,
          "Echo",
        ])
      #expect(silent.status == 0, "\(silent)")
      let client = try rig.connect()
      #expect(try rig.answer(client, request("Echo")) == .answered([]))
      #expect(count == 2 || count == 3)
    }
  }

  @Test func `a caller that wants no answer gets none`() throws {
    try withBus { rig in
      var invocations: [BusInvocation] = []
      _ = try serve(rig) {
        invocations.append($0.invocation)
        $0.reply([.byte(1)])
      }
      let client = try rig.connect()
      var silent = request("Echo")
      silent.wantsAnswer = false
      try client.call(silent) { Issue.record("answered: \($0)") }
      #expect(try rig.answer(client, request("Echo")) == .answered([.byte(1)]))
      #expect(invocations.map(\.expectsAnswer) == [false, true])
    }
  }

  @Test func `a flood waits, and each call is answered once`() throws {
    try withBus { rig in
      var inTurn = 0
      var most = 0
      _ = try serve(rig) { call in
        inTurn += 1
        most = max(most, inTurn)
        call.reply(call.invocation.arguments)
      }
      rig.loop.onTurn {
        inTurn = 0
        return false
      }
      let client = try rig.connect()
      #expect(try rig.answer(client, request("Echo")) == .answered([]))
      var answers: [BusAnswer] = []
      for number in 0..<1_000 {
        try client.call(request("Echo", [.int32(Int32(number))])) { answers.append($0) }
      }
      rig.run { answers.count == 1_000 }
      #expect(answers == (0..<1_000).map { .answered([.int32($0)]) })
      #expect(most <= 64)
    }
  }

  @Test func `signals are heard until they are cancelled`() throws {
    try withBus { rig in
      let watcher = try rig.connect()
      var owners: [String?] = []
      let subscription = try watcher.watchOwner(of: echo) { owners.append($0) }
      rig.run { owners.count == 1 }
      let server = try rig.connect()
      #expect(try rig.own(echo, server) == .owner)
      rig.run { owners.count == 2 }
      try server.releaseName(echo)
      rig.run { owners.count == 3 }
      #expect(owners[0] == nil && owners[1]?.hasPrefix(":1.") == true && owners[2] == nil)
      subscription.cancel()
      #expect(try rig.own(echo, server) == .owner)
      // An answer that comes after the signal would have come.
      _ = try rig.answer(watcher, .ofBus("GetId"))
      #expect(owners.count == 3)
    }
  }

  @Test func `the next in the queue gets the name`() throws {
    try withBus { rig in
      let first = try rig.connect()
      #expect(try rig.own(echo, first) == .owner)
      let second = try rig.connect()
      #expect(try rig.own(echo, second) == .queued)
      var owners: [String?] = []
      let client = try rig.connect()
      _ = try client.watchOwner(of: echo) { owners.append($0) }
      rig.run { owners.count == 1 }
      first.close()
      rig.run { owners.count == 2 }
      #expect(owners[1] != nil && owners[0] != owners[1])
    }
  }

  @Test func `a bus that dies is reported once, after its calls were refused`() throws {
    try withBus { rig in
      let client = try rig.connect()
      var kept: [BusCall] = []
      _ = try serve(rig) { kept.append($0) }
      var lost = 0
      var answers: [BusAnswer] = []
      client.onLost = { _ in lost += 1 }
      try client.call(request("Keep")) { answers.append($0) }
      rig.run { kept.count == 1 }
      rig.forgiveLosses()
      rig.daemon.killGroup()
      rig.run { lost == 1 && rig.lossCount > 0 }
      #expect(answers.count == 1 && answers[0].isLate)
      // Its connection is gone, so this does nothing.
      kept[0].reply()
      #expect(throws: UserBusError.self) { try client.call(request("Echo")) { _ in } }
    }
  }
}
