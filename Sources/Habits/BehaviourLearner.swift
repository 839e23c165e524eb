/// The weights of the sixteen features in one learner, and their learning.
///
/// The weight of a feature is the sum of three: one for all moments, one for this length of pause,
/// one for this much history. Each follows the gradient of the log-likelihood with its own falling
/// rate (Adagrad).
struct BehaviourLearner: Hashable, Sendable {
  /// Row 0: for all moments; 1…5: by pause; 6…11: by the number of uses so far.
  private(set) var weights: [SIMD16<Double>]
  private var squares: [SIMD16<Double>]
  /// The log-likelihood of the uses so far.
  private(set) var merit = 0.0

  static let rowCount = 12

  /// - Precondition: `rowCount` rows.
  init(weights: [SIMD16<Double>]) {
    precondition(weights.count == Self.rowCount, "a learner has a row for each situation")
    self.weights = weights
    squares = Array(repeating: .zero, count: Self.rowCount)
  }

  func weights(_ context: BehaviourContext) -> SIMD16<Double> {
    weights[0] + weights[1 + context.pauseBucket] + weights[6 + context.countBucket]
  }

  /// Learns from a use; `likelihood` is the probability that the learner gave the used item.
  mutating func follow(
    _ gradient: SIMD16<Double>, likelihood: Double, _ context: BehaviourContext
  ) {
    merit += BehaviourMath.ln(max(1e-9, likelihood))
    let square = gradient * gradient
    for row in [0, 1 + context.pauseBucket, 6 + context.countBucket] {
      squares[row] += square
      let rate = row == 0 ? Self.rate : Self.rowRate
      weights[row] += rate * gradient / (squares[row] + Self.patience).squareRoot()
    }
  }

  /// Returns the share of each learner by Bayes' rule: proportional to the likelihood of the uses
  /// under it.
  ///
  /// The shares add up to 1.
  static func trust(in learners: [BehaviourLearner]) -> [Double] {
    let best = learners.reduce(-Double.infinity) { max($0, $1.merit) }
    let shares = learners.map { BehaviourMath.exp($0.merit - best) }
    let sum = shares.reduce(0, +)
    return shares.map { $0 / sum }
  }

  private static let rate = 0.04
  private static let rowRate = 0.01
  /// Squared gradients that people in general are worth: the more, the later the weights begin to
  /// move.
  private static let patience = 10.0
}
