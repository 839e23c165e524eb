import EventLoop
import Foundation
import Testing

@testable import DaemonRuntime

/// Tests which files an extension is started anew for.
struct StartedFilesTests {
  @Test(
    arguments: [
      (["server"], "state.db", false), (["server", "state.db"], "state.db", false),
      (["server", "state.db"], "server", true), (["server", "--db", "run.py"], "run.py", true),
      (["server", "state.db", "start"], "start", true),
      (["server", "state.db", "start"], "state.db", false),
      (["server", "run.py", "config.sh"], "config.sh", false),
      (["server", "run.py", "gone.py"], "state.db", false),
      (["server", "gone.py", "Run.PY"], "Run.PY", true),
      (["server", "folder.py"], "state.db", false),
    ])
  func `the program and its script are looked at, and no data`(
    _ words: [String], _ changed: String, _ isReplaced: Bool
  ) throws {
    let folder = NSTemporaryDirectory() + "/started-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder + "/folder.py", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for name in ["state.db", "run.py", "Run.PY", "config.sh"] {
      try Data("data".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    for name in ["server", "start"] {
      try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
      #expect(chmod("\(folder)/\(name)", 0o755) == 0)
    }
    let started = StartedFiles(
      of: ChildSpec(
        program: folder + "/server", arguments: words, environment: [], workingDirectory: folder))
    #expect(!started.areReplaced)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(folder)/\(changed)"))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("more\n".utf8))
    try handle.close()
    #expect(started.areReplaced == isReplaced)
  }
}
