import BarLines
import Glibc
import PlainText

/// The place that the lines of a bar go to.
enum BarSink {
  case standardOutput
  /// A file that always has the last line, whole; `then` is a command of the person that runs after
  /// each change.
  case file(path: String, then: String?)
  /// The option of tmux that a status line shows.
  case tmux(BarName)

  func write(_ line: String) throws(Failure) {
    switch self {
    case .standardOutput: Output.write(TerminalText(bar: line + "\n"))
    case .file(let path, let then):
      try PrivateFile.write(line + "\n", path)
      guard let then else { return }
      ChildProgram.start(["/bin/sh", "-c", then])
    case .tmux(let name):
      let status = ChildProgram.run(Self.arguments(name, line))
      guard status == 0 else {
        throw Failure(
          status: .failed, message: "tmux did not take the text of '\(name.text)'",
          hints: ["run this inside tmux, as 'intent-send bar tmux --setup' shows"])
      }
    }
  }

  /// Returns the arguments that set the option; tmux then draws the status line of each client anew.
  ///
  /// `refresh-client` beside it would fail, and this program end, while no client is attached: so
  /// where `.tmux.conf` begins it.
  ///
  /// tmux takes an argument that ends with `;` for the end of a command; a backslash before it makes
  /// it text. Source: tmux(1), "Parsing syntax".
  static func arguments(_ name: BarName, _ line: String) -> [String] {
    let text = line.hasSuffix(";") ? line.dropLast() + "\\;" : line
    return ["tmux", "set-option", "-g", "--", "@intentd_\(name.text)", text]
  }
}

/// A small file that only this person can read, and that is never seen half written.
enum PrivateFile {
  /// Writes the text to a new file beside `path` and gives it that name.
  static func write(_ text: String, _ path: String) throws(Failure) {
    let temporary = "\(path).\(getpid())"
    unlink(temporary)
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(path, errno) }
    var bytes = text
    let count = bytes.withUTF8 { Glibc.write(file, $0.baseAddress, $0.count) }
    let code = errno
    close(file)
    guard count == text.utf8.count else {
      unlink(temporary)
      throw failure(path, count < 0 ? code : ENOSPC)
    }
    guard rename(temporary, path) == 0 else {
      let code = errno
      unlink(temporary)
      throw failure(path, code)
    }
  }

  /// Returns the text of a file of at most 64 KiB; `nil` if there is none, or it is longer.
  static func read(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: bytesMax + 1)
    let count = Glibc.read(file, &bytes, bytes.count)
    guard (0...bytesMax).contains(count) else { return nil }
    return String(validating: bytes[..<count], as: UTF8.self)
  }

  private static let bytesMax = 65_536

  private static func failure(_ path: String, _ code: Int32) -> Failure {
    Failure(
      status: .failed, message: "cannot write \(path): \(systemMessage(code))",
      hints: ["name another file, in a folder that you may write to"])
  }
}
