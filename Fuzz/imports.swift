import Plugins

/// Fuzzes the readers of other bars' settings, the splitting of commands, and the manifests.
///
/// Sections of an input are the file, a file that it includes, and a manifest that is there. Each
/// reader takes any bytes; what it returns keeps the limits of a manifest, and a manifest knows its
/// own text.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let parts = sections(bytes(start, count), countMax: 3)
  let source = ImportSource(
    path: "/h/config", bytes: parts[0], home: "/h", environment: ["A": "a b"]
  ) { path in
    precondition(path.utf8.first == UInt8(ascii: "/"), "a path that is not absolute")
    return parts.count > 1 ? .bytes(parts[1]) : .missing("none")
  }
  _ = ImportFormat.of(parts[0])
  for format in ImportFormat.allCases {
    let reading = within(2_000, "reading") { source.read(format) }
    precondition(reading.modules.count <= PluginLimits.importModuleCountMax)
    precondition(reading.problems.count <= PluginLimits.warningCountMax)
    for module in reading.modules { check(module, parts) }
  }
  checkWords(text(parts[0]))
  return 0
}

private func check(_ module: ImportedModule, _ parts: [[UInt8]]) {
  precondition(isKind(module.kind))
  guard let plugin = module.plugin else { return }
  let declaration = plugin.declaration
  precondition(plugin.environment.count <= PluginLimits.importVariableCountMax)
  for words in [plugin.exec, declaration.condition] + declaration.clicks.values {
    precondition(words.count <= PluginLimits.importWordCountMax)
    precondition(words.first != "" && words.allSatisfy { !$0.utf8.contains(0) })
  }
  precondition(!plugin.exec.isEmpty)
  if case .every(let period) = declaration.schedule {
    precondition(PluginLimits.importIntervalMilliseconds.contains(period))
  }
  precondition(declaration.signal.map { (1...30).contains($0) } ?? true)
  let manifest = ImportedManifest(kind: module.kind, module: module, plugin: plugin)
  let text = manifest.text { "\($0.utf8.count)" }
  precondition(manifest.judge(text) { "\($0.utf8.count)" } == .untouched, "it does not know itself")
  precondition(
    text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
  if parts.count > 2 { _ = manifest.judge(String(decoding: parts[2], as: UTF8.self)) { $0 } }
}

private func isKind(_ kind: String) -> Bool {
  guard let first = kind.utf8.first else { return false }
  return first != UInt8(ascii: ".") && first != UInt8(ascii: "-")
    && kind.utf8.count <= PluginLimits.importKindBytesMax
    && kind.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || byte == 45 || byte == 46 || byte == 95
    }
}

/// Words that were split, put in quotes and split again are the same words.
private func checkWords(_ command: String) {
  let reading = within(1_000, "splitting") { ShellWords.read(command, home: "/h") }
  guard case .words(let words) = reading, !words.isEmpty else { return }
  let quoted = words.map { word in
    let parts = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'\(parts.joined(separator: "'\\''"))'"
  }
  let again = ShellWords.read(quoted.joined(separator: " "))
  // In quotes the command may be too long.
  if case .unreadable = again { return }
  precondition(again == reading, "other words came back")
}
