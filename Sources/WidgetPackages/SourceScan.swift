// Finds what a Swift file of an extension needs: a reader of words, and no parser. It leaves out
// comments and texts, and the lines that a condition such as `#if os(iOS)` leaves out on Linux.

/// The imports and names of a file.
struct SourceScan: Hashable {
  /// The modules, each once, in their order.
  private(set) var imports: [String] = []
  /// The words that begin with a letter, `@` or `#`.
  private(set) var words: Set<String> = []
  /// The words in capitals that stand for a type by themselves, and not behind a dot.
  private(set) var types: Set<String> = []
  /// The words behind a dot.
  private(set) var members: Set<String> = []
  /// The names that the file declares: types, parameters of types, functions, values and labels.
  private(set) var declared: Set<String> = []
  private(set) var hasMain = false
  /// Lines that another platform alone compiles.
  private(set) var skippedLines = 0

  init(_ text: String, offered: Set<String>) {
    var conditions: [Condition] = []
    for line in withoutCommentsAndTexts(text).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    {
      let words = line.split { $0 == " " || $0 == "\t" }
      switch words.first {
      case "#if":
        conditions.append(Condition(words.dropFirst().joined(separator: " "), offered))
      case "#elseif":
        if let last = conditions.indices.last {
          conditions[last].next(words.dropFirst().joined(separator: " "), offered)
        }
      case "#else":
        if let last = conditions.indices.last { conditions[last].next(nil, offered) }
      case "#endif":
        _ = conditions.popLast()
      default:
        guard conditions.allSatisfy(\.isCompiled) else {
          if !words.isEmpty { skippedLines += 1 }
          continue
        }
        read(line, words)
      }
    }
  }

  private mutating func read(_ line: Substring, _ words: [Substring]) {
    if let place = words.firstIndex(of: "import"),
      words[..<place].allSatisfy({ $0.hasPrefix("@") || accessLevels.contains($0) })
    {
      var name = words[(place + 1)...]
      if let kind = name.first, importKinds.contains(kind) { name = name.dropFirst() }
      guard let module = name.first?.prefix(while: { $0.isLetter || $0.isNumber || $0 == "_" }),
        !module.isEmpty
      else { return }
      if !imports.contains(String(module)) { imports.append(String(module)) }
      return
    }
    let found = wordsInPlace(of: line)
    let isCaseList = found.first?.text == "case"
    for (index, word) in found.enumerated() {
      self.words.insert(String(word.text))
      if word.text == "@main" { hasMain = true }
      let bare = String(word.text.drop { $0 == "@" || $0 == "#" })
      if word.isBehindDot {
        if bare.first?.isLowercase == true { members.insert(bare) }
        continue
      }
      // A parameter of a function, a label, or one of a type such as `<Content: View>`.
      let isDeclared =
        index > 0 && declarationKeywords.contains(found[index - 1].text)
        || word.next == ":" || isCaseList || word.isTypeParameter
      if isDeclared { declared.insert(bare) }
      if bare.first?.isUppercase == true { types.insert(bare) }
    }
  }
}

/// A word of a line, and what stands around it.
private struct Word {
  var text: Substring
  var isBehindDot: Bool
  /// Whether it stands alone between the angle brackets of a declaration: `func show<Content>`.
  var isTypeParameter: Bool
  /// The next sign that is no space.
  var next: Character?
}

private func wordsInPlace(of line: Substring) -> [Word] {
  func isPart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "@"
      || character == "#"
  }
  var found: [Word] = []
  var place = line.startIndex
  var isInDeclaredBrackets = false
  while place < line.endIndex {
    guard isPart(line[place]) else {
      if line[place] == "<", found.count > 1,
        declarationKeywords.contains(found[found.count - 2].text) || found.last?.text == "init"
      {
        isInDeclaredBrackets = true
      } else if line[place] == ">" {
        isInDeclaredBrackets = false
      }
      place = line.index(after: place)
      continue
    }
    let start = place
    while place < line.endIndex, isPart(line[place]) { place = line.index(after: place) }
    let before = line[..<start]
    let next = line[place...].first { $0 != " " && $0 != "`" }
    let previous = before.last { $0 != " " && $0 != "`" }
    found.append(
      Word(
        text: line[start..<place],
        // Two dots are a range.
        isBehindDot: before.last == "." && !before.hasSuffix(".."),
        isTypeParameter: isInDeclaredBrackets && (previous == "<" || previous == ","), next: next))
  }
  return found
}

