import JSON

/// Lists in a text that is still typed: names that it has, names that it begins, and values that
/// nobody can list.
extension PhraseCompleter {
  mutating func readList(_ state: State, _ node: PhraseProgram.Node) {
    let reference = program.references[Int(node.a)]
    switch lists[Int(reference.list)] {
    case .absent: return
    case .wildcard: openWildcard(state, node, reference)
    case .text(let list):
      let index = list.index(for: ignoresWhitespace, isLoose: isLoose)
      if state.open < 0 {
        readNames(index, state, node, reference, at: start(of: state))
        if state.edits > 0 {
          readNamesNearly(index, state, node, reference, at: start(of: state))
        }
      } else {
        forEachPlace(state, reference) { completer, closed in
          completer.readNames(index, closed, node, reference, at: closed.position)
        }
      }
      callTemplates(state, reference)
    case .range(let range):
      if state.open < 0 {
        readNumber(range, state, node, reference)
      } else {
        forEachPlace(state, reference) { completer, closed in
          completer.readNumber(range, closed, node, reference)
        }
      }
    }
  }

  /// Goes on behind each name that the text has at a place, and remembers those that it begins.
  private mutating func readNames(
    _ index: ValueIndex, _ state: State, _ node: PhraseProgram.Node,
    _ reference: PhraseProgram.Reference, at origin: Int32
  ) {
    var found: [(value: Int32, length: Int32)] = []
    index.forEachValue(in: text, at: Int(origin)) { found.append((Int32($0), Int32($1))) }
    // More names of one spelling are one way on.
    for (value, length) in found.prefix(Limits.completionNamesSeenMax) {
      push(behind(value, state, node, reference, end: origin + length))
    }
    spend(found.count)
    let names = index.range(withPrefix: text[Int(origin)...])
    if !names.isEmpty {
      var here = state
      here.position = count
      addFrontier(Frontier(state: here, names: names, typed: count - origin))
    }
  }

  /// The state behind a name.
  private mutating func behind(
    _ value: Int32, _ state: State, _ node: PhraseProgram.Node,
    _ reference: PhraseProgram.Reference, end: Int32
  ) -> State {
    var after = state
    after.part = add(
      .said(list: reference.list, value: value), slot: reference.slot, after: state.part)
    after.values = mixed(state.values, reference.list, value, reference.slot)
    after.position = end
    after.hasWords = true
    after.node = node.next
    return after
  }

  /// Calls each value that is a template like a rule.
  private mutating func callTemplates(_ state: State, _ reference: PhraseProgram.Reference) {
    for template in program.valueTemplates[Int(reference.list)] {
      spend(1)
      let first = program.nodes[Int(template.entry)].first
      let origin = Int(start(of: state))
      guard state.open >= 0 || first & RequiredText.bit(text[origin]) != 0 else { continue }
      push(calling(template, state))
    }
  }

  mutating func calling(_ template: PhraseProgram.ValueTemplate, _ state: State) -> State {
    var inner = state
    inner.frame = intern(
      Frame(
        kind: .value, node: state.node, parent: state.frame, value: template.value,
        startsWord: state.startsWord))
    inner.node = template.entry
    return inner
  }

  // MARK: Wildcards

  private mutating func openWildcard(
    _ state: State, _ node: PhraseProgram.Node, _ reference: PhraseProgram.Reference
  ) {
    guard state.open < 0 else { return }
    var open = state
    open.node = node.next
    open.open = start(of: state)
    if state.hasWords, !isBlank(from: state.position) {
      // The rest of the text is its value.
      var taken = closed(open, reference, from: open.open, to: count, isEnd: true)
      taken.part = add(.freeWords, after: taken.part)
      addFrontier(Frontier(state: taken))
    }
    // The slot is no part of the state: a wildcard that is closed has its place in `values`.
    open.values = mixed(open.values, reference.list, -1, reference.slot)
    push(open)
  }

  /// The state behind an open wildcard that took a part of the text.
  private func closed(
    _ state: State, _ reference: PhraseProgram.Reference?, from start: Int32, to end: Int32,
    isEnd: Bool
  ) -> State {
    var after = state
    after.values = mixed(after.values, reference?.list ?? -1, end, reference?.slot ?? start)
    after.position = end
    after.open = -1
    after.startsWord = !isEnd
    return after
  }

  /// Whether a word begins or ends at a place.
  func isBoundary(_ position: Int32) -> Bool {
    guard !ignoresWhitespace, position > 0, position < count else { return true }
    return isWord(text[Int(position)]) != isWord(text[Int(position) - 1])
  }

