package import JSON

/// What a widget's program says of itself, as values: its kinds, its intents and its sentences.
package struct ProgramDescription: Hashable, Sendable {
  /// A text in the languages of the program; the first is that of its code.
  package struct Text: Hashable, Sendable {
    package struct Version: Hashable, Sendable {
      package var language: String
      package var text: String

      package init(language: String, text: String) {
        self.language = language
        self.text = text
      }
    }
    package var versions: [Version]

    package init(_ versions: [Version]) { self.versions = versions }

    /// One text where all languages say the same, else an object by language.
    var json: JSONValue? {
      guard let first = versions.first, !first.text.isEmpty else { return nil }
      guard versions.contains(where: { $0.text != first.text }) else { return .string(first.text) }
      var members = JSONObject()
      for version in versions { members[version.language] = .string(version.text) }
      return .object(members)
    }
  }

  /// A kind of widget.
  package struct Kind: Hashable, Sendable {
    package var kind: String
    package var name: Text
    package var description: Text
    package var families: [String]
    /// The name of the intent that configures it.
    package var intent: String?
    /// Modifiers without a meaning here.
    package var recorded: [String]
    package var recommendations: [Recommendation]

    package init(
      kind: String, name: Text, description: Text, families: [String], intent: String?,
      recorded: [String] = [], recommendations: [Recommendation] = []
    ) {
      self.kind = kind
      self.name = name
      self.description = description
      self.families = families
      self.intent = intent
      self.recorded = recorded
      self.recommendations = recommendations
    }
  }

  /// A configuration that a provider recommends.
  package struct Recommendation: Hashable, Sendable {
    package var title: String
    package var parameters: JSONObject

    package init(title: String, parameters: JSONObject) {
      self.title = title
      self.parameters = parameters
    }
  }

  /// A parameter of an intent.
  package struct Parameter: Hashable, Sendable {
    package var name: String
    package var title: Text
    package var prompt: Text?
    /// A type of `intent.yaml`.
    package var type: String
    package var isRequired: Bool
    /// Whether the program offers the values.
    package var isDynamic: Bool
    package var isArray: Bool
    /// How many values the sizes of a widget have.
    package var lengths: [String: Int]
    package var minimum: Double?
    package var maximum: Double?
    package var defaultValue: JSONValue?
    /// Of an enumeration.
    package var cases: [Case]
    /// The list of the values that sentences name.
    package var list: String?

    /// A case of an enumeration.
    package struct Case: Hashable, Sendable {
      package var name: String
      package var title: Text
      package var synonyms: [String]

      package init(name: String, title: Text, synonyms: [String] = []) {
        self.name = name
        self.title = title
        self.synonyms = synonyms
      }
    }

    package init(name: String, title: Text, type: String) {
      self.name = name
      self.title = title
      self.type = type
      isRequired = false
      isDynamic = false
      isArray = false
      lengths = [:]
      cases = []
    }
  }

  /// Parameters that are set together.
  package struct Combination: Hashable, Sendable {
    package var parameters: [String]
    /// With `${name}` for a value.
    package var title: String

    package init(parameters: [String], title: String) {
      self.parameters = parameters
      self.title = title
    }
  }

  /// An intent.
  package struct Intent: Hashable, Sendable {
    package var name: String
    package var title: Text
    package var description: Text
    /// Whether it configures a kind; any other one is performed.
    package var configuresWidgets: Bool
    package var parameters: [Parameter]
    package var combinations: [Combination]
    /// By language; the first is that of the code.
    package var phrases: [Phrases]

    /// The sentences of one language.
    package struct Phrases: Hashable, Sendable {
      package var language: String
      package var phrases: [[SentenceTemplate.Part]]

      package init(language: String, phrases: [[SentenceTemplate.Part]]) {
        self.language = language
        self.phrases = phrases
      }
    }

    package init(
      name: String, title: Text, description: Text, configuresWidgets: Bool,
      parameters: [Parameter], combinations: [Combination], phrases: [Phrases] = []
    ) {
      self.name = name
      self.title = title
      self.description = description
      self.configuresWidgets = configuresWidgets
      self.parameters = parameters
      self.combinations = combinations
      self.phrases = phrases
    }
  }

  /// Values that sentences name.
  package struct List: Hashable, Sendable {
    package var name: String
    package var values: [Value]

    /// What a person says, and what the intent carries.
    package struct Value: Hashable, Sendable {
      package var said: String
      package var carried: String

      package init(said: String, carried: String) {
        self.said = said
        self.carried = carried
      }
    }

    package init(name: String, values: [Value]) {
      self.name = name
      self.values = values
    }
  }

  /// The program as the manifest names it.
  package var program: String
  /// The name of the program, for names of files.
  package var programName: String
  /// The name of the app in sentences.
  package var appName: String
  /// The desktop id of the app.
  package var app: String?
  package var group: String?
  package var kinds: [Kind]
  package var intents: [Intent]
  package var lists: [List]
  /// The names of the intents of definition files that the program performs.
  package var definedActs: [String] = []

  package init(
    program: String, programName: String, appName: String, app: String? = nil,
    group: String? = nil, kinds: [Kind], intents: [Intent], lists: [List]
  ) {
    self.program = program
    self.programName = programName
    self.appName = appName
    self.app = app
    self.group = group
    self.kinds = kinds
    self.intents = intents
    self.lists = lists
  }

  /// A file of a configuration folder.
  package struct File: Hashable, Sendable {
    /// The path below the folder.
    package var path: String
    package var text: String

    package init(path: String, text: String) {
      self.path = path
      self.text = text
    }
  }
}
