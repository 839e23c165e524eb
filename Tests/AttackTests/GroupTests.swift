import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Widgets that want what an app shares with its own.
@Suite(.serialized) struct GroupTests {
  private static let own = "app: org.example.Mail\ngroup: org.example.mail"

  /// A provider whose title says what it has of the group: the variable, the content by its path,
  /// and whether it could write.
  private static let script = """
    there="$THEIRS/login"
    title="${INTENTD_GROUP:+told }$(cat "$there" 2>/dev/null || echo unread)"
    (echo x >"$THEIRS/written") 2>/dev/null && title="$title written"
    \(Sandbox.answer(title: "$title"))
    """

  private func folder(_ sandbox: Sandbox) -> String {
    "\(sandbox.root)/data/intentd/groups/org.example.mail"
  }

  /// Places a boxed kind.
  private func boxed(_ sandbox: Sandbox, _ kind: String, _ settings: String) throws {
    try sandbox.widget(
      kind, script: Self.script,
      settings: "\(settings)\nsandbox: strict\nenv: {THEIRS: \(folder(sandbox))}")
  }

  private func title(_ client: WireClient, _ id: String) throws -> String? {
    _ = try client.reload(id)
    let widget = try client.widget(id)
    return widget["error"]?.stringValue ?? widget["entry"]?["content"]?["title"]?.stringValue
  }

  /// Reloads a widget and expects it to show this.
  private func expect(
    _ client: WireClient, _ id: String, _ expected: String,
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let shown = try title(client, id)
    #expect(shown == expected, "\(id)", sourceLocation: sourceLocation)
  }

  @Test func `in a box only the app's own widgets reach its folder, and others with consent`()
    throws
  {
    guard BoxRig.isPossible else { return }
    try withSandbox { sandbox in
      try boxed(sandbox, "mine", Self.own)
      try boxed(sandbox, "spy", "app: org.example.Spy\ngroup: org.example.mail")
      try boxed(sandbox, "stray", "app: org.example.Mail")
      try boxed(sandbox, "near", "app: org.example.Mail\ngroup: org.example")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      try sandbox.connect().call("app.register", ["app": "org.example.Mail"])
      try sandbox.write("data/intentd/groups/org.example.mail/login", "Ada")
      for kind in ["mine", "spy", "stray", "near"] { try client.add(kind) }
      try expect(client, "mine", "told Ada written")
      try expect(client, "spy", "unread")
      try expect(client, "stray", "unread")
      // A folder of its own, and not what lies beside it.
      try expect(client, "near", "told unread")
      #expect(try sandbox.send("permissions", "spy", "--grant", "--yes").status == 0)
      try expect(client, "spy", "told Ada written")
      #expect(try sandbox.send("permissions", "spy", "--revoke").status == 0)
      try expect(client, "spy", "unread")
      try sandbox.stop(daemon)
    }
  }

  @Test func `what was installed has no group until it is granted, whatever app it names`() throws {
    guard BoxRig.isPossible else { return }
    try withSandbox { sandbox in
      try sandbox.widget("mine", script: Self.script, settings: Self.own)
      try sandbox.write(
        "tide/widget.yaml",
        """
        kind: org.example.tide
        name: Tide
        families: [systemSmall]
        provider: {exec: [./tide.sh]}
        env: {THEIRS: \(folder(sandbox))}
        \(Self.own)

        """)
      try sandbox.write("tide/tide.sh", "#!/bin/sh\n\(Self.script)\n", mode: 0o755)
      let asked = try sandbox.send("install", "\(sandbox.root)/tide")
      #expect(asked.status == 4)
      #expect(asked.output.contains("the group org.example.mail"), "\(asked)")
      #expect(try sandbox.send("install", "\(sandbox.root)/tide", "--grant", "none").status == 0)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      try sandbox.connect().call("app.register", ["app": "org.example.Mail"])
      try sandbox.write("data/intentd/groups/org.example.mail/login", "Ada")
      try client.add("org.example.tide", id: "tide")
      try expect(client, "tide", "unread")
      let grants = ["permissions", "org.example.tide", "--grant", "--yes"]
      #expect(try sandbox.run(Programs.client, grants).status == 0)
      try expect(client, "tide", "told Ada written")
      try sandbox.stop(daemon)
    }
  }

  @Test func `a link in the place of a group's folder gives nothing of its target`() throws {
    try withSandbox { sandbox in
      try sandbox.write("home/.ssh/login", "secret")
      try sandbox.makeFolder("data/intentd/groups")
      #expect(symlink("\(sandbox.root)/home/.ssh", folder(sandbox)) == 0)
      try sandbox.widget(
        "open", script: Self.script,
        settings: "\(Self.own)\nenv: {THEIRS: \(folder(sandbox))}")
      if BoxRig.isPossible { try boxed(sandbox, "boxed", Self.own) }
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      for kind in BoxRig.isPossible ? ["open", "boxed"] : ["open"] {
        try client.add(kind)
        let title = try title(client, kind)
        #expect(title?.contains("cannot be used: it is no folder, or a link") == true, "\(kind)")
      }
      try client.call("app.register", ["app": "org.example.Mail"])
      try eventually("the log says so: \(daemon.errors)") {
        daemon.errors.contains("event=group.unusable")
      }
      #expect(access("\(sandbox.root)/home/.ssh/written", F_OK) != 0)
      try sandbox.stop(daemon)
    }
  }

  @Test func `a folder of a group that others may enter is closed to them`() throws {
    try withSandbox { sandbox in
      try sandbox.makeFolder("data/intentd/groups/org.example.mail")
      chmod(folder(sandbox), 0o777)
      try sandbox.widget("mine", script: Self.script, settings: Self.own)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      try client.call("app.register", ["app": "org.example.Mail"])
      var status = stat()
      #expect(stat(folder(sandbox), &status) == 0)
      #expect(status.st_mode & 0o777 == 0o700)
      try sandbox.stop(daemon)
    }
  }

  @Test func `a grant that would open the folders of groups is refused`() throws {
    try withSandbox { sandbox in
      for path in ["data", "data/intentd/groups", "data/intentd/groups/org.example.mail"] {
        try sandbox.widget(
          "wide", script: "exit 0",
          settings: "sandbox: strict\npermissions: {read: [\(sandbox.root)/\(path)]}")
        let outcome = try sandbox.send("permissions", "wide", "--grant", "--yes")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("would open intentd's own folder"), "\(outcome)")
      }
    }
  }
}
