import ArgumentParser
import Glibc
import IntentRouter
import JSON
import LanguageWords
import NumberWords
import ProgramStart

/// `conformance robust DIR` scores near reading against sentences as people type and say them.
struct RobustCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "robust",
    abstract: "Score near reading against sentences as people type and say them.",
    discussion: """
      conformance robust ~/corpus/robust --corpus ~/corpus/sentences
      conformance robust ~/corpus/robust --corpus ~/corpus/sentences --by kind

      Reads LANGUAGE/robust.jsonl and prints for each set, in percent: acted right and wrong,
      asked with the right choice among three and without it, asked where nothing was meant, and
      nothing. Then confidence beside the share that was right, and times beside exact recognition.
      A language's templates are in its folder, else in that of --corpus.
      """)

  enum Grouping: String, CaseIterable, ExpressibleByArgument { case kind, language }

  @Argument(help: "The folder that has one folder for each language.")
  var directory: String

  @Option(help: "The sentence corpus with the templates and names of the languages.")
  var corpus: String?

  @Option(help: "Also a line for each kind of noise, or each language.")
  var by: Grouping?

  @Option(help: "Only this language.")
  var only: String?

  @Option(help: "Write what was done for each row to this file, as lines of JSON.")
  var predictions: String?

  @Option(
    help: ArgumentHelp(
      "Instead, print features of this many spoiled sentences of each template.",
      discussion: "For scripts/fit-near.py; the rows of DIR are not read."))
  var fit: Int?

  func run() throws {
    if let fit {
      for name in try languages() { try printFeatures(name, fit) }
      return
    }
    var score = RobustScore()
    var lines: [String] = []
    var times: [String] = []
    for name in try languages() {
      let grammar = try load(name)
      var speed = RobustSpeed()
      for row in try rows(of: "\(directory)/\(name)/robust.jsonl") {
        let prediction = RobustPrediction(row, grammar, &speed)
        let groups = by.map { $0 == .kind ? row["kind"]?.stringValue ?? "" : name }
        score.add(row, prediction, group: groups)
        if predictions != nil { lines.append(JSONValue.object(prediction.view).serialized) }
      }
      times.append(speed.line(for: name))
    }
    for line in score.lines + [""] + score.confidenceLines + [""] + times { say(line) }
    if let predictions { try write(lines, to: predictions) }
  }

  private func languages() throws -> [String] {
    let names = try folders(in: directory).filter {
      exists("\(directory)/\($0)/robust.jsonl") && (only == nil || $0 == only)
    }
    guard !names.isEmpty else {
      throw CorpusError(
        description: "'\(directory)' has no folder with a robust.jsonl"
          + (only.map { " for the language '\($0)'" } ?? ""))
    }
    return names
  }

  private func load(_ name: String) throws -> SentenceGrammar {
    let own = "\(directory)/\(name)"
    let folder = exists("\(own)/intents.json") ? own : "\(corpus ?? directory)/\(name)"
    guard exists("\(folder)/intents.json") else {
      throw CorpusError(
        description: "there are no templates for '\(name)': '\(folder)' has no intents.json; "
          + "give the sentence corpus with --corpus")
    }
    return try nearGrammar(folder)
  }

  private func write(_ lines: [String], to path: String) throws {
    guard let file = fopen(path, "wb") else {
      throw CorpusError(description: "'\(path)' cannot be written")
    }
    defer { fclose(file) }
    for line in lines {
      let bytes = Array((line + "\n").utf8)
      guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
        throw CorpusError(description: "'\(path)' cannot be written")
      }
    }
  }

  // MARK: Fitting

  /// Prints a line for each spoiled sentence that has a reading: its features, and whether the first
  /// reading is what was meant.
  private func printFeatures(_ name: String, _ count: Int) throws {
    let grammar = try load(name)
    let words = (WordsOfLanguages.fillers(in: name), WordsOfLanguages.blockers(in: name))
    let foreign = try languages().filter { $0 != name }.prefix(2).flatMap {
      try load($0).samples(ofEach: 1)
    }
    var noise = NearNoise(
      seed: name, samples: grammar.samples(ofEach: count), foreign: foreign, fillers: words.0,
      blockers: words.1)
    var left = 1_500
    for base in noise.samples.shuffled(using: &noise.generator) {
      guard left > 0 else { break }
      guard let meant = best(base, grammar) else { continue }
      let spoiled = noise.spoiled(base, names: meant.entities.map(\.text))
      guard best(spoiled.sentence, grammar) == nil,
        case .success(let answer) = grammar.readNearly(spoiled.sentence),
        let reading = answer.readings.first
      else { continue }
      left -= 1
      let place = answer.readings.firstIndex {
        spoiled.isMeant && $0.meaning.intent == meant.intent && $0.meaning.slots == meant.slots
      }
      let line: JSONValue = [
        "language": .string(name), "kind": .string(spoiled.kind), "right": .bool(place == 0),
        "asked": .bool(place != nil),
        "sentence": .string(spoiled.sentence), "taken": .string(reading.sentence),
        "features": .array(answer.features.map { .double($0) }),
      ]
      say(line.serialized)
    }
  }

  private func best(_ sentence: String, _ grammar: SentenceGrammar) -> SentenceMatch? {
    guard case .success(let matches) = grammar.recognizeAll(sentence) else { return nil }
    return matches.best(slot: "name")
  }
}
