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
/// link is watched where it points to as well, since it may be edited there.
///
/// Only names that the loader would read count: the backups and swap files of editors do not, nor
/// does anything that a provider writes beside its manifest. In a plugins folder any name may be a
/// script's, so the file is looked at.
final class ConfigurationWatcher {
  /// Why a folder is watched.
  private struct Interest {
    /// Any configuration file in it, and any folder.
    var isConfiguration = false
    /// Any file of a consent in it.
    var isConsents = false
    /// Any script in it, and any folder with scripts.
    var plugins: (place: PluginFolder.Place, known: Set<String>)?
    /// Single entries: a folder to come, the settings, the target of a link.
    var names: Set<String> = []

    func includes(_ name: String, isFolder: Bool) -> Bool {
      if names.contains(name) { return true }
      if isConsents, ConsentFiles.isName(name) { return true }
      if let plugins, Self.includes(name, isFolder: isFolder, plugins.place, plugins.known) {
        return true
      }
      guard isConfiguration, !name.hasPrefix(".") else { return false }
      return isFolder || isConfigurationName(name)
    }

    private static func includes(
      _ name: String, isFolder: Bool, _ place: PluginFolder.Place, _ known: Set<String>
    ) -> Bool {
      guard !name.hasPrefix(".") else { return false }
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
    } else if isLink(folder) {
      // Another link may take its place.
      follow(file: folder)
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
      let outcome = watch(place.path) { $0.plugins = (place, Set(names)) }
      if outcome == .absent, place.path == folder {
        waitFor(folder) { self.followPlugins(folder) }
      }
      for name in names { followTarget(ofLink: place.path + "/" + name) }
    }
    if isLink(folder) { follow(file: folder) }
  }

  /// Watches one entry of a folder, or the way to the folder.
  private func follow(file: String) {
    let (folder, name) = Self.split(file)
    if watch(folder, { $0.names.insert(name) }) == .absent {
      waitFor(folder) { self.follow(file: file) }
    }
    followTarget(ofLink: file)
  }

  /// Watches the file that a link leads to; a folder is watched by its own path.
  private func followTarget(ofLink path: String) {
    guard isLink(path), !isFolder(path), let target = realpath(path, nil) else { return }
    defer { free(target) }
    let (folder, name) = Self.split(String(cString: target))
    _ = watch(folder) { $0.names.insert(name) }
  }

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
        followTarget(ofLink: path)
      } else if depth > 1, isFolder(path) {
        _ = watch(path, depth: depth - 1)
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
      change(&interests[number, default: Interest()])
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

private func isLink(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
}
