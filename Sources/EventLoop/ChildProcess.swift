import CPosix
import Glibc
import Timekeeping

/// A started program, its outputs and its end.
///
/// The child runs in a session and process group of its own. There are two ways to start it:
///
/// - by a supervisor, for a program that is not trusted: `kill()` reaches every descendant, limits
///   hold for all of them together, and whether it started is known later;
/// - by this process: signals reach all its processes except those that made sessions of their own.
///   A pidfd tells its end. The zombie is kept until `close()`, because it holds the process number:
///   until then `kill(-pid)` cannot reach an unrelated group.
@safe
package final class ChildProcess {
  /// The time for which outputs are still read after the child has ended, in milliseconds.
  ///
  /// A process that the child started may hold them open.
  static let outputGraceMilliseconds: Int64 = 200

  /// The number of the process and of its process group; 0 until a supervisor has started it.
  package private(set) var pid: Int32 = 0
  private let loop: Loop
  private let isDetached: Bool
  private var pidfd: Int32 = -1
  private let supervisor: Supervisor?
  private var run: UInt64 = 0
  /// The most memory that was seen, bytes: of its largest process, or of all in a look; 0 without a
  /// supervisor.
  package private(set) var memoryBytesPeak: UInt64 = 0
  /// Processor time of the process and of the children it waited for; 0 until it has ended.
  package private(set) var cpuMicroseconds: UInt64 = 0
  private var watcher: DescriptorWatcher?
  private var input: PipeStream?
  private var output: PipeStream?
  private var errors: PipeStream?
  /// The outputs of a brief program, until it turns out not to be brief.
  private var unwatched: UnwatchedOutputs?
  private var grace: LoopTimer?
  private var onExit: ((ChildExit) -> Void)?
  private var exit: ChildExit?
  private var isReaped = false
  private var isClosed = false

  private init(loop: Loop, spec: ChildSpec, supervisor: Supervisor?) {
    self.loop = loop
    self.supervisor = supervisor
    isDetached = spec.isDetached
  }

  /// Starts `spec`; throws the reason if it cannot be started.
  ///
  /// - `supervisor`: starts it and keeps its limits; what it cannot start ends as `notStarted`.
  ///   Without one this process starts it. A detached child has none.
  /// - `onStdout`: called with output of the child; the bytes are valid during the call. Not called
  ///   for a detached child.
  /// - `onStderr`: called with the child's standard error in the same way.
  /// - `onExit`: called once, after the last output: when the child and both outputs have ended, or
  ///   200 ms after the child's end if another process keeps the outputs open. `kill()` inside it
  ///   still reaches processes that the child left behind; when it returns, the child is closed.
  package static func start(
    loop: Loop, spec: ChildSpec, supervisor: Supervisor? = nil,
    onStdout: @escaping (UnsafeRawBufferPointer) -> Void,
    onStderr: @escaping (UnsafeRawBufferPointer) -> Void,
    onExit: @escaping (ChildExit) -> Void
  ) throws(LoopError) -> ChildProcess {
    try spec.validate()
    let program = try spec.resolvedProgram()

    // This side's ends, and the child's ends, which are closed when this function returns.
    var ours: (input: Int32, output: Int32, errors: Int32) = (-1, -1, -1)
    var theirs = DescriptorBag()
    var standard: (Int32, Int32, Int32) = (-1, -1, -1)
    var kept = DescriptorBag()
    var shelved: UnwatchedOutputs?
    // A program in a box gets pipes that nobody had before it.
    if let supervisor, spec.isBrief, spec.box == nil, !spec.wantsInput {
      let outputs = try UnwatchedOutputs(from: supervisor.pipes)
      (standard.1, standard.2) = outputs.writeEnds
      shelved = outputs
    } else if !spec.isDetached {
      if spec.wantsInput {
        let (readEnd, writeEnd) = try makePipe(for: spec)
        standard.0 = theirs.add(readEnd)
        ours.input = kept.add(writeEnd)
      }
      var (readEnd, writeEnd) = try makePipe(for: spec)
      ours.output = kept.add(readEnd)
      standard.1 = theirs.add(writeEnd)
      (readEnd, writeEnd) = try makePipe(for: spec)
      ours.errors = kept.add(readEnd)
      standard.2 = theirs.add(writeEnd)
    }

    precondition(supervisor == nil || !spec.isDetached, "a detached child is nobody's run")
    let child = ChildProcess(loop: loop, spec: spec, supervisor: supervisor)
    if let supervisor {
      // From here on they belong to the order, which may have to wait.
      for number in [standard.0, standard.1, standard.2] { _ = theirs.take(number) }
      do throws(LoopError) {
        child.unwatched = shelved
        try child.hand(spec, program: program, standard: standard, to: supervisor)
        if shelved == nil { try child.attach(ours, isBrief: spec.isBrief, taking: &kept) }
      } catch {
        child.close()
        throw error
      }
    } else {
      let started = try launch(spec, program: program, standard: standard)
      child.pid = started.pid
      child.pidfd = started.pidfd
      do throws(LoopError) {
        try child.watchPidfd()
        try child.attach(ours, taking: &kept)
      } catch {
        child.abandon()
        throw error
      }
    }
    child.onExit = onExit
    if child.unwatched != nil {
      unsafe child.unwatched?.onStdout = onStdout
      unsafe child.unwatched?.onStderr = onStderr
    } else {
      unsafe child.read(child.output, onStdout)
      unsafe child.read(child.errors, onStderr)
    }
    return child
  }

  private func watchPidfd() throws(LoopError) {
    let watcher = try DescriptorWatcher(loop: loop, descriptor: pidfd) {
      self.pidfdReadable()
    }
    self.watcher = watcher
    watcher.onClosing = { self.close() }
  }

  private func attach(
    _ ours: (input: Int32, output: Int32, errors: Int32), isBrief: Bool = false,
    taking kept: inout DescriptorBag
  ) throws(LoopError) {
    if ours.input >= 0 {
      input = try PipeStream(loop: loop, descriptor: kept.take(ours.input))
      // A child that does not read all of its input is no error; its exit code tells its success.
      input?.onEnd = { [input] _ in input?.close() }
    }
    if isBrief {
      unwatched = UnwatchedOutputs(
        output: kept.take(ours.output), errors: kept.take(ours.errors))
      return
    }
    if ours.output >= 0 {
      output = try PipeStream(loop: loop, descriptor: kept.take(ours.output))
    }
    if ours.errors >= 0 {
      errors = try PipeStream(loop: loop, descriptor: kept.take(ours.errors))
    }
  }

  /// Undoes a start whose descriptors could not be watched.
  private func abandon() {
    kill()
    if watcher == nil {
      // The watcher closed the pidfd; the child is not waited for yet, so its number is still
      // valid.
      var status: Int32 = 0
      _ = unsafe waitpid(pid, &status, 0)
      isReaped = true
      isClosed = true
    } else {
      close()
    }
  }

  private func read(_ stream: PipeStream?, _ onBytes: @escaping (UnsafeRawBufferPointer) -> Void) {
    guard let stream else { return }
    unsafe stream.startReading(onBytes: onBytes) { _ in
      stream.close()
      self.finishIfDone()
    }
  }

  // MARK: By a supervisor

  private func hand(
    _ spec: ChildSpec, program: String, standard: (Int32, Int32, Int32), to supervisor: Supervisor
  ) throws(LoopError) {
    let descriptors = [standard.0, standard.1, standard.2].map { $0 < 0 ? nil : $0 }
    run = try supervisor.start(
      spec, program: program, standard: descriptors, lends: unwatched != nil
    ) { [self] news in
      heard(news, of: spec, program: program)
    }
  }

  private func heard(_ news: RunNews, of spec: ChildSpec, program: String) {
    switch news {
    case .started(let pid):
      self.pid = pid
      watchOutputs()
    case .failed(let step, let errno):
      let error = LoopError(
        operation: ChildSpec.operation, context: spec.program, errno: errno,
        because: Self.reason(of: errno, at: step, program: program, spec: spec))
      endedAtOnce(.notStarted(error.message))
    case .lost: endedAtOnce(.unsupervised)
    case .ended(let end):
      cpuMicroseconds = end.cpu_microseconds
      memoryBytesPeak = end.memory_bytes_peak
      // A process that it left behind may hold the outputs open.
      let isOver = end.features != 0 && end.signal == 0 && end.limit == 0
      if unwatched?.drain(isOver: isOver) == false { watchOutputs() } else { unwatched = nil }
      if let limit = ChildLimit(rawValue: end.limit) {
        ended(.overLimit(limit, measured: end.measured))
      } else {
        ended(end.signal != 0 ? .signaled(signal: end.signal) : .exited(code: end.code))
      }
    }
  }

  /// Reads the outputs from now on as they come.
  private func watchOutputs() {
    guard let outputs = unwatched else { return }
    unwatched = nil
    let ends = outputs.take()
    output = watch(ends.output)
    errors = watch(ends.errors)
    unsafe read(output, outputs.onStdout)
    unsafe read(errors, outputs.onStderr)
  }

  /// Returns a stream that owns `descriptor`; `nil`: it has ended, or cannot be watched and is not
  /// read then.
  private func watch(_ descriptor: Int32) -> PipeStream? {
    guard descriptor >= 0 else { return nil }
    do throws(LoopError) {
      return try PipeStream(loop: loop, descriptor: descriptor)
    } catch {
      return nil
    }
  }

  private func endedAtOnce(_ exit: ChildExit) {
    self.exit = exit
    finish()
  }

  /// Tells the supervisor whether a request is under way, for a child that answers many.
  package func attend(_ isUnderWay: Bool) { supervisor?.attend(isUnderWay, run: run) }

  // MARK: The end

  private func pidfdReadable() {
    var end = cposix_child_end()
    guard unsafe cposix_child_ended(pidfd, false, &end) == 0 else {
      // Other code in this process waited for the child: its exit status is lost.
      isReaped = true
      return ended(.exited(code: -1))
    }
    guard end.has_ended else { return }
    cpuMicroseconds = end.cpu_microseconds
    ended(end.signal != 0 ? .signaled(signal: end.signal) : .exited(code: end.code))
  }

  private func ended(_ exit: ChildExit) {
    assert(self.exit == nil, "a child ends once")
    self.exit = exit
    watcher?.pause()
    if isClosed { return release() }
    resumeOutputs()
    finishIfDone()
    guard onExit != nil else { return }
    let grace = LoopTimer(loop: loop)
    self.grace = grace
    let now = loop.readNow().monotonic
    grace.arm(at: now.advanced(byMilliseconds: ChildProcess.outputGraceMilliseconds)) {
      self.finish()
    }
  }

  private func finishIfDone() {
    guard exit != nil, output?.isClosing ?? true, errors?.isClosing ?? true else { return }
    finish()
  }

  private func finish() {
    guard let exit, let onExit else { return }
    self.onExit = nil
    closeStreams()
    onExit(exit)
    close()
  }

  private func closeStreams() {
    unwatched = nil
    input?.close()
    output?.close()
    errors?.close()
    grace?.close()
    grace = nil
  }

  private func release() {
    if let supervisor {
      supervisor.release(run: run)
    } else if !isReaped {
      var end = cposix_child_end()
      // Best effort: if the child has not ended yet, the loop is closing, and init will wait for
      // it.
      _ = unsafe cposix_child_ended(pidfd, true, &end)
      isReaped = true
    }
    watcher?.close()
    watcher = nil
  }

  // MARK: Calls of the owner

  /// Queues bytes for the child's standard input.
  ///
  /// For a child whose spec has `wantsInput`; after the child's end they are dropped.
  package func writeInput(_ bytes: [UInt8]) {
    assert(input != nil, "this child reads /dev/null")
    input?.write(bytes)
  }

  /// Bytes of its standard input that the kernel has not taken yet.
  package var queuedInputBytes: Int { input?.queuedBytes ?? 0 }

  /// Stops reading both outputs: the child waits when its pipes are full.
  ///
  /// After its end the rest is read all the same.
  package func pauseOutputs() {
    guard exit == nil else { return }
    output?.stopReading()
    errors?.stopReading()
  }

  /// Undoes `pauseOutputs()`.
  package func resumeOutputs() {
    output?.resumeReading()
    errors?.resumeReading()
  }

  /// Ends the child's standard input after the queued bytes.
  package func closeInput() { input?.shutdownAfterWrites() }

  /// Sends SIGTERM to the process group of the program.
  package func terminate() { signalGroup(SIGTERM) }

  /// Sends SIGKILL to the process group; by a supervisor, to every descendant.
  package func kill() { signalGroup(SIGKILL) }

  private func signalGroup(_ signal: Int32) {
    if let supervisor { return supervisor.signal(signal, run: run) }
    guard !isReaped else { return }
    // Best effort: the group may have ended, or it may be a set-user-ID program's.
    _ = Glibc.kill(-pid, signal)
  }

  /// Closes this side's ends of both outputs, for a child that prints too much.
  ///
  /// No more output is delivered, and the child gets SIGPIPE at its next write.
  ///
  /// Usually followed by `kill()`.
  package func stopReadingOutput() {
    unwatched = nil
    output?.close()
    errors?.close()
    // The child may have ended already: start the grace timer, so that no closure runs inside this
    // call.
    guard exit != nil, let grace else { return }
    grace.arm(at: loop.readNow().monotonic) { self.finish() }
  }

  /// Releases the child: no closure is called any more.
  ///
  /// Kills the child's group if it still runs, unless it is detached. Can be called again.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    onExit = nil
    closeStreams()
    if supervisor != nil { return release() }
    if exit == nil, !isDetached { kill() }
    // A running child is released by `pidfdReadable`.
    if exit != nil || watcher?.isClosing ?? true { release() }
  }
}

