/// What a sentence may mean.
package struct Candidate: Hashable, Sendable {
  package var intent: Intent
  package var language: String
  /// The template as it is written in its document.
  package var template: String
  /// Characters of the sentence that the template has literally.
  package var literalCharacters: Int
  /// Slots that would take any text.
  package var wildcards: Int

  package init(
    intent: Intent, language: String, template: String, literalCharacters: Int, wildcards: Int
  ) {
    self.intent = intent
    self.language = language
    self.template = template
    self.literalCharacters = literalCharacters
    self.wildcards = wildcards
  }
}

package enum Recognition: Hashable, Sendable {
  /// `all` begins with `best` and is in order of rank; each intent and template is there once.
  case matched(best: Candidate, all: [Candidate])
  /// Sentences that are near and would match, nearest first.
  case unmatched(suggestions: [String])
  /// The sentence was not looked at, or not to the end.
  case refused(RouterError)
}
