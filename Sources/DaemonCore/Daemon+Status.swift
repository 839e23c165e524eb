import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// What the daemon says about itself.
extension Daemon {
  mutating func showStatus(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now
  ) throws(RPCError) {
    _ = try Params(value, known: [])
    var result: JSONObject = [
      "protocol": .int(protocolVersion), "version": .string(options.version),
      "pid": .int(Int64(options.processID)),
      "uptime": .double(Double(now.monotonic.milliseconds(since: startedAt)) / 1000),
      "now": .string(now.wall.rfc3339),
    ]
    let suggestions = engine.widgets.values.count { $0.isSuggestion }
    result["widgets"] = .int(Int64(engine.widgets.count - suggestions))
    result["suggestions"] = .int(Int64(suggestions))
    result["orphaned"] = .int(Int64(engine.widgets.values.count { engine.kinds[$0.kind] == nil }))
    result["connections"] = .int(Int64(sessions.count))
    result["surfaces"] = .int(Int64(surfaceConnections.count))
    result["running"] = .int(Int64(engine.runningCount))
    result["queued"] = .int(Int64(engine.queuedCount))
    result["watched"] = .int(Int64(engine.watchedCount))
    result["network"] = engine.networkIsUp ? "up" : "down"
    result["quarantined"] = .array(
      engine.quarantines.sorted { $0.key < $1.key }.map { kind, quarantine in
        var view: JSONObject = ["kind": .string(kind)]
        view.members += quarantine.json.members
        return .object(view)
      })
    result["journal"] = .int(journal.lastSequence)
    result["store"] =
      storeFailure.map { ["state": "failing", "reason": .string($0.message)] } ?? ["state": "ok"]
    result.members += configurationView().members
    answer(address, result)
  }

  mutating func showHistory(_ value: JSONValue?, _ address: ReplyAddress) throws(RPCError) {
    let params = try Params(value, known: ["limit", "widget"])
    let limit = try params.optionalInt("limit", in: 1...Limits.historyCountMax) ?? 50
    let widget = try params.optionalString("widget")
    var found: [JSONValue] = []
    for entry in journal.entries.reversed() {
      guard found.count < Int(limit) else { break }
      let value = entry.value
      if let widget {
        let isAboutIt =
          value["widget"]?.stringValue == widget
          || value["widgets"]?.arrayValue?.contains(.string(widget)) == true
        guard isAboutIt else { continue }
      }
      found.append(value)
    }
    answer(address, ["entries": .array(found)])
  }

  /// OpenMetrics text. Source: OpenMetrics 1.0.
  mutating func showMetrics(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now
  ) throws(RPCError) {
    _ = try Params(value, known: [])
    var text = ""
    func family(_ name: String, _ type: String, _ help: String) {
      text += "# TYPE \(name) \(type)\n# HELP \(name) \(help)\n"
    }
    func sample(_ name: String, _ labels: String = "", _ value: String) {
      text += "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(value)\n"
    }
    family("intentd_requests", "counter", "Requests handled.")
    sample("intentd_requests_total", "", String(counters.requests))
    family("intentd_refusals", "counter", "Requests refused with an error.")
    sample("intentd_refusals_total", "", String(counters.refusals))
    family("intentd_turns", "counter", "Turns of the loop.")
    sample("intentd_turns_total", "", String(counters.turns))
    family("intentd_transactions", "counter", "Transactions made durable.")
    sample("intentd_transactions_total", "", String(counters.transactions))
    family("intentd_launches", "counter", "Applications started for taps.")
    sample("intentd_launches_total", "", String(counters.launches))
    family("intentd_connections", "gauge", "Clients connected.")
    sample("intentd_connections", "", String(sessions.count))
    family("intentd_widgets", "gauge", "Widgets placed, suggestions included.")
    sample("intentd_widgets", "", String(engine.widgets.count))
    family("intentd_providers_running", "gauge", "Provider runs under way.")
    sample("intentd_providers_running", "", String(engine.runningCount))
    family("intentd_reloads_queued", "gauge", "Reloads that wait for a free slot.")
    sample("intentd_reloads_queued", "", String(engine.queuedCount))
    let kinds = engine.countersByKind.sorted { $0.key < $1.key }
    family("intentd_provider_runs", "counter", "Provider runs started.")
    for (kind, count) in kinds { sample("intentd_provider_runs_total", "kind=\"\(kind)\"", String(count.runs)) }
    family("intentd_provider_failures", "counter", "Provider runs that failed.")
    for (kind, count) in kinds {
      sample("intentd_provider_failures_total", "kind=\"\(kind)\"", String(count.failures))
    }
    family("intentd_reloads_deferred", "counter", "Reloads put off by spacing or budget.")
    for (kind, count) in kinds {
      sample("intentd_reloads_deferred_total", "kind=\"\(kind)\"", String(count.deferrals))
    }
    family("intentd_reloads_unchanged", "counter", "Answers that showed the same as the last.")
    for (kind, count) in kinds {
      sample("intentd_reloads_unchanged_total", "kind=\"\(kind)\"", String(count.unchanged))
    }
    family("intentd_provider_quarantines", "counter", "Times that a provider was left alone for a while.")
    for (kind, count) in kinds {
      sample("intentd_provider_quarantines_total", "kind=\"\(kind)\"", String(count.quarantines))
    }
    family("intentd_providers_quarantined", "gauge", "Providers that are left alone now.")
    sample("intentd_providers_quarantined", "", String(engine.quarantines.count))
    family("intentd_widgets_watched", "gauge", "Widgets that a visible surface shows.")
    sample("intentd_widgets_watched", "", String(engine.watchedCount))
    text += "# EOF\n"
    answer(address, ["text": .string(text)])
  }
}
