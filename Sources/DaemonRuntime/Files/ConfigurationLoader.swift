package import DaemonCore
import Documents
import Glibc
import IntentRouter
package import JSON
package import WidgetCenter

/// Reads the configuration's files; the core interprets them.
///
/// It reads the first settings file that exists, each `.yaml` below an intents folder and in a
/// widgets folder, each script of a plugins folder (`PluginFolder`), and Xcode's definition files
/// with their translations, in the order of names, so that the same folders always give the same
/// result. Of intents' files with the same path in
/// several folders, the first counts. A missing folder is no mistake; a file that cannot be read is
/// one.
package struct ConfigurationLoader {
  package var intentFolders: [String]
  package var widgetFolders: [String]
  package var settingsFiles: [String]
  /// Folders with scripts of other bars.
  package var pluginFolders: [String]
  /// The folder with what was installed from elsewhere; its kinds come last.
  package var installedFolder: String?
  package var consents: ConsentFiles?

  /// Levels of folders that are read: `widgets/*.yaml` and `widgets/NAME/*.yaml`.
  static let widgetFolderDepth = 2
  /// Levels of folders that are read: `intents/NAME/en.lproj/*.strings` is the lowest.
  static let intentFolderDepth = 3

  package init(
    intentFolders: [String], widgetFolders: [String], settingsFiles: [String] = [],
    pluginFolders: [String] = [], installedFolder: String? = nil, consents: ConsentFiles? = nil
  ) {
    self.intentFolders = intentFolders
    self.widgetFolders = widgetFolders
    self.settingsFiles = settingsFiles
    self.pluginFolders = pluginFolders
    self.installedFolder = installedFolder
    self.consents = consents
  }

  /// A loader of everything that the options name.
  package init(_ options: RuntimeOptions) {
    self.init(
      intentFolders: options.allIntentFolders, widgetFolders: options.allWidgetFolders,
      settingsFiles: options.settingsFiles, pluginFolders: options.allPluginFolders,
      installedFolder: options.installedFolder, consents: options.consents)
  }

  /// Every folder of manifests, with its origin.
  var manifestFolders: [(path: String, origin: ManifestOrigin)] {
    widgetFolders.map { ($0, .own) } + (installedFolder.map { [($0, .installed)] } ?? [])
  }

  /// Reads all files; a file that cannot be read becomes an issue of the result.
  package func load() -> ConfigurationFiles {
    var files = ConfigurationFiles()
    if let file = settingsFiles.first(where: { access($0, F_OK) == 0 }) {
      files.settings = SettingsSource(file: file, document: readDocument(file, &files.issues))
    }
    var taken: Set<String> = []
    for folder in intentFolders {
      files.readIntents(in: folder, besides: &taken)
    }
    for (folder, origin) in manifestFolders {
      let paths = configurationPaths(below: folder, depth: Self.widgetFolderDepth)
      for path in paths where isYAML(path) {
        let file = folder + "/" + path
        if let source = Self.manifest(file, origin, in: folder, &files) {
          files.manifests.append(source)
        }
      }
    }
    for folder in pluginFolders {
      let read = PluginFolder(folder).read()
      files.plugins += read.plugins
      files.issues += read.issues
    }
    if let consents {
      let read = consents.load()
      files.consents = read.consents
      files.issues += read.issues
    }
    return files
  }

  /// Reads one manifest, for `--try`, with the origin that its folder gives it.
  package static func manifest(at path: String, _ options: RuntimeOptions) -> (
    source: ManifestSource?, issues: [DocumentIssue]
  ) {
    var issues: [DocumentIssue] = []
    var source = manifest(path, .own, &issues)
    if let directory = source?.directory,
      (realPath(directory) + "/").hasPrefix(realPath(options.installedFolder) + "/")
    {
      source?.origin = .installed
    }
    return (source, issues)
  }

  private static func realPath(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Reads a manifest of a widgets folder, unless somebody else may change it or a program that it
  /// names: of `exec`, of `if`, of `clicks`.
  private static func manifest(
    _ file: String, _ origin: ManifestOrigin, in folder: String, _ files: inout ConfigurationFiles
  ) -> ManifestSource? {
    let trust = FileTrust.ofThisProcess
    if let doubt = trust.doubt(about: file, upTo: folder) {
      files.refuse(file, line: 0, "the manifest is not read", doubt)
      return nil
    }
    guard let source = manifest(file, origin, &files.issues) else { return nil }
    for command in commands(of: source) {
      for (index, word) in command.enumerated() {
        guard let program = program(of: word.word, isFirst: index == 0, in: source.directory),
          let doubt = trust.doubt(about: program, upTo: folder)
        else { continue }
        files.refuse(file, line: word.line, "the program is not run", doubt)
        return nil
      }
    }
    return source
  }

  /// The commands that a manifest names: its program, the condition, those of clicks.
  private static func commands(of source: ManifestSource) -> [[(word: String, line: Int)]] {
    guard let provider = source.document["provider"] else { return [] }
    var commands = ManifestReader.commands(of: provider)
    if case .array(let words)? = provider["exec"]?.node {
      commands.insert(
        words.compactMap { word in word.json.stringValue.map { ($0, word.line) } }, at: 0)
    }
    return commands
  }

  /// Returns the file that a word of a command names; `nil`: it names none.
  ///
  /// After the first word that may be a script, which an interpreter runs; a file of others that is
  /// elsewhere and cannot be executed, such as a log, is data. The first word without a slash is a
  /// program of the system, and a device is no program.
  private static func program(
    of named: String, isFirst: Bool, in directory: String
  ) -> String? {
    guard !named.isEmpty, !isFirst || named.contains("/") else { return nil }
    // A name without a slash is looked up beside the manifest, as the interpreter does.
    let path = StartAdvice.program(
      of: ProviderDeclaration(
        exec: [named.contains("/") ? named : "./" + named], directory: directory))
    var info = stat()
    guard !isFirst else { return path }
    guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
    let isData =
      named.hasPrefix("/") && info.st_uid != geteuid() && info.st_mode & 0o111 == 0
      && !named.hasPrefix(directory + "/")
    return isData ? nil : path
  }

  private static func manifest(
    _ path: String, _ origin: ManifestOrigin, _ issues: inout [DocumentIssue]
  ) -> ManifestSource? {
    let before = issues.count
    guard let document = readDocument(path, &issues) else {
      if issues.count == before {
        issues.append(
          DocumentIssue(
            file: path, line: 1, message: "the file is empty",
            expected: "a mapping with kind, name, families, provider"))
      }
      return nil
    }
    return ManifestSource(
      file: path, directory: folder(of: path), document: document, origin: origin)
  }

  private static func folder(of path: String) -> String {
    var absolute = path
    if !path.hasPrefix("/"), let real = realpath(path, nil) {
      absolute = String(cString: real)
      free(real)
    }
    guard let slash = absolute.lastIndex(of: "/") else { return "." }
    return slash == absolute.startIndex ? "/" : String(absolute[..<slash])
  }
}

extension ConfigurationFiles {
  fileprivate mutating func refuse(
    _ file: String, line: Int, _ outcome: String, _ doubt: FileTrust.Doubt
  ) {
    refusedManifests.insert(file)
    // A manifest is watched; a program, and what stands above the folder, is not.
    let next = doubt.path == file ? "" : ", then: intent-send reload-config"
    issues.append(
      DocumentIssue(
        file: file, line: line, message: "\(outcome): \(doubt.message)",
        expected: "files that nobody else may change or replace; \(doubt.remedy)\(next)"))
  }

  /// Reads the files of a catalogue.
  ///
  /// A file takes the place of those with the same path in later folders: a person's own that of
  /// the package's. `taken` has the paths of earlier folders. Translations of an app's other texts
  /// are ignored.
  fileprivate mutating func readIntents(in folder: String, besides taken: inout Set<String>) {
    let paths = configurationPaths(
      below: folder, depth: ConfigurationLoader.intentFolderDepth
    ).filter { !taken.contains($0) }
    taken.formUnion(paths)
    var kinds: [(path: String, kind: CatalogSource.Kind)] = []
    for path in paths {
      if let kind = CatalogSource.Kind(path: path) { kinds.append((path, kind)) }
    }
    let defined = Set(kinds.filter { $0.kind == .definitions }.map { stem(of: $0.path) })
    for (path, kind) in kinds {
      if kind == .translations, !defined.contains(stem(of: path)) { continue }
      let file = folder + "/" + path
      if let document = readDocument(file, &issues) {
        catalog.append(CatalogSource(file: file, document: document, kind: kind))
      }
    }
  }
}

/// `Intents` of `App/Base.lproj/Intents.strings`.
package func stem(of path: String) -> Substring {
  (path.split(separator: "/").last ?? "").prefix { $0 != "." }
}

private func isYAML(_ path: String) -> Bool { path.hasSuffix(".yaml") || path.hasSuffix(".yml") }

/// Reads a document of the form that its name says.
package func readDocument(_ path: String, _ issues: inout [DocumentIssue]) -> LocatedValue? {
  switch readFile(path, bytesMax: RuntimeLimits.configurationFileBytesMax) {
  case .failure(let failure):
    issues.append(
      DocumentIssue(
        file: path, line: 0, message: "the file cannot be read: \(failure.message)",
        expected: "a readable file"))
    return nil
  case .success(let bytes):
    return readDocument(bytes, path, &issues)
  }
}

/// Reads the bytes of a document of the form that its name says.
package func readDocument(
  _ bytes: [UInt8], _ path: String, _ issues: inout [DocumentIssue]
) -> LocatedValue? {
  let loaded: LoadedDocument
  if path.hasSuffix(".intentdefinition") {
    loaded = readPropertyList(bytes, file: path)
  } else if path.hasSuffix(".strings") {
    loaded = readStrings(bytes, file: path)
  } else if let text = String(validating: bytes, as: UTF8.self) {
    loaded = readYAML(text, file: path)
  } else {
    issues.append(
      DocumentIssue(file: path, line: 0, message: "the file is not UTF-8", expected: "UTF-8 text"))
    return nil
  }
  issues += loaded.issues
  return loaded.value
}

/// Returns the paths of configuration files relative to `folder`, sorted, without hidden files and
/// folders.
package func configurationPaths(below folder: String, depth: Int) -> [String] {
  guard depth > 0 else { return [] }
  var found: [String] = []
  for name in configurationEntries(of: folder) {
    if isConfigurationName(name) {
      found.append(name)
    } else {
      found += configurationPaths(below: folder + "/" + name, depth: depth - 1).map {
        name + "/" + $0
      }
    }
  }
  return found
}

/// The names of a folder's entries, sorted, without hidden ones; empty when it cannot be read.
package func configurationEntries(of folder: String) -> [String] {
  guard let directory = opendir(folder) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
      String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
    }
    if !name.hasPrefix(".") { names.append(name) }
  }
  return names.sorted()
}

