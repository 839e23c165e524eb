/// Templates as graphs of whole words, so that what was said can be laid beside them word by word.
///
/// A template's tree has parts of words ("light[s]", "{area}n"): here each way through it is a row
/// of whole words, lists and calls of rules. Nodes are in an order in which every edge leads
/// forward.
struct NearGraph: Sendable {
  struct Edge: Sendable {
    enum Kind: UInt8, Sendable {
      /// `index`: in the lexicon.
      case word
      /// `index`: in `NearGrammar.references`.
      case list
      /// `index`: the number of the graph.
      case call
      /// Written and not said: a hyphen.
      case silent
    }
    var kind: Kind
    /// Whether it is written without a space before it.
    var isGlued: Bool
    /// Whether a space is written after it.
    var endsWithSpace = false
    var to: Int32
    var index: Int32
    /// As it is written, in `NearGrammar.texts`; nothing for lists and calls.
    var text: Range<Int32> = 0..<0
  }

  /// Where the edges of each node are in `edges`; one more than there are nodes.
  var starts: [Int32] = [0]
  var edges: [Edge] = []
  /// The node at which the graph is done; the last one.
  var end: Int { starts.count - 1 }
  var nodeCount: Int { starts.count }

  func edges(of node: Int) -> Range<Int> {
    node + 1 < starts.count ? Int(starts[node])..<Int(starts[node + 1]) : 0..<0
  }
}

/// A place of a template where a value stands.
struct NearReference: Hashable, Sendable {
  var list: Int
  /// What may be written against the name, in `NearGrammar.affixes`; the first where a person said
  /// none of them.
  var affixes: [Int32]
}

/// The templates of a language for near reading.
final class NearGrammar: Sendable {
  struct Source: Sendable {
    /// The template, by its place in the grammar.
    var place: Int32
    var graph: Int32
    var conditions: Int32
    /// The intent with its fixed slots, by number.
    var meaning: Int32
    /// Every list that a way through the graph names, wildcards apart, in `listsOfSources`.
    var lists: Range<Int32> = 0..<0
    var hasWildcard = false
    /// Words and lists that every way through the graph has, in `requiredWords` and
    /// `listsOfSources`.
    var requiredWords: Range<Int32> = 0..<0
    var requiredLists: Range<Int32> = 0..<0
  }

  let lexicon: NearLexicon
  /// Those of all graphs, in a row.
  let edges: [NearGraph.Edge]
  let texts: [UInt32]
  let references: [NearReference]
  /// The list of each reference.
  let listsOfReferences: [Int32]
  /// Letters written against names; the first is none.
  let affixes: [NearAffix]
  /// Which of them a reference has, as bits, in a row.
  private let affixBits: [UInt64]
  private let affixStride: Int
  /// Lists that a template names, ascending.
  let namedLists: [Int]
  /// Where the nodes of each graph begin, the nodes of all graphs in a row, and where the last end.
  private let nodeStarts: [Int32]
  /// Where the edges of each node begin, and where the last end.
  private let edgeStarts: [Int32]
  let sources: [Source]
  let listsOfSources: [Int32]
  let requiredWords: [Int32]
  /// The price of a word that nobody said, by word.
  let omitted: [Float]
  /// Words of each meaning's templates, as bits by word.
  let wordsOfMeanings: [[UInt64]]
  /// By number; 0 has no condition.
  let conditions: [ContextConditions]
  /// How much each word tells meanings apart, from 0 to 1.
  let weights: [Float]
  /// The sources that have a word, in a row, and where those of each word begin.
  private let postings: [Int32]
  private let postingStarts: [Int32]
  /// Letters written against names, by list.
  let spelledAffixes: [Int: NearSpelledAffixes]
  let fillers: NearPhrases
  let blockers: NearPhrases

