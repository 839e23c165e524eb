/// Templates of one language, compiled: a flat graph whose nodes each know what comes next.
///
/// Alternatives are several ways to one continuation, so nothing is written out twice; a rule is
/// compiled once and *called* (the matcher keeps a return stack), and so are the branches of a
/// permutation. The program therefore grows with the text of the templates, never with the number
/// of sentences they stand for.
///
/// Each template also carries a `RequiredText`: bits for the characters and pairs of characters
/// that every sentence it matches must contain. One AND per template tells most of them apart from
/// a sentence before anything is matched; in the same way each node knows which characters can come
/// next, so that most branches are never entered.
struct PhraseProgram: Sendable {
  struct Node: Sendable {
    enum Kind: UInt8, Sendable {
      /// `a`: index in `chunks`.
      case chunk
      /// `a`, `b`: first and count in `branches`; they continue at what was `next`.
      case alternative
      /// `a`, `b`: first and count in `branches`, each ending with `.end`.
      case permutation
      /// `a`: index in `references`.
      case list
      /// `a`: entry of a rule, which ends with `.end`.
      case call
      /// Returns to the caller; with no caller the template is matched.
      case end
      case fail
    }
    var kind: Kind
    var a: Int32 = 0
    var b: Int32 = 0
    var next: Int32 = 0
    /// Bits of the characters one of which must come next, white space aside; `.max` when anything
    /// or nothing may.
    var first: UInt64 = .max
  }

  struct Chunk: Sendable {
    /// Range in `scalars`, folded.
    var start: Int32
    var end: Int32
    /// After leading white space.
    var trimmedStart: Int32
    /// Characters without white space at the ends.
    var literalCharacters: Int32
    var isBlank: Bool
    /// Ends with a space or an apostrophe: what follows begins a word.
    var endsWord: Bool
  }

  struct Reference: Sendable {
    var list: Int32
    /// Index in `slots`; −1 for a capture.
    var slot: Int32
    var endsWord: Bool
    /// Compiled templates among the list's values, each ending with `.end`.
    var valueTemplates: [ValueTemplate]
  }

  struct ValueTemplate: Sendable {
    var value: Int32
    var entry: Int32
  }

  var ignoresWhitespace: Bool
  var nodes: [Node] = []
  var branches: [Int32] = []
  var chunks: [Chunk] = []
  var scalars: [UInt32] = []
  var references: [Reference] = []
  var slots: [String] = []
}

/// Characters, and pairs of neighbours within a word, as bits. A set that is not contained in a
/// sentence's proves that the sentence lacks something; containment proves nothing.
struct RequiredText: Hashable, Sendable {
  var characters: UInt64 = 0
  var pairs: UInt64 = 0

  static let everything = RequiredText(characters: .max, pairs: .max)

  init(characters: UInt64 = 0, pairs: UInt64 = 0) {
    self.characters = characters
    self.pairs = pairs
  }

  /// The bits of a folded text. White space counts for nothing, since it is elastic.
  init(_ folded: some Sequence<UInt32>) {
    var previous = space
    for scalar in folded {
      if scalar != space {
        characters |= Self.bit(scalar)
        if previous != space {
          let pair = (previous &* 0x85EB_CA6B) ^ (scalar &* 0x9E37_79B1)
          pairs |= 1 << UInt64((pair &* 0xC2B2_AE35) >> 26)
        }
      }
      previous = scalar
    }
  }

  /// The bit of a character.
  @inline(__always)
  static func bit(_ scalar: UInt32) -> UInt64 { 1 << UInt64((scalar &* 0x9E37_79B1) >> 26) }

  @inline(__always)
  func isContained(in other: RequiredText) -> Bool {
    characters & ~other.characters == 0 && pairs & ~other.pairs == 0
  }

  func union(_ other: RequiredText) -> RequiredText {
    RequiredText(characters: characters | other.characters, pairs: pairs | other.pairs)
  }

  func intersection(_ other: RequiredText) -> RequiredText {
    RequiredText(characters: characters & other.characters, pairs: pairs & other.pairs)
  }
}
