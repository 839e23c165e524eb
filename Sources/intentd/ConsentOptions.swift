import ArgumentParser
import AuthorTools
import DaemonRuntime

/// The options that `intent-send install`, `uninstall` and `permissions` pass on.
struct ConsentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Take in a widget from elsewhere, show what it asks for, and exit.", valueName: "path"))
  var install: String?

  @Option(help: ArgumentHelp("Remove what --install took in, and exit.", valueName: "kind"))
  var uninstall: String?

  @Flag(help: "List what kinds ask for and were granted, and exit.")
  var permissions = false

  @Option(help: ArgumentHelp("With --permissions: only this kind.", valueName: "kind"))
  var of: String?

  @Option(
    help: ArgumentHelp(
      "With --install and --permissions: grant what is asked for, or nothing; with --try: run it in a box with that.",
      valueName: "asked|none"))
  var grant: Grant?

  @Flag(help: "With --install and --permissions: ask nobody.")
  var yes = false

  @Flag(help: "With --grant: only what was not granted, or changed since then.")
  var ifNeeded = false

  /// Returns the exit code of the tool that is asked for; `nil`: none is.
  func run(_ options: RuntimeOptions, asJSON: Bool) -> Int32? {
    if let install {
      return Installation(options: options, path: install, grant: grant ?? (yes ? .asked : nil))
        .run(asJSON: asJSON)
    }
    if let uninstall {
      return Uninstallation(options: options, kind: uninstall).run(asJSON: asJSON)
    }
    guard permissions else { return nil }
    var tool = PermissionsTool(options: options, kind: of, grant: grant, isAnswered: yes)
    tool.isForNeedsOnly = ifNeeded
    return tool.run(asJSON: asJSON)
  }
}

extension Grant: ExpressibleByArgument {}
