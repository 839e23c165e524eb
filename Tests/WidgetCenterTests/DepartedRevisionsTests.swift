import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Tests how long the numbers of entries that were taken away are known.
@Suite struct DepartedRevisionsTests {
  private static func shared(_ revision: Int64) -> SharedTimeline {
    let key = TimelineKey(kind: "clock", family: .systemSmall, configuration: "")
    let now = WallTime(seconds: 0)
    var shared = SharedTimeline(
      key: key, number: 1, configuration: .none,
      budget: ReloadBudget(perDay: 40, spacing: 0, at: now))
    shared.revise(revision)
    return shared
  }

  @Test func `a number is known until its transaction is on disk`() {
    let key = Self.shared(0).key
    var departed = DepartedRevisions()
    departed.note(Self.shared(5))
    departed.note(Self.shared(7))
    #expect(departed.entry(of: key)?.revision == 5, "the first is the one on disk")
    departed.beginTransaction()
    departed.note(Self.shared(9))
    #expect(departed.entry(of: key)?.revision == 5)
    departed.transactionCommitted()
    #expect(departed.entry(of: key)?.revision == 9, "it left after the transaction began")
    departed.beginTransaction()
    departed.transactionCommitted()
    #expect(departed.entry(of: key) == nil)
  }

  @Test func `a transaction that is tried again keeps what it took away`() {
    let key = Self.shared(0).key
    var departed = DepartedRevisions()
    departed.note(Self.shared(5))
    departed.beginTransaction()
    departed.note(Self.shared(9))
    departed.beginTransaction()
    #expect(departed.entry(of: key)?.revision == 5)
    #expect(departed.entry(of: key)?.showed(nil) == true)
    #expect(
      departed.entry(of: key)?.showed(TimelineEntry(date: WallTime(seconds: 0), content: [:]))
        == false)
  }
}
