import JSON

/// Writes the shortest sentences from the places that a text leads to.
///
/// A best-first search: an entry's cost is what was written so far and what must at least be written
/// still (`PhraseDistances`), so the shortest sentences come first. A state that was left once, with
/// the same values, is not left again: of many wordings of one meaning the shortest remains.
extension PhraseCompleter {
  /// A sentence that recognition has yet to judge.
  struct Candidate {
    var part: Int32
    var template: Int32
    /// Scalars that were written, white space apart.
    var written: Int32
    /// Values of habits in it.
    var habitualCount: Int32
    /// Edits that the text might have had more.
    var editsLeft: Int8
    /// Whether it stops before a value that nobody can list.
    var isUnfinished: Bool
  }

  private struct Entry {
    var state: State
    var written: Int32 = 0
    var frontier: Int32 = -1
    var habitualCount: Int32 = 0
    var endsWithSpace: Bool
    var isUnfinished = false
  }

  /// Entries by cost; of one cost the last comes first, which follows a sentence to its end.
  private struct Queue {
    private var buckets = [[Entry]](repeating: [], count: Limits.completionScalarsMax)
    private var least = 0

    mutating func push(_ entry: Entry, cost: Int32) {
      // What a value says more than it cost before is never less than nothing.
      let place = max(least, Int(cost))
      if place < buckets.count { buckets[place].append(entry) }
    }

    mutating func pop() -> Entry? {
      while least < buckets.count {
        if let entry = buckets[least].popLast() { return entry }
        least += 1
      }
      return nil
    }
  }

  private struct Search {
    var queue = Queue()
    var closed: Set<State> = []
    var candidates: [Candidate] = []
    var wordings: [Wording: Int] = [:]
    var counts: [String: Int] = [:]
    /// Sentences of one intent.
    var countMax: Int
    /// Whether nothing may be written.
    var isClosed: Bool
  }

  private struct Wording: Hashable {
    var block: Int32
    var values: UInt64
    var isUnfinished: Bool
  }

  /// Writes sentences, the shortest first, at most so many of one intent.
  ///
  /// At most `Limits.completionSearchStepsMax` steps.
  mutating func continuations(countMax: Int, isClosed: Bool) -> [Candidate] {
    var search = Search(countMax: countMax, isClosed: isClosed)
    let endsWithSpace = text.last == space
    for index in frontiers.indices.reversed() {
      let frontier = frontiers[index]
      let isPlain = frontier.offset == 0 && frontier.names == nil
      let entry = Entry(
        state: frontier.state, frontier: isPlain ? -1 : Int32(index),
        endsWithSpace: fixEndsWithSpace(frontier.state.part) ?? endsWithSpace)
      let chunk = program.nodes[Int(frontier.state.node)]
      let typed =
        frontier.offset == 0
        ? 0
        : program.chunks[Int(chunk.a)].letters(in: program)
          - program.chunks[Int(chunk.a)].letters(in: program, from: frontier.offset)
      push(entry, less: typed, &search)
    }
    var stepsLeft = Limits.completionSearchStepsMax
    while stepsLeft > 0, search.candidates.count < Limits.completionCandidatesMax,
      let entry = search.queue.pop()
    {
      stepsLeft -= 1
      follow(entry, &search)
    }
    return search.candidates
  }

  /// Whether the corrected word at the end of the text ends with a space; `nil` if there is none.
  private func fixEndsWithSpace(_ part: Int32) -> Bool? {
    guard part >= 0 else { return nil }
    switch parts[Int(part)].kind {
    case .fix(_, count, _, let end): return program.scalars[Int(end) - 1] == space
    case .name: return false
    case .fix, .text, .number, .anything, .said, .freeWords: return nil
    }
  }

  private func push(_ entry: Entry, less: Int32 = 0, _ search: inout Search) {
    let rest =
      distances.least[Int(entry.state.node)]
      + (entry.state.frame < 0 ? 0 : frameRests[Int(entry.state.frame)])
    guard rest < PhraseDistances.never else { return }
    search.queue.push(entry, cost: entry.written + rest - less)
  }

