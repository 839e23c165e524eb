import DaemonCore
import Timekeeping
import WidgetCenter

/// The process of a plugin that stays running: it prints frames until it is told to end, or ends by
/// itself.
struct FakeStream: Sendable {
  let run: ProviderRun
  let startedAt: Instant
  /// The frames after which it ends by itself; `nil`: it goes on.
  let frameCountMax: Int?
  /// It prints nothing before the calm phase, so that requests wait until their patience ends.
  let isMute: Bool
  var frameCount = 0
  var isCancelled = false
  var hasEnded = false
  /// When a visible surface, or a request that waits, last was a reason for it to run.
  var wantedAt: Instant
  /// Whether there was a reason after the last turn, which holds until the next one.
  var isWanted = true

  static func behave(
    _ run: ProviderRun, faults: [Fault], troublePercent: Int, at now: Instant,
    _ randomness: inout Randomness
  ) -> FakeStream {
    let dies = faults.contains(.dyingProviders) && randomness.chance(troublePercent)
    let hangs = faults.contains(.hangingProviders) && randomness.chance(troublePercent)
    return FakeStream(
      run: run, startedAt: now, frameCountMax: dies ? Int(randomness.between(0, 5)) : nil,
      isMute: hangs, wantedAt: now)
  }

  /// Milliseconds until the next frame.
  ///
  /// `isCalm`: of hours in which nothing is to go wrong any more.
  func pause(isCalm: Bool, _ randomness: inout Randomness) -> Int64 {
    if frameCount == 0 { return randomness.between(0, 300) }
    return isCalm ? randomness.between(60_000, 600_000) : randomness.pause(upTo: 20_000)
  }

  /// Returns the next frame; with wrong answers among the faults it may be anything.
  func frame(faults: [Fault], _ randomness: inout Randomness) -> [UInt8] {
    let kinds: [Fault] = [.wrongAnswers, .emptyTimelines, .oddTimelines, .hugeTimelines]
    let wrong = kinds.filter(faults.contains)
    let fault = wrong.isEmpty || !randomness.chance(30) ? nil : randomness.pick(wrong)
    let printed = FakePlugin.outcome(of: run, fault: fault, &randomness)
    guard case .printed(let output) = printed else { return [] }
    return output.bytes
  }

  /// How it ends: as it was told to, or by itself.
  func outcome(_ randomness: inout Randomness) -> ProviderOutcome {
    if isCancelled { return .failed(ProviderFailure(.cancelled)) }
    return randomness.pick([
      .failed(ProviderFailure(.signaled(signal: 9))),
      .printed(PluginOutput([], exitStatus: 1, diagnostics: "no player")),
      .printed(PluginOutput([])),
    ])
  }
}
