import Foundation
import JSON
import Testing

/// A JSON schema (draft 2020-12), as far as the project's schemas use the standard.
///
/// A keyword that is not known here is an issue of the test, so that no rule of a schema is passed
/// over in silence. `pattern` is read by Swift's regular expressions.
struct JSONSchema {
  private let root: JSONValue

  init(_ root: JSONValue) { self.root = root }

  /// Reads a schema of the project.
  init(project path: String) throws {
    let url = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: path)
    root = try JSONValue(parsing: [UInt8](Data(contentsOf: url)))
  }

  /// Returns the schema of one definition of this one.
  func definition(_ name: String) -> JSONValue? { root["$defs"]?[name] }

  /// The members that the schema describes.
  var properties: [JSONObject.Member] { root["properties"]?.objectValue?.members ?? [] }

  /// Returns the mistakes of a value, each with its place; none if it is valid.
  func mistakes(in value: JSONValue) -> [String] { Self.judge(value, root, root, at: "") }

  func isValid(_ value: JSONValue) -> Bool { mistakes(in: value).isEmpty }

  private static let notes: Set<String> = [
    "$schema", "$defs", "$comment", "title", "description",
  ]

  private static func judge(
    _ value: JSONValue, _ schema: JSONValue, _ root: JSONValue, at place: String
  ) -> [String] {
    if let always = schema.boolValue { return always ? [] : ["\(place): nothing may be here"] }
    var mistakes: [String] = []
    for member in schema.objectValue?.members ?? [] where !notes.contains(member.key) {
      mistakes += judge(value, member.key, member.value, schema, root, at: place)
    }
    return mistakes
  }

  private static func judge(
    _ value: JSONValue, _ keyword: String, _ rule: JSONValue, _ schema: JSONValue,
    _ root: JSONValue, at place: String
  ) -> [String] {
    func wrong(_ isWrong: Bool) -> [String] {
      isWrong ? ["\(place): \(value.serialized.prefix(60)) against \(keyword)"] : []
    }
    let text = value.stringValue
    let number = value.doubleValue
    let items = value.arrayValue
    let members = value.objectValue?.members
    let limit = rule.doubleValue ?? 0
    switch keyword {
    case "$ref":
      let steps = (rule.stringValue ?? "").split(separator: "/").dropFirst()
      let found = steps.reduce(Optional(root)) { value, step in value?[String(step)] }
      guard let target = found else { return ["the schema has no \(rule)"] }
      return judge(value, target, root, at: place)
    case "type":
      let names = rule.arrayValue ?? [rule]
      return wrong(!names.contains { has(value, type: $0.stringValue ?? "") })
    case "enum": return wrong(!(rule.arrayValue ?? []).contains(value))
    case "const": return wrong(rule != value)
    case "minimum": return wrong(number.map { $0 < limit } ?? false)
    case "maximum": return wrong(number.map { $0 > limit } ?? false)
    case "minLength": return wrong(text.map { Double($0.unicodeScalars.count) < limit } ?? false)
    case "maxLength": return wrong(text.map { Double($0.unicodeScalars.count) > limit } ?? false)
    case "pattern": return wrong(text.map { !matches($0, rule) } ?? false)
    case "minItems": return wrong(items.map { Double($0.count) < limit } ?? false)
    case "maxItems": return wrong(items.map { Double($0.count) > limit } ?? false)
    case "uniqueItems":
      return wrong(items.map { rule == true && Set($0).count < $0.count } ?? false)
    case "minProperties": return wrong(members.map { Double($0.count) < limit } ?? false)
    case "maxProperties": return wrong(members.map { Double($0.count) > limit } ?? false)
    case "required":
      let names = (rule.arrayValue ?? []).compactMap(\.stringValue)
      return wrong(members != nil && names.contains { value[$0] == nil })
    case "prefixItems":
      return zip(items ?? [], rule.arrayValue ?? []).enumerated().flatMap { index, pair in
        judge(pair.0, pair.1, root, at: "\(place)[\(index)]")
      }
    case "items":
      return (items ?? []).enumerated().flatMap { index, item in
        judge(item, rule, root, at: "\(place)[\(index)]")
      }
    case "propertyNames":
      return (members ?? []).flatMap {
        judge(.string($0.key), rule, root, at: "\(place).\($0.key)")
      }
    case "properties", "patternProperties", "additionalProperties":
      return (members ?? []).flatMap { member -> [String] in
        guard let own = Self.rule(keyword, rule, for: member.key, in: schema) else { return [] }
        return judge(member.value, own, root, at: "\(place).\(member.key)")
      }
    case "allOf":
      return (rule.arrayValue ?? []).flatMap { judge(value, $0, root, at: place) }
    case "not": return wrong(judge(value, rule, root, at: place).isEmpty)
    case "oneOf", "anyOf":
      let tries = (rule.arrayValue ?? []).map { judge(value, $0, root, at: place) }
      let good = tries.count { $0.isEmpty }
      if keyword == "oneOf" ? good == 1 : good > 0 { return [] }
      return wrong(true) + tries.flatMap { $0 }
    default:
      Issue.record("the test does not know the keyword \(keyword)")
      return []
    }
  }

  /// Returns the schema that a keyword has for one member; `nil` if it says nothing about it.
  private static func rule(
    _ keyword: String, _ rule: JSONValue, for key: String, in schema: JSONValue
  ) -> JSONValue? {
    let pattern = (schema["patternProperties"]?.objectValue?.members ?? [])
      .first { matches(key, .string($0.key)) }
    switch keyword {
    case "properties": return rule[key]
    case "patternProperties": return pattern?.value
    default: return schema["properties"]?[key] == nil && pattern == nil ? rule : nil
    }
  }

  private static func has(_ value: JSONValue, type: String) -> Bool {
    switch type {
    case "null": value.isNull
    case "boolean": value.boolValue != nil
    case "number": value.doubleValue != nil
    case "integer": value.intValue != nil
    case "string": value.stringValue != nil
    case "array": value.arrayValue != nil
    case "object": value.objectValue != nil
    default: false
    }
  }

  private static func matches(_ text: String, _ pattern: JSONValue) -> Bool {
    do {
      return try text.contains(Regex(pattern.stringValue ?? "["))
    } catch {
      Issue.record("the pattern \(pattern) cannot be read: \(error)")
      return false
    }
  }
}

