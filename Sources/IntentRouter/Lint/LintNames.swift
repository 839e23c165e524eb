/// The rules and lists that names in a template lead to, for code that walks templates without
/// matching a text.

struct LintNames: Sendable {
  struct ScopedRule: Hashable {
    var name: String
    var scope: Int
  }

  let lists: [ValueList]
  let otherLists: OtherLists
  /// Values that are templates and can be matched, by list.
  let valueTemplates: [Set<Int>]

  init(lists: [ValueList], otherLists: OtherLists, program: PhraseProgram) {
    self.lists = lists
    self.otherLists = otherLists
    var usable = [Set<Int>](repeating: [], count: lists.count)
    for (index, templates) in program.valueTemplates.enumerated() where index < lists.count {
      usable[index] = Set(templates.map { Int($0.value) })
    }
    valueTemplates = usable
  }

  func list(of reference: ListReference, in scope: PhraseScope) -> Int? {
    if let index = scope.list(reference.name) ?? otherLists.absent[reference.name] { return index }
    return reference.explicitSlot == nil ? nil : otherLists.inlineRanges[reference.name]
  }

  /// Returns the scope of all documents of the language, which the templates of list values use.
  func shared(_ scope: PhraseScope) -> PhraseScope {
    PhraseScope(
      id: 0, rules: Array(scope.rules.suffix(1)), lists: Array(scope.lists.suffix(2)))
  }
}
