import DaemonCore
import JSON
import JSONRPC
import Timekeeping
import VirtualTime
import WidgetCenter

/// The calm phase: everything works again, and after three hours of it nothing may be left undone.
///
/// Three hours are enough: a failing provider is tried again after one hour at the latest, and the
/// smallest budget gets a token each hour. `liveOut` waits for reloads that widgets' own rules
/// defer for longer.
extension RandomWorld {
  private static let calmMilliseconds: Int64 = 3 * 3_600_000
  /// In milliseconds.
  static let wakeUpDelayMax: Int64 = 30

  func calmDown() {
    note(.world("the calm phase begins"))
    isCalm = true
    statistics.eventsBeforeCalm = statistics.events
    activeFaults = []
    isDiskFull = false
    setNetwork(isUp: true)
    setSupply(MachineSupply())
    scenario = Scenario(interval: Scenario.longInterval, version: scenario.version)
    for slot in clients.indices {
      clients[slot].readsSlowly = false
      guard let connection = clients[slot].connection else { continue }
      if clients[slot].isVanished || clients[slot].isWild || clients[slot].isStranger {
        plan(.hangUp(slot, connection), after: 0)
      } else {
        plan(.read(slot, connection), after: 0)
      }
    }
    // A process that was asked to stop does so; then there is one that stays.
    live(for: 120_000)
    if process != nil { inbox.append(.reloadRequested) }
    for slot in clients.indices where clients[slot].isSurface {
      guard let connection = clients[slot].connection else { continue }
      send([request(slot, "surface.visibility", ["visible": true], .nothing)], slot, connection)
    }
    live(for: 1_000)
    let begun =
      process?.daemon.widgetEngine.receipts.values.filter { !$0.hasEnded }.map(\.id).sorted() ?? []
    live(for: Self.calmMilliseconds)
    liveOut(begun)
    awaitWakeUp()
    if violation == nil { checkConvergence(begun) }
    guard violation == nil else { return }

    // And once more from the disk.
    crash()
    live(for: 60_000)
    if violation == nil, process?.isReady != true {
      violate("a restart on a quiet machine did not come up")
    }
    guard violation == nil else { return }
    inbox.append(.stopRequested)
    live(for: 30_000)
    if violation == nil, statistics.stops == 0 {
      violate("the daemon was asked to stop and did not")
    }
  }

  /// A widget whose own rules give it a few reloads a day may wait longer than that: until then,
  /// and a day at most.
  private func liveOut(_ begun: [ReceiptID]) {
    let end = monotonic.advanced(byMilliseconds: 86_400_000)
    while violation == nil, let engine = process?.daemon.widgetEngine {
      var waits = begun.compactMap { id -> Int64? in
        guard case .deferred(let until, _)? = engine.receipts[id]?.state else { return nil }
        return max(0, until.milliseconds(since: now.wall))
      }
      // Failed reloads are tried again by the same rules.
      for shared in engine.timelines.values where shared.consecutiveFailures > 0 {
        guard let dueAt = shared.dueAt, engine.hold(of: shared)?.name != "unwatched" else {
          continue
        }
        waits.append(max(0, dueAt.milliseconds(since: now.wall)))
      }
      guard let longest = waits.max(), monotonic < end else { return }
      live(for: min(longest + 60_000, end.milliseconds(since: monotonic)))
    }
  }

  /// Has the turn of a wake-up that is due by now: until then surfaces show the entries before it.
  private func awaitWakeUp() {
    // Each turn may arm one that is due again.
    for _ in 0..<10 {
      guard let armedAt = process?.armedAt, armedAt <= monotonic else { return }
      live(for: Self.wakeUpDelayMax + 1)
    }
  }

  private func live(for milliseconds: Int64) {
    let end = monotonic.advanced(byMilliseconds: milliseconds)
    // Plan an event, so that a turn handles the events in the inbox.
    plan(.diskRecovers, after: 0)
    while violation == nil, step(until: end) {}
    clock.move(to: end)
  }

  private func checkConvergence(_ begun: [ReceiptID]) {
    guard let process, process.isReady else {
      violate("after hours of calm the daemon is not ready")
      return
    }
    for slot in clients.indices {
      let client = clients[slot]
      guard let connection = client.connection else { continue }
      if let request = client.outstanding.values.min(by: { $0.sequence < $1.sequence }) {
        violate("connection \(connection.number) never got an answer to its \(request.method)")
      }
      if client.nullAnswersExpected != 0, !client.isWild {
        violate(
          "connection \(connection.number) sent lines that cannot be read, and \(client.nullAnswersExpected) of them were never answered"
        )
      }
      if !client.unfinished.isEmpty {
        violate(
          "connection \(connection.number) was told the beginning of a line, and never its end")
      }
      if process.daemon.owes(connection) {
        violate("after hours of calm something is still owed to connection \(connection.number)")
      }
      if client.isSurface, client.isVisible { checkMirror(client, connection, process.daemon) }
      if !client.isWild, let broken = client.app?.violation(in: process.daemon.widgetEngine) {
        violate(broken)
      }
    }
    let engine = process.daemon.widgetEngine
    if engine.queuedCount > 0, engine.hasRoom(for: .budgeted) {
      violate("a reload waits in the queue while providers may run")
    }
    for id in begun {
      if let receipt = engine.receipts[id], !receipt.hasEnded {
        violate("after hours of calm the receipt \(id.text) is still \(receipt.state)")
      }
    }
    for id in engine.order {
      guard let widget = engine.widgets[id], let shared = engine.timelines[widget.timelineKey]
      else {
        continue
      }
      if widget.expansion.isExpanded, let key = widget.expandedKey,
        let expanded = engine.timelines[key], expanded.consecutiveFailures > 0,
        engine.hold(of: expanded)?.name != "unwatched"
      {
        violate("after hours of calm the widget \(id) still shows a failure where it is expanded")
      }
      // An unwatched widget is tried again once a surface watches it.
      if shared.consecutiveFailures > 0, engine.hold(of: shared)?.name != "unwatched" {
        violate(
          "after hours of calm the widget \(id) still shows a failure (\(shared.failure ?? "")), to be tried at \(shared.dueAt?.rfc3339 ?? "no time")"
        )
      }
      // A script runs while somebody looks, and a new suggestion has one minute to load. Without a
      // provider there may be no push.
      if !engine.hasNoProvider(widget.kind), shared.fetchedAt == nil,
        engine.hold(of: shared)?.name != "unwatched",
        shared.placedAt.map({ now.wall.milliseconds(since: $0) > 60_000 }) ?? true
      {
        violate("after hours of calm the widget \(id) has never had a timeline")
      }
    }
  }

  /// Checks that a surface shows the engine's entries.
  private func checkMirror(
    _ client: FakeClient, _ connection: ConnectionID, _ daemon: borrowing Daemon
  ) {
    for (id, shown) in client.shown.sorted(by: { $0.key < $1.key }) {
      guard let view = daemon.view(of: id, onSurfaceOf: connection, at: now.wall) else {
        violate("a surface still shows the widget \(id), which is gone")
        return
      }
      let right = FakeClient.Shown(.object(view))
      if shown != right, !client.isStack {
        violate("a surface shows \(shown) for the widget \(id), and it is \(right)")
      }
    }
  }
}
