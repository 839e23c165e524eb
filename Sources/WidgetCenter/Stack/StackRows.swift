import Habits
import Timekeeping

/// Everything about the widgets that each order needs, looked up once for many orders.
///
/// A donation changes the order of ten thousand widgets and none of these rows. Names are joined
/// and timelines looked through when a widget comes or goes, and when a claim changes.
struct StackRows: Sendable {
  /// The facts that stay while a widget stays as it is.
  struct Row: Hashable, Sendable {
    let family: WidgetFamily
    let isSuggestion: Bool
    let placedAt: WallTime
    /// Indices in `items`, `kinds` and `keys`.
    let item: Int32
    let kind: Int32
    let key: Int32
  }

  /// The claim of a timeline, and between which moments it holds.
  private struct Said: Sendable {
    var claim: RelevanceClaim?
    var from = WallTime(milliseconds: .max)
    var until = WallTime(milliseconds: .min)

    func isGood(at moment: WallTime) -> Bool { from <= moment && moment < until }
  }

  /// In the order of placing.
  let ids: [String]
  let rows: [Row]
  /// Widgets of several families that show one thing are one item.
  private(set) var items: [String] = []
  private(set) var kindsOfItems: [Int32] = []
  private(set) var kinds: [String] = []
  private var keys: [TimelineKey] = []
  private var keyIndices: [TimelineKey: Int32] = [:]
  private var said: [Said] = []
  /// Slots of the items in the behaviour model, −1 for unknown items; valid for one version of its
  /// slots.
  private(set) var slots: [Int32] = []
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

  /// O(widgets).
  init(_ order: [String], _ widgets: [String: Widget]) {
    var ids: [String] = []
    ids.reserveCapacity(order.count)
    var rows: [Row] = []
    rows.reserveCapacity(order.count)
    var itemIndices: [String: Int32] = [:]
    itemIndices.reserveCapacity(order.count)
    keyIndices.reserveCapacity(order.count)
    var kindIndices: [String: Int32] = [:]
    items.reserveCapacity(order.count)
    kindsOfItems.reserveCapacity(order.count)
    keys.reserveCapacity(order.count)
    for id in order {
      guard let widget = widgets[id] else { continue }
      ids.append(id)
      let kind = Self.index(of: widget.kind, in: &kindIndices, &kinds)
      let item = Self.index(of: widget.item, in: &itemIndices, &items)
      if Int(item) == kindsOfItems.count { kindsOfItems.append(kind) }
      let key = Self.index(of: widget.timelineKey, in: &keyIndices, &keys)
      rows.append(
        Row(
          family: widget.family, isSuggestion: widget.isSuggestion, placedAt: widget.placedAt,
          item: item, kind: kind, key: key))
    }
    self.ids = ids
    self.rows = rows
    said = Array(repeating: Said(), count: keys.count)
  }

  private static func index<Name: Hashable>(
    of name: Name, in indices: inout [Name: Int32], _ names: inout [Name]
  ) -> Int32 {
    if let index = indices[name] { return index }
    let index = Int32(names.count)
    indices[name] = index
    names.append(name)
    return index
  }

  /// The indices in `items` of placed widgets, without suggestions, each once.
  var placedItems: [Int] {
    var isPlaced = [Bool](repeating: false, count: items.count)
    for row in rows where !row.isSuggestion { isPlaced[Int(row.item)] = true }
    return isPlaced.indices.filter { isPlaced[$0] }
  }

  func claim(_ row: Row) -> RelevanceClaim? { said[Int(row.key)].claim }

  mutating func forgetClaim(of key: TimelineKey) {
    if let index = keyIndices[key] { said[Int(index)] = Said() }
  }

  mutating func forgetClaims() { said = Array(repeating: Said(), count: keys.count) }

  /// Timelines whose claims are no longer good.
  ///
  /// O(timelines), little for each that is still good.
  func outdated(at moment: WallTime) -> [Int] {
    said.indices.filter { !said[$0].isGood(at: moment) }
  }

  func key(_ index: Int) -> TimelineKey { keys[index] }

  /// Notes the claim of a timeline, and when it may change by itself.
  mutating func note(
    _ index: Int, _ claim: RelevanceClaim?, from moment: WallTime, until: WallTime?
  ) {
    said[index] = Said(
      claim: claim, from: moment, until: until ?? WallTime(milliseconds: .max))
  }

  /// Looks items up that are not known by their slots yet.
  mutating func findSlots(in habits: BehaviourModel) {
    if slotsVersion != habits.slotsVersion || slots.count != items.count {
      slots = items.map { habits.slot(of: $0) }
      slotsVersion = habits.slotsVersion
    }
  }

  /// Differences from the present widgets and claims, in sentences; empty while every change was
  /// told.
  func differences(
    from order: [String], _ widgets: [String: Widget], _ habits: BehaviourModel,
    _ claim: (TimelineKey, WallTime) -> RelevanceClaim?
  ) -> [String] {
    let fresh = StackRows(order, widgets)
    guard ids == fresh.ids, rows == fresh.rows, items == fresh.items, keys == fresh.keys else {
      return ["the stack remembers widgets that are not there so"]
    }
    var wrong: [String] = []
    for (key, said) in zip(keys, said) where said.from < said.until {
      if said.claim != claim(key, said.from) {
        wrong.append("the stack remembers another relevance of a timeline of \(key.kind)")
      }
    }
    if slotsVersion == habits.slotsVersion, slots != items.map({ habits.slot(of: $0) }) {
      wrong.append("the stack remembers other slots of the behaviour model")
    }
    return wrong
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
}
