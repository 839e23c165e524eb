import Testing

@testable import Timekeeping

/// Checks how moments are read as people type them.
struct MomentTextTests {
  /// A Saturday.
  private static let now = WallTime(rfc3339: "2026-11-21T12:00:00Z") ?? WallTime(milliseconds: 0)

  private func read(_ text: String, _ day: MomentText.Day = .coming, east: Int = 0) -> String? {
    MomentText.read(text, now: Self.now, day: day, secondsEast: { _ in east })?.rfc3339
  }

  @Test func `a date with its zone is that date everywhere`() {
    #expect(read("2026-11-20T21:00:00Z", east: 3_600) == "2026-11-20T21:00:00Z")
    #expect(read("2026-11-20T21:00:00+02:00") == "2026-11-20T19:00:00Z")
    #expect(read("now") == "2026-11-21T12:00:00Z")
  }

  @Test(
    arguments: [
      ("2026-11-23", "2026-11-22T22:00:00Z"), ("2026-11-23T18:30", "2026-11-23T16:30:00Z"),
      ("2026-11-23 18:30", "2026-11-23T16:30:00Z"), ("2026-11-23 6pm", "2026-11-23T16:00:00Z"),
      ("2026-11-23 18:30:05", "2026-11-23T16:30:05Z"),
      // The present is 14:00 in local time.
      ("18:30", "2026-11-21T16:30:00Z"), ("14:00", "2026-11-21T12:00:00Z"),
      ("13:59", "2026-11-22T11:59:00Z"), ("00:00", "2026-11-21T22:00:00Z"),
      ("8:30", "2026-11-22T06:30:00Z"), ("18:30:05", "2026-11-21T16:30:05Z"),
      ("8am", "2026-11-22T06:00:00Z"), ("8 pm", "2026-11-21T18:00:00Z"),
      ("8:30PM", "2026-11-21T18:30:00Z"), ("at noon", "2026-11-22T10:00:00Z"),
      ("12am", "2026-11-21T22:00:00Z"), ("12:30 pm", "2026-11-22T10:30:00Z"),
      ("midnight", "2026-11-21T22:00:00Z"),
    ])
  func `a moment without a zone is local, and a time is its next occurrence`(
    _ text: String, _ date: String
  ) {
    #expect(read(text, east: 7_200) == date)
  }

  @Test(
    arguments: [
      ("today", "2026-11-20T22:00:00Z"), ("tomorrow", "2026-11-21T22:00:00Z"),
      ("yesterday", "2026-11-19T22:00:00Z"), ("Tomorrow 8am", "2026-11-22T06:00:00Z"),
      ("tomorrow at 18:30", "2026-11-22T16:30:00Z"), ("8am tomorrow", "2026-11-22T06:00:00Z"),
      ("yesterday noon", "2026-11-20T10:00:00Z"), ("today 8am", "2026-11-21T06:00:00Z"),
      // Saturday is today, and its midnight is past.
      ("saturday", "2026-11-27T22:00:00Z"), ("sat 15:00", "2026-11-21T13:00:00Z"),
      ("sun", "2026-11-21T22:00:00Z"), ("on Monday at 9am", "2026-11-23T07:00:00Z"),
      ("next saturday", "2026-11-27T22:00:00Z"), ("next sunday", "2026-11-21T22:00:00Z"),
      ("last saturday", "2026-11-13T22:00:00Z"), ("last fri 18:00", "2026-11-20T16:00:00Z"),
    ])
  func `a day has a name, and without a time it means its midnight`(_ text: String, _ date: String)
  {
    #expect(read(text, east: 7_200) == date)
  }

  @Test(
    arguments: [
      ("2h", "2026-11-21T14:00:00Z"), ("in 2h", "2026-11-21T14:00:00Z"),
      ("+2h", "2026-11-21T14:00:00Z"), ("-2h", "2026-11-21T10:00:00Z"),
      ("2 hours ago", "2026-11-21T10:00:00Z"), ("an hour ago", "2026-11-21T11:00:00Z"),
      ("in 1h30m", "2026-11-21T13:30:00Z"), ("in 1 hour 30 minutes", "2026-11-21T13:30:00Z"),
      ("1.5h", "2026-11-21T13:30:00Z"), ("in 2 weeks", "2026-12-05T12:00:00Z"),
      ("90s", "2026-11-21T12:01:30Z"), ("3 days ago", "2026-11-18T12:00:00Z"),
    ])
  func `a span is counted from now`(_ text: String, _ date: String) {
    #expect(read(text) == date)
  }

