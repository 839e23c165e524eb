import JSON

/// Completes a text by the templates of a language: finds the places in the templates that the text
/// leads to, and writes the shortest ways from there to an end.
///
/// Two searches over the same states. The first *reads*: it takes the text as the matcher does,
/// depth first, and remembers each state in which nothing of the text is left (`Frontier`), which
/// may be within a word or a name. The second (`+Continuations`) *writes*: it goes on from those
/// states, the shortest sentence first, without a text.
///
/// It is not the matcher, which keeps the values and results of whole texts and is the path of every
/// sentence. States that differ in nothing but how they came about are one state here, so the number
/// of wordings does not multiply. It may be generous: recognition judges each sentence that it
/// writes.
struct PhraseCompleter {
  /// Where to go on behind a rule, a branch of a permutation or a value.
  struct Frame: Hashable {
    enum Kind { case rule, permutation, value }
    var kind: Kind
    /// After the call, or the permutation or list itself.
    var node: Int32
    var parent: Int32
    /// Permutation: branches still to come, as bits.
    var remaining: Int32 = 0
    /// Value: its place in the list, and whether a word began before it.
    var value: Int32 = 0
    var startsWord = false
  }

  /// A part of a sentence, in a list that leads to the part before it.
  struct Part {
    enum Kind {
      /// A range of the program's text.
      case text(Int32, Int32)
      /// A list's value without the scalars that were typed.
      case name(list: Int32, value: Int32, from: Int32)
      /// A number in words without those.
      case number(list: Int32, word: Int32, from: Int32)
      /// A value that nobody can list; the first of a sentence is where it stops.
      case anything(list: Int32)
      /// A value that was typed, or one that is a template.
      case said(list: Int32, value: Int32)
      /// What a wildcard took up to the end of the text.
      case freeWords
      /// A slip: a range of the text, and of the program's text that it should be; with an empty one
      /// the name that follows stands there.
      case fix(Int32, Int32, Int32, Int32)
    }
    var kind: Kind
    var slot: Int32
    var previous: Int32
  }

  struct State: Hashable {
    var node: Int32
    var position: Int32 = 0
    var frame: Int32 = -1
    /// The parts, those of a list with a meaning among them; it does not tell states apart.
    var part: Int32 = -1
    /// Tells values apart.
    var values: UInt64 = 0
    var startsWord = true
    /// Whether a word or a name was typed whole: a wildcard before that would take anything.
    var hasWords = false
    /// Where an open wildcard begins, −1 if none is open.
    var open: Int32 = -1
    /// Slips that may still be found.
    var edits: Int8 = 0

    static func == (a: Self, b: Self) -> Bool {
      a.node == b.node && a.position == b.position && a.frame == b.frame && a.values == b.values
        && a.startsWord == b.startsWord && a.hasWords == b.hasWords && a.open == b.open
        && a.edits == b.edits
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(UInt64(truncatingIfNeeded: node) << 32 | UInt64(UInt32(bitPattern: position)))
      hasher.combine(UInt64(truncatingIfNeeded: frame) << 32 | UInt64(UInt32(bitPattern: open)))
      hasher.combine(values)
    }
  }

  /// A state in which all of the text is taken.
  struct Frontier {
    var state: State
    /// Scalars of the node's chunk that were typed.
    var offset: Int32 = 0
    /// The names that the text may be the beginning of, as places of the list's index, and how much
    /// of them was typed.
    var names: Range<Int>?
    var typed: Int32 = 0
  }

  let grammar: PhraseGrammar
  let program: PhraseProgram
  let distances: PhraseDistances
  let lists: [ValueList]
  let context: [String: JSONValue]
  let habits: HabitualValues
  /// Words in which no slip is looked for.
  let blockers: Set<[UInt32]>

  var text: [UInt32] = []
  var isLoose = false
  var parts: [Part] = []
  var frames: [Frame] = []
  /// By frame, how much must at least be said behind it.
  var frameRests: [Int32] = []
  var frontiers: [Frontier] = []
  /// By list and place.
  var nearNames: [UInt64: [NearName]] = [:]
  private var frameIDs: [Frame: Int32] = [:]
  private var seen: Set<State> = []
  private var stack: [State] = []
  private var stepsLeft = Limits.completionWalkStepsMax

