import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Answers requests about the daemon itself.
extension Daemon {
  mutating func showStatus(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now
  ) throws(RPCError) {
    _ = try Params(value, known: [])
    var result: JSONObject = [
      "protocol": .int(protocolVersion), "version": .string(options.version),
      "newerInstalled": .bool(newerIsInstalled), "pid": .int(Int64(options.processID)),
      "uptime": .double(Double(now.monotonic.milliseconds(since: startedAt)) / 1000),
      "now": .string(now.wall.rfc3339),
    ]
    let suggestions = engine.widgets.values.count { $0.isSuggestion }
    result["widgets"] = .int(Int64(engine.widgets.count - suggestions))
    result["suggestions"] = .int(Int64(suggestions))
    result["orphaned"] = .int(Int64(engine.widgets.values.count { engine.kinds[$0.kind] == nil }))
    result["connections"] = .int(Int64(sessions.count))
    result["surfaces"] = .int(Int64(surfaces.count))
    result["running"] = .int(Int64(engine.runningCount))
    result["overlong"] = .int(Int64(engine.overlongCount))
    result["queued"] = .int(Int64(engine.queuedCount))
    result["watched"] = .int(Int64(engine.watchedCount))
    result["private"] = .bool(engine.isPrivate)
    result["donations"] = .int(Int64(engine.stackModel.donationCount))
    result["network"] = engine.networkIsUp ? "up" : "down"
    result["locked"] = .bool(engine.isLocked)
    if !engine.savingCauses.isEmpty {
      result["saving"] = .array(engine.savingCauses.map { .string($0.rawValue) })
    }
    result["quarantined"] = .array(
      engine.quarantines.sorted { $0.key < $1.key }.map { kind, quarantine in
        var view: JSONObject = ["kind": .string(kind)]
        view.members += quarantine.json.members
        return .object(view)
      })
    let failing = engine.failingView(countMax: Limits.failingShownMax)
    result["failing"] = .array(failing.list)
    result["failingCount"] = .int(Int64(failing.count))
    let flooding = engine.floodingView(countMax: Limits.failingShownMax)
    if !flooding.isEmpty { result["flooding"] = .array(flooding) }
    result["journal"] = .int(journal.lastSequence)
    let asking = questions.aboutLinks(at: now.monotonic)
    if !asking.isEmpty {
      result["questions"] = .array(
        asking.map { question in
          var view = question.need.view
          view["token"] = .string(question.token)
          return .object(view)
        })
    }
    result["store"] = .object(storeView)
    result.members += configurationView().members
    result["watchesFiles"] = .bool(fileWatch.isOn)
    if !supervisionGaps.isEmpty {
      result["supervision"] = .array(supervisionGaps.map { .string($0) })
    }
    if !services.view.isEmpty { result["services"] = .array(services.view) }
    if !options.widgetFolders.isEmpty {
      result["folders"] = .array(options.widgetFolders.map { .string($0) })
    }
    outbox.answer(address, result)
  }

  private var storeView: JSONObject {
    var view: JSONObject =
      writes.failure.map { ["state": "failing", "reason": .string($0.message)] } ?? ["state": "ok"]
    if keptRows.count > 0 {
      view["damagedRows"] = .int(Int64(keptRows.count))
      view["damagedWidgets"] = .array(
        keptRows.widgets.sorted().prefix(Limits.failingShownMax).map { .string($0) })
    }
    return view
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
    if let widget, found.isEmpty, engine.widgets[widget] == nil {
      throw RPCError(engine.unknownWidget(widget))
    }
    outbox.answer(address, ["entries": .array(found)])
  }
}
