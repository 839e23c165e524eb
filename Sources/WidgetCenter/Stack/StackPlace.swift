/// What speaks for or against a widget in the stack.
///
/// The raw value is a lane of `StackPlace.parts`.
package enum StackCause: Int, CaseIterable, Hashable, Sendable {
  /// What its provider says, as far as its word counts.
  case relevance
  case often
  case lately
  case timeOfDay
  case weekday
  /// After what the person did before.
  case afterwards
  case intentJustSent
  case dismissed
  /// It is on top and stays a little.
  case stays

  package var name: String {
    switch self {
    case .relevance: "relevance"
    case .often: "often"
    case .lately: "lately"
    case .timeOfDay: "time of day"
    case .weekday: "weekday"
    case .afterwards: "afterwards"
    case .intentJustSent: "intent just sent"
    case .dismissed: "dismissed"
    case .stays: "stays"
    }
  }
}

/// One widget's place in the stack, with the numbers that put it there.
package struct StackPlace: Hashable, Sendable {
  /// A score in thousandths, by `StackCause`.
  struct Parts: Hashable, Sendable {
    var lanes = SIMD16<Int32>.zero

    var thousandths: Int32 { lanes.wrappedSum() }

    mutating func set(_ cause: StackCause, _ value: Double) {
      lanes[cause.rawValue] = Int32((value * 1000).rounded())
    }
  }

  package var id: String
  var parts = Parts()

  /// The sum of the parts.
  ///
  /// 0: a widget that nothing speaks for or against.
  package var score: Double { Double(thousandths) / 1000 }
  var thousandths: Int32 { parts.thousandths }

  package func value(_ cause: StackCause) -> Double { Double(parts.lanes[cause.rawValue]) / 1000 }

  /// What is not zero, in the causes' order; it adds up to the score.
  package var contributions: [(cause: StackCause, value: Double)] {
    StackCause.allCases.compactMap { cause in
      parts.lanes[cause.rawValue] == 0 ? nil : (cause, value(cause))
    }
  }
}
