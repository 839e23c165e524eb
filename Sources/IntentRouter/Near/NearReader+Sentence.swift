/// The places and words of a sentence, and the price of each word for each word of the templates.
extension NearReader {
  /// What is the same whether or not known words are taken for others.
  struct Typed {
    /// With the words that are there, before `addSkips`.
    var sentence: NearSentence
    /// Whether a word is neither known, nor a number, nor in a name or a known run of characters.
    var isLoose: [Bool]
    /// A list that has names.
    struct Text {
      var list: Int
      var names: NearNames
      /// The names that may be near to a part of the sentence.
      var candidates: NearSpellings.Candidates
      /// Those that were found when the list was looked through before.
      var found: NearNamesFound.Row?
    }
    var texts: [Text]
    /// As the lists were looked through before.
    var stretches: Stretches?
    /// The words of the lexicon that may be near to some of it.
    var candidates: NearSpellings.Candidates
    /// By first character, the last ones, as bits, of runs that were looked at; and those that are
    /// near to something, by both.
    var knownRuns: [UInt64]
    var formsOfRuns: [Int: (forms: [NearSentence.KnownForm], parts: [NearSpelling])] = [:]
  }

  func typed(_ text: NormalizedText, _ tokens: [Range<Int>]) -> Typed {
    var texts: [(list: Int, names: NearNames)] = []
    for list in near.namedLists {
      if case .text(let values) = lists[list] { texts.append((list, values.nearNames)) }
    }
    func isName(_ spelling: NearSpelling) -> Bool {
      texts.contains { $0.names.hasWord(spelling) }
    }

    var numbers = [Bool](repeating: false, count: tokens.count)
    markNumbers(text, tokens, &numbers)
    var words = tokens.indices.map { index in
      word(text.folded[tokens[index]], isNumber: numbers[index], isName: isName)
    }
    markGlued(tokens, &words)
    markBlockers(&words)
    let splits = tokens.indices.map { index -> [Int] in
      let word = words[index]
      guard word.id == nil, !word.isNumber, !word.isName, !word.isBlocker,
        word.spelling.count >= 5,
        NearClass(text.folded[tokens[index].lowerBound]) == .letter
      else { return [] }
      let letters = Array(text.folded[tokens[index]])
      guard letters.count >= 3 else { return [] }
      func isKnown(_ part: NearSpelling) -> Bool {
        guard part.count >= 2 else { return false }
        return near.lexicon.knownID(spelled: part) != nil || isName(part)
          || isNameWithAffix(part, texts)
      }
      return (1..<letters.count).filter { cut in
        let left = NearSpelling(nearSpelling(letters[..<cut]))
        guard isKnown(left) else { return false }
        let right = NearSpelling(nearSpelling(letters[cut...]))
        return isKnown(right) && (left.count >= 3 || right.count >= 3)
      }
    }
    let letters = words.reduce(UInt64(0)) { $0 | $1.spelling.shape.letters }
    var typed = Typed(
      sentence: NearSentence(text, tokens: tokens, words: words, splits: splits),
      isLoose: words.map { $0.id == nil && !$0.isNumber },
      texts: texts.map { list, names in
        Typed.Text(list: list, names: names, candidates: names.candidates(in: letters))
      },
      candidates: near.lexicon.candidates(in: letters),
      knownRuns: [UInt64](repeating: 0, count: tokens.count))
    addArcs(&typed.sentence, splits, typed.candidates, isName)
    markNames(&typed)
    addKnownRuns(&typed)
    return typed
  }

  /// Whether a word is one of a name with letters that templates write against it.
  private func isNameWithAffix(
    _ word: NearSpelling, _ texts: [(list: Int, names: NearNames)]
  ) -> Bool {
    texts.contains { list, names in
      var isName = false
      near.spelledAffixes[list]?.forEach(in: word.scalars.span) { _, inner in
        var scalars: [UInt32] = []
        for index in inner.indices { scalars.append(inner[index]) }
        isName = isName || names.hasWord(NearSpelling(scalars))
      }
      return isName
    }
  }

