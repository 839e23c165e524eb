import JSON
import ViewMarkup

/// The rules of views: only who wants them gets them, and nothing but what the daemon wrote itself.
extension RandomWorld {
  func checkViews(of widgets: [SeenWidget], _ method: String, _ slot: Int) {
    guard !clients[slot].isWild else { return }
    for widget in widgets {
      guard let bytes = widget.shown.view else { continue }
      statistics.views += 1
      let id = widget.id ?? "?"
      if method != "surface.update", method != "surface.attach" {
        violate("\(method) has a view of the widget \(id), which is for surfaces that want one")
      } else if !clients[slot].wantsViews {
        violate("a surface that wants no views was sent that of the widget \(id)")
      }
      let view = parsed(bytes) ?? .null
      let texts =
        view.stringValue.map { [$0] }
        ?? [view["light"]?.stringValue ?? "", view["dark"]?.stringValue ?? ""]
      if texts.reduce(0, { $0 + $1.utf8.count }) > MarkupLimits.bytesMax {
        violate("the view of the widget \(id) is larger than a view may be")
      }
      for text in texts {
        guard case .success(let element) = MarkupReader.read(text), element.html == text else {
          violate("a surface was sent a view that is not the daemon's own: \(text.prefix(200))")
          return
        }
      }
    }
  }
}
