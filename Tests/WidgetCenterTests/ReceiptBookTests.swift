import Testing
import Timekeeping

@testable import WidgetCenter

/// Tests how receipts are opened, settled and forgotten.
@Suite struct ReceiptBookTests {
  private static let now = WallTime(seconds: 1_795_161_600)

  private static func widget(_ id: String) -> Widget {
    Widget(
      id: id, kind: "clock", family: .systemSmall, configuration: .none, isSuggestion: false,
      position: 1, placedAt: now)
  }

  @Test func `a receipt is settled until it has ended`() {
    var book = ReceiptBook()
    var output = EngineOutput()
    let id = book.open(for: Self.widget("a"), .tap, at: Self.now, into: &output).id
    #expect(output.dirtyReceipts == [id])
    let until = Self.now.advanced(bySeconds: 60)
    book.settle(id, .deferred(until: until, reason: "too early"), into: &output)
    book.settle(id, .deferred(until: until, reason: "too early"), into: &output)
    book.settle(id, .done, into: &output)
    book.settle(id, .dropped(reason: "too late"), into: &output)
    #expect(output.receipts.map(\.state) == [.deferred(until: until, reason: "too early"), .done])
    #expect(book[id]?.state == .done)
    #expect(book.unfinished == [])
    #expect(book.checkInvariants(waiting: []) == [])
  }

  @Test func `of the ended receipts the latest are kept, and unfinished ones all`() {
    var book = ReceiptBook()
    var output = EngineOutput()
    let first = book.open(for: Self.widget("a"), .tap, at: Self.now, into: &output).id
    for _ in 0..<Limits.endedReceiptCountMax + 3 {
      let id = book.open(for: Self.widget("a"), .tap, at: Self.now, into: &output).id
      book.settle(id, .done, into: &output)
    }
    #expect(book.byID.count == Limits.endedReceiptCountMax + 1)
    #expect(output.forgottenReceipts == [2, 3, 4].map { ReceiptID(number: $0) })
    #expect(output.dirtyReceipts.isDisjoint(with: output.forgottenReceipts))
    #expect(book.unfinished.map(\.id) == [first])
    #expect(book.checkInvariants(waiting: [first]) == [])
    #expect(book.checkInvariants(waiting: []).count == 1)
  }

  @Test func `a number is never given again after a restart`() {
    var book = ReceiptBook()
    var output = EngineOutput()
    book.restore([
      Receipt(
        id: ReceiptID(number: 7), widget: "a", kind: "clock", cause: .tap, requestedAt: Self.now)
    ])
    #expect(
      book.open(for: Self.widget("a"), .tap, at: Self.now, into: &output).id.number == 8)
  }

  @Test func `receipts are forgotten by choice only after they ended`() {
    var book = ReceiptBook()
    var output = EngineOutput()
    let open = book.open(for: Self.widget("a"), .tap, at: Self.now, into: &output).id
    let done = book.open(for: Self.widget("a"), .tap, at: Self.now, into: &output).id
    book.settle(done, .done, into: &output)
    book.forgetEnded(into: &output) { $0.widget == "a" }
    #expect(book[done] == nil)
    #expect(book[open] != nil)
    #expect(output.forgottenReceipts == [done])
  }
}
