import ClientTestSupport
import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Text of others reaches no terminal, pipe or log as they wrote it.
///
/// The poison is in every string that a daemon, a manifest, a document, a provider or an argument
/// can have, and every command prints it.
@Suite(.serialized) struct PrintingTests {
  /// The arguments of each command, so that it gets far enough to print an answer.
  ///
  /// A command that is not here fails the first test: add it with arguments that make it print.
  private static let invocations: [String: [[String]]] = [
    "show": [[], ["weather"]], "watch": [[]], "send": [["show weather"], ["show", "--no-wait"]],
    "choose": [["4711-1", "1"]], "open": [["weather://city/Beijing"]],
    "recognize": [["show weather"], ["show weather", "--all"]], "intents": [[]],
    "widgets": [[], ["--verbose"]], "gallery": [[], ["--previews"]], "add": [["org.example.clock"]],
    "configure": [["clock", "--family", "systemSmall"], ["clock"]], "remove": [["clock"]],
    "undo": [[]], "reload": [["weather"], ["--all"]], "signal": [["8"]],
    "push": [["weather", "-"]],
    "tap": [["weather"], ["weather", "--item", "1,0", "--button", "3", "--modifier", "shift"]],
    "expand": [["weather"], ["weather", "--surface", "page"]],
    "collapse": [["weather"], ["weather", "--surface", "page"]],
    "image": [["sha256-0"]], "timeline": [["weather"]], "budget": [["weather"]],
    "stack": [[], ["--explain"], ["--verbose"], ["--ids"], ["--replay"]],
    "why": [["weather"], ["weather", "--verbose"]], "dismiss": [["weather"]],
    "follow": [[], ["--stack"], ["--tick"]],
    "bar": [
      ["text", "--stack", "3", "--once"], ["waybar", "weather", "--once"],
      ["genmon", "weather", "--once"], ["tmux", "weather", "--once", "--format", "{name}"],
      ["waybar", "--setup"],
    ],
    "click": [["weather", "left", "--shown", "weather@17"], ["weather", "middle"]],
    "menu": [["weather", "--with", "cat"], ["weather", "--with", "head -n 1"]],
    "web": [
      ["--devices"], ["--device", "kitchen", "--panel", "weather", "--replace"],
      ["--log", "kitchen"], ["--forget", "\u{1B}[2J"],
    ],
    "new widget": [["disk", "--at", "."]],
    "try": [["hostile"]], "lint": [["config/intentd/intents"]],
    "simulate": [["--for", "2h", "hostile"]], "status": [[], ["--all"], ["weather"]],
    "history": [[], ["--verbose"]], "forget": [["--all", "--yes"], ["--kind", "x"]],
    "private": [[], ["on"]], "reload-config": [[]],
    "call": [["daemon.status"], ["widget.list"]],
    "install": [["download"], ["download", "--grant", "none"], ["download", "--yes"]],
    "import": [["bar", "--no-add"], ["bar"], ["no\(Poison.text)"]], "uninstall": [["boxed"]],
    "permissions": [[], ["boxed"], ["boxed", "--grant"], ["boxed", "--grant", "--yes"]],
  ]

  /// The commands that run until somebody ends them.
  private static let endless: Set<String> = ["watch", "follow"]

  /// The commands that ask no daemon.
  private static let tools: Set<String> = [
    "try", "lint", "simulate", "new widget", "install", "uninstall", "permissions",
    "web",
  ]

  @Test func `no command is left out of these tests`() {
    #expect(commandNames == Set(Self.invocations.keys))
  }

