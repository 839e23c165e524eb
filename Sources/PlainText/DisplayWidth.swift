/// Returns the columns that `text` takes on a terminal, without the colours (`ESC [ … m`) in it.
///
/// Meant for text that `printable` returned: any escape counts as a colour, up to the next `m`.
/// Ideographs, kana, Hangul, full-width forms and emoji take two columns; combining marks,
/// selectors and joiners none; an emoji made of several with joiners, and a flag, two.
///
/// The result is that of the C library's `wcwidth`, which would need a locale that may not be
/// installed, with two exceptions: an emoji sequence counts as the one picture that it is, and a
/// character that a selector turns into an emoji takes two columns. O(length).
package func displayWidth(_ text: String) -> Int {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
  var counter = ColumnCounter()
  for scalar in text.unicodeScalars { counter.take(scalar) }
  return counter.columns
}

/// Returns `text` on one line of at most `columnsMax` columns; a longer text ends in an ellipsis.
///
/// `text` has no colours. If `columnsMax` is 0 or less, the result is empty.
package func shortened(_ text: String, columnsMax: Int) -> String {
  guard displayWidth(text) > columnsMax else { return text }
  guard columnsMax > 0 else { return "" }
  var short = ""
  // The ellipsis takes a column.
  var width = 1
  for character in text {
    width += displayWidth(String(character))
    if width > columnsMax { break }
    short.append(character)
  }
  while short.last == " " { short.removeLast() }
  return short + "…"
}

/// Returns `text` with spaces behind it, so that it takes `columns`; a longer text unchanged.
package func padded(_ text: String, columns: Int) -> String {
  text + String(repeating: " ", count: max(0, columns - displayWidth(text)))
}

/// Breaks `text`, which has no colours, into lines of at most `columnsMax` columns, between words;
/// all lines but the first have `hanging` columns less, for the caller's indent.
///
/// A word that is longer than a line stays whole, since it may be a path or a command to copy; but
/// it is broken where it has wide characters, since Chinese and Japanese have no spaces.
package func wrapped(_ text: String, columnsMax: Int, hanging: Int = 0) -> [String] {
  guard displayWidth(text) > columnsMax else { return [text] }
  var lines: [String] = []
  var line = ""
  var width = 0
  var rest = text[...]
  while !rest.isEmpty {
    // Spaces between words of a line stay, as in a table that somebody wrote.
    let spaceCount = rest.prefix { $0 == " " }.count
    rest = rest.dropFirst(spaceCount)
    let word = rest.prefix { $0 != " " }
    rest = rest.dropFirst(word.count)
    guard !word.isEmpty else { break }
    for piece in pieces(of: word, columnsMax: columnsMax - hanging) {
      let isContinued = piece.startIndex > word.startIndex
      let columns = displayWidth(String(piece))
      let isAtStart = line.isEmpty && !lines.isEmpty
      let gap = isContinued || isAtStart ? 0 : spaceCount
      let room = lines.isEmpty ? columnsMax : columnsMax - hanging
      if !line.isEmpty, width + gap + columns > room {
        lines.append(line)
        line = String(piece)
        width = columns
      } else {
        line += String(repeating: " ", count: gap) + piece
        width += gap + columns
      }
    }
  }
  if !line.isEmpty || lines.isEmpty { lines.append(line) }
  return lines
}

/// Returns the parts of a word between which a line may break: before and behind each wide
/// character, if the word is longer than a line of `columnsMax` columns.
private func pieces(of word: Substring, columnsMax: Int) -> [Substring] {
  guard displayWidth(String(word)) > columnsMax else { return [word] }
  var pieces: [Substring] = []
  var start = word.startIndex
  var mayBreak = false
  for index in word.indices {
    let isWide = displayWidth(String(word[index])) > 1
    if index > start, isWide || mayBreak {
      pieces.append(word[start..<index])
      start = index
    }
    mayBreak = isWide
  }
  pieces.append(word[start...])
  return pieces
}

/// Adds up the columns of scalars in order.
private struct ColumnCounter {
  private(set) var columns = 0
  private var isColour = false
  /// The last scalar that takes a column, and how many it takes.
  private var last: (scalar: Unicode.Scalar, columns: Int)?
  /// Whether a joiner makes the next emoji a part of the last one.
  private var joinsNext = false

  mutating func take(_ scalar: Unicode.Scalar) {
    if isColour {
      isColour = scalar != "m"
      return
    }
    switch scalar.value {
    case 0x1B: isColour = true
    case 0x200D: joinsNext = last?.scalar.properties.isEmoji ?? false
    case 0xFE0F:
      guard let base = last, base.columns == 1, base.scalar.properties.isEmoji else { return }
      columns += 1
      last = (base.scalar, 2)
    default: add(scalar)
    }
  }

  private mutating func add(_ scalar: Unicode.Scalar) {
    let own = columnsTaken(by: scalar)
    guard own > 0 else { return }
    defer { joinsNext = false }
    if let base = last?.scalar.properties {
      let isPart =
        joinsNext && scalar.properties.isEmoji
        || scalar.properties.isEmojiModifier && base.isEmojiModifierBase
      guard !isPart else { return }
    }
    columns += own
    last = (scalar, own)
  }
}

/// Returns the columns that a scalar takes by itself: 0, 1 or 2.
package func columnsTaken(by scalar: Unicode.Scalar) -> Int {
  guard scalar.value >= 0x7F else { return scalar.value < 0x20 ? 0 : 1 }
  guard scalar.value >= 0xA0 else { return 0 }
  // Below the first combining mark everything takes one column, the soft hyphen U+00AD too.
  guard scalar.value >= 0x300 else { return 1 }
  // Drawn, although its category is "format".
  if scalar.isPrependedSign { return 1 }
  switch scalar.value {
  // Vowels and finals of Hangul are drawn into the block that an initial begins.
  case 0x1160...0x11FF, 0xD7B0...0xD7FB: return 0
  // Two regional indicators are a flag.
  case 0x1F1E6...0x1F1FF: return 1
  default: break
  }
  let properties = scalar.properties
  switch properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format: return 0
  default: break
  }
  return properties.isEmojiPresentation || wideRanges.contains { $0.contains(scalar.value) } ? 2 : 1
}

/// The scalars beside the emoji that take two columns.
///
/// Source: Unicode's EastAsianWidth.txt, W and F, joined over what is not assigned. The standard
/// library does not have that property.
private let wideRanges: [ClosedRange<UInt32>] = [
  0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F,
  0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
  0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
]
