import ArgumentParser
import AuthorTools

/// The options of `intentd --simulate`, which `intent-send simulate` passes on.
struct SimulationOptions: ParsableArguments {
  @Flag(help: "Live the coming days on virtual time, print every decision, and exit.")
  var simulate = false

  @Option(
    help: ArgumentHelp("With --simulate: when it begins; without it, now.", valueName: "date"))
  var from: String?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("With --simulate: how long it lasts.", valueName: "span"))
  var span = "1d"

  @Option(help: "With --simulate: decides when a person looks and how long answers take.")
  var seed: UInt64?

  @Option(help: "With --simulate: production, learning or unlimited.")
  var profile = Profile.production

  @Option(help: ArgumentHelp("With --simulate: keep the answers here.", valueName: "file"))
  var record: String?

  @Option(help: ArgumentHelp("With --simulate: take the answers from here.", valueName: "file"))
  var replay: String?

  @Option(
    name: .customLong("kind"),
    help: ArgumentHelp(
      "With --simulate: a kind, or a manifest; may be repeated. Without it all. With --try: one of"
        + " the kinds that the manifest offers.", valueName: "kind")
  )
  var kinds: [String] = []

  enum Profile: String, CaseIterable, ExpressibleByArgument { case production, learning, unlimited }

  /// Returns the plan of the simulation; throws a `ValidationError` (exit code 64) for a date or a
  /// span that cannot be read.
  func plan(
    parameters: [String], family: String?, isExpanded: Bool
  ) throws -> RehearsalPlan {
    do throws(RehearsalPlan.Problem) {
      var plan = RehearsalPlan(
        from: try from.map { text throws(RehearsalPlan.Problem) in
          try RehearsalPlan.readDate(text, now: Rehearsal.realNow())
        } ?? Rehearsal.realNow(),
        duration: try RehearsalPlan.readDuration(span))
      plan.seed = seed
      plan.profile = RehearsalPlan.Profile(rawValue: profile.rawValue) ?? .production
      plan.recordPath = record
      plan.replayPath = replay
      plan.kinds = kinds
      plan.parameters = parameters
      plan.family = family
      plan.isExpanded = isExpanded
      return plan
    } catch {
      throw ValidationError(error.message)
    }
  }
}
