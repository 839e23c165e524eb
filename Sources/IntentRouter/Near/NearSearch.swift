/// Lays a sentence beside templates: the cheapest way through a template's graph that takes all
/// words of the sentence, where words may be slips, be left out, or be missing.
///
/// Dynamic programming over the nodes of a graph and the places of the sentence. A rule is laid out
/// once for each place where it may begin and for each set of conditions, and then shared by all
/// templates that call it.
struct NearSearch: ~Copyable {
  /// Prices of what may differ, in the unit of about one slip in a word of middle length twice.
  enum Price {
    static let most: Float = 3.8
    /// How much dearer than the best a way may be that is looked at.
    static let window: Float = 1
    /// How far ahead of the next meaning one may be seen to be.
    static let margin: Float = 0.6
    static let omitted: Float = 0.12
    static let omittedWeight: Float = 1.1
    static let skippedKnown: Float = 0.35
    static let skippedKnownWeight: Float = 0.8
    static let skippedUnknown: Float = 0.85
    static let skippedNumber: Float = 3
    static let skippedBlocker: Float = 1.5
    static let filler: Float = 0.04
    static let joined: Float = 0.22
    static let split: Float = 0.28
    static let exchanged: Float = 0.55
    static let otherAffix: Float = 0.25
    static let wildcard: Float = 0.3
    static let wildcardWord: Float = 0.06
    /// Of what it costs to leave the word out.
    static let wildcardKnown: Float = 0.8
    static let order: Float = 0.9
    /// A character of a script without spaces is about half a word.
    static let unspaced: Float = 0.5
    /// By how much sums of the same prices in another order may differ.
    static let slack: Float = 0.001
  }

  /// A listed value, or a number, that words stand for.
  struct Named {
    var to: Int32
    /// In `NearNames.names`; −1 for a number or free words, which stay as they were said.
    var name: Int32
    var kind: NearForm.Kind
    var cost: Float
    /// The letters around the name, in `NearGrammar.affixes`; 0: none.
    var affix: Int32
    var isExchanged: Bool
    var value: Int32
  }

  struct Cell {
    var cost: Float = .infinity
    /// The edge that led here; −1 at the start, −2 where a word was left out.
    var edge: Int32 = -1
    /// The cell before.
    var from: Int32 = -1
    /// Arc, skip, name or table.
    var choice: Int32 = -1
  }

  /// The cells of a graph from a place on: for each node those of the places from `start` to the
  /// end.
  struct Table {
    var graph: Int32
    var start: Int32
    var cells: Int32
    /// In `reaches`.
    var reaches: Int32
    var conditions: Int32
    /// The table of the same graph and start for other conditions that was laid out before; −1.
    var previous: Int32
  }

  let grammar: NearGrammar
  let lists: [ValueList]
  let sentence: NearSentence
  let prices: NearPrices
  let names: NearNamesFound
  private(set) var cells: [Cell] = []
  private(set) var tables: [Table] = []
  /// The first and the last place of each node of each table at which it has a cell with a cost.
  private var reaches: [Reach] = []
  /// By graph and start: the table that was laid out last; −1: none.
  private var lastTables: [Int32]
  private var stepsLeft = Limits.nearStepsMax
  /// Ways that cost more are not looked at.
  private(set) var limit = Price.most
  /// What the words before a place cost at least, whatever the template.
  private var before: [Float] = []
  /// What the words from each place on cost at least: whatever the template, then beside the words
  /// and lists of each source that was asked for.
  private var after: [Float] = []
  /// By source, where its part of `after` begins; −1 where nothing asked yet.
  private var afterStarts: [Int32]
  /// The cheapest names from each place to each other, laid out like `names`.
  private var leastNames: [(to: Int32, cost: Float)] = []
  private var leastNameStarts: [Int32] = [0]
  /// By node, the nodes of all graphs in a row: the words that nobody said cost at least this much
  /// on the way to the graph's end; −1 where nothing asked yet.
  private var needs: [Float]
  /// By condition and name: whether it admits the name; 0 where nothing asked yet.
  private var admissions: [Admission] = []

  private struct Reach {
    var low = Int32.max
    var high: Int32 = -1
  }

  private enum Admission: UInt8 { case unknown, admitted, refused }

