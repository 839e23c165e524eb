import Synchronization

/// The texts of a list for near reading: each way in which each value is said.
///
/// Made when a sentence first asks for it, so that a list that is replaced costs nothing before.
final class NearNames: Sendable {
  struct Name: Sendable {
    var value: Int32
    /// As it is written in a corrected sentence.
    var text: [UInt32]
  }

  let names: [Name]
  private let spellings: NearSpellings
  /// The words of the names.
  private let words: NearTable

  init(_ values: [ListValue]) {
    var names: [Name] = []
    var spellings: [NearSpelling] = []
    var words: Set<[UInt32]> = []
    names.reserveCapacity(values.count)
    func add(_ text: [UInt32], _ value: Int) {
      let text = stripped(text)
      let folded = text.map(foldCase)
      let spelling = nearSpelling(folded)
      guard !spelling.isEmpty, spelling.count < 64 else { return }
      for word in nearWords(of: folded) { words.insert(nearSpelling(folded[word])) }
      names.append(Name(value: Int32(value), text: text))
      spellings.append(NearSpelling(spelling))
    }
    for (index, value) in values.enumerated() {
      guard let template = value.template else {
        add(normalizedScalars(value.spoken), index)
        continue
      }
      var texts: [[UInt32]] = [[]]
      if Self.spell(template.root, depth: 0, &texts) {
        for text in texts { add(text, index) }
      }
    }
    self.names = names
    self.words = NearTable(words.map { NearSpelling($0) })
    self.spellings = NearSpellings(spellings)
  }

  /// Scalars of the longest spelling.
  var longest: Int { spellings.longest }

  func has(_ shape: NearShape, _ text: Span<UInt32>) -> Bool {
    spellings.table.first(shape, text) != nil
  }

  /// Whether a name has a word.
  func hasWord(_ word: NearSpelling) -> Bool {
    words.first(word.shape, word.scalars.span) != nil
  }

  /// Calls `body` with each name that is a spelling, in the order of the list.
  @inline(__always)
  func forEachExact(_ shape: NearShape, _ text: Span<UInt32>, _ body: (_ index: Int) -> Void) {
    var found = spellings.table.first(shape, text)
    while let index = found {
      body(index)
      found = spellings.table.next(index, shape, text)
    }
  }

  /// Whether a name may begin with a character.
  func mayBegin(with first: UInt32) -> Bool { spellings.table.mayBegin(with: first) }

  /// The names that may be near to a part of a text with these letters.
  func candidates(in letters: UInt64) -> NearSpellings.Candidates {
    spellings.candidates(in: letters)
  }

  /// Calls `body` with each candidate that a spelling is near to.
  @inline(__always)
  func forEachNear(
    _ candidates: NearSpellings.Candidates, _ shape: NearShape, _ text: Span<UInt32>,
    _ stepsLeft: inout Int, _ body: (_ index: Int, NearForm) -> Void
  ) {
    spellings.forEachNear(candidates, shape, text, &stepsLeft, body)
  }

  /// Appends an item to each text in each way; `false` where it has a list.
  private static func spell(
    _ item: PhraseItem, depth: Int, _ texts: inout [[UInt32]]
  ) -> Bool {
    guard depth < Limits.templateDepthMax else { return false }
    switch item {
    case .nothing: return true
    case .chunk(let text):
      for index in texts.indices { texts[index] += text }
      return true
    case .sequence(let items), .permutation(let items):
      guard !items.isEmpty else { return false }
      for item in items {
        guard spell(item, depth: depth + 1, &texts) else { return false }
      }
      return true
    case .alternative(let items):
      var all: [[UInt32]] = []
      for item in items {
        var branch = texts
        if spell(item, depth: depth + 1, &branch) { all += branch }
      }
      texts = Array(all.prefix(Limits.nearSpellingsMax))
      return !texts.isEmpty
    // Few values name rules or lists; these are read exactly or not at all.
    case .rule, .list: return false
    }
  }
}

/// A value that is made once, by whoever asks first.
final class MadeOnce<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  func get(_ make: () -> Value) -> Value {
    value.withLock { value in
      if let value { return value }
      let made = make()
      value = made
      return made
    }
  }
}
