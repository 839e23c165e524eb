import JSON
import Testing
import WebPages

/// Tests the words with which the page answers an act: those of programs, which may say anything.
@Suite struct PageWordsTests {
  @Test func `words of programs are one clean line each, and nothing else is told`() {
    let answer: JSONValue = [
      "opened": "intent", "intent": ["name": "AddOne"], "widgets": [],
      "performed": [
        "kind": "k", "state": "done", "dialog": "It is \u{202E}5\u{1B}[31m.\nDo it?", "value": 5,
        "next": [["state": "failed", "dialog": "no", "message": "too often"], ["state": "sent"]],
      ],
    ]
    #expect(PageWords.of(answer) == ["said": ["It is 5\\x1B[31m. Do it?", "too often"]])
    #expect(PageWords.of(["opened": "nothing"]) == [:])
  }

  @Test func `a question is a clean line, with the token that answers it`() {
    let answer: JSONValue = [
      "needs": ["prompt": "Lock (door 'a\u{200F}b')?", "token": "47-1", "choices": []]
    ]
    #expect(PageWords.of(answer) == ["question": ["prompt": "Lock (door 'ab')?", "token": "47-1"]])
  }

  @Test func `words are bounded, in characters and in their marks`() {
    let long = String(repeating: "ä", count: 3_000)
    #expect(PageWords.line(long).count == 2_000)
    #expect(PageWords.line(long).hasSuffix("ä…"))
    let marks = "a" + String(repeating: "\u{301}", count: 100_000)
    #expect(PageWords.line(marks).unicodeScalars.count < 10)
  }
}
