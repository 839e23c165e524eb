import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

struct WriteQueueTests {
  static let full = StoreFailure(code: .diskFull, message: "no space")

  /// `seconds` after the start.
  static func at(_ seconds: Double) -> Instant {
    Instant(nanoseconds: Int64(seconds * 1_000_000_000))
  }

  static func widgets(_ ids: String...) -> DirtyRecords { DirtyRecords(widgets: Set(ids)) }

  @Test func `a promised record is due at once, and once`() {
    var queue = WriteQueue()
    queue.mark(Self.widgets("a"), as: .promised, at: Self.at(0))
    queue.mark(Self.widgets("a", "b"), as: .promised, at: Self.at(0))
    #expect(queue.takeDue(at: Self.at(0), takesAll: false) == Self.widgets("a", "b"))
    #expect(queue.takeDue(at: Self.at(0), takesAll: false) == nil)
  }

  @Test func `a deferred record is due a minute after the first of them, and not before`() {
    var queue = WriteQueue()
    queue.mark(Self.widgets("a"), as: .deferred, at: Self.at(10))
    queue.mark(Self.widgets("b"), as: .deferred, at: Self.at(50))
    #expect(queue.nextDeadline == Self.at(70))
    #expect(queue.takeDue(at: Self.at(69.9), takesAll: false) == nil)
    #expect(queue.takeDue(at: Self.at(70), takesAll: false) == Self.widgets("a", "b"))
    #expect(queue.nextDeadline == nil)
    queue.mark(Self.widgets("c"), as: .deferred, at: Self.at(71))
    #expect(queue.nextDeadline == Self.at(131))
  }

  @Test func `a stop writes what was deferred`() {
    var queue = WriteQueue()
    queue.mark(Self.widgets("a"), as: .deferred, at: Self.at(0))
    #expect(queue.takeDue(at: Self.at(1), takesAll: true) == Self.widgets("a"))
  }

  @Test func `a promise about a deferred record writes it now, and not again later`() {
    var queue = WriteQueue()
    queue.mark(Self.widgets("a", "b"), as: .deferred, at: Self.at(0))
    queue.mark(Self.widgets("a"), as: .promised, at: Self.at(1))
    #expect(queue.takeDue(at: Self.at(1), takesAll: false) == Self.widgets("a"))
    #expect(queue.takeDue(at: Self.at(60), takesAll: false) == Self.widgets("b"))
  }

  @Test func `a scrub takes what was deferred into its transaction, whichever came first`() {
    var queue = WriteQueue()
    queue.mark(Self.widgets("a"), as: .deferred, at: Self.at(0))
    queue.append([.scrub])
    queue.mark(Self.widgets("b"), as: .deferred, at: Self.at(1))
    #expect(queue.takeDue(at: Self.at(1), takesAll: false) == Self.widgets("a", "b"))
    queue.remove(.widget, "a")
    queue.remove(.widget, "b")
    #expect(
      queue.begin(replies: 0, mayHold: true, at: Self.at(1))
        == .commit(
          transaction: 1,
          writes: [.scrub, .remove(.widget, key: "a"), .remove(.widget, key: "b")]))
    #expect(queue.nextDeadline == nil)
  }

  @Test func `what is deferred after a scrub waits its minute again`() {
    var queue = WriteQueue()
    queue.append([.scrub])
    #expect(queue.takeDue(at: Self.at(0), takesAll: false) == nil)
    queue.mark(Self.widgets("a"), as: .deferred, at: Self.at(1))
    #expect(queue.takeDue(at: Self.at(1), takesAll: false) == nil)
    #expect(queue.nextDeadline == Self.at(61))
  }

  @Test func `one transaction is under way, and the writes of other turns wait for its end`() {
    var queue = WriteQueue()
    queue.put(.setting, "a", [1])
    #expect(
      queue.begin(replies: 0, mayHold: true, at: Self.at(0))
        == .commit(transaction: 1, writes: [.put(.setting, key: "a", bytes: [1])]))
    queue.put(.setting, "b", [2])
    #expect(queue.begin(replies: 0, mayHold: true, at: Self.at(0)) == nil)
    let isStrange = queue.committed(7, replies: 0, waiting: 0, at: Self.at(0))
    #expect(!isStrange)
    let isKnown = queue.committed(1, replies: 0, waiting: 0, at: Self.at(0))
    #expect(isKnown)
    #expect(
      queue.begin(replies: 0, mayHold: true, at: Self.at(0))
        == .commit(transaction: 2, writes: [.put(.setting, key: "b", bytes: [2])]))
  }

  @Test func `a refused transaction is tried again a second later, with what came meanwhile`() {
    var queue = WriteQueue()
    queue.put(.setting, "a", [1])
    _ = queue.begin(replies: 0, mayHold: true, at: Self.at(0))
    queue.put(.setting, "a", [2])
    let isKnown = queue.failed(1, Self.full, journalSequence: 0, at: Self.at(1))
    #expect(isKnown)
    #expect(queue.failure == Self.full)
    #expect(queue.nextDeadline == Self.at(2))
    #expect(queue.begin(replies: 0, mayHold: true, at: Self.at(1.9)) == nil)
    #expect(
      queue.begin(replies: 0, mayHold: true, at: Self.at(2))
        == .commit(transaction: 2, writes: [.put(.setting, key: "a", bytes: [2])]))
    let isWritten = queue.committed(2, replies: 0, waiting: 0, at: Self.at(2))
    #expect(isWritten && queue.failure == nil && queue.isSettled)
  }

  @Test func `after a slow transaction the next one waits for the clients that will ask again`() {
    var queue = WriteQueue()
    queue.put(.setting, "a", [1])
    _ = queue.begin(replies: 4, mayHold: true, at: Self.at(0))
    // It took 8 ms, so the next one waits for a quarter of that: for 2 ms, or for four answers.
    _ = queue.committed(1, replies: 4, waiting: 0, at: Self.at(0.008))
    queue.put(.setting, "a", [2])
    #expect(queue.begin(replies: 2, mayHold: true, at: Self.at(0.009)) == nil)
    #expect(queue.nextDeadline == Self.at(0.010))
    #expect(queue.begin(replies: 4, mayHold: true, at: Self.at(0.009)) != nil)
  }

  @Test func `nothing is held back while the daemon stops`() {
    var queue = WriteQueue()
    queue.put(.setting, "a", [1])
    _ = queue.begin(replies: 4, mayHold: true, at: Self.at(0))
    _ = queue.committed(1, replies: 4, waiting: 0, at: Self.at(0.008))
    queue.put(.setting, "a", [2])
    #expect(queue.begin(replies: 1, mayHold: false, at: Self.at(0.009)) != nil)
  }
}
