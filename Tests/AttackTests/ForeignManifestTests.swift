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
      ({ chmod("\($0.widgets)/..", 0o777) }, "..", "chmod go-w"),
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
      let path =
        switch change.path {
        case "": sandbox.widgets
        case "..": "\(sandbox.root)/config/intentd"
        default: "\(sandbox.widgets)/\(change.path)"
        }
      let issue = answer["issues"]?.arrayValue?.first
      #expect(issue?["message"]?.stringValue?.contains("every user may write to \(path)") == true)
      #expect(
        issue?["expected"]?.stringValue?.contains("\(change.remedy) \(path)") == true, "\(answer)")
      // The daemon watches manifests; of the others it is told.
      #expect(
        issue?["expected"]?.stringValue?.hasSuffix(", then: intent-send reload-config")
          == (change.path != "w.yaml"), "\(answer)")
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

  /// Checks that the manifest `w` is refused for a reason, and read after the script `mend`.
  private func expectRefusal(
    _ reason: String, mend: String, in sandbox: Sandbox
  ) throws {
    let daemon = try sandbox.startDaemon()
    let client = try sandbox.connect()
    let answer = try client.call("daemon.reloadConfiguration")
    #expect(answer["kinds"] == 0, "\(answer)")
    let message = answer["issues"]?.arrayValue?.first?["message"]?.stringValue
    #expect(message?.contains(reason) == true, "\(answer)")
    #expect(try sandbox.shell(mend).status == 0)
    #expect(try client.call("daemon.reloadConfiguration")["kinds"] == 1)
    try sandbox.stop(daemon)
  }

  @Test(arguments: ["[sh, ./w.sh]", "[sh, w.sh]", "[sh, -e, FOLDER/w.sh]"])
  func `a script that an interpreter runs is looked at like a program`(exec: String) throws {
    try withSandbox { sandbox in
      try sandbox.write("config/intentd/widgets/w.sh", Sandbox.answer(title: "1"), mode: 0o646)
      let parts = exec.split(separator: "FOLDER", omittingEmptySubsequences: false)
      try sandbox.manifest("w", exec: parts.joined(separator: sandbox.widgets))
      let script = "\(sandbox.widgets)/w.sh"
      try expectRefusal(
        "every user may write to \(script)", mend: "chmod go-w '\(script)'", in: sandbox)
    }
  }

  /// Lines under `provider:` that name a script beside the manifest; `FOLDER` is its folder.
  private static let others = [
    "if: [./other.sh]", "if: FOLDER/other.sh --quick", "if: [sh, -e, ./other.sh]",
    "clicks: {left: [./other.sh, a]}", "clicks: {middle: FOLDER/other.sh}",
    "clicks: {left: [true], scrollUp: [sh, other.sh]}",
  ]

  @Test(arguments: others)
  func `the scripts of a condition and of clicks are looked at like a program`(
    line: String
  ) throws {
    try withSandbox { sandbox in
      try sandbox.write("config/intentd/widgets/other.sh", "exit 0\n", mode: 0o757)
      let named = line.split(separator: "FOLDER", omittingEmptySubsequences: false)
        .joined(separator: sandbox.widgets)
      try sandbox.widget("w", script: "echo 1", provider: "protocol: waybar\n\(named)")
      let script = "\(sandbox.widgets)/other.sh"
      try expectRefusal(
        "every user may write to \(script)", mend: "chmod go-w '\(script)'", in: sandbox)
    }
  }

  @Test func `a device, a folder and a log of others among the arguments are no programs`() throws {
    try withSandbox { sandbox in
      try sandbox.write("log", "what happened", mode: 0o664)
      // An ordinary user cannot give a file away; then the log is their own, which nobody else may
      // change.
      if chown("\(sandbox.root)/log", 65_534, 65_534) != 0 { chmod("\(sandbox.root)/log", 0o644) }
      try sandbox.manifest("w", exec: "[cat, /dev/null, /tmp, \(sandbox.root)/log]")
      let daemon = try sandbox.startDaemon()
      #expect(try sandbox.connect().call("daemon.reloadConfiguration")["kinds"] == 1)
      try sandbox.stop(daemon)
    }
  }

  @Test func `an access list that lets others write is no group of one's own`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("w", script: Sandbox.answer(title: "1"))
      let path = "\(sandbox.widgets)/w.run"
      // Owner rwx, user 54321 rwx, group r-x, mask rwx, others r-x.
      let list = """
        import os, struct
        entries = [(1, 7, -1), (2, 7, 54321), (4, 5, -1), (16, 7, -1), (32, 5, -1)]
        value = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *e) for e in entries)
        os.setxattr("\(path)", "system.posix_acl_access", value)
        """
      guard try sandbox.shell("python3 -c '\(list)'").status == 0 else {
        print("the file system has no access lists; not tried here")
        return
      }
      try expectRefusal(
        "an access list (ACL) lets others write to \(path)", mend: "chmod go-w '\(path)'",
        in: sandbox)
    }
  }

  @Test func `a link of another user is refused`() throws {
    guard getuid() == 0 else {
      print("only root can give a link to another user; not tried here")
      return
    }
    try withSandbox { sandbox in
      try sandbox.widget("w", script: Sandbox.answer(title: "1"))
      let link = "\(sandbox.widgets)/w.yaml"
      let moved = try sandbox.shell(
        """
        cd '\(sandbox.widgets)' && mkdir ../own && mv w.* ../own/ &&
        ln -s ../own/w.run w.run && ln -s ../own/w.yaml w.yaml &&
        chown -h 54321 w.yaml && chmod 1777 .
        """)
      #expect(moved.status == 0, "\(moved)")
      try expectRefusal(
        "the link \(link) belongs to user 54321", mend: "chown -h 0 '\(link)'", in: sandbox)
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
