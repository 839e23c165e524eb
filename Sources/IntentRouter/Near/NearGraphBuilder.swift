/// Makes graphs of words from trees of templates.
///
/// First a tree becomes a graph of pieces of text, in which a group is several ways to one
/// continuation; then every way from the begin of a word to its end becomes one edge. A rule is one
/// graph that is called, except where it is written against a word: there it is written out.
struct NearGraphBuilder {
  private(set) var lexicon = NearLexicon()
  private(set) var graphs: [NearGraph] = []
  private(set) var texts: [UInt32] = []
  private(set) var references: [NearReference] = []
  /// Letters written against names; the first is none.
  private(set) var affixes = [NearAffix()]
  private var affixIDs = [NearAffix(): Int32(0)]
  private var referenceIDs: [NearReference: Int32] = [:]
  private var textRanges: [[UInt32]: Range<Int32>] = [:]
  private let lists: [ValueList]
  private let otherLists: OtherLists

  private struct RuleKey: Hashable {
    var scope: Int
    var name: String
  }
  private var ruleGraphs: [RuleKey: Int32] = [:]

  /// Pieces of text, before words are put together.
  private enum Piece {
    case text([UInt32])
    case gap
    case split([Int])
    case list(Int)
    case rule(String)
    case end
  }
  private struct PieceNode {
    var piece: Piece
    var next: Int
  }
  private var pieces: [PieceNode] = []
  private var scope: PhraseScope

  init(lists: [ValueList], otherLists: OtherLists, scope: PhraseScope) {
    self.lists = lists
    self.otherLists = otherLists
    self.scope = scope
  }

  /// Adds the graph of a template or a rule; `nil` if it has too many ways to be laid out.
  mutating func addGraph(_ root: PhraseItem, in scope: PhraseScope) -> Int32? {
    let outer = (pieces, self.scope)
    pieces = [PieceNode(piece: .end, next: -1)]
    self.scope = scope
    defer { (pieces, self.scope) = outer }
    guard let entry = add(root, next: 0) else { return nil }
    guard let graph = words(from: entry) else { return nil }
    graphs.append(graph)
    return Int32(graphs.count - 1)
  }

  // MARK: Pieces

  private mutating func push(_ piece: Piece, next: Int) -> Int? {
    guard pieces.count < Limits.nearPiecesMax else { return nil }
    pieces.append(PieceNode(piece: piece, next: next))
    return pieces.count - 1
  }

  /// Returns where an item begins; `nil` if it matches nothing.
  private mutating func add(_ item: PhraseItem, next: Int) -> Int? {
    switch item {
    case .nothing: return next
    case .chunk(let text): return add(text.map(foldCase), next: next)
    case .sequence(let items):
      guard !items.isEmpty else { return nil }
      var next = next
      for item in items.reversed() {
        guard let entry = add(item, next: next) else { return nil }
        next = entry
      }
      return next
    case .alternative(let items):
      var ways: [Int] = []
      for item in items {
        if let way = add(item, next: next), !ways.contains(way) { ways.append(way) }
      }
      guard ways.count != 1 else { return ways[0] }
      return ways.isEmpty ? nil : push(.split(ways), next: -1)
    case .permutation(let items):
      var known: [Int: Int] = [:]
      return addOrders(of: items, remaining: (1 << items.count) - 1, next: next, &known)
    case .rule(let name): return push(.rule(name), next: next)
    case .list(let reference):
      guard
        let list = scope.list(reference.name) ?? otherLists.absent[reference.name]
          ?? (reference.explicitSlot == nil ? nil : otherLists.inlineRanges[reference.name])
      else { return nil }
      return push(.list(list), next: next)
    }
  }

  private mutating func addOrders(
    of items: [PhraseItem], remaining: Int, next: Int, _ known: inout [Int: Int]
  ) -> Int? {
    guard remaining != 0 else { return next }
    if let entry = known[remaining] { return entry }
    var ways: [Int] = []
    for index in items.indices where remaining & (1 << index) != 0 {
      guard
        let rest = addOrders(of: items, remaining: remaining & ~(1 << index), next: next, &known),
        let way = add(items[index], next: rest)
      else { continue }
      ways.append(way)
    }
    guard !ways.isEmpty, let entry = push(.split(ways), next: -1) else { return nil }
    known[remaining] = entry
    return entry
  }