  private mutating func follow(_ entry: Entry, _ search: inout Search) {
    var next = entry
    next.frontier = -1
    next.state.startsWord = true
    next.state.hasWords = true
    let node = program.nodes[Int(entry.state.node)]
    var offset: Int32 = 0
    if entry.frontier >= 0 {
      let frontier = frontiers[Int(entry.frontier)]
      offset = frontier.offset
      if let names = frontier.names {
        writeNames(names, typed: frontier.typed, next, node, &search)
        return
      }
    } else {
      guard search.closed.insert(next.state).inserted else { return }
    }
    switch node.kind {
    case .fail: return
    case .chunk:
      let chunk = program.chunks[Int(node.a)]
      var start = chunk.start + offset
      if offset == 0, entry.endsWithSpace, !ignoresWhitespace { start = chunk.trimmedStart }
      if start < chunk.end {
        next.state.part = add(.text(start, chunk.end), after: entry.state.part)
        next.written += chunk.letters(in: program, from: start - chunk.start)
        next.endsWithSpace = program.scalars[Int(chunk.end) - 1] == space
      }
      next.state.node = node.next
      push(next, &search)
    case .alternative:
      for branch in (node.a..<node.a + node.b).reversed() {
        next.state.node = program.branches[Int(branch)]
        push(next, &search)
      }
    case .fork:
      let fork = program.forks[Int(node.a)]
      for place in fork.accepted {
        accept(entry, template: program.accepted[Int(place)], &search)
      }
      for way in fork.ways.reversed() {
        next.state.node = program.ways[Int(way)].entry
        push(next, &search)
      }
    case .permutation:
      for branch in branches(
        node, at: entry.state.node, remaining: (1 << node.b) - 1, next.state)
      {
        next.state = branch
        push(next, &search)
      }
    case .call:
      next.state.frame = intern(
        Frame(kind: .rule, node: node.next, parent: entry.state.frame))
      next.state.node = node.a
      push(next, &search)
    case .list: writeList(next, node, &search)
    case .end:
      guard entry.state.frame >= 0 else { return }
      guard let frame = returned(&next.state) else {
        push(next, &search)
        return
      }
      for branch in branches(
        program.nodes[Int(frame.node)], at: frame.node, remaining: frame.remaining, next.state)
      {
        next.state = branch
        push(next, &search)
      }
    }
  }

  private mutating func accept(_ entry: Entry, template: Int32, _ search: inout Search) {
    let block = grammar.sources[Int(template)].block
    guard holds(grammar.blocks[Int(block)].conditions, entry.state.part) else { return }
    let candidate = Candidate(
      part: entry.state.part, template: template, written: entry.written,
      habitualCount: entry.habitualCount, editsLeft: entry.state.edits,
      isUnfinished: entry.isUnfinished)
    let wording = Wording(
      block: block, values: entry.state.values, isUnfinished: entry.isUnfinished)
    let intent = grammar.blocks[Int(block)].intent
    let name = entry.isUnfinished ? intent + " …" : intent
    let most = entry.isUnfinished ? Limits.completionWordingsMax : search.countMax
    if entry.written > 0 {
      guard !search.isClosed || isBlank(entry.state.part),
        search.wordings[wording, default: 0] < Limits.completionWordingsMax,
        entry.habitualCount > 0 || search.counts[name, default: 0] < most
      else { return }
    }
    search.wordings[wording, default: 0] += 1
    search.counts[name, default: 0] += 1
    search.candidates.append(candidate)
  }

  /// Whether nothing but white space was written.
  private func isBlank(_ part: Int32) -> Bool {
    var part = part
    while part >= 0 {
      switch parts[Int(part)].kind {
      case .text(let start, let end):
        for index in start..<end where program.scalars[Int(index)] != space { return false }
      case .name, .number, .anything: return false
      case .said, .fix, .freeWords: break
      }
      part = parts[Int(part)].previous
    }
    return true
  }

  /// Whether the conditions of a block hold with the contexts of the values in a sentence.
  private func holds(_ conditions: ContextConditions, _ part: Int32) -> Bool {
    guard !conditions.isEmpty else { return true }
    guard context.isEmpty || conditions.admit(context) else { return false }
    var overlays: [[String: JSONValue]] = []
    var part = part
    while part >= 0 {
      switch parts[Int(part)].kind {
      case .name(let list, let value, _), .said(let list, let value):
        if case .text(let list) = lists[Int(list)], !list.values[Int(value)].context.isEmpty {
          overlays.append(list.values[Int(value)].context)
        }
      case .text, .number, .anything, .fix, .freeWords: break
      }
      part = parts[Int(part)].previous
    }
    var merged = context
    for overlay in overlays.reversed() {
      guard conditions.admit(overlay) else { return false }
      merged.merge(overlay) { _, new in new }
    }
    return conditions.hold(in: merged)
  }

  // MARK: Lists

