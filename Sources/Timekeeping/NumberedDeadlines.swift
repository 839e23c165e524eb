/// Small numbers that wait for a moment, earliest first; equal moments in the order they were scheduled.
///
/// Made for a million of them. A number is an index into an array of sixteen bytes each, and `TickQueue`
/// holds as much for its wait: a call touches each of the two once. Cancelling is lazy: what it leaves in the tick
/// queue is told from a live entry by the generation of its number, skipped when it surfaces, and swept
/// out once such entries are the majority.
///
/// Insert, cancel and pop are O(1) amortised. Memory: 16 bytes up to the largest number, and 16 to 32 for each
/// that waits.
public struct NumberedDeadlines<Moment: DeadlineMoment> {
  @usableFromInline
  struct Slot {
    @usableFromInline var moment: Moment
    /// Odd while the number waits; an entry of another generation is stale.
    @usableFromInline var generation: UInt32

    @inlinable
    init(moment: Moment) {
      self.moment = moment
      generation = 0
    }

    @inlinable var isWaiting: Bool { generation & 1 == 1 }
  }

  @usableFromInline var ticks = TickQueue()
  @usableFromInline var slots: ContiguousArray<Slot> = []
  /// How many numbers are waiting.
  public private(set) var count = 0

  /// Nothing waits.
  @inlinable
  public init() {}

  /// Whether nothing waits.
  @inlinable
  public var isEmpty: Bool { count == 0 }

  /// Entries that stand in memory: at most twice the waiting ones, and a few.
  public var waitingAndStaleCount: Int { ticks.count }

  /// When `number` is due, `nil` if it is not waiting.
  @inlinable
  public func moment(of number: Int32) -> Moment? {
    guard Int(number) < slots.count, slots[Int(number)].isWaiting else { return nil }
    return slots[Int(number)].moment
  }

  /// Makes `number` (0 or more) wait for `moment`, replacing an earlier wait.
  @inlinable
  public mutating func schedule(_ number: Int32, at moment: Moment) {
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
      TickQueue.Entry(
        ticks: moment.ticks, place: number, generation: slots[index].generation))
    sweepIfMostlyStale()
  }

  /// Makes `number` wait no longer, if it does.
  @inlinable
  public mutating func cancel(_ number: Int32) {
    guard Int(number) < slots.count, slots[Int(number)].isWaiting else { return }
    slots[Int(number)].generation &+= 1
    changeCount(by: -1)
    sweepIfMostlyStale()
  }

  /// The earliest waiting moment.
  @inlinable
  public mutating func next() -> Moment? {
    guard let first = firstLive() else { return nil }
    return slots[Int(first.place)].moment
  }

  /// Takes the earliest number whose moment is at or before `now`.
  @inlinable
  public mutating func popDue(at now: Moment) -> Int32? {
    guard let first = firstLive(), first.ticks <= now.ticks else { return nil }
    ticks.removeFirst()
    slots[Int(first.place)].generation &+= 1
    changeCount(by: -1)
    return first.place
  }

  // MARK: Pieces

  @usableFromInline
  mutating func changeCount(by change: Int) { count += change }

  @inlinable
  mutating func firstLive() -> TickQueue.Entry? {
    let slots = slots
    return ticks.first { slots[Int($0.place)].generation == $0.generation }
  }

  @inlinable
  mutating func sweepIfMostlyStale() {
    guard ticks.count > 64, ticks.count > 2 * count else { return }
    let slots = slots
    ticks.keep { slots[Int($0.place)].generation == $0.generation }
  }
}

extension NumberedDeadlines: Sendable where Moment: Sendable {}
extension NumberedDeadlines.Slot: Sendable where Moment: Sendable {}

/// A moment that deadlines can have: a count of something, in the order of time.
public protocol DeadlineMoment: Comparable {
  /// Equal for equal moments, less for earlier ones.
  var ticks: Int64 { get }
}

extension Instant: DeadlineMoment {
  /// Nanoseconds.
  @inlinable
  public var ticks: Int64 { nanoseconds }
}

extension WallTime: DeadlineMoment {
  /// Milliseconds.
  @inlinable
  public var ticks: Int64 { milliseconds }
}

extension Int: DeadlineMoment {
  /// Itself.
  @inlinable
  public var ticks: Int64 { Int64(self) }
}
