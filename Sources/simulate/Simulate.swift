import ArgumentParser
import Simulator

/// Lives one world, or many, from their seeds.
@main
struct Simulate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Run the daemon's core on virtual time, with faults.",
    discussion: """
      simulate                       one world, from a random seed
      simulate --seed 42 --verbose   a world again, with everything that happens in it
      simulate --seed 1 --worlds 500 the worlds 1 to 500

      Exit code 1: something happened that must never happen.
      """)

  @Option(help: "The number that decides everything. Without it: a random one.")
  var seed: UInt64?

  @Option(help: "Events of the fault phase.")
  var events = 2_000

  @Option(help: "How many worlds, with the seeds that follow.")
  var worlds = 1

  @Flag(help: "Show every event and effect.")
  var verbose = false

  mutating func validate() throws {
    guard events >= 1, events <= 100_000_000 else {
      throw ValidationError("--events takes a number from 1 to 100,000,000")
    }
    guard worlds >= 1 else { throw ValidationError("--worlds takes a number from 1") }
  }

  func run() throws {
    let first = seed ?? UInt64.random(in: 1...999_999_999)
    var failed: [UInt64] = []
    for number in 0..<UInt64(worlds) {
      let seed = first &+ number
      let world = World(seed: seed, eventCountMax: events, show: verbose ? { print($0) } : nil)
      if worlds == 1 {
        let names = world.faults.map(\.rawValue)
        print("seed \(seed), faults: \(names.isEmpty ? "none" : names.joined(separator: " "))")
      }
      let report = world.run()
      if report.violation != nil { failed.append(seed) }
      tell(report)
    }
    guard failed.isEmpty else {
      if worlds > 1 { print("failed: \(failed.map(String.init).joined(separator: " "))") }
      throw ExitCode(1)
    }
    if worlds > 1 { print("\(worlds) worlds from seed \(first) are sound") }
  }

  private func tell(_ report: World.Report) {
    if let violation = report.violation {
      if worlds == 1, !verbose { for line in report.lastLines { print(line) } }
      print("violated in seed \(report.seed): \(violation)")
      print("make sim SEED=\(report.seed)\(events == 2_000 ? "" : " EVENTS=\(events)")")
      return
    }
    guard worlds == 1 else { return }
    let numbers = report.statistics
    print(
      """
      sound: \(numbers.events) events in \(numbers.turns) turns, \(report.milliseconds / 60_000) minutes of its time
      \(numbers.requests) requests: \(numbers.answers) answers, of them \(numbers.refusals) refusals; \(numbers.notifications) notifications
      \(numbers.runs) runs, \(numbers.failedRuns) failed; \(numbers.commits) transactions, \(numbers.failedCommits) failed
      \(numbers.crashes) crashes, \(numbers.stops) stops, \(numbers.clockJumps) clock jumps, \(numbers.claimsChecked) promises checked
      digest \(String(report.digest, radix: 16))
      """)
  }
}
