import EventLoop
import Glibc
import Testing
import Timekeeping

/// A temporary folder that is removed with this value.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/eventloop.XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  deinit {
    // Tests make no folders inside it, so one level is enough.
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        unlink(file(name))
      }
      closedir(folder)
    }
    rmdir(path)
  }
}

/// Runs `body`, and then the loop until it is stopped or idle.
///
/// Records an issue if the loop hangs.
func onLoop(_ body: (Loop) throws -> Void) throws {
  let loop = try Loop()
  defer { loop.close() }
  let watchdog = LoopTimer(loop: loop)
  watchdog.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: 240_000)) {
    Issue.record("the loop was still waiting after four minutes")
    loop.stop()
  }
  try body(loop)
  loop.runUntilStopped()
}

/// Checks `condition` repeatedly until it holds, then calls `done`.
func eventually(_ loop: Loop, _ condition: @escaping () -> Bool, then done: @escaping () -> Void) {
  let timer = LoopTimer(loop: loop)
  func look() {
    if condition() {
      timer.close()
      done()
    } else {
      timer.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: 2), look)
    }
  }
  look()
}

/// Runs `body` on a thread of its own, because tests block the threads of the pool.
func onThread(_ body: @escaping @Sendable () -> Void) {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let status = pthread_create(
    &thread, nil,
    { raw in
      Unmanaged<Box>.fromOpaque(raw!).takeRetainedValue().body()
      return nil
    }, Unmanaged.passRetained(Box(body)).toOpaque())
  precondition(status == 0)
  pthread_detach(thread)
}

/// Returns the two ends of a new stream connection; the caller closes them.
func socketPair() -> (Int32, Int32) {
  var ends: [Int32] = [-1, -1]
  let status = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
  precondition(status == 0)
  return (ends[0], ends[1])
}

/// Calls `body` with the address of `path`; a path that begins with `@` is an abstract name.
func withAddress<Result>(
  _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  var length = socklen_t(MemoryLayout<sockaddr_un>.size)
  if path.hasPrefix("@") {
    withUnsafeMutableBytes(of: &address.sun_path) { $0[0] = 0 }
    length = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count)
  }
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
  }
}

/// Returns a connected socket, or -errno.
func connect(to path: String) -> Int32 {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  let status = withAddress(path) { Glibc.connect(descriptor, $0, $1) }
  guard status == 0 else {
    let error = errno
    close(descriptor)
    return -error
  }
  return descriptor
}

/// Returns a bound, non-blocking datagram socket.
func datagramSocket(at path: String) -> Int32 {
  let descriptor = socket(
    AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
  let status = withAddress(path) { bind(descriptor, $0, $1) }
  precondition(status == 0)
  return descriptor
}

/// Returns the text of a file; empty if it cannot be opened.
func readAll(_ path: String) -> String {
  let descriptor = open(path, O_RDONLY)
  guard descriptor >= 0 else { return "" }
  defer { close(descriptor) }
  var text: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4096)
  while true {
    let count = read(descriptor, &buffer, buffer.count)
    if count <= 0 { return String(decoding: text, as: UTF8.self) }
    text += buffer[..<count]
  }
}

/// Writes a file with `mode`.
func make(_ path: String, _ text: String, mode: mode_t) {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode)
  precondition(descriptor >= 0)
  let bytes = Array(text.utf8)
  let count = write(descriptor, bytes, bytes.count)
  precondition(count == bytes.count)
  close(descriptor)
}

/// Returns the number of open descriptors of this process, below 1,024.
func openDescriptors() -> Int {
  var count = 0
  for number in Int32(0)..<1024 where fcntl(number, F_GETFD) >= 0 { count += 1 }
  return count
}

/// Returns whether a process has ended; a zombie that nobody has waited for counts as ended.
func isGone(_ pid: Int32) -> Bool {
  let status = readAll("/proc/\(pid)/stat")
  return status.isEmpty || status.contains(") Z ") || status.contains(") X ")
}

/// The output, errors and end of a child.
final class Transcript {
  var output: [UInt8] = []
  var errors: [UInt8] = []
  var exit: ChildExit?

  var text: String { String(decoding: output, as: UTF8.self) }
  var errorText: String { String(decoding: errors, as: UTF8.self) }

  @discardableResult
  func start(
    _ loop: Loop, _ spec: ChildSpec, onStdout: (() -> Void)? = nil, onExit: (() -> Void)? = nil
  ) throws(LoopError) -> ChildProcess {
    try ChildProcess.start(
      loop: loop, spec: spec,
      onStdout: {
        self.output += $0
        onStdout?()
      },
      onStderr: { self.errors += $0 },
      onExit: {
        self.exit = $0
        onExit?()
        loop.stop()
      })
  }

  /// Runs the child to its end and returns its transcript.
  static func of(_ spec: ChildSpec) throws -> Transcript {
    let transcript = Transcript()
    try onLoop { try transcript.start($0, spec) }
    return transcript
  }
}

extension ChildSpec {
  /// Returns a spec that runs `script` under /bin/sh with a small PATH.
  static func shell(
    _ script: String, arguments: [String] = [], memoryBytesMax: UInt64? = nil,
    wantsInput: Bool = false, isDetached: Bool = false, in folder: String = "/"
  ) -> ChildSpec {
    ChildSpec(
      program: "/bin/sh", arguments: ["sh", "-c", script, "sh"] + arguments,
      environment: [("PATH", "/usr/bin:/bin")], workingDirectory: folder,
      memoryBytesMax: memoryBytesMax, wantsInput: wantsInput, isDetached: isDetached)
  }
}
