/// A reason for or against a widget in the stack.
///
/// The raw value is a lane of `StackPlace.parts`.
package enum StackCause: Int, CaseIterable, Hashable, Sendable {
  /// The provider's claim, times its weight.
  case relevance
  case often
  case lately
  case timeOfDay
  case weekday
  /// After the items that the person used before.
  case afterwards
  case intentJustSent
  case dismissed
  /// The widget is on top and stays for a while.
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

/// Scores of what the person just did and of a refusal: each outweighs all habits and claims
/// together.
enum StackScore {
  /// The provider says that the widget is not relevant now.
  static let refusal = -75.0
  /// The person asked for the widget within `Limits.promotionWindow`.
  static let intentJustSent = 100.0
  /// Added for each widget that was asked for before it.
  static let perEarlierIntent = 50.0
  /// The person sent the widget away within `Limits.dismissalWindow`.
  static let dismissal = -200.0
  /// A widget at or below this score does not stay on top.
  static let stayMin = -50.0
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

  /// Returns the part of the score that this cause gives.
  package func value(_ cause: StackCause) -> Double { Double(parts.lanes[cause.rawValue]) / 1000 }

  /// The parts that are not zero, in the causes' order; they add up to the score.
  package var contributions: [(cause: StackCause, value: Double)] {
    StackCause.allCases.compactMap { cause in
      parts.lanes[cause.rawValue] == 0 ? nil : (cause, value(cause))
    }
  }
}
