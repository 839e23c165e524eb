import ArgumentParser
import Glibc
import ProgramStart
import Simulator

/// Runs one simulated world, or many, from their seeds.
@main
struct Simulate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Run the daemon's core on virtual time, with faults.",
    discussion: """
      simulate                       one world, from a random seed
      simulate --seed 42 --verbose   a world again, with everything that happens in it
      simulate --seed 1 --worlds 500 the worlds 1 to 500
      simulate --seed 1 --worlds 100 --days 30 --jobs 2
                                     a hundred households, thirty days each, on two cores
      simulate --habits 100          people whose habits the stack has to learn
      simulate --scenario Tests/Scenarios/back-off.yaml
                                     what a file describes, held against what it expects

      Exit code 1: something happened that must never happen.
      """)

  @Option(help: "The number that decides everything. Without it: a random one.")
  var seed: UInt64?

  @Option(help: "Events of the fault phase.")
  var events = 2_000

  @Option(
    help: ArgumentHelp(
      "Instead: days of a household of 20 widgets and 3 surfaces.", valueName: "days"))
  var days: Int?

  @Option(help: "How many worlds, with the seeds that follow.")
  var worlds = 1

  @Option(help: "How many processes live them side by side.")
  var jobs = 1

  /// The two ends of the pipe from which parallel processes take their worlds (`SharedCounter`).
  @Option(help: .hidden)
  var counter: [Int32] = []

  /// Whether to print the sums as a line for the process that started this one.
  @Flag(help: .hidden)
  var printsSummary = false

  @Option(
    help: ArgumentHelp(
      "Instead: so many people with habits, and providers that want the top of the stack.",
      valueName: "people"))
  var habits: Int?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Play these scenarios (docs/SCENARIOS.md).", valueName: "file"))
  var scenario: [String] = []

  @Flag(help: "Show every event and effect, of a scenario everything that can be expected.")
  var verbose = false

  static func main() { Glibc.exit(exitStatus(running: ProgramArguments.read(by: "simulate"))) }

  mutating func validate() throws {
    guard events >= 1, events <= 100_000_000 else {
      throw ValidationError("--events takes a number from 1 to 100,000,000")
    }
    guard days.map({ (1...10_000).contains($0) }) ?? true else {
      throw ValidationError("--days takes a number from 1 to 10000")
    }
    guard (1...256).contains(jobs) else { throw ValidationError("--jobs takes 1 to 256") }
    guard worlds >= 1 else { throw ValidationError("--worlds takes a number from 1") }
  }

  func run() throws {
    guard scenario.isEmpty else { return try play(scenario) }
    if let habits { return try live(habits, from: seed ?? 1) }
    let first = seed ?? UInt64.random(in: 1...999_999_999)
    let start = ContinuousClock.now
    var summary = RunSummary()
    if jobs > 1, worlds > 1 {
      summary = try runSideBySide(from: first)
    } else {
      let shared =
        counter.count == 2 ? SharedCounter(reading: counter[0], writing: counter[1]) : nil
      var own = 0
      while true {
        let number = try shared?.take() ?? own
        guard number < worlds else { break }
        summary.add(live(first &+ UInt64(number)))
        own += 1
      }
    }
    guard !printsSummary else {
      say(summary.line)
      return
    }
    let spent = (ContinuousClock.now - start) / .seconds(1)
    if worlds > 1 || days != nil { say(summary.text(seconds: spent, from: first)) }
    if !summary.failed.isEmpty { throw ExitCode(1) }
  }

  /// Runs six weeks of each person.
  ///
  /// Checks that the stack learns habits, and that a provider cannot reach the top by its claims
  /// alone.
  private func live(_ people: Int, from first: UInt64) throws {
    var violations = 0
    var sums = (shouted: 0, before: 0, between: 0, after: 0)
    for number in 0..<UInt64(max(1, people)) {
      var world = HabitWorld(seed: first &+ number)
      let report = world.run()
      if verbose { say("\(report)") }
      for violation in report.violations {
        say("violated in person \(report.seed): \(violation)")
      }
      violations += report.violations.isEmpty ? 0 : 1
      sums.shouted += report.shoutedToTop
      sums.before += report.foreseenBefore
      sums.between += report.foreseenInBetween
      sums.after += report.foreseenAfter
    }
    let count = max(1, people)
    say(
      "\(count) people: who shouts on top before \(sums.shouted / count) % of uses; foreseen \(sums.before / count) %, "
        + "\(sums.between / count) % in the week of new habits, \(sums.after / count) % in the next; \(violations) violated"
    )
    guard violations == 0, sums.after >= sums.before - 10 * count else { throw ExitCode(1) }
  }

  private func live(_ seed: UInt64) -> RandomWorld.Report {
    let world = RandomWorld(
      seed: seed, eventCountMax: events, days: days, keepsTrace: worlds == 1 && !printsSummary,
      show: verbose ? { say($0) } : nil)
    if worlds == 1, !printsSummary {
      let names = world.faults.map(\.rawValue)
      say("seed \(seed), faults: \(names.isEmpty ? "none" : names.joined(separator: " "))")
    }
    let report = world.run()
    tell(report)
    return report
  }

  /// Returns the command that runs this world again.
  private func again(_ seed: UInt64) -> String {
    "make sim SEED=\(seed)"
      + (days.map { " DAYS=\($0)" } ?? (events == 2_000 ? "" : " EVENTS=\(events)"))
  }

  private func tell(_ report: RandomWorld.Report) {
    if let violation = report.violation {
      if worlds == 1, !verbose { for line in report.lastLines { say(line) } }
      say("violated in seed \(report.seed): \(violation)")
      say(again(report.seed))
      return
    }
    guard worlds == 1, !printsSummary else { return }
    let numbers = report.statistics
    say(
      """
      sound: \(numbers.events) events in \(numbers.turns) turns, \(report.milliseconds / 60_000) minutes of its time
      \(numbers.requests) requests: \(numbers.answers) answers, of them \(numbers.refusals) refusals; \(numbers.notifications) notifications, \(numbers.appChanges) changes told to apps
      \(numbers.runs) runs, \(numbers.failedRuns) failed; \(numbers.commits) transactions, \(numbers.failedCommits) failed
      \(numbers.crashes) crashes, \(numbers.stops) stops, \(numbers.clockJumps) clock jumps, \(numbers.claimsChecked) promises checked
      digest \(String(report.digest, radix: 16))
      """)
  }
}
