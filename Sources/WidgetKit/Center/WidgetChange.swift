import Dispatch
import JSON
import Synchronization

/// A change of a widget of this app.
///
/// (Not on iOS, where an app asks for `currentConfigurations()` again.)
public enum WidgetChange: Hashable, Sendable {
  /// The person placed the widget, or brought it back.
  case placed(WidgetInfo)
  /// The widget has other parameters, another intent or another kind now.
  case configured(WidgetInfo)
  /// The widget has another family, or another place among the widgets.
  case moved(WidgetInfo)
  /// The widget is gone; this is how it was.
  case removed(WidgetInfo)
  /// More changed than is told: `currentConfigurations()` has the widgets that there are.
  case missed
}

/// The widgets of this app as the daemon told them, and everybody who wants to hear of changes.
///
/// After a restart of the daemon its answer to the registration is compared with what was known, so
/// that changes of that time are told as well.
final class WidgetChanges: Sendable {
  typealias Handler = @Sendable ([WidgetChange]) -> Void

  private struct State {
    /// The widgets by identifier; `nil`: no registration was answered yet.
    var known: [String: WidgetInfo]?
    var handlers: [Int: Handler] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())

  /// Calls `handler` with each list of changes; `remove` ends it.
  func add(_ handler: @escaping Handler) -> Int {
    state.withLock { state in
      state.lastNumber += 1
      state.handlers[state.lastNumber] = handler
      return state.lastNumber
    }
  }

  func remove(_ number: Int) {
    state.withLock { $0.handlers[number] = nil }
  }

  /// Forgets the widgets, since this program is another app from now on.
  func forget() {
    state.withLock { $0.known = nil }
  }

  /// Takes the answer to a registration.
  func registered(_ answer: JSONValue) {
    var widgets: [String: WidgetInfo] = [:]
    var order: [String] = []
    for info in (answer["widgets"]?.arrayValue ?? []).compactMap(WidgetInfo.init) {
      widgets[info.identifier] = info
      order.append(info.identifier)
    }
    let hasMore = answer["more"] == true
    let before = state.withLock { state in
      defer { state.known = widgets }
      return state.known
    }
    guard let before else { return }
    var changes: [WidgetChange] = []
    if hasMore {
      changes = [.missed]
    } else {
      for (identifier, info) in before.sorted(by: { $0.key < $1.key })
      where widgets[identifier] == nil {
        changes.append(.removed(info))
      }
      for identifier in order {
        guard let info = widgets[identifier], before[identifier] != info else { continue }
        changes.append(Self.change(from: before[identifier], to: info))
      }
    }
    tell(changes)
  }

  /// Takes the parameters of an `app.widgetsChanged`.
  func changed(_ params: JSONValue) {
    var changes: [WidgetChange] = []
    for change in params["changes"]?.arrayValue ?? [] {
      // A suggestion is no widget that somebody placed.
      guard let info = change["widget"].flatMap(WidgetInfo.init) else { continue }
      let isRemoved = change["change"]?.stringValue == "removed"
      state.withLock { $0.known?[info.identifier] = isRemoved ? nil : info }
      switch change["change"]?.stringValue {
      case "placed": changes.append(.placed(info))
      case "configured": changes.append(.configured(info))
      case "moved": changes.append(.moved(info))
      case "removed": changes.append(.removed(info))
      // A newer daemon has a word for it that this version does not know.
      default: changes.append(.missed)
      }
    }
    if params["more"] == true { changes.append(.missed) }
    tell(changes)
  }

  private static func change(from before: WidgetInfo?, to info: WidgetInfo) -> WidgetChange {
    guard let before else { return .placed(info) }
    let isSame = before.kind == info.kind && before.configuration == info.configuration
    return isSame ? .moved(info) : .configured(info)
  }

  private func tell(_ changes: [WidgetChange]) {
    guard !changes.isEmpty else { return }
    let handlers = state.withLock { state in
      state.handlers.sorted { $0.key < $1.key }.map(\.value)
    }
    for handler in handlers { handler(changes) }
  }
}
