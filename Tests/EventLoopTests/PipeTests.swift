import CPosix
import EventLoop
import Glibc
import Testing
import Timekeeping

@Suite struct PipeTests {
  let folder = TemporaryFolder()
  var path: String { folder.file("daemon.sock") }

  @Test func `bytes written one at a time come back in order`() throws {
    let sent = Array("a line\nand another\n".utf8)
    var received: [UInt8] = []
    var peer: (uid: UInt32, pid: Int32)?
    var serverEnd: [LoopError?] = []
    try onLoop { loop in
      _ = try PipeListener(loop: loop, path: path, backlog: 8) { stream in
        peer = stream.peer
        stream.startReading(
          onBytes: { stream.write(Array($0)) },
          onEnd: {
            serverEnd.append($0)
            stream.close()
            loop.stop()
          })
      }
      let client = try PipeStream(loop: loop, descriptor: connect(to: path))
      var next = 0
      func sendNext() {
        client.write([sent[next]])
        next += 1
      }
      client.startReading(
        onBytes: {
          received += $0
          if next < sent.count { sendNext() } else { client.shutdownAfterWrites() }
        }, onEnd: { _ in Issue.record("the server hung up") })
      sendNext()
    }
    #expect(received == sent)
    #expect(peer?.uid == getuid())
    #expect(peer?.pid == getpid())
    #expect(serverEnd == [nil])
  }

