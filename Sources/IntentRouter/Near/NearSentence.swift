/// A sentence as near reading sees it: places between words, and the words from place to place.
///
/// Words that were typed without a space between them, or with one too many, are words of their own
/// beside those that were typed: the places and words are a graph that the search goes through.
struct NearSentence {
  struct Word {
    var spelling: NearSpelling
    /// The word in the lexicon that it is.
    var id: Int32?
    /// Whether it belongs to a negation, an exception or another time: it is never a slip.
    var isBlocker = false
    var isNumber: Bool
    /// Whether a list has a value with this word.
    var isName = false
    /// The cost of leaving it out.
    var skip: Float
    /// What it is put together from, or has within it: a word that is as near to one of these is
    /// not near to the whole, which would swallow the rest.
    var parts: [NearSpelling] = []
    /// Whether it is several characters of a script without spaces.
    var isRun = false
    /// The words of the lexicon that it is near to; `nil` where nothing asked yet.
    var forms: [KnownForm]?
  }

  /// How a word differs from one of the lexicon.
  struct KnownForm {
    var id: Int32
    var form: NearForm
  }

  /// A way on from a place, by one word.
  struct Arc {
    enum Kind: UInt8 { case word, split, joined }
    var kind: Kind
    var from: Int32
    var to: Int32
    var word: Int32
    var cost: Float
  }

  /// A way on from a place that leaves words out.
  struct Skip {
    enum Kind: UInt8 { case filler, unknown, known, number, blocker }
    var kind: Kind
    var from: Int32
    var to: Int32
    /// −1 for a filler.
    var word: Int32
    var cost: Float
  }

  let text: NormalizedText
  let tokens: [Range<Int>]
  /// Those that were typed come first.
  private(set) var words: [Word]
  /// In the order of the places that they begin at; `arrange` makes it so.
  private(set) var arcs: [Arc] = []
  private(set) var skips: [Skip] = []
  private(set) var arcStarts: [Int] = []
  private(set) var skipStarts: [Int] = []
  /// The scalar of `text` at which a place is, and before which the text before it ends.
  private(set) var begins: [Int] = []
  private(set) var ends: [Int] = []
  /// The place in `spelled` of a place.
  private(set) var offsets: [Int] = []
  /// The spellings of all words in a row.
  private(set) var spelled: [UInt32] = []
  /// The typed word that a place is in.
  private var tokensOfPlaces: [Int32] = []
  /// Places that begin a word as it was typed.
  private(set) var tokenPlaces: [Int] = []

  var placeCount: Int { begins.count }

  /// The typed word that a place is in; the end is in none.
  func token(at place: Int) -> Int { Int(tokensOfPlaces[place]) }

  /// Whether a typed word, or nothing, begins at a place.
  func isTokenPlace(_ place: Int) -> Bool {
    place == end || place == 0 || tokensOfPlaces[place] != tokensOfPlaces[place - 1]
  }
  var end: Int { begins.count - 1 }

  /// `words`: by token; `splits`: where each may be cut, in scalars from its start, ascending.
  init(_ text: NormalizedText, tokens: [Range<Int>], words: [Word], splits: [[Int]]) {
    self.text = text
    self.tokens = tokens
    self.words = words
    let count = splits.reduce(tokens.count + 1) { $0 + $1.count }
    tokenPlaces.reserveCapacity(tokens.count + 1)
    begins.reserveCapacity(count)
    tokensOfPlaces.reserveCapacity(count)
    ends.reserveCapacity(count)
    offsets.reserveCapacity(count)
    spelled.reserveCapacity(text.count + 8)
    for (index, token) in tokens.enumerated() {
      tokenPlaces.append(begins.count)
      var from = token.lowerBound
      func addPlace() {
        begins.append(from)
        tokensOfPlaces.append(Int32(index))
        ends.append(index > 0 && from == token.lowerBound ? tokens[index - 1].upperBound : from)
        offsets.append(spelled.count)
      }
      guard !splits[index].isEmpty else {
        addPlace()
        spelled += words[index].spelling.scalars
        continue
      }
      for cut in splits[index].map({ token.lowerBound + $0 }) + [token.upperBound] {
        addPlace()
        spelled += nearSpelling(text.folded[from..<cut])
        from = cut
      }
    }
    tokenPlaces.append(begins.count)
    begins.append(text.count)
    ends.append(tokens.last?.upperBound ?? 0)
    offsets.append(spelled.count)
  }

  mutating func add(_ word: Word) { words.append(word) }

  mutating func setForms(_ forms: [KnownForm], ofWord word: Int) { words[word].forms = forms }

  mutating func add(_ arc: Arc) { arcs.append(arc) }

  mutating func add(_ skip: Skip) { skips.append(skip) }

  /// Sorts arcs and skips by their places; called once, when all are there.
  mutating func arrange() {
    arcStarts = Self.arrange(&arcs, placeCount: placeCount) { Int($0.from) }
    skipStarts = Self.arrange(&skips, placeCount: placeCount) { Int($0.from) }
  }

  /// Sorts by places, and returns where those of each begin: the order within a place, which
  /// decides between equal ways, stays.
  private static func arrange<Way>(
    _ ways: inout [Way], placeCount: Int, place: (Way) -> Int
  ) -> [Int] {
    var starts = [Int](repeating: 0, count: placeCount + 1)
    for way in ways { starts[place(way) + 1] += 1 }
    for place in 0..<placeCount { starts[place + 1] += starts[place] }
    var next = starts
    let unordered = ways
    for way in unordered {
      ways[next[place(way)]] = way
      next[place(way)] += 1
    }
    return starts
  }

  func arcs(at place: Int) -> ArraySlice<Arc> { arcs[arcStarts[place]..<arcStarts[place + 1]] }

  func skips(at place: Int) -> ArraySlice<Skip> { skips[skipStarts[place]..<skipStarts[place + 1]] }

  /// What was said between two places, with its case.
  func said(_ from: Int, _ to: Int) -> ArraySlice<UInt32> {
    text.cased[begins[from]..<max(ends[to], begins[from])]
  }

  func spelling(_ from: Int, _ to: Int) -> ArraySlice<UInt32> {
    spelled[offsets[from]..<offsets[to]]
  }

  /// The typed words between two places, as bits.
  func tokenBits(_ from: Int, _ to: Int) -> UInt64 {
    guard from < to else { return 0 }
    let (first, last) = (UInt64(tokensOfPlaces[from]), UInt64(tokensOfPlaces[to - 1]))
    return ~0 >> (63 - last) & ~0 << first
  }
}
