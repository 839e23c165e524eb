import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Attacks by way of clicks on plugins.
@Suite(.serialized) struct ClickTests {
  private static let evil = """
    #!/bin/sh
    echo x >> "$HOME/evil"
    sleep 600

    """

  private func count(_ file: String, _ sandbox: Sandbox) -> Int {
    contents(of: sandbox.root + "/home/" + file).split(separator: "\n").count
  }

  private func timeline(_ content: JSONValue) -> JSONValue {
    [
      "entries": [["date": "2020-01-01T00:00:00Z", "content": content]], "policy": "never",
      "printed": true,
    ]
  }

  @Test func `a push runs nothing, whatever it says`() throws {
    try withSandbox { sandbox in
      try sandbox.write("config/intentd/widgets/evil", Self.evil, mode: 0o755)
      try sandbox.write(
        "config/intentd/widgets/good", "#!/bin/sh\necho x >> \"$HOME/good\"\n", mode: 0o755)
      try sandbox.widget(
        "menu", script: "printf 'menu | bash=./good terminal=false\\n'",
        provider: "protocol: xbar\nevery: never")
      try sandbox.widget("plain", script: Sandbox.answer(title: "plain"))
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      let action: JSONValue = ["exec": ["./evil"]]
      var opened: [String: Int] = [:]
      for id in ["menu", "plain"] {
        try client.call("widget.add", ["kind": .string(id), "id": .string(id)])
        for content: JSONValue in [
          ["title": "a", "action": action], ["title": "a", "clicks": ["1": action]],
          ["title": "a", "items": [["text": "b", "action": action]]],
          ["title": "a", "items": [["text": "b", "items": [["text": "c", "action": action]]]]],
          ["title": "a", "printed": true, "action": action],
        ] {
          // Whether such content is refused or shown: nothing of it is run.
          _ = try? client.call(
            "widget.push", ["id": .string(id), "timeline": timeline(content)])
          let tapped = try? client.call("widget.tap", ["id": .string(id)])
          if tapped?["opened"] == "program" { opened[id, default: 0] += 1 }
          _ = try? client.call("widget.tap", ["id": .string(id), "item": 0])
          _ = try? client.call("widget.tap", ["id": .string(id), "item": [0, 0]])
        }
      }
      // A tap after all of these runs the program that the menu really has; others would have
      // started before it.
      try client.call("widget.reload", ["id": "menu", "wait": true])
      #expect(try client.call("widget.tap", ["id": "menu"])["opened"] == "program")
      try eventually("the menu's own program ran") {
        count("good", sandbox) == opened["menu", default: 0] + 1
      }
      #expect(opened["plain"] == nil)
      #expect(count("evil", sandbox) == 0)
      try sandbox.stop(daemon)
    }
  }

  @Test func `a flood of taps starts a bounded number of programs`() throws {
    try withSandbox { sandbox in
      try sandbox.write("config/intentd/widgets/evil", Self.evil, mode: 0o755)
      try sandbox.widget(
        "menu", script: "echo menu",
        provider: "protocol: xbar\nevery: never\nclicks: {scrollUp: [./evil]}")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      try client.call("widget.add", ["kind": "menu", "id": "menu"])
      var refused = 0
      for _ in 0..<100 {
        do {
          try client.call("widget.tap", ["id": "menu", "button": 4])
        } catch {
          refused += 1
        }
      }
      #expect(refused == 68)
      try eventually("those that were taken run") { count("evil", sandbox) == 32 }
      // Others have their turn.
      try client.call("daemon.ping")
      try sandbox.stop(daemon)
    }
  }

  @Test func `the program of a click is in the box of its plugin`() throws {
    guard BoxRig.isPossible else { return }
    try withSandbox { sandbox in
      try sandbox.write("home/.ssh/id", "secret")
      try sandbox.write(
        "config/intentd/widgets/menu/act",
        """
        #!/bin/sh
        cat "$THEIRS/.ssh/id" > "$INTENTD_CACHE/stolen" 2>&1
        echo evil > "$THEIRS/planted" 2> /dev/null
        echo done > "$INTENTD_CACHE/done"

        """, mode: 0o755)
      try sandbox.write(
        "config/intentd/widgets/menu/menu.run",
        """
        #!/bin/sh
        printf 'menu | bash=./act terminal=false\\n---\\nshow | bash=./act terminal=true\\n'

        """, mode: 0o755)
      try sandbox.write(
        "config/intentd/widgets/menu/menu.yaml",
        """
        kind: menu
        name: Menu
        families: [systemSmall]
        provider: {exec: [./menu.run], protocol: xbar, every: never}
        sandbox: strict
        env: {THEIRS: \(sandbox.root)/home}

        """)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("menu") == "done")
      #expect(try client.call("widget.tap", ["id": "menu"])["opened"] == "program")
      let cache = sandbox.root + "/cache/intentd/menu"
      try eventually("the program ran") { access(cache + "/done", F_OK) == 0 }
      #expect(!contents(of: cache + "/stolen").contains("secret"))
      #expect(access(sandbox.root + "/home/planted", F_OK) != 0)
      let refusal = try client.refusal("widget.tap", ["id": "menu", "item": 0])
      #expect(refusal.code == -32031)
      try sandbox.stop(daemon)
    }
  }
}
