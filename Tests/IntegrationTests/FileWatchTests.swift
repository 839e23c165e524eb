import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// A real daemon takes up manifests and intents as they are saved, without being asked.
struct FileWatchTests {
  /// Waits until the daemon has as many kinds, and no mistake in its configuration.
  private func wait(for client: WireClient, toOffer kinds: Int64) throws {
    try eventually("\(kinds) kinds are offered") {
      let status = try client.call("daemon.status")
      return status["kinds"] == .int(kinds) && status["issues"] == []
    }
  }

  @Test func `a saved manifest can be used by the next command`() throws {
    try withSandbox { sandbox in
      // Not even the folder is there when the daemon starts.
      try FileManager.default.removeItem(atPath: sandbox.root + "/config")
      let daemon = try sandbox.startDaemon()
      for number in 1...5 {
        try sandbox.widget("me\(number)", script: Sandbox.answer(title: "\(number)"))
        let added = try sandbox.send("add", "me\(number)")
        #expect(added.status == 0, "\(added.errors)")
      }
      let client = try sandbox.connect()
      #expect(try client.call("daemon.status")["watchesFiles"] == true)
      try wait(for: client, toOffer: 5)
      try sandbox.stop(daemon)
    }
  }

  @Test func `a mistake is told, the last good version holds, and mending it is enough`() throws {
    try withSandbox { sandbox in
      try sandbox.addIntents()
      try sandbox.widget("clock", script: Sandbox.answer(title: "clock"))
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      let live = try sandbox.connect()
      try live.call("surface.attach", ["configuration": true])

      try sandbox.write("config/intentd/widgets/clock.yaml", "kind: clock\nfamilies: [round]\n")
      let update = try live.notification("configuration.update")
      let issue = update["issues"]?.arrayValue?.first
      #expect(issue?["file"]?.stringValue?.hasSuffix("widgets/clock.yaml") == true)
      #expect(update["kinds"] == 2)
      #expect(try client.add("clock") == "done")
      let status = try sandbox.send("status")
      #expect((status.output + status.errors).contains("clock.yaml"), "\(status)")

      try sandbox.write("config/intentd/intents/ShowWeather/en.yaml", "language: en\nintents: [\n")
      _ = try live.notification("configuration.update")
      let sentence: JSONValue = ["text": "show weather in Beijing"]
      #expect(try client.call("intent.recognize", sentence)["matched"] == true)

      try sandbox.addIntents()
      try sandbox.widget("clock", script: Sandbox.answer(title: "clock"))
      try wait(for: client, toOffer: 2)
      #expect(try client.call("intent.recognize", sentence)["matched"] == true)

      sandbox.remove("config/intentd/widgets/clock.yaml")
      try wait(for: client, toOffer: 1)
      #expect(try client.widget("clock")["orphaned"] == true)
      try sandbox.stop(daemon)
    }
  }

  @Test func `settings, deep folders and folders that come later are watched`() throws {
    try withSandbox { sandbox in
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      try sandbox.makeFolder("data/intentd/widgets/rain")
      try sandbox.write(
        "data/intentd/widgets/rain/rain.yaml",
        "{kind: rain, name: Rain, families: [systemSmall], provider: {exec: [/bin/true]}}")
      try wait(for: client, toOffer: 1)
      try sandbox.write("config/intentd/config.yaml", "daysOff: nonsense\n")
      try eventually("the mistake is told") {
        try client.call("daemon.status")["issues"]?.arrayValue?.count == 1
      }
      try FileManager.default.removeItem(atPath: sandbox.root + "/data/intentd")
      sandbox.remove("config/intentd/config.yaml")
      try wait(for: client, toOffer: 0)
      try sandbox.stop(daemon)
    }
  }

  @Test func `files of the daemon and of providers are no new configuration`() throws {
    try withSandbox { sandbox in
      // State and cache are inside the folder that is watched.
      let folder = sandbox.root + "/config/intentd"
      sandbox.environment["XDG_CACHE_HOME"] = folder + "/widgets"
      try sandbox.widget(
        "busy",
        script: "echo x > data.json; mkdir -p \"$INTENTD_CACHE\"; date > .busy.yaml; "
          + "touch \"$INTENTD_CACHE/x\"; \(Sandbox.answer(title: "busy"))")
      let daemon = try sandbox.startDaemon(["--state", folder])
      let client = try sandbox.connect()
      #expect(try client.add("busy") == "done")
      // A change that counts, and its end: whatever came before it was read with it at the latest.
      func readings() throws -> Int {
        try client.call("daemon.history", ["limit": 1_000])["entries"]?.arrayValue?
          .count { $0["event"] == "configuration" } ?? 0
      }
      for _ in 0..<5 { #expect(try client.reload("busy")["state"] == "done") }
      try sandbox.widget("other", script: Sandbox.answer(title: "other"))
      try wait(for: client, toOffer: 2)
      #expect(try readings() == 2)
      try sandbox.stop(daemon)
    }
  }

  /// `/proc/sys/user` has the limits of a user namespace.
  @Test(arguments: [("max_inotify_instances", 0), ("max_inotify_watches", 2)])
  func `where the kernel gives no more watches, the status says so, and asking works`(
    _ limit: String, _ value: Int
  ) throws {
    try withSandbox { sandbox in
      let unshare = ["--user", "--map-root-user", "/bin/sh", "-c"]
      let set = "echo \(value) > /proc/sys/user/\(limit)"
      guard Programs.isInstalled("unshare"),
        try sandbox.run("/usr/bin/unshare", unshare + [set]).ending == .exited(0)
      else {
        print("skipped: no limit of our own, since this kernel gives no user namespaces")
        return
      }
      let daemon = try sandbox.start(
        "/usr/bin/unshare", unshare + ["\(set) && exec '\(Programs.daemon)'"])
      try sandbox.waitUntilServing(daemon)
      let client = try sandbox.connect()
      let issues = try client.call("daemon.status")["issues"]?.arrayValue ?? []
      #expect(issues.count == 1)
      #expect(
        issues.first?["message"]?.stringValue?.contains("changed files are not noticed") == true,
        "\(issues)")
      let status = try sandbox.send("status")
      #expect((status.output + status.errors).contains("fs.inotify.max_user_"), "\(status)")
      try sandbox.widget("clock", script: Sandbox.answer(title: "clock"))
      #expect(try client.call("daemon.reloadConfiguration")["kinds"] == 1)
      // And a name that nobody offers is looked for.
      try sandbox.widget("rain", script: Sandbox.answer(title: "rain"))
      #expect(try client.add("rain") == "done")
      try sandbox.stop(daemon)
    }
  }
}
