import Testing
import Timekeeping
import WidgetCenter

/// Tests a budget of 48 reloads a day: one in half an hour, and a bucket of a quarter of a day's,
/// 12.
@Suite struct ReloadBudgetTests {
  private let start = WallTime(seconds: 1_795_161_600)

  private func budget(perDay: Int = 48, spending count: Int = 0) -> ReloadBudget {
    var budget = ReloadBudget(perDay: perDay, spacing: 300_000, at: start)
    for _ in 0..<count { budget.spend(at: start) }
    return budget
  }

  @Test func `it starts full and holds a quarter of a day, but at least one`() {
    #expect(budget().balance(at: start) == 12)
    #expect(budget().balance(at: start.advanced(bySeconds: 864_000)) == 12)
    #expect(budget(perDay: 48).capacity == 12)
    #expect(budget(perDay: 8).capacity == 2)
    #expect(budget(perDay: 7).capacity == 1)
    #expect(budget(perDay: 1).capacity == 1)
    #expect(budget().refillPerHour == 2)
  }

  @Test func `reloads are as far apart as the kind says, to the millisecond`() {
    let spent = budget(spending: 1)
    let free = start.advanced(bySeconds: 300)
    let justBefore = spent.earliest(at: free.advanced(byMilliseconds: -1))
    #expect(justBefore.date == free)
    #expect(justBefore.reason == "reloads of this kind are at least 5m apart")
    #expect(spent.earliest(at: free).date == free)
    #expect(spent.earliest(at: free).reason == nil)
  }

  @Test func `an empty bucket waits for its next reload, to the millisecond`() {
    let empty = budget(spending: 12)
    #expect(empty.balance(at: start) == 0)
    let refilled = start.advanced(bySeconds: 1_800)
    for wait in [0, 1, 299_999, 300_000, 1_799_999] as [Int64] {
      let now = start.advanced(byMilliseconds: wait)
      // The bucket counts in thousandths of a reload, so it may be late by one of them, 1.8 s.
      let late = empty.earliest(at: now).date.milliseconds(since: refilled)
      #expect((0...1_800).contains(late))
      #expect(empty.earliest(at: now).reason == "the budget of 48 reloads a day is spent for now")
    }
    #expect(empty.balance(at: refilled) == 1)
    #expect(empty.earliest(at: refilled).date == refilled)
    #expect(empty.earliest(at: refilled).reason == nil)
  }

  /// Uses rates that do not divide the day: at the promised moment the bucket must hold a whole
  /// reload.
  @Test(arguments: [1, 3, 7, 11, 13, 48, 70, 997, 86_400])
  func `at the promised moment the budget allows a reload`(_ perDay: Int) {
    var budget = ReloadBudget(perDay: perDay, spacing: 1_000, at: start)
    var now = start
    for step in 0..<200 {
      let earliest = budget.earliest(at: now)
      #expect(earliest.date >= now)
      #expect(budget.balance(at: earliest.date) >= 1, "perDay \(perDay), step \(step)")
      now = earliest.date
      budget.spend(at: now)
    }
  }

  @Test(arguments: [1, 7, 48, 997])
  func `in any pattern of requests, a day has at most its reloads and a full bucket`(
    _ perDay: Int
  ) {
    var budget = ReloadBudget(perDay: perDay, spacing: 1, at: start)
    var now = start
    var count = 0
    while true {
      now = budget.earliest(at: now).date
      guard now < start.advanced(bySeconds: 86_400) else { break }
      budget.spend(at: now)
      count += 1
    }
    #expect(Int64(count) <= Int64(perDay) + budget.capacity)
    #expect(Int64(count) >= Int64(perDay) + budget.capacity - 1)
  }

  @Test func `a clock set back takes nothing and blocks nothing`() {
    let spent = budget(spending: 3)
    let earlier = start.advanced(bySeconds: -7_200)
    #expect(spent.balance(at: earlier) == 9)
    #expect(spent.earliest(at: earlier).date == earlier)
  }

  @Test func `a new rate keeps what was saved as far as it fits`() {
    var budget = budget(spending: 2)
    budget.configure(perDay: 8, spacing: 60_000, at: start)
    #expect(budget.balance(at: start) == 2)
    #expect(budget.earliest(at: start).date == start.advanced(bySeconds: 60))
    budget.configure(perDay: 480, spacing: 60_000, at: start)
    #expect(budget.balance(at: start) == 2)
    #expect(budget.balance(at: start.advanced(bySeconds: 180)) == 3)
  }

  @Test func `a stored budget comes back, refilled since then`() {
    var budget = budget()
    budget.restore(balance: 0.5, at: start, lastSpentAt: start.advanced(bySeconds: -10))
    #expect(budget.balance(at: start) == 0.5)
    #expect(budget.earliest(at: start).date == start.advanced(bySeconds: 900))
    budget.restore(balance: 3, at: start, lastSpentAt: start.advanced(bySeconds: -10))
    #expect(budget.earliest(at: start).date == start.advanced(bySeconds: 290))
    budget.restore(balance: 99, at: start, lastSpentAt: nil)
    #expect(budget.balance(at: start) == 12)
    budget.restore(balance: -5, at: start, lastSpentAt: nil)
    #expect(budget.balance(at: start) == 0)
  }
}
