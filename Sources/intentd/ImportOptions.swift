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
  @Option(
    name: .customLong("import-patch"),
    help: ArgumentHelp(
      "Also make the patch of the settings: a JSON object of widgets by their kinds.",
      valueName: "json", visibility: .hidden))
  var widgets: String?

  /// Returns the exit code of the import that is asked for; `nil`: none is.
  func run(_ options: RuntimeOptions, asJSON: Bool) -> Int32? {
    guard let path else { return nil }
    var tool = PluginImport(
      options: options, path: path, widgets: widgets.map(PluginImport.widgets))
    return tool.run(asJSON: asJSON)
  }
}
