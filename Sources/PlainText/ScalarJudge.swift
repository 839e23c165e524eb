/// Decides of each scalar of a text whether it may be printed as it is.
///
/// The rule is in one place; `printable`, `escaped`, `printableJSON` and `TerminalText` differ only
/// in what they write for a scalar that may not. The scalars of one text are given in order,
/// because a joiner, a selector or a tag is judged by its neighbours.
struct ScalarJudge {
  enum Verdict: Hashable {
    /// It is printed as it is.
    case plain
    /// It ends a line or moves to the next tab stop.
    case space
    /// It steers a terminal, or is no character at all.
    case control
    /// It is invisible, or changes the order or the look of the text around it.
    case hidden
  }

  /// The last scalar that was written; `nil` at the start.
  private var last: Unicode.Scalar?
  /// Combining marks in a row up to here.
  private var markCount = 0
  /// Tags to come that belong to the flag that began.
  private var tagCount = 0

  /// Returns the verdict on the first scalar of `rest`, which is the text from there on.
  mutating func judge(_ rest: Substring.UnicodeScalarView) -> Verdict {
    guard let scalar = rest.first else { return .plain }
    switch scalar.value {
    case 0x20..<0x7F: return keep(scalar)
    case 0x09...0x0D, 0x85, 0x2028, 0x2029: return .space
    case ..<0x20, 0x7F..<0xA0: return .control
    default: return judgeWide(scalar, rest.dropFirst())
    }
  }

  /// Notes text that was written without a verdict; `scalar` is the last of it.
  ///
  /// It is a run of plain ASCII, or it replaced a scalar.
  mutating func noteWritten(_ scalar: Unicode.Scalar?) {
    last = scalar
    markCount = 0
  }

  /// Judges a scalar beyond C1; `behind` is the text that follows it.
  private mutating func judgeWide(
    _ scalar: Unicode.Scalar, _ behind: Substring.UnicodeScalarView
  ) -> Verdict {
    guard !scalar.isNoncharacter else { return .control }
    let properties = scalar.properties
    if properties.isDefaultIgnorableCodePoint {
      if tagCount > 0 {
        tagCount -= 1
        return keep(scalar)
      }
      return mayFollowLast(scalar, behind.first) ? keep(scalar) : .hidden
    }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark:
      guard markCount < PlainTextLimits.combiningMarkCountMax else { return .hidden }
      markCount += 1
      last = scalar
      return .plain
    case .format:
      // Other format characters have no shape.
      return scalar.isPrependedSign ? keep(scalar) : .hidden
    default:
      if scalar == FlagTags.base { tagCount = FlagTags.count(behind) }
      return keep(scalar)
    }
  }

  /// Returns whether an invisible character belongs to the characters beside it.
  private func mayFollowLast(_ scalar: Unicode.Scalar, _ next: Unicode.Scalar?) -> Bool {
    guard let last else { return false }
    switch scalar.value {
    case 0x200D: return last.isVirama || last.canJoin && next?.isPictorial ?? false
    case 0x200C: return last.isVirama || last.isCursive && next?.isCursive ?? false
    case 0xFE00...0xFE0D: return last.value > 0x7F && !last.properties.isDefaultIgnorableCodePoint
    case 0xFE0E...0xFE0F: return last.properties.isEmoji
    case 0xE0100...0xE01EF: return last.properties.isIdeographic
    case 0x180B...0x180D, 0x180F: return (0x1820...0x18AA).contains(last.value)
    default: return false
    }
  }

  private mutating func keep(_ scalar: Unicode.Scalar) -> Verdict {
    last = scalar
    markCount = 0
    return .plain
  }
}

/// The flags that are written with tags: England, Scotland and Wales.
///
/// Any other run of tags shows nothing and could carry a hidden text. Source: Unicode's
/// emoji-sequences.txt, `RGI_Emoji_Tag_Sequence`.
private enum FlagTags {
  static let base: Unicode.Scalar = "\u{1F3F4}"
  private static let end: UInt32 = 0xE007F
  private static let regions = ["gbeng", "gbsct", "gbwls"].map { region in
    region.unicodeScalars.map { 0xE0000 + $0.value } + [end]
  }

  /// Returns the number of tags at the start of `text` that make a flag; 0 if they make none.
  static func count(_ text: Substring.UnicodeScalarView) -> Int {
    regions.first { region in text.lazy.map(\.value).starts(with: region) }?.count ?? 0
  }
}

extension Unicode.Scalar {
  /// Whether it is a picture, or gives one its colour.
  fileprivate var isPictorial: Bool { value > 0xFF && properties.isEmoji }

  /// Whether a joiner makes one emoji of it and the next.
  fileprivate var canJoin: Bool { isPictorial || value == 0xFE0F }

  /// Whether it is a virama, behind which joiners choose the form of the letters.
  fileprivate var isVirama: Bool { properties.canonicalCombiningClass == .virama }

  /// Whether it is of a script whose letters join, where a non-joiner separates them.
  fileprivate var isCursive: Bool {
    switch value {
    case 0x061C, 0x180B...0x180F: false
    case 0x0600...0x08FF, 0x1800...0x18AF, 0xFB50...0xFDFF, 0xFE70...0xFEFC: true
    default: false
    }
  }

  /// Whether Unicode sets it aside for programs: no text has it.
  fileprivate var isNoncharacter: Bool {
    (0xFDD0...0xFDEF).contains(value) || value & 0xFFFE == 0xFFFE
  }

  /// Whether it is a format character that is drawn: a sign before Arabic, Syriac or Kaithi digits.
  ///
  /// Source: Unicode's PropList.txt, `Prepended_Concatenation_Mark`.
  var isPrependedSign: Bool {
    switch value {
    case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890...0x0891, 0x08E2, 0x110BD, 0x110CD: true
    default: false
    }
  }
}
