/// Phrases of a language that near reading may leave out of a sentence, and those with which it does
/// nothing.
package struct NearWords: Hashable, Sendable {
  /// Said without a change of meaning: "um", "if you can".
  package var fillers: [String]
  /// Turn a command into something else: "not", "except", "tomorrow".
  package var blockers: [String]

  package init(fillers: [String] = [], blockers: [String] = []) {
    self.fillers = fillers
    self.blockers = blockers
  }
}

/// The phrases of a language, by its code; none for a language without them.
///
/// It must be the same for equal arguments.
package typealias NearWordsOfLanguage = @Sendable (_ language: String) -> NearWords
