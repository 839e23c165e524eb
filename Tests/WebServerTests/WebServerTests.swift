import EventLoop
import Glibc
import Testing
import Timekeeping
import WebPages
import WebServer

/// Tests the server on a real loop, with real sockets.
@Suite struct WebServerTests {
  @Test func `a request is answered at once, with the guarding fields`() throws {
    let answer = try talk("GET /a%20b?x=1&y HTTP/1.1\r\nHost: h\r\nX-A: b\r\n\r\n") { exchange, _ in
      #expect(exchange.request.path == "/a b")
      #expect(exchange.request.query == [.init("x", "1"), .init("y", "")])
      #expect(exchange.request.header("x-a") == "b")
      exchange.answer(WebAnswer(200, text: "hello"))
    }
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("\r\n\r\nhello\n"))
    for field in WebAnswer.guarding {
      #expect(answer.contains("\(field.name): \(field.value)\r\n"))
    }
  }

  @Test func `an answer may come later, and a second one is dropped`() throws {
    let answer = try talk("GET / HTTP/1.1\r\nHost: h\r\n\r\n") { exchange, loop in
      let timer = LoopTimer(loop: loop)
      timer.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: 30)) {
        exchange.answer(WebAnswer(200, text: "later"))
        exchange.answer(WebAnswer(500, text: "again"))
      }
    }
    #expect(answer.hasSuffix("later\n"))
  }

  @Test func `a body arrives whole, and one that is too large is refused`() throws {
    let body = String(repeating: "b", count: 40_000)
    let answer = try talk(
      "POST /api/log HTTP/1.1\r\nHost: h\r\nContent-Length: 40000\r\n\r\n\(body)"
    ) { exchange, _ in
      exchange.answer(WebAnswer(200, text: "\(exchange.body.count)"))
    }
    #expect(answer.hasSuffix("40000\n"))
    let large = String(repeating: "b", count: 70_000)
    let refusal = try talk(
      "POST /api/log HTTP/1.1\r\nHost: h\r\nContent-Length: 70000\r\n\r\n\(large)"
    ) { _, _ in Issue.record("it was handed over") }
    #expect(refusal.hasPrefix("HTTP/1.1 413"))
  }

  @Test func `a head that is too long, or no HTTP, is refused before anybody sees it`() throws {
    let long = "GET / HTTP/1.1\r\nHost: h\r\nX: \(String(repeating: "x", count: 20_000))\r\n\r\n"
    let first = try talk(long) { _, _ in Issue.record("it was handed over") }
    #expect(first.hasPrefix("HTTP/1.1 4"))
    let second = try talk("\u{16}\u{3}\u{1} nonsense\r\n\r\n") { _, _ in
      Issue.record("it was handed over")
    }
    #expect(second.isEmpty || second.hasPrefix("HTTP/1.1 400") || second.hasPrefix("HTTP/1.0 400"))
  }

  @Test(arguments: [65, 70, 100])
  func `a request with too many fields is refused with 431`(count: Int) throws {
    let many = (1..<count).map { "X-\($0): y\r\n" }.joined()
    let answer = try talk("GET / HTTP/1.1\r\nHost: h\r\n\(many)\r\n") { _, _ in
      Issue.record("it was handed over")
    }
    #expect(answer.hasPrefix("HTTP/1.1 431") && answer.contains("Connection: close"))
  }

  @Test func `a request with as many fields as are read is served`() throws {
    let many = (1..<64).map { "X-\($0): y\r\n" }.joined()
    let answer = try talk("GET / HTTP/1.1\r\nHost: h\r\n\(many)\r\n") { exchange, _ in
      exchange.answer(WebAnswer(200, text: "\(exchange.request.head.count)"))
    }
    #expect(answer.hasSuffix("64\n"))
  }

  @Test(arguments: [
    "/panel/%ff.png", "/panel/weather.png%00.txt", "/%00", "/?a=%ff", "/?a=b%00c", "/?a%00=b",
    "/?" + String(repeating: "a=b&", count: 65),
  ])
  func `an address that is no text is refused with 400, and nothing is cut short`(
    address: String
  ) throws {
    let answer = try talk("GET \(address) HTTP/1.1\r\nHost: h\r\n\r\n") { exchange, _ in
      Issue.record("it was handed over: \(exchange.request)")
      exchange.answer(WebAnswer(200, text: ""))
    }
    #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains("Connection: close"))
  }

  @Test(arguments: [
    "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
    "Content-Length: 3\r\nContent-Length: 30\r\n\r\nabc",
    "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\r\ncontent-length: 3\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
  ])
  func `a request that says twice how long it is ends its connection`(rest: String) throws {
    let smuggled = "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"
    let request = "POST /api/log HTTP/1.1\r\nHost: h\r\n\(rest)\(smuggled)"
    let answer = try talk(request, toEnd: true) { exchange, _ in
      Issue.record("it was handed over: \(exchange.request)")
      exchange.answer(WebAnswer(200, text: ""))
    }
    #expect(answer.hasPrefix("HTTP/1.1 400"))
    #expect(answer.ranges(of: "HTTP/1.1 ").count == 1, "one answer: \(answer)")
  }

  @Test func `a client that does not finish its request is ended`() throws {
    for start in [
      "", "GET / HT", "GET / HTTP/1.1\r\nHost: h\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc",
    ] {
      let answer = try talk(start, patienceMilliseconds: 50) { _, _ in
        Issue.record("it was handed over")
      }
      #expect(answer.isEmpty)
    }
  }

  @Test func `a stream sends what there is, sleeps, and goes on`() throws {
    var pieces = ["one\n", "two\n"]
    var wakes = 0
    let request = "GET /events HTTP/1.1\r\nHost: h\r\n\r\n"
    let answer = try talk(request, until: "two") { exchange, loop in
      exchange.stream(WebAnswer(200, "text/event-stream", [])) {
        wakes += 1
        guard pieces.count == 2 || wakes > 2, !pieces.isEmpty else { return [] }
        return Array(pieces.removeFirst().utf8)
      }
      let timer = LoopTimer(loop: loop)
      timer.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: 30)) { exchange.wake() }
    }
    #expect(answer.contains("one\n") && answer.contains("two\n"))
    #expect(wakes <= 6, "it spins")
  }

  @Test func `a server that is closed ends the requests that wait`() throws {
    var hasEnded = false
    let answer = try talk("GET / HTTP/1.1\r\nHost: h\r\n\r\n", closing: true) { exchange, _ in
      exchange.onEnd = { hasEnded = true }
    }
    #expect(answer.isEmpty && hasEnded)
  }

  // MARK: The client

  /// Sends `text` to a server and returns what it answers, until it pauses or ends the connection.
  ///
  /// `toEnd` waits until the server ends the connection, and `closing` closes the server after a
  /// moment.
  private func talk(
    _ text: String, until end: String? = nil, toEnd: Bool = false,
    patienceMilliseconds: Int64 = 5_000, closing: Bool = false,
    _ handle: @escaping (WebExchange, Loop) -> Void
  ) throws -> String {
    let loop = try Loop()
    let socket = try ListeningSocket(address: "127.0.0.1", port: 0)
    #expect(socket.isLoopback && socket.servesPage)
    let server = try WebServer(
      loop: loop, listening: socket.descriptor, patienceMilliseconds: patienceMilliseconds
    ) { handle($0, loop) }
    let client = try connectToLoopback(socket.port)
    var rest = Array(text.utf8)[...]
    var received: [UInt8] = []
    func finish() {
      server.close()
      loop.stop()
    }
    let watcher = try DescriptorWatcher(loop: loop, descriptor: client) {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = read(client, &buffer, buffer.count)
      if count > 0 { received += buffer[..<count] }
      let text = String(decoding: received, as: UTF8.self)
      let isWhole = end.map { text.contains($0) } ?? (!toEnd && Self.isWhole(text))
      if count == 0 || count < 0 && errno != EAGAIN || isWhole { finish() }
    }
    let sending = LoopTimer(loop: loop)
    func send() {
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, 0x4000) }
        if count <= 0 { break }
        rest = rest.dropFirst(count)
      }
      guard !rest.isEmpty else { return }
      sending.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: 1)) { send() }
    }
    send()
    let closer = LoopTimer(loop: loop)
    let patience: Int64 = closing ? 100 : 20_000
    closer.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: patience)) {
      if !closing { Issue.record("the server said nothing for 20 s") }
      if closing { server.close() } else { finish() }
    }
    withExtendedLifetime(watcher) { loop.run() }
    return String(decoding: received, as: UTF8.self)
  }

  /// Whether an answer with a known length is there whole.
  private static func isWhole(_ text: String) -> Bool {
    guard let end = text.firstRange(of: "\r\n\r\n"),
      let length = text.firstRange(of: "Content-Length: ")
    else { return false }
    let digits = text[length.upperBound...].prefix { $0.isNumber }
    return text[end.upperBound...].utf8.count >= Int(digits) ?? 0
  }
}
