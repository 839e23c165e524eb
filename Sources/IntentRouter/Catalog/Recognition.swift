package import JSON

/// One meaning of a sentence.
package struct Candidate: Hashable, Sendable {
  /// A slot of the template: its words in the sentence and its value.
  package struct Slot: Hashable, Sendable {
    package var name: String
    package var value: JSONValue
    /// The words of the sentence; empty for a value that the document gives.
    package var text: String
    package var isWildcard: Bool
    /// Where it was said: code points of the sentence, half open; `nil` when that was not asked
    /// for.
    package var span: Range<Int>?
  }

  package var intent: Intent
  package var language: String
  /// The template as it is written in its document.
  package var template: String
  package var slots: [Slot] = []
  /// Characters of the sentence that the template has literally.
  package var literalCharacters: Int
  /// Slots that would take any text.
  package var wildcards: Int
  /// Characters taken by wildcards.
  package var wildcardCharacters = 0

  package init(
    intent: Intent, language: String, template: String, literalCharacters: Int, wildcards: Int
  ) {
    self.intent = intent
    self.language = language
    self.template = template
    self.literalCharacters = literalCharacters
    self.wildcards = wildcards
  }

  var rank: MatchRank {
    MatchRank(
      wildcards: wildcards, literalCharacters: literalCharacters,
      wildcardCharacters: wildcardCharacters)
  }

  /// Whether nothing in the ranking tells the two apart but their names.
  func ranks(like other: Candidate) -> Bool { rank == other.rank }
}

/// The result of recognising a sentence.
package enum Recognition: Hashable, Sendable {
  /// The meanings, by rank: `all` begins with `best` and has each pair of intent and template once,
  /// or, when only the best was asked for, those that rank like it.
  case matched(best: Candidate, all: [Candidate])
  /// The sentence was understood as far as it goes; a person has to say more.
  case needs(IntentNeed, language: String, template: String)
  /// Sentences that are near and would match, nearest first.
  case unmatched(suggestions: [String])
  /// The sentence was not looked at, or not to the end.
  case refused(RouterError)
}

/// The part of a sentence that kept it from being understood.
package struct Misunderstanding: Hashable, Sendable {
  /// The parameter that the words were meant for.
  package var parameter: String
  /// The parameter's name for a person.
  package var title: String
  /// The words.
  package var text: String
  /// The value that is a slip away.
  package var nearest: String?

  /// The message for a person, as in "no city is called 'kichen'; did you mean 'kitchen'?".
  package var message: String {
    "no \(title.lowercased()) is called '\(text)'"
      + (nearest.map { "; did you mean '\($0)'?" } ?? "")
  }
}
