import DaemonCore
import EventLoop
import Glibc
import JSON
import Plugins

/// Watches the files that `ConfigurationLoader` reads, in all of its folders.
///
/// The kernel watches single folders, so `refresh` walks them as the loader does, and is called
/// before each loading: whatever changes after that is reported, so no change is lost. A folder
/// that does not exist yet is waited for in the nearest folder above it that does. A file that is a
/// link is watched where it points to as well, since it may be edited there. So is a folder, which
/// the kernel knows by one number wherever it is linked from: all reasons to watch it are kept.
///
/// Only names that the loader would read count: the backups and swap files of editors do not, nor
/// does anything that a provider writes beside its manifest. In a plugins folder any name may be a
/// script's, so the file is looked at.
final class ConfigurationWatcher {
  /// Why a folder is watched.
  private struct Interest {
    /// One of the paths by which the folder is reached.
    var path: String
    /// Any configuration file in it, and any folder.
    var isConfiguration = false
    /// Any file of a consent in it.
    var isConsents = false
    /// Any script in it, and any folder with scripts: one for each way in which it is read.
    var plugins: [(place: PluginFolder.Place, known: Set<String>)] = []
    /// Single entries: a folder to come, the settings, a link, the target of a link.
    var names: Set<String> = []

    func includes(_ name: String, isFolder isReported: Bool) -> Bool {
      if names.contains(name) { return true }
      if isConsents, ConsentFiles.isName(name) { return true }
      guard isConfiguration || !plugins.isEmpty, !name.hasPrefix(".") else { return false }
      // The kernel calls a link to a folder no folder.
      let isFolder = isReported || isFolder(path + "/" + name)
      if plugins.contains(where: {
        Self.includes(name, isFolder: isFolder, $0.place, $0.known)
      }) {
        return true
      }
      return isConfiguration && (isFolder || isConfigurationName(name))
    }

    private static func includes(
      _ name: String, isFolder: Bool, _ place: PluginFolder.Place, _ known: Set<String>
    ) -> Bool {
      if isFolder {
        return !place.isPackage
          && (place.format == .swiftbar || PluginFolder.family(named: name) != nil
            || name.hasSuffix(PluginSource.packageSuffix))
      }
      return known.contains(name) || PluginFolder.isValues(name)
        || PluginFolder.sort(of: place.path + "/" + name, in: place) != nil
    }
  }

  private let loader: ConfigurationLoader
  private let folderCountMax: Int
  private var watcher: FolderWatcher?
  private var interests: [Int32: Interest] = [:]
  /// The reasons why folders are not watched; empty when all are.
  private(set) var issues: [DocumentIssue] = []
  var isWatching: Bool { watcher != nil }

  /// Calls `onChange` when files may have changed.
  init(
    loop: Loop, loader: ConfigurationLoader,
    folderCountMax: Int = RuntimeLimits.watchedFolderCountMax, onChange: @escaping () -> Void
  ) {
    self.loader = loader
    self.folderCountMax = folderCountMax
    do throws(LoopError) {
      watcher = try FolderWatcher(loop: loop) { [unowned self] changes in
        if changes.count(where: take) > 0 { onChange() }
      }
    } catch {
      report(error.message, "the folders of the configuration")
    }
  }

  func close() {
    watcher?.close()
    watcher = nil
  }

  /// Notes a change; false when it is about nothing that is read.
  private func take(_ change: FolderChange) -> Bool {
    switch change.event {
    case .overflow: return true
    case .folderGone: return interests.removeValue(forKey: change.watch) != nil
    case .entry(let name, let isFolder):
      return interests[change.watch]?.includes(name, isFolder: isFolder) ?? false
    }
  }

  // MARK: Folders

  /// Watches the folders as they are now, and no others.
  func refresh() {
    guard let watcher else { return }
    let before = interests
    interests = [:]
    issues = []
    for folder in loader.intentFolders {
      follow(folder: folder, depth: ConfigurationLoader.intentFolderDepth)
    }
    for (folder, _) in loader.manifestFolders {
      follow(folder: folder, depth: ConfigurationLoader.widgetFolderDepth)
    }
    for folder in loader.pluginFolders { followPlugins(folder) }
    if let folder = loader.consents?.folder { followConsents(folder) }
    for file in loader.settingsFiles { follow(file: file) }
    let folders = loader.intentFolders + loader.manifestFolders.map(\.path) + loader.pluginFolders
    for path in folders + loader.settingsFiles { followLinks(above: path) }
    for number in before.keys where interests[number] == nil { watcher.unwatch(number) }
  }

  /// Watches a folder of the configuration, or the way to it.
  private func follow(folder: String, depth: Int) {
    if watch(folder, depth: depth) == .absent {
      waitFor(folder) { self.follow(folder: folder, depth: depth) }
    } else {
      followLink(folder)
    }
  }

