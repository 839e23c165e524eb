/// A request of the core to its store; `StoreReply` is the answer.
///
/// The module `Store` fulfils this contract with SQLite. A store keeps bytes by key in a few
/// tables, and an append-only journal; it does not interpret the bytes. It carries requests out in
/// the order in which they are made. A `.commit` is one transaction: it writes all or nothing, and
/// answers `.committed` only when the writes would survive a power loss.
package enum StoreRequest: Hashable, Sendable {
  /// Opens the store, migrates it and reads everything back; of the journal, only the newest
  /// `journalRows` rows.
  ///
  /// A store that is open is only read: what a transaction that failed was to write is not in it.
  case load(journalRows: Int)
  /// Writes one transaction.
  ///
  /// Transactions are numbered from 1; at most one is under way at a time.
  case commit(transaction: UInt64, writes: [StoreWrite])
  /// Finishes and closes the file; answered with `.closed`.
  case close
}

/// A table of the store: bytes by key.
package enum StoreTable: String, CaseIterable, Hashable, Sendable {
  /// Placed widgets by id.
  case widget
  /// The last good timeline by timeline key.
  case timeline
  /// Reload receipts by id.
  case receipt
  /// Small state by name: the clients' changes to lists, views of timelines, private mode…
  case setting
  /// The person's donations by number, from which the stack learns.
  case donation
  /// Requests that came with an idempotency key, by client and key, with their answers.
  case request
  /// Rows of other tables that could not be read, by `table/key`, as they were.
  case kept
}

/// One change in a transaction.
package enum StoreWrite: Hashable, Sendable {
  /// Writes a row; an earlier one with this key is replaced.
  case put(StoreTable, key: String, bytes: [UInt8])
  /// Removes a row; one that is not there is no mistake.
  case remove(StoreTable, key: String)
  /// Appends one row with every journal entry of a turn.
  case appendJournal(sequence: Int64, bytes: [UInt8])
  /// Removes the journal rows whose sequence is below this number.
  case pruneJournal(below: Int64)
  /// Leaves no trace: soon after this transaction, no file of the store has a byte of any row that
  /// this or an earlier transaction removed or replaced.
  case scrub
}

/// The answer to a `StoreRequest`.
package enum StoreReply: Hashable, Sendable {
  /// The store is open, and this is what it has.
  case loaded(StoredState)
  /// The writes of this transaction would survive a power loss.
  case committed(transaction: UInt64)
  /// Nothing of this transaction was written.
  case commitFailed(transaction: UInt64, StoreFailure)
  /// The store cannot be opened; the daemon stops with this message.
  case loadFailed(StoreFailure)
  /// The file is closed; the last reply of all.
  case closed
}

/// Everything that a store gives back at start; each list is sorted by key or sequence.
package struct StoredState: Hashable, Sendable {
  /// A row of a table.
  package struct Row: Hashable, Sendable {
    package var key: String
    package var bytes: [UInt8]
    package init(key: String, bytes: [UInt8]) {
      self.key = key
      self.bytes = bytes
    }
  }

  /// A row of the journal: every entry of one turn.
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
  /// Sentences for the log about everything that had to be repaired or set aside.
  package var notes: [String]

  package init(
    tables: [StoreTable: [Row]] = [:], journal: [JournalRow] = [], notes: [String] = []
  ) {
    self.tables = tables
    self.journal = journal
    self.notes = notes
  }
}

/// Why the store could not open its file or write to it.
package struct StoreFailure: Error, Hashable, Sendable {
  package enum Code: String, Hashable, Sendable {
    /// The file cannot be opened, or is gone.
    case cannotOpen
    case diskFull
    case readOnly
    /// The file was damaged. The store was made anew from the rows that could be read.
    case damaged
    /// Another process holds the store.
    case busy
    /// A later version of intentd wrote it.
    case tooNew
    /// Any other failure of the system; the message has its words.
    case system
  }

  package var code: Code
  /// A sentence that names the failure, the file and the remedy.
  package var message: String

  package init(code: Code, message: String) {
    self.code = code
    self.message = message
  }
}
