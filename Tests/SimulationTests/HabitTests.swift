import Simulator
import Testing

/// The order of the stack among people with habits and providers that shout.
struct HabitTests {
  @Test(arguments: 1...12)
  func `no provider buys the top, and the order follows new habits within a week`(seed: Int) {
    var world = HabitWorld(seed: UInt64(seed))
    let report = world.run()
    #expect(report.violations == [], "\(report)")
  }
}
