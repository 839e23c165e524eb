/// Values of lists, numbers and free words that are in a sentence, or nearly are.
extension NearReader {
  func names(
    in sentence: NearSentence, _ texts: [(list: Int, names: NearNames)], _ lists: [Int],
    _ nearIDs: [[Int32]], _ isLoose: [Bool], exchanging: Bool
  ) -> [(list: Int, names: [[NearSearch.Named]])] {
    let count = sentence.placeCount
    var all: [(list: Int, names: [[NearSearch.Named]])] = []
    for list in lists {
      var found = [[NearSearch.Named]](repeating: [], count: count)
      switch self.lists[list] {
      case .text:
        guard let names = texts.first(where: { $0.list == list })?.names else { continue }
        for place in 0..<(count - 1) {
          addNames(
            names, list, at: place, sentence, isLoose, exchanging: exchanging, &found[place])
        }
        removeSwallowing(&found, sentence)
      case .range(let range):
        for place in sentence.tokenPlaces.dropLast() {
          addNumbers(range, at: place, sentence, &found[place])
        }
      case .wildcard:
        let runs = knownRuns(in: sentence)
        for (index, place) in sentence.tokenPlaces.dropLast().enumerated() {
          addFreeWords(at: index, sentence, nearIDs, runs, &found[place])
        }
      case .absent: continue
      }
      if found.contains(where: { !$0.isEmpty }) { all.append((list, found)) }
    }
    return all
  }

  func addNames(
    _ names: NearNames, _ list: Int, at place: Int, _ sentence: NearSentence,
    _ isLoose: [Bool], exchanging: Bool, _ found: inout [NearSearch.Named]
  ) {
    let affixes = near.affixes[list] ?? []
    for to in (place + 1)..<sentence.placeCount {
      let spelling = NearSpelling(Array(sentence.spelling(place, to)))
      guard spelling.count <= names.longest + 3 else { break }
      var here: [NearSearch.Named] = []
      let isKnown = isKnown(sentence, place, to)
      if isExactOnly(sentence, place, to, isKnown, isLoose, exchanging) {
        // Several known words are a name only as they are.
        names.forEachExact(spelling) { index in
          here.append(
            .init(
              to: Int32(to), name: Int32(index), kind: .same, cost: 0, affix: -1,
              isExchanged: false, value: names.names[index].value))
        }
      } else {
        add(names, spelling, to, affix: -1, isKnown, &here)
      }
      for affix in affixes {
        guard spelling.count > affix.prefix.count + affix.suffix.count,
          spelling.scalars.starts(with: affix.prefix),
          spelling.scalars.suffix(affix.suffix.count).elementsEqual(affix.suffix)
        else { continue }
        let inner = spelling.scalars.dropFirst(affix.prefix.count).dropLast(affix.suffix.count)
        add(names, NearSpelling(Array(inner)), to, affix: affix.reference, isKnown, &here)
      }
      guard !here.isEmpty else { continue }
      // "Not" is no slip in a name.
      let isBlocked = (place..<to).contains { place in
        sentence.skips(at: place).contains { $0.kind == .blocker }
      }
      if isBlocked { here.removeAll { $0.kind != .same && $0.kind != .marks } }
      here.sort { ($0.cost, $0.name) < ($1.cost, $1.name) }
      let best = here.first?.cost ?? 0
      found += here.prefix(8).filter { $0.cost <= best + 0.6 }
    }
  }

  /// Removes names that are nearer to fewer of the words: those would swallow a whole word as a
  /// slip ("not kitchen" for "kitchen").
  func removeSwallowing(
    _ found: inout [[NearSearch.Named]], _ sentence: NearSentence
  ) {
    struct Place: Hashable {
      var from: Int
      var to: Int32
      var name: Int32
    }
    var least: [Place: Float] = [:]
    for from in found.indices {
      for name in found[from] {
        let place = Place(from: from, to: name.to, name: name.name)
        least[place] = min(least[place] ?? .infinity, name.cost)
      }
    }
    func isNearer(_ from: Int, _ to: Int, _ name: NearSearch.Named) -> Bool {
      (least[Place(from: from, to: Int32(to), name: name.name)] ?? .infinity) < name.cost
    }
    for from in found.indices {
      found[from].removeAll { name in
        guard name.kind != .same, name.kind != .marks else { return false }
        let to = Int(name.to)
        for other in (from + 1)..<max(to, from + 1) where isNearer(other, to, name) { return true }
        for other in (from + 1)..<max(to, from + 1) where isNearer(from, other, name) {
          return true
        }
        return false
      }
    }
  }

  func add(
    _ names: NearNames, _ spelling: NearSpelling, _ to: Int, affix: Int32, _ isKnown: Bool,
    _ found: inout [NearSearch.Named]
  ) {
    names.forEachNear(spelling) { index, form in
      let isExchanged = isKnown && form.kind != .same && form.kind != .marks
      found.append(
        .init(
          to: Int32(to), name: Int32(index), kind: form.kind,
          cost: form.cost + (isExchanged ? NearSearch.Price.exchanged : 0), affix: affix,
          isExchanged: isExchanged, value: names.names[index].value))
    }
  }

  /// Marks the words that are in a name as it is.
  func markNames(
    _ sentence: NearSentence, _ texts: [(list: Int, names: NearNames)], _ isLoose: inout [Bool]
  ) {
    let places = sentence.tokenPlaces
    for first in isLoose.indices where sentence.words[first].isName {
      var last = first
      while last < isLoose.count, sentence.words[last].isName {
        let spelling = NearSpelling(Array(sentence.spelling(places[first], places[last + 1])))
        if texts.contains(where: { $0.names.has(spelling) }) {
          for index in first...last { isLoose[index] = false }
        }
        last += 1
      }
    }
  }

