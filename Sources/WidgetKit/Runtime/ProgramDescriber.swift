import AppIntents
import Intents
import JSON
import SwiftUI
import WidgetExtension

/// Describes a program as values, from which a manifest and intents are written.
@MainActor
struct ProgramDescriber {
  typealias Text = ProgramDescription.Text

  private let languages = Translations.languages()
  /// The name of this program in the names of lists.
  private let prefix: String
  private var lists: [String: ProgramDescription.List] = [:]
  /// Sentences for the author.
  private(set) var warnings: [String] = []

  init(programName: String) {
    prefix = Self.listName(programName)
  }

  /// Returns the description; asks the queries of entities for their suggestions.
  mutating func describe(
    _ kinds: [WidgetProgram.Kind], _ options: ProgramCommand.ManifestOptions
  ) async -> ProgramDescription {
    var intents: [ProgramDescription.Intent] = []
    var described: [ProgramDescription.Kind] = []
    for kind in kinds {
      var name: String?
      switch kind.source.configuration {
      case .none: break
      case .appIntent(let type):
        name = type.persistentIdentifier
        if !intents.contains(where: { $0.name == name }) {
          intents.append(await intent(type, configuresWidgets: true))
        }
      // Its definition file becomes the intent.
      case .intent(let type): name = type._intentName
      }
      described.append(description(of: kind, intent: name))
    }
    for type in Self.performedIntents {
      intents.append(await intent(type, configuresWidgets: false))
    }
    addPhrases(to: &intents)
    let program = Self.ownPath
    return ProgramDescription(
      program: options.program ?? program, programName: ProgramCommand.programName,
      appName: options.name ?? Self.bundleName ?? ProgramCommand.programName, app: options.app,
      group: options.group, kinds: described, intents: intents,
      lists: lists.values.sorted { $0.name < $1.name })
  }

  // MARK: Kinds

  private mutating func description(
    of kind: WidgetProgram.Kind, intent: String?
  ) -> ProgramDescription.Kind {
    let traits = kind.traits
    return ProgramDescription.Kind(
      kind: kind.source.kind,
      name: traits.displayName.map { text(of: $0) } ?? Text([]),
      description: traits.description.map { text(of: $0) } ?? Text([]),
      families: kind.families.map(\.description),
      intent: intent, recorded: traits.recorded,
      recommendations: kind.source.recommendations().prefix(Limits.recommendationCountMax).map {
        ProgramDescription.Recommendation(
          title: text(of: $0.title).versions.first?.text ?? "", parameters: $0.parameters)
      })
  }

  /// Returns a text of the interface in all languages.
  private func text(of text: SwiftUI.Text) -> Text {
    Text(
      languages.map { language in
        var environment = EnvironmentValues()
        environment.locale = Locale(identifier: language)
        let content = EntryDrawing.tree(text, in: environment).content(for: .systemSmall)
        return Text.Version(language: language, text: content["title"]?.stringValue ?? "")
      })
  }

  private func text(of resource: LocalizedStringResource?) -> Text {
    guard let resource else { return Text([]) }
    return Text(
      languages.map { language in
        var version = resource
        version.locale = Locale(identifier: language)
        return Text.Version(language: language, text: String(localized: version))
      })
  }

  // MARK: Intents

  /// The intents that a person or a button starts.
  private static var performedIntents: [any AppIntent.Type] {
    OwnIntents.types.values.filter { type in
      !(type is any WidgetConfigurationIntent.Type)
        && !(type is any ControlConfigurationIntent.Type)
        && type != OpenURLIntent.self
    }.sorted { $0.persistentIdentifier < $1.persistentIdentifier }
  }

  private mutating func intent<Intent: AppIntent>(
    _ type: Intent.Type, configuresWidgets: Bool
  ) async -> ProgramDescription.Intent {
    var parameters: [ProgramDescription.Parameter] = []
    for (name, parameter) in type.init().parameters {
      if let described = await description(of: parameter, name) { parameters.append(described) }
    }
    return ProgramDescription.Intent(
      name: type.persistentIdentifier, title: text(of: type.title),
      description: text(of: type.description?.descriptionText),
      configuresWidgets: configuresWidgets, parameters: parameters,
      combinations: type.summaryForms.map {
        ProgramDescription.Combination(parameters: $0.parameters, title: $0.title)
      })
  }

