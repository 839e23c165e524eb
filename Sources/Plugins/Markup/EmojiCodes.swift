/// Emoji codes in text: `:mushroom:` is a picture of one.
package enum EmojiCodes {
  /// Returns `text` with the character in the place of each code whose name is known.
  ///
  /// Other words between colons stay, as in `12:30:45`. O(length).
  package static func replaced(in text: String) -> String {
    let colon = UInt8(ascii: ":")
    let bytes = Array(text.utf8)
    guard bytes.contains(colon) else { return text }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == colon {
        let rest = bytes[(index + 1)...].prefix(EmojiNames.nameBytesMax + 1)
        if let end = rest.firstIndex(where: { !isNamed($0) }), rest[end] == colon,
          let emoji = EmojiNames.table[String(decoding: rest[..<end], as: UTF8.self)]
        {
          result += Array(emoji.utf8)
          index = end + 1
          continue
        }
      }
      result.append(bytes[index])
      index += 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isNamed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
