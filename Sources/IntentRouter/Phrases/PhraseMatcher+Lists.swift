import JSON

/// Lists in a sentence: names, and the wildcards that end where a name begins.
extension PhraseMatcher {
  mutating func matchList(at node: Int32, _ state: State) {
    guard state.position < input.folded.count else { return }
    let reference = input.grammar.program.references[Int(input.grammar.program.nodes[Int(node)].a)]
    switch input.lists[Int(reference.list)] {
    case .absent: return
    case .wildcard:
      // A wildcard right after an open one would leave the first empty for ever.
      guard !state.isOpen else { return }
      let entityCount = entities.count
      wildcardCount += 1
      entities.append(
        Entity(
          slot: reference.slot, value: .wildcard, start: state.position, end: state.position,
          previous: state.entity, endsWord: reference.endsWord, serial: wildcardCount))
      var open = state
      open.entity = Int32(entities.count - 1)
      open.isOpen = true
      wayCount += 1
      open.way = wayCount
      explore(input.grammar.program.nodes[Int(node)].next, open)
      entities.cut(to: entityCount)
    case .text(let list):
      let index = list.index(for: input.grammar.program.ignoresWhitespace, isLoose: input.isLoose)
      if !state.isOpen, !mayBegin(index, at: start(of: state)),
        input.grammar.program.valueTemplates[Int(reference.list)].isEmpty
      {
        return
      }
      if state.isOpen {
        closeWildcard(beforeValuesOf: index, at: node, state)
      } else if !ignoresWhitespace && state.startsWord {
        matchNearestFirst(list, index, reference.list, at: node, state)
      } else {
        matchInOrder(index, reference.list, at: node, state)
      }
    case .range(let range): matchNumber(range, reference.list, at: node, state)
    }
  }

  /// Continues after a list took `start..<end`; white space after it stays as elastic as before it.
  mutating func take(
    _ value: Entity.Value, at node: Int32, _ state: State, from start: Int32, to end: Int32,
    rewriting: Bool = false
  ) {
    let entityCount = entities.count
    var after = state
    // The words keep the dashes that this value takes for spaces.
    add(value, at: node, from: start, to: end, &after)
    if rewriting { after.isRewritten = true }
    after.position = end
    explore(input.grammar.program.nodes[Int(node)].next, after)
    entities.cut(to: entityCount)
  }

  mutating func add(
    _ value: Entity.Value, at node: Int32, from start: Int32, to end: Int32, _ state: inout State
  ) {
    let reference = input.grammar.program.references[Int(input.grammar.program.nodes[Int(node)].a)]
    entities.append(
      Entity(
        slot: reference.slot, value: value, start: start, end: end, previous: state.entity,
        isCapture: reference.isCapture, isRewritten: state.isRewritten))
    state.entity = Int32(entities.count - 1)
    state.isOpen = false
    guard case .listValue(let list, let index) = value,
      case .text(let text) = input.lists[Int(list)],
      text.hasContext, !text.values[Int(index)].context.isEmpty
    else { return }
    overlays.append(Overlay(list: list, value: index, previous: state.overlay))
    state.overlay = Int32(overlays.count - 1)
  }

  /// Whether some plain value may begin at `origin`, by its first character.
  ///
  /// A space or a dash there rules nothing out.
  @inline(__always)
  func mayBegin(_ index: ValueIndex, at origin: Int32) -> Bool {
    Int(origin) >= input.folded.count || index.first & input.upcoming[Int(origin)] != 0
      || input.folded[Int(origin)] == space
  }

  /// The plain values that begin at `origin`, as a range of `found`.
  mutating func values(
    of index: ValueIndex, list: Int32, at origin: Int32, isRewritten: Bool
  ) -> Range<Int> {
    let slot = (Int(list) * (input.folded.count + 1) + Int(origin)) * 2
    if !isRewritten, foundRanges[slot] >= 0 {
      return Int(foundRanges[slot])..<Int(foundRanges[slot + 1])
    }
    let start = found.count
    if isRewritten || mayBegin(index, at: origin) {
      index.forEachValue(in: isRewritten ? input.rewritten : input.folded, at: Int(origin)) {
        value, length in
        found.append(FoundValue(value: Int32(value), end: origin + Int32(length)))
      }
    }
    if !isRewritten {
      foundRanges[slot] = Int32(start)
      foundRanges[slot + 1] = Int32(found.count)
    }
    return start..<found.count
  }

  /// At the start of a word: plain values, shortest first; then those whose length is uncertain and
  /// templates.
  mutating func matchNearestFirst(
    _ list: TextList, _ index: ValueIndex, _ number: Int32, at node: Int32, _ state: State
  ) {
    let origin = start(of: state)
    let here = values(of: index, list: number, at: origin, isRewritten: state.isRewritten)
    for place in here where !list.lateIndices.contains(found[place].value) {
      let item = found[place]
      take(
        .listValue(list: number, index: item.value), at: node, state, from: state.position,
        to: item.end)
    }
    if !state.isRewritten, origin < input.dashEnd {
      // Every value is looked for once more where dashes are spaces, those found before too.
      let again = values(of: index, list: number, at: origin, isRewritten: true)
      for place in again where !list.lateIndices.contains(found[place].value) {
        let item = found[place]
        if let direct = here.first(where: { found[$0].value == item.value }) {
          take(
            .listValue(list: number, index: item.value), at: node, state, from: state.position,
            to: found[direct].end)
        } else {
          take(
            .listValue(list: number, index: item.value), at: node, state, from: state.position,
            to: item.end, rewriting: true)
        }
      }
    }
    guard !list.lateIndices.isEmpty else {
      matchTemplates(number, from: 0, upTo: .max, at: node, state)
      return
    }
    matchInOrder(index, number, at: node, state) { list.lateIndices.contains($0) }
  }

