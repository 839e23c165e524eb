// The result of a call to an intent, as the Intents framework has it: each parameter in turn is
// taken, asked for, or refused; then the whole is confirmed where a person wants that.

package import JSON

/// One of several values that fit, or one of those that there are.
package struct ResolutionChoice: Hashable, Sendable {
  package var value: JSONValue
  /// The value's name for a person.
  package var title: String

  package init(value: JSONValue, title: String) {
    self.value = value
    self.title = title
  }
}

/// The question that a person has to answer before an intent can be handled.
package struct IntentNeed: Hashable, Sendable {
  package enum Reason: String, Hashable, Sendable {
    /// A parameter has no value.
    case value
    /// Several values fit the words of the sentence.
    case disambiguation
    /// The intent is complete and wants a yes.
    case confirmation
  }

  package var intent: String
  /// The parameters as the caller gave them: the answer is added to these, and all are resolved
  /// again.
  package var parameters: [String: JSONValue]
  /// `nil` for a confirmation.
  package var parameter: String?
  /// The parameter's type; `nil` for a confirmation.
  package var type: ParameterDefinition.ValueType?
  package var reason: Reason
  package var prompt: String
  /// At most `Limits.choicesMax`; none where any value of the type will do, or where there are more
  /// than that.
  package var choices: [ResolutionChoice]
  /// The first values of a list that is too long for `choices`.
  package var told: [String] = []
  /// Values of that list.
  package var toldOf = 0
  /// Whether a value that is in no list is taken as it is.
  package var takesOthers = false
  /// What a sentence that was read nearly may mean, as whole sentences; then the answer is one of
  /// these, and `parameter` is `nil`.
  package var sentences: [String] = []
}

extension IntentNeed {
  /// The question whether to do `intent`, whose parameters are complete.
  package init(confirming intent: Intent, prompt: String) {
    self.init(
      intent: intent.name, parameters: intent.parameters, parameter: nil, type: nil,
      reason: .confirmation, prompt: prompt, choices: [])
  }
}

extension IntentNeed {
  /// The question which of a few sentences was meant by one that was read nearly.
  ///
  /// `intent` is the meaning of the first.
  package init(whichOf sentences: [String], intent: Intent, prompt: String) {
    self.init(
      intent: intent.name, parameters: intent.parameters, parameter: nil, type: nil,
      reason: sentences.count == 1 ? .confirmation : .disambiguation, prompt: prompt,
      choices: sentences.map { ResolutionChoice(value: .string($0), title: $0) })
    self.sentences = sentences
  }
}

/// The result of resolving an intent's parameters: done, a question, or a refusal.
package enum IntentResolution: Hashable, Sendable {
  case ready(Intent)
  case needs(IntentNeed)
  case failed(RouterError)
}
