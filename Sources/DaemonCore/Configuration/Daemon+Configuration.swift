import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Start, restart and the configuration: what was stored comes back, what is on disk takes effect.
extension Daemon {
  mutating func handleStore(_ reply: StoreReply, at now: Now, into effects: inout [Effect]) {
    switch reply {
    case .loaded(let state):
      guard phase == .loadingStore else { return }
      for note in state.notes {
        effects.append(.log(LogLine(.warning, "store.repaired", ["note": note])))
      }
      phase = .loadingConfiguration(state)
      requestConfiguration(into: &effects)
    case .loadFailed(let failure):
      effects.append(
        .log(
          LogLine(
            .error, "store.unavailable",
            [
              "code": failure.code.rawValue, "reason": failure.message,
            ])))
      phase = .stopped
      effects.append(.stop)
    case .committed(let number): committed(number, at: now.monotonic)
    case .commitFailed(let number, let failure):
      commitFailed(number, failure, at: now, into: &effects)
    case .closed:
      effects.append(.log(LogLine(.notice, "daemon.stopped")))
      effects.append(.stop)
    }
  }

  mutating func requestConfiguration(into effects: inout [Effect]) {
    switch phase {
    case .loadingConfiguration, .running: break
    // Read anyway once the store is there; before that nothing may be written to the journal.
    case .loadingStore: return
    case .stopping, .stopped: return
    }
    guard !isConfigurationLoading else { return }
    isConfigurationLoading = true
    effects.append(.loadConfiguration)
  }

  /// Judges what was read; what is good takes effect, what is not is reported and leaves the last good in force.
  mutating func apply(
    _ files: ConfigurationFiles, at now: Now, into effects: inout [Effect]
  ) {
    isConfigurationLoading = false
    var found = files.issues
    let loaded = IntentCatalog.load(files.catalog, spelling: spelling)
    found += loaded.issues
    // Nothing readable at all is a mistake of the folder, not a wish to forget every intent.
    let keepsCatalog =
      loaded.catalog.definitions.isEmpty && !catalog.definitions.isEmpty && !found.isEmpty
    if !keepsCatalog { catalog = loaded.catalog }
    for (name, edit) in editedLists.sorted(by: { $0.key < $1.key }) {
      if case .failure(let error) = catalog.setList(name: name, edit) {
        found.append(
          DocumentIssue(
            severity: .warning, file: "list '\(name)'", line: 0, message: error.message,
            expected: ""))
      }
    }
    let read = readKinds(files, &found)
    var kinds = read.kinds
    kindsByIntent = [:]
    for kind in kinds {
      guard let intent = kind.intent else { continue }
      kindsByIntent[intent, default: []].append(kind.kind)
      if catalog.definition(named: intent) == nil {
        let near = nearest(to: intent, among: catalog.definitions.map(\.name), countMax: 1)
        found.append(
          DocumentIssue(
            severity: .warning, file: kind.file, line: 0,
            message: read.message(
              about: kind, "no intent is called '\(intent)'\(didYouMean(near))"),
            expected: "an intent of the intents folder; until then nothing configures \(kind.kind)")
        )
      } else if catalog.definition(named: intent)?.isEligibleForWidgets == false {
        found.append(
          DocumentIssue(
            severity: .warning, file: kind.file, line: 0,
            message: read.message(
              about: kind, "the intent '\(intent)' says that it is not for widgets"),
            expected: "an intent with 'widgets: true', or INIntentEligibleForWidgets"))
      }
    }
    let settings = readSettings(files, &found)
    kinds = kinds.map { configureSuggestions(of: $0, read, &found) }
    issues = found
    var output = EngineOutput()
    if let settings { engine.setDaysOff(settings.daysOff, into: &output) }
    engine.setKinds(kinds, at: now.wall, into: &output)
    if case .loadingConfiguration(let state) = phase {
      restore(state, at: now, into: &effects)
      migrateWidgets(at: now, into: &output)
      engine.resume(at: now.wall, into: &output)
      phase = .running
      effects.append(.ready)
    } else if phase == .running {
      migrateWidgets(at: now, into: &output)
    }
    if phase == .running { engine.advance(at: now, into: &output) }
    take(output, at: now, into: &effects)
    updateWatches(at: now, into: &effects)
    let errorCount = found.count { $0.severity == .error }
    journal.append("configuration", at: now.wall) { writer in
      writer.key("kinds")
      writer.int(Int64(kinds.count))
      writer.key("intents")
      writer.int(Int64(catalog.definitions.count))
      writer.key("errors")
      writer.int(Int64(errorCount))
    }
    for issue in found {
      effects.append(
        .log(
          LogLine(
            issue.severity == .error ? .error : .warning, "configuration.issue",
            ["issue": issue.description])))
    }
    effects.append(
      .log(
        LogLine(
          .notice, "configuration.loaded",
          [
            "kinds": String(kinds.count), "intents": String(catalog.definitions.count),
            "errors": String(errorCount),
          ])))
    let asked = awaitingConfiguration
    awaitingConfiguration = []
    for address in asked { answerWhenDurable(address, configurationView()) }
  }

