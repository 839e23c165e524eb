/// Matches one text against compiled templates: a depth-first search that finds every match, in the
/// order in which the document format defines them.
///
/// A state is a few integers and is copied freely. What grows — slots filled so far, callers to
/// return to — lives in two arenas as linked lists, and is cut back when a branch is done. Three
/// rules surprise:
/// - at the start of a word white space is elastic in both directions, elsewhere it is exact;
/// - a wildcard is *open* until the text after it is found; every place where that text occurs is
///   tried, and a wildcard is never empty;
/// - `-` and `_` in the sentence may stand for spaces; from then on they do for the rest of the
///   sentence.
///
/// The number of steps for one sentence is bounded: a template that explodes ends the search, it
/// does not hold the loop.
import JSON

struct PhraseMatcher {
  /// A slot that was filled.
  struct Entity: Sendable {
    enum Value: Sendable {
      case listValue(list: Int32, index: Int32)
      case number(JSONValue)
      case wildcard
    }
    var slot: Int32
    var value: Value
    /// Range in the text.
    var start: Int32
    var end: Int32
    /// The one before it, or −1.
    var previous: Int32
    var endsWord: Bool
  }

  /// One way in which the text is a sentence of the template.
  struct Match: Sendable {
    /// In the order of the sentence. Wildcards have no white space at their ends.
    var entities: [Entity]
    var literalCharacters: Int
    var wildcards: Int
    /// Characters taken by wildcards.
    var wildcardCharacters: Int
  }

  private struct State {
    var position: Int32 = 0
    var entity: Int32 = -1
    var frame: Int32 = -1
    var literalCharacters: Int32 = 0
    var startsWord = true
    /// `-` and `_` are spaces from here on.
    var isRewritten = false
    /// The last entity is a wildcard that waits for its end.
    var isOpen = false
  }

  private struct Frame {
    enum Kind { case rule, permutation, value }
    var kind: Kind
    /// Where to go on: after the call, or the permutation itself.
    var node: Int32
    var parent: Int32
    /// Permutation: branches still to match, as bits.
    var remaining: Int32 = 0
    /// Value: what was before the list, and which value this is.
    var value: Int32 = 0
    var before = State()
  }

  private let program: PhraseProgram
  private let lists: [ValueList]
  private let folded: [UInt32]
  /// `folded` with spaces for `-` and `_`; the same array when there are none.
  private let rewritten: [UInt32]
  /// Position after the last `-` or `_`.
  private let dashEnd: Int32
  /// For each position the bit of the next character that is no space; all bits where that is `-`
  /// or `_`, none at the end.
  private let upcoming: [UInt64]

  private var entities: [Entity] = []
  private var frames: [Frame] = []
  private var matches: [Match] = []
  private var depth = 0
  private var stepsLeft = 0

  init(program: PhraseProgram, lists: [ValueList], text: NormalizedText) {
    self.program = program
    self.lists = lists
    folded = text.folded
    let lastDash = text.folded.lastIndex { $0 == 0x2D || $0 == 0x5F }
    dashEnd = Int32((lastDash ?? -1) + 1)
    rewritten =
      lastDash == nil
      ? text.folded : text.folded.map { $0 == 0x2D || $0 == 0x5F ? space : $0 }
    var bits = [UInt64](repeating: 0, count: text.count + 1)
    for index in text.folded.indices.reversed() {
      let scalar = text.folded[index]
      bits[index] =
        scalar == space
        ? bits[index + 1] : scalar == 0x2D || scalar == 0x5F ? .max : RequiredText.bit(scalar)
    }
    upcoming = bits
  }

  /// Whether a node can match what comes next. An open wildcard can take that, whatever it is.
  private func canBegin(_ index: Int32, _ state: State) -> Bool {
    let first = program.nodes[Int(index)].first
    return first == .max || state.isOpen || first & upcoming[Int(state.position)] != 0
  }

  /// Every match of the template that begins at `entry`. When `stepsLeft` is 0 afterwards, the
  /// search was cut.
  mutating func matches(of entry: Int32, stepsLeft budget: inout Int) -> [Match] {
    entities.removeAll(keepingCapacity: true)
    frames.removeAll(keepingCapacity: true)
    matches = []
    guard canBegin(entry, State()) else { return [] }
    stepsLeft = budget
    run(entry, State())
    budget = stepsLeft
    return matches
  }

