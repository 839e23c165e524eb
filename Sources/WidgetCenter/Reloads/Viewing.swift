import JSON
import Timekeeping

/// The widgets that visible surfaces show, and the hours of the day in which the person looks.
struct Viewing: Sendable {
  /// The widgets that visible surfaces show.
  private(set) var watches = Watches()
  /// The moment at which visible widgets count as viewed again; `nil` if none is visible.
  private(set) var nextTick: WallTime?
  private var hours = ViewHours()

  /// One bit for each hour of the local day in which the person looks; all bits until that is
  /// known.
  var hourMask: UInt32 { hours.mask }

  /// Replaces the widgets that visible surfaces show.
  ///
  /// - Returns: the widgets that they showed before; `nil` when these are the same.
  mutating func watch(_ new: Watches, at now: WallTime) -> Watches? {
    guard new != watches else { return nil }
    defer { watches = new }
    if new.isEmpty {
      nextTick = nil
    } else if nextTick == nil {
      nextTick = now.advanced(byMilliseconds: Limits.viewTick)
    }
    return watches
  }

  /// Plans the next tick if the last one is due; returns false if it is not.
  mutating func popTick(at now: WallTime) -> Bool {
    guard let tick = nextTick, tick <= now else { return false }
    nextTick = now.advanced(byMilliseconds: Limits.viewTick)
    return true
  }

  /// Counts a look in its hour.
  ///
  /// `zoneOffset` is the number of milliseconds by which local time is ahead of UTC.
  mutating func countHour(at now: WallTime, zoneOffset: Int64) {
    hours.add(at: now, zoneOffset: zoneOffset)
  }

  /// Corrects a tick that was planned by a clock ahead of `now`.
  mutating func clockChanged(at now: WallTime) {
    nextTick = nextTick.map { min($0, now.advanced(byMilliseconds: Limits.viewTick)) }
  }

  // MARK: Stored form

  var json: JSONValue { hours.json }

  /// Restores the stored form; returns false if it cannot be read.
  mutating func restore(_ value: JSONValue) -> Bool {
    guard let kept = ViewHours(value) else { return false }
    hours = kept
    return true
  }
}
