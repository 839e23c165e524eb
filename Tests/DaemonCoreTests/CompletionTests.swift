import Documents
import IntentRouter
import JSON
import Testing
import WidgetCenter

@testable import DaemonCore

/// Sentences that begin as a text does, through the daemon.
@Suite struct CompletionTests {
  /// The completions of a text in English.
  private func completions(
    _ text: String, _ more: JSONObject = [:], _ harness: inout Harness, _ client: ConnectionID
  ) throws -> [JSONValue] {
    var params: JSONObject = ["text": .string(text), "language": "en"]
    for member in more.members { params[member.key] = member.value }
    let answer = try harness.call("intent.complete", .object(params), from: client)
    return try #require(answer["completions"]?.arrayValue, "\(answer)")
  }

  private func place(
    _ city: String, _ harness: inout Harness, _ client: ConnectionID
  ) throws {
    try harness.call(
      "widget.add", ["kind": "org.example.weather", "parameters": ["city": .string(city)]],
      from: client)
  }

  @Test func `each completion is recognised as what it says`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    for text in ["show wea", "weather in R", "what time is it in ", "wha", "s"] {
      let found = try completions(text, ["limit": 20], &harness, client)
      #expect(!found.isEmpty, "\(text)")
      var meanings: [String] = []
      for completion in found {
        let sentence = try #require(completion["sentence"]?.stringValue)
        #expect(sentence.hasPrefix(text), "\(sentence)")
        #expect(completion["language"] == "en")
        #expect(completion["widgets"] == [])
        guard completion["unfinished"] == nil else {
          #expect(completion["needs"]?["prompt"]?.stringValue?.isEmpty == false)
          continue
        }
        meanings.append(completion["intent"]?.serialized ?? "")
        let dry = try harness.call(
          "intent.recognize", ["text": .string(sentence), "language": "en"], from: client)
        #expect(dry["matched"] == true, "\(sentence)")
        #expect(dry["needs"]?.serialized == completion["needs"]?.serialized, "\(sentence)")
        if completion["needs"] == nil { #expect(dry["intent"] == completion["intent"]) }
      }
      #expect(Set(meanings).count == meanings.count, "\(text): each has another meaning")
    }
    #expect(try completions("show wea", [:], &harness, client).count <= 5)
    #expect(try completions("show wea", ["limit": 1], &harness, client).count == 1)
  }