  /// Whether a reference has an affix.
  @inline(__always)
  func takes(_ reference: Int, _ affix: Int32) -> Bool {
    affixBits[reference * affixStride + Int(affix) >> 6] & 1 << UInt64(affix & 63) != 0
  }

  /// Whether the templates of a meaning have a word.
  func hasWord(_ word: Int, meaning: Int) -> Bool {
    wordsOfMeanings[meaning][word >> 6] & 1 << UInt64(word & 63) != 0
  }

  var graphCount: Int { nodeStarts.count - 1 }
  /// Of all graphs.
  var nodeCount: Int { Int(nodeStarts[graphCount]) }

  /// The nodes of a graph; the last one is its end.
  @inline(__always)
  func nodes(ofGraph graph: Int) -> Range<Int> {
    Int(nodeStarts[graph])..<Int(nodeStarts[graph + 1])
  }

  @inline(__always)
  func edges(ofNode node: Int) -> Range<Int> {
    Int(edgeStarts[node])..<Int(edgeStarts[node + 1])
  }

  /// Calls `body` with each source that has a word, ascending.
  @inline(__always)
  func forEachSource(ofWord word: Int, _ body: (Int) -> Void) {
    for index in Int(postingStarts[word])..<Int(postingStarts[word + 1]) {
      body(Int(postings[index]))
    }
  }

  init(
    _ builder: NearGraphBuilder, _ contents: Contents, conditions: [ContextConditions],
    fillers: NearPhrases, blockers: NearPhrases
  ) {
    var lexicon = builder.lexicon
    lexicon.finish()
    self.lexicon = lexicon
    edges = builder.graphs.flatMap(\.edges)
    texts = builder.texts
    references = builder.references
    listsOfReferences = builder.references.map { Int32($0.list) }
    affixes = builder.affixes
    let stride = (builder.affixes.count + 63) / 64
    affixStride = stride
    var bits = [UInt64](repeating: 0, count: builder.references.count * stride)
    for (index, reference) in builder.references.enumerated() {
      for affix in reference.affixes {
        bits[index * stride + Int(affix) >> 6] |= 1 << UInt64(affix & 63)
      }
    }
    affixBits = bits
    namedLists = Set(builder.references.map(\.list)).sorted()
    nodeStarts = Self.starts(of: builder.graphs.map(\.nodeCount))
    edgeStarts = Self.starts(
      of: builder.graphs.flatMap { graph in
        (0..<graph.nodeCount).map { graph.edges(of: $0).count }
      })
    sources = contents.sources
    listsOfSources = contents.lists
    requiredWords = contents.requiredWords
    wordsOfMeanings = contents.wordsOfMeanings
    weights = contents.weights
    postings = contents.postings.flatMap { $0 }
    postingStarts = Self.starts(of: contents.postings.map(\.count))
    omitted = contents.weights.indices.map { word in
      let price = NearSearch.Price.omitted + NearSearch.Price.omittedWeight * contents.weights[word]
      return price * builder.lexicon.spellings[word].scale
    }
    self.conditions = conditions
    self.fillers = fillers
    self.blockers = blockers
    var ofLists: [Int: Set<Int32>] = [:]
    for reference in builder.references {
      ofLists[reference.list, default: []].formUnion(reference.affixes)
    }
    spelledAffixes = ofLists.compactMapValues { affixes in
      affixes == [0] ? nil : NearSpelledAffixes(affixes, builder.affixes)
    }
  }

  /// Where each of several rows begins if one follows the other, and where the last ends.
  private static func starts(of counts: [Int]) -> [Int32] {
    counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + Int32($1)) }
  }
}

/// Letters that templates write against a name.
struct NearAffix: Hashable, Sendable {
  var prefix: [UInt32] = []
  var suffix: [UInt32] = []
  var isEmpty: Bool { prefix.isEmpty && suffix.isEmpty }
}

