/// A text that somebody is still typing, normalised as sentences are.
///
/// A sentence's white space at its end means nothing; that of a beginning does: "show the " is two
/// finished words, and "show the" may go on as "show them".
struct CompletionPrefix {
  /// The text as templates are compared with it, in one of the ways to read it.
  struct Reading {
    /// Folded, no space at the start, and one at the end where there was one.
    var scalars: [UInt32]
    /// The same with its case.
    var cased: [UInt32]
    /// Whether white space beside an ideograph is ignored.
    var isLoose = false
    /// Templates that are compared with it.
    var edges: [PhraseEdges]
  }

  /// As it was typed.
  let text: String
  /// Whether the text ends with punctuation, which nothing can be added to.
  let isClosed: Bool
  /// Ways to read it; each group only where those before it led to nothing.
  let readings: [[Reading]]

  init(_ text: String, _ grammar: PhraseGrammar) {
    self.text = text
    let raw = normalizedScalars(text)
    let spoken = NormalizedText(cased: stripped(removingPunctuation(raw)))
    let typed = stripped(raw).last
    isClosed = typed.map { isPunctuation($0) && $0 != spoken.cased.last } ?? false
    let endsWithSpace = raw.last == space
    let ignores = grammar.program.ignoresWhitespace

    func readings(_ known: SkipWords.Readings<UInt32>, isLoose: Bool) -> [Reading] {
      var found: [Reading] = []
      for edges in PhraseEdges.allCases where edges != .onlyWildcard {
        for index in known.texts(for: edges) {
          var cased = known.texts[index].cased
          while cased.last == space { cased.removeLast() }
          guard !cased.isEmpty else { continue }
          if endsWithSpace, !ignores { cased.append(space) }
          let scalars = cased.map(foldCase)
          if let same = found.firstIndex(where: { $0.scalars == scalars }) {
            found[same].edges.append(edges)
          } else {
            found.append(Reading(scalars: scalars, cased: cased, isLoose: isLoose, edges: [edges]))
          }
        }
      }
      return found
    }
    let strict = grammar.skipWords.readings(of: spoken)
    var groups = [readings(strict, isLoose: false)]
    if ignores, let loose = grammar.skipWords.looseReadings(of: spoken, strict) {
      groups.append(readings(loose, isLoose: true))
    }
    if spoken.folded.contains(where: { $0 == 0x2D || $0 == 0x5F }) {
      groups.append(
        groups[0].map { reading in
          var reading = reading
          reading.scalars = reading.scalars.map { $0 == 0x2D || $0 == 0x5F ? space : $0 }
          return reading
        })
    }
    self.readings = groups
  }
}
