/// Orders the entries of a `NumberedDeadlines`: earliest first, equal moments in the order of
/// insertion.
///
/// It is a radix heap with digits of six bits. Entries up to `base` are in `ready`, sorted. A later
/// entry is in a bucket, named by the highest digit in which the entry differs from `base` and by
/// the value of that digit. When `ready` is used up, `moveOn` takes the lowest bucket:
/// - at most `sortedMax` entries: it sorts them, they become `ready`, and `base` becomes the last;
/// - more entries: `base` becomes their least, and it deals them into lower buckets.
///
/// So an entry moves at most once per digit, and each move walks memory in order. Rejected: a
/// binary heap, because a million entries miss the cache on each level; a timer wheel, because it
/// must turn even when nothing is due.
///
/// An entry before `base` goes into `early`, a binary heap. That is rare until somebody sets the
/// clock back; when most entries are in `early`, `startOver` moves `base` back to the earliest of
/// all.
///
/// Equal moments keep their order without a sequence number: they share a bucket, and dealing and
/// sorting are stable. Of equal entries in `ready` and `early`, the one in `ready` was inserted
/// first.
@usableFromInline
struct RadixHeap: Sendable {
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

    /// The moment as an unsigned number, so that comparing bits from the highest compares time.
    @inlinable var radix: UInt64 { UInt64(bitPattern: ticks) ^ (1 << 63) }
  }

  @usableFromInline static let digitBits = 6
  /// Eleven digits of six bits cover the 64 bits of a moment.
  @usableFromInline static let digitCount = 11
  /// The largest bucket, in entries, that is sorted and not dealt: dealing would spread it too
  /// thinly.
  private static let sortedMax = 64
  /// The number of early entries up to which `base` never starts over.
  private static let earlyKept = 1024

  @usableFromInline var base: UInt64 = 0
  /// The entries up to `base`, earliest first; those before index `readyStart` were taken already.
  @usableFromInline var ready: ContiguousArray<Entry> = []
  @usableFromInline var readyStart = 0
  /// The later entries, by digit and then by the digit's value.
  private var buckets = [ContiguousArray<Entry>](
    repeating: [], count: digitCount << digitBits)
  /// One bit for each bucket of a digit: set when the bucket holds an entry.
  private var occupied = [UInt64](repeating: 0, count: digitCount)
  @usableFromInline var early = EarlyHeap()
  /// The number of entries, stale ones included.
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

  /// Returns the earliest entry for which `isLive` returns true, and drops the entries before it.
  ///
  /// `nil` if there is none.
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

  /// Whether the earliest entry of `ready` and `early` is in `early`.
  @inlinable
  var isEarlyFirst: Bool {
    guard let entry = early.first else { return false }
    return readyStart >= ready.count || entry.ticks < ready[readyStart].ticks
  }

  /// Removes the entry that `first` returned.
  @inlinable
  mutating func removeFirst() {
    assert(count > 0)
    dropOne()
    if isEarlyFirst {
      early.removeFirst()
    } else {
      readyStart += 1
    }
  }

  @usableFromInline
  mutating func dropOne() { count -= 1 }

  /// Removes the entries for which `isKept` returns false.
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

  // MARK: Buckets

  /// Puts an entry that is not before `base` into its bucket, or into `ready` if it equals `base`.
  private mutating func deal(_ entry: Entry) {
    assert(entry.radix >= base)
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

  /// Fills `ready` from the lowest bucket, or deals that bucket into lower ones.
  ///
  /// Called when `ready` is used up. Returns false when the buckets are empty.
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
      // The entries of a bucket of the lowest digit are all due at one moment.
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

  /// Sorts by insertion, which is fast for a few entries and keeps equal ones in their order.
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

  /// Sets `base` to the earliest entry of all and deals every entry anew.
  ///
  /// O(n log n) in `early`.
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

/// A binary heap of entries; those with equal moments come in the order of insertion.
@usableFromInline
struct EarlyHeap: Sendable {
  private struct Numbered: Sendable {
    var entry: RadixHeap.Entry
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
  @usableFromInline var first: RadixHeap.Entry? { entries.first?.entry }

  @usableFromInline
  mutating func insert(_ entry: RadixHeap.Entry) {
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
    precondition(!entries.isEmpty, "removeFirst() on an empty heap")
    let last = entries.removeLast()
    if !entries.isEmpty { sink(last, from: 0) }
  }

  mutating func keep(_ isKept: (RadixHeap.Entry) -> Bool) {
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
