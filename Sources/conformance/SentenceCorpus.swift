// Reads one language of a sentence corpus and judges its cases.
//
// A language has a document of templates, the names that its cases use, and the cases.

import IntentRouter
import JSON
import NumberWords
import ProgramStart

/// One sentence and its expected result.
struct SentenceCheck {
  enum Kind { case best, all, unmatched }
  var id: String
  var kind: Kind
  var sentence: String
  var fixture: String
  var context: [String: JSONValue]
  /// The best result, `null` for no match, or a list of results.
  var expectation: JSONValue
  /// The number of results, if the list holds only the first of them; else `nil`.
  var count: Int?
  /// The slots with their places in the sentence; empty if the corpus has none.
  var entities: [JSONValue] = []

  static func checks(of row: JSONObject, in file: String) -> [SentenceCheck] {
    var check = SentenceCheck(
      id: row["id"]?.stringValue ?? "", kind: .best, sentence: row["sentence"]?.stringValue ?? "",
      fixture: row["fixture"]?.stringValue ?? "_all", context: members(of: row["context"]),
      expectation: .null)
    switch file {
    case "cases":
      check.expectation = .object([
        "intent": row["intent"] ?? .null, "slots": row["slots"] ?? [:],
      ])
      check.entities = row["hassil"]?["entities"]?.arrayValue ?? []
      var all = check
      all.entities = []
      all.id += " (_all)"
      all.fixture = "_all"
      all.expectation = answer(row["hassil_all"])
      return row["hassil_all"] == nil ? [check] : [check, all]
    case "negative": return [check]
    case "perturbed":
      check.expectation = answer(row["hassil"])
    case "all_results":
      check.kind = .all
      check.expectation = answers(row["results"])
    default:
      check.kind = .unmatched
      check.expectation = answers(row["results"])
      check.count = row["n_results"]?.intValue.map(Int.init)
    }
    return [check]
  }

  private static func answers(_ results: JSONValue?) -> JSONValue {
    guard case .array(let elements)? = results else { return [] }
    return .array(elements.map(answer))
  }

  private static func answer(_ result: JSONValue?) -> JSONValue {
    guard case .object(let object)? = result else { return .null }
    var answer: JSONObject = ["intent": object["intent"] ?? .null, "slots": object["slots"] ?? [:]]
    if let unmatched = object["unmatched"] { answer["unmatched"] = unmatched }
    return .object(answer)
  }
}

func members(of value: JSONValue?) -> [String: JSONValue] {
  guard case .object(let object)? = value else { return [:] }
  return Dictionary(object.members.map { ($0.key, $0.value) }) { _, last in last }
}

/// Returns a result in the form of the corpus.
func view(_ match: SentenceMatch, withUnmatched: Bool = false) -> JSONValue {
  let slots = match.slots.sorted { $0.key < $1.key }.map {
    JSONObject.Member(key: $0.key, value: $0.value)
  }
  var object: JSONObject = ["intent": .string(match.intent), "slots": .object(JSONObject(slots))]
  if withUnmatched {
    object["unmatched"] = .array(
      match.unmatched.map { entity in
        switch entity.part {
        case .text(let text): ["name": .string(entity.name), "text": .string(text)]
        case .number(let number): ["name": .string(entity.name), "value": number]
        }
      })
  }
  return .object(object)
}

enum Judgement {
  case passed
  /// The result is right only with the number words of the corpus.
  case otherWords
  case failed(JSONValue)
}

final class SentenceCorpus {
  private let document: LocatedValue
  private let fixtures: JSONObject
  private let numbers: String
  private let grammar: SentenceGrammar
  private var bound: [String: SentenceGrammar] = [:]
  /// The grammar with the number words of the corpus; made once a case fails without them.
  private var otherGrammar: SentenceGrammar?

  init(folder: String, numbers: String) throws {
    document = located(try json("\(folder)/intents.json"))
    fixtures = try json("\(folder)/fixtures.json").objectValue ?? [:]
    self.numbers = numbers
    grammar = try Self.load(document, folder) { NumberWords.words(forTenths: $0, language: $1) }
  }

