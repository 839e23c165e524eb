import EventLoop
import Glibc
import Testing
import Timekeeping
import WebPages
import WebServer

/// Tests the server with several clients at once, of which some do not behave.
@Suite struct CrowdTests {
  @Test func `a client that reads nothing is ended, and others are served meanwhile`() throws {
    var sentBytes = 0
    var hasEnded = false
    let piece = [UInt8](repeating: 0x78, count: 65_536)
    let crowd = try Crowd(silenceSeconds: 1) { exchange in
      guard exchange.request.path == "/events" else {
        return exchange.answer(WebAnswer(200, text: "served"))
      }
      exchange.onEnd = { hasEnded = true }
      exchange.stream(WebAnswer(200, "text/event-stream", [])) {
        sentBytes += piece.count
        return piece
      }
    }
    let slow = try crowd.connect()
    crowd.send("GET /events HTTP/1.1\r\nHost: h\r\n\r\n", to: slow)
    var servedCount = 0
    var other = try crowd.connect()
    crowd.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n", to: other)
    try crowd.run {
      if crowd.received(by: other).contains("served") {
        servedCount += 1
        other = try crowd.connect()
        crowd.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n", to: other)
      }
      return hasEnded && servedCount >= 3
    }
    #expect(hasEnded, "the slow one is closed")
    #expect(servedCount >= 3, "the others are served")
    // The kernel's buffers take some megabytes, and nothing beyond them is made.
    #expect((1..<33_554_432).contains(sentBytes), "\(sentBytes) bytes were made for it")
  }

  @Test func `one address has a few connections, and those that end make room`() throws {
    let crowd = try Crowd(connectionsOfAddressMax: 2) { exchange in
      exchange.answer(WebAnswer(200, text: "served"))
    }
    let first = [try crowd.connect(), try crowd.connect()]
    let third = try crowd.connect()
    var next: Int32?
    var wasRefused = false
    try crowd.run {
      guard wasRefused else {
        guard crowd.hasEnded(third) else { return false }
        wasRefused = true
        for client in first {
          crowd.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", to: client)
        }
        return false
      }
      guard first.allSatisfy({ crowd.hasEnded($0) }) else { return false }
      if let next, !crowd.hasEnded(next) { return crowd.received(by: next).contains("served") }
      let another = try crowd.connect()
      crowd.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n", to: another)
      next = another
      return false
    }
    #expect(wasRefused, "the third one of an address is closed")
    for client in first { #expect(crowd.received(by: client).contains("served")) }
    #expect(next.map { crowd.received(by: $0).contains("served") } == true, "there is room again")
  }
}

/// `MSG_NOSIGNAL`: a connection that the server ended is an error, and no signal.
private let noSignal: Int32 = 0x4000

private final class Crowd {
  private let loop: Loop
  private let server: WebServer
  private let port: UInt16
  private let timer: LoopTimer
  private var clients: [Int32: (text: String, hasEnded: Bool)] = [:]

  init(
    silenceSeconds: UInt32 = 20, connectionsOfAddressMax: Int = 0,
    _ handle: @escaping (WebExchange) -> Void
  ) throws {
    loop = try Loop()
    let socket = try ListeningSocket(address: "127.0.0.1", port: 0)
    port = socket.port
    server = try WebServer(
      loop: loop, listening: socket.descriptor, silenceSeconds: silenceSeconds,
      connectionsOfAddressMax: connectionsOfAddressMax, handle: handle)
    timer = LoopTimer(loop: loop)
  }

  deinit {
    for client in clients.keys { close(client) }
  }

  func connect() throws -> Int32 {
    let client = try connectToLoopback(port)
    clients[client] = ("", false)
    return client
  }

  func send(_ text: String, to client: Int32) {
    _ = text.withCString { Glibc.send(client, $0, text.utf8.count, noSignal) }
  }

  func received(by client: Int32) -> String {
    read(client)
    return clients[client]?.text ?? ""
  }

  func hasEnded(_ client: Int32) -> Bool {
    read(client)
    return clients[client]?.hasEnded ?? true
  }

  private func read(_ client: Int32) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(client, &buffer, buffer.count)
    if count > 0 { clients[client]?.text += String(decoding: buffer[..<count], as: UTF8.self) }
    if count == 0 || count < 0 && errno != EAGAIN { clients[client]?.hasEnded = true }
  }

  /// Runs the loop until the condition holds, for at most 30 s; once.
  func run(until isDone: @escaping () throws -> Bool) throws {
    let end = loop.readNow().monotonic.advanced(byMilliseconds: 30_000)
    var failure: (any Error)?
    func look() {
      do {
        if try isDone() || loop.readNow().monotonic >= end { return finish() }
      } catch {
        failure = error
        return finish()
      }
      timer.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: 10)) { look() }
    }
    func finish() {
      timer.close()
      server.close()
      loop.stop()
    }
    timer.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: 10)) { look() }
    loop.run()
    if let failure { throw failure }
  }
}
