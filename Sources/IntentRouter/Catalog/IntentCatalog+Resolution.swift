package import JSON

/// Resolution: checks the names and values of a direct call, a sentence or a URL, and makes them an
/// intent.
extension IntentCatalog {
  /// Checks a direct call and fills in what its values stand for ("beijing" is "Beijing").
  ///
  /// A question to a person is a refusal here.
  package func resolve(
    name: String, parameters: [String: JSONValue]
  ) -> Result<Intent, RouterError> {
    guard let definition = definition(named: name) else {
      return .failure(.unknown(.unknownIntent, "intent", name, among: definitions.map(\.name)))
    }
    return resolve(definition, parameters)
  }

  /// Resolves a call of a person, who can answer questions.
  ///
  /// `isConfirmed` means that the person confirmed the whole intent. `options` are the providers'
  /// values of dynamic parameters. Questions are in the first of `languages` that they have.
  package func resolution(
    name: String, parameters: [String: JSONValue], isConfirmed: Bool = false,
    options: [String: [ResolutionChoice]] = [:], in languages: [String] = []
  ) -> IntentResolution {
    guard let definition = definition(named: name) else {
      return .failed(.unknown(.unknownIntent, "intent", name, among: definitions.map(\.name)))
    }
    return resolution(
      definition, parameters, isConfirmed: isConfirmed, options: options, in: languages)
  }

  func resolve(
    _ definition: IntentDefinition, _ parameters: [String: JSONValue]
  ) -> Result<Intent, RouterError> {
    switch resolution(definition, parameters, isConfirmed: true) {
    case .ready(let intent): return .success(intent)
    case .failed(let error): return .failure(error)
    case .needs(let need):
      let name = need.parameter ?? ""
      if need.reason == .disambiguation {
        let titles = need.choices.map(\.title)
        return .failure(
          RouterError(
            .invalidParameter,
            "\(definition.name): the parameter '\(name)' means several: \(titles.joined(separator: ", ")); give one of them",
            suggestions: titles))
      }
      let title = definition.parameter(named: name)?.title ?? name
      return .failure(
        RouterError(
          .missingParameter, "\(definition.name) needs the parameter '\(name)' (\(title)); add it"))
    }
  }

  func resolution(
    _ definition: IntentDefinition, _ parameters: [String: JSONValue], isConfirmed: Bool,
    options: [String: [ResolutionChoice]] = [:], in languages: [String] = []
  ) -> IntentResolution {
    let unknown = parameters.keys.filter { !definition.hasParameter(named: $0) }
    if let name = unknown.min() {
      return .failed(
        .unknown(
          .unknownParameter, "parameter of \(definition.name)", name,
          among: definition.parameters.map(\.name)))
    }
    func need(
      _ reason: IntentNeed.Reason, _ parameter: ParameterDefinition?, _ prompt: String,
      _ choices: [ResolutionChoice]
    ) -> IntentResolution {
      var need = IntentNeed(
        intent: definition.name, parameters: parameters, parameter: parameter?.name,
        type: parameter?.type, reason: reason,
        prompt: filled(
          prompt, parameter, parameters[parameter?.name ?? ""] ?? .null, choices.count),
        choices: Array(choices.prefix(Limits.choicesMax)))
      if reason == .value, let list = parameter?.list {
        need.takesOthers = parameter?.allowsOtherValues ?? false
        if choices.isEmpty, let told = told(ofList: list) {
          (need.told, need.toldOf) = (told.titles, told.count)
        }
      }
      return .needs(need)
    }
    var resolved: [String: JSONValue] = [:]
    for index in definition.parameters.indices {
      let name = definition.parameters[index].name
      let given = parameters[name] ?? .null
      let dynamic = options[name]
      if dynamic == nil, let text = given.stringValue,
        let value = listedValue(text, for: definition.parameters[index])
      {
        resolved[name] = value
        continue
      }
      let parameter = definition.parameters[index]
      // A parameter that its parent rules out is no part of the intent.
      guard parameter.isActive(beside: resolved) else { continue }
      guard let value = given.isNull ? parameter.defaultValue : given else {
        guard parameter.isRequired else { continue }
        // Only what is shown is translated: most intents need no question.
        let shown = parameter.localized(in: languages)
        return need(
          .value, shown, shown.prompt ?? "Which \(shown.title.lowercased())?",
          choices(of: shown, dynamic))
      }
      switch resolve(value, for: parameter, dynamic) {
      case .success(let canonical): resolved[parameter.name] = canonical
      case .ambiguous(let choices):
        let shown = parameter.localized(in: languages)
        return need(.disambiguation, shown, shown.disambiguationQuestion, choices)
      case .unsupported(let problem, let suggestions):
        let shown = parameter.localized(in: languages)
        let reason = shown.unsupportedReason.map { " (\($0))" } ?? ""
        return .failed(
          RouterError(
            .invalidParameter,
            "\(definition.name): the parameter '\(parameter.name)' \(problem)\(reason)",
            suggestions: suggestions))
      }
    }
    if definition.needsConfirmation, !isConfirmed {
      return need(.confirmation, nil, "\(definition.title(in: languages))?", [])
    }
    let intent = Intent(name: definition.name, parameters: resolved)
    // The key is made only where it can be too long.
    let size =
      intent.canonicalBytesMax <= Limits.intentBytesMax ? 0 : intent.canonicalKey.utf8.count
    guard size <= Limits.intentBytesMax else {
      return .failed(
        RouterError(
          .invalidParameter,
          "\(definition.name): its parameters have \(size) bytes together; at most \(Limits.intentBytesMax) are accepted",
          suggestions: []))
    }
    return .ready(intent)
  }

