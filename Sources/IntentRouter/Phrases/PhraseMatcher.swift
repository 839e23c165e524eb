import JSON

/// Matches one text against the templates of a language: a depth-first search that finds every
/// match, in the order in which the document format defines them.
///
/// A state is a few integers and is copied freely. The parts that grow — the slots filled so far,
/// the callers to return to — live in arrays as linked lists, and each array is cut back when a
/// branch is done. Three rules surprise:
/// - at the start of a word white space is elastic in both directions, elsewhere it is exact;
/// - a wildcard is *open* until the text after it is found; every place where that text occurs is
///   tried, and a wildcard is never empty;
/// - `-` and `_` in the sentence may stand for spaces; from then on they do for the rest of the
///   sentence.
///
/// The number of steps for one sentence is bounded: a template with too many ways ends the search
/// instead of holding the daemon's loop. The matches found until then are not returned, since a
/// better one may be missing.
struct PhraseMatcher {
  /// A slot that was filled.
  struct Entity: Sendable {
    enum Value: Sendable {
      case listValue(list: Int32, index: Int32)
      case number(JSONValue)
      /// A number in words, and its place in the list's words.
      case spelled(JSONValue, list: Int32, word: Int32)
      case wildcard
    }
    var slot: Int32
    var value: Value
    /// Range in the text.
    ///
    /// White space at its ends is no part of the value.
    var start: Int32
    var end: Int32
    /// The one before it, or −1.
    var previous: Int32
    var endsWord = false
    var isCapture = false
    /// Its `-` and `_` are spaces.
    var isRewritten = false
    /// Tells wildcards of one search apart.
    var serial: Int32 = 0
  }

  /// One way in which the text is a sentence of a template.
  struct Match: Sendable {
    var template: Int32
    /// The text, by its place among the readings of the sentence.
    var reading: Int
    /// In the order of the sentence, captures among them.
    ///
    /// Wildcards have no white space at their ends.
    var entities: [Entity]
    var literalCharacters: Int
    var wildcards: Int
    /// Characters taken by wildcards.
    var wildcardCharacters: Int
    /// List values whose contexts count, in order.
    var overlays: [Overlay]

    var rank: MatchRank {
      MatchRank(
        wildcards: wildcards, literalCharacters: literalCharacters,
        wildcardCharacters: wildcardCharacters)
    }
  }

  /// A list value with a context.
  struct Overlay: Sendable {
    var list: Int32
    var value: Int32
    var previous: Int32
  }

  struct State {
    var position: Int32 = 0
    var entity: Int32 = -1
    var frame: Int32 = -1
    var overlay: Int32 = -1
    var literalCharacters: Int32 = 0
    /// The number of the way, which tells ways with the same open wildcard apart.
    ///
    /// Only taking or skipping text makes a new way.
    var way: Int32 = 0
    var startsWord = true
    /// `-` and `_` are spaces from here on.
    var isRewritten = false
    /// The last entity is a wildcard that waits for its end.
    var isOpen = false
  }

  struct Frame {
    enum Kind { case rule, permutation, value }
    var kind: Kind
    /// Where to go on: after the call, or the permutation itself.
    var node: Int32
    var parent: Int32
    /// Permutation: branches still to match, as bits.
    var remaining: Int32 = 0
    /// For a value: the state before the list, and the value's index.
    var value: Int32 = 0
    var before = State()
  }

  struct FoundValue {
    var value: Int32
    var end: Int32
  }

  /// The program and the text.
  ///
  /// An object whose members never change: the search reads them without counting references.
  final class Input: Sendable {
    let grammar: PhraseGrammar
    let lists: [ValueList]
    let folded: [UInt32]
    /// `folded` with spaces for `-` and `_`; the same array when there are none.
    let rewritten: [UInt32]
    /// Position after the last `-` or `_`.
    let dashEnd: Int32
    /// For each position the bit of the next character that is no space; all bits where that is
    /// `-` or `_`, none at the end.
    let upcoming: [UInt64]
    let required: RequiredText
    /// The text's place among the readings of the sentence.
    let reading: Int
    /// Whether white space beside an ideograph is ignored everywhere.
    let isLoose: Bool
    /// Whether the text has one reading: no dash that may be a space, and no white space that may
    /// be ignored.
    let isPlain: Bool

