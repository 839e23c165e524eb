import WidgetCenter

/// How much may still be done for orders of the stack in this turn.
///
/// An order that finds too little room waits for the turns that follow. Units: claims of timelines
/// that are looked up, and rows (widgets) that are ranked.
struct StackRoom: Sendable {
  /// Room of a whole turn.
  private let claimsInTurn: Int
  private let rowsInTurn: Int
  /// Claims that may still be looked up in this turn.
  var claims: Int
  /// Rows that may still be ranked in this turn.
  private var rows: Int
  private var orderCount = 0
  /// Whether surfaces that wait for an order go before the requests that wait for one: in every
  /// other turn.
  private(set) var isTurnOfSurfaces = false
  /// Claims that were looked up since the start, when the last turn ended.
  private var lookUps = ClaimLookUps()
  /// The work of the turn that ended last.
  private var last = (lookUps: ClaimLookUps(), rows: 0, orders: 0)

  init(claimsInTurn: Int, rowsInTurn: Int) {
    self.claimsInTurn = max(1, claimsInTurn)
    self.rowsInTurn = max(1, rowsInTurn)
    claims = self.claimsInTurn
    rows = self.rowsInTurn
  }

  /// Takes the room for an order of so many rows; `false`: it has to wait for the next turn.
  ///
  /// The first order of a turn may be of any length.
  mutating func takeRows(_ count: Int) -> Bool {
    guard orderCount == 0 || count <= rows else { return false }
    orderCount += 1
    rows -= count
    return true
  }

  /// Notes that the engine is a new one, which has looked up nothing yet.
  mutating func startOver() { lookUps = ClaimLookUps() }

  /// Ends the turn; `lookUps`: the claims that were looked up since the start.
  mutating func endTurn(_ lookUps: ClaimLookUps) {
    last = (lookUps - self.lookUps, rowsInTurn - rows, orderCount)
    self.lookUps = lookUps
    claims = claimsInTurn
    rows = rowsInTurn
    orderCount = 0
    isTurnOfSurfaces.toggle()
  }

  /// Sentences about work of the last turn beyond the limits.
  func checkLimits() -> [String] {
    var wrong: [String] = []
    if last.lookUps.forOrders > claimsInTurn {
      wrong.append(
        "\(last.lookUps.forOrders) claims were looked up for orders in one turn, of \(claimsInTurn) at most"
      )
    }
    if last.lookUps.forUses > WidgetCenter.Limits.claimLookUpsOfUseMax {
      wrong.append("\(last.lookUps.forUses) claims were looked up for uses in one turn")
    }
    if last.orders > 1, last.rows > rowsInTurn {
      wrong.append("\(last.rows) rows were ranked in one turn, of \(rowsInTurn) at most")
    }
    return wrong
  }
}