  /// The value of a text parameter that names one value of the parameter's list: the way that most
  /// values take.
  ///
  /// `nil`: `resolve` decides.
  private func listedValue(_ text: String, for parameter: ParameterDefinition) -> JSONValue? {
    guard parameter.isListedText, isNormalizedASCII(text), let name = parameter.list,
      let list = textList(named: name), let known = list.canonicalText(named: text)
    else { return nil }
    return .string(known)
  }

  /// Returns the first dynamic parameter whose options are needed to resolve the intent.
  ///
  /// That is a parameter with a text for its value, which is `search`, or a required one without a
  /// value. `nil` if there is none, or if all options are known.
  package func openOptions(
    of name: String, parameters: [String: JSONValue], asked: Set<String> = []
  ) -> (parameter: String, search: String?)? {
    guard let index = definitionIndex(named: name) else { return nil }
    // Few intents have dynamic parameters; looked at in place, since a parameter is large to copy.
    let places = definitions[index].parameters.indices
    guard places.contains(where: { definitions[index].parameters[$0].isDynamic }) else {
      return nil
    }
    var values = parameters
    for parameter in definitions[index].parameters {
      guard parameter.isActive(beside: values) else { continue }
      let given = values[parameter.name] ?? .null
      if given.isNull, let standard = parameter.defaultValue { values[parameter.name] = standard }
      guard parameter.isDynamic, !asked.contains(parameter.name) else { continue }
      if given.isNull {
        if parameter.isRequired, parameter.defaultValue == nil { return (parameter.name, nil) }
        continue
      }
      let elements = given.arrayValue ?? [given]
      // An object with an identifier of its own was chosen before.
      if let said = elements.lazy.compactMap({ $0.words }).first { return (parameter.name, said) }
    }
    return nil
  }

  /// The values there are, where they can be listed.
  private func choices(
    of parameter: ParameterDefinition, _ dynamic: [ResolutionChoice]?
  ) -> [ResolutionChoice] {
    if let dynamic { return dynamic }
    if parameter.type == .enumeration {
      return parameter.cases.map { .init(value: .string($0.identifier), title: $0.title) }
    }
    // A long list is no choice to show: the person types a value instead.
    guard let list = parameter.list, let values = values(ofList: list),
      values.count <= Limits.choicesMax
    else { return [] }
    return values.map { .init(value: $0, title: title(of: $0)) }
  }

  private func resolve(
    _ value: JSONValue, for parameter: ParameterDefinition, _ dynamic: [ResolutionChoice]?
  ) -> ValueResolution {
    guard parameter.isArray else { return resolveOne(value, for: parameter, dynamic) }
    let elements: [JSONValue]
    if case .array(let given) = value { elements = given } else { elements = [value] }
    let countMax = parameter.arraySizes.values.max() ?? Limits.arrayElementsMax
    guard elements.count <= countMax else {
      return .refused("has \(elements.count) values; at most \(countMax) are taken")
    }
    var resolved: [JSONValue] = []
    for element in elements {
      switch resolveOne(element, for: parameter, dynamic) {
      case .success(let one): resolved.append(one)
      case .ambiguous(let choices):
        let titles = choices.map(\.title)
        return .refused(
          "means several: \(titles.joined(separator: ", ")); give one of them", suggestions: titles)
      case .unsupported(let problem, let suggestions):
        return .unsupported(problem: problem, suggestions: suggestions)
      }
    }
    return .success(.array(resolved))
  }

