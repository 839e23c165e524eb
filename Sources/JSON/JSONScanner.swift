/// A strict walk over JSON text (RFC 8259) that builds nothing.
///
/// Everything that reads JSON stands on this one grammar: `JSONValue(parsing:)` asks it for tokens
/// and builds values, the JSON-RPC envelope asks it for the members of one object and keeps byte
/// ranges. So both accept exactly the same texts.
///
/// Strict means: UTF-8 is validated, lone surrogates, control characters, leading zeros, numbers
/// beyond a double and more than `JSONValue.depthMax` levels are refused. Plain runs of a string
/// are skipped eight bytes at a time. Nesting is a bit per level in one integer, so hostile depth
/// cannot use up the stack.
///
/// The scanner borrows memory: it must not outlive the `withUnsafeBytes` it was made in.
package struct JSONScanner {
  /// A string as it stands in the text.
  package struct StringToken {
    /// Between the quotes.
    package var range: Range<Int>
    package var hasEscapes: Bool

    package init(range: Range<Int>, hasEscapes: Bool) {
      self.range = range
      self.hasEscapes = hasEscapes
    }
  }

  /// A value that was checked and stepped over.
  package struct Value {
    /// Its bytes, without the white space around it.
    package var range = 0..<0
    /// Whether it is a string with escapes.
    package var hasEscapes = false
    /// The number, when it is one that `JSONValue.int` can hold.
    package var integer: Int64?
  }

  /// One member of an object.
  package struct Member {
    package var key = StringToken(range: 0..<0, hasEscapes: false)
    /// The first eight bytes of the key as it is written, the first in the lowest byte: keys of one
    /// length up to eight are equal when these are.
    package var packedKey: UInt64 = 0
    package var value = Value()

    package init() {}

    /// Whether the key is written so: of up to eight bytes, without escapes.
    @inline(__always)
    package func isCalled(_ name: StaticString) -> Bool {
      guard key.range.count == name.utf8CodeUnitCount else { return false }
      var word: UInt64 = 0
      for index in (0..<name.utf8CodeUnitCount).reversed() {
        word = word << 8 | UInt64(name.utf8Start[index])
      }
      return word == packedKey
    }
  }

  /// A number, decomposed on the way past.
  struct NumberToken {
    var range: Range<Int>
    var isNegative = false
    /// Neither fraction nor exponent.
    var isInteger = true
    /// Up to 19 significant digits, read as an integer.
    var mantissa: UInt64 = 0
    /// Significant digits in `mantissa`.
    var digitCount = 0
    /// Digits beyond the nineteenth were dropped: `mantissa` is not the whole number.
    var isTruncated = false
    /// The value is `mantissa` × 10 to this, but for what was dropped.
    var exponent = 0
  }

  let bytes: ByteView
  /// The next byte to read.
  package private(set) var offset = 0

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = ByteView(bytes) }

  /// The next byte, or `nil` at the end.
  package var peek: UInt8? {
    @inline(__always) get { offset < bytes.count ? bytes[offset] : nil }
  }

  /// Moves to the next byte that is no white space, or to the end.
  @inline(__always)
  package mutating func skipWhitespace() {
    while offset < bytes.count {
      let byte = bytes[offset]
      // One comparison for everything that is not white space.
      if byte > ASCII.space { return }
      guard
        byte == ASCII.space || byte == ASCII.lineFeed || byte == ASCII.carriageReturn
          || byte == ASCII.tab
      else { return }
      offset += 1
    }
  }

  /// Steps over one byte that `peek` showed.
  @inline(__always)
  mutating func advance() {
    assert(offset < bytes.count, "a step past the end")
    offset += 1
  }

  /// Checks that nothing but white space is left.
  package mutating func expectEnd() throws(JSONError) {
    skipWhitespace()
    guard offset == bytes.count else {
      throw JSONError(
        code: .trailingBytes, offset: offset,
        message: "expected the end after the value at byte \(offset), found \(found)")
    }
  }

  // MARK: Values

  /// Checks one value and steps over it; white space before it is skipped.
  ///
  /// `outer` is how many containers are already open around it.
  package mutating func skipValue(depth outer: Int = 0) throws(JSONError) {
    assert(outer >= 0)
    // The innermost open container is bit 0: one for an object, zero for an array.
    var objects: UInt128 = 0
    var openCount = 0
    while true {
      skipWhitespace()
      guard offset < bytes.count else { throw unexpected("a value") }
      switch bytes[offset] {
      case ASCII.quote:
        _ = try scanString()
      case ASCII.openBrace:
        guard outer + openCount < JSONValue.depthMax else { throw tooDeep() }
        offset += 1
        skipWhitespace()
        guard peek == ASCII.closeBrace else {
          objects = objects << 1 | 1
          openCount += 1
          _ = try scanKey()
          continue
        }
        offset += 1
      case ASCII.openBracket:
        guard outer + openCount < JSONValue.depthMax else { throw tooDeep() }
        offset += 1
        skipWhitespace()
        guard peek == ASCII.closeBracket else {
          objects = objects << 1
          openCount += 1
          continue
        }
        offset += 1
      case ASCII.minus, ASCII.zero...ASCII.nine:
        _ = try scanNumber()
      case ASCII.lowerT: try scanLiteral("true")
      case ASCII.lowerF: try scanLiteral("false")
      case ASCII.lowerN: try scanLiteral("null")
      default: throw unexpected("a value")
      }

      // A value has ended; so may the containers around it.
      while true {
        if openCount == 0 { return }
        let isObject = objects & 1 == 1
        skipWhitespace()
        let byte = peek
        if byte == ASCII.comma {
          offset += 1
          if isObject { _ = try scanKey() }
          break
        }
        guard byte == (isObject ? ASCII.closeBrace : ASCII.closeBracket) else {
          throw unexpected(isObject ? "',' or '}'" : "',' or ']'")
        }
        offset += 1
        objects >>= 1
        openCount -= 1
      }
    }
  }

  /// Reads the next member of an object into `member`; `false` after its `}`.
  ///
  /// Call it with `isFirst` after the `{`, then without until it answers `false`. `depth` counts
  /// the containers that are open, this object among them.
  package mutating func nextMember(
    into member: inout Member, isFirst: Bool, depth: Int
  ) throws(JSONError) -> Bool {
    guard try nextKey(into: &member, isFirst: isFirst) else { return false }
    try scanValue(into: &member, depth: depth)
    return true
  }

  /// Reads the key of the next member; the caller then reads its value or skips it with
  /// `scanValue`.
  package mutating func nextKey(
    into member: inout Member, isFirst: Bool
  ) throws(JSONError) -> Bool {
    skipWhitespace()
    if peek == ASCII.closeBrace {
      offset += 1
      return false
    }
    if !isFirst {
      guard peek == ASCII.comma else { throw unexpected("',' or '}'") }
      offset += 1
    }
    member.key = try scanKey()
    member.packedKey = packed(member.key.range)
    skipWhitespace()
    return true
  }

  /// Skips the value whose key `nextKey` read, and notes its range in `member`.
  package mutating func scanValue(into member: inout Member, depth: Int) throws(JSONError) {
    let start = offset
    member.value.hasEscapes = false
    member.value.integer = nil
    switch peek {
    case .some(ASCII.quote):
      member.value.hasEscapes = try scanString().hasEscapes
    case .some(ASCII.minus), .some(ASCII.zero...ASCII.nine):
      member.value.integer = integer(of: try scanNumber())
    default:
      try skipValue(depth: depth)
    }
    member.value.range = start..<offset
  }

  /// The byte range of the next element of an array, or `nil` after its `]`.
  ///
  /// Called as `nextMember`.
  package mutating func nextElement(isFirst: Bool, depth: Int) throws(JSONError) -> Range<Int>? {
    guard try findElement(isFirst: isFirst) else { return nil }
    let start = offset
    try skipValue(depth: depth)
    return start..<offset
  }

  /// Goes to the next element, which the caller reads; `false` after the `]`.
  package mutating func findElement(isFirst: Bool) throws(JSONError) -> Bool {
    skipWhitespace()
    if peek == ASCII.closeBracket {
      offset += 1
      return false
    }
    if !isFirst {
      guard peek == ASCII.comma else { throw unexpected("',' or ']'") }
      offset += 1
      skipWhitespace()
    }
    return true
  }

  /// Steps into an object or array that `peek` showed.
  package mutating func open(depth: Int) throws(JSONError) {
    assert(depth >= 0)
    assert(peek == ASCII.openBrace || peek == ASCII.openBracket, "nothing opens here")
    guard depth < JSONValue.depthMax else { throw tooDeep() }
    offset += 1
  }

  /// A key and its colon.
  @inline(__always)
  mutating func scanKey() throws(JSONError) -> StringToken {
    skipWhitespace()
    guard peek == ASCII.quote else { throw unexpected("a key in quotes") }
    let key = try scanString()
    skipWhitespace()
    guard peek == ASCII.colon else { throw unexpected("':' after the key") }
    offset += 1
    return key
  }

  @inline(__always)
  mutating func scanLiteral(_ word: StaticString) throws(JSONError) {
    let length = word.utf8CodeUnitCount
    for index in 0..<length {
      guard offset + index < bytes.count, bytes[offset + index] == word.utf8Start[index] else {
        offset += index
        throw unexpected("'\(word)'")
      }
    }
    offset += length
  }

  // MARK: Strings

  /// A string, from its opening quote (which the caller has seen) past its closing one.
  @inline(__always)
  mutating func scanString() throws(JSONError) -> StringToken {
    assert(peek == ASCII.quote)
    let start = offset + 1
    // Most keys and many values are over within eight bytes.
    if start + 8 <= bytes.count {
      let marks = EightBytes.endingPlainRun(bytes.word(at: start))
      let end = start + marks.trailingZeroBitCount >> 3
      if marks != 0, bytes[end] == ASCII.quote {
        offset = end + 1
        return StringToken(range: start..<end, hasEscapes: false)
      }
    }
    return try scanLongString()
  }

  @inline(never)
  private mutating func scanLongString() throws(JSONError) -> StringToken {
    let start = offset + 1
    var index = start
    var hasEscapes = false
    while true {
      while index + 8 <= bytes.count {
        let word = bytes.word(at: index)
        let marks = EightBytes.endingPlainRun(word)
        if marks != 0 {
          index += marks.trailingZeroBitCount >> 3
          break
        }
        index += 8
      }
      guard index < bytes.count else {
        offset = bytes.count
        throw JSONError(
          code: .unexpectedEnd, offset: offset,
          message: "expected the '\"' that closes the string opened at byte \(start - 1), "
            + "found the end")
      }
      let byte = bytes[index]
      if byte == ASCII.quote {
        offset = index + 1
        return StringToken(range: start..<index, hasEscapes: hasEscapes)
      } else if byte == ASCII.backslash {
        hasEscapes = true
        index = try checkEscape(at: index)
      } else if byte >= 0x80 {
        index = try checkSequence(at: index)
      } else if byte >= ASCII.space {
        index += 1
      } else {
        offset = index
        throw JSONError(
          code: .invalidString, offset: index,
          message: "expected an escape such as \\n at byte \(index), "
            + "found the control character \(found)")
      }
    }
  }

  /// Checks one escape and returns the index behind it.
  private mutating func checkEscape(at start: Int) throws(JSONError) -> Int {
    guard start + 1 < bytes.count else {
      offset = bytes.count
      throw unexpected("an escape")
    }
    switch bytes[start + 1] {
    case ASCII.quote, ASCII.backslash, ASCII.slash, ASCII.lowerB, ASCII.lowerF, ASCII.lowerN,
      ASCII.lowerR, ASCII.lowerT:
      return start + 2
    case ASCII.lowerU:
      let unit = try checkHex(at: start + 2)
      switch unit {
      case 0xD800...0xDBFF:
        let low = start + 6
        guard low + 1 < bytes.count, bytes[low] == ASCII.backslash,
          bytes[low + 1] == ASCII.lowerU
        else { throw loneSurrogate(at: start) }
        guard case 0xDC00...0xDFFF = try checkHex(at: low + 2) else {
          throw loneSurrogate(at: start)
        }
        return low + 6
      case 0xDC00...0xDFFF: throw loneSurrogate(at: start)
      default: return start + 6
      }
    default:
      offset = start + 1
      throw JSONError(
        code: .invalidEscape, offset: offset,
        message: "expected one of \" \\ / b f n r t u after the '\\' at byte \(start), "
          + "found \(found)")
    }
  }

  /// Four hexadecimal digits.
  private mutating func checkHex(at start: Int) throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for index in start..<start + 4 {
      guard index < bytes.count, let digit = hexDigit(bytes[index]) else {
        offset = min(index, bytes.count)
        throw JSONError(
          code: offset == bytes.count ? .unexpectedEnd : .invalidEscape, offset: offset,
          message: "expected four hexadecimal digits after '\\u' at byte \(offset), "
            + "found \(found)")
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  private mutating func loneSurrogate(at start: Int) -> JSONError {
    offset = start
    return JSONError(
      code: .invalidEscape, offset: start,
      message: "expected both halves of a surrogate pair at byte \(start), found only one")
  }

  /// Checks one UTF-8 sequence outside ASCII and returns the index behind it.
  ///
  /// The range of the second byte rules out overlong forms, surrogates and values past U+10FFFF.
  /// Source: RFC 3629 §4.
  private mutating func checkSequence(at start: Int) throws(JSONError) -> Int {
    let lead = bytes[start]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: throw invalidUTF8(at: start)
    }
    guard start + length <= bytes.count, second.contains(bytes[start + 1]) else {
      throw invalidUTF8(at: start)
    }
    for index in start + 2..<max(start + 2, start + length) {
      guard bytes[index] & 0xC0 == 0x80 else { throw invalidUTF8(at: start) }
    }
    return start + length
  }

  private mutating func invalidUTF8(at start: Int) -> JSONError {
    offset = start
    return JSONError(
      code: .invalidUTF8, offset: start,
      message: "expected valid UTF-8 at byte \(start), found \(found)")
  }

  /// The text of a string this scanner has checked.
  package func text(of token: StringToken) -> String {
    let raw = bytes[token.range]
    guard token.hasEscapes else { return String(decoding: raw, as: UTF8.self) }
    // An escape is at least as long as the text it stands for.
    return String(unsafeUninitializedCapacity: raw.count) { unescape(raw, into: $0) }
  }

  /// The text of a value this scanner has stepped over, when it is a string.
  package func string(_ value: Value) -> String? {
    let range = value.range
    guard !range.isEmpty, bytes[range.lowerBound] == ASCII.quote else { return nil }
    return text(
      of: StringToken(
        range: range.lowerBound + 1..<range.upperBound - 1, hasEscapes: value.hasEscapes))
  }

  /// Up to eight bytes as one number, the first in the lowest byte.
  @inline(__always)
  private func packed(_ range: Range<Int>) -> UInt64 {
    let start = range.lowerBound
    guard start + 8 <= bytes.count else {
      var word: UInt64 = 0
      for index in range.prefix(8).reversed() { word = word << 8 | UInt64(bytes[index]) }
      return word
    }
    let word = bytes.word(at: start)
    return range.count >= 8 ? word : word & ~(~0 << UInt64(range.count * 8))
  }

  // MARK: Numbers

  /// A number; the caller has seen its first byte, a digit or `-`.
  mutating func scanNumber() throws(JSONError) -> NumberToken {
    let start = offset
    var token = NumberToken(range: start..<start)
    var index = start
    if bytes[index] == ASCII.minus {
      token.isNegative = true
      index += 1
    }
    let integerStart = index
    // Eighteen digits cannot overflow: the usual integer is over within them.
    let shortEnd = min(index + 18, bytes.count)
    var short: UInt64 = 0
    while index < shortEnd {
      let digit = bytes[index] &- ASCII.zero
      guard digit <= 9 else { break }
      short = short &* 10 &+ UInt64(digit)
      index += 1
    }
    if index < shortEnd, index > integerStart,
      bytes[integerStart] != ASCII.zero || index == integerStart + 1
    {
      let byte = bytes[index]
      if byte != ASCII.dot, byte | 0x20 != ASCII.lowerE {
        token.mantissa = short
        token.range = start..<index
        offset = index
        return token
      }
    }
    index = integerStart
    while index < bytes.count {
      let digit = bytes[index] &- ASCII.zero
      guard digit <= 9 else { break }
      if token.digitCount < 19 {
        token.mantissa = token.mantissa &* 10 &+ UInt64(digit)
        if token.mantissa != 0 { token.digitCount += 1 }
      } else {
        token.isTruncated = true
        token.exponent += 1
      }
      index += 1
    }
    guard index > integerStart else { throw notANumber("a digit", at: index) }
    guard bytes[integerStart] != ASCII.zero || index == integerStart + 1 else {
      throw notANumber("no digit after a leading zero", at: integerStart + 1)
    }

    if index < bytes.count, bytes[index] == ASCII.dot {
      token.isInteger = false
      index += 1
      let fractionStart = index
      while index < bytes.count {
        let digit = bytes[index] &- ASCII.zero
        guard digit <= 9 else { break }
        if token.digitCount < 19 {
          token.mantissa = token.mantissa &* 10 &+ UInt64(digit)
          if token.mantissa != 0 { token.digitCount += 1 }
          token.exponent -= 1
        } else {
          token.isTruncated = true
        }
        index += 1
      }
      guard index > fractionStart else { throw notANumber("a digit after the '.'", at: index) }
    }

    if index < bytes.count, bytes[index] == ASCII.lowerE || bytes[index] == ASCII.upperE {
      token.isInteger = false
      index += 1
      var isNegative = false
      if index < bytes.count, bytes[index] == ASCII.minus || bytes[index] == ASCII.plus {
        isNegative = bytes[index] == ASCII.minus
        index += 1
      }
      let exponentStart = index
      var exponent = 0
      while index < bytes.count {
        let digit = bytes[index] &- ASCII.zero
        guard digit <= 9 else { break }
        // A larger exponent is out of range in any case, and must not overflow.
        if exponent < 1_000_000_000_000 { exponent = exponent * 10 + Int(digit) }
        index += 1
      }
      guard index > exponentStart else { throw notANumber("a digit in the exponent", at: index) }
      token.exponent += isNegative ? -exponent : exponent
    }

    token.range = start..<index
    offset = index
    // Below 10^308 every number fits a double; only beyond that is the exact value computed.
    if token.digitCount + token.exponent > 308, token.mantissa != 0,
      !double(of: token).isFinite
    {
      offset = start
      throw JSONError(
        code: .invalidNumber, offset: start,
        message: "expected a number up to 1.8e308 at byte \(start), found a larger one")
    }
    return token
  }

  /// The integer, when it has neither fraction nor exponent and fits.
  func integer(of token: NumberToken) -> Int64? {
    guard token.isInteger, !token.isTruncated else { return nil }
    if token.isNegative {
      guard token.mantissa <= Int64.min.magnitude else { return nil }
      return Int64(truncatingIfNeeded: 0 &- token.mantissa)
    }
    return Int64(exactly: token.mantissa)
  }

  /// The nearest double; infinite when there is none.
  func double(of token: NumberToken) -> Double {
    // Both operands are exact and one rounding follows: the result is the nearest double (Clinger
    // 1990).
    if !token.isTruncated, token.mantissa <= 1 << 53, abs(token.exponent) < powersOfTen.count {
      let mantissa = Double(token.mantissa)
      let magnitude =
        token.exponent < 0
        ? mantissa / powersOfTen[-token.exponent] : mantissa * powersOfTen[token.exponent]
      return token.isNegative ? -magnitude : magnitude
    }
    // Far out of range: spare the conversion its long division.
    if token.mantissa == 0 || token.digitCount + token.exponent < -400 {
      return token.isNegative ? -0.0 : 0
    }
    if token.digitCount + token.exponent > 400 { return token.isNegative ? -.infinity : .infinity }
    let text = String(decoding: bytes[token.range], as: UTF8.self)
    guard let value = Double(text) else {
      preconditionFailure("a checked JSON number is a Swift number: \(text)")
    }
    return value
  }

  // MARK: Mistakes

  /// The byte at `offset`, for a message.
  private var found: String {
    guard offset < bytes.count else { return "the end" }
    let byte = bytes[offset]
    if byte > ASCII.space, byte < 0x7F { return "'\(Character(Unicode.Scalar(byte)))'" }
    if byte == ASCII.space { return "a space" }
    let hex = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "0x0\(hex)" : "0x\(hex)"
  }

  @inline(never)
  func unexpected(_ expected: String) -> JSONError {
    JSONError(
      code: offset < bytes.count ? .unexpectedByte : .unexpectedEnd, offset: offset,
      message: "expected \(expected) at byte \(offset), found \(found)")
  }

  @inline(never)
  func tooDeep() -> JSONError {
    JSONError(
      code: .tooDeep, offset: offset,
      message: "expected at most \(JSONValue.depthMax) containers inside each other at byte "
        + "\(offset), found one more")
  }

  @inline(never)
  private mutating func notANumber(_ expected: String, at index: Int) -> JSONError {
    offset = index
    return JSONError(
      code: index < bytes.count ? .invalidNumber : .unexpectedEnd, offset: index,
      message: "expected \(expected) at byte \(index), found \(found)")
  }
}

/// Ten to the 0…22: the powers that are exact as doubles.
private let powersOfTen: [Double] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
  1e18, 1e19, 1e20, 1e21, 1e22,
]
