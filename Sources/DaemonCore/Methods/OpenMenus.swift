import Timekeeping
import WidgetCenter

/// The requests for a menu that wait for the run of a plugin, oldest first.
///
/// Each waits `Limits.menuWait` at most; a connection has as many as may wait at all
/// (`Limits.waitingCountMax`).
struct OpenMenus: Sendable {
  /// One request.
  struct Waiting: Sendable {
    var address: ReplyAddress
    var widget: String
    /// The mode in which the client asked for its items.
    var mode: WidgetMode
    /// The moment at which it is answered with the last items.
    var deadline: Instant
  }

  private var waiting: [Waiting] = []

  mutating func wait(_ request: Waiting) { waiting.append(request) }

  /// Takes the requests for one of these widgets, whose run ended.
  mutating func take(_ widgets: Set<String>) -> [Waiting] {
    take { widgets.contains($0.widget) }
  }

  /// Takes the requests that have waited long enough.
  mutating func takeLate(at now: Instant) -> [Waiting] { take { $0.deadline <= now } }

  /// Takes all requests: the daemon stops.
  mutating func removeAll() -> [ReplyAddress] { take { _ in true }.map(\.address) }

  private mutating func take(_ isTaken: (Waiting) -> Bool) -> [Waiting] {
    guard !waiting.isEmpty else { return [] }
    let taken = waiting.filter(isTaken)
    waiting.removeAll(where: isTaken)
    return taken
  }

  /// The moment at which the first of them has waited long enough; `nil`: none waits.
  ///
  /// All wait equally long, so the oldest is the first.
  var nextDeadline: Instant? { waiting.first?.deadline }
  /// The clients that wait, one for each request.
  var connections: [ConnectionID] { addresses.map(\.connection) }
  /// The requests that wait.
  var addresses: [ReplyAddress] { waiting.map(\.address) }
}
