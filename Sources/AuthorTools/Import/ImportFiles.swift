import DaemonRuntime
import Glibc
import Plugins

/// Reads the files of another bar, unless somebody else may change them.
struct ImportFiles {
  let home: String
  let environment: [String: String]
  /// The folders whose scripts are kinds without a manifest.
  let pluginFolders: [String]

  /// Returns all modules of a file of settings, or of a folder that has one.
  func read(_ named: String) throws(ToolRefusal) -> ImportReading {
    var path = try Self.absolute(named)
    // A folder `argos` that is a link says the family, and its files have the names behind it.
    let family = Self.format(of: Self.isFolder(named) ? named + "/script" : named)
    if let entry = PluginFolder.isPackage(path) ? PluginFolder.entry(ofPackage: path) : nil {
      return ScriptImport.read([try script(entry)])
    }
    if Self.isFolder(path) {
      path = Self.resolved(path)
      guard let found = settings(in: path) else { return try scripts(in: path, family) }
      path = found
    }
    if Self.isScript(path) { return ScriptImport.read([try script(path, family)]) }
    let bytes = try bytes(path)
    guard let format = ImportFormat.of(bytes) else {
      throw ToolRefusal(
        "'\(path)' is no script, and no settings file that is known",
        "name the settings of Waybar, i3blocks, polybar or genmon, a script that may be executed, or"
          + " a folder with them")
    }
    let source = ImportSource(path: path, bytes: bytes, home: home, environment: environment) {
      Self.included($0)
    }
    return source.read(format)
  }

  // MARK: Paths

  /// The path without links in the folders above it, so that a file has one name at each import.
  private static func absolute(_ path: String) throws(ToolRefusal) -> String {
    var name = path[...]
    while name.count > 1, name.hasSuffix("/") { name.removeLast() }
    let slash = name.lastIndex(of: "/")
    let base = slash.map { name[name.index(after: $0)...] } ?? name
    let folder = slash.map { $0 == name.startIndex ? "/" : String(name[..<$0]) } ?? "."
    let isName = !base.isEmpty && base != "." && base != ".."
    guard let real = realpath(isName ? folder : String(name), nil),
      access(String(name), F_OK) == 0
    else {
      throw ToolRefusal(
        "'\(path)' cannot be read: \(String(cString: strerror(errno)))",
        "name the settings file of a bar, or the folder with it")
    }
    defer { free(real) }
    let found = String(cString: real)
    guard isName else { return found }
    return found == "/" ? "/\(base)" : "\(found)/\(base)"
  }

  /// The path of a folder without links, as the files in it have it when they are named.
  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  static func isFolder(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
  }

  /// The names under which bars look for their settings in their folder.
  private static let settingsNames = ["config.jsonc", "config", "config.ini"]

  private func settings(in folder: String) -> String? {
    Self.settingsNames.map { folder + "/" + $0 }
      .first { access($0, F_OK) == 0 && !Self.isFolder($0) && !Self.isScript($0) }
  }

  // MARK: Files

  private func bytes(_ path: String) throws(ToolRefusal) -> [UInt8] {
    // A device may be written to by everybody, and that is as it should be.
    var info = stat()
    if stat(path, &info) == 0, info.st_mode & S_IFMT != S_IFREG {
      throw ToolRefusal(
        "'\(path)' is no file that can be read whole, such as a device or a pipe",
        "name the settings file of a bar, a script, or the folder with it")
    }
    if let doubt = Self.doubt(about: path) {
      throw ToolRefusal(
        "the settings are not read, since others may change what they run: \(doubt.message)",
        doubt.remedy)
    }
    switch readFile(path, bytesMax: PluginLimits.importBytesMax) {
    case .success(let bytes): return bytes
    case .failure(let failure):
      throw ToolRefusal("'\(path)' cannot be read: \(failure.message)")
    }
  }

  private static func included(_ path: String) -> ImportedFile {
    if let doubt = doubt(about: path) { return .missing("\(doubt.message); \(doubt.remedy)") }
    switch readFile(path, bytesMax: PluginLimits.importBytesMax) {
    case .success(let bytes): return .bytes(bytes)
    case .failure(let failure): return .missing(failure.message)
    }
  }

  /// Returns the doubt about a file and the folders in which it stands.
  static func doubt(about path: String) -> FileTrust.Doubt? {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    return FileTrust.ofThisProcess.doubt(about: path, upTo: String(path[..<slash]))
  }

  /// Returns the doubt about the files that a command names: its program, and scripts behind it.
  ///
  /// A daemon would refuse the manifest for the same reason; see `ConfigurationLoader`.
  static func doubt(aboutCommand words: [String]) -> FileTrust.Doubt? {
    for (index, word) in words.enumerated() where word.hasPrefix("/") {
      var info = stat()
      guard stat(word, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { continue }
      let isData = index > 0 && info.st_uid != geteuid() && info.st_mode & 0o111 == 0
      if !isData, let doubt = doubt(about: word) { return doubt }
    }
    return nil
  }
}
