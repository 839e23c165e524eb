import DaemonCore
import Downloads
import JSON
import Timekeeping
import WidgetCenter

/// The last events and effects, kept as values and formatted only when they are printed.
struct Trace {
  enum Item {
    case event(Event)
    case effect(Effect)
    /// Something about the world that the daemon does not see.
    case world(String)
  }

  private var items: [(now: Now, item: Item)] = []
  /// The number of items that are kept.
  ///
  /// Thirty events with their effects are shown; more items would only keep their bytes alive.
  private static let itemCountMax = 400

  mutating func append(_ item: Item, at now: Now) {
    if items.count >= Self.itemCountMax { items.removeFirst(Self.itemCountMax / 2) }
    items.append((now, item))
  }

  var lastLine: String { items.last.map { Self.line($0.now, $0.item) } ?? "" }

  /// Everything from the `eventCount`-th event before the end.
  func lines(eventCount: Int) -> [String] {
    var rest = eventCount
    var start = items.count
    while start > 0, rest > 0 {
      start -= 1
      if case .event = items[start].item { rest -= 1 }
    }
    return items[start...].map { Self.line($0.now, $0.item) }
  }

  private static func line(_ now: Now, _ item: Item) -> String {
    let time = "\(now.monotonic.nanoseconds / 1_000_000)ms \(now.wall.rfc3339)"
    return switch item {
    case .event(let event): "\(time) → \(text(of: event))"
    case .effect(let effect): "\(time)   ← \(text(of: effect))"
    case .world(let sentence): "\(time) * \(sentence)"
    }
  }

  private static func text(of event: Event) -> String {
    switch event {
    case .received(let connection, let bytes): "received \(connection.number): \(text(of: bytes))"
    case .store(.loaded(let state)):
      "store loaded: \(StoreTable.allCases.map { "\(state.tables[$0]?.count ?? 0) \($0)s" }.joined(separator: ", "))"
    case .store(let reply): "store \(reply)"
    case .configuration(let files):
      "configuration: \(files.manifests.count) manifests, \(files.catalog.count) documents of intents"
    case .provider(let token, .answered(let bytes, _)):
      "provider \(token.number) answered \(text(of: bytes))"
    case .provider(let token, .printed(let output)):
      "provider \(token.number) printed \(text(of: output.bytes)), status \(output.exitStatus)"
    case .provider(let token, .failed(let failure)): "provider \(token.number): \(failure.message)"
    case .fetched(let token, let outcome): "fetched \(token.number): \(outcome)"
    case .streamFrame(let token, let bytes): "stream \(token.number) printed \(text(of: bytes))"
    case .streamNotice(let token, let notice): "stream \(token.number): \(notice)"
    case .connected(let connection, let peer): "connected \(connection.number), uid \(peer.userID)"
    case .queued(let connection, let bytes): "queued \(connection.number): \(bytes) bytes"
    case .started, .backedUp, .drained, .disconnected, .launched, .commandEnded,
      .wakeUp, .clockChanged,
      .networkChanged, .zoneChanged, .machine, .filesChanged, .watching, .programReplaced,
      .reloadRequested, .stopRequested, .turnEnded:
      "\(event)"
    }
  }

  private static func text(of effect: Effect) -> String {
    switch effect {
    case .send(let connection, let bytes): "send \(connection.number): \(text(of: bytes))"
    case .close(let connection, let reason): "close \(connection.number): \(reason)"
    case .pauseReading(let connection): "stop reading \(connection.number)"
    case .resumeReading(let connection): "read \(connection.number)"
    case .drop(let connection, let reason): "drop \(connection.number): \(reason)"
    case .store(.commit(let number, let writes)):
      "commit \(number): \(writes.map { text(of: $0) }.joined(separator: "; "))"
    case .store(let request): "store \(request)"
    case .runProvider(let run): "run \(run.token.number): \(text(of: run.request))"
    case .cancelProvider(let token): "cancel \(token.number)"
    case .tellStream(let token, let line): "tell \(token.number): \(text(of: line))"
    case .launch(let token, let request): "launch \(token.number): \(request.url ?? "no URL")"
    case .fetch(let request):
      "fetch \(request.token.number): \(request.items.map(\.order.url.text).joined(separator: " "))"
    case .cancelFetch(let token): "cancel fetch \(token.number)"
    case .wakeUp(let moment):
      "wake up at \(moment.map { "\($0.nanoseconds / 1_000_000)ms" } ?? "no time")"
    case .log(let line):
      "log \(line.event) \(line.fields.map { "\($0.key)=\($0.value)" }.joined(separator: " "))"
    // Its values are told to no log.
    case .useSession: "session"
    case .makeGroup(let name): "group \(name)"
    case .notify(let notice): "notify of \(notice.widget): \(notice.title)"
    case .sleepMayCome, .loadConfiguration, .ready, .stop: "\(effect)"
    }
  }

  private static func text(of write: StoreWrite) -> String {
    switch write {
    case .put(let table, let key, let bytes):
      "\(table) \(key.split(separator: "\u{1F}").joined(separator: "/")) = \(text(of: bytes))"
    case .remove(let table, let key):
      "no \(table) \(key.split(separator: "\u{1F}").joined(separator: "/"))"
    case .appendJournal(let sequence, let bytes): "journal \(sequence) \(text(of: bytes))"
    case .pruneJournal(let below): "journal without rows below \(below)"
    case .scrub: "no trace of what was removed"
    }
  }

  private static func text(of bytes: [UInt8]) -> String {
    let shown = String(decoding: bytes.prefix(600), as: UTF8.self)
      .split(separator: "\n").joined(separator: " ⏎ ")
    return bytes.count > 600 ? "\(shown)… (\(bytes.count) bytes)" : shown
  }
}