/// Whether a file of this name is read; a name that is not may be a folder's.
func isConfigurationName(_ name: String) -> Bool {
  isYAML(name) || name.hasSuffix(".intentdefinition") || name.hasSuffix(".strings")
}

/// Why a file could not be read.
package struct FileFailure: Error, Sendable {
  package var message: String
}

/// Reads a whole file of at most `bytesMax` bytes.
///
/// `isCut`: of a longer file its beginning is returned, where it is a failure otherwise.
package func readFile(
  _ path: String, bytesMax: Int, isCut: Bool = false
) -> Result<[UInt8], FileFailure> {
  // Open without blocking: opening a named pipe would wait for a writer.
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else {
    return .failure(FileFailure(message: String(cString: strerror(errno))))
  }
  defer { close(descriptor) }
  var info = stat()
  guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
    return .failure(FileFailure(message: "it is not a regular file"))
  }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = Glibc.read(descriptor, &chunk, chunk.count)
    if count < 0 {
      if errno == EINTR { continue }
      return .failure(FileFailure(message: String(cString: strerror(errno))))
    }
    if count == 0 { return .success(bytes) }
    bytes += chunk[..<count]
    guard bytes.count <= bytesMax else {
      if isCut { return .success(Array(bytes.prefix(bytesMax))) }
      return .failure(FileFailure(message: "it has more than \(bytesMax) bytes"))
    }
  }
}
