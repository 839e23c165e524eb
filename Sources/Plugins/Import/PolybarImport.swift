/// Reads the settings of polybar: sections that inherit and refer to each other.
///
/// `custom/script` and `custom/ipc` become plugins; the other modules are parts of polybar.
package struct PolybarImport {
  private let source: ImportSource
  private var reading = ImportReading()
  private var sections: [SettingsLines.Section] = []
  /// The place in `sections` by name.
  private var places: [String: Int] = [:]
  private var includeCount = 0
  /// References of a module that were followed; each may name several others.
  private var lookupCount = 0

  package static func read(_ source: ImportSource) -> ImportReading {
    var reader = PolybarImport(source)
    var files = [source.path]
    reader.add(source.bytes, source.path, &files)
    reader.readModules()
    return reader.reading
  }

  private init(_ source: ImportSource) { self.source = source }

  // MARK: Files

  private mutating func add(_ bytes: [UInt8], _ path: String, _ files: inout [String]) {
    let lines = SettingsLines(bytes, path, .trimmed, into: &reading)
    for section in lines.sections {
      for entry in section.entries where entry.key == "include-file" {
        include(entry, path, &files)
      }
      guard section.line > 0 else { continue }
      if let place = places[section.name] {
        sections[place].entries += section.entries
      } else {
        places[section.name] = sections.count
        sections.append(section)
      }
    }
  }

  private mutating func include(
    _ entry: SettingsLines.Entry, _ file: String, _ files: inout [String]
  ) {
    let path = source.path(of: entry.value, in: ImportSource.folder(of: file))
    guard !files.contains(path) else { return }
    files.append(path)
    includeCount += 1
    guard includeCount <= PluginLimits.importIncludeCountMax else {
      reading.note(
        file, line: entry.line,
        "only the first \(PluginLimits.importIncludeCountMax) included files are read")
      return
    }
    switch source.include(path) {
    case .missing(let reason):
      reading.note(file, line: entry.line, "the included file \(path) is not read: \(reason)")
    case .bytes(let bytes): add(bytes, path, &files)
    }
  }

  // MARK: Modules

  private mutating func readModules() {
    var shown: [(name: String, line: Int, file: String)] = []
    var hasBar = false
    for section in sections where section.name.hasPrefix("bar/") {
      do throws(ModuleBuilding.Refusal) {
        lookupCount = 0
        try checkParents(of: section)
      } catch {
        let line = section["inherit"]?.line ?? section.line
        reading.note(section.file, line: line, "\(section.name): \(error.reason)")
      }
      for key in ["modules-left", "modules-center", "modules-right"] {
        lookupCount = 0
        let line = section[key]?.line ?? section.line
        do throws(ModuleBuilding.Refusal) {
          guard let list = try value(section, key) else { continue }
          hasBar = true
          let names = list.split { $0 == " " || $0 == "\t" }
          shown += names.map { (String($0), line, section.file) }
        } catch {
          reading.note(section.file, line: line, "\(key): \(error.reason)")
        }
      }
    }
    let names = Set(shown.map(\.name))
    for section in sections where section.name.hasPrefix("module/") {
      let name = String(section.name.dropFirst("module/".count))
      lookupCount = 0
      var module = ImportedModule(
        name: name, file: section.file, line: section.line, outcome(of: section))
      module.isShown = !hasBar || names.contains(name)
      let isFull = reading.isFull
      reading.add(module)
      if isFull { return }
    }
    for (name, line, file) in shown where places["module/" + name] == nil && !reading.isFull {
      reading.add(
        ImportedModule(
          name: name, file: file, line: line, .hasNoCommand("the file does not define it")))
    }
  }

  private mutating func outcome(of section: SettingsLines.Section) -> ImportedModule.Outcome {
    do throws(ModuleBuilding.Refusal) {
      try checkParents(of: section)
      switch try value(section, "type") {
      case "custom/script": return try script(section)
      case "custom/ipc": return try messages(section)
      case nil: return .hasNoCommand("no type, so polybar shows nothing either")
      case let type?:
        return .hasNoCommand(
          type.hasPrefix("internal/") ? "built into polybar" : "a \(type), nothing to run")
      }
    } catch {
      return .refused(error.reason)
    }
  }

  private mutating func script(
    _ section: SettingsLines.Section
  ) throws(ModuleBuilding.Refusal) -> ImportedModule.Outcome {
    let building = ModuleBuilding(home: source.home, folder: source.home)
    let command = try value(section, "exec") ?? ""
    let exec = try building.arguments(command, "exec")
    guard !exec.isEmpty else { return .hasNoCommand("no exec, nothing to show") }
    var plugin = ImportedPlugin(exec, PluginDeclaration(.polybar, .once))
    let seconds = try value(section, "interval").flatMap { Double($0) }
    if try value(section, "tail") == "true" {
      plugin.declaration.isStream = true
      plugin.declaration.restart = seconds.flatMap(ModuleBuilding.milliseconds)
    } else {
      // Source: polybar's custom/script, whose interval is five seconds.
      let period = ModuleBuilding.milliseconds(seconds ?? 5)
      plugin.declaration.schedule = .every(
        period ?? PluginLimits.importIntervalMilliseconds.lowerBound)
      plugin.declaration.retry = try milliseconds(section, "interval-fail")
      plugin.declaration.recheck = try milliseconds(section, "interval-if")
    }
    plugin.declaration.condition = try building.arguments(
      try value(section, "exec-if") ?? "", "exec-if")
    if plugin.declaration.condition.isEmpty { plugin.declaration.recheck = nil }
    try finish(&plugin, section, building)
    return .taken(plugin)
  }

  /// Milliseconds of a time in seconds; `nil`: the section has none.
  private mutating func milliseconds(
    _ section: SettingsLines.Section, _ key: String
  ) throws(ModuleBuilding.Refusal) -> Int64? {
    try value(section, key).flatMap { Double($0) }.flatMap(ModuleBuilding.milliseconds)
  }

  /// A module that runs a hook for each message; the first one that is run is the content.
  private mutating func messages(
    _ section: SettingsLines.Section
  ) throws(ModuleBuilding.Refusal) -> ImportedModule.Outcome {
    let building = ModuleBuilding(home: source.home, folder: source.home)
    let hooks = entries(of: section).filter { $0.hasPrefix("hook-") }
      .compactMap { key in Int(key.dropFirst("hook-".count)).map { (number: $0, key: key) } }
      .sorted { $0.number < $1.number }
    guard !hooks.isEmpty else { return .hasNoCommand("no hook, nothing to run") }
    // Hooks count from 0 in their names, and from 1 in `initial`.
    let initial = try value(section, "initial").flatMap { Int($0) } ?? 0
    let first = hooks.first { $0.number == initial - 1 }
    let hook = first ?? hooks[0]
    let exec = try building.arguments(try value(section, hook.key) ?? "", hook.key)
    guard !exec.isEmpty else { return .hasNoCommand("\(hook.key) is empty, nothing to run") }
    var plugin = ImportedPlugin(
      exec, PluginDeclaration(.polybar, first == nil ? .never : .once))
    plugin.leftOut = hooks.map(\.key).filter { $0 != hook.key }
    try finish(&plugin, section, building)
    return .taken(plugin)
  }

  /// Adds clicks, variables, and the names of settings that have no effect.
  private mutating func finish(
    _ plugin: inout ImportedPlugin, _ section: SettingsLines.Section, _ building: ModuleBuilding
  ) throws(ModuleBuilding.Refusal) {
    for (key, button) in Self.buttons {
      guard let command = try value(section, key) else { continue }
      // `#date.toggle` is no command, and no process here has the number of polybar's.
      if ShellWords.trimmed(command).hasPrefix("#") {
        plugin.leftOut.append("\(key): an action of polybar")
        continue
      } else if command.contains("%pid%") {
        plugin.leftOut.append("\(key): %pid%")
        continue
      }
      let words = try building.arguments(command, key)
      if !words.isEmpty { plugin.declaration.clicks[button] = words }
    }
    let commands = [plugin.exec] + plugin.declaration.clicks.values
    for mark in ["%counter%", "%pid%"]
    where commands.joined().contains(where: { $0.contains(mark) }) {
      plugin.leftOut.append(mark)
    }
    var shown: [String: String] = [:]
    for key in entries(of: section).sorted() {
      if key.hasPrefix("env-"), plugin.environment.count < PluginLimits.importVariableCountMax {
        let name = String(key.dropFirst("env-".count))
        guard let value = try value(section, key), ShellWords.isVariableName(name),
          !value.utf8.contains(0)
        else { continue }
        plugin.environment.append(PluginVariable(name, value))
      } else if key.hasPrefix("format") || key.hasPrefix("label") {
        shown[key] = try value(section, key)
      } else if key.hasPrefix("double-click-")
        || key == "interval-fail" && plugin.declaration.retry == nil
        || key == "interval-if" && plugin.declaration.recheck == nil
      {
        plugin.leftOut.append(key)
      }
    }
    let look = PolybarLook(shown)
    plugin.declaration.look = look.look
    plugin.leftOut += look.leftOut
  }

  private static let buttons: [(key: String, button: PluginButton)] = [
    ("click-left", .left), ("click-middle", .middle), ("click-right", .right),
    ("scroll-up", .scrollUp), ("scroll-down", .scrollDown),
  ]

  // MARK: Values

  /// The keys of a section and of those that it inherits from.
  private mutating func entries(of section: SettingsLines.Section) -> Set<String> {
    var keys: Set<String> = []
    var pending = [section]
    var seen: Set<String> = [section.name]
    while let next = pending.popLast() {
      keys.formUnion(next.entries.map(\.key))
      for name in parents(of: next) where seen.insert(name).inserted {
        if let place = places[name] { pending.append(sections[place]) }
      }
    }
    return keys
  }

  private func parents(of section: SettingsLines.Section) -> [String] {
    (section["inherit"]?.value ?? "").split { $0 == " " || $0 == "\t" }.map(String.init)
  }

  /// Refuses a section that inherits from one that is not there, by itself or by way of others.
  ///
  /// A value with a reference in it (`${…}`) is not judged.
  private mutating func checkParents(
    of section: SettingsLines.Section
  ) throws(ModuleBuilding.Refusal) {
    var pending = [section]
    var seen: Set<String> = [section.name]
    while let next = pending.popLast() {
      try countLookup(0)
      guard let written = next["inherit"]?.value, !written.contains("${") else { continue }
      for name in parents(of: next) where seen.insert(name).inserted {
        guard let place = places[name] else {
          let way = next.name == section.name ? "" : "inherits from \(next.name), which "
          throw ModuleBuilding.Refusal(reason: "\(way)inherits from \(name), which is not there")
        }
        pending.append(sections[place])
      }
    }
  }

  /// Returns the value of a section, or of the first one it inherits from that has it.
  private mutating func value(
    _ section: SettingsLines.Section, _ key: String, depth: Int = 0
  ) throws(ModuleBuilding.Refusal) -> String? {
    try countLookup(depth)
    if let entry = section[key] { return try resolved(entry.value, section, depth) }
    for name in parents(of: section) {
      guard let place = places[name] else { continue }
      if let found = try value(sections[place], key, depth: depth + 1) { return found }
    }
    return nil
  }

  private mutating func countLookup(_ depth: Int) throws(ModuleBuilding.Refusal) {
    lookupCount += 1
    guard depth <= PluginLimits.importReferenceDepthMax else {
      throw ModuleBuilding.Refusal(
        reason: "its settings name each other in a circle, or more than"
          + " \(PluginLimits.importReferenceDepthMax) deep")
    }
    guard lookupCount <= PluginLimits.importLookupCountMax else {
      throw ModuleBuilding.Refusal(
        reason: "its settings name others more than \(PluginLimits.importLookupCountMax) times")
    }
  }

  /// Returns a value with what stands for each `${…}` in it.
  private mutating func resolved(
    _ value: String, _ section: SettingsLines.Section, _ depth: Int
  ) throws(ModuleBuilding.Refusal) -> String {
    guard value.contains("${") else { return value }
    var result = ""
    var rest = value[...]
    while let start = rest.firstRange(of: "${"),
      let end = rest[start.upperBound...].firstIndex(of: "}")
    {
      result += rest[..<start.lowerBound]
      let name = String(rest[start.upperBound..<end])
      // A variable of the shell has no dot and no colon before its name.
      result += try reference(name, section, depth) ?? "${\(name)}"
      guard result.utf8.count <= PluginLimits.importCommandBytesMax else {
        throw ModuleBuilding.Refusal(
          reason: "a value has more than \(PluginLimits.importCommandBytesMax) bytes")
      }
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  /// Returns the value of `env:NAME:fallback` or `section.key:fallback`; `nil`: it is neither.
  private mutating func reference(
    _ reference: String, _ section: SettingsLines.Section, _ depth: Int
  ) throws(ModuleBuilding.Refusal) -> String? {
    try countLookup(depth)
    let parts = reference.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let fallback = parts.count > 1 ? String(parts[1]) : nil
    if ["env", "xrdb", "file"].contains(name), let rest = fallback {
      let words = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let variable = String(words.first ?? "")
      if name == "env", let value = source.environment[variable] { return value }
      if words.count > 1 { return String(words[1]) }
      let what = name == "env" ? "the variable" : name == "xrdb" ? "the X resource" : "the file"
      throw ModuleBuilding.Refusal(reason: "\(what) '\(variable)' that it names is not there")
    }
    guard let dot = name.lastIndex(of: ".") else { return nil }
    let key = String(name[name.index(after: dot)...])
    switch String(name[..<dot]) {
    case "self":
      if let value = try value(section, key, depth: depth + 1) { return value }
    case "root", "BAR":
      let bar = sections.first { $0.name.hasPrefix("bar/") }
      if let bar, let value = try value(bar, key, depth: depth + 1) { return value }
    case let named:
      if let place = places[named],
        let value = try value(sections[place], key, depth: depth + 1)
      {
        return value
      }
    }
    guard let fallback else {
      throw ModuleBuilding.Refusal(reason: "'${\(reference)}' names nothing of the settings")
    }
    return fallback
  }
}
