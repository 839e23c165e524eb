import DaemonCore
import DaemonRuntime
import Foundation
import Glibc
import IntentRouter
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

  @Test func `an intent's file of the person's own takes the place of the package's`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/intentd-intents-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func write(_ text: String, to path: String) throws {
      let file = URL(filePath: "\(folder)/\(path)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    try write("name: ShowIt", to: "theirs/ShowIt/intent.yaml")
    try write("language: en", to: "theirs/ShowIt/en.yaml")
    try write("lists: {}", to: "theirs/lists/cities.yaml")
    // A copy, as an earlier installation by hand left it, a change, and a further language.
    try write("name: ShowIt", to: "mine/ShowIt/intent.yaml")
    try write("language: de", to: "mine/ShowIt/de.yaml")
    try write("lists: {city: {wildcard: true}}", to: "mine/lists/cities.yaml")
    let files = ConfigurationLoader(
      intentFolders: [folder + "/mine", folder + "/missing", folder + "/theirs"], widgetFolders: []
    ).load()
    #expect(
      files.catalog.map { $0.file.dropFirst(folder.count + 1) } == [
        "mine/ShowIt/de.yaml", "mine/ShowIt/intent.yaml", "mine/lists/cities.yaml",
        "theirs/ShowIt/en.yaml",
      ])
    #expect(files.issues == [])
  }
}
