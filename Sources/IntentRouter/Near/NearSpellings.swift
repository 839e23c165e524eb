/// Spellings to look up by what they are.
struct NearTable: Sendable {
  private(set) var scalars: [UInt32] = []
  private(set) var starts: [Int32] = [0]
  private var hashes: [UInt64] = []
  /// The first entry of each bucket, and the one after an entry; −1: none.
  private var heads: [Int32] = [-1]
  private var following: [Int32] = []
  /// The first characters of all, and their lengths up to 63, as bits.
  private var firsts: UInt64 = 0
  private var lengths: UInt64 = 0

  var count: Int { hashes.count }

  /// Keeps equal spellings, each as an entry.
  init(_ spellings: some Sequence<NearSpelling>) {
    for spelling in spellings {
      scalars += spelling.scalars
      starts.append(Int32(scalars.count))
      hashes.append(spelling.shape.hash)
      if let first = spelling.scalars.first { firsts |= RequiredText.bit(first) }
      lengths |= 1 << UInt64(min(spelling.count, 63))
    }
    var size = 1
    while size < 2 * count { size *= 2 }
    heads = [Int32](repeating: -1, count: size)
    following = [Int32](repeating: -1, count: count)
    // From the last to the first, so that of equal ones the first is found first.
    for entry in (0..<count).reversed() {
      let bucket = bucket(of: hashes[entry])
      following[entry] = heads[bucket]
      heads[bucket] = Int32(entry)
    }
  }

  /// Whether an entry may begin with a character.
  func mayBegin(with first: UInt32) -> Bool { firsts & RequiredText.bit(first) != 0 }

  /// Returns the first entry that is a spelling; O(its length) as a rule.
  @inline(__always)
  func first(_ shape: NearShape, _ text: Span<UInt32>) -> Int? {
    guard lengths & 1 << UInt64(min(shape.count, 63)) != 0 else { return nil }
    return entry(heads[bucket(of: shape.hash)], shape, text)
  }

  /// The entry after one that is the same spelling.
  func next(_ entry: Int, _ shape: NearShape, _ text: Span<UInt32>) -> Int? {
    self.entry(following[entry], shape, text)
  }

  func range(_ entry: Int) -> Range<Int> { Int(starts[entry])..<Int(starts[entry + 1]) }

  @inline(__always)
  private func entry(_ candidate: Int32, _ shape: NearShape, _ text: Span<UInt32>) -> Int? {
    var candidate = candidate
    while candidate >= 0 {
      let entry = Int(candidate)
      if hashes[entry] == shape.hash, isEqual(entry, text) { return entry }
      candidate = following[entry]
    }
    return nil
  }

  private func isEqual(_ entry: Int, _ text: Span<UInt32>) -> Bool {
    let range = range(entry)
    guard range.count == text.count else { return false }
    return scalars.span.extracting(range).commonPrefix(with: text) == text.count
  }

  private func bucket(of hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash ^ hash >> 32) & (heads.count - 1)
  }
}

/// Spellings to look up by what they are and by what they are near to.
///
/// Their shapes are in a row by length, and rule out most without a look at the characters.
struct NearSpellings: Sendable {
  fileprivate struct Row: Sendable {
    var characters: UInt64 = 0
    var pairs: UInt64 = 0
    var letters: UInt64 = 0
    var head: UInt32 = 0
    /// The entry, and whether it has more than four characters; less than 0 and inverted for one of
    /// a script without spaces.
    private var number: Int32 = 0
    private static let long: Int32 = 1 << 30

    init() {}

    init(_ shape: NearShape, entry: Int) {
      (characters, pairs, letters) = (shape.characters, shape.pairs, shape.letters)
      head = shape.head
      let number = Int32(entry) | (shape.count > 4 ? Self.long : 0)
      self.number = shape.isUnspaced ? ~number : number
    }

    var isUnspaced: Bool { number < 0 }
    private var positive: Int32 { isUnspaced ? ~number : number }
    var isLong: Bool { positive & Self.long != 0 }
    var entry: Int { Int(positive & ~Self.long) }
  }

  /// Those that may be near to a part of one text.
  struct Candidates {
    /// By number of letters.
    fileprivate var rows: [Row] = []
    /// The first of each number.
    fileprivate var starts: [Int] = [0]

    var isEmpty: Bool { rows.isEmpty }
    /// Scalars of the longest.
    fileprivate(set) var longest = 0
  }

  /// What comparing two spellings costs, where a look at the bits of one is a step.
  private static let stepsOfComparison = 32

