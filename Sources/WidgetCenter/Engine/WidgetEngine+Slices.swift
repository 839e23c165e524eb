import DequeModule
import Timekeeping

/// Work that may come for all widgets at once is done a slice a turn, so that no turn takes long:
/// what is due together, what the store gave back, what a new clock changed. What is left is due at once, so the next turn
/// follows when everybody else has had theirs.
extension WidgetEngine {
  /// Does what is due at `now`, up to the size of a slice.
  mutating func advanceSlice(at now: Now, into output: inout EngineOutput) {
    var room = Limits.sliceCount
    while room > 0, let key = unread.popFirst() {
      room -= 1
      guard timelines[key]?.isUnread == true else { continue }
      timelines[key]?.readStored()
      refreshShown(key, at: now.wall, into: &output)
      askIfEmpty(key, at: now.wall, into: &output)
    }
    advanceSweeps(&room, at: now.wall, into: &output)
    while room > 0, let number = changes.popDue(at: now.wall) {
      room -= 1
      guard let key = timelineNumbers.key(of: number) else { continue }
      refreshShown(key, at: now.wall, into: &output)
    }
    while room > 0, let number = reloads.popDue(at: now.wall) {
      room -= 1
      guard let key = timelineNumbers.key(of: number) else { continue }
      reloadDue(key, at: now.wall, into: &output)
    }
    while room > 0, let id = expiries.popDue(at: now.wall) {
      room -= 1
      endSuggestion(id, at: now.wall, into: &output)
    }
  }

  /// After a restart: a timeline that has nothing and waits for nothing is asked for.
  mutating func askIfEmpty(_ key: TimelineKey, at now: WallTime, into output: inout EngineOutput) {
    guard let shared = timelines[key], shared.isIdle, shared.dueAt == nil, shared.timeline == nil,
      kinds[key.kind] != nil
    else { return }
    ask(key, .placed, receipt: nil, at: now, into: &output)
  }
}
