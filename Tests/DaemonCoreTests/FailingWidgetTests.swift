import JSON
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// What clients hear of widgets whose providers fail.
@Suite struct FailingWidgetTests {
  /// A daemon with a clock and news, of which the clock failed at 08:00 and at 08:01.
  private func world() throws -> (Harness, ConnectionID) {
    var harness = Harness()
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "clock"], from: client)
    try harness.call("widget.add", ["kind": "org.example.news", "id": "news"], from: client)
    try harness.answer("org.example.news", Harness.timeline(#"{"text":"news"}"#))
    try harness.fail("org.example.clock", .exited(code: 1), stderr: "no battery\n")
    try harness.call("widget.list", from: client)
    harness.pass(60)
    try harness.fail("org.example.clock", .exited(code: 2), stderr: "still no battery\n")
    return (harness, client)
  }

  @Test func `the status names the failing widgets, why and since when`() throws {
    var (harness, client) = try world()
    let status = try harness.call("daemon.status", from: client)
    #expect(
      status["failing"]?.serialized
        == #"[{"id":"clock","kind":"org.example.clock","error":"the provider ended with exit code 2","stderr":"still no battery","failures":2,"since":"2026-11-20T08:00:00Z"}]"#
    )
    #expect(status["failingCount"] == 1)
    try harness.call("widget.reload", ["id": "clock"], from: client)
    try harness.answer("org.example.clock", Harness.timeline(#"{"text":"08:01"}"#))
    let mended = try harness.call("daemon.status", from: client)
    #expect(mended["failing"] == [])
    #expect(mended["failingCount"] == 0)
  }

  @Test func `the list of failing widgets is bounded, their count is not`() throws {
    var harness = Harness()
    let client = harness.connect()
    for number in 1...(Limits.failingShownMax + 3) {
      try harness.call(
        "widget.add",
        [
          "kind": "org.example.weather", "id": .string("w\(number)"),
          "parameters": ["city": .string("City \(number)")],
        ], from: client)
      try harness.fail("org.example.weather", .exited(code: 1))
      // Ten failures in a row would end in a quarantine.
      try harness.call(
        "widget.push",
        ["id": .string("w\(number)"), "timeline": ["entries": [], "policy": "never"]], from: client)
      try harness.call("widget.reload", ["id": .string("w\(number)")], from: client)
      try harness.fail("org.example.weather", .exited(code: 1))
    }
    let status = try harness.call("daemon.status", from: client)
    #expect(status["failing"]?.arrayValue?.count == Limits.failingShownMax)
    #expect(status["failingCount"] == .int(Int64(Limits.failingShownMax + 3)))
  }

  @Test func `failed runs are counted and told after a restart, too`() throws {
    let (harness, _) = try world()
    var fresh = Harness(stored: harness.stored)
    let client = fresh.connect()
    let budget = try fresh.call("widget.budget", ["id": "clock"], from: client)
    #expect(budget["failed"]?.serialized == #"{"placed":1,"retry":1}"#)
    #expect(budget["spent"] == [:])
    #expect(budget["exempt"] == [:])
    #expect(budget["failingSince"] == "2026-11-20T08:00:00Z")
    #expect(
      budget["runs"]?.arrayValue?.map { $0["stderr"]?.stringValue }
        == ["still no battery", "no battery"])
    let status = try fresh.call("daemon.status", from: client)
    #expect(status["failing"]?.arrayValue?.first?["stderr"] == "still no battery")
  }
}
