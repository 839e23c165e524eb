/// Text as matching sees it: composed, with single spaces, without loose punctuation, and folded.
///
/// Matching walks arrays of Unicode scalars. Every sentence is normalised and case-folded once;
/// folding is one scalar for one scalar, so that a position in the folded text is the same position
/// in the text that keeps the person's case. Plain ASCII, which most sentences are, takes no
/// Unicode look-up at all.
///
/// The steps are those of the hassil document format: white space runs become one space, Unicode
/// NFC, the typographic apostrophe becomes `'`, then punctuation is removed by six rules
/// (`removePunctuation`).
@_spi(_Unicode) import Swift

/// An element of a text on its way through normalisation: a scalar, alone or with its place in what
/// was said (`ScalarWithSource`).
protocol TextScalar: Hashable, Sendable {
  var scalar: UInt32 { get }
  /// A space in the place of a removed text.
  static var insertedSpace: Self { get }
}

extension UInt32: TextScalar {
  var scalar: UInt32 { self }
  static var insertedSpace: UInt32 { space }
}

/// A normalised text, twice: as it was written and case-folded.
///
/// Both arrays have the same length.
struct SpelledText<Element: TextScalar>: Hashable, Sendable {
  var cased: [Element]
  var folded: [UInt32]

  var count: Int { folded.count }
  var isEmpty: Bool { folded.isEmpty }

  init(cased: [Element]) {
    self.cased = cased
    folded = cased.map { foldCase($0.scalar) }
  }
}

typealias NormalizedText = SpelledText<UInt32>

extension SpelledText where Element == UInt32 {
  /// A sentence, with punctuation removed and no space at its ends.
  init(sentence: String) {
    self.init(cased: stripped(removingPunctuation(normalizedScalars(sentence))))
  }

  /// A list value or other plain text: punctuation stays.
  init(value: String) {
    self.init(cased: stripped(normalizedScalars(value)))
  }

  func string(_ range: Range<Int>) -> String { Self.string(cased[range]) }

  static func string(_ scalars: some Collection<UInt32>) -> String {
    if scalars.allSatisfy({ $0 < 0x80 }) {
      return String(unsafeUninitializedCapacity: scalars.count) { bytes in
        var count = 0
        for scalar in scalars {
          bytes[count] = UInt8(truncatingIfNeeded: scalar)
          count += 1
        }
        return count
      }
    }
    var text = String.UnicodeScalarView()
    for value in scalars {
      if let scalar = Unicode.Scalar(value) { text.append(scalar) }
    }
    return String(text)
  }
}

let space: UInt32 = 0x20

// MARK: Steps

/// White space runs as one space, NFC, and `’` as `'`.
func normalizedScalars(_ text: String) -> [UInt32] {
  if let ascii = asciiScalars(text) { return ascii }
  // The standard library's own normaliser; the alternatives are Foundation or our own tables.
  return composesWithNothing(text.unicodeScalars)
    ? spacedOnce(text.unicodeScalars, capacity: text.utf8.count + 1)
    : spacedOnce(text._nfc, capacity: text.utf8.count + 1)
}

/// Normalises scalars in the same way; a string is made of them only when they may compose.
func normalizedScalars(_ scalars: [Unicode.Scalar]) -> [UInt32] {
  guard !composesWithNothing(scalars) else {
    return spacedOnce(scalars, capacity: scalars.count)
  }
  var text = String.UnicodeScalarView()
  text.append(contentsOf: scalars)
  return normalizedScalars(String(text))
}

/// Whether all scalars are below U+0300, so that none composes with another.
private func composesWithNothing(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
  scalars.allSatisfy { $0.value < 0x300 }
}

private func spacedOnce(_ scalars: some Sequence<Unicode.Scalar>, capacity: Int) -> [UInt32] {
  var result: [UInt32] = []
  result.reserveCapacity(capacity)
  for scalar in scalars {
    if isWhitespace(scalar.value) {
      if result.last != space { result.append(space) }
    } else {
      result.append(scalar.value == 0x2019 ? 0x27 : scalar.value)
    }
  }
  return result
}

/// Normalises ASCII in the same way; `nil` when the text has anything else.
private func asciiScalars(_ text: String) -> [UInt32]? {
  text.utf8.withContiguousStorageIfAvailable { bytes -> [UInt32]? in
    var result: [UInt32] = []
    result.reserveCapacity(bytes.count + 1)
    for byte in bytes {
      guard byte < 0x80 else { return nil }
      if !isWhitespace(UInt32(byte)) {
        result.append(UInt32(byte))
      } else if result.last != space {
        result.append(space)
      }
    }
    return result
  } ?? nil
}

func stripped<Element: TextScalar>(_ scalars: [Element]) -> [Element] {
  var start = 0
  var end = scalars.count
  while start < end, scalars[start].scalar == space { start += 1 }
  while end > start, scalars[end - 1].scalar == space { end -= 1 }
  return start == 0 && end == scalars.count ? scalars : Array(scalars[start..<end])
}

