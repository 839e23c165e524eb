/// The places and words of a sentence, and the price of each word for each word of the templates.
extension NearReader {
  func prepared(
    _ text: NormalizedText, _ tokens: [Range<Int>], exchanging: Bool
  ) -> (NearSearch, nearIDs: [[Int32]]) {
    var texts: [(list: Int, names: NearNames)] = []
    for list in near.namedLists {
      if case .text(let values) = lists[list] { texts.append((list, values.nearNames)) }
    }
    func isName(_ spelling: [UInt32]) -> Bool {
      texts.contains { $0.names.words.contains(spelling) }
    }

    var words: [NearSentence.Word] = []
    var numbers = [Bool](repeating: false, count: tokens.count)
    markNumbers(text, tokens, &numbers)
    for (index, token) in tokens.enumerated() {
      words.append(word(Array(text.folded[token]), isNumber: numbers[index], isName: isName))
    }
    markBlockers(&words)
    let splits = tokens.indices.map { index -> [Int] in
      let word = words[index]
      guard word.id == nil, !word.isNumber, !word.isName, !word.isBlocker,
        word.spelling.count >= 5,
        NearClass(text.folded[tokens[index].lowerBound]) == .letter
      else { return [] }
      let letters = Array(text.folded[tokens[index]])
      guard letters.count >= 5 else { return [] }
      return (2...(letters.count - 2)).filter { cut in
        let (left, right) = (nearSpelling(letters[..<cut]), nearSpelling(letters[cut...]))
        return (near.lexicon.knownID(spelled: left) != nil || isName(left))
          && (near.lexicon.knownID(spelled: right) != nil || isName(right))
          && (left.count >= 3 || right.count >= 3)
      }
    }
    var sentence = NearSentence(text, tokens: tokens, splits: splits)
    addArcs(&sentence, words, splits, isName)
    var isLoose = tokens.indices.map { words[$0].id == nil && !words[$0].isNumber }
    markNames(sentence, texts, &isLoose)
    addRuns(&sentence, &isLoose, exchanging: exchanging)
    addSkips(&sentence)
    sentence.arrange()
    let (prices, nearIDs) = prices(of: sentence, exchanging: exchanging)
    let named = names(in: sentence, texts, near.namedLists, nearIDs, isLoose, exchanging: exchanging)
    return (
      NearSearch(
        near, lists: lists, sentence, prices: prices, nearIDs: nearIDs, named: named), nearIDs
    )
  }

  func word(
    _ folded: [UInt32], isNumber: Bool, isName: ([UInt32]) -> Bool
  ) -> NearSentence.Word {
    let spelling = nearSpelling(folded)
    let id = near.lexicon.knownID(of: folded) ?? near.lexicon.knownID(spelled: spelling)
    let isDigit = NearClass(folded[0]) == .digit
    var skip: Float
    if isDigit || isNumber {
      skip = NearSearch.Price.skippedNumber
    } else if let id {
      skip =
        NearSearch.Price.skippedKnown
        + NearSearch.Price.skippedKnownWeight * near.weights[Int(id)]
    } else {
      skip = NearSearch.Price.skippedUnknown
    }
    if isUnspaced(folded[0]) { skip *= NearSearch.Price.unspaced }
    return NearSentence.Word(
      spelling: NearSpelling(spelling), id: id, isNumber: isDigit || isNumber,
      isName: isName(spelling),
      skip: skip)
  }

  /// Marks words of negation, exception and another time: they are no slips of others.
  func markBlockers(_ words: inout [NearSentence.Word]) {
    let spellings = words.map(\.spelling.scalars)
    for index in words.indices {
      for length in near.blockers.lengths(in: spellings, at: index) {
        for place in index..<(index + length) { words[place].isBlocker = true }
      }
    }
  }

  /// Marks the words that are a number of some list: they are neither corrected nor left out.
  func markNumbers(
    _ text: NormalizedText, _ tokens: [Range<Int>], _ numbers: inout [Bool]
  ) {
    var seen: Set<ObjectIdentifier> = []
    for list in near.namedLists {
      guard case .range(let range) = lists[list], let words = range.words,
        seen.insert(ObjectIdentifier(words)).inserted
      else { continue }
      for (index, token) in tokens.enumerated() {
        words.index.forEachValue(in: text.folded, at: token.lowerBound) { _, length in
          let end = token.lowerBound + length
          for other in index..<tokens.count where tokens[other].upperBound <= end {
            numbers[other] = true
          }
        }
      }
    }
  }

