import ArgumentParser
import Glibc

/// What authors of providers and intents need, run by `intentd` itself: nothing has to be installed or
/// running, and this program stays small.

/// Runs a manifest's provider once, in `intentd` itself: nothing has to be installed or running.
struct Try: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "try",
    abstract: "Run the provider of a manifest once, and print what it answers.",
    discussion: "intent-send try weather.yaml --set city=Beijing --family systemMedium")

  @OptionGroup var common: CommonOptions
  @OptionGroup var parameters: ParameterOptions
  @Option(help: "The family; without it the kind's first.", completion: .list(familyNames))
  var family: String?
  @Argument(help: "The manifest.", completion: .file(extensions: ["yaml", "yml"]))
  var manifest: String

  mutating func run() throws {
    // A mistake in an assignment is ours to report.
    _ = try parameters.parameters()
    try DaemonProgram.run { arguments(for: $0) }
  }

  func arguments(for program: String) -> [String] {
    var arguments = [program, "--try", manifest]
    for assignment in parameters.assignments { arguments += ["--set", assignment] }
    if let family { arguments += ["--family", family] }
    if common.json { arguments.append("--json") }
    return arguments
  }
}

/// Says what is wrong with sentence documents, in `intentd` itself: this program knows no sentences.
struct Lint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Say what is wrong with sentence documents.",
    discussion: """
      intent-send lint Intents                      all intents of a folder
      intent-send lint Intents/ShowWeather/en.yaml  one document, and what each template counts

      Finds templates that never match or never win, sentences that two intents share, empty branches,
      and templates that take another intent's examples. Exit status: 0 clean, 1 something was found.
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
    // A name that begins with a dash is a file's nevertheless.
    var arguments = [program, "--lint"] + files.map { $0.hasPrefix("-") ? "./" + $0 : $0 }
    if counts { arguments.append("--counts") }
    if common.json { arguments.append("--json") }
    return arguments
  }
}

/// The daemon's own program, in the place of ours.
enum DaemonProgram {
  /// Returns only by throwing: otherwise the other program has taken over.
  static func run(_ arguments: (String) -> [String]) throws(Failure) {
    let program = path(
      chosen: environment("INTENTD_EXECUTABLE"), ownPath: ownPath,
      isExecutable: { access($0, X_OK) == 0 })
    // The program that follows expects the usual signals.
    signal(SIGPIPE, SIG_DFL)
    let code = replaceProcess(program, arguments(program))
    signal(SIGPIPE, SIG_IGN)
    throw Failure(
      status: .failed, message: "cannot start '\(program)': \(systemMessage(code))",
      hints: ["install intentd beside intent-send, or name it with $INTENTD_EXECUTABLE"])
  }

  /// The program named by the environment, else the one beside ours, else whatever PATH has.
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

  private static var ownPath: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns only when it failed, with the error's number.
  private static func replaceProcess(_ program: String, _ arguments: [String]) -> Int32 {
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    // Looks along PATH when `program` has no slash.
    execvp(program, pointers)
    return errno
  }
}
