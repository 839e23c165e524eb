import DequeModule
import JSON
import Timekeeping

/// One thing that happened to every widget at once, and how far it has been carried out.
struct Sweep: Hashable, Sendable {
  enum Reason: Hashable, Sendable {
    /// The clock was set.
    case clock
    /// Other widgets are looked at now than when it was `before`.
    case watches(before: Watches)
    /// An hour of looking is over.
    case views
    /// The network came or went.
    case network
    /// Everything in these families is made anew.
    case reload(ReloadCause, families: WidgetFamilies)
    /// Other kinds are offered than when they were `before`.
    case kinds(before: [String: WidgetKind])
    /// These have another provider.
    case upgrade(kinds: Set<String>)
  }

  var reason: Reason
  /// The widgets as they were placed when it began; a copy that costs nothing until the list changes.
  var ids: [String]
  var next = 0
}

/// What happens to all widgets at once, such as another language or a clock that was set, is carried out a
/// slice a turn when there are many; with few it is done where it happens.
///
/// Each step is asked anew what holds now, so that two sweeps on the way do no harm to each other.
extension WidgetEngine {
  /// Carries a reason out for every timeline: now, or in the slices of this and the following turns.
  mutating func sweep(_ reason: Sweep.Reason, at now: WallTime, into output: inout EngineOutput) {
    var sweep = Sweep(reason: reason, ids: order)
    guard sweep.ids.count > Limits.sliceCount else {
      while step(&sweep, at: now, into: &output) {}
      return
    }
    sweeps.append(sweep)
    switch reason {
    case .reload(let cause, _): unfinishedReload = cause
    case .upgrade(let kinds): unfinishedUpgrades.formUnion(kinds)
    case .clock, .watches, .views, .network, .kinds: return
    }
    output.settings["surroundings"] = surroundings
  }

  /// Takes the sweeps further, `room` steps at most.
  mutating func advanceSweeps(_ room: inout Int, at now: WallTime, into output: inout EngineOutput)
  {
    while room > 0, var sweep = sweeps.popFirst() {
      while room > 0, step(&sweep, at: now, into: &output) { room -= 1 }
      if sweep.next < sweep.ids.count {
        sweeps.prepend(sweep)
      } else {
        noteEnd(into: &output)
      }
    }
  }

  /// What was carried out for all is not begun anew at the next start.
  private mutating func noteEnd(into output: inout EngineOutput) {
    let stillReloads = unfinishedReload != nil && sweeps.contains(where: \.isReload)
    let stillUpgrades = unfinishedUpgrades.intersection(sweeps.flatMap(\.upgraded))
    guard unfinishedReload != nil && !stillReloads || unfinishedUpgrades != stillUpgrades else {
      return
    }
    if !stillReloads { unfinishedReload = nil }
    unfinishedUpgrades = stillUpgrades
    output.settings["surroundings"] = surroundings
  }

  /// One widget further; false at the end.
  private mutating func step(
    _ sweep: inout Sweep, at now: WallTime, into output: inout EngineOutput
  ) -> Bool {
    guard sweep.next < sweep.ids.count else { return false }
    let id = sweep.ids[sweep.next]
    sweep.next += 1
    // Of widgets that share a timeline the first stands for all.
    guard let key = widgets[id]?.timelineKey, let shared = timelines[key],
      shared.widgets.first == id
    else { return true }
    switch sweep.reason {
    case .clock: rejudge(key, at: now, into: &output)
    case .watches(let before):
      let isWatched = watches.covers(shared)
      guard before.covers(shared) != isWatched else { return true }
      if isWatched { noteView(key, at: now, into: &output) }
      plan(shared)
    case .views:
      if watches.covers(shared) { noteView(key, at: now, into: &output) }
    case .network:
      guard kinds[key.kind]?.needsNetwork == true else { return true }
      var shared = shared
      if networkIsUp, shared.isIdle, shared.dueAt != nil,
        shared.waitsForNetwork || shared.consecutiveFailures > 0
      {
        shared.dueAt = now
        timelines[key] = shared
        output.dirtyTimelines.insert(key)
      }
      plan(shared)
    case .reload(let cause, let families):
      guard kinds[key.kind] != nil, families.contains(key.family) else { return true }
      askWhenWatched(key, cause, at: now, into: &output)
    case .kinds(let before):
      followKind(key, before: before[key.kind], at: now, into: &output)
    case .upgrade(let upgraded):
      guard kinds[key.kind] != nil, upgraded.contains(key.kind) else { return true }
      askWhenWatched(key, .providerUpgrade, at: now, into: &output)
    }
    return true
  }
}

extension Sweep {
  var isReload: Bool { if case .reload = reason { true } else { false } }
  var upgraded: Set<String> { if case .upgrade(let kinds) = reason { kinds } else { [] } }
}
