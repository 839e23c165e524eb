import Foundation
import Glibc
package import JSON
import Testing

/// A client that can send any bytes, also wrong ones, and reads lines.
package final class WireClient {
  package private(set) var descriptor: Int32
  private var buffer: [UInt8] = []
  private var lastID: Int64 = 0
  /// The notifications that came during a wait for another message, oldest first.
  package private(set) var notifications: [JSONValue] = []

  package init(_ path: String) throws(WireError) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw WireError.broken(errno) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else {
      let reason = errno
      close()
      throw WireError.broken(reason)
    }
  }

  deinit { close() }

  package func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  /// Ends the sending direction of the connection.
  package func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  // MARK: Bytes

  /// Sends all bytes; waits for room.
  package func send(_ bytes: [UInt8]) throws(WireError) {
    var sent = 0
    while sent < bytes.count {
      let count = try sendSome(bytes[sent...])
      sent += count
      if count == 0 { try wait(for: Int16(POLLOUT)) }
    }
  }

  /// Sends as many bytes as fit and returns their number; 0 if the daemon does not read.
  package func sendSome(_ bytes: ArraySlice<UInt8>) throws(WireError) -> Int {
    let count = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }
    if count < 0, errno != EAGAIN, errno != EINTR { throw .broken(errno) }
    return max(0, count)
  }

  package func send(line: String) throws(WireError) { try send(Array(line.utf8) + [10]) }

  /// Returns the next line; `nil` at the end of the connection.
  package func line() throws(WireError) -> String? {
    while true {
      if let end = buffer.firstIndex(of: 10) {
        let text = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeSubrange(...end)
        return text
      }
      try wait(for: Int16(POLLIN))
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count == 0 { return nil }
      guard count > 0 else { throw .broken(errno) }
      buffer += chunk[..<count]
    }
  }

  /// Whether the daemon has sent something that was not read yet.
  package var hasNews: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return !buffer.isEmpty || poll(&entry, 1, 0) > 0
  }

  /// Returns the lines up to the end of the connection.
  package func rest() throws(WireError) -> [String] {
    var lines: [String] = []
    while let line = try line() { lines.append(line) }
    return lines
  }

  private func wait(for events: Int16) throws(WireError) {
    var entry = pollfd(fd: descriptor, events: events, revents: 0)
    let ready = poll(&entry, 1, Int32(patience * 1000))
    if ready == 0 { throw .silent }
    if ready < 0, errno != EINTR { throw .broken(errno) }
    if entry.revents & Int16(POLLOUT | POLLIN) == 0, entry.revents & Int16(POLLERR | POLLHUP) != 0 {
      throw .broken(EPIPE)
    }
  }

  // MARK: Messages

  /// Returns the next message as JSON; `nil` at the end of the connection.
  package func message() throws(WireError) -> JSONValue? {
    guard let line = try line() else { return nil }
    do throws(JSONError) {
      return try JSONValue(parsing: line)
    } catch {
      throw .unreadable(line)
    }
  }

  /// Sends a request without waiting for the answer; returns its id.
  @discardableResult
  package func ask(_ method: String, _ params: JSONValue? = nil) throws(WireError) -> Int64 {
    lastID += 1
    var request: JSONObject = ["jsonrpc": "2.0", "id": .int(lastID), "method": .string(method)]
    if let params { request["params"] = params }
    try send(line: JSONValue.object(request).serialized)
    return lastID
  }

  /// Returns the answer to request `id`; keeps notifications that come first.
  @discardableResult
  package func answer(to id: Int64) throws(WireError) -> JSONValue {
    while let message = try message() {
      if message["id"] == .int(id) {
        if let error = message["error"] {
          throw .refused(
            code: error["code"]?.intValue ?? 0, message: error["message"]?.stringValue ?? "",
            data: error["data"] ?? .null)
        }
        return message["result"] ?? .null
      }
      if message["method"] != nil { notifications.append(message) }
    }
    throw .ended
  }

  /// Sends a request and returns its result.
  @discardableResult
  package func call(_ method: String, _ params: JSONValue? = nil) throws(WireError) -> JSONValue {
    try answer(to: try ask(method, params))
  }

  /// Sends a request that must be refused, and returns the error's code.
  package func refusal(_ method: String, _ params: JSONValue? = nil) throws -> (
    code: Int64, message: String
  ) {
    do throws(WireError) {
      let result = try call(method, params)
      Issue.record("\(method) was not refused: \(result.serialized)")
      return (0, "")
    } catch {
      guard case .refused(let code, let message, _) = error else { throw error }
      return (code, message)
    }
  }

  /// Returns the next notification; waits for it if need be.
  package func notification(_ method: String) throws(WireError) -> JSONValue {
    while true {
      if let index = notifications.firstIndex(where: { $0["method"] == .string(method) }) {
        return notifications.remove(at: index)["params"] ?? .null
      }
      guard let message = try message() else { throw .ended }
      if message["method"] != nil { notifications.append(message) }
    }
  }

  // MARK: Frequent requests

  package func widget(_ id: String) throws -> JSONValue {
    let widgets = try call("widget.list")["widgets"]?.arrayValue ?? []
    return try #require(widgets.first { $0["id"] == .string(id) }, "no widget \(id)")
  }

  /// Adds a widget, waits for the end of its first load and returns the receipt's state.
  @discardableResult
  package func add(_ kind: String, id: String? = nil, parameters: JSONValue? = nil) throws -> String
  {
    var params: JSONObject = ["kind": .string(kind), "id": .string(id ?? kind)]
    if let parameters { params["parameters"] = parameters }
    let receipt = try call("widget.add", .object(params))["receipt"]?["id"]?.stringValue ?? ""
    let ended = try call("widget.receipt", ["id": .string(receipt), "wait": true])
    return ended["receipt"]?["state"]?.stringValue ?? ""
  }

  /// Adds a widget and does not wait for its first load.
  package func place(_ kind: String, id: String, parameters: JSONValue) throws {
    try call(
      "widget.add", ["kind": .string(kind), "id": .string(id), "parameters": parameters])
  }

  /// Reloads a widget, waits for the end and returns its receipt.
  package func reload(_ id: String) throws -> JSONValue {
    let receipts = try call("widget.reload", ["id": .string(id), "wait": true])["receipts"]
    return try #require(receipts?.arrayValue?.first)
  }
}

package enum WireError: Error, CustomStringConvertible {
  case broken(Int32)
  case ended
  case silent
  case unreadable(String)
  case refused(code: Int64, message: String, data: JSONValue)

  package var description: String {
    switch self {
    case .broken(let code): "the connection broke: \(String(cString: strerror(code)))"
    case .ended: "the connection ended"
    case .silent: "nothing came within \(Int(patience)) s"
    case .unreadable(let line): "a line that is no JSON: \(line.prefix(200))"
    case .refused(let code, let message, let data): "\(code) \(message) \(data.serialized)"
    }
  }
}
