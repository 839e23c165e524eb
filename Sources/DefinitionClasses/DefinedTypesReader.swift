// Reads a definition file for the classes that are made of it.
//
// The daemon reads the same files for sentences and parameters (`IntentRouter`). It needs other facts:
// the names of classes, responses and resolution mean nothing to it.

package import JSON
import PropertyLists

/// Reads the types of a definition file, and the issues of what cannot be used.
package func readDefinedTypes(
  _ document: LocatedValue, file: String
) -> (types: DefinedTypes, issues: [DocumentIssue]) {
  var reader = DefinedTypesReader(fields: DefinitionReader(file: file))
  reader.read(document)
  return (reader.types, reader.fields.issues)
}

private struct DefinedTypesReader {
  var fields: DefinitionReader
  var types = DefinedTypes()
  /// By the names in the file, which properties refer to.
  var enumerations: [String: DefinedTypes.Enumeration] = [:]
  var objectTypeNames: [String: String] = [:]
  /// The Swift types of the file so far; each may be there once.
  private var typeNames: Set<String> = []

  init(fields: DefinitionReader) { self.fields = fields }

  mutating func read(_ document: LocatedValue) {
    guard let root = fields.fields(document, "", prefix: "IN") else { return }
    if root["Intents"] == nil, root["Enums"] == nil, root["Types"] == nil {
      fields.report(
        root.line, "", "there is no INIntents", expected: "a definition file of Xcode's")
    }
    for item in list(root, "Enums", "INEnum") { readEnumeration(item) }
    let objects = list(root, "Types", "INType")
    // A property may have a type that comes later.
    for item in objects {
      guard let name = name(item, "Name") else { continue }
      objectTypeNames[name] = typeName(item, name, "")
    }
    for item in objects { readObject(item) }
    for item in list(root, "Intents", "INIntent") { readIntent(item) }
  }

  // MARK: Types

  private mutating func readEnumeration(_ item: DefinitionFields) {
    guard let name = name(item, "Name"), let typeName = newType(typeName(item, name, ""), item)
    else { return }
    var cases: [DefinedTypes.Enumeration.Case] = []
    for value in list(item, "Values", "INEnumValue") {
      guard let caseName = self.name(value, "Name") else { continue }
      guard let index = Int(exactly: fields.number(value, "Index") ?? 0) else {
        fields.report(
          value.line, value.path(of: "Index"), "the index is no whole number", expected: "1, 2, …")
        continue
      }
      guard !cases.contains(where: { $0.name == caseName || $0.index == index }) else {
        fields.report(
          value.line, value.path, "the case '\(caseName)' with index \(index) is there twice",
          expected: "each name and each index once")
        continue
      }
      cases.append(.init(name: caseName, index: index))
    }
    if cases.isEmpty { cases = [.init(name: "unknown", index: 0)] }
    let enumeration = DefinedTypes.Enumeration(
      typeName: typeName, title: fields.text(item, "DisplayName") ?? "", cases: cases)
    enumerations[name] = enumeration
    types.enumerations.append(enumeration)
  }

  private mutating func readObject(_ item: DefinitionFields) {
    guard let name = fields.text(item, "Name"), let known = objectTypeNames[name],
      let typeName = newType(known, item)
    else { return }
    types.objects.append(
      .init(
        typeName: typeName, title: fields.text(item, "DisplayName") ?? "",
        properties: properties(item, "Properties", "INTypeProperty", taken: membersOfObjects)))
  }

  private mutating func readIntent(_ item: DefinitionFields) {
    // Apple's own, adapted by the app: its class is Apple's.
    if fields.text(item, "Type") == "System" {
      fields.report(
        item.line, item.path, "an intent of the system has no class here",
        expected: "a custom intent", severity: .warning)
      return
    }
    guard let name = name(item, "Name"),
      let typeName = newType(typeName(item, name, "Intent"), item)
    else { return }
    var response = DefinedTypes.Response()
    if let value = item["Response"],
      let content = fields.fields(value, item.path(of: "Response"), prefix: "INIntentResponse")
    {
      response.parameters = properties(
        content, "Parameters", "INIntentResponseParameter", taken: membersOfResponses)
      for code in list(content, "Codes", "INIntentResponseCode") {
        guard let codeName = self.name(code, "Name") else { continue }
        var named: [String] = []
        for key in ["FormatString", "ConciseFormatString"] {
          for found in placeholders(fields.text(code, key) ?? "")
          where !named.contains(found) && response.parameters.contains(where: { $0.name == found })
          { named.append(found) }
        }
        response.codes.append(
          .init(
            name: codeName, named: named, sentence: fields.text(code, "FormatString") ?? "",
            isSuccess: fields.flag(code, "Success") ?? false))
      }
    }
    types.intents.append(
      .init(
        name: name, typeName: typeName, title: fields.text(item, "Title") ?? "",
        parameters: properties(
          item, "Parameters", "INIntentParameter", taken: membersOfIntents),
        response: response))
  }

