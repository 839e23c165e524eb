import DaemonRuntime
import Glibc
import JSON
import Plugins

/// Scripts for xbar, SwiftBar and Argos: files that are run as they are.
extension ImportFiles {
  /// Whether a file may be executed, or begins as a script does.
  static func isScript(_ path: String) -> Bool {
    var info = stat()
    guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return false }
    return info.st_mode & 0o111 != 0 || start(of: path, bytesMax: 2).elementsEqual("#!".utf8)
  }

  /// Reads all scripts of a folder, sorted by their names; a folder in it is named and not read,
  /// unless it is a package of SwiftBar.
  ///
  /// `family`: that of a folder whose name is a link, for scripts whose own does not say one.
  func scripts(
    in folder: String, _ family: PluginFormat? = nil
  ) throws(ToolRefusal) -> ImportReading {
    if let doubt = Self.doubt(about: folder) {
      throw ToolRefusal(
        "the folder is not read, since others may change what is in it: \(doubt.message)",
        doubt.remedy)
    }
    let names = try Self.names(in: folder)
    var scripts: [ScriptImport.Script] = []
    var folders: [ImportedModule] = []
    for name in names {
      let path = "\(folder)/\(name)"
      if PluginFolder.isPackage(path) {
        if let entry = PluginFolder.entry(ofPackage: path) { scripts.append(try script(entry)) }
      } else if Self.isFile(path) {
        scripts.append(try script(path, family))
      } else if Self.isFolder(path), !name.hasPrefix(".") {
        folders.append(
          ImportedModule(
            name: name, file: path, line: 1,
            .hasNoCommand("a folder, not looked into: import it by its name")))
      }
    }
    guard !scripts.isEmpty else {
      throw ToolRefusal(
        "the folder '\(folder)' has no settings of a bar and no scripts",
        "name the settings file of a bar, or a folder with scripts")
    }
    var reading = ScriptImport.read(scripts)
    for folder in folders { reading.add(folder) }
    return reading
  }

  /// Reads what a script says about itself, and the values that a person gave its variables.
  func script(
    _ path: String, _ family: PluginFormat? = nil
  ) throws(ToolRefusal) -> ScriptImport.Script {
    if let folder = pluginFolders.first(where: { path.hasPrefix($0 + "/") }) {
      throw ToolRefusal(
        "'\(path)' is in your folder of plugins, where each script is a kind without a manifest",
        "place it: intent-send add KIND, or move it out of \(folder)")
    }
    var info = stat()
    guard stat(path, &info) == 0 else {
      throw ToolRefusal("'\(path)' cannot be read: \(String(cString: strerror(errno)))")
    }
    let read = PluginFolder.plugin(at: path)
    guard var source = read.plugin else {
      throw ToolRefusal(read.issues.first?.message ?? "'\(path)' cannot be read")
    }
    source.format = Self.format(of: path) ?? family ?? source.format
    // Others do not choose the variables of a person's script.
    let files = PluginVariables.valueFiles(of: path)
    if files.contains(where: { Self.doubt(about: $0) != nil }) { source.values = [:] }
    return ScriptImport.Script(
      source, isEmpty: info.st_size == 0, isData: !Self.isScript(path))
  }

  /// The family of a script by the folder in which it stands; `nil`: its tags decide.
  static func format(of path: String) -> PluginFormat? {
    for part in path.split(separator: "/").dropLast().reversed().prefix(3) {
      switch part.lowercased() {
      case "argos": return .argos
      case "swiftbar": return .swiftbar
      case "xbar", "bitbar": return .xbar
      default: continue
      }
    }
    return nil
  }

  // MARK: Files

  private static func isFile(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
  }

  private static func names(in folder: String) throws(ToolRefusal) -> [String] {
    guard let directory = opendir(folder) else {
      throw ToolRefusal("'\(folder)' cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
      guard names.count <= PluginLimits.importFileCountMax else {
        throw ToolRefusal(
          "the folder '\(folder)' has more than \(PluginLimits.importFileCountMax) files",
          "name a folder with the scripts alone")
      }
    }
    return names.sorted()
  }

  /// The first bytes of a regular file; none if it cannot be read.
  private static func start(of path: String, bytesMax: Int) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: bytesMax)
    var count = 0
    while count < bytesMax {
      let more = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), bytesMax - count)
      }
      guard more > 0 else { break }
      count += more
    }
    return Array(bytes[..<count])
  }
}
