/// How much the word of each provider counts.
///
/// A provider's claim lifts its widget by weight × strength, added to what habits say. The weight is
/// learned like the others: after each use, towards what would have foreseen it. Who claims most when
/// something else is used loses its voice; who is used when it claims gains one. Source of the rule:
/// the gradient of the softmax's log-likelihood, with falling steps (Adagrad).
package struct ProviderVoices: Hashable, Sendable {
  private struct Voice: Hashable, Sendable {
    var weight = ProviderVoices.weightAtFirst
    var squares = 0.0
  }

  private var voices: [String: Voice] = [:]

  /// What a claim of strength 1 is worth before anything is known: odds of e² = 7.4 against a widget without one.
  package static let weightAtFirst = 2.0
  /// Whatever was learned, a claim is worth something, and never more than habits can be.
  package static let weights = 0.05...4.0
  private static let rate = 1.0

  package init() {}

  package func weight(of kind: String) -> Double { voices[kind]?.weight ?? Self.weightAtFirst }

  /// Follows one use.
  ///
  /// - `claims`: what providers said at that moment.
  /// - `items`: everything that could have been used, and how much habits want each. O(items + claims).
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
      var voice = voices[kind] ?? Voice()
      voice.squares += gradient * gradient
      voice.weight += Self.rate * gradient / (voice.squares + 1).squareRoot()
      voice.weight = min(max(voice.weight, Self.weights.lowerBound), Self.weights.upperBound)
      voices[kind] = voice
    }
    // More kinds than can be known: a person's have come back by the next day.
    if voices.count > Limits.behaviourItemCountMax { voices = [:] }
  }
}
