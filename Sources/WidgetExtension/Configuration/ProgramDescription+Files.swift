import JSON

extension ProgramDescription {
  /// The files of a configuration folder: the manifest, the intents, their sentences and lists, each
  /// with the mark of the program.
  package var files: [File] {
    let mark = WriterMark(program: programName)
    return unmarkedFiles.map { File(path: $0.path, text: mark.marked($0.text)) }
  }

  private var unmarkedFiles: [File] {
    var files = [File(path: "widgets/\(fileName)/\(fileName).yaml", text: manifest)]
    for intent in intents {
      files.append(File(path: "intents/\(intent.name)/intent.yaml", text: definition(of: intent)))
      for phrases in intent.phrases {
        if let text = sentences(of: intent, phrases) {
          files.append(
            File(path: "intents/\(intent.name)/\(phrases.language).yaml", text: text))
        }
      }
    }
    let filled = lists.filter { !$0.values.isEmpty }
    if !filled.isEmpty {
      files.append(File(path: "intents/lists/\(fileName).yaml", text: listsText(filled)))
    }
    return files
  }

  /// Says what gives the program the folder of its group, where nothing in the manifest does; `nil`:
  /// it has the folder, or names none.
  package var groupHint: String? {
    guard let group, app == nil, let first = kinds.first else { return nil }
    let kind = KindNames.manifestName(of: first.kind)
    return
      "the manifest names the group \(group) and no app, so a widget in a box has its folder only with"
      + " your yes: intent-send permissions \(kind) --grant; or write the manifest again with --app ID"
  }

  private var fileName: String { KindNames.manifestName(of: programName) }

  // MARK: The manifest

