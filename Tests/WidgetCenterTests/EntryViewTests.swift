import JSON
import Testing
import Timekeeping
import ViewMarkup

@testable import WidgetCenter

/// Tests the views of answers: read strictly, kept as we write them, within limits.
@Suite struct EntryViewTests {
  private func read(_ views: JSONValue...) throws -> Timeline.Reading {
    let start = WallTime(seconds: 1_795_161_600)
    let entries = views.enumerated().map { index, view -> JSONValue in
      [
        "date": .string(start.advanced(bySeconds: Int64(index) * 60).rfc3339),
        "content": ["title": .string("\(index)")], "view": view,
      ]
    }
    return try Timeline.read(["entries": .array(entries), "policy": "never"]).get()
  }

  @Test func `a view is kept as it was read, written anew`() throws {
    let read = try read(
      "<div style=\"gap: 4px; color: #ff0000\">a &amp; b</div>",
      ["light": "<div>l</div>", "dark": "<div>d</div>"],
      ["light": "<div>s</div>", "dark": "<div>s</div>"], .null)
    #expect(read.viewWarnings == [])
    #expect(
      read.timeline.entries.map(\.view) == [
        EntryView(light: "<div style=\"gap:4px;color:#ff0000\">a &amp; b</div>"),
        EntryView(light: "<div>l</div>", dark: "<div>d</div>"), EntryView(light: "<div>s</div>"),
        nil,
      ])
    #expect(
      read.timeline.entries.map { $0.view?.json } == [
        "<div style=\"gap:4px;color:#ff0000\">a &amp; b</div>",
        ["light": "<div>l</div>", "dark": "<div>d</div>"], "<div>s</div>", nil,
      ])
  }

  @Test func `the store gives a view back as it was`() throws {
    let timeline = try read(
      "<div>a</div>", ["light": "<div>l</div>", "dark": "<div>d</div>"]
    ).timeline
    var writer = JSONWriter()
    timeline.write(to: &writer)
    let stored = try Timeline.read(JSONValue(parsing: writer.bytes), isStored: true).get()
    #expect(stored.timeline == timeline)
    #expect(stored.timeline.viewBytes == 12 + 24)
  }

  @Test func `words of dates that follow the clock are the surface's own`() throws {
    func live(_ words: String, _ attributes: String) -> JSONValue {
      .string("<div><time \(attributes)>\(words)</time></div>")
    }
    let attributes = "datetime=\"2026-11-21T07:28:29Z\" data-style=\"timer\""
    let read = try read(
      live("5:00", attributes), live("4:59", attributes),
      live("Saturday", "datetime=\"2026-11-21T07:28:29Z\""))
    #expect(
      read.timeline.entries.map { $0.view?.light } == [
        "<div><time \(attributes)></time></div>", "<div><time \(attributes)></time></div>",
        "<div><time datetime=\"2026-11-21T07:28:29Z\">Saturday</time></div>",
      ])
  }

  @Test(arguments: [
    ("<script>alert(1)</script>", "'script' is no element of a view", ", at byte 1"),
    ("<div onclick=\"x\">x</div>", "'onclick' is no attribute of 'div' in a view", ", at byte 5"),
    ("<div class=\"a\"></div>", "'class' is no attribute", ", at byte 5"),
    ("<div><style>a{}</style></div>", "'style' is no element of a view", ", at byte 6"),
    ("<div><!-- x --></div>", "'' is no element of a view", ", at byte 6"),
    (
      "<div style=\"background:url(https://a.org/x)\"></div>",
      "'url(https://a.org/x)' is no value of 'background'", ", at byte 23"
    ),
    (
      "<div style=\"background:u\\72l(x)\"></div>", "'u\\72l(x)' is no value of 'background'",
      ", at byte 23"
    ),
    ("<div style=\"position:fixed\"></div>", "'fixed' is no value of 'position'", ", at byte 21"),
    ("<a href=\"javascript:alert(1)\">x</a>", "is no value of 'href'", ", at byte 9"),
    ("<a href=\"java&#115;cript:x\">x</a>", "expected '&amp;', '&lt;'", "at byte 13 of the view"),
    ("<a href=\"data:text/html,x\">x</a>", "is no value of 'href'", ", at byte 9"),
    ("<div>\u{0}</div>", "expected no control character", "at byte 5 of the view"),
    ("<div>+ADw-script+AD4-</div><b>", "expected one element", "at byte 27 of the view"),
    ("<div>x", "expected the end of 'div'", "at byte 6 of the view"),
    ("", "expected '<'", "at byte 0 of the view"),
  ])
  func `anything that is not listed leaves the view out, and says what and where`(
    markup: String, what: String, place: String
  ) throws {
    for (view, prefix) in [
      (.string(markup), ""),
      (["light": "<div></div>", "dark": .string(markup)] as JSONValue, "dark: "),
    ] {
      let read = try read("<div></div>", view)
      #expect(read.timeline.entries.map { $0.view == nil } == [false, true])
      #expect(read.timeline.entries[1].content["title"] == "1", "the content stays")
      let said = try #require(read.viewWarnings.first)
      #expect(read.viewWarnings.count == 1)
      #expect(said.hasPrefix("entries[1].view is left out: \(prefix)"), "\(said)")
      #expect(said.contains(what) && said.contains(place), "\(said)")
    }
  }

  @Test(
    arguments: [
      (7, "it is a number"), (["light": "<div></div>"], "an object without light and dark"),
      ([:], "an object without light and dark"), (["<div></div>"], "it is an array"),
      (["light": "<div></div>", "dark": 5], "an object without light and dark"),
    ] as [(JSONValue, String)])
  func `a view of another form is left out`(view: JSONValue, problem: String) throws {
    let read = try read(view)
    #expect(read.timeline.entries[0].view == nil)
    #expect(read.viewWarnings.first?.contains(problem) == true, "\(read.viewWarnings)")
    #expect(read.viewWarnings.first?.contains("expected markup such as") == true)
  }

  @Test func `the same mistake in many entries is one sentence`() throws {
    let read = try read("<b></b>", "<i></i>", "<div>&x;</div>", "<b></b>")
    #expect(read.viewWarnings.count == 2)
    #expect(read.viewWarnings[0].hasSuffix("(and 2 more like it)"), "\(read.viewWarnings)")
  }

  // MARK: Limits

  private func div(bytes: Int) -> String {
    "<div>\(String(repeating: "x", count: bytes - 11))</div>"
  }

  @Test func `an entry has 64 KiB of views, light and dark together`() throws {
    let most = MarkupLimits.bytesMax
    #expect(try read(.string(div(bytes: most))).timeline.viewBytes == most)
    let tooLong = try read(.string(div(bytes: most + 1)))
    #expect(tooLong.timeline.viewBytes == 0)
    #expect(tooLong.viewWarnings[0].contains("the view has 65537 bytes; at most 65536"))
    func both(_ bytes: Int) -> JSONValue {
      ["light": .string(div(bytes: most / 2)), "dark": .string(div(bytes: bytes))]
    }
    #expect(try read(both(most / 2 - 1)).timeline.viewBytes == most - 1)
    let tooMuch = try read(both(most / 2 + 1))
    #expect(tooMuch.timeline.viewBytes == 0)
    #expect(tooMuch.viewWarnings[0].contains("light and dark have 65537 bytes together"))
  }

  @Test func `a timeline has 2 MiB of views, and those beyond are left out`() throws {
    let count = Limits.timelineViewBytesMax / MarkupLimits.bytesMax
    let start = WallTime(seconds: 1_795_161_600)
    // The longest ones, and a short one behind them that has no room either.
    let entries = (0...count).map { index -> JSONValue in
      let bytes = index == count ? 11 : MarkupLimits.bytesMax
      return [
        "date": .string(start.advanced(bySeconds: Int64(index)).rfc3339), "content": ["text": "a"],
        "view": .string(div(bytes: bytes)),
      ]
    }
    let read = try Timeline.read(["entries": .array(entries)]).get()
    #expect(read.timeline.viewBytes == Limits.timelineViewBytesMax)
    #expect(read.timeline.entries.last?.view == nil)
    #expect(read.viewWarnings.count == 1)
    #expect(read.viewWarnings[0].hasPrefix("entries[32].view is left out: the views of a timeline"))
  }

  @Test func `the deepest and the widest markup of 64 KiB is refused, not fatal`() throws {
    func nested(_ count: Int) -> JSONValue {
      .string(String(repeating: "<div>", count: count) + String(repeating: "</div>", count: count))
    }
    let deep = try read(nested(MarkupLimits.bytesMax / 11), nested(MarkupLimits.depthMax))
    #expect(deep.timeline.entries.map { $0.view == nil } == [true, false])
    #expect(deep.viewWarnings[0].contains("the view is deeper than 256 elements"))
    let wide = try read(
      .string("<div>\(String(repeating: "<a></a>", count: MarkupLimits.bytesMax / 7 - 2))</div>"))
    #expect(wide.viewWarnings[0].contains("the view has more than 4096 elements"))
  }

  @Test func `the views of all widgets have a limit, and the content stays beyond it`() throws {
    var driver = EngineDriver()
    let count = Limits.viewBytesMax / Limits.timelineViewBytesMax
    let start = WallTime(seconds: 1_795_161_600)
    let view = JSONValue.string(div(bytes: MarkupLimits.bytesMax))
    let each = Limits.timelineViewBytesMax / MarkupLimits.bytesMax
    let entries = (0..<each).map { index -> JSONValue in
      [
        "date": .string(start.advanced(bySeconds: Int64(index) * 60).rfc3339),
        "content": ["text": "a"], "view": view,
      ]
    }
    let answer = JSONValue.object(["entries": .array(entries), "policy": "never"]).serialized
    _ = driver.setKinds((0...count).map { EngineDriver.kind("kind\($0)") })
    for number in 0...count {
      _ = try driver.place("kind\(number)", id: "w\(number)")
      _ = driver.answer(UInt64(number) + 1, answer)
    }
    let last = try #require(
      driver.engine.widgets["w\(count)"].flatMap { driver.engine.timelines[$0.timelineKey] })
    #expect(last.timeline?.viewBytes == 0)
    #expect(driver.text("w\(count)") == "a")
    #expect(
      driver.notes.compactMap { $0.fields["warning"]?.stringValue } == [
        "32 views are left out: those of all widgets have at most 33554432 bytes"
      ])
    // The room of another widget that has fewer is free again.
    _ = try driver.reload("w0", .reload)
    _ = driver.answer(UInt64(count) + 2)
    _ = try driver.push("w0", #"{"entries":[{"date":"2026-11-20T08:00:00Z","content":{}}]}"#)
    _ = try driver.reload("w\(count)", .reload)
    _ = driver.answer(UInt64(count) + 3, answer)
    #expect(
      driver.engine.timelines[last.key]?.timeline?.viewBytes == Limits.timelineViewBytesMax)
  }

  // MARK: The engine

  private func timeline(_ view: String, date: String = "08:00:00") -> String {
    #"{"entries":[{"date":"2026-11-20T\#(date)Z","content":{"text":"a"},"view":\#(JSONValue.string(view).serialized)}],"policy":"never"}"#
  }

  private func view(_ driver: EngineDriver, wants: Bool = true) -> JSONValue? {
    driver.engine.view(of: "w", at: driver.now.wall, omitting: wants ? [] : .view)?["entry"]?[
      "view"]
  }

  @Test func `a change of the view alone is a change, and none is none`() throws {
    var kind = EngineDriver.kind("clock")
    kind.reload.unchangedIsFree = true
    var driver = EngineDriver(kinds: [kind])
    _ = try driver.place("clock", id: "w")
    #expect(driver.answer(1, timeline("<div>1</div>")).contains("changed w"))
    #expect(view(driver) == "<div>1</div>")
    let revision = driver.view("w")["revision"]
    _ = try driver.reload("w", .reload)
    // Written otherwise, and read as the same.
    #expect(!driver.answer(2, timeline("<div style=\"\">1</div>")).contains("changed w"))
    #expect(driver.notes.last?.fields["unchanged"] == true)
    #expect(driver.view("w")["revision"] == revision, "a tap means the same")
    _ = try driver.reload("w", .reload)
    #expect(driver.answer(3, timeline("<div>2</div>")).contains("changed w"))
    #expect(driver.notes.last?.fields["unchanged"] == false)
    #expect(driver.view("w")["revision"] != revision)
    _ = try driver.reload("w", .reload)
    #expect(driver.answer(4, #"{"result":"noData"}"#).contains("changed w") == false)
    #expect(view(driver) == "<div>2</div>", "nothing new keeps it")
  }

  @Test func `only who wants it is told the view, and a new process has it`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock", id: "w")
    _ = driver.answer(1, timeline("<div>1</div>"))
    #expect(view(driver, wants: false) == nil)
    #expect(driver.view("w")["entry"]?["view"] == nil, "nor a client that asks for a widget")
    let all = try JSONValue(parsing: driver.engine.timelineView(of: "w", at: driver.now.wall))
    #expect(all["entries"]?.arrayValue?.first?["content"] != nil)
    #expect(all["entries"]?.arrayValue?.first?["view"] == nil)
    let next = try driver.restarted(kinds: [EngineDriver.kind("clock")])
    #expect(view(next) == "<div>1</div>")
  }

  @Test func `a kind with view html asks for views, and others do not`() throws {
    var drawn = EngineDriver.kind("drawn")
    drawn.wantsView = true
    var driver = EngineDriver(kinds: [EngineDriver.kind("plain"), drawn])
    _ = try driver.place("plain")
    #expect(try JSONValue(parsing: #require(driver.runs.first).request)["view"] == nil)
    _ = try driver.place("drawn")
    #expect(try JSONValue(parsing: #require(driver.runs.first).request)["view"] == "html")
  }

  @Test func `a preview has no view`() throws {
    let answer = #"{"content":{"title":"a"},"view":"<div>1</div>"}"#
    let read = PreviewAnswer.read(Array(answer.utf8), at: WallTime(seconds: 0))
    #expect(try read.get() == ["title": "a"])
  }

  @Test func `a view inside of the content is told where it belongs`() throws {
    let answer = try JSONValue(
      parsing:
        #"{"entries":[{"date":"2026-11-20T08:00:00Z","content":{"title":"a","view":"<div></div>"}}],"policy":"never"}"#
    )
    let read = try ProviderAnswer.read(answer).get()
    let said = AnswerReview.warnings(
      on: answer, read: read, arrivedAt: WallTime(seconds: 1_795_161_600))
    #expect(
      said == [
        "entries[0].content.view is ignored: it belongs beside the content, into the entry"
      ])
  }
}