  @Test func `a peer that does not read makes the queue grow, and it drains when it reads`() throws
  {
    let chunk = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let chunks = 50
    var received: [UInt8] = []
    var drains = 0
    try onLoop { loop in
      let (near, far) = socketPair()
      let stream = try PipeStream(loop: loop, descriptor: near)
      let peer = try PipeStream(loop: loop, descriptor: far)
      #expect(stream.queuedBytes == 0)
      var last = 0
      for index in 0..<chunks {
        stream.write(chunk)
        if index >= 10 { #expect(stream.queuedBytes == last + chunk.count) }
        last = stream.queuedBytes
      }
      #expect(last > 4_000_000)
      #expect(last < chunks * chunk.count)
      stream.onDrained = {
        drains += 1
        #expect(stream.queuedBytes == 0)
        loop.stop()
      }
      peer.startReading(onBytes: { received += $0 }, onEnd: { _ in })
    }
    #expect(drains == 1)
    // Bytes that the kernel still held when the loop stopped are missing; all others are in order.
    let expected = (0..<chunks).flatMap { _ in chunk }
    #expect(received.count > expected.count - 1_000_000)
    #expect(received[...] == expected.prefix(received.count))
  }

  @Test func `shutdownAfterWrites delivers everything, then closes`() throws {
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 >> 3) }
    var received: [UInt8] = []
    var isClosed = false
    try onLoop { loop in
      let (near, far) = socketPair()
      let stream = try PipeStream(loop: loop, descriptor: near)
      let peer = try PipeStream(loop: loop, descriptor: far)
      stream.onClosed = { isClosed = true }
      stream.write(bytes)
      stream.shutdownAfterWrites()
      stream.write([1, 2, 3])
      #expect(!stream.isClosing)
      peer.startReading(
        onBytes: { received += $0 },
        onEnd: {
          #expect($0 == nil)
          loop.stop()
        })
    }
    #expect(received == bytes)
    #expect(isClosed)
  }

  @Test func `a write to a peer that left surfaces as the end, not inside the write`() throws {
    var ends: [LoopError?] = []
    var isWriting = false
    try onLoop { loop in
      let (near, far) = socketPair()
      let stream = try PipeStream(loop: loop, descriptor: near)
      stream.startReading(
        onBytes: { _ in },
        onEnd: {
          #expect(!isWriting)
          ends.append($0)
          stream.write([1])
          loop.stop()
        })
      stream.stopReading()
      stream.stopReading()
      close(far)
      isWriting = true
      stream.write([1, 2, 3])
      stream.write([4])
      isWriting = false
    }
    #expect(ends.map { $0?.errno } == [EPIPE])
    #expect(ends.first??.operation == "write to")
  }

  @Test func `a stopped stream delivers nothing until it is resumed`() throws {
    var received: [UInt8] = []
    try onLoop { loop in
      let (near, far) = socketPair()
      let stream = try PipeStream(loop: loop, descriptor: near)
      var isStopped = true
      stream.startReading(
        onBytes: {
          #expect(!isStopped)
          received += $0
          loop.stop()
        }, onEnd: { _ in })
      stream.stopReading()
      stream.stopReading()
      #expect(send(far, "abc", 3, 0) == 3)
      let timer = LoopTimer(loop: loop)
      timer.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: 5)) {
        isStopped = false
        stream.resumeReading()
        stream.resumeReading()
        close(far)
      }
    }
    #expect(received == Array("abc".utf8))
  }

  @Test func `a stream may be closed in its own callback and calls nothing afterwards`() throws {
    var calls = 0
    try onLoop { loop in
      let (near, far) = socketPair()
      let stream = try PipeStream(loop: loop, descriptor: near)
      stream.startReading(
        onBytes: { _ in
          calls += 1
          stream.write(Array(repeating: 0, count: 5_000_000))
          stream.close()
          stream.close()
          stream.write([1])
          stream.resumeReading()
        }, onEnd: { _ in Issue.record("an end after close") })
      stream.onDrained = { Issue.record("drained after close") }
      #expect(send(far, "abc", 3, 0) == 3)
      stream.onClosed = {
        calls += 10
        close(far)
        loop.stop()
      }
    }
    #expect(calls == 11)
  }

  @Test func `the socket belongs to its user alone and goes with the listener`() throws {
    try onLoop { loop in
      let before = umask(0)
      let listener = try PipeListener(loop: loop, path: path, backlog: 8) { _ in }
      umask(before)
      var found = stat()
      #expect(lstat(path, &found) == 0)
      #expect(found.st_mode & 0o777 == 0o600)
      listener.close()
      #expect(lstat(path, &found) != 0)
      // After closing, the path is free, also for this process.
      let next = try PipeListener(loop: loop, path: path, backlog: 8) { _ in }
      #expect(lstat(path, &found) == 0)
      next.close()
      loop.stop()
    }
  }

  @Test func `the path is free at once, though a child still has a copy of the lock`() throws {
    try onLoop { loop in
      let listener = try PipeListener(loop: loop, path: path, backlog: 8) { _ in }
      // All tests of the process have descriptors, so the number may be any.
      let numbers = 3..<sysconf(Int32(_SC_OPEN_MAX))
      let held = try #require(
        numbers.first { link("/proc/self/fd/\($0)") == "\(path).lock" })
      let copy = dup(Int32(held))
      defer { close(copy) }
      listener.close()
      let next = try PipeListener(loop: loop, path: path, backlog: 8) { _ in }
      next.close()
      loop.stop()
    }
  }

  /// Returns the target of a symbolic link; `nil` if `path` is none.
  private func link(_ path: String) -> String? {
    var target = [UInt8](repeating: 0, count: 4_096)
    let count = target.withUnsafeMutableBytes { buffer in
      readlink(path, buffer.bindMemory(to: CChar.self).baseAddress!, buffer.count)
    }
    return count < 0 ? nil : String(decoding: target.prefix(count), as: UTF8.self)
  }

  @Test func `a listener leaves a file alone that replaced its own`() throws {
    try onLoop { loop in
      let listener = try PipeListener(loop: loop, path: path, backlog: 8) { _ in }
      make(folder.file("other"), "mine", mode: 0o600)
      #expect(rename(folder.file("other"), path) == 0)
      listener.close()
      #expect(readAll(path) == "mine")
      loop.stop()
    }
  }

  @Test func `a stale socket file is replaced`() throws {
    let stale = cposix_bind(path, 0o600)
    try #require(stale >= 0)
    close(stale)
    #expect(connect(to: path) == -ECONNREFUSED)
    var connections = 0
    try onLoop { loop in
      _ = try PipeListener(loop: loop, path: path, backlog: 8) { _ in
        connections += 1
        loop.stop()
      }
      let client = connect(to: path)
      #expect(client >= 0)
      close(client)
    }
    #expect(connections == 1)
  }

  @Test func `a live listener is refused, with the lock and without`() throws {
    func refusal(_ loop: Loop) -> LoopError? {
      do throws(LoopError) {
        _ = try PipeListener(loop: loop, path: path, backlog: 8) { _ in }
        return nil
      } catch {
        return error
      }
    }
    try onLoop { loop in
      let listener = try PipeListener(loop: loop, path: path, backlog: 8) { _ in }
      let refused = refusal(loop)
      #expect(refused?.code == .addressInUse)
      #expect(
        refused?.message == "cannot listen on \(path): another process is listening there")
      // The refused attempt left the live listener intact.
      #expect(connect(to: path) >= 0)
      listener.close()
      loop.stop()
    }
    let stranger = cposix_bind(path, 0o600)
    try #require(stranger >= 0 && listen(stranger, 1) == 0)
    defer { close(stranger) }
    try onLoop { loop in
      #expect(refusal(loop)?.code == .addressInUse)
      loop.stop()
    }
    #expect(connect(to: path) >= 0)
  }

  @Test func `a file that is no socket is left where it is`() throws {
    make(path, "precious", mode: 0o600)
    try onLoop { loop in
      #expect(throws: LoopError.self) {
        _ = try PipeListener(loop: loop, path: path, backlog: 8) { _ in }
      }
      loop.stop()
    }
    #expect(readAll(path) == "precious")
  }

  @Test(arguments: [107, 108, 200])
  func `a path is bound whole or refused`(count: Int) throws {
    let name = String(repeating: "n", count: count - folder.path.utf8.count - 1)
    let path = folder.file(name)
    #expect(path.utf8.count == count)
    try onLoop { loop in
      do throws(LoopError) {
        _ = try PipeListener(loop: loop, path: path, backlog: 8) { _ in }
        #expect(count <= 107)
        #expect(connect(to: path) >= 0)
      } catch {
        #expect(count > 107)
        #expect(error.code == .pathTooLong)
        #expect(error.message.contains("\(count) bytes"))
      }
      loop.stop()
    }
  }

  @Test func `a folder that does not exist is not found`() throws {
    try onLoop { loop in
      do throws(LoopError) {
        _ = try PipeListener(loop: loop, path: folder.file("none/s"), backlog: 8) { _ in }
        Issue.record("it listens nowhere")
      } catch {
        #expect(error.code == .notFound)
      }
      loop.stop()
    }
  }

  @Test func `an inherited socket is listened on, and its file stays`() throws {
    let descriptor = cposix_bind(path, 0o600)
    try #require(descriptor >= 0)
    _ = fcntl(descriptor, F_SETFD, 0)
    let sockets = readSocketActivation(
      environment: [
        "LISTEN_PID": "\(getpid())", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "control",
      ], firstDescriptor: descriptor)
    #expect(sockets.map(\.descriptor) == [descriptor])
    #expect(sockets.map(\.name) == ["control"])
    #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
    var connections = 0
    try onLoop { loop in
      let listener = try PipeListener(loop: loop, inheritedDescriptor: descriptor) { stream in
        connections += 1
        stream.close()
        loop.stop()
      }
      #expect(!listener.isClosing)
      close(connect(to: path))
    }
    #expect(connections == 1)
    #expect(access(path, F_OK) == 0)
  }

  @Test(arguments: [
    [:], ["LISTEN_PID": "1", "LISTEN_FDS": "1"], ["LISTEN_FDS": "1"],
    ["LISTEN_PID": "\(getpid())"], ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "0"],
    ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "-1"],
    ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "1000000000"],
    ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "one"],
    // The variables are right, but the descriptor is not open.
    ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "1"],
  ])
  func `inherited sockets for another process are not taken`(environment: [String: String]) {
    let sockets = readSocketActivation(environment: environment, firstDescriptor: 1_000_000)
    #expect(sockets.isEmpty)
  }

  @Test(arguments: ["path", "abstract"])
  func `the service manager is told`(kind: String) throws {
    let name = kind == "path" ? folder.file("notify") : "@eventloop-test-\(getpid())"
    let manager = datagramSocket(at: name)
    defer { close(manager) }
    // Call the C function: the environment variable would affect the whole test process.
    #expect(cposix_notify(name, "READY=1\nSTATUS=up", 17) == 0)
    var buffer = [UInt8](repeating: 0, count: 100)
    let count = recv(manager, &buffer, buffer.count, 0)
    try #require(count == 17)
    #expect(String(decoding: buffer[..<count], as: UTF8.self) == "READY=1\nSTATUS=up")
  }

  @Test func `without a service manager nothing is told`() { notifySystemd("READY=1") }
}

