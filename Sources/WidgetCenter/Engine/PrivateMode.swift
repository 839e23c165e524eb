import JSON
import Timekeeping

/// Private mode: while it is on, nothing that the person does is kept or learned from.
///
/// It remembers its own traces (suggestions made, widgets touched) so that the engine can remove
/// them when the mode ends. Only `isOn` and the start survive a restart.
struct PrivateMode: Hashable, Sendable {
  private(set) var isOn = false
  /// Suggestions that were made, or configured anew, in private mode.
  private var suggestions: Set<String> = []
  /// Widgets that were asked for, touched or sent away in private mode.
  private var touched: Set<String> = []
  /// When the mode began; `nil` while it is off, and when the store did not keep it.
  private var since: WallTime?

  /// The ids of suggestions that private mode made, in ascending order.
  var madeSuggestions: [String] { suggestions.sorted() }

  /// Whether private mode made the suggestion `id`.
  func made(_ id: String) -> Bool { suggestions.contains(id) }

  /// Whether private mode made every one of these suggestions; `true` for none.
  func madeAll(_ ids: [String]) -> Bool { ids.allSatisfy { suggestions.contains($0) } }

  /// Whether a reload of these widgets tells what the person did in private mode.
  func hides(_ cause: ReloadCause, of widgets: [String]) -> Bool {
    if !widgets.isEmpty, madeAll(widgets) { return true }
    switch cause {
    case .intent, .link, .tap, .menu, .reload: return isOn
    case .placed, .configuration, .mode, .hostForeground, .providerUpgrade, .locale, .textSize,
      .displaySize, .timeChange, .hostBackground, .signal, .interval, .download, .policy, .retry:
      return false
    }
  }

  /// Whether a receipt tells what the person did in private mode, which began at `start`.
  func hides(_ receipt: Receipt, since start: WallTime) -> Bool {
    suggestions.contains(receipt.widget)
      || (receipt.cause.isPersonal || receipt.cause == .link) && receipt.requestedAt >= start
  }

  /// Remembers a suggestion that was made or configured, if the mode is on.
  mutating func noteSuggestion(_ id: String) { if isOn { suggestions.insert(id) } }

  /// Remembers a widget that the person touched, if the mode is on.
  mutating func noteTouch(of id: String) { if isOn { touched.insert(id) } }

  /// Forgets a suggestion that was removed.
  mutating func forgetSuggestion(_ id: String) { suggestions.remove(id) }

  mutating func begin(at now: WallTime) {
    precondition(!isOn, "private mode begins once")
    isOn = true
    since = now
  }

  /// Ends the mode and keeps its traces until `forgetTraces`.
  ///
  /// - Returns: when it began; the earliest time there is when the store did not keep that.
  mutating func end() -> WallTime {
    precondition(isOn, "private mode ends once")
    isOn = false
    return since.take() ?? WallTime(milliseconds: .min)
  }

  /// Forgets the traces.
  ///
  /// - Returns: the widgets that the person touched.
  mutating func forgetTraces() -> Set<String> {
    suggestions = []
    defer { touched = [] }
    return touched
  }

  // MARK: What the store keeps

  /// `{"on":true,"at":"2026-11-20T21:00:00Z"}`.
  var json: JSONValue {
    guard let since else { return ["on": .bool(isOn)] }
    return ["on": .bool(isOn), "at": .string(since.rfc3339)]
  }

  /// Takes what the store kept; `false` when it cannot be read.
  mutating func restore(_ value: JSONValue) -> Bool {
    guard let isOn = value["on"]?.boolValue else { return false }
    self.isOn = isOn
    since = value["at"]?.stringValue.flatMap { WallTime(rfc3339: $0) }
    return true
  }
}
