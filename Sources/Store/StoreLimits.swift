/// The limits of one store.
///
/// A transaction that reaches one fails with a typed failure, and nothing of it is written.
package struct StoreLimits: Hashable, Sendable {
  /// Bytes of the database file, its write-ahead log not counted; rounded down to whole pages.
  ///
  /// A transaction beyond it fails as a full disk does.
  package var fileBytesMax: Int
  /// Bytes of one row: far above the largest timeline (one frame on the wire is 4 MiB).
  package var rowBytesMax: Int
  /// UTF-8 bytes of one key.
  package var keyBytesMax: Int

  package init(
    fileBytesMax: Int = 8 * 1024 * 1024 * 1024, rowBytesMax: Int = 64 * 1024 * 1024,
    keyBytesMax: Int = 64 * 1024
  ) {
    precondition(fileBytesMax >= 16 * Self.pageBytes, "a store needs at least 16 pages")
    precondition(rowBytesMax > 0 && rowBytesMax <= 512 * 1024 * 1024, "SQLite ends at 1 GB a row")
    precondition(keyBytesMax > 0 && keyBytesMax <= 1024 * 1024, "a key is a name, not content")
    self.fileBytesMax = fileBytesMax
    self.rowBytesMax = rowBytesMax
    self.keyBytesMax = keyBytesMax
  }

  /// Bytes of SQLite's page: its default, and the block of every common file system.
  static let pageBytes = 4096
  /// Pages of write-ahead log after which it is written back into the file: 4 MiB.
  static let checkpointPages = 1000
  /// Bytes to which the log is cut after one huge transaction made it longer.
  static let logBytesKept = 16 * 1024 * 1024
  /// Requests that wait for the store's thread; with one commit under way at a time, far too many.
  static let waitingRequestsMax = 4096
  /// Look-ups between the ends of a damaged table: some tens of microseconds each.
  static let salvageProbesMax = 8192
  /// Damaged files kept beside the store; with more than this the disk itself needs a look.
  static let setAsideMax = 100
  /// Milliseconds to wait for another program's look into the file (`sqlite3`, a backup) at start.
  static let busyMilliseconds: Int32 = 2000
}
