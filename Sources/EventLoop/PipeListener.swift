import CPosix
import Glibc
import Timekeeping

/// Listens on a Unix stream socket.
///
/// Two daemons that start at the same time would race for a path that a crashed one left behind
/// (look, unlink, bind). So a listener first locks `path + ".lock"` with flock, which the kernel
/// releases with the process. Under the lock, a socket file without a listener is stale. The lock
/// file is never removed, because removing it would bring the race back.
///
/// This module accepts connections itself and does not use `uv_listen`: at the descriptor limit
/// libuv accepts and closes silently, and the log could not say why clients are refused.
@safe
package final class PipeListener {
  /// The largest number of connections to accept in one call, so that served clients do not wait
  /// long.
  private static let acceptsPerCallMax = 64
  /// The pause, in milliseconds, after which accepting is tried again if even refusing clients
  /// fails.
  private static let pauseMilliseconds: Int64 = 100

  /// Called when a connection could not be accepted, once per reason for the listener's life.
  ///
  /// Such clients see the connection end.
  package var onAcceptError: ((LoopError) -> Void)?
  package private(set) var isClosing = false
  private let loop: Loop
  private let name: String
  private let descriptor: Int32
  private var onConnection: ((PipeStream) -> Void)?
  private var reportedErrors: Set<Int32> = []
  /// The socket file, if this listener made it.
  private let file: SocketFile?
  private var watcher: DescriptorWatcher?
  private var pauseTimer: LoopTimer?
  /// A spare descriptor.
  ///
  /// At the descriptor limit it is closed, to accept one connection and close it.
  private var reserve: Int32

  /// Makes a socket at `path` with mode 0600 and listens on it.
  ///
  /// - `path`: at most 107 bytes; its folder exists.
  /// - `backlog`: connections that may wait to be accepted.
  /// - `onConnection`: owns the stream it is given; until it starts reading, nothing is read.
  package convenience init(
    loop: Loop, path: String, backlog: Int32, onConnection: @escaping (PipeStream) -> Void
  ) throws(LoopError) {
    let (file, descriptor) = try SocketFile.make(at: path)
    try self.init(
      loop: loop, file: file, name: path, descriptor: descriptor, backlog: backlog,
      onConnection: onConnection)
  }

  /// Listens on a socket that another process made, such as the service manager.
  package convenience init(
    loop: Loop, inheritedDescriptor: Int32, backlog: Int32 = 512,
    onConnection: @escaping (PipeStream) -> Void
  ) throws(LoopError) {
    let name = "inherited descriptor \(inheritedDescriptor)"
    try check(cposix_close_on_exec(inheritedDescriptor), "listen on", name)
    try self.init(
      loop: loop, file: nil, name: name, descriptor: inheritedDescriptor, backlog: backlog,
      onConnection: onConnection)
  }

  private init(
    loop: Loop, file: SocketFile?, name: String, descriptor: Int32, backlog: Int32,
    onConnection: @escaping (PipeStream) -> Void
  ) throws(LoopError) {
    precondition(backlog > 0, "at least one connection may wait to be accepted")
    self.loop = loop
    self.onConnection = onConnection
    self.file = file
    self.name = name
    self.descriptor = descriptor
    reserve = openReserve()
    let status = listen(descriptor, backlog)
    guard status == 0 else {
      let reason = errno
      _ = Glibc.close(descriptor)
      close()
      throw LoopError(operation: "listen on", context: name, errno: reason)
    }
    do throws(LoopError) {
      let watcher = try DescriptorWatcher(loop: loop, descriptor: descriptor) {
        self.acceptWaiting()
      }
      self.watcher = watcher
      watcher.onClosing = { self.close() }
    } catch {
      close()
      throw error
    }
  }

  private func acceptWaiting() {
    for _ in 0..<PipeListener.acceptsPerCallMax {
      guard !isClosing else { return }
      let accepted = cposix_accept(descriptor)
      switch -accepted {
      case EAGAIN: return
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE:
        report(-accepted)
        guard turnAway() else { return pause() }
      case let error where error > 0:
        report(error)
        return pause()
      default:
        welcome(accepted)
      }
    }
  }

  private func welcome(_ descriptor: Int32) {
    do throws(LoopError) {
      let stream = try PipeStream(loop: loop, descriptor: descriptor)
      stream.readPeer()
      onConnection?(stream)
    } catch {
      report(error.errno)
    }
  }

  /// Accepts one connection with the spare descriptor and closes it, so that its client sees the
  /// end and does not wait in the backlog.
  private func turnAway() -> Bool {
    if reserve >= 0 { _ = Glibc.close(reserve) }
    let accepted = cposix_accept(descriptor)
    if accepted >= 0 { _ = Glibc.close(accepted) }
    reserve = openReserve()
    return accepted >= 0 || accepted == -EAGAIN
  }

  private func pause() {
    watcher?.pause()
    let timer = pauseTimer ?? LoopTimer(loop: loop)
    pauseTimer = timer
    let now = loop.readNow().monotonic
    timer.arm(at: now.advanced(byMilliseconds: PipeListener.pauseMilliseconds)) {
      self.watcher?.resume()
    }
  }

  private func report(_ errno: Int32) {
    guard reportedErrors.insert(errno).inserted else { return }
    let reason: String? =
      switch errno {
      case EMFILE: "this process may open no more descriptors (raise LimitNOFILE or ulimit -n)"
      case ENFILE: "the system has no more descriptors"
      default: nil
      }
    onAcceptError?(
      LoopError(operation: "accept on", context: name, errno: errno, because: reason))
  }

  /// Stops listening and removes the socket file if this listener made it.
  ///
  /// Can be called again.
  package func close() {
    guard !isClosing else { return }
    isClosing = true
    onConnection = nil
    onAcceptError = nil
    file?.remove()
    pauseTimer?.close()
    watcher?.close()
    if reserve >= 0 { _ = Glibc.close(reserve) }
    reserve = -1
  }
}

