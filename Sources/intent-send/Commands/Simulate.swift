import ArgumentParser
import Timekeeping

/// Simulates days of widgets in seconds, with the program `intentd`.
///
/// The simulation runs the same core with the person's manifests and providers.
struct Simulate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Live the coming days on virtual time, and print every decision.",
    discussion: """
      intent-send simulate --for 7d                      every kind, a week
      intent-send simulate weather --for 7d              one kind
      intent-send simulate weather --set city=Oslo       with this parameter
      intent-send simulate --from 2027-03-28 --for 1d    when clocks change
      intent-send simulate --for 1d --record day.jsonl   keep the answers,
      intent-send simulate --for 1d --replay day.jsonl   and decide again

      The daemon's own core decides, on a clock that jumps from one thing to the next; providers \
      really run, with that moment as their 'now'. Nothing is placed or stored. Prints what is \
      shown, reloads, deferrals with their reasons, the budget and the wake-ups a day, and warns \
      where a policy cannot work, with what to write instead. Ctrl-C ends it with what was found so far. \
      Exit status: 0 nothing to mend, 1 warnings, 64 usage, 130 interrupted.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var parameters: ParameterOptions
  @Option(
    help:
      "When it begins: 2026-11-20, 21:00, tomorrow, 'monday 8am' or 2026-11-20T21:00:00Z; in UTC. Without it, now."
  )
  var from: String?
  @Option(name: .customLong("for"), help: "How long it lasts: 12h, 7d, at most 366d.")
  var span = "1d"
  @Option(
    help: "Decides when a person looks and how long answers take. Without it: always and at once.")
  var seed: UInt64?
  @Option(
    help:
      "The budget: production (as the manifests say), learning (half as much again), unlimited.",
    completion: .list(Profile.allCases.map(\.rawValue)))
  var profile = Profile.production
  @Option(
    help: ArgumentHelp("Keep the providers' answers here.", valueName: "file"), completion: .file())
  var record: String?
  @Option(
    help: ArgumentHelp("Take the answers from here; no provider runs.", valueName: "file"),
    completion: .file())
  var replay: String?
  @Option(
    help: "The family; without it each kind's first.", completion: .list(familyNames),
    transform: canonicalFamily)
  var family: String?
  @Flag(help: "Show widgets of kinds with modes expanded.") var expanded = false
  @Argument(
    help: "Kinds, or manifests or their folders by the path. Without any: all kinds.",
    completion: .file(extensions: ["yaml", "yml"]))
  var kinds: [String] = []

  enum Profile: String, CaseIterable, ExpressibleByArgument { case production, learning, unlimited }

  mutating func run() throws {
    // Report a mistake in an assignment here, before the other program starts.
    _ = try parameters.parameters()
    try checkTimes()
    try DaemonProgram.run { arguments(for: $0) }
  }

  /// Refuses times here that `intentd` would refuse with its own usage text.
  func checkTimes() throws(Failure) {
    let usage = "how it is used: intent-send simulate --help"
    if Seconds(argument: span).map({ $0.milliseconds < 60_000 }) ?? true {
      throw Failure(
        status: .usage, message: "'\(span)' is no span from 1m to 366d; write 12h, 7d or 30d",
        hints: [usage])
    }
    if let from,
      MomentText.read(from, now: WallTime(milliseconds: 0), secondsEast: { _ in 0 }) == nil
    {
      throw Failure(
        status: .usage,
        message: "'\(from)' is no date; write 2026-11-20, 21:00, tomorrow or 2026-11-20T21:00:00Z",
        hints: [usage])
    }
  }

  func arguments(for program: String) -> [String] {
    // "2 weeks" in the one form that the other program reads.
    let length = Seconds(argument: span).map { "\($0.milliseconds / 1000)s" } ?? span
    let isShort = span.allSatisfy { $0.isASCII && ($0.isNumber || "smhd".contains($0)) }
    var arguments = [program, "--simulate", "--for", isShort ? span : length]
    if let from { arguments += ["--from", from] }
    if let seed { arguments += ["--seed", String(seed)] }
    if profile != .production { arguments += ["--profile", profile.rawValue] }
    if let record { arguments += ["--record", record] }
    if let replay { arguments += ["--replay", replay] }
    if let family { arguments += ["--family", family] }
    if expanded { arguments.append("--expanded") }
    for assignment in parameters.assignments { arguments += ["--set", assignment] }
    for kind in kinds { arguments += ["--kind", kind.hasPrefix("-") ? "./" + kind : kind] }
    if common.json { arguments.append("--json") }
    return arguments
  }
}
