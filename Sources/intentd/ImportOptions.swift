import ArgumentParser
import AuthorTools
import DaemonRuntime

/// The option that `intent-send import` passes on.
struct ImportOptions: ParsableArguments {
  @Option(
    name: .customLong("import"),
    help: ArgumentHelp(
      "Make manifests of the settings of another bar, or of scripts, and exit.", valueName: "path"))
  var path: String?

  /// Returns the exit code of the import that is asked for; `nil`: none is.
  func run(_ options: RuntimeOptions, asJSON: Bool) -> Int32? {
    guard let path else { return nil }
    var tool = PluginImport(options: options, path: path)
    return tool.run(asJSON: asJSON)
  }
}