  @Test(arguments: ["", "  ", "fire fox", "xyzzy", "显示"])
  func `a text that begins no sentence of the language gives nothing`(_ text: String) throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    #expect(try completions(text, [:], &harness, client) == [])
  }

  @Test func `without languages they are those of who asks`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    func languages(_ text: String, _ client: ConnectionID) throws -> Set<String> {
      let answer = try harness.call("intent.complete", ["text": .string(text)], from: client)
      return Set(
        answer["completions"]?.arrayValue?.compactMap { $0["language"]?.stringValue } ?? [])
    }
    #expect(try languages("show wea", client) == ["en"])
    #expect(try languages("显示北京", client) == [])
    try harness.call(
      "surface.attach", ["visible": false, "locale": "zh_CN"], from: client)
    #expect(try languages("显示北京", client) == ["zh-CN"])
  }

  @Test func `a thousand completions leave everything as if nobody had asked`() throws {
    var quiet = Harness(provider: Self.hourly)
    var asked = Harness(provider: Self.hourly)
    var runs: [Int] = []
    for isAsked in [false, true] {
      var harness = isAsked ? asked : quiet
      let client = harness.connect()
      try place("Rome", &harness, client)
      try harness.call("intent.send", ["text": "weather in Oslo"], from: client)
      harness.pass(60)
      if isAsked {
        let typed = Array("show me the weather in rome")
        let model = harness.daemon.engine.stackModel
        let (commits, bytes) = (harness.commitCount, harness.committedByteCount)
        let lines = harness.log.count
        for number in 0..<1_000 {
          let text = String(typed.prefix(number % (typed.count + 1)))
          let found = try completions(text, ["content": true], &harness, client)
          #expect(!text.hasPrefix("show") || !found.isEmpty)
        }
        #expect(harness.daemon.engine.stackModel == model)
        #expect(harness.commitCount == commits && harness.committedByteCount == bytes)
        #expect(harness.log.count == lines)
      }
      // What had been read would be kept fresh for an hour.
      harness.pass(7_200)
      let history = try harness.call("daemon.history", ["limit": 1_000], from: client)
      runs.append(history["entries"]?.arrayValue?.count ?? -1)
      if isAsked { asked = harness } else { quiet = harness }
    }
    #expect(runs[0] == runs[1] && runs[0] > 0)
    #expect(asked.tables == quiet.tables)
    #expect(asked.journal == quiet.journal)
    #expect(asked.commitCount == quiet.commitCount)
  }

  /// Answers with an entry that is replaced after a quarter of an hour.
  private static func hourly(_ run: ProviderRun) -> ProviderOutcome? {
    .answered(
      Array(
        Harness.timeline(#"{"text":"3°"}"#, policy: #"{"after":"2026-11-20T08:15:00Z"}"#).utf8))
  }

  @Test func `what the person does comes first`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let before = try completions("weather in ", ["limit": 20], &harness, client)
    let first = before.first?["intent"]?["parameters"]?["city"]
    #expect(first != "Kathmandu")
    for _ in 0..<3 {
      try harness.call(
        "intent.send", ["intent": "ShowWeather", "parameters": ["city": "Kathmandu"]], from: client)
      harness.pass(600)
    }
    for text in ["weather in ", "show weather for "] {
      let after = try completions(text, [:], &harness, client)
      #expect(after.first?["intent"]?["parameters"]?["city"] == "Kathmandu", "\(text) \(after)")
    }
    try harness.call("donation.forget", ["all": true], from: client)
    #expect(
      try completions("weather in ", ["limit": 20], &harness, client).map { $0["sentence"] }
        == before.map { $0["sentence"] }, "what is forgotten counts for nothing")
  }

  @Test func `the content is what the placed widget shows`() throws {
    var harness = Harness { run in
      .answered(
        Array(
          Harness.timeline(
            #"{"title":"Rome","text":["18°","sunny"],"symbol":"sun.max","tooltip":"more","items":[]}"#
          ).utf8))
    }
    let client = harness.connect()
    try place("Rome", &harness, client)
    let found = try completions("weather in Rome", ["content": true], &harness, client)
    #expect(found.first?["sentence"] == "weather in Rome")
    #expect(found.first?["widgets"] == ["weather"])
    #expect(
      found.first?["content"]?.serialized
        == #"{"widget":"weather","title":"Rome","text":["18°","sunny"],"symbol":"sun.max","stale":false}"#
    )
    #expect(found.dropFirst().allSatisfy { $0["content"] == nil })
    #expect(
      try completions("weather in Rome", [:], &harness, client).allSatisfy { $0["content"] == nil })
  }

  @Test func `the only placed value completes what a sentence leaves out`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let open = try #require(
      try completions("show weather", [:], &harness, client).first { $0["needs"] != nil })
    #expect(open["sentence"] == "show weather")
    #expect(open["needs"]?["parameter"] == "city" && open["needs"]?["token"] == nil)
    try place("Rome", &harness, client)
    let filled = try #require(
      try completions("show weather", ["content": true], &harness, client).first {
        $0["sentence"] == "show weather"
      })
    #expect(filled["needs"] == nil)
    #expect(filled["intent"]?["parameters"] == ["city": "Rome"])
    #expect(filled["fromWidgets"] == ["city": "weather"])
    #expect(filled["content"]?["text"] == "org.example.weather")
  }

  @Test func `a value of which there is no list is left to the person`() throws {
    func source(_ text: String, _ kind: CatalogSource.Kind, _ file: String) -> CatalogSource {
      CatalogSource(
        file: file, document: readYAML(text, file: file).value ?? LocatedValue(.null, line: 1),
        kind: kind)
    }
    let files = ConfigurationFiles(
      catalog: [
        source(
          """
          name: Remind
          widgets: false
          parameters: [{name: task, title: Task, prompt: "Remind you of what?", required: true}]
          """, .intent, "Remind/intent.yaml"),
        source(
          """
          language: en
          intents: {Remind: {data: [{sentences: ["remind me to {any:task}"]}]}}
          lists: {any: {wildcard: true}}
          """, .sentences, "Remind/en.yaml"),
      ], manifests: [])
    var harness = Harness(files: files)
    let client = harness.connect()
    #expect(
      try completions("rem", [:], &harness, client).map(\.serialized) == [
        #"{"sentence":"remind me to ","language":"en","intent":{"name":"Remind","parameters":{}},"widgets":[],"unfinished":true,"needs":{"reason":"value","prompt":"Remind you of what?","intent":{"name":"Remind","parameters":{}},"parameter":"task","type":"string"}}"#
      ])
    let done = try completions("remind me to buy milk", [:], &harness, client)
    #expect(done.map { $0["intent"]?["parameters"] } == [["task": "buy milk"]])
  }

  @Test func `a slip is forgiven where there is no doubt, unless it is strict`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let begun = try completions("shwo wea", [:], &harness, client)
    #expect(begun.first?["sentence"]?.stringValue?.hasPrefix("show weather") == true, "\(begun)")
    #expect(begun.first?["changes"]?.arrayValue?.isEmpty == false, "\(begun)")
    #expect(try completions("shwo wea", ["strict": true], &harness, client) == [])
    let found = try completions("show wether for Bejing", [:], &harness, client)
    #expect(found.first?["sentence"] == "show weather for Beijing")
    #expect(found.first?["intent"]?["parameters"] == ["city": "Beijing"])
    #expect(
      found.first?["changes"]?.serialized
        == #"[{"said":"wether","taken":"weather","why":"slip"},{"said":"Bejing","taken":"Beijing","why":"slip"}]"#
    )
    for text in ["show wether for Bejing", "show the weather of zork for Beijing"] {
      #expect(try completions(text, ["strict": true], &harness, client) == [])
    }
    #expect(
      try completions("show the weather of zork for Beijing", [:], &harness, client) == [],
      "where there is a doubt nothing is offered")
    var files = Harness.configuration
    files.settings = SettingsSource(
      file: "config.yaml", document: readYAML("near: false", file: "config.yaml").value)
    var exact = Harness(files: files, provider: Harness.texts)
    let other = exact.connect()
    #expect(try completions("show wether for Bejing", [:], &exact, other) == [])
  }

  @Test func `what is no request is refused, and the refusal says what is taken`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let tooMany = JSONValue.array(Array(repeating: "en", count: 17))
    for (params, parameter) in [
      ([:], "text"), (["text": 7], "text"), (["text": "a", "limit": 0], "limit"),
      (["text": "a", "limit": 21], "limit"), (["text": "a", "limit": "5"], "limit"),
      (["text": "a", "content": 1], "content"), (["text": "a", "strict": "no"], "strict"),
      (["text": "a", "languages": tooMany], "languages"), (["text": "a", "spans": true], "spans"),
      (["text": "a", "context": ["room": ["kitchen"]]], "context"),
    ] as [(JSONValue, String)] {
      let error = try harness.call("intent.complete", params, from: client)
      #expect(error["code"] == -32602, "\(params.serialized): \(error.serialized)")
      #expect(error["data"]?["parameter"]?.stringValue == parameter)
      #expect(error["data"]?["expected"]?.stringValue?.isEmpty == false)
    }
    let longest = String(repeating: "a", count: 1_024)
    #expect(try completions(longest, ["strict": true], &harness, client) == [])
    #expect(
      try harness.refusal("intent.complete", ["text": .string(longest + "a")], from: client)
        == "-32012 invalidParameter")
  }
}
