import DaemonCore

/// The files that an open store writes to, and whether they still have their names.
///
/// A file that was deleted takes writes, and they are lost when the process ends. So the names are
/// looked at before each transaction.
struct StorePlace {
  private let file: StoreFile
  private let store: FileIdentity?
  /// SQLite's log, once there is one.
  private var log: FileIdentity?

  enum State: Hashable {
    case inPlace
    /// The folder is there and the file is not.
    case deleted
    case folderGone
    /// Another file has the name.
    case replaced
  }

  /// Takes the files as they are now, right after the store was opened.
  init(_ file: StoreFile) {
    self.file = file
    store = file.identity()
    log = file.identity(ending: "-wal")
  }

  /// Looks at the names; two system calls.
  mutating func look() -> State {
    guard let now = file.identity() else { return file.hasFolder ? .deleted : .folderGone }
    guard now == store else { return .replaced }
    let logNow = file.identity(ending: "-wal")
    if log == nil { log = logNow }
    return logNow == log ? .inPlace : .deleted
  }
}

extension StoreFailure {
  /// The failure of a store whose files lost their names.
  static func misplaced(_ state: StorePlace.State, _ file: StoreFile) -> StoreFailure {
    let message =
      state == .replaced
      ? "\(file.path) is another file than the one that was opened; put that one back, or restart"
        + " intentd to use this one"
      : "the folder \(file.folder) is gone; make it again, and intentd writes all that it knows there"
    return StoreFailure(code: .cannotOpen, message: message)
  }
}
