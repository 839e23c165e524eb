import ArgumentParser
import Glibc
import IntentRouter
import JSON
import LanguageWords
import NumberWords

/// `conformance speed …` measures the cost of recognition on a corpus.
///
/// `make bench` runs these commands in turns with hassil, the library that defined the format. So
/// each command is one short process that prints one JSON object.
struct SpeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "speed", abstract: "Time recognition on a corpus; one JSON object each.",
    discussion: """
      A corpus is a folder as `conformance sentences` reads it. Times are in microseconds, memory is
      in KiB.
      """,
    subcommands: [
      SpeedOfCases.self, SpeedOfNames.self, SpeedOfNear.self, SpeedOfCompleting.self,
      SpeedOfLoading.self,
    ])
}

/// Reads a clock, in microseconds.
///
/// `CLOCK_MONOTONIC` counts from an arbitrary start; `CLOCK_THREAD_CPUTIME_ID` counts the processor
/// time of this thread.
func microseconds(_ clock: clockid_t = CLOCK_MONOTONIC) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

/// Reads, parses and compiles the document of a language's folder.
func loadedGrammar(_ folder: String) throws -> SentenceGrammar {
  let path = "\(folder)/intents.json"
  return SentenceGrammar.load(located(try json(path)), file: path) {
    NumberWords.words(forTenths: $0, language: $1)
  }.grammar
}

/// The same with a language's fillers and blockers, and with all names of the fixtures or others.
func nearGrammar(_ folder: String, lists: JSONObject? = nil) throws -> SentenceGrammar {
  let grammar = SentenceGrammar.load(
    located(try json("\(folder)/intents.json")), file: folder,
    spelling: { NumberWords.words(forTenths: $0, language: $1) },
    words: {
      NearWords(
        fillers: WordsOfLanguages.fillers(in: $0), blockers: WordsOfLanguages.blockers(in: $0))
    }
  ).grammar
  if let lists { return grammar.binding(located(.object(lists))).grammar }
  let fixtures = try json("\(folder)/fixtures.json").objectValue ?? [:]
  guard let all = fixtures["_all"]?.objectValue?["lists"] else { return grammar }
  return grammar.binding(located(all)).grammar
}

extension [Double] {
  /// Returns the quantile `part` (0…1) of the values; 0 if there are none.
  func quantile(_ part: Double) -> Double {
    isEmpty ? 0 : sorted()[Swift.min(count - 1, Int(Double(count) * part))]
  }
}

/// Returns the best result by the rule with which the corpus's cases were made.
func bestMatch(
  _ grammar: SentenceGrammar, _ sentence: String, _ request: SentenceGrammar.Request
) -> SentenceMatch? {
  guard case .success(let matches) = grammar.recognizeAll(sentence, request) else { return nil }
  return matches.best(slot: "name")
}
