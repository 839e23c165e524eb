import Testing
import WebPages

/// Tests who gets in, and with what.
@Suite struct DoorTests {
  let mine = secret("a")
  let kitchen = PanelDevice(name: "kitchen", token: secret("b"), panel: "weather")

  func outcome(_ request: WebRequest, isLocal: Bool = true) -> Outcome {
    do throws(WebRefusal) {
      let door = WebDoor(port: 8_736, isLocal: isLocal)
      return .visitor(
        try door.visitor(request, try WebRoute.find(request), devices: [kitchen]) {
          $0.matches(mine)
        })
    } catch {
      return .status(error.status)
    }
  }

  @Test func `the cookie opens the page, its files and its stream`() {
    for path in ["/", "/page.js", "/page.css", "/shared.js", "/events", "/panel/stack.png"] {
      #expect(outcome(request("GET", path, session: mine.text)) == .visitor(.person), "\(path)")
      guard path != "/events" else { continue }
      #expect(outcome(request("HEAD", path, session: mine.text)) == .visitor(.person), "\(path)")
    }
  }

  @Test func `without the cookie, or with another one, nothing opens`() {
    for path in ["/", "/page.js", "/events", "/panel/stack.png", "/picture/sha256-" + mine.text] {
      #expect(outcome(request("GET", path)) == .status(403), "\(path)")
      #expect(outcome(request("GET", path, session: kitchen.token.text)) == .status(403), "\(path)")
      #expect(outcome(request("GET", path, session: "")) == .status(403), "\(path)")
    }
  }

  @Test func `two cookies of the name are as good as none`() {
    let twice = request(
      "GET", "/", ("Cookie", "intentd-8736=\(mine.text); intentd-8736=\(mine.text)"))
    #expect(outcome(twice) == .status(403))
    let lines = request(
      "GET", "/", ("Cookie", "intentd-8736=\(mine.text)"), ("cookie", "intentd-8736=x"))
    #expect(outcome(lines) == .status(403))
  }

  @Test(arguments: [
    "evil.example", "evil.example:8736", "127.0.0.1", "127.0.0.1:80", "127.0.0.2:8736",
    "localhost.evil.example:8736", "[::1]:8736", "", "127.0.0.1:8736 ",
  ])
  func `a name that was made to lead here is misdirected`(host: String) {
    #expect(outcome(request("GET", "/", session: mine.text, ("Host", host))) == .status(421))
    let code = request("GET", "/", query: [("code", mine.text)], ("Host", host))
    #expect(outcome(code) == .status(421))
  }

  @Test func `a request without a host, or with two, is misdirected`() {
    #expect(outcome(WebRequest("GET", "/")) == .status(421))
    let two = request("GET", "/", ("Host", "127.0.0.1:8736"), ("host", "127.0.0.1:8736"))
    #expect(outcome(two) == .status(421))
  }

  @Test func `another page is refused, with the cookie too`() {
    for origin in ["http://evil.example", "null", "http://127.0.0.1:9999", "http://localhost:8736"]
    {
      let read = request("GET", "/events", session: mine.text, ("Origin", origin))
      #expect(outcome(read) == .status(403), "\(origin)")
      let tap = request(
        "POST", "/tap", query: [("id", "w"), ("revision", "1")], session: mine.text,
        ("Origin", origin))
      #expect(outcome(tap) == .status(403), "\(origin)")
    }
    for site in ["cross-site", "same-site", ""] {
      let image = request("GET", "/panel/w.png", session: mine.text, ("Sec-Fetch-Site", site))
      #expect(outcome(image) == .status(403), "\(site)")
    }
    let own = request("GET", "/", session: mine.text, ("Sec-Fetch-Site", "same-origin"))
    #expect(outcome(own) == .visitor(.person))
  }

  @Test func `a change needs the page's own origin`() {
    let query = [("id", "weather"), ("revision", "17")]
    let without = request("POST", "/tap", query: query, session: mine.text)
    #expect(outcome(without) == .status(403))
    let with = request(
      "POST", "/tap", query: query, session: mine.text, ("Origin", "http://127.0.0.1:8736"))
    #expect(outcome(with) == .visitor(.person))
  }

  @Test func `the link with the code may come from elsewhere`() {
    let link = request(
      "GET", "/", query: [("code", mine.text)], ("Sec-Fetch-Site", "cross-site"))
    #expect(outcome(link) == .visitor(.stranger))
  }

  @Test func `a token opens its own panel, here and elsewhere`() {
    let token = kitchen.token.text
    for isLocal in [true, false] {
      for head in [("Access-Token", token), ("Authorization", "Bearer " + token)] {
        let own = request("GET", "/panel/weather.png", head)
        #expect(outcome(own, isLocal: isLocal) == .visitor(.device(kitchen)))
        let other = request("GET", "/panel/stack.png", head)
        #expect(outcome(other, isLocal: isLocal) == .status(403))
      }
      let query = request("GET", "/panel/weather.bmp", query: [("token", token)])
      #expect(outcome(query, isLocal: isLocal) == .visitor(.device(kitchen)))
      let wrong = request("GET", "/panel/weather.bmp", query: [("token", mine.text)])
      #expect(outcome(wrong, isLocal: isLocal) == .status(403))
      #expect(outcome(request("GET", "/api/display"), isLocal: isLocal) == .status(403))
    }
  }

  @Test func `beyond this machine there are panels alone`() {
    for path in ["/", "/page.js", "/events", "/picture/sha256-" + mine.text] {
      let request = request("GET", path, session: mine.text)
      #expect(outcome(request, isLocal: false) == .status(404), "\(path)")
    }
    let panel = request("GET", "/panel/weather.png", session: mine.text)
    #expect(outcome(panel, isLocal: false) == .status(403), "the cookie is for this machine")
    #expect(outcome(request("GET", "/api/setup"), isLocal: false) == .visitor(.stranger))
  }

  @Test func `the answer to a code signs the browser in, for this site alone`() {
    let answer = WebDoor.welcome(mine, port: 8_736)
    let cookie = answer.head.first { $0.name == "Set-Cookie" }?.value ?? ""
    #expect(cookie.hasPrefix("intentd-8736=\(mine.text); HttpOnly; SameSite=Strict; Path=/;"))
    let text = String(decoding: answer.body, as: UTF8.self)
    #expect(!text.contains(mine.text) && !text.contains("<script"))
  }

  @Test func `every answer forbids what the page does not need`() {
    let policy = WebAnswer.guarding.first { $0.name == "Content-Security-Policy" }?.value ?? ""
    #expect(policy.hasPrefix("default-src 'none';"))
    #expect(!policy.contains("unsafe") && !policy.contains("*") && !policy.contains("data:"))
  }
}
