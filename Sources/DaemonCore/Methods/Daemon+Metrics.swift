import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// The memory of the daemon's processes in bytes, each with its share of what it shares with others;
/// `nil`: there is no such process, or its memory cannot be read.
package struct MemoryUse: Hashable, Sendable {
  package var daemonBytes: Int?
  package var supervisorBytes: Int?

  package init(daemonBytes: Int? = nil, supervisorBytes: Int? = nil) {
    self.daemonBytes = daemonBytes
    self.supervisorBytes = supervisorBytes
  }
}

/// Collects the shell's measurements and writes the text of `daemon.metrics`.
extension Daemon {
  /// Adds a turn that took this long, from its first event to its last effect.
  package mutating func measuredTurn(nanoseconds: UInt64) {
    statistics.addTurn(nanoseconds: nanoseconds)
  }

  /// Adds the processor time of a provider's process that ended.
  package mutating func measuredProvider(kind: String, nanoseconds: UInt64) {
    // Only kinds that a manifest offers now are counted, so that the counts do not grow forever.
    guard engine.kinds.index(forKey: kind) != nil else { return }
    statistics.addProvider(kind: kind, nanoseconds: nanoseconds)
  }

  mutating func showMetrics(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now
  ) throws(RPCError) {
    _ = try Params(value, known: [])
    work.spend(Limits.workOfMetrics)
    var text = OpenMetricsText()
    addCounters(to: &text)
    addGauges(to: &text, at: now)
    let memory = memoryUse()
    if let bytes = memory.daemonBytes {
      text.gauge("intentd_memory_bytes", "Memory of the daemon, shared memory in parts.", bytes)
    }
    if let bytes = memory.supervisorBytes {
      text.gauge(
        "intentd_supervisor_memory_bytes", "Memory of the supervisor of runs, likewise.", bytes)
    }
    text.histogram(
      "intentd_turn_duration_seconds", "Time from a turn's first event to its last effect.",
      statistics.turnDurations)
    addKinds(to: &text)
    text.end()
    outbox.answer(address, ["text": .string(text.text)])
  }

  private func addCounters(to text: inout OpenMetricsText) {
    text.counter("intentd_requests", "Requests handled.", statistics.requestCount)
    text.counter("intentd_refusals", "Requests refused with an error.", outbox.refusalCount)
    text.counter("intentd_turns", "Turns of the loop.", statistics.turnCount)
    text.counter("intentd_transactions", "Transactions made durable.", writes.committedCount)
    text.counter(
      "intentd_transaction_failures", "Transactions that the store refused.",
      writes.failedCount)
    text.counter(
      "intentd_clients_cut", "Lines skipped and connections closed for the budget of memory.",
      memory.sacrificeCount)
    text.counter("intentd_launches", "Applications started for taps.", statistics.launchCount)
    text.counter("intentd_links", "Links that made an intent or reloaded.", links.followedCount)
    text.counter(
      "intentd_links_refused", "Links that came too fast, or that their intent does not want.",
      links.refusedCount)
  }

  private func addGauges(to text: inout OpenMetricsText, at now: Now) {
    text.gauge("intentd_connections", "Clients connected.", sessions.count)
    text.gauge("intentd_surfaces", "Clients that show widgets.", surfaces.count)
    text.gauge("intentd_widgets", "Widgets placed, suggestions included.", engine.widgets.count)
    text.gauge(
      "intentd_widgets_stale", "Widgets whose last run failed.",
      engine.timelines.values.reduce(0) {
        $0 + ($1.consecutiveFailures > 0 ? $1.widgets.count : 0)
      })
    text.gauge(
      "intentd_widgets_watched", "Widgets that a visible surface shows.", engine.watchedCount)
    text.gauge("intentd_providers_running", "Provider runs under way.", engine.runningCount)
    text.gauge(
      "intentd_providers_overlong", "Of these, runs so long that they gave their slot back.",
      engine.overlongCount)
    text.gauge(
      "intentd_providers_quarantined", "Providers that are left alone now.",
      engine.quarantines.count)
    text.gauge("intentd_reloads_queued", "Reloads that wait for a free slot.", engine.queuedCount)
    text.gauge(
      "intentd_deadlines_waiting", "Entry switches, reloads and expiries that wait for their time.",
      engine.waitingDeadlineCount)
    text.gauge(
      "intentd_requests_waiting", "Requests that wait for a run, a launch or an answer.",
      outbox.waitingCount)
    text.gauge(
      "intentd_client_bytes", "Bytes that all clients together make the daemon hold.",
      memory.usedBytes)
    text.gauge("intentd_client_bytes_max", "Their budget.", memory.bytesMax)
    text.gauge(
      "intentd_replies_held", "Replies that wait for the disk.",
      outbox.heldCount + outbox.transactionCount)
    text.gauge(
      "intentd_writes_waiting", "Writes that are not on disk yet.",
      writes.unwrittenCount)
    text.gauge(
      "intentd_store_failing", "1 while the store refuses to write, else 0.",
      writes.failure == nil ? 0 : 1)
  }

  private func addKinds(to text: inout OpenMetricsText) {
    func gauges(_ counts: [String: Int]) -> [(kind: String, text: String)] {
      counts.sorted { $0.key < $1.key }.map { ($0.key, String($0.value)) }
    }
    text.gauge(
      "intentd_kind_widgets", "Widgets placed, suggestions included.",
      byKind: gauges(engine.widgetsByKind))
    text.gauge(
      "intentd_kind_reloads_queued", "Reloads that wait for a free slot.",
      byKind: gauges(engine.queuedByKind))
    let kinds = engine.countersByKind.sorted { $0.key < $1.key }
    func values(_ value: (WidgetEngine.KindCounters) -> Int) -> [(kind: String, text: String)] {
      kinds.map { ($0.key, String(value($0.value))) }
    }
    text.counter("intentd_provider_runs", "Provider runs started.", byKind: values(\.runs))
    text.counter(
      "intentd_provider_failures", "Provider runs that failed.", byKind: values(\.failures))
    text.counter(
      "intentd_reloads_deferred", "Reloads put off, whatever the reason.",
      byKind: values(\.deferrals))
    text.counter(
      "intentd_reloads_skipped_by_budget", "Reloads put off by the budget or its spacing.",
      byKind: values(\.skippedByBudget))
    text.counter(
      "intentd_reloads_unchanged", "Answers that showed the same as the last.",
      byKind: values(\.unchanged))
    text.counter(
      "intentd_provider_quarantines", "Times that a provider was left alone for a while.",
      byKind: values(\.quarantines))
    text.seconds(
      "intentd_provider_cpu_seconds", "Processor time of providers that ended.",
      byKind: statistics.processorTime.sorted { $0.key < $1.key }
        .map { ($0.key, OpenMetricsText.seconds($0.value)) })
  }
}
