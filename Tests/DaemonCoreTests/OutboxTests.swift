import IntentProtocol
import JSON
import JSONRPC
import Testing

@testable import DaemonCore

struct OutboxTests {
  static let one = ConnectionID(1)
  static let two = ConnectionID(2)

  static func address(
    _ id: Int64?, _ connection: ConnectionID = one, batch: UInt64? = nil
  ) -> ReplyAddress {
    ReplyAddress(connection: connection, id: id.map { .integer($0) }, batch: batch)
  }

  static func outbox() -> Outbox {
    var outbox = Outbox()
    outbox.open(one)
    outbox.open(two)
    return outbox
  }

  static func result(_ id: Int64, _ json: String) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"result":\#(json)}"#
  }

  /// The bytes of `effects` as text, in order.
  static func texts(_ effects: [Effect]) -> [String] {
    effects.map { effect in
      guard case .send(let connection, let bytes) = effect else { return "\(effect)" }
      return "\(connection.number) " + String(decoding: bytes, as: UTF8.self)
    }
  }

  static let full = RPCError(.storeUnavailable, "not saved")

  @Test func `answers to a client that is heard leave together`() {
    var outbox = Self.outbox()
    var effects: [Effect] = []
    outbox.beginHearing(Self.one, capacity: 0)
    outbox.answer(Self.address(1), [:])
    outbox.answer(Self.address(2), [:])
    outbox.answer(Self.address(3, Self.two), [:])
    outbox.endHearing(into: &effects)
    #expect(
      Self.texts(effects) == ["1 \(Self.result(1, "{}"))\n\(Self.result(2, "{}"))\n"])
    effects = []
    outbox.endTurn(into: &effects)
    #expect(Self.texts(effects) == ["2 \(Self.result(3, "{}"))\n"])
  }

  @Test func `a durable answer leaves after its transaction, and not before`() {
    var outbox = Self.outbox()
    var effects: [Effect] = []
    outbox.answerWhenDurable(Self.address(1), [:])
    outbox.beginTransaction()
    outbox.answerWhenDurable(Self.address(2), [:])
    outbox.endTurn(into: &effects)
    #expect(effects.isEmpty && outbox.owes(Self.one))
    outbox.transactionCommitted()
    outbox.endTurn(into: &effects)
    #expect(Self.texts(effects) == ["1 \(Self.result(1, "{}"))\n"])
    #expect(outbox.heldCount == 1 && outbox.owes(Self.one))
    outbox.releaseHeld()
    #expect(!outbox.owes(Self.one))
  }

  @Test func `what is taken back is refused, and nothing of it is told later`() {
    var outbox = Self.outbox()
    var effects: [Effect] = []
    outbox.answerWhenDurable(Self.address(1), [:])
    outbox.notifyWhenDurable(Self.two, .receiptUpdate, ["receipt": 7])
    outbox.beginTransaction()
    outbox.notifyWhenDurable(Self.two, .appOpen, [:])
    outbox.answerWhenDurable(orUnsaved: Self.address(2), ["opened": "desktop"])
    let waiter = Waiter(address: Self.address(3), receipts: [], result: [:])
    outbox.answerWhenDurable(waiter, [:])
    #expect(outbox.takeBack(refusing: Self.full).map(\.address) == [Self.address(3)])
    outbox.releaseWaiting(Self.address(3))
    outbox.endTurn(into: &effects)
    let told = Self.texts(effects)
    #expect(told.count == 2 && told[0].contains("not saved"))
    #expect(told.last?.contains(#"{"opened":"desktop","saved":false}"#) == true)
    #expect(outbox.heldCount == 0 && outbox.transactionCount == 0)
    #expect(outbox.checkInvariants(waiting: [:], isAnswerUnderWay: false) == [])
  }

  @Test func `a transaction that nobody was promised keeps its notifications for the next try`() {
    var outbox = Self.outbox()
    var effects: [Effect] = []
    outbox.answerWhenDurable(Self.address(1), [:])
    outbox.notifyWhenDurable(Self.two, .receiptUpdate, ["receipt": 7])
    outbox.notifyWhenDurable(Self.two, .appOpen, [:])
    outbox.beginTransaction()
    outbox.transactionFailed(refusing: Self.full)
    outbox.endTurn(into: &effects)
    #expect(effects.count == 1 && Self.texts(effects)[0].contains("not saved"))
    effects = []
    outbox.beginTransaction()
    outbox.transactionCommitted()
    outbox.endTurn(into: &effects)
    let told = Self.texts(effects)
    #expect(told.count == 2 && told[0].contains("receipt.update") && told[1].contains("app.open"))
    #expect(outbox.checkInvariants(waiting: [:], isAnswerUnderWay: false) == [])
  }

  @Test func `a batch leaves as one line when its last answer is there`() throws {
    var outbox = Self.outbox()
    var effects: [Effect] = []
    let begun = outbox.beginBatch(Self.one, answerCount: 2)
    let batch = try #require(begun)
    outbox.answer(Self.address(1, batch: batch), [:])
    outbox.endTurn(into: &effects)
    #expect(effects.isEmpty)
    outbox.answer(Self.address(2, batch: batch), [:])
    outbox.endTurn(into: &effects)
    #expect(
      Self.texts(effects) == ["1 [\(Self.result(1, "{}")),\(Self.result(2, "{}"))]\n"])
    #expect(outbox.openBatchCount == 0)
  }

  @Test func `other lines wait behind a list that is not complete`() {
    var outbox = Self.outbox()
    var effects: [Effect] = []
    #expect(outbox.mayBeginList(Self.one))
    let list = outbox.beginList(Self.address(1))
    #expect(!outbox.mayBeginList(Self.one))
    outbox.append(Array("[1".utf8), to: list, isLast: false, into: &effects)
    outbox.answer(Self.address(2), [:])
    outbox.endTurn(into: &effects)
    outbox.append(Array(",2]".utf8), to: list, isLast: true, into: &effects)
    #expect(Self.texts(effects) == ["1 [1", "1 ,2]\n\(Self.result(2, "{}"))\n"])
    #expect(outbox.mayBeginList(Self.one))
    #expect(outbox.checkInvariants(waiting: [:], isAnswerUnderWay: false) == [])
  }

  @Test func `a client for which too much waits is full until that has left`() {
    var outbox = Self.outbox()
    let half = [UInt8](repeating: UInt8(ascii: "1"), count: WireLimits.queuedBytesMax / 2 + 1)
    outbox.answerWhenDurable(Self.address(1), half)
    #expect(!outbox.isFull(Self.one))
    outbox.answerWhenDurable(Self.address(2), half)
    #expect(outbox.isFull(Self.one) && !outbox.isFull(Self.two))
    outbox.releaseHeld()
    #expect(!outbox.isFull(Self.one))
    outbox.setBackedUp(true, Self.two)
    #expect(outbox.isFull(Self.two))
  }

  @Test func `a client that is heard has room until its answers reach the limit`() {
    var outbox = Self.outbox()
    outbox.beginHearing(Self.one, capacity: 0)
    #expect(outbox.hasHeardRoom)
    let much = [UInt8](repeating: UInt8(ascii: "1"), count: WireLimits.queuedBytesMax)
    outbox.answer(Self.address(1)) { $0 += much }
    #expect(!outbox.hasHeardRoom && outbox.isFull(Self.one))
    var effects: [Effect] = []
    outbox.endHearing(into: &effects)
    // The next bytes of the same turn find no room either.
    outbox.beginHearing(Self.one, capacity: 0)
    #expect(!outbox.hasHeardRoom)
    outbox.endHearing(into: &effects)
    outbox.setBackedUp(true, Self.two)
    outbox.beginHearing(Self.two, capacity: 0)
    #expect(!outbox.hasHeardRoom)
  }

  @Test func `requests that wait are limited, and released`() throws {
    var outbox = Self.outbox()
    for _ in 0..<Limits.waitingCountMax { try outbox.reserveWaiting(Self.address(1)) }
    #expect(throws: RPCError.self) { try outbox.checkMayWait(Self.address(1)) }
    try outbox.checkMayWait(Self.address(1, Self.two))
    outbox.releaseWaiting(Self.address(1))
    try outbox.reserveWaiting(Self.address(1))
  }

  @Test func `nothing is sent to a client that is gone, and its batch is forgotten`() {
    var outbox = Self.outbox()
    var effects: [Effect] = []
    let batch = outbox.beginBatch(Self.one, answerCount: 1)
    outbox.answerWhenDurable(Self.address(1, batch: batch), [:])
    outbox.close(Self.one)
    outbox.releaseHeld()
    outbox.endTurn(into: &effects)
    #expect(effects.isEmpty && outbox.openBatchCount == 0)
  }
}
