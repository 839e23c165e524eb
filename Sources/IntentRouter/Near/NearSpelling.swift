/// A word or a name in the form in which slips are counted.
struct NearSpelling: Hashable, Sendable {
  let scalars: [UInt32]
  let shape: NearShape

  /// `scalars`: as `nearSpelling` makes them.
  init(_ scalars: [UInt32]) {
    self.scalars = scalars
    shape = NearShape(scalars)
  }

  static func == (a: Self, b: Self) -> Bool { a.scalars == b.scalars }

  func hash(into hasher: inout Hasher) { hasher.combine(scalars) }

  var count: Int { scalars.count }
  var isUnspaced: Bool { shape.isUnspaced }

  /// How much leaving the word out or adding it costs, as a share: a single character of a script
  /// without spaces is about half a word.
  var scale: Float { isUnspaced && count == 1 ? NearSearch.Price.unspaced : 1 }
}

/// The shape of a spelling: it rules out most others that are not near, and grows by a character at
/// a time.
struct NearShape: Sendable {
  /// As in `RequiredText`.
  private(set) var characters: UInt64 = 0
  private(set) var pairs: UInt64 = 0
  /// Those that are no light marks, and how many: a slip changes two of the bits at most, and the
  /// count by one.
  private(set) var letters: UInt64 = 0
  private(set) var letterCount: Int32 = 0
  /// Of all characters; equal for equal spellings.
  private(set) var hash: UInt64 = 0
  /// The first three characters, mixed; 0 for a shorter one.
  private(set) var head: UInt32 = 0
  private var headSoFar: UInt32 = 0
  private var last: UInt32 = 0
  private var length: Int32 = 0
  private(set) var isUnspaced = false
  /// Where light marks are, as bits; those from the 64th character on are not told.
  private(set) var marks: UInt64 = 0

  init() {}

  init(_ scalars: some Collection<UInt32>) { for scalar in scalars { append(scalar) } }

  init(_ scalars: Span<UInt32>) { for index in scalars.indices { append(scalars[index]) } }

  var count: Int { Int(length) }

  /// Slips that a word of this length may have: 1 to 3.
  var slipsMost: Int { length <= 4 ? 1 : length <= 7 ? 2 : 3 }

  /// Whether two spellings surely have more slips than so many.
  @inline(__always)
  func isFarther(from other: NearShape, than most: Int) -> Bool {
    (letters ^ other.letters).nonzeroBitCount > 2 * most
      || abs(letterCount - other.letterCount) > most
  }

  mutating func append(_ scalar: UInt32) {
    characters |= RequiredText.bit(scalar)
    if length > 0 { pairs |= RequiredText.bit(last, scalar) }
    hash = (hash ^ UInt64(scalar)) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 29
    switch length {
    case 0:
      headSoFar = scalar &* 0x9E37_79B1
      isUnspaced = IntentRouter.isUnspaced(scalar)
    case 1: headSoFar = (headSoFar ^ scalar) &* 0x85EB_CA6B
    case 2: head = headSoFar ^ scalar
    default: break
    }
    if isLightMark(scalar) {
      if length < 64 { marks |= 1 << UInt64(length) }
    } else {
      letters |= RequiredText.bit(scalar)
      letterCount += 1
    }
    last = scalar
    length += 1
  }
}

extension Span<UInt32> {
  /// The number of characters with which both begin.
  @inline(__always)
  func commonPrefix(with other: Span<UInt32>) -> Int {
    let most = Swift.min(count, other.count)
    var common = 0
    while common < most, self[common] == other[common] { common += 1 }
    return common
  }
}

/// Counts slips between two spellings: an edit is 1, a swap of neighbours 1, a light mark a quarter;
/// `nil` if there are more than `most`.
func slips(_ left: NearSpelling, _ right: NearSpelling, atMost most: Float) -> Float? {
  slips(
    left.scalars.span, right.scalars.span, marks: (left.shape.marks, right.shape.marks),
    atMost: most)
}

/// The same for spellings that are parts of longer rows; `marks`: as in `NearShape`.
///
/// Counts quarters. What both begin and end with costs nothing, and of the rest only a band around
/// the diagonal is looked at: O(length × most).
func slips(
  _ left: Span<UInt32>, _ right: Span<UInt32>, marks: (left: UInt64, right: UInt64),
  atMost most: Float
) -> Float? {
  let most = Int32(most * 4)
  let hasMarks = marks.left | marks.right != 0
  var (rows, columns) = (left.count, right.count)
  let band = Int(hasMarks ? most : most / 4)
  guard abs(rows - columns) <= band else { return nil }
  let first = left.commonPrefix(with: right)
  while rows > first, columns > first, left[rows - 1] == right[columns - 1] {
    rows -= 1
    columns -= 1
  }
  guard rows > first || columns > first else { return 0 }
  guard left.count < 64, right.count < 64 else { return nil }
  func weight(_ marks: UInt64, _ index: Int) -> Int32 { marks >> UInt64(index) & 1 != 0 ? 1 : 4 }
  return withUnsafeTemporaryAllocation(of: Int32.self, capacity: 4 * 66) { table -> Float? in
    // Three rows that take turns, and the weights of the characters on the right.
    let weights = 3 * 66
    (rows, columns) = (rows - first, columns - first)
    let far: Int32 = 1 << 20
    var total: Int32 = 0
    for column in 0..<columns {
      let weight = weight(marks.right, first + column)
      table[weights + column] = weight
      table[column] = total
      total += weight
    }
    table[columns] = total
    var (before, previous, current) = (132, 0, 66)
    for row in 0..<rows {
      let said = left[first + row]
      let weight = weight(marks.left, first + row)
      let (from, to) = (max(0, row - band), min(columns - 1, row + band))
      table[current + from] = from == 0 ? table[previous] + weight : far
      var least = table[current + from]
      guard from <= to || columns == 0 else { return nil }
      for column in from..<max(to + 1, from) {
        let above = column == row + band && row > 0 ? far : table[previous + column + 1]
        var best = min(above + weight, table[current + column] + table[weights + column])
        let known = right[first + column]
        if said == known {
          best = min(best, table[previous + column])
        } else {
          best = min(best, table[previous + column] + max(weight, table[weights + column]))
          if row > 0, column > 0, said == right[first + column - 1],
            left[first + row - 1] == known, column - 1 >= row - 1 - band
          {
            best = min(best, table[before + column - 1] + 4)
          }
        }
        table[current + column + 1] = best
        least = min(least, best)
      }
      guard least <= most else { return nil }
      (before, previous, current) = (previous, current, before)
    }
    let result = table[previous + columns]
    return result <= most ? Float(result) / 4 : nil
  }
}
