/// Text as near reading compares it: cut into words, and spelled so that marks are characters of
/// their own.
@_spi(_Unicode) import Swift

/// A script that is written without spaces between words: Han, kana, Thai, Lao, Khmer, Burmese.
///
/// Each of its characters is compared as if it were a word.
func isUnspaced(_ value: UInt32) -> Bool {
  if value < 0x0E00 { return false }
  return value &- 0x4E00 < 0x5200 || value &- 0x3400 < 0x19C0 || value &- 0x3040 < 0xC0
    || value &- 0x0E00 < 0x100 || value &- 0x1780 < 0x80 || value &- 0x1000 < 0xA0
}

/// Whether a scalar is a mark on the letter before it: an accent, a tone, a hamza, a nukta, a vowel
/// above or below.
func isMark(_ value: UInt32) -> Bool {
  guard value >= 0x300, let scalar = Unicode.Scalar(value) else { return false }
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .spacingMark, .enclosingMark: return true
  default: return false
  }
}

/// Whether a mark changes how a word is written and seldom which word it is.
///
/// The vowels of Indic scripts are marks, too, and are not meant.
@inline(__always)
func isLightMark(_ value: UInt32) -> Bool {
  value >= 0x300 && value < 0x3100 && lightMarks[Int(value - 0x300)]
}

private let lightMarks: [Bool] = (0x300..<0x3100).map { value in
  guard let scalar = Unicode.Scalar(UInt32(value)) else { return false }
  return scalar.properties.canonicalCombiningClass != .notReordered
}

/// What a scalar is where text is cut into words.
enum NearClass: Equatable {
  case separator, letter, apostrophe, digit, unspaced, symbol

  init(_ value: UInt32) {
    switch value {
    case 0x61...0x7A, 0x41...0x5A: self = .letter
    case 0x30...0x39: self = .digit
    case 0x27: self = .apostrophe
    case space, 0x2D, 0x5F: self = .separator
    default:
      if isUnspaced(value) {
        self = .unspaced
      } else if isPunctuation(value) || isWhitespace(value) {
        self = .separator
      } else if isWord(value) || isMark(value) || value &- 0x200B < 5 {
        self = .letter
      } else {
        self = .symbol
      }
    }
  }
}

/// Returns where the words of a folded text are.
///
/// "50%" is two words, "l'heure" is two, "20.5" is one; each character of a script without spaces
/// is one, with its marks. O(text).
func nearWords(of text: some RandomAccessCollection<UInt32>) -> [Range<Int>] {
  let text = Array(text)
  var words: [Range<Int>] = []
  var index = 0
  while index < text.count {
    let start = index
    let kind = NearClass(text[index])
    index += 1
    switch kind {
    case .separator: continue
    case .letter, .apostrophe:
      var ends = kind == .apostrophe
      while !ends, index < text.count {
        switch NearClass(text[index]) {
        case .letter: index += 1
        case .apostrophe:
          index += 1
          ends = true
        default: ends = true
        }
      }
    case .digit:
      while index < text.count {
        let isPoint =
          (text[index] == 0x2E || text[index] == 0x2C) && index + 1 < text.count
          && NearClass(text[index + 1]) == .digit
        guard isPoint || NearClass(text[index]) == .digit else { break }
        index += 1
      }
    case .unspaced:
      while index < text.count, isMark(text[index]) { index += 1 }
    case .symbol: break
    }
    words.append(start..<index)
  }
  return words
}

/// A folded text in the form in which slips are counted: decomposed, without spaces, letters that
/// keyboards replace by plainer ones replaced.
func nearSpelling(_ text: some Collection<UInt32>) -> [UInt32] {
  var isPlain = true
  for value in text where value >= 0x80 || value == space || value == 0x2D || value == 0x5F {
    isPlain = false
    break
  }
  if isPlain { return Array(text) }
  var result: [UInt32] = []
  result.reserveCapacity(text.count + 4)
  func add(_ value: UInt32) {
    switch value {
    case space, 0x2D, 0x5F, 0x200B...0x200F: return
    case 0xDF: result += [0x73, 0x73]  // ß
    case 0xE6: result += [0x61, 0x65]  // æ
    case 0x153: result += [0x6F, 0x65]  // œ
    case 0xF8: result.append(0x6F)  // ø
    case 0x111: result.append(0x64)  // đ
    case 0x142: result.append(0x6C)  // ł
    case 0x131: result.append(0x69)  // ı
    case 0x629: result.append(0x647)  // ة
    case 0x649, 0x6CC: result.append(0x64A)  // ى ی
    case 0x6A9: result.append(0x643)  // ک
    default: result.append(value)
    }
  }
  if isDecomposed(text) {
    for value in text { add(value) }
  } else {
    for scalar in NormalizedText.string(text)._nfd { add(scalar.value) }
  }
  return result
}