  // MARK: The search

  private mutating func run(_ entry: Int32, _ entryState: State) {
    guard depth < Limits.matchingDepthMax, matches.count < Limits.matchesMax else {
      stepsLeft = 0
      return
    }
    depth += 1
    defer { depth -= 1 }
    var index = entry
    var state = entryState
    while true {
      guard stepsLeft > 0 else { return }
      stepsLeft -= 1
      let node = program.nodes[Int(index)]
      switch node.kind {
      case .chunk:
        let chunk = program.chunks[Int(node.a)]
        if state.isOpen && !chunk.isBlank {
          closeWildcard(before: chunk, state, next: node.next)
          return
        }
        guard let after = state.isOpen ? skipBlank(state) : match(chunk, state) else { return }
        state = after
        index = node.next
      case .alternative:
        let first = Int(node.a)
        let last = first + Int(node.b) - 1
        for branch in first..<last where canBegin(program.branches[branch], state) {
          explore(program.branches[branch], state)
        }
        index = program.branches[last]
        guard canBegin(index, state) else { return }
      case .permutation:
        let all = (Int32(1) << node.b) - 1
        permute(node, at: index, remaining: all, parent: state.frame, state)
        return
      case .call:
        frames.append(Frame(kind: .rule, node: node.next, parent: state.frame))
        state.frame = Int32(frames.count - 1)
        index = node.a
      case .list:
        matchList(at: index, state)
        return
      case .fail: return
      case .end:
        guard state.frame >= 0 else {
          accept(state)
          return
        }
        let frame = frames[Int(state.frame)]
        state.frame = frame.parent
        switch frame.kind {
        case .rule: index = frame.node
        case .permutation:
          let node = program.nodes[Int(frame.node)]
          permute(node, at: frame.node, remaining: frame.remaining, parent: frame.parent, state)
          return
        case .value:
          finishValue(frame, &state)
          index = program.nodes[Int(frame.node)].next
        }
      }
    }
  }

  /// Runs a branch, and forgets what it stored.
  private mutating func explore(_ index: Int32, _ state: State) {
    let entityCount = entities.count
    let frameCount = frames.count
    run(index, state)
    entities.removeLast(entities.count - entityCount)
    frames.removeLast(frames.count - frameCount)
  }

  /// Tries each remaining branch first, and the others after it.
  private mutating func permute(
    _ node: PhraseProgram.Node, at index: Int32, remaining: Int32, parent: Int32, _ state: State
  ) {
    for branch in 0..<node.b where remaining & (1 << branch) != 0 {
      guard canBegin(program.branches[Int(node.a + branch)], state) else { continue }
      let others = remaining & ~(1 << branch)
      // The last branch goes on after the permutation.
      let frame =
        others == 0
        ? Frame(kind: .rule, node: node.next, parent: parent)
        : Frame(kind: .permutation, node: index, parent: parent, remaining: others)
      let frameCount = frames.count
      frames.append(frame)
      var inner = state
      inner.frame = Int32(frames.count - 1)
      explore(program.branches[Int(node.a + branch)], inner)
      frames.removeLast(frames.count - frameCount)
    }
  }

  // MARK: Text

  private var ignoresWhitespace: Bool { program.ignoresWhitespace }

  private func scalars(_ state: State) -> [UInt32] { state.isRewritten ? rewritten : folded }

  private func skipSpaces(_ position: Int32, _ isRewritten: Bool) -> Int32 {
    let text = isRewritten ? rewritten : folded
    var position = Int(position)
    while position < text.count, text[position] == space { position += 1 }
    return Int32(position)
  }

  /// Where `state` compares text from: leading white space does not count at the start of a word.
  private func start(of state: State) -> Int32 {
    !ignoresWhitespace && state.startsWord
      ? skipSpaces(state.position, state.isRewritten) : state.position
  }

