import AppIntents
import Intents
import JSON

/// An intent with the values of a request.
struct ConfiguredIntent<Intent> {
  let intent: Intent
  /// Sentences for the author: values that no parameter took.
  let warnings: [String]
}

extension ConfiguredIntent where Intent: AppIntent {
  /// Makes the intent of a request; what is unknown leaves the default, with a warning.
  static func configure(_ type: Intent.Type, _ call: JSONValue?) async -> Self {
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
    for (_, parameter) in parameters { await parameter.fill() }
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
