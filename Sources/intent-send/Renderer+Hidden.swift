import JSON

/// Renders widgets that show nothing although nothing is wrong.
extension Renderer {
  /// Returns why a widget without content shows nothing, and until when.
  ///
  /// `widget` is one of the protocol, or the answer to `widget.budget`; one that is not hidden has no
  /// content yet.
  func emptiness(_ widget: JSONValue) -> String {
    guard let hidden = widget["hidden"], !hidden.isNull else { return "no content yet" }
    let until =
      if let next = widget["nextReload"], !next.isNull {
        isPast(next) ? "; it runs again now" : "; it runs again at \(moment(next))"
      } else if widget["held"] == "unwatched" {
        "; it runs again when somebody looks at it"
      } else {
        ", until it does"
      }
    return switch hidden.stringValue {
    case "noOutput": "hidden, since it printed nothing to show\(until)"
    case "condition": "hidden, since its condition (if) does not hold\(until)"
    case "noData": "nothing yet: its provider has no data so far\(until)"
    case "notAsked": "hidden until a reload, a click or its signal runs it"
    default: "hidden (\(word(hidden)))\(until)"
    }
  }
}
