/// Small numbers that wait for a moment, earliest first; equal moments in the order of `schedule`.
///
/// Made for a million numbers. A number is an index into `slots`, 16 bytes each, and its wait is an
/// entry of 16 bytes in a `RadixHeap`; a call touches each of the two once. Cancelling is lazy: it
/// changes the slot's generation and leaves a stale entry in the heap. A stale entry is skipped
/// when it comes up, and all are swept out once they are the majority.
///
/// Insert, cancel and pop are O(1) amortised. Memory: 16 bytes for each number up to the largest
/// that was used, and 16 to 32 bytes for each that waits.
public struct NumberedDeadlines<Moment: DeadlineMoment> {
  @usableFromInline
  struct Slot {
    @usableFromInline var moment: Moment
    /// Odd while the number waits.
    ///
    /// A heap entry with another generation is stale.
    @usableFromInline var generation: UInt32

    @inlinable
    init(moment: Moment) {
      self.moment = moment
      generation = 0
    }

    @inlinable var isWaiting: Bool { generation & 1 == 1 }
  }

  @usableFromInline var ticks = RadixHeap()
  @usableFromInline var slots: ContiguousArray<Slot> = []
  /// The number of waiting numbers.
  public private(set) var count = 0

  /// Makes an empty queue.
  @inlinable
  public init() {}

  /// Whether nothing waits.
  @inlinable
  public var isEmpty: Bool { count == 0 }

  /// The number of entries in memory, stale ones included.
  ///
  /// After `schedule` and `cancel` it is at most twice `count`, or 64 if that is more.
  public var waitingAndStaleCount: Int { ticks.count }

  /// Returns the moment at which `number` is due; `nil` if it is not waiting.
  @inlinable
  public func moment(of number: Int32) -> Moment? {
    guard Int(number) < slots.count, slots[Int(number)].isWaiting else { return nil }
    return slots[Int(number)].moment
  }

  /// Makes `number` wait for `moment`.
  ///
  /// If `number` waits already, `moment` replaces its earlier one.
  ///
  /// `number` is 0 or more. Memory grows with the largest number, so callers reuse small ones.
  @inlinable
  public mutating func schedule(_ number: Int32, at moment: Moment) {
    precondition(number >= 0, "a number that waits is 0 or more")
    let index = Int(number)
    while slots.count <= index { slots.append(Slot(moment: moment)) }
    if slots[index].isWaiting {
      if slots[index].moment == moment { return }
      slots[index].generation &+= 2
    } else {
      slots[index].generation &+= 1
      changeCount(by: 1)
    }
    slots[index].moment = moment
    ticks.insert(
      RadixHeap.Entry(
        ticks: moment.ticks, place: number, generation: slots[index].generation))
    sweepIfMostlyStale()
  }

  /// Ends the wait of `number`.
  ///
  /// Does nothing if `number` is not waiting.
  @inlinable
  public mutating func cancel(_ number: Int32) {
    guard Int(number) < slots.count, slots[Int(number)].isWaiting else { return }
    slots[Int(number)].generation &+= 1
    changeCount(by: -1)
    sweepIfMostlyStale()
  }

  /// Returns the earliest moment that a number waits for; `nil` if the queue is empty.
  @inlinable
  public mutating func next() -> Moment? {
    guard let first = firstLive() else { return nil }
    return slots[Int(first.place)].moment
  }

  /// Removes and returns the earliest number whose moment is at or before `now`; `nil` if there is
  /// none.
  @inlinable
  public mutating func popDue(at now: Moment) -> Int32? {
    guard let first = firstLive(), first.ticks <= now.ticks else { return nil }
    ticks.removeFirst()
    slots[Int(first.place)].generation &+= 1
    changeCount(by: -1)
    return first.place
  }

  // MARK: Stale entries

  @usableFromInline
  mutating func changeCount(by change: Int) {
    count += change
    assert(count >= 0)
  }

  /// Returns the earliest entry that is not stale, after dropping the stale ones before it.
  @inlinable
  mutating func firstLive() -> RadixHeap.Entry? {
    let slots = slots
    return ticks.first { slots[Int($0.place)].generation == $0.generation }
  }

  /// Removes all stale entries once they are the majority of more than 64 entries.
  @inlinable
  mutating func sweepIfMostlyStale() {
    guard ticks.count > 64, ticks.count > 2 * count else { return }
    let slots = slots
    ticks.keep { slots[Int($0.place)].generation == $0.generation }
  }
}

extension NumberedDeadlines: Sendable where Moment: Sendable {}
extension NumberedDeadlines.Slot: Sendable where Moment: Sendable {}

/// A moment that a deadline can have: an integer that grows with time.
public protocol DeadlineMoment: Comparable {
  /// The moment as an integer: equal for equal moments, less for earlier ones.
  var ticks: Int64 { get }
}

extension Instant: DeadlineMoment {
  /// Nanoseconds since the clock's arbitrary start.
  @inlinable
  public var ticks: Int64 { nanoseconds }
}

extension WallTime: DeadlineMoment {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  @inlinable
  public var ticks: Int64 { milliseconds }
}

extension Int: DeadlineMoment {
  /// The number itself, for tests and for counts of steps.
  @inlinable
  public var ticks: Int64 { Int64(self) }
}