  init(
    _ grammar: PhraseGrammar, lists: [ValueList], context: [String: JSONValue],
    habits: HabitualValues, blockers: Set<[UInt32]> = []
  ) {
    self.grammar = grammar
    program = grammar.program
    distances = grammar.distances
    self.lists = lists
    self.context = context
    self.habits = habits
    self.blockers = blockers
  }

  /// Reads a text, and makes the states that it leads to `frontiers`.
  ///
  /// At most `Limits.completionWalkStepsMax` steps for all readings of a text; what was found until
  /// then is used. With `edits`, the text may have so many slips.
  mutating func read(_ reading: CompletionPrefix.Reading, edits: Int8 = 0) {
    text = reading.scalars
    isLoose = reading.isLoose
    frontiers.removeAll(keepingCapacity: true)
    seen.removeAll(keepingCapacity: true)
    nearNames.removeAll()
    for edges in reading.edges where !program.isDeadEnd(grammar.roots[edges.rawValue]) {
      push(State(node: grammar.roots[edges.rawValue], edits: edits))
      while let state = stack.popLast() { follow(state) }
    }
  }

  // MARK: Steps

  var ignoresWhitespace: Bool { program.ignoresWhitespace }
  var count: Int32 { Int32(text.count) }

  mutating func push(_ state: State) { stack.append(state) }

  mutating func intern(_ frame: Frame) -> Int32 {
    if let known = frameIDs[frame] { return known }
    let id = Int32(frames.count)
    let node = program.nodes[Int(frame.node)]
    var rest = frame.parent < 0 ? 0 : frameRests[Int(frame.parent)]
    switch frame.kind {
    case .rule: rest += distances.least[Int(frame.node)]
    case .value: rest += distances.least[Int(node.next)]
    case .permutation:
      rest += distances.least[Int(node.next)]
      for branch in 0..<node.b where frame.remaining & (1 << branch) != 0 {
        rest += distances.least[Int(program.branches[Int(node.a + branch)])]
      }
    }
    frames.append(frame)
    frameRests.append(min(rest, PhraseDistances.never))
    frameIDs[frame] = id
    return id
  }

  mutating func add(_ kind: Part.Kind, slot: Int32 = -1, after part: Int32) -> Int32 {
    parts.append(Part(kind: kind, slot: slot, previous: part))
    return Int32(parts.count - 1)
  }

  /// Where the text goes on for a state: white space does not count at the start of a word.
  func start(of state: State) -> Int32 {
    guard state.startsWord, !ignoresWhitespace else { return state.position }
    var position = state.position
    while position < count, text[Int(position)] == space { position += 1 }
    return position
  }

  /// Whether the text can go on with one of `first`.
  private func canBegin(_ first: UInt64, _ state: State) -> Bool {
    guard first != .max, state.open < 0 else { return true }
    var position = Int(state.position)
    while position < text.count, text[position] == space { position += 1 }
    return position == text.count || first & RequiredText.bit(text[position]) != 0
  }

  private mutating func follow(_ first: State) {
    var state = first
    while true {
      guard stepsLeft > 0 else { return }
      stepsLeft -= 1
      let node = program.nodes[Int(state.node)]
      if state.open < 0, start(of: state) == count, node.kind != .end {
        state.position = count
        addFrontier(Frontier(state: state))
        return
      }
      switch node.kind {
      case .fail: return
      case .chunk:
        guard state.open < 0 else {
          closeWildcard(state, node)
          return
        }
        let chunk = program.chunks[Int(node.a)]
        switch take(chunk, state) {
        case .none:
          if state.edits > 0 { takeNearly(chunk, node, state) }
          return
        case .part(let offset):
          addFrontier(Frontier(state: state, offset: offset))
          return
        case .whole(let end):
          state.position = end
          state.startsWord = chunk.endsWord
          state.hasWords = state.hasWords || !chunk.isBlank
          state.node = node.next
        }
      case .alternative:
        guard isNew(state) else { return }
        for branch in (node.a..<node.a + node.b).reversed() {
          let entry = program.branches[Int(branch)]
          guard canBegin(program.nodes[Int(entry)].first, state) else { continue }
          var branch = state
          branch.node = entry
          push(branch)
        }
        return
      case .fork:
        guard isNew(state) else { return }
        let fork = program.forks[Int(node.a)]
        if !fork.accepted.isEmpty, state.open < 0, isBlank(from: state.position) {
          // A space that no template has: the text is a sentence all the same.
          addFrontier(Frontier(state: state))
        }
        for place in fork.ways.reversed() {
          let way = program.ways[Int(place)]
          guard canBegin(way.first, state) else { continue }
          var branch = state
          branch.node = way.entry
          push(branch)
        }
        return
      case .permutation:
        guard isNew(state) else { return }
        permute(node, at: state.node, remaining: (1 << node.b) - 1, state)
        return
      case .call:
        guard isNew(state) else { return }
        state.frame = intern(Frame(kind: .rule, node: node.next, parent: state.frame))
        state.node = node.a
      case .list:
        guard isNew(state) else { return }
        readList(state, node)
        return
      case .end:
        guard state.frame >= 0 else { return }
        guard let next = returned(&state) else { continue }
        permute(
          program.nodes[Int(next.node)], at: next.node, remaining: next.remaining, state)
        return
      }
    }
  }