  @Test func `in the past a time, a weekday and a span are the last ones`() {
    #expect(read("18:30", .past) == "2026-11-20T18:30:00Z")
    #expect(read("11:59", .past) == "2026-11-21T11:59:00Z")
    #expect(read("12:00", .past) == "2026-11-21T12:00:00Z")
    #expect(read("saturday", .past) == "2026-11-21T00:00:00Z")
    #expect(read("sunday", .past) == "2026-11-15T00:00:00Z")
    #expect(read("saturday 18:00", .past) == "2026-11-14T18:00:00Z")
    #expect(read("2h", .past) == "2026-11-21T10:00:00Z")
    #expect(read("in 2h", .past) == "2026-11-21T14:00:00Z")
  }

  @Test func `the clock changes between now and then`() {
    let change = WallTime(rfc3339: "2027-03-28T01:00:00Z") ?? Self.now
    func read(_ text: String, at now: String) -> String? {
      guard let now = WallTime(rfc3339: now) else { return nil }
      return MomentText.read(text, now: now, secondsEast: { $0 < change ? 3_600 : 7_200 })?.rfc3339
    }
    #expect(read("2027-03-29 08:00", at: "2026-11-21T12:00:00Z") == "2027-03-29T06:00:00Z")
    // The day of the change has 23 hours; a span's day has 24.
    #expect(read("tomorrow 8am", at: "2027-03-27T07:00:00Z") == "2027-03-28T06:00:00Z")
    #expect(read("in 1 day", at: "2027-03-27T07:00:00Z") == "2027-03-28T07:00:00Z")
    #expect(read("sunday", at: "2027-03-28T12:00:00Z") == "2027-04-03T22:00:00Z")
  }

  @Test(
    arguments: [
      "", " ", "soon", "25:00", "18:60", "18:30:60", "2026-11-31", "2026-11", "8", "13pm", "0am",
      "8:3", "1830", "tomorrow at", "at", "at tomorrow", "tomorrow yesterday", "tomorrow 8am 9am",
      "next", "next tomorrow", "in", "ago", "in tomorrow", "in 2", "2", "2x", "h", "-", "+",
      "2h ago ago", "--2h", "in -2h", ".5h", "1..5h", "2ho", "２h", "now now", "200 years",
      "99999999999w", "mo", "mond",
    ])
  func `any other text is no moment`(_ text: String) {
    #expect(read(text) == nil)
    #expect(read(text, .past) == nil)
  }

  @Test(
    arguments: [
      ("90s", 90_000), ("1h30m", 5_400_000), ("2 hours", 7_200_000), ("a day", 86_400_000),
      ("250ms", 250), ("0s", 0), ("5", nil), ("", nil), ("-2h", nil), ("in 2h", nil),
    ] as [(String, Int64?)])
  func `a length is numbers with their units`(_ text: String, _ milliseconds: Int64?) {
    #expect(MomentText.span(text) == milliseconds)
  }

  // MARK: Properties

  /// A zone whose clock changes twice a year, about.
  private struct Zone {
    var seed: UInt64

    func secondsEast(_ moment: WallTime) -> Int {
      let base = Int(seed % 97) * 900 - 43_200
      return base + ((moment.milliseconds / 15_778_800_000) % 2 == 0 ? 0 : 3_600)
    }

    func local(_ moment: WallTime) -> WallTime {
      moment.advanced(bySeconds: Int64(secondsEast(moment)))
    }

    /// Whether the clock changes within two days of a moment.
    func changes(around moment: WallTime) -> Bool {
      secondsEast(moment.advanced(bySeconds: -172_800))
        != secondsEast(moment.advanced(bySeconds: 172_800))
    }
  }

  private static func world(_ seed: UInt64) -> (random: SplitMix64, now: WallTime, zone: Zone) {
    var random = SplitMix64(seed: seed)
    let now = WallTime(milliseconds: Int64.random(in: 0..<4_000_000_000_000, using: &random))
    return (random, now, Zone(seed: random.next()))
  }

