import CPosix
import Glibc

/// A complete description of a program to start: it inherits nothing else from this process.
package struct ChildSpec: Sendable {
  /// A path, which contains a slash and is relative to `workingDirectory`, or a name to find on the
  /// PATH of `environment`.
  package var program: String
  /// Whether `program` was a name that was found on the PATH.
  package var isFoundOnPath = false
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
  /// The limits of all its processes together, which a supervisor enforces.
  package var limits = ChildLimits()
  /// The rules of its box, for `cposix_box_enter`; `nil`: it has none.
  package var box: [UInt8]?
  /// Whether its programs may gain privileges, as sudo does; only a supervisor denies it.
  package var mayGainPrivileges = false
  /// Whether `writeInput` will be used; else standard input is /dev/null.
  package var wantsInput: Bool
  /// Whether the program belongs to the person and lives on when the daemon ends.
  ///
  /// Its standard input and outputs are /dev/null, core dumps are as usual, and `close()` does not
  /// kill it.
  package var isDetached: Bool
  /// Whether the program usually ends within milliseconds.
  ///
  /// A supervisor tells its start only when it is still there after 20 ms, and its outputs wait in
  /// the kernel until then: so its end, with all that it wrote, is one event.
  package var isBrief = false
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

/// The limits of a child and its descendants together; `nil` means no limit.
package struct ChildLimits: Hashable, Sendable {
  /// Resident memory in bytes; pages that several of them share count once.
  package var treeBytesMax: UInt64?
  /// Processes at the same time.
  package var processCountMax: UInt64?
  /// Bytes of each file that one of them writes.
  package var fileBytesMax: UInt64?
  /// Processor time in microseconds: of the whole run, or of each window.
  package var cpuMicrosecondsMax: UInt64?
  /// The length of a window in microseconds; `nil`: the whole run.
  package var cpuWindowMicroseconds: UInt64?
  /// The folder whose files count towards `cacheBytesMax`.
  package var cacheFolder: String?
  package var cacheBytesMax: UInt64?

  package init() {}
}

/// How a child ended.
package enum ChildExit: Hashable, Sendable {
  case exited(code: Int32)
  case signaled(signal: Int32)
  /// A limit was reached; `measured` is in the limit's unit: bytes, microseconds or processes.
  case overLimit(ChildLimit, measured: UInt64)
  /// It could not be started; a sentence says why.
  case notStarted(String)
  /// Its supervisor ended, and the child with it.
  case unsupervised
}

/// A limit of a child and its descendants.
package enum ChildLimit: UInt32, Hashable, Sendable, CaseIterable {
  case memory = 1
  case processes = 2
  case processorTime = 3
  case fileSize = 4
  case cacheFolder = 5
}

extension ChildSpec {
  static let operation = "start"

  /// The limits as the supervisor reads them, where 0 means no limit.
  var runLimits: cposix_run_limits {
    cposix_run_limits(
      data_bytes_max: memoryBytesMax ?? 0, memory_bytes_max: limits.treeBytesMax ?? 0,
      file_bytes_max: limits.fileBytesMax ?? 0,
      cache_bytes_max: limits.cacheFolder == nil ? 0 : limits.cacheBytesMax ?? 0,
      cpu_microseconds_max: limits.cpuMicrosecondsMax ?? 0,
      cpu_window_microseconds: limits.cpuWindowMicroseconds ?? 0,
      process_count_max: limits.processCountMax ?? 0)
  }

  /// Throws for values that execve would silently misread.
  func validate() throws(LoopError) {
    func refuse(_ reason: String) -> LoopError {
      LoopError(
        code: .system, operation: ChildSpec.operation, context: program, errno: EINVAL,
        because: reason)
    }
    guard !program.isEmpty, !Self.has(0, in: program) else {
      throw refuse("the program's name is empty or contains a zero byte")
    }
    guard !arguments.isEmpty else { throw refuse("there must be at least argument 0") }
    for (index, argument) in arguments.enumerated() where Self.has(0, in: argument) {
      throw refuse("argument \(index) contains a zero byte")
    }
    for (name, value) in environment {
      guard !name.isEmpty, !Self.has(0, in: name), !Self.has(UInt8(ascii: "="), in: name) else {
        throw refuse("'\(name)' is not a name for an environment variable")
      }
      guard !Self.has(0, in: value) else {
        throw refuse("environment variable \(name) contains a zero byte")
      }
    }
    guard !Self.has(0, in: limits.cacheFolder ?? "") else {
      throw refuse("the cache folder contains a zero byte")
    }
    guard !Self.has(0, in: workingDirectory) else {
      throw refuse("the working folder contains a zero byte")
    }
  }

  /// Each start looks through all of the environment, so that the search is the C library's.
  private static func has(_ byte: UInt8, in text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return false }
      return unsafe memchr(start, Int32(byte), bytes.count) != nil
    }
  }

  /// Returns the path to execute: `program` itself, or its place on the child's PATH.
  func resolvedProgram() throws(LoopError) -> String {
    if program.utf8.contains(UInt8(ascii: "/")) { return program }
    if let place = Self.place(of: program, onPath: searchPath) { return place }
    throw LoopError(
      code: .notFound, operation: ChildSpec.operation, context: program, errno: ENOENT,
      because: "no such program in PATH (\(searchPath))")
  }

  /// The PATH of the child.
  package var searchPath: String {
    environment.last { $0.0 == "PATH" }?.1 ?? "/usr/local/bin:/usr/bin:/bin"
  }

  /// Returns the first program of this name in the folders of a PATH; `nil`: there is none, or the
  /// name is a path.
  ///
  /// Only absolute folders count: a relative one would mean something else in every folder.
  package static func place(of program: String, onPath path: String) -> String? {
    let slash = UInt8(ascii: "/")
    guard !program.utf8.contains(slash) else { return nil }
    for folder in path.utf8.split(separator: UInt8(ascii: ":")) where folder.first == slash {
      let candidate = "\(Substring(folder))/\(program)"
      var found = stat()
      guard unsafe stat(candidate, &found) == 0, found.st_mode & S_IFMT == S_IFREG else { continue }
      if unsafe access(candidate, X_OK) == 0 { return candidate }
    }
    return nil
  }
}
