/// Values of lists, numbers and free words that are in a sentence, or nearly are.
extension NearReader {
  func names(
    in sentence: NearSentence, _ typed: inout Typed, exchanging: Bool
  ) -> NearNamesFound {
    var found = NearNamesFound(listCount: lists.count)
    let earlier = typed.stretches
    let stretches = stretches(of: sentence, typed, exchanging: exchanging)
    typed.stretches = stretches
    var freeList: Int?
    var stepsLeft = Limits.nearNameStepsMax
    var numbers: [(words: NumberWordIndex?, said: [NumberSaid])] = []
    for list in near.namedLists {
      switch lists[list] {
      case .text:
        guard let text = typed.texts.firstIndex(where: { $0.list == list }) else { continue }
        let row = row(
          of: typed.texts[text], near.spelledAffixes[list], sentence, stretches, earlier,
          &stepsLeft)
        found.add(withoutSwallowing(row, sentence), of: list)
        typed.texts[text].found = row
      case .range(let range):
        var said = numbers.first { $0.words === range.words }?.said
        if said == nil {
          said = self.numbers(range.words, sentence)
          numbers.append((range.words, said ?? []))
        }
        found.add(row(of: range, said ?? [], sentence), of: list)
      case .wildcard:
        if let freeList {
          found.share(rowOf: freeList, with: list)
        } else {
          found.add(rowOfFreeWords(sentence), of: list)
          freeList = list
        }
      case .absent: continue
      }
    }
    return found
  }

  /// What a list may have as a name: the text from a place to a later one.
  struct Stretch {
    var shape: NearShape
    /// Whether all its words are words of the grammar.
    var isKnown: Bool
    /// Whether it is a name only as it is.
    var isExactOnly: Bool
    var hasBlocker: Bool
  }

  /// The text from each place to each later one, as far as names are long.
  struct Stretches {
    /// Those from one place after those from the one before.
    var all: [Stretch] = []
    /// Where those from each place begin.
    var starts: [Int] = [0]
    /// Whether those from a place all are names only as they are.
    var areExactOnly: [Bool] = []
  }

  private func stretches(
    of sentence: NearSentence, _ typed: Typed, exchanging: Bool
  ) -> Stretches {
    if var stretches = typed.stretches {
      for place in stretches.areExactOnly.indices {
        let first = stretches.starts[place]
        stretches.areExactOnly[place] = true
        for index in first..<stretches.starts[place + 1] {
          let isExactOnly = isExactOnly(
            sentence, place, place + 1 + index - first, stretches.all[index].isKnown,
            typed.isLoose, exchanging)
          stretches.all[index].isExactOnly = isExactOnly
          if !isExactOnly { stretches.areExactOnly[place] = false }
        }
      }
      return stretches
    }
    let longest =
      typed.texts.reduce(0) { longest, text in
        max(longest, text.names.longest + (near.spelledAffixes[text.list]?.longest ?? 0))
      } + 3
    let isBlocker = (0..<sentence.placeCount).map { place in
      (sentence.skipStarts[place]..<sentence.skipStarts[place + 1]).contains {
        sentence.skips[$0].kind == .blocker
      }
    }
    var stretches = Stretches()
    stretches.all.reserveCapacity(8 * sentence.placeCount)
    stretches.starts.reserveCapacity(sentence.placeCount)
    for place in 0..<(sentence.placeCount - 1) {
      var shape = NearShape()
      var hasBlocker = false
      var areExactOnly = true
      for to in (place + 1)..<sentence.placeCount {
        for index in sentence.offsets[to - 1]..<sentence.offsets[to] {
          shape.append(sentence.spelled[index])
        }
        guard shape.count <= longest else { break }
        hasBlocker = hasBlocker || isBlocker[to - 1]
        let isKnown = isKnown(sentence, place, to)
        let isExactOnly = isExactOnly(
          sentence, place, to, isKnown, typed.isLoose, exchanging)
        if !isExactOnly { areExactOnly = false }
        stretches.all.append(
          Stretch(
            shape: shape, isKnown: isKnown, isExactOnly: isExactOnly, hasBlocker: hasBlocker))
      }
      stretches.starts.append(stretches.all.count)
      stretches.areExactOnly.append(areExactOnly)
    }
    return stretches
  }

