import DaemonCore
import DaemonRuntime
import IntentRouter
import JSON
import Plugins
package import Timekeeping
import WidgetCenter

/// The options of `intentd --simulate`, read from the command line.
package struct RehearsalPlan: Hashable, Sendable {
  /// How generous the budget is.
  package enum Profile: String, CaseIterable, Hashable, Sendable {
    /// The budget of the manifests, for a widget whose learning period is over.
    case production
    /// The budget of a new widget, half as large again, all the time.
    ///
    /// Source: WidgetKit's learning period.
    case learning
    /// No budget: neither it nor the spacing holds anything back, as while an app is debugged.
    case unlimited
  }

  /// The moment at which virtual time begins.
  package var from: WallTime
  /// Milliseconds of virtual time.
  package var duration: Int64
  /// The seed for the person's looks and the answers' durations; `nil` means always in sight and
  /// answers at once.
  package var seed: UInt64?
  package var profile = Profile.production
  /// Where the answers are written.
  package var recordPath: String?
  /// Where answers come from, in place of the providers.
  package var replayPath: String?
  /// Kinds, or manifests by their path; none: all there are.
  package var kinds: [String] = []
  /// `name=value` for the intents.
  package var parameters: [String] = []
  package var family: String?
  /// Whether widgets of kinds with modes are shown expanded.
  package var isExpanded = false

  package init(from: WallTime, duration: Int64) {
    self.from = from
    self.duration = duration
  }

  /// A mistake in the options, as a sentence.
  package struct Problem: Error, Hashable, Sendable {
    package var message: String
    package init(_ message: String) { self.message = message }
  }

  /// A date as people write it: RFC 3339, or a day, a day and minutes, or a time, all in UTC.
  package static func readDate(_ text: String, now: WallTime) throws(Problem) -> WallTime {
    if let date = MomentText.read(text, now: now, secondsEast: { _ in 0 }) { return date }
    throw Problem("'\(text)' is no date; write 2026-11-20, 21:00 or 2026-11-20T21:00:00Z")
  }

  /// Reads a span, in milliseconds; throws unless it is one from a minute to 366 days.
  package static func readDuration(_ text: String) throws(Problem) -> Int64 {
    guard let duration = DurationText.read(text),
      (RehearsalLimits.durationMin...RehearsalLimits.durationMax).contains(duration)
    else {
      throw Problem("'\(text)' is no span from 1m to 366d; write 12h, 7d or 30d")
    }
    return duration
  }
}

/// The configuration of a simulation: the person's files, cut down to the kinds in question.
struct RehearsalSetting {
  var files = ConfigurationFiles()
  /// The kinds of the person's files, before the profile changes their budgets.
  var kinds: [WidgetKind] = []
  /// Parameters by kind, given and chosen.
  var parameters: [String: JSONObject] = [:]
  /// The required parameters whose values the simulation chose because none was given, by kind.
  var chosen: [String: [String]] = [:]

  init(_ plan: RehearsalPlan, options: RuntimeOptions) throws(RehearsalPlan.Problem) {
    let wanted = try readFiles(plan, options)
    for source in files.manifests {
      for kind in ManifestReader.read(source).kinds
      where !kinds.contains(where: { $0.kind == kind.kind }) {
        // The manifest stays whole, since its kinds share a program.
        if let named = wanted[source.file], !named.contains(kind.kind) { continue }
        kinds.append(kind)
      }
    }
    kinds.sort { $0.kind < $1.kind }
    guard kinds.count <= RehearsalLimits.kindCountMax else {
      throw .init("\(kinds.count) kinds are too many at once; name those you mean")
    }
    try readParameters(plan)
    files.manifests = files.manifests.map { Self.apply(plan.profile, to: $0) }
  }

  /// Reads the person's files, or those that the plan names.
  ///
  /// - Returns: the kinds that the plan names, by the file of their manifest; a manifest that is not
  ///   in it is simulated with all its kinds.
  private mutating func readFiles(
    _ plan: RehearsalPlan, _ options: RuntimeOptions
  ) throws(RehearsalPlan.Problem) -> [String: Set<String>] {
    files = ConfigurationLoader(options).load()
    // Nobody says a sentence here, and sentences take the longest to read.
    files.catalog.removeAll { $0.kind == .sentences || $0.kind == .examples }
    let search = ManifestSearch(
      files, folders: options.allWidgetFolders, pluginFolders: options.allPluginFolders)
    // A plugin has no budget that could be foreseen: it runs by its own rule while it is looked at.
    files.plugins = []
    guard !plan.kinds.isEmpty else {
      files.manifests.removeAll { source in
        guard let kind = ManifestReader.read(source).kind else { return false }
        return kind.provider.plugin != nil || !kind.hasProvider
      }
      return [:]
    }
    var wanted: [ManifestSource] = []
    var named: [String: Set<String>] = [:]
    var whole: Set<String> = []
    for word in plan.kinds {
      let path: String
      switch search.path(of: word) {
      case .failure(let failure): throw .init(failure.message)
      case .success(let found): path = found
      }
      guard ManifestSearch.isManifest(path) else { throw Self.refusal(ofPlugin: word) }
      let read = ConfigurationLoader.manifest(at: path, options)
      guard let source = read.source else {
        throw .init(read.issues.map(\.description).joined(separator: "\n"))
      }
      if let kind = search.kind(of: word) {
        named[source.file, default: []].insert(kind)
      } else {
        whole.insert(source.file)
      }
      if !wanted.contains(where: { $0.file == source.file }) { wanted.append(source) }
    }
    files.manifests = wanted
    files.issues.removeAll { issue in !wanted.contains { $0.file == issue.file } }
    for source in wanted {
      let issues = ManifestReader.read(source).issues.filter { $0.severity == .error }
      guard issues.isEmpty else {
        throw .init(issues.map(\.description).joined(separator: "\n"))
      }
      if let kind = ManifestReader.read(source).kind, kind.provider.plugin != nil {
        throw Self.refusal(ofPlugin: kind.kind)
      }
      if let kind = ManifestReader.read(source).kind, !kind.hasProvider {
        throw .init(
          "\(kind.kind) has no provider, so there is nothing to simulate: its widgets show what is"
            + " pushed to them; leave it out")
      }
    }
    return named.filter { !whole.contains($0.key) }
  }