  /// Kinds in order of their names, and those of them that a file with mistakes left in force.
  private struct ReadKinds {
    var kinds: [WidgetKind]
    var lastGood: Set<String>

    /// What is said about a kind; of a last good one, that it is not about what stands in the file now.
    func message(about kind: WidgetKind, _ message: String) -> String {
      lastGood.contains(kind.kind)
        ? "in the last good version of this manifest, which holds for now: \(message)" : message
    }

    /// The line of something in the manifest of a kind; 0 in a last good one, whose lines are no more.
    func line(of kind: WidgetKind, _ line: Int) -> Int {
      lastGood.contains(kind.kind) ? 0 : line
    }
  }

  /// Kinds by name; a manifest with mistakes leaves its last good kind in force, the first of two with one name wins.
  private func readKinds(
    _ files: ConfigurationFiles, _ found: inout [DocumentIssue]
  ) -> ReadKinds {
    var kinds: [String: WidgetKind] = [:]
    var lastGood: Set<String> = []
    // A file that could not even be read as YAML has no manifest, only an issue.
    let unreadable = Set(files.issues.filter { $0.severity == .error }.map(\.file))
    for kind in engine.kinds.values where unreadable.contains(kind.file) {
      kinds[kind.kind] = kind
      lastGood.insert(kind.kind)
    }
    for manifest in files.manifests {
      let read = ManifestReader.read(manifest)
      found += read.issues
      let kind = read.kind ?? engine.kinds.values.first { $0.file == manifest.file }
      guard let kind else { continue }
      if let earlier = kinds[kind.kind] {
        found.append(
          DocumentIssue(
            severity: .warning, file: manifest.file, line: manifest.document["kind"]?.line ?? 0,
            message:
              "the kind \(kind.kind) is offered by \(earlier.file) already; this manifest is ignored",
            expected: "one manifest a kind; your own folder comes before the packages'"))
        continue
      }
      kinds[kind.kind] = kind
      if read.kind == nil { lastGood.insert(kind.kind) }
    }
    return ReadKinds(kinds: kinds.values.sorted { $0.kind < $1.kind }, lastGood: lastGood)
  }

  /// `nil`: the file has mistakes, and the last good settings hold.
  private func readSettings(
    _ files: ConfigurationFiles, _ found: inout [DocumentIssue]
  ) -> Settings? {
    guard let source = files.settings else { return Settings() }
    guard !files.issues.contains(where: { $0.severity == .error && $0.file == source.file }) else {
      return nil
    }
    let read = SettingsReader.read(source)
    found += read.issues
    return read.settings
  }

  /// Gives each window of a manifest the configuration that its parameters are; those that are none suggest nothing.
  private func configureSuggestions(
    of kind: WidgetKind, _ read: ReadKinds, _ found: inout [DocumentIssue]
  ) -> WidgetKind {
    var kind = kind
    for index in kind.suggest.indices {
      // A last good kind has the one of another catalog.
      kind.suggest[index].configuration = nil
      guard let name = kind.intent else {
        kind.suggest[index].configuration = WidgetConfiguration.none
        continue
      }
      // An intent that is nowhere defined was reported as such.
      guard catalog.definition(named: name) != nil else { continue }
      do throws(RPCError) {
        let intent = try resolve(name, kind.suggest[index].parameters)
        kind.suggest[index].configuration = WidgetConfiguration(intent)
      } catch {
        found.append(
          DocumentIssue(
            severity: .warning, file: kind.file,
            line: read.line(of: kind, kind.suggest[index].line),
            message: read.message(
              about: kind, "suggest.parameters cannot be used: \(error.message)"),
            expected: "values of \(name); until then nothing is suggested in this window"))
      }
    }
    return kind
  }

