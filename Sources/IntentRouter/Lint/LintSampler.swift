/// Makes sentences from a template: all of them when they are few, else a fixed selection.
///
/// A sentence is a row of choices: a branch, a value, an order. Few sentences are enumerated like
/// the wheels of a counter. Of many, the first takes each first branch (all optional parts), the
/// second each last branch (no optional part), and a generator with a fixed seed chooses the
/// others, so that a document always gets the same report.

/// Where the choices for a sentence come from.
struct SampleChoices {
  enum Kind { case wheels, first, last, drawn(UInt64) }

  private(set) var kind: Kind
  /// The choices of the current sentence, and out of how many each was.
  private var wheels: [(chosen: Int, count: Int)] = []
  private var position = 0

  init(_ kind: Kind) { self.kind = kind }

  /// One of `count` possibilities; `nil` when the sentence takes too many choices.
  mutating func choose(_ count: Int) -> Int? {
    precondition(count > 0)
    guard position < Limits.lintedChoicesMax else { return nil }
    position += 1
    switch kind {
    case .first: return 0
    case .last: return count - 1
    case .drawn(var state):
      // SplitMix64: a counter stepped by an odd constant, mixed.
      state &+= 0x9E37_79B9_7F4A_7C15
      kind = .drawn(state)
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      mixed ^= mixed >> 31
      return Int(mixed % UInt64(count))
    case .wheels:
      if position <= wheels.count { return wheels[position - 1].chosen }
      wheels.append((0, count))
      return 0
    }
  }

  /// Goes on to the next sentence; `false` when the wheels have been through all.
  mutating func advance() -> Bool {
    position = 0
    guard case .wheels = kind else { return true }
    while let last = wheels.last {
      guard last.chosen + 1 < last.count else {
        wheels.removeLast()
        continue
      }
      wheels[wheels.count - 1].chosen += 1
      return true
    }
    return false
  }
}

struct SentenceSampler {
  private(set) var counter: SentenceCounter
  /// Texts of values that the intent's parameters take where the template has a wildcard, by slot.
  var wildcardTexts: [String: [String]] = [:]
  /// Texts for every wildcard.
  var furtherTexts: [String] = []
  private var names: LintNames { counter.names }
  private var choices = SampleChoices(.first)
  private var text: [UInt32] = []
  private var depth = 0
  /// The usable values of the lists of which not all values can be said.
  private var usableValues: [Int: [Int]] = [:]
  /// Steps over items, for sentences and for counts.
  var stepsTaken: Int { counter.stepsTaken }

  init(_ counter: SentenceCounter) { self.counter = counter }

  mutating func count(_ source: PhraseSource) -> SentenceCount {
    counter.count(source.template.root, in: source.scope)
  }

  mutating func emptiness(of source: PhraseSource) -> String? {
    counter.emptiness(of: source.template.root, in: source.scope)
  }

  /// Returns at most `limit` different sentences, and whether they are all sentences of the
  /// template.
  mutating func sentences(
    of source: PhraseSource, number: Int, limit: Int
  ) -> (sentences: [String], isAll: Bool) {
    let count = count(source)
    let isAll = !count.hasAnyText && !count.hasRequestLists && count.number <= UInt64(limit)
    var sentences: [String] = []
    var seen: Set<String> = []
    var isComplete = isAll
    func keep(_ sentence: String?) {
      guard let sentence else {
        isComplete = false
        return
      }
      if seen.insert(sentence).inserted { sentences.append(sentence) }
    }
    if isAll {
      choices = SampleChoices(.wheels)
      // A range's numbers in words are no choice of their own, so the wheels turn `count` times.
      for _ in 0..<Swift.max(count.number, 1) {
        keep(sentence(of: source))
        guard choices.advance() else { break }
      }
    } else {
      for round in 0..<limit {
        let seed = UInt64(number) << 16 | UInt64(round)
        choices = SampleChoices(round == 0 ? .first : round == 1 ? .last : .drawn(seed))
        keep(sentence(of: source))
      }
    }
    return (sentences, isComplete)
  }

  private mutating func sentence(of source: PhraseSource) -> String? {
    text.removeAll(keepingCapacity: true)
    guard say(source.template.root, in: source.scope) else { return nil }
    return NormalizedText.string(text)
  }

