/// Decides whether a template can produce a word that its block requires.
///
/// The word is a small automaton that runs over the template's tree instead of over a text. The
/// input of an item is the set of states that the text before it can leave; its output is the set
/// after it. Where words may begin and end freely, beside lists or after an apostrophe, the answer
/// tends to yes: the linter says no only if no sentence has the word.

struct KeywordSearch {
  /// A set of states.
  ///
  /// Bit i: the text ends with the first i scalars of the word, from a word's beginning.
  ///
  /// Then a bit for "found" and one for "inside another word".
  private typealias States = UInt64

  private struct Key: Hashable {
    var rule: LintNames.ScopedRule?
    var list = -1
    var states: UInt64
  }

  private let names: LintNames
  private let ignoresWhitespace: Bool
  private let word: [UInt32]
  private var known: [Key: States] = [:]
  private var depth = 0
  /// Characters and items looked at.
  var stepsTaken = 0
  private let found: States
  private let elsewhere: States
  private let whole: States

  /// Makes the automaton of a word; `nil` for a word that may be said in another way than it is
  /// written.
  init?(_ keyword: String, names: LintNames, ignoresWhitespace: Bool) {
    word = NormalizedText(value: keyword).folded
    guard !word.isEmpty, word.count <= Limits.lintedKeywordScalarsMax,
      !word.contains(where: { $0 == 0x2D || $0 == 0x5F })
    else { return nil }
    self.names = names
    self.ignoresWhitespace = ignoresWhitespace
    whole = 1 << UInt64(word.count)
    found = 1 << UInt64(word.count + 1)
    elsewhere = 1 << UInt64(word.count + 2)
  }

  /// Whether some sentence of the template has the word.
  ///
  /// Linear in the template and its lists.
  mutating func canSay(_ source: PhraseSource) -> Bool {
    let end = after(source.template.root, 1, in: source.scope)
    return end & (found | whole) != 0
  }

  private mutating func after(
    _ item: PhraseItem, _ states: States, in scope: PhraseScope
  ) -> States {
    guard states & found == 0, depth < Limits.lintedDepthMax,
      stepsTaken < Limits.lintedKeywordStepsMax
    else { return found }
    stepsTaken += 1
    depth += 1
    defer { depth -= 1 }
    switch item {
    case .nothing: return states
    case .chunk(let text): return after(text, states)
    case .sequence(let items):
      guard !items.isEmpty else { return 0 }
      return items.reduce(states) { after($1, $0, in: scope) }
    case .alternative(let items):
      return items.reduce(0) { $0 | after($1, states, in: scope) }
    case .permutation(let items):
      // The branches come in any order: add the states of each until none is new. Impossible orders
      // that this includes do no harm.
      var all = states
      for _ in items { for item in items { all |= after(item, all, in: scope) } }
      return all
    case .rule(let name):
      guard let rule = scope.rule(name) else { return 0 }
      let key = Key(rule: .init(name: name, scope: scope.id), states: states)
      if let result = known[key] { return result }
      let result = after(rule.root, states, in: scope)
      known[key] = result
      return result
    case .list(let reference):
      guard let index = names.list(of: reference, in: scope) else { return 0 }
      return after(list: index, states, in: scope)
    }
  }

  private mutating func after(
    list index: Int, _ before: States, in scope: PhraseScope
  ) -> States {
    guard case .text(let list) = names.lists[index] else { return found }
    let states = loosened(before)
    let key = Key(list: index, states: states)
    if let result = known[key] { return result }
    var result: States = 0
    for (place, value) in list.values.enumerated() {
      stepsTaken += 1
      if value.template == nil {
        result |= after(normalizedScalars(value.spoken), states)
      } else if let template = value.template, names.valueTemplates[index].contains(place) {
        result |= after(template.root, states, in: names.shared(scope))
      }
    }
    result = loosened(result)
    known[key] = result
    return result
  }

  /// A word may end and another begin here.
  private func loosened(_ states: States) -> States {
    guard states != 0 else { return 0 }
    return states | 1 | (states & whole != 0 ? found : 0)
  }

  private mutating func after(_ text: [UInt32], _ before: States) -> States {
    var states = before
    stepsTaken += text.count
    for scalar in text {
      guard states != 0 else { return 0 }
      var next = states & found
      if scalar == space {
        if states & whole != 0 { next |= found }
        next |= 1
      } else {
        let folded = foldCase(scalar)
        if states & (elsewhere | whole) != 0 { next |= elsewhere }
        for place in word.indices where states & (1 << UInt64(place)) != 0 {
          next |= word[place] == folded ? 1 << UInt64(place + 1) : elsewhere
        }
        if scalar == 0x27 || ignoresWhitespace { next = loosened(next) }
      }
      states = next
    }
    return states
  }
}
