/// Plain values of a list, sorted, so that one walk over a sentence finds every value that begins
/// at a place.
///
/// The walk narrows a range of the sorted values by one character after the other and ends at the
/// first character that no value has, so that ten thousand names cost about as much as ten: the
/// first two characters are found by hash, and few names share more than some.
///
/// An object, since a sentence asks several times: handing it on counts one reference and not five.
final class ValueIndex: Sendable {
  /// The characters of each value, as bits: they alone rule out most values that are not near a
  /// word.
  let characters: [UInt64]
  /// Bits of the characters that values begin with.
  let first: UInt64
  /// Folded texts one after the other, in the order of the list; nothing for what is no plain
  /// value.
  private let scalars: [UInt32]
  /// Where each text begins in `scalars`; one more than there are values.
  private let starts: [Int32]
  /// Values that have a text, by text and then by place in the list.
  private let order: [Int32]
  /// With the texts of spaced scripts first, and with those of others first.
  private let madeShortest = (MadeOnce<ShortestTexts>(), MadeOnce<ShortestTexts>())
  /// Ranges of `order` by their first two characters, hashed; a count that is a power of two.
  private let table: [Bucket]

  private struct Bucket: Sendable {
    var key: UInt64 = .max
    var low: Int32 = 0
    var high: Int32 = 0
  }

  var count: Int { starts.count - 1 }

  /// Returns the folded text of a value; empty for a value that is a template.
  func text(_ value: Int) -> ArraySlice<UInt32> {
    scalars[Int(starts[value])..<Int(starts[value + 1])]
  }

  init(_ folded: [[UInt32]]) {
    var scalars: [UInt32] = []
    scalars.reserveCapacity(folded.reduce(0) { $0 + $1.count })
    var starts: [Int32] = [0]
    starts.reserveCapacity(folded.count + 1)
    for text in folded {
      scalars.append(contentsOf: text)
      starts.append(Int32(scalars.count))
    }
    characters = folded.map { RequiredText($0).characters }
    var first: UInt64 = 0
    for text in folded {
      if let scalar = text.first(where: { $0 != space }) { first |= RequiredText.bit(scalar) }
    }
    self.first = first
    func isBefore(_ a: Int32, _ b: Int32) -> Bool {
      var (i, j) = (Int(starts[Int(a)]), Int(starts[Int(b)]))
      let (endA, endB) = (Int(starts[Int(a) + 1]), Int(starts[Int(b) + 1]))
      while i < endA, j < endB {
        if scalars[i] != scalars[j] { return scalars[i] < scalars[j] }
        i += 1
        j += 1
      }
      if i == endA && j == endB { return a < b }
      return i == endA
    }
    let order = folded.indices.filter { !folded[$0].isEmpty }.map(Int32.init).sorted(by: isBefore)

    var ranges: [Bucket] = []
    for (place, value) in order.enumerated() {
      let key = Self.key(scalars[Int(starts[Int(value)])..<Int(starts[Int(value) + 1])])
      if ranges.last?.key != key {
        ranges.append(Bucket(key: key, low: Int32(place), high: Int32(place)))
      }
      ranges[ranges.count - 1].high = Int32(place) + 1
    }
    var capacity = 8
    while capacity < ranges.count * 2 { capacity *= 2 }
    var table = [Bucket](repeating: Bucket(), count: capacity)
    for bucket in ranges {
      var slot = Self.slot(bucket.key) & (capacity - 1)
      while table[slot].key != .max { slot = (slot + 1) & (capacity - 1) }
      table[slot] = bucket
    }
    self.scalars = scalars
    self.starts = starts
    self.order = order
    self.table = table
  }

  private static func key(_ text: ArraySlice<UInt32>) -> UInt64 {
    let second = text.count > 1 ? text[text.startIndex + 1] : UInt32.max
    return UInt64(text[text.startIndex]) << 32 | UInt64(second)
  }

