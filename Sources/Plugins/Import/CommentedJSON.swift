import JSON

/// The settings of Waybar: JSON with comments, commas before a closing bracket, and strings that
/// have line breaks in them.
///
/// It keeps the line of each value. Values that are no JSON at all end the reading with the line
/// and what was expected there.
struct CommentedJSON {
  /// The first mistake of a text.
  struct Mistake: Error, Hashable {
    /// From 1.
    var line: Int
    /// A sentence without its period.
    var message: String
  }

  /// A member of an object with its place in the text.
  struct Member: Hashable {
    var key: String
    /// From 1.
    var line: Int
    /// The objects and lists around it.
    var depth: Int
    /// The first byte of its name, which is a quote.
    var start: Int
    /// The bytes of its value.
    var value: Range<Int>
  }

  private let bytes: [UInt8]
  private var place = 0
  /// The members that were read; `nil`: nobody wants them.
  private var members: [Member]?
  private var line = 1
  private var room = PluginLimits.importValueCountMax

  /// Reads a whole text: one value, with white space and comments around it; O(length).
  static func read(_ bytes: [UInt8]) throws(Mistake) -> LocatedValue {
    var reader = CommentedJSON(bytes: bytes)
    // A byte order mark, which some editors write.
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { reader.place = 3 }
    let value = try reader.value(depth: 0)
    try reader.skipBlank()
    guard reader.place == bytes.count else { throw reader.unexpected("the end of the file") }
    return value
  }

  /// Returns the members of all objects of a text with their places; O(length).
  static func members(_ bytes: [UInt8]) throws(Mistake) -> [Member] {
    var reader = CommentedJSON(bytes: bytes)
    reader.members = []
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { reader.place = 3 }
    _ = try reader.value(depth: 0)
    return reader.members ?? []
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func unexpected(_ expected: String) -> Mistake {
    guard let byte = peek else {
      return Mistake(line: line, message: "the file ends before \(expected)")
    }
    let isShown = (0x21...0x7e).contains(byte)
    let found = isShown ? "'\(Unicode.Scalar(byte))'" : "another character"
    return Mistake(line: line, message: "expected \(expected), found \(found)")
  }

  private mutating func skipBlank() throws(Mistake) {
    while let byte = peek {
      switch byte {
      case 0x0a:
        line += 1
        place += 1
      case 0x20, 0x09, 0x0d: place += 1
      case UInt8(ascii: "/"): try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws(Mistake) {
    let start = line
    switch place + 1 < bytes.count ? bytes[place + 1] : 0 {
    case UInt8(ascii: "/"):
      while let byte = peek, byte != 0x0a { place += 1 }
    case UInt8(ascii: "*"):
      place += 2
      while let byte = peek {
        if byte == 0x0a { line += 1 }
        place += 1
        if byte == UInt8(ascii: "*"), peek == UInt8(ascii: "/") {
          place += 1
          return
        }
      }
      throw Mistake(line: start, message: "a comment /* does not end")
    default: throw unexpected("a value or a comment")
    }
  }

  /// Recursion ends at `PluginLimits.importDepthMax`.
  private mutating func value(depth: Int) throws(Mistake) -> LocatedValue {
    try skipBlank()
    let start = line
    room -= 1
    guard room >= 0 else {
      throw Mistake(
        line: line, message: "more than \(PluginLimits.importValueCountMax) values are not read")
    }
    guard depth <= PluginLimits.importDepthMax else {
      throw Mistake(
        line: line,
        message: "more than \(PluginLimits.importDepthMax) brackets stand inside each other")
    }
    switch peek {
    case UInt8(ascii: "{"): return LocatedValue(.object(try members(depth)), line: start)
    case UInt8(ascii: "["): return LocatedValue(.array(try elements(depth)), line: start)
    case UInt8(ascii: "\""): return LocatedValue(.string(try text()), line: start)
    default: return LocatedValue(try word(), line: start)
    }
  }

  private mutating func members(_ depth: Int) throws(Mistake) -> [LocatedValue.Member] {
    var members: [LocatedValue.Member] = []
    place += 1
    while true {
      try skipBlank()
      if peek == UInt8(ascii: "}") {
        place += 1
        return members
      }
      guard peek == UInt8(ascii: "\"") else { throw unexpected("a name in quotes or '}'") }
      let (start, startPlace) = (line, place)
      let key = try text()
      try skipBlank()
      guard peek == UInt8(ascii: ":") else { throw unexpected("':'") }
      place += 1
      try skipBlank()
      let valuePlace = place
      members.append(.init(key: key, line: start, value: try value(depth: depth + 1)))
      self.members?.append(
        Member(
          key: key, line: start, depth: depth, start: startPlace, value: valuePlace..<place))
      try endElement("}")
    }
  }

  private mutating func elements(_ depth: Int) throws(Mistake) -> [LocatedValue] {
    var elements: [LocatedValue] = []
    place += 1
    while true {
      try skipBlank()
      if peek == UInt8(ascii: "]") {
        place += 1
        return elements
      }
      elements.append(try value(depth: depth + 1))
      try endElement("]")
    }
  }

  /// Steps over a comma, or stops before the closing bracket.
  private mutating func endElement(_ closing: Unicode.Scalar) throws(Mistake) {
    try skipBlank()
    if peek == UInt8(ascii: ",") {
      place += 1
    } else if peek != UInt8(ascii: closing) {
      throw unexpected("',' or '\(closing)'")
    }
  }

  private mutating func text() throws(Mistake) -> String {
    let start = line
    var text: [UInt8] = []
    place += 1
    while let byte = peek {
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += try escape()
      default:
        if byte == 0x0a { line += 1 }
        text.append(byte)
      }
    }
    throw Mistake(line: start, message: "a text does not end")
  }

  /// The bytes of an escape, the backslash of which is read.
  private mutating func escape() throws(Mistake) -> [UInt8] {
    guard let byte = peek else { throw unexpected("the end of a text") }
    place += 1
    switch byte {
    case UInt8(ascii: "n"): return [0x0a]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "r"): return [0x0d]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0c]
    case UInt8(ascii: "u"):
      var unit = try hexadecimal()
      let isHigh = (0xd800...0xdbff).contains(unit)
      if isHigh, peek == UInt8(ascii: "\\"), place + 1 < bytes.count,
        bytes[place + 1] == UInt8(ascii: "u")
      {
        place += 2
        let low = try hexadecimal()
        guard (0xdc00...0xdfff).contains(low) else { return [0xef, 0xbf, 0xbd] }
        unit = 0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00)
      }
      // Half of a pair becomes the replacement character.
      return Array(String(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8)
    default:
      if byte == 0x0a { line += 1 }
      return [byte]
    }
  }

  private mutating func hexadecimal() throws(Mistake) -> UInt32 {
    let digits = bytes[place..<min(place + 4, bytes.count)]
    guard digits.count == 4, let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw unexpected("four hexadecimal digits after \\u") }
    place += 4
    return unit
  }

  /// A number, `true`, `false` or `null`.
  private mutating func word() throws(Mistake) -> LocatedValue.Node {
    let start = place
    while let byte = peek, Self.isOfWord(byte) { place += 1 }
    let word = String(decoding: bytes[start..<place], as: UTF8.self)
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    default: break
    }
    if let number = Int64(word) { return .int(number) }
    if word.utf8.contains(where: { (48...57).contains($0) }), let number = Double(word),
      number.isFinite
    {
      return .double(number)
    }
    place = start
    throw unexpected("a value")
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      || byte == 43 || byte == 45 || byte == 46
  }
}
