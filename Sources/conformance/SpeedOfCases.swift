import ArgumentParser
import IntentRouter
import JSON
import ProgramStart

/// `conformance speed cases DIR --language en` measures the cases of one language.
///
/// Each case uses the names of its own fixture. The command runs all cases in turn and starts over
/// until the time is up.
struct SpeedOfCases: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cases", abstract: "Sentences a second, and the slowest of them.")

  @Argument(help: "The folder that has one folder for each language.")
  var directory: String

  @Option(help: "The language.")
  var language: String

  @Option(help: "Of all cases, every COUNTth from NUMBER (as 2/5): a share of them all.")
  var slice = "0/1"

  @Option(help: "How long to go on, at least; each case is said twice at least.")
  var seconds = 0.5

  func run() throws {
    let parts = slice.split(separator: "/").compactMap { Int($0) }
    guard parts.count == 2, parts[1] > 0, parts[0] >= 0, parts[0] < parts[1] else {
      throw ValidationError("--slice is NUMBER/COUNT, as 0/5 to 4/5, not '\(slice)'")
    }
    let folder = "\(directory)/\(language)"
    let grammar = try loadedGrammar(folder)
    let fixtures = try json("\(folder)/fixtures.json").objectValue ?? [:]
    var bound: [String: SentenceGrammar] = [:]
    var work: [(check: SentenceCheck, grammar: SentenceGrammar, request: SentenceGrammar.Request)] =
      []
    for (index, row) in try rows(of: "\(folder)/cases.jsonl").enumerated()
    where index % parts[1] == parts[0] {
      let check = SentenceCheck.checks(of: row, in: "cases")[0]
      let own =
        bound[check.fixture]
        ?? fixtures[check.fixture]?.objectValue?["lists"].map {
          grammar.binding(located($0)).grammar
        } ?? grammar
      bound[check.fixture] = own
      work.append((check, own, .init(context: check.context)))
    }
    guard !work.isEmpty else { throw CorpusError(description: "'\(folder)' has no such cases") }
    // The first round warms up, and checks the answers.
    let wrong = work.count { item in
      let match = bestMatch(item.grammar, item.check.sentence, item.request)
      return match?.intent != item.check.expectation.objectValue?["intent"]?.stringValue
    }
    var times: [Double] = []
    let start = microseconds()
    var now = start
    repeat {
      for item in work {
        let before = now
        _ = bestMatch(item.grammar, item.check.sentence, item.request)
        now = microseconds()
        times.append(now - before)
      }
    } while now - start < seconds * 1e6
    let result: JSONValue = [
      "sentences": .int(Int64(work.count)), "wrong": .int(Int64(wrong)),
      "rate": .double(Double(times.count) / (now - start) * 1e6),
      "p50": .double(times.quantile(0.5)), "p99": .double(times.quantile(0.99)),
      "worst": .double(times.quantile(1)),
    ]
    say(result.serialized)
  }
}
