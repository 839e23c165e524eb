// Reads XML property lists into values that know their lines.
//
// Foundation's reader does not serve: it gives no lines, it has no limits against a hostile file,
// and it expands entities recursively. This reader knows the elements of property lists, the five
// entities of XML and numbered characters, and refuses the rest. It refuses the binary form with
// the command that converts it; Xcode never writes that form for definition files. From a damaged
// file it returns the complete values before the damage, together with an issue.

import JSON

/// Reads an XML property list.
///
/// `file` is the name that messages use. A date becomes its text; data become an empty text.
package func readPropertyList(_ bytes: [UInt8], file: String) -> LoadedDocument {
  func failed(_ line: Int, _ message: String, _ expected: String) -> LoadedDocument {
    let issue = DocumentIssue(file: file, line: line, message: message, expected: expected)
    return LoadedDocument(file: file, value: nil, issues: [issue])
  }
  guard bytes.count <= Limits.documentBytesMax else {
    return failed(
      0, "the file has \(bytes.count) bytes", "at most \(Limits.documentBytesMax) bytes")
  }
  guard !bytes.starts(with: Array("bplist".utf8)) else {
    return failed(
      0, "the file is a binary property list", "the XML form: plutil -convert xml1 FILE")
  }
  guard let text = decodedText(bytes) else {
    return failed(0, "the file is not text in UTF-8 or UTF-16", "an XML property list")
  }
  let content = text.drop { $0 == "\u{FEFF}" || $0.isWhitespace }
  guard content.first == "<" else {
    // Version control without symbolic links stores a link as a text file that contains the path.
    return failed(
      1, "the file begins with \(quoted(content))", "an XML property list: <?xml … <plist>")
  }
  var parser = PropertyListParser(text)
  do throws(PropertyListError) {
    let value = try parser.parse()
    let issues = parser.damage.map {
      DocumentIssue(file: file, line: $0.line, message: $0.message, expected: $0.expected)
    }
    return LoadedDocument(file: file, value: value, issues: issues.map { [$0] } ?? [])
  } catch {
    return failed(error.line, error.message, error.expected)
  }
}

/// Decodes UTF-8, or UTF-16 with a byte order mark; `nil` if the bytes are neither.
package func decodedText(_ bytes: [UInt8]) -> String? {
  guard bytes.count >= 2 else { return String(validating: bytes, as: UTF8.self) }
  let isBigEndian = bytes[0] == 0xFE && bytes[1] == 0xFF
  let isLittleEndian = bytes[0] == 0xFF && bytes[1] == 0xFE
  guard isBigEndian || isLittleEndian else { return String(validating: bytes, as: UTF8.self) }
  guard bytes.count % 2 == 0 else { return nil }
  var units: [UInt16] = []
  units.reserveCapacity(bytes.count / 2)
  for index in stride(from: 2, to: bytes.count, by: 2) {
    let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
    units.append(isBigEndian ? first << 8 | second : second << 8 | first)
  }
  return String(validating: units, as: UTF16.self)
}

private struct PropertyListError: Error {
  var line: Int
  var message: String
  var expected: String
}

private struct PropertyListParser {
  private let text: [UInt8]
  private var index = 0
  private var line = 1
  private var depth = 0
  /// The error that ended the reading early; `nil` if the file was read whole.
  private(set) var damage: PropertyListError?

  init(_ text: String) { self.text = Array(text.utf8) }

  private func error(_ message: String, _ expected: String) -> PropertyListError {
    PropertyListError(line: line, message: message, expected: expected)
  }

  mutating func parse() throws(PropertyListError) -> LocatedValue {
    try skipMisc()
    guard let tag = try nextTag(), tag.name == "plist", !tag.isClosing, !tag.isEmpty else {
      throw error("there is no <plist>", "<plist version=\"1.0\"> around the whole")
    }
    let value = try parseValue(try requiredTag("a value"))
    guard damage == nil else { return value }
    guard let end = try nextTag(), end.name == "plist", end.isClosing else {
      throw error("<plist> has more than one value, or does not end", "</plist>")
    }
    try skipMisc()
    guard index == text.count else { throw error("there is text after </plist>", "nothing") }
    return value
  }

  // MARK: Markup

