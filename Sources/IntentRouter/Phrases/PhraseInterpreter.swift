// Matches a text against one template by walking its tree: the document format's unmatched mode,
// in which a list that has no fitting value takes whatever was said instead, so that a person can
// be told *what* was not understood.
//
// The mode is defined by how its reference implementation works, accidents included, and they are
// kept: parts that nothing fits are shared by identity between all ways that grew from the one
// that made them, and closing such a part on one way closes it on all of them. So ways are worked
// through item by item, in order, and parts are objects. It is ten times slower than
// `PhraseMatcher`; it runs when a sentence was not understood.

import JSON

/// Lists that no document defines, by name: those of requests, and ranges inside templates.
struct OtherLists: Sendable {
  var absent: [String: Int] = [:]
  var inlineRanges: [String: Int] = [:]
}

struct PhraseInterpreter {
  /// A slot that was filled.
  final class Slot {
    let name: String
    var value: JSONValue
    var text: [UInt32]
    var metadata: JSONValue?
    let isWildcard: Bool
    var isOpen: Bool
    let endsWord: Bool

    init(
      name: String, value: JSONValue, text: [UInt32], metadata: JSONValue? = nil,
      isWildcard: Bool = false, isOpen: Bool = false, endsWord: Bool = false
    ) {
      self.name = name
      self.value = value
      self.text = text
      self.metadata = metadata
      self.isWildcard = isWildcard
      self.isOpen = isOpen
      self.endsWord = endsWord
    }
  }

  /// The words that stand where no value fits.
  final class Gap {
    let name: String
    var text: [UInt32]
    /// A number that is out of range; such a gap is never open.
    let number: JSONValue?
    var isOpen: Bool

    init(name: String, text: [UInt32] = [], number: JSONValue? = nil, isOpen: Bool) {
      self.name = name
      self.text = text
      self.number = number
      self.isOpen = isOpen
    }
  }

  /// Ways that grew from one another share their lists until one of them adds to its own.
  final class Shared<Element> {
    var elements: [Element]
    init(_ elements: [Element] = []) { self.elements = elements }
    func adding(_ element: Element) -> Shared { Shared(elements + [element]) }
  }

  /// Counts ways.
  final class Counter {
    private var count = 0
    func next() -> Int {
      count += 1
      return count
    }
  }

  /// One way to read the text so far.
  struct Way {
    /// Ways that differ in nothing but where the template went are one way, seen twice.
    var number = 0
    var text: Text
    var startsWord = true
    var slots = Shared<Slot>()
    var gaps = Shared<Gap>()
    var captures: [SentenceMatch.Entity] = []
    var context: [String: JSONValue]
    var literalCharacters = 0

    var openWildcard: Slot? {
      guard let last = slots.elements.last, last.isWildcard, last.isOpen else { return nil }
      return last
    }

    var openGap: Gap? {
      guard let last = gaps.elements.last, last.isOpen else { return nil }
      return last
    }

    func closeGaps() {
      for gap in gaps.elements { gap.isOpen = false }
    }

    func closeWildcards() {
      for slot in slots.elements { slot.isOpen = false }
    }
  }

  /// The rest of the text.
  struct Text {
    var cased: ArraySlice<UInt32>
    var folded: ArraySlice<UInt32>
    /// Whether the whole text had a `-` or a `_`.
    private let hasDashes: Bool

    init(_ text: NormalizedText) {
      cased = text.cased[...]
      folded = text.folded[...]
      hasDashes = folded.contains { $0 == 0x2D || $0 == 0x5F }
    }

    var count: Int { folded.count }
    var isEmpty: Bool { folded.isEmpty }
    var isBlank: Bool { folded.allSatisfy { $0 == space } }

    func dropping(_ count: Int) -> Text {
      var rest = self
      rest.cased = cased.dropFirst(count)
      rest.folded = folded.dropFirst(count)
      return rest
    }

    func prefix(_ count: Int) -> [UInt32] { Array(cased.prefix(count)) }

