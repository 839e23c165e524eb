/// Turns template trees into a `PhraseProgram`, resolving the names of rules and lists.

/// How skip words apply to a template: a wildcard at one of its edges keeps the words at that edge.
enum PhraseEdges: Int, Hashable, Sendable, CaseIterable {
  case plain, onlyWildcard, firstWildcard, lastWildcard
}

/// Facts about a template that the compiler needs before it adds the template to the graph.
struct PhraseFacts: Sendable {
  var edges: PhraseEdges
  /// Every slot the template can fill, rules included.
  var slots: Set<String>
  /// Number of text chunks when the template itself names a wildcard, else 0: more text goes first.
  var orderKey: Int
}

struct PhraseCompiler {
  private(set) var program: PhraseProgram
  /// The grammar's lists; an inline range, or a list that requests bring, appends one.
  private(set) var lists: [ValueList]
  /// Values that lead back to their own list, which match nothing.
  private(set) var circularValues: [(list: Int, value: Int)] = []
  /// Lists that requests bring, by name.
  private(set) var absentLists: [String: Int] = [:]
  /// Whether a template may name a list that no document has.
  private let allowsAbsentLists: Bool

  private struct ScopedName: Hashable {
    var name: String
    var scope: Int
  }

  private struct CompiledRule {
    var entry: Int32
    var required: RequiredText
  }

  private var rules: [ScopedName: CompiledRule] = [:]
  private var openRules: [String] = []
  private var ruleSlots: [ScopedName: Set<String>] = [:]
  private var slotIndices: [String: Int32] = [:]
  /// The ranges that templates contain themselves, by their text.
  private(set) var inlineRanges: [String: Int] = [:]
  private var tree: [TreeNode]
  private let endNode: Int32 = 0
  private let failNode: Int32 = 1

  /// Where templates that begin alike part.
  private struct TreeNode {
    private(set) var children: [(key: TreeKey, scope: PhraseScope, node: Int)] = []
    /// Nodes by key, where the children are many; most nodes have one.
    private var nodes: [TreeKey: Int] = [:]
    var accepted: [Int32] = []

    private static let searchedMax = 8

    func child(_ key: TreeKey) -> Int? {
      guard nodes.isEmpty else { return nodes[key] }
      return children.first { $0.key == key }?.node
    }

    mutating func add(_ key: TreeKey, _ scope: PhraseScope, _ node: Int) {
      children.append((key, scope, node))
      if !nodes.isEmpty {
        nodes[key] = node
      } else if children.count > Self.searchedMax {
        for child in children { nodes[child.key] = child.node }
      }
    }
  }

  private struct TreeKey: Hashable {
    var item: PhraseItem
    /// The scope in which names are looked up; 0 if there is none.
    var scope: Int
  }

  init(ignoresWhitespace: Bool, lists: [ValueList], allowsAbsentLists: Bool = false) {
    program = PhraseProgram(ignoresWhitespace: ignoresWhitespace)
    self.lists = lists
    self.allowsAbsentLists = allowsAbsentLists
    program.nodes = [.init(kind: .end), .init(kind: .fail, first: 0)]
    tree = PhraseEdges.allCases.map { _ in TreeNode() }
  }

  var otherLists: OtherLists { OtherLists(absent: absentLists, inlineRanges: inlineRanges) }

  /// Takes lists that were added since; those that were there keep their places.
  mutating func replaceLists(_ lists: [ValueList]) {
    precondition(lists.count >= self.lists.count)
    self.lists = lists
  }

  // MARK: Templates

  /// Looks up every name of a template.
  ///
  /// A template without errors can be added.
  mutating func check(
    _ template: PhraseTemplate, in scope: PhraseScope
  ) throws(PhraseCompileError) -> PhraseFacts {
    let slots = try slots(of: template.root, in: scope)
    return PhraseFacts(
      edges: edges(of: template.root, in: scope), slots: slots,
      orderKey: namesWildcard(template.root, in: scope) ? chunkCount(template.root) : 0)
  }

  /// Adds a template that was checked; its matches refer to `place`.
  mutating func add(
    _ template: PhraseTemplate, _ facts: PhraseFacts, place: Int32, in scope: PhraseScope
  ) {
    var node = facts.edges.rawValue
    let items: [PhraseItem]
    if case .sequence(let sequence) = template.root {
      items = sequence
    } else {
      items = [template.root]
    }
    for item in items {
      let key = TreeKey(item: item, scope: hasNames(item) ? scope.id : 0)
      if let known = tree[node].child(key) {
        node = known
      } else {
        tree.append(TreeNode())
        tree[node].add(key, scope, tree.count - 1)
        node = tree.count - 1
      }
    }
    tree[node].accepted.append(place)
  }

