import DaemonTestSupport
import Glibc
import JSON
import Testing

/// A plugin that stays running, was downloaded, and wants more than it was granted.
@Suite(.serialized) struct BoxedStreamTests {
  private static let kind = "song"

  /// It leaves a process in a session of its own, which ignores SIGTERM, and prints what it reaches.
  private static let script = """
    #!/bin/sh
    trap '' TERM
    setsid sleep 7654.321 &
    n=0
    while :; do
      n=$((n+1))
      diary=$(cat "$INTENTD_HOME/diary" 2>/dev/null || echo denied)
      socket=$(ls "$SOCKET_FOLDER" 2>/dev/null || echo denied)
      touch "$INTENTD_HOME/left" 2>/dev/null && diary=written
      echo "$diary, $socket, $n"
      sleep 0.2
    done

    """

  private func install(_ sandbox: Sandbox) throws {
    try sandbox.write("home/diary", "secret")
    try sandbox.write(
      "download/widget.yaml",
      """
      kind: \(Self.kind)
      name: Song
      families: [systemSmall]
      provider: {exec: [./song.sh], protocol: waybar, stream: true}
      env: {SOCKET_FOLDER: \(sandbox.root)/run}

      """)
    try sandbox.write("download/song.sh", Self.script, mode: 0o755)
    let outcome = try sandbox.send("install", "\(sandbox.root)/download", "--grant", "none")
    #expect(outcome.status == 0, "\(outcome)")
  }

  private func title(_ client: WireClient) throws -> String {
    try client.widget(Self.kind)["entry"]?["content"]?["title"]?.stringValue ?? ""
  }

  /// The processes of the stream, in and below its shell.
  private func processes(_ sandbox: Sandbox) -> [Int32] {
    Processes.naming(sandbox.root).filter {
      let command = Processes.command(of: $0)
      return Processes.isRunning($0)
        && (command.contains("song.sh") || command.contains("sleep 7654.321"))
    }
  }

  @Test func `a stream in a box shows its frames, reaches nothing, and ends with its processes`()
    throws
  {
    guard BoxRig.isPossible else { return }
    try withSandbox { sandbox in
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      let surface = try sandbox.connect()
      try surface.call("surface.attach", ["visible": true])
      try install(sandbox)
      #expect(try client.add(Self.kind) == "done")
      try eventually("frames come one after the other") {
        try (title(client).split(separator: " ").last.flatMap { Int($0) } ?? 0) >= 3
      }
      let shown = try title(client)
      #expect(shown.hasPrefix("denied, denied, "), "\(shown)")
      #expect(access(sandbox.root + "/home/left", F_OK) != 0)
      let first = processes(sandbox)
      #expect(first.count >= 2, "the shell, and the process that it left")

      // Begun anew, it has another tree, and none of the old one is left.
      #expect(try client.reload(Self.kind)["state"] == "done")
      let second = processes(sandbox)
      #expect(Set(first).isDisjoint(with: second), "\(first) \(second)")
      #expect(first.filter(Processes.isRunning) == [])
      #expect(try title(client).hasPrefix("denied, denied, "))

      // Nobody looks: it ends, with what it left.
      surface.close()
      try eventually("nothing of it is left") { processes(sandbox).isEmpty }
      // A process that is ending has no environment any more, and is no zombie yet.
      try eventually("each has ended") { second.filter(Processes.isRunning).isEmpty }

      // Uninstalled while it runs, it ends too.
      let other = try sandbox.connect()
      try other.call("surface.attach", ["visible": true])
      try eventually("it runs again") { processes(sandbox).count >= 2 }
      #expect(try sandbox.send("uninstall", Self.kind).status == 0)
      try eventually("nothing of it is left") { processes(sandbox).isEmpty }
      try sandbox.stop(daemon)
    }
  }
}