/// Whether a text is surely in canonical decomposition: ASCII, Han, and Thai without two marks whose
/// order could be another.
private func isDecomposed(_ text: some Collection<UInt32>) -> Bool {
  var hasMark = false
  for value in text {
    switch value {
    case 0..<0x80, 0x4E00...0x9FFF: break
    case 0xE38...0xE3A, 0xE48...0xE4B:
      guard !hasMark else { return false }
      hasMark = true
    case 0xE01...0xE5B: break
    default: return false
    }
  }
  return true
}

/// How a word that was said differs from one that is known.
struct NearForm {
  enum Kind: UInt8 { case same, marks, slip, ending }
  var kind: Kind
  /// 0 for the same word; about 0.5 for a slip in a word of middle length.
  var cost: Float

  /// Compares two spellings; `nil` if they are not near.
  ///
  /// Short words differ by marks only: a slip makes another word of them.
  init?(_ said: NearSpelling, _ known: NearSpelling) {
    self.init(said.shape, said.scalars.span, known.shape, known.scalars.span)
  }

  /// The same for spellings that are parts of longer rows of characters.
  init?(
    _ said: NearShape, _ saidScalars: Span<UInt32>, _ known: NearShape,
    _ knownScalars: Span<UInt32>
  ) {
    let (short, long) = (min(said.count, known.count), max(said.count, known.count))
    guard long - short <= 4, short > 0 else { return nil }
    // Numbers are not corrected: "gate b13" is no slip of "gate b12".
    guard haveSameDigits(saidScalars, knownScalars) else { return nil }
    let difference = (said.characters ^ known.characters).nonzeroBitCount
    let marks = (said.marks, known.marks)
    if known.isUnspaced, long > 1 {
      // Two or three characters are a word here.
      let most = long <= 4 ? 1 : 2
      guard short > 1, difference <= most * 2 + 2, !said.isFarther(from: known, than: most),
        let count = slips(saidScalars, knownScalars, marks: marks, atMost: Float(most))
      else { return nil }
      if count < 1 {
        self.init(marks: count)
      } else {
        self.init(kind: .slip, cost: 0.2 + 1.4 * count / Float(long))
      }
      return
    }
    let most: Float = short <= 2 ? 0.75 : short <= 4 ? 1 : short <= 7 ? 2 : 3
    let beginsAlike = said.head == known.head && short > 2
    if difference <= Int(most * 2) + 2, !said.isFarther(from: known, than: Int(most)),
      let count = slips(saidScalars, knownScalars, marks: marks, atMost: most)
    {
      guard count >= 1 else {
        self.init(marks: count)
        return
      }
      guard short > 2 else { return nil }
      // Two letters at the end are another form of the word, and perhaps another meaning.
      let common = count >= 2 && beginsAlike ? saidScalars.commonPrefix(with: knownScalars) : 0
      let isEnding = common >= 3 && common + 3 >= short
      self.init(kind: isEnding ? .ending : .slip, cost: 0.16 + 2.2 * count / Float(long))
      return
    }
    guard beginsAlike else { return nil }
    let common = saidScalars.commonPrefix(with: knownScalars)
    let tails = (said.count - common) + (known.count - common)
    guard common >= 3, common * 3 >= long * 2 - 2 || common >= 5, tails <= 6, long - common <= 4
    else { return nil }
    self.init(kind: .ending, cost: 0.5 + 0.08 * Float(tails))
  }

  /// Marks alone differ, or nothing.
  private init(marks: Float) {
    self.init(kind: marks == 0 ? .same : .marks, cost: marks == 0 ? 0 : 0.06 + 0.1 * marks)
  }

  init(kind: Kind, cost: Float) {
    self.kind = kind
    self.cost = cost
  }
}

/// Whether two spellings have the same digits in the same order.
private func haveSameDigits(_ left: Span<UInt32>, _ right: Span<UInt32>) -> Bool {
  var place = 0
  for index in left.indices where left[index] &- 0x30 < 10 {
    while place < right.count, right[place] &- 0x30 >= 10 { place += 1 }
    guard place < right.count, right[place] == left[index] else { return false }
    place += 1
  }
  while place < right.count {
    guard right[place] &- 0x30 >= 10 else { return false }
    place += 1
  }
  return true
}