    var trimmed: Text { dropping(folded.prefix { $0 == space }.count) }

    /// With spaces for `-` and `_`; `nil` when there are none.
    var rewritten: Text? {
      guard hasDashes, folded.contains(where: { $0 == 0x2D || $0 == 0x5F }) else { return nil }
      var text = self
      text.cased = cased.map { $0 == 0x2D || $0 == 0x5F ? space : $0 }[...]
      text.folded = folded.map { $0 == 0x2D || $0 == 0x5F ? space : $0 }[...]
      return text
    }

    func starts(with other: [UInt32]) -> Bool { folded.starts(with: other) }

    /// The first place from `first` on, counted from the start, that has `other`.
    func find(_ other: [UInt32], from first: Int, boundary: Bool) -> Int? {
      guard other.count <= count else { return nil }
      let start = folded.startIndex
      var offset = first
      while offset + other.count <= count {
        if folded[(start + offset)...].starts(with: other) {
          let after = isWord(folded[start + offset])
          let before = offset > first && isWord(folded[start + offset - 1])
          if !boundary || after != before { return offset }
        }
        offset += 1
      }
      return nil
    }
  }

  let lists: [ValueList]
  let scope: PhraseScope
  let otherLists: OtherLists
  let conditions: ContextConditions
  let ignoresWhitespace: Bool
  let allowsUnmatched: Bool
  /// Every item of every way costs one.
  var stepsLeft: Int
  /// Items inside items, lists inside lists.
  private var depth = 0
  private let counter = Counter()
  /// Ways whose rest was taken at their end.
  private var finished: Set<Int> = []

  init(
    lists: [ValueList], scope: PhraseScope, otherLists: OtherLists, conditions: ContextConditions,
    ignoresWhitespace: Bool, allowsUnmatched: Bool, stepsLeft: Int
  ) {
    self.lists = lists
    self.scope = scope
    self.otherLists = otherLists
    self.conditions = conditions
    self.ignoresWhitespace = ignoresWhitespace
    self.allowsUnmatched = allowsUnmatched
    self.stepsLeft = stepsLeft
  }

  // MARK: Items

  /// Hands over the ways of a template one after the other.
  ///
  /// Ways of a later branch begin when those of the branches before it are finished, and see what
  /// finishing added to the parts they share.
  mutating func forEachWay(
    _ item: PhraseItem, _ way: Way, _ body: (inout PhraseInterpreter, Way) -> Void
  ) {
    switch item {
    case .alternative(let items):
      for item in items { forEachWay(item, way, body) }
    case .permutation(let items) where items.count > 1:
      for index in items.indices {
        var others = items
        let first = others.remove(at: index)
        forEachWay(first, way) { interpreter, after in
          interpreter.forEachWay(.permutation(others), after, body)
        }
      }
    case .nothing, .chunk, .sequence, .permutation, .rule, .list:
      for way in ways(item, way) { body(&self, way) }
    }
  }

  mutating func ways(_ item: PhraseItem, _ way: Way) -> [Way] {
    // A long text is looked through by many steps.
    stepsLeft -= 1 + way.text.count / Limits.scalarsForStep
    guard stepsLeft > 0, depth < Limits.interpretationDepthMax else { return [] }
    depth += 1
    defer { depth -= 1 }
    switch item {
    case .nothing: return [way]
    case .chunk(let chunk): return ways(chunk: chunk, way)
    case .sequence(let items):
      guard !items.isEmpty else { return [] }
      var current = [way]
      for item in items {
        var next: [Way] = []
        for way in current { next += ways(item, way) }
        current = next
        if current.isEmpty { break }
      }
      return current
    case .alternative(let items):
      var all: [Way] = []
      for item in items { all += ways(item, way) }
      return all
    case .permutation(let items):
      guard items.count > 1 else { return ways(items[0], way) }
      var all: [Way] = []
      for index in items.indices {
        var others = items
        let first = others.remove(at: index)
        for after in ways(first, way) { all += ways(.permutation(others), after) }
      }
      return all
    case .rule(let name): return scope.rule(name).map { ways($0.root, way) } ?? []
    case .list(let reference):
      guard !way.text.isEmpty else { return [] }
      switch list(reference) {
      case .text(let list): return ways(list, reference, way)
      case .range(let range): return ways(range, reference, way)
      case .wildcard:
        var after = way
        after.number = counter.next()
        after.closeGaps()
        after.slots = way.slots.adding(
          Slot(
            name: reference.slot, value: "", text: [], isWildcard: true, isOpen: true,
            endsWord: reference.endsWord))
        return [after]
      case .absent, nil: return []
      }
    }
  }

