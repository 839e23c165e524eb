/// The turns of a stack that a person made on one surface, such as with the wheel on a bar.
///
/// A turn shows the widgets that follow, and changes nothing of the order itself. It lasts until
/// another widget comes to the top of the order: then the person sees that one, as on a surface that
/// nobody turned.
struct StackRotation: Hashable, Sendable {
  /// The widget that the person turned to; `nil`: none.
  private var shown: String?
  /// The widget that was on top of the order then.
  private var top: String?
  /// Turns that wait for the order, which the surface has in its next update.
  private var pending = 0

  /// Whether another widget than the first of the order may be in front.
  var isTurned: Bool { pending != 0 || shown != nil }

  /// Turns by this many widgets, forwards or, if negative, back.
  mutating func turn(by count: Int) {
    // More turns than there are widgets are as good as fewer; far fewer than fit a number.
    pending = min(max(pending + count, -Limits.stackTurnsMax), Limits.stackTurnsMax)
  }

  /// Returns `order` with the widget in front that the person turned to; O(widgets).
  mutating func turned(_ order: [String]) -> [String] {
    guard isTurned else { return order }
    if top != order.first { shown = nil }
    let place = shown.flatMap { order.firstIndex(of: $0) } ?? 0
    guard !order.isEmpty else { return order }
    let index = (((place + pending) % order.count) + order.count) % order.count
    pending = 0
    top = order.first
    shown = index == 0 ? nil : order[index]
    return index == 0 ? order : Array(order[index...] + order[..<index])
  }
}