  private struct Tag {
    var name: String
    var isClosing: Bool
    var isEmpty: Bool
    var line: Int
  }

  private mutating func advance() {
    if text[index] == 0x0A { line += 1 }
    index += 1
  }

  private func has(_ literal: StaticString) -> Bool {
    guard index + literal.utf8CodeUnitCount <= text.count else { return false }
    for offset in 0..<literal.utf8CodeUnitCount
    where unsafe text[index + offset] != literal.utf8Start[offset] { return false }
    return true
  }

  private mutating func skip(past end: StaticString, _ what: String) throws(PropertyListError) {
    while index < text.count {
      if has(end) {
        index += end.utf8CodeUnitCount
        return
      }
      advance()
    }
    throw error("\(what) does not end", "'\(end)'")
  }

  /// Skips white space, comments, processing instructions and the document type.
  private mutating func skipMisc() throws(PropertyListError) {
    while index < text.count {
      if text[index] <= 0x20 || has("\u{FEFF}") {
        if text[index] > 0x20 { index += 2 }
        advance()
      } else if has("<!--") {
        try skip(past: "-->", "a comment")
      } else if has("<?") {
        try skip(past: "?>", "a processing instruction")
      } else if has("<!DOCTYPE") {
        while index < text.count, text[index] != UInt8(ascii: ">") {
          guard text[index] != UInt8(ascii: "[") else {
            throw error("the document type defines entities", "a document type without '['")
          }
          advance()
        }
        guard index < text.count else { throw error("<!DOCTYPE does not end", "'>'") }
        index += 1
      } else {
        return
      }
    }
  }

  /// Reads the next tag; `nil` if none follows.
  private mutating func nextTag() throws(PropertyListError) -> Tag? {
    try skipMisc()
    guard index < text.count else { return nil }
    guard text[index] == UInt8(ascii: "<") else {
      throw error("there is text between elements", "an element, such as <string>")
    }
    let start = line
    index += 1
    var isClosing = false
    if index < text.count, text[index] == UInt8(ascii: "/") {
      isClosing = true
      index += 1
    }
    var name: [UInt8] = []
    while index < text.count, text[index] | 0x20 >= 0x61, text[index] | 0x20 <= 0x7A,
      name.count < 16
    {
      name.append(text[index])
      index += 1
    }
    // Skip attributes: in a property list they have no meaning.
    var isEmpty = false
    while index < text.count, text[index] != UInt8(ascii: ">") {
      isEmpty = text[index] == UInt8(ascii: "/")
      advance()
    }
    guard index < text.count else { throw error("a tag does not end", "'>'") }
    index += 1
    return Tag(
      name: String(decoding: name, as: UTF8.self), isClosing: isClosing, isEmpty: isEmpty,
      line: start)
  }

  private mutating func requiredTag(_ what: String) throws(PropertyListError) -> Tag {
    guard let tag = try nextTag() else { throw error("the file ends early", what) }
    return tag
  }

  // MARK: Values

  private mutating func parseValue(_ tag: Tag) throws(PropertyListError) -> LocatedValue {
    guard !tag.isClosing else { throw error("</\(tag.name)> closes nothing", "a value") }
    depth += 1
    defer { depth -= 1 }
    guard depth <= Limits.depthMax else {
      throw error("values are nested too deeply", "at most \(Limits.depthMax) levels")
    }
    switch tag.name {
    case "true", "false":
      if !tag.isEmpty { try close(tag) }
      return LocatedValue(.bool(tag.name == "true"), line: tag.line)
    case "dict": return try parseDictionary(tag)
    case "array":
      var elements: [LocatedValue] = []
      do throws(PropertyListError) {
        while !tag.isEmpty, let element = try nextElement() { elements.append(element) }
      } catch {
        try keep(error)
      }
      return LocatedValue(.array(elements), line: tag.line)
    case "string", "date":
      return LocatedValue(.string(try content(of: tag)), line: tag.line)
    case "data":
      _ = try content(of: tag)
      return LocatedValue(.string(""), line: tag.line)
    case "integer":
      let digits = try content(of: tag)
      guard let number = Int64(digits) else {
        throw error("\(quoted(digits)) is no integer", "a whole number of 64 bits")
      }
      return LocatedValue(.int(number), line: tag.line)
    case "real":
      let digits = try content(of: tag)
      guard let number = Double(digits), number.isFinite else {
        throw error("\(quoted(digits)) is no number", "a decimal number")
      }
      return LocatedValue(.double(number), line: tag.line)
    default:
      throw error(
        "<\(tag.name)> is no element of a property list",
        "dict, array, string, integer, real, true, false, date or data")
    }
  }

