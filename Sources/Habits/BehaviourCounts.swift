/// Counts of all items that fade together.
///
/// Instead of fading every count, what is added grows: fading costs the same with ten thousand
/// items as with one.
struct FadingCounts: Hashable, Sendable {
  private(set) var values: [Double] = []
  /// The weight of one new use.
  private(set) var scale = 1.0
  private var sumScaled = 0.0

  /// The sum of all counts.
  var sum: Double { sumScaled / scale }

  subscript(slot: Int) -> Double { values[slot] / scale }

  mutating func append() { values.append(0) }

  /// All counts times e^(−`exponent`), `exponent` ≥ 0.
  mutating func fade(_ exponent: Double) {
    if exponent > 200 {
      for slot in values.indices { values[slot] = 0 }
      sumScaled = 0
      scale = 1
      return
    }
    scale *= BehaviourMath.exp(exponent)
    guard scale > 1e100 else { return }
    for slot in values.indices { values[slot] /= scale }
    sumScaled /= scale
    scale = 1
  }

  mutating func add(_ slot: Int) {
    values[slot] += scale
    sumScaled += scale
  }

  mutating func clear(_ slot: Int) {
    sumScaled = max(0, sumScaled - values[slot])
    values[slot] = 0
  }
}

/// How often an expectation came true, in cells.
struct HitTable: Hashable, Sendable {
  private(set) var hits: [Double]
  private(set) var seen: [Double]

  init(cells: Int) {
    hits = Array(repeating: 0, count: cells)
    seen = Array(repeating: 0, count: cells)
  }

  mutating func start(_ cell: Int, hits: Double, seen: Double) {
    self.hits[cell] = hits
    self.seen[cell] = seen
  }

  mutating func count(_ cell: Int, hit: Bool) {
    seen[cell] += 1
    if hit { hits[cell] += 1 }
  }

  /// (hits + `weight` · `expected`) / (seen + `weight`).
  func rate(_ cell: Int, expecting expected: Double, weight: Double) -> Double {
    (hits[cell] + weight * expected) / (seen[cell] + weight)
  }
}
