import ArgumentParser
import Glibc
import IntentRouter
import JSON
import LanguageWords
import ProgramStart

/// `conformance speed near DIR --language en` measures near reading beside exact recognition.
///
/// Its sentences are samples of the templates, spoiled by `NearNoise`, that exact recognition finds
/// nothing for. Times are processor time of the thread.
struct SpeedOfNear: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "near", abstract: "Near reading beside exact recognition, and with many names.")

  @Argument(help: "The folder that has one folder for each language.")
  var directory: String

  @Option(help: "The language.")
  var language: String

  @Option(help: "How many sentences.")
  var count = 400

  @Option(help: "How many names are many; 0 leaves them out.")
  var names = 10_000

  func validate() throws {
    guard count > 0, names >= 0 else {
      throw ValidationError("--count is 1 or more, --names 0 or more")
    }
  }

  func run() throws {
    let folder = "\(directory)/\(language)"
    let before = try residentKiB().own
    let grammar = try nearGrammar(folder)
    // Exact recognition makes what it needs at its first sentence.
    _ = grammar.recognizeAll("zork")
    let loaded = try residentKiB().own
    let start = microseconds(CLOCK_THREAD_CPUTIME_ID)
    _ = grammar.readNearly("zork")
    let layingOut = microseconds(CLOCK_THREAD_CPUTIME_ID) - start
    let laidOut = try residentKiB().own
    var result: JSONObject = [
      "layingOut": .double(layingOut), "loadedMemory": .int(Int64(loaded - before)),
      "nearMemory": .int(Int64(laidOut - loaded)), "longest": .double(longest(grammar)),
      "near": .object(times(grammar)),
    ]
    if names > 0, let lists = try lists(folder) {
      let bound = try nearGrammar(folder, lists: lists)
      _ = bound.readNearly("zork")
      result["manyNames"] = .object(times(bound))
    }
    say(JSONValue.object(result).serialized)
  }

  /// The lists of the corpus with invented names; `nil` where no template has names.
  private func lists(_ folder: String) throws -> JSONObject? {
    let fixtures = try json("\(folder)/fixtures.json").objectValue ?? [:]
    guard let all = fixtures["_all"]?.objectValue?["lists"]?.objectValue, all["name"] != nil else {
      return nil
    }
    return InventedNames(language: language).lists(names, [:], in: all)
  }

  /// Reads spoiled samples both ways, in turns.
  private func times(_ grammar: SentenceGrammar) -> JSONObject {
    var exact: [Double] = []
    var near: [Double] = []
    for sentence in spoiled(grammar) {
      var start = microseconds(CLOCK_THREAD_CPUTIME_ID)
      _ = grammar.recognizeAll(sentence)
      exact.append(microseconds(CLOCK_THREAD_CPUTIME_ID) - start)
      start = microseconds(CLOCK_THREAD_CPUTIME_ID)
      _ = grammar.readNearly(sentence)
      near.append(microseconds(CLOCK_THREAD_CPUTIME_ID) - start)
    }
    let (usual, usualExact) = (near.quantile(0.5), exact.quantile(0.5))
    return [
      "sentences": .int(Int64(near.count)), "exact": .double(usualExact), "near": .double(usual),
      "ratio": .double(usual / Swift.max(usualExact, 0.001)), "p99": .double(near.quantile(0.99)),
    ]
  }

  private func spoiled(_ grammar: SentenceGrammar) -> [String] {
    var noise = NearNoise(
      seed: language, samples: grammar.samples(ofEach: 2), foreign: [],
      fillers: WordsOfLanguages.fillers(in: language),
      blockers: WordsOfLanguages.blockers(in: language))
    var sentences: [String] = []
    for sample in noise.samples.shuffled(using: &noise.generator) {
      let sentence = noise.spoiled(sample, names: []).sentence
      guard case .success(let matches) = grammar.recognizeAll(sentence), matches.isEmpty else {
        continue
      }
      sentences.append(sentence)
      if sentences.count == count { break }
    }
    return sentences
  }

  /// The slowest reading of sentences of 1,024 characters, and of what is just short enough to be
  /// read.
  private func longest(_ grammar: SentenceGrammar) -> Double {
    let samples = grammar.samples(ofEach: 1)
    let unspaced = samples.joined().filter { $0 != " " }
    let long = [
      String(repeating: "a", count: 1_024), String(repeating: "a ", count: 512),
      samples.joined(separator: " "), unspaced,
    ]
    let sentences = long.flatMap { text in
      [1_024, 190, 120, 60].map { String(text.prefix($0)) }
    }
    return sentences.reduce(0) { slowest, sentence in
      let start = microseconds(CLOCK_THREAD_CPUTIME_ID)
      _ = grammar.readNearly(sentence)
      return Swift.max(slowest, microseconds(CLOCK_THREAD_CPUTIME_ID) - start)
    }
  }
}
