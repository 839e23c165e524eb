import JSON
import Testing

@testable import intent_send

struct FollowTests {
  private func widget(_ id: String, _ text: String) -> JSONValue {
    ["id": .string(id), "entry": ["content": ["text": .string(text)]]]
  }

  @Test func `each changed widget is a line`() {
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

  @Test(arguments: ["nextReload", "held"])
  func `a plan that changed while nobody was connected is no line`(member: String) {
    func planned(_ text: String, _ plan: JSONValue?) -> JSONValue {
      guard var members = widget("a", text).objectValue else { return .null }
      members[member] = plan
      return .object(members)
    }
    var lines = FollowLines(isStack: false)
    #expect(lines.attached(["widgets": [planned("1", nil)]]) == [planned("1", nil)])
    #expect(lines.attached(["widgets": [planned("1", "then")]]) == [])
    #expect(lines.attached(["widgets": [planned("1", nil)]]) == [])
    // A line that is printed for another reason has the plan as it is now.
    #expect(lines.updated(["widgets": [planned("2", "then")]]) == [planned("2", "then")])

    var stack = FollowLines(isStack: true)
    _ = stack.attached(["widgets": [planned("1", nil)], "stack": ["a"]])
    #expect(stack.attached(["widgets": [planned("1", "then")], "stack": ["a"]]) == [])
    #expect(
      stack.updated(["widgets": [planned("2", "then")]])
        == [["stack": ["a"], "widgets": [planned("2", "then")]]])
  }

  @Test func `a stack's line is the whole stack, in order`() {
    var lines = FollowLines(isStack: true)
    let first = lines.attached([
      "widgets": [widget("a", "1"), widget("b", "1")], "stack": ["b", "a"],
    ])
    #expect(first == [["stack": ["b", "a"], "widgets": [widget("b", "1"), widget("a", "1")]]])
    // First the order changes and the widgets stay; then a widget changes and the order stays.
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
