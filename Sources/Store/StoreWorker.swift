import DaemonCore

/// The store's side of `StoreContract`: one request in, one reply out.
///
/// Lives on the store's thread.
final class StoreWorker {
  private let file: StoreFile
  private let limits: StoreLimits
  private var open: Open?
  /// One repair in the life of a process: a bad disk must not be filled with copies of damaged
  /// stores.
  private var hasRepairedOpenStore = false

  /// An open store; the lock is taken first and released last.
  private struct Open {
    let lock: StoreLock
    let connection: StoreConnection
    var place: StorePlace
  }

  init(path: String, limits: StoreLimits) {
    file = StoreFile(path: path)
    self.limits = limits
  }

  func answer(_ request: StoreRequest) -> StoreReply {
    switch request {
    case .load(let journalRows):
      do { return .loaded(try load(journalRows: journalRows)) } catch { return .loadFailed(error) }
    case .commit(let transaction, let writes):
      guard open != nil else {
        return .commitFailed(
          transaction: transaction,
          StoreFailure(
            code: .system, message: "\(file.path) is not open; load it before writing to it"))
      }
      do {
        try putInPlace()
        try open?.connection.commit(writes)
        return .committed(transaction: transaction)
      } catch {
        return .commitFailed(transaction: transaction, repaired(after: error))
      }
    case .close:
      close()
      return .closed
    }
  }

  /// Does the work that no reply waits for; called after each reply left.
  func tidyUp() {
    open?.connection.checkpointIfDue()
  }

  func close() {
    guard let open else { return }
    // Best effort: what could not be written back stays in the log and is found there at the next
    // start.
    do { try open.connection.close() } catch {}
    self.open = nil
  }

  // MARK: Opening

  private func load(journalRows: Int) throws(StoreFailure) -> StoredState {
    precondition(journalRows >= 0, "a count of rows, not \(journalRows)")
    if let connection = open?.connection {
      do { return try connection.readAll(journalRows: journalRows) } catch {
        throw error.failure(path: file.path)
      }
    }
    try file.makeFolder()
    let lock = try file.lock()
    var notes: [String] = []
    if let note = try file.finishRepair() { notes.append(note) }

    var loaded: (connection: StoreConnection, state: StoredState)
    do {
      loaded = try openAndRead(journalRows: journalRows)
    } catch {
      guard error.code == .damaged else { throw error }
      notes.append(try repair(after: error))
      loaded = try openAndRead(journalRows: journalRows)
    }
    open = Open(lock: lock, connection: loaded.connection, place: StorePlace(file))
    loaded.state.notes = notes
    return loaded.state
  }

  private func openAndRead(
    journalRows: Int
  ) throws(StoreFailure) -> (connection: StoreConnection, state: StoredState) {
    let logBytes = file.size(ending: "-wal") ?? 0
    try file.makeFile()
    // An empty file is a new store, unless its log is not empty.
    let isNew = file.size() == 0 && logBytes == 0
    guard isNew || file.hasDatabaseHeader else {
      throw .damaged(file.path, "it does not begin as a database does")
    }
    guard isNew || !file.hasOurMark || !file.hasForeignVersions else {
      throw .damaged(file.path, "its header says what no version of it did")
    }
    let connection = try StoreConnection(path: file.path, limits: limits)
    do {
      // A log that is still there means a kill or a power loss: then the whole file is looked at.
      if logBytes > 0 { try connection.checkWhole() }
      return (connection, try connection.readAll(journalRows: journalRows))
    } catch {
      let failure = error.failure(path: file.path)
      // Best effort: the failure that matters is known already.
      do { try connection.close() } catch {}
      throw failure
    }
  }

  // MARK: Files that were deleted

  /// Sees to it that the files of the open store have their names, before something is written to
  /// them.
  ///
  /// A store that was deleted is written anew from the open one, which the kernel keeps for as long
  /// as it is open. For that its folder must be there: a folder that is gone may be a disk that is
  /// not mounted.
  private func putInPlace() throws(StoreFailure) {
    guard let state = open?.place.look() else { return }
    switch state {
    case .inPlace: return
    case .folderGone, .replaced: throw .misplaced(state, file)
    case .deleted: try writeAnew()
    }
  }

  private func writeAnew() throws(StoreFailure) {
    guard let deleted = open else { return }
    // The lock's file was deleted too, and another daemon may hold a new one.
    let isLockThere = file.hasLock(deleted.lock)
    let lock = isLockThere ? deleted.lock : try file.lock()
    try file.removeRebuilt()
    try copy(deleted.connection, to: StoreFile(path: file.rebuiltPath))
    // Closed before the new one is opened, since SQLite then deletes the log by its name. Best
    // effort: everything that the deleted file has is in the copy.
    do { try deleted.connection.close() } catch {}
    open = nil
    try file.adoptCopy()
    open = Open(
      lock: lock, connection: try StoreConnection(path: file.path, limits: limits),
      place: StorePlace(file))
  }

