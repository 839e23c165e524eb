import DaemonTestSupport
import Glibc
import JSON
import Testing

/// Manifests and programs that somebody else may change.
@Suite(.serialized) struct ForeignManifestTests {
  /// Changes of the files, each with the file that it concerns and the command that mends it.
  private static let changes:
    [(change: @Sendable (Sandbox) -> Int32, path: String, remedy: String)] = [
      ({ chmod("\($0.widgets)/w.yaml", 0o646) }, "w.yaml", "chmod go-w"),
      ({ chmod("\($0.widgets)/w.run", 0o757) }, "w.run", "chmod go-w"),
      ({ chmod($0.widgets, 0o777) }, "", "chmod go-w"),
    ]

  @Test(arguments: changes.indices)
  func `a manifest that others may change is refused, and its last version does not run`(
    index: Int
  ) throws {
    let change = Self.changes[index]
    try withSandbox { sandbox in
      try sandbox.widget("w", script: Sandbox.answer(title: "1"))
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("w") == "done")
      #expect(change.change(sandbox) == 0)
      var answer = try client.call("daemon.reloadConfiguration")
      let path = change.path.isEmpty ? sandbox.widgets : "\(sandbox.widgets)/\(change.path)"
      let issue = answer["issues"]?.arrayValue?.first
      #expect(issue?["message"]?.stringValue?.contains("every user may write to \(path)") == true)
      #expect(
        issue?["expected"]?.stringValue?.contains("\(change.remedy) \(path)") == true, "\(answer)")
      #expect(answer["kinds"] == 0, "\(answer)")
      // The command that it names mends it.
      #expect(try sandbox.shell("chmod go-w '\(path)'").status == 0)
      answer = try client.call("daemon.reloadConfiguration")
      #expect(answer["kinds"] == 1, "\(answer)")
      try sandbox.stop(daemon)
    }
  }

  @Test func `a manifest or a program of another user is refused`() throws {
    guard getuid() == 0 else {
      print("only root can give a file to another user; not tried here")
      return
    }
    try withSandbox { sandbox in
      try sandbox.widget("w", script: Sandbox.answer(title: "1"))
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      for name in ["w.yaml", "w.run"] {
        let path = "\(sandbox.widgets)/\(name)"
        #expect(chown(path, 54_321, gid_t.max) == 0)
        let answer = try client.call("daemon.reloadConfiguration")
        #expect(answer["kinds"] == 0, "\(answer)")
        let issue = answer["issues"]?.arrayValue?.first
        #expect(
          issue?["message"]?.stringValue?.contains("\(path) belongs to user 54321") == true)
        #expect(issue?["expected"]?.stringValue?.contains("sudo chown 0 \(path)") == true)
        #expect(chown(path, 0, gid_t.max) == 0)
      }
      #expect(try client.call("daemon.reloadConfiguration")["kinds"] == 1)
      try sandbox.stop(daemon)
    }
  }

  @Test func `a link to a file in a folder of everybody is refused`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("w", script: Sandbox.answer(title: "1"))
      try sandbox.makeFolder("open")
      let moved = try sandbox.shell(
        """
        mv '\(sandbox.widgets)/w.yaml' '\(sandbox.root)/open/w.yaml' &&
        ln -s '\(sandbox.root)/open/w.yaml' '\(sandbox.widgets)/w.yaml' &&
        chmod 777 '\(sandbox.root)/open'
        """)
      #expect(moved.status == 0)
      let daemon = try sandbox.startDaemon()
      let answer = try sandbox.connect().call("daemon.reloadConfiguration")
      #expect(answer["kinds"] == 0, "\(answer)")
      try sandbox.stop(daemon)
    }
  }
}
