// Reads YAML files into values that know their lines.
//
// libyaml finds the scalars, lists and maps; this file builds values of them and enforces the
// limits. Scalars follow the core schema of YAML 1.2: `yes`, `no`, `on` and `off` are text, not
// booleans, because the template `[turn] on` and the country `no` are text. Each issue names its
// line and the values that were expected.

import JSON
package import PropertyLists

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
  let mark = "\u{FEFF}".utf8
  let read = YAMLReader.read(text.utf8.dropFirst(text.utf8.starts(with: mark) ? mark.count : 0))
  switch read {
  case .success(let value): return LoadedDocument(file: file, value: value, issues: [])
  case .failure(let refusal):
    let (line, message, expected) = refusal.explained(in: text)
    return failed(line, message, expected)
  }
}

/// Why a document has no value.
private enum YAMLRefusal: Error {
  case problem(YAMLProblem)
  /// Valid YAML that is not taken: its line, the message, and the form that is taken.
  case unsupported(line: Int, String, expected: String)

  func explained(in text: String) -> (line: Int, message: String, expected: String) {
    switch self {
    case .unsupported(let line, let message, let expected): return (line, message, expected)
    case .problem(.syntax(let problem, let line, let context)):
      let place = context.map { " (\($0.text), line \($0.line))" } ?? ""
      return (line, "\(problem)\(place) at \(quoted(lineText(line, of: text)))", "valid YAML")
    case .problem(.reader(let problem, let offset)):
      let before = text.utf8.prefix(offset)
      let line = 1 + before.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
      return (line, problem, "UTF-8 text without control characters")
    case .problem(.memory):
      return (0, "the file cannot be read: no memory is left", "a smaller file")
    }
  }
}

/// Returns a line of a text as libyaml counts lines: the two bytes CR LF end one, and CR alone too.
private func lineText(_ line: Int, of text: String) -> String {
  let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  guard line >= 1, line <= lines.count else { return "" }
  return String(lines[line - 1])
}

/// Cuts by code points: one character may have any number of them.
private func quoted(_ text: String) -> String {
  let trimmed = text.unicodeScalars.drop { $0 == " " }
  let shown = trimmed.prefix(Limits.quotedScalarsMax)
  let more = shown.endIndex == trimmed.endIndex ? "" : "…"
  return "'\(Substring(shown))\(more)'"
}

/// Builds the value of one document from its events, and counts values, each as often as aliases
/// repeat it.
private struct YAMLReader: ~Copyable {
  private var events: YAMLEvents
  private var valueCount = 0
  /// The deepest level of the value that is being built.
  private var deepest = 0
  /// The values with an anchor, with the number of values in each and the levels below it.
  private var anchored: [String: (value: LocatedValue, count: Int, levels: Int)] = [:]

  /// Reads one document; no value for an empty one.
  static func read(_ text: Substring.UTF8View) -> Result<LocatedValue?, YAMLRefusal> {
    do throws(YAMLRefusal) {
      var reader = try YAMLReader(text)
      return .success(try reader.document())
    } catch {
      return .failure(error)
    }
  }

  private init(_ text: Substring.UTF8View) throws(YAMLRefusal) {
    do throws(YAMLProblem) {
      events = try YAMLEvents(text)
    } catch {
      throw .problem(error)
    }
  }

  private mutating func next() throws(YAMLRefusal) -> YAMLEvent {
    do throws(YAMLProblem) {
      return try events.next()
    } catch {
      throw .problem(error)
    }
  }

  private mutating func document() throws(YAMLRefusal) -> LocatedValue? {
    var root: LocatedValue?
    while true {
      switch try next() {
      case .streamEnd: return root
      case .streamStart, .documentEnd: break
      case .documentStart:
        guard root == nil else {
          throw .unsupported(
            line: events.line, "a second document begins", expected: "one document in a file")
        }
        root = try value(of: try next(), depth: 0)
      case .scalar, .sequence, .mapping, .end, .alias:
        preconditionFailure("libyaml puts each value into a document")
      }
    }
  }

  private mutating func value(of event: YAMLEvent, depth: Int) throws(YAMLRefusal) -> LocatedValue {
    let line = events.line
    try count(1, line)
    try checkDepth(depth, line)
    let first = valueCount
    let outside = deepest
    deepest = depth
    defer { deepest = max(deepest, outside) }
    let value: LocatedValue
    let name: String?
    switch event {
    case .scalar(let text, let isPlain, let tag, let anchor):
      value = LocatedValue(try scalar(text, isPlain: isPlain, tag: tag, line), line: line)
      name = anchor
    case .sequence(let anchor):
      value = LocatedValue(.array(try elements(depth: depth + 1)), line: line)
      name = anchor
    case .mapping(let anchor):
      value = LocatedValue(.object(try members(depth: depth + 1)), line: line)
      name = anchor
    case .alias(let anchor):
      guard let known = anchored[anchor] else {
        throw .unsupported(
          line: line, "the alias \(quoted("*" + anchor)) has no anchor before it",
          expected: "a value with \(quoted("&" + anchor)) before it")
      }
      try count(known.count - 1, line)
      try checkDepth(depth + known.levels, line)
      deepest = depth + known.levels
      return known.value
    case .end, .documentStart, .documentEnd, .streamStart, .streamEnd:
      preconditionFailure("libyaml says what begins before it ends")
    }
    if let name { anchored[name] = (value, valueCount - first + 1, deepest - depth) }
    return value
  }

  private mutating func elements(depth: Int) throws(YAMLRefusal) -> [LocatedValue] {
    var elements: [LocatedValue] = []
    while true {
      let event = try next()
      if case .end = event { return elements }
      elements.append(try value(of: event, depth: depth))
    }
  }

  private mutating func members(depth: Int) throws(YAMLRefusal) -> [LocatedValue.Member] {
    var members: [LocatedValue.Member] = []
    var names: Set<String> = []
    while true {
      let event = try next()
      let line = events.line
      switch event {
      case .end: return members
      case .scalar(let name, _, _, _):
        guard names.insert(name).inserted else {
          throw .unsupported(
            line: line, "the key \(quoted(name)) is written more than once",
            expected: "each key once")
        }
        members.append(
          .init(key: name, line: line, value: try value(of: try next(), depth: depth)))
      default:
        throw .unsupported(
          line: line, "a key is a list, a map or an alias", expected: "a plain key")
      }
    }
  }

  private func scalar(
    _ text: String, isPlain: Bool, tag: String?, _ line: Int
  ) throws(YAMLRefusal) -> LocatedValue.Node {
    guard tag == nil || tag == "tag:yaml.org,2002:str" else {
      throw .unsupported(
        line: line, "the tag \(quoted(tag ?? "")) is not known", expected: "values without tags")
    }
    return isPlain ? resolvePlainScalar(text) : .string(text)
  }

  private func checkDepth(_ depth: Int, _ line: Int) throws(YAMLRefusal) {
    guard depth <= Limits.depthMax else {
      throw .unsupported(
        line: line, "lists and maps are nested too deeply",
        expected: "at most \(Limits.depthMax) levels")
    }
  }

  private mutating func count(_ more: Int, _ line: Int) throws(YAMLRefusal) {
    valueCount += more
    guard valueCount <= Limits.expandedNodesMax else {
      throw .unsupported(
        line: line, "the document has too many values once its aliases are written out",
        expected: "at most \(Limits.expandedNodesMax) values")
    }
  }
}
