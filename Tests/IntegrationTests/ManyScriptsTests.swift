import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Two hundred scripts of another bar in one daemon, of which twenty hang, flood or die.
@Suite(.serialized) struct ManyScriptsTests {
  private static let goodKinds = (100..<280).map { "good\($0)" }
  /// Seconds between two runs of a good script: 36 runs a second of all.
  private static let period = 5

  /// Scripts that never show anything, by the beginning of their kinds.
  private static let badScripts = [
    "hang": "exec sleep 600", "stubborn": "trap '' TERM HUP INT; while :; do sleep 600; done",
    "flood": "exec cat /dev/zero", "die": "echo last words >&2; kill -9 $$",
    "fail": "echo no network >&2; exit 3",
  ]
  private static let badKinds = badScripts.keys.sorted()
    .flatMap { name in (0..<4).map { "\(name)\($0)" } }

  private func write(to sandbox: Sandbox) throws {
    try sandbox.makeFolder("home/runs")
    for kind in Self.goodKinds {
      try sandbox.write(
        "config/intentd/plugins/\(kind).\(Self.period)s.sh",
        "#!/bin/sh\necho run >> \"$HOME/runs/\(kind)\"\necho fine\n", mode: 0o755)
    }
    for (name, script) in Self.badScripts {
      for number in 0..<4 {
        // Those that hang do so longer than the five seconds of a slot.
        let timeout = name == "flood" ? "1m" : "8s"
        try sandbox.widget(
          "\(name)\(number)", script: script,
          provider: "protocol: xbar\nevery: 10s\ntimeout: \(timeout)")
      }
    }
  }

  /// The runs of each good script so far.
  private func runs(_ sandbox: Sandbox) -> [String: Int] {
    var runs: [String: Int] = [:]
    for kind in Self.goodKinds {
      runs[kind] = contents(of: "\(sandbox.root)/home/runs/\(kind)").split(separator: "\n").count
    }
    return runs
  }

  /// Reloads a widget as a person does, and expects the answer before a slot would be given back.
  private func reloadByHand(_ id: String, _ client: WireClient) throws {
    let clock = ContinuousClock()
    let start = clock.now
    #expect(try client.reload(id)["state"] == "done")
    let spent = clock.now - start
    #expect(spent < .seconds(5), "a reload by hand took \(spent)")
  }

  @Test func `twenty scripts that hang, flood or die hold up none of the others`() throws {
    try withSandbox { sandbox in
      try write(to: sandbox)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      let surface = try sandbox.connect()
      try surface.call("surface.attach")
      // The bad ones come first, and take every slot.
      for kind in Self.badKinds + Self.goodKinds {
        try client.call("widget.add", ["kind": .string(kind), "id": .string(kind)])
      }
      try eventually("each good script ran, and the twenty failed") {
        try client.call("daemon.status")["failingCount"] == 20
          && runs(sandbox).values.allSatisfy { $0 >= 1 }
      }
      try reloadByHand("good107", client)

      let clock = ContinuousClock()
      let start = clock.now
      let before = runs(sandbox)
      try eventually("each good script ran twice more") {
        let now = runs(sandbox)
        return Self.goodKinds.allSatisfy { (now[$0] ?? 0) - (before[$0] ?? 0) >= 2 }
      }
      let seconds = Int((clock.now - start).components.seconds)
      for (kind, count) in runs(sandbox) {
        // Not more often than its name says, either; the reload by hand is one more.
        #expect(count - (before[kind] ?? 0) <= seconds / Self.period + 2, "\(kind) in \(seconds) s")
      }
      try reloadByHand("good179", client)

      let status = try client.call("daemon.status")
      let failing = status["failing"]?.arrayValue ?? []
      #expect(Set(failing.compactMap { $0["id"]?.stringValue }) == Set(Self.badKinds))
      for (kind, reason) in [
        ("hang0", "8s"), ("stubborn0", "8s"), ("flood0", "wrote more than"), ("die0", "signal 9"),
        ("fail0", "exit code 3"),
      ] {
        let error = failing.first { $0["id"]?.stringValue == kind }?["error"]?.stringValue
        #expect(error?.contains(reason) == true, "\(kind): \(error ?? "no error")")
      }
      let text = try sandbox.send("status").output
      #expect(text.contains("20 failing ("), "\(text)")
      for id in ["good100", "good279"] {
        #expect(try client.widget(id)["entry"]?["content"]?["title"] == "fine")
      }
      try sandbox.stop(daemon)
      try eventually("no script is left: \(sandbox.strays(besides: daemon))") {
        sandbox.strays(besides: daemon).isEmpty
      }
    }
  }
}
