import CPosix
import Glibc

/// The process that starts all runs, as the daemon sees it; `CPosix/Supervise.c` is its inside.
///
/// It is started with the first run. Orders are queued while it is busy, so that the loop never
/// waits for it. If it dies, its runs fail, and another one is started, which first kills what the
/// dead one's runs left behind.
@safe
package final class Supervisor {
  /// The first and only argument of the program when it is to supervise.
  package static let argument = "--supervise"
  /// The milliseconds that `close()` waits for the end of all runs.
  static let closeWaitMilliseconds: Int32 = 2_000

  /// Called when the supervisor has ended by itself, with a sentence.
  package var onLost: (String) -> Void = { _ in }
  /// Called once for each supervisor when it has said what this machine has for supervision.
  package var onReady: (SupervisorFeatures) -> Void = { _ in }
  /// The features of this machine for supervision; `nil` until the supervisor has named them.
  package private(set) var features: SupervisorFeatures?

  private let loop: Loop
  /// The path of `intentd`.
  private let program: String
  private let environment: [(String, String)]
  private var connection: Connection?
  private var runs: [UInt64: (RunNews) -> Void] = [:]
  private var lastRun: UInt64 = 0
  private var waiting: [Order] = []
  /// The run that `start` is handing over, and why the kernel refused to pass it on.
  private var starting: UInt64?
  private var startErrno: Int32?
  /// The marks of supervisors that died, which the next one sweeps.
  private var unswept: [UInt64] = []
  /// Pipes for brief runs.
  let pipes = PipeShelf()

  /// One supervising process.
  private struct Connection {
    var watcher: DescriptorWatcher
    var channel: Int32
    var pid: Int32
    var pidfd: Int32
    var mark: UInt64 = 0
  }

  /// Makes the supervisor of a loop; its process is started with the first run.
  ///
  /// - `program`: the path of `intentd`.
  /// - `environment`: this process' variables; those that the program needs to start are passed on.
  package init(loop: Loop, program: String, environment: [String: String]) {
    self.loop = loop
    self.program = program
    // Others of the user can read its environment: it gets no passwords of proxies.
    self.environment = environment.filter { name, _ in
      name.hasPrefix("LD_") || name.hasSuffix("SAN_OPTIONS") || name == "LLVM_PROFILE_FILE"
    }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The number of the supervising process; `nil`: there is none.
  package var pid: Int32? { connection?.pid }

  /// Returns the memory of a process in bytes, its share of what it shares with others; `nil`: it
  /// cannot be read.
  package static func memoryBytes(of process: Int32) -> UInt64? {
    var resident: UInt64 = 0
    var share: UInt64 = 0
    return unsafe cposix_memory(process, &resident, &share) == 0 ? share : nil
  }

  /// Returns whether this process was started to supervise; `serve` does it then.
  package static func isAsked(_ arguments: [String]) -> Bool {
    guard arguments == [argument] else { return false }
    var type: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return unsafe getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &type, &size) == 0
      && type == Int32(SOCK_SEQPACKET.rawValue)
  }

  /// Supervises until the daemon's end of standard input is closed; returns the exit status.
  package static func serve() -> Int32 { cposix_supervise(STDIN_FILENO) < 0 ? 1 : 0 }

  /// Denies others of the user to read the memory of this process; false if the kernel refuses.
  package static func denyInspection() -> Bool { cposix_deny_inspection() == 0 }

  // MARK: Orders

  /// Starts a run; `news` gets what becomes of it.
  ///
  /// `lends`: the descriptors stay the caller's, who keeps them open until this returns; else they
  /// are closed when they are sent.
  func start(
    _ spec: ChildSpec, program: String, standard: [Int32?], lends: Bool = false,
    news: @escaping (RunNews) -> Void
  ) throws(LoopError) -> UInt64 {
    lastRun += 1
    let order = Order(
      starting: spec, program: program, run: lastRun, standard: standard, lends: lends)
    guard order.byteCount <= Int(CPOSIX_ORDER_BYTES_MAX) else {
      throw LoopError(operation: ChildSpec.operation, context: spec.program, errno: E2BIG)
    }
    if connection == nil { try launch() }
    runs[lastRun] = news
    starting = lastRun
    send(order)
    starting = nil
    if let errno = startErrno {
      startErrno = nil
      runs[lastRun] = nil
      throw LoopError(operation: ChildSpec.operation, context: spec.program, errno: errno)
    }
    return lastRun
  }

  func signal(_ number: Int32, run: UInt64) {
    guard runs[run] != nil else { return }
    send(Order(CPOSIX_ORDER_SIGNAL, run: run, value: UInt32(number)))
  }

  /// Says whether a request is under way, which decides how often the run is looked at.
  func attend(_ isUnderWay: Bool, run: UInt64) {
    guard runs[run] != nil else { return }
    send(Order(CPOSIX_ORDER_ATTEND, run: run, value: isUnderWay ? 1 : 0))
  }

  /// Ends a run for good: its processes are killed, and there is no more news.
  func release(run: UInt64) {
    guard runs.removeValue(forKey: run) != nil else { return }
    send(Order(CPOSIX_ORDER_RELEASE, run: run))
  }

  private func send(_ order: Order) {
    waiting.append(order)
    flush()
    guard !order.isSent, !order.copyDescriptors() else { return }
    // The order would name descriptors that are another's by the time it is sent.
    waiting.removeAll { $0 === order }
    if order.startedRun == starting { startErrno = EMFILE }
  }

  private func flush() {
    guard let connection else { return }
    var sent = 0
    var failed: [(news: (RunNews) -> Void, errno: Int32)] = []
    var isFull = false
    while sent < waiting.count {
      let status = waiting[sent].send(to: connection.channel)
      if status == -EAGAIN {
        isFull = true
        break
      }
      if status < 0, status != -EPIPE, status != -ECONNRESET, let run = waiting[sent].startedRun {
        if run == starting {
          startErrno = -status
        } else if let news = runs[run] {
          failed.append((news, -status))
        }
      }
      // If the supervisor has ended, its end of the channel says so.
      sent += 1
    }
    waiting.removeFirst(sent)
    connection.watcher.resume(forReading: true, forWriting: isFull)
    // Last: whoever hears it may send orders, too.
    for (news, errno) in failed { news(.failed(step: CPOSIX_CHILD_STEP_CLONE, errno: errno)) }
  }

  // MARK: Its process

  private func launch() throws(LoopError) {
    var ours: Int32 = -1
    var theirs: Int32 = -1
    try check(unsafe cposix_channel(&ours, &theirs), "start", "the supervisor of runs")
    defer { _ = Glibc.close(theirs) }
    let spec = ChildSpec(
      program: program, arguments: ["intentd", Supervisor.argument], environment: environment,
      workingDirectory: "/", isDetached: true)
    var child = cposix_child()
    do throws(LoopError) {
      child = try ChildProcess.launch(
        spec, program: program, standard: (theirs, -1, -1))
    } catch {
      _ = Glibc.close(ours)
      throw LoopError(
        code: error.code, operation: "start", context: "the supervisor of runs",
        errno: error.errno, because: error.message)
    }
    do throws(LoopError) {
      let watcher = try DescriptorWatcher(loop: loop, descriptor: ours) { [weak self] in
        self?.receive()
      }
      connection = Connection(
        watcher: watcher, channel: ours, pid: child.pid, pidfd: child.pidfd)
    } catch {
      // The watcher has closed the channel, so the supervisor ends.
      reap(child.pidfd)
      throw error
    }
    for mark in unswept { waiting.append(Order(CPOSIX_ORDER_SWEEP, mark: mark)) }
    unswept = []
  }

  private func receive() {
    while let connection {
      var reply = cposix_reply()
      let status = unsafe cposix_reply_receive(connection.channel, &reply)
      if status == -EAGAIN { break }
      guard status == 1 else { return lost() }
      take(reply)
    }
    flush()
  }

  private func take(_ reply: cposix_reply) {
    switch cposix_reply_type(rawValue: reply.type) {
    case CPOSIX_REPLY_READY:
      let features = SupervisorFeatures(rawValue: reply.features)
      self.features = features
      onReady(features)
      connection?.mark = reply.mark
    case CPOSIX_REPLY_STARTED: runs[reply.run]?(.started(pid: reply.pid))
    case CPOSIX_REPLY_FAILED:
      runs[reply.run]?(.failed(step: cposix_child_step(reply.step), errno: reply.error))
    case CPOSIX_REPLY_ENDED:
      // A run that left no process behind is released already.
      let news = reply.features == 0 ? runs[reply.run] : runs.removeValue(forKey: reply.run)
      news?(.ended(reply))
    default: assertionFailure("the supervisor says something unknown")
    }
  }

  private func lost() {
    guard let connection else { return }
    self.connection = nil
    connection.watcher.close()
    reap(connection.pidfd)
    if connection.mark != 0 { unswept.append(connection.mark) }
    waiting = []
    let failed = runs.sorted { $0.key < $1.key }
    for (_, news) in failed { news(.lost) }
    for (run, _) in failed { runs[run] = nil }
    onLost("the supervisor of runs (process \(connection.pid)) has ended")
    guard !failed.isEmpty, self.connection == nil else { return }
    do throws(LoopError) {
      try launch()
      flush()
    } catch {
      // The next run tries it again, and says why it cannot.
    }
  }

  /// Ends all runs and the supervisor, and waits for that: at most two seconds, which only a
  /// process takes that the kernel cannot end.
  package func close() {
    runs = [:]
    waiting = []
    guard let connection else { return }
    self.connection = nil
    // The end of the channel: `watcher` closes its descriptor only in the loop's next round.
    _ = shutdown(connection.channel, Int32(SHUT_RDWR))
    connection.watcher.close()
    var ended = pollfd(fd: connection.pidfd, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&ended, 1, Supervisor.closeWaitMilliseconds) < 0, errno == EINTR {}
    // If it has not ended, init waits for it: the daemon ends now.
    _ = Supervisor.hasEnded(connection.pidfd)
    _ = Glibc.close(connection.pidfd)
  }

  /// Waits for a supervisor that ends, and closes its descriptor; the loop goes on meanwhile.
  ///
  /// The kernel closes the channel of a process that ends before it can be waited for.
  private func reap(_ pidfd: Int32) {
    guard !Supervisor.hasEnded(pidfd) else {
      _ = Glibc.close(pidfd)
      return
    }
    var watcher: DescriptorWatcher?
    do throws(LoopError) {
      watcher = try DescriptorWatcher(loop: loop, descriptor: pidfd) {
        guard Supervisor.hasEnded(pidfd) else { return }
        watcher?.close()
        watcher = nil
      }
    } catch {
      // Without a watcher, which has closed the descriptor, the process stays a zombie until the
      // daemon ends: nobody else can wait for it, and nothing depends on it.
    }
  }

  /// Returns whether a process has ended, and waits for one that has.
  private static func hasEnded(_ pidfd: Int32) -> Bool {
    var end = cposix_child_end()
    return unsafe cposix_child_ended(pidfd, true, &end) < 0 || end.has_ended
  }
}

