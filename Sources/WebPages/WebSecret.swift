/// A random name of 256 bits, as 64 lower-case hexadecimal digits: a code, a session or a token.
///
/// It is also the name of a file, so it can hold nothing else.
package struct WebSecret: Hashable, Sendable {
  package let text: String

  /// Makes a secret of 32 random bytes.
  package init(random bytes: [UInt8]) {
    precondition(bytes.count == 32, "a secret has 32 bytes")
    text = hexadecimal(bytes)
  }

  /// Reads a secret; `nil` if the text is none.
  package init?(_ text: String) {
    guard text.utf8.count == 64,
      text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    else { return nil }
    self.text = text
  }

  /// Compares two secrets in the same time, wherever they differ.
  package func matches(_ other: WebSecret) -> Bool {
    var difference: UInt8 = 0
    for (mine, yours) in zip(text.utf8, other.text.utf8) { difference |= mine ^ yours }
    return difference == 0
  }
}

/// Returns bytes as lower-case hexadecimal digits.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
  return String(decoding: text, as: UTF8.self)
}