  /// Adds a text, cut where its class changes.
  private mutating func add(_ text: [UInt32], next: Int) -> Int? {
    var runs: [(isGap: Bool, text: [UInt32])] = []
    for value in text {
      let kind = NearClass(value)
      if value == space {
        runs.append((true, []))
      } else if let last = runs.last, !last.isGap, let previous = last.text.last,
        continues(NearClass(previous), kind, value)
      {
        runs[runs.count - 1].text.append(value)
      } else {
        runs.append((false, [value]))
      }
    }
    var next = next
    for run in runs.reversed() {
      guard let entry = push(run.isGap ? .gap : .text(run.text), next: next) else { return nil }
      next = entry
    }
    return next
  }

  /// Whether a scalar belongs to the word of the one before it.
  ///
  /// Text of scripts without spaces is a word up to where a group, a list or a rule begins: it has no
  /// other marks.
  private func continues(_ previous: NearClass, _ kind: NearClass, _ value: UInt32) -> Bool {
    switch kind {
    case .letter, .apostrophe: previous == .letter || (isMark(value) && previous == .unspaced)
    case .digit, .unspaced: previous == kind
    case .separator, .symbol: false
    }
  }

  // MARK: Words

  private struct WordNode: Hashable {
    var piece: Int
    var isGlued: Bool
  }

  /// The part of a word, or of a name with its affixes, that was walked through.
  private struct Part {
    var isGlued: Bool
    var word: [UInt32] = []
    var list: Int?
    var prefix: [UInt32] = []
    var isEmpty: Bool { word.isEmpty && list == nil }
  }

  /// A word that is complete: the piece after it, and whether it is written against that.
  private struct Way {
    var part: Part
    var piece: Int
    var isGlued = true
    var rule: String?
    var endsWithSpace = false
  }

  /// Names that stand on the ways from one node: those that differ by what is written against the
  /// name only are one edge.
  private struct NamesOfNode {
    private struct Key: Hashable {
      var list: Int
      var to: Int32
      var isGlued: Bool
      var endsWithSpace: Bool
    }
    private var places: [Key: Int] = [:]
    private(set) var all: [(edge: Int, reference: NearReference)] = []

    /// Adds a way; `false` if there is an edge for it.
    mutating func isNew(_ list: Int, _ affix: Int32, _ way: Way, to: Int32, edge: Int) -> Bool {
      let key = Key(
        list: list, to: to, isGlued: way.part.isGlued, endsWithSpace: way.endsWithSpace)
      if let place = places[key] {
        if !all[place].reference.affixes.contains(affix) {
          all[place].reference.affixes.append(affix)
        }
        return false
      }
      places[key] = all.count
      all.append((edge, NearReference(list: list, affixes: [affix])))
      return true
    }
  }

  private mutating func words(from entry: Int) -> NearGraph? {
    var numbers: [WordNode: Int] = [:]
    var edges: [[NearGraph.Edge]] = []
    var open: [WordNode] = []
    let end = WordNode(piece: -1, isGlued: false)
    func number(_ node: WordNode) -> Int32 {
      if let known = numbers[node] { return Int32(known) }
      numbers[node] = edges.count
      edges.append([])
      open.append(node)
      return Int32(edges.count - 1)
    }
    numbers[end] = 0
    edges.append([])
    let start = number(WordNode(piece: entry, isGlued: true))
    var edgeCount = 0
    while let node = open.popLast() {
      guard let from = numbers[node] else { continue }
      var found: [Way] = []
      guard walk(node.piece, Part(isGlued: node.isGlued), &found) else { return nil }
      var names = NamesOfNode()
      for way in found {
        let to = number(
          way.piece < 0 ? end : WordNode(piece: way.piece, isGlued: way.isGlued))
        if way.rule == nil, let list = way.part.list {
          let affix = affix(NearAffix(prefix: way.part.prefix, suffix: way.part.word))
          guard names.isNew(list, affix, way, to: to, edge: edges[from].count) else { continue }
        }
        guard var edge = edge(way.part, rule: way.rule, to: to) else { continue }
        edge.endsWithSpace = way.endsWithSpace
        edges[from].append(edge)
        edgeCount += 1
        guard edgeCount < Limits.nearEdgesMax else { return nil }
      }
      for name in names.all { edges[from][name.edge].index = reference(name.reference) }
    }
    return ordered(edges, start: Int(start))
  }

