// Makes sentences from titles of combinations: people see "Set ${item} to ${value}" for an intent,
// so they may say it.
//
// A title becomes a template whose parameters are lists: the cases of an enumeration by their
// translated names, numbers in the parameter's limits, any text for the rest.

import JSON
import PropertyLists

/// A title that no sentence can be made of, and why.
struct TitleProblem: Error {
  var message: String
  var expected: String
}

/// Returns the template of a title, and the parameters that it names.
///
/// `${name}` becomes `{name}`. Punctuation at the edges of words is left out, as in sentences.
func template(
  ofTitle title: String, parameters: Set<String>
) throws(TitleProblem) -> (text: String, named: Set<String>) {
  let scalars = Array(title.unicodeScalars)
  var result = ""
  var named: Set<String> = []
  var hasWord = false
  var index = 0
  while index < scalars.count {
    if scalars[index] == "$", index + 1 < scalars.count, scalars[index + 1] == "{" {
      guard let end = scalars[index...].firstIndex(of: "}") else {
        throw TitleProblem(message: "'${' does not end", expected: "${NAME}")
      }
      var name = String.UnicodeScalarView()
      name.append(contentsOf: scalars[(index + 2)..<end])
      let text = String(name)
      guard parameters.contains(text) else {
        throw TitleProblem(
          message: "'\(text)' is no parameter, so no sentence is made of it",
          expected: nearestNames(to: text, in: parameters.sorted()).first.map { "'\($0)' perhaps" }
            ?? "a parameter of the intent")
      }
      guard named.insert(text).inserted else {
        throw TitleProblem(
          message: "'\(text)' is named twice, so no sentence is made of it", expected: "it once")
      }
      result += "{\(text)}"
      index = end + 1
      continue
    }
    let scalar = scalars[index]
    let before = index > 0 && isWord(scalars[index - 1].value)
    let after = index + 1 < scalars.count && isWord(scalars[index + 1].value)
    if isWord(scalar.value) || scalar.properties.generalCategory == .nonspacingMark
      || scalar.properties.generalCategory == .spacingMark
    {
      hasWord = true
      result.unicodeScalars.append(scalar)
    } else if isWhitespace(scalar.value) {
      result += " "
    } else if before && after || "%°&+#@€$£¥".unicodeScalars.contains(scalar) {
      // Inside a word ("what's", "5:30"), or a sign that is spoken ("20 %").
      if "\\()[]{}<>|;@".unicodeScalars.contains(scalar) { result += "\\" }
      result.unicodeScalars.append(scalar)
    } else {
      switch scalar.properties.generalCategory {
      case .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation: break
      // Straight quotes open and close, so their category does not say that they are quotes.
      case _ where scalar == "\"" || scalar == "'": break
      // So that "a – b" stays two words.
      default: result += " "
      }
    }
    index += 1
  }
  guard hasWord else {
    throw TitleProblem(
      message: "it has no word of its own and would take every sentence, so none is made of it",
      expected: "a word beside the parameters")
  }
  let words = result.split(separator: " ")
  return (words.joined(separator: " "), named)
}

/// The translations of a definition file's texts into one language.
struct DefinitionTranslations {
  var file: String
  /// The texts by identifier, each with its line in `file`.
  var texts: [String: (text: String, line: Int)] = [:]

  /// Reads a `.strings` file, which maps identifiers to texts.
  init(strings document: LocatedValue, file: String) {
    self.file = file
    guard case .object(let members) = document.node else { return }
    for member in members {
      if case .string(let text) = member.value.node { texts[member.key] = (text, member.line) }
    }
  }

  /// Reads a copy of the whole definition file in another language.
  init(copy document: LocatedValue, file: String) {
    self.file = file
    collect(document)
  }

  private mutating func collect(_ value: LocatedValue) {
    switch value.node {
    case .array(let elements): for element in elements { collect(element) }
    case .object(let members):
      for member in members {
        if case .string(let text) = member.value.node {
          if let identifier = value[member.key + "ID"]?.json.stringValue {
            texts[identifier] = (text, member.line)
          }
        } else {
          collect(member.value)
        }
      }
    case .null, .bool, .int, .double, .string: break
    }
  }
}

