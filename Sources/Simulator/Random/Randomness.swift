/// The only source of chance in a simulated world: one seed, the same numbers on every machine.
///
/// SplitMix64: a counter stepped by an odd constant, mixed. Source: Steele, Lea, Flood,
/// "Fast Splittable Pseudorandom Number Generators" (2014).
package struct Randomness: Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// Returns 64 bits, each 0 or 1 with the same chance.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 to `bound` - 1.
  package mutating func below(_ bound: Int) -> Int {
    precondition(bound > 0, "there is no number below \(bound)")
    return Int(next() % UInt64(bound))
  }

  /// Returns a number from `low` to `high`, both included.
  package mutating func between(_ low: Int64, _ high: Int64) -> Int64 {
    precondition(low <= high, "\(low)...\(high) has no number in it")
    return low + Int64(next() % UInt64(high - low + 1))
  }

  /// True in `percent` of 100 cases.
  package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  /// Returns one of the items, each with the same chance; there must be one.
  package mutating func pick<Element>(_ items: [Element]) -> Element { items[below(items.count)] }

  /// One of the items, each as often as its weight says.
  package mutating func pick<Element>(weighted items: [(weight: Int, item: Element)]) -> Element {
    var rest = below(items.reduce(0) { $0 + $1.weight })
    for (weight, item) in items {
      if rest < weight { return item }
      rest -= weight
    }
    preconditionFailure("a number below the sum of the weights lies in one of them")
  }

  /// Milliseconds as they occur: mostly short, now and then a thousand times as long.
  package mutating func pause(upTo typical: Int64) -> Int64 {
    let scale: Int64 = pick(weighted: [(70, 1), (20, 10), (8, 100), (2, 1_000)])
    return between(0, typical * scale)
  }
}