  @inline(__always)
  private static func slot(_ key: UInt64) -> Int {
    let mixed = key &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 32)
  }

  @inline(__always)
  private func bucket(_ key: UInt64) -> Bucket? {
    let mask = table.count - 1
    var slot = Self.slot(key) & mask
    while table[slot].key != key {
      guard table[slot].key != .max else { return nil }
      slot = (slot + 1) & mask
    }
    return table[slot]
  }

  /// Calls `body` with each value that `text` has at `start`, shortest first, in list order for
  /// equal texts.
  ///
  /// Logarithmic in the number of values that share two characters.
  @inline(__always)
  func forEachValue(
    in text: [UInt32], at start: Int, _ body: (_ value: Int, _ length: Int) -> Void
  ) {
    let available = text.count - start
    guard available > 0, !order.isEmpty else { return }
    let head = UInt64(text[start]) << 32
    if let bucket = bucket(head | UInt64(UInt32.max)) {
      for place in bucket.low..<bucket.high { body(Int(order[Int(place)]), 1) }
    }
    guard available > 1, let bucket = bucket(head | UInt64(text[start + 1])) else { return }
    var low = Int(bucket.low)
    var high = Int(bucket.high)
    var depth = 2
    while true {
      while low < high, length(low) == depth {
        body(Int(order[low]), depth)
        low += 1
      }
      guard low < high, depth < available else { return }
      if high - low == 1 {
        let begin = Int(starts[Int(order[low])])
        let length = length(low)
        guard length <= available else { return }
        while depth < length {
          guard scalars[begin + depth] == text[start + depth] else { return }
          depth += 1
        }
        body(Int(order[low]), length)
        return
      }
      let wanted = text[start + depth]
      var (below, above) = (low, high)
      while below < above {
        let middle = (below + above) / 2
        if scalar(middle, depth) < wanted { below = middle + 1 } else { above = middle }
      }
      low = below
      above = high
      while below < above {
        let middle = (below + above) / 2
        if scalar(middle, depth) <= wanted { below = middle + 1 } else { above = middle }
      }
      high = below
      guard low < high else { return }
      depth += 1
    }
  }

  @inline(__always)
  private func length(_ place: Int) -> Int {
    let value = Int(order[place])
    return Int(starts[value + 1] - starts[value])
  }

  @inline(__always)
  private func scalar(_ place: Int, _ depth: Int) -> UInt32 {
    scalars[Int(starts[Int(order[place])]) + depth]
  }

  // MARK: Beginnings

  /// The places in sorted order whose texts begin with `prefix`; all of them for an empty one.
  ///
  /// Two binary searches: O(prefix × log(values)).
  func range(withPrefix prefix: ArraySlice<UInt32>) -> Range<Int> {
    /// Whether the text at a place is before the prefix, or begins with it, or is behind.
    func side(_ place: Int) -> Int {
      let value = Int(order[place])
      var index = Int(starts[value])
      let end = Int(starts[value + 1])
      for scalar in prefix {
        guard index < end else { return -1 }
        if scalars[index] != scalar { return scalars[index] < scalar ? -1 : 1 }
        index += 1
      }
      return 0
    }
    func first(notBefore least: Int) -> Int {
      var (low, high) = (0, order.count)
      while low < high {
        let middle = (low + high) / 2
        if side(middle) < least { low = middle + 1 } else { high = middle }
      }
      return low
    }
    return first(notBefore: 0)..<first(notBefore: 1)
  }

  /// The value at a place in sorted order.
  func value(at place: Int) -> Int { Int(order[place]) }

  /// Calls `body` with the values at places of a range, shortest text first and in the order of the
  /// list for equal lengths, until it returns false.
  ///
  /// Texts of scripts that are written without spaces come before all others, or behind them: a
  /// list has the names of one thing in several scripts. O(log(values)) for each call; the first
  /// use is linear in the values.
  func visitShortest(
    in range: Range<Int>, unspacedFirst: Bool = false, _ body: (_ value: Int) -> Bool
  ) {
    let made = unspacedFirst ? madeShortest.1 : madeShortest.0
    let shortest = made.get {
      ShortestTexts(
        order.map { value in
          let text = text(Int(value))
          let isUnspaced = text.first.map(IntentRouter.isUnspaced) ?? false
          return ShortestTexts.Length(
            scalars: Int32(text.count), value: value, isOther: isUnspaced != unspacedFirst)
        })
    }
    shortest.visit(in: range) { body(Int($0.value)) }
  }
}
