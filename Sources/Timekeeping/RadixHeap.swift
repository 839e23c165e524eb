/// The order of a `DeadlineQueue`: earliest first, equal ones in the order of insertion.
///
/// A radix heap with digits of six bits. An entry after `base` stands in the bucket of the highest digit in
/// which it differs from `base`; those up to `base` stand in `ready`, in order. When `ready` is used up, the
/// lowest bucket is taken: one of a few entries is sorted and becomes `ready`, and `base` moves on to its last;
/// a larger one is dealt out anew from its least entry on. So each entry moves down at most once a digit, in order,
/// through memory that lies in a row. That is what a binary heap of a million entries lacks: it misses the cache on
/// each level. Rejected as well: one array of slots a level that turns with the clock (a timer wheel), which
/// must be turned when nothing is due.
///
/// What is inserted before `base` goes into `early`, a heap. When most entries are there (somebody set the clock
/// back), `base` starts over.
///
/// Equal moments share a bucket, and dealing and sorting keep their order, so no entry needs a number; of equal
/// ones in `ready` and `early`, the former came first.
@usableFromInline
struct TickQueue: Sendable {
  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline var ticks: Int64
    @usableFromInline var place: Int32
    @usableFromInline var generation: UInt32

    @inlinable
    init(ticks: Int64, place: Int32, generation: UInt32) {
      self.ticks = ticks
      self.place = place
      self.generation = generation
    }

    /// The moment as a number whose bits are in the order of time.
    @inlinable var radix: UInt64 { UInt64(bitPattern: ticks) ^ (1 << 63) }
  }

  @usableFromInline static let digitBits = 6
  @usableFromInline static let digitCount = 11
  /// A bucket of so many entries is sorted, not dealt: below that each would get a bucket of its own.
  private static let sortedMax = 64
  /// Fewer early entries than this are no reason to start over.
  private static let earlyKept = 1024

  @usableFromInline var base: UInt64 = 0
  /// Entries up to `base`, earliest first; those before `readyStart` were taken.
  @usableFromInline var ready: ContiguousArray<Entry> = []
  @usableFromInline var readyStart = 0
  /// By digit, then by its value.
  private var buckets = [ContiguousArray<Entry>](
    repeating: [], count: digitCount << digitBits)
  /// Which buckets of a digit hold something, a bit each.
  private var occupied = [UInt64](repeating: 0, count: digitCount)
  @usableFromInline var early = EarlyHeap()
  /// Entries, stale ones included.
  @usableFromInline private(set) var count = 0

  @usableFromInline
  init() {}

  @usableFromInline
  mutating func insert(_ entry: Entry) {
    count += 1
    guard entry.radix >= base else {
      early.insert(entry)
      if early.count > Self.earlyKept, early.count > count / 2 { startOver() }
      return
    }
    deal(entry)
  }

  /// The earliest entry that `isLive`; those before it are dropped.
  @inlinable
  mutating func first(_ isLive: (Entry) -> Bool) -> Entry? {
    while true {
      if let entry = isEarlyFirst ? early.first : readyStart < ready.count ? ready[readyStart] : nil
      {
        if isLive(entry) { return entry }
        removeFirst()
      } else if !moveOn() {
        return nil
      }
    }
  }

  /// The earliest entry of `ready` and `early` is in the latter.
  @inlinable
  var isEarlyFirst: Bool {
    guard let entry = early.first else { return false }
    return readyStart >= ready.count || entry.ticks < ready[readyStart].ticks
  }

  /// Removes what `first` gave.
  @inlinable
  mutating func removeFirst() {
    dropOne()
    if isEarlyFirst {
      early.removeFirst()
    } else {
      readyStart += 1
    }
  }

  @usableFromInline
  mutating func dropOne() { count -= 1 }

  /// Keeps only the entries that `isKept` says.
  ///
  /// O(n).
  @usableFromInline
  mutating func keep(_ isKept: (Entry) -> Bool) {
    early.keep(isKept)
    ready.removeSubrange(..<readyStart)
    readyStart = 0
    ready.removeAll { !isKept($0) }
    count = early.count + ready.count
    for digit in 0..<Self.digitCount {
      var bits = occupied[digit]
      while bits != 0 {
        let value = bits.trailingZeroBitCount
        bits &= bits - 1
        let index = digit << Self.digitBits | value
        buckets[index].removeAll { !isKept($0) }
        count += buckets[index].count
        if buckets[index].isEmpty {
          buckets[index] = []
          occupied[digit] &= ~(1 << UInt64(value))
        }
      }
    }
  }

  // MARK: Pieces

  /// Puts an entry at `base` or later where it belongs.
  private mutating func deal(_ entry: Entry) {
    let difference = entry.radix ^ base
    guard difference != 0 else {
      ready.append(entry)
      return
    }
    let digit = (63 - difference.leadingZeroBitCount) / Self.digitBits
    let value = Int(truncatingIfNeeded: entry.radix >> UInt64(digit * Self.digitBits)) & 63
    buckets[digit << Self.digitBits | value].append(entry)
    occupied[digit] |= 1 << UInt64(value)
  }

  /// Makes the earliest entries of the buckets `ready`; false when there is none.
  @usableFromInline
  mutating func moveOn() -> Bool {
    ready.removeAll(keepingCapacity: ready.count <= 64)
    readyStart = 0
    guard let digit = occupied.firstIndex(where: { $0 != 0 }) else { return false }
    let value = occupied[digit].trailingZeroBitCount
    occupied[digit] &= ~(1 << UInt64(value))
    let index = digit << Self.digitBits | value
    var entries: ContiguousArray<Entry> = []
    swap(&entries, &buckets[index])
    if digit == 0 {
      // All of one moment.
      ready = entries
    } else if entries.count <= Self.sortedMax {
      Self.sort(&entries)
      ready = entries
    } else {
      base = entries.reduce(.max) { min($0, $1.radix) }
      for entry in entries { deal(entry) }
      return true
    }
    base = ready[ready.count - 1].radix
    return true
  }

  /// By insertion: for a few entries, and equal ones stay in their order.
  private static func sort(_ entries: inout ContiguousArray<Entry>) {
    for index in 1..<max(1, entries.count) {
      let entry = entries[index]
      var hole = index
      while hole > 0, entries[hole - 1].ticks > entry.ticks {
        entries[hole] = entries[hole - 1]
        hole -= 1
      }
      entries[hole] = entry
    }
  }

  /// Deals everything anew from the earliest entry on.
  private mutating func startOver() {
    var entries: ContiguousArray<Entry> = []
    entries.reserveCapacity(count)
    entries.append(contentsOf: ready[readyStart...])
    while let entry = early.first {
      entries.append(entry)
      early.removeFirst()
    }
    for index in buckets.indices {
      entries.append(contentsOf: buckets[index])
      buckets[index] = []
    }
    ready = []
    readyStart = 0
    occupied = [UInt64](repeating: 0, count: Self.digitCount)
    base = entries.reduce(.max) { min($0, $1.radix) }
    for entry in entries { deal(entry) }
  }
}

