import IntentProtocol
import JSON
import Testing
import WidgetCenter

@testable import DaemonCore

/// Tests clients that show widgets in several places over one connection.
@Suite struct SeveralSurfacesTests {
  /// Makes a daemon with the loaded widgets `clock` and `inline`, and a client that shows each on a
  /// surface of its own: `s1` and `s2`.
  private func world() throws -> (harness: Harness, app: ConnectionID, page: ConnectionID) {
    var harness = Harness(provider: Harness.texts)
    let app = harness.connect()
    let page = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "clock"], from: app)
    try harness.call(
      "widget.add", ["kind": "org.example.clock", "id": "inline", "family": "accessoryInline"],
      from: app)
    let first = try harness.call("surface.attach", ["widgets": ["clock"]], from: page)
    #expect(first["surface"] == "s1")
    let second = try harness.call(
      "surface.attach", ["widgets": ["inline"], "add": true], from: page)
    #expect(second["surface"] == "s2")
    return (harness, app, page)
  }

  private func push(
    _ harness: inout Harness, _ id: String, _ text: String, from app: ConnectionID
  ) throws {
    let timeline = try JSONValue(parsing: Harness.timeline(#"{"text":"\#(text)"}"#))
    try harness.call("widget.push", ["id": .string(id), "timeline": timeline], from: app)
  }

  /// Returns each update as `surface id text`.
  private func updates(_ harness: inout Harness, _ page: ConnectionID) throws -> [String] {
    var found: [String] = []
    for text in harness.received(by: page) {
      let line = try JSONValue(parsing: text)
      guard line["method"] == "surface.update", let params = line["params"] else { continue }
      let widget = params["widgets"]?.arrayValue?.first
      let surface: String = params["surface"]?.stringValue ?? "-"
      let id: String = widget?["id"]?.stringValue ?? "-"
      let shown: String = widget?["entry"]?["content"]?["text"]?.stringValue ?? "-"
      found.append("\(surface) \(id) \(shown)")
    }
    return found
  }

  @Test func `each surface hears of its own widgets`() throws {
    var (harness, app, page) = try world()
    try push(&harness, "clock", "one", from: app)
    try push(&harness, "inline", "two", from: app)
    #expect(try updates(&harness, page) == ["s1 clock one", "s2 inline two"])
    #expect(try harness.call("daemon.status", from: app)["surfaces"] == 2)
  }

  @Test func `one of them is hidden, and the others are not`() throws {
    var (harness, app, page) = try world()
    try harness.call("surface.visibility", ["visible": false, "surface": "s2"], from: page)
    try push(&harness, "clock", "one", from: app)
    try push(&harness, "inline", "two", from: app)
    #expect(try updates(&harness, page) == ["s1 clock one"])
    #expect(harness.daemon.engine.watchedCount == 1)
    // Without an id all are meant.
    try harness.call("surface.visibility", ["visible": true], from: page)
    #expect(try updates(&harness, page) == ["s2 inline two"])
    #expect(harness.daemon.engine.watchedCount == 2)
  }

  @Test func `one of them ends, and the others go on`() throws {
    var (harness, app, page) = try world()
    try harness.call("surface.detach", ["surface": "s1"], from: page)
    #expect(harness.daemon.engine.watchedCount == 1)
    try push(&harness, "clock", "one", from: app)
    try push(&harness, "inline", "two", from: app)
    #expect(try updates(&harness, page) == ["s2 inline two"])
    try harness.call("surface.detach", [:], from: page)
    #expect(try harness.call("daemon.status", from: app)["surfaces"] == 0)
    #expect(try harness.refusal("surface.detach", [:], from: page) == "-32602")
  }

  @Test func `one of them is attached anew, and keeps its id`() throws {
    var (harness, app, page) = try world()
    let answer = try harness.call(
      "surface.attach", ["surface": "s2", "widgets": ["clock"]], from: page)
    #expect(answer["surface"] == "s2")
    // Without an id it is the first.
    #expect(try harness.call("surface.attach", [:], from: page)["surface"] == "s1")
    try push(&harness, "inline", "two", from: app)
    #expect(try updates(&harness, page) == ["s1 inline two"])
    #expect(try harness.call("daemon.status", from: app)["surfaces"] == 2)
  }

  @Test func `a connection that ends ends all of them`() throws {
    var (harness, app, page) = try world()
    harness.handle(.disconnected(page))
    #expect(try harness.call("daemon.status", from: app)["surfaces"] == 0)
    #expect(harness.daemon.engine.watchedCount == 0)
  }

  @Test func `the sixteenth is attached, the next is not`() throws {
    var (harness, app, page) = try world()
    for _ in 3...Limits.surfacesOfConnectionMax {
      try harness.call("surface.attach", ["add": true], from: page)
    }
    #expect(
      try harness.refusal("surface.attach", ["add": true], from: page) == "-32023 limitReached")
    #expect(try harness.call("daemon.status", from: app)["surfaces"] == 16)
    try harness.call("surface.detach", ["surface": "s7"], from: page)
    #expect(try harness.call("surface.attach", ["add": true], from: page)["surface"] == "s17")
  }

  @Test func `nobody reaches the surfaces of another client`() throws {
    var (harness, app, page) = try world()
    try harness.call("surface.attach", from: app)
    for method in ["surface.attach", "surface.detach", "surface.visibility", "surface.rotate"] {
      var params: JSONObject = ["surface": "s1"]
      if method == "surface.visibility" { params["visible"] = false }
      #expect(
        try harness.refusal(method, .object(params), from: app) == "-32602", "\(method)")
    }
    let both: JSONValue = ["surface": "s1", "add": true]
    let unknown: JSONValue = ["surface": "s9"]
    for params in [both, unknown] {
      #expect(try harness.refusal("surface.attach", params, from: page) == "-32602")
    }
  }

  @Test func `the stacks of a connection are turned together, or one of them`() throws {
    var (harness, app, page) = try world()
    let wish: JSONObject = ["stack": true, "limit": 1]
    for id in ["s1", "s2"] {
      var params = wish
      params["surface"] = .string(id)
      let answer = try harness.call("surface.attach", .object(params), from: page)
      #expect(answer["stack"] == ["clock"])
    }
    func turned(_ params: JSONValue) throws -> [String] {
      try harness.call("surface.rotate", params, from: page)
      return try updates(&harness, page).map { String($0.prefix(8)) }
    }
    #expect(try turned(["surface": "s2"]) == ["s2 inlin"])
    #expect(try turned([:]) == ["s1 inlin", "s2 clock"])
    let both: JSONValue = ["surface": "s2", "name": "bar"]
    #expect(try harness.refusal("surface.rotate", both, from: page) == "-32602")
    _ = app
  }
}
