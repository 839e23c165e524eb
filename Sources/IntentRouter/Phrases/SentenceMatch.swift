package import JSON

/// One way in which a sentence fits a template: the intent, its slots and why it ranks where it
/// does.
package struct SentenceMatch: Hashable, Sendable {
  /// A slot of the template with its value.
  package struct Entity: Hashable, Sendable {
    package var name: String
    package var value: JSONValue
    /// The words of the sentence; empty for a value of the document or the context.
    package var text: String
    /// Whether a wildcard took the value.
    package var isWildcard = false
    package var metadata: JSONValue?
    /// The list that the value is from.
    ///
    /// A value of the parameter's own list needs no second look-up.
    var list: Int?
    /// Characters of the sentence that were taken for it, white space included.
    var characters = 0
    /// The place in the reading that matched; `nil` for a value without words.
    var range: Range<Int>?
    /// The place in the original sentence as a half-open range of Unicode code points.
    ///
    /// `PhraseGrammar.locate` sets it.
    package internal(set) var span: Range<Int>?
  }

  /// A part of a sentence that no value fits, in the unmatched mode.
  package struct Unmatched: Hashable, Sendable {
    /// The words or the number that did not fit.
    package enum Part: Hashable, Sendable {
      /// The words that stand where a value of a list was expected; `<missing>` for a context key.
      case text(String)
      /// A number outside the range.
      case number(JSONValue)
    }
    package var name: String
    package var part: Part
  }

  /// A reading of the sentence: see `SkipWords`.
  struct Reading: Hashable, Sendable {
    var index: Int
    var isLoose: Bool
  }

  package var intent: String
  /// As written in its document.
  package var template: String
  package var response: String
  /// Matched slots in the order of the sentence, then the block's fixed ones, then the context's.
  package var entities: [Entity]
  package var captures: [Entity] = []
  package var unmatched: [Unmatched] = []
  /// The request's context, with those of the list values laid over it.
  package var context: [String: JSONValue] = [:]
  /// The block's.
  package var metadata: JSONValue?
  /// Characters of the sentence that the template has literally.
  package var literalCharacters: Int
  /// Slots that would take any text.
  package var wildcards: Int
  /// Characters taken by wildcards.
  package var wildcardCharacters: Int
  /// The reading that matched; `nil` where the trees were walked.
  var reading: Reading?

  /// Slot values by name.
  ///
  /// A slot that is filled twice keeps the last.
  package var slots: [String: JSONValue] {
    var slots: [String: JSONValue] = [:]
    for entity in entities { slots[entity.name] = entity.value }
    return slots
  }
}

/// How well a sentence fits a template; the better rank is the smaller one: fewest wildcards, then
/// most literal text, then the shortest wildcards.
struct MatchRank: Hashable, Comparable {
  var wildcards: Int
  var literalCharacters: Int
  var wildcardCharacters: Int

  static func < (a: Self, b: Self) -> Bool {
    if a.wildcards != b.wildcards { return a.wildcards < b.wildcards }
    if a.literalCharacters != b.literalCharacters {
      return a.literalCharacters > b.literalCharacters
    }
    return a.wildcardCharacters < b.wildcardCharacters
  }
}

extension [SentenceMatch] {
  /// Best first: by rank, then by the intent's name, then as they were.
  ///
  /// Linearithmic.
  func ranked() -> [SentenceMatch] {
    guard count > 1 else { return self }
    // Places are sorted, since a match is a large value to move.
    let order = indices.sorted { first, second in
      let (a, b) = (rank(first), rank(second))
      if a != b { return a < b }
      if self[first].intent != self[second].intent {
        return self[first].intent < self[second].intent
      }
      return first < second
    }
    return order.elementsEqual(indices) ? self : order.map { self[$0] }
  }

  private func rank(_ index: Int) -> MatchRank {
    MatchRank(
      wildcards: self[index].wildcards, literalCharacters: self[index].literalCharacters,
      wildcardCharacters: self[index].wildcardCharacters)
  }

  /// The best match.
  ///
  /// With `metadataKey`, matches of blocks that have something there go before all others; with
  /// `slot`, those that fill it, and of several the ones that name it with the longest text.
  package func best(metadataKey: String? = nil, slot name: String? = nil) -> SentenceMatch? {
    var kept = self
    if let metadataKey {
      let marked = kept.filter { isTruthy($0.metadata?.objectValue?[metadataKey]) }
      if !marked.isEmpty { kept = marked }
    }
    if let name {
      func entity(_ match: SentenceMatch) -> SentenceMatch.Entity? {
        match.entities.last { $0.name == name && !$0.isWildcard }
      }
      let filled = kept.filter { entity($0) != nil }
      if !filled.isEmpty {
        let longest = filled.compactMap { match -> Int? in
          guard let entity = entity(match), entity.value.stringValue != nil else { return nil }
          return entity.characters
        }.max()
        kept = filled.filter { match in
          guard let entity = entity(match), entity.value.stringValue != nil else { return true }
          return entity.characters == longest
        }
      }
    }
    return kept.ranked().first
  }
}

private func isTruthy(_ value: JSONValue?) -> Bool {
  switch value {
  case nil, .null?, .bool(false)?, .int(0)?: false
  case .double(let number)?: number != 0
  case .string(let text)?: !text.isEmpty
  case .array(let elements)?: !elements.isEmpty
  case .object(let object)?: !object.members.isEmpty
  case .bool(true)?, .int?: true
  }
}
