import Foundation
import PackagePlugin

/// Makes the classes of the definition files (`.intentdefinition`) of a target, as Xcode does.
@main
struct IntentDefinitions: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let tool = try context.tool(named: "intent-classes")
    return Self.definitionFiles(of: target).map { file in
      let output = context.pluginWorkDirectoryURL.appending(path: file.name + ".intents.swift")
      return .buildCommand(
        displayName: "Making classes of \(file.url.lastPathComponent)",
        executable: tool.url, arguments: [file.url.path(), output.path()],
        inputFiles: [file.url], outputFiles: [output])
    }
  }

  /// The definition files, one for those that differ in their language alone.
  ///
  /// A file in `Base.lproj` may have whole copies in other languages beside it. Its translations in
  /// `.strings` say nothing about classes.
  private static func definitionFiles(
    of target: any SourceModuleTarget
  ) -> [(url: URL, name: String)] {
    var files: [String: URL] = [:]
    let found = target.sourceFiles.map(\.url).filter { $0.pathExtension == "intentdefinition" }
    // "Base.lproj" sorts before the languages' folders, whose names are in small letters.
    for url in found.sorted(by: { $0.path() < $1.path() }) {
      let folder = url.deletingLastPathComponent()
      let place = folder.pathExtension == "lproj" ? folder.deletingLastPathComponent() : folder
      let key = place.appending(path: url.lastPathComponent).path()
      if files[key] == nil { files[key] = url }
    }
    var names: [String: Int] = [:]
    return files.values.sorted { $0.path() < $1.path() }.map { url in
      let name = url.deletingPathExtension().lastPathComponent
      // Two files of a module cannot have one name, wherever they are.
      names[name, default: 0] += 1
      let count = names[name] ?? 1
      return (url, count == 1 ? name : "\(name)-\(count)")
    }
  }
}