  /// `earlier`: the stretches when the list was looked through before, for `text.found`: what was
  /// near then is near now.
  private func row(
    of text: Typed.Text, _ affixes: NearSpelledAffixes?, _ sentence: NearSentence,
    _ stretches: Stretches, _ earlier: Stretches?, _ stepsLeft: inout Int
  ) -> NearNamesFound.Row {
    var row = NearNamesFound.Row()
    let (names, candidates) = (text.names, text.candidates)
    // A name that is there is a candidate, too.
    guard !candidates.isEmpty else { return row }
    let spelled = sentence.spelled.span
    var here: [NearSearch.Named] = []
    let most = names.longest + (affixes?.longest ?? 0) + 3
    let longest = affixes == nil ? min(candidates.longest + 4, most) : most
    for place in stretches.areExactOnly.indices {
      let start = sentence.offsets[place]
      let mayBegin = start < spelled.count && names.mayBegin(with: spelled[start])
      guard mayBegin || affixes != nil || !stretches.areExactOnly[place] else {
        row.endPlace()
        continue
      }
      var known = text.found?.names(at: place) ?? 0..<0
      for index in stretches.starts[place]..<stretches.starts[place + 1] {
        let stretch = stretches.all[index]
        guard stretch.shape.count <= longest else { break }
        guard mayBegin || affixes != nil || !stretch.isExactOnly else { continue }
        let to = place + 1 + index - stretches.starts[place]
        if let found = text.found, earlier?.all[index].isExactOnly == stretch.isExactOnly {
          while let first = known.first, found.named[first].to <= to {
            if found.named[first].to == to { row.append(found.named[first]) }
            known.removeFirst()
          }
          continue
        }
        let text = spelled.extracting(start..<sentence.offsets[to])
        here.removeAll(keepingCapacity: true)
        if stretch.isExactOnly || stepsLeft <= 0 {
          // Several known words are a name only as they are, and so is every one of a sentence that
          // is near to too many.
          names.forEachExact(stretch.shape, text) { index in
            here.append(
              .init(
                to: Int32(to), name: Int32(index), kind: .same, cost: 0, affix: 0,
                isExchanged: false, value: names.names[index].value))
          }
        } else {
          add(
            names, candidates, stretch.shape, text, to, affix: 0, stretch.isKnown, &stepsLeft,
            &here)
        }
        affixes?.forEach(in: text) { affix, inner in
          let shape = NearShape(inner)
          add(
            names, candidates, shape, inner, to, affix: affix, stretch.isKnown, &stepsLeft, &here)
        }
        if here.isEmpty, !stretch.isExactOnly, !stretch.isKnown {
          affixes?.forEachNear(text) { affix, inner in
            names.forEachExact(NearShape(inner), inner) { index in
              here.append(
                .init(
                  to: Int32(to), name: Int32(index), kind: .slip,
                  cost: 0.16 + 2.2 / Float(text.count), affix: affix, isExchanged: false,
                  value: names.names[index].value))
            }
          }
        }
        guard !here.isEmpty else { continue }
        // "Not" is no slip in a name.
        if stretch.hasBlocker { here.removeAll { $0.kind != .same && $0.kind != .marks } }
        if here.count > 1 { here.sort { ($0.cost, $0.name) < ($1.cost, $1.name) } }
        let best = here.first?.cost ?? 0
        for name in here.prefix(8) where name.cost <= best + 0.6 { row.append(name) }
      }
      row.endPlace()
    }
    row.endPlace()
    return row
  }

