import DaemonCore
import DaemonRuntime
import Glibc
import JSON
import Plugins
import WidgetCenter

/// Finds the manifest that a person names: by its path, by its folder, by its kind, or by the last
/// word of the kind's id (`uptime` for `me.uptime`); or the plugin, a script that is a kind without
/// a manifest.
struct ManifestSearch {
  struct Failure: Error, Hashable {
    /// A sentence, or a line for each mistake of a file.
    var message: String
  }

  private let folders: [String]
  private let manifests: [(kind: String, file: String)]

  init(_ files: ConfigurationFiles, folders: [String]) {
    self.folders = folders
    let manifests = files.manifests.compactMap { source in
      source.document["kind"]?.json.stringValue.map { (kind: $0, file: source.file) }
    }
    let kinds = Set(manifests.map(\.kind))
    // Of a manifest and a plugin with the same kind the manifest counts.
    self.manifests =
      manifests
      + files.plugins.compactMap { source in
        WidgetKind.read(source).kind.flatMap { kind in
          kinds.contains(kind.kind) ? nil : (kind: kind.kind, file: source.path)
        }
      }
  }

  /// Reads the manifests of the person's folders.
  init(_ options: RuntimeOptions) {
    let folders = options.allWidgetFolders
    var loader = ConfigurationLoader(options)
    loader.intentFolders = []
    self.init(loader.load(), folders: folders)
  }

  /// Returns the path of the manifest; the file may still have mistakes.
  func path(of word: String) -> Result<String, Failure> {
    if Self.isFolder(word), word.contains("/") { return pathInFolder(word) }
    if word.contains("/") || Self.isManifest(word) { return .success(word) }
    if let exact = manifests.first(where: { $0.kind == word }) { return .success(exact.file) }
    let wanted = word.lowercased()
    let meant = manifests.filter { manifest in
      let kind = manifest.kind.lowercased()
      return kind == wanted || kind.split(separator: ".").last.map(String.init) == wanted
    }
    if meant.count == 1 { return .success(meant[0].file) }
    if meant.count > 1 {
      let names = meant.map { "'\($0.kind)'" }.joined(separator: " and ")
      return .failure(Failure(message: "'\(word)' may be \(names); write one of these"))
    }
    if Self.isFolder(word) { return pathInFolder(word) }
    if access(word, X_OK) == 0 { return .success(word) }
    let near = nearest(to: word, among: manifests.map(\.kind))
    let read = manifests.count == 1 ? "1 manifest" : "\(manifests.count) manifests"
    return .failure(
      Failure(
        message:
          "no manifest offers the kind '\(word)'\(didYouMean(near)) (\(read) in \(folders.joined(separator: ", "))); a path to a manifest is taken too"
      ))
  }

  private func pathInFolder(_ folder: String) -> Result<String, Failure> {
    let bare = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    if PluginFolder.isPackage(bare) {
      guard let entry = PluginFolder.entry(ofPackage: bare) else {
        return .failure(
          Failure(
            message: "the package '\(folder)' has no plugin, a file such as plugin.sh that can be"
              + " executed"))
      }
      return .success(entry)
    }
    let names = configurationPaths(below: bare, depth: 1)
      .filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
    guard let first = names.first else {
      return .failure(
        Failure(message: "the folder '\(folder)' has no manifest, a file such as x.yaml"))
    }
    guard names.count == 1 else {
      return .failure(
        Failure(
          message:
            "the folder '\(folder)' has several manifests, \(names.joined(separator: ", ")); name one"
        ))
    }
    return .success("\(bare)/\(first)")
  }

  /// Whether a path is that of a manifest by its name; others are a plugin's.
  static func isManifest(_ path: String) -> Bool {
    path.hasSuffix(".yaml") || path.hasSuffix(".yml")
  }

  private static func isFolder(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
  }
}

extension WidgetFamily {
  /// Reads a family as people type it: in any case, and without `system` or `accessory` where that
  /// leaves one family (`medium`, `inline`).
  package init?(typed text: String) {
    let wanted = text.lowercased()
    let named = Self.allCases.first { family in
      let name = family.rawValue.lowercased()
      return name == wanted || name == "system" + wanted || name == "accessory" + wanted
    }
    guard let named else { return nil }
    self = named
  }

  /// Why `text` is none of the families of a kind, and which there are.
  static func refusal(_ text: String, kind: WidgetKind) -> String {
    let names = kind.families.map(\.rawValue)
    let near = didYouMean(nearest(to: text, among: names, countMax: 1))
    return
      "\(kind.kind) does not come in the family '\(text)'\(near); choose one of \(names.joined(separator: ", "))"
  }
}