  private mutating func edge(_ part: Part, rule: String?, to: Int32) -> NearGraph.Edge? {
    if let rule {
      guard let graph = graph(ofRule: rule) else { return nil }
      return .init(kind: .call, isGlued: part.isGlued, to: to, index: graph)
    }
    // Its reference is known when all that may be written against the name is.
    guard part.list == nil else {
      return .init(kind: .list, isGlued: part.isGlued, to: to, index: -1)
    }
    guard !part.word.isEmpty else {
      // Nothing was said or written on this way.
      return .init(kind: .silent, isGlued: part.isGlued, to: to, index: -1)
    }
    let text = range(of: part.word)
    guard NearClass(part.word[0]) != .separator else {
      return .init(kind: .silent, isGlued: part.isGlued, to: to, index: -1, text: text)
    }
    return .init(
      kind: .word, isGlued: part.isGlued, to: to, index: lexicon.id(of: part.word), text: text)
  }

  private mutating func affix(_ affix: NearAffix) -> Int32 {
    if let known = affixIDs[affix] { return known }
    affixes.append(affix)
    affixIDs[affix] = Int32(affixes.count - 1)
    return Int32(affixes.count - 1)
  }

  private mutating func reference(_ reference: NearReference) -> Int32 {
    if let known = referenceIDs[reference] { return known }
    references.append(reference)
    referenceIDs[reference] = Int32(references.count - 1)
    return Int32(references.count - 1)
  }

  private mutating func range(of text: [UInt32]) -> Range<Int32> {
    guard !text.isEmpty else { return 0..<0 }
    if let known = textRanges[text] { return known }
    let range = Int32(texts.count)..<Int32(texts.count + text.count)
    texts += text
    textRanges[text] = range
    return range
  }

  private mutating func graph(ofRule name: String) -> Int32? {
    let key = RuleKey(scope: scope.id, name: name)
    if let known = ruleGraphs[key] { return known < 0 ? nil : known }
    guard let rule = scope.rule(name) else { return nil }
    let graph = addGraph(rule.root, in: scope)
    ruleGraphs[key] = graph ?? -1
    return graph
  }

  /// Follows every way from a piece to where a word is complete; `false` if they are too many.
  private mutating func walk(
    _ piece: Int, _ part: Part,
    _ found: inout [Way]
  ) -> Bool {
    guard found.count < Limits.nearEdgesMax else { return false }
    let node = pieces[piece]
    switch node.piece {
    case .end:
      found.append(Way(part: part, piece: -1))
      return true
    case .split(let ways):
      for way in ways { guard walk(way, part, &found) else { return false } }
      return true
    case .gap:
      guard part.isEmpty else {
        found.append(Way(part: part, piece: node.next, isGlued: false, endsWithSpace: true))
        return true
      }
      var part = part
      part.isGlued = false
      return walk(node.next, part, &found)
    case .text(let text):
      guard part.isEmpty || joins(part, text[0]) else {
        found.append(Way(part: part, piece: piece))
        return true
      }
      var part = part
      part.word += text
      guard NearClass(text[0]) == .separator else { return walk(node.next, part, &found) }
      found.append(Way(part: part, piece: node.next))
      return true
    case .list(let list):
      var part = part
      guard part.list == nil else {
        found.append(Way(part: part, piece: piece))
        return true
      }
      if !part.word.isEmpty {
        guard isText(list), let last = part.word.last, NearClass(last) == .letter else {
          found.append(Way(part: part, piece: piece))
          return true
        }
        part.prefix = part.word
        part.word = []
      }
      part.list = list
      return walk(node.next, part, &found)
    case .rule(let name):
      let canFollow = part.isEmpty || canJoin(part)
      if part.isEmpty, !beginsWithLetter(node.next, depth: 0) {
        found.append(Way(part: part, piece: node.next, rule: name))
        return true
      }
      guard canFollow || part.isEmpty else {
        found.append(Way(part: part, piece: piece))
        return true
      }
      guard let rule = scope.rule(name) else { return true }
      guard part.isEmpty || begins(rule.root, 0) ?? true else {
        found.append(Way(part: part, piece: piece))
        return true
      }
      // Written against a word: the rule is written out here.
      guard let entry = add(rule.root, next: node.next) else {
        return pieces.count < Limits.nearPiecesMax
      }
      pieces[piece].piece = .split([entry])
      return walk(entry, part, &found)
    }
  }