    init(
      _ grammar: PhraseGrammar, lists: [ValueList], text: NormalizedText, reading: Int,
      isLoose: Bool
    ) {
      precondition(
        grammar.program.valueTemplates.count <= lists.count, "a program of other lists")
      self.grammar = grammar
      self.reading = reading
      self.lists = lists
      self.isLoose = isLoose
      folded = text.folded
      let lastDash = text.folded.lastIndex { $0 == 0x2D || $0 == 0x5F }
      dashEnd = Int32((lastDash ?? -1) + 1)
      isPlain = lastDash == nil && !isLoose
      rewritten =
        lastDash == nil
        ? text.folded : text.folded.map { $0 == 0x2D || $0 == 0x5F ? space : $0 }
      var bits = [UInt64](repeating: 0, count: text.count + 1)
      var next: UInt64 = 0
      var room = bits.mutableSpan
      for index in text.folded.indices.reversed() {
        let scalar = text.folded[index]
        if scalar != space {
          next = scalar == 0x2D || scalar == 0x5F ? .max : RequiredText.bit(scalar)
        }
        room[index] = next
      }
      upcoming = bits
      required = RequiredText(text.folded)
    }
  }

  let input: Input

  var entities: [Entity] = []
  var frames: [Frame] = []
  var overlays: [Overlay] = []
  var matches: [Match] = []
  /// Matches that were found before this search.
  private var earlierMatchCount = 0
  /// Values found at a place, by list and position: many templates ask for the same names there.
  var found: [FoundValue] = []
  /// The ranges in `found`; −1 if the search was not done yet.
  var foundRanges: [Int32]
  /// The ways by which wildcards took the rest of the sentence for a template, by serial and
  /// template.
  ///
  /// Of several ways that leave one open wildcard the rest, the document format gives the first.
  var finished: [UInt64: Int32] = [:]
  var wildcardCount: Int32 = 0
  var wayCount: Int32 = 0
  var depth = 0
  var stepsLeft = 0

  init(
    _ grammar: PhraseGrammar, lists: [ValueList], text: NormalizedText, reading: Int, isLoose: Bool
  ) {
    input = Input(grammar, lists: lists, text: text, reading: reading, isLoose: isLoose)
    // Enough for most sentences, so that the arrays do not grow step by step.
    entities.reserveCapacity(8)
    frames.reserveCapacity(8)
    found.reserveCapacity(8)
    foundRanges = [Int32](repeating: -1, count: lists.count * (text.count + 1) * 2)
  }

  /// Returns whether the next text can begin with one of `first`.
  ///
  /// An open wildcard can take any text.
  @inline(__always)
  func canBegin(_ first: UInt64, _ state: State) -> Bool {
    first == .max || state.isOpen || first & input.upcoming[Int(state.position)] != 0
  }

  /// Appends every match of the templates behind `entry`, those of one template in order.
  ///
  /// When `stepsLeft` is 0 afterwards, the search was cut.
  mutating func search(
    from entry: Int32, stepsLeft budget: inout Int, appendingTo results: inout [Match]
  ) {
    entities.removeAll(keepingCapacity: true)
    frames.removeAll(keepingCapacity: true)
    overlays.removeAll(keepingCapacity: true)
    if !finished.isEmpty { finished.removeAll(keepingCapacity: true) }
    swap(&matches, &results)
    earlierMatchCount = matches.count
    stepsLeft = budget
    run(entry, State(), input)
    budget = stepsLeft
    swap(&matches, &results)
  }

  // MARK: The search

