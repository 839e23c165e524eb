import Habits
import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Restores the stored state at start: records go to their parts, and the history is replayed.
extension Daemon {
  /// Replaces everything that memory knows by the rows of the store.
  ///
  /// The order counts: placed widgets come before the acts and the donations that name them. A row
  /// that cannot be read stops nothing; `keepRows` moves it aside.
  mutating func restore(
    _ state: StoredState, at now: Now, into effects: inout [Effect]
  ) {
    var rows = StoredRows(state)
    let widgets = rows.records(.widget) { Widget(id: $0.key, record: $1) }
    let timelines = rows.records(.timeline) { row, record, entries in
      TimelineKey(text: row.key).map {
        WidgetEngine.RestoredTimeline($0, record, entries: entries)
      }
    }
    let receipts = rows.records(.receipt) { Receipt(json: $1) }
    let settings = rows.records(.setting) { (name: $0.key, value: $1) }
    for setting in settings where !setting.name.contains("/") {
      if !engine.restoreSetting(setting.name, setting.value) {
        rows.noteDamaged(.setting, key: setting.name)
      }
    }
    let views = viewCounts(in: settings, &rows)
    let orphans = engine.restore(
      widgets: widgets, timelines: timelines, receipts: receipts, views: views, at: now.wall)
    takeUpViewRows(of: views)
    // A timeline without a widget ends with its provider's run; a crash before that leaves its row.
    for key in orphans { writes.remove(.timeline, key.text) }
    restoreLists(settings, &rows, into: &effects)
    restorePreviews(settings, &rows)
    let read = journal.restore(state.journal)
    for entry in read.values { replay(entry) }
    let donations = rows.records(.donation) { row, record in
      Int64(row.key).flatMap { number in
        StackDonation(record: record).map { (number: number, donation: $0) }
      }
    }
    if donations.isEmpty { adoptDonations(read.values) } else { engine.restoreDonations(donations) }
    requests.restore(rows.records(.request) { ($0.key, $1) }, at: now.wall)
    restorePerforms(settings, at: now, into: &effects)
    statistics.noteUnreadableRows(rows.damaged.count + read.unreadable)
    keepRows(
      rows.damaged, unreadableHistory: read.unreadable, state.tables[.kept] ?? [], into: &effects)
    effects.append(
      .log(
        LogLine(
          .notice, "store.restored",
          [
            "widgets": String(widgets.count), "receipts": String(receipts.count),
            "journal": String(journal.entries.count),
          ])))
  }

  /// Reads how often timelines were viewed, where that is in a row of its own.
  private func viewCounts(
    in settings: [(name: String, value: JSONValue)], _ rows: inout StoredRows
  ) -> [TimelineKey: ViewCount] {
    var views: [TimelineKey: ViewCount] = [:]
    for setting in settings where setting.name.hasPrefix(Self.viewsPrefix) {
      guard let key = TimelineKey(text: String(setting.name.dropFirst(Self.viewsPrefix.count))),
        let count = ViewCount(setting.value)
      else {
        rows.noteDamaged(.setting, key: setting.name)
        continue
      }
      views[key] = count
    }
    return views
  }

  /// Notes which of these rows are still about a timeline, and removes the others.
  private mutating func takeUpViewRows(of views: [TimelineKey: ViewCount]) {
    for key in views.keys.sorted() {
      if engine.timelines[key] == nil {
        writes.remove(.setting, Self.viewsKey(key))
      } else {
        writes.addViewRow(key)
      }
    }
  }

  /// Takes up the previews of the gallery; those of kinds that are gone are removed.
  private mutating func restorePreviews(
    _ settings: [(name: String, value: JSONValue)], _ rows: inout StoredRows
  ) {
    var surplus: Set<PreviewKey> = []
    for setting in settings where setting.name.hasPrefix(Self.previewPrefix) {
      guard let key = PreviewKey(text: String(setting.name.dropFirst(Self.previewPrefix.count))),
        engine.restorePreview(key, setting.value, surplus: &surplus)
      else {
        rows.noteDamaged(.setting, key: setting.name)
        continue
      }
    }
    for key in surplus.sorted() { writes.remove(.setting, Self.previewKey(key)) }
  }

  /// Puts the clients' changes to lists into effect again; the log says which cannot be.
  private mutating func restoreLists(
    _ settings: [(name: String, value: JSONValue)], _ rows: inout StoredRows,
    into effects: inout [Effect]
  ) {
    for setting in settings where setting.name.hasPrefix(Self.listPrefix) {
      let name = String(setting.name.dropFirst(Self.listPrefix.count))
      guard let edit = ListEdit(setting.value) else {
        rows.noteDamaged(.setting, key: setting.name)
        continue
      }
      if let error = configuration.restoreList(name, edit) {
        statistics.noteLostList(name)
        effects.append(
          .log(LogLine(.warning, "list.notRestored", ["list": name, "reason": error.message])))
      }
    }
  }

  /// Moves rows that cannot be read into a table of their own, and notes which those are that an
  /// earlier start moved there.
  private mutating func keepRows(
    _ damaged: [(table: StoreTable, row: StoredState.Row)], unreadableHistory: Int,
    _ kept: [StoredState.Row], into effects: inout [Effect]
  ) {
    keptRows = KeptRows()
    for row in kept { keptRows.note(row.key) }
    // The history is read by number, and its rows stay until their time.
    keptRows.noteLeft(unreadableHistory)
    for (table, row) in damaged {
      guard keptRows.count < Limits.keptRowCountMax else {
        keptRows.noteLeft(1)
        continue
      }
      let key = KeptRows.key(table, row.key)
      keptRows.note(key)
      writes.put(.kept, key, row.bytes)
      writes.remove(table, row.key)
    }
    engine.reservedIDs = keptRows.widgets
    let found = damaged.count + unreadableHistory
    guard found > 0 else { return }
    effects.append(.log(LogLine(.error, "store.unreadableRows", ["count": String(found)])))
  }

