package import JSON

/// What an intent takes.
package struct ParameterDefinition: Hashable, Sendable {
  package enum ValueType: String, Hashable, Sendable, CaseIterable {
    case string, integer, decimal, boolean
  }

  package var name: String
  package var type: ValueType
  /// The text list whose values are meant; `nil`: any value of the type.
  package var list: String?
  /// Whether a value that is in no list is accepted as it is.
  package var allowsOtherValues: Bool
  /// Words that no other value may contain: "tomorrow" is no city.
  package var otherValuesExclude: [String] {
    didSet { foldedExclusions = otherValuesExclude.map { NormalizedText(value: $0).folded } }
  }
  /// `otherValuesExclude` as sentences are compared.
  private(set) var foldedExclusions: [[UInt32]]
  package var isRequired: Bool
  /// What a person is shown.
  package var title: String

  package init(
    name: String, type: ValueType = .string, list: String? = nil, allowsOtherValues: Bool = false,
    otherValuesExclude: [String] = [], isRequired: Bool = false, title: String = ""
  ) {
    self.name = name
    self.type = type
    self.list = list
    self.allowsOtherValues = allowsOtherValues
    self.otherValuesExclude = otherValuesExclude
    foldedExclusions = otherValuesExclude.map { NormalizedText(value: $0).folded }
    self.isRequired = isRequired
    self.title = title.isEmpty ? name : title
  }
}

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

/// One intent as its folder under `Intents/` describes it.
package struct IntentDefinition: Hashable, Sendable {
  package var name: String
  package var title: String
  package var description: String
  package var parameters: [ParameterDefinition]
  /// URLs that make this intent, the preferred one first.
  package var routes: [Route]
  /// By language.
  package var examples: [String: [IntentExample]]

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

  package func parameter(named name: String) -> ParameterDefinition? {
    parameters.first { $0.name == name }
  }
}
