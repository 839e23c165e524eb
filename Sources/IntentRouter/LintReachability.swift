/// Templates that can never match, whatever is said, and templates that are there twice.
import JSON

extension LintedLanguage {
  mutating func findTemplatesThatCannotMatch(_ sampler: inout SentenceSampler) {
    var searches: [String: KeywordSearch?] = [:]
    for (number, source) in sources.enumerated() {
      let block = block(number)
      if let reason = sampler.emptiness(of: source) {
        cannotMatch(number, reason, expected: "a list with values, and branches with words")
      } else if let key = block.conditions.contradictoryKey {
        cannotMatch(
          number, "its block requires and excludes the same '\(key)' of the context",
          expected: "requires_context and excludes_context that some context meets")
      } else if let keywords = block.requiredKeywords {
        let isSaid = keywords.sorted().contains { keyword in
          if searches[keyword] == nil {
            searches[keyword] = .some(
              KeywordSearch(
                keyword, names: names, ignoresWhitespace: grammar.program.ignoresWhitespace))
          }
          // Taken out while it works: it remembers what it has seen.
          guard var search = searches[keyword] ?? nil else { return true }
          defer { searches[keyword] = .some(search) }
          return search.canSay(source)
        }
        guard !isSaid else { continue }
        let all = keywords.sorted().map { "'\($0)'" }.joined(separator: ", ")
        cannotMatch(
          number, "no sentence of it has a required keyword (\(all))",
          expected: "one of 'required_keywords' in the template")
      }
    }
  }

  private mutating func cannotMatch(_ number: Int, _ reason: String, expected: String) {
    useless.insert(number)
    report(
      .neverMatches, about: number, "\(template(number)) never matches: \(reason)",
      expected: expected)
  }

  /// What makes two templates the same: intent, tree, the names it is read with and its block's
  /// conditions.
  private struct Identity: Hashable {
    var intent: String
    var root: PhraseItem
    /// 0 for a template without names.
    var scope: Int
    var conditions: ContextConditions
    var keywords: Set<String>
  }

  mutating func findDuplicates() {
    var first: [Identity: Int] = [:]
    for (number, source) in sources.enumerated() {
      let block = block(number)
      let identity = Identity(
        intent: block.intent, root: source.template.root,
        scope: hasNames(source.template.root) ? source.scope.id : 0,
        conditions: block.conditions, keywords: block.requiredKeywords ?? [])
      guard let other = first[identity] else {
        first[identity] = number
        continue
      }
      guard useless.insert(number).inserted else { continue }
      report(
        .duplicate, about: number,
        "\(template(number)) is there already: \(place(other, seenFrom: number))",
        expected: "it once", otherFile: sources[other].file)
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
}

extension ContextConditions {
  /// A key that no context can have as it is required; `nil` when there is none.
  var contradictoryKey: String? {
    for condition in required {
      guard let values = condition.values else { continue }
      let others = excluded.filter { $0.key == condition.key }
      let again = required.filter { $0.key == condition.key }
      let isMet = values.contains { value in
        !others.contains { $0.forbids(value) } && again.allSatisfy { $0.allows(value) }
      }
      if !isMet { return condition.key }
    }
    return nil
  }

  /// A context that meets the conditions, where one does.
  var example: [String: JSONValue] {
    var context: [String: JSONValue] = [:]
    for condition in required {
      let others = excluded.filter { $0.key == condition.key }
      let again = required.filter { $0.key == condition.key }
      let values = condition.values ?? [.string("xyzzy")]
      context[condition.key] =
        values.first { value in
          !others.contains { $0.forbids(value) } && again.allSatisfy { $0.allows(value) }
        } ?? context[condition.key]
    }
    return context
  }
}
