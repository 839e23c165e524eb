package import Timekeeping

/// Timelines that a producer hands over itself, without being asked.
extension WidgetEngine {
  /// Takes a timeline for a widget and for all that share its timeline.
  ///
  /// - Returns: a receipt that is done.
  package mutating func push(
    _ timeline: Timeline, to id: String, cause: ReloadCause, at now: WallTime,
    into output: inout EngineOutput
  ) throws(WidgetError) -> Receipt {
    guard let widget = widgets[id] else { throw unknownWidget(id) }
    let receipt = receiptBook.open(for: widget, cause, at: now, into: &output)
    accept(Answer(timeline), for: widget.timelineKey, cause: cause, at: now, into: &output)
    output.dirtyTimelines.insert(widget.timelineKey)
    settle(receipt.id, .done, into: &output)
    return receiptBook[receipt.id] ?? receipt
  }
}