  /// `input` is the member of that name, handed on: to look it up would count a reference for each
  /// branch, which costs as much as a step.
  mutating func run(_ entry: Int32, _ entryState: State, _ input: Input) {
    guard depth < Limits.matchingDepthMax,
      matches.count - earlierMatchCount < Limits.matchesMax
    else {
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
      let node = input.grammar.program.nodes[Int(index)]
      switch node.kind {
      case .chunk:
        let chunk = input.grammar.program.chunks[Int(node.a)]
        if state.isOpen && !chunk.isBlank {
          closeWildcard(before: chunk, state, next: node.next)
          return
        }
        if state.isOpen {
          skipBlank(&state)
        } else if input.isPlain {
          guard takePlain(chunk, &state, input) else { return }
        } else {
          guard let after = match(chunk, state) else { return }
          state = after
        }
        index = node.next
      case .alternative:
        // The last branch that can begin is followed here, where a call would only return: most
        // often it is the only one.
        var last: Int32 = -1
        for branch in Int(node.a)..<Int(node.a + node.b) {
          let entry = input.grammar.program.branches[branch]
          guard canBegin(input.grammar.program.nodes[Int(entry)].first, state) else { continue }
          if last >= 0 { explore(last, state, input) }
          last = entry
        }
        guard last >= 0 else { return }
        index = last
      case .fork:
        let fork = input.grammar.program.forks[Int(node.a)]
        for place in fork.accepted {
          accept(state, template: input.grammar.program.accepted[Int(place)])
        }
        var last: Int32 = -1
        for place in fork.ways {
          let way = input.grammar.program.ways[Int(place)]
          guard way.required.isContained(in: input.required), canBegin(way.first, state) else {
            continue
          }
          if last >= 0 { explore(last, state, input) }
          last = way.entry
        }
        guard last >= 0 else { return }
        index = last
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
        guard state.frame >= 0 else { return }
        let frame = frames[Int(state.frame)]
        state.frame = frame.parent
        switch frame.kind {
        case .rule: index = frame.node
        case .permutation:
          let node = input.grammar.program.nodes[Int(frame.node)]
          permute(node, at: frame.node, remaining: frame.remaining, parent: frame.parent, state)
          return
        case .value:
          finishValue(frame, &state)
          index = input.grammar.program.nodes[Int(frame.node)].next
        }
      }
    }
  }

  /// Runs a branch, and then removes the data that it stored.
  mutating func explore(_ index: Int32, _ state: State) { explore(index, state, input) }

  private mutating func explore(_ index: Int32, _ state: State, _ input: Input) {
    let (entityCount, frameCount, overlayCount) = (entities.count, frames.count, overlays.count)
    run(index, state, input)
    entities.cut(to: entityCount)
    frames.cut(to: frameCount)
    overlays.cut(to: overlayCount)
  }

  /// Tries each remaining branch first, and the others after it.
  mutating func permute(
    _ node: PhraseProgram.Node, at index: Int32, remaining: Int32, parent: Int32, _ state: State
  ) {
    for branch in 0..<node.b where remaining & (1 << branch) != 0 {
      let entry = input.grammar.program.branches[Int(node.a + branch)]
      guard canBegin(input.grammar.program.nodes[Int(entry)].first, state) else { continue }
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
      explore(entry, inner)
      frames.cut(to: frameCount)
    }
  }

  // MARK: Text

  var ignoresWhitespace: Bool { input.grammar.program.ignoresWhitespace }

  func skipSpaces(_ position: Int32, _ isRewritten: Bool) -> Int32 {
    var position = Int(position)
    if isRewritten {
      while position < input.rewritten.count, input.rewritten[position] == space { position += 1 }
    } else {
      while position < input.folded.count, input.folded[position] == space { position += 1 }
    }
    return Int32(position)
  }

  /// Where `state` compares text from: leading white space does not count at the start of a word.
  func start(of state: State) -> Int32 {
    !ignoresWhitespace && state.startsWord
      ? skipSpaces(state.position, state.isRewritten) : state.position
  }

  func chunkStart(_ chunk: PhraseProgram.Chunk, _ state: State) -> Int32 {
    !ignoresWhitespace && state.startsWord ? chunk.trimmedStart : chunk.start
  }

  /// A blank chunk after an open wildcard takes nothing.
  mutating func skipBlank(_ state: inout State) {
    state.position = start(of: state)
    state.startsWord = true
    wayCount += 1
    state.way = wayCount
  }

