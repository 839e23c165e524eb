import JSON
import Timekeeping

/// What became of a reload that was asked for, and why. (Not on iOS, where nobody is told.)
public struct ReloadReceipt: Identifiable, Hashable, Sendable {
  /// How far the reload has come.
  public enum State: Hashable, Sendable {
    /// The reload will run.
    case accepted
    /// The new timeline is there.
    case done
    /// The reload of the receipt `into`, already waiting, does the work.
    case coalesced(into: String)
    /// It will run later, for `reason`; `until` is `nil` while nobody can say when.
    case deferred(until: Date?, reason: String)
    /// It will not run.
    case dropped(reason: String)
  }

  /// The receipt's id: `r7`.
  public let id: String
  /// The id of the widget.
  public let widget: String
  /// The widget's kind.
  public let kind: String
  /// How far the reload has come.
  public let state: State

  /// Whether nothing more will happen to it.
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

  /// Reads a `receipt` of the wire; `nil` when it has no id or a state that this version does not know.
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
