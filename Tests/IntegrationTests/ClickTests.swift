import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Clicks on plugins, by a real daemon and real scripts.
struct ClickTests {
  private func content(_ id: String, _ client: WireClient) throws -> JSONValue? {
    let widgets = try client.call("widget.list")["widgets"]?.arrayValue ?? []
    return widgets.first { $0["id"]?.stringValue == id }?["entry"]?["content"]
  }

  private func title(_ id: String, _ client: WireClient) throws -> String? {
    try content(id, client)?["title"]?.stringValue
  }

  @Test func `a click reaches a block's script with its variables`() throws {
    try withSandbox { sandbox in
      try sandbox.widget(
        "block",
        script: #"echo "[$BLOCK_BUTTON] $BLOCK_X,$BLOCK_Y $relative_x $modifiers""#,
        provider: "protocol: i3blocks\nevery: once")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      try client.call("widget.add", ["kind": "block", "id": "block"])
      try eventually("it shows something") { try title("block", client) != nil }
      #expect(try title("block", client)?.hasPrefix("[] ,") == true)
      let tapped = try client.call(
        "widget.tap",
        [
          "id": "block", "button": 3, "modifiers": ["shift"],
          "position": ["x": 10, "y": 20, "relativeX": 3],
        ])
      #expect(tapped["opened"] == "nothing")
      try eventually("the click arrived") {
        try title("block", client) == "[3] 10,20 3 Shift"
      }
      try sandbox.stop(daemon)
    }
  }

  private static let menu = """
    printf '%s\\n---\\n' "$(wc -l < "$HOME/count" 2>/dev/null || echo none)"
    printf '%s\\n' 'Act | bash=./act param1="a b" param2=$HOME terminal=false refresh=true'
    printf '%s\\n' 'Show | bash=./act param1=shown terminal=true'
    printf '%s\\n' 'Gone | bash=./gone terminal=false'
    """

  private func withMenu(
    settings: String = "", environment: [String: String] = [:],
    _ body: (Sandbox, WireClient) throws -> Void
  ) throws {
    try withSandbox { sandbox in
      try sandbox.write(
        "config/intentd/widgets/act",
        """
        #!/bin/sh
        env > "$HOME/environment.new"
        mv "$HOME/environment.new" "$HOME/environment"
        printf '%s\\n' "$PWD" "$@" > "$HOME/arguments.new"
        mv "$HOME/arguments.new" "$HOME/arguments"
        echo x >> "$HOME/count"

        """, mode: 0o755)
      try sandbox.widget(
        "menu", script: Self.menu, settings: settings, provider: "protocol: xbar\nevery: once")
      let daemon = try sandbox.startDaemon(environment: environment)
      let client = try sandbox.connect()
      try client.call("widget.add", ["kind": "menu", "id": "menu"])
      try eventually("it shows something") { try title("menu", client) != nil }
      try body(sandbox, client)
      try sandbox.stop(daemon)
    }
  }

  private func lines(_ file: String, _ sandbox: Sandbox) throws -> [String] {
    let path = sandbox.root + "/home/" + file
    try eventually("\(file) is there") { access(path, F_OK) == 0 }
    return contents(of: path).split(separator: "\n").map(String.init)
  }

  @Test func `a program has the plugin's folder and variables, and the plugin runs after it`()
    throws
  {
    try withMenu(settings: "env: {COLOR: red}", environment: ["SECRET_TOKEN": "no"]) {
      sandbox, client in
      let tapped = try client.call(
        "widget.tap", ["id": "menu", "item": [0], "activationToken": "focus-me"])
      #expect(tapped["opened"] == "program")
      #expect(tapped["program"] == "./act")
      #expect((tapped["pid"]?.intValue ?? 0) > 1)
      // One argument each, and no shell that expands anything.
      #expect(try lines("arguments", sandbox) == [sandbox.widgets, "a b", "$HOME"])
      let variables = try lines("environment", sandbox)
      for expected in ["COLOR=red", "INTENTD_KIND=menu", "XDG_ACTIVATION_TOKEN=focus-me"] {
        #expect(variables.contains(expected), "\(expected)")
      }
      #expect(!variables.contains { $0.hasPrefix("SECRET_TOKEN=") })
      try eventually("the plugin ran after the program") { try title("menu", client) == "1" }
    }
  }

  @Test func `a terminal is found, or named`() throws {
    try withMenu { sandbox, client in
      try sandbox.write(
        "tools/xdg-terminal-exec",
        """
        #!/bin/sh
        printf '%s\\n' "$@" > "$HOME/terminal.new"
        mv "$HOME/terminal.new" "$HOME/terminal"

        """, mode: 0o755)
      let refusal = try client.refusal("widget.tap", ["id": "menu", "item": 2])
      #expect(refusal.code == -32031)
      #expect(refusal.message.contains("gone"), "\(refusal.message)")
    }
    try withSandbox { sandbox in
      try sandbox.write(
        "tools/xdg-terminal-exec",
        """
        #!/bin/sh
        printf '%s\\n' "$@" > "$HOME/terminal.new"
        mv "$HOME/terminal.new" "$HOME/terminal"

        """, mode: 0o755)
      try sandbox.widget(
        "menu", script: Self.menu, provider: "protocol: xbar\nevery: once")
      let path = sandbox.root + "/tools:" + Sandbox.searchPath
      let daemon = try sandbox.startDaemon(environment: ["PATH": path])
      let client = try sandbox.connect()
      try client.call("widget.add", ["kind": "menu", "id": "menu"])
      try eventually("it shows something") { try title("menu", client) != nil }
      let tapped = try client.call("widget.tap", ["id": "menu", "item": 1])
      #expect(tapped["program"] == "./act")
      #expect(try lines("terminal", sandbox) == [sandbox.widgets + "/act", "shown"])
      try sandbox.stop(daemon)
    }
  }

  @Test func `intent-send taps an item by its path, with the revision that was seen`() throws {
    try withMenu { sandbox, client in
      let widgets = try client.call("widget.list")["widgets"]?.arrayValue ?? []
      let revision = try #require(widgets.first?["revision"]?.intValue)
      let old = try sandbox.send(
        "tap", "menu", "--item", "0", "--revision", "\(revision - 1)")
      #expect(old.ending == .exited(1))
      #expect(old.errors.contains("shows something else by now"), "\(old.errors)")
      #expect(access(sandbox.root + "/home/arguments", F_OK) != 0)
      let tapped = try sandbox.send(
        "tap", "menu", "--item", "0", "--button", "1", "--revision", "\(revision)")
      #expect(tapped.ending == .exited(0), "\(tapped.errors)")
      #expect(tapped.output == "ran ./act\n")
      _ = try lines("arguments", sandbox)
      let wrong = try sandbox.send("tap", "menu", "--item", "a,0")
      #expect(wrong.ending == .exited(64))
    }
  }
}
