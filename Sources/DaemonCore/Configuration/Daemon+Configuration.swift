import Habits
import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Plugins
import Timekeeping
import WidgetCenter

/// Handles the store's replies, and puts the configuration's files into effect.
///
/// A file with mistakes is reported, and its last good version stays in force.
extension Daemon {
  mutating func handleStore(_ reply: StoreReply, at now: Now, into effects: inout [Effect]) {
    switch reply {
    case .loaded(let state):
      guard startingOver == nil else {
        startOver(from: state, at: now, into: &effects)
        return
      }
      guard phase == .loadingStore else { return }
      for note in state.notes {
        effects.append(.log(LogLine(.warning, "store.repaired", ["note": note])))
      }
      phase = .loadingConfiguration(state)
      requestConfiguration(at: now, into: &effects)
    case .loadFailed(let failure):
      // The shell says why when it has stopped.
      phase = .stopped
      if startingOver != nil { giveUpStartingOver(at: now, into: &effects) }
      effects.append(.stop(.storeUnavailable(failure)))
    case .committed(let number): committed(number, at: now.monotonic, into: &effects)
    case .commitFailed(let number, let failure):
      commitFailed(number, failure, at: now, into: &effects)
    case .closed:
      effects.append(.log(LogLine(.notice, "daemon.stopped")))
      effects.append(.stop(.requested))
    }
  }

  mutating func requestConfiguration(at now: Now, into effects: inout [Effect]) {
    switch phase {
    case .loadingConfiguration, .running: break
    // `handleStore` asks for the files once the store is loaded; until then the journal must take
    // no entry.
    case .loadingStore, .startingOver: return
    case .stopping, .stopped: return
    }
    loadConfiguration(because: .asked, at: now, into: &effects)
  }

  /// Checks the files that were read and puts them into effect.
  ///
  /// Each mistake becomes an issue, and a file with mistakes leaves its last good version in force.
  mutating func apply(
    _ files: ConfigurationFiles, at now: Now, into effects: inout [Effect]
  ) {
    let isNew = configuration.endLoading(files)
    if isNew {
      takeEffect(files, at: now, into: &effects)
      announceConfiguration()
    }
    let waiting = configuration.takeWaiting()
    let view = waiting.isEmpty ? nil : configurationView()
    for address in waiting {
      outbox.releaseWaiting(address)
      // The files have the configuration in force, whatever becomes of the history's entry.
      if let view { outbox.answer(address, view) }
    }
    if phase == .running { retryRefused(at: now, into: &effects) }
  }