  func prepared(_ typed: inout Typed, exchanging: Bool) -> NearSearch {
    // Before the sentence is copied: it finds them once.
    findForms(&typed.sentence, typed.candidates, exchanging: exchanging)
    var sentence = typed.sentence
    addNearRuns(&sentence, &typed, exchanging: exchanging)
    addSkips(&sentence)
    sentence.arrange()
    let prices = NearPrices(
      of: sentence, lexiconCount: near.lexicon.count, exchanging: exchanging)
    let named = names(in: sentence, &typed, exchanging: exchanging)
    return NearSearch(
      near, lists: lists, sentence, prices: prices, names: named)
  }

  func word(
    _ folded: ArraySlice<UInt32>, isNumber: Bool, isName: (NearSpelling) -> Bool
  ) -> NearSentence.Word {
    let first = folded[folded.startIndex]
    let folded = Array(folded)
    let spelling = NearSpelling(nearSpelling(folded))
    let id = near.lexicon.knownID(of: folded) ?? near.lexicon.knownID(spelled: spelling)
    let isNumber = isNumber || NearClass(first) == .digit
    var skip: Float
    if isNumber {
      skip = NearSearch.Price.skippedNumber
    } else if let id {
      skip =
        NearSearch.Price.skippedKnown
        + NearSearch.Price.skippedKnownWeight * near.weights[Int(id)]
    } else {
      skip = NearSearch.Price.skippedUnknown
    }
    if isUnspaced(first) { skip *= NearSearch.Price.unspaced }
    return NearSentence.Word(
      spelling: spelling, id: id, isNumber: isNumber, isName: isName(spelling), skip: skip)
  }

  /// Marks words of negation, exception and another time: they are no slips of others.
  ///
  /// Nor are words with a slip in one of them ("tomorow"). A longer filler that has one has its own
  /// meaning ("if you don't mind").
  func markBlockers(_ words: inout [NearSentence.Word]) {
    let spellings = words.map(\.spelling)
    var fillerEnds = [Int](repeating: 0, count: words.count)
    for index in words.indices {
      near.fillers.forEachLength(in: spellings, at: index) { length in
        guard length >= 3 else { return }
        for place in index..<(index + length) {
          fillerEnds[place] = max(fillerEnds[place], index + length)
        }
      }
    }
    for index in words.indices {
      near.blockers.forEachLength(in: spellings, at: index) { length in
        guard length > 2 || fillerEnds[index] < index + length else { return }
        for place in index..<(index + length) { words[place].isBlocker = true }
      }
      if words[index].id == nil, !words[index].isNumber, !words[index].isName,
        fillerEnds[index] == 0, near.blockers.isNearWord(spellings[index]),
        !isNearKnown(spellings[index])
      {
        words[index].isBlocker = true
      }
    }
  }

  /// Whether a word of the templates is one slip away.
  private func isNearKnown(_ word: NearSpelling) -> Bool {
    var isNear = false
    near.lexicon.forEachNear(
      near.lexicon.candidates(in: word.shape.letters), word.shape, word.scalars.span
    ) { id, _ in
      isNear = isNear || slips(word, near.lexicon.spellings[id], atMost: 1) != nil
    }
    return isNear
  }

