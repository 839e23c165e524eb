import Glibc

/// A complete description of a program to start: it inherits nothing else from this process.
package struct ChildSpec: Sendable {
  /// A path, which contains a slash and is relative to `workingDirectory`, or a name to find on the
  /// PATH of `environment`.
  package var program: String
  /// All of argv, `arguments[0]` included.
  package var arguments: [String]
  /// All of the child's environment, in this order.
  package var environment: [(String, String)]
  package var workingDirectory: String
  /// The limit of heap and other private memory (RLIMIT_DATA); `nil` means no limit.
  ///
  /// The address space is not limited, because the run times of several languages reserve much of
  /// it.
  package var memoryBytesMax: UInt64?
  /// Whether `writeInput` will be used; else standard input is /dev/null.
  package var wantsInput: Bool
  /// Whether the program belongs to the person and lives on when the daemon ends.
  ///
  /// Its standard input and outputs are /dev/null, core dumps are as usual, and `close()` does not
  /// kill it.
  package var isDetached: Bool
  /// Whether the kernel kills the child when the thread that started it ends.
  ///
  /// Must be false for detached children.
  package var diesWithParent: Bool

  package init(
    program: String, arguments: [String], environment: [(String, String)],
    workingDirectory: String, memoryBytesMax: UInt64? = nil, wantsInput: Bool = false,
    isDetached: Bool = false, diesWithParent: Bool = true
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    self.workingDirectory = workingDirectory
    self.memoryBytesMax = memoryBytesMax
    self.wantsInput = wantsInput
    self.isDetached = isDetached
    self.diesWithParent = diesWithParent
  }
}

/// How a child ended.
package enum ChildExit: Hashable, Sendable {
  case exited(code: Int32)
  case signaled(signal: Int32)
}

extension ChildSpec {
  static let operation = "start"

  /// Throws for values that execve would silently misread.
  func validate() throws(LoopError) {
    func refuse(_ reason: String) -> LoopError {
      LoopError(
        code: .system, operation: ChildSpec.operation, context: program, errno: EINVAL,
        because: reason)
    }
    guard !program.isEmpty, !program.utf8.contains(0) else {
      throw refuse("the program's name is empty or contains a zero byte")
    }
    guard !arguments.isEmpty else { throw refuse("there must be at least argument 0") }
    for (index, argument) in arguments.enumerated() where argument.utf8.contains(0) {
      throw refuse("argument \(index) contains a zero byte")
    }
    for (name, value) in environment {
      guard !name.isEmpty, !name.utf8.contains(0), !name.utf8.contains(UInt8(ascii: "=")) else {
        throw refuse("'\(name)' is not a name for an environment variable")
      }
      guard !value.utf8.contains(0) else {
        throw refuse("environment variable \(name) contains a zero byte")
      }
    }
    guard !workingDirectory.utf8.contains(0) else {
      throw refuse("the working folder contains a zero byte")
    }
  }

  /// Returns the path to execute: `program` itself, or its place on the child's PATH.
  ///
  /// Only absolute folders of PATH count: a relative one would mean something else in every folder.
  func resolvedProgram() throws(LoopError) -> String {
    if program.utf8.contains(UInt8(ascii: "/")) { return program }
    let path = environment.last { $0.0 == "PATH" }?.1 ?? "/usr/local/bin:/usr/bin:/bin"
    for folder in path.split(separator: ":") where folder.hasPrefix("/") {
      let candidate = "\(folder)/\(program)"
      var found = stat()
      guard unsafe stat(candidate, &found) == 0, found.st_mode & S_IFMT == S_IFREG else { continue }
      if unsafe access(candidate, X_OK) == 0 { return candidate }
    }
    throw LoopError(
      code: .notFound, operation: ChildSpec.operation, context: program, errno: ENOENT,
      because: "no such program in PATH (\(path))")
  }
}
