/// The widget that a click means, and the revision of it that the person saw.
///
/// It travels through a bar inside a click's command as one word, and comes back with the click: so
/// a click means what was on screen, not what came meanwhile.
package struct ShownWidget: Hashable, Sendable {
  package var id: String
  /// 0: it has not shown anything yet.
  package var revision: Int64

  package init(id: String, revision: Int64) {
    self.id = id
    self.revision = revision
  }

  /// The widget as one word of letters, digits and `._-%@`: none of them ends a tag of a bar or
  /// means anything to a shell.
  ///
  /// Any other byte of the id is written as `%XX`.
  package var word: String { "\(encodedID)@\(revision)" }

  /// The id in these characters; it is the same for every id that a person gave.
  var encodedID: String {
    var word = ""
    for byte in id.utf8 {
      if Self.isPlain(byte) {
        word.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        word += byte < 0x10 ? "%0" : "%"
        word += String(byte, radix: 16).uppercased()
      }
    }
    return word
  }

  /// Reads such a word; `nil` if it is none.
  package init?(word: some StringProtocol) {
    guard word.utf8.count <= BarLimits.clickBytesMax, let at = word.lastIndex(of: "@"),
      let revision = Int64(word[word.index(after: at)...]), revision >= 0
    else { return nil }
    var bytes: [UInt8] = []
    var rest = Array(word[..<at].utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        let digits = rest.prefix(2)
        guard digits.count == 2, digits.allSatisfy(Self.isHexadecimal),
          let decoded = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        rest = rest.dropFirst(2)
        bytes.append(decoded)
      } else if Self.isPlain(byte) {
        bytes.append(byte)
      } else {
        return nil
      }
    }
    guard !bytes.isEmpty, let id = String(validating: bytes, as: UTF8.self) else { return nil }
    self.init(id: id, revision: revision)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...102).contains(byte | 0x20)
  }

  static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

/// The name of a bar: letters, digits, `.`, `_` and `-`, so that it is safe in every command of
/// every bar.
package struct BarName: Hashable, Sendable {
  package let text: String

  /// `nil`: the text has another character, is empty, begins with `-` or `.`, or is longer than
  /// `BarLimits.nameBytesMax`.
  package init?(_ text: String) {
    guard (1...BarLimits.nameBytesMax).contains(text.utf8.count),
      text.utf8.allSatisfy(ShownWidget.isPlain), text.first != "-", text.first != "."
    else { return nil }
    self.text = text
  }
}
