/// Things that wait for a moment, earliest first; equal moments in the order they were scheduled.
///
/// Made for a million waiting keys. A key stands at its place in an array; `PlaceTable` finds it
/// there by its hash, and `TickQueue` holds sixteen bytes for it: when, and which place. A call
/// touches each of the three once. Cancelling is lazy: what it leaves in the tick queue is told
/// from a live entry by the generation of its place, skipped when it surfaces, and swept out once
/// such entries are the majority.
///
/// Insert, cancel and pop are O(1) amortised. Memory: the key, its moment, and 32 to 64 bytes.
package struct DeadlineQueue<Key: Hashable, Moment: DeadlineMoment> {
  /// A place that a waiting key has, or had: then `key` is `nil` and the place is free.
  @usableFromInline
  struct Place {
    @usableFromInline var key: Key?
    @usableFromInline var moment: Moment
    @usableFromInline var hash: UInt32
    /// Counts the waits that this place has seen; an entry of another generation is stale.
    @usableFromInline var generation: UInt32

    @inlinable
    init(key: Key, moment: Moment, hash: UInt32) {
      self.key = key
      self.moment = moment
      self.hash = hash
      generation = 0
    }
  }

  @usableFromInline var ticks = TickQueue()
  @usableFromInline var places: ContiguousArray<Place> = []
  @usableFromInline var freePlaces: ContiguousArray<Int32> = []
  @usableFromInline var table = PlaceTable()

  @inlinable
  package init() {}

  /// How many keys are waiting.
  @inlinable
  package var count: Int { table.count }
  @inlinable
  package var isEmpty: Bool { table.count == 0 }

  /// Entries that stand in memory: at most twice the waiting ones, and a few.
  package var waitingAndStaleCount: Int { ticks.count }

  /// When `key` is due, `nil` if it is not waiting.
  @inlinable
  package func moment(of key: Key) -> Moment? {
    guard let place = find(key, PlaceTable.hash(key)) else { return nil }
    return places[Int(place)].moment
  }

  /// Makes `key` wait for `moment`, replacing an earlier wait.
  @inlinable
  package mutating func schedule(_ key: Key, at moment: Moment) {
    let hash = PlaceTable.hash(key)
    let place: Int32
    if let current = find(key, hash) {
      place = current
      if places[Int(place)].moment == moment { return }
      places[Int(place)].moment = moment
    } else {
      if let free = freePlaces.popLast() {
        place = free
        places[Int(place)].key = key
        places[Int(place)].moment = moment
        places[Int(place)].hash = hash
      } else {
        precondition(places.count < Int(Int32.max), "two thousand million deadlines")
        place = Int32(places.count)
        places.append(Place(key: key, moment: moment, hash: hash))
      }
      table.insert(place, hash)
    }
    places[Int(place)].generation &+= 1
    ticks.insert(
      TickQueue.Entry(
        ticks: moment.ticks, place: place, generation: places[Int(place)].generation))
    sweepIfMostlyStale()
  }

  @inlinable
  package mutating func cancel(_ key: Key) {
    guard let place = find(key, PlaceTable.hash(key)) else { return }
    free(place)
    sweepIfMostlyStale()
  }

  /// The earliest waiting moment.
  @inlinable
  package mutating func next() -> Moment? {
    guard let first = firstLive() else { return nil }
    return places[Int(first.place)].moment
  }

  /// Takes the earliest key whose moment is at or before `now`.
  @inlinable
  package mutating func popDue(at now: Moment) -> Key? {
    guard let first = firstLive(), first.ticks <= now.ticks else { return nil }
    ticks.removeFirst()
    return free(first.place)
  }

  // MARK: Pieces

  @inlinable
  func find(_ key: Key, _ hash: UInt32) -> Int32? {
    table.find(hash) { places[Int($0)].key == key }
  }

  /// Gives back the key, which is moved and not copied: its reference counts are cache misses too.
  @inlinable
  @discardableResult
  mutating func free(_ place: Int32) -> Key? {
    table.remove(place, places[Int(place)].hash)
    places[Int(place)].generation &+= 1
    freePlaces.append(place)
    return places[Int(place)].key.take()
  }

  @inlinable
  mutating func firstLive() -> TickQueue.Entry? {
    let places = places
    return ticks.first { places[Int($0.place)].generation == $0.generation }
  }

  @inlinable
  mutating func sweepIfMostlyStale() {
    guard ticks.count > 64, ticks.count > 2 * table.count else { return }
    let places = places
    ticks.keep { places[Int($0.place)].generation == $0.generation }
  }
}

extension DeadlineQueue: Sendable where Key: Sendable, Moment: Sendable {}
extension DeadlineQueue.Place: Sendable where Key: Sendable, Moment: Sendable {}

/// A moment that a `DeadlineQueue` can hold: a count of something, in the order of time.
package protocol DeadlineMoment: Comparable {
  /// Equal for equal moments, less for earlier ones.
  var ticks: Int64 { get }
}

extension Instant: DeadlineMoment {
  package var ticks: Int64 { nanoseconds }
}

extension WallTime: DeadlineMoment {
  package var ticks: Int64 { milliseconds }
}

extension Int: DeadlineMoment {
  @inlinable
  package var ticks: Int64 { Int64(self) }
}
