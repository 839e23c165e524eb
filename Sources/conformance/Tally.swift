import ArgumentParser
import ProgramStart

/// The results of the cases of one file.
struct Tally {
  let file: String
  private(set) var passed = 0
  private(set) var failed = 0
  /// The number of cases that are not graded because their expected answer is wrong or too strict.
  private(set) var ungraded = 0
  /// The number of cases that fail only because this machine's ICU spells a number differently.
  private(set) var spelledOtherwise = 0
  /// The number of slots whose place the corpus gives; the next member counts those placed alike.
  ///
  /// Not graded.
  private(set) var spans = 0
  private(set) var sameSpans = 0
  /// The failures, one line each; at most `failuresKeptMax`.
  private(set) var failures: [String] = []

  /// The largest number of failures that are kept; a file may have many thousands of cases.
  static let failuresKeptMax = 1_000

  init(file: String) { self.file = file }

  mutating func pass() { passed += 1 }
  mutating func leaveUngraded() { ungraded += 1 }
  mutating func countSpans(_ same: Int, of all: Int) {
    spans += all
    sameSpans += same
  }

  mutating func countOtherSpelling() { spelledOtherwise += 1 }

  mutating func fail(_ what: @autoclosure () -> String) {
    failed += 1
    if failures.count < Self.failuresKeptMax { failures.append(what()) }
  }
}

extension [Tally] {
  /// Prints the results: with `verbose` the failures, then a line for each file, then the sum.
  ///
  /// The sum is the only line of the form `N passed, N failed`.
  ///
  /// - Throws: exit code 1 when anything failed.
  func report(verbose: Bool) throws {
    if verbose {
      for tally in self {
        for failure in tally.failures { say("\(tally.file): \(failure)") }
      }
    }
    for tally in self {
      var line = "\(tally.file): \(tally.passed) of \(tally.passed + tally.failed)"
      if tally.ungraded > 0 { line += ", \(tally.ungraded) not graded" }
      if tally.spelledOtherwise > 0 { line += ", \(tally.spelledOtherwise) spelled otherwise" }
      say(line)
    }
    let spelled = reduce(0) { $0 + $1.spelledOtherwise }
    if spelled > 0 {
      say("failed only by another spelling of a number than the case has: \(spelled)")
    }
    let spans = reduce(0) { $0 + $1.spans }
    if spans > 0 {
      say(
        "places of slots as the corpus has them (not graded): \(reduce(0) { $0 + $1.sameSpans }) of \(spans)"
      )
    }
    let failed = reduce(0) { $0 + $1.failed }
    say("\(reduce(0) { $0 + $1.passed }) passed, \(failed) failed")
    if failed > 0 { throw ExitCode(1) }
  }
}