  private func chunkStart(_ chunk: PhraseProgram.Chunk, _ state: State) -> Int32 {
    !ignoresWhitespace && state.startsWord ? chunk.trimmedStart : chunk.start
  }

  /// A blank chunk after an open wildcard takes nothing.
  private func skipBlank(_ state: State) -> State {
    var after = state
    after.position = start(of: state)
    after.startsWord = true
    return after
  }

  private func has(
    _ chunk: PhraseProgram.Chunk, from chunkStart: Int32, at position: Int32, in text: [UInt32]
  ) -> Bool {
    let length = Int(chunk.end - chunkStart)
    guard Int(position) + length <= text.count else { return false }
    let (first, offset) = (Int(chunkStart), Int(position))
    for index in 0..<length where program.scalars[first + index] != text[offset + index] {
      return false
    }
    return true
  }

  private func match(_ chunk: PhraseProgram.Chunk, _ state: State) -> State? {
    let from = chunkStart(chunk, state)
    let position = start(of: state)
    var after = state
    if has(chunk, from: from, at: position, in: scalars(state)) {
      after.position = position + (chunk.end - from)
      after.startsWord = chunk.endsWord
      after.literalCharacters += chunk.literalCharacters
      return after
    }
    if chunk.isBlank, skipSpaces(position, state.isRewritten) == folded.count { return state }
    guard !state.isRewritten, position < dashEnd else { return nil }
    after.isRewritten = true
    let rewrittenPosition = start(of: after)
    guard has(chunk, from: from, at: rewrittenPosition, in: rewritten) else { return nil }
    after.position = rewrittenPosition + (chunk.end - from)
    return after
  }

  /// Whether a word begins or ends at `position`, for a text that begins at `origin`.
  private func isBoundary(_ position: Int, from origin: Int) -> Bool {
    let after = position < folded.count && isWord(folded[position])
    let before = position > origin && isWord(folded[position - 1])
    return after != before
  }

  /// The open wildcard takes the text before each place where `chunk` occurs.
  private mutating func closeWildcard(
    before chunk: PhraseProgram.Chunk, _ state: State, next: Int32
  ) {
    let from = chunkStart(chunk, state)
    let origin = start(of: state)
    let text = scalars(state)
    let needsBoundary = !ignoresWhitespace && entities[Int(state.entity)].endsWord
    func find(_ first: Int32, boundary: Bool) -> Int32? {
      var position = first
      while Int(position) + Int(chunk.end - from) <= text.count {
        if has(chunk, from: from, at: position, in: text),
          !boundary || isBoundary(Int(position), from: Int(first))
        {
          return position
        }
        position += 1
      }
      return nil
    }
    guard var position = find(origin, boundary: needsBoundary) else { return }
    if position == origin {
      guard let second = find(origin + 1, boundary: needsBoundary) else { return }
      position = second
    }
    while true {
      stepsLeft -= 1
      guard stepsLeft > 0 else {
        stepsLeft = 0
        return
      }
      let entityCount = entities.count
      var closed = closing(state, from: origin, to: position)
      closed.position = position
      closed.startsWord = true
      if let after = match(chunk, closed) { explore(next, after) }
      entities.removeLast(entities.count - entityCount)
      guard let following = find(position + 1, boundary: false) else { return }
      position = following
    }
  }

  /// The state with its open wildcard replaced by one that took `start..<end`.
  private mutating func closing(_ state: State, from start: Int32, to end: Int32) -> State {
    var wildcard = entities[Int(state.entity)]
    wildcard.start = start
    wildcard.end = end
    entities.append(wildcard)
    var closed = state
    closed.entity = Int32(entities.count - 1)
    closed.isOpen = false
    return closed
  }

  // MARK: Lists