  /// Marks letters that are written against digits and are no word ("5O"): the number is not known.
  func markGlued(_ tokens: [Range<Int>], _ words: inout [NearSentence.Word]) {
    for index in words.indices.dropFirst()
    where tokens[index].lowerBound == tokens[index - 1].upperBound {
      for (digits, letters) in [(index - 1, index), (index, index - 1)]
      where words[digits].isNumber && !words[letters].isNumber {
        let word = words[letters]
        guard word.id == nil, !word.isName, !word.spelling.isUnspaced else { continue }
        words[letters].isNumber = true
        words[letters].skip = NearSearch.Price.skippedNumber
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
    _ sentence: inout NearSentence, _ splits: [[Int]],
    _ candidates: NearSpellings.Candidates, _ isName: (NearSpelling) -> Bool
  ) {
    let words = sentence.words
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
          sentence.add(word(folded[range], isNumber: false, isName: isName))
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
      let forms = forms(of: spelling.shape, spelling.scalars.span, candidates) { parts }
      guard forms.contains(where: { $0.form.kind != .ending }), spelling.count >= 3
      else { continue }
      sentence.add(
        .init(
          spelling: spelling, id: near.lexicon.knownID(spelled: spelling), isNumber: false,
          skip: NearSearch.Price.skippedUnknown, parts: parts, forms: forms))
      sentence.add(
        .init(
          kind: .joined, from: Int32(from), to: Int32(places[index + 2]),
          word: Int32(sentence.words.count - 1), cost: NearSearch.Price.joined))
    }
  }

  /// The candidates of the lexicon that a spelling is near to, where none of its parts is as near.
  ///
  /// `parts` is called only if there are such words.
  func forms(
    of shape: NearShape, _ text: Span<UInt32>, _ candidates: NearSpellings.Candidates,
    parts: () -> [NearSpelling]
  ) -> [NearSentence.KnownForm] {
    var forms: [NearSentence.KnownForm] = []
    var known: [NearSpelling]?
    near.lexicon.forEachNear(candidates, shape, text) { id, form in
      let parts = known ?? parts()
      known = parts
      guard !isSwallowed(parts, by: id, form) else { return }
      forms.append(.init(id: Int32(id), form: form))
    }
    return forms
  }

  /// Whether a part alone is nearer to a word of the lexicon than the whole is.
  func isSwallowed(_ parts: [NearSpelling], by id: Int, _ form: NearForm) -> Bool {
    guard form.kind != .same else { return false }
    let spelling = near.lexicon.spellings[id]
    return parts.contains { part in
      NearForm(part, spelling).map { $0.cost <= form.cost || !part.isUnspaced } ?? false
    }
  }

  /// Finds what the words of a sentence are near to, where that counts and is not yet known.
  func findForms(
    _ sentence: inout NearSentence, _ candidates: NearSpellings.Candidates, exchanging: Bool
  ) {
    for index in sentence.words.indices
    where !sentence.words[index].isNumber && !sentence.words[index].isBlocker
      && sentence.words[index].forms == nil
      && (exchanging || sentence.words[index].id == nil)
    {
      let (spelling, parts) = (sentence.words[index].spelling, sentence.words[index].parts)
      sentence.setForms(
        forms(of: spelling.shape, spelling.scalars.span, candidates) { parts }, ofWord: index)
    }
  }

  /// Adds the words of several characters that a text without spaces has.
  func addKnownRuns(_ typed: inout Typed) {
    var runs: [Run] = []
    forEachRun(of: typed.sentence) { first, last, shape, text in
      guard let id = near.lexicon.knownID(spelled: shape, text) else { return }
      let skip =
        NearSearch.Price.skippedKnown
        + NearSearch.Price.skippedKnownWeight * near.weights[Int(id)]
      runs.append(
        (
          first, last,
          .init(spelling: spelling(text), id: id, isNumber: false, skip: skip, isRun: true)
        ))
    }
    for run in runs { for place in run.first...run.last { typed.isLoose[place] = false } }
    add(runs, to: &typed.sentence)
  }

  /// Adds those that such a text nearly has, where a character is in no word that is there.
  func addNearRuns(_ sentence: inout NearSentence, _ typed: inout Typed, exchanging: Bool) {
    var runs: [Run] = []
    var (known, isKnown) = (typed.formsOfRuns, typed.knownRuns)
    forEachRun(of: sentence) { first, last, shape, text in
      guard exchanging || typed.isLoose[first...last].contains(true),
        !(first...last).contains(where: { sentence.words[$0].isBlocker }),
        near.lexicon.knownID(spelled: shape, text) == nil
      else { return }
      let (place, bit) = (first << 16 | last, UInt64(1) << UInt64(last & 63))
      let wasLookedAt = isKnown[first] & bit != 0
      guard !wasLookedAt || known[place] != nil else { return }
      let (start, end) = (sentence.words[first].spelling.count, sentence.words[last].spelling.count)
      var parts = known[place]?.parts ?? []
      let forms =
        known[place]?.forms
        ?? forms(of: shape, text, typed.candidates) {
          parts = [
            spelling(text.extracting(start..<text.count)),
            spelling(text.extracting(0..<(text.count - end))),
          ]
          return parts
        }
      isKnown[first] |= bit
      guard !forms.isEmpty else { return }
      if !exchanging { known[place] = (forms, parts) }
      runs.append(
        (
          first, last,
          .init(
            spelling: spelling(text), id: nil, isNumber: false,
            skip: NearSearch.Price.skippedUnknown, parts: parts, isRun: true, forms: forms)
        ))
    }
    add(runs, to: &sentence)
    (typed.formsOfRuns, typed.knownRuns) = (known, isKnown)
  }

  /// Characters from one to another as a word.
  private typealias Run = (first: Int, last: Int, word: NearSentence.Word)

  private func add(_ runs: [Run], to sentence: inout NearSentence) {
    for (first, last, word) in runs {
      sentence.add(word)
      sentence.add(
        .init(
          kind: .word, from: Int32(sentence.tokenPlaces[first]),
          to: Int32(sentence.tokenPlaces[last + 1]), word: Int32(sentence.words.count - 1),
          cost: 0))
    }
  }

  private func spelling(_ text: Span<UInt32>) -> NearSpelling {
    NearSpelling(text.indices.map { text[$0] })
  }

  /// Calls `body` with each row of several characters of a script without spaces that is no longer
  /// than the longest word of the lexicon.
  private func forEachRun(
    of sentence: NearSentence,
    _ body: (_ first: Int, _ last: Int, _ shape: NearShape, _ text: Span<UInt32>) -> Void
  ) {
    let tokens = sentence.tokens
    let (places, offsets) = (sentence.tokenPlaces, sentence.offsets)
    let isCharacter = tokens.map { isUnspaced(sentence.text.folded[$0.lowerBound]) }
    let spelled = sentence.spelled.span
    for first in tokens.indices where isCharacter[first] {
      var shape = NearShape()
      let start = offsets[places[first]]
      for last in first..<tokens.count {
        guard isCharacter[last] else { break }
        let (from, to) = (offsets[places[last]], offsets[places[last + 1]])
        for place in from..<to { shape.append(spelled[place]) }
        guard last > first else { continue }
        guard shape.count <= near.lexicon.longestUnspaced + 2 else { break }
        body(first, last, shape, spelled.extracting(start..<to))
      }
    }
  }

  func addSkips(_ sentence: inout NearSentence) {
    let places = sentence.tokenPlaces.map { Int32($0) }
    let spellings = sentence.tokens.indices.map { sentence.words[$0].spelling }
    let blocked = spellings.indices.map { sentence.words[$0].isBlocker }
    // Known words of several characters are left out as a whole.
    for arc in sentence.arcs
    where sentence.words[Int(arc.word)].isRun && sentence.words[Int(arc.word)].id != nil {
      guard
        !blocked.indices.contains(where: {
          blocked[$0] && places[$0] >= arc.from && places[$0] < arc.to
        })
      else { continue }
      sentence.add(
        .init(
          kind: .known, from: arc.from, to: arc.to, word: arc.word,
          cost: sentence.words[Int(arc.word)].skip))
    }
    for index in spellings.indices {
      let (id, isNumber) = (sentence.words[index].id, sentence.words[index].isNumber)
      var skip = NearSentence.Skip(
        kind: isNumber ? .number : id == nil ? .unknown : .known, from: places[index],
        to: places[index + 1], word: Int32(index), cost: sentence.words[index].skip)
      if blocked[index] {
        skip.kind = .blocker
        skip.cost += NearSearch.Price.skippedBlocker
      }
      sentence.add(skip)
      near.fillers.forEachLength(in: spellings, at: index) { length in
        guard !blocked[index..<(index + length)].contains(true) else { return }
        sentence.add(
          .init(
            kind: .filler, from: places[index], to: places[index + length], word: -1,
            cost: NearSearch.Price.filler))
      }
    }
  }
}