  /// Where the chunk ends when the text has it at `position`, else −1.
  @inline(__always)
  func end(
    of chunk: PhraseProgram.Chunk, from chunkStart: Int32, at position: Int32, in text: [UInt32]
  ) -> Int32 {
    if input.isLoose { return looseEnd(of: chunk, at: position, in: text) }
    let length = Int(chunk.end - chunkStart)
    let (first, offset) = (Int(chunkStart), Int(position))
    guard offset + length <= text.count else { return -1 }
    for index in 0..<length
    where input.grammar.program.scalars[first + index] != text[offset + index] {
      return -1
    }
    return position + Int32(length)
  }

  /// Returns the same for a text in which white space stands only between two characters that are
  /// no ideographs: white space of the chunk counts only there.
  func looseEnd(
    of chunk: PhraseProgram.Chunk, at position: Int32, in text: [UInt32]
  ) -> Int32 {
    var position = Int(position)
    for index in Int(chunk.start)..<Int(chunk.end) {
      let scalar = input.grammar.program.scalars[index]
      if position < text.count, text[position] == scalar {
        position += 1
        continue
      }
      guard scalar == space else { return -1 }
      let isBeside =
        position == 0 || position == text.count || isIdeographic(text[position])
        || isIdeographic(text[position - 1])
      guard isBeside else { return -1 }
    }
    return Int32(position)
  }

  /// Takes a chunk like `match`, in a text in which nothing may be read in two ways: most chunks of
  /// most sentences are looked at here.
  ///
  /// - Returns: whether the text has the chunk; otherwise `state` is as it was.
  @inline(__always)
  private func takePlain(
    _ chunk: PhraseProgram.Chunk, _ state: inout State, _ input: Input
  ) -> Bool {
    var scalar = Int(chunk.start)
    var position = Int(state.position)
    if state.startsWord, !input.grammar.program.ignoresWhitespace {
      scalar = Int(chunk.trimmedStart)
      while position < input.folded.count, input.folded[position] == space { position += 1 }
    }
    let start = position
    let end = Int(chunk.end)
    while scalar < end {
      guard position < input.folded.count,
        input.folded[position] == input.grammar.program.scalars[scalar]
      else {
        // White space at the end of the text may be absent.
        return chunk.isBlank && skipSpaces(Int32(start), false) == input.folded.count
      }
      scalar += 1
      position += 1
    }
    state.position = Int32(position)
    state.startsWord = chunk.endsWord
    state.literalCharacters += chunk.literalCharacters
    return true
  }

  func match(_ chunk: PhraseProgram.Chunk, _ state: State) -> State? {
    let from = chunkStart(chunk, state)
    let position = start(of: state)
    var after = state
    let end =
      state.isRewritten
      ? end(of: chunk, from: from, at: position, in: input.rewritten)
      : end(of: chunk, from: from, at: position, in: input.folded)
    if end >= 0 {
      after.position = end
      after.startsWord = chunk.endsWord
      after.literalCharacters += chunk.literalCharacters
      return after
    }
    if chunk.isBlank, skipSpaces(position, state.isRewritten) == input.folded.count { return state }
    guard !state.isRewritten, position < input.dashEnd else { return nil }
    // White space was skipped before this; a space that a dash becomes now was not.
    after.isRewritten = true
    let rewrittenEnd = self.end(of: chunk, from: from, at: position, in: input.rewritten)
    guard rewrittenEnd >= 0 else { return nil }
    after.position = rewrittenEnd
    return after
  }

  /// Whether a word begins or ends at `position`, for a text that begins at `origin`.
  func isBoundary(_ position: Int, from origin: Int, _ isRewritten: Bool) -> Bool {
    // `_` is a part of a word; the space that it may stand for is not.
    let text = isRewritten ? input.rewritten : input.folded
    let after = position < text.count && isWord(text[position])
    let before = position > origin && isWord(text[position - 1])
    return after != before
  }

