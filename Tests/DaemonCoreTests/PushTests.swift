import JSON
import Testing

@testable import DaemonCore

/// Tests what a producer is told that hands over a timeline.
@Suite struct PushTests {
  /// Pushes entries with this content and date, at 08:00, and returns the warnings.
  private func warnings(_ entries: String) throws -> [String] {
    var harness = Harness(provider: Harness.texts)
    let app = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "clock"], from: app)
    let timeline = try JSONValue(parsing: #"{"entries":\#(entries),"policy":"never"}"#)
    let answer = try harness.call("widget.push", ["id": "clock", "timeline": timeline], from: app)
    #expect(answer["receipt"]?["state"] == "done")
    return (answer["warnings"]?.arrayValue ?? []).compactMap(\.stringValue)
  }

  @Test func `a good timeline is taken without a word`() throws {
    #expect(
      try warnings(#"[{"date":"2026-11-20T08:00:00Z","content":{"title":"a"}}]"#) == [])
    // The widget shows something, so it may wait.
    #expect(
      try warnings(#"[{"date":"2026-11-20T12:00:00Z","content":{"title":"a"}}]"#) == [])
  }

  @Test func `what nobody can show is told`() throws {
    #expect(
      try warnings(
        #"[{"date":"2026-11-20T08:00:00Z","content":{"titel":"x","title":5,"text":{"a":1}}}]"#)
        == [
          "entries[0].content.titel is no key of content and is ignored; did you mean 'title'?",
          #"entries[0].content.title is 5; expected a text, or a live date such as {"date":"2026-11-20T21:00:00Z","style":"relative"}; did you mean "5"?"#,
          "entries[0].content.text.a is no key of a live date and is ignored; a live date has date, style",
          "entries[0].content.text.date is missing; expected an RFC 3339 date such as 2026-11-20T21:00:00Z",
          "entries[0].content.text.style is missing; expected one of relative, timer, offset",
        ])
    #expect(try warnings("[]") == ["the timeline has no entries: what was shown before stays"])
  }

  @Test func `what is no timeline is refused with the line to write`() throws {
    var harness = Harness(provider: Harness.texts)
    let app = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "clock"], from: app)
    let error = try harness.call(
      "widget.push", ["id": "clock", "timeline": ["text": "42%"]], from: app)
    #expect(
      error["message"]
        == #"the timeline was not taken: entries is missing; expected a list of entries; print a line such as {"entries":[{"date":"2026-11-20T08:00:00Z","content":{"text":"42%"}}],"policy":{"after":"2026-11-20T08:30:00Z"}}"#
    )
  }
}