  /// Compiles the added templates and those of lists; returns the first fork for each of
  /// `PhraseEdges`.
  mutating func finish(in scope: PhraseScope) -> [Int32] {
    let roots = PhraseEdges.allCases.map { compileFork($0.rawValue).entry }
    tree = []
    compileValueTemplates(in: scope)
    program.checkInvariants(listCount: lists.count)
    return roots
  }

  private mutating func compileFork(_ index: Int) -> Part {
    let node = tree[index]
    var ways: [PhraseProgram.Way] = []
    var required = node.accepted.isEmpty ? RequiredText.everything : RequiredText()
    var first: UInt64 = node.accepted.isEmpty ? 0 : .max
    for child in node.children {
      let rest = compileFork(child.node)
      let part = compile(child.key.item, next: rest.entry, in: child.scope)
      let way = PhraseProgram.Way(
        required: part.required.union(rest.required),
        first: program.nodes[Int(part.entry)].first, entry: part.entry)
      required = required.intersection(way.required)
      first |= way.first
      ways.append(way)
    }
    if node.accepted.isEmpty, ways.count == 1 {
      return Part(entry: ways[0].entry, required: required)
    }
    let wayStart = Int32(program.ways.count)
    let acceptedStart = Int32(program.accepted.count)
    program.ways += ways
    program.accepted += node.accepted
    program.forks.append(
      .init(
        ways: wayStart..<Int32(program.ways.count),
        accepted: acceptedStart..<Int32(program.accepted.count)))
    let entry = add(.init(kind: .fork, a: Int32(program.forks.count - 1), first: first))
    return Part(entry: entry, required: required)
  }

  mutating func forgetValueTemplates(of list: Int) {
    program.valueTemplates[list] = []
  }

  /// Compiles the templates among the values of lists that were added or replaced.
  ///
  /// Linear in the text of the values. A value that names what does not exist, or leads back to its
  /// own list, matches nothing.
  mutating func compileValueTemplates(in scope: PhraseScope) {
    var sound: [(list: Int, value: Int, root: PhraseItem, names: Set<Int>)] = []
    var namedByRules: [String: Set<Int>] = [:]
    for index in lists.indices {
      guard case .text(let list) = lists[index] else { continue }
      for value in list.templateIndices {
        guard let root = list.values[value].template?.root, isSound(root, in: scope) else {
          continue
        }
        sound.append((index, value, root, listsNamed(by: root, in: scope, &namedByRules)))
      }
    }
    while program.valueTemplates.count < lists.count { program.valueTemplates.append([]) }
    var edges = [Set<Int>](repeating: [], count: lists.count)
    for value in sound { edges[value.list].formUnion(value.names) }
    let circles = ListCircles(edges.map(Array.init))
    let isCompiled = program.valueTemplates.map { !$0.isEmpty }
    for value in sound where !isCompiled[value.list] {
      guard !value.names.contains(where: { circles.areJoined($0, value.list) }) else {
        circularValues.append((value.list, value.value))
        continue
      }
      let part = compile(value.root, next: endNode, in: scope)
      program.valueTemplates[value.list].append(
        .init(value: Int32(value.value), entry: part.entry))
    }
  }

  // MARK: Nodes

  private struct Part {
    var entry: Int32
    var required = RequiredText()
  }

  private mutating func add(_ node: PhraseProgram.Node) -> Int32 {
    program.nodes.append(node)
    return Int32(program.nodes.count - 1)
  }

  /// Compiles an item.
  ///
  /// Its names were checked before; an unknown name matches nothing.
  private mutating func compile(_ item: PhraseItem, next: Int32, in scope: PhraseScope) -> Part {
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
        let before = compile(item, next: part.entry, in: scope)
        part.entry = before.entry
        part.required = part.required.union(before.required)
      }
      return part
    case .alternative(let items):
      var part = Part(entry: 0, required: .everything)
      var entries: [Int32] = []
      for item in items {
        let branch = compile(item, next: next, in: scope)
        entries.append(branch.entry)
        part.required = part.required.intersection(branch.required)
      }
      part.entry = addBranches(.alternative, entries, next: next)
      return part
    case .permutation(let items):
      var part = Part(entry: 0)
      var entries: [Int32] = []
      for item in items {
        let branch = compile(item, next: endNode, in: scope)
        entries.append(branch.entry)
        part.required = part.required.union(branch.required)
      }
      part.entry = addBranches(.permutation, entries, next: next)
      return part
    case .rule(let name):
      guard let rule = compiledRule(name, in: scope) else { return Part(entry: failNode) }
      // After a rule that can be empty, any item may come first.
      let first = program.nodes[Int(rule.entry)].first
      let entry = add(.init(kind: .call, a: rule.entry, next: next, first: first))
      return Part(entry: entry, required: rule.required)
    case .list(let reference):
      guard let list = knownListIndex(of: reference, in: scope) else {
        return Part(entry: failNode)
      }
      var isCapture = reference.isCapture
      switch lists[list] {
      case .text, .absent: break
      case .range, .wildcard: isCapture = false
      }
      program.references.append(
        .init(
          list: Int32(list), slot: slotIndex(reference.slot), isCapture: isCapture,
          endsWord: reference.endsWord))
      let entry = add(.init(kind: .list, a: Int32(program.references.count - 1), next: next))
      return Part(entry: entry)
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
    program.cased.append(contentsOf: spaced)
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

