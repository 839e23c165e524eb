import JSON
import WidgetCenter

/// The widgets of an app as one client was told of them: by the answer to its registration, and by
/// each `app.widgetsChanged` since.
///
/// Each change has to be told once: one that the client knows already, and one that it could only
/// follow after another one, are violations.
struct AppMirror: Sendable {
  let app: String
  private var widgets: [String: JSONValue] = [:]
  /// Whether the client has to ask, since it was told that it does not know everything.
  private(set) var isUnsure = false

  /// `isLate`: the answer waited for others in a batch, and may be older than what came before it.
  init?(_ registration: JSONValue, isLate: Bool) {
    guard let app = registration["app"]?.stringValue else { return nil }
    self.app = app
    isUnsure = isLate || registration["more"] == true
    for widget in registration["widgets"]?.arrayValue ?? [] {
      if let id = widget["id"]?.stringValue { widgets[id] = widget }
    }
  }

  /// Notes that the client may be another app by now, and be told nothing of this one.
  mutating func doubt() { isUnsure = true }

  /// Takes a notification.
  ///
  /// - Returns: a sentence about what is wrong with it; `nil`: nothing.
  mutating func take(_ params: JSONValue) -> String? {
    guard params["app"] == .string(app) else {
      return "\(app) was told of the widgets of \(params["app"]?.serialized ?? "nobody")"
    }
    if params["more"] == true { isUnsure = true }
    for change in params["changes"]?.arrayValue ?? [] {
      guard let sort = change["change"]?.stringValue, let widget = change["widget"],
        let id = widget["id"]?.stringValue
      else { return "an app was told \(change.serialized)" }
      let before = widgets[id]
      if sort == "removed" { widgets.removeValue(forKey: id) } else { widgets[id] = widget }
      guard !isUnsure else { continue }
      switch sort {
      case "placed" where before == nil: continue
      case "removed" where before == widget: continue
      // The place in the order of placing is not told.
      case "moved" where before?["kind"] == widget["kind"] && before?["intent"] == widget["intent"]:
        continue
      case "configured" where before != nil && before != widget: continue
      default:
        return "\(app) was told that \(id) was \(sort), and knew it as"
          + " \(before?.serialized ?? "nothing")"
      }
    }
    return nil
  }

  /// Compares what the client knows with the widgets that there are, when everything is on disk and
  /// was told.
  func violation(in engine: WidgetEngine) -> String? {
    guard !isUnsure else { return nil }
    let own = engine.order.filter { id in
      engine.widgets[id].flatMap { engine.kinds[$0.kind]?.app } == app
    }
    for id in Set(own).union(widgets.keys).sorted() {
      let widget = own.contains(id) ? engine.widgets[id] : nil
      let known = widgets[id]
      if known?["kind"]?.stringValue != widget?.kind
        || known?["family"]?.stringValue != widget?.family.rawValue
        || (known?["intent"] ?? .null) != (widget?.configuration.json ?? .null)
      {
        return "\(id) is \(widget.map { $0.record.serialized } ?? "gone"), and \(app) knew it as"
          + " \(known?.serialized ?? "nothing")"
      }
    }
    return nil
  }
}