  private func list(_ reference: ListReference) -> ValueList? {
    let index =
      scope.list(reference.name) ?? otherLists.absent[reference.name]
      ?? otherLists.inlineRanges[reference.name]
    return index.map { lists[$0] }
  }

  // MARK: Text

  private func ways(chunk: [UInt32], _ way: Way) -> [Way] {
    guard !chunk.isEmpty else { return [way] }
    var folded = (ignoresWhitespace ? strippingIdeographicSpaces(chunk) : chunk).map(foldCase)
    var text = way.text
    if !ignoresWhitespace, way.startsWord {
      folded.removeFirst(folded.prefix { $0 == space }.count)
      text = text.trimmed
    }
    let isBlank = folded.allSatisfy { $0 == space }
    if folded.isEmpty && way.openWildcard == nil {
      var after = way
      after.number = counter.next()
      after.text = text
      after.startsWord = chunk.last == space || chunk.last == 0x27
      return [after]
    }
    if let wildcard = way.openWildcard {
      return ways(chunk: chunk, folded, isBlank: isBlank, closing: wildcard, text, way)
    }
    var after = way
    after.number = counter.next()
    if text.starts(with: folded) {
      after.text = text.dropping(folded.count)
      after.startsWord = chunk.last == space || chunk.last == 0x27
      if !isBlank {
        after.literalCharacters += stripped(folded).count
        after.closeWildcards()
        after.closeGaps()
      }
      return [after]
    }
    if text.isBlank, isBlank { return [way] }
    if let rewritten = text.rewritten {
      text = rewritten
      if text.starts(with: folded) {
        after.text = text.dropping(folded.count)
        if !isBlank {
          after.closeWildcards()
          after.closeGaps()
        }
        return [after]
      }
    }
    guard allowsUnmatched, let gap = way.openGap else { return [] }
    // The words are sought as the template has them, with its case.
    let cased = stripped(ignoresWhitespace ? strippingIdeographicSpaces(chunk) : chunk)
    guard let found = findWord(cased, in: text) else { return [] }
    let taken = gap.text + text.prefix(found.start + 1)
    guard !taken.isEmpty else { return [] }
    after.gaps = Shared(way.gaps.elements.filter { $0.name != gap.name })
    after.gaps.elements.append(Gap(name: gap.name, text: taken, isOpen: false))
    after.text = text.dropping(found.end)
    after.startsWord = true
    after.literalCharacters += stripped(chunk).count
    return [after]
  }

  /// Where a text has a word: from the space before it to the one after it.
  ///
  /// Without white space, anywhere.
  private func findWord(_ word: [UInt32], in text: Text) -> (start: Int, end: Int)? {
    let base = text.cased.startIndex
    func has(_ offset: Int) -> Bool {
      offset + word.count <= text.count && text.cased[(base + offset)...].starts(with: word)
    }
    for start in 0..<text.count {
      if ignoresWhitespace {
        if has(start) { return (start, start + word.count) }
        continue
      }
      guard text.cased[base + start] == space, has(start + 1) else { continue }
      let end = start + 1 + word.count
      if end == text.count { return (start, end) }
      if text.cased[base + end] == space { return (start, end + 1) }
    }
    return nil
  }

