import ArgumentParser
import Glibc
import IntentRouter
import JSON
import ProgramStart

/// `conformance speed names DIR --language en` measures the same sentences with few and many names.
///
/// The sentences are cases of the corpus that contain a name. An invented name replaces it: one of
/// the list, or one that is in neither list but has the same beginning as a listed one. The group
/// that must not match also has the corpus's negative sentences. Names for the long list are drawn
/// from the whole list, so that the measurement touches all its memory.
struct SpeedOfNames: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "names", abstract: "Many names against few, matched and not matched.")

  @Argument(help: "The folder that has one folder for each language.")
  var directory: String

  @Option(help: "The language.")
  var language: String

  @Option(help: "How many names are few.")
  var few = 10

  @Option(help: "How many names are many.")
  var many = 10_000

  @Option(help: "Rounds of each, in turns.")
  var rounds = 9

  func validate() throws {
    guard few > 0, many >= few, rounds > 0 else {
      throw ValidationError("--few is 1 or more, --many as much or more, --rounds 1 or more")
    }
  }

  /// A sentence, the grammar with a list of names, and the context to recognise it in.
  private struct Saying {
    var sentence: String
    var grammar: SentenceGrammar
    var request: SentenceGrammar.Request

    var match: SentenceMatch? { bestMatch(grammar, sentence, request) }
  }

  /// A case whose sentence contains a name.
  private struct Frame {
    var check: SentenceCheck
    var name: String
    /// The corpus's attributes of the name, for example that it is a light.
    var context: JSONValue

    func sentence(naming other: String) -> String { check.sentence.replacing(name, with: other) }
  }

  private enum Length { case few, many }

  func run() throws {
    let folder = "\(directory)/\(language)"
    let grammar = try loadedGrammar(folder)
    let fixtures = try json("\(folder)/fixtures.json").objectValue ?? [:]
    let union = fixtures["_all"]?.objectValue?["lists"]?.objectValue ?? [:]
    let frames = try frames(folder, union)
    let names = InventedNames(language: language)
    var lists: [String: [Length: SentenceGrammar]] = [:]
    for context in Set(frames.map(\.context)) {
      for (length, count) in [(Length.few, few), (.many, many)] {
        let bound = grammar.binding(located(.object(names.lists(count, context, in: union))))
          .grammar
        lists[context.serialized, default: [:]][length] = bound
      }
    }

    var matched: [Length: [Saying]] = [:]
    var unmatched: [Length: [Saying]] = [:]
    /// Keeps a pair of sentences if both fill the slot with `names`, or, without `names`, match
    /// nothing.
    func add(
      _ sentences: [Length: String], _ context: JSONValue, _ request: SentenceGrammar.Request,
      names: [Length: String]?
    ) {
      guard let bound = lists[context.serialized] else { return }
      var pair: [Length: [Saying]] = [:]
      for (length, sentence) in sentences {
        guard let grammar = bound[length] else { return }
        let saying = Saying(sentence: sentence, grammar: grammar, request: request)
        let match = saying.match
        if let name = names?[length] {
          guard match?.slots["name"]?.stringValue == name else { return }
        } else {
          guard match == nil else { return }
        }
        pair[length] = [saying]
      }
      if names == nil {
        unmatched.merge(pair, uniquingKeysWith: +)
      } else {
        matched.merge(pair, uniquingKeysWith: +)
      }
    }
    for (index, frame) in frames.enumerated() {
      let request = SentenceGrammar.Request(context: frame.check.context)
      for turn in 0..<Self.namesOfFrame {
        let place = index * Self.namesOfFrame + turn
        let said = [Length.few: names.name(place % few), .many: names.name(place &* 7_919 % many)]
        add(
          said.mapValues { frame.sentence(naming: $0) }, frame.context, request, names: said)
        add(
          said.mapValues { frame.sentence(naming: $0 + Self.unknownEnd) }, frame.context, request,
          names: nil)
      }
    }
    let contexts = frames.map(\.context)
    for (index, row) in try rows(of: "\(folder)/negative.jsonl").enumerated()
    where row["bonus"]?.boolValue != true && !contexts.isEmpty {
      let check = SentenceCheck.checks(of: row, in: "negative")[0]
      add(
        [.few: check.sentence, .many: check.sentence], contexts[index % contexts.count],
        .init(context: check.context), names: nil)
    }
    guard matched[.few]?.isEmpty == false, unmatched[.few]?.isEmpty == false else {
      throw CorpusError(description: "'\(folder)' has no sentences that say a name")
    }
    let result: JSONValue = ["matched": compare(matched), "unmatched": compare(unmatched)]
    say(result.serialized)
  }

  /// The number of names that each frame is tried with.
  private static let namesOfFrame = 4
  /// The ending that turns a listed name into one that no list has.
  private static let unknownEnd = "xq"

  private func frames(_ folder: String, _ union: JSONObject) throws -> [Frame] {
    var contexts: [String: JSONValue] = [:]
    for value in elements(union["name"]?.objectValue?["values"]) {
      guard let name = value["in"]?.stringValue else { continue }
      contexts[name] = value["context"] ?? [:]
    }
    return try rows(of: "\(folder)/cases.jsonl").compactMap { row in
      guard let name = row["slots"]?.objectValue?["name"]?.stringValue, let context = contexts[name]
      else { return nil }
      let check = SentenceCheck.checks(of: row, in: "cases")[0]
      return check.sentence.contains(name) ? Frame(check: check, name: name, context: context) : nil
    }
  }

  private func elements(_ value: JSONValue?) -> [JSONObject] {
    guard case .array(let elements)? = value else { return [] }
    return elements.compactMap(\.objectValue)
  }

  /// Measures both sides in alternating rounds: the median of each side and of the rounds' ratios.
  ///
  /// Counts the thread's processor time, not elapsed time: a round is so short that on a busy
  /// machine one side could be interrupted in every round and the other in none.
  private func compare(_ sayings: [Length: [Saying]]) -> JSONValue {
    var means: [Length: [Double]] = [:]
    for round in 0..<rounds {
      for length in round % 2 == 0 ? [Length.few, .many] : [.many, .few] {
        means[length, default: []].append(mean(sayings[length] ?? []))
      }
    }
    let (short, long) = (means[.few] ?? [], means[.many] ?? [])
    return [
      "sentences": .int(Int64(sayings[.few]?.count ?? 0)), "few": .double(short.quantile(0.5)),
      "many": .double(long.quantile(0.5)),
      "ratio": .double(zip(long, short).map { $0 / $1 }.quantile(0.5)),
    ]
  }

  private func mean(_ sayings: [Saying]) -> Double {
    let start = microseconds(CLOCK_THREAD_CPUTIME_ID)
    for saying in sayings { _ = saying.match }
    return (microseconds(CLOCK_THREAD_CPUTIME_ID) - start) / Double(sayings.count)
  }
}
