import DaemonTestSupport
import EventLoop
import Foundation
import Glibc
import Testing
import Timekeeping

/// Starts that wait for a supervisor which does not keep up: nothing else of the daemon's, such as a
/// connection or its store, may become a script's output meanwhile.
@Suite struct WaitingStartTests {
  private static let countOfRuns = 80
  private static let countOfClosed = 20

  @Test func `a start that waits writes to its own pipe, though its number is used again`() throws {
    try withSandbox { sandbox in try holdStarts(in: sandbox.root) }
  }

  private func holdStarts(in folder: String) throws {
    let loop = try Loop()
    let supervisor = Supervisor(
      loop: loop, program: Programs.daemon, environment: ProcessInfo.processInfo.environment)
    var printed: [Int: String] = [:]
    var exits: [Int: ChildExit] = [:]
    var children: [ChildProcess] = []
    func start(_ number: Int) throws {
      var spec = ChildSpec(
        program: "/bin/echo", arguments: ["echo", "run \(number)"],
        // Orders of this size fill the channel after some twenty.
        environment: [("FILLER", String(repeating: "x", count: 8_000))], workingDirectory: "/")
      spec.isBrief = true
      children.append(
        try ChildProcess.start(
          loop: loop, spec: spec, supervisor: supervisor,
          onStdout: { bytes in
            unsafe printed[number, default: ""] += String(decoding: bytes, as: UTF8.self)
          }, onStderr: { _ in }
        ) { exits[number] = $0 })
    }
    try start(0)
    let process = try #require(supervisor.pid)
    #expect(kill(process, SIGSTOP) == 0)
    for number in 1..<Self.countOfRuns { try start(number) }

    // The last ones have not been sent yet. Whoever asked for them is gone, and files take the
    // numbers of their pipes.
    for child in children.suffix(Self.countOfClosed) { child.close() }
    let victims = (0..<Self.countOfClosed * 4).map { folder + "/victim\($0)" }
    let descriptors = victims.map { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
    defer { for descriptor in descriptors { close(descriptor) } }
    #expect(descriptors.allSatisfy { $0 >= 0 })
    #expect(kill(process, SIGCONT) == 0)

    let expected = Self.countOfRuns - Self.countOfClosed
    let timer = LoopTimer(loop: loop)
    let end = loop.readNow().monotonic.advanced(byMilliseconds: 60_000)
    func look() {
      let now = loop.readNow().monotonic
      if exits.count >= expected || now > end {
        timer.close()
        supervisor.close()
        loop.stop()
      } else {
        timer.arm(at: now.advanced(byMilliseconds: 5), look)
      }
    }
    look()
    loop.runUntilStopped()
    loop.close()

    #expect(exits.count == expected)
    #expect(exits.values.allSatisfy { $0 == .exited(code: 0) })
    for number in exits.keys { #expect(printed[number] == "run \(number)\n") }
    for victim in victims {
      let bytes = FileManager.default.contents(atPath: victim)
      #expect(bytes?.isEmpty == true, "a run wrote to \(victim)")
    }
  }
}