  /// Goes back behind the call of a state; the frame of a permutation with branches left, which the
  /// caller follows.
  mutating func returned(_ state: inout State) -> Frame? {
    let frame = frames[Int(state.frame)]
    state.frame = frame.parent
    switch frame.kind {
    case .permutation: return frame
    case .rule: state.node = frame.node
    case .value:
      let node = program.nodes[Int(frame.node)]
      let reference = program.references[Int(node.a)]
      state.part = add(
        .said(list: reference.list, value: frame.value), slot: reference.slot, after: state.part)
      state.values = mixed(state.values, reference.list, frame.value, reference.slot)
      state.startsWord = frame.startsWord
      state.node = node.next
    }
    return nil
  }

  /// The states that begin each branch that is left.
  mutating func branches(
    _ node: PhraseProgram.Node, at index: Int32, remaining: Int32, _ state: State
  ) -> [State] {
    (0..<node.b).filter { remaining & (1 << $0) != 0 }.map { branch in
      let others = remaining & ~(1 << branch)
      var inner = state
      inner.frame = intern(
        others == 0
          ? Frame(kind: .rule, node: node.next, parent: state.frame)
          : Frame(kind: .permutation, node: index, parent: state.frame, remaining: others))
      inner.node = program.branches[Int(node.a + branch)]
      return inner
    }
  }

  private mutating func permute(
    _ node: PhraseProgram.Node, at index: Int32, remaining: Int32, _ state: State
  ) {
    for branch in branches(node, at: index, remaining: remaining, state).reversed()
    where canBegin(program.nodes[Int(branch.node)].first, branch) {
      push(branch)
    }
  }

  private mutating func isNew(_ state: State) -> Bool { seen.insert(state).inserted }

  mutating func addFrontier(_ frontier: Frontier) { frontiers.append(frontier) }

  /// Whether nothing but white space is left.
  func isBlank(from position: Int32) -> Bool {
    for index in Int(position)..<text.count where text[index] != space { return false }
    return true
  }

  mutating func spend(_ steps: Int) { stepsLeft = max(0, stepsLeft - steps) }

  func mixed(_ values: UInt64, _ list: Int32, _ value: Int32, _ slot: Int32) -> UInt64 {
    var mix = values ^ (UInt64(UInt32(bitPattern: list)) << 32 | UInt64(UInt32(bitPattern: value)))
    mix = (mix &+ UInt64(UInt32(bitPattern: slot)) &+ 1) &* 0x9E37_79B9_7F4A_7C15
    return mix ^ (mix >> 29)
  }

  // MARK: Chunks

  enum Taken {
    case none
    /// The text has all of the chunk, up to this place.
    case whole(Int32)
    /// The text ends within the chunk, so many scalars behind its start.
    case part(Int32)
  }

  func take(_ chunk: PhraseProgram.Chunk, _ state: State) -> Taken {
    var scalar = chunk.start
    var position = state.position
    if state.startsWord, !ignoresWhitespace {
      scalar = chunk.trimmedStart
      position = start(of: state)
    }
    return take(chunk, from: scalar, at: position)
  }

  func take(_ chunk: PhraseProgram.Chunk, from first: Int32, at start: Int32) -> Taken {
    var (scalar, position) = (first, start)
    while scalar < chunk.end {
      guard position < count else { return .part(scalar - chunk.start) }
      let wanted = program.scalars[Int(scalar)]
      if text[Int(position)] == wanted {
        position += 1
      } else {
        let isIgnored =
          isLoose && wanted == space
          && (isIdeographic(text[Int(position)])
            || (position > 0 && isIdeographic(text[Int(position) - 1])))
        guard isIgnored else { return .none }
      }
      scalar += 1
    }
    return .whole(position)
  }
}
