import DaemonCore
import EventLoop
import Plugins
import Timekeeping
import WidgetCenter

/// The process of a plugin that stays running.
///
/// Its output is divided into frames, of which ten a second at most are told. A process that prints
/// much more is made to wait: in each window of `ProviderLimits.streamWindow` at most
/// `ProviderLimits.streamWindowBytesMax` are read, in at most
/// `ProviderLimits.streamWindowReadCountMax` reads, and then its pipe fills. So a flood costs the
/// loop a small share of its time and a bounded amount of memory, and the newest frame is shown.
final class StreamProcess {
  /// Called once, after the last frame, with the outcome and the standard error.
  private let finished: (ProviderOutcome, String) -> Void
  /// Called with each frame that is to be shown, and with what is to be said of the process.
  private let report: (Event) -> Void
  private let loop: Loop
  private let token: RunToken
  private let provider: ProviderDeclaration
  private let cacheFolder: String
  private let takesInput: Bool
  /// Makes the system's reason for a failed start a better one.
  private let notStarted: (String) -> String
  private var child: ChildProcess?
  private var frames: StreamFrames
  /// Wakes when the next frame may be shown, or when the window of reading ends.
  private let timer: LoopTimer
  private let killTimer: LoopTimer
  private var diagnostics = DiagnosticsTail()
  /// The end of the window in which `windowByteCount` bytes were read, in `windowReadCount` reads.
  private var windowEnd = Instant(nanoseconds: 0)
  private var windowByteCount = 0
  private var windowReadCount = 0
  private var isPaused = false
  /// Whether the program had to wait in this window.
  private var isPausedInWindow = false
  /// The windows in a row in which it had to wait.
  private var fullWindowCount = 0
  /// Whether it was said that it prints more than is read.
  private var isFloodTold = false
  /// The frames left out that were told of.
  private var toldOmittedFrameCount: Int64 = 0
  private var isCancelled = false
  private(set) var cpuMicroseconds: UInt64 = 0

  init(
    loop: Loop, supervisor: Supervisor, run: ProviderRun, spec: ChildSpec,
    notStarted: @escaping (String) -> String, report: @escaping (Event) -> Void,
    finished: @escaping (ProviderOutcome, String) -> Void
  ) throws(LoopError) {
    self.loop = loop
    self.report = report
    self.finished = finished
    self.notStarted = notStarted
    token = run.token
    provider = run.provider
    cacheFolder = spec.limits.cacheFolder ?? ""
    takesInput = spec.wantsInput
    frames = StreamFrames(
      run.provider.plugin?.format ?? .text,
      hasTrailingSeparator: run.provider.plugin?.hasTrailingSeparator ?? false)
    timer = LoopTimer(loop: loop)
    killTimer = LoopTimer(loop: loop)
    do throws(LoopError) {
      child = try ChildProcess.start(
        loop: loop, spec: spec, supervisor: supervisor,
        onStdout: { [self] in take($0) },
        onStderr: { [self] in
          diagnostics.append($0)
          count($0.count, at: loop.readNow().monotonic)
        },
        onExit: { [self] in exited($0) })
    } catch {
      timer.close()
      killTimer.close()
      throw error
    }
    // Its processes are looked at each second, and not more often, however long it runs.
    child?.attend(false)
  }

  /// Writes a line to its standard input; a line for which there is no room is left out.
  func tell(_ line: [UInt8]) {
    guard takesInput, !isCancelled, let child else { return }
    guard child.queuedInputBytes + line.count <= ProviderLimits.streamInputBytesMax else {
      return report(.streamNotice(token, .readsNoInput))
    }
    child.writeInput(line)
  }

  /// Asks it to end, and insists a little later.
  func cancel() {
    guard !isCancelled, let child else { return }
    isCancelled = true
    timer.disarm()
    resume()
    child.terminate()
    killTimer.arm(
      at: loop.readNow().monotonic.advanced(byMilliseconds: ProviderLimits.killGrace)
    ) { [weak self] in self?.child?.kill() }
  }

