import DaemonCore
import DaemonRuntime
import Glibc
import JSON
import PlainText
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
  private let pluginFolders: [String]
  private let manifests: [(kind: String, file: String)]
  /// Of `manifests` those at the end that are scripts.
  private let scriptCount: Int
  /// The files in the folders of plugins that are not taken as they are, with the reason.
  private let issues: [DocumentIssue]
  /// The mistakes of manifests that could not be read, so that nothing is known of their kinds.
  private let unreadable: [DocumentIssue]

  init(_ files: ConfigurationFiles, folders: [String], pluginFolders: [String]) {
    self.folders = folders
    self.pluginFolders = pluginFolders
    issues = files.issues.filter { issue in
      issue.severity == .error && pluginFolders.contains { issue.file.hasPrefix($0 + "/") }
    }
    let readable = Set(files.manifests.map(\.file))
    unreadable = files.issues.filter { issue in
      issue.severity == .error && !readable.contains(issue.file)
        && folders.contains { issue.file.hasPrefix($0 + "/") }
    }
    let manifests = files.manifests.flatMap { source in
      source.writtenKinds.map { (kind: $0.kind, file: source.file) }
    }
    let kinds = Set(manifests.map(\.kind))
    // Of a manifest and a plugin with the same kind the manifest counts.
    let scripts = files.plugins.compactMap { source in
      WidgetKind.read(source).kind.flatMap { kind in
        kinds.contains(kind.kind) ? nil : (kind: kind.kind, file: source.path)
      }
    }
    self.manifests = manifests + scripts
    scriptCount = scripts.count
  }

  /// Reads the manifests of the person's folders.
  init(_ options: RuntimeOptions) {
    var loader = ConfigurationLoader(options)
    loader.intentFolders = []
    self.init(
      loader.load(), folders: options.allWidgetFolders, pluginFolders: options.allPluginFolders)
  }

  /// Returns the path of the manifest; the file may still have mistakes.
  func path(of word: String) -> Result<String, Failure> {
    if Self.isFolder(word), word.contains("/") { return pathInFolder(word) }
    if word.contains("/") || Self.isManifest(word) { return scriptOrManifest(word) }
    if let exact = manifests.first(where: { $0.kind == word }) { return .success(exact.file) }
    let meant = manifests.filter { isShortForm(word, ofKind: $0.kind) }
    if meant.count == 1 { return .success(meant[0].file) }
    if meant.count > 1 {
      return .failure(Failure(message: severalKinds(word, meant.map(\.kind))))
    }
    if Self.isFolder(word) { return pathInFolder(word) }
    // A file that may not be executed is tried, too: the trial says so.
    if access(word, F_OK) == 0 { return scriptOrManifest(word) }
    if let script = manifests.first(where: { Self.name(of: $0.file) == word }) {
      return .success(script.file)
    }
    if let issue = issues.first(where: { Self.name(of: $0.file).hasPrefix(word + ".") })
      ?? issues.first(where: { Self.name(of: $0.file) == word })
    {
      return .failure(Failure(message: issue.description))
    }
    let message = Self.isScriptName(word) ? missing(word) : unknown(word)
    return .failure(Failure(message: ([message] + mistakes).joined(separator: "\n")))
  }

  /// Returns the kind that a word names by its id, or by the last word of it; `nil`: it names a
  /// file, or nothing.
  func kind(of word: String) -> String? {
    guard !word.contains("/"), !Self.isManifest(word) else { return nil }
    return manifests.first { $0.kind == word }?.kind
      ?? manifests.first { isShortForm(word, ofKind: $0.kind) }?.kind
  }

  /// The lines about manifests that could not be read, one of which may offer the kind.
  private var mistakes: [String] {
    guard !unreadable.isEmpty else { return [] }
    let count = Set(unreadable.map(\.file)).count
    let files = count == 1 ? "1 manifest" : "\(count) manifests"
    let told = unreadable.prefix(Self.mistakesMax).map(\.description)
    let left = unreadable.count - told.count
    return ["\(files) could not be read:"] + told + (left > 0 ? ["and \(left) more"] : [])
  }

  /// Mistakes that are printed beside a kind that nobody offers.
  private static let mistakesMax = 10

  private func unknown(_ word: String) -> String {
    let near = nearest(to: word, among: manifests.map(\.kind))
    return "no manifest offers the kind '\(word)'\(didYouMean(near)) (\(searched));"
      + " a path to a manifest or to a script is taken too"
  }

  private func missing(_ word: String) -> String {
    let files = configurationEntries(of: ".") + manifests.map { Self.name(of: $0.file) }
    return "there is no file '\(word)' in this folder\(didYouMean(nearest(to: word, among: files)))"
      + " and none in your own (\(searched)); name it with its path"
  }

  /// The places that were looked at, with the number of files in them.
  private var searched: String {
    // A manifest may offer several kinds.
    let count = Set(manifests.dropLast(scriptCount).map(\.file)).count
    let manifests = "\(count) \(count == 1 ? "manifest" : "manifests")"
    let scripts = "\(scriptCount) \(scriptCount == 1 ? "script" : "scripts")"
    return "\(manifests) in \(folders.joined(separator: ", "));"
      + " \(scripts) in \(pluginFolders.joined(separator: ", "))"
  }

  /// Returns a sentence for the path of a file that is not there; `nil`: it is, or it cannot be
  /// said.
  static func absence(of path: String) -> String? {
    guard access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR else { return nil }
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
    let place = folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
    guard isFolder(place) else {
      return "there is no file \(path): there is no folder \(place); name one that is there"
    }
    let near = nearest(
      to: name(of: path), among: configurationEntries(of: place))
    return "there is no file \(path)\(didYouMean(near))"
      + (near.isEmpty ? "; name one that is there" : "")
  }

  /// Whether a word is the name of a script rather than of a kind, which has neither the ending of
  /// a program's language nor an interval: `cpu.sh`, `cpu.5s`.
  private static func isScriptName(_ word: String) -> Bool {
    guard let ending = word.split(separator: ".").dropFirst().last else { return false }
    if scriptEndings.contains(ending.lowercased()) { return true }
    guard case .success(let name) = PluginFileName.read(word, .xbar) else { return false }
    return name.hasInterval
  }

  /// The endings of the languages in which scripts of bars are written.
  private static let scriptEndings: Set<String> = [
    "bash", "fish", "go", "js", "ksh", "lua", "mjs", "php", "pl", "py", "rb", "sh", "swift", "tcl",
    "ts", "zsh",
  ]

  private static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
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
    if names.isEmpty, access("\(bare)/Package.swift", F_OK) == 0 {
      return .failure(Failure(message: WidgetProgram.adviceAboutPackage(bare, configuration)))
    }
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

  /// Returns the path, unless it is that of a program which no bar runs: a widget's for iOS.
  private func scriptOrManifest(_ path: String) -> Result<String, Failure> {
    guard !Self.isManifest(path), WidgetProgram.isAt(path) else { return .success(path) }
    return .failure(Failure(message: WidgetProgram.advice(path, configuration)))
  }

  /// The person's configuration folder, which has that of the manifests, as a shell reads it.
  private var configuration: String {
    folders.first.flatMap { $0.hasSuffix("/widgets") ? shellWord(String($0.dropLast(8))) : nil }
      ?? "~/.config/intentd"
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
