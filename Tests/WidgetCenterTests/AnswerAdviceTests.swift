import JSON
import Testing
import Timekeeping
import WidgetCenter

/// Tests what a program is told that printed something else than a timeline.
@Suite struct AnswerAdviceTests {
  private static let now = WallTime(rfc3339: "2026-11-20T21:00:00.250Z")

  private func said(of output: String) -> String {
    switch WidgetEngine.readAnswer(Array(output.utf8), at: Self.now) {
    case .success: "taken"
    case .failure(let failure): failure.message
    }
  }

  private static func line(_ content: String) -> String {
    #"{"entries":[{"date":"2026-11-20T21:00:00Z","content":\#(content)}],"policy":{"after":"2026-11-20T21:30:00Z"}}"#
  }

  /// Outputs as bars want them, and the content of the line that is proposed.
  static let outputs: [(String, String)] = [
    ("CPU 42%\n", #"{"text":"CPU 42%"}"#),
    ("\n07:25 up\n1 day\n", #"{"text":"07:25 up"}"#),
    ("", #"{"text":"42%"}"#),
    (#"{"text":"42%"}"#, #"{"text":"42%"}"#),
    (
      #"{"text":"42%","alt":"low","class":"low","percentage":42,"tooltip":"a\nb"}"#,
      #"{"text":"42%","class":["low"],"percentage":42,"tooltip":"a\nb"}"#
    ),
    (#"{"full_text":"42%","short_text":"4"}"#, #"{"text":"42%","short":"4"}"#),
    (#"[{"full_text":"42%"},{"full_text":"b"}]"#, #"{"text":"42%"}"#),
    ("42", #"{"text":"42"}"#),
    (#""hello""#, #"{"text":"hello"}"#),
  ]

  @Test(arguments: outputs)
  func `a bar's output is answered with the line to print`(output: String, content: String) throws {
    let line = Self.line(content)
    #expect(said(of: output).hasSuffix("print a line such as \(line)"), "\(said(of: output))")
    // The line is an answer without a mistake.
    let value = try JSONValue(parsing: line)
    let read = try Timeline.read(value).get()
    #expect(read.warnings == [])
    let now = try #require(Self.now)
    #expect(AnswerReview.warnings(on: value, read: read.timeline, arrivedAt: now) == [])
  }

  /// Outputs, and what is said of them before any example.
  static let mistakes: [(String, String)] = [
    ("CPU 42%", "it is not JSON but the text 'CPU 42%'"),
    (" \n", "it is empty: nothing was printed on standard output"),
    (
      "loading…\n{\"entries\":[]}",
      #"it is not JSON alone: 'loading…' stands before '{"entries":[]}'; what is not the answer belongs to standard error (>&2)"#
    ),
    (
      "{\"entries\":[]}\ndone",
      "it is not JSON alone: 'done' follows the answer; what is not the answer belongs to standard error (>&2)"
    ),
    (
      "{'entries': [{'date': None}]}",
      "it is not JSON but a Python value; print(json.dumps(answer)) writes JSON"
    ),
    (
      "{\"entries\": None}",
      "it is not JSON but a Python value; print(json.dumps(answer)) writes JSON"
    ),
    ("{\n\"entries\": [\n{]}", "it is not JSON: line 3: expected"),
    (
      #"{"entires":[]}"#,
      "entries is missing; expected a list of entries; did you mean it by 'entires'?"
    ),
    (
      #"{"entries":[{"date":"2026-11-20T21:00:00Z","title":"Up"}]}"#,
      #"entries[0].content is missing; expected an object such as {"title":"Up"}"#
    ),
    (
      #"{"entries":[],"policy":"atend"}"#,
      #"policy is "atend"; did you mean 'atEnd'?; expected "atEnd", "never" or {"after": date}"#
    ),
  ]

  @Test(arguments: mistakes)
  func `a mistake is named by what stands there`(output: String, sentence: String) {
    #expect(
      said(of: output).hasPrefix("the provider's answer cannot be used: \(sentence)"),
      "\(said(of: output))")
  }

  @Test func `a long output is quoted in part`() {
    let text = String(repeating: "abcdefghij", count: 20_000)
    #expect(said(of: text).utf8.count < 500)
    #expect(said(of: "{\"text\":\"\(text)\"}").utf8.count < 500)
  }
}