  func close() {
    timer.close()
    killTimer.close()
    child?.close()
    child = nil
  }

  // MARK: Output

  private func take(_ bytes: UnsafeRawBufferPointer) {
    guard !isCancelled else { return }
    let now = loop.readNow().monotonic
    frames.take(Array(bytes), at: Self.milliseconds(now))
    show(at: now)
    count(bytes.count, at: now)
  }

  /// Tells the frame that is due, and wakes for the next.
  private func show(at now: Instant) {
    if let frame = frames.frame(at: Self.milliseconds(now)) {
      // Frames are left out for one that comes later, so this tells of all of them.
      if frames.omittedFrameCount > toldOmittedFrameCount {
        toldOmittedFrameCount = frames.omittedFrameCount
        report(.streamNotice(token, .leftOut(frameCount: toldOmittedFrameCount)))
      }
      report(.streamFrame(token, frame))
    }
    plan()
  }

  /// Counts bytes that were read, and stops reading when the window has had its share.
  private func count(_ byteCount: Int, at now: Instant) {
    if now >= windowEnd {
      // A program that did not wait in the last window, or was silent since, prints no flood.
      let isNext = now.milliseconds(since: windowEnd) < ProviderLimits.streamWindow
      if !isPausedInWindow || !isNext { fullWindowCount = 0 }
      isPausedInWindow = false
      windowEnd = now.advanced(byMilliseconds: ProviderLimits.streamWindow)
      windowByteCount = 0
      windowReadCount = 0
    }
    windowByteCount += byteCount
    windowReadCount += 1
    let isFull = windowByteCount >= ProviderLimits.streamWindowBytesMax
    guard isFull || windowReadCount >= ProviderLimits.streamWindowReadCountMax, !isPaused,
      !isCancelled, let child
    else { return }
    isPaused = true
    child.pauseOutputs()
    // Less than what a pipe holds makes nobody wait.
    if windowByteCount >= ProviderLimits.pipeBytes {
      isPausedInWindow = true
      fullWindowCount += 1
    }
    if fullWindowCount >= ProviderLimits.streamFloodWindowCount { tellFlood() }
    plan()
  }

  private func tellFlood() {
    guard !isFloodTold else { return }
    isFloodTold = true
    report(.streamNotice(token, .floods))
  }

  /// Arms the timer for the next thing to do; a report may have cancelled the process.
  private func plan() {
    guard child != nil, !isCancelled else { return }
    let shown = frames.nextMoment.map { Instant(nanoseconds: $0 * 1_000_000) }
    let moments = [shown, isPaused ? windowEnd : nil].compactMap(\.self)
    guard let next = moments.min() else { return timer.disarm() }
    timer.arm(at: next) { [weak self] in self?.wakeUp() }
  }

  private func wakeUp() {
    let now = loop.readNow().monotonic
    if isPaused, now >= windowEnd { resume() }
    show(at: now)
  }

  private func resume() {
    guard isPaused else { return }
    isPaused = false
    child?.resumeOutputs()
  }

  private static func milliseconds(_ now: Instant) -> Int64 { now.nanoseconds / 1_000_000 }

  // MARK: The end

  private func exited(_ exit: ChildExit) {
    // Kill the processes that it left behind.
    child?.kill()
    cpuMicroseconds = child?.cpuMicroseconds ?? 0
    child = nil
    timer.close()
    killTimer.close()
    let diagnostics = diagnostics.text
    if isCancelled {
      let failure = ProviderFailure(.cancelled, diagnostics: diagnostics)
      return finished(.failed(failure), diagnostics)
    }
    if let frame = frames.lastFrame() { report(.streamFrame(token, frame)) }
    if case .exited(let status) = exit {
      let output = PluginOutput([], exitStatus: status, diagnostics: diagnostics)
      return finished(.printed(output), diagnostics)
    }
    let reason = ProviderFailure.Reason(
      exit, of: provider, cacheFolder: cacheFolder, notStarted: notStarted)
    finished(.failed(ProviderFailure(reason, diagnostics: diagnostics)), diagnostics)
  }
}
