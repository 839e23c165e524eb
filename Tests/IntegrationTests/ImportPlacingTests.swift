import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Our entries show the same as the bar: settings are imported with a daemon that runs, and
/// the content is compared.
struct ImportPlacingTests {
  private struct Case: CustomTestStringConvertible {
    var file: String
    var settings: String
    /// Scripts of the home folder, by path.
    var scripts: [String: String] = [:]
    var lines: [String]
    /// The content of each kind; `nil`: it has no widget.
    var contents: [String: JSONValue?]

    var testDescription: String { file }
  }

  private static let cases = [
    Case(
      file: "home/.config/waybar/config",
      settings: """
        {"modules-left": ["custom/cpu", "custom/mail", "custom/gone"],
          "custom/cpu": {
            "exec": "~/cpu.sh", "interval": 600, "return-type": "json",
            "format": "<b>{icon}</b> {}", "format-icons": ["low", "high"],
            "tooltip-format": "{alt}: {percentage} %"
          },
          "custom/mail": {"exec": "echo 'a <b> & c'", "interval": "once", "escape": true},
          "custom/aside": {"exec": "echo x", "interval": 5}}
        """,
      scripts: [
        "home/cpu.sh": #"echo '{"text":"60%","alt":"busy","percentage":60,"class":"warn"}'"#
      ],
      lines: [
        "custom/cpu    cpu        every 10m", "custom/mail   mail       once",
        "custom/aside  aside      every 5s; in no bar, so not placed",
        "custom/gone   not taken  line 1: the file does not define it",
        "wrote 3 manifests to widgets/imported, placed cpu and mail (--no-add: only the manifests)",
      ],
      contents: [
        "cpu": [
          "title": ["runs": [["text": "high", "bold": true], ["text": " 60%"]]],
          "tooltip": "busy: 60 %", "class": ["warn", "busy"], "percentage": 60.0,
        ],
        "mail": ["title": "a <b> & c"], "aside": Optional<JSONValue>.none,
      ]),
    Case(
      file: "i3/config",
      settings: """
        color=#00ff00
        [load]
        command=echo 0.5
        label=LOAD
        interval=5
        align=center
        [mail]
        command=printf '3 new\\n3\\n#FF0000\\n'
        interval=once
        """,
      lines: [
        "load  load  every 5s; without align", "mail  mail  once",
        "wrote 2 manifests to widgets/imported, placed load and mail (--no-add: only the manifests)",
      ],
      contents: [
        "load": ["title": "LOAD 0.5", "color": "#00ff00"],
        "mail": ["title": "3 new", "color": "#ff0000", "short": "3"],
      ]),
    Case(
      file: "polybar/config.ini",
      settings: """
        [bar/main]
        modules-left = disk
        [colors]
        accent = #8800ff
        [module/disk]
        type = custom/script
        exec = echo "%{F#f00}80%{F-} GB"
        interval = 60
        format-prefix = "DISK "
        format-prefix-foreground = ${colors.accent}
        format-background = #80000000
        label-padding = 1
        """,
      lines: [
        "disk  disk  every 1m; without label-padding",
        "wrote 1 manifest to widgets/imported, placed disk (--no-add: only the manifests)",
      ],
      contents: [
        "disk": [
          "title": [
            "runs": [
              ["text": "DISK ", "color": "#8800ff"], ["text": "80", "color": "#ff0000"],
              ["text": " GB"],
            ]
          ],
          "background": "#00000080",
        ]
      ]),
    Case(
      file: "xbar/cpu.5m.sh", settings: "#!/bin/sh\necho 'CPU 5% | color=red'\n",
      scripts: [
        "xbar/tea.1h.swiftbar/plugin.sh":
          #"echo "$SWIFTBAR_PLUGIN_PACKAGE_PATH" | sed 's|.*/||'; pwd | sed 's|.*/||'"#
      ],
      lines: [
        "cpu.5m.sh        cpu  every 5m", "tea.1h.swiftbar  tea  every 1h",
        "wrote 2 manifests to widgets/imported, placed cpu and tea (--no-add: only the manifests)",
      ],
      contents: [
        "cpu": ["title": "CPU 5%", "color": "#ff0000"],
        "tea": [
          "title": "tea.1h.swiftbar", "titles": ["tea.1h.swiftbar", "tea.1h.swiftbar"],
          "items": [["text": "tea.1h.swiftbar"], ["text": "tea.1h.swiftbar"]],
        ],
      ]),
  ]

