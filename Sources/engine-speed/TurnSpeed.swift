import ArgumentParser
import DaemonCore
import Documents
import Glibc
import JSON
import Timekeeping
import VirtualTime
import WidgetCenter

/// Measures the turns of a daemon in which all widgets become due at one moment.
///
/// A surface shows all of them. The world around the daemon is faked and costs nothing.
struct TurnSpeed: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "turn", abstract: "Turns in which all widgets are due, and those after a start.")

  @Option(help: "Widgets, each with two entries and 4 KiB.")
  var widgets = 10_000

  func run() throws {
    var machine = Machine()
    machine.stored = stored(at: machine.clock.wall)
    machine.files = Self.configuration(program: "/bin/false")
    machine.handle(.started)
    let restoring = machine.workOff()
    let surface = ConnectionID(1)
    machine.handle(.connected(surface, Peer(userID: 1, processID: 1)))
    // The ids for a bar that shows few widgets, so that the bar adds little to the turns measured.
    let few = (0..<20).map { "\"w\(String(String($0 + 1_000_000).dropFirst()))\"" }.joined(
      separator: ",")
    func ask(_ text: String) -> Event { .received(surface, Array((text + "\n").utf8)) }
    /// Measures an event that changes all widgets, and the turns that follow from it.
    func longest(_ event: Event) -> Double {
      max(machine.timed(event), machine.workOff().longest) / 1e6
    }
    let attachFew = longest(
      ask(#"{"jsonrpc":"2.0","id":1,"method":"surface.attach","params":{"widgets":[\#(few)]}}"#))
    let attachAll = longest(ask(#"{"jsonrpc":"2.0","id":1,"method":"surface.attach"}"#))
    let tool = ConnectionID(2)
    machine.handle(.connected(tool, Peer(userID: 1, processID: 1)))
    func list(_ method: String) -> Double {
      longest(
        .received(tool, Array(#"{"jsonrpc":"2.0","id":7,"method":"\#(method)"}"#.utf8 + [10])))
    }
    let lists = max(list("widget.list"), list("stack.order"))
    let hide = longest(
      ask(#"{"jsonrpc":"2.0","id":2,"method":"surface.visibility","params":{"visible":false}}"#))
    let show = longest(
      ask(#"{"jsonrpc":"2.0","id":3,"method":"surface.visibility","params":{"visible":true}}"#))
    machine.skip(milliseconds: 60_000)
    let switching = machine.workOff()
    machine.skip(milliseconds: 60_000)
    let reloading = machine.workOff()
    let status = machine.timed(ask(#"{"jsonrpc":"2.0","id":4,"method":"daemon.metrics"}"#)) / 1e6
    let reloadAll = longest(
      .received(tool, Array(#"{"jsonrpc":"2.0","id":8,"method":"widget.reloadAll"}"#.utf8 + [10])))
    let clock = longest(.clockChanged)
    let zone = longest(.zoneChanged(secondsEast: 3600))
    let locale = longest(
      ask(
        #"{"jsonrpc":"2.0","id":5,"method":"surface.attach","params":{"locale":"de_DE","widgets":[\#(few)]}}"#
      ))
    let viewAll = longest(ask(#"{"jsonrpc":"2.0","id":6,"method":"surface.attach"}"#))
    let provider = longest(.configuration(Self.configuration(program: "/bin/true")))
    let gone = longest(.configuration(ConfigurationFiles()))
    let back = longest(.configuration(Self.configuration(program: "/bin/true")))
    machine.skip(milliseconds: 3_600_000)
    let tick = machine.workOff().longest / 1e6
    precondition(
      machine.sentBytes > widgets * 4_000, "the surface heard of \(machine.sentBytes) bytes only")
    report([
      "widgets": Double(widgets), "attach_few_max_ms": attachFew,
      "attach_max_ms": max(attachAll, viewAll),
      "list_max_ms": lists, "provider_max_ms": provider, "kind_gone_max_ms": max(gone, back),
      "hide_max_ms": hide, "show_max_ms": show, "metrics_ms": status,
      "reload_all_max_ms": reloadAll,
      "clock_max_ms": clock, "zone_max_ms": zone, "locale_max_ms": locale,
      "tick_max_ms": tick, "restore_max_ms": restoring.longest / 1e6,
      "switch_turns": Double(switching.count), "switch_max_ms": switching.longest / 1e6,
      "switch_all_ms": switching.total / 1e6, "reload_turns": Double(reloading.count),
      "reload_max_ms": reloading.longest / 1e6, "reload_all_ms": reloading.total / 1e6,
    ])
  }

  private static func configuration(program: String) -> ConfigurationFiles {
    let text = """
      kind: noted
      name: Noted
      families: [systemSmall]
      intent: TakeNote
      provider: {exec: [\(program)]}
      """
    let document = readYAML(text, file: "noted.yaml").value ?? LocatedValue(.null, line: 1)
    return ConfigurationFiles(manifests: [
      ManifestSource(file: "noted.yaml", directory: "/", document: document)
    ])
  }

  /// Makes a stored state in which each widget changes and then asks for a reload.
  ///
  /// The second entry comes one minute after the first, and the reload one minute later. That is
  /// too early for the budget, so each reload is deferred, journalled and written.
  private func stored(at now: WallTime) -> StoredState {
    let text = String(repeating: "x", count: 1_900)
    var state = StoredState()
    var widgetRows: [StoredState.Row] = []
    var timelineRows: [StoredState.Row] = []
    for number in 0..<widgets {
      let name = String(String(number + 1_000_000).dropFirst())
      let intent: JSONValue = ["name": "TakeNote", "parameters": ["note": .string(name)]]
      let widget: JSONValue = [
        "kind": "noted", "family": "systemSmall", "intent": intent,
        "configurationKey": .string(name),
        "suggestion": false, "position": .int(Int64(number + 1)), "placedAt": .string(now.rfc3339),
      ]
      let entries: [JSONValue] = [0, 60].map { seconds in
        [
          "date": .string(now.advanced(bySeconds: seconds).rfc3339),
          "content": ["title": .string("\(name) at \(seconds)"), "text": .string(text)],
        ]
      }
      let timeline: JSONValue = [
        "intent": intent, "failures": 0,
        "budget": [
          "balance": 0.0, "at": .string(now.rfc3339), "lastSpentAt": .string(now.rfc3339),
        ],
        "timeline": ["entries": .array(entries), "policy": "atEnd"],
        "fetchedAt": .string(now.rfc3339), "dueAt": .string(now.advanced(bySeconds: 120).rfc3339),
        "dueCause": "policy",
      ]
      widgetRows.append(.init(key: "w\(name)", bytes: Array(widget.serialized.utf8)))
      timelineRows.append(
        .init(key: "noted\u{1F}systemSmall\u{1F}\(name)", bytes: Array(timeline.serialized.utf8)))
    }
    state.tables = [.widget: widgetRows, .timeline: timelineRows]
    return state
  }
}

/// A daemon with a clock that is set by hand and a store that commits at once.
private struct Machine: VirtualShell {
  private var daemon = Daemon(
    options: Daemon.Options(userID: 1, processID: 1, version: "speed"))
  /// The clock, which skips to the next deadline.
  var clock = VirtualClock<Never>(wall: WallTime(seconds: 1_795_161_600))
  var inbox: [Event] = []
  /// The stored state at the start.
  var stored = StoredState()
  var files = ConfigurationFiles()
  private(set) var sentBytes = 0

  struct Turns {
    var count = 0
    /// The longest turn, in nanoseconds.
    var longest = 0.0
    var total = 0.0
  }

  /// Lets time pass without waking the daemon.
  mutating func skip(milliseconds: Int64) {
    clock.move(to: clock.monotonic.advanced(byMilliseconds: milliseconds))
  }

  /// Handles one event as a turn, and the machine's answers as further turns.
  mutating func handle(_ event: Event) { _ = timed(event) }

  /// Handles one event and returns the longest of its turns, in nanoseconds.
  mutating func timed(_ event: Event) -> Double {
    var longest = 0.0
    inbox.append(event)
    while !inbox.isEmpty {
      let start = nanoseconds()
      turn()
      longest = max(longest, nanoseconds() - start)
    }
    return longest
  }

  /// Runs turns until nothing is due any more.
  mutating func workOff() -> Turns {
    var turns = Turns()
    while clock.takeWakeUp() {
      let took = timed(.wakeUp)
      turns.count += 1
      turns.total += took
      turns.longest = max(turns.longest, took)
    }
    return turns
  }

  // MARK: The machine

  mutating func handle(_ event: Event, at now: Now, into effects: inout [Effect]) {
    daemon.handle(event, at: now, into: &effects)
  }

  mutating func perform(_ action: Never) {}
  mutating func receive(_ bytes: [UInt8], on connection: ConnectionID) { sentBytes += bytes.count }
  mutating func openStore() { inbox.append(.store(.loaded(stored))) }
  mutating func readConfiguration() { inbox.append(.configuration(files)) }
  mutating func start(_ run: ProviderRun) {}
  mutating func stop(_ reason: StopReason) {}
}
