import JSON

/// `intent.yaml` and `examples.yaml`.
extension CatalogLoader {
  mutating func readIntent(_ source: CatalogSource) {
    let file = source.file
    let document = source.document
    let members = members(document, "the document", in: file)
    checkKeys(
      members,
      known: [
        "name", "title", "description", "parameters", "routes", "combinations", "keyParameter",
        "confirm", "links", "near", "widgets",
      ], "an intent", in: file)
    guard let nameValue = document["name"], let name = string(nameValue, "'name'", in: file) else {
      if document["name"] == nil {
        report(file, document.line, "the intent has no key 'name'", expected: "name: ShowSomething")
      }
      return
    }
    guard isIntentName(name) else {
      report(
        file, nameValue.line, "the intent's name is '\(name)'",
        expected: "letters, digits and '_', beginning with a letter")
      return
    }
    if let place = definitionPlaces[name] {
      report(
        file, nameValue.line, "the intent '\(name)' is defined already",
        expected: "another name; the first is at \(place.file):\(place.line)")
      return
    }
    let title = document["title"].flatMap { localizedText($0, "'title'", in: file) }
    let description = document["description"].flatMap {
      localizedText($0, "'description'", in: file)
    }
    var definition = IntentDefinition(
      name: name, title: title?.text ?? name, description: description?.text ?? "")
    definition.titles = title.flatMap { $0.isLocalized ? $0 : nil }
    definition.descriptions = description.flatMap { $0.isLocalized ? $0 : nil }
    if let parameters = document["parameters"] {
      for element in elements(parameters, "'parameters'", in: file) {
        guard definition.parameters.count < Limits.parametersMax else {
          report(
            file, element.line, "'\(name)' has too many parameters",
            expected: "at most \(Limits.parametersMax)")
          break
        }
        guard let parameter = readParameter(element, in: file) else { continue }
        guard definition.parameter(named: parameter.name) == nil else {
          report(
            file, element.line, "the parameter '\(parameter.name)' is there twice",
            expected: "each parameter once")
          continue
        }
        definition.parameters.append(parameter)
      }
    }
    if let routes = document["routes"] {
      for element in elements(routes, "'routes'", in: file) {
        guard definition.routes.count < Limits.routesMax else {
          report(
            file, element.line, "'\(name)' has too many routes",
            expected: "at most \(Limits.routesMax)")
          break
        }
        if let route = readRoute(element, of: definition, in: file) {
          definition.routes.append(route)
        }
      }
    }
    readCombinations(of: &definition, document, in: file)
    if let confirm = document["confirm"] {
      definition.needsConfirmation = bool(confirm, "'confirm'", in: file) ?? false
    }
    if let links = document["links"] { readLinks(links, of: &definition, in: file) }
    if let near = document["near"] {
      // Whoever writes the key wants less than what holds without it.
      definition.near = choice(near, "'near' of '\(name)'", in: file) ?? .never
    }
    if let widgets = document["widgets"] {
      definition.isEligibleForWidgets = bool(widgets, "'widgets'", in: file) ?? true
    }
    checkRelationships(of: &definition, nameValue.line, in: file)
    definitionPlaces[name] = (file, nameValue.line)
    catalog.definitions.append(definition)
  }

  private mutating func readLinks(
    _ value: LocatedValue, of definition: inout IntentDefinition, in file: String
  ) {
    // As for `near`: a mistake is no permission.
    let rule: LinkRule = choice(value, "'links' of '\(definition.name)'", in: file) ?? .never
    definition.links = rule
    if rule != .allow, definition.routes.contains(where: { !$0.callbacks.isEmpty }) {
      report(
        file, value.line,
        "a route of '\(definition.name)' lists callbacks, and with 'links: \(rule.rawValue)' no link calls back",
        expected: "links: allow, or no callbacks")
    }
  }

  /// Checks that need every list and intent.
  mutating func checkDefinitions() {
    for definition in catalog.definitions {
      guard let place = definitionPlaces[definition.name] else { continue }
      for parameter in definition.parameters {
        guard let list = parameter.list, catalog.textList(named: list) == nil else { continue }
        let near = nearestNames(to: list, in: catalog.listNames)
        report(
          place.file, place.line,
          "the parameter '\(parameter.name)' of \(definition.name) names the list '\(list)', which does not exist",
          expected: near.first.map { "'\($0)' perhaps" } ?? "a text list in lists/")
      }
    }
  }

  // MARK: Examples

  /// `{intent: NAME, examples: {LANGUAGE: {match: [{sentence, parameters}], noMatch:
  /// [sentence]}}}`.
  ///
  /// Only the sentences that must match are kept: they are suggested when others do not.
  mutating func readExamples(_ source: CatalogSource) {
    let file = source.file
    guard let nameValue = source.document["intent"],
      let name = string(nameValue, "'intent'", in: file),
      let index = catalog.definitions.firstIndex(where: { $0.name == name })
    else {
      report(
        file, source.document.line, "the examples name no intent that is defined",
        expected: "intent: NAME")
      return
    }
    guard let languages = source.document["examples"] else {
      report(
        file, source.document.line, "there is no key 'examples'", expected: "examples: {en: …}")
      return
    }
    for language in members(languages, "'examples'", in: file) {
      guard let matching = language.value["match"] else { continue }
      for element in elements(matching, "'match'", in: file) {
        var example = IntentExample(sentence: "")
        if case .object = element.node {
          guard let sentence = element["sentence"].flatMap({ string($0, "'sentence'", in: file) })
          else { continue }
          example.sentence = sentence
          for member in element["parameters"].map({ members($0, "'parameters'", in: file) }) ?? [] {
            example.parameters[member.key] = member.value.json
          }
        } else if let sentence = string(element, "an example", in: file) {
          example.sentence = sentence
        } else {
          continue
        }
        catalog.definitions[index].examples[language.key, default: []].append(example)
      }
    }
  }
}
