package import Foundation
import Glibc
import JSON
package import Testing

/// A temporary folder with a daemon's configuration, state and socket.
///
/// The programs that were started in it end with it.
package final class Sandbox {
  package static let searchPath = "/usr/local/bin:/usr/bin:/bin"

  package let root: String
  package var environment: [String: String]
  package var socket: String { environment["INTENTD_SOCKET"] ?? "\(root)/run/intentd/intentd.sock" }
  package var widgets: String { root + "/config/intentd/widgets" }
  package var state: String { root + "/state/intentd" }
  package private(set) var programs: [Program] = []

  fileprivate init() throws {
    // The path is short, because a socket's path has at most 107 bytes.
    var template = Array("/tmp/intentd-it.XXXXXX".utf8CString)
    let made = try #require(mkdtemp(&template), "no temporary folder: errno \(errno)")
    root = String(cString: made)
    environment = [
      "PATH": Self.searchPath, "HOME": root + "/home", "USER": "somebody", "LANG": "en_US.UTF-8",
      "LC_TIME": "C", "TZ": "UTC", "TMPDIR": root + "/tmp",
      "XDG_CONFIG_HOME": root + "/config", "XDG_DATA_HOME": root + "/data",
      "XDG_DATA_DIRS": root + "/share", "XDG_STATE_HOME": root + "/state",
      "XDG_CACHE_HOME": root + "/cache", "XDG_RUNTIME_DIR": root + "/run",
      "XDG_CONFIG_DIRS": root + "/etc", "INTENTD_SOCKET": root + "/d.sock",
      "SECRET_TOKEN": "not for providers",
    ]
    for folder in [
      "home", "tmp", "data/applications", "config/intentd/widgets", "run", "share", "etc",
    ] {
      try makeFolder(folder)
    }
    chmod(root + "/run", 0o700)
  }

  fileprivate func end() {
    for program in programs { program.killGroup() }
    // The supervisor of a killed daemon needs a moment to end the providers.
    for pid in Processes.naming(root) where pid != getpid() { Glibc.kill(pid, SIGKILL) }
    do {
      try FileManager.default.removeItem(atPath: root)
    } catch {
      Issue.record("the temporary folder stays: \(error)")
    }
  }

  // MARK: Files

  package func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: "\(root)/\(path)", withIntermediateDirectories: true)
  }

  /// Writes a file and makes the folders on its path, which is relative to the root.
  package func write(_ path: String, _ text: String, mode: mode_t = 0o644) throws {
    let full = "\(root)/\(path)"
    try makeFolder(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)))
    // Rename a complete file into place, so that no reader sees half of it.
    try save(text, full + ".new", mode)
    if mode & 0o100 != 0 { try waitUntilNobodyWrites(full + ".new") }
    try #require(rename(full + ".new", full) == 0)
  }

  /// Writes a file through a descriptor that no started program inherits.
  ///
  /// A daemon that inherited it would keep the file open for writing.
  private func save(_ text: String, _ path: String, _ mode: mode_t) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0, "\(path): \(String(cString: strerror(errno)))")
    defer { close(descriptor) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      try #require(count > 0)
      rest = rest.dropFirst(count)
    }
    try #require(fchmod(descriptor, mode) == 0)
  }

  package func remove(_ path: String) { unlink("\(root)/\(path)") }

  /// Writes a manifest `name.yaml` of the kind `name`, whose provider is the script `name.sh`.
  package func widget(
    _ name: String, script: String, interpreter: String = "/bin/sh", settings: String = "",
    provider: String = ""
  ) throws {
    try write("config/intentd/widgets/\(name).run", "#!\(interpreter)\n\(script)\n", mode: 0o755)
    try manifest(name, exec: "[./\(name).run]", settings: settings, provider: provider)
  }

  package func manifest(
    _ name: String, exec: String, settings: String = "", provider: String = ""
  ) throws {
    try write(
      "config/intentd/widgets/\(name).yaml",
      """
      kind: \(name)
      name: The \(name)
      families: [systemSmall, accessoryInline]
      provider:
        exec: \(exec)
      \(provider.split(separator: "\n").map { "  \($0)\n" }.joined())\(settings)

      """)
  }

  /// Adds the intent `ShowWeather` with sentences, a route and a list, and `TakeNote` with free
  /// text.
  package func addIntents() throws {
    let folder = "config/intentd/intents"
    try write(
      "\(folder)/ShowWeather/intent.yaml",
      """
      name: ShowWeather
      title: Weather
      description: Now in a city.
      parameters:
        - {name: city, title: City, type: string, list: cities, required: true}
      routes:
        - weather://city/{city}
      """)
    try write(
      "\(folder)/ShowWeather/en.yaml",
      """
      language: en
      intents:
        ShowWeather:
          data:
            - sentences: ["show [the] weather (in|for) {cities:city}", "{cities:city}"]
      """)
    try write(
      "\(folder)/lists/cities.yaml",
      """
      lists:
        cities:
          values: [Beijing, Shanghai, "New York"]
      """)
    try write(
      "\(folder)/TakeNote/intent.yaml",
      """
      name: TakeNote
      title: Note
      description: Remember something.
      parameters:
        - {name: note, title: Note, type: string, required: true}
      """)
    try widget(
      "weather", script: Sandbox.weatherScript,
      settings: "intent: ShowWeather\nurl: weather://city/{city}")
  }

  /// A script that answers with the city of the request.
  package static let weatherScript = #"""
    read -r request
    city=$(printf '%s' "$request" | sed 's/.*"city":"\([^"]*\)".*/\1/')
    printf '{"entries":[{"date":"2020-01-01T00:00:00Z","content":{"title":"%s","text":"3 degrees"}}],"policy":"never"}' "$city"
    """#

  /// Returns a script's line that prints a timeline of one entry.
  package static func answer(title: String) -> String {
    #"printf '{"entries":[{"date":"2020-01-01T00:00:00Z","content":{"title":"%s"}}],"policy":"never"}' "\#(title)""#
  }

  // MARK: Programs

  /// Starts a program, which ends with the sandbox at the latest.
  package func start(
    _ path: String, _ arguments: [String] = [], environment extra: [String: String] = [:],
    input: String? = nil, descriptors: [(ours: Int32, theirs: Int32)] = [], terminal: Int32? = nil
  ) throws -> Program {
    let name = "program-\(programs.count)"
    var inputPath = "/dev/null"
    if let input {
      try write("\(name).in", input)
      inputPath = "\(root)/\(name).in"
    }
    let program = try Program(
      path, arguments, environment: environment.merging(extra) { $1 }, folder: root, name: name,
      input: inputPath, descriptors: descriptors, terminal: terminal)
    programs.append(program)
    return program
  }

  /// Starts a program and waits for its end.
  package func run(
    _ path: String, _ arguments: [String], environment: [String: String] = [:],
    input: String? = nil
  ) throws -> Outcome {
    let program = try start(path, arguments, environment: environment, input: input)
    let ending = try program.waitUntilEnded()
    return Outcome(ending: ending, output: program.output, errors: program.errors)
  }

  /// Runs intent-send.
  package func send(
    _ arguments: String..., environment: [String: String] = [:], input: String? = nil
  ) throws -> Outcome {
    try run(Programs.client, arguments, environment: environment, input: input)
  }

  package func shell(_ script: String) throws -> Outcome { try run("/bin/sh", ["-c", script]) }

  /// Starts the daemon and waits until it serves.
  package func startDaemon(
    _ arguments: [String] = [], environment: [String: String] = [:],
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Program {
    let daemon = try start(Programs.daemon, arguments, environment: environment)
    try waitUntilServing(daemon, sourceLocation)
    return daemon
  }

  package func waitUntilServing(
    _ daemon: Program, _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try eventually("the daemon serves; it says: \(daemon.errors)", sourceLocation) {
      if daemon.hasEnded() {
        throw NeverHappened(
          what:
            "the daemon serves; \(daemon.ending.map(String.init(describing:)) ?? ""), it says: \(daemon.errors)",
          where: sourceLocation)
      }
      return daemon.errors.contains("event=daemon.ready")
    }
  }

  package func connect() throws -> WireClient { try WireClient(socket) }

  /// Stops the daemon with SIGTERM and expects a clean end.
  package func stop(_ daemon: Program, _ sourceLocation: SourceLocation = #_sourceLocation) throws {
    daemon.signal(SIGTERM)
    let ending = try daemon.waitUntilEnded()
    #expect(ending == .exited(0), sourceLocation: sourceLocation)
  }

  /// Lets the disk be full for a running program, or not any more.
  ///
  /// A limit of the size of files does it, below that of any store: 4,096 bytes are one page of
  /// SQLite.
  package func setDiskFull(_ isFull: Bool, for pid: Int32) throws {
    let limit = isFull ? "4096" : "unlimited"
    let outcome = try run(
      "/usr/bin/prlimit", ["--pid", "\(pid)", "--fsize=\(limit):unlimited"])
    try #require(outcome.ending == .exited(0), "\(outcome.errors)")
  }

  /// Returns the processes that run in this sandbox, except `daemon`.
  package func strays(besides daemon: Program) -> [String] {
    let started = Set(programs.map(\.pid))
    return (Processes.naming(root) + Processes.children(of: daemon.pid))
      .filter { $0 != getpid() && !started.contains($0) }
      .map { "\($0) \(Processes.command(of: $0))" }
  }
}

/// Runs `body` with a sandbox, and removes the sandbox afterwards.
package func withSandbox(_ body: (Sandbox) throws -> Void) throws {
  let sandbox = try Sandbox()
  defer { sandbox.end() }
  do {
    try body(sandbox)
  } catch {
    for program in sandbox.programs {
      let said = String(program.errors.suffix(2_000))
      if !said.isEmpty { print("standard error of \(program.pid):\n\(said)") }
    }
    throw error
  }
}

/// Waits until a script can be executed, and is no longer "text file busy".
///
/// A program that another test starts at this moment has copies of the tests' descriptors until
/// it calls exec.
package func waitUntilNobodyWrites(_ path: String) throws {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  try #require(descriptor >= 0)
  defer { close(descriptor) }
  let setLease: Int32 = 1_024  // F_SETLEASE
  // The kernel grants a read lease if no process has the file open for writing. Another error
  // means that leases do not work here: do not wait.
  try eventually("\(path) is closed") {
    fcntl(descriptor, setLease, F_RDLCK) == 0 || errno != EAGAIN
  }
  _ = fcntl(descriptor, setLease, F_UNLCK)
}
