import ArgumentParser

/// How the cases of one file went.
struct Tally {
  let file: String
  private(set) var passed = 0
  private(set) var failed = 0
  /// Cases whose expected answer is known to be the weaker one.
  private(set) var ungraded = 0
  /// Cases that are right but for how this machine spells a number.
  private(set) var spelledOtherwise = 0
  /// Slots whose place in the sentence the corpus has, and those that have the same here.
  ///
  /// Not graded.
  private(set) var spans = 0
  private(set) var sameSpans = 0
  /// What failed, one line each: at most `failuresKeptMax`.
  private(set) var failures: [String] = []

  /// Enough to see what is wrong; a file may have many thousands of cases.
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
  /// Prints the failures (with `verbose`), a line for each file, and last `N passed, N failed`:
  /// the only line of that form.
  ///
  /// - Throws: exit code 1 when anything failed.
  func report(verbose: Bool) throws {
    if verbose {
      for tally in self {
        for failure in tally.failures { print("\(tally.file): \(failure)") }
      }
    }
    for tally in self {
      var line = "\(tally.file): \(tally.passed) of \(tally.passed + tally.failed)"
      if tally.ungraded > 0 { line += ", \(tally.ungraded) not graded" }
      if tally.spelledOtherwise > 0 { line += ", \(tally.spelledOtherwise) spelled otherwise" }
      print(line)
    }
    let spelled = reduce(0) { $0 + $1.spelledOtherwise }
    if spelled > 0 {
      print("failed only by another spelling of a number than the case has: \(spelled)")
    }
    let spans = reduce(0) { $0 + $1.spans }
    if spans > 0 {
      print(
        "places of slots as the corpus has them (not graded): \(reduce(0) { $0 + $1.sameSpans }) of \(spans)"
      )
    }
    let failed = reduce(0) { $0 + $1.failed }
    print("\(reduce(0) { $0 + $1.passed }) passed, \(failed) failed")
    if failed > 0 { throw ExitCode(1) }
  }
}
