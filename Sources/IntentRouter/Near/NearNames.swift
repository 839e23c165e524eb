import Synchronization

/// The texts of a list for near reading: each way in which each value is said.
///
/// Made when a sentence first asks for it, so that a list that is replaced costs nothing before.
final class NearNames: Sendable {
  struct Name: Sendable {
    var value: Int32
    /// As it is written in a corrected sentence.
    var text: [UInt32]
    var spelling: NearSpelling
  }

  let names: [Name]
  private let bySpelling: [[UInt32]: [Int]]
  private let filter: NearFilter
  /// Scalars of the longest spelling.
  let longest: Int
  /// The words of the names, spelled.
  let words: Set<[UInt32]>

  init(_ values: [ListValue]) {
    var names: [Name] = []
    var words: Set<[UInt32]> = []
    names.reserveCapacity(values.count)
    func add(_ text: [UInt32], _ value: Int) {
      let text = stripped(text)
      let spelling = nearSpelling(text.map(foldCase))
      guard !spelling.isEmpty, spelling.count < 64 else { return }
      let folded = text.map(foldCase)
      for word in nearWords(of: folded) { words.insert(nearSpelling(folded[word])) }
      names.append(
        Name(value: Int32(value), text: text, spelling: NearSpelling(spelling)))
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
    self.words = words
    bySpelling = Dictionary(grouping: names.indices) { names[$0].spelling.scalars }
    var filter = NearFilter()
    for name in names { filter.append(name.spelling) }
    self.filter = filter
    longest = names.reduce(0) { max($0, $1.spelling.count) }
  }

  func has(_ spelling: NearSpelling) -> Bool { bySpelling[spelling.scalars] != nil }

  func forEachExact(_ spelling: NearSpelling, _ body: (_ index: Int) -> Void) {
    for index in bySpelling[spelling.scalars] ?? [] { body(index) }
  }

  /// Calls `body` with each name that a spelling is near to.
  ///
  /// O(names), most of them by one comparison of bits.
  func forEachNear(_ spelling: NearSpelling, _ body: (_ index: Int, NearForm) -> Void) {
    filter.forEachCandidate(for: spelling) { index in
      if let form = NearForm(spelling, names[index].spelling) { body(index, form) }
    }
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