private func openReserve() -> Int32 { unsafe open("/", O_RDONLY | O_CLOEXEC) }

/// A socket file that this process made, and the lock on its path.
private final class SocketFile {
  private let path: String
  private let device: dev_t
  private let inode: ino_t
  private var lock: Int32

  private init(path: String, device: dev_t, inode: ino_t, lock: Int32) {
    self.path = path
    self.device = device
    self.inode = inode
    self.lock = lock
  }

  static func make(at path: String) throws(LoopError) -> (SocketFile, descriptor: Int32) {
    let operation = "listen on"
    let count = path.utf8.count
    guard count <= Int(CPOSIX_SOCKET_PATH_MAX) else {
      throw LoopError(
        code: .pathTooLong, operation: operation, context: path, errno: ENAMETOOLONG,
        because: "the path has \(count) bytes, and a Unix socket's at most "
          + "\(CPOSIX_SOCKET_PATH_MAX); choose a shorter one")
    }
    guard count > 0, !path.utf8.contains(0) else {
      throw LoopError(
        code: .system, operation: operation, context: path.isEmpty ? "an empty path" : path,
        errno: EINVAL, because: "that is not a path")
    }

    let inUse = "another process is listening there"
    let lockPath = path + ".lock"
    let locked = unsafe cposix_lock(lockPath)
    if locked == -EWOULDBLOCK {
      throw LoopError(
        code: .addressInUse, operation: operation, context: path, errno: EADDRINUSE,
        because: inUse)
    }
    let lock = OwnedDescriptor(try check(locked, "lock", lockPath))

    switch unsafe cposix_probe(path) {
    case 0, -EPROTOTYPE:
      throw LoopError(
        code: .addressInUse, operation: operation, context: path, errno: EADDRINUSE,
        because: inUse)
    case -ENOENT:
      break
    case -ECONNREFUSED:
      // A file of another type gives the same error, so look at the type.
      var found = stat()
      let status = unsafe lstat(path, &found)
      guard status == 0, found.st_mode & S_IFMT == S_IFSOCK else {
        throw LoopError(
          code: .system, operation: operation, context: path, errno: EEXIST,
          because: "there is something that is not a socket; move it away")
      }
      try check(unsafe unlink(path) < 0 ? -errno : 0, "remove the stale socket", path)
    case let failed:
      throw LoopError(operation: operation, context: path, errno: -failed)
    }

    let descriptor = OwnedDescriptor(try check(unsafe cposix_bind(path, 0o600), operation, path))
    var made = stat()
    try check(unsafe lstat(path, &made) < 0 ? -errno : 0, operation, path)
    let file = SocketFile(path: path, device: made.st_dev, inode: made.st_ino, lock: lock.take())
    return (file, descriptor.take())
  }

  /// Removes the file, unless another file has replaced it, and releases the lock.
  func remove() {
    defer { unlock() }
    var found = stat()
    guard unsafe lstat(path, &found) == 0, found.st_dev == device, found.st_ino == inode else {
      return
    }
    // Best effort: a remaining file is stale, and the next daemon removes it.
    _ = unsafe unlink(path)
  }

  private func unlock() {
    guard lock >= 0 else { return }
    cposix_unlock(lock)
    lock = -1
  }

  deinit { unlock() }
}