  /// Adds the words of an item; `false` when there are none, or too many.
  private mutating func say(_ item: PhraseItem, in scope: PhraseScope) -> Bool {
    guard depth < Limits.lintedDepthMax, stepsTaken < Limits.lintedWalkStepsMax else {
      return false
    }
    counter.stepsTaken += 1
    depth += 1
    defer { depth -= 1 }
    switch item {
    case .nothing: return true
    case .chunk(let chunk): return add(chunk)
    case .sequence(let items):
      guard !items.isEmpty else { return false }
      for item in items { guard say(item, in: scope) else { return false } }
      return true
    case .alternative(let items):
      let possible = items.filter { counter.count($0, in: scope).number > 0 }
      guard !possible.isEmpty, let chosen = choices.choose(possible.count) else { return false }
      return say(possible[chosen], in: scope)
    case .permutation(var items):
      while !items.isEmpty {
        guard let chosen = choices.choose(items.count), say(items.remove(at: chosen), in: scope)
        else { return false }
      }
      return true
    case .rule(let name):
      guard let rule = scope.rule(name) else { return false }
      return say(rule.root, in: scope)
    case .list(let reference):
      guard let index = names.list(of: reference, in: scope) else { return false }
      return sayValue(of: index, slot: reference.slot, in: scope)
    }
  }

  private mutating func sayValue(of index: Int, slot: String, in scope: PhraseScope) -> Bool {
    switch names.lists[index] {
    case .wildcard:
      let texts = ["xyzzy", "xyzzy plugh", "12"] + furtherTexts + (wildcardTexts[slot] ?? [])
      guard let chosen = choices.choose(texts.count) else { return false }
      return add(normalizedScalars(texts[chosen]))
    case .absent(let name): return add(normalizedScalars(Self.placeholder(for: name, index)))
    case .range(let range): return sayNumber(of: range)
    case .text(let list):
      let usable = list.templateIndices.isEmpty ? nil : usable(of: list, index)
      let count = usable?.count ?? list.values.count
      guard count > 0, let chosen = choices.choose(count) else { return false }
      let value = list.values[usable?[chosen] ?? chosen]
      guard let template = value.template else { return add(normalizedScalars(value.spoken)) }
      return say(template.root, in: names.shared(scope))
    }
  }

  private mutating func usable(of list: TextList, _ index: Int) -> [Int] {
    if let known = usableValues[index] { return known }
    let usable = list.values.indices.filter {
      list.values[$0].template == nil || names.valueTemplates[index].contains($0)
    }
    usableValues[index] = usable
    return usable
  }

  /// A number in digits, or in words where digits are off; halves and tenths by a point.
  private mutating func sayNumber(of range: NumberRange) -> Bool {
    let steps = (range.to - range.from) / range.step + 1
    let parts = range.fractions == nil ? 1 : range.fractions == .halves ? 2 : 10
    guard let chosen = choices.choose(steps * parts) else { return false }
    let whole = range.from + chosen / parts * range.step
    let tenths = whole * 10 + chosen % parts * (10 / parts)
    if range.acceptsDigits {
      let (number, rest) = (abs(tenths) / 10, abs(tenths) % 10)
      let digits = (tenths < 0 ? "-" : "") + "\(number)" + (rest == 0 ? "" : ".\(rest)")
      return add(normalizedScalars(digits))
    }
    guard let words = range.words, let place = words.tenths.firstIndex(of: tenths) else {
      return false
    }
    return add(normalizedScalars(words.words[place]))
  }

  private mutating func add(_ scalars: [UInt32]) -> Bool {
    guard text.count + scalars.count <= Limits.sentenceScalarsMax else { return false }
    text += scalars
    return true
  }

  /// Returns a made-up value for a list that only requests bring.
  ///
  /// It differs between lists, and no template contains it.
  ///
  /// It has letters only, because a dash or an underscore may stand for a space.
  static func placeholder(for name: String, _ index: Int) -> String {
    var letters = String.UnicodeScalarView()
    letters.append(contentsOf: name.unicodeScalars.filter { isWord($0.value) && $0 != "_" })
    return String(letters) + "\(index)"
  }
}
