/// A value that remembers the line it was written on, so that a loader can say where a mistake is.
///
/// YAML documents and property lists arrive in this form; `json` forgets the lines.
package struct LocatedValue: Hashable, Sendable {
  /// A member of an object, with its line.
  package struct Member: Hashable, Sendable {
    package var key: String
    /// 1-based line of the key.
    package var line: Int
    package var value: LocatedValue

    package init(key: String, line: Int, value: LocatedValue) {
      self.key = key
      self.line = line
      self.value = value
    }
  }

  /// The value, whose elements and members know their lines too.
  package enum Node: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([LocatedValue])
    case object([Member])
  }

  package var node: Node
  /// 1-based line in the file.
  package var line: Int

  package init(_ node: Node, line: Int) {
    self.node = node
    self.line = line
  }

  package subscript(key: String) -> LocatedValue? {
    guard case .object(let members) = node else { return nil }
    return members.last { $0.key == key }?.value
  }

  package var json: JSONValue {
    switch node {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .array(let values): .array(values.map(\.json))
    case .object(let members):
      .object(JSONObject(members.map { .init(key: $0.key, value: $0.value.json) }))
    }
  }
}

/// Returns a value that was never in a file, such as one that a test writes, with `line` for the
/// line of each of its parts.
package func located(_ value: JSONValue, line: Int = 1) -> LocatedValue {
  let node: LocatedValue.Node =
    switch value {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .int(let number): .int(number)
    case .double(let number): .double(number)
    case .string(let text): .string(text)
    case .array(let values): .array(values.map { located($0, line: line) })
    case .object(let object):
      .object(
        object.members.map {
          .init(key: $0.key, line: line, value: located($0.value, line: line))
        })
    }
  return LocatedValue(node, line: line)
}

/// One mistake in a file that a person wrote: where it is, what stands there, what was expected.
package struct DocumentIssue: Hashable, Sendable {
  /// Whether a part of the file is left out (an error), or only looks wrong (a warning).
  package enum Severity: String, Hashable, Sendable { case error, warning }

  package var severity: Severity
  package var file: String
  /// 1-based; 0 when the whole file is meant.
  package var line: Int
  /// The mistake, with the text of the file: "`reload.minimumInterval` is '5 parsecs'".
  package var message: String
  /// The accepted values: "a duration such as 30s, 5m or 2h".
  package var expected: String

  package init(
    severity: Severity = .error, file: String, line: Int, message: String, expected: String
  ) {
    self.severity = severity
    self.file = file
    self.line = line
    self.message = Self.cut(message)
    self.expected = Self.cut(expected)
  }

  /// UTF-8 bytes of a message, and of what was expected.
  package static let textBytesMax = Limits.issueTextBytesMax
  /// Issues of one file that are told.
  package static let countOfFileMax = Limits.issueCountOfFileMax

  private static func cut(_ text: String) -> String {
    guard text.utf8.count > textBytesMax else { return text }
    var shown = String.UnicodeScalarView()
    var bytes = 0
    for scalar in text.unicodeScalars {
      bytes += UTF8.width(scalar)
      guard bytes <= textBytesMax - 3 else { break }
      shown.append(scalar)
    }
    return String(shown) + "…"
  }

  /// As a compiler says it: `file:line: error: message; expected …`.
  package var description: String {
    let place = line > 0 ? "\(file):\(line)" : file
    let hint = expected.isEmpty ? "" : "; expected \(expected)"
    return "\(place): \(severity.rawValue): \(message)\(hint)"
  }
}

extension [DocumentIssue] {
  /// The first `countOfFileMax` issues of each file, and one that says that there are others.
  package func bounded() -> [DocumentIssue] {
    var counts: [String: Int] = [:]
    for issue in self { counts[issue.file, default: 0] += 1 }
    let crowded = counts.filter { $0.value > DocumentIssue.countOfFileMax }
    guard !crowded.isEmpty else { return self }
    var seen: [String: Int] = [:]
    var worst: [String: DocumentIssue.Severity] = [:]
    var bounded: [DocumentIssue] = []
    for issue in self {
      guard let count = crowded[issue.file] else {
        bounded.append(issue)
        continue
      }
      seen[issue.file, default: 0] += 1
      if seen[issue.file, default: 0] <= DocumentIssue.countOfFileMax {
        bounded.append(issue)
        continue
      }
      if issue.severity == .error { worst[issue.file] = .error }
      if seen[issue.file] == count {
        bounded.append(
          DocumentIssue(
            severity: worst[issue.file] ?? .warning, file: issue.file, line: 0,
            message: "the file has more mistakes than are listed",
            expected: "a file without the mistakes above"))
      }
    }
    return bounded
  }
}
