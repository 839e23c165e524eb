import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// The tops of stacks: how many are remembered, what the store keeps, and the looks at the order.
struct StackRotationsTests {
  private static let now = WallTime(seconds: 1_795_161_600)

  /// Makes the record of so many stacks; the top of each changed a second after that of the one
  /// before.
  private func record(_ count: Int) -> JSONValue {
    .object(
      JSONObject(
        (0..<count).map { number in
          .init(
            key: "stack \(number)",
            value: StackRotation(
              top: "w\(number)", since: Self.now.advanced(bySeconds: Int64(number))
            ).json)
        }))
  }

  /// Makes a part that remembers so many stacks.
  private func rotations(_ count: Int) -> StackRotations {
    var rotations = StackRotations()
    for number in 0..<count {
      rotations.put("w\(number)", onTopOf: "stack \(number)", at: Self.now)
    }
    return rotations
  }

  private func count(_ rotations: StackRotations) -> Int? {
    rotations.json.objectValue?.members.count
  }

  @Test func `as many stacks are remembered as the limit says, and one more begins anew`() {
    var rotations = rotations(Limits.rotationCountMax)
    #expect(count(rotations) == Limits.rotationCountMax)
    rotations.put("other", onTopOf: "stack 0", at: Self.now)
    #expect(count(rotations) == Limits.rotationCountMax, "another top is no other stack")
    #expect(rotations["stack 0"]?.top == "other")
    rotations.put("w", onTopOf: "one more", at: Self.now)
    #expect(count(rotations) == 1)
    #expect(rotations["one more"] == StackRotation(top: "w", since: Self.now))
  }

  @Test func `the store gives back as many stacks as the limit says, the latest ones`() {
    var rotations = StackRotations()
    #expect(rotations.restore(record(Limits.rotationCountMax)) == true)
    #expect(rotations.json == record(Limits.rotationCountMax).sorted)
    #expect(rotations.takeNews() == nil, "the store has it already")

    #expect(rotations.restore(record(Limits.rotationCountMax + 3)) == true)
    #expect(count(rotations) == Limits.rotationCountMax)
    #expect(rotations["stack 2"] == nil)
    #expect(rotations["stack 3"]?.top == "w3")
    #expect(rotations.takeNews() == rotations.json, "the store has more")
  }

  @Test func `a record that cannot be read changes nothing`() {
    var rotations = rotations(1)
    let half: JSONValue = ["a": ["top": "w", "since": "2026-11-20T08:00:00Z"], "b": 7]
    #expect(rotations.restore(half) == false)
    #expect(rotations.restore("nonsense") == false)
    #expect(rotations.json == ["stack 0": ["top": "w0", "since": "2026-11-20T08:00:00Z"]])
  }

  @Test func `a top stays since it came, and goes with its widget`() {
    var rotations = rotations(2)
    #expect(rotations.takeNews() != nil)
    rotations.put("w0", onTopOf: "stack 0", at: Self.now.advanced(bySeconds: 60))
    #expect(rotations["stack 0"]?.since == Self.now)
    rotations.forget("unknown")
    #expect(rotations.takeNews() == nil)
    rotations.forget("w0")
    #expect(rotations["stack 0"] == nil)
    #expect(rotations["stack 1"]?.top == "w1")
    #expect(rotations.takeNews() == rotations.json)
  }

  @Test func `a visible stack is looked at once in each tick`() {
    var rotations = StackRotations()
    #expect(rotations.popTick(at: Self.now) == false)
    rotations.setVisible(true, at: Self.now)
    let first = Self.now.advanced(byMilliseconds: Limits.rotationTick)
    rotations.setVisible(true, at: Self.now.advanced(bySeconds: 7))
    #expect(rotations.nextTick == first, "visible already")
    #expect(rotations.popTick(at: first.advanced(byMilliseconds: -1)) == false)
    #expect(rotations.popTick(at: first) == true)
    #expect(rotations.nextTick == first.advanced(byMilliseconds: Limits.rotationTick))
    // The clock is set back by a day.
    let before = Self.now.advanced(bySeconds: -86_400)
    rotations.clockChanged(at: before)
    #expect(rotations.nextTick == before.advanced(byMilliseconds: Limits.rotationTick))
    rotations.setVisible(false, at: before)
    #expect(rotations.nextTick == nil)
  }
}

extension JSONValue {
  /// The object with its members by name.
  fileprivate var sorted: JSONValue {
    .object(JSONObject((objectValue?.members ?? []).sorted { $0.key < $1.key }))
  }
}