  private var manifest: String {
    var lines = [
      "provider:",
      "  exec: [\(quoted(program))]",
      "  protocol: extension",
      // Without it Swift's report of a crash would hide the message of the crash.
      "env: {SWIFT_BACKTRACE: \"enable=no\"}",
    ]
    // Surfaces that show pictures get that of each view; without this line none is drawn.
    lines.append("view: html")
    if let app { lines.append("app: \(quoted(app))") }
    if let group { lines.append("group: \(quoted(group))") }
    let performed = (intents.filter { !$0.configuresWidgets }.map(\.name) + definedActs).sorted()
    if !performed.isEmpty { lines.append("performs: [\(performed.joined(separator: ", "))]") }
    lines.append("kinds:")
    for kind in kinds {
      lines.append("  - kind: \(KindNames.manifestName(of: kind.kind))")
      lines.append("    name: \(kind.name.json?.serialized ?? quoted(kind.kind))")
      if let description = kind.description.json {
        lines.append("    description: \(description.serialized)")
      }
      lines.append("    families: [\(kind.families.joined(separator: ", "))]")
      if let intent = kind.intent { lines.append("    intent: \(intent)") }
      lines += kind.recommendations.map { recommendation in
        "    # recommended: \(quoted(recommendation.title)) "
          + JSONValue.object(recommendation.parameters).serialized
      }
      if !kind.recorded.isEmpty {
        lines.append("    # without a meaning here: \(kind.recorded.joined(separator: ", "))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: Intents

  private func definition(of intent: Intent) -> String {
    var lines = ["name: \(intent.name)"]
    if let title = intent.title.json { lines.append("title: \(title.serialized)") }
    if let description = intent.description.json {
      lines.append("description: \(description.serialized)")
    }
    if !intent.configuresWidgets { lines.append("widgets: false") }
    if !intent.parameters.isEmpty {
      lines.append("parameters:")
      for parameter in intent.parameters {
        lines.append("  - \(JSONValue.object(Self.members(of: parameter)).serialized)")
      }
    }
    let known = Set(intent.parameters.map(\.name))
    let combinations = intent.combinations.filter {
      !$0.parameters.isEmpty && known.isSuperset(of: $0.parameters)
    }
    if !combinations.isEmpty {
      lines.append("combinations:")
      for combination in combinations {
        var members: JSONObject = [
          "parameters": .array(combination.parameters.map { .string($0) })
        ]
        if !combination.title.isEmpty { members["title"] = .string(combination.title) }
        lines.append("  - \(JSONValue.object(members).serialized)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func members(of parameter: Parameter) -> JSONObject {
    var members: JSONObject = ["name": .string(parameter.name), "type": .string(parameter.type)]
    members["title"] = parameter.title.json
    members["prompt"] = parameter.prompt?.json
    if parameter.isRequired { members["required"] = true }
    if parameter.isDynamic { members["dynamic"] = true }
    if !parameter.lengths.isEmpty {
      members["array"] = .object(
        JSONObject(
          parameter.lengths.sorted { $0.key < $1.key }.map {
            JSONObject.Member(key: $0.key, value: .int(Int64($0.value)))
          }))
    } else if parameter.isArray {
      members["array"] = true
    }
    members["minimum"] = parameter.minimum.map(number)
    members["maximum"] = parameter.maximum.map(number)
    if !parameter.cases.isEmpty {
      members["cases"] = .array(
        parameter.cases.map { value in
          var members: JSONObject = ["name": .string(value.name)]
          members["title"] = value.title.json
          return .object(members)
        })
    }
    members["default"] = parameter.defaultValue
    return members
  }

  private static func number(_ value: Double) -> JSONValue {
    Int64(exactly: value).map { .int($0) } ?? .double(value)
  }

  // MARK: Sentences

  private func sentences(of intent: Intent, _ phrases: Intent.Phrases) -> String? {
    var named: [String] = []
    var free: [String] = []
    for phrase in phrases.phrases {
      let template = SentenceTemplate.template(of: phrase, app: appName) { name in
        reference(to: name, of: intent)
      }
      if let template, !named.contains(template) { named.append(template) }
      // Words that are in no list: only with the name of the app, or they would take any sentence.
      if let template = freeTemplate(of: phrase, intent), !free.contains(template) {
        free.append(template)
      }
    }
    guard !named.isEmpty || !free.isEmpty else { return nil }
    var lines = ["language: \(phrases.language)", "intents:", "  \(intent.name):", "    data:"]
    for block in [named, free] where !block.isEmpty {
      lines.append("      - sentences:")
      lines += block.map { "          - \(quoted($0))" }
    }
    let enumerations = intent.parameters.filter { !$0.cases.isEmpty }
    if !free.isEmpty || !enumerations.isEmpty {
      lines.append("lists:")
      if !free.isEmpty { lines.append("  any_words: {wildcard: true}") }
      for parameter in enumerations {
        lines.append("  \(Self.caseList(of: parameter)):")
        lines.append("    values:")
        lines += Self.values(of: parameter, in: phrases.language).map {
          "      - {in: \(quoted($0.said)), out: \(quoted($0.carried))}"
        }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func caseList(of parameter: Parameter) -> String { "cases_of_\(parameter.name)" }

  private static func values(of parameter: Parameter, in language: String) -> [List.Value] {
    var values: [List.Value] = []
    for value in parameter.cases {
      let title =
        value.title.versions.first { $0.language == language } ?? value.title.versions.first
      for words in [title?.text ?? value.name] + value.synonyms {
        let said = SentenceTemplate.cleaned(words)
        if !said.isEmpty, !values.contains(where: { $0.said == said }) {
          values.append(List.Value(said: said, carried: value.name))
        }
      }
    }
    return values
  }

  /// What stands for a parameter in a sentence; `nil`: it has no list.
  private func reference(to name: String, of intent: Intent) -> String? {
    guard let parameter = intent.parameters.first(where: { $0.name == name }) else { return nil }
    if !parameter.cases.isEmpty { return "{\(Self.caseList(of: parameter)):\(name)}" }
    let list = lists.first { $0.name == parameter.list && !$0.values.isEmpty }
    return list.map { "{\($0.name):\(name)}" }
  }

  /// The phrase with any words for its only parameter, and with the name of the app.
  private func freeTemplate(of phrase: [SentenceTemplate.Part], _ intent: Intent) -> String? {
    let names = phrase.compactMap { part -> String? in
      if case .parameter(let name) = part { name } else { nil }
    }
    guard names.count == 1, phrase.contains(.applicationName),
      let parameter = intent.parameters.first(where: { $0.name == names[0] }),
      parameter.cases.isEmpty
    else { return nil }
    let words = phrase.map { part -> SentenceTemplate.Part in
      part == .applicationName ? .words(" \(appName) ") : part
    }
    return SentenceTemplate.template(of: words, app: "") { "{any_words:\($0)}" }
  }

  private func listsText(_ lists: [List]) -> String {
    var lines = ["lists:"]
    for list in lists {
      lines.append("  \(list.name):")
      lines.append("    values:")
      lines += list.values.map { "      - {in: \(quoted($0.said)), out: \(quoted($0.carried))}" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A text as YAML writes it between quotation marks, which is as JSON does.
  private func quoted(_ text: String) -> String { JSONValue.string(text).serialized }
}
