import DaemonCore
import Glibc
import Store
import Testing

/// Files that lose their names under an open store.
@Suite struct StorePlaceTests {
  private static let row = StoreWrite.put(.widget, key: "a", bytes: [1])

  private func opened() throws -> (folder: TemporaryFolder, path: String, harness: StoreHarness) {
    let folder = try TemporaryFolder()
    let path = folder + "state/intentd.sqlite"
    let harness = StoreHarness(path)
    _ = try harness.load()
    try harness.commit(Self.row)
    try harness.commit(.appendJournal(sequence: 1, bytes: [9]))
    return (folder, path, harness)
  }

  private func empty(_ folder: TemporaryFolder) {
    for name in folder.names(folder + "state") { unlink(folder + "state/\(name)") }
  }

  @Test func `a folder that is gone is a refusal, and one that is made again gets everything`()
    throws
  {
    let (folder, path, harness) = try opened()
    empty(folder)
    #expect(rmdir(folder + "state") == 0)
    for _ in 0..<2 {
      let failure = try harness.commitFailure(.put(.widget, key: "b", bytes: [2]))
      #expect(failure.code == .cannotOpen)
      #expect(failure.message.contains("is gone; make it again"))
    }
    // The refused write is in nothing that is read.
    #expect(try harness.load().tables[.widget] == [.init(key: "a", bytes: [1])])
    #expect(mkdir(folder + "state", 0o700) == 0)
    try harness.commit(.put(.widget, key: "c", bytes: [3]))
    #expect(folder.names(folder + "state").contains("intentd.sqlite"))
    try harness.close()
    let next = StoreHarness(path)
    let state = try next.load()
    #expect(state.notes == [])
    #expect(
      state.tables[.widget] == [.init(key: "a", bytes: [1]), .init(key: "c", bytes: [3])])
    #expect(state.journal == [.init(sequence: 1, bytes: [9])])
    try next.close()
  }

  @Test(arguments: ["", "-wal"])
  func `a file that was deleted is written anew before anything is acknowledged`(_ ending: String)
    throws
  {
    let (folder, path, harness) = try opened()
    #expect(unlink(path + ending) == 0)
    try harness.commit(.put(.widget, key: "b", bytes: [2]))
    // As after a power loss: what the daemon has open is gone.
    let copy = folder + "copy"
    #expect(mkdir(copy, 0o700) == 0)
    for ending in ["", "-wal"] {
      try writeFile("\(copy)/intentd.sqlite\(ending)", try readFile(path + ending))
    }
    let next = StoreHarness("\(copy)/intentd.sqlite")
    #expect(
      try next.load().tables[.widget]
        == [.init(key: "a", bytes: [1]), .init(key: "b", bytes: [2])])
    try next.close()
    // The new one is locked as the old one was.
    let second = StoreHarness(path)
    #expect(try second.loadFailure().code == .busy)
    try harness.close()
  }

  @Test func `a folder that comes back goes on`() throws {
    let (folder, path, harness) = try opened()
    #expect(rename(folder + "state", folder + "away") == 0)
    #expect(try harness.commitFailure(Self.row).code == .cannotOpen)
    #expect(rename(folder + "away", folder + "state") == 0)
    try harness.commit(.put(.widget, key: "b", bytes: [2]))
    try harness.close()
    let next = StoreHarness(path)
    #expect(try next.load().tables[.widget]?.count == 2)
    try next.close()
  }

  @Test func `another store in its place is neither written nor read`() throws {
    let (folder, path, harness) = try opened()
    #expect(rename(folder + "state", folder + "away") == 0)
    let other = StoreHarness(path)
    _ = try other.load()
    try other.commit(.put(.widget, key: "other", bytes: [7]))
    let failure = try harness.commitFailure(.put(.widget, key: "b", bytes: [2]))
    #expect(failure.code == .cannotOpen && failure.message.contains("restart"))
    #expect(try harness.load().tables[.widget] == [.init(key: "a", bytes: [1])])
    try other.close()
    try harness.close()
    let next = StoreHarness(path)
    #expect(try next.load().tables[.widget] == [.init(key: "other", bytes: [7])])
    try next.close()
  }
}
