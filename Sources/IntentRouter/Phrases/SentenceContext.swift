// The context of a sentence — the room it was said in, the thing that a name in it stands for —
// and the conditions that a block of sentences puts on it.

import JSON

/// `requires_context` or `excludes_context` of one key.
struct ContextCondition: Hashable, Sendable {
  var key: String
  /// `nil`: any value.
  var values: [JSONValue]?
  /// The slot that the actual value is copied to.
  var slot: String?

  /// A scalar, a list of scalars, `null`, or a map with `value` and `slot`.
  init(key: String, _ json: JSONValue) {
    self.key = key
    var value = json
    if case .object(let object) = json {
      value = object["value"] ?? .null
      switch object["slot"] {
      case .bool(true)?: slot = key
      case .string(let name)?: slot = name
      default: slot = nil
      }
    }
    switch value {
    case .null: values = nil
    case .array(let elements): values = elements
    case .bool, .int, .double, .string, .object: values = [value]
    }
  }

  private func names(_ actual: JSONValue) -> Bool {
    values?.contains { isSame($0, actual) } ?? false
  }

  /// Whether a required key may have this value.
  func allows(_ actual: JSONValue) -> Bool { values == nil ? !actual.isNull : names(actual) }

  /// Whether an excluded key must not have this value.
  func forbids(_ actual: JSONValue) -> Bool { values == nil ? actual.isNull : names(actual) }
}

/// Equal, with numbers compared as numbers.
func isSame(_ a: JSONValue, _ b: JSONValue) -> Bool {
  if let first = a.doubleValue, let second = b.doubleValue { return first == second }
  return a == b
}

/// Returns a context's value without its text: for `{value: …, text: …}` the value.
func plainValue(_ value: JSONValue) -> JSONValue {
  guard case .object(let object) = value, let inner = object["value"] else { return value }
  return inner
}

/// The conditions of a block.
struct ContextConditions: Hashable, Sendable {
  var required: [ContextCondition] = []
  var excluded: [ContextCondition] = []

  var isEmpty: Bool { required.isEmpty && excluded.isEmpty }

  /// Whether a context contradicts no condition.
  ///
  /// A key that is not there contradicts nothing.
  func admit(_ context: [String: JSONValue]) -> Bool {
    for condition in required {
      if let actual = context[condition.key], !condition.allows(plainValue(actual)) { return false }
    }
    for condition in excluded {
      if let actual = context[condition.key], condition.forbids(plainValue(actual)) { return false }
    }
    return true
  }

  /// Whether a context meets every condition.
  func hold(in context: [String: JSONValue]) -> Bool {
    for condition in required {
      guard let actual = context[condition.key], condition.allows(plainValue(actual)) else {
        return false
      }
    }
    for condition in excluded {
      if let actual = context[condition.key], condition.forbids(plainValue(actual)) { return false }
    }
    return true
  }

  /// Returns the slots that the conditions copy from a context that meets them, in order.
  func entities(from context: [String: JSONValue]) -> [SentenceMatch.Entity] {
    var entities: [SentenceMatch.Entity] = []
    for condition in required {
      guard let slot = condition.slot, let actual = context[condition.key] else { continue }
      let value = plainValue(actual)
      var entity = SentenceMatch.Entity(name: slot, value: value, text: value.stringValue ?? "")
      if case .object(let object) = actual {
        entity.text = object["text"]?.stringValue ?? entity.text
        entity.metadata = object["metadata"]
      }
      entities.append(entity)
    }
    return entities
  }
}
