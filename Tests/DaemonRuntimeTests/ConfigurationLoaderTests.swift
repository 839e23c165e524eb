import DaemonCore
import DaemonRuntime
import Foundation
import Glibc
import JSON
import Testing

@Suite struct ConfigurationLoaderTests {
  @Test
  func
    `a folder and a named pipe that are called like manifests are mistakes, and nobody waits for them`()
    throws
  {
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

  @Test func `of the settings files the first existing one counts, whatever its content`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/intentd-settings-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    func load(_ names: String...) -> ConfigurationFiles {
      ConfigurationLoader(
        intentFolders: [], widgetFolders: [], settingsFiles: names.map { "\(folder)/\($0)" }
      ).load()
    }
    try Data("daysOff: [12-25]\n".utf8).write(to: URL(filePath: folder + "/mine.yaml"))
    try Data(#"{"daysOff": []}"#.utf8).write(to: URL(filePath: folder + "/theirs.yaml"))
    try Data("daysOff: [\n".utf8).write(to: URL(filePath: folder + "/broken.yaml"))
    #expect(load("none.yaml").settings == nil)
    #expect(load("none.yaml").issues == [])
    let mine = load("none.yaml", "mine.yaml", "theirs.yaml")
    #expect(mine.settings?.file == folder + "/mine.yaml")
    #expect(mine.settings?.document?["daysOff"]?.json == ["12-25"])
    let broken = load("broken.yaml", "mine.yaml")
    #expect(broken.settings == SettingsSource(file: folder + "/broken.yaml", document: nil))
    #expect(broken.issues.map(\.file) == [folder + "/broken.yaml"])
  }
}
