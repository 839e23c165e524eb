import JSON
import PropertyLists

/// Reads the property list of a definition file: enumerations and object types first, then intents,
/// whose parameters refer to both.
///
/// The good parts load; each other part becomes an issue with its key path.
extension DefinitionReader {
  mutating func readFile(_ document: LocatedValue) -> DefinitionFile {
    var content = DefinitionFile()
    guard let root = fields(document, "", prefix: "IN") else { return content }
    checkKeys(
      root,
      known: [
        "Enums", "Intents", "Types", "IntentDefinitionModelVersion", "IntentDefinitionNamespace",
        "IntentDefinitionSystemVersion", "IntentDefinitionToolsVersion",
        "IntentDefinitionToolsBuildVersion",
      ])
    if let version = text(root, "IntentDefinitionModelVersion"), !version.hasPrefix("1.") {
      report(
        root["IntentDefinitionModelVersion"]?.line ?? root.line,
        root.path(of: "IntentDefinitionModelVersion"),
        "the version \(version) is not known; it is read as 1.2", expected: "1.0 to 1.2",
        severity: .warning)
    }
    for fields in dictionaries(root, "Enums", prefix: "INEnum", countMax: Limits.casesMax) {
      guard let enumeration = readEnumeration(fields) else { continue }
      guard content.enumerations[enumeration.name] == nil else {
        report(
          fields.line, fields.path, "the enumeration '\(enumeration.name)' is there already",
          expected: "each once")
        continue
      }
      content.enumerations[enumeration.name] = enumeration
    }
    let types = dictionaries(root, "Types", prefix: "INType", countMax: Limits.casesMax)
    for fields in types {
      guard let name = text(fields, "Name") else {
        report(fields.line, fields.path, "the type has no INTypeName", expected: "its name")
        continue
      }
      content.objectTypes[name] = ObjectType(
        name: name, title: text(fields, "DisplayName") ?? "")
    }
    // Their properties may be of types that come later.
    for fields in types { readProperties(fields, into: &content) }
    for fields in dictionaries(
      root, "Intents", prefix: "INIntent", countMax: Limits.definedIntentsMax)
    {
      if let entry = readIntent(fields, content) { content.entries.append(entry) }
    }
    return content
  }

  // MARK: Enumerations

  private mutating func readEnumeration(
    _ fields: DefinitionFields
  ) -> DefinitionFile.Enumeration? {
    checkKeys(
      fields, known: ["Name", "ClassName", "DisplayName", "Type", "GeneratesHeader", "Values"])
    guard let name = text(fields, "Name") else {
      report(fields.line, fields.path, "the enumeration has no INEnumName", expected: "its name")
      return nil
    }
    var cases: [DefinitionFile.Enumeration.Case] = []
    for value in dictionaries(fields, "Values", prefix: "INEnumValue", countMax: Limits.casesMax) {
      checkKeys(
        value, known: ["Name", "DisplayName", "Index", "Synonyms", "AlternativeDisplayNames"])
      guard let caseName = text(value, "Name") else {
        report(value.line, value.path, "the case has no INEnumValueName", expected: "its name")
        continue
      }
      let index = number(value, "Index").flatMap { Int(exactly: $0) } ?? 0
      // The file of an app that defines nothing.
      if index == 0, caseName == "unknown" { continue }
      guard !cases.contains(where: { $0.value.identifier == caseName }) else {
        report(
          value.line, value.path, "the case '\(caseName)' is there twice", expected: "each once")
        continue
      }
      let title = localized(value, "DisplayName")
      cases.append(
        .init(
          value: .init(identifier: caseName, title: title?.text ?? "", index: index), title: title))
    }
    return .init(name: name, cases: cases)
  }

  // MARK: Object types

  private mutating func readProperties(
    _ fields: DefinitionFields, into content: inout DefinitionFile
  ) {
    checkKeys(
      fields,
      known: [
        "Name", "ClassName", "ClassPrefix", "DisplayName", "LastPropertyTag", "Properties",
      ])
    guard let name = text(fields, "Name") else { return }
    for property in dictionaries(
      fields, "Properties", prefix: "INTypeProperty", countMax: Limits.parametersMax)
    {
      // The four that every object has, unless they were made something else.
      if flag(property, "Default") == true, property["EnumType"] == nil { continue }
      guard
        let parameter = readParameter(
          property, content, known: ["Default"], checksObjects: false)?.definition
      else { continue }
      content.objectTypes[name]?.properties.append(parameter)
    }
  }

