/// Counts the sentences of a template by recursion over its tree, without making them.

/// A number of sentences, counted as ways through the template: `(a|a)` are two.
package struct SentenceCount: Hashable, Sendable {
  /// Sentences up to which is counted: 10^18.
  package static let max: UInt64 = 1_000_000_000_000_000_000

  /// The number of sentences; `max` stands for itself and for any larger number.
  package var number: UInt64
  /// Whether some of the sentences have a wildcard, which stands for any text.
  package var hasAnyText = false
  /// Whether some of them name a list that only requests bring; it counts as one value.
  package var hasRequestLists = false

  package init(_ number: UInt64, hasAnyText: Bool = false, hasRequestLists: Bool = false) {
    self.number = min(number, Self.max)
    self.hasAnyText = hasAnyText
    self.hasRequestLists = hasRequestLists
  }

  static let none = SentenceCount(0)
  static let one = SentenceCount(1)
  static let most = SentenceCount(max)

  package var isSaturated: Bool { number == Self.max }

  /// `1,200`, or `over 10^18`.
  package var numberText: String { isSaturated ? "over 10^18" : Self.grouped(number) }

  /// Names of the parts that the number leaves out; empty when it counts all.
  package var note: String {
    switch (hasAnyText, hasRequestLists) {
    case (false, false): ""
    case (true, false): "× any text"
    case (false, true): "× any name"
    case (true, true): "× any text and name"
    }
  }

  func adding(_ other: SentenceCount) -> SentenceCount {
    // Both are at most 10^18, so their sum is no overflow.
    SentenceCount(
      number + other.number, hasAnyText: hasAnyText || other.hasAnyText,
      hasRequestLists: hasRequestLists || other.hasRequestLists)
  }

  func times(_ other: SentenceCount) -> SentenceCount {
    guard number > 0, other.number > 0 else { return .none }
    let (product, isOver) = number.multipliedReportingOverflow(by: other.number)
    return SentenceCount(
      isOver ? Self.max : product, hasAnyText: hasAnyText || other.hasAnyText,
      hasRequestLists: hasRequestLists || other.hasRequestLists)
  }

  private static func grouped(_ number: UInt64) -> String {
    var text = ""
    for (index, digit) in "\(number)".reversed().enumerated() {
      if index > 0, index % 3 == 0 { text = "," + text }
      text = "\(digit)" + text
    }
    return text
  }
}

/// Counts the sentences of items; rules and lists are counted once.
///
/// Takes time linear in the text of the items.
struct SentenceCounter {
  let names: LintNames
  private var rules: [LintNames.ScopedRule: SentenceCount] = [:]
  private var lists: [Int: SentenceCount] = [:]
  private var depth = 0
  /// Items that were looked at.
  var stepsTaken = 0

  init(_ names: LintNames) { self.names = names }

  mutating func count(_ item: PhraseItem, in scope: PhraseScope) -> SentenceCount {
    // A deeper template counts as `max`, so that it is never reported as having no sentence.
    guard depth < Limits.lintedDepthMax else { return .most }
    depth += 1
    defer { depth -= 1 }
    stepsTaken += 1
    switch item {
    case .chunk, .nothing: return .one
    case .sequence(let items):
      // A branch with nothing in it never matches.
      guard !items.isEmpty else { return .none }
      return items.reduce(.one) { $0.times(count($1, in: scope)) }
    case .alternative(let items):
      return items.reduce(.none) { $0.adding(count($1, in: scope)) }
    case .permutation(let items):
      let orders = (1...UInt64(Swift.max(items.count, 1))).reduce(1, *)
      return items.reduce(SentenceCount(orders)) { $0.times(count($1, in: scope)) }
    case .rule(let name):
      let key = LintNames.ScopedRule(name: name, scope: scope.id)
      if let known = rules[key] { return known }
      guard let rule = scope.rule(name) else { return .none }
      let found = count(rule.root, in: scope)
      rules[key] = found
      return found
    case .list(let reference):
      guard let index = names.list(of: reference, in: scope) else { return .none }
      return count(list: index, in: scope)
    }
  }

  /// The values of a list, those of a range as numbers.
  private mutating func count(list index: Int, in scope: PhraseScope) -> SentenceCount {
    if let known = lists[index] { return known }
    let found: SentenceCount
    switch names.lists[index] {
    case .wildcard: found = SentenceCount(1, hasAnyText: true)
    case .absent: found = SentenceCount(1, hasRequestLists: true)
    case .range(let range):
      let parts: UInt64 =
        switch range.fractions {
        case nil: 1
        case .halves: 2
        case .tenths: 10
        }
      found = SentenceCount(UInt64((range.to - range.from) / range.step + 1) * parts)
    case .text(let list):
      let shared = names.shared(scope)
      var sum = SentenceCount(UInt64(list.values.count - list.templateIndices.count))
      for value in list.templateIndices where names.valueTemplates[index].contains(value) {
        if let template = list.values[value].template {
          sum = sum.adding(count(template.root, in: shared))
        }
      }
      found = sum
    }
    lists[index] = found
    return found
  }

  /// Returns why an item has no sentence at all; `nil` if it has some.
  mutating func emptiness(of item: PhraseItem, in scope: PhraseScope) -> String? {
    guard depth < Limits.lintedDepthMax, count(item, in: scope).number == 0 else { return nil }
    depth += 1
    defer { depth -= 1 }
    switch item {
    case .chunk, .nothing: return nil
    case .sequence(let items), .alternative(let items), .permutation(let items):
      for item in items { if let reason = emptiness(of: item, in: scope) { return reason } }
      return "its only branch is empty"
    case .rule(let name):
      guard let rule = scope.rule(name) else { return "the rule <\(name)> does not exist" }
      return emptiness(of: rule.root, in: scope)
    case .list(let reference): return "the list {\(reference.name)} has no values"
    }
  }
}