/// Deletes white space between two characters of scripts that are written without it.
func strippingIdeographicSpaces<Element: TextScalar>(_ scalars: [Element]) -> [Element] {
  strippingSpaces(scalars) { $0 && $1 }
}

/// Deletes white space with such a character on either side.
func strippingSpacesBesideIdeographs<Element: TextScalar>(_ scalars: [Element]) -> [Element] {
  guard scalars.contains(where: { isIdeographic($0.scalar) }) else { return scalars }
  return strippingSpaces(scalars) { $0 || $1 }
}

/// Deletes each run of spaces that `condition` accepts, by whether an ideograph is before and
/// after.
///
/// Removed punctuation leaves runs of two.
private func strippingSpaces<Element: TextScalar>(
  _ scalars: [Element], where condition: (_ before: Bool, _ after: Bool) -> Bool
) -> [Element] {
  guard scalars.contains(where: { $0.scalar == space }) else { return scalars }
  var result: [Element] = []
  result.reserveCapacity(scalars.count)
  var index = 0
  while index < scalars.count {
    var end = index
    while end < scalars.count, scalars[end].scalar == space { end += 1 }
    if end > index {
      let before = index > 0 && isIdeographic(scalars[index - 1].scalar)
      let after = end < scalars.count && isIdeographic(scalars[end].scalar)
      if !condition(before, after) { result += scalars[index..<end] }
      index = end
    } else {
      result.append(scalars[index])
      index += 1
    }
  }
  return result
}

/// Removes punctuation that is written and not spoken.
///
/// Six deletions, each on the result of the one before: runs at the start; runs at the end, unless
/// the text ends with initials such as `A.C.`; runs before a word that follow no word; runs but
/// full stops after a word that no word follows; a single full stop after a word unless it ends
/// initials; runs between two non-words.
func removingPunctuation<Element: TextScalar>(_ scalars: [Element]) -> [Element] {
  guard scalars.contains(where: { isPunctuation($0.scalar) }) else { return scalars }
  var text = scalars[...]
  text = text.drop { isPunctuation($0.scalar) }
  if !endsWithInitials(text) {
    while let last = text.last, isPunctuation(last.scalar) { text.removeLast() }
  }
  var result = Array(text)
  result = deletingRuns(result, of: isPunctuation) { before, after in
    guard let before, let after else { return false }
    return !isWord(before) && isWord(after)
  }
  result = deletingRuns(result, of: { isPunctuation($0) && $0 != 0x2E }) { before, after in
    guard let before, let after else { return false }
    return isWord(before) && !isWord(after)
  }
  result = deletingLooseFullStops(result)
  return deletingRuns(result, of: isPunctuation) { before, after in
    guard let before, let after else { return false }
    return !isWord(before) && !isWord(after)
  }
}

/// Deletes each part of a run that `condition` accepts by the scalars before and after it, the
/// longest part first.
private func deletingRuns<Element: TextScalar>(
  _ text: [Element], of isMember: (UInt32) -> Bool, where condition: (UInt32?, UInt32?) -> Bool
) -> [Element] {
  var result: [Element] = []
  result.reserveCapacity(text.count)
  var index = 0
  while index < text.count {
    guard isMember(text[index].scalar) else {
      result.append(text[index])
      index += 1
      continue
    }
    var end = index
    while end < text.count, isMember(text[end].scalar) { end += 1 }
    let before = index > 0 ? text[index - 1].scalar : nil
    // A member of a run is no word character, so a shorter part of the run may do where the whole
    // does not.
    var cut = end
    while cut > index, !condition(before, cut < text.count ? text[cut].scalar : nil) { cut -= 1 }
    if cut > index {
      index = cut
    } else {
      result.append(text[index])
      index += 1
    }
  }
  return result
}

private func deletingLooseFullStops<Element: TextScalar>(_ text: [Element]) -> [Element] {
  var result: [Element] = []
  result.reserveCapacity(text.count)
  for (index, value) in text.enumerated() {
    if value.scalar == 0x2E, index + 1 < text.count, !isWord(text[index + 1].scalar) {
      let endsInitials =
        index >= 3 && isWord(text[index - 1].scalar) && text[index - 2].scalar == 0x2E
        && isWord(text[index - 3].scalar)
      if !endsInitials { continue }
    }
    result.append(value)
  }
  return result
}

/// Whether the text ends with two or more of one word character and a full stop, beginning at a
/// word boundary.
private func endsWithInitials(_ text: ArraySlice<some TextScalar>) -> Bool {
  var index = text.endIndex
  var pairs = 0
  while index - 2 >= text.startIndex, text[index - 1].scalar == 0x2E,
    isWord(text[index - 2].scalar)
  {
    index -= 2
    pairs += 1
    let startsAtBoundary = index == text.startIndex || !isWord(text[index - 1].scalar)
    if pairs >= 2, startsAtBoundary { return true }
  }
  return false
}

// MARK: Character classes

