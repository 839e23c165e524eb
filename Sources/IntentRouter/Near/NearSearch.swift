/// Lays a sentence beside templates: the cheapest way through a template's graph that takes all
/// words of the sentence, where words may be slips, be left out, or be missing.
///
/// Dynamic programming over the nodes of a graph and the places of the sentence. A rule is laid out
/// once for each place where it may begin and for each set of conditions, and then shared by all
/// templates that call it.
struct NearSearch {
  /// Prices of what may differ, in the unit of about one slip in a word of middle length twice.
  enum Price {
    static let most: Float = 3.3
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
  }

  /// A listed value, or a number, that words stand for.
  struct Named {
    var to: Int32
    /// In `NearNames.names`; −1 for a number or free words, which stay as they were said.
    var name: Int32
    var kind: NearForm.Kind
    var cost: Float
    /// The letters around the name, in `NearGrammar.references`; −1: none.
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
  }

  let grammar: NearGrammar
  let lists: [ValueList]
  let sentence: NearSentence
  /// The price of one word for another, by word of the sentence and of the lexicon.
  let prices: [Float]
  /// In the order of lists and of places.
  private(set) var named: [Named] = []
  /// Where the names of a list at a place begin.
  private var namedStarts: [Int32] = []
  /// The first of `namedStarts` of a list; −1: no name.
  private var listRows: [Int32]
  private(set) var cells: [Cell] = []
  private(set) var tables: [Table] = []
  private var tableIDs: [UInt64: Int32] = [:]
  private var stepsLeft = Limits.nearStepsMax
  /// Ways that cost more are not looked at.
  private(set) var limit = Price.most
  /// What the words before a place cost at least, and those from it on.
  private var before: [Float] = []
  private var after: [Float] = []

  init(
    _ grammar: NearGrammar, lists: [ValueList], _ sentence: NearSentence, prices: [Float],
    named all: [(list: Int, names: [[Named]])]
  ) {
    self.grammar = grammar
    self.lists = lists
    self.sentence = sentence
    self.prices = prices
    listRows = [Int32](repeating: -1, count: lists.count)
    for (list, names) in all {
      listRows[list] = Int32(namedStarts.count)
      for place in names {
        namedStarts.append(Int32(named.count))
        named += place
      }
      namedStarts.append(Int32(named.count))
    }
    cells.reserveCapacity(1 << 13)
    findLeastCosts()
  }

  /// Begins anew with another limit.
  mutating func restart(limit: Float) {
    self.limit = limit
    cells.removeAll(keepingCapacity: true)
    tables.removeAll(keepingCapacity: true)
    tableIDs.removeAll(keepingCapacity: true)
  }

  /// The cheapest way through the sentence if every word could stand anywhere.
  private mutating func findLeastCosts() {
    let count = sentence.placeCount
    let wordCount = grammar.lexicon.count
    before = [Float](repeating: .infinity, count: count)
    after = before
    before[0] = 0
    after[count - 1] = 0
    var ways: [(from: Int, to: Int, cost: Float)] = sentence.skips.map {
      (Int($0.from), Int($0.to), $0.cost)
    }
    for arc in sentence.arcs {
      let row = Int(arc.word) * wordCount
      let least = prices[row..<(row + wordCount)].min() ?? .infinity
      if least < .infinity { ways.append((Int(arc.from), Int(arc.to), least + arc.cost)) }
    }
    for row in listRows where row >= 0 {
      for place in 0..<count {
        for index in Int(namedStarts[Int(row) + place])..<Int(namedStarts[Int(row) + place + 1]) {
          ways.append((place, Int(named[index].to), named[index].cost))
        }
      }
    }
    ways.sort { $0.from < $1.from }
    for way in ways { before[way.to] = min(before[way.to], before[way.from] + way.cost) }
    ways.sort { $0.to > $1.to }
    for way in ways { after[way.from] = min(after[way.from], after[way.to] + way.cost) }
  }

  /// What a sentence costs at least, whatever the template.
  var leastCost: Float { after[0] }

  /// The names of a list at a place, in `named`.
  @inline(__always)
  func names(of list: Int, at place: Int) -> Range<Int> {
    let row = Int(listRows[list])
    guard row >= 0 else { return 0..<0 }
    return Int(namedStarts[row + place])..<Int(namedStarts[row + place + 1])
  }

