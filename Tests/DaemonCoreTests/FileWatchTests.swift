import Documents
import IntentRouter
import JSON
import Testing
import Timekeeping
import VirtualTime

@testable import DaemonCore

/// Changed files of the configuration are taken up by themselves, once a save is complete.
@Suite struct FileWatchTests {
  private static let rain = Harness.manifest(
    "rain.yaml",
    "{kind: rain, name: Rain, families: [systemSmall], provider: {exec: [./rain]}}")

  private static func sentences(_ templates: String, file: String = "tide.yaml") -> CatalogSource {
    source(
      .sentences, file,
      "{language: en, intents: {ShowTide: {data: [{sentences: [\(templates)]}]}}}")
  }

  private static func source(
    _ kind: CatalogSource.Kind, _ file: String, _ text: String
  ) -> CatalogSource {
    CatalogSource(
      file: file, document: readYAML(text, file: file).value ?? LocatedValue(.null, line: 1),
      kind: kind)
  }

  private static let tide = source(.intent, "ShowTide/intent.yaml", "{name: ShowTide}")

  private func revision(_ harness: inout Harness, _ client: ConnectionID) throws -> Int64? {
    try harness.call("daemon.status", from: client)["revision"]?.intValue
  }

  private func pass(_ milliseconds: Int64, _ harness: inout Harness) {
    harness.pass(until: harness.now.monotonic.advanced(byMilliseconds: milliseconds))
  }

  private func matches(
    _ text: String, _ harness: inout Harness, _ client: ConnectionID
  ) throws -> Bool {
    try harness.call("intent.recognize", ["text": .string(text)], from: client)["matched"] == true
  }

  // MARK: When

  @Test func `a saved file is read once nothing has changed for a moment`() throws {
    var harness = Harness()
    let client = harness.connect()
    #expect(try revision(&harness, client) == 1)
    harness.files.manifests.append(Self.rain)
    harness.handle(.filesChanged)
    pass(Limits.fileQuietInterval - 1, &harness)
    harness.handle(.filesChanged)
    pass(Limits.fileQuietInterval - 1, &harness)
    #expect(try revision(&harness, client) == 1)
    pass(2, &harness)
    #expect(try revision(&harness, client) == 2)
    #expect(try harness.call("daemon.status", from: client)["kinds"] == 5)
    // Nothing is due any more.
    #expect(!harness.daemon.fileWatch.hasChanges)
    #expect(harness.clock.wakeUpAt == nil)
  }

  @Test func `files that go on changing are read after a while`() throws {
    var harness = Harness()
    let client = harness.connect()
    harness.files.manifests.append(Self.rain)
    let start = harness.now.monotonic
    while try revision(&harness, client) == 1 {
      try #require(harness.now.monotonic < start.advanced(byMilliseconds: 60_000))
      harness.handle(.filesChanged)
      pass(100, &harness)
    }
    let took = harness.now.monotonic.milliseconds(since: start)
    #expect((Limits.fileHoldMax...Limits.fileHoldMax + 100).contains(took))
  }

  @Test func `files that are the same as before have no effect`() throws {
    var harness = Harness()
    let client = harness.connect()
    let journal = harness.daemon.journal.lastSequence
    let log = harness.log.count
    harness.handle(.filesChanged)
    pass(10_000, &harness)
    #expect(try revision(&harness, client) == 1)
    #expect(harness.daemon.journal.lastSequence == journal)
    #expect(harness.log.count == log)
    // Somebody who asks gets the files read and an entry in the history all the same.
    try harness.call("daemon.reloadConfiguration", from: client)
    #expect(try revision(&harness, client) == 2)
  }

  @Test func `files that change before the daemon serves are read when it does`() throws {
    var harness = Harness(isStarted: false)
    harness.handle(.filesChanged)
    harness.handle(.started)
    let client = harness.connect()
    #expect(try revision(&harness, client) == 1)
    #expect(!harness.daemon.fileWatch.hasChanges)
  }

  // MARK: Looking again

  @Test func `a kind whose manifest was saved a moment ago is found`() throws {
    var harness = Harness()
    let client = harness.connect()
    harness.files.manifests.append(Self.rain)
    harness.handle(.filesChanged)
    let added = try harness.call("widget.add", ["kind": "rain"], from: client)
    #expect(added["widget"]?["id"] == "rain", "\(added.serialized)")
    #expect(!harness.daemon.fileWatch.hasChanges)
  }

