/// Keys that wait for a moment, earliest first; keys with equal moments in the order of `schedule`.
///
/// Use it for keys that are not small numbers. Each key gets a number while it waits: its index in
/// `places`. `SlotIndex` finds that index by the key's hash, and `NumberedDeadlines` keeps the
/// order.
///
/// Insert, cancel and pop are O(1) amortised. Memory per waiting key: the key and 52 to 84 bytes.
public struct DeadlineQueue<Key: Hashable, Moment: DeadlineMoment> {
  /// The key that a number stands for; `key` is `nil` while the number is free.
  @usableFromInline
  struct Place {
    @usableFromInline var key: Key?
    @usableFromInline var hash: UInt32

    @inlinable
    init(key: Key, hash: UInt32) {
      self.key = key
      self.hash = hash
    }
  }

  @usableFromInline var deadlines = NumberedDeadlines<Moment>()
  @usableFromInline var places: ContiguousArray<Place> = []
  @usableFromInline var freePlaces: ContiguousArray<Int32> = []
  @usableFromInline var table = SlotIndex()

  /// Makes an empty queue.
  @inlinable
  public init() {}

  /// The number of waiting keys.
  @inlinable
  public var count: Int { table.count }
  /// Whether nothing waits.
  @inlinable
  public var isEmpty: Bool { table.count == 0 }

  /// The number of entries in memory, stale ones included.
  ///
  /// After `schedule` and `cancel` it is at most twice `count`, or 64 if that is more.
  public var waitingAndStaleCount: Int { deadlines.waitingAndStaleCount }

  /// Returns the moment at which `key` is due; `nil` if it is not waiting.
  @inlinable
  public func moment(of key: Key) -> Moment? {
    find(key, SlotIndex.hash(key)).flatMap { deadlines.moment(of: $0) }
  }

  /// Makes `key` wait for `moment`.
  ///
  /// If `key` waits already, `moment` replaces its earlier one.
  @inlinable
  public mutating func schedule(_ key: Key, at moment: Moment) {
    let hash = SlotIndex.hash(key)
    if let place = find(key, hash) { return deadlines.schedule(place, at: moment) }
    let place: Int32
    if let free = freePlaces.popLast() {
      place = free
      places[Int(place)] = Place(key: key, hash: hash)
    } else {
      precondition(places.count < Int(Int32.max), "two thousand million deadlines")
      place = Int32(places.count)
      places.append(Place(key: key, hash: hash))
    }
    table.insert(place, hash)
    deadlines.schedule(place, at: moment)
  }

  /// Ends the wait of `key`.
  ///
  /// Does nothing if `key` is not waiting.
  @inlinable
  public mutating func cancel(_ key: Key) {
    guard let place = find(key, SlotIndex.hash(key)) else { return }
    deadlines.cancel(place)
    free(place)
  }

  /// Returns the earliest moment that a key waits for; `nil` if the queue is empty.
  @inlinable
  public mutating func next() -> Moment? { deadlines.next() }

  /// Removes and returns the earliest key whose moment is at or before `now`; `nil` if there is
  /// none.
  @inlinable
  public mutating func popDue(at now: Moment) -> Key? {
    deadlines.popDue(at: now).flatMap { free($0) }
  }

  // MARK: Places

  @inlinable
  func find(_ key: Key, _ hash: UInt32) -> Int32? {
    table.find(hash) { places[Int($0)].key == key }
  }

  /// Frees the place and returns its key, moved rather than copied.
  @inlinable
  @discardableResult
  mutating func free(_ place: Int32) -> Key? {
    table.remove(place, places[Int(place)].hash)
    freePlaces.append(place)
    return places[Int(place)].key.take()
  }
}

extension DeadlineQueue: Sendable where Key: Sendable, Moment: Sendable {}
extension DeadlineQueue.Place: Sendable where Key: Sendable, Moment: Sendable {}
