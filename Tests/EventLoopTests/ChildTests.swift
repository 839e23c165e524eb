import CPosix
import EventLoop
import Foundation
import Glibc
import Testing
import Timekeeping

/// Tests child processes: their input and output, what they inherit, their limits and their ends.
@Suite struct ChildTests {
  let folder = TemporaryFolder()

  @Test func `output, errors and exit code arrive apart`() throws {
    let transcript = try Transcript.of(.shell("echo out; echo err >&2; exit 7"))
    #expect(transcript.text == "out\n")
    #expect(transcript.errorText == "err\n")
    #expect(transcript.exit == .exited(code: 7))
  }

  @Test func `arguments are never split and the folder is the requested one`() throws {
    let arguments = ["two words", "", "$HOME;`id`", "ü", "*"]
    let transcript = try Transcript.of(
      .shell("pwd -P; printf '[%s]' \"$@\"", arguments: arguments, in: "/usr/bin"))
    #expect(transcript.text == "/usr/bin\n" + arguments.map { "[\($0)]" }.joined())
  }

  @Test func `the environment is exactly the requested one`() throws {
    let environment = [
      ("PATH", "/none:/usr/bin:/bin"), ("B", "two words"), ("A", "x=y"), ("E", ""),
    ]
    let transcript = try Transcript.of(
      ChildSpec(
        program: "env", arguments: ["env"], environment: environment, workingDirectory: "/"))
    #expect(transcript.text == environment.map { "\($0.0)=\($0.1)\n" }.joined())
  }

  @Test func `a child inherits the standard descriptors and no others`() throws {
    // This descriptor is not close-on-exec, like one that a library opened.
    let leak = dup(0)
    try #require(fcntl(leak, F_GETFD) == 0)
    defer { close(leak) }
    let transcript = try Transcript.of(
      ChildSpec(
        program: "/bin/ls", arguments: ["ls", "/proc/self/fd"], environment: [],
        workingDirectory: "/"))
    // Descriptor 3 is the folder that `ls` reads.
    #expect(transcript.text == "0\n1\n2\n3\n")
  }

  @Test func `signals are as for a new program: nothing ignored, nothing blocked`() throws {
    let transcript = try Transcript.of(
      ChildSpec(
        program: "/bin/cat", arguments: ["cat", "/proc/self/status"], environment: [],
        workingDirectory: "/"))
    for name in ["SigBlk", "SigIgn", "SigCgt"] {
      #expect(transcript.text.contains("\(name):\t0000000000000000\n"))
    }
  }

  @Test func `a child has a session and a process group of its own`() throws {
    var pid: Int32 = 0
    let transcript = Transcript()
    try onLoop { loop in
      pid = try transcript.start(
        loop,
        ChildSpec(
          program: "/bin/cat", arguments: ["cat", "/proc/self/stat"], environment: [],
          workingDirectory: "/")
      ).pid
    }
    let fields = transcript.text.split(separator: " ").map(String.init)
    #expect([fields[0], fields[4], fields[5]] == Array(repeating: "\(pid)", count: 3))
  }

