import JSON
import Timekeeping

/// Which widget is on top of a stack, and since when: what keeps the top from flapping.
///
/// Another takes its place when it has been there for `Limits.minimumStay`, leads by
/// `Limits.rotationLead`, and the person has not touched the stack for `Limits.interactionPause`. What
/// the person asked for, and what was sent away or refuses to be shown, does not wait.
struct StackRotation: Hashable, Sendable {
  var top: String
  var since: WallTime

  init(top: String, since: WallTime) {
    self.top = top
    self.since = since
  }

  /// What the store keeps: a restart leaves the top where it was.
  var json: JSONValue { ["top": .string(top), "since": .string(since.rfc3339)] }

  /// `nil`: it is none.
  init?(_ value: JSONValue) {
    guard let top = value["top"]?.stringValue,
      let since = value["since"]?.stringValue.flatMap({ WallTime(rfc3339: $0) })
    else { return nil }
    self.init(top: top, since: since)
  }

  /// Whether the top stays although `leader` is ahead by `lead`.
  func holds(lead: Double, interactedAt: WallTime?, at now: WallTime) -> Bool {
    // A clock that was set back says nothing about how long.
    guard since <= now else { return false }
    if now < since.advanced(byMilliseconds: Limits.minimumStay) { return true }
    if let interactedAt, interactedAt <= now,
      now < interactedAt.advanced(byMilliseconds: Limits.interactionPause)
    {
      return true
    }
    return lead < Limits.rotationLead
  }
}
