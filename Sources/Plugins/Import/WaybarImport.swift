import JSON

/// Reads the settings of Waybar: a bar or a list of them, with the files that they include.
///
/// Each `custom/…` becomes a plugin; the other modules are parts of Waybar. Source of the meaning
/// of each key: docs/PLUGINS.md, "Import".
package struct WaybarImport {
  private let source: ImportSource
  private var reading = ImportReading()
  private var includeCount = 0

  /// A bar's members with the files in which they stand; the first of a name counts.
  private typealias Members = [(member: LocatedValue.Member, file: String)]

  package static func read(_ source: ImportSource) -> ImportReading {
    var reader = WaybarImport(source)
    reader.readFile()
    return reader.reading
  }

  private init(_ source: ImportSource) { self.source = source }

  private mutating func readFile() {
    guard let document = document(source.bytes, source.path) else { return }
    switch document.node {
    case .object: readBar(document)
    case .array(let bars):
      for bar in bars {
        if case .object = bar.node {
          readBar(bar)
        } else {
          reading.note(source.path, line: bar.line, "a bar is \(bar.json.typeName), and no object")
        }
      }
    default:
      reading.note(source.path, line: document.line, "the settings are no object and no list")
    }
  }

  private mutating func document(_ bytes: [UInt8], _ path: String) -> LocatedValue? {
    do throws(CommentedJSON.Mistake) {
      return try CommentedJSON.read(bytes)
    } catch {
      reading.note(path, line: error.line, error.message)
      return nil
    }
  }

  // MARK: Bars

  private mutating func readBar(_ bar: LocatedValue) {
    var members: Members = []
    var seen: Set<String> = []
    var files = [source.path]
    collect(bar, source.path, &files, into: &members, &seen)
    let values = Dictionary(members.map { ($0.member.key, $0) }) { first, _ in first }
    let lists = ["modules-left", "modules-center", "modules-right"]
    let shown = names(lists.compactMap { values[$0]?.member.value }, values)
    let showsLists = lists.contains { values[$0] != nil }

    let shownNames = Set(shown.map(\.name))
    var defined: Set<String> = []
    for (member, file) in members where isModule(member) {
      defined.insert(member.key)
      // A group is there as its modules.
      if member.key.hasPrefix("group/") { continue }
      var module = ImportedModule(
        name: member.key, file: file, line: member.line, outcome(of: member))
      module.isShown = !showsLists || shownNames.contains(member.key)
      if module.plugin != nil {
        for slip in WaybarSlips(module: member.value).all(of: member.key) {
          reading.note(file, line: slip.line, slip.message)
        }
      }
      let isFull = reading.isFull
      reading.add(module)
      if isFull { return }
    }
    for (name, line) in shown where !defined.contains(name) && !name.hasPrefix("group/") {
      guard !reading.isFull else { return }
      let reason = name.hasPrefix("custom/") ? "the file does not define it" : Self.builtIn
      reading.add(
        ImportedModule(name: name, file: source.path, line: line, .hasNoCommand(reason)))
    }
  }

  private static let builtIn = "built into Waybar"

  /// Adds the members of a bar, then those of the files it includes that are not there yet.
  private mutating func collect(
    _ bar: LocatedValue, _ file: String, _ files: inout [String], into all: inout Members,
    _ seen: inout Set<String>
  ) {
    guard case .object(let members) = bar.node else { return }
    var last: [String: Int] = [:]
    for (index, member) in members.enumerated() { last[member.key] = index }
    for (index, member) in members.enumerated() where last[member.key] == index {
      if member.key != "include", seen.insert(member.key).inserted { all.append((member, file)) }
    }
    guard let include = bar["include"] else { return }
    let items: [LocatedValue] =
      if case .array(let items) = include.node { items } else { [include] }
    for item in items {
      guard case .string(let name) = item.node, !name.isEmpty else {
        reading.note(file, line: item.line, "include is \(item.json.typeName), and no file's name")
        continue
      }
      let path = source.path(of: name, in: ImportSource.folder(of: file))
      guard !files.contains(path) else { continue }
      files.append(path)
      includeCount += 1
      guard includeCount <= PluginLimits.importIncludeCountMax else {
        reading.note(
          file, line: item.line,
          "only the first \(PluginLimits.importIncludeCountMax) included files are read")
        return
      }
      switch source.include(path) {
      case .missing(let reason):
        reading.note(file, line: item.line, "the included file \(path) is not read: \(reason)")
      case .bytes(let bytes):
        if let document = document(bytes, path) {
          collect(document, path, &files, into: &all, &seen)
        }
      }
    }
  }

  /// The modules that lists of them name, those of groups too, each once.
  private func names(
    _ lists: [LocatedValue], _ values: [String: (member: LocatedValue.Member, file: String)]
  ) -> [(name: String, line: Int)] {
    var found: [(name: String, line: Int)] = []
    var seen: Set<String> = []
    var pending = lists
    var next = 0
    while next < pending.count {
      let list = pending[next]
      next += 1
      guard case .array(let items) = list.node else { continue }
      for item in items {
        guard case .string(let name) = item.node, seen.insert(name).inserted else { continue }
        found.append((name, item.line))
        if name.hasPrefix("group/"), let group = values[name]?.member.value["modules"] {
          pending.append(group)
        }
      }
    }
    return found
  }

  /// Whether a member of a bar defines a module; the bar's own settings have no objects of names
  /// with a slash, and the names of its parts are known.
  private func isModule(_ member: LocatedValue.Member) -> Bool {
    guard case .object = member.value.node else { return false }
    return member.key.contains("/")
      || Self.parts.contains(where: {
        member.key == $0 || member.key.hasPrefix($0 + "#")
      })
  }

  /// Modules of Waybar whose names have no slash.
  private static let parts: Set<String> = [
    "backlight", "battery", "bluetooth", "cava", "clock", "cpu", "disk", "gamemode",
    "idle_inhibitor", "image", "jack", "keyboard-state", "load", "memory", "mpd", "mpris",
    "network",
    "power-profiles-daemon", "privacy", "pulseaudio", "sndio", "systemd-failed-units",
    "temperature",
    "tray", "upower", "user", "wireplumber", "wlr",
  ]

  // MARK: Modules

  private func outcome(of member: LocatedValue.Member) -> ImportedModule.Outcome {
    guard member.key.hasPrefix("custom/") else { return .hasNoCommand(Self.builtIn) }
    let building = ModuleBuilding(home: source.home, folder: source.home)
    do throws(ModuleBuilding.Refusal) {
      guard let command = member.value["exec"]?.textOfScalar else {
        return .hasNoCommand("no exec, nothing to show")
      }
      let exec = try building.arguments(command, "exec")
      guard !exec.isEmpty else { return .hasNoCommand("exec is empty, nothing to show") }
      return .taken(try plugin(exec, member.value, building))
    } catch {
      return .refused(error.reason)
    }
  }

  private func plugin(
    _ exec: [String], _ module: LocatedValue, _ building: ModuleBuilding
  ) throws(ModuleBuilding.Refusal) -> ImportedPlugin {
    var plugin = ImportedPlugin(exec, PluginDeclaration(.waybar, .once))
    plugin.declaration.signal = ModuleBuilding.signal(
      module["signal"]?.numberOfScalar.flatMap { Int64(exactly: $0) })
    if plugin.declaration.signal == nil, module["signal"] != nil { plugin.leftOut.append("signal") }
    let interval = module["interval"]
    if WaybarSlips(module: module).hasInterval {
      // Nobody meant it to stay running.
      plugin.declaration.schedule = .once
    } else if let period = interval?.numberOfScalar.flatMap(ModuleBuilding.milliseconds) {
      plugin.declaration.schedule = .every(period)
    } else if interval?.textOfScalar != "once", module["signal"] == nil || interval != nil {
      plugin.declaration.isStream = true
      plugin.declaration.restart =
        module["restart-interval"]?.numberOfScalar.flatMap(ModuleBuilding.milliseconds)
    }
    if let condition = module["exec-if"]?.textOfScalar {
      plugin.declaration.condition = try building.arguments(condition, "exec-if")
    }
    for (key, button) in Self.buttons {
      guard let command = module[key]?.textOfScalar else { continue }
      let words = try building.arguments(command, key)
      if !words.isEmpty { plugin.declaration.clicks[button] = words }
    }
    plugin.declaration.look = LookImport.waybar(module, leftOut: &plugin.leftOut)
    plugin.leftOut += leftOut(module)
    return plugin
  }

  static let buttons: [(key: String, button: PluginButton)] = [
    ("on-click", .left), ("on-click-middle", .middle), ("on-click-right", .right),
    ("on-click-backward", .back), ("on-click-forward", .forward), ("on-scroll-up", .scrollUp),
    ("on-scroll-down", .scrollDown), ("on-scroll-left", .scrollLeft),
    ("on-scroll-right", .scrollRight),
  ]

  /// Keys of a module that are taken, or need no counterpart here: `return-type` is found out, and
  /// `cursor` and thresholds of scrolling belong to the bar's own surface.
  private static let known: Set<String> = [
    "exec", "exec-if", "interval", "signal", "restart-interval", "return-type", "exec-on-event",
    "format", "format-alt", "format-alt-click", "format-icons", "tooltip", "tooltip-format",
    "escape", "hide-empty-text", "max-length", "min-length", "align", "cursor",
    "smooth-scrolling-threshold",
  ]

  /// The keys of a module that have no counterpart here, in the order in which they stand there.
  private func leftOut(_ module: LocatedValue) -> [String] {
    guard case .object(let members) = module.node else { return [] }
    var seen: Set<String> = []
    return members.map(\.key).filter { key in
      guard seen.insert(key).inserted, !key.hasPrefix("//") else { return false }
      if key == "exec-on-event" { return module[key]?.node == .bool(false) }
      return !Self.known.contains(key) && !Self.buttons.contains { $0.key == key }
    }
  }
}

extension LocatedValue {
  /// A text, or a number as it is written.
  var textOfScalar: String? {
    switch node {
    case .string(let text): text
    case .int(let number): "\(number)"
    case .double(let number): "\(number)"
    case .bool, .null, .array, .object: nil
    }
  }

  /// A finite number, also one in quotes.
  var numberOfScalar: Double? {
    textOfScalar.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }
}