  // MARK: Properties

  private mutating func properties(
    _ item: DefinitionFields, _ suffix: String, _ prefix: String, taken: Set<String>
  ) -> [DefinedTypes.Property] {
    var found: [DefinedTypes.Property] = []
    for item in list(item, suffix, prefix) {
      // The four that every object has.
      if fields.flag(item, "Default") == true, item["EnumType"] == nil { continue }
      guard let property = property(item) else { continue }
      if taken.contains(property.name) {
        fields.report(
          item.line, item.path(of: "Name"),
          "'\(property.name)' is a member of the parent class, so it is left out",
          expected: "another name", severity: .warning)
      } else if found.contains(where: { $0.name == property.name }) {
        fields.report(
          item.line, item.path(of: "Name"), "'\(property.name)' is there twice",
          expected: "each once")
      } else {
        found.append(property)
      }
    }
    return found
  }

  private mutating func property(_ item: DefinitionFields) -> DefinedTypes.Property? {
    guard let name = name(item, "Name") else { return nil }
    guard let typeName = fields.text(item, "Type") else {
      fields.report(
        item.line, item.path(of: "Type"), "'\(name)' has no type",
        expected: "String, Integer, Boolean, …")
      return nil
    }
    guard let type = valueType(item, typeName) else { return nil }
    var property = DefinedTypes.Property(
      name: name, title: fields.text(item, "DisplayName") ?? "", type: type)
    property.isArray = fields.flag(item, "SupportsMultipleValues") ?? false
    property.isDynamic = fields.flag(item, "SupportsDynamicEnumeration") ?? false
    property.isSearched = fields.flag(item, "SupportsSearch") ?? false
    property.isResolved = fields.flag(item, "SupportsResolution") ?? false
    for reason in list(item, "UnsupportedReasons", item.prefix + "UnsupportedReason") {
      guard let code = self.name(reason, "Code"), !property.reasons.contains(code) else { continue }
      property.reasons.append(code)
    }
    if let value = item["Metadata"], !property.isArray,
      let metadata = fields.fields(
        value, item.path(of: "Metadata"), prefix: item.prefix + "Metadata")
    {
      property.standard = standard(metadata, property)
    }
    return property
  }

  private mutating func valueType(
    _ item: DefinitionFields, _ typeName: String
  ) -> DefinedTypes.ValueType? {
    if let name = fields.text(item, "EnumType") {
      guard fields.text(item, "EnumTypeNamespace") != "System" else {
        return leftOut(item, "EnumType", name)
      }
      guard let enumeration = enumerations[name] else {
        return undefined(item, "EnumType", name, among: enumerations.keys.sorted())
      }
      return .enumeration(enumeration.typeName)
    }
    if let name = fields.text(item, "ObjectType") {
      guard fields.text(item, "ObjectTypeNamespace") != "System" else {
        return leftOut(item, "ObjectType", name)
      }
      guard let typeName = objectTypeNames[name] else {
        return undefined(item, "ObjectType", name, among: objectTypeNames.keys.sorted())
      }
      return .object(typeName)
    }
    if let type = plainTypes[typeName] { return type }
    return leftOut(item, "Type", typeName)
  }

  private mutating func leftOut(
    _ item: DefinitionFields, _ suffix: String, _ name: String
  ) -> DefinedTypes.ValueType? {
    fields.report(
      item[suffix]?.line ?? item.line, item.path(of: suffix),
      "there is no type '\(name)' here, so the property is left out",
      expected: "one of \(plainTypes.keys.sorted().joined(separator: ", ")), or a type of the file",
      severity: .warning)
    return nil
  }

