import ArgumentParser
import Glibc
import IntentProtocol
import JSON

struct Status: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Print how the daemon is, and what is wrong with the configuration.",
    discussion: "intent-send status")

  @OptionGroup var common: CommonOptions

  func run(_ daemon: inout Daemon) throws(Failure) {
    let result = try daemon.ask(.daemonStatus)
    daemon.show(result) { $0.fields(result) }
  }
}

struct History: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Print what happened and why, newest first.",
    discussion: """
      intent-send history
      intent-send history --widget weather --limit 10
      """)

  @OptionGroup var common: CommonOptions
  @Option(help: "Only of this widget.", completion: .custom(completeWidgets)) var widget: String?
  @Option(help: "At most this many, up to 1000.") var limit: Int?

  func run(_ daemon: inout Daemon) throws(Failure) {
    var params = JSONObject()
    if let widget { params["widget"] = .string(widget) }
    if let limit { params["limit"] = .int(Int64(limit)) }
    let result = try daemon.ask(.daemonHistory, params)
    daemon.show(result) { $0.history(result) }
  }
}

struct ReloadConfig: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload-config",
    abstract: "Read manifests and intents again, and print their mistakes.",
    discussion: "intent-send reload-config")

  @OptionGroup var common: CommonOptions

  func run(_ daemon: inout Daemon) throws(Failure) {
    // It waits for the disk, not for providers.
    let result = try daemon.ask(.daemonReloadConfiguration, milliseconds: 30_000)
    daemon.show(result) { $0.fields(result) }
    let issues = result["issues"]?.arrayValue ?? []
    if issues.contains(where: { $0["severity"] != "warning" }) {
      throw Failure(status: .failed, message: "")
    }
  }
}

/// Any method, by its name.
struct Call: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "call",
    abstract: "Call a method of the protocol, and print its result as JSON.",
    discussion: """
      intent-send call daemon.ping
      intent-send call widget.receipt '{"id":"r7","wait":true}'
      """)

  @OptionGroup var common: CommonOptions
  @Option(help: "How long to wait: seconds, or a number with s, m or h.")
  var timeout = Seconds(milliseconds: 35_000)
  @Argument(
    help: "The method, as widget.list.", completion: .list(Method.allCases.map(\.rawValue)))
  var method: String
  @Argument(help: "The parameters, an object or array; - reads standard input.") var params: String?

  func run(_ daemon: inout Daemon) throws(Failure) {
    let result = try daemon.ask(
      named: method, try parameters(), milliseconds: timeout.milliseconds)
    Output.print(result)
  }

  private func parameters() throws(Failure) -> JSONValue? {
    guard let params else { return nil }
    let value: JSONValue
    if params == "-" {
      value = try readJSON(params)
    } else {
      do throws(JSONError) {
        value = try JSONValue(parsing: params)
      } catch {
        throw Failure(
          status: .usage, message: "the parameters are not JSON: \(error.message)",
          hints: ["write them as: intent-send call \(method) '{\"name\":\"value\"}'"])
      }
    }
    guard value.objectValue != nil || value.arrayValue != nil else {
      throw Failure(
        status: .usage,
        message: "the parameters are \(value.typeName), the protocol takes an object or an array",
        hints: ["write them as: intent-send call \(method) '{\"name\":\"value\"}'"])
    }
    return value
  }
}

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
    let program = Self.daemonProgram(
      chosen: environment("INTENTD_EXECUTABLE"), ownPath: Self.ownPath,
      isExecutable: { access($0, X_OK) == 0 })
    // The program that follows expects the usual signals.
    signal(SIGPIPE, SIG_DFL)
    let code = Self.replaceProcess(program, arguments(for: program))
    signal(SIGPIPE, SIG_IGN)
    throw Failure(
      status: .failed, message: "cannot start '\(program)': \(systemMessage(code))",
      hints: ["install intentd beside intent-send, or name it with $INTENTD_EXECUTABLE"])
  }

  func arguments(for program: String) -> [String] {
    var arguments = [program, "--try", manifest]
    for assignment in parameters.assignments { arguments += ["--set", assignment] }
    if let family { arguments += ["--family", family] }
    if common.json { arguments.append("--json") }
    return arguments
  }

  /// The program named by the environment, else the one beside ours, else whatever PATH has.
  static func daemonProgram(
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
