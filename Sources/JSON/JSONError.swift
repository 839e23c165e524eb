/// The reason why a text is not JSON, and the place of the mistake.
package struct JSONError: Error, Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    /// The text stops in the middle of a value.
    case unexpectedEnd
    /// A byte stands where the grammar allows other ones.
    case unexpectedByte
    /// A number JSON does not write this way (`01`, `1.`, `+1`), or one beyond any double
    /// (`1e400`).
    case invalidNumber
    /// A control character stands unescaped in a string.
    case invalidString
    /// The bytes of a string are not UTF-8 (RFC 3629: no overlong forms, no surrogates).
    case invalidUTF8
    /// An escape JSON does not have, or half of a surrogate pair.
    case invalidEscape
    /// More containers inside each other than `JSONValue.depthMax`.
    case tooDeep
    /// More values than the reader was told to take.
    case tooManyValues
    /// A whole value was read, and more follows.
    case trailingBytes
  }

  package var code: Code
  /// Where the mistake is: bytes from the start of the text, 0-based.
  package var offset: Int
  /// A sentence for a person: "expected ',' or '}' at byte 17, found 'x'".
  package var message: String

  package init(code: Code, offset: Int, message: String) {
    self.code = code
    self.offset = offset
    self.message = message
  }
}
