/// Reads the settings of i3blocks: blocks, and properties before the first one that all have.
///
/// Each property but the command becomes a variable, as i3blocks 1.5 gives them to its blocks.
package enum BlocksImport {
  package static func read(_ source: ImportSource) -> ImportReading {
    var reading = ImportReading()
    let lines = SettingsLines(source.bytes, source.path, .verbatim, into: &reading)
    let globals = lines.sections.first?.entries ?? []
    let keys = lines.sections.flatMap(\.entries).map(\.key)
    let hasLabels = keys.allSatisfy(Self.keys.contains)
    for section in lines.sections.dropFirst() {
      var block = section
      block.entries = globals + section.entries
      let isFull = reading.isFull
      reading.add(
        ImportedModule(
          name: section.name, file: section.file, line: section.line,
          outcome(of: block, source, hasLabels: hasLabels)))
      if isFull { break }
    }
    // After all mistakes, of which only some are kept.
    for warning in BlockSlips(sections: lines.sections, known: Self.keys).warnings() {
      reading.note(warning)
    }
    return reading
  }

  /// The properties that 1.4 knows, and with which it shows labels: it refuses settings with any
  /// other, which 1.5 takes as a variable, as it does a label.
  private static let keys: Set<String> = [
    "align", "background", "border", "color", "command", "format", "full_text", "instance",
    "interval", "label", "markup", "min_width", "name", "separator", "separator_block_width",
    "short_text", "signal", "urgent",
  ]

  private static func outcome(
    of block: SettingsLines.Section, _ source: ImportSource, hasLabels: Bool
  ) -> ImportedModule.Outcome {
    let building = ModuleBuilding(
      home: source.home, folder: ImportSource.folder(of: block.file))
    do throws(ModuleBuilding.Refusal) {
      let exec = try building.arguments(block["command"]?.value ?? "", "command")
      guard !exec.isEmpty else {
        return .hasNoCommand(
          block["full_text"] == nil
            ? "no command, nothing to show" : "no command, its text never changes")
      }
      return .taken(plugin(exec, block, hasLabels: hasLabels))
    } catch {
      return .refused(error.reason)
    }
  }

  private static func plugin(
    _ exec: [String], _ block: SettingsLines.Section, hasLabels: Bool
  ) -> ImportedPlugin {
    var plugin = ImportedPlugin(exec, PluginDeclaration(.i3blocks, .never))
    schedule(block["interval"]?.value ?? "", of: &plugin)
    if let signal = block["signal"]?.value {
      plugin.declaration.signal = ModuleBuilding.signal(Int64(ShellWords.trimmed(signal)))
      if plugin.declaration.signal == nil, signal != "0" { plugin.leftOut.append("signal") }
    }
    plugin.environment = variables(of: block)
    plugin.declaration.look = LookImport.block(
      { block[$0]?.value }, hasLabels: hasLabels, leftOut: &plugin.leftOut)
    let shown = [
      "border", "border_top", "border_right", "border_bottom", "border_left", "urgent",
      "separator", "separator_block_width",
    ]
    plugin.leftOut += shown.filter { block[$0].map { !$0.value.isEmpty } ?? false }
    return plugin
  }

  private static func schedule(_ written: String, of plugin: inout ImportedPlugin) {
    switch ShellWords.trimmed(written) {
    case "once", "-1": plugin.declaration.schedule = .once
    case "repeat", "-2":
      // It is started again when it ends, as it does after each event.
      plugin.declaration.schedule = .every(PluginLimits.importIntervalMilliseconds.lowerBound)
    case "persist", "-3":
      plugin.declaration.isStream = true
      plugin.declaration.schedule = .once
    case let text:
      if let period = Double(text).flatMap(ModuleBuilding.milliseconds) {
        plugin.declaration.schedule = .every(period)
      } else if !text.isEmpty, Double(text) != 0 {
        plugin.leftOut.append("interval")
      }
    }
  }

  private static func variables(
    of block: SettingsLines.Section
  ) -> [PluginVariable] {
    var variables = [PluginVariable("BLOCK_NAME", block.name)]
    variables.append(PluginVariable("BLOCK_INSTANCE", block["instance"]?.value ?? ""))
    var seen: Set<String> = ["command", "BLOCK_NAME", "BLOCK_INSTANCE"]
    // The value that is written last counts.
    for entry in block.entries.reversed() {
      guard variables.count < PluginLimits.importVariableCountMax,
        ShellWords.isVariableName(entry.key), seen.insert(entry.key).inserted,
        !entry.value.utf8.contains(0)
      else { continue }
      variables.append(PluginVariable(entry.key, entry.value))
    }
    return variables.sorted { $0.name < $1.name }
  }
}
