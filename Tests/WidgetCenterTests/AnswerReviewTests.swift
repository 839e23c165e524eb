import JSON
import Testing
import Timekeeping
import WidgetCenter

/// Tests the warnings for authors about answers that can be used.
@Suite struct AnswerReviewTests {
  private static let now = WallTime(rfc3339: "2026-11-20T21:00:00Z") ?? WallTime(milliseconds: 0)

  private func warnings(_ answer: String, hasShown: Bool = false) throws -> [String] {
    let value = try JSONValue(parsing: answer)
    let read = try Timeline.read(value).get()
    return AnswerReview.warnings(
      on: value, read: read.timeline, hasShown: hasShown, arrivedAt: Self.now)
  }

  /// Returns the warnings about an entry with this content, without the place of the content.
  private func warnings(inContent content: String) throws -> [String] {
    try warnings(
      #"{"entries":[{"date":"2026-11-20T21:00:00Z","content":\#(content)}],"policy":"never"}"#
    ).map { $0.replacing("entries[0].content.", with: "") }
  }

  /// Contents, and what is said of them.
  static let contents: [(String, [String])] = [
    (#"{"title":"Up","text":"3 days"}"#, []),
    (
      #"{"title":null,"x-mine":5,"text":["a",{"date":"2026-11-20T22:00:00Z","style":"timer"}]}"#, []
    ),
    (#"{"titel":"Up"}"#, ["titel is no key of content and is ignored; did you mean 'title'?"]),
    (
      #"{"percent":42}"#,
      ["percent is no key of content and is ignored; did you mean 'percentage'?"]
    ),
    (
      #"{"full_text":"42%"}"#,
      ["full_text is no key of content and is ignored; did you mean 'text'?"]
    ),
    (
      #"{"zzz":1}"#,
      [
        "zzz is no key of content and is ignored; content has title, titles, subtitle, text, short, symbol, icon, image, color, background, class, percentage, urgent, tooltip, items, action, clicks, refresh, asOf, staleAfter"
      ]
    ),
    (
      #"{"title":5}"#,
      [
        #"title is 5; expected a text, or a live date such as {"date":"2026-11-20T21:00:00Z","style":"relative"}; did you mean "5"?"#
      ]
    ),
    (
      #"{"text":{"a":1}}"#,
      [
        "text.a is no key of a live date and is ignored; a live date has date, style",
        "text.date is missing; expected an RFC 3339 date such as 2026-11-20T21:00:00Z",
        "text.style is missing; expected one of relative, timer, offset",
      ]
    ),
    (
      #"{"percentage":"42%"}"#,
      [#"percentage is "42%"; expected a number from 0 to 100; did you mean 42?"#]
    ),
    (#"{"percentage":142}"#, ["percentage is 142; expected a number from 0 to 100"]),
    (#"{"urgent":"yes"}"#, [#"urgent is "yes"; expected true or false; did you mean true?"#]),
    (
      #"{"class":"night cold"}"#,
      [
        #"class is "night cold"; expected a list of texts such as ["night"]; did you mean ["night","cold"]?"#
      ]
    ),
    (
      #"{"items":["22:00"]}"#,
      [
        #"items is ["22:00"]; expected a list of items such as [{"text":"22:00  2°"}]; did you mean [{"text":"22:00"}]?"#
      ]
    ),
    (
      #"{"items":[{"title":"a"},{"separator":true}]}"#,
      [
        "items[0].title is no key of an item and is ignored; did you mean 'text'?",
        "items[0].text is missing; expected a text, a live date, or a list of these",
      ]
    ),
    (
      #"{"title":{"date":"2026-11-20T21:00:00Z","style":"ago"}}"#,
      [#"title.style is "ago"; expected one of relative, timer, offset"#]
    ),
    (##"{"title":{"runs":[{"text":"a","color":"#ff0000","bold":true}]}}"##, []),
    (
      ##"{"title":{"runs":[{"text":5,"color":"red"}]},"color":"#f00"}"##,
      [
        #"title.runs[0].text is 5; expected a text; did you mean "5"?"#,
        ##"title.runs[0].color is "red"; expected a colour such as "#ff0000", or {"light":"#a00000","dark":"#ff8080"}; did you mean "#ff0000"?"##,
        ##"color is "#f00"; expected a colour such as "#ff0000", or {"light":"#a00000","dark":"#ff8080"}; did you mean "#ff0000"?"##,
      ]
    ),
    (
      #"{"titles":"a","action":"weather://x","clicks":{"10":{"refresh":true},"2":{"terminal":true}}}"#,
      [
        #"titles is "a"; expected a list of texts such as ["one","two"]; did you mean ["a"]?"#,
        #"action is "weather://x"; expected an action such as {"url":"weather://city/Beijing"}; did you mean {"url":"weather://x"}?"#,
        "clicks.10 is no button and is ignored; buttons are the numbers from 1 to 9",
        "clicks.2.terminal is no key of an action and is ignored; an action has url, refresh",
      ]
    ),
    (
      #"{"items":[{"text":"a","alternate":{"title":"b"}}]}"#,
      [
        "items[0].alternate.title is no key of an item and is ignored; did you mean 'text'?",
        "items[0].alternate.text is missing; expected a text, a live date, or a list of these",
      ]
    ),
    (
      #"{"asOf":"yesterday","staleAfter":"60s","title":"a"}"#,
      [
        #"asOf is "yesterday"; expected an RFC 3339 date such as 2026-11-20T21:00:00Z"#,
        #"staleAfter is "60s"; expected a number of seconds, 0 or more; did you mean 60?"#,
      ]
    ),
  ]

  @Test(arguments: contents)
  func `content of the wrong name or form is told, with the word that was meant`(
    content: String, expected: [String]
  ) throws {
    #expect(try warnings(inContent: content) == expected)
  }

  @Test func `content without anything in it shows nothing`() throws {
    #expect(
      try warnings(#"{"entries":[{"date":"2026-11-20T21:00:00Z","content":{}}],"policy":"never"}"#)
        == [
          #"entries[0].content is empty, so there is nothing to show; write at least {"title":"…"}"#
        ])
  }

  @Test func `keys beside the content are told`() throws {
    let answer = #"""
      {"entries":[{"date":"2026-11-20T21:00:00Z","titel":"x","title":"Up","content":{"text":"a"},
         "relevance":{"score":1,"duratoin":5}}],
       "relevance":[{"from":"2026-11-20T21:00:00Z","to":"2026-11-20T22:00:00Z","until":1}],
       "polcy":1,"policy":{"after":"2026-11-20T22:00:00Z","before":1}}
      """#
    #expect(
      try warnings(answer) == [
        "polcy is no key of an answer and is ignored; did you mean 'policy'?",
        "policy.before is no key of a policy and is ignored; a policy has after",
        "relevance[0].until is no key of a window and is ignored; a window has from, to, kind",
        "entries[0].titel is no key of an entry and is ignored; an entry has date, content, relevance, url, view",
        #"entries[0].title is ignored: it belongs into the entry's content, "content":{"title":…}"#,
        "entries[0].relevance.duratoin is no key of a relevance and is ignored; did you mean 'duration'?",
      ])
  }

  @Test func `the same mistake in many entries is told once`() throws {
    let entries = (0..<50).map { minute in
      #"{"date":"2026-11-20T21:\#(minute < 10 ? "0" : "")\#(minute):00Z","content":{"titel":"\#(minute)"}}"#
    }
    #expect(
      try warnings(#"{"entries":[\#(entries.joined(separator: ","))],"policy":"never"}"#) == [
        "entries[0].content.titel is no key of content and is ignored; did you mean 'title'? (and 49 more like it)"
      ])
  }

  @Test func `many mistakes are cut short`() throws {
    let keys = (0..<30).map { #""zz\#($0)":1"# }.joined(separator: ",")
    let warnings = try warnings(inContent: "{\(keys)}")
    #expect(warnings.count == Limits.warningCountMax + 1)
    #expect(warnings.last == "and 10 more warnings")
  }

  @Test func `items deeper than surfaces show are told`() throws {
    var items = #"[{"text":"9"}]"#
    for level in (1...8).reversed() { items = #"[{"text":"\#(level)","items":\#(items)}]"# }
    let warnings = try warnings(inContent: #"{"title":"a","items":\#(items)}"#)
    #expect(warnings.count == 1)
    #expect(
      warnings.first?.hasSuffix("is deeper than 8 levels of items; surfaces leave it out") == true)
  }

  // MARK: Dates

  /// Entries and a policy, and the beginning of what is said.
  static let dates: [(entries: [String], policy: String, said: [String])] = [
    (["2026-11-20T21:00:00Z"], #""never""#, []),
    (["2026-11-20T21:00:04Z"], #""never""#, []),
    (
      ["2027-11-20T21:00:00Z"], #""never""#,
      ["the first entry is dated 2027-11-20T21:00:00Z, 365d after the request: until then nothing"]
    ),
    (["2020-01-01T00:00:00Z"], #""never""#, []),
    (["2026-11-20T01:00:00Z"], #"{"after":"2026-11-20T22:00:00Z"}"#, []),
    (
      ["2026-11-19T20:00:00Z"], #"{"after":"2026-11-20T22:00:00Z"}"#,
      ["all entries are in the past: the newest is 1d 1h old when it arrives"]
    ),
    (
      ["2026-11-20T19:00:00Z", "2026-11-20T20:00:00Z"], #""never""#,
      ["all entries are in the past: the newest is 1h old when it arrives"]
    ),
    (
      ["2026-11-20T21:00:00Z"], #"{"after":"2026-11-20T21:00:00Z"}"#,
      ["the policy asks for a reload after 2026-11-20T21:00:00Z, which is past when the answer"]
    ),
    (
      ["2026-11-20T21:00:00Z"], #"{"after":"2062-11-20T21:00:00Z"}"#,
      ["the policy asks for the next reload after 2062-11-20T21:00:00Z, in 13149d"]
    ),
  ]

  @Test(arguments: dates)
  func `dates out of sight are told`(entries: [String], policy: String, said: [String]) throws {
    let list = entries.map { #"{"date":"\#($0)","content":{"title":"a"}}"# }
    let answer = #"{"entries":[\#(list.joined(separator: ","))],"policy":\#(policy)}"#
    let warnings = try warnings(answer)
    #expect(warnings.count == said.count, "\(warnings)")
    for (warning, beginning) in zip(warnings, said) {
      #expect(warning.hasPrefix(beginning), "\(warning)")
    }
  }

  @Test func `a widget that shows something may wait for its first entry`() throws {
    let answer = #"""
      {"entries":[{"date":"2026-11-21T21:00:00Z","content":{"title":"a"}}],"policy":"never"}
      """#
    #expect(try warnings(answer).count == 1)
    #expect(try warnings(answer, hasShown: true) == [])
  }
}
