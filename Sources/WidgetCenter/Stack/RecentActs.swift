import Timekeeping

/// The person's latest acts, where they count at once and for a while.
///
/// `StackModel` learns habits from acts; this part knows requests and dismissals that still hold.
struct RecentActs: Hashable, Sendable {
  private var promoted: [String: WallTime] = [:]
  private var dismissed: [String: WallTime] = [:]
  /// The last touch of any widget.
  private(set) var interactedAt: WallTime?
  /// Suggestions that a link asked for: they may show a failure too, and nothing is promoted.
  private var linked: Set<String> = []
  /// Items that are not suggested for a while.
  private var declined: [String: Pause] = [:]

  private struct Pause: Hashable, Sendable {
    var start: WallTime
    /// Milliseconds.
    var length: Int64
  }

  mutating func use(_ id: String, promotes: Bool, isTouch: Bool, at now: WallTime) {
    if promotes { promoted[id] = now }
    if promotes || isTouch { dismissed[id] = nil }
    if isTouch { interactedAt = now }
  }

  mutating func dismiss(_ id: String, at now: WallTime) {
    dismissed[id] = now
    promoted[id] = nil
    interactedAt = now
  }

  /// Pauses suggestions of an item that the person sent away, or that had nothing to show.
  mutating func decline(
    _ item: String, for length: Int64 = Limits.suggestionPause, at now: WallTime
  ) {
    if declined.count >= Limits.declinedItemCountMax { declined = [:] }
    declined[item] = Pause(start: now, length: length)
  }

  /// Takes back that an item was declined.
  mutating func forgetDecline(of item: String) { declined[item] = nil }

  /// When an item may be suggested again; `nil`: now.
  func declinedUntil(_ item: String, at now: WallTime) -> WallTime? {
    guard let pause = declined[item], pause.start <= now else { return nil }
    let end = pause.start.advanced(byMilliseconds: pause.length)
    return now < end ? end : nil
  }

  /// Notes that a link asked for a suggestion.
  mutating func follow(linkTo id: String) { linked.insert(id) }

  /// Whether the person, or a link, asked for a widget since it was placed, however long ago.
  func wasAskedFor(_ id: String) -> Bool { promoted[id] != nil || linked.contains(id) }

  /// When a widget was asked for and sent away.
  func standing(of id: String) -> RecentStanding {
    RecentStanding(promotedAt: promoted[id], dismissedAt: dismissed[id])
  }

  /// Gives a widget the standing that it had before.
  mutating func restore(_ id: String, _ standing: RecentStanding) {
    promoted[id] = standing.promotedAt
    dismissed[id] = standing.dismissedAt
  }

  mutating func forget(_ id: String) {
    linked.remove(id)
    promoted[id] = nil
    dismissed[id] = nil
  }

  mutating func forgetAll() { self = RecentActs() }

  /// When the person sent an intent that this widget shows, if that still keeps it on top.
  func promotion(_ id: String, at now: WallTime) -> WallTime? {
    guard let date = promoted[id], now < date.advanced(byMilliseconds: Limits.promotionWindow)
    else {
      return nil
    }
    return date
  }

  var hasDismissals: Bool { !dismissed.isEmpty }

  /// Until when the widget stays down, because the person sent it away.
  func dismissedUntil(_ id: String, at now: WallTime) -> WallTime? {
    guard let end = dismissed[id]?.advanced(byMilliseconds: Limits.dismissalWindow), now < end
    else { return nil }
    return end
  }

  /// All promotions in force, earliest first: a later one counts for more.
  func promotions(at now: WallTime) -> [WallTime] {
    guard !promoted.isEmpty else { return [] }
    return Set(promoted.keys.compactMap { promotion($0, at: now) }).sorted()
  }
}
