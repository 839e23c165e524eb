/// An intent that the person uses, and how much it is wanted now.
package struct CompletionHabit: Hashable, Sendable {
  package var intent: Intent
  /// In any unit; more is more, and 0 or less is nothing.
  package var score: Double

  package init(intent: Intent, score: Double) {
    self.intent = intent
    self.score = score
  }
}

/// A sentence that begins as a person's text does.
package struct SentenceCompletion: Hashable, Sendable {
  /// What the sentence means.
  package enum Meaning: Hashable, Sendable {
    /// Recognised, and complete.
    case intent(Intent)
    /// Recognised; a person has to say more than the sentence.
    case needs(IntentNeed, template: String)
    /// The next words are a value of which there is no list, as after "remind me to ": with one, it
    /// is recognised.
    case unfinished(IntentNeed)
  }

  /// Begins with the text, scalar by scalar, unless `changes` says what was changed in it.
  package var sentence: String
  package var language: String
  package var meaning: Meaning
  /// What was changed in the text; nothing where it was completed as it is.
  package var changes: [NearChange] = []

  package init(
    sentence: String, language: String, meaning: Meaning, changes: [NearChange] = []
  ) {
    self.sentence = sentence
    self.language = language
    self.meaning = meaning
    self.changes = changes
  }

  /// The name of the intent that the sentence means.
  package var intent: String { meaning.intent }
}