  private mutating func description(
    of parameter: any AnyIntentParameter, _ name: String
  ) async -> ProgramDescription.Parameter? {
    var shape = parameter.type.shape
    var isArray = false
    if case .list(let element) = shape {
      shape = element
      isArray = true
    }
    guard let type = Self.typeName(of: shape) else { return nil }
    var described = ProgramDescription.Parameter(
      name: name, title: text(of: parameter.traits.title), type: type)
    described.isArray = isArray
    described.prompt = parameter.traits.prompt.map { text(of: $0.resource) }
    described.minimum = parameter.traits.range?.lowerBound
    described.maximum = parameter.traits.range?.upperBound
    if let size = parameter.traits.size {
      described.lengths = Dictionary(
        uniqueKeysWithValues: size.lengths.map { ($0.key.rawValue, $0.value) })
    }
    // Of an entity the query knows the default, of a date it is none that lasts.
    if let value = parameter.argument, !value.isNull, type != "object", type != "date" {
      described.defaultValue = value
    }
    // A default that is not written (of a date, of a query) counts when the value is missing.
    await parameter.fillFromOptions()
    described.isRequired = !isArray && !parameter.hasValue
    if case .enumeration(_, let cases) = shape {
      described.cases = cases.map { value in
        ProgramDescription.Parameter.Case(
          name: value.name, title: text(of: value.title),
          synonyms: value.synonyms.map { String(localized: $0) })
      }
    } else if let source = parameter.optionsSource {
      described.isDynamic = true
      described.list = await list(of: source, shape, name)
    }
    return described
  }

  private static func typeName(of shape: _IntentType.Shape) -> String? {
    switch shape {
    case .string: "string"
    case .integer: "integer"
    case .decimal: "decimal"
    case .boolean: "boolean"
    case .date: "date"
    case .duration: "duration"
    case .url: "url"
    case .enumeration: "enumeration"
    case .entity: "object"
    case .other, .list: nil
    }
  }

  // MARK: Lists

  private mutating func list(
    of source: OptionsSource, _ shape: _IntentType.Shape, _ parameter: String
  ) async -> String? {
    let name = Self.listName(of: shape, parameter, prefix: prefix)
    if lists[name] == nil {
      do {
        lists[name] = ProgramDescription.List(
          name: name, values: Self.values(of: try await source.options(matching: nil)))
      } catch {
        warnings.append("no values for sentences of '\(parameter)': \(WidgetKit.describe(error))")
      }
    }
    return name
  }

  /// The name of the list of an entity's or of a parameter's values.
  static func listName(of shape: _IntentType.Shape, _ parameter: String, prefix: String) -> String {
    if case .entity(let type) = shape { return "\(prefix)_\(listName(type))" }
    return "\(prefix)_\(listName(parameter))"
  }

  static func listName(_ text: String) -> String {
    let name = String(
      text.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    return name.first?.isLetter == true ? name : "list_\(name)"
  }

  static func values(of options: [OptionsSource.Option]) -> [ProgramDescription.List.Value] {
    options.prefix(Limits.listValueCountMax).flatMap { option in
      ([option.title] + option.synonyms).compactMap { words in
        let said = SentenceTemplate.said(words)
        return said.isEmpty
          ? nil : ProgramDescription.List.Value(said: said, carried: option.title)
      }
    }
  }

  // MARK: Phrases

  private func addPhrases(to intents: inout [ProgramDescription.Intent]) {
    for provider in Self.shortcutProviders {
      for shortcut in provider.appShortcuts {
        guard let index = intents.firstIndex(where: { $0.name == shortcut.intentName }) else {
          continue
        }
        for language in Set(languages + Translations.languages(table: "AppShortcuts")).sorted() {
          let phrases = shortcut.phrases.compactMap { phrase in
            translated(phrase, into: language)
          }
          guard !phrases.isEmpty else { continue }
          intents[index].phrases.append(
            ProgramDescription.Intent.Phrases(language: language, phrases: phrases))
        }
      }
    }
  }

  /// The phrase in a language; `nil`: nobody translated it.
  private func translated(
    _ phrase: ShortcutPhrase, into language: String
  ) -> [SentenceTemplate.Part]? {
    if let found = Translations.all(of: phrase.key, table: "AppShortcuts").first(where: {
      $0.language == language
    }) {
      return SentenceTemplate.parts(of: found.text)
    }
    return language == languages.first ? SentenceTemplate.parts(of: phrase.key) : nil
  }

  static var shortcutProviders: [any AppShortcutsProvider.Type] {
    ImageTypes.conforming(to: (any AppShortcutsProvider).self).compactMap {
      $0 as? any AppShortcutsProvider.Type
    }
  }

  // MARK: The program

  private static var bundleName: String? {
    let information = Bundle.main.infoDictionary
    return information?["CFBundleDisplayName"] as? String ?? information?["CFBundleName"] as? String
  }

  private static var ownPath: String {
    do {
      return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    } catch {
      // Without the kernel's own link the name of the program is looked up in PATH.
      return ProgramCommand.programName
    }
  }
}