  let table: NearTable
  private let shapes: [NearShape]
  private let rows: [Row]
  /// The first row of each number of letters, where marks are none.
  private let letterStarts: [Int]
  /// Scalars of the longest.
  let longest: Int

  init(_ spellings: [NearSpelling]) {
    table = NearTable(spellings)
    shapes = spellings.map(\.shape)
    longest = shapes.reduce(0) { max($0, $1.count) }
    let most = shapes.reduce(0) { max($0, Int($1.letterCount)) }
    var starts = [Int](repeating: 0, count: most + 2)
    for shape in shapes { starts[Int(shape.letterCount) + 1] += 1 }
    for count in 0...most { starts[count + 1] += starts[count] }
    letterStarts = starts
    var rows = [Row](repeating: Row(), count: shapes.count)
    for (entry, shape) in shapes.enumerated() {
      rows[starts[Int(shape.letterCount)]] = Row(shape, entry: entry)
      starts[Int(shape.letterCount)] += 1
    }
    self.rows = rows
  }

  /// The spellings that may be near to a part of a text with these letters.
  ///
  /// Each letter that the text does not have is a slip, or belongs to an ending. O(spellings).
  func candidates(in letters: UInt64) -> Candidates {
    var candidates = Candidates()
    for count in 0..<(letterStarts.count - 1) {
      for index in letterStarts[count]..<letterStarts[count + 1] {
        let missing = (rows[index].letters & ~letters).nonzeroBitCount
        guard missing <= 4 else { continue }
        guard missing <= 2 || !rows[index].isUnspaced else { continue }
        candidates.rows.append(rows[index])
        candidates.longest = max(candidates.longest, shapes[rows[index].entry].count)
      }
      candidates.starts.append(candidates.rows.count)
    }
    return candidates
  }

  /// Calls `body` with each candidate that a spelling is near to, those of fewer letters first.
  ///
  /// Endings differ by four letters at most; without spaces two slips are the most. An edit takes
  /// one character away and brings one, and two pairs of neighbours each; a word with another ending
  /// begins alike. O(candidates of about as many letters), most of them by one comparison of bits.
  /// Ends when the steps are used up.
  @inline(__always)
  func forEachNear(
    _ candidates: Candidates, _ said: NearShape, _ text: Span<UInt32>, _ stepsLeft: inout Int,
    _ body: (_ entry: Int, NearForm) -> Void
  ) {
    let (count, reach) = (Int(said.letterCount), said.isUnspaced ? 2 : 4)
    // A character alone is near to no longer word.
    let more = said.isUnspaced && said.count == 1 ? 0 : reach
    let (low, high) = (max(count - reach, 0), min(count + more, candidates.starts.count - 2))
    guard low <= high, stepsLeft > 0 else { return }
    let most = said.isUnspaced ? min(said.slipsMost, 2) : said.slipsMost
    let (charactersMost, pairsMost) = (2 * most + 1, 4 * most + 1)
    let range = candidates.starts[low]..<candidates.starts[high + 1]
    stepsLeft -= range.count
    for index in range {
      let row = candidates.rows[index]
      let beginsAlike = row.head == said.head && row.head != 0
      // Of a script without spaces two slips are the most, and no ending counts; a slip brings one
      // letter, and takes one away.
      if row.isUnspaced {
        let (missing, added) = (row.letters & ~said.letters, said.letters & ~row.letters)
        let isClose =
          row.isLong || said.count > 4
          ? hasAtMostTwoBits(missing) && hasAtMostTwoBits(added)
          : hasAtMostOneBit(missing) && hasAtMostOneBit(added)
        guard isClose else { continue }
      } else if !beginsAlike {
        guard (row.letters ^ said.letters).nonzeroBitCount <= 6 else { continue }
      }
      let isNear =
        (row.characters ^ said.characters).nonzeroBitCount <= charactersMost
        && (row.pairs ^ said.pairs).nonzeroBitCount <= pairsMost
      guard isNear || beginsAlike else { continue }
      stepsLeft -= Self.stepsOfComparison
      guard stepsLeft > 0 else { return }
      let entry = row.entry
      if let form = NearForm(
        said, text, shapes[entry], table.scalars.span.extracting(table.range(entry)))
      {
        body(entry, form)
      }
    }
  }
}

/// Quicker than counting them where no instruction does that.
@inline(__always)
private func hasAtMostOneBit(_ bits: UInt64) -> Bool { bits & (bits &- 1) == 0 }

@inline(__always)
private func hasAtMostTwoBits(_ bits: UInt64) -> Bool {
  hasAtMostOneBit(bits & (bits &- 1))
}