  private mutating func matchList(at node: Int32, _ state: State) {
    guard state.position < folded.count else { return }
    let reference = program.references[Int(program.nodes[Int(node)].a)]
    switch lists[Int(reference.list)] {
    case .wildcard:
      // A wildcard right after an open one would leave the first empty for ever.
      guard !state.isOpen else { return }
      let entityCount = entities.count
      entities.append(
        Entity(
          slot: reference.slot, value: .wildcard, start: state.position, end: state.position,
          previous: state.entity, endsWord: reference.endsWord))
      var open = state
      open.entity = Int32(entities.count - 1)
      open.isOpen = true
      explore(program.nodes[Int(node)].next, open)
      entities.removeLast(entities.count - entityCount)
    case .text(let list):
      let index = list.index(ignoringWhitespace: ignoresWhitespace)
      if state.isOpen {
        closeWildcard(beforeValuesOf: index, at: node, state)
      } else {
        matchValues(of: index, at: node, state)
      }
      if !list.templateIndices.isEmpty { matchTemplates(of: reference, at: node, state) }
    case .range(let range):
      if range.acceptsDigits { matchDigits(range, at: node, state) }
    }
  }

  /// Continues after a list took `start..<end`; white space after it stays as elastic as before it.
  private mutating func take(
    _ value: Entity.Value, at node: Int32, _ state: State, from start: Int32, to end: Int32
  ) {
    let entityCount = entities.count
    var after = state
    add(value, at: node, from: start, to: end, &after)
    after.position = end
    explore(program.nodes[Int(node)].next, after)
    entities.removeLast(entities.count - entityCount)
  }

  private mutating func add(
    _ value: Entity.Value, at node: Int32, from start: Int32, to end: Int32, _ state: inout State
  ) {
    let slot = program.references[Int(program.nodes[Int(node)].a)].slot
    guard slot >= 0 else { return }
    entities.append(
      Entity(
        slot: slot, value: value, start: start, end: end, previous: state.entity, endsWord: false))
    state.entity = Int32(entities.count - 1)
    state.isOpen = false
  }

  private func list(at node: Int32) -> Int32 {
    program.references[Int(program.nodes[Int(node)].a)].list
  }

  private mutating func matchValues(of index: ValueIndex, at node: Int32, _ state: State) {
    let origin = start(of: state)
    var found: [(value: Int32, end: Int32)] = []
    index.forEachValue(in: scalars(state), at: Int(origin)) { value, length in
      found.append((Int32(value), origin + Int32(length)))
    }
    for (value, end) in found {
      take(.listValue(list: list(at: node), index: value), at: node, state, from: origin, to: end)
    }
    guard !state.isRewritten, origin < dashEnd else { return }
    var other = state
    other.isRewritten = true
    let otherOrigin = start(of: other)
    let known = found.map(\.value)
    index.forEachValue(in: rewritten, at: Int(otherOrigin)) { value, length in
      found.append((Int32(value), otherOrigin + Int32(length)))
    }
    for (value, end) in found.dropFirst(known.count) where !known.contains(value) {
      take(
        .listValue(list: list(at: node), index: value), at: node, other, from: otherOrigin, to: end)
    }
  }

  /// The open wildcard takes the text before each place where a value occurs. As with a chunk, only
  /// a value's first place needs to be at a word boundary.
  private mutating func closeWildcard(
    beforeValuesOf index: ValueIndex, at node: Int32, _ state: State
  ) {
    let origin = start(of: state)
    let text = scalars(state)
    let needsBoundary = !ignoresWhitespace && entities[Int(state.entity)].endsWord
    var seen: Set<Int32> = []
    var position = origin
    while Int(position) < text.count {
      stepsLeft -= 1
      guard stepsLeft > 0 else {
        stepsLeft = 0
        return
      }
      var found: [(value: Int32, end: Int32)] = []
      index.forEachValue(in: text, at: Int(position)) { value, length in
        found.append((Int32(value), position + Int32(length)))
      }
      let isAtBoundary = !needsBoundary || isBoundary(Int(position), from: Int(origin))
      for (value, end) in found where position > origin && (isAtBoundary || seen.contains(value)) {
        seen.insert(value)
        let entityCount = entities.count
        let closed = closing(state, from: origin, to: position)
        take(
          .listValue(list: list(at: node), index: value), at: node, closed, from: position, to: end)
        entities.removeLast(entities.count - entityCount)
      }
      position += 1
    }
  }