  private func isText(_ list: Int) -> Bool {
    switch lists[list] {
    case .text, .absent: true
    case .range, .wildcard: false
    }
  }

  /// Whether letters that follow can be a part of the same word.
  private func canJoin(_ part: Part) -> Bool {
    if let last = part.word.last { return NearClass(last) == .letter }
    return part.list.map(isText) ?? true
  }

  private func joins(_ part: Part, _ first: UInt32) -> Bool {
    let kind = NearClass(first)
    guard kind == .letter || kind == .apostrophe || isMark(first) else { return false }
    return canJoin(part)
  }

  /// Whether the text from a piece on can begin with a letter and no space.
  private func beginsWithLetter(_ piece: Int, depth: Int) -> Bool {
    guard piece >= 0, depth < 32 else { return false }
    let node = pieces[piece]
    switch node.piece {
    case .end, .gap: return false
    case .text(let text):
      let kind = NearClass(text[0])
      return kind == .letter || kind == .apostrophe
    case .split(let ways): return ways.contains { beginsWithLetter($0, depth: depth + 1) }
    case .list(let list): return isText(list) && false
    case .rule(let name):
      guard let rule = scope.rule(name) else { return false }
      return begins(rule.root, depth + 1) ?? beginsWithLetter(node.next, depth: depth + 1)
    }
  }

  /// The same for an item; `nil` if it can be empty.
  private func begins(_ item: PhraseItem, _ depth: Int) -> Bool? {
    guard depth < 32 else { return false }
    switch item {
    case .nothing: return nil
    case .chunk(let text):
      guard let first = text.first else { return nil }
      let kind = NearClass(foldCase(first))
      return kind == .letter || kind == .apostrophe
    case .sequence(let items):
      for item in items { if let begins = begins(item, depth + 1) { return begins } }
      return nil
    case .alternative(let items), .permutation(let items):
      let all = items.map { begins($0, depth + 1) }
      if all.contains(true) { return true }
      return all.contains(nil) ? nil : false
    case .list: return false
    case .rule(let name):
      guard let rule = scope.rule(name) else { return false }
      return begins(rule.root, depth + 1)
    }
  }

  // MARK: Order

  /// Brings nodes into an order in which edges lead forward, the first node first and the end last.
  private func ordered(_ edges: [[NearGraph.Edge]], start: Int) -> NearGraph? {
    var order: [Int] = []
    var state = [UInt8](repeating: 0, count: edges.count)
    var path = [(node: start, next: 0)]
    state[start] = 1
    while let (node, next) = path.last {
      guard next < edges[node].count else {
        state[node] = 2
        order.append(node)
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      let target = Int(edges[node][next].to)
      if state[target] == 0 {
        state[target] = 1
        path.append((target, 0))
      }
    }
    guard state[0] == 2 else { return nil }
    // The end was done first, or after nodes that lead nowhere.
    order.removeAll { $0 == 0 }
    var places = [Int32](repeating: -1, count: edges.count)
    for (place, node) in order.reversed().enumerated() { places[node] = Int32(place) }
    places[0] = Int32(order.count)
    var graph = NearGraph()
    graph.starts = []
    for node in order.reversed() {
      graph.starts.append(Int32(graph.edges.count))
      for var edge in edges[node] where places[Int(edge.to)] >= 0 {
        edge.to = places[Int(edge.to)]
        graph.edges.append(edge)
      }
    }
    graph.starts.append(Int32(graph.edges.count))
    return graph
  }
}
