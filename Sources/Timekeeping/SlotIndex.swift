/// Finds the place of a key by the key's hash.
///
/// Open addressing with linear probing, 8 bytes a bucket, at most two thirds full. The index does
/// not store keys: the caller holds them at their places and compares them.
@usableFromInline
struct SlotIndex: Sendable {
  @usableFromInline
  struct Bucket: Sendable {
    @usableFromInline var hash: UInt32
    /// The index of the key (0 or more), or `empty`, or `removed`.
    @usableFromInline var place: Int32

    @inlinable
    init(hash: UInt32, place: Int32) {
      self.hash = hash
      self.place = place
    }
  }

  /// Marks a bucket that was never used: a search ends here.
  @inlinable static var empty: Int32 { -1 }
  /// Marks a bucket whose place was removed: a search goes on.
  @inlinable static var removed: Int32 { -2 }

  @usableFromInline var buckets: ContiguousArray<Bucket> = []
  @usableFromInline var count = 0
  @usableFromInline var removedCount = 0

  @inlinable
  init() {}

  /// Returns the half of a key's hash that the index uses.
  ///
  /// Swift seeds hashes anew in every process. That cannot change any result, because the index is
  /// never iterated.
  @inlinable
  static func hash(_ key: some Hashable) -> UInt32 { UInt32(truncatingIfNeeded: key.hashValue) }

  /// Returns the place that has `hash` and for which `isIt` returns true; `nil` if there is none.
  @inlinable
  func find(_ hash: UInt32, _ isIt: (Int32) -> Bool) -> Int32? {
    guard !buckets.isEmpty else { return nil }
    let mask = buckets.count - 1
    var index = Int(hash) & mask
    while true {
      let bucket = buckets[index]
      if bucket.place == Self.empty { return nil }
      if bucket.hash == hash, bucket.place >= 0, isIt(bucket.place) { return bucket.place }
      index = (index + 1) & mask
    }
  }

  /// Adds `place`, which must not be in the index.
  @inlinable
  mutating func insert(_ place: Int32, _ hash: UInt32) {
    assert(place >= 0)
    assert(find(hash) { $0 == place } == nil, "a place is inserted once")
    if (count + removedCount + 1) * 3 > buckets.count * 2 { rebuild() }
    let mask = buckets.count - 1
    var index = Int(hash) & mask
    while buckets[index].place >= 0 { index = (index + 1) & mask }
    if buckets[index].place == Self.removed { removedCount -= 1 }
    buckets[index] = Bucket(hash: hash, place: place)
    count += 1
  }

  /// Removes `place`, which must be in the index.
  @inlinable
  mutating func remove(_ place: Int32, _ hash: UInt32) {
    assert(find(hash) { $0 == place } != nil, "only a place of the index is removed")
    let mask = buckets.count - 1
    var index = Int(hash) & mask
    while buckets[index].place != place { index = (index + 1) & mask }
    count -= 1
    // The last bucket of a run may become empty: no search has to go past it.
    if buckets[(index + 1) & mask].place == Self.empty {
      buckets[index].place = Self.empty
    } else {
      buckets[index].place = Self.removed
      removedCount += 1
    }
  }

  /// Makes room for one more place and forgets the removed ones.
  @usableFromInline
  mutating func rebuild() {
    var size = 16
    while size < 2 * (count + 1) { size *= 2 }
    let old = buckets
    buckets = ContiguousArray(repeating: Bucket(hash: 0, place: Self.empty), count: size)
    removedCount = 0
    let mask = size - 1
    for bucket in old where bucket.place >= 0 {
      var index = Int(bucket.hash) & mask
      while buckets[index].place >= 0 { index = (index + 1) & mask }
      buckets[index] = bucket
    }
  }
}
