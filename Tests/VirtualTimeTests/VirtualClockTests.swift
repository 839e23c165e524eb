import Testing
import Timekeeping
import VirtualTime

@Suite struct VirtualClockTests {
  private var clock = VirtualClock<String>(
    monotonic: Instant(nanoseconds: 5_000_000), wall: WallTime(milliseconds: 1_000))

  private func moment(_ milliseconds: Int64) -> Instant {
    Instant(nanoseconds: milliseconds * 1_000_000)
  }

  @Test mutating func `plans come by their moments, and in their order within one`() {
    clock.plan("late", after: 20)
    clock.plan("first", at: moment(15))
    clock.plan("second", after: 10)
    clock.plan("past", at: moment(1))
    var seen: [String] = []
    while let action = clock.takeNext(until: moment(24)) {
      seen.append("\(clock.monotonic.nanoseconds / 1_000_000) \(action)")
    }
    #expect(seen == ["5 past", "15 first", "15 second"])
    #expect(clock.next() == moment(25))
    #expect(clock.takeNext(until: moment(25)) == "late")
    #expect(clock.next() == nil)
  }

  @Test mutating func `taking what is due moves no clock`() {
    clock.plan("next", after: 1)
    #expect(clock.takeDue() == nil)
    clock.plan("now", after: 0)
    #expect(clock.takeDue() == "now")
    #expect(clock.takeDue() == nil)
    #expect(clock.monotonic == moment(5))
  }

  @Test mutating func `the wake-up is due at its moment, once, and the last one counts`() {
    clock.wakeUpAt = moment(7)
    clock.wakeUpAt = moment(9)
    clock.plan("later", after: 100)
    #expect(clock.next() == moment(9))
    clock.move(to: moment(8))
    let early = clock.takeWakeUp()
    clock.move(to: moment(9))
    let due = clock.takeWakeUp()
    let again = clock.takeWakeUp()
    #expect([early, due, again] == [false, true, false])
    #expect(clock.next() == moment(105))
  }

  @Test mutating func `both clocks move together, and only the wall clock is set`() {
    clock.move(to: moment(12))
    #expect(
      clock.now == Now(monotonic: moment(12), wall: WallTime(milliseconds: 1_007)))
    clock.setWall(by: -500)
    #expect(clock.now == Now(monotonic: moment(12), wall: WallTime(milliseconds: 507)))
    clock.move(to: moment(3))
    #expect(clock.monotonic == moment(12))
  }
}
