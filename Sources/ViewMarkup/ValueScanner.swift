/// Judges the value of a declaration, byte by byte: a value is of its form, or it is refused.
///
/// There are no functions but those of the forms, no comments, no escapes, no `url(…)` and no
/// variables: each of these would need a parser of CSS to be judged.
struct ValueScanner {
  private let bytes: ArraySlice<UInt8>
  private var place: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  /// Whether `value` has the form, whole.
  static func accepts(_ value: ArraySlice<UInt8>, _ form: MarkupProperty.Form) -> Bool {
    var scanner = ValueScanner(value)
    return scanner.takes(form) && scanner.isAtEnd
  }

  private var isAtEnd: Bool { place == bytes.endIndex }

  private mutating func takes(_ form: MarkupProperty.Form) -> Bool {
    switch form {
    case .keywords(let words):
      guard words.contains(where: { bytes.elementsEqual($0.utf8) }) else { return false }
      place = bytes.endIndex
      return true
    case .number(let range): return number().map { range.contains($0) } ?? false
    case .length(let isSigned): return length(isSigned: isSigned)
    case .lengths:
      guard lengthOrPercent() else { return false }
      for _ in 0..<3 where take(" ") {
        guard lengthOrPercent() else { return false }
      }
      return true
    case .insets:
      guard length(isSigned: false) else { return false }
      for _ in 0..<3 where take(" ") {
        guard length(isSigned: false) else { return false }
      }
      return true
    case .size: return take("max-content") || lengthOrPercent()
    case .color: return color()
    case .paint:
      return color() || gradient("linear-gradient(") { $0.direction() }
        || gradient("radial-gradient(circle at ") { $0.center() }
        || gradient("conic-gradient(from ") { $0.angle() && $0.take(" at ") && $0.center() }
    case .border: return length(isSigned: false) && take(" solid ") && color()
    case .shadow:
      return length(isSigned: true) && take(" ") && length(isSigned: true) && take(" ")
        && length(isSigned: false) && take(" ") && color()
    case .transform:
      guard oneTransform() else { return false }
      for _ in 0..<3 where take(" ") {
        guard oneTransform() else { return false }
      }
      return true
    case .tracks:
      guard track() else { return false }
      for _ in 1..<MarkupLimits.trackCountMax where take(" ") {
        guard track() else { return false }
      }
      return true
    case .ring:
      if take("radial-gradient(circle closest-side,#000 100%,#0000 0)") { return true }
      if take("radial-gradient(closest-side,#0000 calc(100% - ") {
        return length(isSigned: false) && take("),#000 0)")
      }
      return take("radial-gradient(circle closest-side,#0000 calc(100% - ")
        && length(isSigned: false) && take("),#000 0,#000 100%,#0000 0)")
    }
  }

  // MARK: Parts

  private mutating func take(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { wanted in
      guard bytes[place...].starts(with: wanted) else { return false }
      place += wanted.count
      return true
    }
  }

  /// Digits with at most three behind a point; the sign only where it is negative.
  private mutating func number() -> Double? {
    let start = place
    if place < bytes.endIndex, bytes[place] == UInt8(ascii: "-") { place += 1 }
    var value = 0.0
    var digitCount = 0
    while place < bytes.endIndex, bytes[place] &- 0x30 < 10, digitCount < 6 {
      value = value * 10 + Double(bytes[place] - 0x30)
      digitCount += 1
      place += 1
    }
    guard digitCount > 0 else { return fail(start) }
    if place < bytes.endIndex, bytes[place] == UInt8(ascii: ".") {
      place += 1
      var factor = 0.1
      var fractionCount = 0
      while place < bytes.endIndex, bytes[place] &- 0x30 < 10, fractionCount < 3 {
        value += Double(bytes[place] - 0x30) * factor
        factor /= 10
        fractionCount += 1
        place += 1
      }
      guard fractionCount > 0 else { return fail(start) }
    }
    guard value <= MarkupLimits.numberMax else { return fail(start) }
    return bytes[start] == UInt8(ascii: "-") ? -value : value
  }

  private mutating func fail(_ start: Int) -> Double? {
    place = start
    return nil
  }

  private mutating func length(isSigned: Bool) -> Bool {
    let start = place
    guard let value = number(), isSigned || value >= 0, take("px") || value == 0 else {
      place = start
      return false
    }
    return true
  }

  private mutating func percent(isSigned: Bool) -> Bool {
    let start = place
    guard let value = number(), isSigned || value >= 0, take("%") else {
      place = start
      return false
    }
    return true
  }

  private mutating func lengthOrPercent() -> Bool {
    // A zero is a length, and would hide the sign of a percentage behind it.
    percent(isSigned: false) || length(isSigned: false)
  }

  private mutating func angle() -> Bool { number() != nil && take("deg") }

  private mutating func direction() -> Bool { angle() }

  /// A place of an area, which may be outside of it.
  private mutating func center() -> Bool {
    percent(isSigned: true) && take(" ") && percent(isSigned: true)
  }

  private mutating func color() -> Bool {
    guard place < bytes.endIndex, bytes[place] == UInt8(ascii: "#") else { return false }
    let digits = bytes[(place + 1)...].prefix { byte in
      byte &- 0x30 < 10 || (0x61...0x66).contains(byte)
    }
    guard digits.count == 6 || digits.count == 8 else { return false }
    place = digits.endIndex
    return true
  }

  private mutating func gradient(
    _ name: StaticString, _ head: (inout ValueScanner) -> Bool
  ) -> Bool {
    let start = place
    guard take(name) else { return false }
    guard head(&self) else {
      place = start
      return false
    }
    var count = 0
    while take(",") {
      count += 1
      guard count <= MarkupLimits.stopCountMax, color(), take(" "),
        lengthOrPercent()
      else { return false }
    }
    return count >= 2 && take(")")
  }

  private mutating func oneTransform() -> Bool {
    if take("translate(") {
      return length(isSigned: true) && take(",") && length(isSigned: true) && take(")")
    }
    if take("rotate(") { return angle() && take(")") }
    return take("scale(") && number() != nil && take(",") && number() != nil && take(")")
  }

  private mutating func track() -> Bool {
    if take("repeat(auto-fill,minmax(") { return length(isSigned: false) && take(",1fr))") }
    if take("minmax(") { return length(isSigned: false) && take(",1fr)") }
    return length(isSigned: false)
  }
}
