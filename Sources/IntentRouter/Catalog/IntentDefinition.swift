package import JSON

/// A sentence that must be recognised: documentation, test and suggestion at once.
package struct IntentExample: Hashable, Sendable {
  package var sentence: String
  /// The parameters that it must give.
  package var parameters: [String: JSONValue]

  package init(sentence: String, parameters: [String: JSONValue] = [:]) {
    self.sentence = sentence
    self.parameters = parameters
  }
}

/// Parameters that are set together, and what a person is shown for them: the keys by which what
/// was done before is matched.
package struct ParameterCombination: Hashable, Sendable {
  /// In the order of the document; none for an intent without parameters.
  package var parameters: [String]
  /// With `${name}` for a value: "Set ${item} to ${value}".
  package var title: String
  package var isPrimary: Bool

  package init(parameters: [String], title: String = "", isPrimary: Bool = false) {
    self.parameters = parameters
    self.title = title
    self.isPrimary = isPrimary
  }
}

/// Whether a link, which any page or program can open, may make an intent.
package enum LinkRule: String, Hashable, Sendable, CaseIterable {
  /// It is made at once.
  case allow
  /// A person is asked first.
  case ask
  /// It is refused.
  case never
}

/// What may come of a sentence that nearly says an intent.
package enum NearRule: String, Hashable, Sendable, CaseIterable {
  /// It is done where there is no doubt.
  case act
  /// A person is asked.
  case ask
  /// Nothing: it is said exactly, or not at all.
  case never
}

/// One intent as its folder under `Intents/`, or a definition file of Xcode's, describes it.
package struct IntentDefinition: Hashable, Sendable {
  package var name: String
  package var title: String
  package var description: String
  /// The title and the description by language, where they have several versions.
  package var titles: LocalizedText?
  package var descriptions: LocalizedText?
  package var parameters: [ParameterDefinition]
  /// URLs that make this intent, the preferred one first.
  package var routes: [Route]
  /// By language.
  package var examples: [String: [IntentExample]]
  package var combinations: [ParameterCombination] = []
  /// The parameter that matters most to a person.
  package var keyParameter: String?
  /// Whether a person is asked before it is done.
  package var needsConfirmation = false
  /// Whether a link may make it.
  package var links = LinkRule.allow
  package var near = NearRule.act
  /// Whether widgets may be configured by it.
  package var isEligibleForWidgets = true

  package init(
    name: String, title: String = "", description: String = "",
    parameters: [ParameterDefinition] = [], routes: [Route] = [],
    examples: [String: [IntentExample]] = [:]
  ) {
    self.name = name
    self.title = title.isEmpty ? name : title
    self.description = description
    self.parameters = parameters
    self.routes = routes
    self.examples = examples
  }

  /// Returns the parameter of this name; `nil`: the intent has none.
  package func parameter(named name: String) -> ParameterDefinition? {
    parameterIndex(named: name).map { parameters[$0] }
  }

  @inline(__always)
  func parameterIndex(named name: String) -> Int? {
    // In place, here and where it is inlined: definitions and parameters are large values to copy.
    parameters.indices.first { parameters[$0].name == name }
  }

  func hasParameter(named name: String) -> Bool { parameterIndex(named: name) != nil }

  /// Whether nothing is asked for, nor filled in, beside these values.
  func isComplete(with values: [String: JSONValue]) -> Bool {
    parameters.indices.allSatisfy {
      values[parameters[$0].name] != nil
        || (!parameters[$0].isRequired && parameters[$0].defaultValue == nil)
    }
  }

  /// The combination whose parameters are exactly those that an intent sets; `nil` when there is
  /// none: such an intent is no candidate for a suggestion.
  package func combination(of intent: Intent) -> ParameterCombination? {
    let set = Set(intent.parameters.filter { !$0.value.isNull }.keys)
    return combinations.first { Set($0.parameters) == set }
  }
}
