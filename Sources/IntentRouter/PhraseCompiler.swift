/// Turns template trees into a `PhraseProgram`, resolving the names of rules and lists.

/// Why a template cannot be compiled: it names something that does not exist, or rules run in a
/// circle.
struct PhraseCompileError: Error, Hashable, Sendable {
  var message: String
  var expected: String
}

/// The rules and lists that a block of sentences sees. Scopes are searched in order, so that a
/// block's own names shadow its document's, and those the language's.
struct PhraseScope: Sendable {
  /// Tells scopes apart: a rule is compiled once for each scope that calls it, since the names
  /// inside it are looked up from the caller.
  var id: Int
  var rules: [[String: PhraseTemplate]]
  /// Name to index in the catalogue's lists.
  var lists: [[String: Int]]

  func rule(_ name: String) -> PhraseTemplate? {
    for table in rules { if let found = table[name] { return found } }
    return nil
  }

  func list(_ name: String) -> Int? {
    for table in lists { if let found = table[name] { return found } }
    return nil
  }
}

/// A template that is ready to match.
struct CompiledTemplate: Sendable {
  /// How skip words apply: a wildcard at an edge of the template keeps the words at that edge.
  enum Edges: Sendable { case onlyWildcard, firstWildcard, lastWildcard, plain }

  var source: String
  var entry: Int32
  var required: RequiredText
  var edges: Edges
  /// Every slot the template can fill, rules included.
  var slots: Set<String>
  /// Number of text chunks when the template itself names a wildcard, else 0: more text goes first.
  var orderKey: Int
}

struct PhraseCompiler {
  private(set) var program: PhraseProgram
  /// The catalogue's lists; an inline range appends one.
  private(set) var lists: [ValueList]

  private struct RuleKey: Hashable {
    var name: String
    var scope: Int
  }

  private struct CompiledRule {
    var entry: Int32
    var required: RequiredText
    var slots: Set<String>
  }

  private var rules: [RuleKey: CompiledRule] = [:]
  private var openRules: [String] = []
  private var slotIndices: [String: Int32] = [:]
  private var inlineRanges: [String: Int] = [:]
  private var valueTemplates: [Int: [PhraseProgram.ValueTemplate]] = [:]
  private let endNode: Int32
  private let failNode: Int32

  init(ignoresWhitespace: Bool, lists: [ValueList]) {
    program = PhraseProgram(ignoresWhitespace: ignoresWhitespace)
    self.lists = lists
    endNode = 0
    failNode = 1
    program.nodes = [.init(kind: .end), .init(kind: .fail, first: 0)]
  }

  mutating func compile(
    _ template: PhraseTemplate, in scope: PhraseScope
  ) throws(PhraseCompileError) -> CompiledTemplate {
    let part = try compile(template.root, next: endNode, in: scope)
    return CompiledTemplate(
      source: template.source, entry: part.entry, required: part.required,
      edges: edges(of: template.root, in: scope), slots: part.slots,
      orderKey: namesWildcard(template.root, in: scope) ? chunkCount(template.root) : 0)
  }

  /// Takes lists that were added since; those that were there keep their places.
  mutating func replaceLists(_ lists: [ValueList]) {
    precondition(lists.count >= self.lists.count)
    self.lists = lists
  }

  // MARK: Nodes

  private struct Part {
    var entry: Int32
    var required = RequiredText()
    var slots: Set<String> = []
  }

  private mutating func add(_ node: PhraseProgram.Node) -> Int32 {
    program.nodes.append(node)
    return Int32(program.nodes.count - 1)
  }

