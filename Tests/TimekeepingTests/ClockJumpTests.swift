import Testing
import Timekeeping

struct ClockJumpTests {
  /// Calls `notice` with readings of the three clocks, in milliseconds.
  private static func look(
    _ jump: inout ClockJump, monotonic: Int64, wall: Int64, boot: Int64
  ) -> Bool {
    jump.notice(
      Now(
        monotonic: Instant(nanoseconds: monotonic * 1_000_000), wall: WallTime(milliseconds: wall)),
      boot: Instant(nanoseconds: boot * 1_000_000))
  }

  @Test func `clocks that advance together do not jump, wherever they started`() {
    var jump = ClockJump()
    #expect(!Self.look(&jump, monotonic: 5, wall: 1_800_000_000_000, boot: 864_000_000))
    #expect(!Self.look(&jump, monotonic: 60_005, wall: 1_800_000_060_000, boot: 864_060_000))
    // A day passes without an event, and the wall clock is slowly corrected by half a minute in it.
    #expect(!Self.look(&jump, monotonic: 86_460_005, wall: 1_800_086_490_000, boot: 950_460_000))
    #expect(!Self.look(&jump, monotonic: 172_860_005, wall: 1_800_172_860_000, boot: 1_036_860_000))
    // Another process ran between the readings of two clocks.
    #expect(!Self.look(&jump, monotonic: 172_860_015, wall: 1_800_172_860_910, boot: 1_036_860_910))
    #expect(!Self.look(&jump, monotonic: 172_861_015, wall: 1_800_172_861_010, boot: 1_036_861_010))
  }

  @Test(
    arguments: [
      (8 * 3_600_000, 8 * 3_600_000), (0, 3_600_000), (0, -3_600_000), (3_600_000, 0), (0, 1_100),
      (0, -1_100), (1_100, 0),
    ] as [(Int64, Int64)])
  func `sleep and a clock that was set are noticed once`(slept: Int64, wall: Int64) {
    var jump = ClockJump()
    _ = Self.look(&jump, monotonic: 0, wall: 0, boot: 0)
    #expect(Self.look(&jump, monotonic: 10, wall: wall + 10, boot: slept + 10))
    #expect(!Self.look(&jump, monotonic: 20, wall: wall + 20, boot: slept + 20))
  }

  @Test func `no pair of readings overflows`() {
    var jump = ClockJump()
    _ = Self.look(&jump, monotonic: 0, wall: .min, boot: 0)
    #expect(Self.look(&jump, monotonic: 1, wall: .max, boot: 1))
  }
}
