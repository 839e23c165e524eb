/// The words that the templates of a language have, each once.
struct NearLexicon: Sendable {
  /// As templates have them, folded.
  private(set) var words: [[UInt32]] = []
  private(set) var spellings: [NearSpelling] = []
  /// Scalars of the longest word of a script without spaces.
  private(set) var longestUnspaced = 0
  private var ids: [[UInt32]: Int32] = [:]
  /// Of `spellings`, once all words are there.
  private var index = NearSpellings([])

  var count: Int { words.count }

  /// Returns the number of a word, a new one if it is not known.
  mutating func id(of word: [UInt32]) -> Int32 {
    if let known = ids[word] { return known }
    let id = Int32(words.count)
    let spelling = NearSpelling(nearSpelling(word))
    words.append(word)
    spellings.append(spelling)
    ids[word] = id
    if spelling.isUnspaced { longestUnspaced = max(longestUnspaced, spelling.count) }
    return id
  }

  func knownID(of word: [UInt32]) -> Int32? { ids[word] }

  /// Makes it ready for being looked up by spellings; no word is added after that.
  mutating func finish() { index = NearSpellings(spellings) }

  func knownID(spelled spelling: NearSpelling) -> Int32? {
    knownID(spelled: spelling.shape, spelling.scalars.span)
  }

  func knownID(spelled shape: NearShape, _ text: Span<UInt32>) -> Int32? {
    index.table.first(shape, text).map { Int32($0) }
  }

  /// The words that may be near to a part of a text with these letters.
  func candidates(in letters: UInt64) -> NearSpellings.Candidates { index.candidates(in: letters) }

  /// Calls `body` with each candidate that a spelling is near to.
  @inline(__always)
  func forEachNear(
    _ candidates: NearSpellings.Candidates, _ shape: NearShape, _ text: Span<UInt32>,
    _ body: (_ id: Int, NearForm) -> Void
  ) {
    var steps = Limits.nearNameStepsMax
    index.forEachNear(candidates, shape, text, &steps, body)
  }
}