  private static func refusal(ofPlugin word: String) -> RehearsalPlan.Problem {
    RehearsalPlan.Problem(
      "'\(word)' is a plugin, which is not simulated: it runs by its own rule while somebody looks at"
        + " it; see one run with: intent-send try \(word)")
  }

  // MARK: Parameters

  private mutating func readParameters(_ plan: RehearsalPlan) throws(RehearsalPlan.Problem) {
    var given: [Assignment] = []
    for text in plan.parameters { given.append(try Self.assignment(text)) }
    var used: Set<String> = []
    var catalog = IntentCatalog.load(files.catalog).catalog
    for kind in kinds {
      guard let intent = kind.intent else { continue }
      if catalog.definition(named: intent) == nil {
        // Without the intent's definition the author's words are taken as they are.
        files.catalog.append(Self.definition(of: intent, parameters: given.map(\.name)))
        catalog = IntentCatalog.load(files.catalog).catalog
      }
      guard let definition = catalog.definition(named: intent) else { continue }
      var values: JSONObject = [:]
      for parameter in definition.parameters {
        if let value = given.last(where: { $0.name == parameter.name })?.value {
          used.insert(parameter.name)
          values[parameter.name] = value
        } else if parameter.isRequired, parameter.defaultValue == nil {
          let some =
            parameter.list.flatMap { catalog.values(ofList: $0)?.first }
            ?? parameter.cases.first.map { .string($0.identifier) }
          guard let some else { continue }
          values[parameter.name] = some
          chosen[kind.kind, default: []].append(parameter.name)
        }
      }
      parameters[kind.kind] = values
    }
    if let unused = given.first(where: { !used.contains($0.name) }) {
      throw .init("none of these kinds has a parameter '\(unused.name)'")
    }
  }

  private static func assignment(_ text: String) throws(RehearsalPlan.Problem) -> Assignment {
    do throws(Assignment.Mistake) {
      return try Assignment(text)
    } catch {
      throw .init(error.message)
    }
  }

  private static func definition(of intent: String, parameters: [String]) -> CatalogSource {
    func text(_ value: String) -> LocatedValue { LocatedValue(.string(value), line: 1) }
    func object(_ members: [(String, LocatedValue)]) -> LocatedValue {
      LocatedValue(.object(members.map { .init(key: $0.0, line: 1, value: $0.1) }), line: 1)
    }
    let list = parameters.map { name in
      object([
        ("name", text(name)), ("type", text("string")),
        ("otherValues", LocatedValue(.bool(true), line: 1)),
      ])
    }
    let document = object([
      ("name", text(intent)), ("parameters", LocatedValue(.array(list), line: 1)),
    ])
    return CatalogSource(file: "\(intent)/intent.yaml", document: document, kind: .intent)
  }

  // MARK: Profiles

  /// The manifest with another budget.
  private static func apply(
    _ profile: RehearsalPlan.Profile, to source: ManifestSource
  ) -> ManifestSource {
    let learningMax = DurationText.write(WidgetCenter.Limits.learningPeriodMax)
    switch profile {
    case .production: return set(["learning": .string("0s")], in: source)
    case .learning: return set(["learning": .string(learningMax)], in: source)
    case .unlimited:
      return set(
        ["perDay": .int(86_400), "minimumInterval": .string("1s"), "learning": .string("0s")],
        in: source)
    }
  }

  /// Returns the manifest with these members of `reload` in place of its own, and of those that its
  /// kinds have of their own.
  private static func set(
    _ values: [String: LocatedValue.Node], in source: ManifestSource
  ) -> ManifestSource {
    var changed = source
    changed.document = set(values, in: source.document)
    guard case .object(var members) = changed.document.node else { return source }
    for index in members.indices where members[index].key == "kinds" {
      guard case .array(let kinds) = members[index].value.node else { continue }
      members[index].value.node = .array(
        kinds.map { $0["reload"] == nil ? $0 : set(values, in: $0) })
    }
    changed.document.node = .object(members)
    return changed
  }

  private static func set(
    _ values: [String: LocatedValue.Node], in document: LocatedValue
  ) -> LocatedValue {
    guard case .object(var members) = document.node else { return document }
    var reload: [LocatedValue.Member] = []
    if case .object(let old)? = document["reload"]?.node {
      reload = old.filter { values[$0.key] == nil }
    }
    for (key, node) in values.sorted(by: { $0.key < $1.key }) {
      reload.append(.init(key: key, line: 1, value: LocatedValue(node, line: 1)))
    }
    members.removeAll { $0.key == "reload" }
    members.append(.init(key: "reload", line: 1, value: LocatedValue(.object(reload), line: 1)))
    return LocatedValue(.object(members), line: document.line)
  }
}
