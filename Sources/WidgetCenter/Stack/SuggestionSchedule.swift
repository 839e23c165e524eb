import Timekeeping

/// When suggestions and dismissals end, and when windows of manifests are looked at next.
struct SuggestionSchedule: Sendable {
  /// Suggestions that nobody touches, and widgets that were sent away, by id.
  private var ends = DeadlineQueue<String, WallTime>()
  /// When a window of a manifest opens or closes; `nil`: no manifest has any.
  private(set) var nextLook: WallTime?

  /// Whether a manifest has windows.
  var looksAtWindows: Bool { nextLook != nil }
  /// Suggestions and dismissals that wait for their end.
  var endCount: Int { ends.count }

  /// Ends a suggestion, or a dismissal, at `moment` instead of when it would have.
  mutating func end(_ id: String, at moment: WallTime) { ends.schedule(id, at: moment) }

  mutating func cancelEnd(of id: String) { ends.cancel(id) }

  /// Takes a suggestion or a dismissal that ends at or before `now`.
  mutating func popEnded(at now: WallTime) -> String? { ends.popDue(at: now) }

  mutating func nextEnd() -> WallTime? { ends.next() }

  /// Looks at the windows at once, if there are any: something changed that may open or close one.
  mutating func lookSoon(at now: WallTime) { if nextLook != nil { nextLook = now } }

  /// Plans the next look; `nil`: no manifest has windows.
  mutating func planLook(at moment: WallTime?) { nextLook = moment }
}
