import ArgumentParser
import Glibc
import IntentRouter
import JSON
import ProgramStart

/// `conformance complete DIR` completes the beginnings of sentences of a corpus.
struct CompletionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "complete",
    abstract: "Complete every beginning of the sentences of a corpus.",
    discussion: """
      conformance complete ~/corpus/sentences
      conformance complete ~/corpus/sentences --only de --names 10000

      Prints for each language how many beginnings were completed, how many completions there were
      and how many of them recognition takes, in percent the beginnings whose own sentence was
      offered, and the one meaning as it, and processor time for one beginning in microseconds.
      Fails where a completion is not recognised, or does not begin as the text does.
      """)

  @Argument(help: "The folder that has one folder for each language.")
  var directory: String

  @Option(help: "Only this language.")
  var only: String?

  @Option(help: "Sentences of a language; of more, as many are drawn.")
  var sentences = 200

  @Option(help: "Completions of one beginning.")
  var limit = 5

  @Option(help: "Invented names that are added to each language's list 'name'.")
  var names = 0

  @Flag(help: "Let beginnings that nothing begins with have slips.")
  var corrects = false

  @Flag(help: "Spoil the beginnings: exchange two letters of a word; implies --corrects.")
  var spoils = false

  @Flag(help: "Print each completion.")
  var verbose = false

  @Option(help: "Complete this text alone.")
  var text: String?

  func validate() throws {
    guard sentences > 0, (1...20).contains(limit), names >= 0 else {
      throw ValidationError("--sentences is 1 or more, --limit 1 to 20, --names 0 or more")
    }
  }

  func run() throws {
    let all = try folders(in: directory).filter {
      exists("\(directory)/\($0)/cases.jsonl") && (only == nil || $0 == only)
    }
    guard !all.isEmpty else {
      throw CorpusError(
        description: "'\(directory)' has no folder with a cases.jsonl"
          + (only.map { " for the language '\($0)'" } ?? ""))
    }
    var wrong = 0
    for language in all { wrong += try score(language) }
    guard wrong == 0 else { throw ExitCode(1) }
  }

  /// Completes the beginnings of one language, and returns how many completions were wrong.
  private func score(_ language: String) throws -> Int {
    let folder = "\(directory)/\(language)"
    let grammar = try loadedGrammar(folder)
    let fixtures = try json("\(folder)/fixtures.json").objectValue ?? [:]
    var union = fixtures["_all"]?.objectValue?["lists"]?.objectValue ?? [:]
    if names > 0 { union["name"] = ["values": .array(adding(names, to: union["name"], language))] }
    let bound = grammar.binding(located(.object(union))).grammar
    if let text {
      _ = bound.complete(text, limit: limit, corrects: corrects || spoils)
      let start = microseconds(CLOCK_THREAD_CPUTIME_ID)
      let found = try bound.complete(text, limit: limit, corrects: corrects || spoils).get()
      say("\(Int(microseconds(CLOCK_THREAD_CPUTIME_ID) - start)) µs")
      for completion in found {
        say("  \(completion.sentence)|\(completion.isUnfinished ? "…" : completion.match.intent)")
      }
      return 0
    }
    var score = CompletionScore()
    for row in drawn(try rows(of: "\(folder)/cases.jsonl"), language) {
      let check = SentenceCheck.checks(of: row, in: "cases")[0]
      guard let meant = bestMatch(bound, check.sentence, .init(context: check.context)) else {
        continue
      }
      let scalars = Array(check.sentence.unicodeScalars)
      for length in 1...scalars.count {
        var beginning = String.UnicodeScalarView()
        beginning.append(contentsOf: scalars[..<length])
        var text = String(beginning)
        if spoils {
          guard let spoiled = Self.spoiled(text, at: length) else { continue }
          text = spoiled
        }
        let start = microseconds(CLOCK_THREAD_CPUTIME_ID)
        let found = try bound.complete(
          text, context: check.context, limit: limit, corrects: corrects || spoils
        ).get()
        score.times.append(microseconds(CLOCK_THREAD_CPUTIME_ID) - start)
        score.add(found, of: text, check, meant, bound)
        if verbose { say("\(text)| → \(found.map { $0.sentence }.joined(separator: "|"))") }
      }
    }
    say(score.line(for: language))
    return score.wrong
  }

  /// A beginning with two letters in the middle of a word exchanged; `nil` where no word is long
  /// enough.
  private static func spoiled(_ text: String, at number: Int) -> String? {
    var scalars = Array(text.unicodeScalars)
    let places = scalars.indices.dropFirst(1).dropLast(2).filter { place in
      scalars[place - 1...place + 1].allSatisfy { $0.properties.isAlphabetic }
        && scalars[place] != scalars[place + 1]
    }
    guard !places.isEmpty else { return nil }
    scalars.swapAt(places[number % places.count], places[number % places.count] + 1)
    var spoiled = String.UnicodeScalarView()
    spoiled.append(contentsOf: scalars)
    return String(spoiled)
  }

  /// Sentences that are the same in every run.
  private func drawn(_ rows: [JSONObject], _ language: String) -> [JSONObject] {
    guard rows.count > sentences else { return rows }
    return (0..<sentences).map { rows[$0 * rows.count / sentences] }
  }

  /// The names of a list, and as many invented ones, with the contexts that the list has.
  private func adding(_ count: Int, to list: JSONValue?, _ language: String) -> [JSONValue] {
    let own = list?.objectValue?["values"]?.arrayValue ?? []
    let contexts = own.compactMap { $0["context"] }
    return own
      + (0..<count).map { number -> JSONValue in
        let name = InventedNames(language: language).name(number)
        var value: JSONObject = ["in": .string(name), "out": .string(name)]
        if !contexts.isEmpty { value["context"] = contexts[number % contexts.count] }
        return .object(value)
      }
  }
}

