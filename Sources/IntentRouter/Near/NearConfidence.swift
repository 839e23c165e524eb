import Glibc

/// How likely it is that the best reading of a sentence is what was meant.
///
/// A logistic function of what differs. Its coefficients hold for every language: they are fitted
/// on sentences of templates in ten languages that were spoiled by a program, and on such that mean
/// nothing (`conformance robust --fit`, then `scripts/fit-near.py`), and on no sentence of a test.
struct NearConfidence {
  /// The readings at which something is done, and at which it is worth a question.
  static let act = 0.85
  static let ask = 0.04

  private static let coefficients = [
    0.639, -1.510, -1.137, 1.245, 3.592, 1.661, -1.893, 0.442, 0.893, -0.789, 0.861, 1.827, -1.527,
    -2.157, 0.819, 1.146, 1.655, -2.522, -1.308, -0.156, -0.124, -0.921, -6.139,
  ]

  let features: [Double]

  /// `margin`: how much dearer the next meaning is; `words`: of the sentence.
  init(_ way: NearWay, margin: Float, words: Int) {
    let cost = Double(way.cost - way.redundantCost * 0.7)
    let margin = Double(min(margin, NearSearch.Price.margin))
    let words = Double(max(words, 1))
    let dropped = Double(way.dropped)
    features = [
      1, cost, min(cost, 0.5), margin, min(margin, 0.3), min(dropped, 3), Double(min(way.added, 3)),
      Double(way.addedWeight), Double(min(way.takenWeight, 2.5)), way.isExchanged ? 1 : 0,
      way.hasEnding ? 1 : 0, way.hasKnownWildcard ? 1 : 0, way.hasWildcard ? 1 : 0,
      way.hasBlocker ? 1 : 0, way.droppedNumber ? 1 : 0, way.isMoved ? 1 : 0,
      Double(way.takenWeight) / words, dropped > 0 ? 1 : 0, Double(way.droppedKnownWeight),
      Double(min(way.droppedUnknown, 3)), Double(min(way.names.count, 2)),
      !way.names.isEmpty && dropped > 0 ? 1 : 0, dropped / words,
    ]
  }

  var value: Double {
    let sum = zip(features, Self.coefficients).reduce(0) { $0 + $1.0 * $1.1 }
    return 1 / (1 + exp(-sum))
  }
}

extension NearWay {
  /// Whether something may be done for it without a question.
  ///
  /// Nothing but fillers is left out; no known word was taken for another; no free words have words
  /// that a template has; little is added, and nothing stands elsewhere. Another ending may be
  /// another meaning ("lights turned on" is no command): the rest has to say enough. `margin`: how
  /// much dearer the next meaning is.
  func isSafe(margin: Float) -> Bool {
    guard dropped == 0, !isExchanged, !hasKnownWildcard, !isMoved, !hasBlocker else { return false }
    guard added <= 1, addedWeight <= 0.25, margin >= 0.12 else { return false }
    return !hasEnding
      || (!hasFirstEnding && takenWeight >= 2.5 && margin >= NearSearch.Price.margin)
  }
}
