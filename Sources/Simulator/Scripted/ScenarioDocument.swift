import IntentProtocol
package import JSON
package import Timekeeping
import WidgetCenter

/// A scenario as its file describes it: the configuration, the events with their times, and the
/// expectations.
///
/// `docs/SCENARIOS.md` describes the form.
package struct ScenarioDocument: Hashable, Sendable {
  package var title = ""
  /// The rule that the scenario tests, in a sentence.
  package var rule = ""
  /// The wall clock at the start; 2026-11-20T20:00:00Z by default.
  package var from = WallTime(milliseconds: 1_795_204_800_000)
  /// Milliseconds.
  package var duration: Int64 = 86_400_000
  /// Whether a surface shows all widgets from the start.
  ///
  /// Unwatched widgets hardly reload.
  var isWatched = true
  var kinds: [Kind] = []
  var intents: [LocatedValue] = []
  /// The content of `config.yaml`; `nil` if there is none.
  var config: LocatedValue?
  var events: [Happening] = []
  var expectations: [Expected] = []

  struct Kind: Hashable, Sendable {
    var name: String
    var manifest: JSONObject
    var answers: [Answer]
    /// The answers for the expanded mode; none: those above, in the order of all requests.
    var expanded: [Answer]
    /// Its answers to requests for a preview.
    var previews: [Answer] = []
    /// Its answers to intents that it performs.
    var performed: [Answer] = []
    /// The outcomes of its downloads, one for each time.
    var fetches: [Fetch] = []
  }

  /// A provider's reaction to a request.
  struct Answer: Hashable, Sendable {
    enum Outcome: Hashable, Sendable {
      case timeline(entries: [Entry], policy: Policy, windows: [Window])
      /// Nothing is new; `nil`: without a policy.
      case noData(policy: Policy?)
      /// It says that it failed, and why.
      case reports(String)
      /// An extension refuses the request, in these words.
      case refuses(String)
      case text(String)
      case exits(Int32)
      case signaled(Int32)
      case floods
      case doesNotStart
      case hangs
    }
    enum Policy: Hashable, Sendable {
      case atEnd, never
      case after(Int64)
      case afterDate(String)
    }
    struct Entry: Hashable, Sendable {
      /// Milliseconds from the request's `now`.
      var offset: Int64?
      var date: String?
      var relevance: JSONValue?
      var url: JSONValue?
      var content: JSONObject
    }
    struct Window: Hashable, Sendable {
      /// Milliseconds from the request's `now`.
      var from: Int64
      var to: Int64
      var kind: JSONValue?
    }
    var outcome: Outcome
    /// The files that the answer asks for.
    var downloads: JSONValue?
    /// Milliseconds of its own time.
    var takes: Int64 = 0
    var preferredHeight: JSONValue?
    var isTwice = false
  }

  struct Happening: Hashable, Sendable {
    enum What: Hashable, Sendable {
      case request(method: String, params: JSONObject, by: String)
      case disconnect(String)
      /// The wall clock is set by so many milliseconds.
      case clock(Int64)
      /// The machine sleeps so long.
      case suspend(Int64, isAnnounced: Bool = false)
      /// The person's session is locked or unlocked.
      case lock(Bool)
      case supply(MachineSupply)
      /// The process is killed; the transaction under way is on disk or not.
      case crash(keeps: Bool)
      case restart
      case diskFull(Bool)
      case network(isUp: Bool)
      /// Milliseconds that local time is ahead of UTC from then on.
      case zone(Int64)
      case withdraw([String])
      case offer([String])
      case change(String, JSONObject)
    }
    var at: Int64
    var line: Int
    var what: What
    /// The request is one that the daemon has to refuse.
    var isRefused = false
  }

  /// An expectation: from `countMin` to `countMax` rows of this event and these conditions.
  struct Expected: Hashable, Sendable {
    var event: String
    var line: Int
    /// Milliseconds from the beginning, both inclusive.
    var from: Int64 = 0
    var until: Int64 = .max
    var conditions: [Condition] = []
    var countMin = 1
    var countMax = Int.max
  }

  struct Condition: Hashable, Sendable {
    /// `content.title`: keys and places in lists.
    var path: [String]
    var wanted: Wanted
    enum Wanted: Hashable, Sendable {
      case value(JSONValue)
      case contains(String)
      case number(ClosedRange<Double>)
      /// A date so many milliseconds from the beginning.
      case date(ClosedRange<Int64>)
      case absent
    }
  }
}

