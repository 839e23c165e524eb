import JSON
import Testing
import Timekeeping

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

  @Test(arguments: ["nextReload", "held", "revision"])
  func `a plan or a number that changed while nobody was connected is no line`(member: String) {
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

  // MARK: Ticks

  private func renderer(_ time: String) throws -> Renderer {
    let now = try #require(WallTime(rfc3339: "2026-11-21T\(time)Z"))
    return Renderer(style: .plain, now: now, zoneOffset: { _ in 0 })
  }

  private func dated(_ id: String, _ texts: JSONValue) -> JSONValue {
    ["id": .string(id), "entry": ["date": "2026-11-21T12:00:00Z", "content": ["text": texts]]]
  }

  private static let noon: JSONValue = ["date": "2026-11-21T12:00:00Z", "style": "relative"]

  @Test func `a live date is text, and a line when it reads differently`() throws {
    var ticks = FollowTicks()
    let line = dated("a", [Self.noon, "noon"])
    #expect(
      try ticks.take([line, widget("b", "1")], renderer("12:00:58.200"))
        == [dated("a", ["58 s ago", "noon"]), widget("b", "1")])
    let now = try renderer("12:00:58.200").now
    #expect(try ticks.nextChange(after: now) == renderer("12:00:59").now)
    #expect(try ticks.tick(renderer("12:00:58.900")) == [])
    #expect(try ticks.tick(renderer("12:00:59")) == [dated("a", ["59 s ago", "noon"])])
    #expect(try ticks.tick(renderer("12:01:00")) == [dated("a", ["1 min ago", "noon"])])
    #expect(try ticks.nextChange(after: renderer("12:01:00").now) == renderer("12:02:00").now)
    #expect(try ticks.tick(renderer("12:01:59.999")) == [])
  }

  @Test func `a widget that is gone, or has no date any more, does not tick`() throws {
    var ticks = FollowTicks()
    _ = try ticks.take([dated("a", Self.noon), dated("b", Self.noon)], renderer("13:00:00"))
    let removal: JSONValue = ["id": "a", "removed": true]
    #expect(
      try ticks.take([removal, widget("b", "1")], renderer("13:00:00"))
        == [removal, widget("b", "1")])
    #expect(try ticks.tick(renderer("14:00:00")) == [])
    #expect(try ticks.nextChange(after: renderer("14:00:00").now) == nil)
  }

  @Test func `a stack ticks as one line, and other objects with a date stay`() throws {
    var ticks = FollowTicks()
    let other: JSONValue = ["date": "2026-11-21T12:00:00Z", "x-mine": 1]
    func stack(_ text: JSONValue) -> JSONValue {
      ["stack": ["a", "b"], "widgets": [dated("a", text), dated("b", [other])]]
    }
    #expect(try ticks.take([stack(Self.noon)], renderer("12:30:00")) == [stack("30 min ago")])
    #expect(try ticks.tick(renderer("12:31:00")) == [stack("31 min ago")])
    // The same line without a date is told once, and ticks no more.
    #expect(try ticks.take([stack("-")], renderer("12:31:00")) == [stack("-")])
    #expect(try ticks.tick(renderer("12:32:00")) == [])
  }
}
