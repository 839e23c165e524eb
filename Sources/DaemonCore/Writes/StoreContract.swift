/// What the core asks of a store, and what a store answers: the seam behind which SQLite stands.
///
/// The store keeps bytes by key in a few tables and an append-only journal; it knows nothing of what
/// they mean. Requests are carried out in the order they are made. A `.commit` is one transaction:
/// all of its writes or none, and `.committed` only once they would survive a power loss.
package enum StoreRequest: Hashable, Sendable {
  /// Open, migrate, read everything back. `journalRows` bounds how many of the newest rows come along.
  case load(journalRows: Int)
  /// Transactions are numbered upwards from 1; at most one is under way at a time.
  case commit(transaction: UInt64, writes: [StoreWrite])
  /// Finish and let go of the file; answered with `.closed`.
  case close
}

package enum StoreTable: String, CaseIterable, Hashable, Sendable {
  /// Placed widgets by id.
  case widget
  /// The last good timeline by timeline key.
  case timeline
  /// Reload receipts by id.
  case receipt
  /// Small state by name: lists replaced by clients, the clock of the last stop…
  case setting
  /// What the person did, by number: what the stack learns from.
  case donation
}

package enum StoreWrite: Hashable, Sendable {
  case put(StoreTable, key: String, bytes: [UInt8])
  case remove(StoreTable, key: String)
  /// One row a turn, holding every journal entry of that turn.
  case appendJournal(sequence: Int64, bytes: [UInt8])
  /// Forget journal rows whose sequence is below this.
  case pruneJournal(below: Int64)
}

package enum StoreReply: Hashable, Sendable {
  case loaded(StoredState)
  case committed(transaction: UInt64)
  /// Nothing of this transaction was written.
  case commitFailed(transaction: UInt64, StoreFailure)
  /// The store cannot be opened; the daemon stops with this message.
  case loadFailed(StoreFailure)
  case closed
}

/// Everything a store gives back at start, each list ordered by key or sequence.
package struct StoredState: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package var key: String
    package var bytes: [UInt8]
    package init(key: String, bytes: [UInt8]) {
      self.key = key
      self.bytes = bytes
    }
  }

  package struct JournalRow: Hashable, Sendable {
    package var sequence: Int64
    package var bytes: [UInt8]
    package init(sequence: Int64, bytes: [UInt8]) {
      self.sequence = sequence
      self.bytes = bytes
    }
  }

  package var tables: [StoreTable: [Row]]
  /// The newest rows, oldest first.
  package var journal: [JournalRow]
  /// What had to be repaired or set aside on the way, as sentences for the log.
  package var notes: [String]

  package init(
    tables: [StoreTable: [Row]] = [:], journal: [JournalRow] = [], notes: [String] = []
  ) {
    self.tables = tables
    self.journal = journal
    self.notes = notes
  }
}

package struct StoreFailure: Error, Hashable, Sendable {
  package enum Code: String, Hashable, Sendable {
    case cannotOpen, diskFull, readOnly, damaged, busy, tooNew, system
  }

  package var code: Code
  /// A sentence: what happened, to which file, what to do.
  package var message: String

  package init(code: Code, message: String) {
    self.code = code
    self.message = message
  }
}
