import CVirtualClock
import JSON
import JSONRPC
import Synchronization
import Timekeeping
import WidgetExtension

/// Speaks the extension protocol on the input and the output of the program.
///
/// A thread of its own reads requests, and each runs in a task at once. The main thread runs the main
/// queue, on which views are evaluated and providers may count. Whatever the code prints goes to
/// standard error: the protocol's output is a copy of descriptor 1 that nobody else knows.
final class ExtensionHost: Sendable {
  private struct State {
    /// Requests that are not answered yet.
    var tasks: [RequestID: Task<Void, Never>] = [:]
    /// Answers that are being written: until they are, the program must not end.
    var writingCount = 0
    var isInputOver = false

    /// Takes a request to answer it; `nil`: somebody did.
    mutating func beginAnswer(_ id: RequestID) -> Task<Void, Never>? {
      let task = tasks.removeValue(forKey: id)
      if task != nil { writingCount += 1 }
      return task
    }
  }

  private let maker: AnswerMaker
  private let kinds: KindNames
  private let output: AnswerOutput
  private let state = Mutex(State())

  init(_ maker: AnswerMaker) {
    self.maker = maker
    kinds = maker.kinds
    output = AnswerOutput.takingStandardOutput()
  }

  /// Answers requests until the input ends.
  func serve() -> Never {
    let thread = Thread { [self] in readInput() }
    thread.name = "requests"
    thread.start()
    // The main run loop serves the main queue; it has no end.
    while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  }

  // MARK: Input

  private func readInput() {
    var framer = LineFramer(frameBytesMax: Limits.requestBytesMax)
    var buffer = [UInt8](repeating: 0, count: Limits.readBytes)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      framer.feed(
        Array(buffer[..<count]), line: { take($0) },
        oversized: {
          complain("a request of more than \(Limits.requestBytesMax) bytes was skipped")
        })
    }
    framer.finish { take($0) }
    endInput()
  }

  private func take(_ line: Span<UInt8>) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(line.count)
    for index in line.indices { bytes.append(line[index]) }
    guard bytes.contains(where: { $0 > UInt8(ascii: " ") }) else { return }
    switch ExtensionMessage.read(bytes, kinds: kinds) {
    case .request(let id, let request): start(id, request)
    case .refusal(let id, let error): output.refuse(id, error)
    case .cancel(let id): cancel(id)
    case .ignored: return
    }
  }

  private func start(_ id: RequestID, _ request: ProviderRequest) {
    let clock = WallTime(milliseconds: virtual_clock_system_time())
    virtual_clock_put_forward(ClockDifference.milliseconds(from: clock, to: request.now))
    // The task is known before it can end: it waits for the lock that is held here.
    state.withLock { state in
      state.tasks[id] = Task.detached { [self] in
        let made: Result<AnswerMaker.Answer, ExtensionError>
        do throws(ExtensionError) {
          made = .success(try await maker.answer(request))
        } catch {
          made = .failure(error)
        }
        finish(id, made)
      }
    }
  }

  /// Answers, unless the request was cancelled and is answered already.
  private func finish(_ id: RequestID, _ made: Result<AnswerMaker.Answer, ExtensionError>) {
    guard state.withLock({ $0.beginAnswer(id) }) != nil else { return }
    switch made {
    case .success(let answer):
      for warning in answer.warnings.prefix(WidgetExtension.Limits.warningCountMax) {
        complain(warning)
      }
      output.answer(id, answer.result)
    case .failure(let error): output.refuse(id, error)
    }
    endAnswer()
  }

  private func endAnswer() {
    state.withLock { $0.writingCount -= 1 }
    leaveIfDone()
  }

  private func cancel(_ id: RequestID) {
    guard let task = state.withLock({ $0.beginAnswer(id) }) else { return }
    task.cancel()
    // An answer, although nobody waits: the daemon ends a program that stays silent.
    output.refuse(id, ExtensionError(.cancelled, "cancelled"))
    endAnswer()
  }

  // MARK: The end

  private func endInput() {
    state.withLock { $0.isInputOver = true }
    leaveIfDone()
    // Answers that are due may still come; then the program ends in any case.
    Thread.sleep(forTimeInterval: Limits.farewellSeconds)
    leave()
  }

  private func leaveIfDone() {
    if state.withLock({ $0.isInputOver && $0.tasks.isEmpty && $0.writingCount == 0 }) { leave() }
  }

  private func leave() -> Never {
    fflush(nil)
    // Not `exit`: other threads run, and would see objects vanish.
    _exit(0)
  }
}
