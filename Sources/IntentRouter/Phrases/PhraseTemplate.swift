/// A sentence template as a tree: `(show|display) [the] weather (in|for) {city}`.
///
/// The syntax is the hassil document format's: `(a|b)` alternatives, `(a;b)` permutations, `[a]`
/// optional, `{list}`, `{list:slot}`, `{0..100:slot}`, `<rule>`, `\x` for x itself. Literal text is
/// cut into chunks of one word with the spaces around it, because the white space rules of matching
/// work chunk by chunk.
indirect enum PhraseItem: Hashable, Sendable {
  /// A word with its spaces, normalised but with its case.
  case chunk([UInt32])
  case sequence([PhraseItem])
  case alternative([PhraseItem])
  /// The branches in any order.
  case permutation([PhraseItem])
  case list(ListReference)
  case rule(String)
  /// Matches without taking anything: the last branch of an optional.
  case nothing
}

struct ListReference: Hashable, Sendable {
  /// The text before the colon: a list's name, or `from..to[,step]`.
  var name: String
  /// `nil` when the reference has no part of its own for the slot: the slot is the list's name.
  var explicitSlot: String?
  /// Matched text only, no slot.
  var isCapture: Bool
  /// White space follows directly in the same group: a wildcard here ends at the end of a word.
  var endsWord: Bool

  var slot: String { explicitSlot ?? name }
}

/// Why a template cannot be read; `column` counts Unicode scalars from 1.
struct PhraseSyntaxError: Error, Hashable, Sendable {
  var column: Int
  var message: String
  var expected: String
}

struct PhraseTemplate: Hashable, Sendable {
  /// As it was written.
  var source: String
  var root: PhraseItem

  init(parsing source: String) throws(PhraseSyntaxError) {
    self.source = source
    var parser = PhraseParser(source)
    root = try parser.parseTemplate()
  }

  private init(source: String, root: PhraseItem) {
    self.source = source
    self.root = root
  }

  /// A template that is exactly this text, whatever characters it has.
  static func literal(_ text: String) -> PhraseTemplate {
    PhraseTemplate(source: text, root: .chunk(normalizedScalars(text)))
  }

  /// Whether a list value is written as a template rather than as plain text.
  static func hasSyntax(_ text: String) -> Bool {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": return false
      case "(", ")", "{", "}", "<", ">", "[", "]", "|", "@": return true
      default: continue
      }
    }
    return false
  }
}

private struct PhraseParser {
  private let text: [Unicode.Scalar]
  private var index = 0
  private var end: Int
  private var depth = 0

  init(_ source: String) {
    var scalars = Array(source.unicodeScalars)
    while let last = scalars.last, isWhitespace(last.value) { scalars.removeLast() }
    text = scalars
    end = scalars.count
    while index < end, isWhitespace(text[index].value) { index += 1 }
  }

  mutating func parseTemplate() throws(PhraseSyntaxError) -> PhraseItem {
    guard end <= Limits.templateScalarsMax else {
      throw error(
        0, "the template has \(end) characters", "at most \(Limits.templateScalarsMax) characters")
    }
    guard index < end else { throw error(index, "the template is empty", "a sentence") }
    let body = try parseBody(isOptional: false)
    // A template that is exactly one group is that group.
    if case .sequence(let items) = body, items.count == 1 {
      switch items[0] {
      case .sequence, .alternative, .permutation: return items[0]
      case .chunk, .list, .rule, .nothing: break
      }
    }
    return body
  }

  private enum Separator { case none, alternative, permutation }

  /// Reads branches up to `end`.
  private mutating func parseBody(isOptional: Bool) throws(PhraseSyntaxError) -> PhraseItem {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Limits.templateDepthMax else {
      throw error(
        index, "groups are nested too deeply", "at most \(Limits.templateDepthMax) levels")
    }
    var branches: [[PhraseItem]] = [[]]
    var separator = Separator.none
    while index < end {
      switch text[index] {
      case "|", ";":
        let found: Separator = text[index] == "|" ? .alternative : .permutation
        if separator == .permutation, found == .alternative {
          // The order so far is one branch of the alternative, without the spaces of a permutation.
          let order = try permutation(branches.map(PhraseItem.sequence))
          branches = [[order]]
        } else if separator == .alternative, found == .permutation {
          throw error(index, "';' follows '|' in one group", "parentheses around one of them")
        }
        separator = found
        branches.append([])
        index += 1
      case "(":
        branches[branches.count - 1].append(
          try parseGroup(opener: "(", closer: ")", isOptional: false))
      case "[":
        branches[branches.count - 1].append(
          try parseGroup(opener: "[", closer: "]", isOptional: true))
      case "{": branches[branches.count - 1].append(try parseList())
      case "<":
        branches[branches.count - 1].append(
          .rule(unescape(try delimited(opener: "<", closer: ">"))))
      case ")", "]", "}", ">":
        throw error(
          index, "'\(text[index])' closes nothing", "its opener before it, or '\\\(text[index])'")
      default:
        branches[branches.count - 1].append(try parseChunk())
      }
    }
    switch separator {
    case .permutation:
      let spaced = try permutation(
        branches.map { PhraseItem.sequence([.chunk([space])] + $0 + [.chunk([space])]) })
      return isOptional ? .alternative([spaced, .nothing]) : spaced
    case .alternative:
      return .alternative(branches.map(PhraseItem.sequence) + (isOptional ? [.nothing] : []))
    case .none:
      let only = PhraseItem.sequence(branches[0])
      return isOptional ? .alternative([only, .nothing]) : only
    }
  }

