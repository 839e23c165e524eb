package import JSON
package import JSONRPC

/// The parameters of a request, read by name and type; every mistake becomes a refusal that names
/// the parameter.
package struct Params {
  private let object: JSONObject

  /// Takes a request's parameters; `known` are the names that the method takes.
  ///
  /// Any other name is refused, with the most similar known one.
  package init(_ value: JSONValue?, known: [String]) throws(RPCError) {
    switch value {
    case .none: object = [:]
    case .some(.object(let object)):
      self.object = object
      for member in object.members where !known.contains(member.key) {
        let near = didYouMean(nearest(to: member.key, among: known, countMax: 1))
        let takes = known.isEmpty ? "no parameters" : known.joined(separator: ", ")
        throw Self.refusal(
          member.key, "unknown parameter \(quoted(member.key))\(near)",
          expected: "this method takes \(takes)")
      }
    case .some:
      throw RPCError.invalidParams("parameters are named here: send an object, not an array")
    }
  }

  /// Whether the parameter is there; `null` counts as missing, here and below.
  package func has(_ name: String) -> Bool { object[name].map { !$0.isNull } ?? false }

  /// Returns the parameter; `nil` if it is missing.
  package func optionalValue(_ name: String) -> JSONValue? {
    guard let value = object[name], !value.isNull else { return nil }
    return value
  }

  /// Returns the parameter; throws if it is missing.
  package func value(_ name: String) throws(RPCError) -> JSONValue {
    guard let value = optionalValue(name) else { throw missing(name, "a value") }
    return value
  }

  /// Returns a text; `nil` if it is missing.
  ///
  /// Throws for a value of another type.
  package func optionalString(_ name: String) throws(RPCError) -> String? {
    guard let value = optionalValue(name) else { return nil }
    guard case .string(let text) = value else { throw wrongType(name, value, "a string") }
    return text
  }

  /// Returns a text; throws if it is missing or of another type.
  package func string(_ name: String) throws(RPCError) -> String {
    guard let text = try optionalString(name) else { throw missing(name, "a string") }
    return text
  }

  /// Returns a flag, `standard` if it is missing; throws for a value of another type.
  package func bool(_ name: String, default standard: Bool) throws(RPCError) -> Bool {
    guard let value = optionalValue(name) else { return standard }
    guard case .bool(let flag) = value else { throw wrongType(name, value, "true or false") }
    return flag
  }

  /// Reads a flag, and refuses `null`, which `bool` treats like a missing parameter.
  package func boolNotNull(_ name: String, default standard: Bool) throws(RPCError) -> Bool {
    if let value = object[name], value.isNull { throw wrongType(name, value, "true or false") }
    return try bool(name, default: standard)
  }

  /// Returns a whole number; `nil` if it is missing.
  ///
  /// Throws for a number out of `range`, and for a value of another type.
  package func optionalInt(_ name: String, in range: ClosedRange<Int64>) throws(RPCError) -> Int64?
  {
    guard let value = optionalValue(name) else { return nil }
    let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    guard let number = value.intValue, range.contains(number) else {
      throw wrongType(name, value, expected)
    }
    return number
  }

  /// Returns an object; `nil` if it is missing.
  ///
  /// Throws for more than `Limits.keyCountMax` keys, and for a value of another type.
  package func optionalObject(_ name: String) throws(RPCError) -> JSONObject? {
    guard let value = optionalValue(name) else { return nil }
    guard case .object(let object) = value else { throw wrongType(name, value, "an object") }
    guard object.members.count <= Limits.keyCountMax else {
      throw Self.refusal(
        name, "parameter '\(name)' has \(object.members.count) keys",
        expected: "an object of at most \(Limits.keyCountMax) keys")
    }
    return object
  }

  /// Returns a list of texts; `nil` if it is missing.
  ///
  /// Throws for more than `countMax` elements, and for a value of another type.
  package func optionalStrings(_ name: String, countMax: Int) throws(RPCError) -> [String]? {
    guard let value = optionalValue(name) else { return nil }
    let expected = "a list of at most \(countMax) strings"
    guard case .array(let items) = value else { throw wrongType(name, value, expected) }
    guard items.count <= countMax else {
      throw Self.refusal(
        name, "parameter '\(name)' has \(items.count) values", expected: expected)
    }
    var texts: [String] = []
    texts.reserveCapacity(items.count)
    for item in items {
      guard case .string(let text) = item else { throw wrongType(name, item, expected) }
      texts.append(text)
    }
    return texts
  }

  private func missing(_ name: String, _ expected: String) -> RPCError {
    Self.refusal(name, "parameter '\(name)' is missing", expected: expected)
  }

  private func wrongType(_ name: String, _ value: JSONValue, _ expected: String) -> RPCError {
    let shown: String
    switch value {
    case .string(let text) where text.utf8.count <= 40: shown = "'\(text)'"
    case .int, .double, .bool: shown = value.serialized
    case .string, .null, .array, .object: shown = value.typeName
    }
    return Self.refusal(name, "parameter '\(name)' is \(shown)", expected: expected)
  }

  /// Makes the refusal of a parameter: `message` says what is wrong, `expected` what is taken.
  package static func refusal(_ name: String, _ message: String, expected: String) -> RPCError {
    RPCError.invalidParams(
      "\(message); expected \(expected)",
      data: ["parameter": .string(name), "expected": .string(expected)])
  }
}
