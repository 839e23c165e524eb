import BusMessages
import DaemonTestSupport
import EventLoop
import Glibc
import Testing
import Timekeeping
import UserBus

/// A private bus, and clients of it on one loop.
final class BusRig {
  let loop: Loop
  let sandbox: Sandbox
  let address: String
  private(set) var daemon: Program
  private var buses: [UserBus] = []
  private var mayLose = false
  private(set) var lossCount = 0

  fileprivate init(loop: Loop, sandbox: Sandbox) throws {
    self.loop = loop
    self.sandbox = sandbox
    let path = sandbox.root + "/bus"
    address = "unix:path=\(path)"
    daemon = try sandbox.start(
      "/usr/bin/dbus-daemon",
      ["--session", "--nofork", "--address=\(address)", "--print-address=1"])
    // It prints its address when it listens; the socket is there before.
    try DaemonTestSupport.eventually("the bus listens") { daemon.output.contains(path) }
  }

  func connect(userID: UInt32 = getuid()) throws -> UserBus {
    let bus = try UserBus(loop: loop, address: address, userID: userID)
    bus.onLost = { [unowned self] in
      lossCount += 1
      if !mayLose { Issue.record("\($0)") }
    }
    buses.append(bus)
    return bus
  }

  /// From now on a connection may be lost.
  func forgiveLosses() { mayLose = true }

  /// Runs the loop until `condition` holds.
  func run(until condition: @escaping () -> Bool) {
    let timer = LoopTimer(loop: loop)
    var turns = 0
    func look() {
      turns += 1
      if condition() { return loop.stop() }
      guard turns < 60_000 else {
        Issue.record("the loop waited for nothing")
        return loop.stop()
      }
      timer.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: 1), look)
    }
    look()
    loop.runUntilStopped()
    timer.close()
  }

  /// Runs the loop until a call was answered.
  func answer(_ bus: UserBus, _ request: BusRequest) throws -> BusAnswer {
    var answer: BusAnswer?
    try bus.call(request) { answer = $0 }
    run { answer != nil }
    return try #require(answer)
  }

  /// Asks for a name and waits until it is known who has it.
  func own(_ name: String, _ bus: UserBus) throws -> UserBus.NamePlace {
    var place: UserBus.NamePlace?
    try bus.requestName(name) { result in
      do { place = try result.get() } catch { Issue.record("\(error)") }
    }
    run { place != nil }
    return try #require(place)
  }

  /// Runs a program with the bus, and the loop beside it, until the program ends.
  func output(_ program: String, _ arguments: [String]) throws -> Outcome {
    sandbox.environment["DBUS_SESSION_BUS_ADDRESS"] = address
    let started = try sandbox.start(program, arguments)
    run { started.hasEnded() }
    return Outcome(
      ending: try #require(started.ending), output: started.output, errors: started.errors)
  }

  fileprivate func close() {
    for bus in buses { bus.close() }
  }
}

/// Runs `body` with a private bus; where there is none to be had, says so.
func withBus(_ body: (BusRig) throws -> Void) throws {
  guard Programs.isInstalled("dbus-daemon") else {
    return print("there is no dbus-daemon here: the bus is not tested")
  }
  try withSandbox { sandbox in
    let loop = try Loop()
    defer { loop.close() }
    let rig = try BusRig(loop: loop, sandbox: sandbox)
    defer { rig.close() }
    try body(rig)
  }
}

/// A service that the tests call.
let echo = "org.example.Echo"

func request(_ member: String, _ arguments: [BusValue] = [], path: String = "/org/example/Echo")
  -> BusRequest
{
  BusRequest(echo, path, echo, member, arguments)
}