  // MARK: Intents

  private mutating func readIntent(
    _ fields: DefinitionFields, _ content: DefinitionFile
  ) -> DefinitionFile.Entry? {
    // Apple's own, adapted by the app: they have their sentences from Apple.
    if text(fields, "Type") == "System" { return nil }
    checkKeys(
      fields,
      known: [
        "Name", "Type", "Category", "Verb", "Title", "Description", "EligibleForWidgets",
        "IneligibleForSuggestions", "Configurable", "Parameters", "ParameterCombinations",
        "ManagedParameterCombinations", "Response", "KeyParameter", "Input", "LastParameterTag",
        "UserConfirmationRequired", "ClassName", "ClassPrefix", "DefaultImageName",
      ])
    guard let name = text(fields, "Name") else {
      report(fields.line, fields.path, "the intent has no INIntentName", expected: "its name")
      return nil
    }
    guard isIntentName(name) else {
      report(
        fields["Name"]?.line ?? fields.line, fields.path(of: "Name"), "the name is '\(name)'",
        expected: "at most 64 letters, digits and '_', beginning with a letter")
      return nil
    }
    var entry = DefinitionFile.Entry(
      definition: IntentDefinition(
        name: name, title: text(fields, "Title") ?? "",
        description: text(fields, "Description") ?? ""),
      path: fields.path, line: fields.line)
    entry.definition.needsConfirmation = flag(fields, "UserConfirmationRequired") ?? false
    entry.definition.isEligibleForWidgets = flag(fields, "EligibleForWidgets") ?? false
    readParameters(fields, content, into: &entry)
    readCombinations(fields, into: &entry)
    if let key = text(fields, "KeyParameter") {
      if entry.definition.parameter(named: key) != nil {
        entry.definition.keyParameter = key
      } else {
        report(
          fields["KeyParameter"]?.line ?? fields.line, fields.path(of: "KeyParameter"),
          "'\(key)' is no parameter of \(name)",
          expected: nearestNames(to: key, in: entry.definition.parameters.map(\.name)).first
            .map { "'\($0)' perhaps" } ?? "one of its parameters")
      }
    }
    checkResponse(fields)
    return entry
  }

  private mutating func readParameters(
    _ fields: DefinitionFields, _ content: DefinitionFile, into entry: inout DefinitionFile.Entry
  ) {
    var parameters: [ReadParameter] = []
    for dictionary in dictionaries(
      fields, "Parameters", prefix: "INIntentParameter", countMax: Limits.parametersMax)
    {
      guard let parameter = readParameter(dictionary, content) else { continue }
      guard !parameters.contains(where: { $0.definition.name == parameter.definition.name }) else {
        report(
          dictionary.line, dictionary.path,
          "the parameter '\(parameter.definition.name)' is there twice", expected: "each once")
        continue
      }
      parameters.append(parameter)
    }
    let order = parameters.indices.sorted {
      (parameters[$0].priority, $0) < (parameters[$1].priority, $1)
    }
    parameters = order.map { parameters[$0] }
    checkRelationships(&parameters)
    for parameter in parameters {
      entry.definition.parameters.append(parameter.definition)
      entry.spoken[parameter.definition.name] = parameter.spoken
    }
  }

  /// Checks the form only: the answers of an app are its own affair.
  private mutating func checkResponse(_ fields: DefinitionFields) {
    guard let value = fields["Response"],
      let response = self.fields(value, fields.path(of: "Response"), prefix: "INIntentResponse")
    else { return }
    checkKeys(
      response,
      known: ["Codes", "Parameters", "Output", "LastParameterTag"])
    for code in dictionaries(
      response, "Codes", prefix: "INIntentResponseCode", countMax: Limits.casesMax)
    {
      checkKeys(code, known: ["Name", "Success", "FormatString", "ConciseFormatString"])
    }
  }
}

/// Letters, digits and '_', beginning with a letter; at most 64 bytes.
func isIntentName(_ name: String) -> Bool {
  guard let first = name.utf8.first, first | 0x20 >= 0x61, first | 0x20 <= 0x7A else {
    return false
  }
  return name.utf8.count <= 64 && name.utf8.allSatisfy { $0 < 0x80 && isWord(UInt32($0)) }
}
