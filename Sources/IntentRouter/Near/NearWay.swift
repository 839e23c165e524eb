/// One way in which a sentence was laid beside a template: what it cost, what differs, and the
/// sentence that the template would have.
struct NearWay {
  var cost: Float
  var source: Int
  /// The sentence as the template has it.
  var text: [UInt32] = []
  /// Words left out that are no fillers, and those among them that the grammar does not know.
  var dropped = 0
  var droppedUnknown = 0
  /// The weight of those that it knows.
  var droppedKnownWeight: Float = 0
  /// Words left out that other templates of the same meaning have: they contradict nothing.
  var redundant = 0
  var redundantCost: Float = 0
  var hasBlocker = false
  var droppedNumber = false
  /// Words that the template has and nobody said, and their weight.
  var added = 0
  var addedWeight: Float = 0
  /// Whether one known word was taken for another.
  var isExchanged = false
  /// Whether a word has another ending, and whether it is a name, or the first word.
  var hasEnding = false
  var hasFirstEnding = false
  /// Whether a slip may be another word: it is at the first letter, where "re" and "un" stand, or
  /// in a short name, or in what two words were joined to.
  var hasUnsureSlip = false
  /// Whether words were left out in a script that the templates do not have.
  var isOfAnotherScript = false
  /// Whether words stand elsewhere.
  var isMoved = false
  /// Whether free words have a word that the grammar knows.
  var hasKnownWildcard = false
  var hasWildcard = false
  /// The weight of words that were said and taken; a name is 1.
  var takenWeight: Float = 0
  /// Names that were taken, and where.
  var names: [(cell: Int, choice: Int, list: Int, place: Int)] = []
  /// What differs; only where it was asked for.
  var changes: [NearChange] = []
  private var tellsChanges = false
  /// Where it came from: the table, and the name that was replaced.
  fileprivate var table: Int32
  fileprivate var replacing: (cell: Int, choice: Int)?
  /// Whether what is written next has a space before it.
  private var needsSpace = false

  /// A way that is found by other means than a table; −1.
  init(cost: Float, source: Int, table: Int32 = -1, tellsChanges: Bool = false) {
    self.cost = cost
    self.source = source
    self.table = table
    self.tellsChanges = tellsChanges
  }

  fileprivate mutating func write(_ text: some Collection<UInt32>, isGlued: Bool) {
    guard !text.isEmpty else {
      if !isGlued { needsSpace = true }
      return
    }
    if !isGlued || needsSpace, !self.text.isEmpty, self.text.last != space {
      self.text.append(space)
    }
    needsSpace = false
    self.text += text
  }

  fileprivate mutating func writeSpace() { needsSpace = true }

  fileprivate mutating func change(
    _ why: NearChange.Why, said: some Collection<UInt32>, taken: some Collection<UInt32>
  ) {
    guard tellsChanges else { return }
    changes.append(
      NearChange(
        said: NormalizedText.string(said), taken: NormalizedText.string(taken), why: why))
  }
}

/// A difference between what was said and what is understood.
package struct NearChange: Hashable, Sendable {
  package enum Why: String, Hashable, Sendable {
    /// A slip of the pen or of the ear.
    case slip
    /// Accents or other marks.
    case marks
    /// Two words that are one, and one that is two.
    case joined, split
    /// Another form of the word.
    case ending
    /// Words that stand elsewhere.
    case order
    /// A word that nobody said.
    case added
    /// A word that was left out, and one that never counts.
    case dropped, filler
  }

  package var said: String
  package var taken: String
  package var why: Why
}

extension NearSearch {
  /// The way that leads to the end of a source's table; `replacing` gives another choice for the
  /// name at a cell.
  func way(
    of source: Int, table: Int32, replacing: (cell: Int, choice: Int)? = nil,
    tellsChanges: Bool = false
  ) -> NearWay {
    let end = endCell(table, sentence.end)
    var way = NearWay(
      cost: cells[end].cost, source: source, table: table, tellsChanges: tellsChanges)
    way.replacing = replacing
    trace(end, table, &way, replacing)
    return way
  }

  /// What differs on a way; told only for readings that are answers, since it takes texts.
  func changes(of way: NearWay) -> [NearChange] {
    guard way.table >= 0 else { return way.changes }
    return self.way(
      of: way.source, table: way.table, replacing: way.replacing, tellsChanges: true
    ).changes
  }

  private func trace(
    _ end: Int, _ table: Int32, _ way: inout NearWay, _ replacing: (cell: Int, choice: Int)?
  ) {
    var path: [Int] = []
    var cell = end
    while cells[cell].from >= 0 {
      path.append(cell)
      cell = Int(cells[cell].from)
    }
    let (first, start) = (Int(tables[Int(table)].cells), Int(tables[Int(table)].start))
    let width = sentence.placeCount - start
    for cell in path.reversed() {
      let step = cells[cell]
      let place = (Int(step.from) - first) % width + start
      let to = (cell - first) % width + start
      guard step.edge >= 0 else {
        addSkip(sentence.skips[Int(step.choice)], &way)
        continue
      }
      let edge = grammar.edges[Int(step.edge)]
      switch edge.kind {
      case .silent: way.write(text(edge.text), isGlued: edge.isGlued)
      case .word:
        way.write(text(edge.text), isGlued: edge.isGlued)
        addWord(edge, step, place, to, &way)
      case .list:
        let isReplaced = replacing?.cell == cell
        addName(edge, cell, isReplaced ? replacing?.choice ?? 0 : Int(step.choice), place, &way)
      case .call:
        if !edge.isGlued { way.writeSpace() }
        trace(endCell(step.choice, to), step.choice, &way, replacing)
      }
      if edge.endsWithSpace { way.writeSpace() }
    }
  }

