import ArgumentParser
import IntentRouter
import JSON
import ProgramStart

/// `conformance sentences DIR` scores each language folder of a sentence corpus and its
/// `_features`.
struct SentencesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sentences",
    abstract: "Scores recognition against a corpus of sentences.",
    discussion: """
      EXAMPLE
        conformance sentences ~/corpus/sentences

      Every folder with an intents.json is a language: its cases (each with its own names and with
      all names of the language), negative, perturbed, all_results and unmatched files are run.
      _features holds small grammars. A case passes when intent and slots are right, with numbers
      compared as numbers; lists of results also in order and count. Rows marked bonus or hassil_bug
      hold a weaker answer and are not graded. A case that is right with the corpus's own number
      words (_numbers) but not with those of this machine is counted on a line of its own.
      """)

  @Argument(help: "The folder that has one folder for each language.")
  var directory: String

  @Flag(help: "Show each case that failed, with what came and what was expected.")
  var verbose = false

  @Option(help: "Only this language, or _features.")
  var only: String?

  func run() throws {
    var tallies: [Tally] = []
    for name in try folders(in: directory) where only == nil || name == only {
      if name == "_features" {
        for file in ["hassil_tests.jsonl", "edge_cases.jsonl"] {
          let path = "\(directory)/\(name)/\(file)"
          if exists(path) { tallies.append(try scoreFeatures(path, as: "\(name)/\(file)")) }
        }
      } else if !name.hasPrefix("_"), exists("\(directory)/\(name)/intents.json") {
        do {
          tallies += try scoreLanguage(name)
        } catch let error as CorpusError {
          // A bad folder counts as a failure; the others are still scored.
          var tally = Tally(file: name)
          tally.fail(error.description)
          say(error.description)
          tallies.append(tally)
        }
      }
    }
    guard !tallies.isEmpty else {
      throw CorpusError(
        description: "'\(directory)' has no folder with an intents.json, and no _features")
    }
    try tallies.report(verbose: verbose)
  }

  private func scoreLanguage(_ language: String) throws -> [Tally] {
    let folder = "\(directory)/\(language)"
    let corpus = try SentenceCorpus(
      folder: folder, numbers: "\(directory)/_numbers/\(language).json")
    var tallies: [Tally] = []
    for file in ["cases", "negative", "perturbed", "all_results", "unmatched"] {
      let path = "\(folder)/\(file).jsonl"
      guard exists(path) else { continue }
      var tally = Tally(file: "\(language)/\(file).jsonl")
      for row in try rows(of: path) {
        guard isGraded(row) else {
          tally.leaveUngraded()
          continue
        }
        for check in SentenceCheck.checks(of: row, in: file) {
          switch try corpus.judge(check) {
          case .passed:
            tally.pass()
            let places = corpus.places(check)
            tally.countSpans(places.same, of: places.all)
          case .otherWords: tally.countOtherSpelling()
          case .failed(let got):
            tally.fail(
              "\(check.id): '\(check.sentence)' gives \(got.serialized), not \(check.expectation.serialized)"
            )
          }
        }
      }
      tallies.append(tally)
    }
    return tallies
  }

  private func scoreFeatures(_ path: String, as name: String) throws -> Tally {
    var tally = Tally(file: name)
    for row in try rows(of: path) {
      guard isGraded(row) else {
        tally.leaveUngraded()
        continue
      }
      let feature = SentenceFeature(row)
      if let got = feature.failure() {
        tally.fail(
          "\(feature.id): '\(feature.sentence)' gives \(got.serialized), not \(feature.expectation.serialized)"
        )
      } else {
        tally.pass()
      }
    }
    return tally
  }

  /// Returns false for a row whose expected answer is known to be wrong or too strict.
  private func isGraded(_ row: JSONObject) -> Bool {
    row["bonus"]?.boolValue != true && row["hassil_bug"]?.boolValue != true
  }
}
