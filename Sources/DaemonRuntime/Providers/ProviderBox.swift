import EventLoop
import Glibc
import IntentProtocol
import WidgetCenter

/// Makes the box of a provider from its declaration and from the folders of this daemon.
struct ProviderBox {
  /// The person's home, without links; `nil`: unknown, and nothing from `~/` on can be granted.
  let home: String?
  /// The folders of which a grant gives nothing: the daemon's state, the caches of all kinds, and
  /// what apps share with their widgets.
  let closed: [String]
  /// The folders that no grant makes writable: configuration, widgets, intents.
  let readOnly: [String]
  /// The daemon's socket, beside which nothing is made or removed.
  let socket: String
  /// The folders with manifests of several widgets.
  let widgetFolders: [String]

  /// A reason for which a provider does not get its box: a sentence with its remedy.
  struct Refusal: Error, Hashable {
    var reason: String
  }

  init(options: RuntimeOptions, cacheFolder: String) {
    home = Self.home(options.environment)
    // A trial has caches of its own, and those of the kinds stay closed to it.
    closed = [options.stateFolder, options.cacheFolder, cacheFolder, options.groups.folder]
      .map(Self.resolved)
    widgetFolders = options.allWidgetFolders.map(Self.resolved)
    readOnly =
      (options.configurationFolders + options.allWidgetFolders + options.allIntentFolders)
      .map(Self.resolved)
    socket = Self.resolved(options.socket.path)
  }

  /// Returns the box of a provider whose own cache folder is `cache`, whose proxy of the session bus
  /// listens at `bus`, and whose group has the folder `group`.
  func box(
    of provider: ProviderDeclaration, permissions: ProviderPermissions, cache: String,
    bus: String? = nil, group: String? = nil, landlockVersion: Int32
  ) throws(Refusal) -> Box {
    let paths = try permissions.read.map { path throws(Refusal) in try place(path, "read") }
    let writable = try permissions.write.map { path throws(Refusal) in try place(path, "write") }
    var options: Box.Options = []
    if permissions.network { options.insert(.network) }
    if !paths.isEmpty || !writable.isEmpty { options.insert(.readsHome) }
    var box =
      bus.map { Box(options, bus: $0, landlockVersion: landlockVersion) }
      ?? Box(options, landlockVersion: landlockVersion)
    func add(_ path: String, _ access: Box.Access) throws(Refusal) {
      guard box.add(path, access) else {
        throw Refusal(reason: "its permissions are too many for a box; name folders, not files")
      }
    }
    for path in BoxPaths.programs { try add(path, .run) }
    for path in BoxPaths.read { try add(path, .read) }
    if permissions.network { for path in BoxPaths.readWithNetwork { try add(path, .read) } }
    for path in BoxPaths.devices { try add(path, .device) }
    for path in ownFiles(of: provider) { try add(path, [.read, .run, .noLinks]) }
    try add(cache, .write)
    if let group { try add(Self.resolved(group), [.write, .noLinks]) }
    for path in paths { try add(path, [.read, .noLinks]) }
    for path in writable { try add(path, [.write, .noLinks]) }
    return box
  }

  /// Whether the provider reads all of its manifest's folder in its box.
  func opensFolder(of provider: ProviderDeclaration) -> Bool {
    !isShared(Self.resolved(provider.directory))
  }

  /// The folder of the manifest; of a manifest in a folder that holds other things, the files that
  /// its `exec` names, since those beside them may hold the keys of other widgets.
  ///
  /// Whoever wrote the manifest chose the words of `exec`, and `.ssh/id` could be one: a hidden file
  /// does not count, nor does one in a folder below, except below the widgets.
  private func ownFiles(of provider: ProviderDeclaration) -> [String] {
    let folder = Self.resolved(provider.directory)
    guard isShared(folder) else { return [folder] }
    return provider.exec.compactMap { word in
      guard !word.hasPrefix("-") else { return nil }
      let path = Self.resolved(word.hasPrefix("/") ? word : folder + "/" + word)
      guard path.hasPrefix(folder + "/"), Self.isFile(path) else { return nil }
      let parts = path.dropFirst(folder.count + 1).split(separator: "/")
      guard parts.count == 1 || widgetFolders.contains(folder) else { return nil }
      return parts.contains { $0.hasPrefix(".") } ? nil : path
    }
  }

  /// Whether a folder holds more than one widget: the home, a folder with folders of the daemon in
  /// it, or one above these.
  private func isShared(_ folder: String) -> Bool {
    ([home].compactMap { $0 } + closed + readOnly).contains { Self.contains(folder, $0) }
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  // MARK: Grants

  /// Returns the path that a grant stands for; refuses one that would open the daemon's own files,
  /// and one that is a link or is reached through one.
  ///
  /// A rule of Landlock has no exceptions below its path, so a grant of a folder with one of these
  /// in it cannot be kept. A link may have been put there by a program in a box, for which the
  /// folder around it is writable, and would open to it what the link names.
  private func place(_ named: String, _ key: String) throws(Refusal) -> String {
    var path = named
    if named == "~" || named.hasPrefix("~/") {
      guard let home else {
        throw Refusal(reason: "permissions.\(key) names \(named), and HOME is not set")
      }
      path = home + named.dropFirst(1)
    }
    guard path.hasPrefix("/") else {
      throw Refusal(
        reason: "permissions.\(key) names \(named); write a path from / or ~/ on")
    }
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    let target = Self.resolved(path)
    let isWrite = key == "write"
    for folder in isWrite ? closed + readOnly : closed
    where Self.overlap(path, folder) || Self.overlap(target, folder) {
      throw Refusal(
        reason:
          "permissions.\(key) names \(named), which would open intentd's own folder \(folder); name other folders"
      )
    }
    if isWrite, Self.contains(path, socket) || Self.contains(target, socket) {
      throw Refusal(
        reason:
          "permissions.write names \(named), where the socket of intentd is; name a folder without it"
      )
    }
    guard target == path else {
      throw Refusal(
        reason:
          "permissions.\(key) names \(named), which is a link to \(target); grant that folder itself"
      )
    }
    return path
  }

  /// Returns the home that an environment names, without links; `nil`: it names none.
  static func home(_ environment: [String: String]) -> String? {
    environment["HOME"].flatMap { $0.hasPrefix("/") ? resolved($0) : nil }
  }

  static func contains(_ folder: String, _ path: String) -> Bool {
    path == folder || folder == "/" || path.hasPrefix(folder + "/")
  }

  static func overlap(_ one: String, _ other: String) -> Bool {
    contains(one, other) || contains(other, one)
  }

  /// Returns a path without links, `.` and `..`, as far as it exists.
  static func resolved(_ path: String) -> String {
    if let found = realpath(path, nil) {
      defer { free(found) }
      return String(cString: found)
    }
    var parts = path.split(separator: "/", omittingEmptySubsequences: true)
    guard let last = parts.popLast() else { return "/" }
    let parent = resolved("/" + parts.joined(separator: "/"))
    return (parent == "/" ? "" : parent) + "/" + last
  }
}