  private mutating func writeList(
    _ entry: Entry, _ node: PhraseProgram.Node, _ search: inout Search
  ) {
    let reference = program.references[Int(node.a)]
    switch lists[Int(reference.list)] {
    case .absent: return
    case .text(let list):
      let index = list.index(for: ignoresWhitespace, isLoose: isLoose)
      writeNames(index.range(withPrefix: []), typed: 0, entry, node, &search)
      for template in distances.templates[Int(reference.list)].reversed() {
        var next = entry
        next.state = calling(template, entry.state)
        push(next, &search)
      }
    case .range, .wildcard:
      var next = entry
      next.state.part = add(
        .anything(list: reference.list), slot: reference.slot, after: entry.state.part)
      next.state.values = mixed(entry.state.values, reference.list, -3, reference.slot)
      next.state.node = node.next
      next.written += 1
      next.endsWithSpace = false
      next.isUnfinished = true
      push(next, &search)
    }
  }

  private mutating func writeNames(
    _ range: Range<Int>, typed: Int32, _ entry: Entry, _ node: PhraseProgram.Node,
    _ search: inout Search
  ) {
    let reference = program.references[Int(node.a)]
    var next = entry
    next.state.node = node.next
    switch lists[Int(reference.list)] {
    case .text(let list):
      let index = list.index(for: ignoresWhitespace, isLoose: isLoose)
      let most = entry.isUnfinished ? 1 : Limits.completionNamesMax
      let habitual = habitualNames(list, index, reference, typed: typed)
      for value in habitual.prefix(most) {
        next.habitualCount = entry.habitualCount + 1
        writeName(value, typed, reference, 0, entry, &next, &search)
      }
      next.habitualCount = entry.habitualCount
      for value in shortestNames(list, index, range, most) where !habitual.contains(value) {
        let length = Int32(index.text(Int(value)).count) - typed
        writeName(value, typed, reference, length, entry, &next, &search)
      }
    case .range(let numbers):
      guard let words = numbers.words else { return }
      var left = Limits.completionNamesSeenMax
      var chosen: [Int] = []
      words.index.visitShortest(in: range, unspacedFirst: ignoresWhitespace) { word in
        left -= 1
        if numbers.value(tenths: words.tenths[word]) != nil { chosen.append(word) }
        return left > 0 && chosen.count < Limits.completionNamesMax
      }
      for word in chosen {
        next.state.part = add(
          .number(list: reference.list, word: Int32(word), from: typed), slot: reference.slot,
          after: entry.state.part)
        next.state.values = mixed(
          entry.state.values, reference.list, Int32(truncatingIfNeeded: words.tenths[word]), -2)
        next.written = entry.written + Int32(words.index.text(word).count) - typed
        next.endsWithSpace = words.index.text(word).last == space
        push(next, &search)
      }
    case .wildcard, .absent: return
    }
  }

  private mutating func writeName(
    _ value: Int32, _ typed: Int32, _ reference: PhraseProgram.Reference, _ length: Int32,
    _ entry: Entry, _ next: inout Entry, _ search: inout Search
  ) {
    next.state.part = add(
      .name(list: reference.list, value: value, from: typed), slot: reference.slot,
      after: entry.state.part)
    next.state.values = mixed(entry.state.values, reference.list, value, reference.slot)
    next.written = entry.written + length
    next.endsWithSpace = false
    push(next, &search)
  }

  /// Names of habits that go on as the text does.
  private func habitualNames(
    _ list: TextList, _ index: ValueIndex, _ reference: PhraseProgram.Reference, typed: Int32
  ) -> [Int32] {
    guard let values = habits.values[program.slots[Int(reference.slot)]] else { return [] }
    let beginning = text.suffix(Int(typed))
    return values.compactMap { value in
      guard let place = list.index(ofCanonical: value) else { return nil }
      let name = index.text(place)
      return !name.isEmpty && name.starts(with: beginning) ? Int32(place) : nil
    }
  }

  private func shortestNames(
    _ list: TextList, _ index: ValueIndex, _ range: Range<Int>, _ most: Int
  ) -> [Int32] {
    let kinds = list.kinds
    var ofKinds: [Int32: Int] = [:]
    var left = Limits.completionNamesSeenMax
    var chosen: [Int32] = []
    index.visitShortest(in: range, unspacedFirst: ignoresWhitespace) { value in
      left -= 1
      let kind = kinds.isEmpty ? -1 : kinds[value]
      let isCommon = kind >= 0 && ofKinds[kind, default: 0] >= Limits.completionNamesOfKindMax
      if !isCommon {
        ofKinds[kind, default: 0] += 1
        chosen.append(Int32(value))
      }
      return left > 0 && chosen.count < most
    }
    return chosen
  }
}