extension ChildProcess {
  private static func makePipe(for spec: ChildSpec) throws(LoopError) -> (Int32, Int32) {
    var readEnd: Int32 = -1
    var writeEnd: Int32 = -1
    try check(unsafe cposix_pipe(&readEnd, &writeEnd), ChildSpec.operation, spec.program)
    return (readEnd, writeEnd)
  }

  static func launch(
    _ spec: ChildSpec, program: String, standard: (Int32, Int32, Int32)
  ) throws(LoopError) -> cposix_child {
    let arguments = CStringArray(spec.arguments)
    let environment = CStringArray(spec.environment.map { "\($0.0)=\($0.1)" })
    defer {
      arguments.free()
      environment.free()
    }
    var child = cposix_child()
    let status: Int32 = unsafe program.withCString { program in
      unsafe spec.workingDirectory.withCString { directory in
        unsafe (spec.box ?? []).withUnsafeBytes { box in
          var request = unsafe cposix_child_request(
            program: program, arguments: arguments.base, environment: environment.base,
            directory: directory, input: standard.0, output: standard.1, errors: standard.2,
            data_bytes_max: spec.memoryBytesMax ?? 0, denies_core: !spec.isDetached,
            dies_with_parent: spec.diesWithParent && !spec.isDetached, denies_privileges: false,
            limits: nil, limit_count: 0, box: spec.box == nil ? nil : box.baseAddress,
            box_length: UInt64(box.count), listener_channel: -1, default_signals: 0)
          return unsafe cposix_child_start(&request, &child)
        }
      }
    }
    guard status == 0 else {
      let step = cposix_child_step(rawValue: UInt32(child.failed_step))
      throw LoopError(
        operation: ChildSpec.operation, context: spec.program, errno: -status,
        because: reason(of: -status, at: step, program: program, spec: spec))
    }
    return child
  }

