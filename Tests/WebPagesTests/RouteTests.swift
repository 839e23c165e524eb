import Testing
import WebPages

/// Tests which address is what.
@Suite struct RouteTests {
  func status(_ request: WebRequest) -> Int {
    do throws(WebRefusal) {
      _ = try WebRoute.find(request)
      return 200
    } catch {
      return error.status
    }
  }

  @Test func `a panel has its form from the address`() throws {
    let route = try WebRoute.find(
      request("GET", "/panel/a/b c.d.bmp", query: [("w", "600"), ("h", "448"), ("depth", "4")]))
    var panel = PanelRequest(name: "a/b c.d", format: .bmp)
    panel.width = 600
    panel.height = 448
    panel.depth = 4
    #expect(route == .panel(panel))
    #expect(panel.address == "/panel/a%2Fb%20c.d.bmp?w=600&h=448&depth=4")
    let usual = try WebRoute.find(request("GET", "/panel/stack.png"))
    #expect(usual == .panel(PanelRequest(name: "stack", format: .png)))
  }

  @Test(arguments: [
    [("w", "63")], [("w", "2561")], [("h", "0")], [("h", "-1")], [("w", "800x")], [("w", "")],
    [("w", "99999999999999999999")], [("depth", "3")], [("depth", "16")], [("depth", "0")],
    [("w", "800"), ("w", "600")], [("w", "2560"), ("h", "2560")],
  ])
  func `a size that no panel has is refused`(query: [(String, String)]) {
    #expect(status(request("GET", "/panel/w.png", query: query)) == 400)
  }

  @Test func `a BMP has no two bits`() {
    #expect(status(request("GET", "/panel/w.bmp", query: [("depth", "2")])) == 400)
    #expect(status(request("GET", "/panel/w.png", query: [("depth", "2")])) == 200)
  }

  @Test(arguments: [
    "", "//", "/panel", "/panel/", "/panel/.png", "/panel/w", "/panel/w.gif", "/page.html",
    "/../page.js", "/page.js/", "/PAGE.JS", "/picture/sha256-", "/picture/../etc/passwd",
    "/api", "/api/displays", "/events/", "/favicon.ico",
  ])
  func `what is no address is not found`(path: String) {
    #expect(status(request("GET", path)) == 404)
  }

  @Test func `a mode is compact or expanded, of a widget`() throws {
    let more = request("POST", "/mode", query: [("id", "agenda"), ("mode", "expanded")])
    #expect(try WebRoute.find(more) == .setMode(id: "agenda", isExpanded: true))
    let less = request("POST", "/mode", query: [("id", "agenda"), ("mode", "compact")])
    #expect(try WebRoute.find(less) == .setMode(id: "agenda", isExpanded: false))
    for query in [
      [], [("id", "agenda")], [("mode", "expanded")], [("id", "agenda"), ("mode", "huge")],
      [("id", ""), ("mode", "compact")],
    ] {
      #expect(status(request("POST", "/mode", query: query)) == 400)
    }
    #expect(status(request("GET", "/mode", query: [("id", "a"), ("mode", "compact")])) == 405)
  }

  @Test func `an address has its method`() {
    for (method, path) in [
      ("POST", "/"), ("PUT", "/page.js"), ("DELETE", "/panel/w.png"), ("OPTIONS", "/events"),
      ("POST", "/api/display"), ("GET", "/api/log"), ("get", "/"),
    ] {
      #expect(status(request(method, path)) == 405, "\(method) \(path)")
    }
    let tap = [("id", "w"), ("revision", "1")]
    #expect(status(request("GET", "/tap", query: tap)) == 405)
    #expect(status(request("HEAD", "/tap", query: tap)) == 405)
    // A look uses up nothing that is good once, and events have no end.
    let code = [("code", String(repeating: "a", count: 64))]
    #expect(status(request("HEAD", "/", query: code)) == 405)
    #expect(status(request("HEAD", "/api/setup")) == 405)
    #expect(status(request("HEAD", "/events")) == 405)
  }

