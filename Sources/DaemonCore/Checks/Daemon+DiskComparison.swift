import IntentRouter
package import JSON
import Timekeeping
package import WidgetCenter

/// Compares memory with the disk, for tests and the simulator: after a crash, the next start begins
/// with the disk's records.
extension Daemon {
  /// Records as they are on disk.
  package struct Disk {
    /// Widgets, timelines and settings.
    package var tables: [StoreTable: [String: JSONValue]]
    /// The receipts, parsed: comparing their bytes would cost too much.
    package var receipts: [ReceiptID: Receipt]
    /// Donations by number.
    package var donations: [Int64: StackDonation]
    /// The numbers of the journal's first and last entries; `nil`: there are none.
    package var journal: ClosedRange<Int64>?

    package init(
      tables: [StoreTable: [String: JSONValue]], receipts: [ReceiptID: Receipt],
      donations: [Int64: StackDonation], journal: ClosedRange<Int64>?
    ) {
      self.tables = tables
      self.receipts = receipts
      self.donations = donations
      self.journal = journal
    }
  }

  /// Whether every change but deferred ones is on disk, so that memory and disk have to agree.
  package var isSettled: Bool {
    phase == .running && writes.isSettled
  }

  /// Returns a sentence for each difference between memory and disk.
  ///
  /// Call it when `isSettled`.
  ///
  /// O(records).
  ///
  /// Values that change by themselves between two writes are not compared: a budget's balance, and
  /// the due date of a timeline, which a restart decides again. Receipts that have not ended are
  /// compared. Ended receipts and donations number thousands and never change: they are counted,
  /// and one in eight or sixteen is compared, another one in the next `round`.
  package func disagreements(with disk: Disk, round: Int) -> [String] {
    var wrong: [String] = []
    func compare(_ table: StoreTable, _ known: [String: JSONValue]) {
      let stored = disk.tables[table] ?? [:]
      for key in Set(known.keys).union(stored.keys).sorted() where known[key] != stored[key] {
        wrong.append(
          "the \(table) '\(key)' is \(known[key]?.serialized ?? "nothing") in memory and"
            + " \(stored[key]?.serialized ?? "nothing") on disk")
      }
    }
    compare(.widget, engine.widgets.mapValues(\.record))
    if engine.receipts.count != disk.receipts.count {
      wrong.append(
        "\(engine.receipts.count) receipts are in memory and \(disk.receipts.count) on disk")
    }
    for (id, receipt) in engine.receipts(everyFrom: round % 8, step: 8)
    where disk.receipts[id] != receipt {
      wrong.append(
        "the receipt '\(id.text)' is \(Self.text(receipt)) in memory and"
          + " \(Self.text(disk.receipts[id])) on disk")
    }
    if engine.stackModel.donationCount != disk.donations.count {
      wrong.append(
        "\(engine.stackModel.donationCount) donations are in memory and \(disk.donations.count) on disk"
      )
    }
    for known in engine.stackModel.numberedDonations(everyFrom: round % 16, step: 16)
    where known.donation != disk.donations[known.number] {
      wrong.append(
        "the donation \(known.number) is \(known.donation.record.serialized) in memory and"
          + " \(disk.donations[known.number]?.record.serialized ?? "nothing") on disk")
    }
    var settings = engine.settings
    // A setting has no row before its first change.
    settings = settings.filter { disk.tables[.setting]?[$0.key] != nil }
    for (name, edit) in configuration.editedLists { settings[Self.listKey(name)] = edit.json }
    if let probe = disk.tables[.setting]?[WriteQueue.probeKey] {
      settings[WriteQueue.probeKey] = probe
    }
    let viewRows = (disk.tables[.setting] ?? [:]).filter { $0.key.hasPrefix(Self.viewsPrefix) }
    for (name, value) in viewRows {
      let key = TimelineKey(text: String(name.dropFirst(Self.viewsPrefix.count)))
      // Its count is compared below, together with the record's.
      if let key, engine.timelines[key] != nil { settings[name] = value }
    }
    addPreviews(to: &settings, disk)
    // Its row is there before a run begins, and gone when its end is noted.
    for name in performs.tokens.map(Self.performKey) {
      settings[name] = disk.tables[.setting]?[name]
    }
    compare(.setting, settings)
    for (key, shared) in engine.timelines {
      let record = disk.tables[.timeline]?[key.text]?["views"].flatMap { ViewCount($0) }
      let row = viewRows[Self.viewsKey(key)].flatMap { ViewCount($0) }
      let counted = row ?? record ?? ViewCount()
      if counted != shared.views {
        wrong.append(
          "the views of '\(key.text)' are \(shared.views.json.serialized) in memory and"
            + " \(counted.json.serialized) on disk")
      }
    }

    let lasting = [
      "intent", "timeline", "fetchedAt", "confirmed", "failures", "failure", "stderr",
      "failingSince", "scoreMax", "preferredHeight",
    ]
    let stored = disk.tables[.timeline] ?? [:]
    let known = Dictionary(uniqueKeysWithValues: engine.timelines.map { ($0.key.text, $0.value) })
    let deferred = writes.deferredTimelines
    let unhurried = writes.unhurriedTimelines
    for key in Set(known.keys).union(stored.keys).sorted() {
      guard let shared = known[key], let record = stored[key] else {
        // Two kinds of timelines need no record: one without any content, which a restart makes
        // anew with its widget, and one without a widget, which ends with its provider's run.
        let isNew = known[key].map {
          deferred.contains($0.key)
            || $0.timeline == nil && $0.fetchedAt == nil && $0.consecutiveFailures == 0
              && $0.budget.lastSpentAt == nil
        }
        if stored[key] != nil || known[key]?.widgets.isEmpty == false && isNew != true {
          wrong.append(
            "the timeline '\(key)' is only \(known[key] == nil ? "on disk" : "in memory")")
        }
        continue
      }
      let memory = shared.record(at: WallTime(milliseconds: 0))
      // Content that an interval brought is promised to nobody, and on disk within a minute;
      // everything else of its timeline is there.
      // After an answer that nothing is new the entries are there, and when it came is not.
      let isUnhurried = unhurried.contains(shared.key)
      if isUnhurried, memory["timeline"]?["entries"] != record["timeline"]?["entries"] {
        wrong.append("the entries of the timeline '\(key)' are others on disk")
      }
      let promised =
        isUnhurried
        ? ["intent", "failures", "failure", "scoreMax"]
        : !deferred.contains(shared.key)
          ? lasting
          : shared.isRoutine
            ? ["intent"] : ["intent", "timeline", "fetchedAt", "scoreMax", "preferredHeight"]
      for name in promised where memory[name] != record[name] {
        wrong.append(
          "'\(name)' of the timeline '\(key)' is \(memory[name]?.serialized ?? "nothing") in memory and"
            + " \(record[name]?.serialized ?? "nothing") on disk")
      }
      if !isUnhurried,
        (shared.budget.lastSpentAt == nil) != (record["budget"]?["lastSpentAt"]?.isNull ?? true)
      {
        wrong.append("the timeline '\(key)' has spent from its budget in one place only")
      }
    }
    if let first = journal.entries.first?.sequence, let last = journal.entries.last?.sequence {
      let isThere = disk.journal.map { $0.lowerBound <= first && $0.upperBound >= last } ?? false
      if !isThere { wrong.append("the history \(first)…\(last) is not all on disk") }
    }
    return wrong
  }
  /// Adds the previews to the settings that memory knows: a cache, of which what changed within the
  /// last minute is not on disk yet.
  private func addPreviews(to settings: inout [String: JSONValue], _ disk: Disk) {
    for key in engine.keptPreviews {
      settings[Self.previewKey(key)] = engine.previewRecord(key)
    }
    for key in writes.deferredPreviews {
      settings[Self.previewKey(key)] = disk.tables[.setting]?[Self.previewKey(key)]
    }
  }

  private static func text(_ receipt: Receipt?) -> String {
    receipt.map { JSONValue.object($0.json).serialized } ?? "nothing"
  }
}
