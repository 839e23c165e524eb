import JSON
import Testing
import WidgetCenter

@testable import DaemonCore

struct MetricsTests {
  private func families(_ harness: inout Harness) throws -> [String: OpenMetricsParser.Family] {
    let client = harness.connect()
    let text = try #require(try harness.call("daemon.metrics", from: client)["text"]?.stringValue)
    return Dictionary(uniqueKeysWithValues: try OpenMetricsParser.parse(text).map { ($0.name, $0) })
  }

  @Test func `a strict reader of OpenMetrics accepts the metrics, and they count`() throws {
    var harness = Harness(provider: { run in
      run.kind == "org.example.news" ? .failed(.init(.exited(code: 1))) : Harness.texts(run)
    })
    let client = harness.connect()
    for kind in ["clock", "news"] {
      try harness.call("widget.add", ["kind": .string("org.example.\(kind)")], from: client)
    }
    try harness.call("app.register", ["app": "org.example.Weather"], from: client)
    harness.measure { daemon in
      daemon.measuredTurn(nanoseconds: 50_000)
      daemon.measuredTurn(nanoseconds: 20_000_000)
      daemon.measuredProvider(kind: "org.example.clock", nanoseconds: 1_500_000_007)
      daemon.measuredProvider(kind: "nobody", nanoseconds: 1)
    }
    let families = try families(&harness)
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
      families.values.flatMap(\.samples).first { $0.name == name && $0.labels == labels }?.value
    }
    #expect(value("intentd_widgets") == 2)
    #expect(value("intentd_widgets_stale") == 1)
    #expect(value("intentd_provider_runs_total", ["kind": "org.example.clock"]) == 1)
    #expect(value("intentd_provider_failures_total", ["kind": "org.example.news"]) == 1)
    #expect(
      value("intentd_provider_cpu_seconds_total", ["kind": "org.example.clock"]) == 1.500_000_007)
    #expect(families["intentd_provider_cpu_seconds"]?.samples.count == 1)
    #expect(families["intentd_provider_cpu_seconds"]?.unit == "seconds")
    #expect(value("intentd_turn_duration_seconds_bucket", ["le": "0.0001"]) == 1)
    #expect(value("intentd_turn_duration_seconds_bucket", ["le": "0.01"]) == 1)
    #expect(value("intentd_turn_duration_seconds_bucket", ["le": "+Inf"]) == 2)
    #expect(value("intentd_turn_duration_seconds_sum") == 0.02005)
    #expect(value("intentd_store_failing") == 0)
    for name in [
      "intentd_requests_total", "intentd_refusals_total", "intentd_turns_total",
      "intentd_transactions_total", "intentd_transaction_failures_total", "intentd_connections",
      "intentd_surfaces", "intentd_providers_running", "intentd_reloads_queued",
      "intentd_deadlines_waiting", "intentd_requests_waiting", "intentd_replies_held",
      "intentd_writes_waiting",
    ] {
      #expect(value(name) != nil, "\(name)")
    }
    #expect(families["intentd_reloads_deferred"]?.type == "counter")
  }

  @Test func `the memory of the daemon and of its supervisor are asked for`() throws {
    var harness = Harness()
    #expect(try families(&harness)["intentd_memory_bytes"] == nil)
    harness.measure { $0.memoryUse = { MemoryUse(daemonBytes: 9_000_000) } }
    #expect(try families(&harness)["intentd_memory_bytes"]?.samples.first?.value == 9_000_000)
    #expect(try families(&harness)["intentd_supervisor_memory_bytes"] == nil)
    harness.measure {
      $0.memoryUse = { MemoryUse(daemonBytes: 9_000_000, supervisorBytes: 2_000_000) }
    }
    #expect(
      try families(&harness)["intentd_supervisor_memory_bytes"]?.samples.first?.value == 2_000_000)
  }

  @Test func `the status says what a machine lacks for supervision, and nothing otherwise`() throws
  {
    var harness = Harness()
    let client = harness.connect()
    #expect(try harness.call("daemon.status", from: client)["supervision"] == nil)
    harness.measure { $0.supervisionGaps = ["no PR_SET_CHILD_SUBREAPER"] }
    #expect(
      try harness.call("daemon.status", from: client)["supervision"]
        == ["no PR_SET_CHILD_SUBREAPER"])
  }

  @Test func `the status lists the services that the shell speaks to`() throws {
    var harness = Harness()
    let client = harness.connect()
    #expect(try harness.call("daemon.status", from: client)["services"] == nil)
    harness.measure {
      $0.note(DesktopService(name: "search", state: .connected))
      $0.note(DesktopService(name: "lock", state: .absent(reason: "there is no logind")))
      $0.note(DesktopService(name: "search", state: .failing(reason: "the bus is gone")))
    }
    #expect(
      try harness.call("daemon.status", from: client)["services"] == [
        ["name": "lock", "state": "absent", "reason": "there is no logind"],
        ["name": "search", "state": "failing", "reason": "the bus is gone"],
      ])
  }

  @Test func `a store that fails shows in the metrics`() throws {
    var harness = Harness()
    harness.storeMode = .fails(Harness.diskFull)
    let client = harness.connect()
    _ = try harness.refusal("widget.add", ["kind": "org.example.clock"], from: client)
    let families = try families(&harness)
    #expect(families["intentd_store_failing"]?.samples.first?.value == 1)
    #expect((families["intentd_transaction_failures"]?.samples.first?.value ?? 0) >= 1)
    #expect((families["intentd_writes_waiting"]?.samples.first?.value ?? 0) >= 1)
  }

  @Test(
    arguments: [
      "a 1\n# EOF\n", "# TYPE a counter\na 1\n# EOF\n", "# TYPE a gauge\na 1\n",
      "# TYPE a gauge\na one\n# EOF\n",
      "# TYPE a gauge\na{b=1} 1\n# EOF\n", "# TYPE a gauge\na 1\na 1\n# EOF\n",
      "# TYPE a gauge\na 1\n# HELP a late\n# EOF\n",
      "# TYPE a gauge\n# UNIT a seconds\na 1\n# EOF\n",
      "# TYPE a gauge\na 1\n# TYPE b gauge\nb 1\n# TYPE a gauge\n# EOF\n",
      "# TYPE a histogram\na_bucket{le=\"1.0\"} 2\na_bucket{le=\"+Inf\"} 1\na_count 1\na_sum 1\n# EOF\n",
      "# TYPE a counter\na_total{b=\"x\\y\"} 1\n# EOF\n", "# TYPE a counter\na_total -1\n# EOF\n",
    ])
  func `the reader is strict`(text: String) {
    #expect(throws: OpenMetricsParser.Wrong.self) { try OpenMetricsParser.parse(text) }
  }

  @Test func `a label may hold anything`() throws {
    var text = OpenMetricsText()
    let kind = "quote \" slash \\ line\nend"
    text.counter("intentd_x", "Help with \\ and\nlines.", byKind: [(kind, "3")])
    text.end()
    let families = try OpenMetricsParser.parse(text.text)
    #expect(
      families.first?.samples == [.init(name: "intentd_x_total", labels: ["kind": kind], value: 3)])
  }
}
