import JSON

/// Numbers in a sentence: in digits, and in words where there are no digits.
extension PhraseMatcher {
  struct Number {
    var end: Int32
    var tenths: Int?
  }

  /// The number at `position`, with white space and a sign before it.
  ///
  /// Digits are taken as far as they go.
  func number(at position: Int32, fractions: Bool, _ isRewritten: Bool) -> Number? {
    let text = isRewritten ? input.rewritten : input.folded
    func isDigit(_ index: Int) -> Bool { index < text.count && text[index] &- 0x30 < 10 }
    var index = Int(skipSpaces(position, isRewritten))
    let isNegative = index < text.count && text[index] == 0x2D
    if isNegative { index += 1 }
    guard isDigit(index) else { return nil }
    var whole: Int? = 0
    while isDigit(index) {
      whole = whole.flatMap { $0 < 100_000_000 ? $0 * 10 + Int(text[index] - 0x30) : nil }
      index += 1
    }
    var tenth = 0
    if fractions, index < text.count, text[index] == 0x2E || text[index] == 0x2C,
      isDigit(index + 1)
    {
      tenth = Int(text[index + 1] - 0x30)
      index += 2
      while isDigit(index) {
        if text[index] != 0x30 { whole = nil }  // finer than a tenth
        index += 1
      }
    }
    let tenths = whole.map { ($0 * 10 + tenth) * (isNegative ? -1 : 1) }
    return Number(end: Int32(index), tenths: tenths)
  }

  mutating func matchNumber(
    _ range: NumberRange, _ list: Int32, at node: Int32, _ state: State
  ) {
    let fractions = range.fractions != nil
    guard state.isOpen else {
      if let number = number(at: state.position, fractions: fractions, state.isRewritten) {
        guard range.acceptsDigits, let value = number.tenths.flatMap(range.value(tenths:)) else {
          return
        }
        take(.number(value), at: node, state, from: state.position, to: number.end)
      } else if let words = range.words {
        words.index.forEachValue(
          in: state.isRewritten ? input.rewritten : input.folded, at: Int(state.position)
        ) { word, length in
          takeWord(
            word, words, range, list, at: node, state, to: state.position + Int32(length))
        }
      }
      return
    }
    let origin = start(of: state)
    var hasDigits = false
    var position = origin
    while Int(position) < input.folded.count {
      guard let number = number(at: position, fractions: fractions, state.isRewritten) else {
        position += 1
        continue
      }
      hasDigits = true
      if position > origin, range.acceptsDigits,
        let value = number.tenths.flatMap(range.value(tenths:))
      {
        stepsLeft -= 1
        guard stepsLeft > 0 else {
          stepsLeft = 0
          return
        }
        let entityCount = entities.count
        let closed = closing(state, from: origin, to: position)
        take(.number(value), at: node, closed, from: position, to: number.end)
        entities.cut(to: entityCount)
      }
      position = number.end
    }
    guard !hasDigits, let words = range.words else { return }
    var seen: Set<Int32> = []
    for position in origin..<Int32(input.folded.count) {
      var here: [(word: Int, end: Int32)] = []
      words.index.forEachValue(
        in: state.isRewritten ? input.rewritten : input.folded, at: Int(position)
      ) { word, length in here.append((word, position + Int32(length))) }
      for (word, end) in here where seen.insert(Int32(word)).inserted && position > origin {
        stepsLeft -= 1
        guard stepsLeft > 0 else {
          stepsLeft = 0
          return
        }
        let entityCount = entities.count
        var closed = closing(state, from: origin, to: position)
        closed.position = position
        closed.startsWord = true
        takeWord(word, words, range, list, at: node, closed, to: end)
        entities.cut(to: entityCount)
      }
    }
  }

  /// A number in words counts as literal text, and ends as words do.
  mutating func takeWord(
    _ word: Int, _ words: NumberWordIndex, _ range: NumberRange, _ list: Int32, at node: Int32,
    _ state: State, to end: Int32
  ) {
    guard let value = range.value(tenths: words.tenths[word]) else { return }
    let entityCount = entities.count
    var after = state
    add(
      .spelled(value, list: list, word: Int32(word)), at: node, from: state.position, to: end,
      &after)
    after.position = end
    let said = (state.isRewritten ? input.rewritten : input.folded)[Int(state.position)..<Int(end)]
    after.startsWord = said.last == 0x27 || said.last == space
    after.literalCharacters += Int32(stripped(Array(said)).count)
    explore(input.grammar.program.nodes[Int(node)].next, after)
    entities.cut(to: entityCount)
  }
}