  init(
    _ grammar: NearGrammar, lists: [ValueList], _ sentence: NearSentence, prices: NearPrices,
    names: NearNamesFound
  ) {
    self.grammar = grammar
    self.lists = lists
    self.sentence = sentence
    self.prices = prices
    self.names = names
    lastTables = [Int32](repeating: -1, count: grammar.graphCount * sentence.placeCount)
    needs = [Float](repeating: -1, count: grammar.nodeCount)
    afterStarts = [Int32](repeating: -1, count: grammar.sources.count)
    cells.reserveCapacity(1 << 13)
    findLeastCosts()
  }

  /// Begins anew with another limit.
  mutating func restart(limit: Float) {
    self.limit = limit
    for table in tables { lastTables[lastTable(Int(table.graph), Int(table.start))] = -1 }
    cells.removeAll(keepingCapacity: true)
    tables.removeAll(keepingCapacity: true)
    reaches.removeAll(keepingCapacity: true)
  }

  /// Lowers the limit for what is laid out from now on.
  mutating func lower(limit: Float) { self.limit = min(self.limit, limit) }

  /// The cheapest way through the sentence if every word could stand anywhere.
  private mutating func findLeastCosts() {
    for row in stride(from: 0, to: names.starts.count, by: sentence.placeCount + 1) {
      for place in 0..<sentence.placeCount {
        let first = leastNames.count
        for index in Int(names.starts[row + place])..<Int(names.starts[row + place + 1]) {
          let name = names.named[index]
          if leastNames.count > first, leastNames[leastNames.count - 1].to == name.to {
            let last = leastNames.count - 1
            leastNames[last].cost = min(leastNames[last].cost, name.cost)
          } else {
            leastNames.append((name.to, name.cost))
          }
        }
        leastNameStarts.append(Int32(leastNames.count))
      }
      leastNameStarts.append(Int32(leastNames.count))
    }
    let ways = sentence.arcs.enumerated().map { index, arc in
      LeastWay(
        arc: Int32(index),
        cost: prices[Int(arc.word)].reduce(Float.infinity) { min($0, $1.price) } + arc.cost)
    }
    let rows = stride(from: 0, to: names.starts.count, by: sentence.placeCount + 1).map { $0 }
    var least = [Float](repeating: .infinity, count: sentence.placeCount)
    least[0] = 0
    func reach(_ place: Int32, _ cost: Float) { least[Int(place)] = min(least[Int(place)], cost) }
    for place in least.indices {
      let cost = least[place]
      for skip in sentence.skips(at: place) { reach(skip.to, cost + skip.cost) }
      for way in ways[sentence.arcStarts[place]..<sentence.arcStarts[place + 1]] {
        reach(sentence.arcs[Int(way.arc)].to, cost + way.cost)
      }
      for row in rows {
        for index in Int(leastNameStarts[row + place])..<Int(leastNameStarts[row + place + 1]) {
          reach(leastNames[index].to, cost + leastNames[index].cost)
        }
      }
    }
    before = least
    addAfter(ways[...], rows)
  }

  /// A word of the sentence, and the least that it costs as a word of a template.
  private struct LeastWay {
    /// In the arcs of the sentence.
    var arc: Int32
    var cost: Float
  }

  /// Finds what sources cost at least, where nothing asked yet: only their own words and lists
  /// count.
  mutating func findLeastCosts(of sources: [Int]) {
    var slots = [Int32](repeating: -1, count: grammar.sources.count)
    var starts: [Int] = [0]
    for source in sources where afterStarts[source] < 0 {
      slots[source] = Int32(starts.count - 1)
      starts.append(0)
    }
    guard starts.count > 1 else { return }
    // Those of each source in a row: they are counted first, then written.
    forEachWay(slots) { slot, _ in starts[slot + 1] += 1 }
    for slot in 1..<starts.count { starts[slot] += starts[slot - 1] }
    var next = starts
    var ways = [LeastWay](repeating: LeastWay(arc: 0, cost: 0), count: starts[starts.count - 1])
    forEachWay(slots) { slot, way in
      ways[next[slot]] = way
      next[slot] += 1
    }
    let wildcard = grammar.namedLists.first { list in
      if case .wildcard = lists[list] { true } else { false }
    }
    var rows: [Int] = []
    for source in sources where slots[source] >= 0 {
      rows.removeAll(keepingCapacity: true)
      for index in grammar.sources[source].lists {
        let row = names.rows[Int(grammar.listsOfSources[Int(index)])]
        if row >= 0 { rows.append(Int(row)) }
      }
      if grammar.sources[source].hasWildcard, let wildcard, names.rows[wildcard] >= 0 {
        rows.append(Int(names.rows[wildcard]))
      }
      afterStarts[source] = Int32(after.count)
      let slot = Int(slots[source])
      addAfter(ways[starts[slot]..<starts[slot + 1]], rows)
    }
  }