  private mutating func compile(
    _ item: PhraseItem, next: Int32, in scope: PhraseScope
  ) throws(PhraseCompileError) -> Part {
    switch item {
    case .chunk(let text): return compileChunk(text, next: next)
    case .nothing: return Part(entry: next)
    case .sequence(let items):
      guard !items.isEmpty else {
        // A branch with nothing in it matches nothing, not even the empty text.
        return Part(entry: failNode, required: .everything)
      }
      var part = Part(entry: next)
      for item in items.reversed() {
        let before = try compile(item, next: part.entry, in: scope)
        part.entry = before.entry
        part.required = part.required.union(before.required)
        part.slots.formUnion(before.slots)
      }
      return part
    case .alternative(let items):
      var part = Part(entry: 0, required: .everything)
      var entries: [Int32] = []
      for item in items {
        let branch = try compile(item, next: next, in: scope)
        entries.append(branch.entry)
        part.required = part.required.intersection(branch.required)
        part.slots.formUnion(branch.slots)
      }
      part.entry = addBranches(.alternative, entries, next: next)
      return part
    case .permutation(let items):
      var part = Part(entry: 0)
      var entries: [Int32] = []
      for item in items {
        let branch = try compile(item, next: endNode, in: scope)
        entries.append(branch.entry)
        part.required = part.required.union(branch.required)
        part.slots.formUnion(branch.slots)
      }
      part.entry = addBranches(.permutation, entries, next: next)
      return part
    case .rule(let name):
      let rule = try compiledRule(name, in: scope)
      // A rule that can be empty leads on to what follows, and then anything may come first.
      let first = program.nodes[Int(rule.entry)].first
      let entry = add(.init(kind: .call, a: rule.entry, next: next, first: first))
      return Part(entry: entry, required: rule.required, slots: rule.slots)
    case .list(let reference): return try compileList(reference, next: next, in: scope)
    }
  }

  private mutating func addBranches(
    _ kind: PhraseProgram.Node.Kind, _ entries: [Int32], next: Int32
  ) -> Int32 {
    let first = Int32(program.branches.count)
    program.branches.append(contentsOf: entries)
    let possible = entries.reduce(0) { $0 | program.nodes[Int($1)].first }
    return add(
      .init(kind: kind, a: first, b: Int32(entries.count), next: next, first: possible))
  }

  private mutating func compileChunk(_ text: [UInt32], next: Int32) -> Part {
    guard !text.isEmpty else { return Part(entry: next) }
    let spaced = program.ignoresWhitespace ? strippingIdeographicSpaces(text) : text
    let folded = spaced.map(foldCase)
    let start = Int32(program.scalars.count)
    program.scalars.append(contentsOf: folded)
    let leading = folded.prefix { $0 == space }.count
    let word = stripped(folded)
    let chunk = PhraseProgram.Chunk(
      start: start, end: start + Int32(folded.count), trimmedStart: start + Int32(leading),
      literalCharacters: Int32(word.count), isBlank: word.isEmpty,
      endsWord: text.last == space || text.last == 0x27)
    program.chunks.append(chunk)
    let first = word.first.map(RequiredText.bit) ?? program.nodes[Int(next)].first
    let entry = add(
      .init(kind: .chunk, a: Int32(program.chunks.count - 1), next: next, first: first))
    return Part(entry: entry, required: RequiredText(folded))
  }

  // MARK: Names

  private mutating func compiledRule(
    _ name: String, in scope: PhraseScope
  ) throws(PhraseCompileError) -> CompiledRule {
    let key = RuleKey(name: name, scope: scope.id)
    if let rule = rules[key] { return rule }
    if let first = openRules.firstIndex(of: name) {
      let circle = (openRules[first...] + [name]).map { "<\($0)>" }.joined(separator: " → ")
      throw PhraseCompileError(
        message: "the rule <\(name)> uses itself: \(circle)", expected: "rules without a circle")
    }
    guard let template = scope.rule(name) else {
      let near = nearestNames(to: name, in: scope.rules.flatMap(\.keys))
      throw PhraseCompileError(
        message: "the rule <\(name)> does not exist",
        expected: near.first.map { "'<\($0)>' perhaps" } ?? "a rule in 'expansion_rules'")
    }
    guard openRules.count < Limits.ruleDepthMax else {
      throw PhraseCompileError(
        message: "rules use rules more than \(Limits.ruleDepthMax) levels deep",
        expected: "flatter rules")
    }
    openRules.append(name)
    defer { openRules.removeLast() }
    let part = try compile(template.root, next: endNode, in: scope)
    let rule = CompiledRule(entry: part.entry, required: part.required, slots: part.slots)
    rules[key] = rule
    return rule
  }

