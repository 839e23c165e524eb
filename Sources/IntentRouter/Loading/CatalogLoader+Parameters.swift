import JSON

/// `parameters` and `combinations` of `intent.yaml`.
extension CatalogLoader {
  mutating func readParameter(_ value: LocatedValue, in file: String) -> ParameterDefinition? {
    let members = members(value, "a parameter", in: file)
    guard !members.isEmpty else { return nil }
    checkKeys(
      members,
      known: [
        "name", "type", "list", "otherValues", "otherValuesExclude", "required", "title", "cases",
        "objectType", "array", "default", "minimum", "maximum", "dynamic", "prompt",
        "disambiguation", "unsupported", "parent", "lengthMax", "anyText",
      ], "a parameter", in: file)
    guard let nameValue = value["name"], let name = string(nameValue, "'name'", in: file),
      isIntentName(name)
    else {
      report(
        file, value.line, "a parameter has no valid name",
        expected: "name: letters, digits and '_', beginning with a letter")
      return nil
    }
    var parameter = ParameterDefinition(name: name)
    if let type = value["type"] {
      guard
        let known: ParameterDefinition.ValueType = choice(
          type, "the type of the parameter '\(name)'", in: file)
      else { return nil }
      parameter.type = known
    }
    if let list = value["list"] { parameter.list = string(list, "'list'", in: file) }
    if let others = value["otherValues"] {
      parameter.allowsOtherValues = bool(others, "'otherValues'", in: file) ?? false
    }
    if let excluded = value["otherValuesExclude"] {
      for element in elements(excluded, "'otherValuesExclude'", in: file) {
        if let word = string(element, "a word", in: file) {
          parameter.otherValuesExclude.append(word)
        }
      }
    }
    if let required = value["required"] {
      parameter.isRequired = bool(required, "'required'", in: file) ?? false
    }
    if let title = readText(.title, "title", of: &parameter, value, in: file) {
      parameter.title = title
    }
    readAsking(&parameter, value, in: file)
    guard readKind(&parameter, value, in: file), readTextRules(&parameter, value, in: file),
      readLimits(&parameter, value, in: file)
    else { return nil }
    return parameter
  }

  /// How a person is asked.
  private mutating func readAsking(
    _ parameter: inout ParameterDefinition, _ value: LocatedValue, in file: String
  ) {
    parameter.prompt = readText(.prompt, "prompt", of: &parameter, value, in: file)
    parameter.disambiguationPrompt = readText(
      .disambiguation, "disambiguation", of: &parameter, value, in: file)
    parameter.unsupportedReason = readText(
      .unsupported, "unsupported", of: &parameter, value, in: file)
    if let flag = value["dynamic"] {
      parameter.isDynamic = bool(flag, "'dynamic'", in: file) ?? false
    }
    guard let parent = value["parent"] else { return }
    let members = members(parent, "'parent' of '\(parameter.name)'", in: file)
    checkKeys(members, known: ["parameter", "value"], "'parent'", in: file)
    guard let name = parent["parameter"].flatMap({ string($0, "'parameter'", in: file) }) else {
      report(
        file, parent.line, "'parent' of '\(parameter.name)' names no parameter",
        expected: "parent: {parameter: NAME, value: VALUE}")
      return
    }
    parameter.relationship = .init(
      parent: name, condition: parent["value"].map { .hasValue($0.json) } ?? .hasAnyValue)
  }

  /// Reads a text that people read, and keeps its versions.
  ///
  /// - Returns: the version that is shown where no language decides; `nil`: there is no such key, or
  ///   a mistake, which was reported.
  private mutating func readText(
    _ text: ParameterDefinition.Text, _ key: String, of parameter: inout ParameterDefinition,
    _ value: LocatedValue, in file: String
  ) -> String? {
    guard let written = value[key], let read = localizedText(written, "'\(key)'", in: file) else {
      return nil
    }
    if read.isLocalized { parameter.texts[text] = read }
    return read.text
  }

  /// Lists, cases and the like, which must go with the type.
  private mutating func readKind(
    _ parameter: inout ParameterDefinition, _ value: LocatedValue, in file: String
  ) -> Bool {
    let name = parameter.name
    if let array = value["array"] {
      if case .object(let sizes) = array.node {
        parameter.isArray = true
        for size in sizes {
          guard let count = size.value.json.intValue, (1...Int64(Limits.arrayElementsMax)) ~= count
          else {
            report(
              file, size.line, "'array' of '\(name)' has no size for \(size.key)",
              expected: "a whole number from 1 to \(Limits.arrayElementsMax)")
            continue
          }
          parameter.arraySizes[size.key] = Int(count)
        }
      } else {
        parameter.isArray = bool(array, "'array' of '\(name)'", in: file) ?? false
      }
    }
    if parameter.list != nil, ![.string, .object, .place].contains(parameter.type) {
      report(
        file, value.line, "the parameter '\(name)' has a list but is no string",
        expected: "type: string, object or place")
      return false
    }
    if let type = value["objectType"] {
      parameter.objectType = string(type, "'objectType'", in: file)
    }
    if let cases = value["cases"] { readCases(cases, of: &parameter, in: file) }
    guard (parameter.type == .enumeration) == !parameter.cases.isEmpty else {
      report(
        file, value.line,
        parameter.cases.isEmpty
          ? "the enumeration '\(name)' has no cases" : "the parameter '\(name)' has cases",
        expected: parameter.cases.isEmpty ? "cases: [ONE, OTHER]" : "type: enumeration")
      return false
    }
    return true
  }

