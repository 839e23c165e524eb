import JSON
import Timekeeping

/// One thing that happened to every widget at once, and how far it has been carried out.
struct Sweep: Hashable, Sendable {
  enum Reason: Hashable, Sendable {
    /// The clock was set.
    case clock
    /// Other widgets are looked at now than when it was `before`.
    case watches(before: Watches)
    /// An hour has passed, after which a widget that is still visible counts as viewed again.
    case views
    /// The network came or went.
    case network
    /// The session was locked or unlocked.
    case lock
    /// Budgets are halved, or are not any more.
    case supply
    /// Everything in these families is made anew.
    case reload(ReloadCause, families: WidgetFamilies)
    /// Widgets of kinds with modes have other sizes in these modes.
    case modes(Set<WidgetMode>)
    /// Other kinds are offered than when they were `before`.
    case kinds(before: [String: WidgetKind])
    /// These have another provider.
    case upgrade(kinds: Set<String>)
    /// A client without a surface read the widgets of the sweep; `isNoted`: the look is counted.
    case reading(isNoted: Bool)
  }

  var reason: Reason
  /// The widgets as they were placed when it began; a copy that costs nothing until the list
  /// changes.
  var ids: [String]
  var next = 0
}

/// Carries out changes that concern all widgets, such as another language or a clock that was set.
///
/// With more than `Limits.sliceCount` widgets the work is done a slice a turn, else at once. Each
/// step looks at the present state, so two sweeps under way do not disturb each other.
extension WidgetEngine {
  /// Carries a reason out for every timeline: now, or in the slices of this and the following
  /// turns.
  mutating func sweep(_ reason: Sweep.Reason, at now: WallTime, into output: inout EngineOutput) {
    sweep(Sweep(reason: reason, ids: order), atOnceMax: Limits.sliceCount, at: now, into: &output)
  }

  mutating func sweep(
    _ sweep: consuming Sweep, atOnceMax: Int, at now: WallTime, into output: inout EngineOutput
  ) {
    guard sweep.ids.count > atOnceMax else {
      while step(&sweep, at: now, into: &output) {}
      return
    }
    if work.add(sweep) { output.settings["surroundings"] = surroundingsRecord }
  }

  /// Takes the sweeps further, `room` steps at most.
  mutating func advanceSweeps(_ room: inout Int, at now: WallTime, into output: inout EngineOutput)
  {
    while room > 0, var sweep = work.popSweep() {
      while room > 0, step(&sweep, at: now, into: &output) { room -= 1 }
      if sweep.next < sweep.ids.count {
        work.resume(sweep)
      } else if work.forgetFinished() {
        output.settings["surroundings"] = surroundingsRecord
      }
    }
  }

  /// One widget further; false at the end.
  private mutating func step(
    _ sweep: inout Sweep, at now: WallTime, into output: inout EngineOutput
  ) -> Bool {
    guard sweep.next < sweep.ids.count else { return false }
    let id = sweep.ids[sweep.next]
    sweep.next += 1
    if case .reading(let isNoted) = sweep.reason {
      if noteReading(of: id, at: now, into: &output), !isNoted {
        noteViewHour(at: now, into: &output)
        sweep.reason = .reading(isNoted: true)
      }
      return true
    }
    guard let widget = widgets[id] else { return true }
    carryOut(sweep.reason, for: id, on: widget.timelineKey, at: now, into: &output)
    if let expanded = widget.expandedKey {
      carryOut(sweep.reason, for: id, on: expanded, at: now, into: &output)
    }
    return true
  }

  /// Carries a reason out for one timeline of a widget.
  private mutating func carryOut(
    _ reason: Sweep.Reason, for id: String, on key: TimelineKey, at now: WallTime,
    into output: inout EngineOutput
  ) {
    // The first widget of a timeline stands for all that share it.
    guard let shared = timelines[key], shared.widgets.first == id else { return }
    switch reason {
    case .clock: rejudge(key, at: now, into: &output)
    case .watches(let before):
      let isWatched = viewing.watches.covers(shared)
      guard before.covers(shared) != isWatched else { return }
      if isWatched { noteView(key, at: now, into: &output) }
      plan(shared)
    case .views:
      if viewing.watches.covers(shared) { noteView(key, at: now, into: &output) }
    case .network:
      guard kinds[key.kind]?.needsNetwork == true else { return }
      var shared = shared
      if networkIsUp, shared.isIdle, shared.dueAt != nil,
        shared.waitsForNetwork || shared.consecutiveFailures > 0
      {
        shared.planDate(now)
        timelines[key] = shared
        output.dirtyTimelines.insert(key)
      }
      plan(shared)
    case .lock: if kinds[key.kind]?.isPrivate ?? true { plan(shared) }
    case .supply: followSupply(key, at: now, into: &output)
    case .modes(let resized):
      guard resized.contains(key.mode), kinds[key.kind]?.hasModes == true else { return }
      askWhenWatched(key, .displaySize, at: now, into: &output)
    case .reload(let cause, let families):
      guard let kind = kinds[key.kind], families.contains(key.family) else { return }
      // A script of a bar is not told of sizes.
      if kind.provider.plugin != nil, cause == .textSize || cause == .displaySize { return }
      askWhenWatched(key, cause, at: now, into: &output)
    case .kinds(let before):
      followKind(key, before: before[key.kind], at: now, into: &output)
    case .upgrade(let upgraded):
      guard kinds[key.kind] != nil, upgraded.contains(key.kind) else { return }
      askWhenWatched(key, .providerUpgrade, at: now, into: &output)
    case .reading: break
    }
  }
}

extension Sweep {
  var isReload: Bool {
    switch reason {
    case .reload, .modes: true
    case .clock, .watches, .views, .network, .lock, .supply, .kinds, .upgrade, .reading: false
    }
  }
  var upgraded: Set<String> { if case .upgrade(let kinds) = reason { kinds } else { [] } }
}
