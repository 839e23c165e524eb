import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Tests a real daemon on a disk that is really full.
///
/// Requests that must be written are refused and others are served. The daemon recovers by itself
/// when there is room again.
struct DiskFullTests {
  @Test func `a full disk refuses writes, reads go on, and it recovers by itself`() throws {
    try withSandbox { sandbox in
      try prepare(sandbox)
      try sandbox.makeFolder("state/intentd")
      let mount = "mount -t tmpfs -o size=768k none '\(sandbox.state)'"
      let unshare = ["--user", "--map-root-user", "--mount", "/bin/sh", "-c"]
      guard Programs.isInstalled("unshare"),
        try sandbox.run("/usr/bin/unshare", unshare + [mount]).ending == .exited(0)
      else {
        print("skipped: no tmpfs of our own, since this kernel gives no user namespaces")
        return
      }
      let daemon = try sandbox.start(
        "/usr/bin/unshare", unshare + ["\(mount) && exec '\(Programs.daemon)'"])
      try sandbox.waitUntilServing(daemon)
      let client = try sandbox.connect()
      // The path of the disk, seen from outside the daemon's namespace.
      let disk = "/proc/\(daemon.pid)/root\(sandbox.state)"
      let kept = try fillAndRecover(
        client, sandbox,
        fill: { try Self.fill("\(disk)/filler") },
        empty: { try #require(unlink("\(disk)/filler") == 0) })

      // Copy the files of the disk now: a power loss would leave these.
      try sandbox.makeFolder("after")
      for ending in ["", "-wal"] {
        let bytes = try #require(
          FileManager.default.contents(atPath: "\(disk)/intentd.sqlite\(ending)"))
        try bytes.write(to: URL(fileURLWithPath: "\(sandbox.root)/after/intentd.sqlite\(ending)"))
      }
      try sandbox.stop(daemon)
      try check(kept, sandbox, state: sandbox.root + "/after")
    }
  }

  @Test func `a limit of file size is a full disk`() throws {
    try withSandbox { sandbox in
      try prepare(sandbox)
      guard Programs.isInstalled("prlimit") else {
        print("skipped: no prlimit to set a limit with")
        return
      }
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      func limit(_ value: String) throws {
        let outcome = try sandbox.run(
          "/usr/bin/prlimit", ["--pid", "\(daemon.pid)", "--fsize=\(value)"])
        try #require(outcome.ending == .exited(0), "\(outcome.errors)")
      }
      let kept = try fillAndRecover(
        client, sandbox, fill: { try limit("65536:unlimited") },
        empty: { try limit("unlimited:unlimited") })
      daemon.killGroup()
      try check(kept, sandbox, state: sandbox.state)
    }
  }

  // MARK: Helpers

  private func prepare(_ sandbox: Sandbox) throws {
    try sandbox.addIntents()
    try sandbox.manifest(
      "noted", exec: "[/bin/sleep, \"600\"]", settings: "intent: TakeNote", provider: "timeout: 10m"
    )
  }

  /// Fills the disk, pushes until the daemon refuses, makes room, and pushes on.
  ///
  /// Returns the last acknowledged titles.
  private func fillAndRecover(
    _ client: WireClient, _ sandbox: Sandbox, fill: () throws -> Void, empty: () throws -> Void
  ) throws -> [String: String] {
    var kept: [String: String] = [:]
    for number in 0..<4 {
      try client.place("noted", id: "w\(number)", parameters: ["note": .string("n\(number)")])
      try push("first \(number)", to: "w\(number)", client)
      kept["w\(number)"] = "first \(number)"
    }
    try fill()
    var refusal: JSONValue?
    for round in 0..<400 where refusal == nil {
      let id = "w\(round % 3)"
      do throws(WireError) {
        try push("round \(round)", to: id, client)
        kept[id] = "round \(round)"
      } catch {
        guard case .refused(let code, let message, let data) = error else { throw error }
        #expect(code == -32040)
        #expect(
          message.contains("no room left") && message.contains("intentd.sqlite"), "\(message)")
        // The title is the one that was taken last.
        refusal = data
      }
    }
    #expect(try #require(refusal)["name"] == "storeUnavailable")
    #expect(refusal?["reason"] == "diskFull")

    // Reads are still served.
    #expect(try client.widget("w3")["entry"]?["content"]?["title"] == "first 3")
    #expect(
      try client.call("intent.recognize", ["text": "show weather for Beijing"])["matched"] == true)
    let status = try client.call("daemon.status")
    #expect(status["store"]?["state"] == "failing")
    let metrics = try client.call("daemon.metrics")["text"]?.stringValue ?? ""
    #expect(metrics.contains("\nintentd_store_failing 1\n"))

    try empty()
    try eventually("the store works again") {
      try client.call("daemon.status")["store"]?["state"] == "ok"
    }
    try push("after", to: "w1", client)
    kept["w1"] = "after"
    return kept
  }

  private func push(_ title: String, to id: String, _ client: WireClient) throws(WireError) {
    let entry: JSONValue = [
      "date": "2020-01-01T00:00:00Z",
      "content": ["title": .string(title), "text": .string(String(repeating: "x", count: 3_000))],
    ]
    try client.call(
      "widget.push", ["id": .string(id), "timeline": ["entries": [entry], "policy": "never"]])
  }

  private func check(_ kept: [String: String], _ sandbox: Sandbox, state: String) throws {
    try #require(kept.count >= 3)
    let next = try sandbox.startDaemon(["--state", state])
    let client = try sandbox.connect()
    for (id, title) in kept.sorted(by: { $0.key < $1.key }) {
      #expect(try client.widget(id)["entry"]?["content"]?["title"] == .string(title))
    }
    #expect(!next.errors.contains("store.repaired"))
    try sandbox.stop(next)
  }

  private static func fill(_ path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    for size in [65_536, 4_096, 1] {
      let bytes = [UInt8](repeating: 0, count: size)
      while write(descriptor, bytes, size) == size {}
    }
  }
}
