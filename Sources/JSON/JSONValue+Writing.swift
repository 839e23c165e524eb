/// From values to bytes.
///
/// Members keep their order, so a value always prints the same way.
extension JSONValue {
  /// Compact JSON on one line.
  package var serialized: String {
    var buffer: [UInt8] = []
    write(into: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// Appends compact JSON, one line.
  ///
  /// A double that is not finite becomes `null`.
  package func write(into buffer: inout [UInt8]) {
    switch self {
    case .null: appendASCII("null", to: &buffer)
    case .bool(true): appendASCII("true", to: &buffer)
    case .bool(false): appendASCII("false", to: &buffer)
    case .int(let value): appendJSON(value, to: &buffer)
    case .double(let value): appendJSON(value, to: &buffer)
    case .string(let value): appendJSONString(value, to: &buffer)
    case .array(let values):
      buffer.append(ASCII.openBracket)
      var isFirst = true
      for value in values {
        if !isFirst { buffer.append(ASCII.comma) }
        isFirst = false
        value.write(into: &buffer)
      }
      buffer.append(ASCII.closeBracket)
    case .object(let object):
      buffer.append(ASCII.openBrace)
      var isFirst = true
      for member in object.members {
        if !isFirst { buffer.append(ASCII.comma) }
        isFirst = false
        appendJSONString(member.key, to: &buffer)
        buffer.append(ASCII.colon)
        member.value.write(into: &buffer)
      }
      buffer.append(ASCII.closeBrace)
    }
  }

  /// Appends JSON for people: a member or element a line, two spaces a level, no break at the end.
  package func writePretty(into buffer: inout [UInt8]) {
    writePretty(into: &buffer, level: 0)
  }

  private func writePretty(into buffer: inout [UInt8], level: Int) {
    switch self {
    case .array(let values) where !values.isEmpty:
      buffer.append(ASCII.openBracket)
      for (index, value) in values.enumerated() {
        breakLine(after: index > 0 ? ASCII.comma : nil, level: level + 1, into: &buffer)
        value.writePretty(into: &buffer, level: level + 1)
      }
      breakLine(after: nil, level: level, into: &buffer)
      buffer.append(ASCII.closeBracket)
    case .object(let object) where !object.members.isEmpty:
      buffer.append(ASCII.openBrace)
      for (index, member) in object.members.enumerated() {
        breakLine(after: index > 0 ? ASCII.comma : nil, level: level + 1, into: &buffer)
        appendJSONString(member.key, to: &buffer)
        appendASCII(": ", to: &buffer)
        member.value.writePretty(into: &buffer, level: level + 1)
      }
      breakLine(after: nil, level: level, into: &buffer)
      buffer.append(ASCII.closeBrace)
    case .null, .bool, .int, .double, .string, .array, .object:
      write(into: &buffer)
    }
  }

  private func breakLine(after separator: UInt8?, level: Int, into buffer: inout [UInt8]) {
    if let separator { buffer.append(separator) }
    buffer.append(ASCII.lineFeed)
    buffer.append(contentsOf: repeatElement(ASCII.space, count: level * 2))
  }
}
