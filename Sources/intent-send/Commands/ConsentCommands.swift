import ArgumentParser
import IntentProtocol
import JSON

/// Commands about widgets from elsewhere and what they may do.
///
/// The program `intentd` reads the files, shows them and asks; a daemon that runs is told
/// afterwards.

/// Takes in a widget that comes from elsewhere.
struct Install: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Take in a widget from elsewhere: it runs in a box.",
    discussion: """
      intent-send install ./tide                  shows what it asks for, asks you
      intent-send install ./tide --grant none     it runs, with nothing of yours
      intent-send install ./tide --yes            it gets what it asks for
      intent-send install ./cpu.5s.sh             a script of another bar

      A manifest, a script, or a folder with one. Links, devices, and programs of yours outside the \
      folder are refused. The files are copied; whoever changes the copy stops the widget. Exit status: \
      0 installed, 1 refused, 4 a person has to answer first.
      """)

  @OptionGroup var common: CommonOptions
  @Option(
    help: "The answer in advance: what it asks for, or nothing.",
    completion: .list(GrantWord.allCases.map(\.rawValue)))
  var grant: GrantWord?
  @Flag(help: "Install it, and grant what it asks for.") var yes = false
  @Argument(
    help: "A manifest, a script of another bar, or the folder with it.", completion: .file())
  var path: String

  mutating func run() throws {
    try ConsentTool.run(common) { arguments(for: $0) }
  }

  func arguments(for program: String) -> [String] {
    var arguments = [program, "--install", path.hasPrefix("-") ? "./" + path : path]
    if let grant { arguments += ["--grant", grant.rawValue] }
    if yes { arguments.append("--yes") }
    if common.json { arguments.append("--json") }
    return arguments
  }
}

/// An answer to the question of `install`.
enum GrantWord: String, CaseIterable, ExpressibleByArgument { case none, asked }

/// Removes what `install` took in.
struct Uninstall: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall",
    abstract: "Remove a widget's program that was installed, and its permissions.",
    discussion: "intent-send uninstall org.example.tide")

  @OptionGroup var common: CommonOptions
  @Argument(help: "The kind.", completion: .custom(completeKinds)) var kind: String

  mutating func run() throws {
    try ConsentTool.run(common) {
      [$0, "--uninstall=\(kind)"] + (common.json ? ["--json"] : [])
    }
  }
}

/// Lists, grants and takes back permissions.
struct Permissions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "permissions",
    abstract: "Print what widgets may do; grant it, or take it back.",
    discussion: """
      intent-send permissions                      every kind in a box
      intent-send permissions me.tide              one kind
      intent-send permissions me.tide --grant      what it asks for, if you say yes
      intent-send permissions me.tide --revoke     nothing, from its next run on

      A program that changed since you agreed to it does not run; --grant agrees to it as it is \
      now. Exit status: 0 done, 1 refused, 4 a person has to answer first.
      """)

  @OptionGroup var common: CommonOptions
  @Flag(help: "Grant what it asks for, and agree to its program as it is now.") var grant = false
  @Flag(help: "Take everything back.") var revoke = false
  @Flag(help: "With --grant: ask nobody.") var yes = false
  @Argument(help: "The kind; without it all.", completion: .custom(completeKinds))
  var kind: String?

  func validate() throws {
    guard !(grant && revoke) else {
      throw ValidationError("--grant and --revoke exclude each other")
    }
    guard kind != nil || !(grant || revoke) else {
      throw ValidationError("name the kind: intent-send permissions KIND --grant")
    }
  }

  mutating func run() throws {
    try ConsentTool.run(common, changes: grant || revoke) { arguments(for: $0) }
  }

  func arguments(for program: String) -> [String] {
    var arguments = [program, "--permissions"]
    if let kind { arguments.append("--of=\(kind)") }
    if grant { arguments += ["--grant", "asked"] }
    if revoke { arguments += ["--grant", "none"] }
    if yes { arguments.append("--yes") }
    if common.json { arguments.append("--json") }
    return arguments
  }
}

/// Runs `intentd` for a command about consents, then tells the daemon.
enum ConsentTool {
  /// Ends with the tool's status; a daemon that is running reads its files again before.
  static func run(
    _ common: CommonOptions, changes: Bool = true, _ arguments: (String) -> [String]
  ) throws(Failure) {
    let status = try DaemonProgram.runAndWait(arguments)
    guard status == 0 else {
      throw Failure(status: ProgramStatus(rawValue: status) ?? .failed, message: "")
    }
    if changes { reload(common) }
  }

  /// Lets a daemon read its files again.
  ///
  /// Without a daemon there is nothing to do: the next one reads them when it starts. A daemon that
  /// cannot answer sees the change by itself.
  private static func reload(_ common: CommonOptions) {
    do throws(Failure) {
      var daemon = try Daemon(socketPath: common.socketPath, printsJSON: false)
      _ = try daemon.ask(.daemonReloadConfiguration)
    } catch {
      // Said above: nothing is lost.
    }
  }
}
