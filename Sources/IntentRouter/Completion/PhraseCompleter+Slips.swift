/// A slip in what was typed: where the text as it is begins nothing, words and names of the
/// templates are taken for words that are an edit or two away from them.
///
/// The reading search itself is what tells words apart: it compares a word with those alone that may
/// stand in its place, so no list of the language's words is asked. A word's first letter is taken as
/// it was typed, which leaves few ways on; numbers and words that turn a sentence into another ("not")
/// stay as they are. Marks on letters count for nothing here.
extension PhraseCompleter {
  /// A way to lay a pattern beside the text: where it ends, and how many edits it takes.
  struct Alignment: Hashable {
    var end: Int32
    var edits: Int8
  }

  /// Edits that a text of this length may have.
  static func editsMax(_ readings: [CompletionPrefix.Reading]) -> Int8 {
    let length = readings.first?.scalars.count { $0 != space } ?? 0
    return length < Limits.completionSlipScalarsMin ? 0 : length < 10 ? 1 : 2
  }

  /// Takes a chunk that the text nearly has.
  mutating func takeNearly(
    _ chunk: PhraseProgram.Chunk, _ node: PhraseProgram.Node, _ state: State
  ) {
    guard Int(chunk.literalCharacters) >= Limits.completionSlipScalarsMin else { return }
    var first = chunk.start
    var origin = state.position
    if state.startsWord, !ignoresWhitespace {
      first = chunk.trimmedStart
      origin = start(of: state)
    }
    while program.scalars[Int(first)] == space {
      guard origin < count, text[Int(origin)] == space else { return }
      first += 1
      origin += 1
    }
    let pattern = program.scalars[Int(first)..<Int(chunk.end)]
    for found in alignments(of: pattern, at: origin, editsMax: state.edits) {
      var after = state
      after.position = found.end
      after.edits -= found.edits
      after.startsWord = chunk.endsWord
      after.hasWords = true
      after.node = node.next
      after.part = add(.fix(origin, found.end, first, chunk.end), after: state.part)
      push(after)
    }
  }

  /// Goes on behind names that the text nearly has, or nearly begins.
  mutating func readNamesNearly(
    _ index: ValueIndex, _ state: State, _ node: PhraseProgram.Node,
    _ reference: PhraseProgram.Reference, at origin: Int32
  ) {
    for near in nearNames(index, reference.list, at: origin) where near.edits <= state.edits {
      var after = state
      after.part = add(.fix(origin, near.end, 0, 0), after: state.part)
      after.part = add(
        .name(list: reference.list, value: near.value, from: 0), slot: reference.slot,
        after: after.part)
      after.values = mixed(state.values, reference.list, near.value, reference.slot)
      after.position = near.end
      after.edits -= near.edits
      after.hasWords = true
      after.node = node.next
      push(after)
    }
  }

  struct NearName {
    var value: Int32
    var end: Int32
    var edits: Int8
  }

  /// The nearest names at a place, among those that begin as the text does.
  ///
  /// None where more than `Limits.completionNearNamesMax` names begin with its first three letters.
  private mutating func nearNames(
    _ index: ValueIndex, _ list: Int32, at origin: Int32
  ) -> [NearName] {
    let key = UInt64(UInt32(bitPattern: list)) << 32 | UInt64(UInt32(bitPattern: origin))
    if let known = nearNames[key] { return known }
    var found: [NearName] = []
    if count - origin >= Int32(Limits.completionSlipScalarsMin) {
      let rest = text[Int(origin)...]
      var range = 0..<0
      for length in 1...3 where range.isEmpty {
        let names = index.range(withPrefix: rest.prefix(length))
        if names.count <= Limits.completionNearNamesMax { range = names }
      }
      for place in range {
        let value = index.value(at: place)
        let name = index.text(value)
        guard name.count >= Limits.completionSlipScalarsMin else { continue }
        for near in alignments(of: name, at: origin, editsMax: 2) where isBoundary(near.end) {
          // As it is typed: `readNames` has it.
          if near.edits == 0, name.starts(with: text[Int(origin)..<Int(near.end)]) { continue }
          found.append(NearName(value: Int32(value), end: near.end, edits: near.edits))
        }
      }
      spend(range.count * 4)
      found.sort { ($0.edits, -$0.end, $0.value) < ($1.edits, -$1.end, $1.value) }
      found = Array(found.prefix(Limits.completionNamesMax))
    }
    nearNames[key] = found
    return found
  }