  private mutating func undefined(
    _ item: DefinitionFields, _ suffix: String, _ name: String, among names: [String]
  ) -> DefinedTypes.ValueType? {
    let near = nearest(to: name, among: names, countMax: 1).first
    fields.report(
      item[suffix]?.line ?? item.line, item.path(of: suffix),
      "'\(name)' is not defined in this file",
      expected: near.map { "'\($0)' perhaps" } ?? "a definition of it")
    return nil
  }

  private mutating func standard(
    _ metadata: DefinitionFields, _ property: DefinedTypes.Property
  ) -> DefinedTypes.Standard? {
    // Empty data stands for no value.
    guard let value = metadata["DefaultValue"], value.node != .string("") else { return nil }
    switch property.type {
    case .text:
      if case .string(let text) = value.node { return .text(text) }
    case .whole:
      if let number = value.json.doubleValue, let whole = Int64(exactly: number) {
        return .whole(whole)
      }
    case .decimal, .interval:
      if let number = value.json.doubleValue, number.isFinite { return .decimal(number) }
    case .truth:
      if let truth = fields.flag(metadata, "DefaultValue") { return .truth(truth) }
      return nil
    case .enumeration(let typeName):
      let cases = types.enumerations.first { $0.typeName == typeName }?.cases ?? []
      if case .string(let name) = value.node, cases.contains(where: { $0.name == name }) {
        return .enumerationCase(name)
      }
    case .date, .url, .object: return nil
    }
    fields.report(
      value.line, metadata.path(of: "DefaultValue"), "it is no value of '\(property.name)'",
      expected: "a value of its type")
    return nil
  }

  // MARK: Names

  private mutating func list(
    _ item: DefinitionFields, _ suffix: String, _ prefix: String
  ) -> [DefinitionFields] {
    fields.dictionaries(item, suffix, prefix: prefix, countMax: Limits.listCountMax)
  }

  /// A name that Swift can have too; `nil`, with an issue, for another one.
  private mutating func name(_ item: DefinitionFields, _ suffix: String) -> String? {
    let name = fields.text(item, suffix)
    guard let name, isSwiftName(name) else {
      fields.report(
        item[suffix]?.line ?? item.line, item.path(of: suffix),
        name.map { "'\($0)' is no name of Swift's" } ?? "there is no name",
        expected: "letters, digits and '_', beginning with a letter")
      return nil
    }
    return name
  }

  private mutating func typeName(
    _ item: DefinitionFields, _ name: String, _ ending: String
  ) -> String {
    if let own = fields.text(item, "ClassName"), isSwiftName(own) { return own }
    return (fields.text(item, "ClassPrefix") ?? "") + name + ending
  }

  /// The name of a type that the file has not defined before.
  private mutating func newType(_ name: String, _ item: DefinitionFields) -> String? {
    guard isSwiftName(name), typeNames.insert(name).inserted else {
      fields.report(
        item.line, item.path, "there is a type '\(name)' already, or it is no name of Swift's",
        expected: "each type once")
      return nil
    }
    return name
  }
}

/// The types that need no definition.
private let plainTypes: [String: DefinedTypes.ValueType] = [
  "String": .text, "Integer": .whole, "Long": .whole, "Decimal": .decimal, "Double": .decimal,
  "Boolean": .truth, "TimeInterval": .interval, "DateComponents": .date, "URL": .url,
]

private let membersOfEverything: Set<String> = [
  "copy", "description", "debugDescription", "hash", "init", "isEqual", "self", "Type",
]
private let membersOfIntents = membersOfEverything.union([
  "identifier", "intentDescription", "suggestedInvocationPhrase",
])
private let membersOfObjects = membersOfEverything.union([
  "identifier", "displayString", "pronunciationHint", "subtitleString", "displayImage",
  "alternativeSpeakableMatches",
])
private let membersOfResponses = membersOfEverything.union(["code", "userActivity"])

private func isSwiftName(_ name: String) -> Bool {
  func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }
  guard let first = name.utf8.first, isLetter(first) else { return false }
  return name.utf8.count <= Limits.nameBytesMax
    && name.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || $0 == UInt8(ascii: "_") }
}

/// The names in `${…}`, in their order.
private func placeholders(_ text: String) -> [String] {
  text.split(separator: "${").dropFirst(text.hasPrefix("${") ? 0 : 1).compactMap { part in
    part.firstIndex(of: "}").map { String(part[..<$0]) }
  }
}