  /// Runs every command once and checks what it printed; the sandbox has the hostile files.
  ///
  /// The commands that ask no daemon run only `withTools`.
  private func runAll(_ sandbox: Sandbox, extra: [String] = [], withTools: Bool = false) throws {
    for (name, lines) in Self.invocations.sorted(by: { $0.key < $1.key })
    where withTools || !Self.tools.contains(name) {
      for line in lines {
        let arguments = name.split(separator: " ").map(String.init) + line + extra
        let program = try sandbox.start(
          "/usr/bin/env", ["-C", sandbox.root, Programs.client] + arguments,
          input: #"{"entries":[],"policy":"never"}"#)
        if name == "follow" {
          try eventually("\(arguments) prints a line; errors: \(program.errors)") {
            program.hasEnded() || program.output.hasSuffix("\n")
          }
          program.killGroup()
        }
        _ = try program.waitUntilEnded()
        Poison.expectNone(in: program, arguments)
      }
    }
  }

  @Test func `no answer of a hostile daemon reaches standard output or error raw`() throws {
    let answers = try HostileAnswers()
    try withSandbox { sandbox in
      try Hostile.addFiles(to: sandbox)
      // Each answer with its deciding words, and the first also without.
      for index in 0..<answers.countMax {
        for keepsWords in index == 0 ? [true, false] : [true] {
          let daemon = answers.daemon(index, keepsWords: keepsWords)
          defer { daemon.stop() }
          sandbox.environment["INTENTD_SOCKET"] = daemon.path
          let isFirst = index == 0 && keepsWords
          try runAll(sandbox, withTools: isFirst)
          if isFirst { try runAll(sandbox, extra: ["--json"], withTools: true) }
        }
      }
    }
  }

  @Test(arguments: [-32_602, -32_010])
  func `no refusal of a hostile daemon reaches standard output or error raw`(code: Int) throws {
    try withSandbox { sandbox in
      try Hostile.addFiles(to: sandbox)
      let daemon = HostileAnswers.refusingDaemon(code: code)
      defer { daemon.stop() }
      sandbox.environment["INTENTD_SOCKET"] = daemon.path
      try runAll(sandbox)
    }
  }

  @Test func `an answer that is no answer is quoted with escapes`() throws {
    try withSandbox { sandbox in
      for raw in [
        Poison.text + "\n", "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":7}}\n",
        "{\"\(Poison.text)\":1}\n",
      ] {
        let daemon = FakeDaemon { _ in [.raw(raw)] }
        defer { daemon.stop() }
        sandbox.environment["INTENTD_SOCKET"] = daemon.path
        for arguments in [["status"], ["widgets", "--json"], ["show weather"]] {
          let program = try sandbox.start(Programs.client, arguments)
          _ = try program.waitUntilEnded()
          Poison.expectNone(in: program, arguments)
        }
      }
    }
  }

  @Test func `colours and frames on a terminal are ours alone`() throws {
    let answers = try HostileAnswers()
    try withSandbox { sandbox in
      try Hostile.addFiles(to: sandbox)
      for keepsWords in [true, false] {
        let daemon = answers.daemon(0, keepsWords: keepsWords)
        defer { daemon.stop() }
        sandbox.environment["INTENTD_SOCKET"] = daemon.path
        for (name, lines) in Self.invocations where !Self.endless.contains(name) {
          // It draws on its terminal, and asks there. The answers are: no, and the end of input.
          let terminal = try DaemonTestSupport.Terminal()
          try terminal.type("n\n\u{4}\u{4}\u{4}")
          let arguments = name.split(separator: " ").map(String.init) + (lines.first ?? [])
          let program = try sandbox.start(
            "/usr/bin/env", ["-C", sandbox.root, Programs.client] + arguments,
            environment: ["TERM": "xterm"], descriptors: terminal.descriptors)
          var shown = ""
          try eventually("\(arguments) ends") {
            shown = terminal.output()
            return program.hasEnded()
          }
          shown = terminal.output()
          let problems = Set(
            Poison.problems(in: shown.replacing("^D\u{8}\u{8}", with: ""), drawing: true))
          #expect(problems == [], "\(arguments): \(shown)")
        }
      }
      let daemon = answers.daemon(0, keepsWords: true)
      defer { daemon.stop() }
      sandbox.environment["INTENTD_SOCKET"] = daemon.path
      let terminal = try DaemonTestSupport.Terminal()
      let program = try sandbox.start(
        Programs.client, ["watch"], environment: ["TERM": "xterm"],
        descriptors: terminal.descriptors)
      try eventually("watch draws; it says \(terminal.output())") {
        terminal.output().contains("Beijing")
      }
      // Opens a widget, taps it, reloads it and sends it away.
      try terminal.type(" trd")
      try eventually("watch sends what was typed; it sent \(daemon.requests.map(\.method))") {
        _ = terminal.output()
        return daemon.requests.contains { $0.method == "stack.dismiss" }
      }
      try terminal.type("q")
      _ = try program.waitUntilEnded()
      #expect(Set(Poison.problems(in: terminal.output(), drawing: true)) == [])
    }
  }

  @Test func `an argument is quoted with escapes`() throws {
    try withSandbox { sandbox in
      let daemon = FakeDaemon { _ in [.result([:])] }
      defer { daemon.stop() }
      sandbox.environment["INTENTD_SOCKET"] = daemon.path
      let word = "a" + Poison.text
      var all: [[String]] = [[word], ["--" + word], ["help", word], ["new", "widget", word]]
      for name in Self.invocations.keys where !Self.endless.contains(name) {
        let command = name.split(separator: " ").map(String.init)
        all += [
          command + ["--" + word], command + ["--timeout", word], command + [word, word, word],
          command + ["--json", word],
        ]
      }
      for arguments in all {
        let program = try sandbox.start(
          "/usr/bin/env", ["-C", sandbox.root, Programs.client] + arguments)
        _ = try program.waitUntilEnded()
        Poison.expectNone(in: program, arguments)
      }
      for option in [
        "--try", "--lint", "--simulate=", "--kind", "--from", "--for", "--log-level", "--config",
        "--", "--socket", "--replay", "--record", "--profile",
      ] {
        let arguments = (option == "--kind" ? ["--simulate"] : []) + [option, word]
        let program = try sandbox.start(
          "/usr/bin/env", ["-C", sandbox.root, Programs.daemon] + arguments,
          environment: ["INTENTD_SOCKET": ""])
        try eventually("\(arguments): ends or serves") {
          program.hasEnded() || program.errors.contains("event=daemon.ready")
        }
        program.killGroup()
        Poison.expectNone(in: program, arguments)
      }
      // The path of a socket that nobody listens on is quoted, too.
      let socket = "\(sandbox.root)/no\(Poison.text)"
      for arguments in [["status"], ["status", "--json"], ["--socket", socket, "status"]] {
        let program = try sandbox.start(
          Programs.client, arguments, environment: ["INTENTD_SOCKET": socket])
        _ = try program.waitUntilEnded()
        Poison.expectNone(in: program, arguments)
      }
    }
  }

  @Test func `a shell is offered no name that it would run`() throws {
    let names = ["$(touch x)", "`id`", "a;b", "a" + Poison.text, "-rf", "org.example.clock", "天气"]
    let daemon = FakeDaemon { _ in
      [
        .result([
          "widgets": .array(names.map { ["id": .string($0)] }),
          "kinds": .array(names.map { ["kind": .string($0)] }),
        ])
      ]
    }
    defer { daemon.stop() }
    try withSandbox { sandbox in
      sandbox.environment["INTENTD_SOCKET"] = daemon.path
      // As the script that the parser made for bash asks it.
      sandbox.environment["SAP_SHELL"] = "bash"
      sandbox.environment["SAP_SHELL_VERSION"] = "5.2"
      for arguments in [
        ["---completion", "show", "--", "positional@0", "1", "0"],
        ["---completion", "add", "--", "positional@0", "1", "0"],
      ] {
        let outcome = try sandbox.run(Programs.client, arguments)
        #expect(outcome.lines.sorted() == ["org.example.clock", "天气"], "\(outcome)")
      }
    }
  }

  @Test func `a shell is offered no sentence that it would run`() throws {
    let names = [
      "$(touch x)", "`id`", "$HOME", "a\\b", "!!", "a\nb", "a\tb", "a" + Poison.text, "\"; id; \"",
      "'; id; '", "don't", "天气",
    ]
    let daemon = FakeDaemon { _ in
      [
        .result([
          "completions": .array(names.map { ["sentence": .string("say \($0)")] })
        ])
      ]
    }
    defer { daemon.stop() }
    try withSandbox { sandbox in
      sandbox.environment["INTENTD_SOCKET"] = daemon.path
      func offered(_ quote: String, _ text: String) throws -> [String] {
        let outcome = try sandbox.run(Programs.client, ["---sentences", quote, text])
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
        return outcome.lines
      }
      let quoted = try offered("\"", "say ")
      #expect(quoted == ["say '; id; '", "say don't", "say 天气"])
      #expect(try offered("'", "say ") == ["say \"; id; \"", "say 天气"])
      // Nothing is asked without a quotation mark, nor behind what the shell runs already.
      let count = daemon.requests.count
      for (quote, text) in [("", "say "), ("`", "say "), ("\"", "say $("), ("'", "say'")] {
        #expect(try offered(quote, text) == [])
      }
      #expect(daemon.requests.count == count)
    }
  }
}