  /// Returns the table of a graph from a place on; `nil` when the steps are used up.
  mutating func table(_ graph: Int32, _ conditions: Int32, _ start: Int32) -> Int32? {
    let key = UInt64(UInt32(graph)) << 32 | UInt64(UInt32(conditions)) << 10 | UInt64(start)
    if let known = tableIDs[key] { return known }
    guard stepsLeft > 0 else { return nil }
    let id = Int32(tables.count)
    let first = cells.count
    tables.append(Table(graph: graph, start: start, cells: Int32(first)))
    tableIDs[key] = id
    let nodes = grammar.graphs[Int(graph)].nodeCount
    let width = sentence.placeCount - Int(start)
    cells.append(contentsOf: repeatElement(Cell(), count: nodes * width))
    cells[first].cost = 0
    fill(grammar.graphs[Int(graph)], conditions, Int(start), first)
    return id
  }

  /// The cell at the end of a table's graph, at a place.
  func endCell(_ table: Int32, _ place: Int) -> Int {
    let table = tables[Int(table)]
    let width = sentence.placeCount - Int(table.start)
    return Int(table.cells) + grammar.graphs[Int(table.graph)].end * width + place
      - Int(table.start)
  }

  @inline(__always)
  private mutating func relax(_ cell: Int, _ cost: Float, _ edge: Int, _ from: Int, _ choice: Int) {
    guard cost < cells[cell].cost else { return }
    cells[cell] = Cell(
      cost: cost, edge: Int32(truncatingIfNeeded: edge), from: Int32(truncatingIfNeeded: from),
      choice: Int32(truncatingIfNeeded: choice))
  }

  private mutating func fill(_ graph: NearGraph, _ conditions: Int32, _ start: Int, _ first: Int) {
    // Handed to locals: a look-up through `self` would count a reference for each step.
    let wordCount = grammar.lexicon.count
    let (edges, starts, omitted) = (graph.edges, graph.starts, grammar.omitted)
    let (arcs, arcStarts) = (sentence.arcs, sentence.arcStarts)
    let (skips, skipStarts) = (sentence.skips, sentence.skipStarts)
    let (prices, after) = (prices, after)
    let (places, width) = (sentence.placeCount, sentence.placeCount - start)
    let limit = limit - before[start]
    for node in 0..<graph.nodeCount {
      // Where the cell of place 0 would be.
      let row = first + node * width - start
      let ways = node + 1 < starts.count ? Int(starts[node])..<Int(starts[node + 1]) : 0..<0
      for place in start..<places {
        let cell = row + place
        let cost = cells[cell].cost
        guard cost + after[place] <= limit else { continue }
        stepsLeft -= ways.count + 1
        guard stepsLeft > 0 else { return }
        for choice in skipStarts[place]..<skipStarts[place + 1] {
          relax(row + Int(skips[choice].to), cost + skips[choice].cost, -2, cell, choice)
        }
        for index in ways {
          let edge = edges[index]
          let target = first + Int(edge.to) * width - start
          switch edge.kind {
          case .silent: relax(target + place, cost, index, cell, -1)
          case .word:
            let word = Int(edge.index)
            relax(target + place, cost + omitted[word], index, cell, -1)
            for choice in arcStarts[place]..<arcStarts[place + 1] {
              let price = prices[Int(arcs[choice].word) * wordCount + word]
              guard price < .infinity else { continue }
              relax(
                target + Int(arcs[choice].to), cost + arcs[choice].cost + price, index, cell, choice
              )
            }
          case .list: relaxNames(edge.index, index, conditions, cost, cell, place, target)
          case .call:
            guard let inner = table(edge.index, conditions, Int32(place)) else { return }
            let end = endCell(inner, place) - place
            for to in place..<places where cells[end + to].cost < .infinity {
              relax(target + to, cost + cells[end + to].cost, index, cell, Int(inner))
            }
          }
        }
      }
    }
  }

  private mutating func relaxNames(
    _ referenceID: Int32, _ index: Int, _ conditions: Int32, _ cost: Float, _ cell: Int,
    _ place: Int, _ target: Int
  ) {
    let reference = grammar.references[Int(referenceID)]
    let found = names(of: reference.list, at: place)
    guard !found.isEmpty else { return }
    let condition = grammar.conditions[Int(conditions)]
    var values: TextList?
    if !condition.isEmpty, case .text(let list) = lists[reference.list], list.hasContext {
      values = list
    }
    let hasAffix = !(reference.prefix.isEmpty && reference.suffix.isEmpty)
    for choice in found {
      let name = named[choice]
      if let values, name.value >= 0,
        !condition.admit(values.values[Int(name.value)].context)
      {
        continue
      }
      var price = name.cost
      if name.name >= 0, name.affix >= 0 || hasAffix, name.affix != referenceID {
        price += Price.otherAffix
      }
      relax(target + Int(name.to), cost + price, index, cell, choice)
    }
  }
}
