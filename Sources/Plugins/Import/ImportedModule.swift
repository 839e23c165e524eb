/// The settings of a bar, with all that they may refer to; reading them has no other input.
package struct ImportSource {
  /// The file that is read, absolute.
  package var path: String
  package var bytes: [UInt8]
  /// The person's home folder, absolute: what `~` stands for, and where bars start programs.
  package var home: String
  /// The variables that settings of polybar may name.
  package var environment: [String: String]
  /// Reads a file that the settings include, by its absolute path.
  package var include: (String) -> ImportedFile

  package init(
    path: String, bytes: [UInt8], home: String, environment: [String: String] = [:],
    include: @escaping (String) -> ImportedFile = { _ in .missing("it is not read") }
  ) {
    self.path = path
    self.bytes = bytes
    self.home = home
    self.environment = environment
    self.include = include
  }

  /// Absolute folder of a file.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// Returns the absolute path of a file that settings in `folder` name.
  func path(of name: String, in folder: String) -> String {
    if name.hasPrefix("/") { return name }
    if name == "~" { return home }
    if name.hasPrefix("~/") { return home + name.dropFirst(1) }
    for prefix in ["$HOME/", "${HOME}/"] where name.hasPrefix(prefix) {
      return home + "/" + name.dropFirst(prefix.count)
    }
    return folder + "/" + name
  }
}

/// A file that settings include.
package enum ImportedFile: Sendable {
  case bytes([UInt8])
  /// The reason why it is not read.
  case missing(String)
}

/// A module of a bar, a block, or a script, as its settings have it.
package struct ImportedModule: Hashable, Sendable {
  /// As its bar names it, such as `custom/weather`.
  package var name: String
  /// The file in which it stands.
  package var file: String
  /// Its line there, from 1.
  package var line: Int
  /// Whether a bar of the settings shows it; settings that name no bar show all.
  package var isShown = true
  /// The name that its kind gets where that is free.
  package var kind: String
  package var outcome: Outcome

  /// The plugin it becomes, or the reason why it becomes none.
  package enum Outcome: Hashable, Sendable {
    case taken(ImportedPlugin)
    /// There is nothing to run; a reason such as "no exec, nothing to show".
    case hasNoCommand(String)
    /// There is something to run, which cannot be taken.
    case refused(String)
  }

  package init(
    name: String, file: String, line: Int, kind: String? = nil, _ outcome: Outcome
  ) {
    self.name = name
    self.kind = kind ?? ImportKinds.name(of: name)
    self.file = file
    self.line = line
    self.outcome = outcome
  }

  package var plugin: ImportedPlugin? {
    guard case .taken(let plugin) = outcome else { return nil }
    return plugin
  }
}

/// A plugin that was made of a module: what its manifest says.
package struct ImportedPlugin: Hashable, Sendable {
  /// The program and its arguments; a path in the first is absolute.
  package var exec: [String]
  package var declaration: PluginDeclaration
  /// The text of a schedule that is lines of a crontab.
  package var cron: String?
  package var environment: [PluginVariable] = []
  /// The settings of the module that have no effect here, by their keys.
  package var leftOut: [String] = []

  package init(_ exec: [String], _ declaration: PluginDeclaration) {
    self.exec = exec
    self.declaration = declaration
  }
}

/// Something in the settings that could not be read, or that may be meant otherwise.
package struct ImportProblem: Hashable, Sendable {
  package var file: String
  /// From 1; 0 when the whole file is meant.
  package var line: Int
  /// Whether all was taken as it stands there: it may be what the person means.
  package var isWarning: Bool
  /// A sentence without its period.
  package var message: String

  package init(_ file: String, line: Int = 0, isWarning: Bool = false, _ message: String) {
    self.file = file
    self.line = line
    self.isWarning = isWarning
    self.message = message
  }
}

/// All modules of a bar's settings, in the order in which they stand there.
package struct ImportReading: Hashable, Sendable {
  package private(set) var modules: [ImportedModule] = []
  package private(set) var problems: [ImportProblem] = []

  package init() {}

  /// Whether no further module is taken.
  var isFull: Bool { modules.count >= PluginLimits.importModuleCountMax }

  /// Adds a module, unless there are too many, or the same one is there already.
  package mutating func add(_ module: ImportedModule) {
    guard !isFull else {
      let message = "only the first \(PluginLimits.importModuleCountMax) modules are taken"
      if problems.last?.message != message { note(module.file, line: module.line, message) }
      return
    }
    let twin = modules.firstIndex {
      $0.name == module.name && $0.file == module.file && $0.outcome == module.outcome
    }
    guard let twin else { return modules.append(module) }
    modules[twin].isShown = modules[twin].isShown || module.isShown
  }

  /// Notes a mistake once, unless there are many already; several bars may include one file.
  package mutating func note(_ file: String, line: Int = 0, _ message: String) {
    note(ImportProblem(file, line: line, message))
  }

  mutating func note(_ problem: ImportProblem) {
    guard problems.count < PluginLimits.warningCountMax, !problems.contains(problem) else { return }
    problems.append(problem)
  }
}