/// Counts what was offered for the beginnings of a language.
private struct CompletionScore {
  var times: [Double] = []
  private(set) var wrong = 0
  private var beginnings = 0
  private var empty = 0
  private var completions = 0
  private var recognised = 0
  private var unfinished = 0
  private var hasOwn = 0
  private var hasMeaning = 0

  mutating func add(
    _ found: [GrammarCompletion], of text: String, _ check: SentenceCheck, _ meant: SentenceMatch,
    _ grammar: SentenceGrammar
  ) {
    beginnings += 1
    completions += found.count
    if found.isEmpty { empty += 1 }
    for completion in found {
      let begins =
        !completion.changes.isEmpty
        || completion.sentence.unicodeScalars.starts(with: text.unicodeScalars)
      let isTaken =
        completion.isUnfinished
        || bestMatch(grammar, completion.sentence, .init(context: check.context)) != nil
      if completion.isUnfinished {
        unfinished += 1
      } else if isTaken {
        recognised += 1
      }
      if !begins || !isTaken {
        wrong += 1
        say("wrong: '\(text)' → '\(completion.sentence)'")
      }
    }
    if found.contains(where: { $0.sentence.lowercased() == check.sentence.lowercased() }) {
      hasOwn += 1
    }
    if found.contains(where: { $0.match.intent == meant.intent && $0.match.slots == meant.slots }) {
      hasMeaning += 1
    }
  }

  func line(for language: String) -> String {
    func percent(_ part: Int) -> String { "\(part * 100 / max(1, beginnings)) %" }
    return "\(language): \(beginnings) beginnings, \(percent(empty)) without completions; "
      + "\(completions) completions, \(recognised) recognised, \(unfinished) unfinished, "
      + "\(wrong) wrong; own sentence \(percent(hasOwn)), own meaning \(percent(hasMeaning)); "
      + "p50 \(Int(times.quantile(0.5))) µs, p99 \(Int(times.quantile(0.99))) µs, "
      + "worst \(Int(times.quantile(1))) µs"
  }
}