  /// Copies every row of an open store into a new one.
  private func copy(_ source: StoreConnection, to target: StoreFile) throws(StoreFailure) {
    let state: StoredState
    do { state = try source.readAll(journalRows: .max) } catch {
      throw error.failure(path: file.path)
    }
    var writes: [StoreWrite] = []
    for table in StoreTable.allCases {
      for row in state.tables[table] ?? [] {
        writes.append(.put(table, key: row.key, bytes: row.bytes))
      }
    }
    for row in state.journal {
      writes.append(.appendJournal(sequence: row.sequence, bytes: row.bytes))
    }
    try target.makeFile()
    let connection = try StoreConnection(path: target.path, limits: limits)
    do {
      if !writes.isEmpty { try connection.commit(writes) }
    } catch {
      // Best effort: the copy is removed before the next try.
      do { try connection.close() } catch {}
      throw error
    }
    try connection.close()
  }

  // MARK: Damage

  /// Repairs a store whose damage only a commit met, while it stays locked.
  ///
  /// Returns the failure of this commit, which says what was done; the next commit goes to a sound
  /// store.
  private func repaired(after failure: StoreFailure) -> StoreFailure {
    guard failure.code == .damaged, let damaged = open, !hasRepairedOpenStore else {
      return failure
    }
    hasRepairedOpenStore = true
    // Best effort: a damaged file need not close well.
    do { try damaged.connection.close() } catch {}
    open = nil
    do {
      let note = try repair(after: failure)
      open = Open(
        lock: damaged.lock, connection: try StoreConnection(path: file.path, limits: limits),
        place: StorePlace(file))
      return StoreFailure(code: .damaged, message: note + "; try again")
    } catch {
      // No room for a copy, or worse: the damaged store stays open, and the next start tries again.
      do {
        open = Open(
          lock: damaged.lock, connection: try StoreConnection(path: file.path, limits: limits),
          place: StorePlace(file))
      } catch {}
      return error
    }
  }

  /// Copies what can be read of a damaged store into a new one that takes its place, and keeps the
  /// damaged one.
  ///
  /// Returns what happened, as a sentence.
  ///
  /// The copy is complete and on disk before anything is renamed: a crash or a full disk on the way
  /// leaves the damaged store where it was, for the next start to try again.
  private func repair(after failure: StoreFailure) throws(StoreFailure) -> String {
    try file.removeRebuilt()
    let rebuilt = StoreFile(path: file.rebuiltPath)
    try rebuilt.makeFile()
    let connection = try StoreConnection(path: rebuilt.path, limits: limits)
    var counts: [(table: String, rows: Int)]?
    do {
      counts = file.hasDatabaseHeader ? try connection.carryOver(from: file.path) : nil
      if counts?.contains(where: { $0.rows > 0 }) != true,
        try file.makeRescue(firstPage: try firstPage())
      {
        counts = try connection.carryOver(from: file.rescuePath)
      }
      try file.removeRescue()
    } catch {
      // Best effort: the copy is removed at the next start in any case.
      do { try connection.close() } catch {}
      throw error
    }
    try connection.close()
    let aside = try file.setAside()
    try file.adoptRebuilt()

    let kept =
      "\(failure.message.prefixBefore("; ")); it is kept as \(aside), and the store starts "
    guard let counts, counts.contains(where: { $0.rows > 0 }) else { return kept + "empty" }
    let list = counts.map { "\($0.table) \($0.rows)" }.joined(separator: ", ")
    return kept + "with the rows that could be read: \(list)"
  }
}

extension StoreWorker {
  /// The first page of a new store: the header of the file, and where each table begins.
  ///
  /// It is the same in every file with the present schema: the steps make the tables in one order,
  /// and no table ever moves.
  private func firstPage() throws(StoreFailure) -> [UInt8] {
    let template = StoreFile(path: file.rescuePath)
    try file.removeRescue()
    try template.makeFile()
    try StoreConnection(path: template.path, limits: limits).close()
    return try template.bytes(0..<StoreLimits.pageBytes)
  }
}

extension String {
  /// The text before the first `mark`; all of it without one.
  fileprivate func prefixBefore(_ mark: String) -> Substring {
    var end = startIndex
    while end < endIndex {
      if self[end...].hasPrefix(mark) { return self[..<end] }
      end = index(after: end)
    }
    return self[...]
  }
}
