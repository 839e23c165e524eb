import Habits

/// How much the word of each provider counts.
///
/// A provider's claim lifts its widget by weight × strength, added to what habits say. The weight
/// is learned after each use, towards the weight that would have foreseen the use. A provider that
/// claims most when the person uses something else loses weight; one that is used when it claims
/// gains weight. Source of the rule: the gradient of the softmax's log-likelihood, with falling
/// steps (Adagrad).
package struct ClaimWeights: Hashable, Sendable {
  private struct Learned: Hashable, Sendable {
    var weight = ClaimWeights.weightAtFirst
    var squares = 0.0
  }

  private var byKind: [String: Learned] = [:]

  /// The weight before anything is known: odds of e² = 7.4 against a widget without a claim.
  package static let weightAtFirst = 2.0
  /// The range of weights: a claim is always worth something, and never more than habits can be.
  package static let weights = 0.05...4.0
  private static let rate = 1.0

  package init() {}

  /// Returns the weight of a kind's claims, within `weights`.
  package func weight(of kind: String) -> Double { byKind[kind]?.weight ?? Self.weightAtFirst }

  /// Learns from one use.
  ///
  /// - `claims`: what providers said at that moment.
  /// - `items`: everything that could have been used, and how much habits want each. O(items +
  ///   claims).
  mutating func learn(
    used: String, claims: [StackDonation.Claim], items: [String], wanted: [Double]
  ) {
    var place: [String: Int] = [:]
    for (index, item) in items.enumerated() { place[item] = index }
    var scores = wanted
    for claim in claims {
      if let index = place[claim.item] {
        scores[index] += weight(of: claim.kind) * claim.strength
      }
    }
    let likelihoods = BehaviourPrediction.softmax(scores)
    var gradients: [String: Double] = [:]
    for claim in claims {
      guard let index = place[claim.item] else { continue }
      let error = (claim.item == used ? 1 : 0) - likelihoods[index]
      gradients[claim.kind, default: 0] += error * claim.strength
    }
    for (kind, gradient) in gradients {
      var learned = byKind[kind] ?? Learned()
      learned.squares += gradient * gradient
      learned.weight += Self.rate * gradient / (learned.squares + 1).squareRoot()
      learned.weight = min(max(learned.weight, Self.weights.lowerBound), Self.weights.upperBound)
      byKind[kind] = learned
    }
    // There are more kinds than can be installed: begin anew, since a person's own return within a
    // day.
    if byKind.count > Limits.claimWeightCountMax { byKind = [:] }
  }
}