  /// Calls `body` with each word of the sentence that may be one of a source that has a slot, in the
  /// order of the sentence.
  @inline(__always)
  private func forEachWay(_ slots: [Int32], _ body: (_ slot: Int, LeastWay) -> Void) {
    for (index, arc) in sentence.arcs.enumerated() {
      for (id, price) in prices[Int(arc.word)] {
        let way = LeastWay(arc: Int32(index), cost: price + arc.cost)
        grammar.forEachSource(ofWord: Int(id)) { source in
          if slots[source] >= 0 { body(Int(slots[source]), way) }
        }
      }
    }
  }

  /// Appends to `after` what the words from each place on cost at least, by ways in the order of the
  /// sentence and by rows of names.
  private mutating func addAfter(_ ways: ArraySlice<LeastWay>, _ rows: [Int]) {
    let first = after.count
    after.append(contentsOf: repeatElement(.infinity, count: sentence.placeCount))
    after[after.count - 1] = 0
    var next = ways.endIndex - 1
    for place in (0..<sentence.end).reversed() {
      var least = Float.infinity
      for index in sentence.skipStarts[place]..<sentence.skipStarts[place + 1] {
        let skip = sentence.skips[index]
        least = min(least, after[first + Int(skip.to)] + skip.cost)
      }
      while next >= ways.startIndex {
        let arc = sentence.arcs[Int(ways[next].arc)]
        guard arc.from == place else { break }
        least = min(least, after[first + Int(arc.to)] + ways[next].cost)
        next -= 1
      }
      for row in rows {
        for index in Int(leastNameStarts[row + place])..<Int(leastNameStarts[row + place + 1]) {
          let name = leastNames[index]
          least = min(least, after[first + Int(name.to)] + name.cost)
        }
      }
      after[first + place] = least
    }
  }

  /// What a sentence costs at least, whatever the template.
  var leastCost: Float { after[0] }

  /// What a sentence costs at least beside a source for which `findLeastCosts` was called.
  mutating func leastCost(of source: Int) -> Float {
    after[Int(afterStarts[source])] + need(of: grammar.sources[source].graph)
  }

  /// What the words of a graph that nobody said cost at least; infinite where a name that every way
  /// has is nowhere in the sentence.
  private mutating func need(of graph: Int32) -> Float {
    let nodes = grammar.nodes(ofGraph: Int(graph))
    guard needs[nodes.lowerBound] < 0 else { return needs[nodes.lowerBound] }
    needs[nodes.upperBound - 1] = 0
    for node in nodes.dropLast().reversed() {
      var least = Float.infinity
      for index in grammar.edges(ofNode: node) {
        let edge = grammar.edges[index]
        least = min(least, need(of: edge) + needs[nodes.lowerBound + Int(edge.to)])
      }
      needs[node] = least
    }
    return needs[nodes.lowerBound]
  }

  @inline(__always)
  private mutating func need(of edge: NearGraph.Edge) -> Float {
    switch edge.kind {
    case .silent: 0
    case .word: prices.column(of: Int(edge.index)) != nil ? 0 : grammar.omitted[Int(edge.index)]
    case .list: hasNames(Int(grammar.listsOfReferences[Int(edge.index)])) ? 0 : .infinity
    case .call: need(of: edge.index)
    }
  }

  /// Whether a name of a list is anywhere in the sentence.
  @inline(__always)
  private func hasNames(_ list: Int) -> Bool { names.rows[list] >= 0 }

  /// The names of a list at a place, in `named`.
  @inline(__always)
  func names(of list: Int, at place: Int) -> Range<Int> {
    let row = Int(names.rows[list])
    guard row >= 0 else { return 0..<0 }
    return Int(names.starts[row + place])..<Int(names.starts[row + place + 1])
  }

  private func lastTable(_ graph: Int, _ start: Int) -> Int {
    graph * sentence.placeCount + start
  }

  private func knownTable(_ graph: Int32, _ conditions: Int32, _ start: Int) -> Int32? {
    var known = lastTables[lastTable(Int(graph), start)]
    while known >= 0, tables[Int(known)].conditions != conditions {
      known = tables[Int(known)].previous
    }
    return known >= 0 ? known : nil
  }

