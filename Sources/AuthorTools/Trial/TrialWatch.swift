import Glibc
import PlainText
import WidgetCenter

/// `intentd --try MANIFEST --watch`: tries again at each save, until it is interrupted.
///
/// It looks at the manifest, at the files below its folder and at the files that `exec` names. A
/// file that changes in several runs one after the other is written by the program. It is no longer
/// looked at, because otherwise each run would cause the next.
package struct TrialWatch {
  private let trial: ManifestTrial
  private let asJSON: Bool
  /// The files that the program itself writes.
  private var ignored: Set<String> = []
  /// The number of runs in a row, up to the latest one, during which a file changed, by its name.
  private var runsThatChanged: [String: Int] = [:]

  package init(_ trial: ManifestTrial, asJSON: Bool) {
    self.trial = trial
    self.asJSON = asJSON
  }

  /// Runs until a signal ends the program, or nobody reads its output any more; returns after the
  /// first report if there is no manifest.
  ///
  /// The result is the exit code: that of the report, or 0 when nobody reads the output any more.
  package mutating func run() -> Int32 {
    var hasSaidHow = false
    // The result is not needed here: the first report says it if there is no manifest.
    trial.find()
    while true {
      let before = SavedFiles(of: trial)
      let status = trial.run(asJSON: asJSON)
      // Without a manifest there is nothing to watch.
      if trial.file == nil { return status }
      let after = SavedFiles(of: trial)
      let saved = takeChanges(from: before, to: after)
      if !saved.isEmpty {
        say("saved during the run: \(saved.joined(separator: ", "))")
        continue
      }
      if !hasSaidHow { say("waiting for the next save; Ctrl-C ends it") }
      hasSaidHow = true
      guard let files = waitForSave(after) else { return 0 }
      say("saved: \(files.joined(separator: ", "))")
    }
  }

  /// Returns what was saved during a run, without what the program writes.
  private mutating func takeChanges(from before: SavedFiles, to after: SavedFiles) -> [String] {
    // The manifest was not there before this run, so all its files are new and none was saved.
    guard before.isKnown else { return [] }
    let changed = Set(after.changes(since: before)).subtracting(ignored)
    runsThatChanged = runsThatChanged.filter { changed.contains($0.key) }
    for name in changed.sorted() {
      runsThatChanged[name, default: 0] += 1
      guard runsThatChanged[name] == TrialLimits.runsThatWriteMax else { continue }
      ignored.insert(name)
      say("no longer watched, since each run changes it: \(name)")
    }
    return changed.subtracting(ignored).sorted()
  }

  /// Returns the saved files; `nil` if nobody reads the output any more.
  private func waitForSave(_ before: SavedFiles) -> [String]? {
    while true {
      guard pause() else { return nil }
      var files = SavedFiles(of: trial)
      guard !Set(files.changes(since: before)).subtracting(ignored).isEmpty else { continue }
      // Some editors write in several steps: wait until nothing changes any more.
      while true {
        guard pause() else { return nil }
        let later = SavedFiles(of: trial)
        if later == files { break }
        files = later
      }
      return Set(files.changes(since: before)).subtracting(ignored).sorted()
    }
  }

  /// Waits for a moment; returns false if nobody reads the output any more.
  private func pause() -> Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    let count = poll(&output, 1, TrialLimits.watchMilliseconds)
    return count <= 0 || output.revents & Int16(POLLERR | POLLNVAL) == 0
  }

  private func say(_ text: String) {
    guard !asJSON else { return }
    var moment = time(nil)
    var parts = tm()
    localtime_r(&moment, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    Terminal.emit(TerminalText(printable("\(clock)  \(text)") + "\n"))
  }
}

/// The files of a widget, each with a stamp that differs once the file was saved.
private struct SavedFiles: Equatable {
  private struct Stamp: Equatable {
    var seconds: Int
    var nanoseconds: Int
    var size: Int
    /// The inode: an editor that saves by renaming makes a new one.
    var number: UInt
  }

  private var stamps: [String: Stamp] = [:]
  /// Whether it is known which files to look at.
  let isKnown: Bool

  init(of trial: ManifestTrial) {
    guard let manifest = trial.file else {
      isKnown = false
      return
    }
    isKnown = true
    look(at: manifest)
    let folder = manifest.lastIndex(of: "/").map { String(manifest[..<$0]) } ?? "."
    look(below: folder.isEmpty ? "/" : folder, depth: TrialLimits.watchedDepthMax)
    for argument in trial.provider?.exec ?? [] where argument.hasPrefix("/") { look(at: argument) }
  }

  /// Returns the names of files that came, went or changed, in no order.
  func changes(since before: SavedFiles) -> [String] {
    Set(stamps.keys).union(before.stamps.keys).filter { stamps[$0] != before.stamps[$0] }
  }

  private mutating func look(at path: String) {
    var info = stat()
    guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return }
    stamps[path] = Stamp(
      seconds: info.st_mtim.tv_sec, nanoseconds: info.st_mtim.tv_nsec, size: Int(info.st_size),
      number: UInt(info.st_ino))
  }

  private mutating func look(below folder: String, depth: Int) {
    guard depth > 0, let directory = opendir(folder) else { return }
    defer { closedir(directory) }
    while stamps.count < TrialLimits.watchedFileCountMax, let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard !Self.isAside(name) else { continue }
      let path = folder == "." ? name : folder + "/" + name
      if entry.pointee.d_type == UInt8(DT_DIR) {
        look(below: path, depth: depth - 1)
      } else {
        look(at: path)
      }
    }
  }

  /// Whether no save of a file counts: it is an editor's, a compiler's, or another manifest.
  private static func isAside(_ name: String) -> Bool {
    let endings = ["~", ".swp", ".tmp", ".pyc", ".yaml", ".yml"]
    return name.hasPrefix(".") || name.hasPrefix("#") || name == "__pycache__"
      || name == "node_modules" || endings.contains { name.hasSuffix($0) }
  }
}
