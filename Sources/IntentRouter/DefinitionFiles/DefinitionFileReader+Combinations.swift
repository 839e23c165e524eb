import JSON
import PropertyLists

/// Combinations of a definition file: which parameters are set together, and the titles for them.
///
/// An intent has those that an app donates (`INIntentParameterCombinations`) and those that Xcode
/// manages for the Shortcuts app. Both have titles that people say; donations are matched by the
/// first kind, and by the second where there is none.
extension DefinitionReader {
  mutating func readCombinations(
    _ fields: DefinitionFields, into entry: inout DefinitionFile.Entry
  ) {
    let donated = combinations(fields, "ParameterCombinations", &entry)
    let managed = combinations(fields, "ManagedParameterCombinations", &entry)
    entry.definition.combinations = donated.isEmpty ? managed : donated
    // A parameter that is in every combination is never left out.
    guard !entry.definition.combinations.isEmpty else { return }
    for index in entry.definition.parameters.indices {
      let parameter = entry.definition.parameters[index]
      // A boolean that is not set is false.
      guard parameter.defaultValue == nil, parameter.relationship == nil,
        parameter.type != .boolean
      else { continue }
      entry.definition.parameters[index].isRequired = (donated + managed).allSatisfy {
        $0.parameters.contains(parameter.name)
      }
    }
  }

  private mutating func combinations(
    _ fields: DefinitionFields, _ suffix: String, _ entry: inout DefinitionFile.Entry
  ) -> [ParameterCombination] {
    guard let value = fields[suffix] else { return [] }
    let path = fields.path(of: suffix)
    guard case .object(let members) = value.node else {
      report(value.line, path, "it is \(value.json.typeName)", expected: "a dict")
      return []
    }
    if members.count > Limits.casesMax {
      report(
        value.line, path, "it has \(members.count) combinations",
        expected: "at most \(Limits.casesMax)")
    }
    var found: [ParameterCombination] = []
    for member in members.prefix(Limits.casesMax) {
      let path = "\(path)['\(member.key)']"
      guard
        let content = self.fields(member.value, path, prefix: "INIntentParameterCombination")
      else { continue }
      checkKeys(
        content,
        known: [
          "Title", "Subtitle", "IsPrimary", "SupportsBackgroundExecution", "IsLinked",
          "UpdatesLinked",
        ])
      let names = member.key.split(separator: ",").map(String.init)
      if let unknown = names.first(where: { entry.definition.parameter(named: $0) == nil }) {
        report(
          member.line, path, "'\(unknown)' is no parameter of \(entry.definition.name)",
          expected: nearestNames(to: unknown, in: entry.definition.parameters.map(\.name)).first
            .map { "'\($0)' perhaps" } ?? "names of parameters with commas between them")
        continue
      }
      let title = localized(content, "Title")
      if let title, !title.text.isEmpty {
        let path = content.path(of: "Title")
        if !entry.titles.contains(where: {
          $0.text.text == title.text && $0.text.identifier == title.identifier
        }) {
          entry.titles.append(.init(text: title, path: path))
        }
      }
      found.append(
        ParameterCombination(
          parameters: names, title: title?.text ?? "",
          isPrimary: flag(content, "IsPrimary") ?? false))
    }
    return found
  }
}