/// A binary heap of entries; equal moments in the order of insertion.
@usableFromInline
struct EarlyHeap: Sendable {
  private struct Numbered: Sendable {
    var entry: TickQueue.Entry
    var number: UInt64

    func comes(before other: Numbered) -> Bool {
      entry.ticks == other.entry.ticks
        ? number < other.number : entry.ticks < other.entry.ticks
    }
  }

  private var entries: ContiguousArray<Numbered> = []
  private var lastNumber: UInt64 = 0

  @usableFromInline
  init() {}

  @usableFromInline var count: Int { entries.count }
  @usableFromInline var first: TickQueue.Entry? { entries.first?.entry }

  @usableFromInline
  mutating func insert(_ entry: TickQueue.Entry) {
    lastNumber += 1
    let new = Numbered(entry: entry, number: lastNumber)
    entries.append(new)
    var index = entries.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard new.comes(before: entries[parent]) else { break }
      entries[index] = entries[parent]
      index = parent
    }
    entries[index] = new
  }

  @usableFromInline
  mutating func removeFirst() {
    let last = entries.removeLast()
    if !entries.isEmpty { sink(last, from: 0) }
  }

  mutating func keep(_ isKept: (TickQueue.Entry) -> Bool) {
    entries.removeAll { !isKept($0.entry) }
    guard entries.count > 1 else { return }
    for index in stride(from: entries.count / 2 - 1, through: 0, by: -1) {
      sink(entries[index], from: index)
    }
  }

  /// Puts `new` into the hole at `start` or below it.
  private mutating func sink(_ new: Numbered, from start: Int) {
    var hole = start
    while true {
      var child = 2 * hole + 1
      guard child < entries.count else { break }
      if child + 1 < entries.count, entries[child + 1].comes(before: entries[child]) { child += 1 }
      guard entries[child].comes(before: new) else { break }
      entries[hole] = entries[child]
      hole = child
    }
    entries[hole] = new
  }
}
