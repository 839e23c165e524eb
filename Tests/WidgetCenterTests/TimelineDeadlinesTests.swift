import Testing
import Timekeeping

@testable import WidgetCenter

/// Timelines wait by number: for their next change, and for their next reload.
struct TimelineDeadlinesTests {
  private static let now = WallTime(seconds: 1_795_161_600)

  private func later(_ seconds: Int64) -> WallTime { Self.now.advanced(bySeconds: seconds) }

  private func key(_ kind: String) -> TimelineKey {
    TimelineKey(kind: kind, family: .systemSmall, configuration: "")
  }

  @Test func `changes and reloads of a timeline wait apart`() {
    var deadlines = TimelineDeadlines()
    let a = deadlines.give(key("a"))
    let b = deadlines.give(key("b"))
    deadlines.planChange(of: a, at: later(10))
    deadlines.planReload(of: a, at: later(20))
    deadlines.planReload(of: b, at: later(5))
    #expect(deadlines.timelineCount == 2)
    #expect((deadlines.changeCount, deadlines.reloadCount) == (1, 2))
    #expect((deadlines.nextChange(), deadlines.nextReload()) == (later(10), later(5)))
    #expect(deadlines.popReload(at: later(4)) == nil)
    #expect(deadlines.popReload(at: later(20)) == key("b"))
    #expect(deadlines.popReload(at: later(20)) == key("a"))
    #expect(deadlines.popReload(at: later(20)) == nil)
    #expect(deadlines.popChange(at: later(10)) == key("a"))
    #expect((deadlines.nextChange(), deadlines.nextReload()) == (nil, nil))
  }

  @Test func `a plan replaces the one before it, and none takes it away`() {
    var deadlines = TimelineDeadlines()
    let a = deadlines.give(key("a"))
    deadlines.planReload(of: a, at: later(5))
    deadlines.planReload(of: a, at: later(50))
    #expect(deadlines.reload(of: a) == later(50))
    #expect(deadlines.popReload(at: later(5)) == nil)
    deadlines.planReload(of: a, at: nil)
    #expect(deadlines.reload(of: a) == nil)
    #expect(deadlines.nextReload() == nil)
    deadlines.planChange(of: a, at: later(5))
    deadlines.planChange(of: a, at: nil)
    #expect(deadlines.nextChange() == nil)
  }

  @Test func `a number that is given again has nothing of the timeline before`() {
    var deadlines = TimelineDeadlines()
    let a = deadlines.give(key("a"))
    deadlines.planChange(of: a, at: later(5))
    deadlines.planReload(of: a, at: later(5))
    deadlines.takeBack(a)
    #expect(deadlines.timelineCount == 0)
    #expect(deadlines.key(of: a) == nil)
    #expect((deadlines.nextChange(), deadlines.nextReload()) == (nil, nil))
    let b = deadlines.give(key("b"))
    #expect(b == a)
    #expect(deadlines.key(of: b) == key("b"))
    #expect(deadlines.reload(of: b) == nil)
    #expect(deadlines.popChange(at: later(9)) == nil)
  }
}
