/// Reads the markup of a view, and accepts nothing but the vocabulary.
///
/// This is no parser of HTML. It reads one way of writing it: lower-case names, attributes in double
/// quotes, an end tag for each element, four named references, and no comments. Whatever else
/// browsers make sense of is refused, so nothing can mean one thing here and another one there.
package enum MarkupReader {
  /// Reads the markup of one entry: one element, nothing around it.
  ///
  /// Takes time in proportion to the number of bytes, which is bounded.
  package static func read(_ html: String) -> Result<MarkupElement, MarkupError> {
    var bytes = html
    return bytes.withUTF8 { read(Array($0)) }
  }

  /// Reads the markup of one entry: one element, nothing around it.
  package static func read(_ bytes: [UInt8]) -> Result<MarkupElement, MarkupError> {
    guard bytes.count <= MarkupLimits.bytesMax else {
      return .failure(
        MarkupError(
          .tooLarge, at: MarkupLimits.bytesMax,
          "the view has \(bytes.count) bytes; at most \(MarkupLimits.bytesMax) are shown"))
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      return .failure(MarkupError(.syntax, at: 0, "the view is no UTF-8"))
    }
    var parser = Parser(bytes: bytes)
    do throws(MarkupError) {
      let element = try parser.element(depth: 1, isInTap: false)
      guard parser.place == bytes.count else {
        throw parser.syntax("one element, and nothing behind it")
      }
      return .success(element)
    } catch {
      return .failure(error)
    }
  }
}

private struct Parser {
  let bytes: [UInt8]
  var place = 0
  private var elementCount = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  func syntax(_ expected: String) -> MarkupError {
    MarkupError(.syntax, at: place, "expected \(expected) at byte \(place) of the view")
  }

