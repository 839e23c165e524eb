import DaemonRuntime
import Glibc
import IntentRouter
import JSON

/// The documents for `intentd --lint FILE…`: the named files and the documents around them.
///
/// A folder without an `intent.yaml` is an intents folder, which is linted whole. A folder with one
/// is an intent, and a file in it is one of the intent's documents: the other intents and the lists
/// beside it are read too, but not reported on. Any other file is linted alone.
struct LintFiles {
  /// Documents that are linted together.
  struct Group {
    /// The intents folder; `nil` for documents that are linted alone.
    var root: String?
    var sources: [CatalogSource] = []
    /// The files that are reported on; `nil` means all.
    var files: Set<String>? = []
  }

  /// Files read below one intents folder.
  static let filesMax = 5_000

  private(set) var groups: [Group] = []
  /// The issues of files that could not be read.
  private(set) var issues: [DocumentIssue] = []

  /// Named files and folders by their place on the disk, as a person wrote them.
  private var named: [String: String] = [:]

  init(_ paths: [String]) {
    for path in paths {
      if let real = Self.realPath(path) { named[real] = path }
    }
    for path in paths { add(path) }
    for index in groups.indices where groups[index].root != nil { readRoot(index) }
  }

  private mutating func add(_ path: String) {
    var info = stat()
    guard stat(path, &info) == 0 else {
      issues.append(
        DocumentIssue(
          file: path, line: 0,
          message: "the file cannot be read: \(String(cString: strerror(errno)))",
          expected: "a sentence document, or a folder of intents"))
      return
    }
    if info.st_mode & S_IFMT == S_IFDIR {
      if access(path + "/intent.yaml", R_OK) == 0 || Self.name(path) == "lists" {
        focus(on: Self.parent(path), path)
      } else {
        focus(on: path, nil)
      }
      return
    }
    let folder = Self.parent(path)
    if path.hasSuffix(".intentdefinition") {
      // A localised one lies in a folder of its language.
      focus(on: Self.name(folder).hasSuffix(".lproj") ? Self.parent(folder) : folder, path)
      return
    }
    if access(folder + "/intent.yaml", R_OK) == 0 || Self.name(folder) == "lists" {
      focus(on: Self.parent(folder), path)
      return
    }
    let group = groups.firstIndex { $0.root == nil } ?? groups.count
    if group == groups.count { groups.append(Group()) }
    // A document on its own may have any name.
    let isExamples = Self.name(path) == "examples.yaml"
    if let document = readDocument(path, &issues) {
      groups[group].files?.insert(path)
      groups[group].sources.append(
        CatalogSource(file: path, document: document, kind: isExamples ? .examples : .sentences))
    }
  }

  /// Reports on `path` below the intents folder `root`, or on the whole folder if `path` is `nil`.
  private mutating func focus(on root: String, _ path: String?) {
    let real = Self.realPath(root)
    var index = groups.firstIndex { $0.root.flatMap(Self.realPath) == real } ?? groups.count
    if index == groups.count {
      groups.append(Group(root: root))
      index = groups.count - 1
    }
    guard let path else {
      groups[index].files = nil
      return
    }
    groups[index].files?.insert(path)
  }

  private mutating func readRoot(_ index: Int) {
    guard let root = groups[index].root else { return }
    let name = Self.name(root)
    let focused = groups[index].files.map { Set($0.compactMap(Self.realPath)) }
    var files: Set<String> = []
    let paths = configurationPaths(below: root, depth: 3)
    if paths.count > Self.filesMax {
      issues.append(
        DocumentIssue(
          severity: .warning, file: root, line: 0,
          message: "the folder has \(paths.count) files, of which \(Self.filesMax) are read",
          expected: "an intents folder"))
    }
    var kinds: [(path: String, kind: CatalogSource.Kind)] = []
    for path in paths.prefix(Self.filesMax) {
      guard let kind = CatalogSource.Kind(path: "\(name)/\(path)") else { continue }
      // Beside an intent's folder lie folders, not documents.
      if focused == nil || path.contains("/") || kind == .definitions { kinds.append((path, kind)) }
    }
    let defined = Set(kinds.filter { $0.kind == .definitions }.map { stem(of: $0.path) })
    for (path, kind) in kinds {
      if kind == .translations, !defined.contains(stem(of: path)) { continue }
      let whole = root == "." ? path : "\(root)/\(path)"
      let real = Self.realPath(whole) ?? whole
      let file = named[real] ?? whole
      let isMeant = focused.map { $0.contains(real) || $0.contains(Self.parent(real)) } ?? true
      var found: [DocumentIssue] = []
      let document = readDocument(whole, &found)
      if isMeant {
        files.insert(file)
        issues += found
      }
      if let document {
        groups[index].sources.append(CatalogSource(file: file, document: document, kind: kind))
      }
    }
    if focused != nil { groups[index].files = files }
  }

  // MARK: Paths

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// The last part of a path, also of `.`.
  private static func name(_ path: String) -> String {
    let real = realPath(path) ?? path
    return real.split(separator: "/").last.map(String.init) ?? ""
  }

  /// The folder that a path lies in, as short as the path.
  static func parent(_ path: String) -> String {
    var parts = path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    guard let last = parts.popLast() else { return "/" }
    guard last != ".", last != ".." else { return path + "/.." }
    let isAbsolute = path.hasPrefix("/")
    if parts.isEmpty { return isAbsolute ? "/" : "." }
    return (isAbsolute ? "/" : "") + parts.joined(separator: "/")
  }
}
