import Documents
import IntentRouter
import JSON
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// Tests intents whose code is in a widget's program.
@Suite struct PerformTests {
  static func intent(_ name: String, _ rest: String = "") -> CatalogSource {
    let text = "name: \(name)\ntitle: \(name) it\nwidgets: false\n\(rest)"
    return CatalogSource(
      file: "\(name)/intent.yaml",
      document: readYAML(text, file: "\(name)/intent.yaml").value ?? LocatedValue(.null, line: 1),
      kind: .intent)
  }

  private static let counter = Harness.manifest(
    "counter.yaml",
    """
    provider: {exec: [./counter], protocol: extension, timeout: 5s}
    performs: [AddOne, Reset, Lock]
    app: org.example.Counter
    families: [systemSmall]
    kinds:
      - {kind: org.example.counter, name: Counter}
      - {kind: org.example.sum, name: Sum}
    """)

  static let buttons = Harness.timeline(
    #"""
    {"title":"4","items":[
      {"text":"+","intent":{"name":"AddOne","parameters":{"by":2}}},
      {"text":"lock","intent":{"name":"Lock"}},
      {"text":"agenda","intent":{"name":"ShowAgenda"}}]}
    """#)

  /// A daemon with the widgets `c` and `s` of one program, and `w` of another; the test answers
  /// runs.
  private func world(
    _ files: ConfigurationFiles? = nil
  ) throws -> (harness: Harness, client: ConnectionID) {
    var harness = Harness(files: files ?? Self.files)
    let client = harness.connect()
    for (kind, id) in [("counter", "c"), ("sum", "s"), ("clock", "w")] {
      try harness.call(
        "widget.add", ["kind": .string("org.example.\(kind)"), "id": .string(id)], from: client)
      try harness.answer("org.example.\(kind)", Self.buttons)
    }
    return (harness, client)
  }

  static var files: ConfigurationFiles {
    var files = Harness.configuration
    files.catalog += [
      intent("AddOne", "parameters: [{name: by, type: integer, default: 1}]"), intent("Reset"),
      intent("Lock", "links: ask"),
    ]
    files.manifests.append(counter)
    return files
  }

  static let addOne =
    #"{"jsonrpc":"2.0","id":"p","method":"intent.send","params":{"intent":"AddOne","wait":true}}"#
  static let tap =
    #"{"jsonrpc":"2.0","id":"p","method":"widget.tap","params":{"id":"c","item":0}}"#

  private func result(_ lines: [String]) throws -> JSONValue? {
    try lines.map { try JSONValue(parsing: $0) }.first { $0["id"] == "p" }.map {
      try #require($0["result"] ?? $0["error"])
    }
  }

  private func performRuns(_ harness: Harness) -> [ProviderRun] {
    harness.running.filter { $0.method == "perform" }
  }

  private func history(_ harness: inout Harness, _ client: ConnectionID) throws -> [JSONValue] {
    try harness.call("daemon.history", from: client)["entries"]?.arrayValue?
      .filter { $0["event"] == "intent.performed" } ?? []
  }

  private func check(_ harness: Harness) {
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])
    #expect(harness.tables[.setting]?.keys.contains { $0.hasPrefix("perform/") } != true)
  }

  // MARK: Doing it

  @Test func `a tap on a button performs its intent, then reloads its widget free of budget`()
    throws
  {
    var (harness, client) = try world()
    let balance = try harness.call("widget.budget", ["id": "c"], from: client)["balance"]
    #expect(try result(harness.send(Self.tap, to: client)) == nil, "the answer waits for the code")
    let run = try #require(performRuns(harness).first)
    #expect(
      try JSONValue(parsing: run.request)
        == [
          "now": "2026-11-20T08:00:00Z", "locale": "en_US",
          "intent": ["name": "AddOne", "parameters": ["by": 2]],
        ])
    #expect(harness.tables[.setting]?.keys.contains { $0.hasPrefix("perform/") } == true)
    try harness.answer("org.example.counter", #"{"dialog":"It is 6.","value":6}"#)
    let answer = try result(harness.received(by: client))
    #expect(answer?["opened"] == "intent")
    #expect(
      answer?["performed"]
        == ["kind": "org.example.counter", "state": "done", "dialog": "It is 6.", "value": 6])
    #expect(harness.running.map(\.kind) == ["org.example.counter"], "not the other widget")
    try harness.answer("org.example.counter", Self.buttons)
    #expect(
      try harness.call("widget.budget", ["id": "c"], from: client)["balance"] == balance)
    #expect(try history(&harness, client).first?["state"] == "done")
    check(harness)
  }

  @Test
  func `an intent from a shell reloads the placed widgets of the program, and the answer has them`()
    throws
  {
    var (harness, client) = try world()
    harness.send(Self.addOne, to: client)
    try harness.answer("org.example.counter", #"{"dialog":"It is 5."}"#)
    #expect(try result(harness.received(by: client)) == nil, "it waits for the reloads")
    #expect(Set(harness.running.map(\.kind)) == ["org.example.counter", "org.example.sum"])
    try harness.answer("org.example.counter", Harness.timeline(#"{"title":"5"}"#))
    try harness.answer("org.example.sum", Harness.timeline(#"{"title":"5"}"#))
    let answer = try result(harness.received(by: client))
    #expect(answer?["performed"]?["dialog"] == "It is 5.")
    #expect(answer?["widgets"]?.arrayValue?.compactMap { $0["id"] } == ["c", "s"])
    #expect(answer?["entry"]?["content"]?["title"] == "5")
    #expect(answer?["receipts"]?.arrayValue?.allSatisfy { $0["state"] == "done" } == true)
    check(harness)
  }

  @Test func `the words of a thrown error reach the person, and the tapped widget is reloaded`()
    throws
  {
    var (harness, client) = try world()
    harness.send(Self.tap, to: client)
    try harness.fail("org.example.counter", .refused("that is too often"))
    let answer = try result(harness.received(by: client))
    #expect(
      answer?["performed"]
        == ["kind": "org.example.counter", "state": "failed", "message": "that is too often"])
    #expect(answer?["widgets"] == [])
    #expect(harness.running.map(\.kind) == ["org.example.counter"])
    #expect(harness.log.contains { $0.event == "intent.notPerformed" })
    check(harness)
  }

  @Test func `after a crash nobody knows what was done, and nothing is repeated`() throws {
    var (harness, client) = try world()
    harness.send(Self.tap, to: client)
    try harness.fail(
      "org.example.counter", .signaled(signal: 4),
      stderr: "Counter/Add.swift:9: Fatal error: no store\nlast words\n")
    let performed = try result(harness.received(by: client))?["performed"]
    #expect(performed?["state"] == "unknown")
    #expect(
      performed?["message"]
        == """
        nobody knows whether AddOne was done, since the provider was ended by signal 4: \
        Counter/Add.swift:9: Fatal error: no store; it is not done again by itself: look at the \
        widget, and send it again if it is missing
        """)
    harness.pass(3_600)
    #expect(performRuns(harness).isEmpty)
    check(harness)
  }

  @Test func `a program that does not answer is given up at its time-out`() throws {
    var (harness, client) = try world()
    harness.send(Self.tap, to: client)
    harness.pass(4)
    #expect(try result(harness.received(by: client)) == nil)
    harness.pass(2)
    let performed = try result(harness.received(by: client))?["performed"]
    #expect(performed?["state"] == "unknown")
    #expect(performed?["message"]?.stringValue?.contains("did not answer within 5s") == true)
    check(harness)
  }

  @Test func `a program that cannot be started did nothing, and the answer says so`() throws {
    var (harness, client) = try world()
    harness.send(Self.addOne, to: client)
    try harness.fail("org.example.counter", .notStarted("no such file"))
    let performed = try result(harness.received(by: client))?["performed"]
    #expect(performed?["state"] == "failed")
    #expect(performed?["message"] == "the provider could not be started: no such file")
    #expect(harness.running.isEmpty)
    check(harness)
  }

  // MARK: What the answer asks for

  @Test func `the URL of an answer is opened as a tap's is`() throws {
    var (harness, client) = try world()
    harness.send(Self.tap, to: client)
    try harness.answer("org.example.counter", #"{"url":"counter://history"}"#)
    let performed = try result(harness.received(by: client))?["performed"]
    #expect(performed?["url"] == "counter://history")
    #expect(performed?["opened"] == "desktop")
    #expect(
      harness.launches.map(\.request) == [
        LaunchRequest(target: .application("org.example.Counter"), url: "counter://history")
      ])
    try harness.launched(.started(application: "org.example.Counter"))
    let app = harness.connect(pid: 8)
    try harness.call("app.register", ["app": "org.example.Counter"], from: app)
    try harness.answer("org.example.counter", Self.buttons)
    harness.send(Self.tap, to: client)
    try harness.answer("org.example.counter", #"{"url":"counter://history"}"#)
    #expect(try result(harness.received(by: client))?["performed"]?["opened"] == "app")
    let opening = try harness.received(by: app).map { try JSONValue(parsing: $0) }
      .first { $0["method"] == "app.open" }
    #expect(
      opening?["params"]
        == [
          "widget": "c", "family": "systemSmall", "kind": "org.example.counter",
          "intent": "AddOne", "url": "counter://history",
        ])
    check(harness)
  }

  @Test func `the app that an answer opens may take the focus, by the token of the act`() throws {
    var (harness, client) = try world()
    let token = #","activationToken":"focus-me"}}"#
    harness.send(String(Self.tap.dropLast(2)) + token, to: client)
    try harness.answer("org.example.counter", #"{"url":"counter://history"}"#)
    #expect(harness.launches.last?.request.activationToken == "focus-me")
    try harness.launched(.started(application: "org.example.Counter"))
    try harness.answer("org.example.counter", Self.buttons)

    harness.send(String(Self.addOne.dropLast(2)) + token, to: client)
    try harness.answer("org.example.counter", #"{"url":"counter://history"}"#)
    #expect(harness.launches.last?.request.activationToken == "focus-me")
    try harness.launched(.started(application: "org.example.Counter"))
    for kind in ["counter", "sum"] { try harness.answer("org.example.\(kind)", Self.buttons) }

    // A yes is an act of its own: it has its own token, or none.
    let app = harness.connect(pid: 8)
    try harness.call("app.register", ["app": "org.example.Counter"], from: app)
    let lock =
      #"{"jsonrpc":"2.0","id":"p","method":"url.open","params":{"url":"intentd://intent/Lock""#
      + token
    _ = harness.received(by: client)
    let asked = try #require(try result(harness.send(lock, to: client)))
    let question = try #require(asked["needs"]?["token"]?.stringValue)
    harness.send(
      #"{"jsonrpc":"2.0","id":"p","method":"intent.send","params":{"resume":"\#(question)","#
        + #""choice":true,"activationToken":"mine"}}"#, to: client)
    _ = harness.received(by: app)
    try harness.answer("org.example.counter", #"{"url":"counter://history"}"#)
    let opening = try harness.received(by: app).map { try JSONValue(parsing: $0) }
      .first { $0["method"] == "app.open" }
    #expect(opening?["params"]?["activationToken"] == "mine")
  }

  @Test func `a URL of another form is not opened, and the answer says why`() throws {
    var (harness, client) = try world()
    harness.send(Self.tap, to: client)
    try harness.answer(
      "org.example.counter", #"{"dialog":"ok","url":"javascript:alert(1)","value":[1]}"#)
    let performed = try result(harness.received(by: client))?["performed"]
    #expect(performed?["state"] == "done")
    #expect(performed?["url"] == nil)
    #expect(
      performed?["warnings"]
        == [
          "its URL was not opened: URLs with the scheme 'javascript' are never opened; use another scheme"
        ])
    #expect(harness.launches.isEmpty)
    check(harness)
  }

  @Test func `an intent may name the next one, three times at most`() throws {
    var (harness, client) = try world()
    harness.send(Self.tap, to: client)
    let next = #"{"dialog":"again","intent":{"name":"AddOne","parameters":{"by":3}}}"#
    for _ in 0...Limits.performChainMax { try harness.answer("org.example.counter", next) }
    let performed = try result(harness.received(by: client))?["performed"]
    #expect(performed?["next"]?.arrayValue?.count == Limits.performChainMax)
    #expect(
      performed?["next"]?.arrayValue?.last
        == [
          "intent": ["name": "AddOne", "parameters": ["by": 3]], "kind": "org.example.counter",
          "state": "done", "dialog": "again",
          "warnings": ["AddOne did not follow: 3 intents followed one another already"],
        ])
    check(harness)
  }

  @Test func `what a person would be asked about does not follow by itself`() throws {
    var (harness, client) = try world()
    harness.send(Self.tap, to: client)
    try harness.answer("org.example.counter", #"{"intent":{"name":"Lock"}}"#)
    let performed = try result(harness.received(by: client))?["performed"]
    #expect(
      performed?["warnings"]
        == ["Lock did not follow: a person is asked first; send it yourself"])
    check(harness)
  }

  @Test func `an intent that widgets show follows without a program`() throws {
    var (harness, client) = try world()
    harness.send(Self.tap, to: client)
    try harness.answer("org.example.counter", #"{"intent":{"name":"ShowAgenda"}}"#)
    let answer = try result(harness.received(by: client))
    #expect(answer?["performed"]?["next"]?.arrayValue?.first?["state"] == "sent")
    #expect(
      answer?["widgets"]?.arrayValue?.first?["id"] == "suggestion:org.example.agenda")
    check(harness)
  }

  // MARK: Whose wish it is

  @Test func `another program's widget asks before it makes a program run`() throws {
    var (harness, client) = try world()
    let question = try harness.call("widget.tap", ["id": "w", "item": 0], from: client)
    #expect(question["needs"]?["reason"] == "confirmation")
    #expect(performRuns(harness).isEmpty)
    let token = try #require(question["needs"]?["token"])
    harness.send(
      #"{"jsonrpc":"2.0","id":"p","method":"intent.send","params":{"resume":\#(token.serialized),"choice":true}}"#,
      to: client)
    #expect(performRuns(harness).count == 1)
    try harness.answer("org.example.counter", "{}")
    #expect(try result(harness.received(by: client))?["performed"]?["state"] == "done")
    #expect(harness.running.map(\.kind) == ["org.example.clock"], "the widget that was tapped")
    check(harness)
  }

  @Test func `a link asks a person before a program runs`() throws {
    var (harness, client) = try world()
    let asked = try harness.call(
      "url.open", ["url": "intentd://intent/AddOne?by=3"], from: client)
    #expect(asked["needs"]?["link"] == true)
    #expect(performRuns(harness).isEmpty)
    check(harness)
  }

  @Test func `of several commands in a sentence none runs a program`() throws {
    var files = Self.files
    files.catalog.append(
      CatalogSource(
        file: "AddOne/en.yaml",
        document: readYAML(
          "language: en\nintents:\n  AddOne:\n    data:\n      - sentences: [\"add one\"]\n",
          file: "AddOne/en.yaml"
        ).value ?? LocatedValue(.null, line: 1), kind: .sentences))
    var (harness, client) = try world(files)
    let both = try harness.call(
      "intent.send", ["text": "add one and show the agenda"], from: client)
    #expect(both["data"]?["name"] == "invalidParameter")
    #expect(harness.running.isEmpty)
    harness.send(Self.addOne, to: client)
    #expect(performRuns(harness).count == 1)
  }

  private static let other = Harness.manifest(
    "other.yaml",
    """
    kind: org.example.another
    name: Another
    families: [systemSmall]
    provider: {exec: [./other], protocol: extension}
    performs: [AddOne, AddTwo]
    """)

  @Test func `two programs that perform one intent are told apart`() throws {
    var files = Self.files
    files.manifests.append(Self.other)
    var (harness, client) = try world(files)
    let issues = harness.daemon.configurationIssues.map(\.message)
    #expect(
      issues == [
        "performs has 'AddTwo', and no intent is called so",
        "performs has 'AddOne', which other.yaml performs already",
      ])
    harness.send(Self.tap, to: client)
    #expect(performRuns(harness).map(\.kind) == ["org.example.counter"], "the tapped one's own")
    let refused = try result(harness.send(Self.addOne, to: client))
    #expect(refused?["data"]?["programs"] == ["org.example.another", "org.example.counter"])
    #expect(
      refused?["message"]
        == """
        AddOne is performed by several programs: Another (org.example.another), Counter \
        (org.example.counter); tap the button of the widget that you mean, or leave it out of \
        'performs' in the other manifest
        """)
    for (method, params) in [
      ("widget.tap", ["id": "w", "item": 0] as JSONValue),
      ("url.open", ["url": "intentd://intent/AddOne?by=3"]),
    ] {
      #expect(
        try harness.call(method, params, from: client)["data"]?["programs"]?.arrayValue?.count == 2)
    }
    #expect(performRuns(harness).count == 1, "nothing of these was done")
  }

  @Test(arguments: ["link", "tap"])
  func `a question names the program, and the yes counts for it alone`(from: String) throws {
    for change in ["none", "another", "replaced", "gone"] {
      var (harness, client) = try world()
      let asked =
        from == "tap"
        ? try harness.call("widget.tap", ["id": "w", "item": 0], from: client)
        : try harness.call("url.open", ["url": "intentd://intent/AddOne?by=2"], from: client)
      #expect(asked["needs"]?["program"] == "org.example.counter")
      let prompt = asked["needs"]?["prompt"]?.stringValue ?? ""
      let asker = from == "tap" ? "'Clock'" : "A link"
      #expect(prompt.hasPrefix("\(asker) asks 'Counter' for: AddOne it (by "), "\(prompt)")
      let token = try #require(asked["needs"]?["token"])
      switch change {
      case "another":
        harness.files.manifests.append(Self.other)
      case "replaced":
        harness.files.manifests.removeAll { $0.file == "counter.yaml" }
        harness.files.manifests.append(Self.other)
      case "gone": harness.files.manifests.removeAll { $0.file == "counter.yaml" }
      default: break
      }
      harness.handle(.reloadRequested)
      let answer = harness.send(
        #"{"jsonrpc":"2.0","id":"p","method":"intent.send","params":{"resume":\#(token.serialized),"choice":true}}"#,
        to: client)
      switch change {
      case "none", "another":
        #expect(performRuns(harness).map(\.kind) == ["org.example.counter"], "\(change)")
      default:
        #expect(performRuns(harness).isEmpty, "\(change)")
        #expect(
          try result(answer)?["message"]?.stringValue?.contains("changed since you were asked")
            == true,
          "\(change)")
      }
    }
  }

  private func open(_ harness: inout Harness, _ client: ConnectionID) throws -> JSONValue {
    try harness.call("url.open", ["url": "intentd://intent/AddOne?by=2"], from: client)
  }

  private func yes(
    _ question: JSONValue, _ harness: inout Harness, _ client: ConnectionID
  ) throws -> JSONValue? {
    let token = try #require(question["needs"]?["token"])
    return try result(
      harness.send(
        #"{"jsonrpc":"2.0","id":"p","method":"intent.send","params":{"resume":\#(token.serialized),"choice":true}}"#,
        to: client))
  }

  @Test func `a program that was exchanged is asked about anew, and the old question is over`()
    throws
  {
    var (harness, client) = try world()
    let first = try open(&harness, client)
    #expect(try open(&harness, client)["needs"]?["token"] == first["needs"]?["token"])
    harness.files.manifests.removeAll { $0.file == "counter.yaml" }
    harness.files.manifests.append(
      Harness.manifest(
        "counter.yaml",
        """
        kind: org.example.counter
        name: Counter
        families: [systemSmall]
        provider: {exec: [./exchanged], protocol: extension}
        performs: [AddOne]
        """))
    harness.handle(.reloadRequested)
    let second = try open(&harness, client)
    #expect(second["needs"]?["prompt"] == first["needs"]?["prompt"])
    #expect(second["needs"]?["token"] != first["needs"]?["token"])
    let refused = try yes(first, &harness, client)
    #expect(refused?["data"]?["name"] == "unclearPerformer")
    let again = try yes(first, &harness, client)
    #expect(again?["message"]?.stringValue?.contains("nothing waits for an answer") == true)
    #expect(performRuns(harness).isEmpty)
    #expect(try yes(second, &harness, client) == nil)
    #expect(performRuns(harness).count == 1)
  }

  @Test func `a yes whose question named no program of several starts none`() throws {
    var files = Self.files
    files.manifests.append(Self.other)
    files.catalog.removeAll { $0.file == "AddOne/intent.yaml" }
    files.catalog.append(Self.intent("AddOne", "confirm: true"))
    var (harness, client) = try world(files)
    let asked = try harness.call("intent.send", ["intent": "AddOne"], from: client)
    #expect(asked["needs"]?["reason"] == "confirmation")
    #expect(asked["needs"]?["program"] == nil)
    harness.files.manifests.removeAll { $0.file == "counter.yaml" }
    harness.handle(.reloadRequested)
    let refused = try yes(asked, &harness, client)
    #expect(performRuns(harness).isEmpty)
    #expect(refused?["data"]?["name"] == "unclearPerformer")
    #expect(refused?["message"]?.stringValue?.contains("the question named none") == true)
  }

  @Test func `a program that comes while a value is asked for needs a yes of its own`() throws {
    var files = Self.files
    files.manifests.removeAll { $0.file == "counter.yaml" }
    files.catalog.removeAll { $0.file == "AddOne/intent.yaml" }
    files.catalog.append(
      Self.intent("AddOne", "parameters: [{name: to, required: true}]"))
    var harness = Harness(files: files)
    let client = harness.connect()
    try harness.call(
      "widget.add", ["kind": "org.example.clock", "id": "w"], from: client)
    try harness.answer(
      "org.example.clock", Self.buttons.replacing(#","parameters":{"by":2}"#, with: ""))
    let asked = try harness.call("widget.tap", ["id": "w", "item": 0], from: client)
    #expect(asked["needs"]?["parameter"] == "to")
    harness.files.manifests.append(Self.counter)
    harness.handle(.reloadRequested)
    // Another widget of that id would not be the one that was tapped.
    try harness.call("widget.remove", ["id": "w"], from: client)
    let token = try #require(asked["needs"]?["token"])
    let question = try harness.call(
      "intent.send", ["resume": token, "choice": "sum"], from: client)
    #expect(performRuns(harness).isEmpty)
    #expect(
      question["needs"]?["prompt"] == "'Clock' asks 'Counter' for: AddOne it (to 'sum'). Do it?")
    #expect(question["needs"]?["program"] == "org.example.counter")
    _ = try yes(question, &harness, client)
    #expect(performRuns(harness).map(\.kind) == ["org.example.counter"])
  }

  @Test func `a look at a sentence says which program would perform it`() throws {
    var files = Self.files
    files.catalog.append(
      CatalogSource(
        file: "Reset/en.yaml",
        document: readYAML(
          "language: en\nintents:\n  Reset:\n    data:\n      - sentences: [\"count anew\"]\n",
          file: "Reset/en.yaml"
        ).value ?? LocatedValue(.null, line: 1), kind: .sentences))
    var (harness, client) = try world(files)
    let look = try harness.call("intent.recognize", ["text": "count anew"], from: client)
    #expect(look["routing"]?["performer"] == "org.example.counter")
    #expect(look["routing"]?["why"] == "the program of org.example.counter performs it")
    #expect(harness.running.isEmpty)
    let listed = try harness.call("intent.list", from: client)["intents"]?.arrayValue
    #expect(
      listed?.first { $0["name"] == "Reset" }?["performedBy"] == "org.example.counter")
  }

  @Test func `examples are made once for a configuration, and charged`() throws {
    var files = Self.files
    files.catalog.append(
      CatalogSource(
        file: "Reset/en.yaml",
        document: readYAML(
          "language: en\nintents:\n  Reset:\n    data:\n      - sentences: [\"count anew\"]\n",
          file: "Reset/en.yaml"
        ).value ?? LocatedValue(.null, line: 1), kind: .sentences))
    var configuration = try world(files).harness.daemon.configuration
    func made() -> (count: Int, examples: [String: [String: [String]]]) {
      var tried = 0
      let examples = configuration.madeExamples(tried: &tried)
      return (tried, examples)
    }
    let first = made()
    #expect(first.count > 0)
    #expect(first.examples["Reset"] == ["en": ["count anew"]])
    let second = made()
    #expect(second.count == 0)
    #expect(second.examples == first.examples)
    _ = configuration.adopt(nil)
    #expect(made().count == first.count, "the files or a list changed")
  }

  // MARK: Ends in the middle

  @Test func `a run begins when its row is on disk, and never if that fails`() throws {
    var (harness, client) = try world()
    harness.storeMode = .waits
    harness.send(Self.tap, to: client)
    #expect(performRuns(harness).isEmpty)
    harness.storeMode = .commits
    try harness.failCommit()
    #expect(
      try result(harness.received(by: client))?["data"]?["name"] == "storeUnavailable")
    #expect(performRuns(harness).isEmpty)
    check(harness)
  }

  @Test
  func `after kill -9 nothing is repeated, the key's answer says so, and the widget is reloaded`()
    throws
  {
    var (harness, client) = try world()
    let keyed = Self.tap.replacing(#""item":0"#, with: #""item":0,"idempotencyKey":"k""#)
    harness.send(keyed, to: client)
    #expect(performRuns(harness).count == 1)

    var next = Harness(files: harness.files, stored: harness.stored, at: harness.now.wall)
    #expect(performRuns(next).isEmpty)
    #expect(next.running.map(\.kind) == ["org.example.counter"], "it shows what is true now")
    let again = next.connect()
    let performed = try result(next.send(keyed, to: again))?["performed"]
    #expect(performed?["state"] == "unknown")
    #expect(performed?["message"]?.stringValue?.contains("the daemon ended meanwhile") == true)
    #expect(performRuns(next).isEmpty)
    let entry = try history(&next, again).first
    #expect(entry?["intent"] == "AddOne")
    #expect(entry?["state"] == "unknown")
    #expect(next.log.contains { $0.event == "intent.notPerformed" })
    check(next)
    // And once only.
    let third = Harness(files: next.files, stored: next.stored, at: next.now.wall)
    #expect(!third.log.contains { $0.event == "intent.notPerformed" })
  }

  @Test func `a stop answers who waits, and the next start has nothing to tell`() throws {
    var (harness, client) = try world()
    harness.send(Self.tap, to: client)
    harness.handle(.stopRequested)
    let performed = try result(harness.received(by: client))?["performed"]
    #expect(performed?["state"] == "unknown")
    #expect(harness.hasStopped)
    let next = Harness(files: harness.files, stored: harness.stored, at: harness.now.wall)
    #expect(!next.log.contains { $0.event == "intent.notPerformed" })
  }

  @Test func `what was done is told although the store fails then`() throws {
    var (harness, client) = try world()
    harness.send(Self.addOne, to: client)
    harness.storeMode = .fails(Harness.diskFull)
    try harness.answer("org.example.counter", #"{"dialog":"It is 5."}"#)
    for kind in ["counter", "sum"] {
      try harness.answer("org.example.\(kind)", Self.buttons)
    }
    harness.pass(2)
    let answer = try result(harness.received(by: client))
    #expect(answer?["performed"]?["dialog"] == "It is 5.")
    #expect(answer?["saved"] == false)
    harness.storeMode = .commits
    harness.pass(60)
    check(harness)
  }

  @Test func `memory that starts over keeps the run under way`() throws {
    var (harness, client) = try world()
    harness.send(Self.tap, to: client)
    harness.storeMode = .waits
    harness.send(
      #"{"jsonrpc":"2.0","id":9,"method":"widget.remove","params":{"id":"w"}}"#, to: client)
    harness.storeMode = .commits
    try harness.failCommit()
    #expect(!harness.daemon.isStartingOver)
    #expect(performRuns(harness).count == 1)
    try harness.answer("org.example.counter", #"{"value":1}"#)
    #expect(try result(harness.received(by: client))?["performed"]?["value"] == 1)
    check(harness)
  }
}
