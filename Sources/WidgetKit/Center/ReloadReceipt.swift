import JSON
import Timekeeping

/// The outcome of a reload request, with its reason.
///
/// (Not on iOS, where an app gets no receipts.)
public struct ReloadReceipt: Identifiable, Hashable, Sendable {
  /// A state of a reload.
  public enum State: Hashable, Sendable {
    /// The reload will run.
    case accepted
    /// The reload has ended; the daemon has the new timeline.
    case done
    /// The reload of the receipt `into`, which was waiting already, does the work.
    case coalesced(into: String)
    /// The reload will run at `until` because of `reason`; `until` is `nil` while the time is
    /// unknown.
    case deferred(until: Date?, reason: String)
    /// The reload will not run, or it failed, because of `reason`.
    case dropped(reason: String)
  }

  /// The receipt's id, such as `r7`.
  public let id: String
  /// The id of the widget.
  public let widget: String
  /// The widget's kind.
  public let kind: String
  /// The reload's state when the answer was sent.
  public let state: State

  /// Whether the state is final.
  public var hasEnded: Bool {
    switch state {
    case .done, .coalesced, .dropped: true
    case .accepted, .deferred: false
    }
  }

  package init(id: String, widget: String, kind: String, state: State) {
    self.id = id
    self.widget = widget
    self.kind = kind
    self.state = state
  }

  /// Reads a `receipt` of the wire.
  ///
  /// `nil` if it has no id, or a state that this version does not know.
  init?(_ json: JSONValue) {
    guard let id = json["id"]?.stringValue else { return nil }
    let reason = json["reason"]?.stringValue ?? ""
    let state: State
    switch json["state"]?.stringValue {
    case "accepted": state = .accepted
    case "done": state = .done
    case "coalesced": state = .coalesced(into: json["into"]?.stringValue ?? "")
    case "deferred":
      let until = json["until"]?.stringValue.flatMap { WallTime(rfc3339: $0) }
      state = .deferred(
        until: until.map { Date(timeIntervalSince1970: Double($0.milliseconds) / 1000) },
        reason: reason)
    case "dropped": state = .dropped(reason: reason)
    default: return nil
    }
    self.init(
      id: id, widget: json["widget"]?.stringValue ?? "", kind: json["kind"]?.stringValue ?? "",
      state: state)
  }
}