  func addArcs(
    _ sentence: inout NearSentence, _ words: [NearSentence.Word], _ splits: [[Int]],
    _ isName: ([UInt32]) -> Bool
  ) {
    sentence.words = words
    let places = sentence.tokenPlaces
    let folded = sentence.text.folded
    for index in words.indices {
      let (from, to) = (places[index], places[index + 1])
      sentence.add(
        .init(kind: .word, from: Int32(from), to: Int32(to), word: Int32(index), cost: 0))
      // Both parts of each cut.
      let token = sentence.tokens[index]
      for (place, cut) in splits[index].enumerated() {
        let middle = from + 1 + place
        let parts = [
          (from, middle, token.lowerBound..<(token.lowerBound + cut)),
          (middle, to, (token.lowerBound + cut)..<token.upperBound),
        ]
        for (start, end, range) in parts {
          sentence.words.append(word(Array(folded[range]), isNumber: false, isName: isName))
          sentence.add(
            .init(
              kind: .split, from: Int32(start), to: Int32(end),
              word: Int32(sentence.words.count - 1), cost: NearSearch.Price.split / 2))
        }
      }
      guard index + 1 < words.count, words[index].id == nil || words[index + 1].id == nil,
        !words[index].isNumber, !words[index + 1].isNumber,
        !words[index].isBlocker, !words[index + 1].isBlocker,
        NearClass(folded[token.lowerBound]) == .letter,
        NearClass(folded[sentence.tokens[index + 1].lowerBound]) == .letter
      else { continue }
      let parts = [words[index].spelling, words[index + 1].spelling]
      let spelling = NearSpelling(parts[0].scalars + parts[1].scalars)
      var isNear = false
      near.lexicon.forEachNear(spelling) { id, form in
        if form.kind != .ending, !isSwallowed(parts, by: id, form) { isNear = true }
      }
      guard isNear, spelling.count >= 3 else { continue }
      sentence.words.append(
        .init(
          spelling: spelling, id: near.lexicon.knownID(spelled: spelling.scalars),
          isNumber: false, skip: NearSearch.Price.skippedUnknown, parts: parts))
      sentence.add(
        .init(
          kind: .joined, from: Int32(from), to: Int32(places[index + 2]),
          word: Int32(sentence.words.count - 1), cost: NearSearch.Price.joined))
    }
  }

  /// Whether a part alone is nearer to a word of the lexicon than the whole is.
  func isSwallowed(_ parts: [NearSpelling], by id: Int, _ form: NearForm) -> Bool {
    guard form.kind != .same else { return false }
    let spelling = near.lexicon.spellings[id]
    return parts.contains { part in
      NearForm(part, spelling).map { $0.cost <= form.cost || !part.isUnspaced } ?? false
    }
  }

  /// Adds the words of several characters that a text without spaces has, or nearly has.
  func addRuns(
    _ sentence: inout NearSentence, _ isLoose: inout [Bool], exchanging: Bool
  ) {
    let tokens = sentence.tokens
    let folded = sentence.text.folded
    let isCharacter = tokens.map { isUnspaced(folded[$0.lowerBound]) }
    guard isCharacter.contains(true) else { return }
    // First the words that are there, then those that nearly are, where a character is in none.
    for isExact in [true, false] {
      for first in tokens.indices where isCharacter[first] {
        var scalars = sentence.words[first].spelling.scalars
        var (hasLoose, hasBlocker) = (isLoose[first], sentence.words[first].isBlocker)
        for last in (first + 1)..<max(tokens.count, first + 1) {
          guard isCharacter[last] else { break }
          scalars += sentence.words[last].spelling.scalars
          if isLoose[last] { hasLoose = true }
          if sentence.words[last].isBlocker { hasBlocker = true }
          guard scalars.count <= near.lexicon.longestUnspaced + 2 else { break }
          let id = near.lexicon.knownID(spelled: scalars)
          guard isExact == (id != nil), isExact || !hasBlocker && (exchanging || hasLoose)
          else { continue }
          if isExact { for place in first...last { isLoose[place] = false } }
          addRun(&sentence, first, last, NearSpelling(scalars), id)
        }
      }
    }
  }

