import Plugins
import Testing
import Timekeeping

struct CronLineTests {
  private static func next(
    _ text: String, _ from: String, east: @escaping (WallTime) -> Int = { _ in 0 }
  ) -> String? {
    guard let lines = CronLine.lines(text), let moment = WallTime(rfc3339: from) else { return nil }
    return CronLine.next(of: lines, after: moment, secondsEast: east)?.rfc3339
  }

  @Test(arguments: [
    ("* * * * *", "2026-11-23T09:00:00Z", "2026-11-23T09:01:00Z"),
    ("* * * * *", "2026-11-23T09:00:59.999Z", "2026-11-23T09:01:00Z"),
    ("01,16,31,46 * * * *", "2026-11-23T09:16:00Z", "2026-11-23T09:31:00Z"),
    ("*/15 * * * *", "2026-11-23T09:46:00Z", "2026-11-23T10:00:00Z"),
    ("0 8-18/2 * * 1-5", "2026-11-20T18:00:00Z", "2026-11-23T08:00:00Z"),
    ("3/20 4 * * *", "2026-11-23T04:23:00Z", "2026-11-23T04:43:00Z"),
    ("0 0 1 jan *", "2026-11-23T00:00:00Z", "2027-01-01T00:00:00Z"),
    ("30 7 * * SUN", "2026-11-23T00:00:00Z", "2026-11-29T07:30:00Z"),
    ("30 7 * * 7", "2026-11-23T00:00:00Z", "2026-11-29T07:30:00Z"),
    // Both days are given: either is enough.
    ("0 0 25 * fri", "2026-11-23T00:00:00Z", "2026-11-25T00:00:00Z"),
    ("0 0 25 * fri", "2026-11-25T00:00:00Z", "2026-11-27T00:00:00Z"),
    // A field that begins with a star leaves the other one to decide.
    ("0 0 */2 * mon", "2026-11-23T00:00:00Z", "2026-12-07T00:00:00Z"),
    ("0 0 29 2 *", "2026-11-23T00:00:00Z", "2028-02-29T00:00:00Z"),
    ("@daily", "2026-12-31T00:00:00Z", "2027-01-01T00:00:00Z"),
    ("0 9 * * *|30 8 * * *", "2026-11-23T08:00:00Z", "2026-11-23T08:30:00Z"),
    ("59 23 31 12 ?", "1969-12-31T23:58:59Z", "1969-12-31T23:59:00Z"),
  ])
  func `the next moment is the first minute that fits`(
    line: String, from: String, expected: String
  ) { #expect(Self.next(line, from) == expected) }

  @Test func `a day that never comes has no next moment`() {
    #expect(CronLine.lines("0 0 30 2 *") != nil)
    #expect(Self.next("0 0 30 2 *", "2026-11-23T00:00:00Z") == nil)
  }

  @Test func `fields are of local time`() {
    #expect(
      Self.next("0 9 * * *", "2026-11-23T00:30:00Z", east: { _ in 9 * 3_600 })
        == "2026-11-24T00:00:00Z")
  }

  /// Berlin: clocks go to summer time on 2026-03-29 and back on 2026-10-25, each at 01:00 UTC.
  private static func berlin(_ moment: WallTime) -> Int {
    let summer = WallTime(rfc3339: "2026-03-29T01:00:00Z"),
      end = WallTime(rfc3339: "2026-10-25T01:00:00Z")
    guard let summer, let end else { return 0 }
    return moment >= summer && moment < end ? 7_200 : 3_600
  }

  @Test func `a change of the clock skips no day and repeats none`() {
    var moment = "2026-03-27T12:00:00Z"
    var days: [String] = []
    for _ in 0..<4 {
      guard let next = Self.next("30 2 * * *", moment, east: Self.berlin) else { break }
      days.append(String(next.prefix(10)))
      moment = next
    }
    #expect(days == ["2026-03-28", "2026-03-29", "2026-03-30", "2026-03-31"])
    moment = "2026-10-24T12:00:00Z"
    days = []
    for _ in 0..<3 {
      guard let next = Self.next("30 2 * * *", moment, east: Self.berlin) else { break }
      days.append(String(next.prefix(10)))
      moment = next
    }
    #expect(days == ["2026-10-25", "2026-10-26", "2026-10-27"])
  }

  @Test(arguments: [
    "", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * 32 * *",
    "* * * 13 *", "* * * * 8", "*/0 * * * *", "5-1 * * * *", "-1 * * * *", "1,,2 * * * *",
    "a * * * *", "* * * janu *", "@reboot", "* * * * *|", "+1 * * * *", "*/+5 * * * *",
  ])
  func `other text is no line of a crontab`(text: String) { #expect(CronLine.lines(text) == nil) }
}
