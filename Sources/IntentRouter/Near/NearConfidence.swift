import Glibc

/// How likely it is that the best reading of a sentence is what was meant.
///
/// A logistic function of what differs. Its coefficients hold for every language: they are fitted
/// on sentences of templates in ten languages that were spoiled by a program, and on such that mean
/// nothing (`conformance robust --fit`, then `scripts/fit-near.py`), and on no sentence of a test.
struct NearConfidence {
  /// The readings at which something is done, and at which it is worth a question.
  static let act = 0.75
  static let ask = 0.1

  private static let coefficients = [
    0.638, -0.481, -5.311, 1.707, 3.597, 0.268, -0.467, 0.376, 0.970, -0.373, 0.448, 0.304,
    -2.563, -2.415, 0.038, 2.995, 0.961, -2.539, -1.779, 0.492, 0.175, -0.153, 0.736, -3.068,
    2.299,
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
      way.hasWildcard ? Double(way.addedWeight) : 0,
      way.hasWildcard ? Double(min(way.takenWeight, 1)) : 0,
    ]
  }

  var value: Double {
    let sum = zip(features, Self.coefficients).reduce(0) { $0 + $1.0 * $1.1 }
    return 1 / (1 + exp(-sum))
  }
}

extension NearWay {
  /// Whether it may be asked about.
  ///
  /// Words of negation and numbers that were left over forbid it. So do free words where the words
  /// around them were not said: any sentence would be such a one.
  var isWorthAQuestion: Bool {
    guard !hasBlocker, !droppedNumber, !isOfAnotherScript else { return false }
    // Where one half was left out and the other put in, little words are what both have.
    if dropped > 0, added > 0, takenWeight < 0.9 { return false }
    return !hasWildcard || !isExchanged && addedWeight <= 0.3
  }

  /// Whether something may be done for it without a question.
  ///
  /// Nothing but fillers is left out; no known word was taken for another; no free words have words
  /// that a template has; little is added, nothing stands elsewhere, and no slip may be another word
  /// ("relock" is no "unlock"). Another ending may be another meaning ("lights turned on" is no
  /// command): the rest has to say enough. `margin`: how much dearer the next meaning is.
  func isSafe(margin: Float) -> Bool {
    guard dropped == 0, !isExchanged, !hasKnownWildcard, !isMoved, !hasBlocker, !hasUnsureSlip
    else { return false }
    guard added <= 1, addedWeight <= 0.36, margin >= 0.12 else { return false }
    return !hasEnding
      || (!hasFirstEnding && takenWeight >= 2.5 && margin >= 0.4)
  }
}
