import Habits
import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Restores the stored state at start: records go to their parts, and the history is replayed.
extension Daemon {
  mutating func restore(
    _ state: StoredState, at now: Now, into effects: inout [Effect]
  ) {
    var damaged: [(table: StoreTable, row: StoredState.Row)] = []
    func keep(_ table: StoreTable, key: String) {
      guard let row = state.tables[table]?.first(where: { $0.key == key }) else { return }
      damaged.append((table, row))
    }
    func rows<Record>(
      _ table: StoreTable, _ read: (StoredState.Row, JSONValue) -> Record?
    ) -> [Record] {
      rows(table) { row, record, _ in read(row, record) }
    }
    func rows<Record>(
      _ table: StoreTable, _ read: (StoredState.Row, JSONValue, ArraySlice<UInt8>?) -> Record?
    ) -> [Record] {
      (state.tables[table] ?? []).compactMap { row in
        do throws(JSONError) {
          let parsed = try JSONValue.parse(row.bytes, leaving: "timeline")
          if let record = read(row, parsed.value, parsed.left) { return record }
        } catch {
          // Kept below: a row that cannot be read is left out, and all others are restored.
        }
        damaged.append((table, row))
        return nil
      }
    }
    let widgets = rows(.widget) { Widget(id: $0.key, record: $1) }
    let timelines = rows(.timeline) { row, record, entries in
      TimelineKey(text: row.key).map {
        WidgetEngine.RestoredTimeline($0, record, entries: entries)
      }
    }
    let receipts = rows(.receipt) { Receipt(json: $1) }
    let settings = rows(.setting) { (name: $0.key, value: $1) }
    for setting in settings where !setting.name.contains("/") {
      if !engine.restoreSetting(setting.name, setting.value) { keep(.setting, key: setting.name) }
    }
    var views: [TimelineKey: ViewCount] = [:]
    for setting in settings where setting.name.hasPrefix(Self.viewsPrefix) {
      guard let key = TimelineKey(text: String(setting.name.dropFirst(Self.viewsPrefix.count))),
        let count = ViewCount(setting.value)
      else {
        keep(.setting, key: setting.name)
        continue
      }
      views[key] = count
    }
    let orphans = engine.restore(
      widgets: widgets, timelines: timelines, receipts: receipts, views: views, at: now.wall)
    for key in views.keys.sorted() {
      if engine.timelines[key] == nil {
        writes.remove(.setting, Self.viewsKey(key))
      } else {
        writes.addViewRow(key)
      }
    }
    // A timeline without a widget ends with its provider's run; a crash before that leaves its row.
    for key in orphans {
      writes.remove(.timeline, key.text)
    }
    for setting in settings where setting.name.hasPrefix("list/") {
      let name = String(setting.name.dropFirst("list/".count))
      guard let edit = ListEdit(setting.value) else {
        keep(.setting, key: setting.name)
        continue
      }
      if let error = configuration.restoreList(name, edit) {
        statistics.noteLostList(name)
        effects.append(
          .log(LogLine(.warning, "list.notRestored", ["list": name, "reason": error.message])))
      }
    }
    let read = journal.restore(state.journal)
    for entry in read.values { replay(entry) }
    let donations = rows(.donation) { row, record -> (number: Int64, donation: StackDonation)? in
      guard let number = Int64(row.key), let donation = StackDonation(record: record) else {
        return nil
      }
      return (number, donation)
    }
    if donations.isEmpty { adoptDonations(read.values) } else { engine.restoreDonations(donations) }
    requests.restore(rows(.request) { ($0.key, $1) }, at: now.wall)
    statistics.noteUnreadableRows(damaged.count + read.unreadable)
    keepRows(damaged, unreadableHistory: read.unreadable, state.tables[.kept] ?? [], into: &effects)
    effects.append(
      .log(
        LogLine(
          .notice, "store.restored",
          [
            "widgets": String(widgets.count), "receipts": String(receipts.count),
            "journal": String(journal.entries.count),
          ])))
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
          of: id,
          SharedTimeline.RecentRun(
            at: date, cause: cause, cost: Int(entry["cost"]?.intValue ?? 0),
            isUnchanged: entry["unchanged"]?.boolValue ?? false,
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
          configuration: widget.configuration)
        found.append((number, donation))
        writes.put(.donation, Self.donationKey(number), donation.record)
      }
    }
    guard !found.isEmpty else { return }
    engine.restoreDonations(found)
  }
}
