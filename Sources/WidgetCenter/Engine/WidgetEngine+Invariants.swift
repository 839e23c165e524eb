import Timekeeping

/// What holds between any two events, whatever happened: for tests and the simulator.
extension WidgetEngine {
  /// A sentence for everything that is wrong; empty in a sound engine.
  ///
  /// O(widgets); `isThorough`: and O(receipts).
  package func checkInvariants(isThorough: Bool) -> [String] {
    checkWidgets() + checkRuns() + checkDeadlines() + checkStackRows()
      + (isThorough ? checkReceipts() : [])
  }

  /// The receipts that have not ended, and of the others those whose number leaves `start` when it is divided
  /// by `step`.
  package func receipts(
    everyFrom start: Int, step: Int
  ) -> [(ReceiptID, Receipt)] {
    // By index, and by number: what is not asked for is neither looked up nor copied.
    receipts.indices.lazy.filter { index in
      let number = receipts.keys[index].number
      return Int(number) % step == start || !receipts.values[index].hasEnded
    }.map { (receipts.keys[$0], receipts.values[$0]) }
  }

  private func checkWidgets() -> [String] {
    var wrong: [String] = []
    if order.count != widgets.count {
      wrong.append("\(order.count) widgets are in order and \(widgets.count) exist")
    }
    for id in order {
      guard let widget = widgets[id] else {
        wrong.append("'\(id)' is in order and does not exist")
        continue
      }
      let count = timelines[widget.timelineKey]?.widgets.count { $0 == id } ?? 0
      if count != 1 { wrong.append("'\(id)' is on its timeline \(count) times") }
    }
    for (key, shared) in timelines {
      for id in shared.widgets where widgets[id]?.timelineKey != key {
        wrong.append("the timeline of \(key.kind) serves '\(id)', which is not on it")
      }
      if case .running = shared.run { continue }
      if shared.widgets.isEmpty { wrong.append("a timeline of \(key.kind) is kept for nobody") }
    }
    if widgets.count > Limits.widgetCountMax { wrong.append("\(widgets.count) widgets are placed") }
    return wrong
  }

  private func checkStackRows() -> [String] {
    guard let rows = stackRows else { return [] }
    return rows.differences(from: order, widgets, stackModel.habits) { key, moment in
      timelines[key].flatMap { claim(of: $0, at: moment) }
    }
  }

  private func checkRuns() -> [String] {
    var wrong: [String] = []
    if running.count > Limits.runningProviderCountMax {
      wrong.append("\(running.count) providers run")
    }
    if optionRuns.count > Limits.optionRunCountMax {
      wrong.append("\(optionRuns.count) providers are asked for options")
    }
    for (token, key) in running {
      guard case .running(token, _)? = timelines[key]?.run else {
        wrong.append(
          "run \(token.number) runs for a timeline of \(key.kind) that does not wait for it")
        continue
      }
    }
    for (key, shared) in timelines {
      switch shared.run {
      case .running(let token, _):
        if running[token] != key {
          wrong.append(
            "a timeline of \(key.kind) waits for run \(token.number), which does not run")
        }
      case .queued(let cause):
        let isQueued = urgentQueue.contains(key) || !cause.isExempt && patientQueue.contains(key)
        if !isQueued {
          wrong.append("a timeline of \(key.kind) is queued (\(cause.rawValue)) and in no queue")
        }
        if !shared.next.isEmpty {
          wrong.append("a queued timeline of \(key.kind) has requests for the run after it")
        }
      case .idle:
        if !shared.waiting.isEmpty || !shared.next.isEmpty || shared.nextCause != nil {
          wrong.append("requests wait for a run of \(key.kind), and none is planned")
        }
      }
    }
    return wrong
  }

  private func checkDeadlines() -> [String] {
    var wrong: [String] = []
    if timelineNumbers.count != timelines.count {
      wrong.append("\(timelines.count) timelines have \(timelineNumbers.count) numbers")
    }
    for (key, shared) in timelines {
      if timelineNumbers.key(of: shared.number) != key {
        wrong.append("a timeline of \(key.kind) has the number of another")
      }
      let isOffered = kinds[key.kind] != nil
      if !shared.deferred.isEmpty {
        if !shared.isIdle { wrong.append("a reload of \(key.kind) is deferred beside a run") }
        if isOffered, shared.dueAt == nil {
          wrong.append("a reload of \(key.kind) is deferred for ever")
        }
      }
      // What nobody watches, what waits for the network and what needs a person is quiet.
      if shared.isIdle, sweeps.isEmpty, reloads.moment(of: shared.number) != wakeMoment(of: shared)
      {
        let right = wakeMoment(of: shared)?.rfc3339 ?? "no time"
        wrong.append(
          "\(key.kind) is to wake at \(right) and scheduled for \(reloads.moment(of: shared.number)?.rfc3339 ?? "no time")"
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

  private func checkReceipts() -> [String] {
    var wrong: [String] = []
    let ended = Set(endedReceipts)
    if ended.count != endedReceipts.count { wrong.append("a receipt has ended twice") }
    if endedReceipts.count > Limits.endedReceiptCountMax {
      wrong.append("\(endedReceipts.count) ended receipts are kept")
    }
    var waiting: Set<ReceiptID> = []
    for (key, shared) in timelines {
      for id in shared.waiting + shared.next + shared.deferred {
        if !waiting.insert(id).inserted { wrong.append("the receipt \(id.text) waits twice") }
        if receipts[id] == nil {
          wrong.append("the receipt \(id.text) waits for \(key.kind) and does not exist")
        }
      }
    }
    for (id, receipt) in receipts {
      if receipt.hasEnded != ended.contains(id) {
        wrong.append(
          "the receipt \(id.text) is \(receipt.state) and \(receipt.hasEnded ? "not " : "")counted as ended"
        )
      }
      if !receipt.hasEnded, !waiting.contains(id) {
        wrong.append("the receipt \(id.text) is \(receipt.state), and no run will end it")
      }
    }
    return wrong
  }
}
