import ClientTestSupport
import Foundation
import Glibc
import IntentProtocol
import JSON
import Synchronization
import Testing
import Timekeeping

/// The program as people run it, against a scripted daemon on a real socket.
struct ProgramTests {
  struct Outcome: Equatable {
    var status: Int32
    var output: String
    var errors: String
  }

  /// The program that was built beside these tests.
  private static let program: URL = {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("intent-send")
  }()

  /// The test bundle.
  ///
  /// `swift test` may load it into a program of the toolchain; the bundle's path is then an
  /// argument.
  static var executable: URL {
    if FileManager.default.isExecutableFile(atPath: program.path) { return program }
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? ""
    return URL(fileURLWithPath: bundle).deletingLastPathComponent()
      .appendingPathComponent("intent-send")
  }

  private func prepared(_ socket: String, _ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = arguments
    process.environment = [
      "INTENTD_SOCKET": socket, "LANG": "en_US.UTF-8", "TZ": "UTC", "PATH": "/usr/bin:/bin",
      "SAP_SHELL": "bash", "SAP_SHELL_VERSION": "5.2",
    ]
    return process
  }

  private func run(
    _ socket: String, _ arguments: String..., input: String = ""
  ) throws -> Outcome {
    try run(socket, arguments, input: input)
  }

  private func run(
    _ socket: String, _ arguments: [String], input: String = ""
  ) throws -> Outcome {
    let process = prepared(socket, arguments)
    let output = Pipe()
    let errors = Pipe()
    let standardInput = Pipe()
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = standardInput
    try process.run()
    standardInput.fileHandleForWriting.write(Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    let outputData = output.fileHandleForReading.readDataToEndOfFile()
    let errorData = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    return Outcome(
      status: process.terminationStatus, output: String(decoding: outputData, as: UTF8.self),
      errors: String(decoding: errorData, as: UTF8.self))
  }

  @Test func `a sentence is sent with its languages, and answered with the entry`() throws {
    let answer: JSONValue = [
      "intent": ["name": "ShowWeather", "parameters": ["city": "Beijing"]], "language": "en",
      "widgets": [["id": "weather", "kind": "w", "suggestion": false, "receipt": "r1"]],
      "receipts": [
        ["id": "r1", "widget": "weather", "kind": "w", "cause": "intent", "state": "done"]
      ],
      "entry": [
        "date": "2026-11-21T12:00:00Z", "content": ["title": "Beijing", "text": "3° clear"],
      ],
    ]
    let daemon = FakeDaemon { _ in [.result(answer)] }
    defer { daemon.stop() }
    #expect(
      try run(daemon.path, "help me")
        == Outcome(status: 0, output: "Beijing\n3° clear\n", errors: ""))
    #expect(
      try run(daemon.path, "--json", "北京天气")
        == Outcome(status: 0, output: answer.serialized + "\n", errors: ""))
    #expect(try run(daemon.path, "--no-wait", "--language", "de", "a b").status == 0)
    #expect(
      daemon.requests.map(\.params) == [
        [
          "text": "help me", "languages": ["en-US", "en", "*"], "wait": true,
          "source": "intent-send",
        ],
        [
          "text": "北京天气", "languages": ["zh-CN", "en-US", "en", "*"], "wait": true,
          "source": "intent-send",
        ],
        ["text": "a b", "languages": ["de"], "wait": false, "source": "intent-send"],
      ])
    #expect(daemon.requests.allSatisfy { $0.method == "intent.send" })
  }

  /// Its output went to the daemon before, because the socket had the free number.
  @Test(arguments: [">&-", "<&- >&-", "<&- >&- 2>&-"])
  func `with a closed output nothing is printed into the connection`(closed: String) throws {
    let daemon = FakeDaemon { _ in [.result(["widgets": []])] }
    defer { daemon.stop() }
    let program = prepared(daemon.path, [])
    program.arguments = ["-c", "exec '\(Self.executable.path)' widgets --json \(closed)"]
    program.executableURL = URL(fileURLWithPath: "/bin/sh")
    try program.run()
    program.waitUntilExit()
    #expect(program.terminationReason == .exit)
    #expect(program.terminationStatus == 1)
    #expect(daemon.requests.map(\.method) == ["widget.list"])
  }

  @Test func `a sentence that matches nothing has its own status`() throws {
    let daemon = FakeDaemon { _ in
      [
        .refusal(
          code: -32010, message: "nothing matches 'shw it'",
          data: ["name": "noMatch", "suggestions": ["show it"]])
      ]
    }
    defer { daemon.stop() }
    let text = """
      intent-send: nothing matches 'shw it'; did you mean 'show it'?
        what can be said: intent-send intents

      """
    #expect(try run(daemon.path, "shw it") == Outcome(status: 3, output: "", errors: text))
    let json = """
      {"error":{"code":-32010,"message":"nothing matches 'shw it'","data":{"name":"noMatch","suggestions":["show it"]}}}

      """
    #expect(
      try run(daemon.path, "shw it", "--json") == Outcome(status: 3, output: json, errors: text))
  }

  @Test func `without a daemon the status is 69`() throws {
    let path = FakeDaemon.freshPath()
    #expect(
      try run(path, "status")
        == Outcome(
          status: 69, output: "",
          errors: """
            intent-send: no daemon is listening on \(path)
              start it with: systemctl --user start intentd.socket
              or by hand, in a terminal: intentd

            """))
  }

  @Test func `alone it shows the stack, or what to do without widgets`() throws {
    let widgets: JSONValue = [
      ["id": "clock", "entry": ["content": ["text": "14:00"]]],
      ["id": "sun", "entry": ["content": ["text": "↑ 07:01"]]],
    ]
    let daemon = FakeDaemon { request in
      request.method == "gallery.list"
        ? [.result(["kinds": [["kind": "org.example.clock"]]])]
        : [.result(["widgets": widgets])]
    }
    defer { daemon.stop() }
    #expect(
      try run(daemon.path)
        == Outcome(status: 0, output: "14:00\nclock\n\nsun  ↑ 07:01\n", errors: ""))
    #expect(try run(daemon.path, "--json").output == "{\"widgets\":\(widgets.serialized)}\n")
    #expect(daemon.requests.map(\.method) == ["stack.order", "stack.order"])

    let empty = FakeDaemon { request in
      request.method == "gallery.list"
        ? [.result(["kinds": [["kind": "org.example.clock"]]])] : [.result(["widgets": []])]
    }
    defer { empty.stop() }
    let welcome = try run(empty.path)
    #expect(welcome.status == 0)
    #expect(welcome.output.contains("place one: intent-send add org.example.clock\n"))
    #expect(welcome.output.contains("all commands: intent-send --help\n"))

    let nobody = try run(FakeDaemon.freshPath())
    #expect(nobody.status == 69)
    #expect(nobody.errors.hasSuffix("  all commands: intent-send --help\n"))
  }

  @Test func `a widget is shown with its content, and only its kind is asked for`() throws {
    let daemon = FakeDaemon { request in
      switch request.method {
      case "widget.timeline": [.result(["id": "sun", "kind": "k", "entries": []])]
      default:
        [
          .result([
            "widgets": [["id": "moon"], ["id": "sun", "entry": ["content": ["title": "Sun"]]]]
          ])
        ]
      }
    }
    defer { daemon.stop() }
    let shown = try run(daemon.path, "show", "sun")
    #expect(shown.output.hasPrefix("Sun\n"))
    #expect(
      daemon.requests == [
        .init(method: "widget.timeline", params: ["id": "sun", "name": "terminal"]),
        .init(method: "widget.list", params: ["kind": "k", "name": "terminal"]),
      ])
  }

  @Test func `a failing widget's status names the command that repeats the failure`() throws {
    let daemon = FakeDaemon { request in
      request.method == "widget.budget"
        ? [.result(["error": "exit status 3", "stderr": "boom", "failures": 1])]
        : [
          .result(["failing": [["id": "other", "kind": "o"], ["id": "disk", "kind": "me.disk"]]])
        ]
    }
    defer { daemon.stop() }
    let status = try run(daemon.path, "status", "disk").output
    #expect(status.contains("disk  failing: the last run\n"))
    #expect(status.contains("it wrote     boom\n"))
    #expect(status.contains("kind         me.disk\n"))
  }

  @Test func `a listing without options says the same as through the parser`() throws {
    let widget: JSONValue = ["id": "clock", "entry": ["content": ["text": "14:00"]]]
    let daemon = FakeDaemon { _ in [.result(["version": "0.1.0", "widgets": [widget]])] }
    defer { daemon.stop() }
    for name in ["show", "status", "stack", "widgets"] {
      for json in [[], ["--json"]] {
        let plain = try run(daemon.path, [name] + json)
        let parsed = try run(daemon.path, [name] + json + ["--socket", daemon.path])
        #expect(plain == parsed, "\(name) \(json)")
        #expect(plain.status == 0)
      }
    }
    let requests = daemon.requests
    #expect(requests.count == 16)
    for index in stride(from: 0, to: requests.count - 1, by: 2) {
      #expect(requests[index] == requests[index + 1])
    }
  }

  @Test func `watch without a terminal names follow`() throws {
    for arguments in [["watch"], ["watch", "--json"]] {
      let outcome = try run("/none", arguments)
      #expect(outcome.status == 64)
      #expect(outcome.errors.hasSuffix("for every change: intent-send follow --stack\n"))
    }
  }

  @Test func `a mistake in the arguments is 64 and reaches no daemon`() throws {
    let daemon = FakeDaemon { _ in [.result([:])] }
    defer { daemon.stop() }
    for arguments in [
      ["stack", "--jsn"], ["reload"],
      ["reload", "--all", "x"], ["configure", "home"], ["forget"], ["add", "k", "--set", "city"],
      ["follow", "a", "--stack"], ["call", "daemon.ping", "3"], [""], [" "],
    ] {
      let process = prepared(daemon.path, arguments)
      let errors = Pipe()
      process.standardError = errors
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      let text = String(
        decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 64, "\(arguments): \(text)")
      #expect(text.hasPrefix("intent-send: "), "\(arguments): \(text)")
    }
    #expect(daemon.requests.isEmpty)
  }

  @Test func `what is neither a command nor a sentence is 64, and no effect`() throws {
    let daemon = FakeDaemon { _ in [.result(["matched": false])] }
    defer { daemon.stop() }
    let typed = ["stak", "open a the door"]
    for words in typed {
      let outcome = try run(daemon.path, words.split(separator: " ").map(String.init))
      #expect(outcome.status == 64)
      #expect(outcome.output == "")
      #expect(outcome.errors.hasPrefix("intent-send: "), "\(outcome.errors)")
    }
    #expect(daemon.requests.map(\.method) == ["intent.recognize", "intent.recognize"])
    #expect(daemon.requests.map { $0.params["text"]?.stringValue } == typed)
    #expect(try run("/none", "stak").status == 64, "without a daemon too")
  }

  @Test func `words after a command that are a sentence are sent`() throws {
    let daemon = FakeDaemon { request in
      request.method == "intent.recognize"
        ? [.result(["matched": true])]
        : [.result(["widgets": [["id": "w"]], "entry": ["content": ["text": "closed"]]])]
    }
    defer { daemon.stop() }
    #expect(
      try run(daemon.path, "open", "the", "door")
        == Outcome(status: 0, output: "closed\n", errors: ""))
    #expect(daemon.requests.map(\.method) == ["intent.recognize", "intent.send"])
  }

  @Test func `help leads with examples, the version is one line`() throws {
    let help = try run("/none", "--help")
    #expect(help.status == 0)
    #expect(help.errors == "")
    let examples = help.output.range(of: "intent-send \"show weather for Beijing\"")
    let usage = help.output.range(of: "USAGE:")
    #expect(examples != nil)
    #expect(usage != nil)
    if let examples, let usage { #expect(examples.lowerBound < usage.lowerBound) }
    #expect(try run("/none", "--version").output.hasPrefix("intent-send 0."))
    #expect(try run("/none", "help", "stack").output.contains("intent-send stack --explain"))
  }

  @Test func `completions know the widgets`() throws {
    let daemon = FakeDaemon { _ in
      [.result(["widgets": [["id": "weather"], ["id": "sun"]]])]
    }
    defer { daemon.stop() }
    let script = try run(daemon.path, "--generate-completion-script", "bash")
    #expect(script.status == 0)
    #expect(script.output.contains("---completion"))
    // The completion script above makes this call for `intent-send tap `.
    let call = ["---completion", "tap", "--", "positional@0", "2", "0", "intent-send", "tap", ""]
    #expect(try run(daemon.path, call).output.split(separator: "\n") == ["weather", "sun"])
    #expect(try run("/none", call).output.split(separator: "\n") == [])
    #expect(daemon.requests.map(\.method) == ["widget.list"])
  }

  @Test func `completions know the sentences`() throws {
    let daemon = FakeDaemon { _ in
      [
        .result([
          "completions": [
            ["sentence": "show weather in Rome ", "intent": ["name": "ShowWeather"]],
            ["sentence": "show weather in ", "unfinished": true],
          ]
        ])
      ]
    }
    defer { daemon.stop() }
    for shell in ["bash", "zsh", "fish"] {
      let script = try run(daemon.path, "--generate-completion-script", shell)
      #expect(script.status == 0 && script.errors == "")
      #expect(script.output.contains("---completion"))
      #expect(script.output.contains("---sentences"), "\(shell)")
    }
    #expect(try run(daemon.path, "--generate-completion-script", "tcsh").status == 64)
    let call = ["---sentences", "\"", "show wea"]
    // A space at the end is for words of the person's own.
    #expect(
      try run(daemon.path, call)
        == Outcome(status: 0, output: "show weather in Rome\nshow weather in \n", errors: ""))
    #expect(
      daemon.requests == [
        .init(
          method: "intent.complete",
          params: ["text": "show wea", "languages": ["en-US", "en", "*"]])
      ])
    for other in [["---sentences"], ["---sentences", "\""], call + ["more"]] {
      #expect(try run(daemon.path, other) == Outcome(status: 0, output: "", errors: ""))
    }
    #expect(try run("/none", call) == Outcome(status: 0, output: "", errors: ""))
  }

  @Test func `a reload prints each receipt, and the status is 75 if one was deferred`() throws {
    let receipts: JSONValue = [
      ["id": "r1", "widget": "weather", "state": "done"],
      [
        "id": "r2", "widget": "sun", "state": "deferred", "until": "2020-01-01T00:00:00Z",
        "reason": "spacing",
      ],
    ]
    let daemon = FakeDaemon { request in
      if request.params["id"] == "org.example.kind" {
        return [.refusal(code: -32020, message: "no widget", data: ["name": "unknownWidget"])]
      }
      return [.result(["receipts": receipts])]
    }
    defer { daemon.stop() }
    #expect(
      try run(daemon.path, "reload", "--all")
        == Outcome(
          status: 75, output: "weather  done\nsun      deferred until 2020-01-01 00:00: spacing\n",
          errors: ""))
    // A name that is no widget may be a kind.
    #expect(try run(daemon.path, "reload", "org.example.kind", "--no-wait").status == 75)
    #expect(
      daemon.requests == [
        .init(method: "widget.reloadAll", params: ["wait": true]),
        .init(method: "widget.reload", params: ["id": "org.example.kind", "wait": false]),
        .init(method: "widget.reload", params: ["kind": "org.example.kind", "wait": false]),
      ])
  }

  @Test func `adding types its parameters, and waits for the first content`() throws {
    let daemon = FakeDaemon { request in
      switch request.method {
      case "gallery.list":
        [
          .result([
            "kinds": [
              [
                "kind": "k",
                "parameters": [
                  ["name": "days", "type": "integer"], ["name": "street", "type": "string"],
                ],
              ]
            ]
          ])
        ]
      case "widget.add":
        [
          .result([
            "widget": ["id": "home", "kind": "k", "family": "systemSmall"],
            "receipt": ["id": "r1", "widget": "home", "state": "accepted"],
          ])
        ]
      default:
        [
          .result([
            "receipt": [
              "id": "r1", "widget": "home", "state": "dropped", "reason": "exit status 1",
            ]
          ])
        ]
      }
    }
    defer { daemon.stop() }
    #expect(
      try run(daemon.path, "add", "k", "--set", "days=3", "--set", "street=42", "--id", "home")
        == Outcome(
          status: 1,
          output: "added  home  k  systemSmall\nits first content: dropped: exit status 1\n",
          errors: ""))
    #expect(
      daemon.requests == [
        .init(method: "gallery.list", params: [:]),
        .init(method: "gallery.list", params: [:]),
        .init(method: "gallery.list", params: [:]),
        .init(
          method: "widget.add",
          params: [
            "kind": "k", "ask": true, "id": "home", "parameters": ["days": 3, "street": "42"],
            "languages": ["en-US", "en", "*"],
          ]),
        .init(method: "widget.receipt", params: ["id": "r1", "wait": true]),
      ])
  }

  @Test func `a moment for a parameter that is a date may be said`() throws {
    let daemon = FakeDaemon { request in
      request.method == "gallery.list"
        ? [
          .result([
            "kinds": [
              [
                "kind": "k",
                "parameters": [
                  ["name": "from", "type": "date"], ["name": "to", "type": "date"],
                  ["name": "title", "type": "string"], ["name": "length", "type": "duration"],
                ],
              ]
            ]
          ])
        ]
        : [.result(["widget": ["id": "home", "kind": "k", "family": "systemSmall"]])]
    }
    defer { daemon.stop() }
    let added = try run(
      daemon.path, "add", "k", "--set", "from=tomorrow 8am", "--set", "to=2026-11-23", "--set",
      "title=today", "--set", "length=2h")
    #expect(added.status == 0, "\(added.errors)")
    let sent = daemon.requests.last?.params["parameters"]
    #expect(sent?["from"]?.stringValue.flatMap { WallTime(rfc3339: $0) } != nil)
    #expect(sent?["to"] == "2026-11-23")
    #expect(sent?["title"] == "today")
    #expect(sent?["length"] == "2h")
  }

  @Test func `a timeline is pushed from standard input, and checked first`() throws {
    let daemon = FakeDaemon { _ in [.result(["receipt": ["id": "r1", "state": "done"]])] }
    defer { daemon.stop() }
    let timeline =
      "{\"entries\":[{\"date\":\"2026-11-21T12:00:00Z\",\"content\":{}}],\n\"policy\":\"never\"}\n"
    #expect(
      try run(daemon.path, "push", "weather", "-", input: timeline)
        == Outcome(status: 0, output: "pushed  weather  1 entry  done\n", errors: ""))
    #expect(
      daemon.requests == [
        .init(
          method: "widget.push",
          params: ["id": "weather", "timeline": try JSONValue(parsing: timeline)])
      ])
    let warned = FakeDaemon { _ in
      [.result(["receipt": ["state": "done"], "warnings": ["entries[0] is in the past"]])]
    }
    defer { warned.stop() }
    #expect(
      try run(warned.path, "push", "weather", input: timeline).errors
        == "intent-send: entries[0] is in the past\n")
    let refused = try run(daemon.path, "push", "weather", input: "{\n\"entries\": oops}")
    #expect(refused.status == 1)
    #expect(refused.errors.hasPrefix("intent-send: standard input is not JSON, line 2: "))
    let missing = try run(daemon.path, "push", "weather", "/nowhere/timeline.json")
    #expect(missing.errors.contains("cannot read '/nowhere/timeline.json': No such file"))
    #expect(daemon.requests.count == 1)
  }

  @Test func `removing more widgets than one request takes says how many that are`() throws {
    let daemon = FakeDaemon { _ in [.result(["removed": []])] }
    defer { daemon.stop() }
    let many = (0...256).map { "w\($0)" }
    #expect(
      try run(daemon.path, ["remove"] + many)
        == Outcome(
          status: 64, output: "",
          errors: """
            intent-send: 257 widgets are named; 256 is the most for one removal, which takes all of \
            them or none
              take them away in parts, each of which 'intent-send undo' brings back:
              xargs -n 256 intent-send remove < FILE-WITH-THE-IDS

            """))
    #expect(daemon.requests == [])
    #expect(try run(daemon.path, ["remove"] + many.dropLast()).status == 0)
  }

  @Test func `any method can be called by its name`() throws {
    let daemon = FakeDaemon { request in [.result(["got": request.params])] }
    defer { daemon.stop() }
    #expect(
      try run(daemon.path, "call", "no.such", "{\"a\": [1, 2]}").output
        == "{\"got\":{\"a\":[1,2]}}\n")
    #expect(try run(daemon.path, "call", "daemon.ping").output == "{\"got\":null}\n")
    #expect(try run(daemon.path, "call", "a.b", "-", input: "[1]").output == "{\"got\":[1]}\n")
  }

  @Test func `every listing has a human and a machine form`() throws {
    let daemon = FakeDaemon { _ in [.result([:])] }
    defer { daemon.stop() }
    for arguments in [
      ["widgets"], ["gallery"], ["intents"], ["stack"], ["stack", "--explain"], ["status"],
      ["history"], ["timeline", "a"], ["budget", "a"], ["tap", "a"], ["remove", "a"],
      ["reload-config"], ["recognize", "a b"], ["open", "x://y"], ["forget", "--all", "--yes"],
      ["undo"],
    ] {
      let process = prepared(daemon.path, arguments + ["--json"])
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let text = String(
        decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(arguments)")
      #expect(text == "{}\n", "\(arguments)")
    }
  }

  @Test func `try hands the manifest to the daemon's own program`() throws {
    let process = prepared("/none", ["try", "w.yaml", "--set", "city=New York", "--json"])
    process.environment?["INTENTD_EXECUTABLE"] = "/bin/echo"
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text == "--try w.yaml --set city=New York --json\n")

    let missing = prepared("/none", ["try", "w.yaml"])
    missing.environment?["INTENTD_EXECUTABLE"] = "/nowhere/intentd"
    let errors = Pipe()
    missing.standardError = errors
    try missing.run()
    let complaint = String(
      decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    missing.waitUntilExit()
    #expect(missing.terminationStatus == 1)
    #expect(
      complaint == """
        intent-send: cannot start '/nowhere/intentd': No such file or directory
          install intentd beside intent-send, or name it with $INTENTD_EXECUTABLE

        """)
  }

  @Test func `follow prints changes, outlives the daemon, and ends with its reader`() throws {
    let path = FakeDaemon.freshPath()
    let first: JSONValue = ["id": "weather", "entry": ["content": ["text": "1"]]]
    let second: JSONValue = ["id": "weather", "entry": ["content": ["text": "2"]]]
    let daemon = FakeDaemon(path: path) { _ in
      [
        .result(["surface": "s1", "widgets": [first]]),
        .notification(method: "surface.update", params: ["surface": "s1", "widgets": [second]]),
      ]
    }
    let process = prepared(path, ["follow", "weather"])
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // Kill a follower that does not end, so that the test fails and does not hang.
    let pid = process.processIdentifier
    let hasEnded = Mutex(false)
    let watchdog = Thread {
      for _ in 0..<2_400 where !hasEnded.withLock({ $0 }) { usleep(100_000) }
      hasEnded.withLock { if !$0 { kill(pid, SIGKILL) } }
    }
    watchdog.start()
    // Close this end, the only one that reads: `follow` must then end.
    try output.fileHandleForWriting.close()
    var lines = LineSource(output.fileHandleForReading.fileDescriptor)
    #expect(lines.next() == first.serialized)
    #expect(lines.next() == second.serialized)
    #expect(daemon.requests == [.init(method: "surface.attach", params: ["widgets": ["weather"]])])

    daemon.stop()
    let third: JSONValue = ["id": "weather", "entry": ["content": ["text": "3"]]]
    let next = FakeDaemon(path: path) { _ in
      [
        .result(["surface": "s1", "widgets": [second]]),
        .notification(method: "surface.update", params: ["surface": "s1", "widgets": [third]]),
      ]
    }
    defer { next.stop() }
    // Unchanged widgets are not printed again.
    #expect(lines.next() == third.serialized)

    try output.fileHandleForReading.close()
    process.waitUntilExit()
    hasEnded.withLock { $0 = true }
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
  }
}

/// Lines from a descriptor, one at a time.
private struct LineSource {
  private let descriptor: Int32
  private var bytes: [UInt8] = []

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  mutating func next() -> String? {
    while true {
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        defer { bytes.removeFirst(end + 1) }
        return String(decoding: bytes[..<end], as: UTF8.self)
      }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }
}
