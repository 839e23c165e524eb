/// How much each candidate is wanted at one moment, and why.
package struct BehaviourPrediction: Sendable {
  /// The slots, in the order of the candidates; −1 for one that was never used.
  let slots: [Int32]
  var features: [SIMD16<Double>] = []
  var cells: [BehaviourCells] = []
  var bias: [Double] = []
  var learnerWeights: [SIMD16<Double>] = []
  var weights = SIMD16<Double>.zero
  /// One a candidate, in their order: the weighted sum of its features.
  ///
  /// Only differences mean something.
  package internal(set) var scores: [Double] = []

  init(slots: [Int32]) { self.slots = slots }

  /// How likely each candidate is the next one, if one of them is; the sum is 1.
  package var probabilities: [Double] { Self.softmax(scores) }

  /// Explains what lifts or lowers candidate `index` against the average candidate, feature by
  /// feature.
  ///
  /// The contributions and `own` add up to `score`, which is the candidate's score less the mean of
  /// all. Complexity: O(candidates).
  /// - Precondition: `index` is a candidate's.
  package func explanation(at index: Int) -> BehaviourExplanation {
    precondition(slots.indices.contains(index), "no such candidate")
    let count = Double(slots.count)
    let mean = features.reduce(SIMD16.zero, +) / count
    let parts = weights * (features[index] - mean)
    return BehaviourExplanation(
      score: scores[index] - scores.reduce(0, +) / count,
      contributions: BehaviourFeature.allCases.map { ($0, parts[$0.rawValue]) }
        .map { BehaviourExplanation.Contribution(feature: $0.0, value: $0.1) },
      own: bias[index] - bias.reduce(0, +) / count)
  }

  func sums(_ weights: SIMD16<Double>) -> [Double] {
    var sums = bias
    for index in sums.indices { sums[index] += (features[index] * weights).sum() }
    return sums
  }

  /// Turns scores into likelihoods, each from 0 to 1, which add up to 1; of no scores none.
  package static func softmax(_ scores: [Double]) -> [Double] {
    let highest = scores.reduce(-Double.infinity, max)
    var shares = scores.map { BehaviourMath.exp($0 - highest) }
    let sum = shares.reduce(0, +)
    for index in shares.indices { shares[index] /= sum }
    return shares
  }
}

/// The reasons of a candidate's score.
package struct BehaviourExplanation: Hashable, Sendable {
  /// The part of a score that one feature gives.
  package struct Contribution: Hashable, Sendable {
    package var feature: BehaviourFeature
    package var value: Double
  }

  /// The sum of all contributions and `own`; 0 is the average candidate.
  package var score: Double
  /// One for each feature.
  package var contributions: [Contribution]
  /// The learned part that is of this item alone; dismissals lower it.
  package var own: Double

  /// The same by human causes, in the causes' order; `own` is in `often`.
  ///
  /// They add up to `score` too.
  package var causes: [(cause: BehaviourCause, value: Double)] {
    BehaviourCause.allCases.map { cause in
      let start = cause == .often ? own : 0
      return (
        cause,
        contributions.reduce(start) { $1.feature.cause == cause ? $0 + $1.value : $0 }
      )
    }
  }
}

extension BehaviourModel {
  /// The place of `item` in the order of all items known, 1 for the best; `nil` for an item never
  /// used, and for one that is no candidate.
  ///
  /// Equal scores are ordered by recency.
  package func rank(of item: String, at moment: BehaviourMoment) -> Int? {
    guard let slot = items.slots[item] else { return nil }
    let prediction = predictAll(at: moment)
    guard let place = prediction.slots.firstIndex(of: slot) else { return nil }
    let score = prediction.scores[place]
    var rank = 1
    for (index, other) in prediction.scores.enumerated()
    where other > score || (other == score && index < place) { rank += 1 }
    return rank
  }
}