/// Turns a scenario's document into a `ScenarioDocument`, or into everything that is wrong with it.
package struct ScenarioReader {
  private var issues: [DocumentIssue] = []
  private let file: String

  /// All mistakes of a file are found in one reading.
  package static func read(
    _ root: LocatedValue, file: String
  ) -> (scenario: ScenarioDocument?, issues: [DocumentIssue]) {
    var reader = ScenarioReader(file: file)
    let scenario = reader.readScenario(root)
    return (
      reader.issues.isEmpty ? scenario : nil, reader.issues.sorted { $0.line < $1.line }
    )
  }

  private init(file: String) { self.file = file }

  private mutating func readScenario(_ root: LocatedValue) -> ScenarioDocument {
    var scenario = ScenarioDocument()
    check(
      root, "a scenario",
      [
        "scenario", "rule", "from", "lasts", "watched", "config", "kinds", "intents", "widgets",
        "events", "expect",
      ])
    scenario.title = text(root["scenario"], "scenario", root.line) ?? ""
    scenario.rule = text(root["rule"], "rule", root.line) ?? ""
    if let from = root["from"] {
      if let date = from.json.stringValue.flatMap({ WallTime(rfc3339: $0) }) {
        scenario.from = date
      } else {
        report(from.line, "from is \(from.json.serialized)", "a date such as 2026-11-20T20:00:00Z")
      }
    }
    if let lasts = root["lasts"] { scenario.duration = span(lasts, "lasts") ?? 0 }
    if let watched = root["watched"] {
      if let isWatched = watched.json.boolValue {
        scenario.isWatched = isWatched
      } else {
        report(watched.line, "watched is \(watched.json.serialized)", "true or false")
      }
    }
    scenario.config = root["config"]
    for member in members(root["kinds"], "kinds") { scenario.kinds.append(readKind(member)) }
    for intent in items(root["intents"], "intents") { scenario.intents.append(intent) }
    for widget in items(root["widgets"], "widgets") {
      var params = object(widget)
      params.members.removeAll { $0.key == "refused" }
      scenario.events.append(
        .init(
          at: 0, line: widget.line,
          what: .request(method: "widget.add", params: params, by: "person"),
          isRefused: isRefused(widget)))
    }
    for event in items(root["events"], "events") {
      scenario.events += readHappenings(event)
    }
    scenario.events.sort { $0.at < $1.at }
    checkManifests(root)
    checkKinds(of: scenario)
    for expected in items(root["expect"], "expect") {
      if let expectation = readExpected(expected) { scenario.expectations.append(expectation) }
    }
    if scenario.expectations.isEmpty {
      report(root["expect"]?.line ?? root.line, "nothing is expected", "a list 'expect'")
    }
    return scenario
  }

  // MARK: Providers

  private mutating func readKind(_ member: LocatedValue.Member) -> ScenarioDocument.Kind {
    var manifest = object(member.value)
    let timeout = member.value["timeout"]?.json.stringValue ?? "30s"
    manifest.members.removeAll { Self.ownKeys.contains($0.key) }
    manifest["kind"] = .string(member.key)
    if manifest["name"] == nil { manifest["name"] = .string(member.key) }
    if manifest["families"] == nil { manifest["families"] = ["systemSmall", "systemMedium"] }
    if manifest["provider"] == nil {
      manifest["provider"] = ["exec": ["./provider"], "timeout": .string(timeout)]
    }
    var answers: [ScenarioDocument.Answer] = []
    for item in items(member.value["answers"], "answers") {
      if let answer = readAnswer(item) { answers.append(answer) }
    }
    var expanded: [ScenarioDocument.Answer] = []
    for item in items(member.value["expanded"], "expanded") {
      if let answer = readAnswer(item) { expanded.append(answer) }
    }
    var previews: [ScenarioDocument.Answer] = []
    for item in items(member.value["previews"], "previews") {
      if let answer = readAnswer(item) { previews.append(answer) }
    }
    if answers.isEmpty, previews.isEmpty, manifest["provider"] != .null {
      report(member.line, "the kind \(member.key) answers nothing", "a list 'answers'")
    }
    var kind = ScenarioDocument.Kind(
      name: member.key, manifest: manifest, answers: answers, expanded: expanded,
      previews: previews)
    for item in items(member.value["performed"], "performed") {
      if let answer = readAnswer(item) { kind.performed.append(answer) }
    }
    for item in items(member.value["fetches"], "fetches") {
      if let fetch = readFetch(item) { kind.fetches.append(fetch) }
    }
    return kind
  }

  private mutating func readAnswer(_ value: LocatedValue) -> ScenarioDocument.Answer? {
    check(
      value, "an answer",
      [
        "entries", "policy", "relevance", "preferredHeight", "noData", "failed", "downloads",
        "fails", "says", "refuses", "takes", "twice",
      ])
    var answer = ScenarioDocument.Answer(outcome: .hangs)
    if let takes = value["takes"] { answer.takes = span(takes, "takes") ?? 0 }
    answer.preferredHeight = value["preferredHeight"]?.json
    answer.downloads = value["downloads"]?.json
    answer.isTwice = value["twice"]?.json.boolValue ?? false
    if let says = value["says"] {
      // A script that prints nothing is hidden.
      let isEmpty = says.json.stringValue == ""
      answer.outcome = .text(isEmpty ? "" : text(says, "says", says.line) ?? "")
    } else if let noData = value["noData"] {
      if noData.json.boolValue != true || value["entries"] != nil {
        report(noData.line, "noData is no answer beside entries, and always true", "noData: true")
      }
      answer.outcome = .noData(policy: value["policy"].map { readPolicy($0) })
    } else if let failed = value["failed"] {
      answer.outcome = .reports(text(failed, "failed", failed.line) ?? "")
    } else if let refuses = value["refuses"] {
      answer.outcome = .refuses(text(refuses, "refuses", refuses.line) ?? "")
    } else if let fails = value["fails"] {
      let words = (fails.json.stringValue ?? "").split(separator: " ")
      switch (words.first, words.last.flatMap { Int32($0) }) {
      case ("exit", let code?): answer.outcome = .exits(code)
      case ("signal", let number?): answer.outcome = .signaled(number)
      case ("hangs", nil): answer.outcome = .hangs
      case ("floods", nil): answer.outcome = .floods
      case ("missing", nil): answer.outcome = .doesNotStart
      default:
        report(
          fails.line, "fails is \(fails.json.serialized)",
          "'exit 1', 'signal 9', hangs, floods or missing")
      }
    } else {
      var entries: [ScenarioDocument.Answer.Entry] = []
      for item in items(value["entries"], "entries") {
        var content = object(item)
        var entry = ScenarioDocument.Answer.Entry(content: [:])
        entry.date = content["date"]?.stringValue
        if let at = item["at"] { entry.offset = offset(at, "at") }
        if entry.date == nil, entry.offset == nil {
          report(item.line, "an entry has no date", "at: 1h (after the request), or date: DATE")
        }
        entry.relevance = content["relevance"]
        entry.url = content["url"]
        content.members.removeAll { ["at", "date", "relevance", "url"].contains($0.key) }
        entry.content = content
        entries.append(entry)
      }
      answer.outcome = .timeline(
        entries: entries, policy: readPolicy(value["policy"]),
        windows: readWindows(value["relevance"]))
    }
    return answer
  }

  private mutating func readWindows(
    _ value: LocatedValue?
  ) -> [ScenarioDocument.Answer.Window] {
    var windows: [ScenarioDocument.Answer.Window] = []
    for item in items(value, "relevance") {
      check(item, "a relevant window", ["from", "to", "kind"])
      guard let from = item["from"].flatMap({ offset($0, "from") }),
        let to = item["to"].flatMap({ offset($0, "to") })
      else {
        if item["from"] == nil || item["to"] == nil {
          report(
            item.line, "a relevant window has no ends", "from: 1h, and to: 2h, after the request")
        }
        continue
      }
      windows.append(.init(from: from, to: to, kind: item["kind"]?.json))
    }
    return windows
  }

  private mutating func readPolicy(_ value: LocatedValue?) -> ScenarioDocument.Answer.Policy {
    guard let value else { return .atEnd }
    let words = (value.json.stringValue ?? "").split(separator: " ").map(String.init)
    switch (words.first, words.count) {
    case ("atEnd", 1): return .atEnd
    case ("never", 1): return .never
    case ("after", 2):
      if let span = Self.milliseconds(words[1]) { return .after(span) }
      if WallTime(rfc3339: words[1]) != nil { return .afterDate(words[1]) }
    default: break
    }
    report(
      value.line, "policy is \(value.json.serialized)", "atEnd, never, 'after 30m' or 'after DATE'")
    return .atEnd
  }

  // MARK: Mistakes

  /// The daemon is meant to refuse it.
  private func isRefused(_ value: LocatedValue) -> Bool { value["refused"]?.json.boolValue == true }

  /// Reads each manifest as the daemon will, also those that events change.
  ///
  /// An unknown key is a mistake here.
  private mutating func checkManifests(_ root: LocatedValue) {
    guard case .object(let kinds)? = root["kinds"]?.node else { return }
    for kind in kinds where !isRefused(kind.value) {
      guard case .object(let members) = kind.value.node else { continue }
      checkManifest(kind.key, members, kind.line)
    }
    guard case .array(let events)? = root["events"]?.node else { return }
    for event in events where !isRefused(event) {
      guard case .object(let changes)? = event["change"]?.node else { continue }
      for change in changes {
        guard case .object(let after) = change.value.node,
          let kind = kinds.first(where: { $0.key == change.key }),
          case .object(let before) = kind.value.node, !isRefused(kind.value)
        else { continue }
        let kept = before.filter { member in !after.contains { $0.key == member.key } }
        checkManifest(change.key, kept + after, change.line)
      }
    }
  }

  private mutating func checkManifest(
    _ name: String, _ members: [LocatedValue.Member], _ line: Int
  ) {
    let ownKeys = Self.ownKeys + [ScenarioBundles.key]
    var members = members.filter { !ownKeys.contains($0.key) }
    let standard: [(String, JSONValue)] = [
      ("kind", .string(name)), ("name", .string(name)), ("families", ["systemSmall"]),
      ("provider", ["exec": ["./provider"]]),
    ]
    for (key, value) in standard where !members.contains(where: { $0.key == key }) {
      members.append(.init(key: key, line: line, value: located(value)))
    }
    let source = ManifestSource(
      file: file, directory: "/", document: LocatedValue(.object(members), line: line))
    for var issue in ManifestReader.read(source).issues {
      issue.severity = .error
      if !issues.contains(issue) { issues.append(issue) }
    }
  }

  /// Every kind that is named is one that there is at some time.
  private mutating func checkKinds(of scenario: ScenarioDocument) {
    var there = Set(scenario.kinds.map(\.name))
    var manifests = scenario.kinds.map(\.manifest)
    for case .change(_, let members) in scenario.events.map(\.what) { manifests.append(members) }
    for manifest in manifests {
      if let name = manifest["kind"]?.stringValue { there.insert(name) }
      there.formUnion((manifest["aliases"]?.arrayValue ?? []).compactMap(\.stringValue))
    }
    let known = there.sorted()
    for event in scenario.events where !event.isRefused {
      let names: [String] =
        switch event.what {
        case .request(_, let params, _): params["kind"]?.stringValue.map { [$0] } ?? []
        case .withdraw(let kinds), .offer(let kinds): kinds
        case .change(let kind, _): [kind]
        case .disconnect, .clock, .suspend, .lock, .supply, .crash, .restart, .diskFull, .network,
          .zone:
          []
        }
      for name in names where !known.contains(name) {
        report(
          event.line,
          "'\(name)' is none of the kinds\(didYouMean(nearest(to: name, among: known, countMax: 1)))",
          "one of \(known.joined(separator: ", ")), or refused: true")
      }
    }
  }

  // MARK: Events

  private mutating func readHappenings(_ value: LocatedValue) -> [ScenarioDocument.Happening] {
    check(
      value, "an event",
      [
        "at", "every", "times", "do", "params", "by", "disconnect", "clock", "sleep",
        "announcedSleep", "locked", "supply", "crash", "restart", "disk", "network", "zone",
        "withdraw", "offer", "change", "refused",
      ])
    guard let at = value["at"].flatMap({ span($0, "at") }) else {
      if value["at"] == nil { report(value.line, "an event has no time", "at: 1h") }
      return []
    }
    var whats: [ScenarioDocument.Happening.What] = []
    if let method = value["do"] {
      let name = text(method, "do", method.line) ?? ""
      if !name.isEmpty, Method(rawValue: name) == nil, !isRefused(value) {
        let known = Method.allCases.map(\.rawValue)
        report(
          method.line,
          "'\(name)' is no method of the protocol\(didYouMean(nearest(to: name, among: known, countMax: 1)))",
          "one that docs/PROTOCOL.md has, or refused: true")
      }
      whats.append(
        .request(
          method: name,
          params: value["params"].map { object($0) } ?? [:],
          by: value["by"]?.json.stringValue ?? "person"))
    }
    if let name = value["disconnect"]?.json.stringValue { whats.append(.disconnect(name)) }
    if let clock = value["clock"] { whats.append(.clock(offset(clock, "clock") ?? 0)) }
    if let sleep = value["sleep"] { whats.append(.suspend(span(sleep, "sleep") ?? 0)) }
    if let sleep = value["announcedSleep"] {
      whats.append(.suspend(span(sleep, "announcedSleep") ?? 0, isAnnounced: true))
    }
    if let locked = value["locked"] { whats.append(.lock(locked.json.boolValue == true)) }
    if let supply = value["supply"] {
      check(supply, "the supply", ["battery", "metered"])
      // The battery's percentage, while the machine runs on it.
      let percent = supply["battery"]?.json.doubleValue
      whats.append(
        .supply(
          MachineSupply(
            isOnBattery: percent != nil, batteryPercent: percent,
            isMetered: supply["metered"]?.json.boolValue == true)))
    }
    if let zone = value["zone"] { whats.append(.zone(offset(zone, "zone") ?? 0)) }
    if let network = value["network"] {
      switch network.json.stringValue {
      case "up": whats.append(.network(isUp: true))
      case "down": whats.append(.network(isUp: false))
      default:
        report(network.line, "network is \(network.json.serialized)", "up, or down")
      }
    }
    if let crash = value["crash"] {
      switch crash.json.stringValue {
      case "kept": whats.append(.crash(keeps: true))
      case "lost": whats.append(.crash(keeps: false))
      default: report(crash.line, "crash is \(crash.json.serialized)", "kept or lost")
      }
    }
    if value["restart"] != nil { whats.append(.restart) }
    if let disk = value["disk"] {
      switch disk.json.stringValue {
      case "full": whats.append(.diskFull(true))
      case "fine": whats.append(.diskFull(false))
      default: report(disk.line, "disk is \(disk.json.serialized)", "full or fine")
      }
    }
    if let kinds = value["withdraw"] { whats.append(.withdraw(strings(kinds))) }
    if let kinds = value["offer"] { whats.append(.offer(strings(kinds))) }
    for member in members(value["change"], "change") {
      whats.append(.change(member.key, object(member.value)))
    }
    if whats.count != 1 {
      report(
        value.line, "\(whats.count) things happen in one event", "one, such as do: widget.reload")
    }
    let step = value["every"].flatMap { span($0, "every") } ?? 0
    let times = value["times"]?.json.intValue ?? 1
    guard (1...10_000).contains(times) else {
      report(value.line, "times is \(times)", "1 to 10000")
      return []
    }
    return (0..<times).flatMap { number in
      whats.map {
        .init(
          at: at + number * step, line: value.line, what: $0, isRefused: isRefused(value))
      }
    }
  }

  // MARK: Expectations

  private mutating func readExpected(_ value: LocatedValue) -> ScenarioDocument.Expected? {
    check(value, "an expectation", ["event", "never", "at", "count", "where"])
    guard let event = (value["event"] ?? value["never"])?.json.stringValue else {
      report(
        value.line, "an expectation names no event", "event: reload.done, or never: reload.failed")
      return nil
    }
    let names = ScriptedWorld.eventNames
    if !names.contains(event) {
      report(
        value.line,
        "'\(event)' is nothing that can be expected\(didYouMean(nearest(to: event, among: names, countMax: 1)))",
        "one of \(names.sorted().joined(separator: ", "))")
    }
    var expected = ScenarioDocument.Expected(event: event, line: value.line)
    if value["never"] != nil {
      expected.countMin = 0
      expected.countMax = 0
    }
    if let at = value["at"] {
      if let range = spans(at, "at") {
        expected.from = range.lowerBound
        // A moment is the second that begins with it.
        expected.until = range.upperBound + (range.lowerBound == range.upperBound ? 999 : 0)
      }
    }
    if let count = value["count"] {
      if let number = count.json.intValue {
        expected.countMin = Int(number)
        expected.countMax = Int(number)
      } else if let range = Self.range(count.json.stringValue ?? "", { Double($0) }) {
        expected.countMin = Int(range.lowerBound)
        expected.countMax = range.upperBound < 1e9 ? Int(range.upperBound) : Int.max
      } else {
        report(count.line, "count is \(count.json.serialized)", "3, 2..5 or 2..")
      }
    }
    for member in members(value["where"], "where") {
      expected.conditions.append(
        .init(path: member.key.split(separator: ".").map(String.init), wanted: wanted(member.value))
      )
    }
    return expected
  }

  private func wanted(_ value: LocatedValue) -> ScenarioDocument.Condition.Wanted {
    guard let text = value.json.stringValue else { return .value(value.json) }
    if text == "absent" { return .absent }
    if text.hasPrefix("~") { return .contains(String(text.dropFirst())) }
    if text.hasPrefix("+"), let range = Self.range(text, Self.milliseconds) {
      return .date(Int64(range.lowerBound)...Int64(min(range.upperBound, 1e15)))
    }
    if text.contains(".."), let range = Self.range(text, { Double($0) }) { return .number(range) }
    return .value(.string(text))
  }

  // MARK: Parts

  /// `5m`, `+5m` or `-5m`.
  private static func milliseconds(_ text: String) -> Int64? {
    if text.hasPrefix("-") { return DurationText.read(String(text.dropFirst())).map { -$0 } }
    return DurationText.read(text.hasPrefix("+") ? String(text.dropFirst()) : text)
  }

  /// `LOW..HIGH`, `LOW..` or one alone.
  private static func range<Number: BinaryConvertible>(
    _ text: String, _ read: (String) -> Number?
  ) -> ClosedRange<Double>? {
    guard let dots = text.firstRange(of: "..") else {
      return read(text).map { $0.asDouble...$0.asDouble }
    }
    guard let low = read(String(text[..<dots.lowerBound])) else { return nil }
    let end = String(text[dots.upperBound...])
    guard !end.isEmpty else { return low.asDouble...1e15 }
    guard let high = read(end), high.asDouble >= low.asDouble else { return nil }
    return low.asDouble...high.asDouble
  }

  private mutating func spans(_ value: LocatedValue, _ name: String) -> ClosedRange<Int64>? {
    let text = value.json.stringValue ?? value.json.serialized
    if let range = Self.range(text, Self.milliseconds) {
      return Int64(range.lowerBound)...Int64(range.upperBound)
    }
    report(value.line, "\(name) is '\(text)'", "a moment such as 5m, or a span such as 5m..1h")
    return nil
  }

  mutating func span(_ value: LocatedValue, _ name: String) -> Int64? {
    guard let milliseconds = offset(value, name) else { return nil }
    if milliseconds >= 0 { return milliseconds }
    report(value.line, "\(name) is negative", "a span such as 30s, 5m, 2h or 1d")
    return nil
  }

  private mutating func offset(_ value: LocatedValue, _ name: String) -> Int64? {
    let text = value.json.stringValue ?? value.json.serialized
    if let milliseconds = Self.milliseconds(text) { return milliseconds }
    report(value.line, "\(name) is '\(text)'", "a span such as 30s, 5m, 2h or 1d")
    return nil
  }

  private mutating func text(_ value: LocatedValue?, _ name: String, _ line: Int) -> String? {
    if let text = value?.json.stringValue, !text.isEmpty { return text }
    report(value?.line ?? line, "\(name) is \(value?.json.typeName ?? "missing")", "a text")
    return nil
  }

  func object(_ value: LocatedValue) -> JSONObject { value.json.objectValue ?? [:] }

  private func strings(_ value: LocatedValue) -> [String] {
    value.json.arrayValue?.compactMap(\.stringValue) ?? value.json.stringValue.map { [$0] } ?? []
  }

  private mutating func items(_ value: LocatedValue?, _ name: String) -> [LocatedValue] {
    guard let value else { return [] }
    if case .array(let items) = value.node { return items }
    report(value.line, "\(name) is \(value.json.typeName)", "a list")
    return []
  }

  private mutating func members(_ value: LocatedValue?, _ name: String) -> [LocatedValue.Member] {
    guard let value else { return [] }
    if case .object(let members) = value.node { return members }
    report(value.line, "\(name) is \(value.json.typeName)", "a mapping")
    return []
  }

  mutating func check(_ value: LocatedValue, _ what: String, _ known: [String]) {
    guard case .object(let members) = value.node else {
      report(value.line, "\(what) is \(value.json.typeName)", "a mapping")
      return
    }
    for member in members where !known.contains(member.key) {
      let near = didYouMean(nearest(to: member.key, among: known, countMax: 1))
      report(
        member.line, "'\(member.key)' is nothing that \(what) has\(near)",
        "one of \(known.joined(separator: ", "))")
    }
  }

  mutating func report(_ line: Int, _ message: String, _ expected: String) {
    let issue = DocumentIssue(file: file, line: line, message: message, expected: expected)
    // An event that is repeated has its mistake once.
    if !issues.contains(issue) { issues.append(issue) }
  }
}

/// Spans and counts, as ends of a range.
private protocol BinaryConvertible { var asDouble: Double { get } }
extension Double: BinaryConvertible { fileprivate var asDouble: Double { self } }
extension Int64: BinaryConvertible { fileprivate var asDouble: Double { Double(self) } }