  /// Whether the words between two places are a name only as they are.
  ///
  /// A name that nearly is there has a word that is nothing else. Where known words may be taken for
  /// others, it is one of them, or it begins and ends with what no template has.
  func isExactOnly(
    _ sentence: NearSentence, _ from: Int, _ to: Int, _ isKnown: Bool, _ isLoose: [Bool],
    _ exchanging: Bool
  ) -> Bool {
    let places = sentence.tokenPlaces
    guard let first = places.lastIndex(where: { $0 <= from }),
      let last = places.lastIndex(where: { $0 < to }), first <= last
    else { return isKnown }
    if !isLoose[first...last].contains(true), !exchanging { return true }
    guard !sentence.words[first].spelling.isUnspaced else { return false }
    if isKnown { return !exchanging || first != last }
    return [first, last].contains { token in
      let word = sentence.words[token]
      return first != last && word.id != nil && !word.isName
    }
  }

  /// Whether all words between two places are words of the grammar.
  func isKnown(_ sentence: NearSentence, _ from: Int, _ to: Int) -> Bool {
    var place = from
    while place < to {
      guard
        let arc = sentence.arcs(at: place).first(where: { $0.kind != .joined && Int($0.to) <= to }),
        sentence.words[Int(arc.word)].id != nil
      else { return false }
      place = Int(arc.to)
    }
    return place == to
  }

  func addNumbers(
    _ range: NumberRange, at place: Int, _ sentence: NearSentence,
    _ found: inout [NearSearch.Named]
  ) {
    let folded = sentence.text.folded
    let begin = sentence.begins[place]
    func add(endingAt end: Int) {
      guard
        let to = (place + 1..<sentence.placeCount).first(where: { sentence.ends[$0] == end })
      else { return }
      found.append(
        .init(
          to: Int32(to), name: -1, kind: .same, cost: 0, affix: -1, isExchanged: false, value: -1))
    }
    guard NearClass(folded[begin]) == .digit else {
      guard let words = range.words else { return }
      words.index.forEachValue(in: folded, at: begin) { word, length in
        guard range.value(tenths: words.tenths[word]) != nil else { return }
        add(endingAt: begin + length)
      }
      return
    }
    // A sign is no word: "-5" is left to exact recognition.
    guard range.acceptsDigits, begin == 0 || folded[begin - 1] != 0x2D,
      let tenths = Self.tenths(sentence.said(place, place + 1)), range.value(tenths: tenths) != nil
    else { return }
    add(endingAt: sentence.ends[place + 1])
  }

  /// A number in digits, in tenths; `nil` if it is too large or too fine.
  static func tenths(_ text: ArraySlice<UInt32>) -> Int? {
    var (whole, rest, digits) = (0, 0, -1)
    for value in text {
      guard value &- 0x30 < 10 else {
        guard digits < 0 else { return nil }
        digits = 0
        continue
      }
      if digits < 0 {
        whole = whole * 10 + Int(value - 0x30)
        guard whole < 100_000_000 else { return nil }
      } else {
        digits += 1
        if digits == 1 { rest = Int(value - 0x30) } else if value != 0x30 { return nil }
      }
    }
    return whole * 10 + rest
  }

  /// For each character what it is worth in known words of several characters.
  func knownRuns(in sentence: NearSentence) -> [(cost: Float, isKnown: Bool)] {
    var runs = [(cost: Float, isKnown: Bool)](
      repeating: (0, false), count: sentence.tokens.count)
    for arc in sentence.arcs {
      let word = sentence.words[Int(arc.word)]
      guard word.isRun, let id = word.id else { continue }
      let tokens = sentence.tokens.indices.filter {
        sentence.tokenPlaces[$0] >= Int(arc.from) && sentence.tokenPlaces[$0] < Int(arc.to)
      }
      for token in tokens {
        runs[token].cost = max(runs[token].cost, word.skip / Float(tokens.count))
        if near.weights[Int(id)] > 0.15 { runs[token].isKnown = true }
      }
    }
    return runs
  }

  func addFreeWords(
    at index: Int, _ sentence: NearSentence, _ nearIDs: [[Int32]],
    _ runs: [(cost: Float, isKnown: Bool)], _ found: inout [NearSearch.Named]
  ) {
    let places = sentence.tokenPlaces
    var cost = NearSearch.Price.wildcard
    var isKnown = false
    for last in index..<min(index + Limits.nearWildcardWordsMax, places.count - 1) {
      let word = sentence.words[last]
      let isCharacter = word.spelling.isUnspaced
      cost += NearSearch.Price.wildcardWord * (isCharacter ? 0.5 : 1)
      if word.isNumber {
        cost += 1
        isKnown = true
      } else if isCharacter {
        cost += NearSearch.Price.wildcardKnown * runs[last].cost
        if runs[last].isKnown { isKnown = true }
      } else if let id = word.id {
        // Function words are in every name.
        if near.weights[Int(id)] > 0.15 { isKnown = true }
        cost += NearSearch.Price.wildcardKnown * word.skip
      } else if word.isName {
        isKnown = true
        cost += NearSearch.Price.wildcardKnown * word.skip
      } else if word.id == nil {
        let isNear = nearIDs[last].contains { id in
          NearForm(word.spelling, near.lexicon.spellings[Int(id)]).map { $0.cost < 0.7 } ?? false
        }
        if isNear {
          isKnown = true
          let weight = nearIDs[last].reduce(Float(0)) { max($0, near.weights[Int($1)]) }
          cost += NearSearch.Price.wildcardKnown * (0.35 + weight) * 0.7
        }
      }
      found.append(
        .init(
          to: Int32(places[last + 1]), name: -1, kind: .same, cost: cost, affix: -1,
          isExchanged: isKnown, value: -1))
    }
  }
}
