import Foundation
import Glibc
package import Testing

/// Finds the two programs that were built, and starts programs for the tests.
///
/// It uses `posix_spawn` and not `Process`: a program gets exactly the requested descriptors,
/// environment and process group (the tests' descriptors are close-on-exec). Its output goes to
/// files, so that no program can block on a pipe that nobody reads.
package enum Programs {
  package static let daemon = path("intentd")
  package static let client = path("intent-send")
  package static let web = path("intent-web")
  package static let fetch = path("intent-fetch")
  package static let conformance = path("conformance")
  /// A widget extension of iOS, as a program.
  package static let widgets = path("WidgetProgram")
  package static let views = path("ViewProgram")

  /// The folders that may have the programs: `$INTENTD_BIN_DIR`, else the test bundle's folder,
  /// else the debug build of this package.
  private static let folders: [String] = {
    var folders: [String] = []
    if let named = ProcessInfo.processInfo.environment["INTENTD_BIN_DIR"] { folders.append(named) }
    let starts =
      [URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path]
      + CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
    folders += starts.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    var folder = URL(fileURLWithPath: #filePath)
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      folders.append(folder.appendingPathComponent(".build/debug").path)
    }
    return folders
  }()

  private static func path(_ name: String) -> String {
    let candidates = folders.map { "\($0)/\(name)" }
    guard let found = candidates.first(where: { access($0, X_OK) == 0 }) else {
      preconditionFailure("\(name) is not built; looked for \(candidates.joined(separator: ", "))")
    }
    return found
  }

  /// The path of a bar of a later release than the machine's, which `scripts/later-bars.sh` makes
  /// and `$INTENTD_LATER_BARS` names; `nil`: there is none.
  package static func later(_ name: String) -> String? {
    guard let folder = ProcessInfo.processInfo.environment["INTENTD_LATER_BARS"] else { return nil }
    let path = "\(folder)/\(name)"
    return access(path, X_OK) == 0 ? path : nil
  }

  /// Returns whether a program is in the usual folders, for tests that need an optional one.
  package static func isInstalled(_ name: String) -> Bool {
    Sandbox.searchPath.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
  }
}

/// The end of a program: its exit code or its signal.
package enum Ending: Equatable, CustomStringConvertible {
  case exited(Int32)
  case signaled(Int32)

  package init(status: Int32) {
    let signal = status & 0x7f
    self = signal == 0 ? .exited((status >> 8) & 0xff) : .signaled(signal)
  }

  package var description: String {
    switch self {
    case .exited(let code): "exit \(code)"
    case .signaled(let signal): "signal \(signal)"
    }
  }
}

/// The ending and both outputs of a program that has ended.
package struct Outcome: Equatable {
  package var ending: Ending
  package var output: String
  package var errors: String

  package init(ending: Ending, output: String, errors: String) {
    self.ending = ending
    self.output = output
    self.errors = errors
  }

  package var status: Int32? { if case .exited(let code) = ending { code } else { nil } }
  package var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// A started program in a process group of its own.
package final class Program {
  package let pid: Int32
  package let outputPath: String
  package let errorPath: String
  package private(set) var ending: Ending?

  /// Starts a program.
  ///
  /// - `descriptors`: the test's descriptors, and the number that each has in the program.
  /// - `input`: the file for standard input; `nil` stands for /dev/null.
  package init(
    _ path: String, _ arguments: [String], environment: [String: String], folder: String,
    name: String, input: String = "/dev/null", descriptors: [(ours: Int32, theirs: Int32)] = [],
    terminal: Int32? = nil
  ) throws {
    outputPath = "\(folder)/\(name).out"
    errorPath = "\(folder)/\(name).err"
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    let creating = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    if let terminal {
      posix_spawn_file_actions_adddup2(&actions, terminal, 1)
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, outputPath, creating, 0o600)
    }
    posix_spawn_file_actions_addopen(&actions, 2, errorPath, creating, 0o600)
    for (ours, theirs) in descriptors {
      posix_spawn_file_actions_adddup2(&actions, ours, theirs)
    }
    var all = sigset_t()
    var none = sigset_t()
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    var envp: [UnsafeMutablePointer<CChar>?] = environment.sorted { $0.key < $1.key }
      .map { strdup("\($0.key)=\($0.value)") }
    argv.append(nil)
    envp.append(nil)
    defer { for pointer in argv + envp { free(pointer) } }
    var started: pid_t = 0
    let status = posix_spawn(&started, path, &actions, &attributes, argv, envp)
    try #require(status == 0, "\(path) cannot be started: \(String(cString: strerror(status)))")
    pid = started
  }

  package var output: String { contents(of: outputPath) }
  package var errors: String { contents(of: errorPath) }

  /// Returns whether the program has ended; if so, waits for it so that no zombie is left.
  package func hasEnded() -> Bool {
    if ending != nil { return true }
    var status: Int32 = 0
    guard waitpid(pid, &status, WNOHANG) == pid else { return false }
    ending = Ending(status: status)
    return true
  }

  @discardableResult
  package func waitUntilEnded(
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Ending {
    try eventually("\(outputPath): the program ends", sourceLocation) { hasEnded() }
    return try #require(ending)
  }

  package func signal(_ number: Int32) {
    if !hasEnded() { Glibc.kill(pid, number) }
  }

  /// Kills the program and its process group, and waits for it.
  package func killGroup() {
    guard ending == nil else { return }
    Glibc.kill(-pid, SIGKILL)
    Glibc.kill(pid, SIGKILL)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    ending = Ending(status: status)
  }
}

/// Returns a file's text; empty if there is no file.
package func contents(of path: String) -> String {
  guard let bytes = FileManager.default.contents(atPath: path) else { return "" }
  return String(decoding: bytes, as: UTF8.self)
}

/// The longest wait for a condition, in seconds: far more than the slowest machine needs.
///
/// A test that passes never waits that long; only a failing one does.
package let patience = 240.0

/// Waits until `condition` holds; throws after `patience` seconds.
package func eventually(
  _ what: @autoclosure () -> String, _ sourceLocation: SourceLocation = #_sourceLocation,
  within seconds: Double = patience, _ condition: () throws -> Bool
) throws {
  let deadline = monotonicSeconds() + seconds
  while try !condition() {
    guard monotonicSeconds() < deadline else {
      throw NeverHappened(what: what(), where: sourceLocation)
    }
    usleep(5_000)
  }
}

package struct NeverHappened: Error, CustomStringConvertible {
  package var what: String
  package var `where`: SourceLocation
  package var description: String { "did not happen in \(Int(patience)) s: \(what) (\(`where`))" }
}

package func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Splits the rounds of a soak, numbered from 1, into those of one state folder each.
///
/// A round checks everything that the rounds before it left, so its price grows with their number.
package func households(of rounds: Int) -> [Range<Int>] {
  stride(from: 1, through: rounds, by: 25).map { $0..<min($0 + 25, rounds + 1) }
}

/// Runs `body` on `count` threads and waits for all of them.
package func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let group = DispatchGroup()
  for index in 0..<count {
    group.enter()
    let thread = Thread {
      body(index)
      group.leave()
    }
    thread.start()
  }
  group.wait()
}
