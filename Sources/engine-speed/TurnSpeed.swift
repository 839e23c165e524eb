import ArgumentParser
import DaemonCore
import Documents
import Glibc
import JSON
import Timekeeping
import WidgetCenter

/// Every widget due at one moment, in a daemon with a surface that looks at all of them: how long the turns take
/// in which that is worked off.
///
/// The world around the daemon costs nothing here.
struct TurnSpeed: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "turn", abstract: "Turns in which all widgets are due, and those after a start.")

  @Option(help: "Widgets, each with two entries and 4 KiB.")
  var widgets = 10_000

  func run() throws {
    var world = World()
    world.handle(.started)
    world.handle(.store(.loaded(stored(at: world.now.wall))))
    world.handle(.configuration(Self.configuration(program: "/bin/false")))
    let restoring = world.workOff()
    let surface = ConnectionID(1)
    world.handle(.connected(surface, Peer(userID: 1, processID: 1)))
    // A bar that shows a few, and so is no weight in what follows.
    let few = (0..<20).map { "\"w\(String(String($0 + 1_000_000).dropFirst()))\"" }.joined(
      separator: ",")
    func ask(_ text: String) -> Event { .received(surface, Array((text + "\n").utf8)) }
    /// A turn after which all widgets are another matter, and the turns that follow from it.
    func longest(_ event: Event) -> Double {
      max(world.timed(event), world.workOff().longest) / 1e6
    }
    let attachFew = longest(
      ask(#"{"jsonrpc":"2.0","id":1,"method":"surface.attach","params":{"widgets":[\#(few)]}}"#))
    let attachAll = longest(ask(#"{"jsonrpc":"2.0","id":1,"method":"surface.attach"}"#))
    let tool = ConnectionID(2)
    world.handle(.connected(tool, Peer(userID: 1, processID: 1)))
    func list(_ method: String) -> Double {
      longest(
        .received(tool, Array(#"{"jsonrpc":"2.0","id":7,"method":"\#(method)"}"#.utf8 + [10])))
    }
    let lists = max(list("widget.list"), list("stack.order"))
    let hide = longest(
      ask(#"{"jsonrpc":"2.0","id":2,"method":"surface.visibility","params":{"visible":false}}"#))
    let show = longest(
      ask(#"{"jsonrpc":"2.0","id":3,"method":"surface.visibility","params":{"visible":true}}"#))
    world.pass(milliseconds: 60_000)
    let switching = world.workOff()
    world.pass(milliseconds: 60_000)
    let reloading = world.workOff()
    let status = world.timed(ask(#"{"jsonrpc":"2.0","id":4,"method":"daemon.metrics"}"#)) / 1e6
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
    world.pass(milliseconds: 3_600_000)
    let tick = world.workOff().longest / 1e6
    precondition(
      world.sentBytes > widgets * 4_000, "the surface heard of \(world.sentBytes) bytes only")
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

  /// Widgets whose second entry comes a minute after the first, and whose reload comes a minute after that, too early
  /// for the budget: so each is deferred, journalled and written.
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

/// A daemon, a clock that is set by hand, and a store that has everything at once.
private struct World {
  private var daemon = Daemon(
    options: Daemon.Options(userID: 1, processID: 1, version: "speed"))
  private(set) var now = Now(
    monotonic: Instant(nanoseconds: 1_000_000_000), wall: WallTime(seconds: 1_795_161_600))
  private var wakeUp: Instant?
  private(set) var sentBytes = 0

  struct Turns {
    var count = 0
    /// Nanoseconds.
    var longest = 0.0
    var total = 0.0
  }

  mutating func pass(milliseconds: Int64) {
    now = Now(
      monotonic: now.monotonic.advanced(byMilliseconds: milliseconds),
      wall: now.wall.advanced(byMilliseconds: milliseconds))
  }

  /// One event, as a turn, and as many more as the disk answers.
  mutating func handle(_ event: Event) { _ = timed(event) }

  /// One turn; a transaction that the disk has then.
  private mutating func turn(_ event: Event) -> UInt64? {
    var effects: [Effect] = []
    daemon.handle(event, at: now, into: &effects)
    daemon.handle(.turnEnded, at: now, into: &effects)
    var transaction: UInt64?
    for effect in effects {
      switch effect {
      case .wakeUp(let moment): wakeUp = moment
      case .store(.commit(let number, _)): transaction = number
      case .send(_, let bytes): sentBytes += bytes.count
      default: break
      }
    }
    return transaction
  }

  /// Nanoseconds of the longest of the turns that one event took.
  mutating func timed(_ event: Event) -> Double {
    var longest = 0.0
    var next: Event? = event
    while let event = next {
      let start = nanoseconds()
      let transaction = turn(event)
      longest = max(longest, nanoseconds() - start)
      next = transaction.map { .store(.committed(transaction: $0)) }
    }
    return longest
  }

  /// Turns until nothing is due any more.
  mutating func workOff() -> Turns {
    var turns = Turns()
    while let moment = wakeUp, moment <= now.monotonic {
      wakeUp = nil
      let took = timed(.wakeUp)
      turns.count += 1
      turns.total += took
      turns.longest = max(turns.longest, took)
    }
    return turns
  }
}
