import BlockingClient
import EventLoop
import Glibc
import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WebPages

/// The connection to the daemon: requests with their answers, and notifications.
///
/// It connects when there is something to ask. While it is wanted it comes back after a daemon that
/// went, ever more slowly.
final class DaemonLink {
  /// The answer to a request; `nil`: none came, because the daemon is gone or too slow.
  typealias Answer = (Result<JSONValue, RPCError>?) -> Void

  /// Called when a connection is there.
  var onConnected: () -> Void = {}
  /// Called when the connection went, before the requests on it are answered with `nil`.
  var onLost: () -> Void = {}
  var onNotification: (_ method: String, _ params: JSONValue) -> Void = { _, _ in }
  /// Whether it connects by itself.
  var isWanted = false {
    didSet { if isWanted, stream == nil { retry() } }
  }

  private let loop: Loop
  private let socketPath: String
  private let retryTimer: LoopTimer
  private let deadlineTimer: LoopTimer
  private var stream: PipeStream?
  private var framer = LineFramer(frameBytesMax: MessageReader.answerBytesMax)
  private var lastID: Int64 = 0
  private var waiting: [Int64: (deadline: Instant, answer: Answer)] = [:]
  private var retryMilliseconds = DaemonLink.retryMillisecondsMin

  /// The first wait between two attempts to connect, in milliseconds: a daemon restarts quickly.
  private static let retryMillisecondsMin: Int64 = 100
  private static let retryMillisecondsMax: Int64 = 5_000
  /// The longest wait for room in the daemon's queue of new connections, in milliseconds: nobody
  /// else is served meanwhile.
  private static let connectMillisecondsMax: Int64 = 100

  init(loop: Loop, socketPath: String) {
    self.loop = loop
    self.socketPath = socketPath
    retryTimer = LoopTimer(loop: loop)
    deadlineTimer = LoopTimer(loop: loop)
  }

  var isConnected: Bool { stream != nil }

  /// Asks the daemon, and waits so many milliseconds for its answer; connects if need be.
  func request(
    _ method: Method, _ params: JSONValue,
    within milliseconds: Int64 = WebLimits.answerMilliseconds, _ answer: @escaping Answer
  ) {
    guard connect(), let stream else { return answer(nil) }
    lastID += 1
    var line: [UInt8] = []
    appendRequest(id: .integer(lastID), method: method.rawValue, params: params, to: &line)
    let deadline = loop.readNow().monotonic.advanced(byMilliseconds: milliseconds)
    // The first of the deadlines is not always that of the oldest request.
    let isFirst = waiting.values.allSatisfy { deadline < $0.deadline }
    waiting[lastID] = (deadline, answer)
    if isFirst || !deadlineTimer.isArmed {
      deadlineTimer.arm(at: deadline) { [weak self] in self?.expire() }
    }
    stream.write(line)
  }

  func close() {
    isWanted = false
    retryTimer.close()
    deadlineTimer.close()
    end()
  }

  /// Connects; false if there is no daemon.
  private func connect() -> Bool {
    guard stream == nil else { return true }
    do {
      let socket = try UnixSocket(
        connectingTo: socketPath, before: .after(milliseconds: Self.connectMillisecondsMax))
      let descriptor = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 3)
      guard descriptor >= 0 else { return false }
      let stream = try PipeStream(loop: loop, descriptor: descriptor)
      self.stream = stream
      framer = LineFramer(frameBytesMax: MessageReader.answerBytesMax)
      stream.startReading(
        onBytes: { [weak self] in self?.take(Array($0)) },
        onEnd: { [weak self] _ in self?.end() })
    } catch {
      // No daemon, or one that is not ours: the page and the panels say that it is not there.
      return false
    }
    retryMilliseconds = Self.retryMillisecondsMin
    onConnected()
    return true
  }

  private func retry() {
    guard isWanted, stream == nil, !connect() else { return }
    let moment = loop.readNow().monotonic.advanced(byMilliseconds: retryMilliseconds)
    retryMilliseconds = min(retryMilliseconds * 2, Self.retryMillisecondsMax)
    retryTimer.arm(at: moment) { [weak self] in self?.retry() }
  }

  private func end() {
    guard let stream else { return }
    self.stream = nil
    stream.close()
    onLost()
    let answers = waiting.values.map(\.answer)
    waiting = [:]
    for answer in answers { answer(nil) }
    retry()
  }

  private func expire() {
    let now = loop.readNow().monotonic
    let late = waiting.filter { $0.value.deadline <= now }
    for (id, entry) in late {
      waiting[id] = nil
      entry.answer(nil)
    }
    guard let next = waiting.values.map(\.deadline).min() else { return }
    deadlineTimer.arm(at: next) { [weak self] in self?.expire() }
  }

  private func take(_ bytes: [UInt8]) {
    var messages: [IncomingMessage] = []
    var isBroken = false
    framer.feed(bytes) { line in
      do throws(ClientError) {
        messages.append(try IncomingMessage(reading: line))
      } catch {
        // No daemon of ours writes such a line; the connection ends below.
        isBroken = true
      }
    } oversized: {
      isBroken = true
    }
    for message in messages {
      switch message {
      case .result(.integer(let id), let value): finish(id, .success(value))
      case .refusal(.integer(let id), let error): finish(id, .failure(error))
      case .notification(let method, let params): onNotification(method, params)
      // An answer to nothing that was asked.
      case .result, .refusal: break
      }
    }
    if isBroken { end() }
  }

  private func finish(_ id: Int64, _ answer: Result<JSONValue, RPCError>) {
    waiting.removeValue(forKey: id)?.answer(answer)
  }
}
