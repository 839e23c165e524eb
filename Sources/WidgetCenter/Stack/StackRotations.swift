import JSON
import Timekeeping

/// The widget on top of each stack, and the moment of the next look at a visible stack.
struct StackRotations: Sendable {
  /// The tops, by the families of the stack; the key "" is the stack of all families.
  private var tops: [String: StackRotation] = [:] {
    didSet { isUnsaid = true }
  }
  /// Whether the tops changed since `takeNews` last took them for the store.
  private var isUnsaid = false
  /// The moment of the next look at the order; `nil`: no stack is visible.
  private(set) var nextTick: WallTime?

  /// The top of a stack; `nil` when nobody has looked at it.
  subscript(stack: String) -> StackRotation? { tops[stack] }

  /// Puts a widget on top of a stack; one stack more than `Limits.rotationCountMax` forgets the
  /// others.
  mutating func put(_ id: String, onTopOf stack: String, at now: WallTime) {
    if let known = tops[stack] {
      guard known.top != id else { return }
    } else if tops.count >= Limits.rotationCountMax {
      tops = [:]
    }
    tops[stack] = StackRotation(top: id, since: now)
  }

  /// Forgets the stacks whose top is a widget that is gone.
  mutating func forget(_ id: String) {
    guard tops.values.contains(where: { $0.top == id }) else { return }
    tops = tops.filter { $0.value.top != id }
  }

  mutating func forgetAll() { tops = [:] }

  /// Starts or stops the looks at the order, one in each `Limits.rotationTick`.
  mutating func setVisible(_ isVisible: Bool, at now: WallTime) {
    guard isVisible != (nextTick != nil) else { return }
    nextTick = isVisible ? now.advanced(byMilliseconds: Limits.rotationTick) : nil
  }

  /// Plans the next tick if the last one is due; `false` when it is not.
  mutating func popTick(at now: WallTime) -> Bool {
    guard let tick = nextTick, tick <= now else { return false }
    nextTick = now.advanced(byMilliseconds: Limits.rotationTick)
    return true
  }

  /// Brings a tick that a clock ahead of `now` planned back to where this clock puts it.
  mutating func clockChanged(at now: WallTime) {
    nextTick = nextTick.map { min($0, now.advanced(byMilliseconds: Limits.rotationTick)) }
  }

  // MARK: What the store keeps

  var json: JSONValue {
    .object(
      JSONObject(tops.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: $0.value.json) }))
  }

  /// The record, if it changed since it was last taken.
  mutating func takeNews() -> JSONValue? {
    guard isUnsaid else { return nil }
    isUnsaid = false
    return json
  }

  /// Takes what the store kept; `false`, and nothing taken, when it cannot be read.
  ///
  /// Of more than `Limits.rotationCountMax` stacks it takes those whose top changed last.
  mutating func restore(_ value: JSONValue) -> Bool {
    guard let members = value.objectValue?.members else { return false }
    var found: [(stack: String, rotation: StackRotation)] = []
    for member in members {
      guard let rotation = StackRotation(member.value) else { return false }
      found.append((member.key, rotation))
    }
    let isTooMuch = found.count > Limits.rotationCountMax
    if isTooMuch {
      found.sort { ($1.rotation.since, $0.stack) < ($0.rotation.since, $1.stack) }
      found.removeSubrange(Limits.rotationCountMax...)
    }
    tops = Dictionary(found.map { ($0.stack, $0.rotation) }, uniquingKeysWith: { $1 })
    // The store has the same already, or more.
    isUnsaid = isTooMuch
    return true
  }
}
