/// Reads YAML files into values that know their lines.
///
/// Yams composes the tree; this file interprets its scalars and enforces the limits. Scalars follow
/// the core schema of YAML 1.2: `yes`, `no`, `on` and `off` are text, not booleans, because the
/// template `[turn] on` and the country `no` are text. Each issue names its line and the values
/// that were expected.
package import JSON
import Yams

/// One file after reading: its value, if it has a usable one, and its issues.
package struct LoadedDocument: Sendable {
  /// The name that messages use.
  package var file: String
  /// The value of the file; `nil` when the file is empty or an error leaves nothing usable.
  package var value: LocatedValue?
  package var issues: [DocumentIssue]

  package init(file: String, value: LocatedValue?, issues: [DocumentIssue]) {
    self.file = file
    self.value = value
    self.issues = issues
  }
}

/// Reads one YAML document.
///
/// `file` is the name that messages use.
package func readYAML(_ text: String, file: String) -> LoadedDocument {
  func failed(_ line: Int, _ message: String, _ expected: String) -> LoadedDocument {
    let issue = DocumentIssue(file: file, line: line, message: message, expected: expected)
    return LoadedDocument(file: file, value: nil, issues: [issue])
  }
  let byteCount = text.utf8.count
  guard byteCount <= Limits.documentBytesMax else {
    return failed(
      0, "the file has \(byteCount) bytes", "at most \(Limits.documentBytesMax) bytes")
  }
  // Some editors begin a file with a byte order mark. YAML allows it, but libyaml reads it as a
  // document of its own.
  let text =
    text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
  if let line = lineOfAliasInKey(text) {
    return failed(
      line, "an alias is used together with a key that is a list or a map", "plain keys")
  }
  do {
    // The basic resolver resolves nothing; the default one runs seven regular expressions a scalar.
    let parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
    guard let root = try parser.singleRoot() else {
      return LoadedDocument(file: file, value: nil, issues: [])
    }
    var conversion = NodeConversion(file: file)
    let value = conversion.convert(root, depth: 0)
    return LoadedDocument(file: file, value: value, issues: conversion.issues)
  } catch let error as YamlError {
    let (line, message, expected) = explain(error, text: text)
    return failed(line, message, expected)
  } catch {
    return failed(0, "the file cannot be read: \(error)", "a YAML document")
  }
}

/// Returns the line of a key that is a collection or an alias, if the document has aliases.
///
/// Yams hashes every key while it composes, and a key that contains aliases can be exponentially
/// large; so such a document is refused first. The scan ignores quotes: it may refuse a document
/// that is harmless.
private func lineOfAliasInKey(_ text: String) -> Int? {
  var line = 1
  var hasAlias = false
  var suspectLine: Int?
  var previous: UInt8 = 0x0A
  var inAlias = false
  var afterCollection = false
  var onlyIndentation = true
  for byte in text.utf8 {
    switch byte {
    case 0x0A:
      line += 1
      onlyIndentation = true
      afterCollection = false
      inAlias = false
    case UInt8(ascii: "*") where " \n\t[{,:-?".utf8.contains(previous):
      hasAlias = true
      inAlias = true
      onlyIndentation = false
    case UInt8(ascii: ":") where inAlias || afterCollection:
      suspectLine = suspectLine ?? line
    case UInt8(ascii: "?") where onlyIndentation || "{,-".utf8.contains(previous):
      suspectLine = suspectLine ?? line
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      afterCollection = true
      inAlias = false
      onlyIndentation = false
    case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"):
      inAlias = false
      afterCollection = false
      onlyIndentation = false
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "-"):
      break
    default:
      afterCollection = false
      onlyIndentation = false
    }
    previous = byte
  }
  return hasAlias ? suspectLine : nil
}

private func explain(
  _ error: YamlError, text: String
) -> (line: Int, message: String, expected: String) {
  switch error {
  case .scanner(let context, let problem, let mark, _),
    .parser(let context, let problem, let mark, _),
    .composer(let context, let problem, let mark, _):
    let place = context.map { " (\($0.text), line \($0.mark.line))" } ?? ""
    let there = quoted(lineText(mark.line, of: text))
    return (mark.line, "\(problem)\(place) at \(there)", "valid YAML")
  case .duplicatedKeysInMapping(let duplicates, let context):
    let names = duplicates.map(quoted).joined(separator: ", ")
    return (context.mark.line, "the key \(names) is written more than once", "each key once")
  case .reader(let problem, let offset, _, _):
    let before = text.utf8.prefix(offset ?? 0)
    let line = 1 + before.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
    return (line, problem, "UTF-8 text without control characters")
  case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
    return (0, "the file cannot be read: \(error)", "a YAML document")
  }
}

private func lineText(_ line: Int, of text: String) -> String {
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  guard line >= 1, line <= lines.count else { return "" }
  return String(lines[line - 1])
}

private func quoted(_ text: String) -> String {
  let trimmed = text.drop { $0 == " " }
  guard trimmed.count > Limits.quotedCharactersMax else { return "'\(trimmed)'" }
  return "'\(trimmed.prefix(Limits.quotedCharactersMax))…'"
}

/// Walks the composed tree once and counts values, each as often as aliases repeat it.
private struct NodeConversion {
  var file: String
  var issues: [DocumentIssue] = []
  var nodeCount = 0
  /// Whether a limit was reached; no further value is converted then.
  var isExhausted = false

  mutating func convert(_ node: Node, depth: Int) -> LocatedValue? {
    guard !isExhausted else { return nil }
    let line = node.mark?.line ?? 0
    nodeCount += 1
    guard nodeCount <= Limits.expandedNodesMax else {
      return refuse(
        line, "the document has too many values once its aliases are written out",
        "at most \(Limits.expandedNodesMax) values")
    }
    guard depth <= Limits.depthMax else {
      return refuse(
        line, "lists and maps are nested too deeply", "at most \(Limits.depthMax) levels")
    }
    switch node {
    case .scalar(let scalar):
      return convert(scalar, tag: node.tag.description, line: line)
    case .sequence(let sequence):
      var values: [LocatedValue] = []
      for element in sequence {
        guard let value = convert(element, depth: depth + 1) else { return nil }
        values.append(value)
      }
      return LocatedValue(.array(values), line: line)
    case .mapping(let mapping):
      var members: [LocatedValue.Member] = []
      for (key, element) in mapping {
        let keyLine = key.mark?.line ?? line
        guard case .scalar(let name) = key else {
          return refuse(keyLine, "a key is a list or a map", "a plain key")
        }
        guard let value = convert(element, depth: depth + 1) else { return nil }
        members.append(.init(key: name.string, line: keyLine, value: value))
      }
      return LocatedValue(.object(members), line: line)
    case .alias:
      return refuse(line, "an alias has no anchor", "the anchor before its alias")
    }
  }

  private mutating func convert(
    _ scalar: Node.Scalar, tag: String, line: Int
  ) -> LocatedValue? {
    // The basic resolver tags a scalar without a tag as a string.
    guard tag == "tag:yaml.org,2002:str" else {
      return refuse(line, "the tag '\(tag)' is not known", "values without tags")
    }
    let isPlain = scalar.style == .plain || scalar.style == .any
    let node = isPlain ? resolvePlainScalar(scalar.string) : .string(scalar.string)
    return LocatedValue(node, line: line)
  }

  private mutating func refuse(
    _ line: Int, _ message: String, _ expected: String
  ) -> LocatedValue? {
    isExhausted = true
    issues.append(DocumentIssue(file: file, line: line, message: message, expected: expected))
    return nil
  }
}