  func addRun(
    _ sentence: inout NearSentence, _ first: Int, _ last: Int, _ spelling: NearSpelling,
    _ id: Int32?
  ) {
    var parts: [NearSpelling] = []
    var skip = NearSearch.Price.skippedUnknown
    if let id {
      skip =
        NearSearch.Price.skippedKnown
        + NearSearch.Price.skippedKnownWeight * near.weights[Int(id)]
    } else {
      let start = sentence.words[first].spelling.count
      let end = sentence.words[last].spelling.count
      parts = [
        NearSpelling(Array(spelling.scalars.dropFirst(start))),
        NearSpelling(Array(spelling.scalars.dropLast(end))),
      ]
      var isNear = false
      near.lexicon.forEachNear(spelling) { id, form in
        if !isSwallowed(parts, by: id, form) { isNear = true }
      }
      guard isNear else { return }
    }
    sentence.words.append(
      .init(spelling: spelling, id: id, isNumber: false, skip: skip, parts: parts, isRun: true))
    sentence.add(
      .init(
        kind: .word, from: Int32(sentence.tokenPlaces[first]),
        to: Int32(sentence.tokenPlaces[last + 1]), word: Int32(sentence.words.count - 1),
        cost: 0))
  }

  func addSkips(_ sentence: inout NearSentence) {
    let places = sentence.tokenPlaces.map { Int32($0) }
    let spellings = sentence.tokens.indices.map { sentence.words[$0].spelling.scalars }
    let blocked = spellings.indices.map { sentence.words[$0].isBlocker }
    for index in spellings.indices {
      let word = sentence.words[index]
      for arc in sentence.arcs where arc.from == places[index] {
        // A known word of several characters is left out as a whole.
        let run = sentence.words[Int(arc.word)]
        guard run.isRun, run.id != nil,
          !blocked.indices.contains(where: {
            blocked[$0] && places[$0] >= arc.from && places[$0] < arc.to
          })
        else { continue }
        sentence.add(
          .init(kind: .known, from: arc.from, to: arc.to, word: arc.word, cost: run.skip))
      }
      var skip = NearSentence.Skip(
        kind: word.isNumber ? .number : word.id == nil ? .unknown : .known, from: places[index],
        to: places[index + 1], word: Int32(index), cost: word.skip)
      if blocked[index] {
        skip.kind = .blocker
        skip.cost += NearSearch.Price.skippedBlocker
      }
      sentence.add(skip)
      for length in near.fillers.lengths(in: spellings, at: index)
      where !blocked[index..<(index + length)].contains(true) {
        sentence.add(
          .init(
            kind: .filler, from: places[index], to: places[index + length], word: -1,
            cost: NearSearch.Price.filler))
      }
    }
  }

  /// The price of each word of the sentence for each word that it is near to, and these words.
  func prices(
    of sentence: NearSentence, exchanging: Bool
  ) -> (prices: [Float], nearIDs: [[Int32]]) {
    let count = near.lexicon.count
    var prices = [Float](repeating: .infinity, count: sentence.words.count * count)
    var nearIDs = [[Int32]](repeating: [], count: sentence.words.count)
    for (index, word) in sentence.words.enumerated() {
      let row = index * count
      func set(_ id: Int, _ price: Float) {
        if prices[row + id] == .infinity { nearIDs[index].append(Int32(id)) }
        prices[row + id] = min(prices[row + id], price)
      }
      if let id = word.id { set(Int(id), 0) }
      guard !word.isNumber, !word.isBlocker else { continue }
      let isExchanged = word.id != nil
      guard exchanging || !isExchanged else { continue }
      near.lexicon.forEachNear(word.spelling) { id, form in
        guard !isSwallowed(word.parts, by: id, form) else { return }
        let other =
          isExchanged && form.kind != .same && form.kind != .marks ? NearSearch.Price.exchanged : 0
        set(id, form.cost + other)
      }
    }
    return (prices, nearIDs)
  }
}
