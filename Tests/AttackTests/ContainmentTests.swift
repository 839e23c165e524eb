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
  /// Places a widget whose provider is `script`, expects that its run fails and leaves no process,
  /// and returns the reason that the daemon gives.
  private func failure(
    of script: String, interpreter: String = "/bin/sh", provider: String = ""
  ) throws -> String {
    var message = ""
    try withSandbox { sandbox in
      try sandbox.widget("hostile", script: script, interpreter: interpreter, provider: provider)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("hostile") == "dropped")
      message = try client.widget("hostile")["error"]?.stringValue ?? ""
      try eventually("nothing of it is left: \(sandbox.strays(besides: daemon))") {
        sandbox.strays(besides: daemon).isEmpty
      }
      try sandbox.stop(daemon)
    }
    return message
  }

  /// Lines of a script that leave six processes in sessions of their own; `$HOME/pids` has three.
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

  @Test func `shared memory counts towards the limit of a run`() throws {
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

  @Test func `the memory of all processes of a run counts together`() throws {
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

  @Test func `a run that starts eight hundred processes is ended, and all of them`() throws {
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

  @Test func `the processor time of all processes of a run counts together`() throws {
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

  /// Starts a daemon and another program, and says which of their files it can read. The files of
  /// the other program show that it is the daemon that denies it.
  private static let reader = """
    import os, subprocess, sys
    program, home = sys.argv[1:]
    if os.getuid() == 0:
        # The kernel gives the files of a process that denies inspection to root, who may read all.
        os.setgroups([]); os.setgid(65534); os.setuid(65534)
    daemon = subprocess.Popen([program, "--config", home + "/config", "--state", home + "/state",
        "--socket", home + "/socket"], stderr=subprocess.PIPE, text=True,
        env={"HOME": home, "XDG_CACHE_HOME": home})
    for line in daemon.stderr:
        if "daemon.ready" in line: break
    else: sys.exit("the daemon does not serve")
    # It echoes a line, so it is cat by now, and no copy of this program.
    other = subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    other.stdin.write(b"ready\\n"); other.stdin.flush(); other.stdout.readline()
    for owner, pid in (("the daemon's", daemon.pid), ("another's", other.pid)):
        for name in ("mem", "environ", "maps"):
            try:
                os.close(os.open(f"/proc/{pid}/{name}", os.O_RDONLY))
                print(owner, name, "can be read")
            except PermissionError:
                print(owner, name, "is denied")
    for child in (daemon, other):
        child.terminate()
        child.wait()
    """

  @Test func `other programs of the user cannot read the daemon's memory`() throws {
    try withSandbox { sandbox in
      let home = sandbox.root + "/theirs"
      try sandbox.makeFolder("theirs/config")
      if getuid() == 0 {
        for folder in [home, home + "/config"] { chown(folder, 65_534, 65_534) }
        chmod(sandbox.root, 0o755)
      }
      let outcome = try sandbox.run(
        "/usr/bin/python3", ["-c", Self.reader, Programs.daemon, home])
      #expect(
        outcome.lines == [
          "the daemon's mem is denied", "the daemon's environ is denied",
          "the daemon's maps is denied", "another's mem can be read",
          "another's environ can be read", "another's maps can be read",
        ], "\(outcome)")
    }
  }

  /// A manifest of the person may say `privileges: true`; what the unit takes, no provider gets back.
  @Test func `the unit of the package sets nothing that takes privileges from every provider`()
    throws
  {
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
