import Testing
import Timekeeping

@Suite struct InstantTests {
  @Test(
    arguments: [
      (0, 0, 0), (0, 1, 1_000_000), (5, -1, -999_995),
      (Int64.max - 1_000_000, 1, Int64.max), (Int64.max - 999_999, 1, Int64.max),
      (Int64.min + 1_000_000, -1, Int64.min), (Int64.min + 999_999, -1, Int64.min),
      (0, Int64.max, Int64.max), (0, Int64.min, Int64.min), (-1, Int64.max, Int64.max - 1),
      (0, 9_223_372_036_854, 9_223_372_036_854_000_000), (0, 9_223_372_036_855, Int64.max),
    ] as [(Int64, Int64, Int64)])
  func `an instant moves by milliseconds and stops at the ends`(
    _ start: Int64, _ step: Int64, _ end: Int64
  ) {
    let moved = Instant(nanoseconds: start).advanced(byMilliseconds: step)
    #expect(moved == Instant(nanoseconds: end))
  }

  @Test(
    arguments: [
      (0, 0, 0), (1, 0, 1), (999_999, 0, 1), (1_000_000, 0, 1), (1_000_001, 0, 2), (-1, 0, 0),
      (-1_000_000, 0, -1), (Int64.max, -1, Int64.max), (Int64.min, 1, Int64.min),
    ] as [(Int64, Int64, Int64)])
  func `a wait is rounded up, so that it never ends early`(
    _ end: Int64, _ start: Int64, _ milliseconds: Int64
  ) {
    let wait = Instant(nanoseconds: end).milliseconds(since: Instant(nanoseconds: start))
    #expect(wait == milliseconds)
  }

  @Test(
    arguments: [
      (0, 1, 1), (0, -1, -1), (Int64.max, 1, Int64.max), (Int64.max - 1, 1, Int64.max),
      (Int64.min, -1, Int64.min), (Int64.min, Int64.max, -1), (1, Int64.max, Int64.max),
    ] as [(Int64, Int64, Int64)])
  func `a wall time moves by milliseconds and stops at the ends`(
    _ start: Int64, _ step: Int64, _ end: Int64
  ) {
    let moved = WallTime(milliseconds: start).advanced(byMilliseconds: step)
    #expect(moved == WallTime(milliseconds: end))
  }

  @Test func `a wall time moves by seconds and stops at the ends`() {
    let start = WallTime(milliseconds: 7)
    #expect(start.advanced(bySeconds: 2) == WallTime(milliseconds: 2_007))
    #expect(start.advanced(bySeconds: -2) == WallTime(milliseconds: -1_993))
    #expect(start.advanced(bySeconds: .max) == WallTime(milliseconds: .max))
    #expect(WallTime(milliseconds: -7).advanced(bySeconds: .min) == WallTime(milliseconds: .min))
  }

  @Test func `a difference of wall times stops at the ends`() {
    let (first, last) = (WallTime(milliseconds: .min), WallTime(milliseconds: .max))
    #expect(last.milliseconds(since: first) == .max)
    #expect(first.milliseconds(since: last) == .min)
    #expect(WallTime(seconds: 3).milliseconds(since: WallTime(seconds: 5)) == -2_000)
  }

  @Test func `a date becomes the instant at which the clock will show it`() {
    let now = Now(monotonic: Instant(nanoseconds: 5_000_000), wall: WallTime(seconds: 100))
    #expect(now.instant(of: WallTime(milliseconds: 100_250)).nanoseconds == 255_000_000)
    #expect(now.instant(of: WallTime(milliseconds: 99_999)).nanoseconds == 4_000_000)
    #expect(now.instant(of: WallTime(milliseconds: .max)).nanoseconds == .max)
  }
}
