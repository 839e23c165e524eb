import Testing

@testable import WidgetCenter

/// Checks that the set of bits behaves like a set.
@Suite struct WidgetFamiliesTests {
  private func all(_ bits: Int) -> [WidgetFamily] {
    WidgetFamily.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)
  }

  @Test func `union, intersection and difference are those of sets`() {
    let count = 1 << WidgetFamily.allCases.count
    for left in stride(from: 0, to: count, by: 7) {
      for right in stride(from: 0, to: count, by: 11) {
        let (a, b) = (WidgetFamilies(all(left)), WidgetFamilies(all(right)))
        guard a.union(b).members == all(left | right),
          a.intersection(b).members == all(left & right),
          a.symmetricDifference(b).members == all(left ^ right),
          a.isEmpty == (left == 0), (a == b) == (left == right)
        else {
          Issue.record("\(all(left)) and \(all(right))")
          return
        }
      }
    }
  }

  @Test func `families come and go one by one`() {
    var families: WidgetFamilies = []
    for family in WidgetFamily.allCases {
      #expect(!families.contains(family))
      #expect(families.insert(family).inserted)
      #expect(!families.insert(family).inserted)
      #expect(families.update(with: family) == family)
    }
    #expect(families.members == WidgetFamily.allCases)
    for family in WidgetFamily.allCases {
      #expect(families.remove(family) == family)
      #expect(families.remove(family) == nil)
    }
    #expect(families.isEmpty)
  }
}
