import Testing

@testable import Timekeeping

/// Checks how moments are read as people type them.
struct MomentTextTests {
  private static let now = WallTime(rfc3339: "2026-11-21T12:00:00Z") ?? WallTime(milliseconds: 0)

  private func read(_ text: String, _ day: MomentText.Day = .coming, east: Int = 0) -> String? {
    MomentText.read(text, now: Self.now, day: day, secondsEast: { _ in east })?.rfc3339
  }

  @Test func `a date with its zone is that date everywhere`() {
    #expect(read("2026-11-20T21:00:00Z", east: 3_600) == "2026-11-20T21:00:00Z")
    #expect(read("2026-11-20T21:00:00+02:00") == "2026-11-20T19:00:00Z")
  }

  @Test(
    arguments: [
      ("2026-11-23", "2026-11-22T22:00:00Z"), ("2026-11-23T18:30", "2026-11-23T16:30:00Z"),
      ("2026-11-23 18:30", "2026-11-23T16:30:00Z"),
      ("2026-11-23 18:30:05", "2026-11-23T16:30:05Z"),
      // The present is 14:00 in local time.
      ("18:30", "2026-11-21T16:30:00Z"), ("14:00", "2026-11-21T12:00:00Z"),
      ("13:59", "2026-11-22T11:59:00Z"), ("00:00", "2026-11-21T22:00:00Z"),
    ])
  func `a moment without a zone is local, and a time is its next occurrence`(
    _ text: String, _ date: String
  ) {
    #expect(read(text, east: 7_200) == date)
  }

  @Test func `in the past a time is its last occurrence`() {
    #expect(read("18:30", .past) == "2026-11-20T18:30:00Z")
    #expect(read("11:59", .past) == "2026-11-21T11:59:00Z")
    #expect(read("12:00", .past) == "2026-11-21T12:00:00Z")
  }

  @Test func `the clock changes between now and then`() {
    let change = WallTime(rfc3339: "2027-03-28T01:00:00Z") ?? Self.now
    let moment = MomentText.read(
      "2027-03-29 08:00", now: Self.now, secondsEast: { $0 < change ? 3_600 : 7_200 })
    #expect(moment?.rfc3339 == "2027-03-29T06:00:00Z")
  }

  @Test(
    arguments: [
      "", "soon", "2h", "25:00", "18:60", "8:30", "18:30:00", "2026-11-31", "2026-11", "-2h",
    ])
  func `any other text is no moment`(_ text: String) {
    #expect(read(text) == nil)
  }
}