/// The start and the end of a run, as the supervisor tells them.
enum RunNews {
  case started(pid: Int32)
  case failed(step: cposix_child_step, errno: Int32)
  case ended(cposix_reply)
  /// The supervisor has ended, and the run with it.
  case lost
}

/// The features of this machine for the supervision of runs.
package struct SupervisorFeatures: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Orphans come back to the supervisor, so that no process can leave its run.
  package static let reapsOrphans = Self(rawValue: CPOSIX_FEATURE_SUBREAPER.rawValue)
  /// The run of an orphan is known.
  package static let knowsOrphans = Self(rawValue: CPOSIX_FEATURE_MARKS.rawValue)
  /// The children of a process are listed; without that a look reads all processes.
  package static let listsChildren = Self(rawValue: CPOSIX_FEATURE_CHILDREN.rawValue)
  /// Memory that several processes share counts once.
  package static let sharesMemory = Self(rawValue: CPOSIX_FEATURE_SHARES.rawValue)

  /// A sentence for each thing that is missing here.
  package var missing: [String] {
    var sentences: [String] = []
    if !contains(.reapsOrphans) {
      sentences.append("processes that leave their run are not ended: no PR_SET_CHILD_SUBREAPER")
    }
    if !contains(.knowsOrphans) {
      sentences.append(
        "a process whose parent ended is ended at the next look: RLIMIT_MSGQUEUE is too low")
    }
    if !contains(.listsChildren) {
      sentences.append("looking at runs is slow: the kernel has no CONFIG_PROC_CHILDREN")
    }
    if !contains(.sharesMemory) {
      sentences.append(
        "memory that processes share counts for each of them: no /proc/PID/smaps_rollup")
    }
    return sentences
  }
}