  private func text(_ range: Range<Int32>) -> ArraySlice<UInt32> {
    grammar.texts[Int(range.lowerBound)..<Int(range.upperBound)]
  }

  private func addSkip(_ skip: NearSentence.Skip, _ way: inout NearWay) {
    let said = sentence.said(Int(skip.from), Int(skip.to))
    guard skip.kind != .filler else {
      way.change(.filler, said: said, taken: [])
      return
    }
    way.change(.dropped, said: said, taken: [])
    let word = sentence.words[Int(skip.word)]
    if skip.kind == .known, let id = word.id, !word.isName,
      grammar.hasWord(Int(id), meaning: Int(grammar.sources[way.source].meaning))
    {
      way.redundant += 1
      way.redundantCost += skip.cost
      return
    }
    way.dropped += 1
    switch skip.kind {
    case .filler: break
    case .unknown:
      way.droppedUnknown += 1
      if word.spelling.isUnspaced, grammar.lexicon.longestUnspaced == 0 {
        way.isOfAnotherScript = true
      }
    case .known: way.droppedKnownWeight += word.id.map { grammar.weights[Int($0)] } ?? 0
    case .number: way.droppedNumber = true
    case .blocker: way.hasBlocker = true
    }
  }

  private func addWord(
    _ edge: NearGraph.Edge, _ step: Cell, _ place: Int, _ to: Int, _ way: inout NearWay
  ) {
    let id = Int(edge.index)
    let taken = grammar.lexicon.words[id]
    guard step.choice >= 0 else {
      way.added += 1
      way.addedWeight += grammar.weights[id]
      way.change(.added, said: [], taken: taken)
      return
    }
    way.takenWeight += grammar.weights[id]
    let arc = sentence.arcs[Int(step.choice)]
    let word = sentence.words[Int(arc.word)]
    let said = sentence.said(place, to)
    switch arc.kind {
    case .word: break
    case .split: way.change(.split, said: said, taken: taken)
    case .joined: way.change(.joined, said: said, taken: taken)
    }
    guard word.id != edge.index,
      let form = NearForm(word.spelling, grammar.lexicon.spellings[id])
    else { return }
    add(form.kind, said, taken, &way)
    guard form.kind == .slip || form.kind == .ending else { return }
    if word.id != nil || word.isNumber { way.isExchanged = true }
    if form.kind == .slip {
      let known = grammar.lexicon.spellings[id]
      if arc.kind == .joined || mayBeAnother(word.spelling.scalars, known.scalars) {
        way.hasUnsureSlip = true
      }
    }
    if form.kind == .ending, place == 0 { way.hasFirstEnding = true }
  }

  /// Whether two words that differ by a slip may be two words: they begin with different letters, and
  /// are short or have one stem, as "increase" and "decrease" do.
  private func mayBeAnother(_ said: [UInt32], _ known: [UInt32]) -> Bool {
    guard said.first != known.first, !isUnspaced(known[0]) else { return false }
    let shared = zip(said.reversed(), known.reversed()).prefix { $0 == $1 }.count
    return min(said.count, known.count) <= 7 || 2 * shared > max(said.count, known.count)
  }

  /// Whether a name with a slip may be another name: it begins with another letter, or a word of four
  /// letters or fewer differs, as in "file a" and "file b".
  private func mayBeAnotherName(_ said: [UInt32], _ known: [UInt32]) -> Bool {
    func words(_ text: [UInt32]) -> [[UInt32]] {
      let folded = text.map(foldCase)
      return nearWords(of: folded).map { nearSpelling(folded[$0]) }
    }
    let (saidWords, knownWords) = (words(said), words(known))
    guard let first = knownWords.first?.first, !isUnspaced(first) else { return false }
    if saidWords.first?.first != first { return true }
    guard saidWords.count == knownWords.count else {
      return min(said.count, known.count) <= 4
    }
    return zip(saidWords, knownWords).contains { said, known in
      said != known && min(said.count, known.count) <= 4
    }
  }

  private func add(
    _ kind: NearForm.Kind, _ said: some Collection<UInt32>, _ taken: some Collection<UInt32>,
    _ way: inout NearWay
  ) {
    switch kind {
    case .same: break
    case .marks: way.change(.marks, said: said, taken: taken)
    case .slip: way.change(.slip, said: said, taken: taken)
    case .ending:
      way.hasEnding = true
      way.change(.ending, said: said, taken: taken)
    }
  }

  private func addName(
    _ edge: NearGraph.Edge, _ cell: Int, _ choice: Int, _ place: Int, _ way: inout NearWay
  ) {
    let reference = grammar.references[Int(edge.index)]
    let name = names.named[choice]
    let said = sentence.said(place, Int(name.to))
    guard name.name >= 0, case .text(let list) = lists[reference.list] else {
      way.write(said, isGlued: edge.isGlued)
      if name.isExchanged { way.hasKnownWildcard = true }
      if case .wildcard = lists[reference.list] { way.hasWildcard = true }
      return
    }
    let text = list.nearNames.names[Int(name.name)].text
    way.names.append((cell, choice, reference.list, place))
    way.takenWeight += 1
    let taken = reference.affixes.contains(name.affix) ? name.affix : reference.affixes[0]
    let affix = grammar.affixes[Int(taken)]
    way.write(affix.prefix + text + affix.suffix, isGlued: edge.isGlued)
    if name.isExchanged { way.isExchanged = true }
    if name.kind == .slip {
      if mayBeAnotherName(Array(said), text) { way.hasUnsureSlip = true }
    }
    add(name.kind, said, text, &way)
    if name.kind == .ending { way.hasFirstEnding = true }
  }
}
