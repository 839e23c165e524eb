import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Tests long-lived providers: one process answers many requests and is restarted when it fails.
@Suite(.enabled(if: Programs.isInstalled("python3"), "python3 is not installed"))
struct ExtensionTests {
  /// A provider that does what the file `plan` says; its answers contain its process id.
  private static let program = """
    import json, os, signal, sys, time
    print("hello from", os.getpid(), file=sys.stderr, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue
        plan = open("plan").read().strip()
        answer = {"jsonrpc": "2.0", "id": request["id"]}
        if plan == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        if plan == "exit":
            sys.exit(0)
        if plan == "hang":
            time.sleep(600)
        if plan == "stubborn":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            while True:
                time.sleep(600)
        if plan == "silent":
            continue
        if plan == "wait":
            open("waiting", "w").close()
            while not os.path.exists("go"):
                time.sleep(0.01)
        if plan == "garbage":
            print("  debug: %s" % ("y" * 200), flush=True)
            continue
        if plan == "nan":
            print('{"jsonrpc": "2.0", "id": %s, "result": {"x": NaN}}' % request["id"], flush=True)
            continue
        if plan == "refuse":
            answer["error"] = {"code": 1, "message": "the key has expired"}
        elif plan == "nonsense":
            answer["result"] = {"entries": 3}
        elif plan == "flood":
            while True:
                sys.stdout.write("x" * 65536)
        else:
            if plan == "noise":
                print("")
                print(json.dumps({"jsonrpc": "2.0", "method": "progress"}))
                print(json.dumps({"jsonrpc": "2.0", "id": 999999, "result": {}}))
            intent = request["params"]["intent"]
            answer["result"] = {"policy": "never", "entries": [{"date": "2020-01-01T00:00:00Z",
                "content": {"title": "%s" % os.getpid(), "text": json.dumps(intent)}}]}
        print(json.dumps(answer), flush=True)
    open("goodbye", "a").write("%s\\n" % os.getpid())
    """

  private func withExtension(
    timeout: String = "30s", exec: String = "[python3, ext.py]",
    _ body: (Sandbox, Program, WireClient) throws -> Void
  ) throws {
    try withSandbox { sandbox in
      try sandbox.write(
        "config/intentd/widgets/ext.py", "#!/usr/bin/env python3\n" + Self.program, mode: 0o755)
      try sandbox.manifest(
        "ext", exec: exec, provider: "protocol: extension\ntimeout: \(timeout)")
      try plan("answer", sandbox)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      try body(sandbox, daemon, client)
      try sandbox.stop(daemon)
      try eventually("it has ended with the daemon") {
        Processes.naming(sandbox.root).filter { $0 != getpid() }.isEmpty
      }
    }
  }

  private func plan(_ word: String, _ sandbox: Sandbox) throws {
    try sandbox.write("config/intentd/widgets/plan", word)
  }

  private func pid(_ client: WireClient) throws -> String {
    try client.widget("ext")["entry"]?["content"]?["title"]?.stringValue ?? ""
  }

