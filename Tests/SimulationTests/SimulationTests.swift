import Foundation
import Testing

@testable import Simulator

/// Runs the core in a few simulated worlds with faults.
///
/// `swift run simulate` runs as many worlds as you like.
struct SimulationTests {
  // The last one found an answer about code that had run with receipts that were lost.
  @Test(arguments: Array(UInt64(1)...20) + [200_945_212])
  func `a world from a fixed seed keeps every promise`(seed: UInt64) {
    expectSound(seed)
  }

  /// Seeds of a few dozen worlds, derived from the commit in CI; none elsewhere.
  static let seedsOfCommit: [UInt64] = {
    guard let text = ProcessInfo.processInfo.environment["INTENTD_SIM_SEED"],
      let first = UInt64(text)
    else { return [] }
    return (0..<36).map { first &+ $0 }
  }()

  @Test(arguments: seedsOfCommit)
  func `a world chosen from the commit keeps every promise`(seed: UInt64) {
    expectSound(seed)
  }

  /// Runs two days only: thirty would take a minute, and `make sim DAYS=30` runs them.
  @Test func `two days of a household keep every promise`() {
    let report = RandomWorld(seed: 16, days: 2).run()
    #expect(report.violation == nil, "make sim SEED=16 DAYS=2")
    #expect(report.milliseconds >= 48 * 3_600_000)
    // Count events before the calm phase, which may last a day and has few events.
    #expect(report.statistics.eventsBeforeCalm >= 48 * 90)
  }

  @Test(arguments: SeedFile.seeds)
  func `a seed that failed once does not fail again`(seed: UInt64, eventCount: Int) {
    expectSound(seed, eventCount: eventCount)
  }

  /// Runs a seed twice.
  ///
  /// A dictionary's order differs between processes and objects; no effect of the daemon may depend
  /// on it.
  @Test(arguments: [3, 77, 4_711] as [UInt64])
  func `the same seed has the same effects`(seed: UInt64) {
    let first = RandomWorld(seed: seed, eventCountMax: 600).run()
    let second = RandomWorld(seed: seed, eventCountMax: 600).run()
    #expect(first.digest == second.digest)
    #expect(first.statistics == second.statistics)
    #expect(first.digest != RandomWorld(seed: seed + 1, eventCountMax: 600).run().digest)
  }

  /// Breaks the core in each way that a check is made for; that check must fail.
  @Test(
    arguments: [
      (.dropReply, "answer"),
      (.repeatReply, "answered twice"),
      (.loseWrite, "clients were told"),
      (.repeatRun, "was started twice"),
      (.forgetWakeUp, "the wake-up is armed for"),
      (.sendToStranger, "which never was"),
      (.forgetRun, "was cancelled and never started"),
      (.forgetAppChange, "knew it as"),
    ] as [(Sabotage, String)])
  func `a broken core is noticed`(sabotage: Sabotage, sentence: String) {
    var said: [String] = []
    // A world may not reach the broken place, depending on its faults: one of a few must.
    // Few clients are apps, and their widgets change seldom.
    for seed in UInt64(1)...(sabotage == .forgetAppChange ? 40 : 8) {
      let eventCount = sabotage == .forgetAppChange ? 2_000 : 400
      let report = RandomWorld(seed: seed, eventCountMax: eventCount, sabotage: sabotage).run()
      guard let violation = report.violation else { continue }
      said.append(violation)
      if violation.contains(sentence) { return }
    }
    Issue.record("\(sabotage.rawValue) went unnoticed; the checkers said \(said)")
  }

  @Test func `every fault exists in some world`() {
    var seen: Set<Fault> = []
    for seed in UInt64(1)...60 { seen.formUnion(RandomWorld(seed: seed).faults) }
    #expect(seen == Set(Fault.allCases))
  }

  private func expectSound(_ seed: UInt64, eventCount: Int = 2_000) {
    let report = RandomWorld(seed: seed, eventCountMax: eventCount).run()
    guard let violation = report.violation else { return }
    let last = report.lastLines.map { String($0.prefix(300)) }.joined(separator: "\n")
    Issue.record("\(last)\nviolated: \(violation)\nmake sim SEED=\(seed)")
  }
}
