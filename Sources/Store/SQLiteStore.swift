package import DaemonCore
import Glibc

/// The durable store: SQLite on its own thread, requests in, replies out, in order.
///
///     loop thread                         store thread
///     submit(.commit 7) ──► RequestQueue ──► BEGIN … COMMIT (fsync) ──► deliver(.committed 7)
///
/// The loop never waits for a disk. While the fsync of one transaction runs, the loop collects the
/// next turn's writes, so the slower the disk, the more each commit carries. Rejected: committing
/// on the loop thread (a reader beside 64 writers waits twice as long) and libuv's thread pool
/// (four threads shared with file and name look-ups, and no order).
///
/// Owned by one thread, the loop's: not Sendable. The SQLite connection never leaves the store's
/// thread.
@safe package final class SQLiteStore {
  private let queue = RequestQueue()
  private var thread: pthread_t?

  /// Starts the thread; no file is touched before `.load`.
  ///
  /// `path` is the database file; its folder is made (0700) when missing. `deliver` is called on
  /// the store's thread with each reply, one call a request: it hands the reply to the loop and
  /// returns.
  package init(
    path: String, limits: StoreLimits = StoreLimits(),
    deliver: @escaping @Sendable (StoreReply) -> Void
  ) {
    precondition(!path.isEmpty, "the store needs a path")
    let start = ThreadStart(queue: queue, path: path, limits: limits, deliver: deliver)
    thread = startThread(start)
  }

  deinit {
    precondition(thread == nil, "SQLiteStore dropped without finish()")
  }

  /// Queues a request and returns at once.
  package func submit(_ request: StoreRequest) {
    precondition(thread != nil, "a request after finish()")
    queue.append(request)
  }

  /// Carries out what was submitted, lets go of the file (also without `.close`) and joins the
  /// thread.
  ///
  /// Blocks for as long as the disk needs, so it belongs to the end of the process. Calling it
  /// again does nothing.
  package func finish() {
    guard let running = thread else { return }
    queue.finish()
    let code = pthread_join(running, nil)
    precondition(code == 0, "the store's thread cannot be joined: error \(code)")
    thread = nil
  }
}

/// The values that the new thread starts with.
private final class ThreadStart: Sendable {
  let queue: RequestQueue
  let path: String
  let limits: StoreLimits
  let deliver: @Sendable (StoreReply) -> Void

  init(
    queue: RequestQueue, path: String, limits: StoreLimits,
    deliver: @escaping @Sendable (StoreReply) -> Void
  ) {
    self.queue = queue
    self.path = path
    self.limits = limits
    self.deliver = deliver
  }

  func run() {
    let worker = StoreWorker(path: path, limits: limits)
    var requests: [StoreRequest] = []
    while queue.takeAll(into: &requests) {
      for request in requests {
        deliver(worker.answer(request))
        worker.tidyUp()
      }
    }
    worker.close()
  }
}

private func startThread(_ start: ThreadStart) -> pthread_t {
  // The thread inherits the mask: signals are the loop's, and no fsync is interrupted by one.
  var all = sigset_t()
  var before = sigset_t()
  unsafe sigfillset(&all)
  unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
  defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

  var thread = pthread_t()
  let code = unsafe pthread_create(
    &thread, nil,
    { raw in
      guard let raw = unsafe raw else { preconditionFailure("a thread without its start") }
      unsafe Unmanaged<ThreadStart>.fromOpaque(raw).takeRetainedValue().run()
      return nil
    }, Unmanaged.passRetained(start).toOpaque())
  precondition(code == 0, "the store's thread cannot be started: error \(code)")
  return thread
}