  private mutating func compileList(
    _ reference: ListReference, next: Int32, in scope: PhraseScope
  ) throws(PhraseCompileError) -> Part {
    let list = try listIndex(of: reference, in: scope)
    var isCapture = reference.isCapture
    if case .text = lists[list] {} else { isCapture = false }
    let values = try compiledValueTemplates(of: list, in: scope)
    program.references.append(
      .init(
        list: Int32(list), slot: isCapture ? -1 : slotIndex(reference.slot),
        endsWord: reference.endsWord, valueTemplates: values))
    let entry = add(.init(kind: .list, a: Int32(program.references.count - 1), next: next))
    return Part(entry: entry, slots: isCapture ? [] : [reference.slot])
  }

  private mutating func listIndex(
    of reference: ListReference, in scope: PhraseScope
  ) throws(PhraseCompileError) -> Int {
    if let index = scope.list(reference.name) { return index }
    if reference.explicitSlot != nil, let range = NumberRange(inline: reference.name) {
      if let index = inlineRanges[reference.name] { return index }
      lists.append(.range(range))
      inlineRanges[reference.name] = lists.count - 1
      return lists.count - 1
    }
    let near = nearestNames(to: reference.name, in: scope.lists.flatMap(\.keys))
    throw PhraseCompileError(
      message: "the list {\(reference.name)} does not exist",
      expected: near.first.map { "'{\($0)}' perhaps" } ?? "a list in 'lists'")
  }

  private mutating func compiledValueTemplates(
    of list: Int, in scope: PhraseScope
  ) throws(PhraseCompileError) -> [PhraseProgram.ValueTemplate] {
    guard case .text(let text) = lists[list], !text.templateIndices.isEmpty else { return [] }
    if let compiled = valueTemplates[list] { return compiled }
    // A value may not name the list that it is in: that is a circle too.
    valueTemplates[list] = []
    var compiled: [PhraseProgram.ValueTemplate] = []
    for index in text.templateIndices {
      guard let template = text.values[index].template else { continue }
      let part = try compile(template.root, next: endNode, in: scope)
      compiled.append(.init(value: Int32(index), entry: part.entry))
    }
    valueTemplates[list] = compiled
    return compiled
  }

  private mutating func slotIndex(_ name: String) -> Int32 {
    if let index = slotIndices[name] { return index }
    program.slots.append(name)
    let index = Int32(program.slots.count - 1)
    slotIndices[name] = index
    return index
  }

  // MARK: Facts about a template's own items

  private func isWildcard(_ item: PhraseItem?, in scope: PhraseScope) -> Bool {
    guard case .list(let reference) = item, let index = scope.list(reference.name),
      case .wildcard = lists[index]
    else { return false }
    return true
  }

  private func edges(of root: PhraseItem, in scope: PhraseScope) -> CompiledTemplate.Edges {
    guard case .sequence(let items) = root else { return .plain }
    if items.count == 1, isWildcard(items.first, in: scope) { return .onlyWildcard }
    if isWildcard(items.first, in: scope) { return .firstWildcard }
    if isWildcard(items.last, in: scope) { return .lastWildcard }
    return .plain
  }

  private func namesWildcard(_ item: PhraseItem, in scope: PhraseScope) -> Bool {
    switch item {
    case .sequence(let items), .alternative(let items), .permutation(let items):
      items.contains { namesWildcard($0, in: scope) }
    case .list: isWildcard(item, in: scope)
    case .chunk, .rule, .nothing: false
    }
  }

  private func chunkCount(_ item: PhraseItem) -> Int {
    switch item {
    case .sequence(let items), .alternative(let items), .permutation(let items):
      items.reduce(0) { $0 + chunkCount($1) }
    case .chunk, .nothing: 1
    case .list, .rule: 0
    }
  }
}