  private func ways(
    chunk: [UInt32], _ folded: [UInt32], isBlank: Bool, closing wildcard: Slot, _ text: Text,
    _ way: Way
  ) -> [Way] {
    if isBlank {
      var after = way
      after.number = counter.next()
      after.text = text
      after.startsWord = true
      return [after]
    }
    let boundary = !ignoresWhitespace && wildcard.endsWord
    guard var place = text.find(folded, from: 0, boundary: boundary) else { return [] }
    if place == 0 {
      guard let second = text.find(folded, from: 1, boundary: boundary) else { return [] }
      place = second
    }
    var all: [Way] = []
    while place > 0 {
      all += ways(chunk: chunk, closed(way, wildcard, taking: place, of: text))
      guard let next = text.find(folded, from: place + 1, boundary: false) else { break }
      place = next
    }
    return all
  }

  /// The way with its open wildcard replaced by one that took the first characters of `text`.
  private func closed(_ way: Way, _ wildcard: Slot, taking count: Int, of text: Text) -> Way {
    var after = way
    after.number = counter.next()
    let said = text.prefix(count)
    after.slots = Shared(Array(way.slots.elements.dropLast()))
    after.slots.elements.append(
      Slot(
        name: wildcard.name, value: .string(NormalizedText.string(said)), text: said,
        isWildcard: true))
    after.text = text.dropping(count)
    after.startsWord = true
    return after
  }

  // MARK: Lists

  private mutating func ways(_ list: TextList, _ reference: ListReference, _ way: Way) -> [Way] {
    var all: [Way] = []
    let open = way.openWildcard
    stepsLeft -= list.values.count / Limits.listValuesForStep
    guard stepsLeft > 0 else { return [] }
    for index in candidates(list, way) {
      guard stepsLeft > 0 else { break }
      let value = list.values[index]
      guard conditions.admit(value.context) else { continue }
      let item: PhraseItem
      if let template = value.template {
        item = template.root
      } else {
        let plain = normalizedScalars(value.spoken)
        guard plain.contains(where: { $0 != space }), plain.count <= way.text.count else {
          stepsLeft -= 1
          continue
        }
        item = .chunk(plain)
      }
      for found in ways(item, way) {
        var after = found
        after.number = counter.next()
        // Words that a wildcard before the value took do not belong to the value.
        var consumed = way.text
        if let open, found.openWildcard == nil {
          let place = way.slots.elements.count - 1
          if found.slots.elements.indices.contains(place), found.slots.elements[place] !== open {
            consumed = consumed.dropping(found.slots.elements[place].text.count)
          }
        }
        let said = consumed.prefix(consumed.count - found.text.count)
        let text = NormalizedText.string(said)
        if reference.isCapture {
          after.captures.append(
            SentenceMatch.Entity(name: reference.slot, value: .string(text), text: text))
        } else {
          after.slots = found.slots.adding(
            Slot(
              name: reference.slot, value: value.out ?? .string(text), text: said,
              metadata: value.metadata))
        }
        after.startsWord = way.startsWord
        after.gaps = way.gaps
        after.literalCharacters = way.literalCharacters
        if !value.context.isEmpty {
          after.context = way.context.merging(value.context) { _, new in new }
        }
        all.append(after)
      }
    }
    if all.isEmpty, allowsUnmatched { all.append(withGap(reference, way)) }
    return all
  }

  private func withGap(_ reference: ListReference, _ way: Way) -> Way {
    var after = way
    after.number = counter.next()
    after.gaps = way.gaps.adding(Gap(name: reference.slot, isOpen: true))
    after.closeWildcards()
    return after
  }

