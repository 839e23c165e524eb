import Foundation
import JSON
import Testing
import WidgetCenter

@testable import DaemonCore

/// Views of answers and pushes on the wire: rewritten, durable, and only for surfaces that want them.
@Suite struct ViewTests {
  private static func timeline(_ view: JSONValue, title: String = "T") -> JSONValue {
    [
      "entries": [
        [
          "date": "2026-11-20T08:00:00Z", "content": ["title": .string(title)], "view": view,
        ]
      ], "policy": "never",
    ]
  }

  private static func harness(_ view: JSONValue) -> Harness {
    Harness { run in
      run.kind == "org.example.clock" ? .answered(Array(timeline(view).serialized.utf8)) : nil
    }
  }

  private static func view(_ answer: JSONValue) -> JSONValue? {
    answer["widgets"]?.arrayValue?.first?["entry"]?["view"]
  }

  @Test func `only a surface that names views gets them, in its answer and in updates`() throws {
    var harness = Self.harness(["light": "<div style=\"gap: 1px\">l</div>", "dark": "<div>d</div>"])
    let bar = harness.connect()
    let page = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "clock"], from: bar)
    for wants in [.null, [], ["items", "images", "motion"]] as [JSONValue] {
      let answer = try harness.call("surface.attach", ["wants": wants], from: bar)
      #expect(answer["widgets"]?.arrayValue?.count == 1)
      #expect(Self.view(answer) == nil, "\(wants.serialized)")
    }
    let shown = try harness.call("surface.attach", ["wants": ["view"]], from: page)
    #expect(
      Self.view(shown) == ["light": "<div style=\"gap:1px\">l</div>", "dark": "<div>d</div>"],
      "written anew")
    for (method, params) in [
      ("widget.list", [:]), ("stack.order", [:]), ("widget.timeline", ["id": "clock"]),
    ] as [(String, JSONValue)] {
      let answer = try harness.call(method, params, from: page).serialized
      #expect(!answer.contains("<div"), "\(method): \(answer)")
    }
    _ = harness.received(by: bar)
    _ = harness.received(by: page)
    try harness.call(
      "widget.push", ["id": "clock", "timeline": Self.timeline("<div>next</div>", title: "N")],
      from: harness.connect())
    let told = harness.received(by: bar).joined()
    #expect(told.contains("\"N\"") && !told.contains("<div"), "\(told)")
    #expect(harness.received(by: page).joined().contains(#""view":"<div>next</div>""#))
  }

  @Test func `what a push cannot show is told to who pushes, and the content is shown`() throws {
    var harness = Self.harness(.null)
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "clock"], from: client)
    let answer = try harness.call(
      "widget.push",
      ["id": "clock", "timeline": Self.timeline("<div onclick=\"a\"></div>", title: "N")],
      from: client)
    #expect(
      answer["warnings"]?.arrayValue?.contains(
        "entries[0].view is left out: 'onclick' is no attribute of 'div' in a view, at byte 5")
        == true, "\(answer.serialized)")
    let shown = try harness.call("surface.attach", ["wants": ["view"]], from: client)
    #expect(Self.view(shown) == nil)
    #expect(shown.serialized.contains("\"N\""))
  }

  @Test func `a reload whose view is left out says so in the history`() throws {
    var harness = Self.harness("<script></script>")
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "clock"], from: client)
    let history = try harness.call("daemon.history", from: client).serialized
    #expect(history.contains("entries[0].view is left out: 'script' is no element of a view"))
  }

  @Test func `a view is on disk with the content, and a new process sends it`() throws {
    var harness = Self.harness("<div>kept</div>")
    let client = harness.connect()
    try harness.call(
      "widget.add", ["kind": "org.example.clock", "id": "clock", "wait": true], from: client)
    var next = Harness(stored: harness.stored)
    let again = next.connect()
    let shown = try next.call("surface.attach", ["wants": ["view"]], from: again)
    #expect(Self.view(shown) == "<div>kept</div>")
    #expect(next.daemon.checkInvariants(isThorough: true) == [])
  }

  @Test func `a reload that brings the same view is not sent`() throws {
    var harness = Self.harness("<div>same</div>")
    let page = harness.connect()
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "clock"], from: client)
    try harness.call("surface.attach", ["wants": ["view"]], from: page)
    _ = harness.received(by: page)
    try harness.call("widget.reload", ["id": "clock", "wait": true], from: client)
    #expect(harness.received(by: page) == [])
  }

  @Test func `hundreds of large views come in pages, and others are served meanwhile`() throws {
    var harness = Self.harness(.null)
    let client = harness.connect()
    let count = 300
    let text = String(repeating: "x", count: 60_000)
    for number in 0..<count {
      try harness.call(
        "widget.add", ["kind": "org.example.clock", "id": .string("w\(number)")], from: client)
    }
    // They share one timeline.
    try harness.call(
      "widget.push", ["id": "w0", "timeline": Self.timeline(.string("<div>\(text)</div>"))],
      from: client)
    let page = harness.connect()
    harness.handle(
      .received(
        page,
        Array(
          (#"{"jsonrpc":"2.0","id":1,"method":"surface.attach","params":{"wants":["view"]}}"# + "\n")
            .utf8)))
    harness.pass(0)
    let sends = harness.sends.filter { $0.connection == page }
    #expect(sends.count > 20, "a page at a time")
    #expect(sends.allSatisfy { $0.byteCount < 1_048_576 }, "\(sends.map(\.byteCount).max() ?? 0)")
    let answer = try JSONValue(parsing: #require(harness.received(by: page).first))
    let widgets = answer["result"]?["widgets"]?.arrayValue ?? []
    #expect(widgets.count == count)
    #expect(widgets.allSatisfy { $0["entry"]?["view"]?.stringValue?.utf8.count == 60_011 })
    #expect(try harness.call("daemon.ping", from: client)["error"] == nil)
  }
}
