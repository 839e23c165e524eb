import Documents
import JSON
import Plugins
import WidgetCenter

/// Fuzzes the way of a script into the daemon: the manifest that `import` or `install` writes for
/// it is one that the daemon reads, and it says the same there.
///
/// The first byte chooses the family of a script. Sections of the rest are the settings of a bar, a
/// file that they include, the name of a script, and the script.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes(start, count)
  guard let choice = input.first else { return 0 }
  let parts = sections(Array(input.dropFirst()), countMax: 4)
  let source = ImportSource(
    path: "/h/config", bytes: parts[0], home: "/h", environment: ["A": "a b"]
  ) { _ in parts.count > 1 ? .bytes(parts[1]) : .missing("none") }
  for format in ImportFormat.allCases {
    for module in source.read(format).modules.prefix(8) {
      guard let plugin = module.plugin else { continue }
      let manifest = ImportedManifest(kind: module.kind, module: module, plugin: plugin)
      check(manifest.text { _ in "0" }, plugin)
    }
  }
  if parts.count > 3 {
    let formats: [PluginFormat?] = [nil, .xbar, .swiftbar, .argos]
    // No folder has a file with these in its name.
    let name = String(line(parts[2]).unicodeScalars.filter { $0 != "\0" && $0 != "/" })
    let read = InstalledPlugin.read(
      name, parts[3], format: formats[Int(choice) % formats.count])
    if case .success(let script) = read { checkInstalled(script) }
  }
  return 0
}

private func check(_ text: String, _ plugin: ImportedPlugin) {
  let kind = kind(text)
  precondition(kind.provider.exec == plugin.exec, "another command")
  var declaration = plugin.declaration
  // A stream has no schedule, and these are words of scripts alone.
  if declaration.isStream { declaration.schedule = .once }
  precondition(kind.provider.plugin == declaration, "another plugin: \(text)")
  precondition(
    kind.provider.environment.map(\.name) == plugin.environment.map(\.name)
      && zip(kind.provider.environment, plugin.environment).allSatisfy {
        $0.value.utf8.elementsEqual($1.value.utf8)
      }, "other variables")
}

private func checkInstalled(_ script: InstalledPlugin) {
  let kind = kind(script.manifest)
  precondition(kind.provider.exec == ["./" + script.file], "another command")
  precondition(kind.provider.plugin?.format == script.format)
  precondition(kind.asked.network == (script.networkWord != nil), "the network")
  precondition(kind.isStrict, "a download outside of a box")
}

private func kind(_ text: String) -> WidgetKind {
  let document = within(2_000, "reading") { readYAML(text, file: "a.yaml") }
  guard let value = document.value, document.issues.isEmpty else {
    preconditionFailure("a manifest that is no YAML: \(document.issues)\n\(text)")
  }
  let read = within(1_000, "judging") {
    ManifestReader.read(ManifestSource(file: "a.yaml", directory: "/a", document: value))
  }
  let issues = read.issues
  guard let kind = read.kind, read.kinds.count == 1,
    !issues.contains(where: { $0.severity == .error })
  else {
    preconditionFailure("a manifest that is refused: \(issues)\n\(text)")
  }
  return kind
}
