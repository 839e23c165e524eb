import JSON
import Testing
import WebPages

/// Tests the stream of events, and the widgets on it.
@Suite struct EventLogTests {
  func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

  @Test func `a browser that comes back gets what it missed`() {
    var log = EventLog(epoch: 7)
    log.append("update", ["a": 1])
    log.append("update", ["b": "line\nbreak"])
    let first = "id: 7-1\nevent: update\ndata: {\"a\":1}\n\n"
    let second = "id: 7-2\nevent: update\ndata: {\"b\":\"line\\nbreak\"}\n\n"
    #expect(text(log.frames(after: EventID(epoch: 7, number: 0))) == first + second)
    #expect(text(log.frames(after: EventID(epoch: 7, number: 1))) == second)
    #expect(text(log.frames(after: log.lastID)) == "")
  }

  @Test func `a number of another start, or of the future, needs everything anew`() {
    var log = EventLog(epoch: 7)
    log.append("update", 1)
    #expect(log.frames(after: EventID(epoch: 6, number: 1)) == nil)
    #expect(log.frames(after: EventID(epoch: 7, number: 2)) == nil)
  }

  @Test func `the oldest events make room`() {
    var log = EventLog(epoch: 1)
    let large = JSONValue.string(String(repeating: "x", count: 300_000))
    for _ in 0..<5 { log.append("update", large) }
    #expect(log.frames(after: EventID(epoch: 1, number: 1)) == nil)
    #expect(log.frames(after: EventID(epoch: 1, number: 2))?.count ?? 0 > 900_000)
  }

  @Test(arguments: ["", "1", "1-", "-1", "1-2-3", "a-b", "1--2", "99999999999999999999-1", "1- 2"])
  func `a number that is none is not believed`(text: String) {
    #expect(EventID(text) == nil)
  }

  @Test func `a number is read as it was written`() {
    #expect(EventID(EventID(epoch: .max, number: .max).text)?.number == .max)
  }

  @Test func `a widget has only what the page shows, and clean`() {
    let widget: JSONValue = [
      "id": "w", "name": "W\u{202E}", "family": "unheard", "revision": 17, "stale": true,
      "error": "<b>\u{1B}", "secret": "x",
      "entry": [
        "url": "javascript:alert(1)",
        "content": [
          "title": "<script>alert(1)</script>", "color": "red;}</style>",
          "background": ["light": "#ffffff", "dark": "#000000"], "percentage": 140,
          "text": [["date": "2026-11-20T08:00:00Z", "style": "timer"], ["runs": [["text": "r"]]]],
          "image": ["hash": "../../x"], "x-own": "y", "view": "<img src=x>",
          "items": [["text": "a", "url": "file:///etc/passwd", "action": ["exec": ["sh"]]]],
        ],
      ],
    ]
    #expect(
      PageWidget.members(of: widget) == [
        "id": "w", "name": "W", "family": "systemMedium", "revision": 17, "stale": true,
        "suggestion": false,
        "content": [
          "title": ["<script>alert(1)</script>"],
          "text": [
            ["date": 1_795_161_600_000, "style": "timer"], ["runs": [["text": "r"]]],
          ],
          "background": ["light": "#ffffff", "dark": "#000000"],
          "items": [["text": ["a"]]],
        ],
        "error": "<b>\\x1B",
      ])
    #expect(PageWidget.members(of: ["name": "no id"]) == nil)
  }
}
