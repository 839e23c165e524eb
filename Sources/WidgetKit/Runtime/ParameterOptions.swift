import AppIntents
import Intents
import JSON
import WidgetExtension

/// The values that a person may choose for a parameter.
enum ParameterOptions {
  /// Asks the query or the options provider of an app intent's parameter.
  static func answer<Intent: AppIntent>(
    _ type: Intent.Type, _ request: ProviderRequest, _ name: String
  ) async throws -> AnswerMaker.Answer {
    let configured = await ConfiguredIntent.configureSoFar(type, request.intent)
    guard let parameter = configured.intent.parameters.first(where: { $0.name == name })?.parameter
    else { throw unknown(name, type.persistentIdentifier) }
    let options = try await CurrentIntent.$value.withValue(configured.intent) {
      try await parameter.optionsSource?.options(matching: request.search) ?? cases(of: parameter)
    }
    return answer(
      options.map { ["title": .string($0.title), "value": $0.value] },
      warnings: configured.warnings)
  }

  /// Asks the handler of an intent of SiriKit.
  static func answer<Intent: INIntent>(
    _ type: Intent.Type, _ request: ProviderRequest, _ name: String
  ) async throws -> AnswerMaker.Answer {
    let configured = ConfiguredIntent.configure(type, request.intent)
    guard let handler = INExtension.own?.handler(for: configured.intent) else {
      throw ExtensionError(.failed, "no class of the program inherits from INExtension")
    }
    let objects: [SentObject] = try await withCheckedThrowingContinuation { continuation in
      let isOffered = configured.intent._provideOptions(
        for: name, search: request.search, from: handler
      ) { result in
        continuation.resume(with: result.map { $0.map(SentObject.init) })
      }
      if !isOffered { continuation.resume(throwing: unknown(name, type._intentName)) }
    }
    return answer(
      objects.map {
        ["identifier": .string($0.identifier), "display": .string($0.display)]
      }, warnings: configured.warnings)
  }

  /// The names of an object, which is itself bound to a thread.
  private struct SentObject: Sendable {
    let identifier: String
    let display: String

    init(_ object: INObject) {
      identifier = object.identifier ?? object.displayString
      display = object.displayString
    }
  }

  private static func cases(of parameter: any AnyIntentParameter) -> [OptionsSource.Option] {
    var shape = parameter.type.shape
    if case .list(let element) = shape { shape = element }
    guard case .enumeration(_, let cases) = shape else { return [] }
    return cases.map {
      OptionsSource.Option(
        title: String(localized: $0.title), synonyms: [], value: .string($0.name))
    }
  }

  private static func answer(
    _ options: [JSONValue], warnings: [String]
  ) -> AnswerMaker.Answer {
    let shown = Array(options.prefix(Limits.optionCountMax))
    var warnings = warnings
    if shown.count < options.count {
      warnings.append("\(options.count) options; the first \(shown.count) are answered")
    }
    return AnswerMaker.Answer(result: ["options": .array(shown)], warnings: warnings)
  }

  private static func unknown(_ parameter: String, _ intent: String) -> ExtensionError {
    ExtensionError(.invalidParams, "\(intent) offers no values for '\(parameter)'")
  }
}
