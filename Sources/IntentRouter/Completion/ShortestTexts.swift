/// The lengths of sorted texts, as a tree of minima: finds the shortest of any range of them.
///
/// Ten thousand names that begin alike cost as much as ten: the next shortest is found in
/// logarithmic time, and a person is shown a few.
struct ShortestTexts: Sendable {
  struct Length: Sendable {
    var scalars: Int32
    /// The place of the value in its list, which orders equal lengths.
    var value: Int32
    /// Whether the text comes behind all that are not so.
    var isOther = false

    static func < (a: Self, b: Self) -> Bool {
      guard a.isOther == b.isOther else { return b.isOther }
      return (a.scalars, a.value) < (b.scalars, b.value)
    }
  }

  private let lengths: [Length]
  /// A heap-shaped tree over the places; each node has the place of the least length below it.
  private let tree: [Int32]
  private let leaves: Int

  /// Linear in the number of texts.
  init(_ lengths: [Length]) {
    var leaves = 1
    while leaves < lengths.count { leaves *= 2 }
    var tree = [Int32](repeating: -1, count: 2 * leaves)
    for place in lengths.indices { tree[leaves + place] = Int32(place) }
    for node in (1..<leaves).reversed() {
      let (left, right) = (tree[2 * node], tree[2 * node + 1])
      tree[node] =
        right < 0 || (left >= 0 && lengths[Int(left)] < lengths[Int(right)]) ? left : right
    }
    self.lengths = lengths
    self.tree = tree
    self.leaves = leaves
  }

  /// Calls `body` with the lengths of a range, least first, until it returns false.
  func visit(in range: Range<Int>, _ body: (Length) -> Bool) {
    // Ranges with the place of the least in each; the least of all is taken out, which leaves two.
    var open: [(range: Range<Int>, least: Int)] = []
    func add(_ range: Range<Int>) {
      if let least = least(in: range) { open.append((range, least)) }
    }
    add(range)
    while let first = open.indices.min(by: { lengths[open[$0].least] < lengths[open[$1].least] }) {
      let (range, least) = open.remove(at: first)
      guard body(lengths[least]) else { return }
      add(range.lowerBound..<least)
      add(least + 1..<range.upperBound)
    }
  }

  /// The place of the least length of a range; `nil` for an empty one.
  private func least(in range: Range<Int>) -> Int? {
    var (low, high) = (range.lowerBound + leaves, range.upperBound + leaves)
    var best: Int32 = -1
    func look(_ node: Int) {
      let place = tree[node]
      if best < 0 || lengths[Int(place)] < lengths[Int(best)] { best = place }
    }
    while low < high {
      if low & 1 == 1 {
        look(low)
        low += 1
      }
      if high & 1 == 1 {
        high -= 1
        look(high)
      }
      low /= 2
      high /= 2
    }
    return best < 0 ? nil : Int(best)
  }
}
