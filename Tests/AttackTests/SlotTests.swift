import DaemonTestSupport
import JSON
import Testing

/// Providers hang, and other runs need the slots that they hold.
@Suite struct SlotTests {
  @Test func `four providers that hang hold no person up, and give their slots back`() throws {
    try withSandbox { sandbox in
      for number in 1...4 {
        try sandbox.widget("hang\(number)", script: "exec sleep 600", provider: "timeout: 10m")
      }
      try sandbox.widget("good", script: Sandbox.answer(title: "good"))
      try sandbox.widget(
        "quiet", script: Sandbox.answer(title: "quiet"), settings: "app: org.example.Q")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      for kind in ["good", "quiet"] {
        try client.call("widget.add", ["kind": .string(kind), "wait": true])
      }
      // An app in the background, for which no slots are kept.
      let app = try sandbox.connect()
      try app.call("app.register", ["app": "org.example.Q"])
      for number in 1...4 {
        try client.call("widget.add", ["kind": .string("hang\(number)")])
      }
      try eventually("four hang") { (try? client.call("daemon.status")["running"]) == 4 }

      let mine = try client.call("widget.reload", ["id": "good", "wait": true])
      #expect(mine["receipts"]?.arrayValue?.first?["state"] == "done")
      #expect(try client.call("daemon.status")["running"] == 4, "they hang still")

      let others = try app.call("widget.reload", ["id": "quiet", "wait": true])
      #expect(others["receipts"]?.arrayValue?.first?["cause"] == "hostBackground")
      #expect(others["receipts"]?.arrayValue?.first?["state"] == "done")
      // The first that gave its slot back let it run; the others follow.
      let status = try client.call("daemon.status")
      #expect(status["running"] == 4, "they hang still")
      #expect((status["overlong"]?.intValue ?? 0) >= 1)
      #expect(status["queued"] == 0)
      try eventually("all four have given their slots back") {
        (try? client.call("daemon.status")["overlong"]) == 4
      }
      try sandbox.stop(daemon)
    }
  }

  @Test func `starts that hang in the kernel hold nobody up`() throws {
    try withSandbox { sandbox in
      let names = (1...6).map { "held\($0)" }
      for name in names {
        try sandbox.widget(name, script: Sandbox.answer(title: "late"), provider: "timeout: 10m")
      }
      try sandbox.widget("good", script: Sandbox.answer(title: "good"))
      guard let held = HeldStarts(of: names.map { "\(sandbox.widgets)/\($0).run" }) else {
        print("this user may not hold the start of a program: not tested here")
        return
      }
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      do {
        // At the end of the test, however it ends: a held program cannot even be killed.
        defer { held.end() }
        for name in names { try client.call("widget.add", ["kind": .string(name)]) }
        try eventually("they are being started") {
          let status = try client.call("daemon.status")
          return (status["running"]?.intValue ?? 0) + (status["overlong"]?.intValue ?? 0) >= 4
        }
        try client.call("widget.add", ["kind": "good"])
        for _ in 0..<3 {
          let reload = try client.call("widget.reload", ["id": "good", "wait": true])
          #expect(reload["receipts"]?.arrayValue?.first?["state"] == "done")
        }
        #expect(try Self.countOfShown(client, "late") == 0, "they have not started")
      }
      try eventually("the others start, too") {
        try Self.countOfShown(client, "late") == names.count
      }
      try sandbox.stop(daemon)
    }
  }

  /// Returns the number of widgets that show `title`.
  private static func countOfShown(_ client: WireClient, _ title: String) throws -> Int {
    let widgets = try client.call("widget.list")["widgets"]?.arrayValue ?? []
    return widgets.count { $0["entry"]?["content"]?["title"] == .string(title) }
  }
}
