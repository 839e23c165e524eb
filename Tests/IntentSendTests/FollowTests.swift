import JSON
import Testing

@testable import intent_send

struct FollowTests {
  private func widget(_ id: String, _ text: String) -> JSONValue {
    ["id": .string(id), "entry": ["content": ["text": .string(text)]]]
  }

  @Test func `each widget that changed is a line`() {
    var lines = FollowLines(isStack: false)
    #expect(
      lines.attached(["surface": "s1", "widgets": [widget("a", "1"), widget("b", "1")]])
        == [widget("a", "1"), widget("b", "1")])
    #expect(lines.updated(["surface": "s1", "widgets": [widget("b", "2")]]) == [widget("b", "2")])
    #expect(lines.updated(["surface": "s1", "widgets": [widget("b", "2")]]) == [])
    #expect(
      lines.updated(["surface": "s1", "widgets": [], "removed": ["a", "unknown"]])
        == [["id": "a", "removed": true]])
    #expect(lines.updated(["surface": "s1", "widgets": [widget("a", "1")]]) == [widget("a", "1")])
  }

  @Test func `after a restart only the difference is printed`() {
    var lines = FollowLines(isStack: false)
    _ = lines.attached(["widgets": [widget("a", "1"), widget("b", "1")]])
    #expect(lines.attached(["widgets": [widget("a", "1"), widget("b", "1")]]) == [])
    #expect(
      lines.attached(["widgets": [widget("b", "2")]])
        == [["id": "a", "removed": true], widget("b", "2")])
  }

  @Test func `a stack's line is the whole stack, in order`() {
    var lines = FollowLines(isStack: true)
    let first = lines.attached([
      "widgets": [widget("a", "1"), widget("b", "1")], "stack": ["b", "a"],
    ])
    #expect(first == [["stack": ["b", "a"], "widgets": [widget("b", "1"), widget("a", "1")]]])
    // Another order without another widget, another widget without another order.
    #expect(
      lines.updated(["widgets": [], "stack": ["a", "b"]])
        == [["stack": ["a", "b"], "widgets": [widget("a", "1"), widget("b", "1")]]])
    #expect(
      lines.updated(["widgets": [widget("b", "2")]])
        == [["stack": ["a", "b"], "widgets": [widget("a", "1"), widget("b", "2")]]])
    #expect(
      lines.updated(["widgets": [], "removed": ["a"], "stack": ["b"]])
        == [["stack": ["b"], "widgets": [widget("b", "2")]]])
    #expect(lines.updated(["widgets": [], "stack": ["b"]]) == [])
  }
}