  @Test func `a time is within a day of now and reads as it was typed`() throws {
    for seed in 0..<500 as Range<UInt64> {
      var (random, now, zone) = Self.world(seed)
      guard !zone.changes(around: now) else { continue }
      let hour = Int.random(in: 0..<24, using: &random)
      let minute = Int.random(in: 10..<60, using: &random)
      let half = hour < 12 ? "am" : "pm"
      for text in ["\(hour):\(minute)", "\((hour + 11) % 12 + 1):\(minute) \(half)"] {
        for day in [MomentText.Day.coming, .past] {
          let read = try #require(
            MomentText.read(text, now: now, day: day, secondsEast: zone.secondsEast), "\(text)")
          let clock = zone.local(read).rfc3339.dropFirst(11).prefix(5)
          #expect(clock == "\(hour < 10 ? "0" : "")\(hour):\(minute)", "seed \(seed)")
          let ahead = read.milliseconds(since: now)
          #expect((0..<86_400_000).contains(day == .coming ? ahead : -ahead), "seed \(seed)")
        }
      }
    }
  }

  @Test func `a named day is the day of that date`() {
    for seed in 0..<500 as Range<UInt64> {
      let (_, now, zone) = Self.world(seed)
      let today = Int(zone.local(now).milliseconds / 86_400_000)
      func date(_ day: Int) -> String { CivilDate(daysSinceEpoch: day).text }
      func read(_ text: String, _ day: MomentText.Day = .coming) -> WallTime? {
        MomentText.read(text, now: now, day: day, secondsEast: zone.secondsEast)
      }
      for (name, ahead) in [("today", 0), ("tomorrow", 1), ("yesterday", -1)] {
        for time in ["", " 8am", " at 18:30"] {
          let typed = date(today + ahead) + time.replacing("8am", with: "08:00")
          #expect(read(name + time) == read(typed.replacing(" at", with: "")), "seed \(seed)")
        }
      }
      let weekdays = (0..<7).map { Weekday.names[Weekday.number(of: today + $0)] }
      for (ahead, name) in weekdays.enumerated() {
        #expect(read("next \(name)") == read(date(today + (ahead == 0 ? 7 : ahead))))
        #expect(read("last \(name)") == read(date(today + ahead - 7)))
        #expect(read("\(name) 23:59:59") == read("\(date(today + ahead)) 23:59:59"))
        #expect(read(name, .past) == read(date(today + ahead - (ahead == 0 ? 0 : 7))))
      }
    }
  }

  @Test func `what lies ahead in one span lies back in the same one`() throws {
    let units = ["s", "m", "h", "d", "w", " minutes", " hours"]
    for seed in 0..<500 as Range<UInt64> {
      var (random, now, zone) = Self.world(seed)
      let count = Int.random(in: 0..<100, using: &random)
      let length = "\(count)\(units[Int(random.next() % 7)])"
      func read(_ text: String) throws -> Int64 {
        try #require(MomentText.read(text, now: now, secondsEast: zone.secondsEast), "\(text)")
          .milliseconds(since: now)
      }
      let ahead = try read("in \(length)")
      #expect(ahead >= 0)
      #expect(try read("\(length) ago") == -ahead)
      #expect(try read("-\(length)") == -ahead)
      #expect(try read(length) == ahead)
      #expect(MomentText.span(length) == ahead)
    }
  }

  @Test func `no text stops the reader, and what is read has a date`() {
    let words = [
      "in", "ago", "at", "next", "last", "on", "today", "tomorrow", "monday", "sun", "8am", "pm",
      "18:30", "2h", "-", "+", "1", "999999999999999999999", "a", "an", "hour", "2026-11-23",
      "0000-01-01", "9999-12-31", "T", ":", "noon", "now", "é", "100", "years",
    ]
    for seed in 0..<20_000 as Range<UInt64> {
      var (random, now, zone) = Self.world(seed)
      let text = (0..<Int(random.next() % 5)).map { _ in words[Int(random.next() % 31)] }
        .joined(separator: random.next() % 4 == 0 ? "" : " ")
      guard let read = MomentText.read(text, now: now, secondsEast: zone.secondsEast) else {
        continue
      }
      #expect(WallTime(rfc3339: read.rfc3339) != nil, "\(text)")
    }
  }
}

extension CivilDate {
  fileprivate var text: String {
    String(WallTime(seconds: Int64(daysSinceEpoch) * 86_400).rfc3339.prefix(10))
  }
}
