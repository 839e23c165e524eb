import BusMessages
import DaemonTestSupport
import EventLoop
import Foundation
import Glibc
import JSON
import Testing
import Timekeeping
import UserBus

/// The daemon on a private session bus: found, asked, killed, and found again.
@Suite(.serialized) struct SearchBusTests {
  private static let shell = "org.gnome.Shell.SearchProvider2"
  private static let runner = "org.kde.krunner1"

  private static let isPossible =
    Programs.isInstalled("dbus-daemon") && dlopen("libsystemd.so.0", RTLD_LAZY) != nil

  /// A daemon, its bus, and a desktop that is a client of it.
  private final class Desk {
    let sandbox: Sandbox
    let loop: Loop
    let address: String
    private(set) var bus: Program
    private(set) var daemon: Program
    /// The notifications that were shown.
    private(set) var notices: [[BusValue]] = []
    var losses = 0
    private var connections: [UserBus] = []

    init(_ sandbox: Sandbox, _ loop: Loop) throws {
      self.sandbox = sandbox
      self.loop = loop
      address = "unix:path=\(sandbox.root)/bus"
      bus = try Self.startBus(sandbox)
      try sandbox.addIntents()
      daemon = try Self.startDaemon(sandbox)
    }

    private static func startBus(_ sandbox: Sandbox) throws -> Program {
      let path = sandbox.root + "/bus"
      unlink(path)
      let bus = try sandbox.start(
        "/usr/bin/dbus-daemon",
        ["--session", "--nofork", "--address=unix:path=\(path)", "--print-address=1"])
      try eventually("the bus listens") { bus.output.contains(path) }
      return bus
    }

    private static func startDaemon(_ sandbox: Sandbox) throws -> Program {
      try sandbox.startDaemon(
        environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(sandbox.root)/bus"])
    }

    func startBusAgain() throws { bus = try Self.startBus(sandbox) }
    func startDaemonAgain() throws { daemon = try Self.startDaemon(sandbox) }

    /// Connects, as a program of the desktop.
    func connect() throws -> UserBus {
      let connection = try UserBus(loop: loop, address: address)
      connection.onLost = { [unowned self] _ in losses += 1 }
      connections.append(connection)
      return connection
    }

    /// Shows notifications.
    func showNotices() throws {
      let server = try connect()
      try server.serve(
        "/org/freedesktop/Notifications", introspection: { _ in "<node/>" },
        handler: { [unowned self] call in
          notices.append(call.invocation.arguments)
          call.reply([.uint32(7)])
        })
      var isNamed = false
      try server.requestName("org.freedesktop.Notifications") { _ in isNamed = true }
      run { isNamed }
    }

    func run(until condition: @escaping () -> Bool) {
      let timer = LoopTimer(loop: loop)
      let latest = monotonicSeconds() + patience
      func look() {
        if condition() { return loop.stop() }
        guard monotonicSeconds() < latest else {
          Issue.record("the loop waited for nothing")
          return loop.stop()
        }
        timer.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: 1), look)
      }
      look()
      loop.runUntilStopped()
      timer.close()
    }

    func answer(
      _ client: UserBus, _ interface: String, _ member: String, _ arguments: [BusValue]
    ) throws -> BusAnswer {
      var answer: BusAnswer?
      try client.call(
        BusRequest("org.intentd.Daemon", "/org/intentd/Daemon", interface, member, arguments)
      ) { answer = $0 }
      run { answer != nil }
      return try #require(answer)
    }

    /// The ids that GNOME Shell would get.
    func find(_ text: String, _ client: UserBus) throws -> [String] {
      let words = BusValue.strings(text.split(separator: " ").map(String.init))
      guard
        case .answered(let values) = try answer(client, shell, "GetInitialResultSet", [words])
      else { return ["refused"] }
      return values.first?.texts ?? ["unreadable"]
    }

    /// Waits until the name has an owner.
    func awaitName(_ client: UserBus) throws {
      var owner: String?
      let watch = try client.watchOwner(of: "org.intentd.Daemon") { owner = $0 }
      run { owner != nil }
      watch.cancel()
    }

    func service() throws -> JSONValue? {
      try sandbox.connect().call("daemon.status")["services"]?.arrayValue?.first {
        $0["name"] == "search"
      }
    }

