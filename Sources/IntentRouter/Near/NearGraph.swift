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
    /// As it is written, in `NearGrammar.texts`; for lists what stands before and after the name.
    var text: Range<Int32> = 0..<0
    var suffix: Range<Int32> = 0..<0
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
  /// Letters that templates write against the name.
  var prefix: [UInt32]
  var suffix: [UInt32]
}

/// The templates of a language for near reading.
final class NearGrammar: Sendable {
  struct Source: Sendable {
    /// The template, by its place in the grammar.
    var place: Int32
    var graph: Int32
    var conditions: Int32
    /// The intent, by number.
    var intent: Int32
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
  /// The list of each reference, and whether letters are written against the name.
  let listsOfReferences: [Int32]
  let haveAffixes: [Bool]
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
  /// Words of each intent's templates, as bits by word.
  let wordsOfIntents: [[UInt64]]
  /// By number; 0 has no condition.
  let conditions: [ContextConditions]
  /// How much each word tells meanings apart, from 0 to 1.
  let weights: [Float]
  /// The sources that have a word, in a row, and where those of each word begin.
  private let postings: [Int32]
  private let postingStarts: [Int32]
  /// Letters written against names, by list, the longest first.
  let affixes: [Int: [NearAffix]]
  let fillers: NearPhrases
  let blockers: NearPhrases

  /// Whether the templates of an intent have a word.
  func hasWord(_ word: Int, intent: Int) -> Bool {
    wordsOfIntents[intent][word >> 6] & 1 << UInt64(word & 63) != 0
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
    haveAffixes = builder.references.map { !($0.prefix.isEmpty && $0.suffix.isEmpty) }
    namedLists = Set(builder.references.map(\.list)).sorted()
    nodeStarts = Self.starts(of: builder.graphs.map(\.nodeCount))
    edgeStarts = Self.starts(
      of: builder.graphs.flatMap { graph in
        (0..<graph.nodeCount).map { graph.edges(of: $0).count }
      })
    sources = contents.sources
    listsOfSources = contents.lists
    requiredWords = contents.requiredWords
    wordsOfIntents = contents.wordsOfIntents
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
    var affixes: [Int: [NearAffix]] = [:]
    for (index, reference) in builder.references.enumerated()
    where !(reference.prefix.isEmpty && reference.suffix.isEmpty) {
      affixes[reference.list, default: []].append(
        NearAffix(
          reference: Int32(index), prefix: nearSpelling(reference.prefix),
          suffix: nearSpelling(reference.suffix)))
    }
    self.affixes = affixes
  }

  /// Where each of several rows begins if one follows the other, and where the last ends.
  private static func starts(of counts: [Int]) -> [Int32] {
    counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + Int32($1)) }
  }
}

/// Letters that templates write against names of a list, spelled.
struct NearAffix: Sendable {
  /// In `NearGrammar.references`.
  var reference: Int32
  var prefix: [UInt32]
  var suffix: [UInt32]
}

/// Phrases of whole words that are looked for in a sentence.
struct NearPhrases: Sendable {
  private var byFirst: [UInt64: [[NearSpelling]]] = [:]

  init(_ phrases: some Sequence<[UInt32]>) {
    for phrase in phrases {
      let words = nearWords(of: phrase).map { NearSpelling(nearSpelling(phrase[$0])) }
      guard let first = words.first else { continue }
      byFirst[first.shape.hash, default: []].append(words)
    }
    for key in byFirst.keys { byFirst[key]?.sort { $0.count > $1.count } }
  }

  /// Calls `body` with the number of words of each phrase that begins at a place, the longest first.
  func forEachLength(
    in words: [NearSpelling], at place: Int, _ body: (_ length: Int) -> Void
  ) {
    guard let phrases = byFirst[words[place].shape.hash] else { return }
    for phrase in phrases where words[place...].starts(with: phrase) { body(phrase.count) }
  }
}