  @Test func `a tap names what was seen`() throws {
    let query = [("id", "weather"), ("revision", "17"), ("item", "1,0"), ("key", "c0ffee")]
    guard case .tap(let tap) = try WebRoute.find(request("POST", "/tap", query: query)) else {
      Issue.record("it is a tap")
      return
    }
    #expect(tap.id == "weather" && tap.revision == 17 && tap.item == [1, 0])
    #expect(tap.key == "c0ffee")
    for query in [
      [("id", "w")], [("revision", "1")], [("id", ""), ("revision", "1")],
      [("id", "w"), ("revision", "-1")], [("id", "w"), ("revision", "x")],
      [("id", "w"), ("revision", "1"), ("item", "1,")],
      [("id", "w"), ("revision", "1"), ("item", "-1")],
      [("id", "w"), ("revision", "1"), ("item", "0,0,0,0,0,0,0,0,0")],
      [("id", String(repeating: "w", count: 513)), ("revision", "1")],
      [("id", "w"), ("revision", "1"), ("key", "")],
      [("id", "w"), ("revision", "1"), ("key", String(repeating: "k", count: 65))],
    ] {
      #expect(status(request("POST", "/tap", query: query)) == 400, "\(query)")
    }
  }

  @Test func `a code or a session is 64 digits and nothing else`() {
    #expect(WebSecret(String(repeating: "A", count: 64)) == nil)
    #expect(WebSecret(String(repeating: "a", count: 63)) == nil)
    #expect(WebSecret("../" + String(repeating: "a", count: 61)) == nil)
    #expect(WebSecret(String(repeating: "é", count: 32)) == nil)
    #expect(WebSecret(random: Array(0..<32)).text.hasPrefix("000102030405"))
    #expect(status(request("GET", "/", query: [("code", "../x")])) == 400)
  }

  @Test func `a body has one length`() {
    func status(_ fields: (String, String)...) -> Int? {
      let head = fields.map { WebRequest.Field($0.0, $0.1) }
      return WebRequest("POST", "/api/log", head: head).framingRefusal?.status
    }
    #expect(status() == nil)
    #expect(status(("Content-Length", "3")) == nil)
    #expect(status(("transfer-encoding", "Chunked")) == nil)
    #expect(status(("Content-Length", "3"), ("content-length", "3")) == 400)
    #expect(status(("Content-Length", "3"), ("Transfer-Encoding", "chunked")) == 400)
    #expect(status(("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "chunked")) == 400)
    #expect(status(("Transfer-Encoding", "gzip, chunked")) == 501)
    // One reader takes these for a length, and another does not.
    for name in ["Transfer-Encoding ", "Content-Length\t", "", "Content-Length\r", "größe"] {
      #expect(status((name, "3")) == 400, "\(name)")
    }
    for length in ["", "+5", "-5", "5,5", "0x5", "5 5"] {
      #expect(status(("Content-Length", length)) == 400, "\(length)")
    }
  }

  @Test func `the kernel's list says whose a port is`() {
    let text = """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout
         0: 0100007F:2220 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 21
         1: 00000000:2220 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 22
         2: 0100007F:2220 0100007F:9999 01 00000000:00000000 00:00000000 00000000  1002        0 23
         3: 0200007F:2220 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1003        0 24
         4: 0100007F:2221 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1004        0 25
         5: broken
         6: 00000000000000000000000000000000:2220 00000000000000000000000000000000:0000 0A \
      00000000:00000000 00:00000000 00000000  1005        0 26
         7: 00000000000000000000000001000000:2220 00000000000000000000000000000000:0000 0A \
      00000000:00000000 00:00000000 00000000  1006        0 27
      """
    func users(_ port: UInt16, isAnywhere: Bool = false) -> [UInt32] {
      ListenerTable.listeners(on: port, isAnywhere: isAnywhere, text).map(\.user)
    }
    #expect(users(8_736) == [1_000, 1_001, 1_005], "IPv6 takes connections of IPv4, too")
    #expect(users(8_736, isAnywhere: true) == [1_000, 1_001, 1_003, 1_005, 1_006])
    #expect(users(8_738) == [])
    #expect(ListenerTable.listeners(on: 8_737, text) == [.init(user: 1_004, socket: 25)])
    #expect(ListenerTable.listeners(on: 8_736, "") == [])
  }
}
