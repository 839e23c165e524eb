import AppIntents
import Intents
import JSON
import WidgetExtension

/// An intent with the values of a request.
struct ConfiguredIntent<Intent> {
  let intent: Intent
  /// Sentences for the author: values that no parameter took.
  let warnings: [String]
}

extension ConfiguredIntent where Intent: AppIntent {
  /// Makes the intent of a request; what is unknown leaves the default, with a warning.
  static func configure(_ type: Intent.Type, _ call: JSONValue?) async -> Self {
    let configured = await given(type, call)
    for (_, parameter) in configured.intent.parameters { await parameter.fill() }
    return configured
  }

  /// Makes the intent of a request that is performed: a parameter that is not optional needs a value
  /// of the request, a default, or one that its query names.
  ///
  /// The first one without any is an error for the person: to read it would end the program.
  static func configureToPerform(
    _ type: Intent.Type, _ call: JSONValue?
  ) async throws(ExtensionError) -> Self {
    let configured = await given(type, call)
    for (name, parameter) in configured.intent.parameters {
      await parameter.fillFromOptions()
      if parameter.type.isList { await parameter.fill() }
      guard !parameter.hasValue else { continue }
      let title = parameter.traits.title.map { String(localized: $0) } ?? name
      let given = call?["parameters"]?[name] ?? .null
      guard given.isNull else {
        let words = given["display"]?.stringValue ?? given.stringValue ?? given.serialized
        throw ExtensionError(.failed, "'\(words.prefix(80))' is no value of '\(title)'")
      }
      throw ExtensionError(
        .failed, "it needs '\(title)', and nobody gave it; give '\(name)' with it")
    }
    return configured
  }

  private static func given(_ type: Intent.Type, _ call: JSONValue?) async -> Self {
    let intent = type.init()
    let parameters = intent.parameters
    var warnings: [String] = []
    for member in call?["parameters"]?.objectValue?.members ?? [] {
      guard let parameter = parameters.first(where: { $0.name == member.key })?.parameter else {
        let near = nearest(to: member.key, among: parameters.map(\.name), countMax: 1)
        warnings.append(
          "\(type.persistentIdentifier) has no parameter '\(member.key)'\(didYouMean(near))")
        continue
      }
      if member.value.isNull { continue }
      do {
        guard try await !parameter.set(member.value) else { continue }
        let written = member.value.serialized.prefix(80)
        warnings.append(
          "\(written) is no value of '\(member.key)' of \(type.persistentIdentifier); its default holds"
        )
      } catch {
        warnings.append("'\(member.key)' of \(type.persistentIdentifier): \(describe(error))")
      }
    }
    return Self(intent: intent, warnings: warnings)
  }
}

extension ConfiguredIntent where Intent: INIntent {
  /// Makes the intent of a request; what is unknown leaves the default, with a warning.
  static func configure(_ type: Intent.Type, _ call: JSONValue?) -> Self {
    let intent = type.init()
    var warnings: [String] = []
    for member in call?["parameters"]?.objectValue?.members ?? [] where !member.value.isNull {
      if intent.take(member.key, INIntent.Value(member.value)) { continue }
      let written = member.value.serialized.prefix(80)
      warnings.append("\(written) is no value of '\(member.key)' of \(type._intentName)")
    }
    return Self(intent: intent, warnings: warnings)
  }
}

/// Returns an error in words for a person.
func describe(_ error: any Error) -> String {
  if let localized = error as? any LocalizedError, let text = localized.errorDescription {
    return text
  }
  if let worded = error as? any CustomLocalizedStringResourceConvertible {
    return String(localized: worded.localizedStringResource)
  }
  return String(describing: error)
}
