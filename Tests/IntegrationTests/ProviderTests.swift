import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Tests that providers are not trusted: a misbehaving one makes its own widget stale, and nothing
/// else.
struct ProviderTests {
  /// A way to fail: the script, the error that the widget shows, and the limits of its manifest.
  struct Misdeed: CustomTestStringConvertible {
    var name: String
    var script: String
    var error: String
    var provider = ""
    var testDescription: String { name }
  }

  /// Those that hang have a timeout that a good run keeps on a busy machine.
  static let misdeeds = [
    Misdeed(name: "crashes", script: "kill -SEGV $$", error: "signal 11"),
    Misdeed(
      name: "ends with a code", script: "echo 'the key has expired' >&2; exit 3",
      error: "exit code 3"),
    Misdeed(name: "hangs", script: "sleep 600", error: "within 5s", provider: "timeout: 5s"),
    Misdeed(
      name: "answers and hangs", script: Sandbox.answer(title: "bad") + "; sleep 600",
      error: "within 5s", provider: "timeout: 5s"),
    Misdeed(name: "floods", script: "yes", error: "more than 4194304 bytes"),
    Misdeed(
      name: "floods its standard error", script: "yes >&2", error: "within 3s",
      provider: "timeout: 3s"),
    Misdeed(
      name: "prints half an object", script: #"printf '{"entries":[{"date"'"#, error: "not JSON"),
    Misdeed(
      name: "prints an object and more", script: Sandbox.answer(title: "bad") + "; echo done",
      error: "not JSON"),
    Misdeed(name: "prints nothing", script: ":", error: "nothing was printed"),
    Misdeed(
      name: "prints no UTF-8", script: #"printf '{"entries":["\377"]}'"#, error: "cannot be used"),
    Misdeed(
      name: "prints the wrong types", script: #"echo '{"entries":3}'"#, error: "entries is a number"
    ),
    Misdeed(
      name: "has no date", script: #"echo '{"entries":[{"date":"soon","content":{}}]}'"#,
      error: "entries[0].date"),
    Misdeed(
      name: "ignores SIGTERM", script: "trap '' TERM INT HUP; while :; do sleep 1; done",
      error: "within 5s", provider: "timeout: 5s"),
    Misdeed(
      name: "stops itself", script: "kill -STOP $$", error: "within 5s", provider: "timeout: 5s"),
    Misdeed(
      name: "leaves a grandchild and fails", script: "sleep 600 & exit 1", error: "exit code 1"),
    Misdeed(
      name: "closes its outputs and hangs", script: "exec >&- 2>&-; sleep 600", error: "within 5s",
      provider: "timeout: 5s"),
    Misdeed(
      name: "has no interpreter any more", script: "", error: "could not be started"),
  ]

  /// Returns a provider that is good until the file `bad` exists.
  private func twoFaced(_ bad: String) -> String {
    "if [ ! -e bad ]; then \(Sandbox.answer(title: "good")); exit 0; fi\n\(bad)"
  }

  @Test(arguments: misdeeds)
  func `a provider's failure keeps its last good content, marked stale, and disturbs nobody`(
    misdeed: Misdeed
  ) throws {
    try withSandbox { sandbox in
      try sandbox.widget("bad", script: twoFaced(misdeed.script), provider: misdeed.provider)
      try sandbox.widget("neighbour", script: Sandbox.answer(title: "neighbour"))
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("bad") == "done")
      let before = try client.widget("bad")
      #expect(before["stale"] == false)
      #expect(before["entry"]?["content"]?["title"] == "good")

      if misdeed.script.isEmpty {
        try sandbox.write("config/intentd/widgets/bad.run", "#!/no/such/interpreter\n", mode: 0o755)
      } else {
        try sandbox.write("config/intentd/widgets/bad", "")
      }
      let request = try client.ask("widget.reload", ["id": "bad", "wait": true])
      // Other clients are served while that provider misbehaves.
      let other = try sandbox.connect()
      #expect(try other.add("neighbour") == "done")
      let receipt = try client.answer(to: request)["receipts"]?.arrayValue?.first
      #expect(receipt?["state"] == "dropped")
      #expect(
        receipt?["reason"]?.stringValue?.contains(misdeed.error) == true,
        "\(receipt?.serialized ?? "")")

      let after = try client.widget("bad")
      #expect(after["stale"] == true)
      #expect(after["entry"] == before["entry"])
      #expect(after["error"]?.stringValue?.contains(misdeed.error) == true)
      let failure = try client.call("daemon.history", ["widget": "bad"])["entries"]?.arrayValue?
        .first { $0["event"] == "reload.failed" }
      #expect(failure != nil)
      if misdeed.script.contains("expired") {
        #expect(failure?["diagnostics"]?.stringValue?.contains("the key has expired") == true)
      }
      try eventually("nothing of it is left: \(sandbox.strays(besides: daemon))") {
        sandbox.strays(besides: daemon).isEmpty
      }
      #expect(Processes.residentBytes(of: daemon.pid) < 200 << 20)

      // The repaired provider makes the widget fresh again.
      sandbox.remove("config/intentd/widgets/bad")
      try sandbox.widget("bad", script: Sandbox.answer(title: "mended"))
      #expect(try client.reload("bad")["state"] == "done")
      let mended = try client.widget("bad")
      #expect(mended["stale"] == false)
      #expect(mended["error"] == nil)
      #expect(mended["entry"]?["content"]?["title"] == "mended")
      try sandbox.stop(daemon)
    }
  }

