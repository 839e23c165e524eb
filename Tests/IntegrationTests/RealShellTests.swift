import DaemonTestSupport
import Foundation
import JSON
import Testing

/// The Tab key behind an open quotation mark, in real shells with the scripts that the package
/// installs.
struct RealShellTests {
  @Test(.enabled(if: Programs.isInstalled("bash"), "skipped: no bash"))
  func `bash completes sentences`() throws {
    try completeSentences(in: "bash") { sandbox in
      try sandbox.write(
        "home/.bashrc", "PS1='ready> '\n. '\(sandbox.root)/home/completions'\n")
      return ["bash", "--noprofile", "--rcfile", "\(sandbox.root)/home/.bashrc", "-i"]
    }
  }

  @Test(.enabled(if: Programs.isInstalled("zsh"), "skipped: no zsh"))
  func `zsh completes sentences`() throws {
    try completeSentences(in: "zsh") { sandbox in
      let script = contents(of: "\(sandbox.root)/home/completions")
      try sandbox.write("home/functions/_intent-send", script)
      try sandbox.write(
        "home/.zshrc",
        """
        fpath=('\(sandbox.root)/home/functions' $fpath)
        autoload -Uz compinit && compinit -u -D
        PS1='ready> '

        """)
      return ["zsh", "-d", "-i"]
    }
  }

  @Test(.enabled(if: Programs.isInstalled("fish"), "skipped: no fish"))
  func `fish completes sentences`() throws {
    try completeSentences(in: "fish") { sandbox in
      let script = contents(of: "\(sandbox.root)/home/completions")
      try sandbox.write("config/fish/completions/intent-send.fish", script)
      try sandbox.write(
        "config/fish/config.fish", "function fish_prompt; printf 'ready> '; end\n")
      return ["fish", "--private", "-i"]
    }
  }

  /// What is typed, tabs included, and the argument that the program gets of it.
  private static let lines = [
    // One sentence: the shell closes the quotation.
    ("intent-send \"show weather in S\t", "show weather in Shanghai"),
    ("intent-send 'show weather in S\t", "show weather in Shanghai"),
    // Several: the shell writes what they have in common.
    ("intent-send \"show wea\tNew York\"", "show weather in New York"),
    // The person's own words follow, so the quotation stays open.
    ("intent-send \"note d\tbuy milk\"", "note down buy milk"),
    // Nothing begins so.
    ("intent-send \"fire f\tox\"", "fire fox"),
    // Names that the shell would run, or that would end the quotation, never reach the line.
    ("intent-send \"show weather in Z\t\"", "show weather in Z"),
    ("intent-send 'show weather in K\t'", "show weather in K"),
    // In the other quotation a quotation mark is a character.
    ("intent-send \"show weather in K\t", "show weather in Kid's Grove"),
    // Without a quotation mark the commands are completed, as ever.
    ("intent-send histo\t", "history"),
  ]

  private func completeSentences(
    in shell: String, _ prepare: (Sandbox) throws -> [String]
  ) throws {
    try withSandbox { sandbox in
      try sandbox.addIntents()
      try sandbox.write(
        "config/intentd/intents/TakeNote/en.yaml",
        """
        language: en
        intents: {TakeNote: {data: [{sentences: ["note down {any:note}"]}]}}
        lists: {any: {wildcard: true}}
        """)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      try client.call(
        "intent.setList",
        [
          "name": "cities",
          "add": ["Zed `touch pwned`", "Zed $HOME", "Zed \" end", "Kid's Grove"],
        ])
      // The shell finds the client by its name. A line that is entered is written down instead.
      try sandbox.write(
        "home/bin/intent-send",
        """
        #!/bin/sh
        case $1 in ---*) exec '\(Programs.client)' "$@" ;; esac
        for argument; do printf '%s\\n' "$argument"; done >>'\(sandbox.root)/home/entered'

        """, mode: 0o755)
      let script = try sandbox.send("--generate-completion-script", shell)
      #expect(script.status == 0, "\(script.errors)")
      // As `packaging/install.sh` does: a shell reads the script into itself.
      let lines = script.output.split(separator: "\n", omittingEmptySubsequences: false)
      try sandbox.write(
        "home/completions",
        lines.drop { $0.hasPrefix("#!") }.joined(separator: "\n"))
      let command = try prepare(sandbox)

      let terminal = try Terminal()
      _ = try sandbox.start(
        "/usr/bin/setsid",
        ["--ctty", "--wait", "/bin/sh", "-c", #"stty rows 24 cols 200; exec "$@""#, "sh"] + command,
        environment: [
          "PATH": "\(sandbox.root)/home/bin:\(Sandbox.searchPath)", "TERM": "xterm",
          "ZDOTDIR": "\(sandbox.root)/home",
        ], descriptors: terminal.descriptors)
      try eventually("\(shell) is ready: \(terminal.output())") {
        terminal.output().contains("ready> ")
      }
      for (number, line) in Self.lines.enumerated() {
        try terminal.type(line.0 + "\n")
        try eventually("\(shell) entered \(line.0): \(terminal.output())", within: 60) {
          entered(sandbox).count > number
        }
        #expect(entered(sandbox)[number] == line.1, "\(shell): \(line.0)")
      }
      #expect(entered(sandbox).count == Self.lines.count)
      for folder in ["", "/home"] {
        #expect(!FileManager.default.fileExists(atPath: sandbox.root + folder + "/pwned"))
      }
      try terminal.type("exit\n")
      try sandbox.stop(daemon)
    }
  }

  private func entered(_ sandbox: Sandbox) -> [String] {
    contents(of: "\(sandbox.root)/home/entered").split(separator: "\n").map(String.init)
  }
}
