/// The templates that a sentence may be near to.
extension NearReader {
  /// The sources that were laid out to their end, cheapest first.
  ///
  /// First with a low limit, which rules out most ways early, then with higher ones until something
  /// is found; at last with one that takes in what is little dearer than the best.
  ///
  /// `least`: the words of the sentence, in whatever order, cost at least this much.
  func laidOut(
    _ search: inout NearSearch, least: inout Float
  ) -> [(source: Int, table: Int32, cost: Float)] {
    let bounds = lowerBounds(search)
    least = bounds.first?.bound ?? .infinity
    guard !bounds.isEmpty else { return [] }
    var found: [(source: Int, table: Int32, cost: Float)] = []
    for step in [1.1, NearSearch.Price.most] as [Float] {
      let limit = min(max(least, search.leastCost) + step, NearSearch.Price.most)
      found = layOut(bounds, limit, &search)
      if let best = found.first?.cost, best + NearSearch.Price.margin <= limit { return found }
      if !found.isEmpty || limit == NearSearch.Price.most { break }
    }
    guard let best = found.first?.cost else { return [] }
    return layOut(bounds, best + NearSearch.Price.window, &search)
  }

  func layOut(
    _ bounds: [(source: Int, bound: Float)], _ limit: Float, _ search: inout NearSearch
  ) -> [(source: Int, table: Int32, cost: Float)] {
    search.restart(limit: limit)
    // Those that can be cheapest come first, since what costs much more than the best is not
    // looked at.
    let near = bounds.prefix(Limits.nearTemplatesMax).prefix { $0.bound <= limit }
    search.findLeastCosts(of: near.map(\.source))
    var candidates = near.map { (source: $0.source, least: search.leastCost(of: $0.source)) }
    candidates.sort { ($0.least, $0.source) < ($1.least, $1.source) }
    var found: [(source: Int, table: Int32, cost: Float)] = []
    for (source, least) in candidates {
      guard least <= search.limit + NearSearch.Price.slack else { break }
      guard let table = search.table(of: source) else { break }
      let cost = search.cells[search.endCell(table, search.sentence.end)].cost
      guard cost <= limit else { continue }
      found.append((source, table, cost))
      search.lower(limit: cost + NearSearch.Price.window + NearSearch.Price.slack)
    }
    return found.sorted { ($0.cost, $0.source) < ($1.cost, $1.source) }
  }

  /// The sources that a sentence may be near to, and what it costs at least to say so.
  func lowerBounds(_ search: borrowing NearSearch) -> [(source: Int, bound: Float)] {
    let sentence = search.sentence
    var covered = [UInt64](repeating: 0, count: near.sources.count)
    // Words that are parts of others, or joined, count for the words that were typed.
    for arc in sentence.arcs {
      let bits = sentence.tokenBits(Int(arc.from), Int(arc.to))
      for (id, _) in search.prices[Int(arc.word)] {
        near.forEachSource(ofWord: Int(id)) { covered[$0] |= bits }
      }
    }
    var byList = [UInt64](repeating: 0, count: lists.count)
    for list in near.namedLists {
      for place in 0..<sentence.placeCount {
        for name in search.names(of: list, at: place) {
          byList[list] |= sentence.tokenBits(place, Int(search.names.named[name].to))
        }
      }
    }
    var least = sentence.tokens.indices.map { sentence.words[$0].skip }
    for skip in sentence.skips where skip.kind == .filler {
      for index in least.indices
      where sentence.tokenPlaces[index] >= Int(skip.from)
        && sentence.tokenPlaces[index] < Int(skip.to)
      {
        least[index] = 0
      }
    }
    let free = sentence.tokens.indices.map { index -> Float in
      let word = sentence.words[index]
      let known =
        word.isNumber ? 1 : word.id != nil ? NearSearch.Price.wildcardKnown * word.skip * 0.6 : 0
      return min(least[index], NearSearch.Price.wildcardWord / 2 + known)
    }
    let all = sentence.tokenBits(0, sentence.end)
    var bounds: [(source: Int, bound: Float)] = []
    var limit = NearSearch.Price.most
    for index in near.sources.indices {
      let source = near.sources[index]
      guard source.requiredLists.allSatisfy({ byList[Int(near.listsOfSources[Int($0)])] != 0 })
      else { continue }
      var bits = covered[index]
      for list in source.lists { bits |= byList[Int(near.listsOfSources[Int(list)])] }
      var bound: Float = 0
      var missing = all & ~bits
      while missing != 0, bound <= limit {
        let token = missing.trailingZeroBitCount
        missing &= missing - 1
        bound += source.hasWildcard ? free[token] : least[token]
      }
      for place in source.requiredWords where bound <= limit {
        let word = Int(near.requiredWords[Int(place)])
        if search.prices.column(of: word) == nil { bound += near.omitted[word] }
      }
      guard bound <= limit else { continue }
      limit = min(limit, bound + 2.5)
      bounds.append((index, bound))
    }
    bounds.removeAll { $0.bound > limit }
    return bounds.sorted { ($0.bound, $0.source) < ($1.bound, $1.source) }
  }
}
