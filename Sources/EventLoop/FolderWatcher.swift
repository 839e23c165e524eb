import Glibc

/// Something that happened in a watched folder.
package struct FolderChange: Hashable, Sendable {
  /// A change in the folder.
  package enum Event: Hashable, Sendable {
    /// An entry of this name appeared, went, was written, or got other attributes.
    case entry(String, isFolder: Bool)
    /// The folder itself was moved or removed; it is not watched any more.
    case folderGone
    /// The kernel's queue was full: anything may have happened, in any folder.
    case overflow
  }

  /// The number that `watch` gave; without meaning for an overflow.
  package var watch: Int32
  package var event: Event
}

/// Calls back when entries of folders change, by the kernel's inotify.
///
/// It does not look into folders: each folder below a folder has to be watched itself. A file is
/// reported when it was closed after writing, and not at each write. A change that the kernel does
/// not see, such as one on another machine of a network file system, is not reported.
@safe
package final class FolderWatcher {
  private let descriptor: Int32
  private let watcher: DescriptorWatcher
  private var buffer = [UInt8](repeating: 0, count: 32_768)

  /// Starts watching; no folder yet.
  ///
  /// Throws when the kernel gives no watcher, because the person has too many
  /// (`fs.inotify.max_user_instances`).
  package init(
    loop: Loop, onChanges: @escaping ([FolderChange]) -> Void
  ) throws(LoopError) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else {
      let code = errno
      throw LoopError(
        operation: "watch", context: "folders", errno: code,
        because: code == EMFILE
          ? "too many programs of yours watch files; raise fs.inotify.max_user_instances" : nil)
    }
    self.descriptor = descriptor
    var onReadable: () -> Void = {}
    watcher = try DescriptorWatcher(loop: loop, descriptor: descriptor) { onReadable() }
    onReadable = { [unowned self] in
      let changes = read()
      if !changes.isEmpty { onChanges(changes) }
    }
  }

  /// Stops watching; no callback comes afterwards.
  package func close() { watcher.close() }

  /// The events of a folder that are reported.
  package enum Interest {
    /// Every change of its entries.
    case entries
    /// Only that an entry appeared.
    case arrivals
  }

  /// Watches a folder; `nil` when there is no folder at `path`.
  ///
  /// The number stands for the folder and not for the path: the same folder has the same number. A
  /// folder that is watched already is watched for both interests then. Throws when the kernel
  /// watches no more folders for this person (`fs.inotify.max_user_watches`), or the folder cannot
  /// be read.
  package func watch(_ path: String, for interest: Interest) throws(LoopError) -> Int32? {
    var mask = IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK
    if interest == .entries { mask |= IN_CLOSE_WRITE | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB }
    let number = unsafe inotify_add_watch(
      descriptor, path, UInt32(bitPattern: mask | IN_MASK_ADD))
    guard number < 0 else { return number }
    switch errno {
    case ENOENT, ENOTDIR: return nil
    case ENOSPC:
      throw LoopError(
        operation: "watch", context: path, errno: ENOSPC,
        because: "the limit of watched folders is reached; raise fs.inotify.max_user_watches")
    case let code: throw LoopError(operation: "watch", context: path, errno: code)
    }
  }

  /// Stops watching one folder, by the number that `watch` gave.
  package func unwatch(_ number: Int32) {
    // Best effort: the kernel has ended the watch of a folder that is gone.
    _ = inotify_rm_watch(descriptor, number)
  }

  /// Takes the changes that the kernel has, at most a buffer full; the loop calls again for more.
  private func read() -> [FolderChange] {
    let capacity = buffer.count
    let count = unsafe buffer.withUnsafeMutableBytes { buffer in
      unsafe Glibc.read(descriptor, buffer.baseAddress, capacity)
    }
    guard count > 0 else { return [] }
    return Self.changes(in: buffer[..<count])
  }

  /// Reads the kernel's records: number, mask, cookie, length of the name, the name with zeros
  /// behind it.
  ///
  /// Source: inotify(7).
  static func changes(in bytes: ArraySlice<UInt8>) -> [FolderChange] {
    var changes: [FolderChange] = []
    var rest = bytes
    func field(_ index: Int) -> UInt32 {
      let start = rest.startIndex + 4 * index
      var value: UInt32 = 0
      for byte in rest[start..<start + 4].reversed() { value = value << 8 | UInt32(byte) }
      return value
    }
    while rest.count >= 16 {
      let (number, mask) = (Int32(bitPattern: field(0)), Int32(bitPattern: field(1)))
      let length = Int(field(3))
      let padded = rest.dropFirst(16).prefix(length)
      let name = String(decoding: padded.prefix { $0 != 0 }, as: UTF8.self)
      rest = rest.dropFirst(16 + length)
      if mask & IN_Q_OVERFLOW != 0 {
        changes.append(FolderChange(watch: number, event: .overflow))
      } else if mask & (IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) != 0 {
        changes.append(FolderChange(watch: number, event: .folderGone))
      } else if !name.isEmpty {
        changes.append(
          FolderChange(watch: number, event: .entry(name, isFolder: mask & IN_ISDIR != 0)))
      }
    }
    return changes
  }
}
