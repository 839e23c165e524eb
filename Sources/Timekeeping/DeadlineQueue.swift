import HeapModule

/// Things that wait for a moment, earliest first; equal moments in the order they were scheduled.
///
/// A binary heap with lazy cancellation: scheduling a key again or cancelling it leaves the old heap
/// entry in place and marks it stale by its sequence number; stale entries are skipped when they
/// surface and swept out once they are the majority. Insert O(log n), cancel O(1) amortised.
package struct DeadlineQueue<Key: Hashable, Moment: Comparable> {
  struct Entry: Comparable {
    var moment: Moment
    var sequence: UInt64
    var key: Key

    static func < (left: Entry, right: Entry) -> Bool {
      left.moment == right.moment
        ? left.sequence < right.sequence : left.moment < right.moment
    }

    static func == (left: Entry, right: Entry) -> Bool { left.sequence == right.sequence }
  }

  private var heap = Heap<Entry>()
  /// The live entry of each key.
  private var live: [Key: (sequence: UInt64, moment: Moment)] = [:]
  private var lastSequence: UInt64 = 0

  package init() {}

  /// How many keys are waiting.
  package var count: Int { live.count }
  package var isEmpty: Bool { live.isEmpty }

  /// When `key` is due, `nil` if it is not waiting.
  package func moment(of key: Key) -> Moment? { live[key]?.moment }

  /// Makes `key` wait for `moment`, replacing an earlier wait.
  package mutating func schedule(_ key: Key, at moment: Moment) {
    if let current = live[key], current.moment == moment { return }
    lastSequence += 1
    live[key] = (lastSequence, moment)
    heap.insert(Entry(moment: moment, sequence: lastSequence, key: key))
    sweepIfMostlyStale()
  }

  package mutating func cancel(_ key: Key) {
    guard live.removeValue(forKey: key) != nil else { return }
    sweepIfMostlyStale()
  }

  /// The earliest waiting moment.
  package mutating func next() -> Moment? {
    dropStale()
    return heap.min?.moment
  }

  /// Takes the earliest key whose moment is at or before `now`.
  package mutating func popDue(at now: Moment) -> Key? {
    dropStale()
    guard let first = heap.min, first.moment <= now else { return nil }
    _ = heap.removeMin()
    live[first.key] = nil
    return first.key
  }

  private mutating func dropStale() {
    while let first = heap.min, live[first.key]?.sequence != first.sequence {
      _ = heap.removeMin()
    }
  }

  private mutating func sweepIfMostlyStale() {
    guard heap.count > 64, heap.count > 2 * live.count else { return }
    heap = Heap(heap.unordered.filter { live[$0.key]?.sequence == $0.sequence })
  }
}

extension DeadlineQueue.Entry: Sendable where Key: Sendable, Moment: Sendable {}
extension DeadlineQueue: Sendable where Key: Sendable, Moment: Sendable {}
