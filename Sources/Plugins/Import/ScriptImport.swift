import JSON

/// Makes modules of scripts for xbar, SwiftBar and Argos, which say what they are by their names
/// and tags.
package enum ScriptImport {
  /// A file of a folder of scripts.
  package struct Script: Hashable, Sendable {
    package var source: PluginSource
    /// Whether it has no bytes.
    package var isEmpty: Bool
    /// Whether it may not be executed, and its first line names no interpreter.
    package var isData: Bool

    package init(_ source: PluginSource, isEmpty: Bool = false, isData: Bool = false) {
      self.source = source
      self.isEmpty = isEmpty
      self.isData = isData
    }

    var name: String { source.name }
  }

  /// Returns a module for each script, in the order given; values of variables are none.
  package static func read(_ scripts: [Script]) -> ImportReading {
    var reading = ImportReading()
    for script in scripts {
      let isFull = reading.isFull
      if let module = module(script) { reading.add(module) }
      if isFull { break }
    }
    return reading
  }

  private static func module(_ script: Script) -> ImportedModule? {
    let tags = PluginTags(script.source.tags)
    let format =
      script.source.package == nil
      ? script.source.format ?? tags.format ?? .xbar : PluginFormat.swiftbar
    func without(_ reason: String) -> ImportedModule {
      ImportedModule(
        name: script.name, file: script.source.path, line: 1, .hasNoCommand(reason))
    }
    switch PluginFileName.read(script.name, format) {
    case .failure(let refused):
      switch refused {
      case .values: return nil
      case .hidden: return without("a hidden file")
      case .turnedOff: return without("turned off by its name")
      case .text: return without("a text, and no script")
      case .nameless: return without("its name has no letter and no digit")
      }
    case .success(let name):
      if script.isEmpty { return without("the file is empty") }
      if script.isData { return without("no script, so it is taken for data of one") }
      var module = ImportedModule(
        name: script.name, file: script.source.path, line: 1, kind: name.name,
        .taken(plugin(script, name, tags, format)))
      if !script.source.isExecutable {
        let reason = "it may not be executed"
        module.outcome =
          format == .argos
          ? .hasNoCommand("\(reason), so Argos skips it")
          : .refused("\(reason): chmod u+x \(quoted(script.source.path))")
      }
      return module
    }
  }

  private static func plugin(
    _ script: Script, _ name: PluginFileName, _ tags: PluginTags, _ format: PluginFormat
  ) -> ImportedPlugin {
    var plugin = ImportedPlugin([script.source.path], PluginDeclaration(format, name.schedule))
    // Argos knows no tags, and xbar knows no others than those of variables.
    if format == .swiftbar, !tags.schedule.isEmpty, let text = cron(script.source.tags.text) {
      plugin.declaration.schedule = .cron(tags.schedule)
      plugin.cron = text
    }
    plugin.declaration.isStream = format == .swiftbar && tags.isStream
    plugin.declaration.hasTrailingSeparator =
      plugin.declaration.isStream && tags.hasTrailingSeparator
    plugin.declaration.runsWhenOpened =
      name.runsWhenOpened || format == .swiftbar && tags.runsWhenOpened
    if format == .swiftbar, tags.isAlwaysVisible {
      plugin.declaration.emptyTitle = tags.title ?? name.name
    }
    guard format != .argos else { return plugin }
    var variables: [String: String] = [:]
    for variable in tags.variables where !variable.value.isEmpty {
      variables[variable.name] = variable.value
    }
    for variable in format == .swiftbar ? tags.environment : [] {
      variables[variable.name] = variable.value
    }
    for member in script.source.values.members where PluginVariable.isName(member.key) {
      variables[member.key] = member.value.stringValue ?? member.value.serialized
    }
    plugin.environment = variables.sorted { $0.key < $1.key }
      .prefix(PluginLimits.importVariableCountMax).map { PluginVariable($0.key, $0.value) }
    return plugin
  }

  /// The text of the last schedule that can be read.
  private static func cron(_ tags: String) -> String? {
    var found: String?
    for line in tags.split(whereSeparator: \.isNewline) {
      for tag in TagText.all(in: line.utf8[...])
      where tag.name == "schedule" && CronLine.lines(tag.value) != nil {
        found = ShellWords.trimmed(tag.value)
      }
    }
    return found
  }

  /// A path in single quotes, as a shell reads it.
  private static func quoted(_ path: String) -> String {
    let parts = path.split(separator: "'", omittingEmptySubsequences: false)
    return "'\(parts.joined(separator: "'\\''"))'"
  }
}