  /// Returns the table of a source, for which `findLeastCosts` was called; `nil` when the steps are
  /// used up.
  mutating func table(of source: Int) -> Int32? {
    let place = grammar.sources[source]
    return table(place.graph, place.conditions, 0, after: Int(afterStarts[source]))
  }

  /// Returns the table of a graph from a place on; `nil` when the steps are used up.
  private mutating func table(
    _ graph: Int32, _ conditions: Int32, _ start: Int32, after: Int = 0
  ) -> Int32? {
    if let known = knownTable(graph, conditions, Int(start)) { return known }
    guard stepsLeft > 0 else { return nil }
    let id = Int32(tables.count)
    let (firstCell, firstReach) = (cells.count, reaches.count)
    tables.append(
      Table(
        graph: graph, start: start, cells: Int32(firstCell), reaches: Int32(firstReach),
        conditions: conditions, previous: lastTables[lastTable(Int(graph), Int(start))]))
    lastTables[lastTable(Int(graph), Int(start))] = id
    _ = need(of: graph)
    let nodes = grammar.nodes(ofGraph: Int(graph))
    let width = sentence.placeCount - Int(start)
    cells.append(contentsOf: repeatElement(Cell(), count: nodes.count * width))
    cells[firstCell].cost = 0
    reaches.append(contentsOf: repeatElement(Reach(), count: nodes.count))
    reaches[firstReach] = Reach(low: start, high: start)
    fill(
      Layout(
        nodes: nodes, conditions: Int(conditions), start: Int(start), width: width,
        cells: firstCell, reaches: firstReach, after: after, limit: limit - before[Int(start)]))
    return id
  }

  /// The cell at the end of a table's graph, at a place.
  func endCell(_ table: Int32, _ place: Int) -> Int {
    let table = tables[Int(table)]
    let width = sentence.placeCount - Int(table.start)
    return Int(table.cells) + (grammar.nodes(ofGraph: Int(table.graph)).count - 1) * width + place
      - Int(table.start)
  }

  /// Where the parts of a table are while it is laid out.
  private struct Layout {
    /// The nodes of its graph among those of all.
    var nodes: Range<Int>
    var conditions: Int
    var start: Int
    /// Places from the start on.
    var width: Int
    /// The first of the table in `cells` and in `reaches`.
    var cells: Int
    var reaches: Int
    /// Of its source in `after`.
    var after: Int
    /// For the words from the start on.
    var limit: Float

    func cell(_ node: Int, _ place: Int) -> Int { cells + node * width + place - start }
  }

  /// Lays out a graph from a place on, node by node: first the words that are left out there, then
  /// the rules that are called, then every edge.
  ///
  /// Where several ways cost the same, the first one that is found stays. Ways that cannot cost
  /// little enough are not followed: they end where they cost too much, whatever comes.
  private mutating func fill(_ table: Layout) {
    for node in 0..<table.nodes.count where reaches[table.reaches + node].high >= 0 {
      let ways = grammar.edges(ofNode: table.nodes.lowerBound + node)
      var place = Int(reaches[table.reaches + node].low)
      while place <= reaches[table.reaches + node].high {
        if isOpen(table, node, place) {
          stepsLeft -= ways.count + 1
          leaveOut(table, node, place)
        }
        place += 1
      }
      guard stepsLeft > 0 else { return }
      let places = Int(reaches[table.reaches + node].low)..<place
      for index in ways where grammar.edges[index].kind == .call {
        let (rule, to) = (grammar.edges[index].index, Int(grammar.edges[index].to))
        let ruleNeed = need(of: rule)
        for place in places where isOpen(table, node, place) {
          let cost = cells[table.cell(node, place)].cost + ruleNeed
          guard mayEnd(table, to, place, cost) else { continue }
          guard self.table(rule, Int32(table.conditions), Int32(place)) != nil else { return }
        }
      }
      for place in places where isOpen(table, node, place) {
        follow(ways, table, node, place)
      }
    }
  }

  /// Whether what a cell cost leaves it within the limit.
  @inline(__always)
  private func isOpen(_ table: Layout, _ node: Int, _ place: Int) -> Bool {
    let cost = cells[table.cell(node, place)].cost
    return cost + after[place] <= table.limit && mayEnd(table, node, place, cost)
  }