  private mutating func restore(
    _ state: StoredState, at now: Now, into effects: inout [Effect]
  ) {
    var damaged = 0
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
          // Counted below: one row that cannot be read costs itself and nothing else.
        }
        damaged += 1
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
      if !engine.restoreSetting(setting.name, setting.value) { damaged += 1 }
    }
    var views: [TimelineKey: ViewCount] = [:]
    for setting in settings where setting.name.hasPrefix(Self.viewsPrefix) {
      guard let key = TimelineKey(text: String(setting.name.dropFirst(Self.viewsPrefix.count))),
        let count = ViewCount(setting.value)
      else {
        damaged += 1
        continue
      }
      views[key] = count
    }
    let orphans = engine.restore(
      widgets: widgets, timelines: timelines, receipts: receipts, views: views, at: now.wall)
    for key in views.keys.sorted() {
      if engine.timelines[key] == nil {
        turnWrites.append(.remove(.setting, key: Self.viewsKey(key)))
      } else {
        viewRows.insert(key)
      }
    }
    // A crash while the last provider of a timeline was being stopped left it without a widget.
    for key in orphans {
      turnWrites.append(.remove(.timeline, key: key.text))
    }
    for setting in settings where setting.name.hasPrefix("list/") {
      let name = String(setting.name.dropFirst("list/".count))
      guard let edit = ListEdit(setting.value) else {
        damaged += 1
        continue
      }
      editedLists[name] = edit
      if case .failure(let error) = catalog.setList(name: name, edit) {
        effects.append(
          .log(LogLine(.warning, "list.notRestored", ["list": name, "reason": error.message])))
      }
    }
    let read = journal.restore(state.journal)
    damaged += read.unreadable
    for entry in read.values { replay(entry) }
    let donations = rows(.donation) { row, record -> (number: Int64, donation: StackDonation)? in
      guard let number = Int64(row.key), let donation = StackDonation(record: record) else {
        return nil
      }
      return (number, donation)
    }
    if donations.isEmpty { adoptDonations(read.values) } else { engine.restoreDonations(donations) }
    if damaged > 0 {
      effects.append(.log(LogLine(.error, "store.unreadableRows", ["count": String(damaged)])))
    }
    effects.append(
      .log(
        LogLine(
          .notice, "store.restored",
          [
            "widgets": String(widgets.count), "receipts": String(receipts.count),
            "journal": String(journal.entries.count),
          ])))
  }

  /// What the person did, as the journal tells it: the behaviour model is rebuilt from it.
  mutating func replay(_ entry: JSONValue) {
    guard let event = entry["event"]?.stringValue,
      let date = entry["at"]?.stringValue.flatMap({ WallTime(rfc3339: $0) })
    else { return }
    switch event {
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
    case "reload.done":
      if let id = entry["widget"]?.stringValue,
        let cause = entry["cause"]?.stringValue.flatMap({ ReloadCause(rawValue: $0) })
      {
        engine.replayRun(
          of: id, cause: cause, cost: Int(entry["cost"]?.intValue ?? 0),
          isUnchanged: entry["unchanged"]?.boolValue ?? false, at: date)
      }
    case "widget.removed":
      if let id = entry["widget"]?.stringValue { engine.forgetRecentActs(of: id) }
    default: break
    }
  }

  /// A store of a version without donations has them in its journal: they are learned from, and kept from the
  /// next one on.
  private mutating func adoptDonations(_ entries: [JSONValue]) {
    var number: Int64 = 0
    var found: [(number: Int64, donation: StackDonation)] = []
    for entry in entries {
      guard let date = entry["at"]?.stringValue.flatMap({ WallTime(rfc3339: $0) }) else { continue }
      let act: BehaviourAct
      var ids: [String] = []
      switch entry["event"]?.stringValue {
      case "intent":
        act = .intent
        ids = (entry["widgets"]?.arrayValue ?? []).compactMap(\.stringValue)
      case "tap", "dismissed":
        act = entry["event"] == "tap" ? .tap : .dismissal
        if let id = entry["widget"]?.stringValue { ids = [id] }
      default: continue
      }
      for id in ids {
        guard let widget = engine.widgets[id] else { continue }
        number += 1
        let donation = StackDonation(
          item: widget.item, kind: widget.kind, act: act, at: date,
          configuration: widget.configuration)
        found.append((number, donation))
        put(.donation, Self.donationKey(number), donation.record)
      }
    }
    guard !found.isEmpty else { return }
    engine.restoreDonations(found)
  }

  func configurationView() -> JSONObject {
    [
      "kinds": .int(Int64(engine.kinds.count)), "intents": .int(Int64(catalog.definitions.count)),
      "languages": .array(catalog.languages.map { .string($0) }),
      "issues": .array(issues.map { .object($0.view) }),
    ]
  }
}

extension DocumentIssue {
  var view: JSONObject {
    [
      "severity": .string(severity.rawValue), "file": .string(file), "line": .int(Int64(line)),
      "message": .string(message), "expected": .string(expected),
    ]
  }
}
