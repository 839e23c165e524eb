package import JSON

/// What a sentence means to exact recognition, to tell meanings apart.
package struct NearMeaning: Hashable, Sendable {
  package var intent: String
  package var slots: [String: JSONValue]
  /// Slots that would take any text.
  var wildcards: Int

  package static func == (a: Self, b: Self) -> Bool {
    a.intent == b.intent && a.slots == b.slots
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(intent)
    hasher.combine(slots)
  }
}

/// A sentence of the templates that what was said nearly is.
package struct NearReading: Sendable {
  /// The sentence, which exact recognition understands.
  package var sentence: String
  package var meaning: NearMeaning
  /// How likely it is that this was meant, from 0 to 1; of the readings of a sentence the first
  /// alone has one.
  package var confidence: Double
  package var changes: [NearChange]
}

/// What to do with a sentence that matches nothing.
package struct NearAnswer: Sendable {
  package enum Decision: String, Hashable, Sendable {
    /// The first reading is done.
    case act
    /// A person is asked which of the readings they meant.
    case ask
    case none
  }

  package var decision: Decision
  /// At most three of different meanings, the likeliest first; those that were too unlikely to be
  /// asked about, too, where the decision is `none`.
  package var readings: [NearReading]
  /// Letters of the sentence that the likeliest reading takes as they were said; none where it has
  /// free words, which take anything.
  package var keptLetterCount = 0
  /// What the confidence was computed from, for those who fit it.
  package var features: [Double] = []

  static let nothing = NearAnswer(decision: .none, readings: [])
}
