import JSON
import PlainText
import Testing
import Timekeeping

@testable import intent_send

/// The screens of `intent-send watch`.
struct WatchFrameTests {
  private func model() throws -> WatchModel {
    var model = WatchModel()
    let answer = try GoldenTests.answer("stack")
    let ids = (answer["widgets"]?.arrayValue ?? []).compactMap { $0["id"] }
    model.attached(
      ["widgets": answer["widgets"] ?? [], "stack": .array(ids)],
      at: GoldenTests.renderer(80).now)
    return model
  }

  private func screen(_ model: WatchModel, _ columns: Int, _ rows: Int) -> [String] {
    var frame = WatchFrame()
    return frame.lines(model, GoldenTests.renderer(columns), rows: rows)
  }

  /// The screen without the inverse video of the selected line.
  private func text(_ lines: [String]) -> String {
    lines.map { $0.replacing(/\u{1B}\[[0-9]+m/, with: "").trimmingEnd + "\n" }.joined()
  }

  @Test func `screens look as in their file`() throws {
    var opened = try model()
    let now = GoldenTests.renderer(80).now
    for _ in 0..<2 { _ = opened.press(.down, page: 4, at: now) }
    _ = opened.press(.enter, page: 4, at: now)
    var waiting = opened
    waiting.lost(at: now)
    var told = try model()
    told.tell("weather: done", at: now)
    told.status(try GoldenTests.answer("status"))
    var help = told
    _ = help.press(.character("?"), page: 4, at: now)
    var empty = WatchModel()
    empty.attached(["widgets": [], "stack": []], at: now)
    var all = ""
    for (name, model) in [
      ("at first", try model()), ("opened", opened), ("waiting", waiting), ("a message", told),
      ("help", help), ("empty", empty),
    ] {
      for (columns, rows) in [(40, 12), (80, 24), (200, 40)] {
        all += "== \(name), \(columns) by \(rows) ==\n" + text(screen(model, columns, rows))
      }
    }
    try GoldenTests.compare(all, with: "watch")
  }

  @Test func `a page moves inside a widget that is longer than the screen`() throws {
    var model = WatchModel()
    let items = (0..<30).map { JSONValue.object(["text": .string("item \($0)")]) }
    let now = GoldenTests.renderer(80).now
    model.attached(
      [
        "widgets": [
          ["id": "long", "entry": ["content": ["items": .array(items)]]], ["id": "next"],
        ], "stack": ["long", "next"],
      ], at: now)
    var frame = WatchFrame()
    func shown() -> String {
      text(frame.lines(model, GoldenTests.renderer(80), rows: 12))
    }
    #expect(shown().contains("> long"))
    var pages = 0
    while frame.pageInside(forward: true), pages < 10 {
      pages += 1
      _ = shown()
    }
    // One line of the widget's name and 30 items, 10 lines in view of which a page keeps one.
    #expect(pages == 3)
    #expect(shown().contains("item 29") && !shown().contains("next"))
    while frame.pageInside(forward: false) { _ = shown() }
    #expect(shown().contains("> long"))
    // Another widget comes into view as always, and one that fits has no pages.
    _ = model.press(.down, page: 4, at: now)
    #expect(shown().contains("> next"))
    #expect(!frame.pageInside(forward: true) && !frame.pageInside(forward: false))
    _ = model.press(.up, page: 4, at: now)
    #expect(shown().contains("> long"))
  }

  @Test func `a screen has the terminal's size, however small`() throws {
    let model = try model()
    for columns in [1, 5, 20, 40, 80, 200] {
      for rows in [1, 2, 3, 10, 24, 100] {
        let lines = screen(model, columns, rows)
        #expect(lines.count == rows)
        // Below 20 columns the terminal cuts lines itself: it does not wrap them.
        guard columns >= 40 else { continue }
        for line in lines {
          #expect(displayWidth(line) <= columns, "\(columns)x\(rows): '\(line)'")
        }
      }
    }
  }

  @Test func `the selected widget is in view`() throws {
    var model = try model()
    var frame = WatchFrame()
    let renderer = GoldenTests.renderer(80)
    for key in Array(repeating: WatchKey.down, count: 9) + Array(repeating: .up, count: 9) {
      _ = model.press(key, page: 1, at: renderer.now)
      let lines = frame.lines(model, renderer, rows: 6)
      let selected = try #require(model.selected)
      #expect(lines.contains { $0.contains("> \(selected)") }, "\(selected): \(lines)")
    }
  }

  @Test func `only lines that changed are drawn, and a full line keeps its last column`() {
    var canvas = TerminalCanvas()
    #expect(
      canvas.draw(["ab", "abcd"], columns: 4).text
        == "\u{1B}[2J\u{1B}[1;1Hab\u{1B}[0m\u{1B}[K\u{1B}[2;1Habcd\u{1B}[0m")
    #expect(canvas.draw(["ab", "abcd"], columns: 4).text == "")
    #expect(canvas.draw(["ab", "x"], columns: 4).text == "\u{1B}[2;1Hx\u{1B}[0m\u{1B}[K")
    canvas.invalidate()
    #expect(canvas.draw(["ab"], columns: 4).text == "\u{1B}[2J\u{1B}[1;1Hab\u{1B}[0m\u{1B}[K")
  }
}