  /// The values to try, in order: at the start of a word those that begin there come first,
  /// shortest first.
  private func candidates(_ list: TextList, _ way: Way) -> [Int] {
    let isAnchored =
      way.openWildcard == nil && !ignoresWhitespace && way.startsWord
      && (!allowsUnmatched || way.openGap == nil)
    let text = way.text.trimmed
    guard isAnchored, !text.isEmpty else { return Array(list.values.indices) }
    var found: [Int] = []
    let index = list.index(ignoringWhitespace: false)
    func look(_ text: Text) {
      index.forEachValue(in: Array(text.folded), at: 0) { value, _ in
        if !list.lateIndices.contains(Int32(value)) { found.append(value) }
      }
    }
    look(text)
    if let rewritten = text.rewritten { look(rewritten) }
    return found
      + list.values.indices.filter {
        list.values[$0].template != nil || list.lateIndices.contains(Int32($0))
      }
  }

  // MARK: Numbers

  private func ways(_ range: NumberRange, _ reference: ListReference, _ way: Way) -> [Way] {
    var all: [Way] = []
    var hasNumber = false
    var isInRange = false
    let open = way.openWildcard
    var offset = 0
    while offset < way.text.count {
      guard let number = number(in: way.text, at: offset, range) else {
        guard open != nil else { break }
        offset += 1
        continue
      }
      hasNumber = true
      if range.acceptsDigits {
        if let value = number.tenths.flatMap(range.value(tenths:)) {
          isInRange = true
          var after = way
          after.number = counter.next()
          if let open { after = closed(way, open, taking: offset, of: way.text) }
          after.startsWord = way.startsWord
          let said = Array(way.text.cased.dropFirst(offset).prefix(number.end - offset))
          after.slots = after.slots.adding(Slot(name: reference.slot, value: value, text: said))
          after.text = way.text.dropping(number.end)
          all.append(after)
        } else if allowsUnmatched, open == nil {
          var after = way
          after.number = counter.next()
          after.gaps = way.gaps.adding(
            Gap(name: reference.slot, number: number.value, isOpen: false))
          after.text = way.text.dropping(number.end)
          all.append(after)
        }
      }
      guard open != nil else { break }
      offset = number.end
    }
    var isSpelled = false
    if !hasNumber, let words = range.words {
      var seen: Set<Int> = []
      let folded = Array(way.text.folded)
      for start in 0..<(open == nil ? min(1, folded.count) : folded.count) {
        var here: [Int] = []
        words.index.forEachValue(in: folded, at: start) { word, _ in here.append(word) }
        for word in here where seen.insert(word).inserted {
          guard let value = range.value(tenths: words.tenths[word]) else { continue }
          isSpelled = true
          var before = way
          before.number = counter.next()
          if let open { before = closed(way, open, taking: start, of: way.text) }
          before.startsWord = way.startsWord
          let said = normalizedScalars(words.words[word])
          before.slots = before.slots.adding(
            Slot(name: reference.slot, value: value, text: said))
          all += ways(chunk: said, before)
        }
      }
    }
    if !isInRange, !isSpelled, allowsUnmatched { all.append(withGap(reference, way)) }
    return all
  }

  private struct Number {
    var end: Int
    var tenths: Int?
    var value: JSONValue
  }

  private func number(in text: Text, at offset: Int, _ range: NumberRange) -> Number? {
    let scalars = text.folded
    let base = scalars.startIndex
    func scalar(_ index: Int) -> UInt32 { index < text.count ? scalars[base + index] : 0 }
    func isDigit(_ index: Int) -> Bool { scalar(index) &- 0x30 < 10 }
    var index = offset
    while index < text.count, scalar(index) == space { index += 1 }
    let isNegative = scalar(index) == 0x2D
    if isNegative { index += 1 }
    guard isDigit(index) else { return nil }
    var whole = 0.0
    while isDigit(index) {
      whole = whole * 10 + Double(scalar(index) - 0x30)
      index += 1
    }
    if range.fractions != nil, scalar(index) == 0x2E || scalar(index) == 0x2C, isDigit(index + 1) {
      index += 1
      var place = 0.1
      while isDigit(index) {
        whole += place * Double(scalar(index) - 0x30)
        place /= 10
        index += 1
      }
    }
    let value = isNegative ? -whole : whole
    let tenths = abs(value) < 1e9 ? Int((value * 10).rounded()) : nil
    let isExact = tenths.map { abs(Double($0) / 10 - value) < 1e-9 } ?? false
    return Number(end: index, tenths: isExact ? tenths : nil, value: .double(value))
  }