/// An order that may have to wait, with the descriptors that go along.
private final class Order {
  private var head: cposix_order
  private var body: [UInt8] = []
  private var descriptors: [Int32] = []
  /// Whether `descriptors` are another's.
  private var areLent = false
  /// Whether it is with the supervisor, or never will be.
  private(set) var isSent = false
  /// The run that this order starts.
  let startedRun: UInt64?

  var byteCount: Int { MemoryLayout<cposix_order>.size + body.count }

  init(_ type: cposix_order_type, run: UInt64 = 0, value: UInt32 = 0, mark: UInt64 = 0) {
    head = cposix_order()
    head.type = type.rawValue
    head.run = run
    head.value = value
    head.mark = mark
    startedRun = nil
  }

  /// Owns the descriptors, which are closed when they are sent, unless the caller only `lends` them.
  init(starting spec: ChildSpec, program: String, run: UInt64, standard: [Int32?], lends: Bool) {
    startedRun = run
    areLent = lends
    head = cposix_order()
    head.type = CPOSIX_ORDER_START.rawValue
    head.run = run
    head.denies_privileges = spec.mayGainPrivileges ? 0 : 1
    head.value = spec.isBrief ? 1 : 0
    head.limits = spec.runLimits
    body = spec.box ?? []
    head.box_length = UInt64(body.count)
    while body.count % 8 != 0 { body.append(0) }
    body.reserveCapacity(
      body.count + spec.environment.reduce(1_024) { $0 + $1.0.utf8.count + $1.1.utf8.count + 2 })
    let stringsStart = body.count
    for text in [program, spec.workingDirectory, spec.limits.cacheFolder ?? ""] + spec.arguments {
      append(text)
    }
    for (name, value) in spec.environment {
      body.append(contentsOf: name.utf8)
      body.append(UInt8(ascii: "="))
      append(value)
    }
    head.strings_length = UInt64(body.count - stringsStart)
    head.argument_count = UInt32(spec.arguments.count)
    head.environment_count = UInt32(spec.environment.count)
    for (index, descriptor) in standard.enumerated() {
      guard let descriptor else { continue }
      head.descriptors |= 1 << UInt32(index)
      descriptors.append(descriptor)
    }
  }

  deinit { closeDescriptors() }

  private func append(_ text: String) {
    body.append(contentsOf: text.utf8)
    body.append(0)
  }

  private func closeDescriptors() {
    if !areLent { for descriptor in descriptors { _ = Glibc.close(descriptor) } }
    descriptors = []
  }

  /// Copies descriptors that are lent: whoever lends them may close them while this order waits.
  ///
  /// Returns false if the kernel refuses.
  func copyDescriptors() -> Bool {
    guard areLent else { return true }
    let lent = descriptors
    (descriptors, areLent) = ([], false)
    for descriptor in lent {
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { return false }
      descriptors.append(copy)
    }
    return true
  }

  func send(to channel: Int32) -> Int32 {
    let status = unsafe body.withUnsafeBytes { body in
      unsafe cposix_order_send(
        channel, &head, body.baseAddress, body.count, descriptors, descriptors.count)
    }
    if status == -EAGAIN { return status }
    isSent = true
    // The child's ends: the daemon must not hold them, or it would never see the end of an output.
    closeDescriptors()
    return status
  }
}
