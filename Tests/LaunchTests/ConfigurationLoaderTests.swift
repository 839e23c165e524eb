import DaemonCore
import DaemonRuntime
import Foundation
import Glibc
import JSON
import Testing

@Suite struct ConfigurationLoaderTests {
  @Test func `a folder and a named pipe that are called like manifests are mistakes, and nobody waits for them`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/intentd-loader-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(
      atPath: folder + "/directory.yaml", withIntermediateDirectories: true)
    #expect(mkfifo(folder + "/pipe.yaml", 0o600) == 0)
    let files = ConfigurationLoader(intentFolders: [], widgetFolders: [folder]).load()
    #expect(files.manifests.isEmpty)
    #expect(
      files.issues.map(\.message) == [
        "the file cannot be read: it is not a regular file",
        "the file cannot be read: it is not a regular file",
      ])
  }
}