/// The places of a value, for tests that change one of them.
extension JSONValue {
  enum Step: Hashable {
    case key(String)
    case index(Int)
  }

  /// Every place inside this value, the value itself left out.
  var places: [[Step]] {
    switch self {
    case .object(let object):
      object.members.flatMap { member in
        [[.key(member.key)]] + member.value.places.map { [.key(member.key)] + $0 }
      }
    case .array(let values):
      values.enumerated().flatMap { index, value in
        [[.index(index)]] + value.places.map { [.index(index)] + $0 }
      }
    case .null, .bool, .int, .double, .string: []
    }
  }

  /// Returns this value with another one at a place; `nil` takes the place away.
  func replacing(_ place: some Collection<Step>, with new: JSONValue?) -> JSONValue {
    guard let step = place.first else { return new ?? .null }
    let rest = place.dropFirst()
    switch (step, self) {
    case (.key(let key), .object(var object)):
      object[key] = rest.isEmpty ? new : object[key]?.replacing(rest, with: new)
      return .object(object)
    case (.index(let index), .array(var values)):
      if rest.isEmpty, new == nil {
        values.remove(at: index)
      } else {
        values[index] = values[index].replacing(rest, with: new)
      }
      return .array(values)
    default: return self
    }
  }
}

/// Returns a place as a message names it: `entries[0].content`.
func written(_ place: [JSONValue.Step]) -> String {
  place.reduce("") { text, step in
    switch step {
    case .key(let key): text.isEmpty ? key : "\(text).\(key)"
    case .index(let index): "\(text)[\(index)]"
    }
  }
}
