import BlockingClient
import ClientTestSupport
import Glibc
import IntentProtocol
import JSON
import JSONRPC
import Synchronization
import Testing

/// The blocking client against a real socket.
struct DaemonClientTests {
  /// Milliseconds after which a test fails that waits for an answer.
  private let patience: Int64 = 240_000

  @Test func `a request is answered with its result`() throws {
    let daemon = FakeDaemon { request in [.result(["echo": request.params])] }
    defer { daemon.stop() }
    var client = try DaemonClient(connectingTo: daemon.path)
    let result = try client.request(.daemonPing, ["a": 1], timeoutMilliseconds: patience)
    #expect(result == ["echo": ["a": 1]])
    #expect(daemon.requests == [.init(method: "daemon.ping", params: ["a": 1])])
  }

  @Test func `notifications wait until they are asked for`() throws {
    let daemon = FakeDaemon { _ in
      [
        .notification(method: "surface.update", params: ["n": 1]), .result([:]),
        .notification(method: "surface.update", params: ["n": 2]),
      ]
    }
    defer { daemon.stop() }
    var client = try DaemonClient(connectingTo: daemon.path)
    _ = try client.request(.surfaceAttach, [:], timeoutMilliseconds: patience)
    let first = try client.notification(before: .after(milliseconds: patience))
    let second = try client.notification(before: .after(milliseconds: patience))
    #expect(first?.params == ["n": 1])
    #expect(second?.params == ["n": 2])
    let third = try client.notification(before: .after(milliseconds: 1))
    #expect(third == nil)
  }

  @Test func `an answer in pieces is one answer`() throws {
    let daemon = FakeDaemon { _ in
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"zerstückelt\"}\n".unicodeScalars
        .map { .raw(String($0)) }
    }
    defer { daemon.stop() }
    var client = try DaemonClient(connectingTo: daemon.path)
    let result = try client.request(.daemonPing, timeoutMilliseconds: patience)
    #expect(result == "zerstückelt")
  }

  private static let failures: [(script: [FakeDaemon.Action], error: ClientError)] = [
    (
      [.refusal(code: -32010, message: "no", data: ["name": "noMatch"])],
      .refused(RPCError(code: -32010, message: "no", data: ["name": "noMatch"]))
    ),
    ([], .answerTimedOut(method: "daemon.ping")),
    (
      [.raw("hello\n")],
      .protocolViolation(message: "parse error: expected a value at byte 0, found 'h'")
    ),
    // The daemon is full: it refuses without reading the request, and closes.
    (
      [
        .raw(
          "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32002,\"message\":\"full\"}}\n"),
        .close,
      ],
      .refused(RPCError(code: -32002, message: "full"))
    ),
  ]

  @Test(arguments: failures.indices)
  func `an answer that is no result is a typed failure`(_ index: Int) throws {
    let example = Self.failures[index]
    let daemon = FakeDaemon { _ in example.script }
    defer { daemon.stop() }
    var client = try DaemonClient(connectingTo: daemon.path)
    do {
      _ = try client.request(
        .daemonPing, timeoutMilliseconds: example.script.isEmpty ? 20 : patience)
      Issue.record("there was a result")
    } catch {
      #expect(error == example.error)
    }
  }

  @Test func `whoever waits for code waits while the daemon lives, and no longer`() throws {
    let pings = Mutex(0)
    let daemon = FakeDaemon { request in
      guard request.method == "daemon.ping" else { return [] }
      let count = pings.withLock { count in
        count += 1
        return count
      }
      // The third sign of life comes with the answer, and after it the daemon hangs.
      let answer = #"{"jsonrpc":"2.0","id":1,"result":"done"}"# + "\n"
      return switch count {
      case 1, 2: [.result([:])]
      case 3: [.raw(answer)]
      default: []
      }
    }
    defer { daemon.stop() }
    var client = try DaemonClient(connectingTo: daemon.path)
    let result = try client.request(patiently: "widget.tap", [:], silenceMilliseconds: 150)
    #expect(result == "done")
    #expect(pings.withLock { $0 } == 3, "each silence asks once")
    do {
      _ = try client.request(patiently: "widget.tap", [:], silenceMilliseconds: 20)
      Issue.record("there was a result")
    } catch {
      #expect(error == .answerTimedOut(method: "widget.tap"))
    }
  }

  @Test func `a refused ping is a sign of life, and no answer of the code`() throws {
    let pings = Mutex(0)
    let daemon = FakeDaemon { request in
      guard request.method == "daemon.ping" else { return [] }
      let refusal = #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"# + "\n"
      let answer = #"{"jsonrpc":"2.0","id":1,"result":"done"}"# + "\n"
      return pings.withLock { count in
        count += 1
        return [.raw(count == 1 ? refusal : answer)]
      }
    }
    defer { daemon.stop() }
    var client = try DaemonClient(connectingTo: daemon.path)
    let result = try client.request(patiently: "widget.tap", [:], silenceMilliseconds: 150)
    #expect(result == "done")
    #expect(pings.withLock { $0 } == 2)
  }

  @Test func `a connection that ends is known by its path`() throws {
    let daemon = FakeDaemon { _ in [.close] }
    defer { daemon.stop() }
    var client = try DaemonClient(connectingTo: daemon.path)
    do {
      _ = try client.request(.daemonPing, timeoutMilliseconds: patience)
      Issue.record("there was a result")
    } catch {
      #expect(error == .connectionLost(path: daemon.path))
    }
  }

  @Test func `a missing daemon, a long path and a large request are typed failures`() throws {
    let path = FakeDaemon.freshPath()
    #expect(failure(path) == .noDaemon(path: path))
    let long = "/tmp/" + String(repeating: "x", count: 103)
    #expect(failure(long) == .pathTooLong(path: long, bytesMax: 107))
    let longest = "/tmp/" + String(repeating: "x", count: 102)
    #expect(failure(longest) == .noDaemon(path: longest))

    let daemon = FakeDaemon { _ in [.result(.null)] }
    defer { daemon.stop() }
    var client = try DaemonClient(connectingTo: daemon.path)
    let text = JSONValue.string(String(repeating: "x", count: WireLimits.frameBytesMax))
    do {
      _ = try client.request(.daemonPing, [text], timeoutMilliseconds: patience)
      Issue.record("it was sent")
    } catch {
      guard case .requestTooLarge(_, WireLimits.frameBytesMax) = error else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(daemon.requests.isEmpty)
  }

  private func failure(_ path: String) -> ClientError? {
    do {
      _ = try DaemonClient(connectingTo: path)
      return nil
    } catch {
      return error
    }
  }
}
