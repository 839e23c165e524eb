import Testing
import Timekeeping

@testable import WidgetCenter

/// The ends of suggestions and dismissals, and the looks at windows.
struct SuggestionScheduleTests {
  private static let now = WallTime(seconds: 1_795_161_600)

  private func later(_ seconds: Int64) -> WallTime { Self.now.advanced(bySeconds: seconds) }

  @Test func `what ends is taken in the order of its moments, each once`() {
    var schedule = SuggestionSchedule()
    schedule.end("a", at: later(30))
    schedule.end("b", at: later(10))
    schedule.end("c", at: later(20))
    #expect(schedule.endCount == 3)
    #expect(schedule.nextEnd() == later(10))
    #expect(schedule.popEnded(at: later(9)) == nil)
    #expect(schedule.popEnded(at: later(20)) == "b")
    #expect(schedule.popEnded(at: later(20)) == "c")
    #expect(schedule.popEnded(at: later(20)) == nil)
    #expect(schedule.nextEnd() == later(30))
  }

  @Test func `a new end replaces the old one, and a cancelled one does not come`() {
    var schedule = SuggestionSchedule()
    schedule.end("a", at: later(10))
    schedule.end("a", at: later(40))
    #expect(schedule.endCount == 1)
    #expect(schedule.popEnded(at: later(10)) == nil)
    schedule.cancelEnd(of: "a")
    schedule.cancelEnd(of: "unknown")
    #expect(schedule.endCount == 0)
    #expect(schedule.nextEnd() == nil)
    #expect(schedule.popEnded(at: later(99)) == nil)
  }

  @Test func `windows are looked at soon only where there are any`() {
    var schedule = SuggestionSchedule()
    schedule.lookSoon(at: Self.now)
    #expect(!schedule.looksAtWindows)
    schedule.planLook(at: later(60))
    #expect(schedule.looksAtWindows)
    schedule.lookSoon(at: later(1))
    #expect(schedule.nextLook == later(1))
    schedule.planLook(at: nil)
    #expect(!schedule.looksAtWindows)
  }
}
