import BarLines
import JSON
import Testing
import Timekeeping

struct LiveDateTests {
  private let date = WallTime(seconds: 1_795_161_600)

  private func text(_ style: LiveDate.Style, before seconds: Int64) -> String {
    LiveDate(date, style).text(at: date.advanced(bySeconds: -seconds))
  }

  @Test(arguments: [
    (LiveDate.Style.relative, 300 as Int64, "in 5 min"), (.relative, 4, "now"),
    (.relative, -4, "now"), (.relative, -5, "5 s ago"), (.relative, -7_200, "2 h ago"),
    (.timer, 3_900, "1:05:00"), (.timer, -61, "01:01"), (.offset, 172_800, "+2 d"),
    (.offset, 0, "+0 s"), (.offset, -60, "-1 min"),
  ])
  func `a live date is written for a moment`(
    style: LiveDate.Style, seconds: Int64, expected: String
  ) {
    #expect(text(style, before: seconds) == expected)
  }

  @Test(arguments: LiveDate.Style.allCases)
  func `the next change is the first moment at which the text differs`(style: LiveDate.Style) {
    let live = LiveDate(date, style)
    // Around the date, around each border of a unit, and at odd milliseconds.
    for border: Int64 in [0, 5, 59, 60, 61, 3_599, 3_600, 3_661, 86_399, 86_400, 90_000, 172_800] {
      for offset: Int64 in [-1_001, -1_000, -999, -1, 0, 1, 999, 1_000, 1_001, 4_000] {
        for sign: Int64 in [-1, 1] {
          let now = date.advanced(byMilliseconds: sign * border * 1_000 + offset)
          guard let next = live.nextChange(after: now) else {
            Issue.record("there is no next change at \(now)")
            continue
          }
          let before = next.advanced(byMilliseconds: -1)
          #expect(next > now)
          #expect(live.text(at: next) != live.text(at: now), "\(style) \(sign * border) \(offset)")
          #expect(
            live.text(at: before) == live.text(at: now), "\(style) \(sign * border) \(offset)")
        }
      }
    }
  }

  @Test func `a date at the end of the clock has no next change, and traps nowhere`() {
    for style in LiveDate.Style.allCases {
      for milliseconds in [Int64.min, -1, 0, .max] {
        for now in [Int64.min, 0, .max] {
          let live = LiveDate(WallTime(milliseconds: milliseconds), style)
          _ = live.text(at: WallTime(milliseconds: now))
          _ = live.nextChange(after: WallTime(milliseconds: now))
        }
      }
    }
  }

  @Test func `a value without a date is no live date, and an unknown style is relative`() {
    #expect(LiveDate(["style": "timer"]) == nil)
    #expect(LiveDate(["date": "tomorrow"]) == nil)
    #expect(LiveDate(["date": "2026-11-20T08:00:00Z", "style": "x"])?.style == .relative)
  }
}
