import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// The same blocks in the real i3blocks and, imported, in a real daemon.
///
/// i3blocks prints what i3bar would show; the entry of the widget has to be equal to it. Its version
/// 1.4, that of Debian 12, knows no `format=json` and no fourth line: blocks of 1.5 are compared
/// where there is an i3blocks of 1.5.
struct RealBlocksTests {
  private struct Block {
    var name: String
    /// The script, or the value of `command` where it is one.
    var script = ""
    var command: String?
    var instance = ""
    var properties = "interval=once"
    /// Whether it needs i3blocks 1.5.
    var isNew = false

    var key: String { "\(name)|\(instance)" }
  }

  private static let blocks = [
    Block(name: "plain", script: "echo 'plain text'"),
    Block(name: "colours", script: #"printf 'full text\nshort\n#FF8000\n'"#),
    Block(name: "no short", script: #"printf 'full\n\n#00ff00\n'"#),
    Block(name: "urgent", script: "echo hot; exit 33"),
    Block(name: "empty", script: "exit 0"),
    Block(name: "never", script: "echo bad; exit 1"),
    Block(
      name: "falls",
      script: #"""
        echo run >> "$HOME/falls"
        [ "$(wc -l < "$HOME/falls")" -gt 1 ] && { echo bad; echo no network >&2; exit 1; }
        echo good
        """#, properties: "interval=1"),
    Block(
      name: "markup",
      script: ##"echo '<span foreground="#ff0000">hot</span> &amp; <b>loud</b>'"##,
      properties: "interval=once\nmarkup=pango"),
    Block(name: "signs", script: "echo 'R&D a<b 100%'"),
    Block(name: "more signs", script: "echo 'a <b and c> d; <i'"),
    Block(name: "letters", script: "echo 'żółć ☀ 12° 日本'"),
    Block(name: "label", script: "echo 12%", properties: "interval=once\nlabel=CPU"),
    Block(
      name: "colour of its own", script: "echo blue", properties: "interval=once\ncolor=#0000FF"),
    Block(name: "half", script: "printf 'no line end'"),
    Block(
      name: "disk usage", script: #"echo "$BLOCK_NAME:$BLOCK_INSTANCE:$BLOCK_BUTTON:$BLOCK_X""#,
      instance: "/home"),
    Block(
      name: "disk usage", script: #"echo "$BLOCK_NAME:$BLOCK_INSTANCE""#, instance: "/var/log"),
    Block(name: "shell", command: #"echo "$((6 * 7))" | tr 4 5; true"#),
    Block(name: "words", command: "printf %s-%s 'a b' c"),
    Block(
      name: "click",
      script: #"""
        env | grep '^BLOCK_' | sort > "$HOME/dump.new.$$"
        mv "$HOME/dump.new.$$" "$HOME/dump.$BLOCK_BUTTON"
        echo "button $BLOCK_BUTTON at $BLOCK_X,$BLOCK_Y"
        """#, instance: "x1"),
    Block(
      name: "stays", script: #"echo start; while read -r line; do echo "got $line"; done"#,
      properties: "interval=persist", isNew: true),
    Block(
      name: "stays json",
      script: #"""
        echo '{"full_text":"start","_level":[7]}'
        while read -r line; do
          printf '{"full_text":"%s"}\n' "$(printf %s "$line" | tr '"' "'")"
        done
        """#, instance: "i", properties: "interval=persist\nformat=json\nstep=5", isNew: true),
    Block(
      name: "object", script: ##"echo '{"full_text":"json","color":"#0000FF","_n":1}'"##,
      properties: "interval=once\nformat=json", isNew: true),
    Block(
      name: "state", script: #"printf '{"full_text":"%s","_n":%s}\n' "$_n" "$((_n + 1))""#,
      properties: "interval=once\nformat=json\n_n=4", isNew: true),
    Block(
      name: "background", script: #"printf 'a\nb\n#ff0000\n#00ff00\n'"#, isNew: true),
  ]

  /// The part of a block that a bar shows.
  private struct Shown: Equatable, CustomStringConvertible {
    var text: String
    var short: String?
    var color: String?
    var background: String?
    var isUrgent = false

    var description: String {
      "'\(text)' short \(short ?? "-") \(color ?? "-")/\(background ?? "-")"
        + (isUrgent ? " urgent" : "")
    }
  }

  private func write(_ blocks: [Block], to sandbox: Sandbox) throws -> String {
    var text = "separator_block_width=15\n"
    for (number, block) in blocks.enumerated() {
      if block.command == nil {
        try sandbox.write("home/blocks/b\(number)", "#!/bin/sh\n\(block.script)\n", mode: 0o755)
      }
      text += "\n[\(block.name)]\ncommand=\(block.command ?? "~/blocks/b\(number)")\n"
      if !block.instance.isEmpty { text += "instance=\(block.instance)\n" }
      text += "\(block.properties)\n"
    }
    try sandbox.write("home/i3blocks.conf", text)
    return "\(sandbox.root)/home/i3blocks.conf"
  }

  // MARK: The real one

  /// The blocks of the last line that i3blocks printed, by their names and instances.
  private func printed(_ program: Program) throws -> [String: Shown] {
    guard let line = program.output.split(separator: "\n").last(where: { $0.hasSuffix("]") }),
      let start = line.firstIndex(of: "[")
    else { return [:] }
    let text = line[start...].hasPrefix("[[") ? line[start...].dropFirst() : line[start...]
    var shown: [String: Shown] = [:]
    for block in try JSONValue(parsing: String(text)).arrayValue ?? [] {
      func word(_ key: String) -> String? {
        block[key]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
      }
      // i3bar shows no block without a text; the properties of all blocks are one to 1.4.
      guard let full = word("full_text") else { continue }
      let isMarkup = word("markup") == "pango"
      func plain(_ text: String) -> String { isMarkup ? Self.withoutMarkup(text) : text }
      var one = Shown(text: plain(full))
      one.short = word("short_text").map(plain)
      one.color = word("color")?.lowercased()
      one.background = word("background")?.lowercased()
      one.isUrgent = block["urgent"]?.boolValue ?? ["true", "1"].contains(word("urgent") ?? "")
      shown["\(word("name") ?? "")|\(word("instance") ?? "")"] = one
    }
    return shown
  }

  private static func withoutMarkup(_ text: String) -> String {
    text.replacing(#/<[^>]*>/#, with: "").replacing("&lt;", with: "<").replacing("&amp;", with: "&")
  }

  // MARK: Ours

  private static func plain(_ line: JSONValue?) -> String? {
    line?.stringValue
      ?? line?["runs"]?.arrayValue?.compactMap { $0["text"]?.stringValue }.joined()
  }

  private func shown(_ widget: JSONValue) -> Shown? {
    guard let content = widget["entry"]?["content"], let text = Self.plain(content["title"]) else {
      return nil
    }
    return Shown(
      text: text, short: Self.plain(content["short"]),
      color: content["color"]?.stringValue, background: content["background"]?.stringValue,
      isUrgent: content["urgent"]?.boolValue ?? false)
  }

  /// Imports the settings; returns the kinds by the names and instances of the blocks.
  private func imported(
    _ path: String, _ blocks: [Block], _ sandbox: Sandbox
  ) throws -> [String: String] {
    let outcome = try sandbox.send("import", path, "--json")
    #expect(outcome.status == 0, "\(outcome)")
    let modules = try JSONValue(parsing: outcome.output)["modules"]?.arrayValue ?? []
    try #require(modules.count == blocks.count, "\(outcome.output)")
    var kinds: [String: String] = [:]
    for (block, module) in zip(blocks, modules) {
      #expect(module["name"]?.stringValue == block.name)
      kinds[block.key] = try #require(module["kind"]?.stringValue, "\(module)")
    }
    return kinds
  }

  private func dump(_ button: String, _ sandbox: Sandbox) throws -> [String] {
    let path = "\(sandbox.root)/home/dump.\(button)"
    try eventually("a run with the button '\(button)' wrote its variables") {
      access(path, F_OK) == 0
    }
    return contents(of: path).split(separator: "\n").map(String.init)
  }

  @Test func `blocks show what the real i3blocks shows, and a click brings the same variables`()
    throws
  {
    guard Programs.isInstalled("i3blocks") else {
      print("i3blocks is not installed, so nothing is compared with it; scripts/setup.sh tests")
      return
    }
    try withSandbox { sandbox in
      let version = try sandbox.shell("i3blocks -V 2>&1").output
      let isOld = version.contains(" 1.4") || version.contains(" 1.3")
      let blocks = Self.blocks.filter { !(isOld && $0.isNew) }
      let path = try write(blocks, to: sandbox)

      // The real one, whose standard input stays open.
      try #require(mkfifo("\(sandbox.root)/clicks", 0o600) == 0)
      let real = try sandbox.start(
        "/bin/sh", ["-c", "cd && exec i3blocks -c '\(path)' 0<>'\(sandbox.root)/clicks'"])
      let hidden = ["empty|", "never|"]
      let visible = Set(blocks.map(\.key)).subtracting(hidden)
      try eventually("i3blocks shows all blocks; it says: \(real.output)\(real.errors)") {
        Set(try printed(real).keys) == visible
          && contents(of: sandbox.root + "/home/falls").split(separator: "\n").count > 2
      }
      let expected = try printed(real)
      let unclicked = try dump("", sandbox)
      let click = #"[{"name":"click","instance":"x1","button":3,"x":10,"y":20}"#
      #expect(try sandbox.shell("printf '%s\\n' '\(click)' > \(sandbox.root)/clicks").status == 0)
      let clicked = try dump("3", sandbox)
      try eventually("i3blocks shows the click") {
        try printed(real)["click|x1"]?.text == "button 3 at 10,20"
      }
      real.killGroup()
      #expect(try sandbox.shell("cd '\(sandbox.root)/home' && rm falls dump.*").status == 0)

      // Ours.
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      let kinds = try imported(path, blocks, sandbox)
      // A block that stays running does so while a surface shows it.
      let surface = try sandbox.connect()
      try surface.call("surface.attach")
      let widgets = try client.call("widget.list")["widgets"]?.arrayValue ?? []
      for block in blocks {
        let kind = try #require(kinds[block.key])
        let id = try #require(widgets.first { $0["kind"]?.stringValue == kind }?["id"]?.stringValue)
        if block.name == "stays" {
          try eventually("its first line is shown") { shown(try client.widget(id)) != nil }
        } else {
          // Also the one that fails, whose first run is over by then.
          _ = try client.reload(id)
        }
        let widget = try client.widget(id)
        #expect(shown(widget) == expected[block.key], "\(block.name) \(block.instance)")
        let isStale = ["falls", "never"].contains(block.name)
        #expect(widget["stale"]?.boolValue == isStale, "\(block.name): \(widget)")
      }
      #expect(try dump("", sandbox) == unclicked)
      let kind = try #require(kinds["click|x1"])
      let id = try #require(widgets.first { $0["kind"]?.stringValue == kind }?["id"]?.stringValue)
      try client.call(
        "widget.tap", ["id": .string(id), "button": 3, "position": ["x": 10, "y": 20]])
      #expect(try dump("3", sandbox) == clicked)
      try eventually("the click is shown") {
        shown(try client.widget(id))?.text == "button 3 at 10,20"
      }
      try sandbox.stop(daemon)
    }
  }

  @Test func `what only i3blocks 1.5 knows is shown as it says`() throws {
    try withSandbox { sandbox in
      let blocks = Self.blocks.filter(\.isNew)
      let path = try write(blocks, to: sandbox)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      let kinds = try imported(path, blocks, sandbox)
      #expect(
        Set(kinds.values) == ["object", "state", "background", "stays", "stays-json"])
      func shown(_ kind: String, after runs: Int = 1) throws -> Shown? {
        let widgets = try client.call("widget.list")["widgets"]?.arrayValue ?? []
        let widget = try #require(widgets.first { $0["kind"]?.stringValue == kind })
        let id = try #require(widget["id"]?.stringValue)
        for _ in 0..<runs { #expect(try client.reload(id)["state"] == "done") }
        return self.shown(try client.widget(id))
      }
      #expect(try shown("object") == Shown(text: "json", color: "#0000ff"))
      #expect(
        try shown("background")
          == Shown(text: "a", short: "b", color: "#ff0000", background: "#00ff00"))
      // The first run of all got the value of the settings, each later one that of the run before.
      let first = Int(try shown("state")?.text ?? "") ?? 0
      #expect(first >= 4)
      #expect(try shown("state", after: 2)?.text == "\(first + 2)")

      // A click on a block that stays running is a line that it reads. 1.4 gives it no input.
      let surface = try sandbox.connect()
      try surface.call("surface.attach")
      try eventually("its first line is shown") { try shown("stays", after: 0)?.text == "start" }
      let widgets = try client.call("widget.list")["widgets"]?.arrayValue ?? []
      let stays = try #require(widgets.first { $0["kind"] == "stays" }?["id"])
      try client.call("widget.tap", ["id": stays, "button": 2])
      try eventually("the click was read") { try shown("stays", after: 0)?.text == "got 2" }
      // One of JSON reads the whole block: its settings, what it printed, and the click.
      try eventually("its first object is shown") {
        try shown("stays-json", after: 0)?.text == "start"
      }
      let object = try #require(widgets.first { $0["kind"] == "stays-json" }?["id"])
      try client.call("widget.tap", ["id": object, "button": 2, "position": ["x": 10]])
      try eventually("the click was read") {
        try shown("stays-json", after: 0)?.text != "start"
      }
      let read = try #require(try shown("stays-json", after: 0)?.text.replacing("'", with: "\""))
      let block = try JSONValue(parsing: read)
      #expect(
        block == [
          "format": "json", "instance": "i", "interval": "persist", "separator_block_width": 15,
          "step": 5, "full_text": "start", "_level": [7], "name": "stays json", "button": 2,
          "modifiers": [], "x": 10,
        ], "\(read)")
      try sandbox.stop(daemon)
    }
  }
}