  private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    place += 1
    return true
  }

  // MARK: Elements

  mutating func element(
    depth: Int, isInTap: Bool
  ) throws(MarkupError) -> MarkupElement {
    guard depth <= MarkupLimits.depthMax else {
      throw MarkupError(
        .tooDeep, at: place, "the view is deeper than \(MarkupLimits.depthMax) elements")
    }
    elementCount += 1
    guard elementCount <= MarkupLimits.elementCountMax else {
      throw MarkupError(
        .tooManyElements, at: place,
        "the view has more than \(MarkupLimits.elementCountMax) elements")
    }
    guard take(UInt8(ascii: "<")) else { throw syntax("'<'") }
    let start = place
    let name = word()
    guard let tag = MarkupTag(rawValue: name) else {
      throw MarkupError(
        .unknownElement, at: start,
        "'\(name.prefix(40))' is no element of a view; it has "
          + MarkupTag.allCases.map(\.rawValue).joined(separator: ", "))
    }
    var element = MarkupElement(tag)
    while take(UInt8(ascii: " ")) { try attribute(of: &element) }
    guard take(UInt8(ascii: ">")) else { throw syntax("'>'") }
    // A tap does one thing: a browser would do that of both.
    let isTapped = element.attributes.contains { $0.name == .href || $0.name == .item }
    guard !isTapped || !isInTap else {
      throw MarkupError(
        .invalidValue, at: start, "'\(name)' is tapped, and so is an element around it")
    }
    try children(of: &element, depth: depth, isInTap: isInTap || isTapped)
    return element
  }

  private mutating func children(
    of element: inout MarkupElement, depth: Int, isInTap: Bool
  ) throws(MarkupError) {
    while let next = peek {
      guard next == UInt8(ascii: "<") else {
        element.children.append(.text(try text(until: UInt8(ascii: "<"))))
        continue
      }
      guard place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "/") else {
        element.children.append(.element(try self.element(depth: depth + 1, isInTap: isInTap)))
        continue
      }
      place += 2
      guard word() == element.tag.rawValue, take(UInt8(ascii: ">")) else {
        throw syntax("the end of '\(element.tag.rawValue)'")
      }
      return
    }
    throw syntax("the end of '\(element.tag.rawValue)'")
  }

  /// Lower-case letters and hyphens.
  private mutating func word() -> String {
    let start = place
    while let byte = peek, (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-") { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  /// Text with references, up to a byte that ends it.
  private mutating func text(until end: UInt8) throws(MarkupError) -> String {
    var result: [UInt8] = []
    while let byte = peek, byte != end {
      switch byte {
      case UInt8(ascii: "&"): result.append(try reference())
      case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""):
        throw syntax("no '\(Character(Unicode.Scalar(byte)))' in a text")
      case 0x0A:
        result.append(byte)
        place += 1
      case 0..<0x20, 0x7F: throw syntax("no control character")
      // C1 controls, which are U+0080 to U+009F.
      case 0xC2 where place + 1 < bytes.count && bytes[place + 1] < 0xA0:
        throw syntax("no control character")
      default:
        result.append(byte)
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private mutating func reference() throws(MarkupError) -> UInt8 {
    for (name, byte) in Self.references where bytes[place...].starts(with: name.utf8) {
      place += name.utf8.count
      return byte
    }
    throw syntax("'&amp;', '&lt;', '&gt;' or '&quot;'")
  }

  private static let references: [(String, UInt8)] = [
    ("&amp;", UInt8(ascii: "&")), ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")),
    ("&quot;", UInt8(ascii: "\"")),
  ]

  // MARK: Attributes

  private mutating func attribute(of element: inout MarkupElement) throws(MarkupError) {
    let start = place
    let name = word()
    guard let attribute = MarkupAttribute(rawValue: name),
      attribute.tags?.contains(element.tag) ?? true
    else {
      throw MarkupError(
        .unknownAttribute, at: start,
        "'\(name.prefix(40))' is no attribute of '\(element.tag.rawValue)' in a view")
    }
    guard take(UInt8(ascii: "=")), take(UInt8(ascii: "\"")) else { throw syntax("'=\"'") }
    let isTwice =
      attribute == .style
      ? !element.style.isEmpty : element.attributes.contains { $0.name == attribute }
    guard !isTwice else { throw syntax("'\(name)' once") }
    if attribute == .style {
      element.style = try declarations()
    } else {
      let valueStart = place
      let value = try text(until: UInt8(ascii: "\""))
      guard Self.accepts(value, attribute.form) else {
        throw MarkupError(
          .invalidValue, at: valueStart, "'\(value.prefix(40))' is no value of '\(name)'")
      }
      element.attributes.append(.init(attribute, value))
    }
    guard take(UInt8(ascii: "\"")) else { throw syntax("'\"'") }
  }

  private static func accepts(_ value: String, _ form: MarkupAttribute.Form) -> Bool {
    guard value.utf8.count <= MarkupLimits.attributeBytesMax else { return false }
    switch form {
    case .url: return MarkupURL.accepts(value)
    case .words: return true
    case .keywords(let words): return words.contains(value)
    case .symbolName:
      return !value.isEmpty && value.utf8.count <= 128
        && value.utf8.allSatisfy { byte in
          (0x61...0x7A).contains(byte | 0x20) || byte &- 0x30 < 10 || byte == UInt8(ascii: ".")
        }
    case .number:
      return (1...4).contains(value.utf8.count) && value.utf8.allSatisfy { $0 &- 0x30 < 10 }
    case .date: return isDate(Array(value.utf8))
    case .declarations: return false
    }
  }

  /// `2026-11-21T07:28:29Z`, perhaps with milliseconds.
  private static func isDate(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == 20 || bytes.count == 24 else { return false }
    let form = Array((bytes.count == 20 ? "0000-00-00T00:00:00Z" : "0000-00-00T00:00:00.000Z").utf8)
    return zip(bytes, form).allSatisfy { byte, wanted in
      wanted == UInt8(ascii: "0") ? byte &- 0x30 < 10 : byte == wanted
    }
  }

  private mutating func declarations() throws(MarkupError) -> [MarkupElement.Declaration] {
    var found: [MarkupElement.Declaration] = []
    while peek != UInt8(ascii: "\"") {
      let start = place
      let name = word()
      guard let property = MarkupProperty(rawValue: name) else {
        throw MarkupError(
          .unknownProperty, at: start, "'\(name.prefix(40))' is no property of a view")
      }
      guard take(UInt8(ascii: ":")) else { throw syntax("':'") }
      // People write a space there; the writer does not.
      _ = take(UInt8(ascii: " "))
      let valueStart = place
      while let byte = peek, byte != UInt8(ascii: ";"), byte != UInt8(ascii: "\"") { place += 1 }
      guard ValueScanner.accepts(bytes[valueStart..<place], property.form) else {
        throw MarkupError(
          .invalidValue, at: valueStart,
          "'\(String(decoding: bytes[valueStart..<place].prefix(40), as: UTF8.self))' is no value of "
            + "'\(name)'")
      }
      guard found.count < MarkupLimits.declarationCountMax,
        !found.contains(where: { $0.property == property })
      else {
        throw syntax("'\(name)' once, and at most \(MarkupLimits.declarationCountMax) properties")
      }
      found.append(.init(property, String(decoding: bytes[valueStart..<place], as: UTF8.self)))
      guard take(UInt8(ascii: ";")) else { break }
      _ = take(UInt8(ascii: " "))
    }
    return found
  }
}
