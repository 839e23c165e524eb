import Timekeeping

/// Writes that a store refused, as few as say the same.
///
/// A disk may stay full for days, and what happens meanwhile waits in memory: of several writes of one
/// record the last one counts, and of the journal the rows that would be pruned again are left out.
/// So what waits is bounded by what there is. The order of the rest stays.
extension Daemon {
  func compacted(_ writes: [StoreWrite]) -> [StoreWrite] {
    struct Record: Hashable {
      var table: StoreTable
      var key: String
    }
    var seen: Set<Record> = []
    var prunedBelow = Int64.min
    var kept: [StoreWrite] = []
    for write in writes.reversed() {
      switch write {
      case .put(let table, let key, _), .remove(let table, let key):
        if seen.insert(Record(table: table, key: key)).inserted { kept.append(write) }
      case .appendJournal(let sequence, _):
        if sequence >= max(prunedBelow, journal.lastSequence - Int64(Limits.journalEntryCountMax)) {
          kept.append(write)
        }
      case .pruneJournal(let below):
        guard below > prunedBelow else { continue }
        prunedBelow = below
        kept.append(write)
      }
    }
    return kept.reversed()
  }
}