  /// Replays a journal entry about an act of the person, a run or a removed widget, so that the
  /// engine knows the latest of them.
  mutating func replay(_ entry: JSONValue) {
    guard let event = entry["event"]?.stringValue,
      let date = entry["at"]?.stringValue.flatMap({ WallTime(rfc3339: $0) })
    else { return }
    switch event {
    case "intent" where entry["link"]?.boolValue == true: break
    case "intent":
      for id in entry["widgets"]?.arrayValue ?? [] {
        if let id = id.stringValue {
          engine.replay(
            .intent, of: id, promotes: entry["donated"]?.boolValue != true, at: date)
        }
      }
    case "tap":
      if let id = entry["widget"]?.stringValue {
        engine.replay(.tap, of: id, promotes: false, at: date)
      }
    case "dismissed":
      if let id = entry["widget"]?.stringValue {
        engine.replay(.dismissal, of: id, promotes: false, at: date)
      }
    case "undone":
      if let id = entry["widget"]?.stringValue {
        engine.replayUndo(of: id, RecentStanding(entry))
      }
    case "reload.done", "reload.failed":
      if let id = entry["widget"]?.stringValue,
        let cause = entry["cause"]?.stringValue.flatMap({ ReloadCause(rawValue: $0) })
      {
        engine.replayRun(
          of: id, in: entry["mode"]?.stringValue.flatMap { WidgetMode(rawValue: $0) } ?? .compact,
          SharedTimeline.RecentRun(
            at: date, cause: cause, cost: Int(entry["cost"]?.intValue ?? 0),
            isUnchanged: entry["unchanged"]?.boolValue ?? false,
            hasNoData: entry["noData"]?.boolValue ?? false,
            failure: event == "reload.failed" ? entry["reason"]?.stringValue ?? "" : nil,
            stderr: entry["stderr"]?.stringValue))
      }
    case "widget.removed":
      if let id = entry["widget"]?.stringValue { engine.forgetRecentActs(of: id) }
    default: break
    }
  }

  /// Makes donations from the acts in the journal, and stores them.
  ///
  /// A store that an older version wrote has the acts in its journal and no donations.
  private mutating func adoptDonations(_ entries: [JSONValue]) {
    var number: Int64 = 0
    var found: [(number: Int64, donation: StackDonation)] = []
    for entry in entries {
      guard let date = entry["at"]?.stringValue.flatMap({ WallTime(rfc3339: $0) }) else { continue }
      let act: BehaviourAct
      var ids: [String] = []
      switch entry["event"]?.stringValue {
      case "intent" where entry["link"]?.boolValue == true: continue
      case "intent":
        act = .intent
        ids = (entry["widgets"]?.arrayValue ?? []).compactMap(\.stringValue)
      case "tap", "dismissed":
        act = entry["event"] == "tap" ? .tap : .dismissal
        if let id = entry["widget"]?.stringValue { ids = [id] }
      case "undone":
        // The dismissal before it counts no more.
        let item = entry["widget"]?.stringValue.flatMap { engine.widgets[$0]?.item }
        if entry["act"] == "dismissed",
          let index = found.lastIndex(where: {
            $0.donation.item == item && $0.donation.act == .dismissal
          })
        {
          writes.remove(.donation, Self.donationKey(found.remove(at: index).number))
        }
        continue
      default: continue
      }
      for id in ids {
        guard let widget = engine.widgets[id] else { continue }
        number += 1
        let donation = StackDonation(
          item: widget.item, kind: widget.kind, act: act, at: date,
          configuration: widget.shownConfiguration)
        found.append((number, donation))
        writes.put(.donation, Self.donationKey(number), donation.record)
      }
    }
    guard !found.isEmpty else { return }
    engine.restoreDonations(found)
  }
}

/// The rows of a store, which are read one table after the other; it gathers those that cannot be
/// read.
private struct StoredRows {
  private let state: StoredState
  private(set) var damaged: [(table: StoreTable, row: StoredState.Row)] = []

  init(_ state: StoredState) { self.state = state }

  /// Returns the records that `read` makes of a table's rows; `nil` from it: the row is damaged.
  mutating func records<Record>(
    _ table: StoreTable, _ read: (StoredState.Row, JSONValue) -> Record?
  ) -> [Record] {
    records(table) { row, record, _ in read(row, record) }
  }

  /// Does the same; `read` also gets the bytes of the member `timeline`, which are not parsed.
  mutating func records<Record>(
    _ table: StoreTable, _ read: (StoredState.Row, JSONValue, ArraySlice<UInt8>?) -> Record?
  ) -> [Record] {
    var records: [Record] = []
    for row in state.tables[table] ?? [] {
      do throws(JSONError) {
        let parsed = try JSONValue.parse(row.bytes, leaving: "timeline")
        if let record = read(row, parsed.value, parsed.left) {
          records.append(record)
          continue
        }
      } catch {
        // Gathered below: a row that cannot be read is left out, and all others are restored.
      }
      damaged.append((table, row))
    }
    return records
  }

  /// Gathers a row whose record was read and is none; O(rows of the table).
  mutating func noteDamaged(_ table: StoreTable, key: String) {
    guard let row = state.tables[table]?.first(where: { $0.key == key }) else { return }
    damaged.append((table, row))
  }
}