  private func permutation(_ branches: [PhraseItem]) throws(PhraseSyntaxError) -> PhraseItem {
    guard branches.count <= Limits.permutationBranchesMax else {
      throw error(
        index, "a permutation has \(branches.count) branches",
        "at most \(Limits.permutationBranchesMax)")
    }
    return .permutation(branches)
  }

  private mutating func parseGroup(
    opener: Unicode.Scalar, closer: Unicode.Scalar, isOptional: Bool
  ) throws(PhraseSyntaxError) -> PhraseItem {
    let range = try delimited(opener: opener, closer: closer)
    let (outerIndex, outerEnd) = (index, end)
    (index, end) = (range.lowerBound, range.upperBound)
    let body = try parseBody(isOptional: isOptional)
    (index, end) = (outerIndex, outerEnd)
    return body
  }

  /// Steps over a delimited part such as `{…}` and returns its content; counts only these two
  /// delimiters.
  private mutating func delimited(
    opener: Unicode.Scalar, closer: Unicode.Scalar
  ) throws(PhraseSyntaxError) -> Range<Int> {
    let start = index
    var level = 0
    while index < end {
      if text[index] == "\\" {
        index += 2
        continue
      }
      if text[index] == opener { level += 1 }
      if text[index] == closer { level -= 1 }
      index += 1
      guard level == 0 else { continue }
      guard index - start > 2 else {
        throw error(
          start, "'\(opener)\(closer)' is empty", "something between \(opener) and \(closer)")
      }
      return (start + 1)..<(index - 1)
    }
    throw error(start, "'\(opener)' is not closed", "'\(closer)'")
  }

  private mutating func parseList() throws(PhraseSyntaxError) -> PhraseItem {
    let start = index
    var range = try delimited(opener: "{", closer: "}")
    let endsWord = index < end && isWhitespace(text[index].value)
    var isCapture = false
    if text[range.lowerBound] == "@" {
      isCapture = true
      range = (range.lowerBound + 1)..<range.upperBound
    }
    var slot: String?
    var nameRange = range
    if let colon = range.first(where: { text[$0] == ":" && !isEscaped($0, from: range.lowerBound) })
    {
      nameRange = range.lowerBound..<colon
      var slotStart = colon + 1
      if slotStart < range.upperBound, text[slotStart] == "@" {
        isCapture = true
        slotStart += 1
      }
      slot = unescape(slotStart..<range.upperBound)
    }
    let name = unescape(nameRange)
    guard !name.isEmpty, slot != "" else {
      throw error(start, "the list reference has an empty name", "{list} or {list:slot}")
    }
    return .list(
      ListReference(name: name, explicitSlot: slot, isCapture: isCapture, endsWord: endsWord))
  }

  /// Parses one word with one space before it and all spaces after it.
  ///
  /// Two or more spaces before a word are a chunk of their own; a word that begins with an escape
  /// belongs to the chunk before it.
  private mutating func parseChunk() throws(PhraseSyntaxError) -> PhraseItem {
    var content: [Unicode.Scalar] = []
    var leading = 0
    while index < end, text[index] == " " {
      leading += 1
      index += 1
    }
    content.append(contentsOf: repeatElement(" ", count: leading))
    if leading > 1 { return chunk(content) }
    var isPastWord = false
    scan: while index < end {
      switch text[index] {
      case "\\":
        guard index + 1 < end else {
          throw error(index, "the template ends with '\\'", "a character after it")
        }
        content.append(text[index + 1])
        index += 2
      case "(", ")", "[", "]", "{", "}", "<", ">", "|", ";":
        break scan
      case " ":
        isPastWord = true
        content.append(" ")
        index += 1
      default:
        if isPastWord { break scan }
        content.append(text[index])
        index += 1
      }
    }
    return chunk(content)
  }

  private func chunk(_ content: [Unicode.Scalar]) -> PhraseItem {
    .chunk(normalizedScalars(content))
  }

  private func isEscaped(_ position: Int, from start: Int) -> Bool {
    var backslashes = 0
    var index = position - 1
    while index >= start, text[index] == "\\" {
      backslashes += 1
      index -= 1
    }
    return backslashes % 2 == 1
  }

  private func unescape(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    var index = range.lowerBound
    while index < range.upperBound {
      if text[index] == "\\", index + 1 < range.upperBound { index += 1 }
      view.append(text[index])
      index += 1
    }
    return String(view)
  }

  private func error(_ at: Int, _ message: String, _ expected: String) -> PhraseSyntaxError {
    PhraseSyntaxError(column: at + 1, message: message, expected: expected)
  }
}
