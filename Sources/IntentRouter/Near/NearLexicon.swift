/// The words that the templates of a language have, each once.
struct NearLexicon: Sendable {
  /// As templates have them, folded.
  private(set) var words: [[UInt32]] = []
  private(set) var spellings: [NearSpelling] = []
  private var filter = NearFilter()
  /// Scalars of the longest word of a script without spaces.
  private(set) var longestUnspaced = 0
  private var ids: [[UInt32]: Int32] = [:]
  private var idsBySpelling: [[UInt32]: Int32] = [:]

  var count: Int { words.count }

  /// Returns the number of a word, a new one if it is not known.
  mutating func id(of word: [UInt32]) -> Int32 {
    if let known = ids[word] { return known }
    let id = Int32(words.count)
    let spelling = NearSpelling(nearSpelling(word))
    words.append(word)
    spellings.append(spelling)
    filter.append(spelling)
    ids[word] = id
    if spelling.isUnspaced { longestUnspaced = max(longestUnspaced, spelling.count) }
    if idsBySpelling[spelling.scalars] == nil { idsBySpelling[spelling.scalars] = id }
    return id
  }

  func knownID(of word: [UInt32]) -> Int32? { ids[word] }

  func knownID(spelled spelling: [UInt32]) -> Int32? { idsBySpelling[spelling] }

  /// Calls `body` with each word that a spelling is near to.
  ///
  /// O(words), most of them by one comparison of bits.
  func forEachNear(_ spelling: NearSpelling, _ body: (_ id: Int, NearForm) -> Void) {
    filter.forEachCandidate(for: spelling) { id in
      if let form = NearForm(spelling, spellings[id]) { body(id, form) }
    }
  }
}

/// What rules out most of many spellings without a look at them, side by side.
struct NearFilter: Sendable {
  private struct Row: Sendable {
    var characters: UInt64
    var pairs: UInt64
    var head: UInt32
    var count: Int32
  }

  private var rows: [Row] = []

  mutating func append(_ spelling: NearSpelling) {
    rows.append(
      Row(
        characters: spelling.bits.characters, pairs: spelling.bits.pairs, head: spelling.head,
        count: Int32(spelling.count)))
  }

  /// Calls `body` with each spelling that may be near to one.
  ///
  /// An edit takes one character away and brings one, and two pairs of neighbours each; a word with
  /// another ending begins alike.
  @inline(__always)
  func forEachCandidate(for said: NearSpelling, _ body: (Int) -> Void) {
    let count = Int32(said.count)
    let (characters, pairs) = (said.bits.characters, said.bits.pairs)
    let most = said.slipsMost
    let (charactersMost, pairsMost) = (2 * most + 1, 4 * most + 1)
    for index in rows.indices {
      let row = rows[index]
      guard abs(row.count - count) <= 4 else { continue }
      let isNear =
        (row.characters ^ characters).nonzeroBitCount <= charactersMost
        && (row.pairs ^ pairs).nonzeroBitCount <= pairsMost
      guard isNear || (row.head == said.head && row.head != 0) else { continue }
      body(index)
    }
  }
}