  private mutating func readCases(
    _ value: LocatedValue, of parameter: inout ParameterDefinition, in file: String
  ) {
    for element in elements(value, "'cases' of '\(parameter.name)'", in: file) {
      guard parameter.cases.count < Limits.casesMax else {
        report(
          file, element.line, "'\(parameter.name)' has too many cases",
          expected: "at most \(Limits.casesMax)")
        return
      }
      var identifier = element
      var title: LocalizedText?
      if case .object(let members) = element.node {
        checkKeys(members, known: ["name", "title"], "a case", in: file)
        guard let name = element["name"] else {
          report(file, element.line, "a case has no name", expected: "{name: NAME, title: TITLE}")
          continue
        }
        identifier = name
        title = element["title"].flatMap { localizedText($0, "'title'", in: file) }
      }
      guard let name = string(identifier, "a case", in: file) else { continue }
      guard !parameter.cases.contains(where: { $0.identifier == name }) else {
        report(file, element.line, "the case '\(name)' is there twice", expected: "each case once")
        continue
      }
      parameter.cases.append(
        .init(identifier: name, title: title?.text ?? "", index: parameter.cases.count + 1))
      if let title, title.isLocalized {
        parameter.cases[parameter.cases.count - 1].titles = title
      }
    }
  }

  /// Reads `lengthMax` and `anyText`, which say which texts a parameter takes.
  private mutating func readTextRules(
    _ parameter: inout ParameterDefinition, _ value: LocatedValue, in file: String
  ) -> Bool {
    let name = parameter.name
    let hasText = [.string, .object, .place].contains(parameter.type)
    if let limit = value["lengthMax"] {
      guard hasText, let count = limit.json.intValue,
        (1...Int64(Limits.parameterBytesMax)).contains(count)
      else {
        report(
          file, limit.line, "'lengthMax' of '\(name)' is no length of a text",
          expected: "characters, 1 to \(Limits.parameterBytesMax), for a string, object or place")
        return false
      }
      parameter.lengthMax = Int(count)
    }
    if let flag = value["anyText"] {
      guard hasText else {
        report(
          file, flag.line, "'\(name)' has 'anyText' and is no text",
          expected: "type: string, object or place")
        return false
      }
      parameter.takesAnyText = bool(flag, "'anyText'", in: file) ?? false
    }
    return true
  }

  private mutating func readLimits(
    _ parameter: inout ParameterDefinition, _ value: LocatedValue, in file: String
  ) -> Bool {
    let name = parameter.name
    for (key, path) in [
      ("minimum", \ParameterDefinition.minimum), ("maximum", \ParameterDefinition.maximum),
    ] {
      guard let limit = value[key] else { continue }
      guard let number = limit.json.doubleValue, number.isFinite,
        [.integer, .decimal, .duration].contains(parameter.type)
      else {
        report(
          file, limit.line, "'\(key)' of '\(name)' is no limit of its type",
          expected: "a number, for an integer, decimal or duration")
        return false
      }
      parameter[keyPath: path] = number
    }
    if let low = parameter.minimum, let high = parameter.maximum, low > high {
      report(
        file, value.line, "'\(name)' has a minimum above its maximum",
        expected: "minimum <= maximum")
      return false
    }
    guard let standard = value["default"] else { return true }
    guard parameter.isDefault(standard.json) else {
      report(
        file, standard.line, "'default' of '\(name)' is no \(parameter.type.rawValue)",
        expected: "a value of its type")
      return false
    }
    parameter.defaultValue = standard.json
    return true
  }

  // MARK: Between parameters

  mutating func readCombinations(
    of definition: inout IntentDefinition, _ document: LocatedValue, in file: String
  ) {
    if let key = document["keyParameter"], let name = string(key, "'keyParameter'", in: file) {
      if definition.parameter(named: name) == nil {
        report(
          file, key.line, "'keyParameter' names '\(name)', which is no parameter",
          expected: "a parameter of \(definition.name)")
      } else {
        definition.keyParameter = name
      }
    }
    guard let combinations = document["combinations"] else { return }
    for element in elements(combinations, "'combinations'", in: file) {
      guard definition.combinations.count < Limits.casesMax else {
        report(
          file, element.line, "'\(definition.name)' has too many combinations",
          expected: "at most \(Limits.casesMax)")
        return
      }
      let members = members(element, "a combination", in: file)
      checkKeys(members, known: ["parameters", "title", "primary"], "a combination", in: file)
      var combination = ParameterCombination(parameters: [])
      var isKnown = true
      for name in element["parameters"].map({ elements($0, "'parameters'", in: file) }) ?? [] {
        guard let text = string(name, "a parameter's name", in: file) else { continue }
        if definition.parameter(named: text) == nil {
          report(
            file, name.line, "a combination names '\(text)', which is no parameter",
            expected: "a parameter of \(definition.name)")
          isKnown = false
        }
        combination.parameters.append(text)
      }
      combination.title = element["title"].flatMap { string($0, "'title'", in: file) } ?? ""
      combination.isPrimary =
        element["primary"].flatMap { bool($0, "'primary'", in: file) } ?? false
      if isKnown { definition.combinations.append(combination) }
    }
  }

  /// Checks that parents exist and come before their children: a later value cannot rule an earlier
  /// one out.
  mutating func checkRelationships(
    of definition: inout IntentDefinition, _ line: Int, in file: String
  ) {
    var before: Set<String> = []
    for index in definition.parameters.indices {
      let parameter = definition.parameters[index]
      if let parent = parameter.relationship?.parent, !before.contains(parent) {
        report(
          file, line,
          "the parent of '\(parameter.name)' is '\(parent)', which is no parameter before it",
          expected: "a parameter that stands before '\(parameter.name)'")
        definition.parameters[index].relationship = nil
      }
      before.insert(parameter.name)
    }
  }
}
