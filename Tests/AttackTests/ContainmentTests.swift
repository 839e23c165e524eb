import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Providers that try to outlive their run, to use up the machine, or to read the daemon.
///
/// No script here multiplies without a bound of its own: a rule that fails must not take the
/// machine down with the test.
@Suite(.serialized) struct ContainmentTests {
  /// Places a widget whose provider is `script`, and returns the daemon and why its run failed.
  private func failure(
    of script: String, interpreter: String = "/bin/sh", provider: String = "",
    then look: (Sandbox, Program) throws -> Void = { _, _ in }
  ) throws -> String {
    var message = ""
    try withSandbox { sandbox in
      try sandbox.widget("hostile", script: script, interpreter: interpreter, provider: provider)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("hostile") == "dropped")
      message = try client.widget("hostile")["error"]?.stringValue ?? ""
      try look(sandbox, daemon)
      try eventually("nothing of it is left: \(sandbox.strays(besides: daemon))") {
        sandbox.strays(besides: daemon).isEmpty
      }
      try sandbox.stop(daemon)
    }
    return message
  }

  private static let leavesSession = """
    for number in 1 2 3; do
      setsid sh -c 'setsid sleep 1000 & echo $! >> '"$HOME/pids"'; sleep 1000' > /dev/null 2>&1 &
    done
    while [ "$(wc -l < "$HOME/pids" 2> /dev/null || echo 0)" -lt 3 ]; do sleep 0.01; done

    """

  @Test func `a process that makes a session of its own ends with its run`() throws {
    try withSandbox { sandbox in
      try sandbox.widget(
        "hostile", script: Self.leavesSession + Sandbox.answer(title: "innocent"))
      let daemon = try sandbox.startDaemon()
      #expect(try sandbox.connect().add("hostile") == "done")
      try eventually("all have ended: \(sandbox.strays(besides: daemon))") {
        sandbox.strays(besides: daemon).isEmpty
      }
      #expect(contents(of: sandbox.root + "/home/pids").split(separator: "\n").count == 3)
      try sandbox.stop(daemon)
    }
  }

  @Test func `every process of a run ends with a daemon that is killed`() throws {
    try withSandbox { sandbox in
      try sandbox.widget(
        "hostile", script: Self.leavesSession + "echo > \"$HOME/ready\"; sleep 1000")
      let daemon = try sandbox.startDaemon()
      try sandbox.connect().call("widget.add", ["kind": "hostile", "id": "hostile"])
      let ready = sandbox.root + "/home/ready"
      try eventually("it runs") { access(ready, F_OK) == 0 }
      let supervisor = try #require(Processes.supervisor(of: daemon.pid))
      daemon.signal(SIGKILL)
      try daemon.waitUntilEnded()
      try eventually("the supervisor has ended") { !Processes.isRunning(supervisor) }
      #expect(Processes.naming(sandbox.root).filter { $0 != getpid() } == [])
    }
  }

  @Test func `without its supervisor a run fails, and the next one has another`() throws {
    try withSandbox { sandbox in
      try sandbox.widget(
        "hostile",
        script: "[ -e \"$HOME/ready\" ] && { \(Sandbox.answer(title: "again")); exit; }\n"
          + Self.leavesSession + "echo > \"$HOME/ready\"; sleep 1000")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      let id = try client.ask("widget.add", ["kind": "hostile", "id": "hostile"])
      let ready = sandbox.root + "/home/ready"
      try eventually("it runs") { access(ready, F_OK) == 0 }
      let supervisor = try #require(Processes.supervisor(of: daemon.pid))
      kill(supervisor, SIGKILL)
      _ = try client.answer(to: id)
      try eventually("its failure is known") {
        try client.widget("hostile")["error"]?.stringValue?.contains("supervisor") == true
      }
      try eventually("nothing of it is left: \(sandbox.strays(besides: daemon))") {
        sandbox.strays(besides: daemon).isEmpty
      }
      #expect(try client.reload("hostile")["state"] == "done")
      #expect(daemon.errors.contains("supervisor.lost"))
      try sandbox.stop(daemon)
    }
  }

  @Test func `shared memory counts`() throws {
    // Memory grows by 8 MiB at a time, and never beyond 2 GiB.
    let message = try failure(
      of: """
        import mmap
        shared = mmap.mmap(-1, 2 << 30)
        piece = bytes([1]) * (8 << 20)
        while shared.tell() + len(piece) <= 2 << 30: shared.write(piece)
        """, interpreter: "/usr/bin/python3", provider: "memory: 128MB")
    #expect(message.contains("provider.memory allows 128MB"), "\(message)")
  }

  @Test func `the memory of children counts together`() throws {
    let message = try failure(
      of: """
        import os, time
        for number in range(8):
            if os.fork() == 0:
                kept = bytearray(b"1") * (60 << 20)
                time.sleep(1000)
                os._exit(0)
        time.sleep(1000)
        """, interpreter: "/usr/bin/python3", provider: "memory: 128MB")
    #expect(message.contains("of memory; provider.memory allows 128MB"), "\(message)")
  }

  @Test func `eight hundred children are ended`() throws {
    let message = try failure(
      of: """
        import os, time
        for number in range(800):
            if os.fork() == 0:
                os.setsid()
                time.sleep(1000)
                os._exit(0)
        time.sleep(1000)
        """, interpreter: "/usr/bin/python3")
    #expect(
      message.contains("processes at the same time; provider.processes allows 64"), "\(message)")
  }

  @Test func `a file and a cache folder have a size`() throws {
    let file = try failure(
      of: "exec head -c 3000000 /dev/zero > \"$INTENTD_CACHE/large\"",
      provider: "fileSize: 2MB")
    #expect(file.contains("a file larger than 2MB; provider.fileSize"), "\(file)")
    let child = try failure(
      of: "head -c 3000000 /dev/zero > \"$INTENTD_CACHE/large\"", provider: "fileSize: 2MB")
    #expect(child.contains("a file larger than 2MB; provider.fileSize"), "\(child)")
    let folder = try failure(
      of: """
        for number in 1 2 3; do head -c 1000000 /dev/zero > "$INTENTD_CACHE/$number"; done
        \(Sandbox.answer(title: "innocent"))
        """, provider: "cache: 2MB")
    #expect(folder.contains("holds more than 2MB"), "\(folder)")
    #expect(folder.contains("raise provider.cache"), "\(folder)")
  }

  @Test func `the processor time of children counts together`() throws {
    let message = try failure(
      of: "for number in 1 2 3; do (while :; do :; done) & done; wait",
      provider: "processorTime: 1s")
    #expect(message.contains("more than 1s of processor time for one request"), "\(message)")
  }

  @Test func `no program of a provider gains privileges`() throws {
    try withSandbox { sandbox in
      try sandbox.widget(
        "plain",
        script: "state=$(grep NoNewPrivs /proc/self/status | tr -d '\\t')\n"
          + Sandbox.answer(title: "$state"))
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("plain") == "done")
      #expect(
        try client.widget("plain")["entry"]?["content"]?["title"] == "NoNewPrivs:1")
      try sandbox.stop(daemon)
    }
  }

  @Test func `others of the user cannot read the daemon`() throws {
    try withSandbox { sandbox in
      let daemon = try sandbox.startDaemon()
      // The kernel gives the files of a process that denies inspection to root, whoever runs it.
      let environment = "/proc/\(daemon.pid)/mem"
      let script = """
        import os, sys
        os.setgroups([]); os.setgid(65534); os.setuid(65534)
        """
      guard getuid() == 0 else {
        #expect(open(environment, O_RDONLY) == -1 && errno == EACCES)
        return try sandbox.stop(daemon)
      }
      try sandbox.stop(daemon)
      // As another user, who runs both the daemon and the one that reads it.
      let test =
        script + """

          import ctypes, subprocess, time
          daemon = subprocess.Popen([sys.argv[1], "--config", sys.argv[2] + "/config",
              "--state", sys.argv[2] + "/state", "--socket", sys.argv[2] + "/socket"],
              stderr=subprocess.PIPE, text=True, env={"HOME": sys.argv[2], "XDG_CACHE_HOME": sys.argv[2]})
          for line in daemon.stderr:
              if "daemon.ready" in line: break
          for name in ("mem", "environ", "maps"):
              try:
                  os.close(os.open(f"/proc/{daemon.pid}/{name}", os.O_RDONLY))
                  print(name, "can be read")
              except PermissionError:
                  print(name, "is denied")
          daemon.terminate()
          daemon.wait()
          """
      let home = sandbox.root + "/theirs"
      try sandbox.makeFolder("theirs/config")
      for folder in [home, home + "/config"] { chown(folder, 65_534, 65_534) }
      chmod(sandbox.root, 0o755)
      let outcome = try sandbox.run(
        "/usr/bin/python3", ["-c", test, Programs.daemon, home])
      #expect(outcome.output == "mem is denied\nenviron is denied\nmaps is denied\n", "\(outcome)")
    }
  }

  @Test func `the unit of the package takes no privileges from scripts that need them`() throws {
    let unit = contents(
      of: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path + "/packaging/intentd.service")
    let settings = unit.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: "=").first.map(String.init) }
    // For the manager of a user, each of these is a filter of system calls, which only a process
    // that gave up privileges may set.
    let implying = [
      "NoNewPrivileges", "SystemCallFilter", "SystemCallArchitectures", "SystemCallLog",
      "RestrictAddressFamilies", "RestrictNamespaces", "RestrictRealtime", "RestrictSUIDSGID",
      "MemoryDenyWriteExecute", "LockPersonality", "PrivateDevices", "ProtectKernelTunables",
      "ProtectKernelModules", "ProtectKernelLogs", "ProtectClock", "ProtectHostname",
      "DynamicUser",
    ]
    #expect(settings.contains("ExecStart"))
    #expect(settings.filter { implying.contains($0) } == [])
  }
}
