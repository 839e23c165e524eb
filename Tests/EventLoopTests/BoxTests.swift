import CPosix
import EventLoop
import Glibc
import Testing

/// The box of a child: what it keeps on this kernel, and the reading of its bytes.
///
/// On a kernel without Landlock no box can be entered, and only the reading is tested.
@Suite struct BoxTests {
  private let outside = TemporaryFolder()
  private let inside = TemporaryFolder()

  private func promises(
    _ options: Box.Options = [], version: Int32 = Box.landlockVersion, more: [String] = []
  ) throws -> BoxPromises {
    var box = Box(options, landlockVersion: version)
    var areAdded = ["/usr", "/lib", "/lib64"].map { box.add($0, .run) }
    areAdded += ([inside.path] + more).map { box.add($0, .write) }
    #expect(!areAdded.contains(false))
    return try box.promisesKept(outside: outside.path, inside: inside.path)
  }

  @Test(arguments: 1...7)
  func `a box keeps every promise with each version of Landlock`(version: Int) throws {
    guard version <= Box.landlockVersion else {
      return print("this kernel's Landlock is older than version \(version); not tried here")
    }
    let kept = try promises(version: Int32(version))
    #expect(kept == .all, "\(kept.broken)")
  }

  @Test func `a trial sees what a box does not keep`() throws {
    guard Box.landlockVersion > 0 else {
      return print("this kernel has no Landlock: no box is tried here")
    }
    #expect(try promises(.network).broken == ["the network can be reached"])
    #expect(try promises(more: [outside.path]).broken == ["your files can be reached"])
    let closed = try Box().promisesKept(outside: outside.path, inside: inside.path)
    #expect(closed.broken == ["no program can work"])
  }

  @Test func `where there is no Landlock a box is not entered`() throws {
    #expect(try promises(version: 0) == [])
    var spec = ChildSpec.shell("echo it runs")
    spec.box = Box(landlockVersion: 0).rules
    try onLoop { loop in
      do throws(LoopError) {
        try Transcript().start(loop, spec)
        Issue.record("it was started without its box")
      } catch {
        #expect(error.message.contains("its box cannot be entered"))
      }
      loop.stop()
    }
  }

  @Test func `a path is absolute and has no zero byte, and a box has room for many`() {
    var box = Box(landlockVersion: 7)
    #expect(["usr", "", "/a\0b"].map { box.add($0, .read) } == [false, false, false])
    let long = "/" + String(repeating: "x", count: 4_095)
    let count = (1...20).prefix { _ in box.add(long, .read) }.count
    let hasRoom = box.add("/short", .read)
    #expect(count == 15 && hasRoom)
  }

  private func isWhole(_ bytes: [UInt8]) -> Bool {
    let storage = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 8)
    defer { storage.deallocate() }
    storage.copyMemory(from: bytes, byteCount: bytes.count)
    return cposix_box_is_whole(storage, bytes.count)
  }

  @Test func `the bytes of a box are taken whole or not at all`() {
    var box = Box(landlockVersion: 7)
    for path in ["/", "/usr", "/etc/hosts"] { _ = box.add(path, .read) }
    let whole = box.rules
    #expect(isWhole(whole))
    for length in 0..<whole.count { #expect(!isWhole(Array(whole[..<length])), "\(length)") }
    #expect(!isWhole(whole + [0, 0, 0, 0]))
    // The header's words: magic, length, the number of instructions, the number of paths.
    for offset in [0, 4, 16, 20] {
      for value: UInt8 in [0, 1, 255] where whole[offset] != value {
        var changed = whole
        changed[offset] = value
        #expect(!isWhole(changed), "\(offset) \(value)")
      }
    }
    // The last path without its zero, and one that is not absolute.
    var changed = whole
    changed[whole.count - 1] = 1
    #expect(!isWhole(changed))
    changed = whole
    changed[whole.count - 12] = UInt8(ascii: "x")
    #expect(!isWhole(changed))
  }
}
