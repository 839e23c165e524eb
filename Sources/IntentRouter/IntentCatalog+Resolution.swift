/// From names and values that somebody gave to an intent that means something: direct calls and
/// URLs.
package import JSON

extension IntentCatalog {
  /// Checks a direct call and fills in what its values stand for ("beijing" is "Beijing").
  package func resolve(
    name: String, parameters: [String: JSONValue]
  ) -> Result<Intent, RouterError> {
    guard let definition = definition(named: name) else {
      return .failure(.unknown(.unknownIntent, "intent", name, among: definitions.map(\.name)))
    }
    return resolve(definition, parameters)
  }

  func resolve(
    _ definition: IntentDefinition, _ parameters: [String: JSONValue]
  ) -> Result<Intent, RouterError> {
    for name in parameters.keys.sorted() where definition.parameter(named: name) == nil {
      return .failure(
        .unknown(
          .unknownParameter, "parameter of \(definition.name)", name,
          among: definition.parameters.map(\.name)))
    }
    var resolved: [String: JSONValue] = [:]
    for parameter in definition.parameters {
      guard let value = parameters[parameter.name], !value.isNull else {
        guard !parameter.isRequired else {
          return .failure(
            RouterError(
              .missingParameter,
              "\(definition.name) needs the parameter '\(parameter.name)' (\(parameter.title)); add it"
            ))
        }
        continue
      }
      switch resolve(value, for: parameter, of: definition) {
      case .success(let canonical): resolved[parameter.name] = canonical
      case .failure(let error): return .failure(error)
      }
    }
    return .success(Intent(name: definition.name, parameters: resolved))
  }

  private func resolve(
    _ value: JSONValue, for parameter: ParameterDefinition, of definition: IntentDefinition
  ) -> Result<JSONValue, RouterError> {
    func refused(_ problem: String, suggestions: [String] = []) -> Result<JSONValue, RouterError> {
      .failure(
        RouterError(
          .invalidParameter, "\(definition.name): the parameter '\(parameter.name)' \(problem)",
          suggestions: suggestions))
    }
    switch parameter.type {
    case .integer:
      guard let number = value.intValue else {
        return refused("is \(value.typeName); it must be a whole number")
      }
      return .success(.int(number))
    case .decimal:
      guard let number = value.doubleValue, number.isFinite else {
        return refused("is \(value.typeName); it must be a number")
      }
      return .success(.double(number))
    case .boolean:
      guard let flag = value.boolValue else {
        return refused("is \(value.typeName); it must be true or false")
      }
      return .success(.bool(flag))
    case .string:
      guard let text = value.stringValue else {
        return refused("is \(value.typeName); it must be a string")
      }
      guard text.utf8.count <= Limits.parameterBytesMax else {
        return refused(
          "has \(text.utf8.count) bytes; at most \(Limits.parameterBytesMax) are accepted")
      }
      guard !text.unicodeScalars.contains(where: isUnwanted) else {
        return refused("has a character that is not text; remove it")
      }
      let trimmed = NormalizedText(value: text)
      guard !trimmed.isEmpty else { return refused("is empty; give it a value") }
      guard let name = parameter.list, let list = textList(named: name) else {
        return .success(.string(NormalizedText.string(trimmed.cased)))
      }
      if let known = list.value(named: text) { return .success(known.canonical) }
      if parameter.allowsOtherValues {
        return .success(.string(NormalizedText.string(trimmed.cased)))
      }
      let near = nearestNames(to: text, in: list.values.compactMap(\.canonical.stringValue))
      let hint = near.first.map { "did you mean '\($0)'?" } ?? "choose one of the list '\(name)'"
      return refused("cannot be '\(text)'; \(hint)", suggestions: near)
    }
  }

  /// A value from a URL: text that becomes the parameter's type.
  func typed(_ text: String, for parameter: ParameterDefinition) -> JSONValue {
    switch parameter.type {
    case .string: return .string(text)
    case .integer: return Int64(text).map(JSONValue.int) ?? .string(text)
    case .decimal:
      guard let number = Double(text), number.isFinite else { return .string(text) }
      return .double(number)
    case .boolean:
      switch text.lowercased() {
      case "true", "1", "yes": return .bool(true)
      case "false", "0", "no": return .bool(false)
      default: return .string(text)
      }
    }
  }
}

/// Control characters, and the mark of bytes that were no UTF-8.
private func isUnwanted(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0xFFFD
}
