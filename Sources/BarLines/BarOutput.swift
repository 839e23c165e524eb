package import JSON
import PlainText
package import Timekeeping

/// The lines that a bar gets over time: one for each change, and never the same twice.
///
/// It also says when to wake: at the moment at which the line differs by itself, because a live
/// date ticks, an age grows or another title has its turn; never in between.
package struct BarOutput: Sendable {
  private let line: BarLine
  private let wishes: BarWishes
  private var widgets: [JSONValue]?
  private var isLost = false
  private var last: String?
  /// The widgets of the last line, in order.
  package private(set) var shown: [ShownWidget] = []

  package init(_ line: BarLine, _ wishes: BarWishes = BarWishes()) {
    self.line = line
    self.wishes = wishes
  }

  /// Takes the widgets that the bar shows now, in order.
  package mutating func show(_ widgets: [JSONValue]) {
    self.widgets = widgets
    isLost = false
  }

  /// Notes that the daemon is gone: nothing that is shown is current from now on.
  package mutating func lose() { isLost = true }

  /// Returns the line for a moment, if it is another one than before; `nil`: it is the same, or
  /// there is nothing to show yet.
  package mutating func next(at now: WallTime) -> String? {
    let rendered = rendered(at: now)
    // Another revision may look the same, and a click means the one that is shown now.
    shown = rendered.parts.map(\.widget)
    guard let text = rendered.text, text != last else { return nil }
    defer { last = text }
    guard line.format == .i3bar else { return text }
    return I3barProtocol.element(text, isFirst: last == nil)
  }

  /// Returns a line that is no widget's, in the colour of what is not current.
  package func notice(_ text: String, _ tooltip: [String]) -> String {
    line.text([
      BarPart(
        widget: ShownWidget(id: "", revision: 0), text: BarText(text), shortText: BarText(),
        color: .stale, tooltip: tooltip.map(printable), classes: ["stale"], symbol: "",
        isUrgent: false, isStale: true)
    ])
  }

  /// Returns the first moment after `now` at which the line differs from the last one; `nil` if it
  /// stays until the widgets change.
  ///
  /// After `BarLimits.wakeAttemptCountMax` moments at which only parts that are cut off differ, the
  /// next such moment.
  package func nextChange(after now: WallTime) -> WallTime? {
    var moment = now
    for _ in 0..<BarLimits.wakeAttemptCountMax {
      guard let change = rendered(at: moment).nextChange else { return nil }
      moment = change
      if rendered(at: moment).text != last { return moment }
    }
    return moment
  }

  private func rendered(
    at now: WallTime
  ) -> (text: String?, parts: [BarPart], nextChange: WallTime?) {
    guard let widgets else { return (nil, [], nil) }
    let shown = widgets.prefix(BarLimits.widgetCountMax)
    var reader = PartReader(
      wishes, line.format, isAlone: shown.count == 1, isLost: isLost, at: now)
    let parts = shown.compactMap { reader.part(of: $0) }
    return (line.text(parts), parts, reader.nextChange)
  }
}
