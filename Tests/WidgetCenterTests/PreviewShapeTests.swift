import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Shapes of widgets, which have no data in them, and the reader of previews.
struct PreviewShapeTests {
  private static let now = WallTime(seconds: 1_795_161_600)

  @Test func `a shape has the lengths of the texts and nothing else of them`() {
    let content: JSONObject = [
      "title": "Account 4711", "subtitle": ["runs": [["text": "due "], ["text": "now"]]],
      "text": ["one", ["date": "2026-11-20T21:00:00Z", "style": "relative"]],
      "short": "4711", "symbol": "banknote", "icon": "money", "color": "#ff0000",
      "percentage": 42, "urgent": true, "tooltip": "secret", "class": ["debt"],
      "image": "sha256-0", "x-own": "secret", "action": ["url": "bank://4711"],
      "items": [
        ["text": "to Alice", "url": "bank://alice", "badge": "3"], ["separator": true],
        ["icon": "mail", "items": [["text": "below"]]], ["text": "the fourth"],
      ],
    ]
    #expect(
      PreviewShape.redacting(content) == [
        "title": "░░░░░░░░░░░░", "subtitle": "░░░░░░", "text": ["░░░", "░░░░░░"], "short": "░░░",
        "items": [["text": "░░░░░░"], ["separator": true], ["text": "░░░░░░"]],
      ])
  }

  @Test(arguments: [
    (1, 3), (4, 3), (5, 6), (8, 6), (9, 12), (16, 12), (17, 20), (32, 20), (33, 28),
  ])
  func `texts have the lengths of classes`(length: Int, blocks: Int) {
    let text = String(repeating: "é", count: length)
    #expect(
      PreviewShape.redacting(["title": .string(text)])
        == ["title": .string(String(repeating: "░", count: blocks))])
  }

  @Test func `values of a wrong form have a shape, too`() {
    let content: JSONObject = [
      "title": 4711, "text": [], "short": .null, "subtitle": "", "items": ["not an item", 7],
      "titles": "x",
    ]
    #expect(
      PreviewShape.redacting(content)
        == ["title": "░░░░░░", "items": [["text": "░░░░░░"], ["text": "░░░░░░"]]])
  }

  @Test(arguments: WidgetFamily.allCases)
  func `each family has a shape of its own`(family: WidgetFamily) {
    let shape = PreviewShape.generic(family)
    #expect(!shape.members.isEmpty)
    // It is a shape already: redacted again, it has the same keys.
    #expect(PreviewShape.redacting(shape).members.map(\.key) == shape.members.map(\.key))
  }

  private func read(_ text: String) -> Result<JSONObject, PreviewAnswer.Problem> {
    PreviewAnswer.read(Array(text.utf8), at: Self.now)
  }

  @Test func `an answer is one entry, or a timeline of which the entry of now is meant`() {
    #expect(read(#"{"content":{"title":"a"}}"#) == .success(["title": "a"]))
    #expect(
      read(#"{"date":"2020-01-01T00:00:00Z","content":{"title":"a"}}"#) == .success(["title": "a"]))
    #expect(
      read(
        #"""
        {"entries":[{"date":"2026-11-20T07:00:00Z","content":{"title":"past"}},
        {"date":"2026-11-20T08:00:00Z","content":{"title":"now"}},
        {"date":"2026-11-20T09:00:00Z","content":{"title":"later"}}]}
        """#) == .success(["title": "now"]))
    #expect(
      read(#"{"entries":[{"date":"2026-11-20T09:00:00Z","content":{"title":"later"}}]}"#)
        == .success(["title": "later"]))
  }

  @Test func `a preview has no acts and no pictures, which need a placed widget`() {
    let answer =
      #"{"content":{"title":"a","action":{"url":"x:y"},"clicks":{"3":{"refresh":true}},"image":"h","items":[{"text":"b","url":"x:z","refresh":true,"items":[{"text":"c","action":{}}]}]}}"#
    #expect(
      read(answer)
        == .success(["title": "a", "items": [["text": "b", "items": [["text": "c"]]]]]))
  }

  @Test(arguments: [
    ("", "empty"), ("[]", "an array"), (#"{"title":"a"}"#, "entries"),
    (#"{"entries":[]}"#, "no entry"),
    (#"{"content":7}"#, "content is a number"), (#"{"content":{},"date":"soon"}"#, "RFC 3339"),
    (#"{"result":"failed","reason":"no account"}"#, "no account"),
    (#"{"result":"noData"}"#, "nothing is new"),
    (#"{"content":{"action":{"exec":["rm"]}}}"#, "only a plugin"),
  ])
  func `a wrong answer is told with its mistake`(answer: String, words: String) throws {
    guard case .failure(let problem) = read(answer) else {
      Issue.record("\(answer) was taken")
      return
    }
    #expect(problem.message.contains(words), "\(problem.message)")
  }

  @Test func `a preview has a limit of bytes`() {
    func answer(_ count: Int) -> String {
      #"{"content":{"text":"\#(String(repeating: "a", count: count))"}}"#
    }
    if case .failure(let problem) = read(answer(Limits.previewBytesMax - 100)) {
      Issue.record("\(problem.message)")
    }
    guard case .failure(let problem) = read(answer(Limits.previewBytesMax)) else {
      Issue.record("a long preview was taken")
      return
    }
    #expect(problem.message.contains("\(Limits.previewBytesMax) bytes"))
  }
}