  /// Goes on behind each place where an open wildcard may end because a chunk follows.
  mutating func closeWildcard(_ state: State, _ node: PhraseProgram.Node) {
    let chunk = program.chunks[Int(node.a)]
    guard !chunk.isBlank else {
      var after = state
      after.node = node.next
      push(after)
      return
    }
    let first = ignoresWhitespace ? chunk.start : chunk.trimmedStart
    for position in state.open + 1..<max(count, state.open + 1) {
      guard text[Int(position)] == program.scalars[Int(first)], isBoundary(position) else {
        continue
      }
      spend(1)
      var here = closed(state, nil, from: state.open, to: position, isEnd: false)
      switch take(chunk, from: first, at: position) {
      case .none: continue
      case .whole(let end):
        here.position = end
        here.startsWord = chunk.endsWord
        here.hasWords = true
        here.node = node.next
        push(here)
      case .part(let offset):
        guard state.hasWords else { continue }
        here.position = count
        addFrontier(Frontier(state: here, offset: offset))
      }
    }
    spend(text.count >> 4)
  }

  /// Calls `body` with the state behind an open wildcard for each place where a word begins.
  private mutating func forEachPlace(
    _ state: State, _ reference: PhraseProgram.Reference,
    _ body: (inout PhraseCompleter, State) -> Void
  ) {
    guard state.hasWords else { return }
    for position in state.open + 1..<max(count, state.open + 1)
    where text[Int(position)] != space && isBoundary(position) {
      spend(1)
      body(&self, closed(state, nil, from: state.open, to: position, isEnd: false))
    }
  }

  // MARK: Numbers

  /// Goes on behind a number in digits or in words, and remembers words that the text begins.
  ///
  /// A longer number than the one that is typed is not guessed.
  private mutating func readNumber(
    _ range: NumberRange, _ state: State, _ node: PhraseProgram.Node,
    _ reference: PhraseProgram.Reference
  ) {
    var origin = Int(state.position)
    while origin < text.count, text[origin] == space { origin += 1 }
    var after = state
    if let number = typedNumber(at: origin, fractions: range.fractions != nil) {
      guard range.acceptsDigits, let tenths = number.tenths, range.value(tenths: tenths) != nil
      else { return }
      after.values = mixed(state.values, reference.list, Int32(truncatingIfNeeded: tenths), -2)
      after.position = Int32(number.end)
      after.hasWords = true
      after.node = node.next
      push(after)
      return
    }
    guard range.acceptsWords, let words = range.words, origin < text.count else { return }
    var found: [(word: Int, length: Int)] = []
    words.index.forEachValue(in: text, at: origin) { found.append(($0, $1)) }
    for (word, length) in found.prefix(Limits.completionNamesSeenMax)
    where range.value(tenths: words.tenths[word]) != nil {
      var after = state
      after.values = mixed(
        state.values, reference.list, Int32(truncatingIfNeeded: words.tenths[word]), -2)
      after.position = Int32(origin + length)
      after.hasWords = true
      after.startsWord = text[origin + length - 1] == space || text[origin + length - 1] == 0x27
      after.node = node.next
      push(after)
    }
    let names = words.index.range(withPrefix: text[origin...])
    if !names.isEmpty {
      after.position = count
      addFrontier(Frontier(state: after, names: names, typed: count - Int32(origin)))
    }
  }

  /// The number in digits at a place, as the matcher reads it.
  private func typedNumber(at start: Int, fractions: Bool) -> (end: Int, tenths: Int?)? {
    func isDigit(_ index: Int) -> Bool { index < text.count && text[index] &- 0x30 < 10 }
    var index = start
    let isNegative = index < text.count && text[index] == 0x2D
    if isNegative { index += 1 }
    guard isDigit(index) else { return nil }
    var whole: Int? = 0
    while isDigit(index) {
      whole = whole.flatMap { $0 < 100_000_000 ? $0 * 10 + Int(text[index] - 0x30) : nil }
      index += 1
    }
    var tenth = 0
    if fractions, index + 1 < text.count, text[index] == 0x2E || text[index] == 0x2C,
      isDigit(index + 1)
    {
      tenth = Int(text[index + 1] - 0x30)
      index += 2
      while isDigit(index) { index += 1 }
    }
    return (index, whole.map { ($0 * 10 + tenth) * (isNegative ? -1 : 1) })
  }
}