  private mutating func nextElement() throws(PropertyListError) -> LocatedValue? {
    let tag = try requiredTag("</array>")
    guard tag.isClosing else { return try parseValue(tag) }
    guard tag.name == "array" else { throw error("</\(tag.name)> closes <array>", "</array>") }
    return nil
  }

  /// Records `error` if it stands in the outermost dictionary or in an array of it, so that the
  /// values before it are kept.
  ///
  /// Rethrows it at a deeper level: the value around the damage is lost.
  private mutating func keep(_ error: PropertyListError) throws(PropertyListError) {
    guard depth <= 2 else { throw error }
    damage = damage ?? error
  }

  private mutating func parseDictionary(_ tag: Tag) throws(PropertyListError) -> LocatedValue {
    var members: [LocatedValue.Member] = []
    var seen: Set<String> = []
    do throws(PropertyListError) {
      while !tag.isEmpty, damage == nil, let member = try nextMember(&seen) {
        members.append(member)
      }
    } catch {
      try keep(error)
    }
    return LocatedValue(.object(members), line: tag.line)
  }

  private mutating func nextMember(
    _ seen: inout Set<String>
  ) throws(PropertyListError) -> LocatedValue.Member? {
    let tag = try requiredTag("</dict>")
    guard !tag.isClosing else {
      guard tag.name == "dict" else { throw error("</\(tag.name)> closes <dict>", "</dict>") }
      return nil
    }
    guard tag.name == "key" else { throw error("<\(tag.name)> has no key", "<key>") }
    let key = try content(of: tag)
    guard seen.insert(key).inserted else {
      throw error("the key \(quoted(key)) is there twice", "each key once")
    }
    let value = try parseValue(try requiredTag("a value for \(quoted(key))"))
    return .init(key: key, line: tag.line, value: value)
  }

  private mutating func close(_ tag: Tag) throws(PropertyListError) {
    guard let end = try nextTag(), end.isClosing, end.name == tag.name else {
      throw error("<\(tag.name)> does not end", "</\(tag.name)>")
    }
  }

  /// Reads the text of an element, with entities resolved, and its end tag.
  private mutating func content(of tag: Tag) throws(PropertyListError) -> String {
    guard !tag.isEmpty else { return "" }
    var bytes: [UInt8] = []
    while index < text.count {
      if has("<![CDATA[") {
        index += 9
        while index < text.count, !has("]]>") {
          bytes.append(text[index])
          advance()
        }
        guard index < text.count else { throw error("a CDATA section does not end", "']]>'") }
        index += 3
      } else if has("<!--") {
        try skip(past: "-->", "a comment")
      } else if text[index] == UInt8(ascii: "<") {
        try close(tag)
        return String(decoding: bytes, as: UTF8.self)
      } else if text[index] == UInt8(ascii: "&") {
        bytes += try entity().utf8
      } else {
        bytes.append(text[index])
        advance()
      }
    }
    throw error("<\(tag.name)> does not end", "</\(tag.name)>")
  }

  private mutating func entity() throws(PropertyListError) -> String {
    let start = index + 1
    var end = start
    while end < text.count, end - start < 10, text[end] != UInt8(ascii: ";") { end += 1 }
    let name = String(decoding: text[start..<end], as: UTF8.self)
    guard end < text.count, text[end] == UInt8(ascii: ";") else {
      throw error("'&\(name)' is no entity", "&amp; for '&'")
    }
    index = end + 1
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default:
      let digits = name.dropFirst()
      let isHexadecimal = digits.first == "x"
      guard name.first == "#",
        let number = UInt32(
          isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10),
        let scalar = Unicode.Scalar(number)
      else {
        throw error("the entity '&\(name);' is unknown", "&lt; &gt; &amp; &quot; &apos; or &#n;")
      }
      return String(scalar)
    }
  }
}
