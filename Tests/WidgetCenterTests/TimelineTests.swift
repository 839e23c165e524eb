import JSON
import Testing
import Timekeeping
import WidgetCenter

/// Tests how timelines of providers are read, written and shown.
@Suite struct TimelineTests {
  private static func date(_ clock: String) -> WallTime {
    WallTime(rfc3339: "2026-11-20T\(clock)Z") ?? WallTime(milliseconds: .min)
  }

  /// Returns a timeline with entries at these times.
  ///
  /// Each shows its number, and has its relevance if one is given.
  private static func timeline(
    _ clocks: [String], relevance: [Int: Relevance] = [:], policy: TimelineReloadPolicy = .never
  ) -> Timeline {
    Timeline(
      entries: clocks.enumerated().map { index, clock in
        TimelineEntry(
          date: date(clock), relevance: relevance[index], content: ["text": .string("\(index)")])
      }, policy: policy)
  }

  private static func texts(_ timeline: Timeline) -> [String] {
    timeline.entries.map { $0.content["text"]?.stringValue ?? "?" }
  }

  // MARK: Reading

  @Test func `a whole timeline is read, and written as it was`() throws {
    let text = """
      {"entries":[{"date":"2026-11-20T21:00:00Z","relevance":{"score":60.0,"duration":3600.0},\
      "content":{"title":"Beijing","text":"3°"},"url":"weather://city/Beijing"},\
      {"date":"2026-11-20T22:00:00Z","content":{}}],"policy":{"after":"2026-11-20T22:00:00Z"}}
      """
    let read = try Timeline.read(JSONValue(parsing: text)).get()
    #expect(read.warnings == [])
    #expect(
      read.timeline
        == Timeline(
          entries: [
            TimelineEntry(
              date: Self.date("21:00:00"), relevance: Relevance(score: 60, duration: 3600),
              content: ["title": "Beijing", "text": "3°"], url: "weather://city/Beijing"),
            TimelineEntry(date: Self.date("22:00:00"), content: [:]),
          ], policy: .after(Self.date("22:00:00"))))
    #expect(read.timeline.json.serialized == text)
    var writer = JSONWriter()
    read.timeline.write(to: &writer)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
  }

  @Test func `unsorted entries are sorted, and of equal dates the last one written wins`() throws {
    let text = """
      {"entries":[{"date":"2026-11-20T23:00:00Z","content":{"text":"c"}},
        {"date":"2026-11-20T21:00:00Z","content":{"text":"a"}},
        {"date":"2026-11-20T22:00:00Z","content":{"text":"b1"}},
        {"date":"2026-11-20T21:00:00Z","content":{"text":"a2"}},
        {"date":"2026-11-20T22:00:00+00:00","content":{"text":"b2"}}],"policy":"never"}
      """
    let read = try Timeline.read(JSONValue(parsing: text)).get()
    #expect(Self.texts(read.timeline) == ["a2", "b2", "c"])
    #expect(
      read.warnings == [
        "2 entries share their date with a later one and are not shown",
        "the entries are not in date order; they were sorted",
      ])
  }

  @Test func `an empty timeline and a lone entry at its end are read with a warning`() throws {
    let empty = try Timeline.read(["entries": [], "policy": "never"]).get()
    #expect(empty.timeline == Timeline(entries: [], policy: .never))
    #expect(empty.warnings == ["the timeline has no entries: what was shown before stays"])
    let lone = try Timeline.read([
      "entries": [["date": "2026-11-20T21:00:00Z", "content": [:]]]
    ]).get()
    #expect(lone.timeline.policy == .atEnd)
    #expect(lone.warnings.count == 1)
  }

  @Test func `1,440 entries are read, one more is not`() throws {
    func entries(_ count: Int) -> JSONValue {
      let list = (0..<count).map { index -> JSONValue in
        let date = Self.date("00:00:00").advanced(bySeconds: Int64(index) * 60)
        return ["date": .string(date.rfc3339), "content": [:]]
      }
      return ["entries": .array(list), "policy": "never"]
    }
    #expect(try Timeline.read(entries(1_440)).get().timeline.entries.count == 1_440)
    let error = #expect(throws: TimelineError.self) { try Timeline.read(entries(1_441)).get() }
    #expect(error?.path == "entries")
    #expect(error?.message == "the timeline has 1441 entries; at most 1440 are allowed")
  }

  @Test(arguments: [
    (#"[]"#, "", "an array"),
    (#"{}"#, "entries", "missing"),
    (#"{"entries":{}}"#, "entries", "an object"),
    (#"{"entries":[7]}"#, "entries[0]", "a number"),
    (#"{"entries":[{"content":{}}]}"#, "entries[0].date", "missing"),
    (#"{"entries":[{"date":1795208400,"content":{}}]}"#, "entries[0].date", "1795208400"),
    (#"{"entries":[{"date":"today","content":{}}]}"#, "entries[0].date", "\"today\""),
    (#"{"entries":[{"date":"2026-11-20T21:00:00Z"}]}"#, "entries[0].content", "missing"),
    (
      #"{"entries":[{"date":"2026-11-20T21:00:00Z","content":"3°"}]}"#, "entries[0].content",
      "a string"
    ),
    (
      #"{"entries":[{"date":"2026-11-20T21:00:00Z","content":{}},{"date":"2026-11-20T22:00:00Z","content":{},"url":7}]}"#,
      "entries[1].url", "a number"
    ),
    (
      #"{"entries":[{"date":"2026-11-20T21:00:00Z","content":{},"relevance":60}]}"#,
      "entries[0].relevance.score", "missing"
    ),
    (
      #"{"entries":[{"date":"2026-11-20T21:00:00Z","content":{},"relevance":{"score":1795161600}}]}"#,
      "entries[0].relevance.score", "is 1795161600; expected a number from -1000000 to 1000000"
    ),
    (
      #"{"entries":[{"date":"2026-11-20T21:00:00Z","content":{},"relevance":{"score":"60"}}]}"#,
      "entries[0].relevance.score", "a string"
    ),
    (
      #"{"entries":[{"date":"2026-11-20T21:00:00Z","content":{},"relevance":{"score":6,"duration":-1}}]}"#,
      "entries[0].relevance.duration", "seconds, 0 or more"
    ),
    (#"{"entries":[],"policy":"sometimes"}"#, "policy", "\"sometimes\""),
    (#"{"entries":[],"policy":7}"#, "policy", "7"),
    (#"{"entries":[],"policy":{"before":"2026-11-20T21:00:00Z"}}"#, "policy", "before"),
    (#"{"entries":[],"policy":{"after":"soon"}}"#, "policy.after", "\"soon\""),
  ])
  func `a mistake is reported with its path and its text`(
    _ text: String, _ path: String, _ found: String
  ) throws {
    let value = try JSONValue(parsing: text)
    let error = #expect(throws: TimelineError.self) { try Timeline.read(value).get() }
    #expect(error?.path == path)
    #expect(error?.message.contains(found) == true, "\(error?.message ?? "")")
    #expect(error?.message.hasPrefix(path.isEmpty ? "the timeline" : path) == true)
  }

  @Test(arguments: [
    (#"{"action":{"exec":["x"]}}"#, ".action.exec"),
    (#"{"action":{"url":"a:b","exec":"x"}}"#, ".action.exec"),
    (#"{"items":[{"text":"a"},{"text":"b","action":{"exec":[]}}]}"#, ".items[1].action.exec"),
    (
      #"{"items":[{"text":"a","items":[{"text":"b","alternate":{"text":"c","action":{"exec":["x"]}}}]}]}"#,
      ".items[0].items[0].alternate.action.exec"
    ),
    (#"{"clicks":{"3":{"exec":["x"]}}}"#, ".clicks.3.exec"),
    (#"{"x-mine":[{"action":{"more":{"exec":1}}}]}"#, ".x-mine[0].action.more.exec"),
  ])
  func `content that names a program is refused with its place`(
    _ content: String, _ place: String
  ) throws {
    let answer = try JSONValue(
      parsing: #"{"entries":[{"date":"2026-11-20T21:00:00Z","content":\#(content)}]}"#)
    guard case .failure(let error) = Timeline.read(answer) else {
      Issue.record("it was taken")
      return
    }
    #expect(error.path == "entries[0].content\(place)")
    #expect(error.message.hasPrefix("\(error.path) is refused: only a plugin may say"))
    // Content that a plugin printed is read again from the store.
    #expect(throws: Never.self) { try Timeline.read(answer, isStored: true).get() }
  }

  @Test func `the word exec elsewhere is a text like any other`() throws {
    let answer = try JSONValue(
      parsing:
        #"{"entries":[{"date":"2026-11-20T21:00:00Z","content":{"title":"exec","x-exec":1,"exec":["x"],"action":{"exec":null,"url":"exec:a"}}}],"policy":"never"}"#
    )
    #expect(throws: Never.self) { try Timeline.read(answer).get() }
  }

  @Test func `a URL may have 8,192 bytes`() throws {
    func timeline(_ count: Int) -> JSONValue {
      let url = "a:" + String(repeating: "x", count: count - 2)
      return [
        "entries": [["date": "2026-11-20T21:00:00Z", "content": [:], "url": .string(url)]],
        "policy": "never",
      ]
    }
    #expect(try Timeline.read(timeline(8_192)).get().timeline.entries.count == 1)
    #expect(throws: TimelineError.self) { try Timeline.read(timeline(8_193)).get() }
  }

  @Test func `nulls and unknown keys are ignored`() throws {
    let read = try Timeline.read([
      "entries": [
        [
          "date": "2026-11-20T21:00:00Z", "content": [:], "url": nil, "relevance": nil,
          "colour": "red",
        ]
      ], "policy": "never", "version": 7,
    ]).get()
    #expect(
      read.timeline.entries == [TimelineEntry(date: Self.date("21:00:00"), content: [:])])
  }

  // MARK: The shown entry

  @Test func `the entry shown is the one whose date arrived most recently`() {
    let timeline = Self.timeline(["09:00:00", "10:00:00", "10:00:01"])
    #expect(timeline.index(at: Self.date("08:59:59.999")) == nil)
    #expect(timeline.index(at: Self.date("09:00:00")) == 0)
    #expect(timeline.index(at: Self.date("09:59:59.999")) == 0)
    #expect(timeline.index(at: Self.date("10:00:00")) == 1)
    #expect(timeline.index(at: Self.date("10:00:01")) == 2)
    #expect(timeline.index(at: WallTime(milliseconds: .max)) == 2)
    #expect(Timeline(entries: [], policy: .never).index(at: Self.date("09:00:00")) == nil)
  }

  @Test func `the entry shown is the last of those whose date has come, in any timeline`() {
    for count in 0...40 {
      let dates = (0..<count).map { WallTime(seconds: Int64($0) * 3) }
      let timeline = Timeline(
        entries: dates.map { TimelineEntry(date: $0, content: [:]) }, policy: .never)
      for second in -1...Int64(count * 3 + 1) {
        let moment = WallTime(seconds: second)
        #expect(timeline.index(at: moment) == dates.lastIndex { $0 <= moment })
      }
    }
  }

  // MARK: Relevance

  private func window(_ timeline: Timeline, _ clock: String) -> String {
    guard let relevance = timeline.relevance(at: Self.date(clock)) else { return "none" }
    return "\(relevance.score) until \(relevance.until.rfc3339.dropFirst(8).dropLast())"
  }

  @Test func `a duration runs from its entry's date, and then no relevance holds`() {
    let timeline = Self.timeline(
      ["09:00:00", "10:00:00"], relevance: [0: Relevance(score: 5, duration: 1800)])
    #expect(window(timeline, "08:59:59") == "none")
    #expect(window(timeline, "09:00:00") == "5.0 until 20T09:30:00")
    #expect(window(timeline, "09:29:59.999") == "5.0 until 20T09:30:00")
    #expect(window(timeline, "09:30:00") == "none")
    #expect(window(timeline, "10:30:00") == "none")
  }

  @Test func `an entry without relevance leaves the earlier one in force`() {
    let timeline = Self.timeline(
      ["09:00:00", "10:00:00", "11:00:00"],
      relevance: [0: Relevance(score: 5, duration: 5400), 2: Relevance(score: 2)])
    #expect(window(timeline, "10:29:59") == "5.0 until 20T10:30:00")
    #expect(window(timeline, "10:30:00") == "none")
    #expect(window(timeline, "11:00:00") == "2.0 until 21T11:00:00")
  }

  @Test func `duration 0 lasts until the next entry that declares one, at most a day`() {
    let timeline = Self.timeline(
      ["09:00:00", "10:00:00", "11:00:00"],
      relevance: [0: Relevance(score: 5), 2: Relevance(score: 0)])
    #expect(window(timeline, "10:59:59") == "5.0 until 20T11:00:00")
    #expect(window(timeline, "11:00:00") == "0.0 until 21T11:00:00")
    let lone = Self.timeline(["09:00:00"], relevance: [0: Relevance(score: 5)])
    let end = Self.date("09:00:00").advanced(bySeconds: 86_400)
    #expect(lone.relevance(at: end.advanced(byMilliseconds: -1))?.until == end)
    #expect(lone.relevance(at: end) == nil)
  }

  @Test func `a later declaration ends an earlier window, and a duration may be longer than a day`()
  {
    let timeline = Self.timeline(
      ["09:00:00", "09:10:00"],
      relevance: [0: Relevance(score: 9, duration: 3600), 1: Relevance(score: 1, duration: 60)])
    #expect(window(timeline, "09:09:59") == "9.0 until 20T09:10:00")
    #expect(window(timeline, "09:10:00") == "1.0 until 20T09:11:00")
    #expect(window(timeline, "09:11:00") == "none")
    let long = Self.timeline(
      ["09:00:00"], relevance: [0: Relevance(score: 1, duration: 172_800)])
    #expect(window(long, "23:59:59") == "1.0 until 22T09:00:00")
    let endless = Self.timeline(
      ["09:00:00"], relevance: [0: Relevance(score: 1, duration: 1e300)])
    #expect(endless.relevance(at: Self.date("10:00:00"))?.score == 1)
  }

  // MARK: Upkeep

  @Test func `past entries are dropped, but not the one whose relevance still holds`() {
    var timeline = Self.timeline(
      ["09:00:00", "10:00:00", "11:00:00", "12:00:00"],
      relevance: [1: Relevance(score: 5, duration: 86_400)])
    timeline.dropPast(at: Self.date("08:00:00"))
    #expect(Self.texts(timeline) == ["0", "1", "2", "3"])
    let before = timeline.relevance(at: Self.date("11:30:00"))?.score
    timeline.dropPast(at: Self.date("11:30:00"))
    #expect(Self.texts(timeline) == ["1", "2", "3"])
    #expect(timeline.relevance(at: Self.date("11:30:00"))?.score == before)
    var plain = Self.timeline(["09:00:00", "10:00:00", "11:00:00"])
    plain.dropPast(at: Self.date("10:00:00"))
    #expect(Self.texts(plain) == ["1", "2"])
    plain.dropPast(at: Self.date("23:00:00"))
    #expect(Self.texts(plain) == ["2"])
  }

  @Test func `the shown entry stays until the new timeline begins`() {
    let shown = TimelineEntry(date: Self.date("08:00:00"), content: ["text": "old"])
    var later = Self.timeline(["09:00:00"])
    later.carryOver(shown)
    #expect(Self.texts(later) == ["old", "0"])
    var begun = Self.timeline(["08:00:00"])
    begun.carryOver(shown)
    #expect(Self.texts(begun) == ["0"])
    var empty = Timeline(entries: [], policy: .never)
    empty.carryOver(shown)
    #expect(Self.texts(empty) == ["old"])
  }

  @Test func `content grows stale at its own time`() {
    func entry(_ content: JSONObject) -> TimelineEntry {
      TimelineEntry(date: Self.date("09:00:00"), content: content)
    }
    #expect(entry([:]).staleDate == nil)
    #expect(entry(["staleAfter": 90]).staleDate == Self.date("09:01:30"))
    #expect(entry(["staleAfter": 0]).staleDate == Self.date("09:00:00"))
    #expect(
      entry(["staleAfter": 90, "asOf": "2026-11-20T08:00:00Z"]).staleDate == Self.date("08:01:30"))
    #expect(entry(["staleAfter": 90, "asOf": "earlier"]).staleDate == Self.date("09:01:30"))
    #expect(entry(["staleAfter": -1]).staleDate == nil)
    #expect(entry(["staleAfter": "90"]).staleDate == nil)
  }
}
