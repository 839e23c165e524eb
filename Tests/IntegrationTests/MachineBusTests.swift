import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// The daemon and the services of a machine, on a real bus: it sleeps, is locked, runs short of
/// power, and shows notifications. The services are the test's own (`fake-machine.py`).
@Suite(.serialized) struct MachineBusTests {
  private static let isPossible =
    Programs.isInstalled("dbus-daemon") && Programs.isInstalled("python3")
    && dlopen("libsystemd.so.0", RTLD_LAZY) != nil

  /// A daemon, a bus that is the system's and the session's, and the services on it.
  private final class Machine {
    let sandbox: Sandbox
    let daemon: Program
    let client: WireClient
    private(set) var services: Program

    init(_ sandbox: Sandbox) throws {
      self.sandbox = sandbox
      let path = sandbox.root + "/bus"
      let bus = try sandbox.start(
        "/usr/bin/dbus-daemon",
        ["--session", "--nofork", "--address=unix:path=\(path)", "--print-address=1"])
      try eventually("the bus listens") { bus.output.contains(path) }
      try #require(mkfifo(sandbox.root + "/commands", 0o600) == 0)
      services = try Self.startServices(sandbox)
      try sandbox.write("config/intentd/config.yaml", "notifications: urgent\n")
      try sandbox.widget(
        "mail", script: "cat > /dev/null; " + Sandbox.answer(title: "a letter"),
        settings: "private: true")
      try sandbox.widget(
        "rain",
        script: #"""
          cat > /dev/null
          echo '{"entries":[{"date":"2020-01-01T00:00:00Z","content":{"title":"Rain & <b>wind</b>","text":"in <i>'$(cat minutes || echo ten)'</i> minutes & more","urgent":true}}],"policy":"never"}'
          """#, settings: "url: https://example.org/rain")
      let address = "unix:path=\(path)"
      daemon = try sandbox.startDaemon(
        environment: ["DBUS_SYSTEM_BUS_ADDRESS": address, "DBUS_SESSION_BUS_ADDRESS": address])
      client = try sandbox.connect()
    }

    private static func startServices(_ sandbox: Sandbox) throws -> Program {
      let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "fake-machine.py").path
      return try sandbox.start(
        "/usr/bin/env",
        ["python3", script] + ["bus", "commands", "log"].map { sandbox.root + "/" + $0 })
    }

    func startServicesAgain() throws { services = try Self.startServices(sandbox) }

    func tell(_ command: String) throws {
      let outcome = try sandbox.shell("echo '\(command)' > '\(sandbox.root)/commands'")
      try #require(outcome.ending == .exited(0))
    }

    /// The lines that the services wrote so far.
    func log() throws -> [JSONValue] {
      guard let data = FileManager.default.contents(atPath: sandbox.root + "/log") else {
        return []
      }
      return try String(decoding: data, as: UTF8.self).split(separator: "\n")
        .map { try JSONValue(parsing: String($0)) }
    }

    func count(_ member: String) throws -> Int { try log().count { $0[member] != nil } }

    func status() throws -> JSONValue { try client.call("daemon.status") }

    /// The state of a service, as the status has it.
    func state(_ service: String) throws -> String? {
      try status()["services"]?.arrayValue?.first { $0["name"]?.stringValue == service }?["state"]?
        .stringValue
    }

    func awaitServices(_ state: String) throws {
      for service in ["logind", "upower", "networkmanager"] {
        try eventually("\(service) is \(state)") { try self.state(service) == state }
      }
    }
  }

  private static func withMachine(_ body: (Machine) throws -> Void) throws {
    guard isPossible else {
      return print("there is no dbus-daemon, python3 or libsystemd here: the machine is not tested")
    }
    try withSandbox { sandbox in
      let machine = try Machine(sandbox)
      try machine.awaitServices("connected")
      try body(machine)
      try sandbox.stop(machine.daemon)
    }
  }

  @Test func `sleep waits until the daemon has written, and is held up anew after waking`() throws {
    try Self.withMachine { machine in
      try eventually("sleep is held up") { try machine.count("inhibited") == 1 }
      let held = try machine.log().first { $0["inhibited"] != nil }?["inhibited"]
      #expect(
        held?.arrayValue?.compactMap(\.stringValue)
          == ["sleep", "intentd", "write what is not on disk yet", "delay"])
      try machine.tell("sleep 1")
      try eventually("sleep may come") { try machine.count("released") == 1 }
      #expect(try machine.count("inhibited") == 1)
      try machine.tell("sleep 0")
      try eventually("sleep is held up again") { try machine.count("inhibited") == 2 }
    }
  }

  @Test func `a locked session takes no taps, and masks private widgets`() throws {
    try Self.withMachine { machine in
      try machine.client.add("mail", id: "m")
      try eventually("the letter is there") {
        try machine.client.widget("m")["entry"]?["content"]?["title"] == "a letter"
      }
      try machine.tell("lock 1")
      try eventually("it is locked") { try machine.status()["locked"] == true }
      #expect(try machine.client.widget("m")["masked"] == true)
      #expect(try machine.client.refusal("widget.tap", ["id": "m"]).code == -32_035)
      try machine.tell("lock 0")
      try eventually("it is unlocked") { try machine.status()["locked"] == false }
      #expect(try machine.client.widget("m")["entry"]?["content"]?["title"] == "a letter")
    }
  }

  @Test func `a battery that is nearly empty and a network that costs halve budgets`() throws {
    try Self.withMachine { machine in
      #expect(try machine.status()["saving"] == nil)
      try machine.tell("metered 3")
      try eventually("the network costs") { try machine.status()["saving"] == ["meteredNetwork"] }
      try machine.tell("metered 4")
      try eventually("it is free") { try machine.status()["saving"] == nil }
      try machine.tell("battery 15")
      try machine.tell("power 1")
      try eventually("the battery is low") { try machine.status()["saving"] == ["battery"] }
      try machine.tell("power 0")
      try eventually("it is charged") { try machine.status()["saving"] == nil }
    }
  }

  @Test func `an urgent entry is a notification, whose click is a tap`() throws {
    try Self.withMachine { machine in
      try machine.client.add("rain", id: "r")
      try eventually("it is shown") { try machine.count("notified") == 1 }
      let notice = try #require(try machine.log().first { $0["notified"] != nil })
      // The title is no markup; the text is, for a service that says so.
      #expect(notice["title"] == "Rain & <b>wind</b>")
      #expect(notice["text"] == "in &lt;i&gt;ten&lt;/i&gt; minutes &amp; more")
      #expect(notice["replaced"] == 0)
      // Other words within ten minutes are no news, and the click on the older ones is a tap, too.
      try machine.sandbox.write("config/intentd/widgets/minutes", "nine")
      try machine.client.call("widget.reload", ["id": "r", "wait": true])
      #expect(try machine.count("notified") == 1)
      try machine.tell("click 1 token-7")
      // No browser is installed here, which the tap finds out.
      try eventually("it was tapped") {
        try machine.client.call("daemon.history")["entries"]?.arrayValue?
          .contains { $0["event"] == "launch.failed" && $0["widget"] == "r" } == true
      }
      try eventually("it is taken away") { try machine.count("closed") == 1 }
      #expect(try machine.state("notifications") == "connected")
    }
  }

  @Test func `services that die, come back or hang cost nothing but what they tell`() throws {
    try Self.withMachine { machine in
      try machine.tell("metered 1")
      try eventually("the network costs") { try machine.status()["saving"] == ["meteredNetwork"] }
      machine.services.signal(SIGKILL)
      try machine.awaitServices("absent")
      #expect(try machine.status()["saving"] == nil)
      try machine.startServicesAgain()
      try machine.awaitServices("connected")
      try eventually("sleep is held up again") { try machine.count("inhibited") == 2 }
      // One line for each of the three.
      let lines = machine.daemon.errors.components(separatedBy: "event=machine.unheard").count - 1
      #expect(lines == 3)
      try machine.tell("hang")
      try machine.tell("lock 1")
      try machine.client.call("daemon.ping")
      #expect(try machine.status()["locked"] == false)
    }
  }
}
