/// From bytes to values: one call a document, over the strict grammar of `JSONScanner`.
extension JSONValue {
  /// The number of containers that may be inside each other; the 129th is refused.
  ///
  /// No message of ours goes past ten. The limit bounds the recursion of every walk over a value.
  package static let depthMax = 128

  /// Reads a whole document: one value, white space around it, nothing else.
  ///
  /// A document of more than `valueCountMax` values, containers included, is refused
  /// (`tooManyValues`): tiny values take many times the time of as many bytes in long texts.
  package init(parsing bytes: Span<UInt8>, valueCountMax: Int = .max) throws(JSONError) {
    self = try bytes.withUnsafeBytes { (raw) throws(JSONError) -> JSONValue in
      var reader = ValueReader(scanner: JSONScanner(raw), room: valueCountMax)
      let value = try reader.value(depth: 0)
      try reader.scanner.expectEnd()
      return value
    }
  }

  /// Reads a whole document: one value, white space around it, nothing else.
  package init(parsing bytes: [UInt8]) throws(JSONError) {
    self = try JSONValue(parsing: bytes.span)
  }

  /// Reads a whole document: one value, white space around it, nothing else.
  package init(parsing bytes: ArraySlice<UInt8>) throws(JSONError) {
    self = try JSONValue(parsing: bytes.span)
  }

  /// Reads a whole document: one value, white space around it, nothing else.
  package init(parsing text: String) throws(JSONError) {
    self = try JSONValue(parsing: text.utf8Span.span)
  }
}

private struct ValueReader {
  var scanner: JSONScanner
  /// Values that may still come.
  var room: Int

  /// One value.
  ///
  /// Recursion ends at `JSONValue.depthMax`.
  mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    scanner.skipWhitespace()
    room -= 1
    guard room >= 0 else {
      throw JSONError(
        code: .tooManyValues, offset: scanner.offset,
        message: "expected fewer values up to byte \(scanner.offset)")
    }
    switch scanner.peek {
    case ASCII.quote:
      return .string(scanner.text(of: try scanner.scanString()))
    case ASCII.openBrace:
      return .object(try object(depth: depth))
    case ASCII.openBracket:
      return .array(try array(depth: depth))
    case .some(ASCII.minus), .some(ASCII.zero...ASCII.nine):
      let number = try scanner.scanNumber()
      if let integer = scanner.integer(of: number) { return .int(integer) }
      return .double(scanner.double(of: number))
    case ASCII.lowerT:
      try scanner.scanLiteral("true")
      return .bool(true)
    case ASCII.lowerF:
      try scanner.scanLiteral("false")
      return .bool(false)
    case ASCII.lowerN:
      try scanner.scanLiteral("null")
      return .null
    default: throw scanner.unexpected("a value")
    }
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
    try scanner.open(depth: depth)
    scanner.skipWhitespace()
    guard scanner.peek != ASCII.closeBrace else {
      scanner.advance()
      return JSONObject()
    }
    var members: [JSONObject.Member] = []
    while true {
      let key = try scanner.scanKey()
      members.append(.init(key: scanner.text(of: key), value: try value(depth: depth + 1)))
      scanner.skipWhitespace()
      switch scanner.peek {
      case ASCII.comma: scanner.advance()
      case ASCII.closeBrace:
        scanner.advance()
        return JSONObject(members)
      default: throw scanner.unexpected("',' or '}'")
      }
    }
  }

  private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
    try scanner.open(depth: depth)
    scanner.skipWhitespace()
    guard scanner.peek != ASCII.closeBracket else {
      scanner.advance()
      return []
    }
    var values: [JSONValue] = []
    while true {
      values.append(try value(depth: depth + 1))
      scanner.skipWhitespace()
      switch scanner.peek {
      case ASCII.comma: scanner.advance()
      case ASCII.closeBracket:
        scanner.advance()
        return values
      default: throw scanner.unexpected("',' or ']'")
      }
    }
  }
}