  private mutating func compiledRule(_ name: String, in scope: PhraseScope) -> CompiledRule? {
    let key = ScopedName(name: name, scope: scope.id)
    if let rule = rules[key] { return rule }
    guard let template = scope.rule(name) else { return nil }
    let part = compile(template.root, next: endNode, in: scope)
    let rule = CompiledRule(entry: part.entry, required: part.required)
    rules[key] = rule
    return rule
  }

  /// The slots of an item, every name of it looked up.
  private mutating func slots(
    of item: PhraseItem, in scope: PhraseScope
  ) throws(PhraseCompileError) -> Set<String> {
    switch item {
    case .chunk, .nothing: return []
    case .sequence(let items), .alternative(let items), .permutation(let items):
      var all: Set<String> = []
      for item in items { all.formUnion(try slots(of: item, in: scope)) }
      return all
    case .list(let reference):
      let list = try listIndex(of: reference, in: scope)
      if reference.isCapture, case .text = lists[list] { return [] }
      return [reference.slot]
    case .rule(let name):
      let key = ScopedName(name: name, scope: scope.id)
      if let known = ruleSlots[key] { return known }
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
      let found = try slots(of: template.root, in: scope)
      ruleSlots[key] = found
      return found
    }
  }

  private func knownListIndex(of reference: ListReference, in scope: PhraseScope) -> Int? {
    if let index = scope.list(reference.name) ?? absentLists[reference.name] { return index }
    return reference.explicitSlot == nil ? nil : inlineRanges[reference.name]
  }

  private mutating func listIndex(
    of reference: ListReference, in scope: PhraseScope
  ) throws(PhraseCompileError) -> Int {
    if let index = knownListIndex(of: reference, in: scope) { return index }
    if reference.explicitSlot != nil, let range = NumberRange(inline: reference.name) {
      lists.append(.range(range))
      inlineRanges[reference.name] = lists.count - 1
      return lists.count - 1
    }
    guard !allowsAbsentLists else {
      lists.append(.absent(reference.name))
      absentLists[reference.name] = lists.count - 1
      return lists.count - 1
    }
    let near = nearestNames(to: reference.name, in: scope.lists.flatMap(\.keys))
    throw PhraseCompileError(
      message: "the list {\(reference.name)} does not exist",
      expected: near.first.map { "'{\($0)}' perhaps" } ?? "a list in 'lists'")
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
    guard case .list(let reference) = item, let index = scope.sharedList(reference.name),
      case .wildcard = lists[index]
    else { return false }
    return true
  }

  private func edges(of root: PhraseItem, in scope: PhraseScope) -> PhraseEdges {
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

  private func hasNames(_ item: PhraseItem) -> Bool {
    switch item {
    case .sequence(let items), .alternative(let items), .permutation(let items):
      items.contains(where: hasNames)
    case .list, .rule: true
    case .chunk, .nothing: false
    }
  }

  private mutating func isSound(_ item: PhraseItem, in scope: PhraseScope) -> Bool {
    do throws(PhraseCompileError) {
      _ = try slots(of: item, in: scope)
      return true
    } catch {
      return false
    }
  }

  /// The lists that an item names itself or by rules.
  ///
  /// The rules were checked: they have no circle.
  private func listsNamed(
    by item: PhraseItem, in scope: PhraseScope, _ namedByRules: inout [String: Set<Int>]
  ) -> Set<Int> {
    switch item {
    case .chunk, .nothing: return []
    case .sequence(let items), .alternative(let items), .permutation(let items):
      var names: Set<Int> = []
      for item in items { names.formUnion(listsNamed(by: item, in: scope, &namedByRules)) }
      return names
    case .rule(let name):
      if let known = namedByRules[name] { return known }
      guard let rule = scope.rule(name) else { return [] }
      let names = listsNamed(by: rule.root, in: scope, &namedByRules)
      namedByRules[name] = names
      return names
    case .list(let reference):
      guard let index = scope.list(reference.name) ?? absentLists[reference.name] else { return [] }
      return [index]
    }
  }
}
