// Parameters of a definition file: `INIntentParameters` and the properties of object types, which
// have the same keys with another beginning.

import JSON
import PropertyLists

/// A parameter as it was read, with the facts that only its neighbours can judge.
struct ReadParameter {
  var definition: ParameterDefinition
  var spoken: DefinitionFile.Spoken
  /// Its place among the others, 1-based.
  var priority: Double
  var path: String
  var line: Int
}

/// The type here for a type of Xcode's.
///
/// Measures are numbers in the unit that the app has chosen.
private let valueTypes: [String: ParameterDefinition.ValueType] = [
  "String": .string, "SpeakableString": .string, "Person": .string, "File": .string,
  "PaymentMethod": .string, "CurrencyAmount": .string, "Currency": .string,
  "Integer": .integer, "Long": .integer, "Decimal": .decimal, "Double": .decimal,
  "Distance": .decimal, "Temperature": .decimal, "Mass": .decimal, "Volume": .decimal,
  "Speed": .decimal, "Energy": .decimal,
  "Boolean": .boolean, "TimeInterval": .duration, "DateComponents": .date, "URL": .url,
  "Placemark": .place, "Object": .object,
]

extension DefinitionReader {
  private static let parameterKeys = [
    "Name", "Type", "Tag", "DisplayPriority", "DisplayName", "Configurable", "PromptDialogs",
    "Metadata", "EnumType", "EnumTypeNamespace", "ObjectType", "ObjectTypeNamespace",
    "SupportsMultipleValues", "FixedSizeArray", "ArraySizes", "SupportsDynamicEnumeration",
    "SupportsSearch", "SupportsResolution", "CustomDisambiguation", "UnsupportedReasons",
    "Relationship",
  ]

  /// Reads one parameter; `nil` when it has no name or no type that can be used.
  mutating func readParameter(
    _ fields: DefinitionFields, _ content: DefinitionFile, known: [String] = [],
    checksObjects: Bool = true
  ) -> ReadParameter? {
    checkKeys(fields, known: Self.parameterKeys + known)
    guard let name = text(fields, "Name"), isIntentName(name) else {
      report(
        fields["Name"]?.line ?? fields.line, fields.path(of: "Name"),
        "the parameter has no usable name",
        expected: "at most 64 letters, digits and '_', beginning with a letter")
      return nil
    }
    guard let typeName = text(fields, "Type") else {
      report(
        fields.line, fields.path(of: "Type"), "the parameter '\(name)' has no type",
        expected: "String, Integer, Boolean, …")
      return nil
    }
    var parameter = ReadParameter(
      definition: ParameterDefinition(name: name, title: text(fields, "DisplayName") ?? ""),
      spoken: .anything, priority: number(fields, "DisplayPriority") ?? .infinity,
      path: fields.path, line: fields.line)
    if let type = valueTypes[typeName] {
      parameter.definition.type = type
    } else {
      report(
        fields["Type"]?.line ?? fields.line, fields.path(of: "Type"),
        "the type '\(typeName)' of '\(name)' is not known; it is taken as a text",
        expected: nearestNames(to: typeName, in: valueTypes.keys.sorted()).first
          .map { "'\($0)' perhaps" } ?? "String, Integer, Boolean, …", severity: .warning)
    }
    readTypeNames(fields, content, checksObjects: checksObjects, into: &parameter)
    readArray(fields, into: &parameter)
    parameter.definition.isDynamic = flag(fields, "SupportsDynamicEnumeration") ?? false
    readAsking(fields, into: &parameter)
    readMetadata(fields, into: &parameter)
    readRelationship(fields, into: &parameter)
    return parameter
  }

  /// Enumerations are integers with the name of their enumeration.
  private mutating func readTypeNames(
    _ fields: DefinitionFields, _ content: DefinitionFile, checksObjects: Bool,
    into parameter: inout ReadParameter
  ) {
    if let name = text(fields, "EnumType") {
      if text(fields, "EnumTypeNamespace") == "System" {
        // Apple's own cases are nowhere written.
        parameter.definition.type = .string
      } else if let enumeration = content.enumerations[name], !enumeration.cases.isEmpty {
        parameter.definition.type = .enumeration
        parameter.definition.cases = enumeration.cases.map(\.value)
        parameter.spoken = .values(
          enumeration.cases.map { entry in
            let title =
              entry.title
              ?? DefinitionText(text: entry.value.title, identifier: nil, line: parameter.line)
            return (title, entry.value.identifier)
          })
      } else {
        reportUnknown(fields, "EnumType", name, among: content.enumerations.keys.sorted())
        parameter.definition.type = .string
      }
    }
    guard let name = text(fields, "ObjectType") else { return }
    parameter.definition.objectType = name
    if checksObjects, text(fields, "ObjectTypeNamespace") != "System",
      content.objectTypes[name] == nil
    {
      reportUnknown(fields, "ObjectType", name, among: content.objectTypes.keys.sorted())
      parameter.definition.objectType = nil
    }
  }

