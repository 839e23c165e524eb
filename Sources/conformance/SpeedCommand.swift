import ArgumentParser
import Glibc
import IntentRouter
import JSON
import NumberWords

/// `conformance speed …`, what recognition costs on a corpus.
///
/// `make bench` runs these in turns with the library that the format is of, so each is one short
/// process that prints one JSON object.
struct SpeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "speed", abstract: "Time recognition on a corpus; one JSON object each.",
    discussion: """
      A corpus is a folder as `conformance sentences` reads it. Times are in microseconds, memory is
      in KiB.
      """,
    subcommands: [SpeedOfCases.self, SpeedOfNames.self, SpeedOfLoading.self])
}

/// The time of a clock, in microseconds: what passed since some moment before, or what this thread
/// has computed (`CLOCK_THREAD_CPUTIME_ID`).
func microseconds(_ clock: clockid_t = CLOCK_MONOTONIC) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

/// The document of a language's folder, read, parsed and compiled.
func loadedGrammar(_ folder: String) throws -> SentenceGrammar {
  let path = "\(folder)/intents.json"
  return SentenceGrammar.load(located(try json(path)), file: path) {
    NumberWords.words(forTenths: $0, language: $1)
  }.grammar
}

extension [Double] {
  /// The value that `part` of the values are not above; 0 of none.
  func quantile(_ part: Double) -> Double {
    isEmpty ? 0 : sorted()[Swift.min(count - 1, Int(Double(count) * part))]
  }
}

/// The best result in the sense of the corpus: what its cases were made with.
func bestMatch(
  _ grammar: SentenceGrammar, _ sentence: String, _ request: SentenceGrammar.Request
) -> SentenceMatch? {
  guard case .success(let matches) = grammar.recognizeAll(sentence, request) else { return nil }
  return matches.best(slot: "name")
}