  /// Returns a sentence for a failure that a person can mend; `nil` leaves the system's words.
  private static func reason(
    of errno: Int32, at step: cposix_child_step, program: String, spec: ChildSpec
  ) -> String? {
    if step == CPOSIX_CHILD_STEP_DIRECTORY {
      return "its working folder \(spec.workingDirectory): \(LoopError.text(of: errno))"
    }
    if step == CPOSIX_CHILD_STEP_BOX {
      return "its box cannot be entered: \(LoopError.text(of: errno))"
    }
    guard step == CPOSIX_CHILD_STEP_EXEC else { return nil }
    let path =
      program.hasPrefix("/") ? program : "\(spec.workingDirectory)/\(program)"
    switch errno {
    case ENOENT where unsafe access(path, F_OK) == 0:
      return "\(path) is there, but the interpreter on its first line (or its loader) is not"
    case ENOENT:
      return "there is no \(path)"
    case EACCES where unsafe access(path, X_OK) != 0:
      return "\(path) is not executable; try chmod +x"
    case EACCES where spec.box != nil:
      return
        "its box does not let it run \(path), or the interpreter on its first line; in a box programs run from /usr, /opt and the manifest's folder"
    case ENOEXEC:
      return "\(path) is not a program; a script needs a first line such as #!/bin/sh"
    default:
      return nil
    }
  }
}

/// Descriptors that close together unless taken.
private struct DescriptorBag: ~Copyable {
  private var numbers: [Int32] = []

  mutating func add(_ number: Int32) -> Int32 {
    numbers.append(number)
    return number
  }

  mutating func take(_ number: Int32) -> Int32 {
    numbers.removeAll { $0 == number }
    return number
  }

  deinit { for number in numbers { _ = close(number) } }
}

/// A NULL-terminated array of C strings.
@safe
private struct CStringArray {
  let base: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    unsafe base = .allocate(capacity: count + 1)
    for (index, string) in strings.enumerated() {
      let copy = unsafe strdup(string)
      precondition(unsafe copy != nil, "out of memory")
      unsafe (base + index).initialize(to: copy)
    }
    unsafe (base + count).initialize(to: nil)
  }

  func free() {
    for index in 0..<count { unsafe Glibc.free(base[index]) }
    unsafe base.deallocate()
  }
}
