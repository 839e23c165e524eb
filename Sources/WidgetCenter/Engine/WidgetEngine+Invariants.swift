import Timekeeping
import ViewMarkup

/// The rules that hold between any two events, for tests and the simulator.
extension WidgetEngine {
  /// Returns a sentence for each broken rule; none in a sound engine.
  ///
  /// O(widgets); with `isThorough` also O(receipts).
  package func checkInvariants(isThorough: Bool) -> [String] {
    placed.checkInvariants() + checkWidgets() + runs.checkInvariants() + streams.checkInvariants()
      + checkPreviews()
      + quarantineBook.checkInvariants()
      + work.checkInvariants() + checkRuns()
      + checkDeadlines() + checkStack() + checkDownloads() + checkViews()
      + (isThorough ? checkReceipts() : [])
  }

  /// The unfinished receipts, and of the ended ones those whose number divided by `step` leaves
  /// `start`.
  package func receipts(everyFrom start: Int, step: Int) -> [(ReceiptID, Receipt)] {
    receiptBook.sample(everyFrom: start, step: step)
  }

  private func checkWidgets() -> [String] {
    var wrong: [String] = []
    for id in order {
      guard let widget = widgets[id] else { continue }
      for key in widget.timelineKeys {
        let count = timelines[key]?.widgets.count { $0 == id } ?? 0
        if count != 1 { wrong.append("'\(id)' is on its \(key.mode) timeline \(count) times") }
      }
      if widget.expansion.isExpanded, kinds[widget.kind]?.hasModes == false {
        wrong.append("'\(id)' is expanded, and its kind \(widget.kind) is compact only")
      }
    }
    for (key, shared) in timelines {
      for id in shared.widgets where widgets[id]?.timelineKey(in: key.mode) != key {
        wrong.append("the timeline of \(key.kind) serves '\(id)', which is not on it")
      }
      if shared.widgets.count > 1,
        shared.widgets.contains(where: { widgets[$0]?.ownsTimeline == true })
      {
        wrong.append("\(shared.widgets.count) widgets of \(key.kind) share what is pushed to one")
      }
      if case .running = shared.run { continue }
      if shared.widgets.isEmpty { wrong.append("a timeline of \(key.kind) is kept for nobody") }
    }
    return wrong
  }

  private func checkStack() -> [String] {
    var wrong = placed.stack.differences(from: order, widgets, stackModel.habits) {
      deadlines.key(of: $0)
    }
    for (key, shared) in timelines {
      let claim = claims[shared.number]
      guard claim.from < claim.until else { continue }
      if claim.declared != declared(by: shared, at: claim.from) || claim.scale != shared.scale {
        wrong.append("the stack remembers another relevance of a timeline of \(key.kind)")
      }
    }
    return wrong
  }

  private func checkRuns() -> [String] {
    var wrong: [String] = []
    for key in runs.runningKeys {
      guard case .running(let token, _)? = timelines[key]?.run, runs.key(of: token) == key else {
        wrong.append("a provider runs for a timeline of \(key.kind) that does not wait for it")
        continue
      }
    }
    for (key, shared) in timelines {
      switch shared.run {
      case .running(let token, _):
        if runs.key(of: token) != key {
          wrong.append(
            "a timeline of \(key.kind) waits for run \(token.number), which does not run")
        }
      case .queued(let cause):
        if !runs.waits(key, cause.urgency) {
          wrong.append("a timeline of \(key.kind) is queued (\(cause.rawValue)) and in no queue")
        }
        if !shared.next.isEmpty {
          wrong.append("a queued timeline of \(key.kind) has requests for the run after it")
        }
      case .idle:
        let isAwaited = !shared.waiting.isEmpty && !streams.isUnderWay(key.kind)
        if isAwaited || !shared.next.isEmpty || shared.nextCause != nil {
          wrong.append("requests wait for a run of \(key.kind), and none is planned")
        }
      }
    }
    return wrong
  }

  private func checkDeadlines() -> [String] {
    var wrong: [String] = []
    if deadlines.timelineCount != timelines.count {
      wrong.append("\(timelines.count) timelines have \(deadlines.timelineCount) numbers")
    }
    for (key, shared) in timelines {
      if deadlines.key(of: shared.number) != key {
        wrong.append("a timeline of \(key.kind) has the number of another")
      }
      let isOffered = kinds[key.kind] != nil
      if !shared.deferred.isEmpty {
        if !shared.isIdle { wrong.append("a reload of \(key.kind) is deferred beside a run") }
        if isOffered, shared.dueAt == nil {
          wrong.append("a reload of \(key.kind) is deferred for ever")
        }
      }
      // A timeline does not wake while nobody watches it, or while it waits for the network or a
      // person.
      if shared.isIdle, !work.hasSweeps,
        deadlines.reload(of: shared.number) != wakeMoment(of: shared)
      {
        let right = wakeMoment(of: shared)?.rfc3339 ?? "no time"
        wrong.append(
          "\(key.kind) is to wake at \(right) and scheduled for \(deadlines.reload(of: shared.number)?.rfc3339 ?? "no time")"
        )
      }
      if let timeline = shared.timeline {
        if timeline.entries.count > Limits.timelineEntryCountMax {
          wrong.append("a timeline of \(key.kind) has \(timeline.entries.count) entries")
        }
        if zip(timeline.entries, timeline.entries.dropFirst()).contains(where: {
          $0.date >= $1.date
        }) {
          wrong.append("a timeline of \(key.kind) is not in date order")
        }
      }
    }
    return wrong
  }

  private func checkViews() -> [String] {
    var wrong: [String] = []
    var bytes = 0
    // The entry that is shown until a new timeline begins comes on top.
    let most = Limits.timelineViewBytesMax + MarkupLimits.bytesMax
    var mostOfAll = Limits.viewBytesMax
    for (key, shared) in timelines where !shared.isUnread {
      guard let timeline = shared.timeline, timeline.viewBytes > 0 else { continue }
      let right = timeline.entries.reduce(0) { $0 + ($1.view?.byteCount ?? 0) }
      if timeline.viewBytes != right {
        wrong.append("views of \(key.kind) have \(right) bytes, and count \(timeline.viewBytes)")
      }
      if right > most { wrong.append("views of \(key.kind) have \(right) bytes") }
      bytes += right
      mostOfAll += MarkupLimits.bytesMax
    }
    if bytes > mostOfAll { wrong.append("the views of all timelines have \(bytes) bytes") }
    return wrong
  }

  private func checkReceipts() -> [String] {
    var wrong: [String] = []
    var waiting: Set<ReceiptID> = []
    for shared in timelines.values {
      for id in shared.waiting + shared.next + shared.deferred + shared.heldForDownloads
      where !waiting.insert(id).inserted {
        wrong.append("the receipt \(id.text) waits twice")
      }
    }
    return wrong + receiptBook.checkInvariants(waiting: waiting)
  }
}
