import Timekeeping
import WidgetCenter

/// The requests for a gallery that wait for previews, oldest first.
///
/// Each waits `Limits.galleryWait` at most; a connection has as many as may wait at all
/// (`Limits.waitingCountMax`).
struct OpenGalleries: Sendable {
  /// One request.
  struct Waiting: Sendable {
    var address: ReplyAddress
    /// The kinds of the answer, in its order.
    var kinds: [String]
    /// The previews, by kind.
    var wishes: [String: WidgetEngine.PreviewWish]
    /// The languages of who asks, for names and descriptions.
    var languages: [String]
    /// The moment at which it is answered with what is there.
    var deadline: Instant
  }

  private var waiting: [Waiting] = []

  mutating func wait(_ request: Waiting) { waiting.append(request) }

  /// Takes the requests that wait for nothing any more, and those that have waited long enough.
  mutating func take(at now: Instant, unless isUnderWay: (WidgetEngine.PreviewWish) -> Bool)
    -> [Waiting]
  {
    take { $0.deadline <= now || !$0.wishes.values.contains(where: isUnderWay) }
  }

  /// Takes all requests: the daemon stops.
  mutating func removeAll() -> [ReplyAddress] { take { _ in true }.map(\.address) }

  private mutating func take(_ isTaken: (Waiting) -> Bool) -> [Waiting] {
    guard !waiting.isEmpty else { return [] }
    let taken = waiting.filter(isTaken)
    if !taken.isEmpty { waiting.removeAll(where: isTaken) }
    return taken
  }

  /// The moment at which the first of them has waited long enough; `nil`: none waits.
  ///
  /// All wait equally long, so the oldest is the first.
  var nextDeadline: Instant? { waiting.first?.deadline }
  /// The clients that wait, one for each request.
  var connections: [ConnectionID] { waiting.map(\.address.connection) }

  /// The kinds of requests that wait although none of their previews is being made.
  func finished(_ isUnderWay: (WidgetEngine.PreviewWish) -> Bool) -> [String] {
    waiting.filter { !$0.wishes.values.contains(where: isUnderWay) }.flatMap(\.kinds)
  }
}