  @Test func `input larger than any buffer goes through and comes back`() throws {
    let sent = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 >> 2) }
    let transcript = Transcript()
    try onLoop { loop in
      let child = try transcript.start(loop, .shell("cat", wantsInput: true))
      child.writeInput(sent)
      child.closeInput()
    }
    #expect(transcript.output == sent)
    #expect(transcript.exit == .exited(code: 0))
  }

  @Test func `a child that ignores its input does no harm`() throws {
    let transcript = Transcript()
    try onLoop { loop in
      let child = try transcript.start(loop, .shell("exec <&-; echo done", wantsInput: true))
      child.writeInput(Array(repeating: 65, count: 1_000_000))
    }
    #expect(transcript.text == "done\n")
    #expect(transcript.exit == .exited(code: 0))
  }

  @Test func `without input there is nothing to read`() throws {
    let transcript = try Transcript.of(.shell("cat; readlink /proc/$$/fd/0"))
    #expect(transcript.text == "/dev/null\n")
  }

  @Test func `terminate reaches a child that listens`() throws {
    let transcript = Transcript()
    try onLoop { loop in
      let child = try transcript.start(
        loop,
        ChildSpec(
          program: "/bin/sleep", arguments: ["sleep", "1000"], environment: [],
          workingDirectory: "/"))
      child.terminate()
    }
    #expect(transcript.exit == .signaled(signal: SIGTERM))
  }

  @Test func `a child that ignores SIGTERM is killed`() throws {
    let transcript = Transcript()
    try onLoop { loop in
      var child: ChildProcess?
      child = try transcript.start(
        loop, .shell("trap 'echo ignored' TERM; echo ready; while :; do sleep 0.01; done"),
        onStdout: {
          if transcript.text == "ready\n" { child?.terminate() }
          if transcript.text.contains("ignored") { child?.kill() }
        })
    }
    #expect(transcript.text.contains("ignored"))
    #expect(transcript.exit == .signaled(signal: SIGKILL))
  }

  @Test func `killing a child kills the processes that it started`() throws {
    let transcript = Transcript()
    var grandchild: Int32 = 0
    try onLoop { loop in
      var child: ChildProcess?
      child = try ChildProcess.start(
        loop: loop, spec: .shell("sleep 1000 & echo $!; wait"),
        onStdout: {
          transcript.output += $0
          grandchild = Int32(transcript.text.dropLast()) ?? 0
          child?.kill()
        }, onStderr: { _ in },
        onExit: {
          transcript.exit = $0
          eventually(loop, { isGone(grandchild) }, then: loop.stop)
        })
    }
    #expect(transcript.exit == .signaled(signal: SIGKILL))
    #expect(grandchild > 0 && isGone(grandchild))
  }

  @Test func `a grandchild that keeps the output open delays the end only briefly`() throws {
    let transcript = Transcript()
    var grandchild: Int32 = 0
    try onLoop { loop in
      var child: ChildProcess?
      child = try ChildProcess.start(
        loop: loop, spec: .shell("sleep 1000 & echo $!; exit 5"),
        onStdout: { transcript.output += $0 }, onStderr: { _ in },
        onExit: {
          transcript.exit = $0
          grandchild = Int32(transcript.text.dropLast()) ?? 0
          #expect(!isGone(grandchild))
          child?.kill()
          eventually(loop, { isGone(grandchild) }, then: loop.stop)
        })
    }
    #expect(transcript.exit == .exited(code: 5))
    #expect(grandchild > 0)
  }

  @Test func `a flood is cut off`() throws {
    let transcript = Transcript()
    try onLoop { loop in
      var child: ChildProcess?
      child = try transcript.start(
        loop,
        ChildSpec(
          program: "/usr/bin/yes", arguments: ["yes"], environment: [], workingDirectory: "/"),
        onStdout: { if transcript.output.count > 1_000_000 { child?.stopReadingOutput() } })
    }
    #expect(transcript.exit == .signaled(signal: SIGPIPE))
    #expect(transcript.output.count < 1_200_000)
  }

  @Test func `memory is limited`() throws {
    let limits = try Transcript.of(.shell("ulimit -d; ulimit -c", memoryBytesMax: 32 << 20))
    #expect(limits.text == "32768\n0\n")
    let glutton = try Transcript.of(
      ChildSpec(
        program: "/usr/bin/tail", arguments: ["tail", "/dev/zero"],
        environment: [("LC_ALL", "C")], workingDirectory: "/", memoryBytesMax: 32 << 20))
    #expect(glutton.exit == .exited(code: 1))
    #expect(glutton.errorText.contains("memory exhausted"))
  }

  @Test func `dropping a running child kills it and waits for it`() throws {
    let transcript = Transcript()
    var pid: Int32 = 0
    try onLoop { loop in
      let child = try transcript.start(loop, .shell("sleep 1000"))
      pid = child.pid
      child.close()
      child.close()
      // No zombie is left: the process number is free again.
      eventually(loop, { kill(pid, 0) != 0 && errno == ESRCH }, then: loop.stop)
    }
    #expect(transcript.exit == nil)
  }

  @Test func `closing the loop kills running children`() throws {
    var pid: Int32 = 0
    try onLoop { loop in
      pid = try Transcript().start(loop, .shell("sleep 1000")).pid
      loop.stop()
    }
    var status: Int32 = 0
    // The loop may have waited for the child already.
    if waitpid(pid, &status, 0) == pid { #expect(status & 0x7f == SIGKILL) }
    #expect(isGone(pid))
  }

  @Test func `a detached child has no ties to the daemon and lives on`() throws {
    #expect(mkfifo(folder.file("in"), 0o600) == 0)
    #expect(mkfifo(folder.file("out"), 0o600) == 0)
    // Open both ends, so that opening does not wait.
    let input = open(folder.file("in"), O_RDWR)
    let output = open(folder.file("out"), O_RDWR)
    defer {
      close(input)
      close(output)
    }
    var pid: Int32 = 0
    try onLoop { loop in
      let transcript = Transcript()
      let child = try transcript.start(
        loop,
        .shell(
          "read word < in; for n in 0 1 2; do readlink /proc/$$/fd/$n; done > out; "
            + "echo $word > out", isDetached: true, in: folder.path))
      pid = child.pid
      child.close()
      loop.stop()
    }
    #expect(write(input, "alive\n", 6) == 6)
    var text = ""
    while !text.hasSuffix("alive\n") {
      var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      try #require(poll(&ready, 1, 240_000) == 1)
      var buffer = [UInt8](repeating: 0, count: 1000)
      let count = read(output, &buffer, buffer.count)
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
    // A zombie would keep exit tests waiting.
    var status: Int32 = 0
    #expect(waitpid(pid, &status, 0) == pid)
    // The loop's output went to `out`, so the second line names it and not /dev/null.
    #expect(text == "/dev/null\n\(folder.file("out"))\n/dev/null\nalive\n")
  }

  @Test func `the end of a detached child is reported too`() throws {
    let transcript = try Transcript.of(.shell("echo lost; exit 4", isDetached: true))
    #expect(transcript.exit == .exited(code: 4))
    #expect(transcript.output.isEmpty)
  }

  @Test func `a program that somebody is still writing is tried again`() throws {
    let path = folder.file("busy")
    make(path, "#!/bin/sh\necho done\n", mode: 0o700)
    // Whoever writes a file keeps it from being executed.
    let writer = open(path, O_WRONLY | O_CLOEXEC)
    try #require(writer >= 0)
    let closer = Thread {
      usleep(5_000)
      close(writer)
    }
    closer.start()
    let spec = ChildSpec(
      program: path, arguments: [path], environment: [("PATH", "/usr/bin:/bin")],
      workingDirectory: "/")
    let transcript = try Transcript.of(spec)
    #expect(transcript.text == "done\n")
    #expect(transcript.exit == .exited(code: 0))
  }

  @Test func `a program that somebody is writing for long is named`() throws {
    let path = folder.file("busy")
    make(path, "#!/bin/sh\necho done\n", mode: 0o700)
    let writer = open(path, O_WRONLY | O_CLOEXEC)
    try #require(writer >= 0)
    defer { close(writer) }
    let spec = ChildSpec(
      program: path, arguments: [path], environment: [], workingDirectory: "/")
    #expect(throws: LoopError.self) { try Transcript.of(spec) }
  }

  @Test func `a program that cannot start says why`() throws {
    make(folder.file("plain"), "hello", mode: 0o600)
    make(folder.file("headless"), "echo hello\n", mode: 0o700)
    make(folder.file("orphan"), "#!/no/such/interpreter\n", mode: 0o700)
    func failure(_ program: String, in directory: String? = nil) throws -> LoopError? {
      var failure: LoopError?
      try onLoop { loop in
        let spec = ChildSpec(
          program: program, arguments: [program], environment: [("PATH", "/usr/bin:/bin:.")],
          workingDirectory: directory ?? folder.path)
        do throws(LoopError) {
          try Transcript().start(loop, spec)
        } catch {
          failure = error
          loop.stop()
        }
      }
      return failure
    }

    let missing = try failure("./nothing")
    #expect(missing?.code == .notFound)
    #expect(
      missing?.message == "cannot start ./nothing: there is no \(folder.path)/./nothing")
    let unknown = try failure("no-such-program")
    #expect(unknown?.code == .notFound)
    #expect(
      unknown?.message
        == "cannot start no-such-program: no such program in PATH (/usr/bin:/bin:.)")
    // A relative folder of PATH does not count.
    #expect(try failure("headless")?.code == .notFound)
    let plain = try failure("./plain")
    #expect(plain?.code == .permissionDenied)
    let headless = try failure("./headless")
    #expect(headless?.errno == ENOEXEC)
    #expect(headless?.message.contains("#!/bin/sh") == true)
    let orphan = try failure("./orphan")
    #expect(orphan?.message.contains("interpreter") == true)
    let nowhere = try failure("/bin/true", in: "/no/such/folder")
    #expect(nowhere?.code == .notFound)
    #expect(nowhere?.message.contains("working folder /no/such/folder") == true)
    #expect(try failure("a\0b")?.errno == EINVAL)
  }

  @Test(arguments: [("", "x"), ("A=B", "x"), ("A\0", "x"), ("A", "x\0y")])
  func `an environment no program could read is refused`(name: String, value: String) throws {
    try onLoop { loop in
      var spec = ChildSpec.shell("exit 0")
      spec.environment = [(name, value)]
      #expect(throws: LoopError.self) { try Transcript().start(loop, spec) }
      loop.stop()
    }
  }

  @Test func `a hundred children at once all end well`() throws {
    var exits: [ChildExit] = []
    var outputs = 0
    try onLoop { loop in
      for index in 0..<100 {
        _ = try ChildProcess.start(
          loop: loop, spec: .shell("echo x; exit \(index)"),
          onStdout: { outputs += $0.count }, onStderr: { _ in },
          onExit: {
            exits.append($0)
            if exits.count == 100 { loop.stop() }
          })
      }
    }
    #expect(Set(exits) == Set((0..<100).map { ChildExit.exited(code: $0) }))
    #expect(outputs == 200)
  }
}
