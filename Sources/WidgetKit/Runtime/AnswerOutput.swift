@preconcurrency import Glibc
import JSON
import JSONRPC
import Synchronization
import WidgetExtension

/// Writes answers, each as one line.
final class AnswerOutput: Sendable {
  private let descriptor: Int32
  /// Held while a line is written: two answers never mix.
  private let writing = Mutex(())

  private init(descriptor: Int32) { self.descriptor = descriptor }

  /// Takes the standard output for answers; what code prints goes to standard error from now on.
  static func takingStandardOutput() -> AnswerOutput {
    fflush(nil)
    let descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    precondition(descriptor >= 0, "the standard output is closed")
    dup2(STDERR_FILENO, STDOUT_FILENO)
    // A line at a time, so that what was printed before a crash is read.
    setvbuf(stdout, nil, _IOLBF, 0)
    // A daemon that is gone must not end the program with a signal: `write` says it.
    signal(SIGPIPE, SIG_IGN)
    return AnswerOutput(descriptor: descriptor)
  }

  func answer(_ id: RequestID, _ result: JSONObject) {
    var line: [UInt8] = []
    appendResult(id: id, .object(result), to: &line)
    write(line)
  }

  func refuse(_ id: RequestID, _ error: ExtensionError) {
    var line: [UInt8] = []
    appendError(
      id: id, RPCError(code: error.code.rawValue, message: error.message), to: &line)
    write(line)
  }

  func write(_ line: [UInt8]) {
    writing.withLock { _ in
      line.withUnsafeBytes { bytes in
        var offset = 0
        while offset < bytes.count {
          let count = Glibc.write(
            descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
          if count < 0, errno == EINTR { continue }
          // The daemon is gone, and with it the reason to be here; the end of the input follows.
          guard count > 0 else { return }
          offset += count
        }
      }
    }
  }
}
