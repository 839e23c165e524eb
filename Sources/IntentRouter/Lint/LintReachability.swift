import JSON

/// Finds templates that can never match, and templates that are repeated.
extension LintedLanguage {
  mutating func findTemplatesThatCannotMatch(_ sampler: inout SentenceSampler) {
    var searches: [String: KeywordSearch] = [:]
    // Sort the keywords once for each block, because the order of a set varies.
    var sorted: (block: Int32, keywords: [String]) = (-1, [])
    for (number, source) in sources.enumerated() {
      let block = block(number)
      if let reason = sampler.emptiness(of: source) {
        cannotMatch(number, reason, expected: "a list with values, and branches with words")
      } else if let key = block.conditions.contradictoryKey {
        cannotMatch(
          number, "its block requires and excludes the same '\(key)' of the context",
          expected: "requires_context and excludes_context that some context meets")
      } else if let keywords = block.requiredKeywords {
        if sorted.block != source.block { sorted = (source.block, keywords.sorted()) }
        let isSaid = sorted.keywords.contains { canSay($0, source, &searches) }
        guard !isSaid else { continue }
        let shown = sorted.keywords.prefix(8).map { "'\($0)'" }.joined(separator: ", ")
        let all = shown + (keywords.count > 8 ? ", …" : "")
        cannotMatch(
          number, "no sentence of it has a required keyword (\(all))",
          expected: "one of 'required_keywords' in the template")
      }
    }
  }

  /// Whether a template may have a word.
  ///
  /// When the effort for it is used up, every one may.
  private mutating func canSay(
    _ keyword: String, _ source: PhraseSource, _ searches: inout [String: KeywordSearch]
  ) -> Bool {
    guard effort.keywordSteps < Limits.lintedKeywordStepsMax else { return true }
    effort.keywordSteps += 1
    // Take the value out of `self` while it works: it caches results.
    guard
      var search = searches.removeValue(forKey: keyword)
        ?? KeywordSearch(
          keyword, names: names, ignoresWhitespace: grammar.program.ignoresWhitespace)
    else { return true }
    search.stepsTaken = effort.keywordSteps
    let isSaid = search.canSay(source)
    effort.keywordSteps = search.stepsTaken
    searches[keyword] = search
    return isSaid
  }

  private mutating func cannotMatch(_ number: Int, _ reason: String, expected: String) {
    useless.insert(number)
    report(
      .neverMatches, about: number, "\(template(number)) never matches: \(reason)",
      expected: expected)
  }

  /// The key by which two templates are the same: intent, tree, the names it is read with and its
  /// block's conditions.
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
  /// A key that no context can have as it is required; `nil` when there is none, or when there are
  /// more values than are compared.
  var contradictoryKey: String? {
    required.first { condition in
      guard let values = condition.values, isComparable(condition.key) else { return false }
      return !values.contains { isMet(condition.key, by: $0) }
    }?.key
  }

  /// A context that meets the conditions, where one does.
  var example: [String: JSONValue] {
    var context: [String: JSONValue] = [:]
    for condition in required where context[condition.key] == nil {
      let values = condition.values ?? [.string("xyzzy")]
      context[condition.key] =
        isComparable(condition.key)
        ? values.first { isMet(condition.key, by: $0) } : values.first
    }
    return context
  }

  /// Whether all conditions on a key let it have this value.
  private func isMet(_ key: String, by value: JSONValue) -> Bool {
    !excluded.contains { $0.key == key && $0.forbids(value) }
      && required.allSatisfy { $0.key != key || $0.allows(value) }
  }

  private func isComparable(_ key: String) -> Bool {
    (required + excluded).allSatisfy {
      $0.key != key || ($0.values?.count ?? 0) <= Limits.lintedContextValuesMax
    }
  }
}