  private static func load(
    _ document: LocatedValue, _ folder: String, spelling: @escaping NumberSpelling
  ) throws -> SentenceGrammar {
    let loaded = SentenceGrammar.load(
      document, file: "\(folder)/intents.json", spelling: spelling)
    // Score the templates that loaded; cases that need the others fail.
    for issue in loaded.issues where issue.severity == .error { say(issue.description) }
    return loaded.grammar
  }

  func judge(_ check: SentenceCheck) throws -> Judgement {
    let own: SentenceGrammar
    if let known = bound[check.fixture] {
      own = known
    } else {
      own = binding(grammar, to: check.fixture)
      bound[check.fixture] = own
    }
    let got = answer(check, own)
    if isRight(got, check) { return .passed }
    guard exists(numbers) else { return .failed(got) }
    if otherGrammar == nil {
      let words = try spellings()
      otherGrammar = try Self.load(document, numbers) { tenths, _ in
        tenths.map { words[$0] ?? [] }
      }
    }
    guard let other = otherGrammar else { return .failed(got) }
    return isRight(answer(check, binding(other, to: check.fixture)), check)
      ? .otherWords : .failed(got)
  }

  /// Returns how many slots with a place in the corpus have the same place here, and how many there
  /// are.
  ///
  /// Slots with a different value are left out of both counts.
  func places(_ check: SentenceCheck) -> (same: Int, all: Int) {
    guard !check.entities.isEmpty, let own = bound[check.fixture],
      case .success(let matches) = own.recognizeAll(
        check.sentence, .init(context: check.context, locates: true)),
      let best = matches.best(slot: "name")
    else { return (0, 0) }
    var counts = (same: 0, all: 0)
    for wanted in check.entities {
      guard case .array(let ends)? = wanted["span"], ends.count == 2,
        let entity = best.entities.first(where: { $0.name == wanted["name"]?.stringValue })
      else { continue }
      counts.all += 1
      let span = entity.span.map {
        [JSONValue.int(Int64($0.lowerBound)), .int(Int64($0.upperBound))]
      }
      if span == ends { counts.same += 1 }
    }
    return counts
  }

  private func binding(_ grammar: SentenceGrammar, to fixture: String) -> SentenceGrammar {
    guard case .object(let object)? = fixtures[fixture], let lists = object["lists"] else {
      return grammar
    }
    return grammar.binding(located(lists)).grammar
  }

  /// Reads the corpus's number words, by number in tenths.
  private func spellings() throws -> [Int: [String]] {
    var words: [Int: [String]] = [:]
    for member in try json(numbers).objectValue?["words"]?.objectValue?.members ?? [] {
      guard let number = Double(member.key), case .array(let texts) = member.value else { continue }
      words[Int((number * 10).rounded())] = texts.compactMap(\.stringValue)
    }
    return words
  }

  private func answer(_ check: SentenceCheck, _ grammar: SentenceGrammar) -> JSONValue {
    let request = SentenceGrammar.Request(
      context: check.context, allowsUnmatched: check.kind == .unmatched)
    switch grammar.recognizeAll(check.sentence, request) {
    case .failure(let error): return .string(error.message)
    case .success(let matches):
      switch check.kind {
      case .best: return matches.best(slot: "name").map { view($0) } ?? .null
      case .all: return .array(matches.map { view($0) })
      case .unmatched: return .array(matches.map { view($0, withUnmatched: true) })
      }
    }
  }

  private func isRight(_ got: JSONValue, _ check: SentenceCheck) -> Bool {
    guard case .array(let results) = got, case .array(let expected) = check.expectation else {
      return isEqual(got, check.expectation)
    }
    guard results.count == check.count ?? expected.count else { return false }
    return zip(results, expected).allSatisfy { result, wanted in
      guard case .object(var object) = wanted else { return false }
      if check.kind == .unmatched, object["unmatched"] == nil { object["unmatched"] = [] }
      return isEqual(result, .object(object))
    }
  }
}