  /// Plain values and templates in the order of the list.
  mutating func matchInOrder(
    _ index: ValueIndex, _ number: Int32, at node: Int32, _ state: State,
    where isWanted: (Int32) -> Bool = { _ in true }
  ) {
    let origin = start(of: state)
    var items: [(value: Int32, end: Int32, isRewritten: Bool)] = []
    for place in values(of: index, list: number, at: origin, isRewritten: state.isRewritten)
    where isWanted(found[place].value) {
      items.append((found[place].value, found[place].end, state.isRewritten))
    }
    if !state.isRewritten, origin < input.dashEnd {
      let count = items.count
      for place in values(of: index, list: number, at: origin, isRewritten: true)
      where isWanted(found[place].value) {
        let item = found[place]
        if !items[..<count].contains(where: { $0.value == item.value }) {
          items.append((item.value, item.end, true))
        }
      }
    }
    items.sort { $0.value < $1.value }
    var next: Int32 = 0
    for item in items {
      matchTemplates(number, from: next, upTo: item.value, at: node, state)
      next = item.value
      take(
        .listValue(list: number, index: item.value), at: node, state, from: state.position,
        to: item.end, rewriting: item.isRewritten)
    }
    matchTemplates(number, from: next, upTo: .max, at: node, state)
  }

  /// The open wildcard takes the text before each place where a value occurs.
  ///
  /// As with a chunk, only a value's first place needs to be at a word boundary.
  mutating func closeWildcard(
    beforeValuesOf index: ValueIndex, at node: Int32, _ state: State
  ) {
    let origin = start(of: state)
    let number = input.grammar.program.references[Int(input.grammar.program.nodes[Int(node)].a)]
      .list
    let needsBoundary = !ignoresWhitespace && entities[Int(state.entity)].endsWord
    var places: [(value: Int32, position: Int32, end: Int32)] = []
    var position = origin
    while Int(position) < input.folded.count {
      for place in values(
        of: index, list: number, at: position, isRewritten: state.isRewritten)
      {
        places.append((found[place].value, position, found[place].end))
      }
      position += 1
    }
    stepsLeft = max(1, stepsLeft - (input.folded.count >> 3))
    if places.count > 1 {
      places.sort { ($0.value, $0.position) < ($1.value, $1.position) }
    }
    var current: Int32 = -1
    var next: Int32 = 0
    var hasFirst = false
    var first = origin
    for place in places {
      if place.value != current {
        matchTemplates(number, from: next, upTo: place.value, at: node, state)
        next = place.value
        current = place.value
        hasFirst = !needsBoundary
        first = origin
      }
      if place.position == origin {
        // The wildcard would be empty; the search goes on one character later.
        if !needsBoundary || isBoundary(Int(origin), from: Int(origin), state.isRewritten) {
          first = origin + 1
        }
        continue
      }
      if !hasFirst {
        guard isBoundary(Int(place.position), from: Int(first), state.isRewritten) else {
          continue
        }
        hasFirst = true
      }
      stepsLeft -= 1
      guard stepsLeft > 0 else {
        stepsLeft = 0
        return
      }
      let entityCount = entities.count
      let closed = closing(state, from: origin, to: place.position)
      take(
        .listValue(list: number, index: place.value), at: node, closed, from: place.position,
        to: place.end)
      entities.cut(to: entityCount)
    }
    matchTemplates(number, from: next, upTo: .max, at: node, state)
  }

  /// Matches values that are templates: each is called like a rule, and its words are those it
  /// matched.
  mutating func matchTemplates(
    _ list: Int32, from: Int32, upTo: Int32, at node: Int32, _ state: State
  ) {
    // A list inside a list takes several calls: it counts for as much of the stack as it needs.
    depth += Limits.listDepthWeight
    defer { depth -= Limits.listDepthWeight }
    for template in input.grammar.program.valueTemplates[Int(list)]
    where template.value >= from && template.value < upTo {
      guard canBegin(input.grammar.program.nodes[Int(template.entry)].first, state) else {
        continue
      }
      let frameCount = frames.count
      frames.append(
        Frame(
          kind: .value, node: node, parent: state.frame, value: template.value, before: state))
      var inner = state
      inner.frame = Int32(frames.count - 1)
      explore(template.entry, inner)
      frames.cut(to: frameCount)
    }
  }

  /// The end of a value template: names do not count as literal text, and white space is as it was
  /// before.
  mutating func finishValue(_ frame: Frame, _ state: inout State) {
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
    let list = input.grammar.program.references[Int(input.grammar.program.nodes[Int(frame.node)].a)]
      .list
    if case .text(let text) = input.lists[Int(list)], !text.values[Int(frame.value)].context.isEmpty
    {
      state.overlay = frame.before.overlay
    }
    let isRewritten = state.isRewritten
    state.isRewritten = frame.before.isRewritten
    add(
      .listValue(list: list, index: frame.value), at: frame.node, from: start, to: state.position,
      &state)
    state.isRewritten = isRewritten
  }
}
