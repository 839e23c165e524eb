package import JSON

/// A parameter of an intent: its type, its limits, its default, and the question that asks a person
/// for it.
package struct ParameterDefinition: Hashable, Sendable {
  /// The types that intents of Xcode's definition files have; values are JSON.
  package enum ValueType: String, Hashable, Sendable, CaseIterable {
    case string, integer, decimal, boolean
    /// One of `cases`; the value is its identifier.
    case enumeration
    /// A date (`2026-11-21`), a time of day (`09:30`) or a moment (RFC 3339), as text.
    case date
    /// Seconds, as a number.
    case duration
    /// A URL of the strict profile, as text.
    case url
    /// `{"name": …}`, with `latitude` and `longitude` in degrees when they are known.
    case place
    /// `{"identifier": …, "display": …}`, of the type `objectType`.
    case object
  }

  /// One value of an enumeration.
  package struct EnumerationCase: Hashable, Sendable {
    package var identifier: String
    /// The case's name for a person.
    package var title: String
    /// The title by language, where it has several versions.
    package var titles: LocalizedText?
    /// The number that compiled apps know the case by.
    package var index: Int

    package init(identifier: String, title: String = "", index: Int = 0) {
      self.identifier = identifier
      self.title = title.isEmpty ? identifier : title
      self.index = index
    }
  }

  /// When a parameter is asked for at all: never while the condition on its parent does not hold.
  package struct Relationship: Hashable, Sendable {
    /// The value of the parent with which the parameter is asked for.
    package enum Condition: Hashable, Sendable {
      case hasAnyValue
      /// A flag, or the identifier of a case.
      case hasValue(JSONValue)
    }
    package var parent: String
    package var condition: Condition

    package init(parent: String, condition: Condition) {
      self.parent = parent
      self.condition = condition
    }
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
  /// The parameter's name for a person.
  package var title: String
  /// Of an enumeration, in the order of the document.
  package var cases: [EnumerationCase] = []
  /// Of an object.
  package var objectType: String?
  /// Whether the value is a list of values of the type.
  package var isArray = false
  /// How many values an array has, by widget family; families that are absent take any number.
  package var arraySizes: [String: Int] = [:]
  /// Taken when nothing is given.
  package var defaultValue: JSONValue?
  /// Characters of a text; `nil`: only `Limits.parameterBytesMax` bounds it.
  package var lengthMax: Int?
  /// Whether a text may also look like an option of a program or a path out of a folder.
  package var takesAnyText = false
  /// Of numbers and durations, inclusive.
  package var minimum: Double?
  package var maximum: Double?
  /// Whether the provider of a widget says which values there are.
  package var isDynamic = false
  /// The question to a person when the value is missing.
  package var prompt: String?
  /// The question to a person when several values fit.
  package var disambiguationPrompt: String?
  /// The message to a person when a value is refused.
  package var unsupportedReason: String?
  /// The texts that people read by language, those that have several versions.
  package var texts: [Text: LocalizedText] = [:]
  package var relationship: Relationship?

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

  /// The question to a person when several values fit, its own or one made of the title.
  var disambiguationQuestion: String {
    disambiguationPrompt ?? "Which \(title.lowercased()) do you mean?"
  }

  /// Whether a value is one text of a list, whatever the other parameters are.
  var isListedText: Bool { list != nil && isText }

  /// Whether a value is one text, whatever the other parameters are.
  ///
  /// Inlined, so that a parameter is asked in place: it is a large value to copy.
  @inline(__always)
  var isText: Bool { type == .string && !isArray && relationship == nil }

  /// Whether the parameter is asked for beside these values of the others.
  package func isActive(beside values: [String: JSONValue]) -> Bool {
    guard let relationship else { return true }
    guard let value = values[relationship.parent], !value.isNull else { return false }
    switch relationship.condition {
    case .hasAnyValue: return true
    case .hasValue(let wanted): return isSame(value, wanted)
    }
  }
}
