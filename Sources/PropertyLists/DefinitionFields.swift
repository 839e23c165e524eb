// Reads the fields of a dictionary of a definition file.
//
// An issue names its key path, such as `INIntents[2].INIntentParameters[0].INIntentParameterType`.
// Each key of the format begins with the name of the object it belongs to. Each text for people
// has a second key with `ID` at the end, by which translations find it.

package import JSON

/// A text that people see, with the identifier that its translations are filed under.
package struct DefinitionText: Hashable, Sendable {
  package var text: String
  package var identifier: String?
  package var line: Int

  package init(text: String, identifier: String?, line: Int) {
    self.text = text
    self.identifier = identifier
    self.line = line
  }
}

/// The members of a dictionary of a definition file.
package struct DefinitionFields {
  package var members: [LocatedValue.Member]
  /// Where the dictionary is: `INIntents[2]`, or empty for the root.
  package var path: String
  package var line: Int
  /// The beginning of its keys: `INIntent`.
  package var prefix: String

  /// The value of a key without its prefix.
  package subscript(suffix: String) -> LocatedValue? {
    members.last { $0.key == prefix + suffix }?.value
  }

  /// The key path of a key without its prefix.
  package func path(of suffix: String) -> String {
    path.isEmpty ? prefix + suffix : "\(path).\(prefix)\(suffix)"
  }
}

/// Reads one file and collects its issues.
package struct DefinitionReader {
  /// The name that issues use.
  package let file: String
  package private(set) var issues: [DocumentIssue] = []

  package init(file: String) { self.file = file }

  /// Adds an issue of the value at a key path.
  package mutating func report(
    _ line: Int, _ path: String, _ message: String, expected: String,
    severity: DocumentIssue.Severity = .error
  ) {
    issues.append(
      DocumentIssue(
        severity: severity, file: file, line: line,
        message: path.isEmpty ? message : "\(path): \(message)", expected: expected))
  }

  /// The members of a value; `nil`, with an issue, if it is no dictionary.
  package mutating func fields(_ value: LocatedValue, _ path: String, prefix: String)
    -> DefinitionFields?
  {
    guard case .object(let members) = value.node else {
      report(value.line, path, "it is \(value.json.typeName)", expected: "a dict")
      return nil
    }
    return DefinitionFields(members: members, path: path, line: value.line, prefix: prefix)
  }

  /// The dictionaries of an array, each with its place in it; the others are reported.
  package mutating func dictionaries(
    _ fields: DefinitionFields, _ suffix: String, prefix: String, countMax: Int
  ) -> [DefinitionFields] {
    guard let value = fields[suffix] else { return [] }
    let path = fields.path(of: suffix)
    guard case .array(let elements) = value.node else {
      report(value.line, path, "it is \(value.json.typeName)", expected: "an array")
      return []
    }
    if elements.count > countMax {
      report(value.line, path, "it has \(elements.count) elements", expected: "at most \(countMax)")
    }
    var found: [DefinitionFields] = []
    for (index, element) in elements.prefix(countMax).enumerated() {
      if let fields = self.fields(element, "\(path)[\(index)]", prefix: prefix) {
        found.append(fields)
      }
    }
    return found
  }

  /// A text; `nil`: there is none, or, with an issue, something else.
  package mutating func text(_ fields: DefinitionFields, _ suffix: String) -> String? {
    guard let value = fields[suffix] else { return nil }
    guard case .string(let text) = value.node else {
      report(
        value.line, fields.path(of: suffix), "it is \(value.json.typeName)", expected: "a string")
      return nil
    }
    guard text.utf8.count <= Limits.textBytesMax else {
      report(
        value.line, fields.path(of: suffix), "it has \(text.utf8.count) bytes",
        expected: "at most \(Limits.textBytesMax)")
      return nil
    }
    return text
  }

  /// A text that people see; `nil`: there is none.
  package mutating func localized(_ fields: DefinitionFields, _ suffix: String) -> DefinitionText? {
    guard let text = text(fields, suffix) else { return nil }
    return DefinitionText(
      text: text, identifier: self.text(fields, suffix + "ID"),
      line: fields[suffix]?.line ?? fields.line)
  }

  /// True or false; `nil`: it is not said, or, with an issue, something else.
  package mutating func flag(_ fields: DefinitionFields, _ suffix: String) -> Bool? {
    guard let value = fields[suffix] else { return nil }
    switch value.node {
    case .bool(let flag): return flag
    // Xcode writes some flags as numbers.
    case .int(0): return false
    case .int(1): return true
    case .null, .int, .double, .string, .array, .object:
      report(
        value.line, fields.path(of: suffix), "it is \(value.json.typeName)",
        expected: "true or false")
      return nil
    }
  }

  /// Reads a number; empty data stands for no number.
  package mutating func number(_ fields: DefinitionFields, _ suffix: String) -> Double? {
    guard let value = fields[suffix] else { return nil }
    if case .string("") = value.node { return nil }
    guard let number = value.json.doubleValue, number.isFinite else {
      report(
        value.line, fields.path(of: suffix), "it is \(value.json.typeName)", expected: "a number")
      return nil
    }
    return number
  }

  /// Reports unknown keys, because a misspelt key would have no effect silently.
  package mutating func checkKeys(_ fields: DefinitionFields, known: [String]) {
    for member in fields.members {
      var suffix = Substring(member.key)
      let belongs = suffix.hasPrefix(fields.prefix)
      if belongs { suffix = suffix.dropFirst(fields.prefix.count) }
      if belongs, known.contains(where: { suffix == $0 || suffix == $0 + "ID" }) { continue }
      let near = nearest(to: member.key, among: known.map { fields.prefix + $0 })
      report(
        member.line, fields.path.isEmpty ? member.key : "\(fields.path).\(member.key)",
        "the key is unknown", expected: near.first.map { "'\($0)' perhaps" } ?? "no such key",
        severity: .warning)
    }
  }
}
