import Timekeeping

/// Work that may come for all widgets at once is done a slice a turn, so that no turn takes long.
///
/// Such work is: changes and reloads that are due together, timelines that the store gave back, and
/// sweeps. The rest is due at once, so the next turn follows after everybody else had theirs.
extension WidgetEngine {
  /// Does the work that is due at `now`, at most `Limits.sliceCount` steps of it.
  mutating func advanceSlice(at now: Now, into output: inout EngineOutput) {
    var room = Limits.sliceCount
    while room > 0, let key = work.popUnread() {
      room -= 1
      guard timelines[key]?.isUnread == true else { continue }
      timelines[key]?.readStored()
      refreshShown(key, at: now.wall, into: &output)
      askIfEmpty(key, at: now.wall, into: &output)
    }
    advanceSweeps(&room, at: now.wall, into: &output)
    while room > 0, let key = deadlines.popChange(at: now.wall) {
      room -= 1
      refreshShown(key, at: now.wall, into: &output)
    }
    while room > 0, let key = deadlines.popReload(at: now.wall) {
      room -= 1
      reloadDue(key, at: now.wall, into: &output)
    }
    while room > 0, let id = suggestions.popEnded(at: now.wall) {
      room -= 1
      endSuggestion(id, at: now.wall, into: &output)
    }
  }

  /// After a restart: a timeline that has nothing and waits for nothing is asked for.
  mutating func askIfEmpty(_ key: TimelineKey, at now: WallTime, into output: inout EngineOutput) {
    guard let shared = timelines[key], shared.isIdle, shared.dueAt == nil, shared.timeline == nil,
      kinds[key.kind] != nil
    else { return }
    // It was collapsed before its first entry came.
    if key.mode == .expanded, !placed.isExpanded(anyOf: shared.widgets) { return }
    ask(key, .placed, receipt: nil, at: now, into: &output)
  }
}
