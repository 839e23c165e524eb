package import JSON

/// The id that ties an answer to its request: a string, a number or null, returned exactly as it
/// came.
///
/// Source: JSON-RPC 2.0 §4. Fractions are discouraged there, not forbidden.
package enum RequestID: Hashable, Sendable {
  case integer(Int64)
  case string(String)
  case null
  /// The raw JSON of a number that is no `Int64`: a fraction, an exponent, or more digits.
  case other([UInt8])

  /// The id as a value; `nil` when it is none a request may have.
  package init?(_ value: JSONValue) {
    switch value {
    case .int(let value): self = .integer(value)
    case .string(let value): self = .string(value)
    case .null: self = .null
    case .double:
      var raw: [UInt8] = []
      value.write(into: &raw)
      self = .other(raw)
    case .bool, .array, .object: return nil
    }
  }

  /// Appends the id as JSON.
  package func write(into buffer: inout [UInt8]) {
    switch self {
    case .integer(let value): appendJSON(value, to: &buffer)
    case .string(let value): appendJSONString(value, to: &buffer)
    case .null: appendASCII("null", to: &buffer)
    case .other(let raw): buffer.append(contentsOf: raw)
    }
  }
}
