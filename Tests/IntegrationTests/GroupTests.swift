import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Folders that apps share with their widgets, and what an app hears of its widgets.
@Suite(.serialized) struct GroupTests {
  private static let app = "org.example.Mail"
  private static let group = "org.example.mail"
  private static let own = "app: \(app)\ngroup: \(group)"
  /// A provider whose title is what the app wrote, or its logged-out content.
  private static let script = Sandbox.answer(
    title: #"$(cat "${INTENTD_GROUP:-/nowhere}/login" 2>/dev/null || echo logged out)"#)

  /// Reloads a widget and returns what it shows then.
  private func title(_ client: WireClient, _ id: String) throws -> String? {
    // As a person does: the app would pay for widgets of others.
    let receipt = try client.reload(id)
    #expect(receipt["state"] == "done", "\(receipt.serialized)")
    return try client.widget(id)["entry"]?["content"]?["title"]?.stringValue
  }

  /// Writes as an app does: a new file, then its name.
  private func log(in user: String, _ folder: String) throws {
    let part = "\(folder)/.login.part"
    #expect(FileManager.default.createFile(atPath: part, contents: Data(user.utf8)))
    #expect(rename(part, "\(folder)/login") == 0)
  }

  @Test func `an app and its widgets share a folder that is open to nobody else`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("unread", script: Self.script, settings: Self.own)
      try sandbox.widget("other", script: Self.script, settings: "app: org.example.Other")
      let daemon = try sandbox.startDaemon()
      let app = try sandbox.connect()
      let folder = "\(sandbox.root)/data/intentd/groups/\(Self.group)"
      #expect(access(folder, F_OK) != 0)
      let answer = try app.call("app.register", ["app": .string(Self.app), "foreground": true])
      #expect(answer["groups"] == [Self.group: .string(folder)])
      var status = stat()
      #expect(stat(folder, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o700)
      let kinds = ["unread", "other"]
      let person = try sandbox.connect()
      for kind in kinds { #expect(try person.add(kind) == "done") }
      for kind in kinds { #expect(try title(person, kind) == "logged out", "\(kind)") }
      try log(in: "Ada", folder)
      for kind in kinds {
        #expect(try title(person, kind) == (kind == "other" ? "logged out" : "Ada"), "\(kind)")
      }
      try sandbox.stop(daemon)
    }
  }

  @Test func `a group without an app is told, with what to type`() throws {
    try withSandbox { sandbox in
      try sandbox.widget(
        "lonely", script: Sandbox.answer(title: #"$XDG_DATA_HOME ${INTENTD_GROUP-none}"#),
        settings: "group: \(Self.group)")
      let daemon = try sandbox.startDaemon()
      let grant = "intent-send permissions lonely --grant"
      let status = try sandbox.send("status")
      #expect(status.output.contains("without the app that it belongs to"), "\(status)")
      #expect(status.output.contains(grant), "\(status)")
      let tried = try sandbox.send("try", "lonely")
      #expect(tried.output.contains(grant), "\(tried)")
      let played = try sandbox.send("simulate", "lonely", "--for", "1h")
      #expect(
        played.output.contains("an empty folder in the place of its group \(Self.group)"),
        "\(played)")
      // Without the path it would look where a shell looks, which is the real folder.
      let lines = try sandbox.send("simulate", "lonely", "--for", "1h", "--json")
      #expect(lines.output.contains("/.groups/\(Self.group)\""), "\(lines)")
      let person = try sandbox.connect()
      #expect(try person.add("lonely") == "done")
      // Where a person's own shell looks, the provider looks, too.
      #expect(try title(person, "lonely") == "\(sandbox.root)/data none")
      try sandbox.stop(daemon)
    }
  }

  @Test func `a widget of another app has the folder with consent, and not without`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("unread", script: Self.script, settings: Self.own)
      try sandbox.widget(
        "a-friend", script: Self.script,
        settings: "app: org.example.Friend\ngroup: \(Self.group)")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      let registered = try sandbox.connect().call("app.register", ["app": .string(Self.app)])
      let folder = try #require(registered["groups"]?[Self.group]?.stringValue)
      try log(in: "Ada", folder)
      let friend = try sandbox.connect()
      #expect(
        try friend.call("app.register", ["app": "org.example.Friend"])["groups"] == nil)
      #expect(try client.add("a-friend") == "done")
      #expect(try title(client, "a-friend") == "logged out")
      let asked = try sandbox.send("permissions", "a-friend")
      #expect(asked.output.contains("the group \(Self.group)"), "\(asked)")
      #expect(try sandbox.send("permissions", "a-friend", "--grant", "--yes").status == 0)
      #expect(try title(client, "a-friend") == "Ada")
      #expect(
        try friend.call("app.register", ["app": "org.example.Friend"])["groups"]
          == [Self.group: .string(folder)])
      #expect(try sandbox.send("permissions", "a-friend", "--revoke").status == 0)
      #expect(try title(client, "a-friend") == "logged out")
      try sandbox.stop(daemon)
    }
  }

  @Test func `an app that is killed while it writes leaves the old login or the new one`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("unread", script: Self.script, settings: Self.own)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      let registered = try client.call("app.register", ["app": .string(Self.app)])
      let folder = try #require(registered["groups"]?[Self.group]?.stringValue)
      let users = [String(repeating: "a", count: 60_000), String(repeating: "b", count: 90_000)]
      try log(in: users[0], folder)
      // Writes the two in turns, as account-app.py does, until it is killed.
      let writer = try sandbox.start(
        "/usr/bin/python3",
        [
          "-c",
          """
          import os, sys, itertools
          folder = sys.argv[1]
          for turn in itertools.count(1):
              part = f"{folder}/.login.{os.getpid()}"
              with open(part, "w") as file:
                  file.write(("a" * 60000, "b" * 90000)[turn % 2])
                  file.flush()
                  os.fsync(file.fileno())
              os.replace(part, folder + "/login")
          """, folder,
        ])
      for _ in 1...200 { #expect(users.contains(contents(of: folder + "/login"))) }
      writer.signal(SIGKILL)
      try writer.waitUntilEnded()
      #expect(users.contains(contents(of: folder + "/login")))
      try sandbox.stop(daemon)
    }
  }

  @Test func `the example shows its logged-out content, and the login after the app wrote it`()
    throws
  {
    try withSandbox { sandbox in
      let project = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)
      for file in ["account.yaml", "account.py"] {
        try sandbox.write(
          "config/intentd/widgets/account/\(file)",
          contents(of: "\(project)Examples/account/\(file)"),
          mode: file.hasSuffix(".py") ? 0o755 : 0o644)
      }
      let program = "\(project)Examples/account/account-app.py"
      let kind = "org.intentd.example.account"
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add(kind, id: "account") == "done")
      func shown() throws -> String? {
        try client.widget("account")["entry"]?["content"]?["short"]?.stringValue
      }
      #expect(try shown() == "logged out")
      let app = { (words: [String]) in
        try sandbox.run("/usr/bin/python3", [program] + words)
      }
      let login = try app(["login", "Ada", "3"])
      #expect(login.output == "account\tdone\t\n", "\(login)")
      #expect(try shown() == "Ada: 3")
      #expect(try app(["logout"]).status == 0)
      #expect(try shown() == "logged out")
      #expect(try app(["login"]).status == 64)
      try sandbox.stop(daemon)
    }
  }

  // MARK: Changes of widgets

  @Test func `an app hears of its widgets, configures them, and knows them after a kill`() throws {
    try withSandbox { sandbox in
      try sandbox.addIntents()
      try sandbox.widget(
        "weather", script: Self.script, settings: "intent: ShowWeather\napp: \(Self.app)")
      try sandbox.widget("other", script: Self.script, settings: "app: org.example.Other")
      var daemon = try sandbox.startDaemon()
      let person = try sandbox.connect()
      let app = try sandbox.connect()
      func register(_ client: WireClient) throws -> [JSONValue?] {
        let answer = try client.call("app.register", ["app": .string(Self.app)])
        return (answer["widgets"]?.arrayValue ?? []).map { $0["intent"]?["parameters"]?["city"] }
      }
      func change() throws -> String? {
        let told = try app.notification("app.widgetsChanged")
        #expect(told["changes"]?.arrayValue?.count == 1)
        return told["changes"]?.arrayValue?.first?["change"]?.stringValue
      }
      #expect(try register(app) == [])
      try person.call("widget.add", ["kind": "other", "id": "other"])
      try person.place("weather", id: "home", parameters: ["city": "Beijing"])
      #expect(try change() == "placed")
      let configured = try app.call(
        "widget.configure", ["id": "home", "parameters": ["city": "Shanghai"]])
      #expect(configured["widget"]?["intent"]?["parameters"]?["city"] == "Shanghai")
      #expect(try change() == "configured")
      #expect(
        try app.refusal("widget.configure", ["id": "other", "family": "accessoryInline"]).code
          == -32033)
      daemon.signal(SIGKILL)
      try daemon.waitUntilEnded()
      daemon = try sandbox.startDaemon()
      let again = try sandbox.connect()
      #expect(try register(again) == ["Shanghai"])
      try sandbox.stop(daemon)
    }
  }
}