  @Test func `one process answers every request`() throws {
    try withExtension { sandbox, daemon, client in
      #expect(try client.add("ext") == "done")
      let first = try pid(client)
      for _ in 0..<5 { #expect(try client.reload("ext")["state"] == "done") }
      #expect(try pid(client) == first)
      try plan("noise", sandbox)
      #expect(try client.reload("ext")["state"] == "done")
      #expect(try pid(client) == first)
      #expect(Processes.children(of: daemon.pid).count == 1)
    }
  }

  @Test(
    arguments: [
      ("crash", "signal 11"), ("exit", "exit code 0"), ("hang", "within 10s"),
      ("stubborn", "within 10s"), ("flood", "more than 4194304 bytes"),
    ])
  func `a process that failed is ended and the next request gets a new one`(
    plan word: String, error: String
  ) throws {
    // Time enough for Python to start, or to write a flood, on a busy machine.
    try withExtension(timeout: word == "flood" ? "60s" : "10s") { sandbox, daemon, client in
      #expect(try client.add("ext") == "done")
      let first = try pid(client)
      try plan(word, sandbox)
      let receipt = try client.reload("ext")
      #expect(receipt["state"] == "dropped")
      #expect(receipt["reason"]?.stringValue?.contains(error) == true, "\(receipt.serialized)")
      let failed = try client.widget("ext")
      #expect(failed["stale"] == true)
      #expect(failed["entry"]?["content"]?["title"] == .string(first))
      // Ask at once, while the old process may still be ending.
      try plan("answer", sandbox)
      #expect(try client.reload("ext")["state"] == "done")
      let second = try pid(client)
      #expect(second != first)
      try eventually("only the new process is left: \(sandbox.strays(besides: daemon))") {
        Processes.children(of: daemon.pid).map(String.init) == [second]
      }
      #expect(try client.widget("ext")["stale"] == false)
    }
  }

  @Test func `an answer that is a refusal or malformed fails its request only`() throws {
    try withExtension { sandbox, _, client in
      #expect(try client.add("ext") == "done")
      let first = try pid(client)
      try plan("refuse", sandbox)
      #expect(
        try client.reload("ext")["reason"]?.stringValue?.contains("the key has expired") == true)
      try plan("nonsense", sandbox)
      #expect(
        try client.reload("ext")["reason"]?.stringValue?.contains("entries is a number") == true)
      try plan("answer", sandbox)
      #expect(try client.reload("ext")["state"] == "done")
      #expect(try pid(client) == first)
    }
  }

  @Test func `a request that is never answered delays no other`() throws {
    try withExtension(timeout: "10s") { sandbox, _, client in
      #expect(try client.add("ext") == "done")
      try plan("silent", sandbox)
      #expect(try client.reload("ext")["reason"]?.stringValue?.contains("within 10s") == true)
      try plan("answer", sandbox)
      #expect(try client.reload("ext")["state"] == "done")
    }
  }

  @Test(
    arguments: [
      ("garbage", "it wrote the line 'debug: yyyy"), ("nan", #""result": {"x": NaN}}', which"#),
    ])
  func `a line that is no JSON fails its request at once, and shows its beginning`(
    plan word: String, shown: String
  ) throws {
    try withExtension(timeout: "10m") { sandbox, _, client in
      #expect(try client.add("ext") == "done")
      let first = try pid(client)
      try plan(word, sandbox)
      let reason = try client.reload("ext")["reason"]?.stringValue ?? ""
      #expect(reason.contains(shown), "\(reason)")
      #expect(reason.contains("other text belongs to standard error"))
      #expect(reason.utf8.count < 400)
      try plan("answer", sandbox)
      #expect(try client.reload("ext")["state"] == "done")
      #expect(try pid(client) == first, "the process stays")
    }
  }

  @Test(arguments: ["[./ext.py]", "[python3, ext.py]", "[python3, -u, ./ext.py]"])
  func `a program that was saved anew answers the next request`(exec: String) throws {
    try withExtension(exec: exec) { sandbox, daemon, client in
      #expect(try client.add("ext") == "done")
      let first = try pid(client)
      let anew = Self.program.replacing(#""%s" % os.getpid()"#, with: #""new %s" % os.getpid()"#)
      try sandbox.write(
        "config/intentd/widgets/ext.py", "#!/usr/bin/env python3\n" + anew, mode: 0o755)
      #expect(try client.reload("ext")["state"] == "done")
      let second = try pid(client)
      #expect(second.hasPrefix("new "))
      try eventually("the old one has left by itself") {
        contents(of: sandbox.widgets + "/goodbye") == first + "\n"
      }
      try eventually("one process is left") { Processes.children(of: daemon.pid).count == 1 }
      #expect(try client.reload("ext")["state"] == "done")
      #expect(try pid(client) == second, "which stays")
    }
  }

  @Test func `a program that is replaced answers what it was asked, and one that is gone stays`()
    throws
  {
    try withExtension(exec: "[./ext.py]") { sandbox, _, client in
      #expect(try client.add("ext") == "done")
      let first = try pid(client)
      // Its linker removed it and will write it anew: until then nothing can be started.
      sandbox.remove("config/intentd/widgets/ext.py")
      #expect(try client.reload("ext")["state"] == "done")
      #expect(try pid(client) == first)

      try plan("wait", sandbox)
      let placed = try client.call(
        "widget.add", ["kind": "ext", "id": "line", "family": "accessoryInline"])
      try eventually("it is asked") {
        FileManager.default.fileExists(atPath: sandbox.widgets + "/waiting")
      }
      try plan("answer", sandbox)
      try sandbox.write(
        "config/intentd/widgets/ext.py", "#!/usr/bin/env python3\n" + Self.program, mode: 0o755)
      #expect(try client.reload("ext")["state"] == "done")
      #expect(try pid(client) != first, "the new one answers while the old one works")
      try sandbox.write("config/intentd/widgets/go", "")
      let id = try #require(placed["receipt"]?["id"])
      let ended = try client.call("widget.receipt", ["id": id, "wait": true])
      #expect(ended["receipt"]?["state"] == "done")
      #expect(try client.widget("line")["entry"]?["content"]?["title"] == .string(first))
    }
  }

  @Test func `a changed manifest gets a new process and the old one is told to go`() throws {
    try withExtension { sandbox, daemon, client in
      #expect(try client.add("ext") == "done")
      let first = try pid(client)
      try sandbox.manifest(
        "ext", exec: "[python3, ext.py, again]", provider: "protocol: extension\ntimeout: 30s")
      try client.call("daemon.reloadConfiguration")
      try eventually("the new process has answered") { try pid(client) != first }
      try eventually("the old one has left by itself") {
        contents(of: sandbox.widgets + "/goodbye") == first + "\n"
      }
      try eventually("one process is left") { Processes.children(of: daemon.pid).count == 1 }
    }
  }
}
