/// From the hash of a key to its place: open addressing, eight bytes a bucket, at most two thirds
/// full.
///
/// The keys themselves stand at their places; the caller compares them.
@usableFromInline
struct PlaceTable: Sendable {
  @usableFromInline
  struct Bucket: Sendable {
    @usableFromInline var hash: UInt32
    /// Or `empty`, or `removed`.
    @usableFromInline var place: Int32

    @inlinable
    init(hash: UInt32, place: Int32) {
      self.hash = hash
      self.place = place
    }
  }

  /// Nothing was ever here: a search ends.
  @inlinable static var empty: Int32 { -1 }
  /// Something was here: a search goes on.
  @inlinable static var removed: Int32 { -2 }

  @usableFromInline var buckets: ContiguousArray<Bucket> = []
  @usableFromInline var count = 0
  @usableFromInline var removedCount = 0

  @inlinable
  init() {}

  /// The half of a key's hash that the table works with.
  ///
  /// Seeded anew in every process, which shows nowhere: the table is never walked.
  @inlinable
  static func hash(_ key: some Hashable) -> UInt32 { UInt32(truncatingIfNeeded: key.hashValue) }

  /// The place with `hash` that `isIt` says.
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

  /// Adds a place that is not there yet.
  @inlinable
  mutating func insert(_ place: Int32, _ hash: UInt32) {
    if (count + removedCount + 1) * 3 > buckets.count * 2 { rebuild() }
    let mask = buckets.count - 1
    var index = Int(hash) & mask
    while buckets[index].place >= 0 { index = (index + 1) & mask }
    if buckets[index].place == Self.removed { removedCount -= 1 }
    buckets[index] = Bucket(hash: hash, place: place)
    count += 1
  }

  /// Removes a place that is there.
  @inlinable
  mutating func remove(_ place: Int32, _ hash: UInt32) {
    let mask = buckets.count - 1
    var index = Int(hash) & mask
    while buckets[index].place != place { index = (index + 1) & mask }
    count -= 1
    // At the end of a run nothing has to be stepped over.
    if buckets[(index + 1) & mask].place == Self.empty {
      buckets[index].place = Self.empty
    } else {
      buckets[index].place = Self.removed
      removedCount += 1
    }
  }

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
