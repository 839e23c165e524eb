import DaemonCore
import Documents
import JSON
import Timekeeping
import VirtualTime
import WidgetCenter

/// A daemon with a clock that is set by hand and a store that commits at once.
struct Machine: VirtualShell {
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

  /// Measures an event and the turns that follow from it, and returns the longest, in nanoseconds.
  mutating func longest(_ event: Event) -> Double { max(timed(event), workOff().longest) }

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

extension ConfigurationFiles {
  /// Makes a configuration with the one kind of a crowd, whose provider is `program`.
  static func crowd(program: String) -> ConfigurationFiles {
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
}

extension StoredState {
  /// Makes a stored state of so many widgets, each with 4 KiB, that change and then ask for a
  /// reload.
  ///
  /// The second entry comes one minute after the first, and the reload one minute later. That is
  /// too early for the budget, so each reload is deferred, journalled and written. `scores`: each
  /// entry declares a relevance.
  static func crowd(of count: Int, at now: WallTime, scores: Bool = false) -> StoredState {
    let text = String(repeating: "x", count: 1_900)
    var state = StoredState()
    var widgetRows: [StoredState.Row] = []
    var timelineRows: [StoredState.Row] = []
    for number in 0..<count {
      let name = String(String(number + 1_000_000).dropFirst())
      let intent: JSONValue = ["name": "TakeNote", "parameters": ["note": .string(name)]]
      let widget: JSONValue = [
        "kind": "noted", "family": "systemSmall", "intent": intent,
        "configurationKey": .string(name),
        "suggestion": false, "position": .int(Int64(number + 1)), "placedAt": .string(now.rfc3339),
      ]
      let entries = ([0, 60] as [Int64]).map { seconds -> JSONValue in
        var entry: JSONObject = [
          "date": .string(now.advanced(bySeconds: seconds).rfc3339),
          "content": ["title": .string("\(name) at \(seconds)"), "text": .string(text)],
        ]
        if scores { entry["relevance"] = ["score": .int(Int64(1 + number % 97))] }
        return .object(entry)
      }
      let timeline: JSONValue = [
        "intent": intent, "failures": 0, "scoreMax": scores ? 97.0 : 0.0,
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
