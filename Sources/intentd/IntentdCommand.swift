import ArgumentParser
import AuthorTools
import DaemonRuntime
import Glibc
import Logging
import PlainText
import ProgramStart

/// The daemon: options, wiring, exit codes.
@main
struct IntentdCommand: ParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "intentd",
    abstract: "Receives intents and reload requests and keeps widgets fresh.",
    usage: "intentd [<options>]",
    discussion: """
      intentd                               the daemon, in the foreground
      intentd --try weather --set city=Rome
      intentd --simulate --for 7d --kind weather
      intentd --lint ~/.config/intentd/intents
      intentd --config ./play --state ./play/state --socket ./play/socket

      Configuration is read from $XDG_CONFIG_HOME/intentd, $XDG_DATA_HOME/intentd and \
      $XDG_DATA_DIRS/intentd: widgets/*.yaml and intents/. SIGHUP reads it again, SIGTERM stops \
      cleanly.

      Exit codes: 0 stopped, 1 failed, 64 usage, 69 another daemon has the socket or the store.
      """,
    version: version)

  @Option(
    help: ArgumentHelp(
      "Listen here instead of $INTENTD_SOCKET or the runtime folder.", valueName: "path"))
  var socket: String?

  @Option(
    help: ArgumentHelp("Read widgets/ and intents/ from this folder only.", valueName: "folder"))
  var config: String?

  @Option(help: ArgumentHelp("Keep the store here.", valueName: "folder"))
  var state: String?

  @Option(help: ArgumentHelp("A further intents folder; may be repeated.", valueName: "folder"))
  var intents: [String] = []

  @Option(
    help: ArgumentHelp("A further folder of manifests; may be repeated.", valueName: "folder"))
  var widgets: [String] = []

  @Option(help: ArgumentHelp("error, warning, notice or debug.", valueName: "level"))
  var logLevel = LogLevel.notice

  @Option(
    help: ArgumentHelp(
      "The memory that all clients together may take: 64MB to 64GB.", valueName: "size"))
  var clientMemory = ClientMemory.standard

  @Option(
    name: .customLong("try"),
    help: ArgumentHelp(
      "Run the provider of this manifest or kind once, show everything, and exit.",
      valueName: "manifest"))
  var tryManifest: String?

  @Flag(help: "With --try: try again at each save, until Ctrl-C.")
  var watch = false

  @Option(
    help: ArgumentHelp(
      "With --try: timeline, or snapshot or placeholder, for a gallery.", valueName: "request"))
  var request = TrialRequest.timeline

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "With --try and --simulate: a parameter of the intent.", valueName: "name=value"))
  var parameters: [String] = []

  @Option(
    help: ArgumentHelp("With --try and --simulate: the family to ask for.", valueName: "family"))
  var family: String?

  @Flag(help: "With --try and --simulate: the expanded mode, of kinds that have it.") var expanded =
    false

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Say what is wrong with these sentence documents or intents folders, and exit.",
      valueName: "file"))
  var lint: [String] = []

  @Flag(help: "With --lint: list every template with the number of its sentences.")
  var counts = false

  @Flag(help: "With --try or --lint: print one JSON object; with --simulate one a line.")
  var json = false

  @OptionGroup var consents: ConsentOptions

  @OptionGroup var imports: ImportOptions

  @OptionGroup var simulation: SimulationOptions

  static func main() {
    StandardDescriptors.fill()
    ProgramSignals.unblock()
    let arguments = ProgramArguments.read(by: "intentd")
    if RunSupervision.isAsked(arguments) { Glibc.exit(RunSupervision.serve()) }
    // Best effort: without /proc or with an old kernel others can read it, as before.
    _ = RunSupervision.denyInspection()
    // As a service it has no arguments. Setting up the parser for none takes a tenth of the start.
    guard !arguments.isEmpty else { Glibc.exit(serve(options(), at: .notice)) }
    Glibc.exit(exitStatus(running: arguments))
  }

  func run() throws {
    try checkFolders()
    let options = Self.options(
      socketPath: socket.map(Self.absolute),
      configurationFolder: config.map(Self.absolute), stateFolder: state.map(Self.absolute),
      intentFolders: intents.map(Self.absolute), widgetFolders: widgets.map(Self.absolute))
    if let tryManifest {
      let trial = ManifestTrial(
        options: options, manifest: tryManifest, parameters: parameters, family: family,
        isExpanded: expanded, grant: consents.grant, kind: simulation.kinds.first,
        request: request)
      guard watch else { throw ExitCode(trial.run(asJSON: json)) }
      var trials = TrialWatch(trial, asJSON: json)
      throw ExitCode(trials.run())
    }
    if let status = consents.run(options, asJSON: json) { throw ExitCode(status) }
    if let status = imports.run(options, asJSON: json) { throw ExitCode(status) }
    if !lint.isEmpty {
      throw ExitCode(DocumentLint(paths: lint, showsCounts: counts).run(asJSON: json))
    }
    if simulation.simulate {
      let rehearsal = Rehearsal(
        options: options,
        plan: try simulation.plan(
          parameters: parameters, family: family, isExpanded: expanded),
        asJSON: json)
      throw ExitCode(rehearsal.run())
    }
    var service = options
    service.clientBytesMax = clientMemory.bytes
    let status = Self.serve(service, at: logLevel)
    if status != 0 { throw ExitCode(status) }
  }

  private static func options(
    socketPath: String? = nil, configurationFolder: String? = nil, stateFolder: String? = nil,
    intentFolders: [String] = [], widgetFolders: [String] = []
  ) -> RuntimeOptions {
    RuntimeOptions(
      environment: environment(), userID: getuid(), version: version, socketPath: socketPath,
      configurationFolder: configurationFolder, stateFolder: stateFolder,
      intentFolders: intentFolders, widgetFolders: widgetFolders)
  }

  /// Runs the daemon until it is asked to stop; returns the exit status.
  private static func serve(_ options: RuntimeOptions, at level: LogLevel) -> Int32 {
    let isJournal = options.environment["JOURNAL_STREAM"] != nil
    let journal = JournalSocket(stream: options.environment["JOURNAL_STREAM"])
    let log = Logger(label: "intentd") { _ in
      ServiceLogHandler(level: level.level, isJournal: isJournal, journal: journal)
    }
    do throws(ServiceError) {
      try Service(options: options, log: log).run()
      return 0
    } catch {
      if journal == nil {
        complain(error.message)
      } else {
        log.error("daemon.failed", metadata: ["reason": .string(error.message)])
      }
      return error.isUnavailable ? 69 : 1
    }
  }

  /// Refuses a folder that the command line names and that is not there: the daemon would run, and
  /// offer nothing.
  private func checkFolders() throws {
    let named =
      [("--config", config)] + widgets.map { ("--widgets", $0) } + intents.map { ("--intents", $0) }
    for case (let option, let folder?) in named {
      var status = stat()
      let isThere = stat(folder, &status) == 0
      if isThere, status.st_mode & S_IFMT == S_IFDIR { continue }
      Self.complain(
        isThere
          ? "\(folder) is not a folder\n  give \(option) a folder"
          : "the folder \(folder) does not exist\n  make it, or give \(option) another one")
      throw ExitCode(64)
    }
  }

  static func complain(_ message: String) {
    // Best effort: standard error may be closed.
    _ = StandardDescriptors.write(TerminalText("intentd: \(message)\n"), to: .messages)
  }

  private static func environment() -> [String: String] {
    var variables: [String: String] = [:]
    var pointer = environ
    while let entry = pointer.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      pointer += 1
    }
    return variables
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }
}

/// The budget for what clients make the daemon hold, as it is written: `256MB`.
struct ClientMemory: ExpressibleByArgument, CustomStringConvertible {
  static let standard = ClientMemory(bytes: RuntimeLimits.clientBytesMax)

  let bytes: Int

  private init(bytes: Int) { self.bytes = bytes }

  init?(argument: String) {
    guard let bytes = RuntimeOptions.clientBytes(argument) else { return nil }
    self.init(bytes: bytes)
  }

  var description: String { RuntimeOptions.text(ofBytes: bytes) }
}

/// The log levels that a person may choose.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
  case error, warning, notice, debug

  var level: Logger.Level {
    switch self {
    case .error: .error
    case .warning: .warning
    case .notice: .notice
    case .debug: .debug
    }
  }
}

extension TrialRequest: ExpressibleByArgument {}
