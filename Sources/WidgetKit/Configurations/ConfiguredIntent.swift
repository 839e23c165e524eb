import AppIntents
import Intents
import JSON
import WidgetExtension

/// An intent with the values of a request.
struct ConfiguredIntent<Intent> {
  let intent: Intent
  /// Sentences for the author: values that no parameter took.
  let warnings: [String]
  /// The first of them that is of a parameter of the intent: such an intent is not performed.
  var refused: String? = nil
}

extension ConfiguredIntent where Intent: AppIntent {
  /// Makes the intent of a request for entries.
  ///
  /// A value that a parameter does not take leaves its default, with a warning. A parameter that is
  /// not optional and has no value then is a problem: to read it would end the program.
  static func configure(
    _ type: Intent.Type, _ call: JSONValue?
  ) async throws(ParameterProblem) -> Self {
    let given = await given(type, call)
    for (name, parameter) in given.intent.parameters {
      await parameter.fill()
      guard !parameter.hasValue else { continue }
      if let problem = given.problems.first(where: { $0.parameter == name }) { throw problem }
      throw await .missing(name, parameter)
    }
    return Self(
      intent: given.intent,
      warnings: given.warnings + given.problems.map { "\($0.sentence); its default holds" })
  }

  /// Makes the intent of a request for the options of a parameter, with what is known so far.
  static func configureSoFar(_ type: Intent.Type, _ call: JSONValue?) async -> Self {
    let given = await given(type, call)
    for (_, parameter) in given.intent.parameters { await parameter.fill() }
    return Self(intent: given.intent, warnings: given.warnings + given.problems.map(\.sentence))
  }

  /// Makes the intent of a request that is performed.
  ///
  /// A value that was given and that its parameter does not take is a problem, whatever the default:
  /// the person meant another object. A parameter that is not optional and that nobody gave needs a
  /// default, or one that its query names.
  static func configureToPerform(
    _ type: Intent.Type, _ call: JSONValue?
  ) async throws(ParameterProblem) -> Self {
    let given = await given(type, call)
    if let problem = given.problems.first { throw problem }
    for (name, parameter) in given.intent.parameters {
      await parameter.fillFromOptions()
      if parameter.type.isList { await parameter.fill() }
      guard !parameter.hasValue else { continue }
      var problem = await ParameterProblem.missing(name, parameter)
      problem.sentence += "; give '\(name)' with it"
      throw problem
    }
    return Self(intent: given.intent, warnings: given.warnings)
  }

  /// An intent with the values that its parameters took.
  private struct Given {
    var intent: Intent
    /// About names that no parameter has.
    var warnings: [String] = []
    /// About values that no parameter took, in the order of the request.
    var problems: [ParameterProblem] = []
  }

  private static func given(_ type: Intent.Type, _ call: JSONValue?) async -> Given {
    var given = Given(intent: type.init())
    let parameters = given.intent.parameters
    for member in call?["parameters"]?.objectValue?.members ?? [] {
      guard let parameter = parameters.first(where: { $0.name == member.key })?.parameter else {
        let near = nearest(to: member.key, among: parameters.map(\.name), countMax: 1)
        given.warnings.append(
          "\(type.persistentIdentifier) has no parameter '\(member.key)'\(didYouMean(near))")
        continue
      }
      if member.value.isNull { continue }
      if let problem = await parameter.take(member.value, as: member.key) {
        given.problems.append(problem)
      }
    }
    return given
  }
}

extension ConfiguredIntent where Intent: INIntent {
  /// Makes the intent of a request; what is unknown leaves the default, with a warning.
  static func configure(_ type: Intent.Type, _ call: JSONValue?) -> Self {
    let intent = type.init()
    var warnings: [String] = []
    var refused: String?
    for member in call?["parameters"]?.objectValue?.members ?? [] where !member.value.isNull {
      if intent.take(member.key, INIntent.Value(member.value)) { continue }
      let written = member.value.serialized.prefix(80)
      let sentence = "\(written) is no value of '\(member.key)' of \(type._intentName)"
      warnings.append(sentence)
      // Parameters of types that are not here are no part of the class.
      if refused == nil, intent._parameters[member.key] != nil { refused = sentence }
    }
    return Self(intent: intent, warnings: warnings, refused: refused)
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