  /// The ends of what the text has instead of a pattern, with the fewest edits for each end.
  ///
  /// An edit is a letter more, less or another, or two exchanged. The text may end within the pattern.
  /// Bounded by the pattern's length and the edits, of which there are two at most.
  private func alignments(
    of pattern: ArraySlice<UInt32>, at origin: Int32, editsMax: Int8
  ) -> [Alignment] {
    guard origin < count, let first = pattern.first, isSame(first, text[Int(origin)]) else {
      return []
    }
    let length = pattern.count { $0 != space }
    let most = min(editsMax, length < 8 ? 1 : 2)
    var results: [Alignment] = []
    var open: [(pattern: Int, position: Int32, edits: Int8)] = [(pattern.startIndex, origin, 0)]
    var steps = 0
    while var way = open.popLast(), steps < Limits.completionAlignmentStepsMax {
      steps += 1
      while way.pattern < pattern.endIndex, way.position < count,
        isSame(pattern[way.pattern], text[Int(way.position)])
      {
        way.pattern += 1
        way.position += 1
      }
      if way.pattern == pattern.endIndex || way.position == count {
        let isLong = way.position - origin >= (way.edits > 1 ? 7 : 3)
        if isLong, isCorrectable(origin, way.position) {
          if let same = results.firstIndex(where: { $0.end == way.position }) {
            results[same].edits = min(results[same].edits, way.edits)
          } else {
            results.append(Alignment(end: way.position, edits: way.edits))
          }
        }
        continue
      }
      guard way.edits < most else { continue }
      let (wanted, said) = (pattern[way.pattern], text[Int(way.position)])
      open.append((way.pattern, way.position + 1, way.edits + 1))
      open.append((way.pattern + 1, way.position, way.edits + 1))
      if wanted != space, said != space {
        open.append((way.pattern + 1, way.position + 1, way.edits + 1))
      }
      if way.pattern + 1 < pattern.endIndex, way.position + 1 < count,
        pattern[way.pattern + 1] == said, text[Int(way.position) + 1] == wanted
      {
        open.append((way.pattern + 2, way.position + 2, way.edits + 1))
      }
    }
    return results
  }

  /// Whether what was typed between two places may be a slip.
  private func isCorrectable(_ start: Int32, _ end: Int32) -> Bool {
    let said = stripped(Array(text[Int(start)..<Int(end)]))
    return !said.contains { $0 &- 0x30 < 10 } && !blockers.contains(said)
  }

  /// Whether two letters are one, marks aside.
  @inline(__always)
  private func isSame(_ a: UInt32, _ b: UInt32) -> Bool {
    a == b || ((a | b) >= 0x80 && plain(a) == plain(b))
  }

  /// A letter without its marks.
  private func plain(_ value: UInt32) -> UInt32 {
    guard value >= 0xC0, value < 0x2000 else { return value }
    return nearSpelling([value]).first ?? value
  }
}

extension PhraseCompleter {
  /// The beginning of a sentence with the slips in it corrected, and what was changed.
  ///
  /// `reading`: the text as it was read, with its case.
  func corrected(
    _ reading: [UInt32], _ chain: [Part]
  ) -> (text: String, changes: [NearChange]) {
    guard chain.contains(where: { if case .fix = $0.kind { true } else { false } }) else {
      return ("", [])
    }
    var result: [UInt32] = []
    var changes: [NearChange] = []
    var position = 0
    for (index, part) in chain.enumerated() {
      guard case .fix(let start, let end, let from, let to) = part.kind else { continue }
      result += reading[position..<Int(start)]
      position = Int(end)
      let said = NormalizedText.string(stripped(Array(reading[Int(start)..<Int(end)])))
      var taken = NormalizedText.string(stripped(Array(program.cased[Int(from)..<Int(to)])))
      if from == to, index + 1 < chain.count,
        case .name(let list, let value, _) = chain[index + 1].kind,
        case .text(let list) = lists[Int(list)]
      {
        taken = list.values[Int(value)].spoken
        result += normalizedScalars(taken)
      } else {
        result += program.cased[Int(from)..<Int(to)]
      }
      changes.append(NearChange(said: said, taken: taken, why: Self.why(said, taken)))
    }
    result += reading[position...]
    return (NormalizedText.string(result), changes)
  }

  private static func why(_ said: String, _ taken: String) -> NearChange.Why {
    func plain(_ text: String) -> [UInt32] {
      nearSpelling(text.unicodeScalars.map { foldCase($0.value) }).filter { !isLightMark($0) }
    }
    guard plain(said) == plain(taken) else { return .slip }
    if said.contains(" ") != taken.contains(" ") { return said.contains(" ") ? .split : .joined }
    return .marks
  }
}

extension NearWords {
  /// The blockers that are one word, folded.
  var blockingWords: Set<[UInt32]> {
    Set(blockers.map { NormalizedText(value: $0).folded }.filter { !$0.contains(space) })
  }
}
