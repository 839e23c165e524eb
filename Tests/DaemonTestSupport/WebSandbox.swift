import Glibc
package import JSON
import Testing

/// A daemon with the widget `weather`, `intent-web` before it, and a browser that is signed in.
package struct WebSandbox {
  package let sandbox: Sandbox
  package let daemon: Program
  package let program: Program
  package let client: WireClient
  package let port: String

  /// An answer that curl got.
  package struct Answer {
    package var status = 0
    package var size = 0
    package var head = ""
    package var body = ""

    /// The value of a field, whose name is in lower case; the last of several.
    package func header(_ name: String) -> String? {
      head.split(separator: "\r\n").last { $0.lowercased().hasPrefix(name + ": ") }
        .map { String($0.dropFirst(name.count + 2)) }
    }

    /// The body; `null` if it is no JSON.
    package var json: JSONValue {
      do { return try JSONValue(parsing: body) } catch { return .null }
    }
  }

  /// Returns a new address with a code.
  package func address() throws -> String {
    let outcome = try sandbox.send("web", "--print")
    return try #require(outcome.lines.first, "\(outcome.errors)")
  }

  /// Asks with curl; a path is one of the page's server.
  package func curl(
    _ path: String, cookie: Bool = false, into file: String = "body", _ options: String...
  ) throws -> Answer {
    let url = path.hasPrefix("/") ? "http://127.0.0.1:\(port)\(path)" : path
    let jar = sandbox.root + "/jar"
    sandbox.remove("head")
    sandbox.remove(file)
    let outcome = try sandbox.run(
      "/usr/bin/env",
      ["curl", "-s", "-o", "\(sandbox.root)/\(file)", "-D", sandbox.root + "/head"]
        + ["-w", "%{http_code} %{size_download}"] + (cookie ? ["-b", jar] : []) + options + [url])
    let numbers = outcome.output.split(separator: " ").compactMap { Int($0) }
    var answer = Answer()
    if numbers.count == 2 {
      answer.status = numbers[0]
      answer.size = numbers[1]
    }
    answer.head = contents(of: sandbox.root + "/head")
    answer.body = contents(of: "\(sandbox.root)/\(file)")
    return answer
  }
}

/// Runs `body` with a daemon and `intent-web`, which has these further arguments.
package func withWeb(
  _ arguments: [String] = [], _ body: (WebSandbox) throws -> Void
) throws {
  try withSandbox { sandbox in
    try sandbox.widget("weather", script: Sandbox.answer(title: "Beijing"))
    let daemon = try sandbox.startDaemon()
    let client = try sandbox.connect()
    try client.call("widget.add", ["kind": "weather", "id": "weather", "wait": true])
    let program = try sandbox.start(Programs.web, ["--port", "0"] + arguments)
    var port = ""
    try eventually("intent-web serves: \(program.errors)") {
      port =
        contents(of: sandbox.socket + ".web/port").split(separator: "\n").first.map(
          String.init) ?? ""
      return !port.isEmpty
    }
    let web = WebSandbox(
      sandbox: sandbox, daemon: daemon, program: program, client: client, port: port)
    let signed = try web.curl(web.address(), "-c", sandbox.root + "/jar")
    try #require(signed.status == 200, "not signed in: \(signed.body) \(program.errors)")
    try body(web)
    // Nothing that came in made it end; a test may have ended it.
    let ending = program.hasEnded() ? program.ending : nil
    #expect([nil, .exited(0), .signaled(SIGKILL)].contains(ending), "\(program.errors)")
  }
}

/// Returns a socket that listens at a port of 127.0.0.1, as the service manager makes one; port 0 is
/// any free one.
package func listenOnLoopback(port: UInt16) throws -> (descriptor: Int32, port: UInt16) {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  var yes: Int32 = 1
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let status = withUnsafeMutablePointer(to: &address) { place in
    place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
      bind(descriptor, place, length) == 0 && listen(descriptor, 4) == 0
        ? getsockname(descriptor, place, &length) : -1
    }
  }
  try #require(status == 0, "port \(port): \(String(cString: strerror(errno)))")
  return (descriptor, UInt16(bigEndian: address.sin_port))
}