private let declarationKeywords: Set<Substring> = [
  "actor", "associatedtype", "case", "class", "enum", "func", "let", "macro", "precedencegroup",
  "protocol", "struct", "typealias", "var",
]

private let accessLevels: Set<Substring> = [
  "public", "package", "internal", "fileprivate", "private",
]
private let importKinds: Set<Substring> = [
  "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
]

/// One `#if` up to its `#endif`.
private struct Condition {
  private(set) var isCompiled: Bool
  private var wasCompiled: Bool

  init(_ text: String, _ offered: Set<String>) {
    isCompiled = Self.holds(text, offered)
    wasCompiled = isCompiled
  }

  /// Goes on to `#elseif`, or to `#else` without a text.
  mutating func next(_ text: String?, _ offered: Set<String>) {
    isCompiled = !wasCompiled && (text.map { Self.holds($0, offered) } ?? true)
    wasCompiled = wasCompiled || isCompiled
  }

  /// Whether a condition holds on Linux, in a build for debugging; `true` for one that is not known.
  private static func holds(_ text: String, _ offered: Set<String>) -> Bool {
    let parts = text.split(separator: "||")
    if parts.count > 1 { return parts.contains { holds(String($0), offered) } }
    let all = text.split(separator: "&&")
    if all.count > 1 { return all.allSatisfy { holds(String($0), offered) } }
    var word = text.filter { $0 != " " }
    if word.hasPrefix("!") { return !holds(String(word.dropFirst()), offered) }
    while word.hasPrefix("("), word.hasSuffix(")") { word = String(word.dropFirst().dropLast()) }
    func argument(of function: String) -> String? {
      guard word.hasPrefix(function + "("), word.hasSuffix(")") else { return nil }
      return String(word.dropFirst(function.count + 1).dropLast())
    }
    if let system = argument(of: "os") { return system == "Linux" }
    if let module = argument(of: "canImport") { return offered.contains(module) }
    if let environment = argument(of: "targetEnvironment") { return environment == "none" }
    return true
  }
}

/// The text with spaces for its comments and for what is between quotes.
private func withoutCommentsAndTexts(_ text: String) -> String {
  enum Place { case code, line, block(Int), text, longText }
  var place = Place.code
  let bytes = Array(text.utf8)
  var kept: [UInt8] = []
  kept.reserveCapacity(bytes.count)
  var index = 0
  func has(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard index + count <= bytes.count else { return false }
    return word.withUTF8Buffer { $0.elementsEqual(bytes[index..<(index + count)]) }
  }
  while index < bytes.count {
    let byte = bytes[index]
    var step = 1
    var isKept = false
    switch place {
    case .code:
      if has("//") {
        place = .line
      } else if has("/*") {
        (place, step) = (.block(1), 2)
      } else if has("\"\"\"") {
        (place, step) = (.longText, 3)
      } else if byte == UInt8(ascii: "\"") {
        place = .text
      } else {
        isKept = true
      }
    case .line:
      break
    case .block(let depth):
      if has("/*") {
        (place, step) = (.block(depth + 1), 2)
      } else if has("*/") {
        (place, step) = (depth == 1 ? .code : .block(depth - 1), 2)
      }
    case .text:
      if byte == UInt8(ascii: "\\") {
        step = 2
      } else if byte == UInt8(ascii: "\"") {
        place = .code
      }
    case .longText:
      if has("\"\"\"") { (place, step) = (.code, 3) }
    }
    if byte == UInt8(ascii: "\n") {
      kept.append(byte)
      // Neither goes on in the next line.
      switch place {
      case .line, .text: place = .code
      case .code, .block, .longText: break
      }
    } else {
      kept.append(isKept ? byte : UInt8(ascii: " "))
    }
    index += step
  }
  return String(decoding: kept, as: UTF8.self)
}
