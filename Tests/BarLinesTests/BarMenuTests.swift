import BarLines
import JSON
import Testing

struct BarMenuTests {
  private static let items: JSONValue = [
    [
      "text": "Fonts",
      "items": [["text": "Large", "checked": true], ["separator": true], ["text": "Large"]],
    ],
    ["separator": true],
    ["text": ["two", "lines"], "badge": "3"],
    ["text": "Fonts"],
    ["text": "gone", "disabled": true, "items": [["text": "below"]]],
    ["text": ["date": "2026-11-20T08:05:00Z"]],
    ["text": ["runs": [["text": "a\n"], ["text": "b\u{0}icon\u{1F}x", "bold": true]]]],
    ["text": ""],
  ]

  @Test func `items become rows, each another line, with the path to the item`() {
    let menu = BarMenu(widget(["items": Self.items]), at: eight)
    #expect(
      menu.rows.map(\.line)
        == [
          "Fonts", "✓ Fonts › Large", "Fonts › Large", "two lines [3]", "Fonts (2)", "gone",
          "in 5 min", "a b\\x00icon\\x1Fx",
        ].map { $0 == "✓ Fonts › Large" ? "Fonts › ✓ Large" : $0 })
    #expect(menu.rows.map(\.path) == [[0], [0, 0], [0, 2], [2], [3], [4], [5], [6]])
    #expect(menu.rows.map(\.isEnabled) == [true, true, true, true, true, false, true, true])
  }

  @Test func `a choice leads back to its row`() {
    let menu = BarMenu(widget(["items": Self.items]), at: eight)
    #expect(menu.row(chosen: "Fonts › Large\n")?.path == [0, 2])
    #expect(menu.row(chosen: "Fonts (2)")?.path == [3])
    #expect(menu.row(chosen: "typed") == nil)
    #expect(menu.row(chosen: "") == nil)
  }

  @Test func `a menu keeps its limits`() {
    var deep: JSONValue = [["text": "end"]]
    for _ in 0..<20 { deep = [["text": "x", "items": deep]] }
    #expect(BarMenu(widget(["items": deep]), at: eight).rows.count == BarLimits.menuDepthMax)
    let many = JSONValue.array(
      Array(repeating: ["text": .string(String(repeating: "x", count: 999))], count: 999))
    let menu = BarMenu(widget(["items": many]), at: eight)
    #expect(menu.rows.count == BarLimits.menuRowCountMax)
    #expect(Set(menu.rows.map(\.line)).count == menu.rows.count)
    #expect(BarMenu(widget(["text": "no items"]), at: eight).rows.isEmpty)
    #expect(BarMenu(["id": "x"], at: eight).rows.isEmpty)
  }
}
