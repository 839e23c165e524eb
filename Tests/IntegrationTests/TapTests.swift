import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Tests that a tap opens the right app with one argument, without a shell, and no denied scheme.
struct TapTests {
  /// Runs `body` with a daemon and the kind `page` of the app org.example.Viewer, whose program
  /// records its arguments.
  ///
  /// `bus` is the mode of a session bus (`fake-bus.py`); without one there is no bus.
  private func withViewer(
    exec: String = "%ROOT%/bin/viewer %u", viewer: String = "", bus: String? = nil,
    entry: String = "",
    _ body: (Sandbox, Program, WireClient) throws -> Void
  ) throws {
    try withSandbox { sandbox in
      try sandbox.write(
        "bin/viewer",
        """
        #!/bin/sh
        env > "$HOME/environment"
        pwd > "$HOME/folder"
        for argument in "$@"; do printf '%s\\n' "$argument"; done > "$HOME/arguments.new"
        mv "$HOME/arguments.new" "$HOME/arguments"
        \(viewer)
        """, mode: 0o755)
      try sandbox.write(
        "data/applications/org.example.Viewer.desktop",
        """
        [Desktop Entry]
        Type=Application
        Name=Viewer
        Exec=\(exec.replacingOccurrences(of: "%ROOT%", with: sandbox.root))
        MimeType=x-scheme-handler/https;
        \(entry)
        """)
      try sandbox.addIntents()
      try sandbox.manifest(
        "page", exec: "[/bin/sleep, \"600\"]", settings: "app: org.example.Viewer")
      try sandbox.manifest("link", exec: "[/bin/sleep, \"600\"]")
      var environment = ["NOTIFY_SOCKET": sandbox.root + "/notify"]
      if let bus {
        environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(sandbox.root)/bus"
        try startBus(bus, sandbox)
      }
      let daemon = try sandbox.startDaemon(environment: environment)
      let client = try sandbox.connect()
      try client.call("widget.add", ["kind": "page", "id": "page"])
      try client.call("widget.add", ["kind": "link", "id": "link"])
      try body(sandbox, daemon, client)
      try sandbox.stop(daemon)
    }
  }

