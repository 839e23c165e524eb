import DaemonCore
import Testing
import Timekeeping
import VirtualTime
import WidgetCenter

/// A shell around a core that does what its script says, and writes down in which order it is
/// called.
private struct ScriptedShell: VirtualShell {
  var clock = VirtualClock<Event>(monotonic: Instant(nanoseconds: 0), wall: WallTime(seconds: 0))
  var inbox: [Event] = []
  var isOver = false
  /// The effects of each event.
  var script: [Event: [Effect]] = [:]
  var calls: [String] = []

  mutating func handle(_ event: Event, at now: Now, into effects: inout [Effect]) {
    calls.append("\(now.monotonic.nanoseconds / 1_000_000) \(event)")
    effects += script[event] ?? []
  }

  mutating func perform(_ event: Event) { inbox.append(event) }
  mutating func willCarryOut(_ effects: inout [Effect], at now: Now) {
    calls.append("\(effects.count) effects")
  }
  mutating func didEndTurn(at now: Now) { calls.append("end") }
  mutating func receive(_ bytes: [UInt8], on connection: ConnectionID) {
    calls.append("send \(bytes.count)")
  }
  mutating func start(_ run: ProviderRun) { calls.append("run") }
  mutating func readConfiguration() { inbox.append(.reloadRequested) }
  mutating func stop(_ reason: StopReason) {
    calls.append("stop \(reason)")
    isOver = true
  }
}

@Suite struct VirtualShellTests {
  private var shell = ScriptedShell()
  private let client = ConnectionID(1)

  @Test mutating func `a turn hands over its events, then turnEnded, then carries out`() {
    shell.script = [.started: [.send(client, [1, 2]), .send(client, [3])]]
    shell.inbox = [.started, .wakeUp]
    shell.settle()
    #expect(
      shell.calls == [
        "0 started", "0 wakeUp", "0 turnEnded", "2 effects", "send 2", "send 1", "end",
      ])
  }

  @Test mutating func `an event that an effect brings waits for the next turn`() {
    shell.script = [.started: [.loadConfiguration, .send(client, [])]]
    shell.inbox = [.started]
    shell.turn()
    #expect(shell.calls.last == "end")
    #expect(shell.inbox == [.reloadRequested])
    shell.settle()
    #expect(shell.inbox == [])
    #expect(shell.clock.turnsAtThisMoment == 2)
  }

  @Test mutating func `stop comes last, and after it nothing`() {
    shell.script = [
      .stopRequested: [.stop(.requested), .loadConfiguration, .send(client, [])]
    ]
    shell.inbox = [.stopRequested]
    shell.settle()
    shell.pass(until: Instant(nanoseconds: 9_000_000))
    #expect(
      shell.calls == [
        "0 stopRequested", "0 turnEnded", "3 effects", "send 0", "stop requested", "end",
      ])
    #expect(shell.clock.monotonic == Instant(nanoseconds: 0))
  }

  @Test mutating func `a quiet machine answers for its disk and its applications`() {
    let token = LaunchToken(3)
    shell.script = [
      .started: [
        .store(.load(journalRows: 1)), .store(.commit(transaction: 7, writes: [])), .store(.close),
        .launch(token, LaunchRequest(target: .handler(scheme: "x"), url: nil)),
      ]
    ]
    shell.inbox = [.started]
    shell.turn()
    #expect(
      shell.inbox == [
        .store(.loaded(StoredState())), .store(.committed(transaction: 7)), .store(.closed),
        .launched(token, .failed(reason: "not-found", message: "nothing is opened here")),
      ])
  }

  @Test mutating func `time passes from moment to moment, the wake-up after what is planned`() {
    shell.script = [
      .started: [.wakeUp(at: Instant(nanoseconds: 4_000_000))],
      .wakeUp: [.wakeUp(at: Instant(nanoseconds: 50_000_000))],
    ]
    shell.clock.plan(.clockChanged, after: 4)
    shell.clock.plan(.reloadRequested, after: 2)
    shell.inbox = [.started]
    shell.pass(until: Instant(nanoseconds: 10_000_000))
    #expect(
      shell.calls.filter { $0.contains(" ") && !$0.hasSuffix("effects") } == [
        "0 started", "0 turnEnded", "2 reloadRequested", "2 turnEnded", "4 clockChanged",
        "4 wakeUp",
        "4 turnEnded",
      ])
    #expect(shell.clock.monotonic == Instant(nanoseconds: 10_000_000))
    #expect(shell.clock.next() == Instant(nanoseconds: 50_000_000))
  }
}
