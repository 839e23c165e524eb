/// What the names in a template lead to, for walks over templates that match nothing.

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

  /// The scope of all documents of the language, in which the templates of list values stand.
  func shared(_ scope: PhraseScope) -> PhraseScope {
    PhraseScope(
      id: 0, rules: Array(scope.rules.suffix(1)), lists: Array(scope.lists.suffix(2)))
  }
}
