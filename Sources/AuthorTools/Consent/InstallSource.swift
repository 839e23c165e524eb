import DaemonRuntime
import Glibc
import Plugins

/// The files of a widget from elsewhere, read into memory.
///
/// The judgement and the copy are about these bytes, whatever happens to the files meanwhile.
/// Nothing is opened through a link, so nothing outside the folder gets in; a device, a pipe or a
/// socket is not opened at all. Hidden files, such as `.git`, are left out. A script of another bar
/// gets a manifest, as if it had stood beside it.
struct InstallSource {
  struct File {
    /// Relative to the folder.
    var path: String
    var bytes: [UInt8]
    /// Whether its owner may execute it.
    var isProgram: Bool
  }

  /// The real path of the folder; of a package of SwiftBar that of the folder in which it stands, so
  /// that the package keeps its name.
  private(set) var folder: String
  private(set) var files: [File] = []
  /// The manifest, relative to the folder.
  private(set) var manifest: String
  private(set) var byteCount = 0
  /// Whether the manifest names former ids, which do not count in a manifest from elsewhere.
  var namesAliases = false
  /// The name of the folder that is a package of SwiftBar; `nil`: it is none.
  private(set) var package: String?
  /// The script of another bar of which the manifest was made; `nil`: it came with one.
  private(set) var plugin: InstalledPlugin?

  /// The path that was read.
  var place: String { package.map { "\(folder)/\($0)" } ?? folder }

