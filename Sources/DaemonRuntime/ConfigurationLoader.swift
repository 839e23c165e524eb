package import DaemonCore
import Documents
import Glibc
import IntentRouter
package import JSON
package import WidgetCenter

/// Reads the configuration's files; judging them is the core's work.
///
/// Every `.yaml` below an intents folder and in a widgets folder, in the order of names, so that the same
/// folders always give the same answer. A folder that is not there is no mistake; a file that cannot be read is one.
package struct ConfigurationLoader {
  package var intentFolders: [String]
  package var widgetFolders: [String]

  package init(intentFolders: [String], widgetFolders: [String]) {
    self.intentFolders = intentFolders
    self.widgetFolders = widgetFolders
  }

  package func load() -> ConfigurationFiles {
    var files = ConfigurationFiles()
    for folder in intentFolders {
      for path in Self.yamlFiles(below: folder, depth: 3) {
        guard let kind = CatalogSource.Kind(path: path) else { continue }
        let file = folder + "/" + path
        if let document = Self.read(file, &files.issues) {
          files.catalog.append(CatalogSource(file: file, document: document, kind: kind))
        }
      }
    }
    for folder in widgetFolders {
      for path in Self.yamlFiles(below: folder, depth: 2) {
        let file = folder + "/" + path
        if let source = Self.manifest(file, &files.issues) { files.manifests.append(source) }
      }
    }
    return files
  }

  /// Reads one manifest, for `--try`.
  package static func manifest(at path: String) -> (source: ManifestSource?, issues: [DocumentIssue]) {
    var issues: [DocumentIssue] = []
    let source = manifest(path, &issues)
    return (source, issues)
  }

  private static func manifest(_ path: String, _ issues: inout [DocumentIssue]) -> ManifestSource? {
    let before = issues.count
    guard let document = read(path, &issues) else {
      if issues.count == before {
        issues.append(
          DocumentIssue(
            file: path, line: 1, message: "the file is empty",
            expected: "a mapping with kind, name, families, provider"))
      }
      return nil
    }
    return ManifestSource(file: path, directory: folder(of: path), document: document)
  }

  private static func read(_ path: String, _ issues: inout [DocumentIssue]) -> LocatedValue? {
    switch readFile(path, bytesMax: 4 << 20) {
    case .failure(let failure):
      issues.append(
        DocumentIssue(
          file: path, line: 0, message: "the file cannot be read: \(failure.message)",
          expected: "a readable YAML file"))
      return nil
    case .success(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self) else {
        issues.append(
          DocumentIssue(file: path, line: 0, message: "the file is not UTF-8", expected: "UTF-8 text"))
        return nil
      }
      let loaded = readYAML(text, file: path)
      issues += loaded.issues
      return loaded.value
    }
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

  /// Paths relative to `folder`, sorted; hidden files and folders are left out.
  private static func yamlFiles(below folder: String, depth: Int) -> [String] {
    guard depth > 0, let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    var found: [String] = []
    for name in names.sorted() {
      if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
        found.append(name)
      } else {
        found += yamlFiles(below: folder + "/" + name, depth: depth - 1).map { name + "/" + $0 }
      }
    }
    return found
  }
}

/// Why a file could not be read.
struct FileFailure: Error, Sendable {
  var message: String
}

/// Reads a whole file of at most `bytesMax` bytes.
func readFile(_ path: String, bytesMax: Int) -> Result<[UInt8], FileFailure> {
  // Not blocking: opening a named pipe would wait for somebody to write to it.
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else { return .failure(FileFailure(message: String(cString: strerror(errno)))) }
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
      return .failure(FileFailure(message: "it has more than \(bytesMax) bytes"))
    }
  }
}