  // MARK: The end

  /// Returns the match of a finished way; `nil` when words are left over, or a slot is empty.
  mutating func finish(
    _ way: Way, _ block: PhraseBlock, _ template: PhraseTemplate, response: String
  )
    -> SentenceMatch?
  {
    var rest = finished.contains(way.number) ? [] : stripped(Array(way.text.cased))
    if !rest.isEmpty {
      if let gap = way.openGap {
        gap.text += rest
        gap.isOpen = false
        rest = []
      } else if let wildcard = way.openWildcard {
        wildcard.text += rest
        wildcard.isOpen = false
        rest = []
      }
      if rest.isEmpty { finished.insert(way.number) }
    }
    guard stripped(removingPunctuation(rest)).isEmpty,
      !way.slots.elements.contains(where: { $0.isWildcard && isBlank($0.text) }),
      !way.gaps.elements.contains(where: { $0.number == nil && isBlank($0.text) })
    else { return nil }
    guard let values = meetConditions(way) else { return nil }
    var match = SentenceMatch(
      intent: block.intent, template: template.source, response: block.response ?? response,
      entities: [], captures: way.captures, context: way.context, metadata: block.metadata,
      literalCharacters: way.literalCharacters, wildcards: 0, wildcardCharacters: 0)
    for slot in way.slots.elements {
      let said = slot.isWildcard ? stripped(slot.text) : slot.text
      let text = NormalizedText.string(said)
      var entity = SentenceMatch.Entity(
        name: slot.name, value: slot.isWildcard ? .string(text) : slot.value, text: text)
      entity.isWildcard = slot.isWildcard
      entity.metadata = slot.metadata
      entity.characters = said.count
      match.entities.append(entity)
      if slot.isWildcard {
        match.wildcards += 1
        match.wildcardCharacters += said.count
      }
    }
    match.unmatched = way.gaps.elements.map { gap in
      SentenceMatch.Unmatched(
        name: gap.name,
        part: gap.number.map { .number($0) } ?? .text(NormalizedText.string(gap.text)))
    }
    match.complete(with: block, filling: values)
    // Slots from the block and from the context belong to every way that shares these objects.
    way.slots.elements += match.entities[way.slots.elements.count...].map {
      Slot(
        name: $0.name, value: $0.value, text: $0.text.unicodeScalars.map(\.value),
        metadata: $0.metadata)
    }
    return match
  }

  private func isBlank(_ text: [UInt32]) -> Bool { text.allSatisfy { $0 == space } }

  /// A required key that is missing becomes a gap of that name; a gap of that name is its value.
  ///
  /// The values that gaps gave, by key; `nil` when a condition is not met.
  private func meetConditions(_ way: Way) -> [String: JSONValue]? {
    for condition in conditions.excluded {
      if let actual = way.context[condition.key], condition.forbids(plainValue(actual)) {
        return nil
      }
    }
    var values: [String: JSONValue] = [:]
    for condition in conditions.required {
      var actual = way.context[condition.key].map(plainValue) ?? .null
      if actual.isNull, allowsUnmatched,
        let gap = way.gaps.elements.first(where: { $0.name == condition.key && $0.number == nil })
      {
        actual = .string(NormalizedText.string(gap.text))
        if condition.allows(actual) { values[condition.key] = actual }
      }
      guard !condition.allows(actual) else { continue }
      guard allowsUnmatched else { return nil }
      if !way.gaps.elements.contains(where: { $0.name == condition.key }) {
        way.gaps.elements.append(
          Gap(
            name: condition.key, text: SentenceMatch.missing.unicodeScalars.map(\.value),
            isOpen: false))
      }
    }
    return values
  }
}

extension SentenceMatch {
  /// Stands for a context key that the request lacks.
  package static let missing = "<missing>"
}
