/// The placed widgets, suggestions included, in the order of placing.
///
/// The part also keeps the rows that orders of the stack look up (`StackRows`), since they follow
/// from the widgets. Every change of a widget forgets the rows.
struct PlacedWidgets: Sendable {
  private(set) var byID: [String: Widget] = [:] {
    didSet { rows = nil }
  }
  /// The ids, in the order of placing.
  private(set) var order: [String] = [] {
    didSet { rows = nil }
  }
  private var lastPosition: Int64 = 0
  /// The rows of the last order; `nil` when a widget came, went or changed since.
  private var rows: StackRows?

  /// The position that a new widget takes.
  mutating func nextPosition() -> Int64 {
    lastPosition += 1
    return lastPosition
  }

  /// Places a widget behind the others.
  mutating func append(_ widget: Widget) {
    precondition(byID[widget.id] == nil, "two widgets would have the id '\(widget.id)'")
    lastPosition = max(lastPosition, widget.position)
    byID[widget.id] = widget
    order.append(widget.id)
  }

  /// Puts a changed widget in the place of the one with its id.
  mutating func replace(_ widget: Widget) {
    precondition(byID[widget.id] != nil, "there is no widget '\(widget.id)' to be replaced")
    byID[widget.id] = widget
  }

  /// O(widgets).
  mutating func remove(_ id: String) {
    precondition(byID[id] != nil, "there is no widget '\(id)' to be removed")
    byID[id] = nil
    order.removeAll { $0 == id }
  }

  mutating func reserveCapacity(_ count: Int) {
    byID.reserveCapacity(count)
    order.reserveCapacity(count)
  }

  // MARK: Rows of the stack

  /// Whether there are rows, that is, an order was made since the last change of a widget.
  var hasRows: Bool { rows != nil }

  /// The rows as they were kept; `nil` when there are none.
  var keptRows: StackRows? { rows }

  /// A copy of the rows, made if there are none.
  var currentRows: StackRows { rows ?? StackRows(order, byID) }

  /// Hands the rows out to be changed, made if there are none; `keepRows` takes them back.
  mutating func takeRows() -> StackRows { rows.take() ?? StackRows(order, byID) }

  mutating func keepRows(_ rows: consuming StackRows) {
    assert(rows.ids.count == order.count, "the rows are of other widgets")
    self.rows = rows
  }

  mutating func forgetRows() { rows = nil }
  /// Makes the next order look up the claim of one timeline again.
  mutating func forgetClaim(of key: TimelineKey) { rows?.forgetClaim(of: key) }
  /// Makes the next order look up all claims again.
  mutating func forgetClaims() { rows?.forgetClaims() }
  /// Makes the next order look up the slots of the behaviour model again.
  mutating func forgetSlots() { rows?.forgetSlots() }

  /// Returns a sentence for each broken rule; none if all hold.
  func checkInvariants() -> [String] {
    var wrong: [String] = []
    if order.count != byID.count {
      wrong.append("\(order.count) widgets are in order and \(byID.count) exist")
    }
    for id in order where byID[id] == nil { wrong.append("'\(id)' is in order and does not exist") }
    if byID.count > Limits.widgetCountMax { wrong.append("\(byID.count) widgets are placed") }
    return wrong
  }
}
