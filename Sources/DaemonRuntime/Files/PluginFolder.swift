import CXAttr
import DaemonCore
import Glibc
package import JSON
package import Plugins

/// A folder with scripts of other bars, each of which is a kind without a manifest.
///
/// Its files are read, and those of its folders `argos`, `swiftbar` and `xbar`, whose names choose
/// the family of what is in them; below `swiftbar` there may be further folders, as SwiftBar has
/// them. A folder `name.5s.swiftbar` is a package: its file `plugin.…` is the plugin. A script is a
/// file that can be executed. Not read are empty files, copies of editors that end in `~`, and
/// those whose name is none of a plugin (`PluginFileName`).
///
/// A file that cannot be executed is taken for a script when its first line names an interpreter.
/// SwiftBar makes such a file executable. Modes are the person's here: its interpreter runs it, or
/// an issue has the command.
package struct PluginFolder {
  /// A folder whose files are read, with its family.
  struct Place: Hashable {
    var path: String
    /// `nil`: each file's tags decide.
    var format: PluginFormat?
    /// Whether it is a package of SwiftBar, of which one file is read.
    var isPackage = false
  }

  let path: String

  package init(_ path: String) { self.path = path }

  /// The folder and those in it that are read, in the order of their names.
  var places: [Place] {
    var places = [Place(path: path)]
    for name in configurationEntries(of: path) {
      let child = path + "/" + name
      if Self.isPackage(child) {
        places.append(Place(path: child, format: .swiftbar, isPackage: true))
      } else if let format = Self.family(named: name), Self.isFolder(child) {
        add(Place(path: child, format: format), to: &places, depth: 1)
      }
    }
    return places
  }

  private func add(_ place: Place, to places: inout [Place], depth: Int) {
    places.append(place)
    guard place.format == .swiftbar, depth < RuntimeLimits.pluginFolderDepthMax else { return }
    for name in configurationEntries(of: place.path) where Self.isFolder(place.path + "/" + name) {
      let child = place.path + "/" + name
      if Self.isPackage(child) {
        places.append(Place(path: child, format: .swiftbar, isPackage: true))
      } else {
        add(Place(path: child, format: .swiftbar), to: &places, depth: depth + 1)
      }
    }
  }

  /// Whether a path is that of a package of SwiftBar.
  package static func isPackage(_ path: String) -> Bool {
    PluginSource(path: path + "/plugin.sh").package != nil && isFolder(path)
  }

  /// Returns the path of the plugin in a package: the first of its files `plugin.…` that can be
  /// executed, else the first one that is a script; `nil`: it has none.
  package static func entry(ofPackage package: String) -> String? {
    let place = Place(path: package, format: .swiftbar, isPackage: true)
    let found = configurationEntries(of: package).filter { PluginSource.isEntry($0) }
      .compactMap { name in
        sort(of: "\(package)/\(name)", in: place).map { (path: "\(package)/\(name)", sort: $0) }
      }
    return (found.first { $0.sort == .executable } ?? found.first)?.path
  }

  /// The files of a place that may be plugins, by their names.
  private static func names(in place: Place, _ issues: inout [DocumentIssue]) -> [String] {
    guard place.isPackage else { return configurationEntries(of: place.path) }
    if let entry = entry(ofPackage: place.path) {
      return [String(entry.dropFirst(place.path.count + 1))]
    }
    issues.append(
      DocumentIssue(
        severity: .warning, file: place.path, line: 0,
        message: "the package has no plugin, and is not taken",
        expected: "a file such as plugin.sh in it that can be executed"))
    return []
  }

  /// The family that a folder's name chooses; `nil`: it is not read.
  static func family(named name: String) -> PluginFormat? {
    PluginFormat(rawValue: name).flatMap { $0.isMenu ? $0 : nil }
  }

  /// The family that the name of a script's folder chooses; `nil`: its tags decide.
  package static func family(ofFolder path: String) -> PluginFormat? {
    path.split(separator: "/").last.flatMap { family(named: String($0)) }
  }

  /// Reads all scripts; a file that others may change, or that cannot be read, becomes an issue.
  func read() -> (plugins: [PluginSource], issues: [DocumentIssue]) {
    var plugins: [PluginSource] = []
    var issues: [DocumentIssue] = []
    for place in places {
      for name in Self.names(in: place, &issues) {
        let file = place.path + "/" + name
        guard let sort = Self.sort(of: file, in: place) else { continue }
        guard plugins.count < RuntimeLimits.pluginCountMax else {
          issues.append(
            DocumentIssue(
              file: file, line: 0,
              message: "it is not taken: the folder has more than \(RuntimeLimits.pluginCountMax)"
                + " plugins",
              expected: "fewer; put .off at the end of the names of those that you do not need"))
          return (plugins, issues)
        }
        if let plugin = read(file, sort, in: place, &issues) { plugins.append(plugin) }
      }
    }
    return (plugins, issues)
  }

  /// Reads one script, wherever it is, without a look at who may change it.
  ///
  /// The folder in which it stands chooses its family, where that has the name of one.
  package static func plugin(
    at path: String
  ) -> (plugin: PluginSource?, issues: [DocumentIssue]) {
    var issues: [DocumentIssue] = []
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    guard case .success(let tags) = tags(of: path, &issues) else { return (nil, issues) }
    let plugin = PluginSource(
      path: path, format: family(ofFolder: folder), tags: tags,
      isExecutable: access(path, X_OK) == 0, values: values(of: path, &issues))
    return (plugin, issues)
  }

  // MARK: One file

  /// A file that may be a plugin.
  enum Sort { case executable, script }

  /// Returns whether a file counts, and as what; `nil`: it is none of ours.
  static func sort(of file: String, in place: Place) -> Sort? {
    let name = file.split(separator: "/").last ?? ""
    guard !name.hasSuffix("~"),
      case .success = PluginFileName.read(String(name), place.format ?? .xbar)
    else { return nil }
    var info = stat()
    guard stat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_size > 0 else {
      return nil
    }
    if access(file, X_OK) == 0 { return .executable }
    return ScriptLine.first(of: file)?.hasPrefix("#!") == true ? .script : nil
  }

  /// Whether a file of this name has values of a plugin's variables.
  static func isValues(_ name: some StringProtocol) -> Bool { name.hasSuffix(".vars.json") }

  private func read(
    _ file: String, _ sort: Sort, in place: Place, _ issues: inout [DocumentIssue]
  ) -> PluginSource? {
    if let doubt = FileTrust.ofThisProcess.doubt(about: file, upTo: path) {
      issues.append(
        DocumentIssue(
          file: file, line: 0, message: "the plugin is not run: \(doubt.message)",
          expected: "files that nobody else may change or replace; \(doubt.remedy),"
            + " then: intent-send reload-config"))
      return nil
    }
    let remedy = "chmod +x \(ShellWord.quoted(file))"
    switch (sort, place.format) {
    case (.executable, _): break
    case (.script, .swiftbar):
      issues.append(
        DocumentIssue(
          severity: .warning, file: file, line: 0,
          message: "the plugin is not executable; the interpreter of its first line runs it",
          expected: "a script that can be executed: \(remedy)"))
    case (.script, let format):
      issues.append(
        DocumentIssue(
          severity: format == .argos ? .warning : .error, file: file, line: 0,
          message: "the plugin is not run, because it is not executable",
          expected: "a script that can be executed: \(remedy)"))
      return nil
    }
    guard case .success(let tags) = Self.tags(of: file, &issues) else { return nil }
    return PluginSource(
      path: file, format: place.format, tags: tags, isExecutable: sort == .executable,
      values: values(of: file, &issues))
  }

  private static func isFolder(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
  }
}

