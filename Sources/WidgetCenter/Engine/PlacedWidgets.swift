import Habits
import Timekeeping

/// The placed widgets, suggestions included, in the order of placing.
///
/// The part also keeps the rows that orders of the stack go through (`StackRows`), since they
/// follow from the widgets.
struct PlacedWidgets: Sendable {
  private(set) var byID: [String: Widget] = [:]
  /// The ids, in the order of placing.
  private(set) var order: [String] = []
  /// A row for each id of `order`, at the same index.
  private(set) var stack = StackRows()
  /// The widgets that are expanded on some surface.
  private(set) var expanded: Set<String> = []
  private var lastPosition: Int64 = 0

  /// The position that a new widget takes.
  mutating func nextPosition() -> Int64 {
    lastPosition += 1
    return lastPosition
  }

  /// Places a widget behind the others; `timeline`: the number of its timeline.
  mutating func append(_ widget: Widget, on timeline: Int32) {
    precondition(byID[widget.id] == nil, "two widgets would have the id '\(widget.id)'")
    lastPosition = max(lastPosition, widget.position)
    byID[widget.id] = widget
    order.append(widget.id)
    stack.append(widget, on: timeline)
    noteExpansion(of: widget)
  }

  /// Puts a widget back to the place that its position gives it; `timeline`: the number of its
  /// timeline.
  ///
  /// O(widgets).
  mutating func insert(_ widget: Widget, on timeline: Int32) {
    precondition(byID[widget.id] == nil, "two widgets would have the id '\(widget.id)'")
    lastPosition = max(lastPosition, widget.position)
    let index = stack.index(from: widget.position + 1)
    byID[widget.id] = widget
    order.insert(widget.id, at: index)
    stack.insert(widget, at: index, on: timeline)
    noteExpansion(of: widget)
  }

  /// Puts a changed widget that shows the same in the place of the one with its id.
  mutating func replace(_ widget: Widget) {
    let old = byID.updateValue(widget, forKey: widget.id)
    precondition(old != nil, "there is no widget '\(widget.id)' to be replaced")
    assert(old?.timelineKey == widget.timelineKey, "'\(widget.id)' shows something else now")
    noteExpansion(of: widget)
  }

  /// Puts a changed widget that is on another timeline in the place of the one with its id.
  ///
  /// O(log widgets).
  mutating func move(_ widget: Widget, to timeline: Int32) {
    stack.replace(at: index(of: widget.id), widget, on: timeline)
    byID[widget.id] = widget
    noteExpansion(of: widget)
  }

  /// O(widgets).
  mutating func remove(_ id: String) {
    let index = index(of: id)
    stack.remove(at: index)
    order.remove(at: index)
    byID[id] = nil
    expanded.remove(id)
  }

  /// Whether one of these is expanded on some surface.
  func isExpanded(anyOf ids: [String]) -> Bool {
    !expanded.isEmpty && ids.contains(where: expanded.contains)
  }

  private mutating func noteExpansion(of widget: Widget) {
    if widget.expansion.isExpanded {
      expanded.insert(widget.id)
    } else if !expanded.isEmpty {
      expanded.remove(widget.id)
    }
  }

  mutating func reserveCapacity(_ count: Int) {
    byID.reserveCapacity(count)
    order.reserveCapacity(count)
    stack.reserveCapacity(count)
  }

  /// The place of a widget in the order of placing.
  ///
  /// O(log widgets).
  private func index(of id: String) -> Int {
    guard let position = byID[id]?.position else {
      preconditionFailure("there is no widget '\(id)'")
    }
    // A damaged store may have given two widgets one position.
    guard let index = order[stack.index(from: position)...].firstIndex(of: id) else {
      preconditionFailure("the widget '\(id)' has lost its place")
    }
    return index
  }

  // MARK: The behaviour model, as orders of the stack see it

  /// Looks up the slots of the items that are not known.
  mutating func findSlots(in habits: BehaviourModel) { stack.findSlots(in: habits) }

  /// Makes the next order look up the slots of the behaviour model again.
  mutating func forgetSlots() { stack.forgetSlots() }

  /// A moment as the model sees it.
  mutating func situation(
    of habits: BehaviourModel, at moment: BehaviourMoment
  ) -> BehaviourSituation { stack.situation(of: habits, at: moment) }

  // MARK: Checks

  /// Returns a sentence for each broken rule; none if all hold.
  func checkInvariants() -> [String] {
    var wrong: [String] = []
    if order.count != byID.count {
      wrong.append("\(order.count) widgets are in order and \(byID.count) exist")
    }
    for id in order where byID[id] == nil { wrong.append("'\(id)' is in order and does not exist") }
    if expanded != Set(byID.values.filter(\.expansion.isExpanded).map(\.id)) {
      wrong.append("the list of expanded widgets is not that of the widgets")
    }
    if byID.count > Limits.widgetCountMax { wrong.append("\(byID.count) widgets are placed") }
    return wrong
  }
}
