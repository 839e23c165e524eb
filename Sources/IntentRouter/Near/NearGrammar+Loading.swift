import Glibc
import JSON

extension NearGrammar {
  private struct GraphKey: Hashable {
    var root: PhraseItem
    var scope: Int
  }

  /// Lays out the templates of a language.
  ///
  /// Linear in the text of the templates, as long as few parts of words are optional.
  convenience init(
    _ grammar: PhraseGrammar, lists: [ValueList], otherLists: OtherLists, fillers: [String],
    blockers: [String]
  ) {
    let anyScope = grammar.sources.first?.scope ?? PhraseScope(id: 0, rules: [], lists: [])
    var builder = NearGraphBuilder(lists: lists, otherLists: otherLists, scope: anyScope)
    var sources: [Source] = []
    var conditions: [ContextConditions] = [ContextConditions()]
    var conditionIDs: [ContextConditions: Int32] = [ContextConditions(): 0]
    var meanings: [String: Int32] = [:]
    var contents: [String: Int32] = [:]
    var meaningsOfSources: [Int32] = []
    var graphs: [GraphKey: Int32] = [:]
    for (place, source) in grammar.sources.enumerated() where source.isReadNearly {
      let block = grammar.blocks[Int(source.block)]
      let key = GraphKey(root: source.template.root, scope: source.scope.id)
      guard let graph = graphs[key] ?? builder.addGraph(source.template.root, in: source.scope)
      else { continue }
      graphs[key] = graph
      let condition = conditionIDs[block.conditions] ?? Int32(conditions.count)
      if Int(condition) == conditions.count {
        conditionIDs[block.conditions] = condition
        conditions.append(block.conditions)
      }
      let name = "\(block.intent) \(block.fixedSlots) \(block.response ?? "")"
      let meaning = meanings[name] ?? Int32(meanings.count)
      meanings[name] = meaning
      meaningsOfSources.append(meaning)
      let fixed = "\(block.intent) \(block.fixedSlots)"
      let content = contents[fixed] ?? Int32(contents.count)
      contents[fixed] = content
      sources.append(
        Source(place: Int32(place), graph: graph, conditions: condition, meaning: content))
    }
    self.init(
      builder,
      Contents(
        sources, meanings: meaningsOfSources, meaningCount: contents.count, builder,
        lists: lists),
      conditions: conditions,
      fillers: NearPhrases(fillers.map { NormalizedText(value: $0).folded }),
      blockers: NearPhrases(blockers.map { NormalizedText(value: $0).folded }))
  }

  /// The words and lists of sources, and what they tell.
  struct Contents {
    var sources: [Source]
    var lists: [Int32] = []
    var requiredWords: [Int32] = []
    var postings: [[Int32]]
    var weights: [Float] = []
    var wordsOfMeanings: [[UInt64]]

    /// `meanings`: by source, numbers of intents with their fixed slots.
    init(
      _ sources: [Source], meanings: [Int32], meaningCount: Int, _ builder: NearGraphBuilder,
      lists valueLists: [ValueList]
    ) {
      self.sources = sources
      let wordCount = builder.lexicon.count
      postings = [[Int32]](repeating: [], count: wordCount)
      wordsOfMeanings = [[UInt64]](
        repeating: [UInt64](repeating: 0, count: wordCount / 64 + 1), count: meaningCount)
      var contents = GraphContents(builder.graphs, builder.references)
      var counts = [[Int32: Float]](repeating: [:], count: wordCount)
      var sizes: [Int32: Float] = [:]
      for index in sources.indices {
        let (words, named) = contents.of(Int(sources[index].graph))
        let required = contents.required(Int(sources[index].graph))
        var own: [Int32] = []
        for list in named.sorted() {
          if case .wildcard = valueLists[Int(list)] {
            self.sources[index].hasWildcard = true
          } else {
            own.append(list)
          }
        }
        self.sources[index].lists = append(own, to: &lists)
        self.sources[index].requiredLists = append(required.lists.sorted(), to: &lists)
        self.sources[index].requiredWords = append(required.words.sorted(), to: &requiredWords)
        let meaning = Int(sources[index].meaning)
        for word in words {
          counts[Int(word)][meanings[index], default: 0] += 1
          postings[Int(word)].append(Int32(index))
          wordsOfMeanings[meaning][Int(word) >> 6] |= 1 << UInt64(word & 63)
        }
        sizes[meanings[index], default: 0] += 1
      }
      weights = counts.map { NearGrammar.weight(of: $0, sizes: sizes) }
    }

