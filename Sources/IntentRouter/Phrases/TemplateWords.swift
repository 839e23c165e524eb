/// The words that templates have literally, as opposed to the values that are said in their gaps.

extension PhraseGrammar {
  /// Returns the words of an intent's templates, folded, each once, the longest first.
  ///
  /// Used when a sentence was not understood, so it walks the templates each time. Each template of
  /// a rule is walked once.
  func literalWords(of intent: String) -> [[UInt32]] {
    var words: Set<[UInt32]> = []
    var rules: Set<String> = []
    for source in sources where blocks[Int(source.block)].intent == intent {
      collect(source.template.root, source.scope, &rules, &words)
    }
    return words.sorted {
      $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count > $1.count
    }
  }

  private func collect(
    _ item: PhraseItem, _ scope: PhraseScope, _ rules: inout Set<String>,
    _ words: inout Set<[UInt32]>
  ) {
    switch item {
    case .chunk(let scalars):
      let word = stripped(scalars.map(foldCase))
      if word.contains(where: isWord) { words.insert(word) }
    case .sequence(let items), .alternative(let items), .permutation(let items):
      for item in items { collect(item, scope, &rules, &words) }
    case .rule(let name):
      guard let rule = scope.rule(name), rules.insert("\(scope.id)/\(name)").inserted else {
        return
      }
      collect(rule.root, scope, &rules, &words)
    case .list, .nothing: break
    }
  }
}

/// Returns a text without the words of `words` at its ends: "in Pariss" is said for "Pariss".
///
/// A word ends where the text ends, or another word begins; ideographs are words of their own.
func trimmed(_ text: ArraySlice<UInt32>, of words: [[UInt32]]) -> ArraySlice<UInt32> {
  var rest = text
  func isCut(after last: UInt32, before next: UInt32) -> Bool {
    !isWord(last) || !isWord(next) || isIdeographic(last) || isIdeographic(next)
  }
  while true {
    while let first = rest.first, !isWord(first) { rest.removeFirst() }
    while let last = rest.last, !isWord(last) { rest.removeLast() }
    let folded = rest.map(foldCase)
    let leading = words.first { word in
      folded.starts(with: word)
        && (word.count == folded.count
          || isCut(after: folded[word.count - 1], before: folded[word.count]))
    }
    if let leading {
      rest = rest.dropFirst(leading.count)
      continue
    }
    let trailing = words.first { word in
      let start = folded.count - word.count
      return start > 0 && folded[start...].elementsEqual(word)
        && isCut(after: folded[start - 1], before: folded[start])
    }
    guard let trailing else { return rest }
    rest = rest.dropLast(trailing.count)
  }
}