  /// The open wildcard takes the text before each place where `chunk` occurs.
  mutating func closeWildcard(
    before chunk: PhraseProgram.Chunk, _ state: State, next: Int32
  ) {
    let from = chunkStart(chunk, state)
    let origin = start(of: state)
    let needsBoundary = !ignoresWhitespace && entities[Int(state.entity)].endsWord
    guard var position = find(chunk, from, state, at: origin, boundary: needsBoundary) else {
      return
    }
    if position == origin {
      guard let second = find(chunk, from, state, at: origin + 1, boundary: needsBoundary) else {
        return
      }
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
      entities.cut(to: entityCount)
      guard let following = find(chunk, from, state, at: position + 1, boundary: false) else {
        return
      }
      position = following
    }
  }

  /// The first place from `first` on where the chunk occurs; with `boundary` a word must begin or
  /// end there.
  mutating func find(
    _ chunk: PhraseProgram.Chunk, _ chunkStart: Int32, _ state: State, at first: Int32,
    boundary: Bool
  ) -> Int32? {
    let text = state.isRewritten ? input.rewritten : input.folded
    let initial = input.grammar.program.scalars[Int(chunkStart)]
    var position = first
    while Int(position) < text.count {
      if input.isLoose || text[Int(position)] == initial {
        if end(of: chunk, from: chunkStart, at: position, in: text) >= 0,
          !boundary || isBoundary(Int(position), from: Int(first), state.isRewritten)
        {
          return position
        }
      }
      position += 1
    }
    // Count the length of the text as steps.
    stepsLeft = max(1, stepsLeft - (text.count >> 4))
    return nil
  }

  /// The state with its open wildcard replaced by one that took `start..<end`.
  mutating func closing(_ state: State, from start: Int32, to end: Int32) -> State {
    var wildcard = entities[Int(state.entity)]
    wildcard.start = start
    wildcard.end = end
    wildcard.isRewritten = state.isRewritten
    entities.append(wildcard)
    var closed = state
    closed.entity = Int32(entities.count - 1)
    closed.isOpen = false
    return closed
  }

  // MARK: The end

  /// Accepts a state at the end of a template.
  ///
  /// The rest of the text must be white space or punctuation, or the text of an open wildcard.
  mutating func accept(_ state: State, template: Int32) {
    var end = input.folded.count
    while end > 0, input.folded[end - 1] == space { end -= 1 }
    let start = Int(skipSpaces(state.position, state.isRewritten))
    var last = state.entity
    let entityCount = entities.count
    if state.isOpen {
      guard start < end else { return }
      let key = UInt64(entities[Int(state.entity)].serial) << 32 | UInt64(template)
      guard finished[key] ?? state.way == state.way else { return }
      finished[key] = state.way
      last = closing(state, from: Int32(start), to: Int32(end)).entity
    } else if start < end {
      for position in start..<end
      where !isPunctuation(input.folded[position]) && input.folded[position] != space { return }
    }
    var match = Match(
      template: template, reading: input.reading, entities: [],
      literalCharacters: Int(state.literalCharacters), wildcards: 0, wildcardCharacters: 0,
      overlays: [])
    while last >= 0 {
      var entity = entities[Int(last)]
      if case .wildcard = entity.value {
        let text = entity.isRewritten ? input.rewritten : input.folded
        while entity.start < entity.end, text[Int(entity.start)] == space { entity.start += 1 }
        while entity.end > entity.start, text[Int(entity.end) - 1] == space { entity.end -= 1 }
        guard entity.start < entity.end else {
          entities.cut(to: entityCount)
          return
        }
        match.wildcards += 1
        match.wildcardCharacters += Int(entity.end - entity.start)
      }
      match.entities.append(entity)
      last = entity.previous
    }
    entities.cut(to: entityCount)
    match.entities.reverse()
    var overlay = state.overlay
    while overlay >= 0 {
      match.overlays.append(overlays[Int(overlay)])
      overlay = overlays[Int(overlay)].previous
    }
    match.overlays.reverse()
    matches.append(match)
  }
}

extension Array {
  /// Removes the elements behind the first `count`.
  ///
  /// The standard library's way to remove several costs some eighty instructions, also for none.
  @inline(__always)
  mutating func cut(to count: Int) {
    while self.count > count { removeLast() }
  }
}
