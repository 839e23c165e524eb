import EventLoop
import Glibc
import Testing

/// Tests which changes of a folder the kernel reports to a `FolderWatcher`.
@Suite struct FolderTests {
  /// Watches a folder while `act` changes it, and returns the changes up to the one of `last`.
  private func changes(
    for interest: FolderWatcher.Interest = .entries, until last: String,
    _ act: (TemporaryFolder) -> Void
  ) throws -> [FolderChange.Event] {
    let folder = TemporaryFolder()
    var seen: [FolderChange.Event] = []
    try onLoop { loop in
      var watcher: FolderWatcher?
      watcher = try FolderWatcher(loop: loop) { changes in
        seen += changes.map(\.event)
        if seen.contains(.entry(last, isFolder: false)) {
          watcher?.close()
          loop.stop()
        }
      }
      #expect(try watcher?.watch(folder.path, for: interest) != nil)
      act(folder)
    }
    return seen
  }

  private func write(_ text: String, _ path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    _ = Glibc.write(descriptor, text, text.utf8.count)
    close(descriptor)
  }

  @Test func `entries that appear, are written, are renamed or go are reported in order`() throws {
    let events = try changes(until: "end") { folder in
      write("x", folder.file("a"))
      rename(folder.file("a"), folder.file("b"))
      mkdir(folder.file("c"), 0o700)
      rmdir(folder.file("c"))
      unlink(folder.file("b"))
      write("", folder.file("end"))
    }
    #expect(
      events.prefix(8) == [
        .entry("a", isFolder: false), .entry("a", isFolder: false),  // made, written
        .entry("a", isFolder: false), .entry("b", isFolder: false),  // renamed from, to
        .entry("c", isFolder: true), .entry("c", isFolder: true), .entry("b", isFolder: false),
        .entry("end", isFolder: false),
      ])
  }

  @Test func `reading is no change, and arrivals can be all that is asked for`() throws {
    let events = try changes(for: .arrivals, until: "end") { folder in
      write("x", folder.file("a"))
      let descriptor = open(folder.file("a"), O_RDONLY)
      close(descriptor)
      chmod(folder.file("a"), 0o400)
      unlink(folder.file("a"))
      write("", folder.file("end"))
    }
    #expect(events == [.entry("a", isFolder: false), .entry("end", isFolder: false)])
  }

  @Test func `a folder that goes is reported, and one that is not there is not watched`() throws {
    var seen: [FolderChange.Event] = []
    try onLoop { loop in
      let folder = TemporaryFolder()
      var watcher: FolderWatcher?
      watcher = try FolderWatcher(loop: loop) { changes in
        seen += changes.map(\.event)
        watcher?.close()
        loop.stop()
      }
      #expect(try watcher?.watch(folder.path, for: .arrivals) != nil)
      #expect(try watcher?.watch(folder.file("none"), for: .entries) == .some(nil))
      write("", folder.file("file"))
      #expect(try watcher?.watch(folder.file("file"), for: .entries) == .some(nil))
      rename(folder.path, folder.path + "-gone")
      unlink(folder.path + "-gone/file")
      rmdir(folder.path + "-gone")
    }
    #expect(seen.contains(.folderGone))
  }
}
