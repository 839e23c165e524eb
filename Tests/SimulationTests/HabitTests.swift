import Simulator
import Testing

/// Tests the order of the stack with people who have habits and providers that always claim the
/// top.
struct HabitTests {
  @Test(arguments: 1...12)
  func `no provider buys the top, and the order follows new habits within a week`(seed: Int) {
    var world = HabitWorld(seed: UInt64(seed))
    let report = world.run()
    #expect(report.violations == [], "\(report)")
  }
}
