import DaemonCore
import EventLoop
import Foundation
import Glibc
import JSON
import Logging
import Synchronization
import Testing
import Timekeeping

@testable import DaemonRuntime

/// A service in this process, with its socket, store and folders in a folder of its own.
///
/// The test runs the loop, turn by turn, until something has happened; no other thread touches the
/// service. A widget of the kind `noted` can be placed: its provider is /bin/true.
final class ServiceRig {
  let folder: String
  let log = LogRecorder()
  let service: Service
  private var hasFinished = false

  init() throws {
    folder = NSTemporaryDirectory() + "service-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: folder + "/config/widgets", withIntermediateDirectories: true)
    let manifest = """
      kind: noted
      name: Noted
      families: [systemSmall]
      provider: {exec: [/bin/true]}
      """
    try Data(manifest.utf8).write(to: URL(filePath: folder + "/config/widgets/noted.yaml"))
    let log = log
    var options = RuntimeOptions(
      environment: ["HOME": folder, "TMPDIR": folder], userID: getuid(), version: "rig",
      socketPath: folder + "/socket", configurationFolder: folder + "/config",
      stateFolder: folder + "/state")
    options.supervisorProgram = Self.daemonProgram
    service = try Service(options: options, log: Logger(label: "rig") { _ in log })
  }

  /// The built `intentd`: beside the tests, or in the debug build of this package.
  static let daemonProgram: String = {
    var folders = CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
      .map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    folders.append(
      URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().path)
    folders.append(
      URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path + "/.build/debug")
    let candidates = folders.map { $0 + "/intentd" }
    return candidates.first { access($0, X_OK) == 0 } ?? "intentd is not built"
  }()

  deinit {
    if !hasFinished { service.finish() }
    // Best effort: a folder that stays in the temporary folder is not the test's result.
    _ = try? FileManager.default.removeItem(atPath: folder)
  }

  /// Starts the service and runs it until it answers.
  func start() throws {
    try service.start()
    service.inbox.append(.started)
    try run { self.service.isReady }
  }

  /// Runs turns until `isDone`, or until the service stops.
  func run(until isDone: @escaping () -> Bool) throws {
    var isLate = false
    let watchdog = LoopTimer(loop: service.loop)
    watchdog.arm(at: service.loop.readNow().monotonic.advanced(byMilliseconds: 240_000)) {
      [service] in
      isLate = true
      service.loop.stop()
    }
    service.loop.onTurn { [unowned service] in
      let hasMore = service.turn()
      if isDone() { service.loop.stop() }
      return hasMore
    }
    service.loop.runUntilStopped()
    watchdog.close()
    try #require(!isLate, "four minutes have passed and it has not happened")
  }

  /// Runs until the service stops, and closes everything.
  func runToTheEnd() throws {
    try run { false }
    service.finish()
    hasFinished = true
  }

  func connect() throws -> RigClient { try RigClient(path: folder + "/socket") }
}

/// A client that the test controls step by step: it reads only on request.
final class RigClient {
  let descriptor: Int32
  private(set) var received: [UInt8] = []
  /// Whether the service has closed the connection; all bytes before that are in `received`.
  private(set) var hasEnd = false

  init(path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(connected == 0, "\(path): \(String(cString: strerror(errno)))")
  }

  deinit { close(descriptor) }

  /// Sends a request.
  ///
  /// The test keeps the waiting bytes far below the socket's buffer.
  func send(_ id: Int, _ method: String, _ params: String = "{}") throws {
    let line = #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"# + "\n"
    let sent = Glibc.send(descriptor, line, line.utf8.count, Int32(MSG_NOSIGNAL))
    try #require(sent == line.utf8.count, "\(String(cString: strerror(errno)))")
  }

  func stopSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Reads the bytes that have arrived, without waiting.
  func read() {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while !hasEnd {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count < 0 { return }
      if count == 0 { hasEnd = true }
      received += chunk[..<count]
    }
  }

  /// Waits at most a minute until the service has closed the connection; `hasEnd` says whether it
  /// has.
  ///
  /// A child that another test of this process starts holds the service's end until it has become
  /// its program: the end may come moments after the service closed it.
  func readToEnd() {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while !hasEnd, poll(&waiting, 1, 240_000) > 0 { read() }
  }

  /// Reads the bytes that have arrived; returns the ids of all answers so far, in order.
  func readIDs() throws -> [Int] {
    read()
    return try received.split(separator: UInt8(ascii: "\n")).compactMap { line in
      try JSONValue(parsing: Array(line))["id"]?.intValue.map { Int($0) }
    }
  }

  /// The number of sent bytes that the service has not read.
  var unreadByteCount: Int {
    var count: Int32 = 0
    // 0x5411 is SIOCOUTQ, a macro that Swift does not import.
    return ioctl(descriptor, 0x5411, &count) == 0 ? Int(count) : -1
  }
}

/// Keeps log lines as texts of the form `event key=value…`.
final class LogRecorder: LogHandler, Sendable {
  private let kept = Mutex<[String]>([])
  var lines: [String] { kept.withLock { $0 } }

  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }
  var logLevel: Logger.Level {
    get { .debug }
    set {}
  }
  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) {
    let pairs = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
    kept.withLock { $0.append("\(event.message)\(pairs.joined())") }
  }
}