  private func resolveOne(
    _ value: JSONValue, for parameter: ParameterDefinition, _ dynamic: [ResolutionChoice]?
  ) -> ValueResolution {
    guard case .success(let plain) = parameter.resolveScalar(value) else {
      return parameter.resolveScalar(value)
    }
    if let dynamic { return choose(plain, among: dynamic, for: parameter) }
    guard let name = parameter.list, let list = textList(named: name),
      let text = plain.stringValue ?? plain.objectValue?["display"]?.stringValue
        ?? plain.objectValue?["name"]?.stringValue
    else { return .success(plain) }
    let known = list.values(named: text)
    if known.count > 1 {
      return .ambiguous(known.map { .init(value: $0.canonical, title: title(of: $0.canonical)) })
    }
    if let only = known.first { return parameter.resolveScalar(only.canonical) }
    if parameter.allowsOtherValues { return .success(plain) }
    let near = nearestNames(to: text, in: list.values.compactMap(\.canonical.stringValue))
    let hint = near.first.map { "did you mean '\($0)'?" } ?? "choose one of the list '\(name)'"
    return .refused("cannot be '\(text)'; \(hint)", suggestions: near)
  }

  /// The option that is the value, or has its title.
  private func choose(
    _ value: JSONValue, among options: [ResolutionChoice], for parameter: ParameterDefinition
  ) -> ValueResolution {
    let same = options.filter {
      isSame($0.value, value) || identifier($0.value) == identifier(value)
    }
    if let exact = same.first { return .success(exact.value) }
    let text = caseFolded(title(of: value))
    let titled = options.filter { caseFolded($0.title) == text }
    let found = titled.isEmpty ? options.filter { contains($0.title, text) } : titled
    if found.count > 1 { return .ambiguous(found) }
    if let only = found.first { return .success(only.value) }
    if parameter.allowsOtherValues { return .success(value) }
    let near = nearestNames(to: title(of: value), in: options.map(\.title))
    let hint = near.first.map { "did you mean '\($0)'?" } ?? "choose one of its options"
    return .refused("cannot be \(quoted(title(of: value))); \(hint)", suggestions: near)
  }

  private func contains(_ title: String, _ folded: String) -> Bool {
    !folded.isEmpty && caseFolded(title).contains(folded)
  }

  private func identifier(_ value: JSONValue) -> JSONValue {
    value.objectValue?["identifier"] ?? value
  }

  /// A prompt as a definition file has it: `${count}`, `${displayName}` and the parameter's own
  /// name stand for what is the case.
  ///
  /// The words of a person or a link are quoted, where the prompt has no quotation marks of its own
  /// on both sides of them. They have no mark that could close either.
  private func filled(
    _ prompt: String, _ parameter: ParameterDefinition?, _ given: JSONValue, _ count: Int
  ) -> String {
    guard let parameter, prompt.contains("${") else { return prompt }
    let texts = [
      "count": "\(count)", "displayName": parameter.title,
      parameter.name: given.isNull ? parameter.title : inQuestion(title(of: given)),
    ]
    var result = ""
    var rest = prompt[...]
    while let start = rest.firstRange(of: "${"),
      let end = rest[start.upperBound...].firstIndex(of: "}")
    {
      let name = String(rest[start.upperBound..<end])
      result += rest[..<start.lowerBound]
      let behind = rest.index(after: end)
      let isQuoted =
        result.unicodeScalars.last.map(looksLikeQuotationMark) ?? false
        && behind < rest.endIndex && looksLikeQuotationMark(rest.unicodeScalars[behind])
      let isSaid = name == parameter.name && !given.isNull
      let text = texts[name] ?? ""
      result += isSaid && !isQuoted ? "'\(text)'" : text
      rest = rest[behind...]
    }
    return result + rest
  }

  /// The text that shows a value to a person.
  func title(of value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .object(let object):
      object["display"]?.stringValue ?? object["name"]?.stringValue ?? value.serialized
    case .null, .bool, .int, .double, .array: value.serialized
    }
  }

  /// A value from a URL: text that becomes the parameter's type.
  func typed(_ text: String, for parameter: ParameterDefinition) -> JSONValue {
    parameter.typed(text)
  }
}

extension JSONValue {
  /// The words that a value was made of: a text, or an object that is only its name.
  fileprivate var words: String? {
    if let stringValue { return stringValue }
    guard let object = objectValue else { return nil }
    if let name = object["name"]?.stringValue, object["latitude"] == nil { return name }
    guard let display = object["display"]?.stringValue, object["identifier"]?.stringValue == display
    else { return nil }
    return display
  }
}
