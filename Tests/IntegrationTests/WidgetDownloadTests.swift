import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Widgets whose files the daemon has fetched: real providers, the real program, a real server.
@Suite(.enabled(if: Programs.isInstalled("python3"), "skipped: no Python"))
struct WidgetDownloadTests {
  /// A provider that wants a file, shows its content, and counts its runs.
  private static func script(_ url: String, order: String = "") -> String {
    #"""
    import json, os, sys
    request = json.load(sys.stdin)
    runs = os.path.join(os.environ["INTENTD_CACHE"], "runs")
    with open(runs, "a") as file:
        file.write(json.dumps(request.get("downloads")) + "\n")
    told = {item["id"]: item for item in request.get("downloads", [])}.get("feed")
    if told is None:
        print(json.dumps({"result": "noData", "downloads": [{"id": "feed", "url": "\#(url)"\#(order)}]}))
    else:
        title = open(told["file"]).read().strip() if "file" in told else told["error"]["code"]
        print(json.dumps({"entries": [{"date": "2020-01-01T00:00:00Z", "content": {"title": title}}],
                          "policy": "never"}))
    """#
  }

  private func runs(_ sandbox: Sandbox, _ kind: String = "feed") -> [String] {
    contents(of: "\(sandbox.root)/cache/intentd/\(kind)/runs").split(separator: "\n").map(
      String.init)
  }

  private func title(_ client: WireClient, _ id: String) throws -> String? {
    try client.widget(id)["entry"]?["content"]?["title"]?.stringValue
  }

  @Test func `a widget shows its file, and is not asked again while it is the same`() throws {
    try withServer { server in
      let sandbox = server.sandbox
      try server.serve("file", "first\n")
      try sandbox.widget(
        "feed", script: Self.script(server.url("/file")), interpreter: "/usr/bin/env python3")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      // The receipt of the placing waits for the file.
      #expect(try client.add("feed") == "done")
      #expect(try title(client, "feed") == "first")
      #expect(runs(sandbox).count == 2)
      let told = try JSONValue(parsing: runs(sandbox)[1]).arrayValue?.first
      #expect(told?["status"] == 200 && told?["unchanged"] == false)
      let file = try #require(told?["file"]?.stringValue)
      #expect(file.hasPrefix("\(sandbox.root)/cache/intentd/feed/downloads/"))

      #expect(try sandbox.send("reload", "feed").status == 0)
      #expect(runs(sandbox).count == 3, "asked what it wants, and not told of what it knows")
      #expect(try server.requests("/file").last?["headers"]?["if-none-match"] != nil)

      try server.serve("file", "second\n")
      #expect(try sandbox.send("reload", "feed").status == 0)
      #expect(try title(client, "feed") == "second")
      #expect(runs(sandbox).count == 5)
      try eventually("the program is gone") {
        Processes.children(of: daemon.pid).allSatisfy {
          !Processes.command(of: $0).contains("intent-fetch")
        }
      }
      try sandbox.stop(daemon)
    }
  }

  @Test func `a file that is refused is told with its reason`() throws {
    try withServer { server in
      let sandbox = server.sandbox
      try sandbox.widget(
        "feed",
        script: Self.script(server.url("/html"), order: #", "expect": {"types": ["image/*"]}"#),
        interpreter: "/usr/bin/env python3")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("feed") == "done")
      #expect(try title(client, "feed") == "wrongType")
      try sandbox.stop(daemon)
    }
  }

  @Test func `a download that a kill interrupted begins again`() throws {
    try withServer { server in
      let sandbox = server.sandbox
      try server.serve("file", "body\n")
      try sandbox.widget(
        "feed", script: Self.script(server.url("/hang")), interpreter: "/usr/bin/env python3")
      var daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      _ = try client.call("widget.add", ["kind": "feed", "id": "feed"])
      try eventually("the download is under way") { try server.requests("/hang").count == 1 }
      daemon.killGroup()
      daemon = try sandbox.startDaemon()
      try eventually("it begins again") { try server.requests("/hang").count >= 2 }
      try sandbox.stop(daemon)
    }
  }

  @Test(.enabled(if: Programs.isInstalled("readelf"), "skipped: no readelf"))
  func `the daemon does not load libcurl`() throws {
    try withSandbox { sandbox in
      for (program, isLoaded) in [
        (Programs.daemon, false), (Programs.client, false), (Programs.fetch, true),
      ] {
        let read = try sandbox.run("/usr/bin/readelf", ["--dynamic", program])
        #expect(read.output.contains("libcurl") == isLoaded)
      }
    }
  }

  @Test func `without the program a widget is told so, and the log says what to install`() throws {
    try withServer { server in
      let sandbox = server.sandbox
      try sandbox.widget(
        "feed", script: Self.script(server.url("/file")), interpreter: "/usr/bin/env python3")
      // A copy of the daemon has nothing beside it. Another process writes it: a test that forks
      // meanwhile would hold this one's descriptor, and the copy could not be started.
      try sandbox.makeFolder("lonely")
      let copy = try sandbox.run("/bin/cp", [Programs.daemon, sandbox.root + "/lonely/intentd"])
      #expect(copy.status == 0, "\(copy)")
      let daemon = try sandbox.start(sandbox.root + "/lonely/intentd")
      try sandbox.waitUntilServing(daemon)
      let client = try sandbox.connect()
      #expect(try client.add("feed") == "done")
      #expect(try title(client, "feed") == "noProgram")
      #expect(daemon.errors.contains("fetch.missing") && daemon.errors.contains("intentd-fetch"))
      try sandbox.stop(daemon)
    }
  }
}