    private func append(_ values: [Int32], to all: inout [Int32]) -> Range<Int32> {
      let start = Int32(all.count)
      all += values
      return start..<Int32(all.count)
    }
  }

  /// How much a word tells meanings apart: 1 less the entropy of the meanings that have it, as a
  /// share of the entropy that nothing told apart.
  private static func weight(of counts: [Int32: Float], sizes: [Int32: Float]) -> Float {
    guard sizes.count > 1 else { return 1 }
    // In a fixed order, since the sum of floating-point numbers depends on it.
    let shares = counts.map { ($0.key, $0.value / (sizes[$0.key] ?? 1)) }
      .sorted { $0.0 < $1.0 }.map(\.1)
    let sum = shares.reduce(0, +)
    guard sum > 0 else { return 0 }
    let entropy = shares.reduce(Float(0)) { $0 - $1 / sum * logf($1 / sum) }
    return max(0, 1 - entropy / logf(Float(sizes.count)))
  }
}

/// The words and lists of graphs, those of called graphs among them.
private struct GraphContents {
  private let graphs: [NearGraph]
  private let references: [NearReference]
  private var known: [Int: (words: Set<Int32>, lists: Set<Int32>)] = [:]

  init(_ graphs: [NearGraph], _ references: [NearReference]) {
    self.graphs = graphs
    self.references = references
  }

  mutating func of(_ graph: Int) -> (words: Set<Int32>, lists: Set<Int32>) {
    if let found = known[graph] { return found }
    var words: Set<Int32> = []
    var lists: Set<Int32> = []
    for edge in graphs[graph].edges {
      switch edge.kind {
      case .word: words.insert(edge.index)
      case .list: lists.insert(Int32(references[Int(edge.index)].list))
      case .call:
        let inner = of(Int(edge.index))
        words.formUnion(inner.words)
        lists.formUnion(inner.lists)
      case .silent: break
      }
    }
    known[graph] = (words, lists)
    return (words, lists)
  }

  private var knownRequired: [Int: (words: Set<Int32>, lists: Set<Int32>)] = [:]

  /// The words and lists that every way through a graph has.
  mutating func required(_ graph: Int) -> (words: Set<Int32>, lists: Set<Int32>) {
    if let found = knownRequired[graph] { return found }
    let size = graphs[graph].nodeCount
    var nodes = [(words: Set<Int32>, lists: Set<Int32>)?](repeating: nil, count: size)
    nodes[0] = ([], [])
    for node in 0..<size {
      guard let here = nodes[node] else { continue }
      for index in graphs[graph].edges(of: node) {
        let edge = graphs[graph].edges[index]
        var next = here
        switch edge.kind {
        case .word: next.words.insert(edge.index)
        case .list: next.lists.insert(Int32(references[Int(edge.index)].list))
        case .call:
          let inner = required(Int(edge.index))
          next.words.formUnion(inner.words)
          next.lists.formUnion(inner.lists)
        case .silent: break
        }
        let target = Int(edge.to)
        if let known = nodes[target] {
          nodes[target] = (
            known.words.intersection(next.words), known.lists.intersection(next.lists)
          )
        } else {
          nodes[target] = next
        }
      }
    }
    let found = nodes[size - 1] ?? ([], [])
    knownRequired[graph] = found
    return found
  }
}
