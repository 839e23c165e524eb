import JSON
import Testing
import Timekeeping

@testable import intent_send

/// The state behind `intent-send watch`: messages and keys in, selection and actions out.
struct WatchModelTests {
  private let now = WallTime(milliseconds: 1_000_000)

  private func widget(_ id: String, _ text: String = "") -> JSONValue {
    ["id": .string(id), "entry": ["content": ["text": .string(text)]]]
  }

  private func attached(_ ids: String...) -> WatchModel {
    var model = WatchModel()
    model.attached(
      ["widgets": .array(ids.map { widget($0) }), "stack": .array(ids.map { .string($0) })],
      at: now)
    return model
  }

  @Test func `the widget on top is selected and open at first`() {
    let model = attached("a", "b", "c")
    #expect(model.order == ["a", "b", "c"])
    #expect(model.selected == "a")
    #expect(model.expanded == ["a"])
    #expect(model.message == nil)
    #expect(attached().selected == nil)
  }

  @Test func `keys move, open and close`() {
    var model = attached("a", "b", "c", "d")
    func press(_ keys: WatchKey...) {
      for key in keys { #expect(model.press(key, page: 2, at: now) == nil) }
    }
    press(.down)
    #expect(model.selected == "b")
    press(.character("j"), .down, .down)
    #expect(model.selected == "d")
    press(.pageUp)
    #expect(model.selected == "b")
    press(.up, .up, .character("G"))
    #expect(model.selected == "d")
    press(.home, .pageDown, .enter)
    #expect(model.selected == "c")
    #expect(model.expanded == ["a", "c"])
    press(.left)
    #expect(model.expanded == ["a"])
    press(.right, .character(" "), .character("x"))
    #expect(model.expanded == ["a"])
  }

  @Test func `keys ask for what they say`() {
    var model = attached("a", "b")
    _ = model.press(.down, page: 1, at: now)
    let asked: [(WatchKey, WatchModel.Action)] = [
      (.character("t"), .tap(id: "b", item: nil)), (.character("7"), .tap(id: "b", item: 7)),
      (.character("d"), .dismiss(id: "b")), (.character("r"), .reload(id: "b")),
      (.character("R"), .reloadAll), (.character("u"), .undo), (.character("q"), .quit),
      (.control("c"), .quit),
      (.control("z"), .suspend), (.control("l"), .redraw),
    ]
    for (key, action) in asked { #expect(model.press(key, page: 1, at: now) == action) }
    #expect(attached().expanded.isEmpty)
    var empty = attached()
    #expect(empty.press(.character("t"), page: 1, at: now) == nil)
  }

  @Test func `any key closes the help, and does nothing else`() {
    var model = attached("a")
    _ = model.press(.character("?"), page: 1, at: now)
    #expect(model.showsHelp)
    #expect(model.press(.character("d"), page: 1, at: now) == nil)
    #expect(!model.showsHelp)
    _ = model.press(.character("?"), page: 1, at: now)
    #expect(model.press(.character("q"), page: 1, at: now) == .quit)
  }

  @Test func `the selection stays on its widget when the order changes`() {
    var model = attached("a", "b", "c")
    _ = model.press(.down, page: 1, at: now)
    model.updated(["widgets": [widget("c", "new")], "stack": ["c", "b", "a"]])
    #expect(model.order == ["c", "b", "a"])
    #expect(model.selected == "b")
    #expect(model.widgets["c"] == widget("c", "new"))
    // The one that takes the place of a removed widget is selected.
    model.updated(["removed": ["b"], "stack": ["c", "a"]])
    #expect(model.selected == "a")
    model.updated(["removed": ["a", "c"], "stack": []])
    #expect(model.selected == nil)
    model.updated(["widgets": [widget("d")], "stack": ["d", "unknown"]])
    #expect(model.order == ["d"])
    #expect(model.selected == "d")
  }

  @Test func `without a daemon nothing is asked for, and its return is told`() {
    var model = attached("a", "b")
    _ = model.press(.down, page: 1, at: now)
    _ = model.press(.enter, page: 1, at: now)
    model.lost(at: now)
    let later = now.advanced(bySeconds: 9)
    model.lost(at: later)
    #expect(model.link == .waiting(since: now))
    #expect(model.press(.character("r"), page: 1, at: later) == nil)
    #expect(model.message?.isWarning == true)
    // The widgets stay on the screen until the next daemon sends its own.
    #expect(model.order == ["a", "b"])
    model.attached(["widgets": [widget("b")], "stack": ["b"]], at: later)
    #expect(model.link == .connected)
    #expect(model.selected == "b")
    #expect(model.expanded == ["b"])
    #expect(model.message?.text == "the daemon is back")
    model.advance(to: later.advanced(byMilliseconds: 5_999))
    #expect(model.message != nil)
    model.advance(to: later.advanced(byMilliseconds: 6_000))
    #expect(model.message == nil)
  }

  @Test func `a question about a link is answered by a key, until its time is over`() {
    var model = attached("a")
    #expect(model.press(.character("y"), page: 1, at: now) == nil, "nothing is asked")
    func question(_ token: String, _ seconds: Int64) -> JSONValue {
      [
        "token": .string(token), "prompt": "A link asks for: Lock. Do it?",
        "expires": .string(now.advanced(bySeconds: seconds).rfc3339),
      ]
    }
    model.asked(question("1", 300))
    model.asked(question("1", 300))
    model.asked(question("2", 10))
    model.asked(["prompt": "no token"])
    #expect(model.questions.map(\.token) == ["1", "2"])
    #expect(model.press(.character("d"), page: 1, at: now) == .dismiss(id: "a"))
    #expect(model.press(.character("n"), page: 1, at: now) == .answer(token: "1", isYes: false))
    #expect(model.press(.character("y"), page: 1, at: now) == .answer(token: "2", isYes: true))
    #expect(model.press(.character("y"), page: 1, at: now) == nil)
    model.asked(question("3", 10))
    model.advance(to: now.advanced(bySeconds: 9))
    #expect(model.questions.count == 1)
    model.advance(to: now.advanced(bySeconds: 10))
    #expect(model.questions.isEmpty)
    model.status(["questions": [question("4", 300)]])
    #expect(model.questions.map(\.token) == ["4"], "it was asked before")
    for number in 0..<20 { model.asked(question("\(number)", 300)) }
    #expect(model.questions.count == WatchModel.questionCountMax)
    #expect(model.questions.last?.token == "19")
    model.lost(at: now)
    #expect(model.questions.isEmpty, "the next daemon knows none of them")
  }

  // MARK: Keys

  private static let keys: [(bytes: String, keys: [WatchKey])] = [
    ("qt7", [.character("q"), .character("t"), .character("7")]), ("\r\n", [.enter, .enter]),
    ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
    ("\u{1B}OA\u{1B}OH\u{1B}OF", [.up, .home, .end]),
    (
      "\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~\u{1B}[5~\u{1B}[6~",
      [
        .home, .end, .home, .end, .pageUp, .pageDown,
      ]
    ),
    ("\u{3}\u{C}\u{1A}", [.control("c"), .control("l"), .control("z")]),
    // Keys that are not known, a mouse report, text beyond ASCII.
    ("\u{1B}[3~\u{1B}[1;5A\u{1B}[<0;1;2Mq", [.up, .character("q")]), ("ä北q", [.character("q")]),
    // ESC is a key of its own when another key follows at once.
    ("\u{1B}q", [.character("q")]),
  ]

  @Test(arguments: keys.indices) func `keys are read wherever their bytes are cut`(_ index: Int) {
    let example = Self.keys[index]
    let bytes = Array(example.bytes.utf8)
    for cut in 0...bytes.count {
      var reader = WatchKeyReader()
      let keys = reader.feed(bytes[..<cut]) + reader.feed(bytes[cut...])
      #expect(keys == example.keys, "cut at \(cut)")
      #expect(!reader.isWaiting)
    }
  }

  @Test func `an escape by itself ends with a pause`() {
    var reader = WatchKeyReader()
    #expect(reader.feed([0x1B]) == [])
    #expect(reader.isWaiting)
    #expect(reader.end() == .escape)
    #expect(!reader.isWaiting)
    #expect(reader.end() == nil)
    _ = reader.feed(Array("\u{1B}[1".utf8))
    #expect(reader.end() == nil)
    #expect(reader.feed([0x71]) == [.character("q")])
  }

  // MARK: Time

  private static let changes: [(date: String, style: String?, milliseconds: Int64?)] = [
    // 12:00:00.300 is the present.
    ("2026-11-21T12:00:10Z", "timer", 701), ("2026-11-21T11:59:50Z", "timer", 700),
    ("2026-11-21T14:00:00Z", "timer", 701), ("2026-11-21T12:00:30Z", "relative", 701),
    ("2026-11-21T12:05:00Z", "relative", 59_701), ("2026-11-21T11:55:00Z", "relative", 59_700),
    ("2026-11-21T10:30:00Z", "offset", 1_799_700), ("2026-11-19T12:00:00Z", nil, 86_399_700),
    ("no date", "timer", nil),
  ]

  @Test(arguments: changes.indices) func `a live date is drawn again when it changes`(_ index: Int)
  {
    let example = Self.changes[index]
    let now = WallTime(rfc3339: "2026-11-21T12:00:00.300Z") ?? WallTime(milliseconds: 0)
    var live: JSONObject = ["date": .string(example.date)]
    live["style"] = example.style.map { .string($0) }
    let widget: JSONValue = ["entry": ["content": ["items": [["text": .object(live)]]]]]
    let next = LiveDates.nextChange(in: [widget], after: now)
    #expect(next.map { $0.milliseconds(since: now) } == example.milliseconds)
    // The text is the same just before, and another at that moment.
    guard let next, example.style != nil else { return }
    func text(_ moment: WallTime) -> String {
      Renderer(style: .plain, now: moment, zoneOffset: { _ in 0 }).texts(.object(live)).joined()
    }
    #expect(text(next) != text(now), "\(text(now))")
    #expect(text(next.advanced(byMilliseconds: -1)) == text(now))
  }

  @Test func `without dates nothing has to be drawn again`() {
    #expect(LiveDates.nextChange(in: [widget("a"), .null], after: now) == nil)
  }
}