  /// Removes names that are nearer to fewer of the words: those would swallow a whole word as a
  /// slip ("not kitchen" for "kitchen").
  private func withoutSwallowing(
    _ row: NearNamesFound.Row, _ sentence: NearSentence
  ) -> NearNamesFound.Row {
    guard row.named.contains(where: { $0.kind != .same && $0.kind != .marks }) else { return row }
    func swallows(_ name: NearSearch.Named, from: Int) -> Bool {
      guard name.kind != .same, name.kind != .marks else { return false }
      func isNearer(_ other: NearSearch.Named) -> Bool {
        other.name == name.name && other.cost < name.cost
      }
      for index in row.names(at: from)
      where row.named[index].to < name.to && isNearer(row.named[index]) {
        return true
      }
      for place in (from + 1)..<max(Int(name.to), from + 1) {
        for index in row.names(at: place)
        where row.named[index].to == name.to && isNearer(row.named[index]) {
          return true
        }
      }
      return false
    }
    var left = NearNamesFound.Row()
    for place in 0..<sentence.placeCount {
      for index in row.names(at: place) where !swallows(row.named[index], from: place) {
        left.append(row.named[index])
      }
      left.endPlace()
    }
    return left
  }

  private func add(
    _ names: NearNames, _ candidates: NearSpellings.Candidates, _ shape: NearShape,
    _ text: Span<UInt32>, _ to: Int, affix: Int32, _ isKnown: Bool, _ stepsLeft: inout Int,
    _ found: inout [NearSearch.Named]
  ) {
    names.forEachNear(candidates, shape, text, &stepsLeft) { index, form in
      let isExchanged = isKnown && form.kind != .same && form.kind != .marks
      found.append(
        .init(
          to: Int32(to), name: Int32(index), kind: form.kind,
          cost: form.cost + (isExchanged ? NearSearch.Price.exchanged : 0), affix: affix,
          isExchanged: isExchanged, value: names.names[index].value))
    }
  }

  /// Marks the words that are in a name as it is.
  func markNames(_ typed: inout Typed) {
    let sentence = typed.sentence
    let places = sentence.tokenPlaces
    let spelled = sentence.spelled.span
    for first in typed.isLoose.indices where sentence.words[first].isName {
      var last = first
      var shape = NearShape()
      let start = sentence.offsets[places[first]]
      while last < typed.isLoose.count, sentence.words[last].isName {
        let end = sentence.offsets[places[last + 1]]
        for index in sentence.offsets[places[last]]..<end { shape.append(spelled[index]) }
        let text = spelled.extracting(start..<end)
        if typed.texts.contains(where: { $0.names.has(shape, text) }) {
          for index in first...last { typed.isLoose[index] = false }
        }
        last += 1
      }
    }
  }

  /// Whether the words between two places are a name only as they are.
  ///
  /// A name that nearly is there has a word that is nothing else. Where known words may be taken for
  /// others, it is one of them, or it begins and ends with what no template has.
  private func isExactOnly(
    _ sentence: NearSentence, _ from: Int, _ to: Int, _ isKnown: Bool, _ isLoose: [Bool],
    _ exchanging: Bool
  ) -> Bool {
    let (first, last) = (sentence.token(at: from), sentence.token(at: to - 1))
    if !exchanging, !isLoose[first...last].contains(true) { return true }
    guard !sentence.words[first].spelling.isUnspaced else { return false }
    if isKnown { return !exchanging || first != last }
    return [first, last].contains { token in
      first != last && sentence.words[token].id != nil && !sentence.words[token].isName
    }
  }

  /// Whether all words between two places are words of the grammar.
  private func isKnown(_ sentence: NearSentence, _ from: Int, _ to: Int) -> Bool {
    var place = from
    while place < to {
      let arcs = sentence.arcStarts[place]..<sentence.arcStarts[place + 1]
      guard
        let index = arcs.first(where: {
          sentence.arcs[$0].kind != .joined && Int(sentence.arcs[$0].to) <= to
        }),
        sentence.words[Int(sentence.arcs[index].word)].id != nil
      else { return false }
      place = Int(sentence.arcs[index].to)
    }
    return place == to
  }

  /// A number that begins at a place.
  private struct NumberSaid {
    var place: Int
    var to: Int
    var tenths: Int
    var isInDigits: Bool
  }