/// Letters that templates write against names of a list, spelled.
struct NearSpelledAffixes: Sendable {
  /// The affix, in `NearGrammar.affixes`, and how it is spelled.
  typealias Spelled = (affix: Int32, prefix: [UInt32], suffix: [UInt32])

  private var bySuffix: [UInt32: [Spelled]] = [:]
  private var withoutSuffix: [Spelled] = []
  /// Scalars of the longest, before and after the name.
  private(set) var longest = 0
  /// Those that are long enough for a slip.
  private var long: [Spelled] = []

  init(_ affixes: Set<Int32>, _ all: [NearAffix]) {
    for affix in affixes.sorted() where !all[Int(affix)].isEmpty {
      let prefix = nearSpelling(all[Int(affix)].prefix)
      let suffix = nearSpelling(all[Int(affix)].suffix)
      longest = max(longest, prefix.count + suffix.count)
      if let last = suffix.last {
        bySuffix[last, default: []].append((affix, prefix, suffix))
        if suffix.count >= 4, long.count < Limits.nearLongAffixesMax {
          long.append((affix, prefix, suffix))
        }
      } else {
        withoutSuffix.append((affix, prefix, suffix))
      }
    }
  }

  /// Calls `body` with each affix that a text has, and the text within it.
  func forEach(in text: Span<UInt32>, _ body: (Int32, Span<UInt32>) -> Void) {
    func find(_ affixes: [Spelled]) {
      for (affix, prefix, suffix) in affixes {
        guard text.count > prefix.count + suffix.count, text.hasSuffix(suffix),
          text.hasPrefix(prefix)
        else { continue }
        body(affix, text.extracting(prefix.count..<(text.count - suffix.count)))
      }
    }
    find(withoutSuffix)
    guard text.count > 0, let affixes = bySuffix[text[text.count - 1]] else { return }
    find(affixes)
  }

  /// Calls `body` with each affix that a text has with a slip in the letters after the name, and the
  /// text that is the name then.
  func forEachNear(_ text: Span<UInt32>, _ body: (Int32, Span<UInt32>) -> Void) {
    for (affix, prefix, suffix) in long where text.hasPrefix(prefix) {
      for length in (suffix.count - 1)...(suffix.count + 1) {
        let end = text.count - length
        guard end >= prefix.count + 2 else { continue }
        let said = text.extracting(end..<text.count)
        guard slips(said, suffix.span, marks: (0, 0), atMost: 1) != nil else { continue }
        body(affix, text.extracting(prefix.count..<end))
      }
    }
  }
}

/// Phrases of whole words that are looked for in a sentence.
struct NearPhrases: Sendable {
  private var byFirst: [UInt64: [[NearSpelling]]] = [:]
  /// In no order.
  private var longWords: [NearSpelling] = []

  init(_ phrases: some Sequence<[UInt32]>) {
    for phrase in phrases {
      let words = nearWords(of: phrase).map { NearSpelling(nearSpelling(phrase[$0])) }
      guard let first = words.first else { continue }
      byFirst[first.shape.hash, default: []].append(words)
    }
    for key in byFirst.keys { byFirst[key]?.sort { $0.count > $1.count } }
    longWords = byFirst.values.flatMap { $0 }.filter { $0.count == 1 && $0[0].count >= 5 }
      .map { $0[0] }
  }

  /// Whether a word is a phrase of one long word with a slip in it.
  func isNearWord(_ word: NearSpelling) -> Bool {
    guard word.count >= 5 else { return false }
    return longWords.contains { known in
      !known.shape.isFarther(from: word.shape, than: 1) && slips(word, known, atMost: 1) != nil
    }
  }

  /// Calls `body` with the number of words of each phrase that begins at a place, the longest first.
  func forEachLength(
    in words: [NearSpelling], at place: Int, _ body: (_ length: Int) -> Void
  ) {
    guard let phrases = byFirst[words[place].shape.hash] else { return }
    for phrase in phrases where words[place...].starts(with: phrase) { body(phrase.count) }
  }
}
