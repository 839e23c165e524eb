/// Things that wait for a moment, earliest first; equal moments in the order they were scheduled.
///
/// For keys that have no number of their own: each gets one while it waits, an index into an array of keys, which
/// `PlaceTable` finds by the key's hash. The waiting itself is `NumberedDeadlines`.
///
/// Insert, cancel and pop are O(1) amortised. Memory: the key, and 52 to 84 bytes.
public struct DeadlineQueue<Key: Hashable, Moment: DeadlineMoment> {
  /// What a number stands for: then `key` is `nil` when the number is free.
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
  @usableFromInline var table = PlaceTable()

  /// Nothing waits.
  @inlinable
  public init() {}

  /// How many keys are waiting.
  @inlinable
  public var count: Int { table.count }
  /// Whether nothing waits.
  @inlinable
  public var isEmpty: Bool { table.count == 0 }

  /// Entries that stand in memory: at most twice the waiting ones, and a few.
  public var waitingAndStaleCount: Int { deadlines.waitingAndStaleCount }

  /// When `key` is due, `nil` if it is not waiting.
  @inlinable
  public func moment(of key: Key) -> Moment? {
    find(key, PlaceTable.hash(key)).flatMap { deadlines.moment(of: $0) }
  }

  /// Makes `key` wait for `moment`, replacing an earlier wait.
  @inlinable
  public mutating func schedule(_ key: Key, at moment: Moment) {
    let hash = PlaceTable.hash(key)
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

  /// Makes `key` wait no longer, if it does.
  @inlinable
  public mutating func cancel(_ key: Key) {
    guard let place = find(key, PlaceTable.hash(key)) else { return }
    deadlines.cancel(place)
    free(place)
  }

  /// The earliest waiting moment.
  @inlinable
  public mutating func next() -> Moment? { deadlines.next() }

  /// Takes the earliest key whose moment is at or before `now`.
  @inlinable
  public mutating func popDue(at now: Moment) -> Key? {
    deadlines.popDue(at: now).flatMap { free($0) }
  }

  // MARK: Pieces

  @inlinable
  func find(_ key: Key, _ hash: UInt32) -> Int32? {
    table.find(hash) { places[Int($0)].key == key }
  }

  /// Gives back the key, which is moved and not copied.
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