  @Test func `without a report of changes, an unknown kind is looked for once a second`() throws {
    var harness = Harness()
    let client = harness.connect()
    #expect(
      try harness.refusal("widget.add", ["kind": "rain"], from: client) == "-32021 unknownKind")
    harness.files.manifests.append(Self.rain)
    #expect(
      try harness.refusal("widget.add", ["kind": "rain"], from: client) == "-32021 unknownKind")
    pass(Limits.fileLookInterval, &harness)
    let added = try harness.call("widget.add", ["kind": "rain"], from: client)
    #expect(added["widget"]?["id"] == "rain", "\(added.serialized)")
  }

  @Test func `a sentence whose document was saved a moment ago is understood`() throws {
    var harness = Harness()
    let client = harness.connect()
    #expect(try harness.refusal("intent.send", ["text": "tide"], from: client) == "-32010 noMatch")
    harness.files.catalog += [Self.tide, Self.sentences("tide")]
    // Nothing says that a file changed, and people say many things that nobody understands.
    #expect(try harness.refusal("intent.send", ["text": "tide"], from: client) == "-32010 noMatch")
    harness.handle(.filesChanged)
    let sent = try harness.call("intent.send", ["text": "tide"], from: client)
    #expect(sent["intent"]?["name"] == "ShowTide")
  }

  @Test func `requests in a batch look again together, and each has its answer`() throws {
    var harness = Harness()
    let client = harness.connect()
    harness.files.manifests.append(Self.rain)
    harness.handle(.filesChanged)
    let lines = harness.send(
      #"[{"jsonrpc":"2.0","id":1,"method":"widget.add","params":{"kind":"rain"}},{"jsonrpc":"2.0","id":2,"method":"widget.add","params":{"kind":"rian"}}]"#,
      to: client)
    let answers = try JSONValue(parsing: try #require(lines.last)).arrayValue ?? []
    #expect(answers.first { $0["id"] == 1 }?["result"]?["widget"]?["id"] == "rain")
    #expect(answers.first { $0["id"] == 2 }?["error"]?["data"]?["suggestions"] == ["rain"])
  }

  // MARK: Mistakes

  @Test func `a document with a mistake keeps its last good version, and the mistake is told`()
    throws
  {
    var harness = Harness()
    let client = harness.connect()
    harness.files.catalog += [Self.tide, Self.sentences("tide, show tide")]
    harness.handle(.filesChanged)
    pass(1_000, &harness)
    #expect(try matches("show tide", &harness, client))

    let last = harness.files.catalog.count - 1
    harness.files.catalog[last] = Self.sentences("\"tide (in|at\"")
    harness.handle(.filesChanged)
    pass(1_000, &harness)
    let issues = try harness.call("daemon.status", from: client)["issues"]?.arrayValue ?? []
    #expect(issues.map { $0["file"] ?? .null } == ["tide.yaml"])
    #expect(try matches("show tide", &harness, client))
    #expect(try matches("show weather for Rome", &harness, client))
    let told = harness.log.count { $0.event == "configuration.issue" }
    #expect(told == 1)

    // Saved again with another file and the same mistake: that is told once.
    harness.files.manifests.append(Self.rain)
    harness.handle(.filesChanged)
    pass(1_000, &harness)
    #expect(harness.log.count { $0.event == "configuration.issue" } == told)

    // A file that no YAML reader reads is no source at all.
    harness.files.catalog.removeLast()
    harness.files.issues = [
      DocumentIssue(file: "tide.yaml", line: 1, message: "no YAML", expected: "YAML")
    ]
    harness.handle(.filesChanged)
    pass(1_000, &harness)
    #expect(try matches("show tide", &harness, client))

    harness.files.issues = []
    harness.files.catalog.append(Self.sentences("ebb"))
    harness.handle(.filesChanged)
    pass(1_000, &harness)
    #expect(try !matches("show tide", &harness, client))
    #expect(try matches("ebb", &harness, client))
    #expect(try harness.call("daemon.status", from: client)["issues"] == [])

    harness.files.catalog.removeLast()
    harness.handle(.filesChanged)
    pass(1_000, &harness)
    #expect(try !matches("ebb", &harness, client))
  }

  @Test func `what cannot be watched stands in the status, once in the log`() throws {
    var harness = Harness()
    let client = harness.connect()
    #expect(try harness.call("daemon.status", from: client)["watchesFiles"] == false)
    let issue = DocumentIssue(
      severity: .warning, file: "/x", line: 0, message: "cannot be watched", expected: "")
    harness.handle(.watching(isOn: true, issues: [issue]))
    harness.handle(.watching(isOn: true, issues: [issue]))
    let status = try harness.call("daemon.status", from: client)
    #expect(status["watchesFiles"] == true)
    #expect(status["issues"]?.arrayValue?.map { $0["message"] ?? .null } == ["cannot be watched"])
    #expect(harness.log.count { $0.event == "files.unwatched" } == 1)
    harness.handle(.watching(isOn: true, issues: []))
    #expect(try harness.call("daemon.status", from: client)["issues"] == [])
  }

  // MARK: Surfaces

  @Test func `a surface that asked hears of each configuration, and others do not`() throws {
    var harness = Harness()
    let other = harness.connect()
    let watching = harness.connect()
    try harness.call("surface.attach", from: other)
    try harness.call("surface.attach", ["configuration": true], from: watching)
    harness.files.manifests.append(Self.rain)
    harness.files.issues = (1...Limits.announcedIssueCountMax + 1).map {
      DocumentIssue(file: "\($0).yaml", line: 1, message: "no YAML", expected: "YAML")
    }
    harness.handle(.filesChanged)
    pass(1_000, &harness)
    #expect(harness.received(by: other) == [])
    let lines = try harness.received(by: watching).map { try JSONValue(parsing: $0) }
    #expect(lines.map { $0["method"] ?? .null } == ["configuration.update"])
    let params = try #require(lines.first?["params"])
    #expect(params["kinds"] == 5)
    #expect(params["revision"] == 2)
    #expect(params["issues"]?.arrayValue?.count == Limits.announcedIssueCountMax)
    #expect(params["issueCount"] == .int(Int64(Limits.announcedIssueCountMax + 1)))
  }
}
