import Habits
package import Timekeeping

/// Tells what a person does, for those who offer it: the stack, and whoever completes a sentence.
extension WidgetEngine {
  /// A configuration that the person used, and how likely it is the next one, if one of those that
  /// are listed is: more than 0, at most 1.
  package struct WantedIntent: Hashable, Sendable {
    package var configuration: WidgetConfiguration
    package var likelihood: Double
  }

  /// The intents that the person used lately, the latest first; at most `countMax`.
  ///
  /// By what the model has learned so far, also while it is behind. Of one item with several
  /// configurations the latest counts. Changes nothing. O(`Limits.searchedDonationCountMax`) plus a
  /// prediction of as many candidates as there are intents.
  package func wantedIntents(countMax: Int, at now: WallTime) -> [WantedIntent] {
    let used = stackModel.latestIntents(countMax)
    guard !used.isEmpty else { return [] }
    let situation = BehaviourSituation(of: stackModel.habits, at: surroundings.moment(now))
    let prediction = stackModel.habits.predict(
      used.map { BehaviourCandidate($0.item, kind: $0.kind) }, in: situation)
    return zip(used, prediction.probabilities).map {
      WantedIntent(configuration: $0.configuration, likelihood: $1)
    }
  }
}