/// Tests that end a process of their own; `make test` runs them apart (docs/TESTING.md).
@Suite struct PipeExitTests {
  @Test func `running out of descriptors is reported once`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let folder = TemporaryFolder()
      var errors: [LoopError] = []
      do {
        try onLoop { loop in
          let listener = try PipeListener(loop: loop, path: folder.file("s"), backlog: 64) { _ in }
          listener.onAcceptError = { errors.append($0) }
          var clients: [Int32] = []
          for _ in 0..<20 { clients.append(connect(to: folder.file("s"))) }
          // Allow three descriptors above the highest one in use.
          let top = (Int32(0)..<1024).last { fcntl($0, F_GETFD) >= 0 } ?? 0
          while true {
            let filler = dup(0)
            if filler > top {
              close(filler)
              break
            }
          }
          var limit = rlimit(rlim_cur: rlim_t(top + 4), rlim_max: rlim_t(top + 4))
          setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
          // It goes on failing: a second complaint would come within a moment of the first.
          let timer = LoopTimer(loop: loop)
          eventually(loop, { !errors.isEmpty }) {
            timer.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: 50)) { loop.stop() }
          }
        }
      } catch {
        exit(2)
      }
      let isSaid = errors.count == 1 && errors[0].errno == EMFILE
      exit(isSaid && errors[0].message.contains("LimitNOFILE") ? 0 : Int32(10 + errors.count))
    }
  }
}
