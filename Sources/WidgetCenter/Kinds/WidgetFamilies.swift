/// Some of the families: a bit each, since every widget of every order is asked whether it is in.
package struct WidgetFamilies: Hashable, Sendable, SetAlgebra {
  private var bits: UInt16 = 0

  package init() {}

  private init(bits: UInt16) { self.bits = bits }

  /// In the order of the cases.
  package var members: [WidgetFamily] { WidgetFamily.allCases.filter { contains($0) } }

  package var isEmpty: Bool { bits == 0 }

  package func contains(_ family: WidgetFamily) -> Bool { bits & family.bit != 0 }

  @discardableResult
  package mutating func insert(
    _ family: WidgetFamily
  ) -> (inserted: Bool, memberAfterInsert: WidgetFamily) {
    let isNew = !contains(family)
    bits |= family.bit
    return (isNew, family)
  }

  @discardableResult
  package mutating func remove(_ family: WidgetFamily) -> WidgetFamily? {
    guard contains(family) else { return nil }
    bits &= ~family.bit
    return family
  }

  @discardableResult
  package mutating func update(with family: WidgetFamily) -> WidgetFamily? {
    insert(family).inserted ? nil : family
  }

  package func union(_ other: Self) -> Self { Self(bits: bits | other.bits) }
  package func intersection(_ other: Self) -> Self { Self(bits: bits & other.bits) }
  package func symmetricDifference(_ other: Self) -> Self { Self(bits: bits ^ other.bits) }

  package mutating func formUnion(_ other: Self) { bits |= other.bits }
  package mutating func formIntersection(_ other: Self) { bits &= other.bits }
  package mutating func formSymmetricDifference(_ other: Self) { bits ^= other.bits }
}

extension WidgetFamily {
  /// Its bit in a `WidgetFamilies`.
  fileprivate var bit: UInt16 { 1 << UInt16(place) }
}