  private mutating func takeEffect(
    _ files: ConfigurationFiles, at now: Now, into effects: inout [Effect]
  ) {
    let before = Set(configuration.issues)
    var found = files.issues
    adoptCatalog(files, &found)
    let read = readKinds(files, &found)
    var kinds = read.kinds
    configuration.setKinds(kinds)
    for kind in kinds { checkIntent(of: kind, read, &found) }
    checkPerforms(of: kinds, read, &found)
    checkGroups(of: kinds, read, &found)
    let settings = readSettings(files, &found)
    kinds = kinds.map { configureSuggestions(of: $0, read, &found) }
    let errorCount = found.count { $0.severity == .error }
    found = found.bounded()
    configuration.setIssues(found)
    configuration.noteRevision()
    var output = EngineOutput()
    if let settings { configuration.settings = settings }
    if let settings { engine.setDaysOff(settings.daysOff, into: &output) }
    engine.setKinds(kinds, at: now.wall, into: &output)
    // A manifest may name another app.
    appWidgets.noteEverything()
    if case .loadingConfiguration(let state) = phase {
      restore(state, at: now, into: &effects)
      restoreAppWidgets()
      migrateWidgets(at: now, into: &output)
      engine.resume(at: now.wall, into: &output)
      phase = .running
      effects.append(.ready)
    } else if phase == .running {
      migrateWidgets(at: now, into: &output)
    }
    if phase == .running { engine.advance(at: now, into: &output) }
    apply(output, at: now, into: &effects)
    if phase == .running { reloadAfterLostPerforms(at: now, into: &effects) }
    updateWatches(at: now, into: &effects)
    journal.append("configuration", at: now.wall) { writer in
      writer.key("kinds")
      writer.int(Int64(kinds.count))
      writer.key("intents")
      writer.int(Int64(configuration.catalog.definitions.count))
      writer.key("errors")
      writer.int(Int64(errorCount))
    }
    // The log names a mistake once, and not again after each save.
    for issue in found where !before.contains(issue) {
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
            "kinds": String(kinds.count),
            "intents": String(configuration.catalog.definitions.count),
            "errors": String(errorCount),
          ])))
  }

  /// Puts the catalogue of intents in force.
  ///
  /// A document with mistakes has its last good version in force; its mistakes are told. If there
  /// is none, its good parts load.
  private mutating func adoptCatalog(_ files: ConfigurationFiles, _ found: inout [DocumentIssue]) {
    var loaded = IntentCatalog.load(files.catalog, spelling: spelling, words: words)
    found += loaded.issues
    let bad = Set(found.filter { $0.severity == .error }.map(\.file))
    if let good = configuration.goodDocuments.replacing(bad, in: files.catalog) {
      loaded = IntentCatalog.load(good, spelling: spelling, words: words)
    }
    configuration.goodDocuments.keep(files.catalog, bad: bad)
    // Issues and not one readable intent: that is a mistake, not a wish to forget every intent.
    let keepsCatalog =
      loaded.catalog.definitions.isEmpty && !configuration.catalog.definitions.isEmpty
      && !found.isEmpty
    for (list, error) in configuration.adopt(keepsCatalog ? nil : loaded.catalog) {
      found.append(
        DocumentIssue(
          severity: .warning, file: "list '\(list)'", line: 0, message: error.message,
          expected: ""))
    }
  }

  /// The kinds, sorted by name, and the names of those whose last good version stays in force.
  private struct ReadKinds {
    var kinds: [WidgetKind]
    var lastGood: Set<String>

    /// Returns the message; for a last good kind it says that the file's present text is another.
    func message(about kind: WidgetKind, _ message: String) -> String {
      lastGood.contains(kind.kind)
        ? "in the last good version of this manifest, which holds for now: \(message)" : message
    }

    /// Returns a line in the manifest of a kind; 0 for a last good kind, whose file has changed
    /// since.
    func line(of kind: WidgetKind, _ line: Int) -> Int {
      lastGood.contains(kind.kind) ? 0 : line
    }
  }

  /// Reads the kinds and appends their issues to `found`.
  ///
  /// Returns the kinds whose bundle has the name of a kind of another file, in ascending order.
  ///
  /// Consent, cache folder and process belong to a bundle: such a kind would pass for the program of
  /// the other one, and have that perform intents unasked.
  private static func impostors(among kinds: [String: WidgetKind]) -> [WidgetKind] {
    kinds.values
      .filter { kind in kinds[kind.bundle].map { $0.file != kind.file } ?? false }
      .sorted { $0.kind < $1.kind }
  }

  /// A kind with mistakes has its last good version in force.
  ///
  /// Of two manifests with one kind,
  /// the first counts; so does the first of two plugins, and a manifest comes before a plugin.
  private func readKinds(
    _ files: ConfigurationFiles, _ found: inout [DocumentIssue]
  ) -> ReadKinds {
    var kinds: [String: WidgetKind] = [:]
    var lastGood: Set<String> = []
    // A file that could not be parsed has an issue and no manifest.
    let unreadable = Set(files.issues.filter { $0.severity == .error }.map(\.file))
      .subtracting(files.refusedManifests)
    for kind in engine.kinds.values where unreadable.contains(kind.file) {
      kinds[kind.kind] = kind
      lastGood.insert(kind.kind)
    }
    for manifest in files.manifests {
      let read = ManifestReader.read(manifest)
      found += read.issues
      let staying = read.staying(of: engine.kinds.values.filter { $0.file == manifest.file })
      for kind in read.kinds + staying {
        if let earlier = kinds[kind.kind] {
          found.append(
            DocumentIssue(
              severity: .warning, file: manifest.file, line: read.lines[kind.kind] ?? 0,
              message:
                "the kind \(kind.kind) is offered by \(earlier.file) already; this one is ignored",
              expected: "one manifest a kind; your own folder comes before the packages'"))
          continue
        }
        kinds[kind.kind] = kind
      }
      lastGood.formUnion(staying.map(\.kind))
    }
    for plugin in files.plugins {
      let read = WidgetKind.read(plugin)
      found += read.issues
      guard let kind = read.kind else { continue }
      if let earlier = kinds[kind.kind] {
        found.append(
          DocumentIssue(
            severity: .warning, file: plugin.path, line: 0,
            message:
              "the kind \(kind.kind) is offered by \(earlier.file) already; this file is ignored",
            expected: "another name before the first dot, or .off at the end of one of the two"))
        continue
      }
      kinds[kind.kind] = kind
    }
    for kind in Self.impostors(among: kinds) {
      kinds[kind.kind] = nil
      lastGood.remove(kind.kind)
      found.append(
        DocumentIssue(
          severity: .warning, file: kind.file, line: 0,
          message:
            "the kind \(kind.kind) is ignored: its bundle has the name \(kind.bundle), which"
            + " \(kinds[kind.bundle]?.file ?? "another file") offers already",
          expected: "another name for the first of its kinds"))
    }
    // The last good version of a manifest has the consents of today, too.
    let held = kinds.values.map { $0.held(by: files.consents[$0.bundle]) }
    return ReadKinds(
      kinds: SharedGroups.shared(among: held.sorted { $0.kind < $1.kind }), lastGood: lastGood)
  }

  /// Reads the settings; `nil`: the file has mistakes, and the last good settings hold.
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

  /// Looks for disagreements between a manifest and the intents: an intent that there is not, or
  /// that is not for widgets, and places in the URL for parameters that there are not.
  private func checkIntent(of kind: WidgetKind, _ read: ReadKinds, _ found: inout [DocumentIssue]) {
    func warn(_ message: String, _ expected: String) {
      found.append(
        DocumentIssue(
          severity: .warning, file: kind.file, line: 0,
          message: read.message(about: kind, message), expected: expected))
    }
    let definition = kind.intent.flatMap { configuration.catalog.definition(named: $0) }
    if let intent = kind.intent, definition == nil {
      let near = nearest(
        to: intent, among: configuration.catalog.definitions.map(\.name), countMax: 1)
      warn(
        "no intent is called '\(intent)'\(didYouMean(near))",
        "an intent of the intents folder; until then nothing configures \(kind.kind)")
      return
    }
    if let definition, !definition.isEligibleForWidgets {
      warn(
        "the intent '\(definition.name)' says that it is not for widgets",
        "an intent with 'widgets: true', or INIntentEligibleForWidgets")
    }
    let names = definition?.parameters.map(\.name) ?? []
    for name in Self.placeNames(in: kind.url ?? "") where !names.contains(name) {
      warn(
        "url has {\(name)}, and \(definition?.name ?? "the kind, which has no intent,") has no"
          + " such parameter\(didYouMean(nearest(to: name, among: names, countMax: 1)))",
        names.isEmpty
          ? "a URL without braces"
          : "one of its parameters: \(names.map { "{\($0)}" }.joined(separator: ", "))")
    }
  }

  /// Looks for performed intents that no document defines, and for those that another program
  /// performs, too.
  private func checkPerforms(
    of kinds: [WidgetKind], _ read: ReadKinds, _ found: inout [DocumentIssue]
  ) {
    var told: Set<String> = []
    for kind in kinds where !kind.performs.isEmpty && told.insert(kind.bundle).inserted {
      for name in kind.performs {
        var warning: (message: String, expected: String)?
        if configuration.catalog.definition(named: name) == nil {
          let near = nearest(
            to: name, among: configuration.catalog.definitions.map(\.name), countMax: 1)
          warning = (
            "performs has '\(name)', and no intent is called so\(didYouMean(near))",
            "an intent of the intents folder; until then nothing asks for it"
          )
        } else if let other = firstPerformer(of: name, among: kinds), other.bundle != kind.bundle {
          warning = (
            "performs has '\(name)', which \(other.file) performs already",
            "one program for each intent; now each performs it for its own buttons alone"
          )
        }
        guard let warning else { continue }
        found.append(
          DocumentIssue(
            severity: .warning, file: kind.file, line: 0,
            message: read.message(about: kind, warning.message), expected: warning.expected))
      }
    }
  }

  /// Looks for programs that do not have the folder of the group that they name.
  private func checkGroups(
    of kinds: [WidgetKind], _ read: ReadKinds, _ found: inout [DocumentIssue]
  ) {
    var told: Set<String> = []
    for kind in kinds {
      guard let lack = SharedGroups.lack(of: kind), told.insert(kind.bundle).inserted else {
        continue
      }
      found.append(
        DocumentIssue(
          severity: .warning, file: kind.file, line: 0,
          message: read.message(about: kind, lack.message), expected: lack.remedy))
    }
  }

  /// Returns the first performer of an intent among kinds that are not in force yet.
  private func firstPerformer(of intent: String, among kinds: [WidgetKind]) -> WidgetKind? {
    let name = configuration.performers(of: intent).first
    return kinds.first { $0.kind == name }
  }

  /// Resolves the parameters of each suggestion window of a kind into a configuration; a window
  /// with wrong parameters suggests nothing.
  private func configureSuggestions(
    of kind: WidgetKind, _ read: ReadKinds, _ found: inout [DocumentIssue]
  ) -> WidgetKind {
    var kind = kind
    for index in kind.suggest.indices {
      // A last good kind still has the configuration that the earlier catalogue gave.
      kind.suggest[index].configuration = nil
      guard let name = kind.intent else {
        kind.suggest[index].configuration = WidgetConfiguration.none
        continue
      }
      // `apply` has reported an intent that no document defines.
      guard configuration.catalog.definition(named: name) != nil else { continue }
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

  /// The configuration in force as clients see it; of the issues the first `issueCountMax`, if
  /// that is given.
  func configurationView(issueCountMax: Int? = nil) -> JSONObject {
    let issues = configuration.issues + fileWatch.issues
    var view: JSONObject = [
      "kinds": .int(Int64(engine.kinds.count)),
      "intents": .int(Int64(configuration.catalog.definitions.count)),
      "languages": .array(configuration.catalog.languages.map { .string($0) }),
      "issues": .array(issues.prefix(issueCountMax ?? issues.count).map { .object($0.view) }),
    ]
    if issueCountMax != nil { view["issueCount"] = .int(Int64(issues.count)) }
    view["revision"] = .int(configuration.revision)
    return view
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
