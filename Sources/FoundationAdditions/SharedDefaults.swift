public import Foundation

// The user defaults of a suite are a file that each access reads if it changed, and each change
// writes at once: an app and its widgets are two processes that see the same values. The class of
// corelibs keeps changes in memory until somebody calls `synchronize()`, and reads a file only once.
//
// `UserDefaults(suiteName: "group.org.example")` makes one of these, because an initialiser that
// takes a `String` wins over that of the class, which takes a `String?`. A class cannot be replaced
// in an initialiser of its own, but in one of a protocol's extension.

/// A class whose initialiser for a suite makes shared defaults.
public protocol _SuiteOpening {}

extension UserDefaults: _SuiteOpening {}

extension _SuiteOpening where Self: UserDefaults {
  /// Opens the defaults of a suite, which all processes of the person see at once; `nil` for a name
  /// that cannot be one.
  public init?(suiteName: String) {
    guard let defaults = SharedDefaults(suite: suiteName) as? Self else { return nil }
    self = defaults
  }
}

/// The values of a suite in a file.
package final class SharedDefaults: UserDefaults {
  private let file: DefaultsFile

  /// Opens the file of a suite in the folder of the group of that name.
  convenience init?(suite: String) {
    let container = FileManager.default.containerURL(
      forSecurityApplicationGroupIdentifier: suite)
    guard let container else { return nil }
    self.init(
      suite: suite,
      file: container.appendingPathComponent("Library/Preferences/\(suite).plist").path)
  }

  /// Opens a file.
  package init?(suite: String, file path: String) {
    file = DefaultsFile(path)
    // The domain of the superclass stays empty; arguments and registered values come from it.
    // An optional text means the initialiser of the class.
    super.init(suiteName: Optional("intentd.suite.\(suite)"))
  }

  package override func object(forKey defaultName: String) -> Any? {
    file.values()[defaultName] ?? super.object(forKey: defaultName)
  }

  package override func set(_ value: Any?, forKey defaultName: String) {
    file.change { values in
      values[defaultName] =
        switch value {
        case let url as URL: url.isFileURL ? url.path : url.absoluteString
        default: value
        }
    }
    NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: self)
  }

  package override func set(_ url: URL?, forKey defaultName: String) {
    set(url as Any?, forKey: defaultName)
  }

  package override func url(forKey defaultName: String) -> URL? {
    guard let text = object(forKey: defaultName) as? String else { return nil }
    if text.hasPrefix("/") || text.hasPrefix("~") { return super.url(forKey: defaultName) }
    return URL(string: text)
  }

  package override func removeObject(forKey defaultName: String) {
    set(nil as Any?, forKey: defaultName)
  }

  package override func dictionaryRepresentation() -> [String: Any] {
    super.dictionaryRepresentation().merging(file.values()) { _, own in own }
  }

  package override func synchronize() -> Bool { true }
}

/// A property list that several processes read and change; within one a lock guards it.
private final class DefaultsFile: @unchecked Sendable {
  private struct Stamp: Equatable {
    var inode: UInt64
    var seconds: Int
    var nanoseconds: Int
    var size: Int
  }

  private let path: String
  private let lock = NSLock()
  private var known: [String: Any] = [:]
  private var stamp: Stamp?

  init(_ path: String) { self.path = path }

  /// Returns the values as they are now.
  func values() -> [String: Any] {
    lock.withLock { read() }
  }

  /// Changes the values; no other process changes them meanwhile.
  func change(_ body: (inout [String: Any]) -> Void) {
    lock.withLock {
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      do {
        try FileManager.default.createDirectory(
          at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch {
        // Best effort: the write below fails as well, and the values stay in this process.
      }
      let guardian = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      if guardian >= 0 { flock(guardian, LOCK_EX) }
      defer { if guardian >= 0 { close(guardian) } }
      var values = read()
      body(&values)
      known = values
      do {
        let data = try PropertyListSerialization.data(
          fromPropertyList: values, format: .binary, options: 0)
        // Written beside and renamed, so that nobody reads half of it.
        try data.write(to: URL(fileURLWithPath: path), options: .atomic)
        chmod(path, 0o600)
      } catch {
        // A value that no property list holds, or no room: this process alone knows it.
        return
      }
      stamp = currentStamp()
    }
  }

  private func read() -> [String: Any] {
    let current = currentStamp()
    guard current != stamp else { return known }
    guard let current, current.size <= Limits.fileBytesMax,
      let values = PropertyList.read(at: path) as? [String: Any]
    else {
      // Somebody removed the file, or it is damaged: nothing is known then.
      if current == nil { known = [:] }
      stamp = current
      return known
    }
    known = values
    stamp = current
    return values
  }

  private func currentStamp() -> Stamp? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Stamp(
      inode: UInt64(status.st_ino), seconds: status.st_mtim.tv_sec,
      nanoseconds: status.st_mtim.tv_nsec, size: Int(status.st_size))
  }
}

/// Property lists in files.
enum PropertyList {
  /// Returns the list at a path; `nil`: there is none that can be read.
  static func read(at path: String) -> Any? {
    guard let data = FileManager.default.contents(atPath: path),
      data.count <= Limits.fileBytesMax
    else { return nil }
    do {
      return try PropertyListSerialization.propertyList(from: data, format: nil)
    } catch {
      // Damaged, or something else: nobody here can mend it.
      return nil
    }
  }
}

extension UserDefaults {
  /// The value of a key, under the name that key-value coding gives it.
  public func value(forKey key: String) -> Any? { object(forKey: key) }
  /// Sets the value of a key, under the name that key-value coding gives it.
  public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
}
