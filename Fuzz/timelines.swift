import JSON
import Timekeeping
import WidgetCenter

/// Fuzzes the timeline reader.
///
/// A provider's timeline is written and read back as the same timeline, and it shows exactly one
/// entry, or none, at each moment.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let value = value(of: bytes(start, count)) else { return 0 }
  let timeline: Timeline
  switch Timeline.read(value) {
  case .failure(let error):
    precondition(!error.message.isEmpty)
    return 0
  case .success(let read): timeline = read.timeline
  }
  check(timeline, "as it was read")
  checkSame(timeline)

  let dates = timeline.entries.map(\.date)
  let moments =
    dates + dates.flatMap { [$0.advanced(byMilliseconds: -1), $0.advanced(byMilliseconds: 1)] }
  for moment in moments.prefix(48) {
    let shown = timeline.index(at: moment)
    precondition(shown == dates.lastIndex { $0 <= moment }, "not the entry of the moment")
    if let relevance = timeline.relevance(at: moment) {
      precondition(relevance.until > moment, "a relevance that has ended")
      precondition(relevance.score.isFinite)
    }
    var rest = timeline
    rest.dropPast(at: moment)
    check(rest, "without its past")
    precondition(
      rest.index(at: moment).map { rest.entries[$0] } == shown.map { timeline.entries[$0] })
    precondition(rest.relevance(at: moment)?.score == timeline.relevance(at: moment)?.score)
    if let shown {
      var next = timeline
      next.carryOver(timeline.entries[shown])
      check(next, "with an entry carried over")
    }
  }
  for entry in timeline.entries {
    precondition(entry.showsSame(as: entry))
    // Any stale date is right that is a date.
    precondition(entry.staleDate.map { $0 > WallTime(milliseconds: .min) } ?? true)
  }
  return 0
}

private func check(_ timeline: Timeline, _ what: StaticString) {
  let dates = timeline.entries.map(\.date)
  precondition(zip(dates, dates.dropFirst()).allSatisfy { $0 < $1 }, "\(what): not in order")
  precondition(dates.count <= Limits.timelineEntryCountMax, "\(what): too many entries")
}

/// Checks that the timeline survives writing and reading, as the store and the wire do it.
private func checkSame(_ timeline: Timeline) {
  var written: [UInt8] = []
  timeline.json.write(into: &written)
  guard let value = value(of: written), case .success(let again) = Timeline.read(value) else {
    preconditionFailure("what was written cannot be read: \(text(written))")
  }
  precondition(again.timeline == timeline, "read back as another: \(text(written))")
}

private func value(of bytes: [UInt8]) -> JSONValue? {
  do throws(JSONError) { return try JSONValue(parsing: bytes) } catch { return nil }
}