/// Languages that are written without spaces between words, by their codes in BCP 47.
private let languagesWithoutSpaces: Set<String> = ["zh", "ja", "th", "lo", "km", "my"]

extension DefinitionFile {
  /// Returns the sentence document of one language, and issues for titles that give no sentence;
  /// `nil` if there are no sentences.
  ///
  /// Without `translations` the titles are taken as they are, in the file's own language. `file` is
  /// then the name for issues.
  func sentences(
    language: String, translations: DefinitionTranslations?, file: String
  ) -> (document: LocatedValue?, issues: [DocumentIssue]) {
    var issues: [DocumentIssue] = []
    var intents: [LocatedValue.Member] = []
    let place = translations?.file ?? file
    func translated(_ text: DefinitionText) -> DefinitionText {
      guard let identifier = text.identifier, let found = translations?.texts[identifier] else {
        return text
      }
      return DefinitionText(text: found.text, identifier: identifier, line: found.line)
    }
    for entry in entries {
      let parameters = Set(entry.definition.parameters.map(\.name))
      var sentences: [LocatedValue] = []
      var seen: Set<String> = []
      var named: Set<String> = []
      for title in entry.titles {
        if let translations {
          // A title without a translation is no sentence of that language.
          guard let identifier = title.text.identifier, translations.texts[identifier] != nil else {
            continue
          }
        }
        let text = translated(title.text)
        do throws(TitleProblem) {
          let made = try template(ofTitle: text.text, parameters: parameters)
          guard seen.insert(made.text).inserted else { continue }
          named.formUnion(made.named)
          sentences.append(LocatedValue(.string(made.text), line: text.line))
        } catch {
          let subject = translations == nil ? title.path : "\"\(title.text.identifier ?? "")\""
          issues.append(
            DocumentIssue(
              severity: .warning, file: place, line: text.line,
              message: "\(subject): the title \(quoted(text.text)): \(error.message)",
              expected: error.expected))
        }
      }
      guard !sentences.isEmpty else { continue }
      let lists = named.sorted().map { name in
        LocatedValue.Member(
          key: name, line: entry.line,
          value: list(entry.spoken[name] ?? .anything, entry.line, translated))
      }
      var block = [member("sentences", .array(sentences), entry.line)]
      if !lists.isEmpty { block.append(member("lists", .object(lists), entry.line)) }
      intents.append(
        member(
          entry.definition.name,
          .object([
            member(
              "data", .array([LocatedValue(.object(block), line: entry.line)]), entry.line)
          ]), entry.line))
    }
    guard !intents.isEmpty else { return (nil, issues) }
    var members = [
      member("language", .string(language), 1), member("intents", .object(intents), 1),
    ]
    let code = language.prefix { $0 != "-" }
    if languagesWithoutSpaces.contains(String(code)) {
      members.append(
        member("settings", .object([member("ignore_whitespace", .bool(true), 1)]), 1))
    }
    return (LocatedValue(.object(members), line: 1), issues)
  }

  private func member(
    _ key: String, _ node: LocatedValue.Node, _ line: Int
  ) -> LocatedValue.Member {
    .init(key: key, line: line, value: LocatedValue(node, line: line))
  }

  private func list(
    _ spoken: Spoken, _ line: Int, _ translated: (DefinitionText) -> DefinitionText
  ) -> LocatedValue {
    switch spoken {
    case .anything:
      return LocatedValue(.object([member("wildcard", .bool(true), line)]), line: line)
    case .numbers(let from, let to, let hasFractions):
      var range = [member("from", .int(Int64(from)), line), member("to", .int(Int64(to)), line)]
      if hasFractions { range.append(member("fractions", .string("tenths"), line)) }
      return LocatedValue(.object([member("range", .object(range), line)]), line: line)
    case .values(let values):
      let elements = values.map { text, value in
        let text = translated(text)
        return LocatedValue(
          .object([
            member("in", .string(text.text), text.line),
            member("out", .string(value), text.line),
          ]), line: text.line)
      }
      return LocatedValue(
        .object([
          member("values", .array(elements), line), member("allow_template", .bool(false), line),
        ]), line: line)
    }
  }
}
