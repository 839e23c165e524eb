import DaemonCore
import Glibc
import Logging
import Testing

@testable import DaemonRuntime

/// Tests the datagrams that systemd's journal gets.
struct JournalTests {
  private final class Journal {
    let path: String
    private let descriptor: Int32

    init() throws {
      var template = Array("/tmp/journal.XXXXXX".utf8CString)
      let made = template.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
      }
      path = try #require(made) + "/socket"
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let bound = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(bound == 0)
    }

    deinit {
      close(descriptor)
      unlink(path)
      rmdir(String(path.dropLast("/socket".count)))
    }

    /// Returns the next datagram without waiting for one.
    func receive() -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      return Array(bytes.prefix(max(0, count)))
    }
  }

  @Test func `an event is one entry, each key a field`() throws {
    let journal = try Journal()
    let socket = try #require(JournalSocket(path: journal.path))
    let log = Logger(label: "test") { _ in
      ServiceLogHandler(level: .notice, isJournal: true, journal: socket)
    }
    log.write(
      LogLine(
        .warning, "provider.failed",
        ["kind": "org.example.clock", "reason": "two\nlines", "exit-code": "1"]))
    var expected = Array(
      """
      MESSAGE=event=provider.failed exit-code=1 kind=org.example.clock reason="two\\nlines"
      PRIORITY=4
      SYSLOG_IDENTIFIER=intentd
      INTENTD_EVENT=provider.failed
      INTENTD_EXIT_CODE=1
      INTENTD_KIND=org.example.clock
      INTENTD_REASON

      """.utf8)
    expected += [9, 0, 0, 0, 0, 0, 0, 0] + Array("two\nlines\n".utf8)
    #expect(journal.receive() == expected)
    log.write(LogLine(.debug, "not.shown"))
    #expect(journal.receive() == [])
  }

  @Test func `what steers a terminal or hides in a name is shown as an escape`() throws {
    let journal = try Journal()
    let socket = try #require(JournalSocket(path: journal.path))
    let log = Logger(label: "test") { _ in
      ServiceLogHandler(level: .notice, isJournal: true, journal: socket)
    }
    log.write(
      LogLine(
        .warning, "provider.failed",
        ["kind": "a\u{202E}b", "path": "/\u{1B}]52;c;AAAA\u{7}", "title": "北京"]))
    #expect(
      String(decoding: journal.receive(), as: UTF8.self) == """
        MESSAGE=event=provider.failed kind="a\\u{202E}b" path="/\\x1B]52;c;AAAA\\x07" title=北京
        PRIORITY=4
        SYSLOG_IDENTIFIER=intentd
        INTENTD_EVENT=provider.failed
        INTENTD_KIND=a\\u{202E}b
        INTENTD_PATH=/\\x1B]52;c;AAAA\\x07
        INTENTD_TITLE=北京

        """)
  }

  @Test func `standard error is the journal only if systemd connected it`() throws {
    let journal = try Journal()
    var status = stat()
    try #require(fstat(STDERR_FILENO, &status) == 0)
    let here = "\(status.st_dev):\(status.st_ino)"
    #expect(JournalSocket(stream: here, path: journal.path) != nil)
    #expect(JournalSocket(stream: "1:2", path: journal.path) == nil)
    #expect(JournalSocket(stream: nil, path: journal.path) == nil)
    #expect(JournalSocket(stream: here, path: journal.path + ".not") == nil)
    #expect(JournalSocket(stream: here, path: String(repeating: "x", count: 200)) == nil)
  }
}