  /// Whether a way that cost so much at a node may come to an end within the limit.
  @inline(__always)
  private func mayEnd(_ table: Layout, _ node: Int, _ place: Int, _ cost: Float) -> Bool {
    cost + after[table.after + place] + needs[table.nodes.lowerBound + node]
      <= table.limit + Price.slack
  }

  /// Goes on from a cell without the words at its place.
  @inline(__always)
  private mutating func leaveOut(_ table: Layout, _ node: Int, _ place: Int) {
    let cell = table.cell(node, place)
    let cost = cells[cell].cost
    for choice in sentence.skipStarts[place]..<sentence.skipStarts[place + 1] {
      let skip = sentence.skips[choice]
      relax(table, node, Int(skip.to), cost + skip.cost, -2, cell, choice)
    }
  }

  /// Goes on from a cell by every edge of its node.
  private mutating func follow(
    _ ways: Range<Int>, _ table: Layout, _ node: Int, _ place: Int
  ) {
    let arcs = sentence.arcStarts[place]..<sentence.arcStarts[place + 1]
    let cell = table.cell(node, place)
    let cost = cells[cell].cost
    for index in ways {
      let edge = grammar.edges[index]
      let target = Int(edge.to)
      switch edge.kind {
      case .silent: relax(table, target, place, cost, index, cell, -1)
      case .word:
        let word = Int(edge.index)
        relax(table, target, place, cost + grammar.omitted[word], index, cell, -1)
        guard let column = prices.column(of: word) else { continue }
        for choice in arcs {
          let arc = sentence.arcs[choice]
          let price = prices.price(of: Int(arc.word), column: column)
          guard price < .infinity else { continue }
          relax(table, target, Int(arc.to), cost + arc.cost + price, index, cell, choice)
        }
      case .list: followNames(table, edge, index, cell, place)
      case .call:
        guard let inner = knownTable(edge.index, Int32(table.conditions), place) else { continue }
        let end = endCell(inner, place) - place
        let ruleEnd = grammar.nodes(ofGraph: Int(edge.index)).count - 1
        let reach = reaches[Int(tables[Int(inner)].reaches) + ruleEnd]
        guard reach.high >= 0 else { continue }
        for to in Int(reach.low)...Int(reach.high) where cells[end + to].cost < .infinity {
          relax(table, target, to, cost + cells[end + to].cost, index, cell, Int(inner))
        }
      }
    }
  }

  @inline(__always)
  private mutating func relax(
    _ table: Layout, _ node: Int, _ place: Int, _ cost: Float, _ edge: Int, _ from: Int,
    _ choice: Int
  ) {
    let cell = table.cell(node, place)
    guard cost < cells[cell].cost, mayEnd(table, node, place, cost) else { return }
    cells[cell] = Cell(
      cost: cost, edge: Int32(truncatingIfNeeded: edge), from: Int32(truncatingIfNeeded: from),
      choice: Int32(truncatingIfNeeded: choice))
    let reach = table.reaches + node
    reaches[reach].low = min(reaches[reach].low, Int32(place))
    reaches[reach].high = max(reaches[reach].high, Int32(place))
  }

  private mutating func followNames(
    _ table: Layout, _ edge: NearGraph.Edge, _ index: Int, _ cell: Int, _ place: Int
  ) {
    let reference = Int(edge.index)
    let list = Int(grammar.listsOfReferences[reference])
    let isFree = grammar.conditions[table.conditions].isEmpty
    let cost = cells[cell].cost
    for choice in names(of: list, at: place) {
      let name = names.named[choice]
      guard isFree || name.value < 0 || admits(table.conditions, list, choice) else { continue }
      var price = name.cost
      if name.name >= 0, !grammar.takes(reference, name.affix) { price += Price.otherAffix }
      relax(table, Int(edge.to), Int(name.to), cost + price, index, cell, choice)
    }
  }

  /// Whether the conditions of a template admit a name.
  private mutating func admits(_ conditions: Int, _ list: Int, _ choice: Int) -> Bool {
    if admissions.isEmpty {
      admissions = .init(repeating: .unknown, count: grammar.conditions.count * names.named.count)
    }
    let place = conditions * names.named.count + choice
    if admissions[place] == .unknown {
      var isAdmitted = true
      if case .text(let values) = lists[list], values.hasContext {
        let context = values.values[Int(names.named[choice].value)].context
        isAdmitted = grammar.conditions[conditions].admit(context)
      }
      admissions[place] = isAdmitted ? .admitted : .refused
    }
    return admissions[place] == .admitted
  }
}
