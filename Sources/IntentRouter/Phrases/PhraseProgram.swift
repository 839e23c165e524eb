/// Templates of one language, compiled into one graph.
///
/// The templates share their beginnings: the graph is a tree of items — words, groups, lists, rules
/// — in which two templates part where they first differ, so that "turn on the" is looked at once
/// for all of them. Within an item alternatives are several ways to one continuation and nothing is
/// written out twice; a rule is compiled once and *called* (the matcher keeps a return stack), and
/// so are the branches of a permutation. The program therefore grows with the text of the
/// templates, never with the number of sentences they stand for.
///
/// Two kinds of bits keep a sentence on the few paths that can lead to an end. Each way on from a
/// fork carries a `RequiredText`: bits for the characters and pairs of characters that every
/// sentence behind it must contain. And each node knows which characters can come next.
struct PhraseProgram: Sendable {
  struct Node: Sendable {
    enum Kind: UInt8, Sendable {
      /// `a`: index in `chunks`.
      case chunk
      /// `a` and `b` are the first index and the count in `branches`; the branches continue at
      /// `next`.
      case alternative
      /// `a`, `b`: first and count in `branches`, each ending with `.end`.
      case permutation
      /// `a`: index in `references`.
      case list
      /// `a`: entry of a rule, which ends with `.end`.
      case call
      /// `a`: index in `forks`.
      case fork
      /// Returns to the caller.
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

  /// Where templates part or end.
  struct Fork: Sendable {
    /// Ranges in `ways` and `templates`.
    var ways: Range<Int32>
    var accepted: Range<Int32>
  }

  /// One way on from a fork.
  struct Way: Sendable {
    var required: RequiredText
    var first: UInt64
    var entry: Int32
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
    /// Whether the text ends with a space or an apostrophe, so that a word begins after it.
    var endsWord: Bool
  }

  struct Reference: Sendable {
    var list: Int32
    /// Index in `slots`.
    var slot: Int32
    var isCapture: Bool
    var endsWord: Bool
  }

  /// A list's value that is a template, compiled; it ends with `.end`.
  struct ValueTemplate: Sendable {
    var value: Int32
    var entry: Int32
  }

  var ignoresWhitespace: Bool
  var nodes: [Node] = []
  var branches: [Int32] = []
  var chunks: [Chunk] = []
  var scalars: [UInt32] = []
  /// `scalars` with the case of the templates, for sentences that are written from them.
  var cased: [UInt32] = []
  var references: [Reference] = []
  var slots: [String] = []
  var forks: [Fork] = []
  var ways: [Way] = []
  /// Templates that end at a fork, by their places in the grammar.
  var accepted: [Int32] = []
  /// By list.
  var valueTemplates: [[ValueTemplate]] = []
}

/// Characters, and pairs of neighbours within a word, as bits.
///
/// A set that is not contained in a sentence's proves that the sentence lacks something;
/// containment proves nothing.
struct RequiredText: Hashable, Sendable {
  var characters: UInt64 = 0
  var pairs: UInt64 = 0

  static let everything = RequiredText(characters: .max, pairs: .max)

  init(characters: UInt64 = 0, pairs: UInt64 = 0) {
    self.characters = characters
    self.pairs = pairs
  }

  /// The bits of a folded text.
  ///
  /// White space counts for nothing, since it is elastic.
  init(_ folded: some Sequence<UInt32>) {
    var previous = space
    for scalar in folded {
      if scalar != space {
        characters |= Self.bit(scalar)
        if previous != space {
          pairs |= Self.bit(previous, scalar)
        }
      }
      previous = scalar
    }
  }

  /// The bit of a character.
  @inline(__always)
  static func bit(_ scalar: UInt32) -> UInt64 { 1 << UInt64((scalar &* 0x9E37_79B1) >> 26) }

  /// The bit of a pair of neighbours.
  @inline(__always)
  static func bit(_ first: UInt32, _ second: UInt32) -> UInt64 {
    let pair = (first &* 0x85EB_CA6B) ^ (second &* 0x9E37_79B1)
    return 1 << UInt64((pair &* 0xC2B2_AE35) >> 26)
  }

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
