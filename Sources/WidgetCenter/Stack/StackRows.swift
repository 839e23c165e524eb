import Habits
import Timekeeping

/// The facts about the placed widgets that each order of the stack needs, in the order of placing.
///
/// They are kept as widgets come, change and go: an order of ten thousand widgets joins no names
/// and hashes none. What the timelines of the widgets declare is in `StackClaims`.
struct StackRows: Sendable {
  struct Row: Hashable, Sendable {
    let family: WidgetFamily
    let isSuggestion: Bool
    let placedAt: WallTime
    /// The order of placing: it never falls from one row to the next.
    let position: Int64
    /// Numbers in `items` and `kinds`.
    let item: Int32
    let kind: Int32
    /// The number of its timeline (`TimelineDeadlines`).
    let timeline: Int32
  }

  private(set) var rows: [Row] = []
  /// Widgets of several families that show one thing are one item.
  private(set) var items = CountedNames()
  private(set) var kinds = CountedNames()
  /// The slots of the items in the behaviour model, by the items' numbers: −1 for an item that the
  /// model does not know, `unsought` for one that was not looked up yet.
  private var slots: [Int32] = []
  private static let unsought: Int32 = -2
  private var hasUnsought = false
  /// The version of the model's slots that `slots` is of; −1: of none.
  private var slotsVersion = -1
  /// The latest order's moment as the behaviour model sees it, since stacks of several families are
  /// asked for in one turn.
  private var situation: (of: SituationKey, situation: BehaviourSituation)?

  /// Everything that a situation depends on; an item may come without a use.
  private struct SituationKey: Hashable {
    var moment: BehaviourMoment
    var useCount: Int
    var slotsVersion: Int
  }

  mutating func reserveCapacity(_ count: Int) {
    rows.reserveCapacity(count)
    items.reserveCapacity(count)
    slots.reserveCapacity(count)
  }

  // MARK: Widgets

  /// Adds a widget behind the others; `timeline`: the number of its timeline.
  mutating func append(_ widget: Widget, on timeline: Int32) {
    precondition(
      rows.last.map { $0.position <= widget.position } ?? true,
      "'\(widget.id)' was placed before a widget that is there already")
    rows.append(row(of: widget, on: timeline))
  }

  /// Adds a widget at an index that its position allows.
  ///
  /// O(widgets).
  mutating func insert(_ widget: Widget, at index: Int, on timeline: Int32) {
    rows.insert(row(of: widget, on: timeline), at: index)
  }

  /// Puts a widget that shows something else into its place.
  mutating func replace(at index: Int, _ widget: Widget, on timeline: Int32) {
    let old = rows[index]
    // In this order: a name that stays keeps its number.
    rows[index] = row(of: widget, on: timeline)
    release(old)
  }

  /// O(widgets).
  mutating func remove(at index: Int) { release(rows.remove(at: index)) }

  /// The index of the first row whose position is not below this one.
  ///
  /// O(log widgets).
  func index(from position: Int64) -> Int {
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].position < position { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The first row of each item that is placed, suggestions not counted.
  ///
  /// O(widgets).
  func firstRowsOfPlacedItems() -> [Row] {
    var isKnown = [Bool](repeating: false, count: items.names.count)
    var found: [Row] = []
    for row in rows where !row.isSuggestion && !isKnown[Int(row.item)] {
      isKnown[Int(row.item)] = true
      found.append(row)
    }
    return found
  }

  /// The index of the first row of an item that is placed, suggestions not counted.
  ///
  /// O(widgets).
  func firstIndex(ofItem item: String) -> Int? {
    guard let number = items.number(of: item) else { return nil }
    return rows.firstIndex { $0.item == number && !$0.isSuggestion }
  }

  private mutating func row(of widget: Widget, on timeline: Int32) -> Row {
    let (item, isFirst) = items.use(widget.item)
    if isFirst {
      if Int(item) == slots.count { slots.append(Self.unsought) }
      slots[Int(item)] = Self.unsought
      hasUnsought = true
    }
    return Row(
      family: widget.family, isSuggestion: widget.isSuggestion, placedAt: widget.placedAt,
      position: widget.position, item: item, kind: kinds.use(widget.kind).number,
      timeline: timeline)
  }

  private mutating func release(_ row: Row) {
    items.release(row.item)
    kinds.release(row.kind)
  }

  // MARK: The behaviour model

  /// The slot of an item, −1 for an item that the model does not know; `findSlots` comes before.
  func slot(of item: Int32) -> Int32 {
    let slot = slots[Int(item)]
    assert(slot != Self.unsought, "the slot of an item was not looked up")
    return slot
  }

  /// Looks up the slots that are not known: of new items, or of all when the model has others.
  mutating func findSlots(in habits: BehaviourModel) {
    if slotsVersion != habits.slotsVersion {
      slots = items.names.map { habits.slot(of: $0) }
      slotsVersion = habits.slotsVersion
    } else if hasUnsought {
      for item in slots.indices where slots[item] == Self.unsought {
        slots[item] = habits.slot(of: items.names[item])
      }
    }
    hasUnsought = false
  }

  /// Forgets the slots: a model that began anew gives the same version to other slots.
  mutating func forgetSlots() {
    slotsVersion = -1
    situation = nil
  }

  /// A moment as the model sees it, worked out once for as long as both stay the same.
  mutating func situation(
    of habits: BehaviourModel, at moment: BehaviourMoment
  ) -> BehaviourSituation {
    let key = SituationKey(
      moment: moment, useCount: habits.useCount, slotsVersion: habits.slotsVersion)
    if let situation, situation.of == key { return situation.situation }
    let fresh = BehaviourSituation(of: habits, at: moment)
    situation = (key, fresh)
    return fresh
  }

  // MARK: Checks

  /// Differences from the placed widgets, in sentences; none while every change was told.
  func differences(
    from order: [String], _ widgets: [String: Widget], _ habits: BehaviourModel,
    _ key: (Int32) -> TimelineKey?
  ) -> [String] {
    guard rows.count == order.count else {
      return ["the stack has \(rows.count) rows for \(order.count) widgets"]
    }
    var wrong: [String] = []
    var used: Set<String> = []
    for (row, id) in zip(rows, order) {
      guard let widget = widgets[id] else { continue }
      used.insert(widget.item)
      let isSame =
        row.family == widget.family && row.isSuggestion == widget.isSuggestion
        && row.placedAt == widget.placedAt && row.position == widget.position
        && items.names[Int(row.item)] == widget.item && kinds.names[Int(row.kind)] == widget.kind
        && key(row.timeline) == widget.timelineKey
      if !isSame { wrong.append("the stack remembers another '\(id)' than is placed") }
      let slot = slots[Int(row.item)]
      if slotsVersion == habits.slotsVersion, slot != Self.unsought,
        slot != habits.slot(of: widget.item)
      {
        wrong.append("the stack remembers another slot of the item of '\(id)'")
      }
    }
    if items.count != used.count {
      wrong.append("the stack knows \(items.count) items, and \(used.count) are placed")
    }
    if zip(rows, rows.dropFirst()).contains(where: { $0.position > $1.position }) {
      wrong.append("the rows of the stack are not in the order of placing")
    }
    return wrong
  }
}
