extension WriteQueue {
  /// Returns the fewest writes that have the same result, in the same order.
  ///
  /// A disk may stay full for days, and the writes of that time wait in memory. Of several writes
  /// of one record only the last is kept, and journal rows that would be pruned again are left out.
  /// So the waiting writes are bounded by the records and entries in memory.
  ///
  /// `journalSequence` is the number of the newest entry of the journal.
  static func compacted(_ writes: [StoreWrite], journalSequence: Int64) -> [StoreWrite] {
    struct Record: Hashable {
      var table: StoreTable
      var key: String
    }
    var seen: Set<Record> = []
    var prunedBelow = Int64.min
    var isScrubbed = false
    var kept: [StoreWrite] = []
    for write in writes.reversed() {
      switch write {
      case .put(let table, let key, _), .remove(let table, let key):
        if seen.insert(Record(table: table, key: key)).inserted { kept.append(write) }
      case .appendJournal(let sequence, _):
        let oldest = journalSequence - Int64(Limits.journalEntryCountMax)
        if sequence >= max(prunedBelow, oldest) { kept.append(write) }
      case .pruneJournal(let below):
        guard below > prunedBelow else { continue }
        prunedBelow = below
        kept.append(write)
      case .scrub:
        if !isScrubbed { kept.append(write) }
        isScrubbed = true
      }
    }
    return kept.reversed()
  }
}
