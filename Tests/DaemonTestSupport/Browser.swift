import Glibc
package import JSON
import Testing

/// A headless Chromium, driven over its own protocol on two pipes.
///
/// Source: Chrome DevTools Protocol; `--remote-debugging-pipe` ends each message with a zero byte.
package final class Browser {
  private let toBrowser: Int32
  private let fromBrowser: Int32
  private var received: [UInt8] = []
  private var lastID: Int64 = 0
  package let program: Program

  package static let isInstalled = Programs.isInstalled("chromium")

  /// One tab.
  package struct Tab {
    fileprivate let session: String
  }

  package init(in sandbox: Sandbox) throws {
    var commands: [Int32] = [-1, -1]
    var answers: [Int32] = [-1, -1]
    try #require(pipe(&commands) == 0 && pipe(&answers) == 0)
    for end in commands + answers { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    program = try sandbox.start(
      "/usr/bin/chromium",
      [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--no-first-run", "--remote-debugging-pipe", "--window-size=900,700",
        "--user-data-dir=\(sandbox.root)/chromium", "about:blank",
      ], descriptors: [(commands[0], 3), (answers[1], 4)])
    close(commands[0])
    close(answers[1])
    toBrowser = commands[1]
    fromBrowser = answers[0]
  }

  deinit {
    close(toBrowser)
    close(fromBrowser)
  }

  /// Calls a method and returns its result; waits for at most a minute.
  @discardableResult
  package func call(
    _ method: String, _ params: JSONValue = .object(JSONObject()), in tab: Tab? = nil
  ) throws -> JSONValue {
    lastID += 1
    var message: JSONObject = [
      "id": .int(lastID), "method": .string(method), "params": params,
    ]
    if let tab { message["sessionId"] = .string(tab.session) }
    var bytes = Array(JSONValue.object(message).serialized.utf8)
    bytes.append(0)
    let count = write(toBrowser, bytes, bytes.count)
    try #require(count == bytes.count, "the browser reads no more")
    while let answer = try next() {
      guard answer["id"] == .int(lastID) else { continue }
      // Between two pages there is nothing that could evaluate: the test asks again.
      if let error = answer["error"], method != "Runtime.evaluate" {
        Issue.record("\(method): \(error.serialized)")
      }
      return answer["result"] ?? .null
    }
    return .null
  }

  /// Opens a page in a new tab.
  package func open(_ url: String) throws -> Tab {
    let target = try call("Target.createTarget", ["url": .string(url)])
    let attached = try call(
      "Target.attachToTarget", ["targetId": target["targetId"] ?? .null, "flatten": true])
    let session = try #require(attached["sessionId"]?.stringValue)
    return Tab(session: session)
  }

  /// Returns the value of an expression on the page, as JSON; `null` while there is no page.
  @discardableResult
  package func value(_ expression: String, in tab: Tab) throws -> JSONValue {
    let answer = try call(
      "Runtime.evaluate",
      ["expression": .string(expression), "returnByValue": true, "awaitPromise": true], in: tab)
    return answer["result"]?["value"] ?? .null
  }

  /// Presses a key, such as `Tab` or `Enter`.
  package func press(_ key: String, code: Int64, text: String = "", in tab: Tab) throws {
    var down: JSONObject = [
      "type": .string(text.isEmpty ? "rawKeyDown" : "keyDown"), "key": .string(key),
      "code": .string(key), "windowsVirtualKeyCode": .int(code),
    ]
    if !text.isEmpty { down["text"] = .string(text) }
    try call("Input.dispatchKeyEvent", .object(down), in: tab)
    try call(
      "Input.dispatchKeyEvent",
      [
        "type": "keyUp", "key": .string(key), "code": .string(key),
        "windowsVirtualKeyCode": .int(code),
      ], in: tab)
  }

  private func next() throws -> JSONValue? {
    while true {
      if let end = received.firstIndex(of: 0) {
        let message = Array(received[..<end])
        received.removeFirst(end + 1)
        return try JSONValue(parsing: message)
      }
      var entry = pollfd(fd: fromBrowser, events: Int16(POLLIN), revents: 0)
      try #require(poll(&entry, 1, 60_000) == 1, "the browser says nothing: \(program.errors)")
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = read(fromBrowser, &buffer, buffer.count)
      try #require(count > 0, "the browser has ended: \(program.errors)")
      received += buffer[..<count]
    }
  }
}
