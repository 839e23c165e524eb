import JSON
import Timekeeping

/// The widget on top of a stack, and since when it is there: this keeps the top from flapping.
///
/// Another widget takes its place when the top has been there for `Limits.minimumStay`, the other
/// leads by `Limits.rotationLead`, and the person has not touched the stack for
/// `Limits.interactionPause`. An intent that was just sent, a dismissal and a refusal do not wait.
struct StackRotation: Hashable, Sendable {
  var top: String
  var since: WallTime

  init(top: String, since: WallTime) {
    self.top = top
    self.since = since
  }

  /// The record that the store keeps, so that a restart leaves the top where it was.
  var json: JSONValue { ["top": .string(top), "since": .string(since.rfc3339)] }

  /// `nil` when the value is no rotation.
  init?(_ value: JSONValue) {
    guard let top = value["top"]?.stringValue,
      let since = value["since"]?.stringValue.flatMap({ WallTime(rfc3339: $0) })
    else { return nil }
    self.init(top: top, since: since)
  }

  /// Whether the top stays although `leader` is ahead by `lead`.
  func holds(lead: Double, interactedAt: WallTime?, at now: WallTime) -> Bool {
    // After the clock was set back, the length of the stay is unknown.
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