/// Unicode white space, and the four information separators.
func isWhitespace(_ value: UInt32) -> Bool {
  if value < 0x80 { return value == 0x20 || value &- 0x09 < 5 || value &- 0x1C < 4 }
  return switch value {
  case 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
  default: false
  }
}

func isPunctuation(_ value: UInt32) -> Bool {
  switch value {
  case 0x2E, 0x2C, 0x3F, 0x21, 0x3B, 0x3A: true  // . , ? ! ; :
  case 0x3002, 0xFF0C, 0xFF1F, 0xFF01, 0xFF1B, 0xFF1A: true  // 。 ， ？ ！ ； ：
  case 0xBF, 0xA1, 0x61F: true  // ¿ ¡ ؟
  case 0x2026, 0x2014, 0x2013, 0x2015: true  // … — – ―
  default: false
  }
}

/// Letters, numbers and `_`.
///
/// Combining marks are not word characters.
@inline(__always)
func isWord(_ value: UInt32) -> Bool {
  if value < 0x80 {
    return value &- 0x30 < 10 || (value | 0x20) &- 0x61 < 26 || value == 0x5F
  }
  return isWordBeyondASCII(value)
}

private func isWordBeyondASCII(_ value: UInt32) -> Bool {
  if value &- 0x4E00 < 0x5200 { return true }
  guard let scalar = Unicode.Scalar(value) else { return false }
  switch scalar.properties.generalCategory {
  case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
    .decimalNumber, .letterNumber, .otherNumber:
    return true
  default:
    return scalar.properties.numericType != nil
  }
}

/// Han, kana and Hangul syllables: scripts whose white space carries no meaning here.
func isIdeographic(_ value: UInt32) -> Bool {
  value &- 0x4E00 < 0x5200 || value &- 0x3400 < 0x19C0 || value &- 0x3040 < 0xC0
    || value &- 0xAC00 < 0x2BA8
}

// MARK: Case

/// The simple case folding of a scalar: one scalar for one scalar.
///
/// All four letters i are one.
func foldCase(_ value: UInt32) -> UInt32 {
  if value < 0x80 { return value &- 0x41 < 26 ? value | 0x20 : value }
  if value < 0x590 { return caseFolding[Int(value)] }
  // Hebrew, Arabic and the scripts of India and South-East Asia have no case; nor has CJK.
  if value < 0x10A0 || value &- 0x2E80 < 0x7780 { return value }
  return lookUpCaseFolding(value)
}

/// Case folding of Latin, Greek, Cyrillic and Armenian, in which most sentences with case are
/// written.
private let caseFolding: [UInt32] = (0..<0x590).map(lookUpCaseFolding)

private func lookUpCaseFolding(_ value: UInt32) -> UInt32 {
  guard value != 0x130, value != 0x131 else { return 0x69 }
  guard let scalar = Unicode.Scalar(value) else { return value }
  let upper = single(scalar.properties.uppercaseMapping) ?? scalar
  return (single(upper.properties.lowercaseMapping) ?? scalar).value
}

/// Whether the full case folding of a text has more scalars than the text, as for `ß`.
func foldsLonger(_ text: String) -> Bool {
  text.unicodeScalars.contains { scalar in
    scalar.value >= 0x80 && !isIdeographic(scalar.value)
      && (scalar.properties.uppercaseMapping.unicodeScalars.count > 1
        || scalar.properties.lowercaseMapping.unicodeScalars.count > 1)
  }
}

private func single(_ mapping: String) -> Unicode.Scalar? {
  let scalars = mapping.unicodeScalars
  guard let first = scalars.first, scalars.index(after: scalars.startIndex) == scalars.endIndex
  else { return nil }
  return first
}

/// A text for comparison: NFC, folded.
///
/// The words stay as far apart as they were.
func caseFolded(_ text: String) -> String {
  foldedASCII(text) ?? NormalizedText.string(text._nfc.map { foldCase($0.value) })
}

/// The folded text when all of it is ASCII.
func foldedASCII(_ text: String) -> String? {
  text.utf8.withContiguousStorageIfAvailable { bytes -> String? in
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    return String(unsafeUninitializedCapacity: bytes.count) { folded in
      for index in bytes.indices {
        folded[index] = bytes[index] &- 0x41 < 26 ? bytes[index] | 0x20 : bytes[index]
      }
      return bytes.count
    }
  } ?? nil
}

/// Whether a parameter takes the text as it is: printable ASCII with no space at its ends, no two
/// beside each other, and within `Limits.parameterBytesMax`.
///
/// Most values are such, and are resolved more than once on their way.
func isNormalizedASCII(_ text: String) -> Bool {
  text.utf8.withContiguousStorageIfAvailable { bytes in
    guard !bytes.isEmpty, bytes.count <= Limits.parameterBytesMax else { return false }
    var previous = UInt8(ascii: " ")
    for byte in bytes {
      guard byte &- 0x20 < 0x5F, byte != 0x20 || previous != 0x20 else { return false }
      previous = byte
    }
    return previous != 0x20
  } ?? false
}