  private mutating func reportUnknown(
    _ fields: DefinitionFields, _ suffix: String, _ name: String, among names: [String]
  ) {
    report(
      fields[suffix]?.line ?? fields.line, fields.path(of: suffix),
      "'\(name)' is not defined in this file",
      expected: nearestNames(to: name, in: names).first.map { "'\($0)' perhaps" }
        ?? (names.isEmpty
          ? "a definition of it" : "one of \(names.prefix(8).joined(separator: ", "))")
    )
  }

  /// Arrays may have a size for each widget family.
  private mutating func readArray(
    _ fields: DefinitionFields, into parameter: inout ReadParameter
  ) {
    parameter.definition.isArray = flag(fields, "SupportsMultipleValues") ?? false
    for size in dictionaries(
      fields, "ArraySizes", prefix: fields.prefix + "ArraySize", countMax: Limits.casesMax)
    {
      checkKeys(size, known: ["Size", "SizeClass"])
      guard let name = text(size, "SizeClass"), let number = number(size, "Size"),
        let count = Int(exactly: number), (1...Limits.arrayElementsMax) ~= count
      else {
        report(
          size.line, size.path, "it has no usable size",
          expected: "a size class and a number from 1 to \(Limits.arrayElementsMax)")
        continue
      }
      let family =
        name.hasPrefix("Accessory") ? "a" + name.dropFirst() : "system" + name
      parameter.definition.arraySizes[family] = count
    }
  }

  private mutating func readAsking(
    _ fields: DefinitionFields, into parameter: inout ReadParameter
  ) {
    for dialog in dictionaries(
      fields, "PromptDialogs", prefix: fields.prefix + "PromptDialog", countMax: Limits.casesMax)
    {
      checkKeys(dialog, known: ["Type", "FormatString", "Custom"])
      guard let text = text(dialog, "FormatString"), !text.isEmpty else { continue }
      switch self.text(dialog, "Type") {
      case "Primary": parameter.definition.prompt = text
      // The label in the configuration's form, when there is no question.
      case "Configuration": parameter.definition.prompt = parameter.definition.prompt ?? text
      case "DisambiguationIntroduction", "DisambiguationSelection":
        parameter.definition.disambiguationPrompt = text
      default: break
      }
    }
    for reason in dictionaries(
      fields, "UnsupportedReasons", prefix: fields.prefix + "UnsupportedReason",
      countMax: Limits.casesMax)
    {
      checkKeys(reason, known: ["Code", "FormatString", "Default", "Custom"])
      let text = text(reason, "FormatString")
      // Refusals of limits get texts with the limit; the app's own texts come first.
      guard flag(reason, "Custom") == true || parameter.definition.unsupportedReason == nil,
        flag(reason, "Default") != true
      else { continue }
      parameter.definition.unsupportedReason = text
    }
  }

  // MARK: Metadata

  private mutating func readMetadata(
    _ fields: DefinitionFields, into parameter: inout ReadParameter
  ) {
    guard let value = fields["Metadata"],
      let metadata = self.fields(
        value, fields.path(of: "Metadata"), prefix: fields.prefix + "Metadata")
    else {
      parameter.spoken = spoken(parameter, nil)
      return
    }
    checkKeys(
      metadata,
      known: [
        "DefaultValue", "MinimumValue", "MaximumValue", "Type", "Capitalization", "Multiline",
        "DisableAutocorrect", "DisableSmartQuotes", "DisableSmartDashes", "TrueDisplayName",
        "FalseDisplayName", "Unit", "DefaultUnit", "MinimumUnit", "MaximumUnit",
        "SupportsNegativeNumbers", "CustomUTIs", "DateStyle", "TimeStyle", "Format", "TemplateID",
        "Template", "CurrencyCode", "CurrencyCodes",
      ])
    if [.integer, .decimal, .duration].contains(parameter.definition.type) {
      let (low, high) = (number(metadata, "MinimumValue"), number(metadata, "MaximumValue"))
      if let low, let high, low > high {
        report(
          metadata["MinimumValue"]?.line ?? metadata.line, metadata.path(of: "MinimumValue"),
          "the minimum is above the maximum", expected: "minimum <= maximum")
      } else {
        parameter.definition.minimum = low
        parameter.definition.maximum = high
        if low == nil, flag(metadata, "SupportsNegativeNumbers") == false {
          parameter.definition.minimum = 0
        }
      }
    }
    parameter.spoken = spoken(parameter, metadata)
    if let value = metadata["DefaultValue"], value.node != .string("") {
      let standard = value.json
      if parameter.definition.isDefault(standard) {
        parameter.definition.defaultValue = standard
      } else {
        report(
          value.line, metadata.path(of: "DefaultValue"),
          "it is no \(parameter.definition.type.rawValue) that '\(parameter.definition.name)' takes",
          expected: "a value of its type")
      }
    }
  }

