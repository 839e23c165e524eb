import Foundation
import Glibc
package import JSON
import JSONRPC
import Synchronization

/// A daemon with scripted answers at the other end of a client's socket, on threads of its own.
package final class FakeDaemon: Sendable {
  /// A request of the client.
  package struct Request: Hashable, Sendable {
    package var method: String
    package var params: JSONValue

    package init(method: String, params: JSONValue) {
      self.method = method
      self.params = params
    }
  }

  /// One reaction to a request.
  package enum Action: Sendable {
    case result(JSONValue)
    case refusal(code: Int, message: String, data: JSONValue)
    case notification(method: String, params: JSONValue)
    /// Sends the text unchanged.
    case raw(String)
    case close
  }

  package let path: String
  private let listener: Int32
  private let script: @Sendable (Request) -> [Action]
  private let state = Mutex(State())

  // Descriptors are closed, and used by other threads than their own, behind the lock of `state`:
  // a number that is closed may at once be the socket of another test.
  private struct State {
    var requests: [Request] = []
    var connections: [Int32] = []
    var isStopped = false
    var isListenerClosed = false
  }

  /// Listens on `path`, by default a new one.
  ///
  /// An empty list of actions leaves a request unanswered.
  package init(
    path: String = FakeDaemon.freshPath(), script: @escaping @Sendable (Request) -> [Action]
  ) {
    self.path = path
    self.script = script
    unlink(path)
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    precondition(bound == 0 && listen(listener, 16) == 0, "cannot listen on \(path): \(errno)")
    Thread { [self] in acceptAll() }.start()
  }

  /// Returns a socket path in a new folder.
  package static func freshPath() -> String {
    var template = Array("/tmp/fake-daemon-XXXXXX".utf8CString)
    let folder = mkdtemp(&template).map { String(cString: $0) }
    precondition(folder != nil, "cannot make a folder: \(errno)")
    return (folder ?? "") + "/s"
  }

  /// The requests so far, oldest first.
  package var requests: [Request] { state.withLock { $0.requests } }

  /// Sends a notification on each connection.
  package func notify(_ method: String, _ params: JSONValue) {
    for connection in state.withLock({ $0.connections.map { dup($0) } }) {
      perform(.notification(method: method, params: params), id: .null, on: connection)
      close(connection)
    }
  }

  /// Ends all connections and stops listening, like a killed daemon; the first call does it.
  package func stop() {
    state.withLock { state in
      guard !state.isStopped else { return }
      state.isStopped = true
      // The threads that read from them close them.
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
      if !state.isListenerClosed { shutdown(listener, Int32(SHUT_RDWR)) }
      unlink(path)
    }
  }

  private func acceptAll() {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else {
        if errno == EINTR { continue }
        state.withLock {
          close(listener)
          $0.isListenerClosed = true
        }
        return
      }
      let isStopped = state.withLock { state in
        if !state.isStopped { state.connections.append(connection) }
        return state.isStopped
      }
      if isStopped {
        close(connection)
      } else {
        Thread { [self] in serve(connection) }.start()
      }
    }
  }

  private func serve(_ connection: Int32) {
    var framer = LineFramer(frameBytesMax: 8 << 20)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { break }
      var lines: [JSONValue] = []
      framer.feed(Array(buffer[..<count])) { line in
        do throws(JSONError) {
          lines.append(try JSONValue(parsing: line))
        } catch {
          preconditionFailure("the client sent no JSON: \(error.message)")
        }
      } oversized: {
        preconditionFailure("the client sent a line of more than 8 MiB")
      }
      for line in lines {
        let request = Request(
          method: line["method"]?.stringValue ?? "", params: line["params"] ?? .null)
        state.withLock { $0.requests.append(request) }
        let id = line["id"].flatMap { RequestID($0) } ?? .null
        for action in script(request) { perform(action, id: id, on: connection) }
      }
    }
    state.withLock {
      $0.connections.removeAll { $0 == connection }
      close(connection)
    }
  }

  private func perform(_ action: Action, id: RequestID, on connection: Int32) {
    var line: [UInt8] = []
    switch action {
    case .result(let value): appendResult(id: id, value, to: &line)
    case .refusal(let code, let message, let data):
      appendError(id: id, RPCError(code: code, message: message, data: data), to: &line)
    case .notification(let method, let params):
      appendNotification(method: method, params: params, to: &line)
    case .raw(let text): line = Array(text.utf8)
    case .close: shutdown(connection, Int32(SHUT_RDWR))
    }
    var sent = 0
    while sent < line.count {
      let count = line[sent...].withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      // The client may have closed the connection: ignore the error.
      guard count > 0 else { return }
      sent += count
    }
  }
}