// MARK: Tags and values

extension PluginFolder {
  /// Returns the lines of a file's beginning that have a tag of xbar, BitBar or SwiftBar.
  private static func tags(
    of file: String, _ issues: inout [DocumentIssue]
  ) -> Result<PluginTagLines, FileFailure> {
    let read = readFile(file, bytesMax: RuntimeLimits.pluginScanBytesMax, isCut: true)
    if case .failure(let failure) = read {
      issues.append(
        DocumentIssue(
          file: file, line: 0, message: "the plugin cannot be read: \(failure.message)",
          expected: "a readable file"))
    }
    return read.map { bytes in
      let lines = PluginTagLines(in: bytes)
      return lines.numbers.isEmpty ? attributeTags(of: file) : lines
    }
  }

  /// Returns the tags that a program has beside it: SwiftBar keeps those of programs that are no
  /// text in an extended attribute, in Base64.
  ///
  /// On Linux the names of such attributes begin with `user.`.
  private static func attributeTags(of file: String) -> PluginTagLines {
    let name = "user.com.ameba.SwiftBar"
    let size = getxattr(file, name, nil, 0)
    // Base64 makes four bytes of three.
    guard size > 0, size <= PluginLimits.tagLinesBytesMax / 3 * 4 else { return PluginTagLines() }
    var bytes = [UInt8](repeating: 0, count: size)
    let count = bytes.withUnsafeMutableBytes { getxattr(file, name, $0.baseAddress, size) }
    guard count > 0 else { return PluginTagLines() }
    let text = String(decoding: bytes[..<count].filter { $0 > 0x20 }, as: UTF8.self)
    return Base64.decode(text[...].utf8).map { PluginTagLines(in: $0) } ?? PluginTagLines()
  }

  /// Returns the values that a person chose: of `cpu.5s.vars.json`, as SwiftBar calls it, and of
  /// `cpu.5s.sh.vars.json`, as xbar does, which wins.
  private func values(of file: String, _ issues: inout [DocumentIssue]) -> JSONObject {
    let trust = FileTrust.ofThisProcess
    return Self.values(of: file, &issues) { trust.doubt(about: $0, upTo: path) }
  }

  private static func values(
    of file: String, _ issues: inout [DocumentIssue],
    doubt: (String) -> FileTrust.Doubt? = { _ in nil }
  ) -> JSONObject {
    var files: [(name: String, bytes: [UInt8])] = []
    func tell(_ name: String, _ message: String, _ expected: String) {
      issues.append(
        DocumentIssue(
          severity: .warning, file: name, line: 0, message: message, expected: expected))
    }
    for name in PluginVariables.valueFiles(of: file) where access(name, F_OK) == 0 {
      if let doubt = doubt(name) {
        tell(
          name, "the values are not read: \(doubt.message)",
          "a file that nobody else may change; \(doubt.remedy), then: intent-send reload-config")
        continue
      }
      switch readFile(name, bytesMax: RuntimeLimits.pluginValuesBytesMax) {
      case .success(let bytes): files.append((name, bytes))
      case .failure(let failure):
        tell(name, "the values are not read: \(failure.message)", "a readable file")
      }
    }
    let read = PluginVariables.values(of: files)
    for warning in read.warnings {
      tell(file, warning.message, "values as the plugin's tags declare them")
    }
    return read.values
  }
}