  @Test(arguments: cases)
  private func `a bar's modules are placed, and show what the bar shows`(_ one: Case) throws {
    try withSandbox { sandbox in
      let isScript = one.settings.hasPrefix("#!")
      try sandbox.write(one.file, one.settings, mode: isScript ? 0o755 : 0o644)
      for (path, body) in one.scripts {
        try sandbox.write(path, "#!/bin/sh\n\(body)\n", mode: 0o755)
      }
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      let folder = one.file.prefix(upTo: one.file.lastIndex(of: "/") ?? one.file.startIndex)
      let path = "\(sandbox.root)/\(folder)"
      let first = try sandbox.send("import", path)
      #expect(first.lines == one.lines, "\(first.errors)")
      for (kind, content) in one.contents {
        guard let content else {
          let widgets = try client.call("widget.list")["widgets"]?.arrayValue ?? []
          #expect(!widgets.contains { $0["kind"] == .string(kind) })
          continue
        }
        try eventually("\(kind) shows something") {
          try client.widget(kind)["entry"]?["content"]?["title"] != nil
        }
        #expect(try client.widget(kind)["entry"]?["content"] == content, "\(kind)")
      }
      // Twice is as good as once.
      let placed = try client.call("widget.list")["widgets"]?.arrayValue?.count
      let second = try sandbox.send("import", path)
      #expect(second.lines.last?.hasPrefix("wrote no manifest") == true, "\(second.lines)")
      #expect(try client.call("widget.list")["widgets"]?.arrayValue?.count == placed)
      try sandbox.stop(daemon)
    }
  }

  private static let block = "[load]\ncommand=echo 0.5\ninterval=5\n"

  @Test func `an import with a patch says what it wrote and placed`() throws {
    try withSandbox { sandbox in
      try sandbox.write("config/i3blocks/config", Self.block)
      try sandbox.write("config/i3/config", "bar {\n  status_command i3blocks\n}\n")
      let daemon = try sandbox.startDaemon()
      let path = "\(sandbox.root)/config/i3blocks/config"
      let first = try sandbox.send("import", path, "--patch")
      #expect(first.status == 0)
      #expect(
        first.errors.contains(
          "wrote 1 manifest to widgets/imported, placed load (--no-add: only the manifests)\n"),
        "\(first.errors)")
      #expect(first.output.contains("+  status_command intent-send bar i3bar load"))
      let second = try sandbox.send("import", path, "--patch")
      #expect(
        second.errors.contains("wrote no manifest, 1 stays as it is, load is placed already\n"),
        "\(second.errors)")
      #expect(second.output == first.output)
      // Settings are often links into a folder of dotfiles, and patch changes no link.
      try sandbox.write("dotfiles/i3", "bar {\n  status_command i3blocks\n}\n")
      sandbox.remove("config/i3/config")
      try #require(symlink("\(sandbox.root)/dotfiles/i3", "\(sandbox.root)/config/i3/config") == 0)
      let linked = try sandbox.send("import", path, "--patch")
      #expect(linked.output.hasPrefix("--- i3\n"), "\(linked.output)")
      #expect(linked.errors.contains("/dotfiles"), "\(linked.errors)")
      try sandbox.stop(daemon)
    }
  }

  @Test func `an import while other files change places its widgets`() throws {
    try withSandbox { sandbox in
      let daemon = try sandbox.startDaemon()
      for round in 1...6 {
        // The daemon reads the files by itself meanwhile.
        try sandbox.manifest("other\(round)", exec: "[/bin/true]")
        try sandbox.write("bar\(round)/config", "[load\(round)]\ncommand=echo 1\ninterval=5\n")
        let path = "\(sandbox.root)/bar\(round)/config"
        let outcome = try sandbox.send("import", path, "--patch")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains(", placed load\(round) "), "\(outcome.errors)")
      }
      try sandbox.stop(daemon)
    }
  }

  @Test func `an import says why the daemon does not offer a kind`() throws {
    try withSandbox { sandbox in
      try sandbox.write("bar/config", Self.block)
      let path = "\(sandbox.root)/bar/config"
      #expect(try sandbox.send("import", path, "--no-add").status == 0)
      let manifest = "config/intentd/widgets/imported/load.yaml"
      let text = contents(of: "\(sandbox.root)/\(manifest)")
      try sandbox.write(manifest, text.replacing("every: 5s", with: "every: often"))
      var daemon = try sandbox.startDaemon()
      let edited = try sandbox.send("import", path)
      #expect(edited.status == 1)
      #expect(
        edited.errors.contains("load was not placed: \(sandbox.root)/\(manifest):")
          && edited.errors.contains("often") && edited.errors.contains("; expected: "),
        "\(edited.errors)")
      try sandbox.stop(daemon)

      try sandbox.write(manifest, text)
      let elsewhere = ["XDG_CONFIG_HOME": "\(sandbox.root)/elsewhere"]
      daemon = try sandbox.startDaemon(environment: elsewhere)
      let unread = try sandbox.send("import", path)
      #expect(
        unread.errors.contains(
          "load was not placed: no manifest offers the kind 'load', since the daemon does not read"
            + " \(sandbox.root)/\(manifest); did it start with another XDG_CONFIG_HOME?"),
        "\(unread.errors)")
      try sandbox.stop(daemon)
    }
  }
}
