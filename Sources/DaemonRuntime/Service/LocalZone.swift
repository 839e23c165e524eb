import EventLoop
import Glibc

/// The zone of local time, as the C library reads it, and a watch over the file that has its rules.
///
/// That file is `/etc/localtime`, or the one that `TZ` names by a path. `TZ` with the name of a zone,
/// or with rules of its own, cannot change while the daemon runs, so nothing is watched then.
///
/// The tools that set the zone put another link in place of the old one, by a rename. A watch of the
/// link would follow it to the rules of the old zone, so its folder is watched, for this one name.
final class LocalZone {
  /// The file with the rules; `nil`: the zone cannot change.
  let file: String?
  private var watcher: FolderWatcher?
  /// The rules at the last look; empty: there was no file.
  private var rules: [UInt8]
  /// The variable `TZ=:PATH`, in memory that the C library reads; `nil`: it is not set by a path.
  private let variable: UnsafeMutablePointer<CChar>?

  /// Bytes of a file of rules that are compared: those of real zones have less than 4 KiB.
  private static let ruleBytesMax = 64 << 10
  private static let usualFile = "/etc/localtime"

  /// Reads `TZ` of this process.
  ///
  /// It must be made before there is another thread, since it may replace the variable.
  init() {
    let zone = getenv("TZ").map { String(cString: $0) }
    let path = zone.map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 }
    if let path, path.hasPrefix("/") {
      file = path
      variable = strdup("TZ=:" + path)
      // The environment has this memory from now on, so it is never freed.
      if let variable { putenv(variable) }
    } else {
      file = zone == nil ? Self.usualFile : nil
      variable = nil
    }
    rules = file.map { Self.rules(in: $0) } ?? []
  }

  /// Calls `onChange` when the file has other rules than before.
  ///
  /// Throws when the kernel watches nothing; local time is right at the next deadline then.
  func watch(loop: Loop, onChange: @escaping () -> Void) throws(LoopError) {
    guard let file, let slash = file.lastIndex(of: "/") else { return }
    let name = String(file[file.index(after: slash)...])
    let folder = slash == file.startIndex ? "/" : String(file[..<slash])
    let watcher = try FolderWatcher(loop: loop) { [unowned self] changes in
      guard changes.contains(where: { Self.isAbout(name, $0.event) }) else { return }
      let now = Self.rules(in: file)
      guard now != rules else { return }
      rules = now
      onChange()
    }
    self.watcher = watcher
    _ = try watcher.watch(folder, for: .entries)
  }

  private static func isAbout(_ name: String, _ event: FolderChange.Event) -> Bool {
    switch event {
    case .entry(let entry, _): entry == name
    case .folderGone, .overflow: true
    }
  }

  /// Seconds that local time is ahead of UTC now; `nil`: the C library does not know.
  func secondsEast() -> Int64? {
    // With another spelling of the same path the C library looks at the file again. Without `TZ` it
    // does so by itself. One byte changes, so another thread reads one path or the other.
    if let variable {
      let place = variable + 3
      place.pointee = place.pointee == colon ? slash : colon
    }
    var seconds = time(nil)
    var civil = tm()
    tzset()
    guard localtime_r(&seconds, &civil) != nil else { return nil }
    return Int64(civil.tm_gmtoff)
  }

  private let colon = CChar(UInt8(ascii: ":"))
  private let slash = CChar(UInt8(ascii: "/"))

  private static func rules(in file: String) -> [UInt8] {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: ruleBytesMax)
    let count = read(descriptor, &bytes, ruleBytesMax)
    return count > 0 ? Array(bytes[..<count]) : []
  }
}
