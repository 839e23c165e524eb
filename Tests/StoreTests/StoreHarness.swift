import DaemonCore
import Dispatch
import Glibc
import Store
import Synchronization
import Testing

/// A store whose replies the test waits for; the daemon's loop uses a mailbox and does not block.
final class StoreHarness {
  let store: SQLiteStore
  private let inbox = Inbox()
  private var transaction: UInt64 = 0

  private final class Inbox: Sendable {
    let replies = Mutex<[StoreReply]>([])
    let arrived = DispatchSemaphore(value: 0)
  }

  /// Opens a store; `beforeDelivery` runs on the store's thread before each reply is delivered.
  init(
    _ path: String, limits: StoreLimits = StoreLimits(),
    beforeDelivery: @escaping @Sendable (StoreReply) -> Void = { _ in }
  ) {
    let inbox = inbox
    store = SQLiteStore(path: path, limits: limits) { reply in
      beforeDelivery(reply)
      inbox.replies.withLock { $0.append(reply) }
      inbox.arrived.signal()
    }
  }

  deinit { store.finish() }

  func next() throws -> StoreReply {
    try #require(inbox.arrived.wait(timeout: .now() + 240) == .success, "no reply from the store")
    return inbox.replies.withLock { $0.removeFirst() }
  }

  func call(_ request: StoreRequest) throws -> StoreReply {
    store.submit(request)
    return try next()
  }

  func load(journalRows: Int = 100) throws -> StoredState {
    let reply = try call(.load(journalRows: journalRows))
    guard case .loaded(let state) = reply else { throw Unexpected(reply: reply) }
    return state
  }

  func loadFailure() throws -> StoreFailure {
    let reply = try call(.load(journalRows: 1))
    guard case .loadFailed(let failure) = reply else { throw Unexpected(reply: reply) }
    return failure
  }

  /// Commits the writes and expects success.
  func commit(_ writes: StoreWrite...) throws {
    transaction += 1
    let reply = try call(.commit(transaction: transaction, writes: writes))
    guard reply == .committed(transaction: transaction) else { throw Unexpected(reply: reply) }
  }

  func commitFailure(_ writes: StoreWrite...) throws -> StoreFailure {
    transaction += 1
    let reply = try call(.commit(transaction: transaction, writes: writes))
    guard case .commitFailed(transaction, let failure) = reply else {
      throw Unexpected(reply: reply)
    }
    return failure
  }

  func close() throws {
    let reply = try call(.close)
    guard reply == .closed else { throw Unexpected(reply: reply) }
    store.finish()
  }
}

struct Unexpected: Error, CustomStringConvertible {
  let reply: StoreReply
  var description: String { "unexpected reply: \(reply)" }
}

/// A temporary folder that is removed with its contents.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/StoreTests.XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    }
    path = try #require(made)
  }

  deinit { remove(path) }

  private func remove(_ folder: String) {
    for name in names(folder) {
      let child = "\(folder)/\(name)"
      if unlink(child) != 0 { remove(child) }
    }
    rmdir(folder)
  }

  /// Returns the names of the files in the folder, sorted.
  func names(_ folder: String? = nil) -> [String] {
    guard let stream = opendir(folder ?? path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  static func + (folder: TemporaryFolder, name: String) -> String { "\(folder.path)/\(name)" }
}

func readFile(_ path: String) throws -> [UInt8] {
  let descriptor = open(path, O_RDONLY)
  try #require(descriptor >= 0, "cannot open \(path)")
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = read(descriptor, &chunk, chunk.count)
    try #require(count >= 0)
    guard count > 0 else { return bytes }
    bytes += chunk.prefix(count)
  }
}

func writeFile(_ path: String, _ bytes: [UInt8]) throws {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  try #require(descriptor >= 0, "cannot make \(path)")
  defer { close(descriptor) }
  try #require(write(descriptor, bytes, bytes.count) == bytes.count)
}

/// Returns the permission bits of a file.
func mode(_ path: String) throws -> UInt32 {
  var status = stat()
  try #require(stat(path, &status) == 0, "no \(path)")
  return status.st_mode & 0o777
}