  private func row(
    of range: NumberRange, _ numbers: [NumberSaid], _ sentence: NearSentence
  ) -> NearNamesFound.Row {
    var row = NearNamesFound.Row()
    var index = 0
    for place in 0..<sentence.placeCount {
      while index < numbers.count, numbers[index].place == place {
        let number = numbers[index]
        index += 1
        guard range.acceptsDigits || !number.isInDigits, range.value(tenths: number.tenths) != nil
        else { continue }
        row.append(
          .init(
            to: Int32(number.to), name: -1, kind: .same, cost: 0, affix: 0, isExchanged: false,
            value: -1))
      }
      row.endPlace()
    }
    return row
  }

  /// The numbers of a sentence, in digits and in words, by the places of typed words.
  private func numbers(_ words: NumberWordIndex?, _ sentence: NearSentence) -> [NumberSaid] {
    let folded = sentence.text.folded
    var numbers: [NumberSaid] = []
    for place in sentence.tokenPlaces.dropLast() {
      let begin = sentence.begins[place]
      guard NearClass(folded[begin]) == .digit else {
        words?.index.forEachValue(in: folded, at: begin) { word, length in
          guard
            let to = (place + 1..<sentence.placeCount).first(where: {
              sentence.ends[$0] == begin + length
            }), let words
          else { return }
          numbers.append(
            .init(place: place, to: to, tenths: words.tenths[word], isInDigits: false))
        }
        continue
      }
      // A sign is no word: "-5" is left to exact recognition.
      guard begin == 0 || folded[begin - 1] != 0x2D,
        let tenths = Self.tenths(sentence.said(place, place + 1))
      else { continue }
      numbers.append(.init(place: place, to: place + 1, tenths: tenths, isInDigits: true))
    }
    return numbers
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

  private func rowOfFreeWords(_ sentence: NearSentence) -> NearNamesFound.Row {
    let places = sentence.tokenPlaces
    let runs = knownRuns(in: sentence)
    let words = sentence.tokens.indices.map { freeWord($0, sentence, runs[$0]) }
    var row = NearNamesFound.Row()
    for place in 0..<sentence.placeCount {
      if place < sentence.end, sentence.isTokenPlace(place) {
        let first = sentence.token(at: place)
        var cost = NearSearch.Price.wildcard
        var isKnown = false
        for last in first..<min(first + Limits.nearWildcardWordsMax, words.count) {
          cost += words[last].price
          cost += words[last].known
          isKnown = isKnown || words[last].isKnown
          row.append(
            .init(
              to: Int32(places[last + 1]), name: -1, kind: .same, cost: cost, affix: 0,
              isExchanged: isKnown, value: -1))
        }
      }
      row.endPlace()
    }
    return row
  }

  /// What a typed word costs that free words take, how much more because of what the grammar knows
  /// of it, and whether that is so much that the word is hardly free.
  private func freeWord(
    _ index: Int, _ sentence: NearSentence, _ run: (cost: Float, isKnown: Bool)
  ) -> (price: Float, known: Float, isKnown: Bool) {
    let word = sentence.words[index]
    let isCharacter = word.spelling.isUnspaced
    let price = NearSearch.Price.wildcardWord * (isCharacter ? 0.5 : 1)
    if word.isNumber { return (price, 1, true) }
    if isCharacter { return (price, NearSearch.Price.wildcardKnown * run.cost, run.isKnown) }
    if let id = word.id {
      // Function words are in every name.
      return (price, NearSearch.Price.wildcardKnown * word.skip, near.weights[Int(id)] > 0.15)
    }
    if word.isName { return (price, NearSearch.Price.wildcardKnown * word.skip, true) }
    let forms = word.forms ?? []
    guard forms.contains(where: { $0.form.cost < 0.7 }) else { return (price, 0, false) }
    let weight = forms.reduce(Float(0)) { max($0, near.weights[Int($1.id)]) }
    return (price, NearSearch.Price.wildcardKnown * (0.35 + weight) * 0.7, true)
  }
}

extension Span<UInt32> {
  func hasPrefix(_ prefix: [UInt32]) -> Bool {
    prefix.count <= count && prefix.indices.allSatisfy { self[$0] == prefix[$0] }
  }

  func hasSuffix(_ suffix: [UInt32]) -> Bool {
    let start = count - suffix.count
    return start >= 0 && suffix.indices.allSatisfy { self[start + $0] == suffix[$0] }
  }
}