  @Test func `processes that a good provider leaves behind are ended with it`() throws {
    try withSandbox { sandbox in
      // The second process keeps the provider's output open.
      try sandbox.widget(
        "parent",
        script: "sleep 600 </dev/null >/dev/null 2>&1 &\nsleep 601 &\n"
          + Sandbox.answer(title: "done"))
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("parent") == "done")
      try eventually("nothing is left: \(sandbox.strays(besides: daemon))") {
        sandbox.strays(besides: daemon).isEmpty
      }
      try sandbox.stop(daemon)
    }
  }

  @Test func `a first load that fails leaves a widget without content, with the reason`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("never", script: "exit 7")
      try sandbox.manifest("missing", exec: "[./missing]")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("never") == "dropped")
      #expect(try client.add("missing") == "dropped")
      let never = try client.widget("never")
      #expect(never["entry"] == nil)
      #expect(never["stale"] == true)
      #expect(never["error"]?.stringValue?.contains("exit code 7") == true)
      let missing = try client.widget("missing")["error"]?.stringValue ?? ""
      #expect(
        missing.contains("could not be started") && missing.contains("/missing"), "\(missing)")
      try sandbox.stop(daemon)
    }
  }

  /// There are four slots, and four more for what a person waits for, such as a placed widget.
  @Test func `at most eight providers run at once and all get their turn`() throws {
    try withSandbox { sandbox in
      try sandbox.addIntents()
      try sandbox.widget(
        "counted",
        script: """
          mkdir -p "$INTENTD_CACHE/now"
          touch "$INTENTD_CACHE/now/$$"
          ls "$INTENTD_CACHE/now" | wc -l >> "$INTENTD_CACHE/seen"
          sleep 0.1
          rm "$INTENTD_CACHE/now/$$"
          \(Sandbox.answer(title: "turn"))
          """, settings: "intent: TakeNote")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      var receipts: [JSONValue] = []
      for number in 0..<20 {
        let added = try client.call(
          "widget.add",
          [
            "kind": "counted", "id": .string("w\(number)"),
            "parameters": ["note": .string("n\(number)")],
          ])
        receipts.append(added["receipt"]?["id"] ?? .null)
      }
      for receipt in receipts {
        #expect(
          try client.call("widget.receipt", ["id": receipt, "wait": true])["receipt"]?["state"]
            == "done")
      }
      let seen = contents(of: sandbox.root + "/cache/intentd/counted/seen").split(separator: "\n")
        .compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
      #expect(seen.count == 20)
      #expect((seen.max() ?? 99) <= 8)
      try sandbox.stop(daemon)
    }
  }

  @Test func `a provider sees its own environment, folder, request and nothing else`() throws {
    try withSandbox { sandbox in
      try sandbox.addIntents()
      try sandbox.widget(
        "spy",
        script: """
          cat > request
          tr '\\0' '\\n' < /proc/$$/environ > environment
          pwd > folder
          for d in /proc/$$/fd/*; do readlink "$d"; done > descriptors
          tr '\\0' '\\n' < /proc/$$/cmdline > arguments
          # 6 is the process group, 7 the session; both are the provider's own.
          cut -d' ' -f1,5,6 /proc/$$/stat > identity
          grep -E '^Sig(Blk|Ign)' /proc/$$/status | cut -f2 > signals
          \(Sandbox.answer(title: "seen"))
          """,
        settings: "intent: TakeNote\nenv: {UNITS: metric, LANG: de_DE.UTF-8, COUNT: 3}")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      // The daemon has connections, the store and the log open while it starts the provider.
      let others = try (0..<20).map { _ in try sandbox.connect() }
      #expect(try client.add("spy", parameters: ["note": #"a "quoted" $(note) 北京"#]) == "done")
      func seen(_ name: String) -> [String] {
        contents(of: "\(sandbox.widgets)/\(name)").split(separator: "\n").map(String.init)
      }
      #expect(
        seen("environment").sorted() == [
          "COUNT=3", "HOME=\(sandbox.root)/home", "INTENTD_CACHE=\(sandbox.root)/cache/intentd/spy",
          "INTENTD_DATA=\(sandbox.root)/config/intentd/intents", "INTENTD_FAMILY=systemSmall",
          "INTENTD_KIND=spy", "LANG=de_DE.UTF-8", "LC_TIME=C", "PATH=\(Sandbox.searchPath)",
          "TMPDIR=\(sandbox.root)/tmp", "TZ=UTC", "UNITS=metric", "USER=somebody",
          "XDG_DATA_HOME=\(sandbox.root)/data", "XDG_RUNTIME_DIR=\(sandbox.root)/run",
        ])
      #expect(seen("folder") == [sandbox.widgets])
      // The provider has its three pipes, and the descriptors that the shell itself opened.
      let open = seen("descriptors").filter {
        !$0.hasPrefix("pipe:") && !$0.hasPrefix("/proc/") && !$0.hasPrefix(sandbox.widgets)
      }
      #expect(open == [])
      #expect(Set(seen("descriptors").filter { $0.hasPrefix("pipe:") }).count == 3)
      #expect(seen("arguments").last?.hasSuffix("/spy.run") == true)
      let identity = seen("identity").first?.split(separator: " ") ?? []
      #expect(identity.count == 3 && Set(identity).count == 1, "\(identity)")
      #expect(seen("signals").allSatisfy { $0.allSatisfy { $0 == "0" } }, "\(seen("signals"))")
      let request = try JSONValue(parsing: contents(of: sandbox.widgets + "/request"))
      #expect(request["request"] == "timeline")
      #expect(request["kind"] == "spy")
      #expect(request["family"] == "systemSmall")
      #expect(
        request["intent"] == [
          "name": "TakeNote", "parameters": ["note": #"a "quoted" $(note) 北京"#],
        ])
      #expect(request["isPreview"] == false)
      #expect(request["locale"] == "en_US")
      #expect(others.count == 20)
      try sandbox.stop(daemon)
    }
  }

  @Test(.enabled(if: Programs.isInstalled("python3"), "python3 is not installed"))
  func `memory beyond the manifest's limit is not given`() throws {
    try withSandbox { sandbox in
      try sandbox.write(
        "config/intentd/widgets/greedy.py",
        """
        import json, sys
        block = bytearray(500 * 1024 * 1024)
        print(json.dumps({"entries": [{"date": "2020-01-01T00:00:00Z", "content": {"title": "fat"}}]}))
        """)
      try sandbox.manifest("greedy", exec: "[python3, greedy.py]", provider: "memory: 64MB")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("greedy") == "dropped")
      let failure = try client.call("daemon.history", ["widget": "greedy"])["entries"]?.arrayValue?
        .first { $0["event"] == "reload.failed" }
      #expect(failure?["diagnostics"]?.stringValue?.contains("MemoryError") == true)
      // With enough memory the same program answers.
      try sandbox.manifest("greedy", exec: "[python3, greedy.py]", provider: "memory: 1GB")
      try client.call("daemon.reloadConfiguration")
      #expect(try ["done", "coalesced"].contains(client.reload("greedy")["state"]?.stringValue))
      #expect(try client.widget("greedy")["entry"]?["content"]?["title"] == "fat")
      try sandbox.stop(daemon)
    }
  }

  @Test func `removing a widget ends a run that no widget needs`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("slow", script: "sleep 600", provider: "timeout: 10m")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      try client.call("widget.add", ["kind": "slow", "id": "slow"])
      try eventually("it runs") { !sandbox.strays(besides: daemon).isEmpty }
      try client.call("widget.remove", ["id": "slow"])
      try eventually("it has ended: \(sandbox.strays(besides: daemon))") {
        sandbox.strays(besides: daemon).isEmpty
      }
      // The supervisor tells the daemon once every process is gone.
      try eventually("the daemon knows") { try client.call("daemon.status")["running"] == 0 }
      try sandbox.stop(daemon)
    }
  }

  @Test func `no provider outlives a daemon that was killed`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("slow", script: "exec sleep 600", provider: "timeout: 10m")
      let daemon = try sandbox.startDaemon()
      try sandbox.connect().call("widget.add", ["kind": "slow", "id": "slow"])
      try eventually("it runs") { !sandbox.strays(besides: daemon).isEmpty }
      daemon.killGroup()
      try eventually("it has ended") {
        Processes.naming(sandbox.root).filter { $0 != getpid() }.isEmpty
      }
    }
  }
}