  private static let fakeBus = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "fake-bus.py").path

  /// Whether a launch over the bus can be tested here.
  private static let hasBus =
    Programs.isInstalled("python3") && dlopen("libsystemd.so.0", RTLD_LAZY) != nil

  private func startBus(_ mode: String, _ sandbox: Sandbox) throws {
    unlink(sandbox.root + "/bus")
    _ = try sandbox.start(
      "/usr/bin/env",
      [
        "python3", Self.fakeBus, sandbox.root + "/bus", sandbox.root + "/calls", mode,
      ])
    try eventually("the bus listens") { access(sandbox.root + "/bus", F_OK) == 0 }
  }

  /// The calls that the bus had, without those that every connection begins with.
  private func calls(_ sandbox: Sandbox) throws -> [JSONValue] {
    try contents(of: sandbox.root + "/calls").split(separator: "\n").map {
      try JSONValue(parsing: Array($0.utf8))
    }
  }

  private func show(
    _ url: String?, on widget: String = "page", items: [JSONValue] = [], _ client: WireClient
  ) throws {
    var entry: JSONObject = [
      "date": "2020-01-01T00:00:00Z", "content": ["title": "tap me", "items": .array(items)],
    ]
    if let url { entry["url"] = .string(url) }
    try client.call(
      "widget.push",
      ["id": .string(widget), "timeline": ["entries": [.object(entry)], "policy": "never"]])
  }

  private func arguments(_ sandbox: Sandbox) throws -> [String] {
    let path = sandbox.root + "/home/arguments"
    try eventually("the viewer has run") { access(path, F_OK) == 0 }
    defer { unlink(path) }
    return contents(of: path).split(separator: "\n").map(String.init)
  }

  @Test(
    arguments: [
      "https://example.org/a b c", "https://example.org/it's", #"https://example.org/"quoted""#,
      "https://example.org/$(touch pwned)", "https://example.org/`touch pwned`",
      "https://example.org/;touch pwned;", "https://example.org/?a=1&b=2|c>d<e",
      "https://example.org/%u%F%%",
      "https://example.org/${HOME}/*/~", "https://example.org/\\\"\\'",
      "https://example.org/北京?q=é#frag",
      "weather://city/New York", "https://example.org/--help",
    ])
  func `a URL is one argument whatever is in it and nothing is run by a shell`(url: String) throws {
    try oneArgument(url, bus: nil)
    if Self.hasBus { try oneArgument(url, bus: "manager") }
  }

  private func oneArgument(_ url: String, bus: String?) throws {
    try withViewer(bus: bus) { sandbox, _, client in
      try show(url, client)
      let result = try client.call("widget.tap", ["id": "page"])
      #expect(result["opened"] == "desktop")
      #expect(
        result["application"] == "org.example.Viewer.desktop"
          || result["application"] == "org.example.Viewer")
      let opened = try #require(result["url"]?.stringValue)
      #expect(try arguments(sandbox) == [opened])
      #expect(!opened.contains(" ") && !opened.contains("\"") && !opened.contains("`"))
      // The argument is the same URL, escaped.
      #expect(opened.removingPercentEncoding == url.removingPercentEncoding ?? url)
      for folder in ["home", "", "config/intentd/widgets", "state/intentd"] {
        #expect(access("\(sandbox.root)/\(folder)/pwned", F_OK) != 0)
      }
    }
  }

  @Test func `the Exec line keeps its other arguments as they are`() throws {
    try withViewer(exec: #"%ROOT%/bin/viewer --new "two words" "--url=%u" %c 100%%"#) {
      sandbox, _, client in
      try show("https://example.org/a b", client)
      try client.call("widget.tap", ["id": "page"])
      #expect(
        try arguments(sandbox) == [
          "--new", "two words", "--url=https://example.org/a%20b", "Viewer", "100%",
        ])
      let environment = contents(of: sandbox.root + "/home/environment")
      #expect(!environment.contains("NOTIFY_SOCKET") && !environment.contains("INTENTD_"))
      #expect(
        environment.contains("SECRET_TOKEN="),
        "the person's own environment reaches the person's app")
      #expect(contents(of: sandbox.root + "/home/folder") == sandbox.root + "/home\n")
    }
  }

  @Test func `an app without a URL is just opened`() throws {
    try withViewer { sandbox, _, client in
      try show(nil, client)
      let result = try client.call("widget.tap", ["id": "page"])
      #expect(result["url"] == nil)
      #expect(try arguments(sandbox) == [])
    }
  }

  @Test func `an item opens its own URL`() throws {
    try withViewer { sandbox, _, client in
      try show(
        "https://example.org/all",
        items: [["text": "first", "url": "https://example.org/1"], ["text": "second"]], client)
      try client.call("widget.tap", ["id": "page", "item": 0])
      #expect(try arguments(sandbox) == ["https://example.org/1"])
      try client.call("widget.tap", ["id": "page", "item": 1])
      #expect(try arguments(sandbox) == ["https://example.org/all"])
      #expect(try client.refusal("widget.tap", ["id": "page", "item": 2]).code == -32602)
    }
  }

  @Test func `a kind's own URL is filled with escaped parameters`() throws {
    try withViewer { sandbox, _, client in
      try sandbox.manifest(
        "town", exec: "[/bin/sleep, \"600\"]",
        settings: "intent: TakeNote\nurl: weather://city/{note}\napp: org.example.Viewer")
      try client.call("daemon.reloadConfiguration")
      try client.call(
        "widget.add", ["kind": "town", "id": "town", "parameters": ["note": "a/b?c=$(d) é"]])
      try client.call("widget.tap", ["id": "town"])
      #expect(try arguments(sandbox) == ["weather://city/a%2Fb%3Fc%3D%24%28d%29%20%C3%A9"])
    }
  }

  @Test(
    arguments: [
      "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "file:///etc/passwd",
      "shell:x",
      "vbscript:x", "view-source:https://example.org",
    ])
  func `a denied scheme is refused everywhere`(url: String) throws {
    try withViewer { sandbox, _, client in
      try show(url, client)
      try show(url, on: "link", client)
      #expect(try client.refusal("widget.tap", ["id": "page"]).code == -32014)
      #expect(try client.refusal("widget.tap", ["id": "link"]).code == -32014)
      #expect(try client.refusal("url.open", ["url": .string(url)]).code == -32014)
      // The URL is refused even for a connected app.
      let app = try sandbox.connect()
      try app.call("app.register", ["app": "org.example.Viewer"])
      #expect(try client.refusal("widget.tap", ["id": "page"]).code == -32014)
      try app.call("daemon.ping")
      #expect(app.notifications == [])
      #expect(access(sandbox.root + "/home/arguments", F_OK) != 0)
    }
  }

  @Test func `a connected host app gets the tap instead`() throws {
    try withViewer { sandbox, daemon, client in
      try show("https://example.org/x", client)
      let app = try sandbox.connect()
      #expect(try app.call("app.register", ["app": "org.example.Viewer"])["kinds"] == ["page"])
      let result = try client.call("widget.tap", ["id": "page"])
      #expect(result["opened"] == "app")
      let opening = try app.notification("app.open")
      #expect(opening["url"] == "https://example.org/x")
      #expect(opening["widget"] == "page")
      #expect(opening["kind"] == "page")
      #expect(opening["family"] == "systemSmall")
      #expect(access(sandbox.root + "/home/arguments", F_OK) != 0)
      // After the app disconnects, its desktop entry is started again.
      app.close()
      try eventually("the app is gone") { try client.call("daemon.status")["connections"] == 1 }
      #expect(try client.call("widget.tap", ["id": "page"])["opened"] == "desktop")
      #expect(try arguments(sandbox) == ["https://example.org/x"])
    }
  }

  @Test func `a link of a kind without an app goes to the app that the person chose`() throws {
    try withViewer { sandbox, _, client in
      try sandbox.write(
        "config/mimeapps.list",
        "[Default Applications]\nx-scheme-handler/https=org.example.Viewer.desktop\n")
      try show("https://example.org/y", on: "link", client)
      #expect(try client.call("widget.tap", ["id": "link"])["opened"] == "desktop")
      #expect(try arguments(sandbox) == ["https://example.org/y"])
      // The scheme belongs to an app, and the kind names none.
      try show("weather://city/x", on: "link", client)
      #expect(try client.refusal("widget.tap", ["id": "link"]).code == -32030)
      try show(nil, on: "link", client)
      #expect(try client.refusal("widget.tap", ["id": "link"]).code == -32030)
    }
  }

  @Test func `an app that cannot be started is reported`() throws {
    try withViewer(exec: "no-such-program %u") { sandbox, daemon, client in
      try show("https://example.org/", client)
      let refusal = try client.refusal("widget.tap", ["id": "page"])
      #expect(refusal.code == -32031)
      #expect(refusal.message.contains("no-such-program"), "\(refusal.message)")
      sandbox.remove("data/applications/org.example.Viewer.desktop")
      #expect(
        try client.refusal("widget.tap", ["id": "page"]).message.contains("org.example.Viewer"))
      #expect(
        try client.refusal("widget.tap", ["id": "pgae"]).message.contains("did you mean 'page'"))
    }
  }

  @Test func `an opened app outlives the daemon and none becomes a zombie`() throws {
    try withViewer(viewer: #"[ "$1" = "https://example.org/stay" ] && exec sleep 600"#) {
      sandbox, daemon, client in
      try show("https://example.org/go", client)
      for _ in 0..<5 {
        try client.call("widget.tap", ["id": "page"])
        _ = try arguments(sandbox)
      }
      // The two providers still sleep.
      try eventually("those that ended are collected") {
        Processes.children(of: daemon.pid).count == 2
      }
      try show("https://example.org/stay", client)
      let pid = try #require(try client.call("widget.tap", ["id": "page"])["pid"]?.intValue)
      _ = try arguments(sandbox)
      try sandbox.stop(daemon)
      #expect(Processes.isRunning(Int32(pid)))
    }
  }

  // MARK: - Over the bus

  @Test(.enabled(if: hasBus, "python3 or libsystemd is not installed"))
  func `with a user manager an app is a service with its environment of now`() throws {
    try withViewer(exec: #"%ROOT%/bin/viewer "two words" %u 100%%"#, bus: "manager") {
      sandbox, _, client in
      try show("https://example.org/?a=$HOME&b=${PATH}", client)
      let token = "compositor-1234_TIME5"
      let result = try client.call(
        "widget.tap", ["id": "page", "activationToken": .string(token)])
      let url = try #require(result["url"]?.stringValue)
      #expect(url.contains("$HOME"))
      #expect(try arguments(sandbox) == ["two words", url, "100%"])
      let environment = contents(of: sandbox.root + "/home/environment").split(separator: "\n")
      #expect(environment.contains("FROM_THE_MANAGER=yes"))
      #expect(environment.contains("XDG_ACTIVATION_TOKEN=\(token)"))
      #expect(environment.contains("DESKTOP_STARTUP_ID=\(token)"))
      #expect(!environment.contains { $0.hasPrefix("SECRET_TOKEN=") }, "the daemon's own is not it")
      let unit = try #require(result["unit"]?.stringValue)
      #expect(unit.hasPrefix("app-intentd-org.example.Viewer-") && unit.hasSuffix(".service"))
      let call = try #require(try calls(sandbox).first { $0["member"] == "StartTransientUnit" })
      let values = try #require(call["values"]?.arrayValue)
      #expect(values[0] == .string(unit))
      let properties = values[2].arrayValue ?? []
      for (name, value) in [("Slice", "app.slice"), ("Type", "exec"), ("ExitType", "cgroup")] {
        #expect(properties.contains(.array([.string(name), .string(value)])), "\(name)")
      }
      // A token is good for one launch.
      try client.call("widget.tap", ["id": "page"])
      _ = try arguments(sandbox)
      #expect(!contents(of: sandbox.root + "/home/environment").contains(token))
      #expect(!(try client.call("daemon.history", [:]).serialized.contains(token)))
    }
  }

  @Test(.enabled(if: hasBus, "python3 or libsystemd is not installed"))
  func `a program that the user manager cannot start is reported with its unit`() throws {
    try withViewer(bus: "failing") { sandbox, _, client in
      try show("https://example.org/", client)
      let refusal = try client.refusal("widget.tap", ["id": "page"])
      #expect(refusal.code == -32031)
      #expect(refusal.message.contains("journalctl --user -u 'app-intentd-org.example.Viewer-"))
      #expect(access(sandbox.root + "/home/arguments", F_OK) != 0)
    }
  }

  @Test(.enabled(if: hasBus, "python3 or libsystemd is not installed"))
  func `without a user manager, or without a bus, an app is a child`() throws {
    for bus in ["nobody", "none"] {
      try withViewer(bus: bus == "none" ? nil : bus) { sandbox, daemon, client in
        try show("https://example.org/", client)
        for _ in 0..<3 {
          #expect(try client.call("widget.tap", ["id": "page"])["unit"] == nil)
          #expect(try arguments(sandbox) == ["https://example.org/"])
        }
        let said = daemon.errors.split(separator: "\n").filter { $0.contains("launch.direct") }
        #expect(said.count == 1, "\(daemon.errors)")
      }
    }
  }

  @Test(.enabled(if: hasBus, "python3 or libsystemd is not installed"))
  func `a bus that dies costs one launch, and the next finds the next bus`() throws {
    try withViewer(bus: "dying") { sandbox, daemon, client in
      try show("https://example.org/", client)
      let refusal = try client.refusal("widget.tap", ["id": "page"])
      #expect(refusal.code == -32031)
      #expect(refusal.message.contains("may"), "\(refusal.message)")
      // Nobody listens where the bus was: a child, and one line in the log.
      #expect(try client.call("widget.tap", ["id": "page"])["unit"] == nil)
      #expect(try client.call("widget.tap", ["id": "page"])["unit"] == nil)
      _ = try arguments(sandbox)
      let said = daemon.errors.split(separator: "\n").filter { $0.contains("launch.direct") }
      #expect(said.count == 1, "\(daemon.errors)")
      try startBus("manager", sandbox)
      #expect(try client.call("widget.tap", ["id": "page"])["unit"] != nil)
    }
  }

  @Test(.enabled(if: hasBus, "python3 or libsystemd is not installed"))
  func `an app that is on the bus is opened there, else by its Exec`() throws {
    for bus in ["applications", "manager"] {
      try withViewer(bus: bus, entry: "DBusActivatable=true") { sandbox, _, client in
        try show("https://example.org/$HOME", client)
        let result = try client.call(
          "widget.tap", ["id": "page", "activationToken": "token"])
        let open = try #require(try calls(sandbox).first { $0["member"] == "Open" })
        #expect(open["to"] == "org.example.Viewer")
        #expect(open["values"]?.arrayValue?.first == ["https://example.org/$HOME"])
        #expect(open.serialized.contains(#"["activation-token","token"]"#))
        if bus == "applications" {
          #expect(result["unit"] == nil && result["pid"] == nil && result["opened"] == "desktop")
          #expect(access(sandbox.root + "/home/arguments", F_OK) != 0)
        } else {
          #expect(result["unit"] != nil)
          #expect(try arguments(sandbox) == ["https://example.org/$HOME"])
        }
      }
    }
  }

  @Test func `a token that is none is refused`() throws {
    try withViewer { sandbox, _, client in
      for token in ["", "two words", "a\u{1B}b", String(repeating: "x", count: 513)] {
        let refusal = try client.refusal(
          "widget.tap", ["id": "page", "activationToken": .string(token)])
        #expect(refusal.code == -32602)
      }
    }
  }
}