    func close() {
      for connection in connections { connection.close() }
    }
  }

  private func withDesk(_ body: (Desk) throws -> Void) throws {
    guard Self.isPossible else {
      return print("there is no dbus-daemon or no libsystemd here: the search is not tested")
    }
    try withSandbox { sandbox in
      let loop = try Loop()
      defer { loop.close() }
      let desk = try Desk(sandbox, loop)
      defer { desk.close() }
      try body(desk)
    }
  }

  @Test func `the desktop finds, chooses, and is told the answer once`() throws {
    try withDesk { desk in
      let wire = try desk.sandbox.connect()
      #expect(try wire.add("weather", parameters: ["city": "Beijing"]) == "done")
      let client = try desk.connect()
      try desk.awaitName(client)
      try desk.showNotices()
      let ids = try desk.find("show the weather in Bei", client)
      #expect(ids == ["show the weather in Beijing\nen"])
      let metas = try desk.answer(client, Self.shell, "GetResultMetas", [.strings(ids)])
      guard case .answered(let values) = metas, let meta = values.first?.elements?.first else {
        Issue.record("no metas: \(metas)")
        return
      }
      #expect(meta["name"]?.text == "show the weather in Beijing")
      #expect(meta["description"]?.text == "3 degrees")
      let chosen = try desk.answer(
        client, Self.shell, "ActivateResult",
        [.string(ids[0]), .strings(["show"]), .uint32(0)])
      #expect(chosen == .answered([]))
      desk.run { desk.notices.count == 1 }
      #expect(desk.notices.first?[3...4].map(\.text) == ["Beijing", "3 degrees"])
      // Once: another choice brings another notification, and no third.
      _ = try desk.answer(client, Self.runner, "Run", [.string(ids[0]), .string("")])
      desk.run { desk.notices.count == 2 }
      let history = try wire.call("daemon.history")["entries"]?.arrayValue ?? []
      #expect(history.count { $0["event"] == "intent" } == 2)
      #expect(desk.notices.count == 2)
      #expect(try desk.service()?["state"] == "connected")
    }
  }

  @Test func `a runner finds the same, and links open`() throws {
    try withDesk { desk in
      let client = try desk.connect()
      try desk.awaitName(client)
      let matches = try desk.answer(client, Self.runner, "Match", [.string("show weather for N")])
      guard case .answered(let values) = matches,
        case .structure(let first)? = values.first?.elements?.first
      else {
        Issue.record("no matches: \(matches)")
        return
      }
      #expect(first[1] == .string("show weather for New York"))
      let opened = try desk.answer(
        client, "org.freedesktop.Application", "Open",
        [.strings(["weather://city/Shanghai"]), .dictionary([:])])
      #expect(opened == .answered([]))
      let wire = try desk.sandbox.connect()
      let history = try wire.call("daemon.history").serialized
      #expect(history.contains("Shanghai"))
      let refused = try desk.answer(
        client, "org.freedesktop.Application", "Open",
        [.strings(["nonsense://x"]), .dictionary([:])])
      guard case .refused = refused else {
        Issue.record("it counts as opened")
        return
      }
      // Without intent-web, or without a screen, nothing comes of it.
      #expect(
        try desk.answer(client, "org.freedesktop.Application", "Activate", [.dictionary([:])])
          == .answered([]))
    }
  }

  @Test func `a thousand keystrokes change nothing and run nothing`() throws {
    try withDesk { desk in
      let wire = try desk.sandbox.connect()
      #expect(try wire.add("weather", parameters: ["city": "Beijing"]) == "done")
      let client = try desk.connect()
      try desk.awaitName(client)
      _ = try desk.find("show", client)
      func metrics() throws -> [Substring] {
        (try wire.call("daemon.metrics")["text"]?.stringValue ?? "").split(separator: "\n")
      }
      func state() throws -> [String] {
        let files = try ["intentd.sqlite", "intentd.sqlite-wal"].map { name in
          let path = URL(filePath: "\(desk.sandbox.state)/\(name)")
          return try Data(contentsOf: path).base64EncodedString()
        }
        let runs = try metrics().filter {
          $0.hasPrefix("intentd_provider_runs") || $0.hasPrefix("intentd_transactions")
        }
        return try files + runs.map(String.init) + [wire.call("daemon.history").serialized]
      }
      // The placing itself is written in several steps.
      try eventually("everything is written") {
        try metrics().contains("intentd_writes_waiting 0")
      }
      let before = try state()
      let text = Array("show the weather in Beijing")
      var answers = 0
      for key in 0..<1_000 {
        let typed = String(text.prefix(key % text.count + 1))
        let words = BusValue.strings(typed.split(separator: " ").map(String.init))
        let request =
          key % 2 == 0
          ? BusRequest(
            "org.intentd.Daemon", "/org/intentd/Daemon", Self.shell, "GetInitialResultSet",
            [words])
          : BusRequest(
            "org.intentd.Daemon", "/org/intentd/Daemon", Self.runner, "Match", [.string(typed)])
        try client.call(request) { answer in
          answers += 1
          if case .refused(_, let message) = answer { Issue.record("refused: \(message)") }
        }
      }
      desk.run { answers == 1_000 }
      let after = try state()
      #expect(before.count == after.count)
      for place in before.indices {
        // Not shown: it may be a whole store.
        let isSame = before[place] == after[place]
        #expect(isSame, "part \(place) of the state is another one")
      }
    }
  }

  @Test func `a daemon that is killed amid a search leaves no call, and is found again`() throws {
    try withDesk { desk in
      let client = try desk.connect()
      try desk.awaitName(client)
      _ = try desk.find("show", client)
      // It takes the calls only when it is dead already.
      desk.daemon.signal(SIGSTOP)
      var answers: [BusAnswer] = []
      for _ in 0..<10 {
        try client.call(
          BusRequest(
            "org.intentd.Daemon", "/org/intentd/Daemon", Self.runner, "Match", [.string("show")])
        ) { answers.append($0) }
      }
      // The bus has them when it has answered this one.
      var isAhead = false
      try client.call(.ofBus("GetId")) { _ in isAhead = true }
      desk.run { isAhead }
      desk.daemon.killGroup()
      desk.run { answers.count == 10 }
      for answer in answers {
        guard case .refused(let name, _) = answer else {
          Issue.record("a dead daemon answered \(answer)")
          continue
        }
        #expect(name == "org.freedesktop.DBus.Error.NoReply")
      }
      try desk.startDaemonAgain()
      try desk.awaitName(client)
      #expect(try desk.find("show weather for Bei", client) == ["show weather for Beijing\nen"])
      // A result that was found before can be chosen now.
      try desk.showNotices()
      _ = try desk.answer(
        client, Self.runner, "Run", [.string("show weather for Beijing\nen"), .string("")])
      desk.run { desk.notices.count == 1 }
    }
  }

  @Test func `callers that die amid a search leave nothing behind`() throws {
    try withDesk { desk in
      let client = try desk.connect()
      try desk.awaitName(client)
      // More than the daemon keeps calls.
      for _ in 0..<10 {
        let mortals = try (0..<30).map { _ in try desk.connect() }
        for mortal in mortals { _ = try desk.find("show", mortal) }
        desk.daemon.signal(SIGSTOP)
        var ahead = 0
        for mortal in mortals {
          try mortal.call(
            BusRequest(
              "org.intentd.Daemon", "/org/intentd/Daemon", Self.runner, "Match", [.string("show")])
          ) { _ in }
          // The bus has it when it has answered this one.
          try mortal.call(.ofBus("GetId")) { _ in ahead += 1 }
        }
        desk.run { ahead == 30 }
        for mortal in mortals { mortal.close() }
        // It has heard of their end when it has answered this one.
        _ = try desk.sandbox.run("/bin/kill", ["-CONT", "\(desk.daemon.pid)"])
        // The thirty before it may take it all its time on a busy machine; a person types on.
        try eventually("the search finds again") {
          try desk.find("show weather for Bei", client) == ["show weather for Beijing\nen"]
        }
      }
      let wire = try desk.sandbox.connect()
      // The one that goes on searching, and this one.
      #expect(try wire.call("daemon.status")["connections"] == 2)
      client.close()
      try eventually("the core is left alone") {
        try wire.call("daemon.status")["connections"] == 1
      }
    }
  }

  @Test func `a bus that is killed costs one line, and comes back`() throws {
    try withDesk { desk in
      let client = try desk.connect()
      try desk.awaitName(client)
      var answers = 0
      for _ in 0..<10 {
        try client.call(
          BusRequest(
            "org.intentd.Daemon", "/org/intentd/Daemon", Self.runner, "Match", [.string("show")])
        ) { _ in answers += 1 }
      }
      desk.bus.killGroup()
      desk.run { answers == 10 && desk.losses == 1 }
      let wire = try desk.sandbox.connect()
      try eventually("the status says so") { try desk.service()?["state"] == "failing" }
      #expect(
        try wire.call("intent.recognize", ["text": "show weather for Beijing"])["matched"] == true)
      try desk.startBusAgain()
      let again = try desk.connect()
      try desk.awaitName(again)
      #expect(try desk.find("show weather for Bei", again) == ["show weather for Beijing\nen"])
      #expect(try desk.service()?["state"] == "connected")
      let lines = desk.daemon.errors.split(separator: "\n").filter { $0.contains("event=bus.") }
      #expect(lines.count == 1, "\(lines)")
      try desk.sandbox.stop(desk.daemon)
    }
  }

  @Test func `a name that another program has is awaited`() throws {
    try withDesk { desk in
      let client = try desk.connect()
      try desk.awaitName(client)
      try desk.sandbox.stop(desk.daemon)
      let other = try desk.connect()
      var isNamed = false
      try other.requestName("org.intentd.Daemon") { _ in isNamed = true }
      desk.run { isNamed }
      try desk.startDaemonAgain()
      try eventually("the status says so") { try desk.service()?["state"] == "failing" }
      #expect(try desk.service()?["reason"]?.stringValue?.contains("another program") == true)
      other.close()
      try eventually("the daemon has its name") { try desk.service()?["state"] == "connected" }
      #expect(try desk.find("show weather for Bei", client) == ["show weather for Beijing\nen"])
    }
  }

  @Test func `a session that begins after the daemon is found by it`() throws {
    guard Self.isPossible else { return }
    try withSandbox { sandbox in
      try sandbox.addIntents()
      let bus = sandbox.root + "/run/bus"
      let daemon = try sandbox.startDaemon()
      func state() throws -> JSONValue? {
        try sandbox.connect().call("daemon.status")["services"]?.arrayValue?
          .first { $0["name"] == "search" }?["state"]
      }
      #expect(try state() == "absent")
      _ = try sandbox.start(
        "/usr/bin/dbus-daemon", ["--session", "--nofork", "--address=unix:path=\(bus)"])
      try eventually("the daemon has a name") { try state() == "connected" }
      try sandbox.stop(daemon)
    }
  }
}
