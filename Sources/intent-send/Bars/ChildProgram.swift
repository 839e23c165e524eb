import Glibc

/// Other programs that a command for bars starts: tmux, a menu, a command of the person.
enum ChildProgram {
  /// Starts a program without waiting for it; its output goes nowhere, and if `isQuiet` its messages
  /// neither.
  ///
  /// A program that cannot be started is reported on standard error. `reap` ends what is left of
  /// those that have ended.
  static func start(_ arguments: [String], isQuiet: Bool = false) {
    guard let null = nullDevice() else { return }
    defer { close(null) }
    _ = spawn(arguments, input: null, output: null, messages: isQuiet ? null : nil)
  }

  /// Ends what the kernel keeps of programs that were started and have ended.
  static func reap() {
    while waitpid(-1, nil, WNOHANG) > 0 {}
  }

  /// Runs a program without input and output, and if `isQuiet` without messages; returns its exit
  /// status, `nil` if a signal ended it or it could not be started.
  static func run(_ arguments: [String], isQuiet: Bool = false) -> Int32? {
    guard let null = nullDevice() else { return nil }
    defer { close(null) }
    return spawn(arguments, input: null, output: null, messages: isQuiet ? null : nil)
      .flatMap(SpawnedProgram.status)
  }

  /// Runs a program that reads `input` and returns what it printed, at most `bytesMax` bytes;
  /// `nil` if it failed or could not be started.
  ///
  /// The input is written before the output is read, so it must not be more than what a program
  /// reads without an answer: a menu program reads all rows first.
  static func output(of arguments: [String], input: String, bytesMax: Int) -> [UInt8]? {
    var inward: [Int32] = [-1, -1]
    var outward: [Int32] = [-1, -1]
    guard pipe(&inward) == 0, pipe(&outward) == 0 else { return nil }
    for end in inward + outward { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let child = spawn(arguments, input: inward[0], output: outward[1])
    close(inward[0])
    close(outward[1])
    defer { close(outward[0]) }
    guard let child else {
      close(inward[1])
      return nil
    }
    var rest = Array(input.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(inward[1], $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // A menu that was closed reads no more.
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    close(inward[1])
    var printed: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while printed.count < bytesMax {
      let count = read(outward[0], &piece, min(piece.count, bytesMax - printed.count))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      printed += piece[..<count]
    }
    return SpawnedProgram.status(of: child) == 0 ? printed : nil
  }

  private static func nullDevice() -> Int32? {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    return null >= 0 ? null : nil
  }

  /// Starts a program with these descriptors; reports on standard error that it cannot.
  ///
  /// `messages` is its standard error; `nil`: that of this program.
  private static func spawn(
    _ arguments: [String], input: Int32, output: Int32, messages: Int32? = nil
  ) -> pid_t? {
    guard let program = arguments.first else { return nil }
    let (child, code) = SpawnedProgram.start(
      arguments, input: input, output: output, messages: messages ?? STDERR_FILENO)
    if child == nil {
      Output.complain("intent-send: cannot start '\(program)': \(systemMessage(code))\n")
    }
    return child
  }
}
