import ArgumentParser
import Glibc

/// Commands for authors of providers and intents.
///
/// They run the program `intentd`, so no daemon has to be installed or running, and this program
/// needs no code for manifests and sentences.

/// Runs a manifest's provider once, or at each save, with the program `intentd`.
struct Try: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "try",
    abstract: "Run the provider of a widget once, and print what it answers.",
    discussion: """
      intent-send try me.disk             a kind, or the end of its id: disk
      intent-send try ./disk              a manifest or its folder, by the path
      intent-send try me.disk --watch     again at each save, until Ctrl-C
      intent-send try weather --set city=Beijing
      intent-send try agenda --expanded   in the expanded mode of a kind that has it
      intent-send try ./tide --grant none  in a box: look at what you downloaded
      intent-send try ~/scripts/cpu.5s.sh  a script of xbar, SwiftBar or Argos
      intent-send try disk --request snapshot   its preview for the gallery

      Prints the mistakes of the manifest, the arguments, the environment, the request, standard \
      error, the timeline and what is wrong with it; of a plugin the exit status, the output, and \
      what is wrong in which line. Nothing is placed or stored. \
      Exit status: 0 good, 1 anything to mend.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var parameters: ParameterOptions
  @Option(
    help: "The family; without it the kind's first.", completion: .list(familyNames),
    transform: canonicalFamily)
  var family: String?
  @Option(
    help: "One of the kinds that the manifest offers; without it the first.",
    completion: .custom(completeKinds))
  var kind: String?
  @Option(
    help: "Run it in a box, with what it asks for or with nothing.",
    completion: .list(GrantWord.allCases.map(\.rawValue)))
  var grant: GrantWord?
  @Flag(help: "Ask for the expanded mode.") var expanded = false
  @Option(
    help: "What to ask for: timeline, or snapshot or placeholder, for a gallery.",
    completion: .list(TrialRequest.allCases.map(\.rawValue)))
  var request = TrialRequest.timeline
  @Flag(help: "Try again at each save of the manifest or of a file in its folder.")
  var watch = false
  @Argument(
    help: "A kind, or a manifest, its folder or a plugin by the path.",
    completion: .file())
  var manifest: String

  mutating func run() throws {
    // Report a mistake in an assignment here, before the other program starts.
    _ = try parameters.parameters()
    try DaemonProgram.run { arguments(for: $0) }
  }

  func arguments(for program: String) -> [String] {
    var arguments = [program, "--try", manifest]
    for assignment in parameters.assignments { arguments += ["--set", assignment] }
    if let family { arguments += ["--family", family] }
    if let kind { arguments.append("--kind=\(kind)") }
    if expanded { arguments.append("--expanded") }
    if let grant { arguments += ["--grant", grant.rawValue] }
    if request != .timeline { arguments += ["--request", request.rawValue] }
    if watch { arguments.append("--watch") }
    if common.json { arguments.append("--json") }
    return arguments
  }
}

/// A request that a trial makes.
enum TrialRequest: String, CaseIterable, ExpressibleByArgument {
  case timeline, snapshot, placeholder
}

/// Checks sentence documents with the program `intentd`, which can read them.
struct Lint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Say what is wrong with sentence documents.",
    discussion: """
      intent-send lint ~/.config/intentd/intents    all intents of a folder
      intent-send lint ShowTide/en.yaml             one document, with its counts

      Finds templates that never match or never win, sentences that two intents share, empty \
      branches, templates that take another intent's examples, and examples that give other \
      parameters than they state. Exit status: 0 clean, 1 something was found.
      """)

  @OptionGroup var common: CommonOptions
  @Flag(help: "List every template with the number of its sentences.") var counts = false
  @Argument(
    help: "A sentence document, an intent's folder or a folder of intents.",
    completion: .file(extensions: ["yaml", "yml"]))
  var files: [String]

  mutating func run() throws {
    try DaemonProgram.run { arguments(for: $0) }
  }

  func arguments(for program: String) -> [String] {
    // A file name may begin with a dash; `./` keeps it from being read as an option.
    var arguments = [program, "--lint"] + files.map { $0.hasPrefix("-") ? "./" + $0 : $0 }
    if counts { arguments.append("--counts") }
    if common.json { arguments.append("--json") }
    return arguments
  }
}

/// Replaces this program by `intentd`.
enum DaemonProgram {
  /// Runs `intentd` in this process.
  ///
  /// Never returns; throws if `intentd` cannot be started.
  static func run(_ arguments: (String) -> [String]) throws(Failure) {
    let program = path(
      chosen: environment("INTENTD_EXECUTABLE"), ownPath: ownPath,
      isExecutable: { access($0, X_OK) == 0 })
    // `main` ignores SIGPIPE, and an ignored signal stays ignored in the new program.
    signal(SIGPIPE, SIG_DFL)
    let code = replaceProcess(program, arguments(program))
    signal(SIGPIPE, SIG_IGN)
    throw cannotStart(program, code)
  }

  /// Returns the program that the environment names, else the one beside this one, else the one on
  /// PATH.
  static func path(
    chosen: String?, ownPath: String?, isExecutable: (String) -> Bool
  ) -> String {
    if let chosen, !chosen.isEmpty { return chosen }
    if let ownPath, let slash = ownPath.lastIndex(of: "/") {
      let beside = ownPath[...slash] + "intentd"
      if isExecutable(String(beside)) { return String(beside) }
    }
    return "intentd"
  }

  /// Runs `intentd`, and returns its exit status and its standard output.
  static func outputOf(
    _ arguments: (String) -> [String]
  ) throws(Failure) -> (status: Int32, output: [UInt8]) {
    // A file without a name, and no pipe: the program never waits for a reader.
    guard let stream = tmpfile() else {
      throw Failure(
        status: .failed, message: "cannot make a temporary file: \(systemMessage(errno))",
        hints: ["there has to be space in /tmp"])
    }
    defer { fclose(stream) }
    let file = fileno(stream)
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    let status = try runAndWait(output: file, arguments)
    lseek(file, 0, SEEK_SET)
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(file, &chunk, chunk.count)
      guard count > 0 else { return (status, output) }
      output += chunk[..<count]
    }
  }

  /// Runs `intentd` with the same standard descriptors, and returns its exit status.
  ///
  /// `output`: the descriptor that its standard output goes to, such as standard error.
  static func runAndWait(
    output: Int32 = STDOUT_FILENO, _ arguments: (String) -> [String]
  ) throws(Failure) -> Int32 {
    let program = path(
      chosen: environment("INTENTD_EXECUTABLE"), ownPath: ownPath,
      isExecutable: { access($0, X_OK) == 0 })
    let (child, code) = SpawnedProgram.start(arguments(program), output: output)
    guard let child else { throw cannotStart(program, code) }
    // A program that a signal ended has failed.
    return SpawnedProgram.status(of: child) ?? ProgramStatus.failed.rawValue
  }

  private static func cannotStart(_ program: String, _ code: Int32) -> Failure {
    Failure(
      status: .failed, message: "cannot start '\(program)': \(systemMessage(code))",
      hints: ["install intentd beside intent-send, or name it with $INTENTD_EXECUTABLE"])
  }

  private static var ownPath: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Calls exec; returns `errno` if that failed.
  private static func replaceProcess(_ program: String, _ arguments: [String]) -> Int32 {
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    // Searches PATH if `program` has no slash.
    execvp(program, pointers)
    return errno
  }
}