  /// The texts that may stand for the parameter in a sentence.
  private mutating func spoken(
    _ parameter: ReadParameter, _ metadata: DefinitionFields?
  ) -> DefinitionFile.Spoken {
    let definition = parameter.definition
    switch definition.type {
    case .enumeration: return parameter.spoken
    case .boolean:
      let names = [("True", "true"), ("False", "false")].map { name, value in
        let text = metadata.flatMap { localized($0, name + "DisplayName") }
        return (
          text: text ?? DefinitionText(text: value, identifier: nil, line: parameter.line), value
        )
      }
      return .values(names.map { (text: $0.text, value: $0.1) })
    case .integer, .decimal:
      let widest = Double(Limits.titleNumberMax)
      let low = max(definition.minimum?.rounded(.up) ?? 0, -widest)
      let high = min(definition.maximum?.rounded(.down) ?? widest, widest)
      guard low <= high else { return .anything }
      return .numbers(from: Int(low), to: Int(high), hasFractions: definition.type == .decimal)
    case .string, .date, .duration, .url, .place, .object: return .anything
    }
  }

  // MARK: Relationships

  private mutating func readRelationship(
    _ fields: DefinitionFields, into parameter: inout ReadParameter
  ) {
    guard let value = fields["Relationship"],
      let relationship = self.fields(
        value, fields.path(of: "Relationship"), prefix: fields.prefix + "Relationship")
    else { return }
    checkKeys(relationship, known: ["ParentName", "PredicateName", "PredicateValue"])
    // Without a parent it is no condition; Xcode leaves such behind.
    guard let parent = text(relationship, "ParentName") else { return }
    let wanted = relationship["PredicateValue"]
    switch text(relationship, "PredicateName") {
    case "HasAnyValue":
      parameter.definition.relationship = .init(parent: parent, condition: .hasAnyValue)
    case "BooleanHasExactValue":
      let flag = flag(relationship, "PredicateValue") ?? false
      parameter.definition.relationship = .init(parent: parent, condition: .hasValue(.bool(flag)))
    case .some where wanted != nil:
      parameter.definition.relationship = .init(
        parent: parent, condition: .hasValue(wanted?.json ?? .null))
    case let name:
      report(
        relationship.line, relationship.path(of: "PredicateName"),
        name.map { "'\($0)' without a value is not known" } ?? "there is none",
        expected: "HasAnyValue, BooleanHasExactValue or EnumHasExactValue with a value")
    }
  }

  /// Checks that parents exist and are in no circle, and puts them before their children, so that
  /// an earlier question can decide whether a later one is asked.
  mutating func checkRelationships(_ parameters: inout [ReadParameter]) {
    var places: [String: Int] = [:]
    for (index, parameter) in parameters.enumerated() { places[parameter.definition.name] = index }
    for index in parameters.indices {
      guard let parent = parameters[index].definition.relationship?.parent else { continue }
      guard places[parent] == nil else { continue }
      report(
        parameters[index].line, "\(parameters[index].path).INIntentParameterRelationship",
        "the parent of '\(parameters[index].definition.name)' is '\(parent)', which is no parameter",
        expected: nearestNames(to: parent, in: parameters.map(\.definition.name)).first
          .map { "'\($0)' perhaps" } ?? "one of the intent's parameters")
      parameters[index].definition.relationship = nil
    }
    for index in parameters.indices {
      var chain = [index]
      while let parent = parameters[chain[chain.count - 1]].definition.relationship?.parent,
        let next = places[parent]
      {
        guard let start = chain.firstIndex(of: next) else {
          chain.append(next)
          continue
        }
        let circle = chain[start...]
        let names = (circle + [next]).map { parameters[$0].definition.name }
        report(
          parameters[next].line, "\(parameters[next].path).INIntentParameterRelationship",
          "the relationships go in a circle: \(names.joined(separator: " → "))",
          expected: "a parent that depends on none of its children")
        for member in circle { parameters[member].definition.relationship = nil }
        break
      }
    }
    var order: [Int] = []
    var isPlaced = [Bool](repeating: false, count: parameters.count)
    for index in parameters.indices {
      var chain: [Int] = []
      var next: Int? = index
      while let place = next, !isPlaced[place] {
        isPlaced[place] = true
        chain.append(place)
        next = parameters[place].definition.relationship.flatMap { places[$0.parent] }
      }
      order += chain.reversed()
    }
    parameters = order.map { parameters[$0] }
  }
}