  /// Values that are templates: each is called like a rule, and its text is what it took.
  private mutating func matchTemplates(
    of reference: PhraseProgram.Reference, at node: Int32, _ state: State
  ) {
    for template in reference.valueTemplates {
      let frameCount = frames.count
      frames.append(
        Frame(
          kind: .value, node: node, parent: state.frame, value: template.value, before: state))
      var inner = state
      inner.frame = Int32(frames.count - 1)
      explore(template.entry, inner)
      frames.removeLast(frames.count - frameCount)
    }
  }

  /// The end of a value template: names do not count as literal text, and white space is as it was
  /// before.
  private mutating func finishValue(_ frame: Frame, _ state: inout State) {
    var start = frame.before.position
    if frame.before.isOpen, !state.isOpen {
      // The wildcard before the value was closed inside it: the value begins where the wildcard
      // ends.
      let outer = entities[Int(frame.before.entity)].previous
      var entity = state.entity
      while entity >= 0, entities[Int(entity)].previous != outer {
        entity = entities[Int(entity)].previous
      }
      if entity >= 0 { start = entities[Int(entity)].end }
    }
    state.literalCharacters = frame.before.literalCharacters
    state.startsWord = frame.before.startsWord
    add(
      .listValue(list: list(at: frame.node), index: frame.value), at: frame.node, from: start,
      to: state.position, &state)
  }

  // MARK: Numbers

  private struct Number {
    var start: Int32
    var end: Int32
    var tenths: Int?
  }

  /// The number at `position`, with white space and a sign before it. Digits are taken as far as
  /// they go.
  private func number(at position: Int32, fractions: Bool, _ isRewritten: Bool) -> Number? {
    let text = isRewritten ? rewritten : folded
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
    return Number(start: position, end: Int32(index), tenths: tenths)
  }

  private mutating func matchDigits(_ range: NumberRange, at node: Int32, _ state: State) {
    let fractions = range.fractions != nil
    guard state.isOpen else {
      guard let number = number(at: state.position, fractions: fractions, state.isRewritten),
        let value = number.tenths.flatMap(range.value(tenths:))
      else { return }
      take(.number(value), at: node, state, from: number.start, to: number.end)
      return
    }
    let origin = start(of: state)
    var position = origin
    while position < folded.count {
      stepsLeft -= 1
      guard stepsLeft > 0 else {
        stepsLeft = 0
        return
      }
      guard let number = number(at: position, fractions: fractions, state.isRewritten) else {
        position += 1
        continue
      }
      if position > origin, let value = number.tenths.flatMap(range.value(tenths:)) {
        let entityCount = entities.count
        let closed = closing(state, from: origin, to: position)
        take(.number(value), at: node, closed, from: number.start, to: number.end)
        entities.removeLast(entities.count - entityCount)
      }
      position = number.end
    }
  }

  // MARK: The end

  /// The template is used up: what remains must be nothing that people say, or the text of an open
  /// wildcard.
  private mutating func accept(_ state: State) {
    var end = folded.count
    while end > 0, folded[end - 1] == space { end -= 1 }
    let start = Int(skipSpaces(state.position, state.isRewritten))
    var last = state.entity
    let entityCount = entities.count
    if state.isOpen {
      guard start < end else { return }
      last = closing(state, from: Int32(start), to: Int32(end)).entity
    } else if start < end {
      let rest = folded[start..<end]
      guard rest.allSatisfy({ isPunctuation($0) || $0 == space }) else {
        return
      }
    }
    var match = Match(
      entities: [], literalCharacters: Int(state.literalCharacters), wildcards: 0,
      wildcardCharacters: 0)
    while last >= 0 {
      var entity = entities[Int(last)]
      if case .wildcard = entity.value {
        while entity.start < entity.end, folded[Int(entity.start)] == space { entity.start += 1 }
        while entity.end > entity.start, folded[Int(entity.end) - 1] == space { entity.end -= 1 }
        guard entity.start < entity.end else {
          entities.removeLast(entities.count - entityCount)
          return
        }
        match.wildcards += 1
        match.wildcardCharacters += Int(entity.end - entity.start)
      }
      match.entities.append(entity)
      last = entity.previous
    }
    entities.removeLast(entities.count - entityCount)
    match.entities.reverse()
    matches.append(match)
  }
}