  private func followConsents(_ folder: String) {
    if watch(folder, { $0.isConsents = true }) == .absent {
      waitFor(folder) { self.followConsents(folder) }
    }
  }

  private func followPlugins(_ folder: String) {
    for place in PluginFolder(folder).places {
      let names = configurationEntries(of: place.path).filter {
        PluginFolder.sort(of: place.path + "/" + $0, in: place) != nil
      }
      let outcome = watch(place.path) { $0.plugins.append((place, Set(names))) }
      if outcome == .absent, place.path == folder {
        waitFor(folder) { self.followPlugins(folder) }
      }
      for name in configurationEntries(of: place.path) {
        let path = place.path + "/" + name
        // A link that leads nowhere may be one to a script or a folder that comes again.
        if names.contains(name) || isFolder(path) || !exists(path) { followLink(path) }
      }
    }
    followLink(folder)
  }

  /// Watches one entry of a folder, or the way to the folder.
  private func follow(file: String) {
    let (folder, name) = Self.split(file)
    if watch(folder, { $0.names.insert(name) }) == .absent {
      waitFor(folder) { self.follow(file: file) }
    }
    followLink(file)
  }

  /// Watches for another link in the place of a link, and where it leads; anything else is left
  /// alone.
  ///
  /// Each further link on the way is watched, the file at the end, and the way to what is not there.
  /// A folder at the end is watched by its own path.
  private func followLink(_ path: String) {
    var path = path
    for _ in 0..<Self.linkCountMax {
      guard let target = target(ofLink: path) else { return }
      for entry in [path, target] where !(entry == target && isFolder(target)) {
        let (folder, name) = Self.split(entry)
        if watch(folder, { $0.names.insert(name) }) == .absent { waitFor(entry) {} }
      }
      path = target
    }
  }

  /// Links in a row that are followed; the kernel follows as many (path_resolution(7)).
  private static let linkCountMax = 40

  /// Watches for another link in the place of each one on the way to a path.
  ///
  /// People keep all of their configuration elsewhere, and link to it.
  private func followLinks(above path: String) {
    var (above, name) = Self.split(path)
    while above != "/", above != "." {
      let link = above
      (above, name) = Self.split(link)
      if isLink(link) { _ = watch(above, for: .arrivals) { $0.names.insert(name) } }
    }
  }

  /// Watches a folder of configuration files with the folders in it.
  private func watch(_ folder: String, depth: Int) -> Outcome {
    let outcome = watch(folder) { $0.isConfiguration = true }
    guard outcome == .watched else { return outcome }
    for name in configurationEntries(of: folder) {
      let path = folder + "/" + name
      if isConfigurationName(name) {
        followLink(path)
      } else if depth > 1, isFolder(path) {
        _ = watch(path, depth: depth - 1)
        followLink(path)
      } else if depth > 1, !exists(path) {
        followLink(path)
      }
    }
    return .watched
  }

  /// Watches for a folder that is not there: in the nearest one above it.
  ///
  /// It may appear between two looks; then `appeared` is called.
  private func waitFor(_ path: String, appeared: () -> Void) {
    var missing = path
    while missing != "/", missing != "." {
      let (folder, name) = Self.split(missing)
      switch watch(folder, for: .arrivals, { $0.names.insert(name) }) {
      case .absent: missing = folder
      case .failed: return
      case .watched:
        if isFolder(missing) { appeared() }
        return
      }
    }
  }

  // MARK: One folder

  private enum Outcome { case watched, absent, failed }

  /// Watches a folder; `change` says why.
  private func watch(
    _ path: String, for interest: FolderWatcher.Interest = .entries,
    _ change: (inout Interest) -> Void
  ) -> Outcome {
    guard let watcher else { return .failed }
    do throws(LoopError) {
      guard let number = try watcher.watch(path, for: interest) else { return .absent }
      guard interests[number] != nil || interests.count < folderCountMax else {
        watcher.unwatch(number)
        report("more than \(folderCountMax) folders would be watched", path)
        return .failed
      }
      change(&interests[number, default: Interest(path: path)])
      return .watched
    } catch {
      report(error.message, path)
      return .failed
    }
  }

  /// Keeps the first thing that went wrong: the others have the same cause.
  private func report(_ message: String, _ path: String) {
    guard issues.isEmpty else { return }
    issues.append(
      DocumentIssue(
        severity: .warning, file: path, line: 0,
        message: "changed files are not noticed everywhere: \(message)",
        expected: "until that is mended, 'intent-send reload-config' after each change"))
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
  }
}

private func isFolder(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Whether there is something at a path, links followed.
private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

/// Returns the path that a link names, without a look at whether it is there; `nil`: it is no link.
private func target(ofLink path: String) -> String? {
  var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = readlink(path, &bytes, bytes.count)
  guard count > 0 else { return nil }
  let target = String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  guard !target.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return target }
  return path[...slash] + target
}

private func isLink(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
}
