// Finds applications on disk and prepares their launch.
//
// It keeps no cache: a tap reads the lists and the one entry it needs, and only a handler without a
// default needs a walk over all entries. The pure types of `DesktopEntries` make all decisions;
// this file opens files, lists folders and searches programs. Relative directories in XDG variables
// and in `PATH` are ignored, because they would let the current directory choose the program that
// runs.
package import DesktopEntries
import Glibc

/// The applications that the person's environment can see.
package struct ApplicationFinder {
  private let environment: [(String, String)]
  private let home: String?
  /// Each with its `applications/`, in order.
  private let applicationDirectories: [String]
  private let configurationDirectories: [String]
  private let programDirectories: [String]
  /// Lower-cased.
  private let currentDesktops: [String]
  private let locales: [String]

  /// - Parameters:
  ///   - environment: a variable's value, `nil` when unset.
  ///   - names: the variables an application may inherit; the process' own by default.
  package init(
    environment: (String) -> String?, names: [String] = ApplicationFinder.processVariableNames()
  ) {
    func value(_ name: String) -> String? {
      environment(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    func directories(_ name: String, _ fallback: String) -> [String] {
      Self.absoluteDirectories((value(name) ?? fallback).split(separator: ":"))
    }
    let home = Self.absoluteDirectories([Substring(value("HOME") ?? "")]).first
    func personal(_ name: String, _ fallback: String) -> [String] {
      let own = Self.absoluteDirectories([Substring(value(name) ?? "")])
      return own.isEmpty ? home.map { ["\($0)/\(fallback)"] } ?? [] : own
    }
    self.home = home
    applicationDirectories =
      (personal("XDG_DATA_HOME", ".local/share")
      + directories("XDG_DATA_DIRS", "/usr/local/share:/usr/share")).map { $0 + "/applications" }
    configurationDirectories =
      personal("XDG_CONFIG_HOME", ".config") + directories("XDG_CONFIG_DIRS", "/etc/xdg")
    programDirectories = directories("PATH", "/usr/local/bin:/usr/bin:/bin")
    currentDesktops = (value("XDG_CURRENT_DESKTOP") ?? "").split(separator: ":")
      .filter { !$0.contains("/") }.map { $0.lowercased() }
    locales = DesktopEntry.localeNames(
      locale: value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG"),
      language: value("LANGUAGE"))
    self.environment = names.filter { !Self.isOurs($0) }.compactMap { name in
      environment(name).map { (name, $0) }
    }
  }

  // MARK: - Find

  /// The application with this id, with or without its `.desktop`.
  ///
  /// The first directory that has the id owns it: an entry there that is hidden or broken is not
  /// replaced by one further down. Whether its program is installed is for `prepare` to say.
  package func find(application id: String) -> Result<DesktopEntry, LaunchRefusal> {
    find(fileID: id.hasSuffix(".desktop") ? id : id + ".desktop").map(\.entry)
  }

  /// The application the person chose for a scheme, else one that claims it.
  package func handler(scheme: String) -> Result<DesktopEntry, LaunchRefusal> {
    guard LaunchableURL.scheme(of: scheme + ":") != nil else {
      return .failure(LaunchRefusal(.noScheme, "'\(scheme)' is no URL scheme"))
    }
    if let refusal = LaunchableURL.refusal(forScheme: scheme) { return .failure(refusal) }
    let type = MimeAssociations.type(ofScheme: scheme)
    var levels = levels(for: type)
    var reasons: [LaunchRefusal] = []
    func firstUsable(_ ids: [String]) -> DesktopEntry? {
      for id in ids.prefix(RuntimeLimits.handlerCandidateCountMax) {
        let found = find(fileID: id).map(\.entry)
        switch found.flatMap({ entry in usable(entry).map { _ in entry } }) {
        case .success(let entry): return entry
        case .failure(let refusal): reasons.append(refusal)
        }
      }
      return nil
    }
    if let entry = firstUsable(HandlerResolution.defaults(for: type, levels: levels)) {
      return .success(entry)
    }
    for (index, directory) in applicationDirectories.enumerated() {
      levels[configurationDirectories.count + index].claims = claims(
        type, level: index, directory: directory)
    }
    let associated = HandlerResolution.associated(with: type, levels: levels) { id in
      owner(of: id).map { configurationDirectories.count + $0.level }
    }
    if let entry = firstUsable(associated) { return .success(entry) }
    let why = reasons.first.map { "; \($0.message)" } ?? ""
    return .failure(
      LaunchRefusal(.noHandler, "no installed application opens \(scheme): URLs\(why)"))
  }

  // MARK: - Prepare

  /// A launch that needs nothing but starting.
  package struct Launch {
    /// Absolute.
    package var program: String
    package var arguments: [String]
    /// Absolute; was there a moment ago.
    package var workingDirectory: String
    /// The whole environment of a new child of the daemon.
    package var environment: [(String, String)]
    /// The part of it that the entry and the tap add.
    package var addedEnvironment: [(String, String)]
  }

  /// Finds the program and makes the checks that need the disk.
  ///
  /// `url` has passed the URL profile; `nil` opens the application itself. `activationToken` lets
  /// the application take the focus; it is good for one launch.
  package func prepare(
    entry: DesktopEntry, url: String?, activationToken: String? = nil
  ) -> Result<Launch, LaunchRefusal> {
    entry.command(url: url).flatMap { command in
      usable(entry).flatMap { program in
        launch(entry, command, program: program, activationToken: activationToken)
      }
    }
  }

  private func launch(
    _ entry: DesktopEntry, _ command: LaunchCommand, program: String, activationToken: String?
  ) -> Result<Launch, LaunchRefusal> {
    if let opener = Self.opener(program) {
      return .failure(
        LaunchRefusal(
          .loop, "\(entry.path): \(opener) opens URLs by asking for a handler, which may be us"))
    }
    let directory = command.workingDirectory ?? home.flatMap { isDirectory($0) ? $0 : nil } ?? "/"
    guard isDirectory(directory) else {
      return .failure(
        LaunchRefusal(.badPath, "\(entry.path): Path '\(directory)' is no directory"))
    }
    var added = command.environment.map { ($0.name, $0.value) }
    // Wayland's name of the token, and X11's.
    if let activationToken {
      added += [("XDG_ACTIVATION_TOKEN", activationToken), ("DESKTOP_STARTUP_ID", activationToken)]
    }
    let inherited = environment.filter { variable in
      !added.contains { $0.0 == variable.0 }
    }
    var launch = Launch(
      program: program, arguments: command.arguments, workingDirectory: directory,
      environment: inherited + added, addedEnvironment: added)
    guard entry.isTerminal else { return .success(launch) }
    let terminal = "xdg-terminal-exec"
    guard let path = programPath(terminal) else {
      return .failure(
        LaunchRefusal(
          .noTerminal, "\(entry.path) runs in a terminal, and \(terminal) is not installed"))
    }
    launch.program = path
    launch.arguments = [terminal, program] + command.arguments.dropFirst()
    return .success(launch)
  }

  /// The absolute path of its program, when the entry can be used here and now.
  private func usable(_ entry: DesktopEntry) -> Result<String, LaunchRefusal> {
    guard !entry.isHidden else {
      return .failure(LaunchRefusal(.noHandler, "\(entry.path) is marked as removed (Hidden)"))
    }
    if let required = entry.tryExec, programPath(required) == nil {
      return .failure(
        LaunchRefusal(.noHandler, "\(entry.path): '\(required)' (TryExec) is not installed"))
    }
    return entry.program.flatMap { program in
      guard let path = programPath(program) else {
        return .failure(
          LaunchRefusal(.noHandler, "\(entry.path): '\(program)' (Exec) is not installed"))
      }
      return .success(path)
    }
  }

  // MARK: - Entries

  private func find(
    fileID id: String
  ) -> Result<(entry: DesktopEntry, level: Int), LaunchRefusal> {
    guard let found = owner(of: id) else {
      let place = applicationDirectories.first.map { "; its desktop file goes into \($0)" } ?? ""
      return .failure(
        LaunchRefusal(.noHandler, "no application '\(Self.shown(id))' is installed\(place)"))
    }
    return Self.read(found.path).flatMap {
      DesktopEntry.parse($0, id: id, path: found.path, locales: locales)
    }.flatMap { entry in
      guard !entry.isHidden else {
        return .failure(LaunchRefusal(.noHandler, "\(entry.path) is marked as removed (Hidden)"))
      }
      return .success((entry, found.level))
    }
  }

  /// The first directory that has a file of this id.
  private func owner(of id: String) -> (path: String, level: Int)? {
    guard Self.isID(id) else { return nil }
    for (level, directory) in applicationDirectories.enumerated() {
      if let path = locate(id[...], in: directory, depth: 0) { return (path, level) }
    }
    return nil
  }

  /// `kde-a.desktop` is `kde-a.desktop`, or `a.desktop` in `kde/`, and so on down.
  private func locate(_ id: Substring, in directory: String, depth: Int) -> String? {
    let path = "\(directory)/\(id)"
    if isFile(path) { return path }
    guard depth < RuntimeLimits.applicationDepthMax else { return nil }
    for dash in id.indices where id[dash] == "-" {
      let folder = id[..<dash]
      let rest = id[id.index(after: dash)...]
      guard !folder.isEmpty, folder != ".", !rest.isEmpty, isDirectory("\(directory)/\(folder)")
      else { continue }
      if let path = locate(rest, in: "\(directory)/\(folder)", depth: depth + 1) { return path }
    }
    return nil
  }

  private static func isID(_ id: String) -> Bool {
    id.utf8.count <= 255 && id.hasSuffix(".desktop") && !id.contains("..")
      && !id.utf8.contains(UInt8(ascii: "/")) && !id.utf8.contains(0)
  }

  /// Entries of one directory that own their id and claim the type; ties in the cache's order.
  private func claims(_ type: String, level: Int, directory: String) -> [String] {
    var ids: [String] = []
    list(directory, prefix: "", depth: 0, into: &ids)
    let claiming = Set(ids).filter { id in
      guard owner(of: id)?.level == level, case .success(let found) = find(fileID: id) else {
        return false
      }
      return found.entry.mimeTypes.contains(type)
    }
    guard claiming.count > 1 else { return Array(claiming) }
    let cache = "\(directory)/mimeinfo.cache"
    let order = Self.read(cache).flatMap { MimeAssociations.cached($0, path: cache, type: type) }
    var ranks: [String: Int] = [:]
    // Without a cache, or with a broken one, ids decide: it is a cache only.
    if case .success(let ids) = order {
      for (rank, id) in ids.enumerated() where ranks[id] == nil { ranks[id] = rank }
    }
    return claiming.sorted { (ranks[$0] ?? .max, $0) < (ranks[$1] ?? .max, $1) }
  }

  /// Ids of all entries below a directory, in any order.
  private func list(_ directory: String, prefix: String, depth: Int, into ids: inout [String]) {
    guard depth <= RuntimeLimits.applicationDepthMax, let stream = opendir(directory) else {
      return
    }
    var folders: [String] = []
    while ids.count < RuntimeLimits.applicationCountMax, let item = readdir(stream) {
      let name = withUnsafePointer(to: &item.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix(".") { continue }
      if name.hasSuffix(".desktop"), Self.isID(prefix + name) {
        ids.append(prefix + name)
      } else if isDirectory("\(directory)/\(name)") {
        folders.append(name)
      }
    }
    closedir(stream)
    for name in folders {
      list("\(directory)/\(name)", prefix: "\(prefix)\(name)-", depth: depth + 1, into: &ids)
    }
  }

  // MARK: - Lists

  private func levels(for type: String) -> [HandlerResolution.Level] {
    (configurationDirectories + applicationDirectories).map { directory in
      HandlerResolution.Level(
        desktopLists: currentDesktops.map {
          associations("\(directory)/\($0)-mimeapps.list", type)
        },
        list: associations("\(directory)/mimeapps.list", type))
    }
  }

  /// Reads a list.
  ///
  /// A missing or broken one is empty, so that the next level counts.
  private func associations(_ path: String, _ type: String) -> MimeAssociations {
    let parsed = Self.read(path).flatMap { MimeAssociations.parse($0, path: path, types: [type]) }
    guard case .success(let associations) = parsed else { return .none }
    return associations
  }

  // MARK: - Programs

  /// A name in `PATH`, or an absolute path, that may be executed; `nil` when it is not there.
  private func programPath(_ program: String) -> String? {
    if program.hasPrefix("/") { return isExecutable(program) ? program : nil }
    guard !program.isEmpty, !program.utf8.contains(UInt8(ascii: "/")) else { return nil }
    return programDirectories.lazy.map { "\($0)/\(program)" }.first(where: isExecutable)
  }

  /// Returns the name of a program that passes the URL to its handler, which may loop for ever;
  /// else `nil`.
  private static func opener(_ program: String) -> String? {
    let names = [program, realPath(program) ?? program].map { path in
      String(path.split(separator: "/").last ?? "")
    }
    return names.first(where: openers.contains)
  }

  private static let openers: Set<String> = [
    "intent-send", "intentd", "xdg-open", "gio", "gnome-open", "gvfs-open", "kde-open",
    "kde-open5", "kde-open6", "kfmclient", "exo-open", "mimeopen", "handlr", "sensible-browser",
  ]

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  // MARK: - Environment

  /// The names of this process' variables as it was started with them.
  package static func processVariableNames() -> [String] {
    guard case .success(let bytes) = read("/proc/self/environ") else { return [] }
    return bytes.split(separator: 0).compactMap { variable in
      variable.firstIndex(of: UInt8(ascii: "=")).map {
        String(decoding: variable[..<$0], as: UTF8.self)
      }
    }
  }

  /// Returns whether a variable is meant for this process alone, such as an activation token, which
  /// is valid once.
  private static func isOurs(_ name: String) -> Bool {
    let prefixes = ["INTENTD_", "LISTEN_", "WATCHDOG_", "GIO_LAUNCHED_DESKTOP_FILE"]
    let names = ["NOTIFY_SOCKET", "XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"]
    return names.contains(name) || prefixes.contains { name.utf8.starts(with: $0.utf8) }
  }

  private static func absoluteDirectories(_ paths: [Substring]) -> [String] {
    paths.compactMap { path in
      guard path.hasPrefix("/") else { return nil }
      var path = path
      while path.count > 1, path.last == "/" { path.removeLast() }
      return String(path)
    }
  }

  // MARK: - Files

  private static func read(_ path: String) -> Result<[UInt8], LaunchRefusal> {
    func failure(_ code: Int32) -> Result<[UInt8], LaunchRefusal> {
      .failure(LaunchRefusal(.noHandler, "cannot read \(path): \(String(cString: strerror(code)))"))
    }
    // A pipe in place of a file must not hold us.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return failure(errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    while bytes.count < RuntimeLimits.desktopFileBytesMax {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { return .success(bytes) }
      if count > 0 {
        bytes += chunk[..<count]
      } else if errno != EINTR {
        return failure(errno)
      }
    }
    return .success(bytes)
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  private func isDirectory(_ path: String) -> Bool { mode(path) == S_IFDIR }

  /// Anything but a directory: a link to `/dev/null` is how an entry is masked.
  private func isFile(_ path: String) -> Bool { mode(path).map { $0 != S_IFDIR } ?? false }

  private func isExecutable(_ path: String) -> Bool {
    mode(path) == S_IFREG && access(path, X_OK) == 0
  }

  private static func shown(_ id: String) -> String {
    String(id.prefix(80).filter { !$0.isNewline })
  }
}
