import Timekeeping

/// When each widget was last worth a notification: one in `Limits.noticeInterval` is enough.
struct UrgentNotices: Hashable, Sendable {
  private var last: [String: WallTime] = [:]

  /// Returns whether a widget may have a notification now, and notes that it has.
  ///
  /// One that comes too early is left out and not put off: it would be old by then.
  mutating func take(_ widget: String, at now: WallTime) -> Bool {
    if let before = last[widget], before <= now,
      now.milliseconds(since: before) < Limits.noticeInterval
    {
      return false
    }
    last[widget] = now
    return true
  }

  /// Forgets the widgets that are not there any more.
  mutating func keep(where isThere: (String) -> Bool) { last = last.filter { isThere($0.key) } }

  var count: Int { last.count }
}
