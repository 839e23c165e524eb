import Downloads
import Timekeeping
import WidgetCenter

/// Downloads between the engine and the shell.
extension Daemon {
  /// Starts and stops what the engine decided.
  ///
  /// Nothing of it waits for the disk: a file that nobody asks for any more does no harm.
  func carryOutDownloads(_ output: EngineOutput, into effects: inout [Effect]) {
    guard phase == .running else { return }
    for request in output.fetches { effects.append(.fetch(request)) }
    for token in output.fetchCancellations { effects.append(.cancelFetch(token)) }
  }

  /// Takes the outcome of downloads.
  ///
  /// A daemon that stops ignores it: the orders are stored, and begin again with its next start.
  mutating func takeDownloads(
    _ token: FetchToken, _ outcome: FetchOutcome, at now: Now, into effects: inout [Effect]
  ) {
    guard phase == .running else { return }
    if outcome == .noProgram, !isFetchMissing {
      effects.append(
        .log(
          LogLine(
            .warning, "fetch.missing", ["remedy": WidgetEngine.missingResult(outcome).hint])))
    }
    isFetchMissing = outcome == .noProgram
    var output = EngineOutput()
    engine.fetched(token, outcome, at: now, into: &output)
    apply(output, at: now, into: &effects)
  }
}