  /// Reads a folder with one manifest or script, one of these without what stands beside it, or a
  /// package of SwiftBar, also by its plugin.
  init(_ path: String) throws(ToolRefusal) {
    guard let real = realpath(path, nil) else {
      throw ToolRefusal(
        "'\(path)' cannot be read: \(Self.systemReason)",
        "name a manifest, a script, or the folder in which it stands")
    }
    defer { free(real) }
    let found = String(cString: real)
    var info = stat()
    guard stat(found, &info) == 0 else {
      throw ToolRefusal("'\(path)' cannot be read: \(Self.systemReason)")
    }
    let isFolder = info.st_mode & S_IFMT == S_IFDIR
    let package = isFolder ? found : PluginSource(path: found).package ?? found
    if PluginFolder.isPackage(package), let entry = PluginFolder.entry(ofPackage: package) {
      (folder, manifest) = Self.parts(of: package)
      self.package = manifest
      guard Self.isPlain(manifest) else {
        throw ToolRefusal(
          "the package '\(package)' has a name with characters that do not show", "rename it")
      }
      try readAll(of: manifest)
      try addManifest(of: String(entry.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1)))
    } else if isFolder {
      folder = found
      manifest = ""
      try readAll()
      if let script = try onlyScript() {
        try addManifest(of: script)
      } else {
        manifest = try onlyManifest()
      }
    } else {
      (folder, manifest) = Self.parts(of: found)
      try add(manifest)
      if !ManifestSearch.isManifest(manifest) { try addManifest(of: manifest) }
    }
  }

  /// The folder in which an absolute path stands, and its name there.
  private static func parts(of path: String) -> (folder: String, name: String) {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (folder, String(path[path.index(after: slash)...]))
  }

  private var manifestNames: [String] {
    files.map(\.path).filter { !$0.contains("/") && ManifestSearch.isManifest($0) }
  }

  private func onlyManifest() throws(ToolRefusal) -> String {
    let names = manifestNames
    guard let first = names.first else {
      throw ToolRefusal(
        "the folder '\(folder)' has no manifest, a file such as widget.yaml, and no script")
    }
    guard names.count == 1 else {
      throw ToolRefusal(
        "the folder '\(folder)' has several manifests: \(names.joined(separator: ", "))",
        "install them one by one, with what each needs in a folder of its own")
    }
    return first
  }

  // MARK: Scripts of other bars

  /// Returns the script of a folder without a manifest; `nil`: it has a manifest, or no script.
  private func onlyScript() throws(ToolRefusal) -> String? {
    guard manifestNames.isEmpty else { return nil }
    let scripts = files.filter { file in
      guard !file.path.contains("/"), Self.isProgram(file) else { return false }
      if case .success = PluginFileName.read(file.path, .xbar) { return true }
      return false
    }
    guard scripts.count > 1 else { return scripts.first?.path }
    throw ToolRefusal(
      "the folder '\(folder)' has several scripts: \(scripts.map(\.path).joined(separator: ", "))",
      "install them one by one: intent-send install FILE")
  }

  /// Whether a file may be executed, or begins as a script does: a download may seldom be executed.
  private static func isProgram(_ file: File) -> Bool {
    file.isProgram || file.bytes.starts(with: "#!".utf8)
  }

  /// Adds the manifest of a script, and makes the copy of the script a program.
  private mutating func addManifest(of name: String) throws(ToolRefusal) {
    guard let index = files.firstIndex(where: { $0.path == name }) else { return }
    guard Self.isProgram(files[index]) else {
      throw ToolRefusal(
        "'\(name)' is no manifest and no script",
        "name a file such as widget.yaml, or a script that begins with #!")
    }
    let beginning = files[index].bytes.prefix(RuntimeLimits.pluginScanBytesMax)
    let others = files.filter { $0.path != name && Self.isProgram($0) }
      .map { $0.bytes.prefix(RuntimeLimits.pluginScanBytesMax) }
    switch InstalledPlugin.read(
      name, beginning, besides: others, format: PluginFolder.family(ofFolder: folder))
    {
    case .failure(let refusal):
      throw ToolRefusal(
        "'\(name)' is not installed: \(refusal.reason)", "a script has a name such as cpu.5s.sh")
    case .success(let read):
      files[index].isProgram = true
      manifest = "widget.yaml"
      files.append(File(path: manifest, bytes: Array(read.manifest.utf8), isProgram: false))
      plugin = read
    }
  }

  // MARK: Reading

  /// Reads all files of the folder, or of one in it.
  private mutating func readAll(of name: String? = nil) throws(ToolRefusal) {
    let path = name.map { "\(folder)/\($0)" } ?? folder
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      throw ToolRefusal("'\(path)' cannot be read: \(Self.systemReason)")
    }
    try read(descriptor, at: name.map { $0 + "/" } ?? "", depth: 0)
  }

  /// Reads what is in a folder, whose descriptor it closes.
  private mutating func read(
    _ descriptor: Int32, at prefix: String, depth: Int
  ) throws(ToolRefusal) {
    guard let entries = fdopendir(descriptor) else {
      close(descriptor)
      throw ToolRefusal("'\(prefix)' cannot be read: \(Self.systemReason)")
    }
    defer { closedir(entries) }
    guard depth <= InstallLimits.folderDepthMax else {
      throw ToolRefusal(
        "folders stand more than \(InstallLimits.folderDepthMax) levels deep: '\(prefix)'",
        "install a folder that has the widget alone")
    }
    var names: [String] = []
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        String(validating: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let name, Self.isPlain(name) else {
        throw ToolRefusal(
          "a file in '\(folder)/\(prefix)' has a name with characters that do not show",
          "rename it, or leave it out")
      }
      if !name.hasPrefix(".") { names.append(name) }
      guard names.count <= InstallLimits.fileCountMax else { throw tooMany() }
    }
    for name in names.sorted() {
      try take(name, of: descriptor, at: prefix + name, depth: depth)
    }
  }

  /// Reads one entry of an open folder.
  private mutating func take(
    _ name: String, of folderDescriptor: Int32, at path: String, depth: Int
  ) throws(ToolRefusal) {
    var info = stat()
    guard fstatat(folderDescriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw ToolRefusal("'\(path)' cannot be read: \(Self.systemReason)")
    }
    let type = info.st_mode & S_IFMT
    guard type == S_IFREG || type == S_IFDIR else {
      throw ToolRefusal(
        "'\(path)' is \(Self.name(ofType: type)); only files and folders are installed",
        type == S_IFLNK ? "put a copy of the file in its place" : "leave it out")
    }
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = openat(folderDescriptor, name, type == S_IFDIR ? flags | O_DIRECTORY : flags)
    guard descriptor >= 0 else {
      throw ToolRefusal("'\(path)' cannot be read: \(Self.systemReason)")
    }
    if type == S_IFDIR {
      try read(descriptor, at: path + "/", depth: depth + 1)
      return
    }
    defer { close(descriptor) }
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
      throw ToolRefusal("'\(path)' changed while it was read", "install it again")
    }
    guard info.st_mode & (S_ISUID | S_ISGID) == 0 else {
      throw ToolRefusal(
        "'\(path)' would run with the rights of its owner or group (setuid, setgid)",
        "no widget needs that; ask its author, or: chmod ug-s \(path)")
    }
    guard files.count < InstallLimits.fileCountMax else { throw tooMany() }
    let bytes = try contents(descriptor, path)
    byteCount += bytes.count
    files.append(File(path: path, bytes: bytes, isProgram: info.st_mode & S_IXUSR != 0))
  }

  private func contents(_ descriptor: Int32, _ path: String) throws(ToolRefusal) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw ToolRefusal("'\(path)' cannot be read: \(Self.systemReason)")
      }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      guard byteCount + bytes.count <= InstallLimits.bytesMax else {
        throw ToolRefusal(
          "the files have more than \(InstallLimits.bytesMax >> 20) MiB together",
          "install a folder that has the widget alone")
      }
    }
  }

  /// Adds a file that stands in the folder or below it, if it is not there yet.
  mutating func add(_ path: String) throws(ToolRefusal) {
    guard !files.contains(where: { $0.path == path }) else { return }
    let parts = path.split(separator: "/").map(String.init)
    guard let name = parts.last, parts.allSatisfy({ $0 != ".." && Self.isPlain($0) }) else {
      throw ToolRefusal("'\(path)' leads out of the widget's folder")
    }
    var descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    for part in parts.dropLast() where descriptor >= 0 {
      let next = openat(descriptor, part, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
      close(descriptor)
      descriptor = next
    }
    guard descriptor >= 0 else {
      throw ToolRefusal("'\(path)' cannot be read: \(Self.systemReason)")
    }
    defer { close(descriptor) }
    try take(name, of: descriptor, at: path, depth: InstallLimits.folderDepthMax)
  }

  /// Whether a path leads to a regular file of the folder.
  func isFile(_ path: String) -> Bool {
    var info = stat()
    return lstat("\(folder)/\(path)", &info) == 0 && info.st_mode & S_IFMT == S_IFREG
  }

  private func tooMany() -> ToolRefusal {
    ToolRefusal(
      "the folder '\(folder)' has more than \(InstallLimits.fileCountMax) files",
      "install a folder that has the widget alone")
  }

  /// Whether a name has only characters that show, and no line break.
  private static func isPlain(_ name: String) -> Bool {
    name.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned: false
      default: !scalar.properties.isDefaultIgnorableCodePoint
      }
    }
  }

  private static func name(ofType type: mode_t) -> String {
    switch type {
    case S_IFLNK: "a link"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "no file"
    }
  }

  private static var systemReason: String { String(cString: strerror(errno)) }
}
