import IntentRouter
import JSON
import Testing

/// Returns a catalogue of intents with these routes and parameters, in the order of their names.
private func catalog(
  _ intents: (name: String, parameters: [JSONValue], routes: [JSONValue])...,
  lists: JSONValue = ["lists": ["colours": ["values": ["red", "green"]]]]
) -> (catalog: IntentCatalog, issues: [String]) {
  var sources = [CatalogSource(file: "lists", document: located(lists), kind: .list)]
  for intent in intents {
    sources.append(
      CatalogSource(
        file: intent.name,
        document: located([
          "name": .string(intent.name), "title": "", "description": "",
          "parameters": .array(intent.parameters), "routes": .array(intent.routes),
        ]), kind: .intent))
  }
  let loaded = IntentCatalog.load(sources)
  return (loaded.catalog, loaded.issues.map(\.description))
}

@Suite struct RouteTests {
  // MARK: Patterns

  @Test func `a pattern is taken apart, decoded where it means text`() throws {
    let beside = Route.parse("Notes://My.List/a b/{id}?view=big%20one&q={query}#top {x}").failure
    #expect(beside?.message.contains("text beside a parameter") == true)
    let good = try Route.parse("Notes://My.List/a b/{id}?view=big%20one&q={query}#{section}").get()
    #expect(good.scheme == "notes")
    #expect(good.host == .literal("My.List"))
    #expect(good.segments == [.literal("a b"), .parameter("id")])
    #expect(
      good.query == [
        .init(name: "view", part: .literal("big one")), .init(name: "q", part: .parameter("query")),
      ])
    #expect(good.fragment == .parameter("section"))
    #expect(good.parameterNames == ["id", "query", "section"])
  }

  @Test(arguments: [
    ("notes", "is not a URL"), ("notes://{a", "'{' without '}'"), ("notes://a}", "'}' without"),
    ("notes://{{a}}", "'{' inside"), ("notes://{}", "no name"), ("notes://{a/b}", "no name"),
    ("notes://{1}", "no name"), ("notes://x{a}", "text beside"),
    ("notes://x/{a}{b}", "text beside"),
    ("{a}://x", "for its scheme"), ("intentd://x", "meaning of its own"),
    ("swiftbar://x", "meaning of its own"), ("javascript:x", "never opened"),
    ("notes://x:80/a", "port"), ("notes://x//a", "empty path"), ("notes://x?a", "query item"),
    ("notes://x?{a}=b", "query item"), ("notes://x?a={b}&a={c}", "twice"),
    ("notes://{a}/{a}", "twice"), ("notes://x-callback-url/do?x-success={a}", "belongs to"),
  ])
  func `a pattern that cannot work is refused with the reason`(pattern: String, problem: String) {
    let message = Route.parse(pattern).failure?.message
    #expect(message?.contains(problem) == true, "\(message ?? "it is accepted")")
  }

  // MARK: Fragments

  @Test func `a fragment tells routes apart`() throws {
    let (catalog, issues) = catalog(
      ("List", [], ["notes://list"]),
      ("Show", [["name": "section", "required": true]], ["notes://list#{section}"]),
      ("Top", [], ["notes://list#top"]))
    #expect(issues == [])
    func intent(_ url: String) -> Intent? { catalog.route(url: url).success }
    #expect(intent("notes://list") == Intent(name: "List"))
    #expect(intent("notes://list#top") == Intent(name: "Top"))
    #expect(intent("notes://list#Top") == Intent(name: "Show", parameters: ["section": "Top"]))
    #expect(
      intent("notes://list#next week") == Intent(name: "Show", parameters: ["section": "next week"])
    )
    // A fragment that no route names belongs to the app.
    let plain = Intent(name: "Show", parameters: ["section": "a#b ?c"])
    let url = try #require(catalog.url(for: plain))
    #expect(url == "notes://list#a%23b%20%3Fc")
    #expect(intent(url) == plain)
    // A value that another route takes for itself is passed by its parameter's name.
    #expect(
      catalog.url(for: Intent(name: "Show", parameters: ["section": "top"]))
        == "intentd://intent/Show?section=top")
  }

  @Test func `a URL with a port is of no route`() {
    let (catalog, _) = catalog(("A", [["name": "x"]], ["a://{x}/y"]))
    #expect(catalog.route(url: "a://b/y").success != nil)
    #expect(catalog.route(url: "a://b:80/y").failure?.code == .noRoute)
    #expect(catalog.route(url: "intentd://intent:80/A").failure?.code == .noRoute)
  }

  // MARK: Types and order

  @Test func `routes that differ by type are told apart by the value`() {
    let (catalog, issues) = catalog(
      ("Number", [["name": "n", "type": "integer", "required": true]], ["a://{n}"]),
      ("Decimal", [["name": "n", "type": "decimal", "required": true]], ["a://{n}"]),
      ("Colour", [["name": "c", "list": "colours", "required": true]], ["a://{c}"]),
      ("Any", [["name": "t", "required": true]], ["a://{t}"]),
      ("New", [], ["a://new"]), ("Flag", [["name": "f", "type": "boolean"]], ["a://{f}"]))
    #expect(issues == [])
    func name(_ url: String) -> String? { catalog.route(url: url).success?.name }
    #expect(name("a://12") == "Number")
    #expect(name("a://-3") == "Number")
    #expect(name("a://1.5") == "Decimal")
    #expect(name("a://true") == "Flag")
    #expect(name("a://new") == "New")
    #expect(name("A://NEW/") == "New")
    #expect(name("a://red") == "Colour")
    #expect(name("a://blue") == "Any")
  }

  @Test func `the more specific route wins, in whatever order they are written`() {
    let routes: [(String, JSONValue)] = [
      ("A", "s://{x}/{y}"), ("B", "s://list/{y}"), ("C", "s://{x}/all"), ("D", "s://list/all"),
      ("E", "s://list/all#{z}"), ("F", "s://list/all?view=day"),
    ]
    let parameters: [JSONValue] = [["name": "x"], ["name": "y"], ["name": "z"]]
    for rotation in 0..<routes.count {
      let turned = routes[rotation...] + routes[..<rotation]
      let sources = turned.map { name, route in
        CatalogSource(
          file: name,
          document: located([
            "name": .string(name), "title": "", "description": "",
            "parameters": .array(parameters), "routes": [route],
          ]), kind: .intent)
      }
      let (catalog, issues) = IntentCatalog.load(sources)
      #expect(issues.map(\.description) == [])
      for (url, name) in [
        ("s://a/b", "A"), ("s://list/b", "B"), ("s://a/all", "C"), ("s://list/all", "D"),
        ("s://list/all#q", "E"), ("s://list/all?view=day", "F"), ("s://list/all?view=week", "D"),
      ] {
        #expect(catalog.route(url: url).success?.name == name, "\(url), from \(rotation)")
      }
    }
  }

  @Test(arguments: [
    ("a://{x}/b", "a://{y}/b", true), ("a://x", "A://X", true), ("a://x", "a://x?q={y}", true),
    ("a://x?v=1", "a://x?v=2", false), ("a://x?v=1", "a://x?w=1", true),
    ("a://x?v=1", "a://x", false), ("a://x#{x}", "a://x#{y}", true), ("a://x#{x}", "a://x", false),
    ("a://{x}", "a://x", false), ("a:x", "a://x", false), ("a://{n}", "a://{y}", false),
    ("a://{n}", "a://{m}", true),
  ])
  func `routes that nothing tells apart are refused when they are loaded`(
    one: String, other: String, isRefused: Bool
  ) {
    let parameters: [JSONValue] = [
      ["name": "x"], ["name": "y"], ["name": "n", "type": "integer"],
      ["name": "m", "type": "integer"],
    ]
    let (_, issues) = catalog(
      ("A", parameters, [.string(one)]), ("B", parameters, [.string(other)]))
    #expect(issues.contains { $0.contains("is taken by A") } == isRefused, "\(issues)")
    // Two routes of one intent are refused in the same way.
    let (_, own) = catalog(("A", parameters, [.string(one), .string(other)]))
    #expect(own.contains { $0.contains("is taken by A") } == isRefused, "\(own)")
  }

  @Test(arguments: [
    ("a://x/many", "A: the parameter 'n' cannot be 'many'; it must be a whole number"),
    ("a://x/1?d=x", "A: the parameter 'd' cannot be 'x'; it must be a number, as 2.5"),
    ("a://x/1?d=1e999", "A: the parameter 'd' cannot be '1e999'; it must be a number, as 2.5"),
    ("a://x/1?f=maybe", "A: the parameter 'f' cannot be 'maybe'; it must be true or false"),
    ("a://x/1?d=1&d=2", "A: the parameter 'd' is given 2 times; give it once"),
    ("a://x/1?c=gren", "A: the parameter 'c' cannot be 'gren'; did you mean 'green'?"),
    (
      "a://x/99999999999999999999",
      "A: the parameter 'n' cannot be '99999999999999999999'; it must be a whole number"
    ),
  ])
  func `a wrong value is refused with its parameter and the expected form`(
    url: String, message: String
  ) {
    let (catalog, _) = catalog(
      (
        "A",
        [
          ["name": "n", "type": "integer", "required": true], ["name": "d", "type": "decimal"],
          ["name": "f", "type": "boolean"], ["name": "c", "list": "colours"],
        ], ["a://x/{n}"]
      ))
    let refusal = catalog.route(url: url).failure
    #expect(refusal?.code == .invalidParameter)
    #expect(refusal?.message == message)
  }

  // MARK: The reverse

  @Test func `a value that cannot stand in a path goes into the query`() throws {
    let (catalog, issues) = catalog(
      (
        "A", [["name": "x", "anyText": true], ["name": "y", "type": "decimal"]],
        ["a://{x}", "b://c/{x}?why={y}"]
      ))
    #expect(issues == [])
    for (value, url) in [
      ("b", "a://b"), ("b c", "b://c/b%20c"), ("a/b", "b://c/a%2Fb"),
      ("..", "intentd://intent/A?x=.."),
      ("é", "b://c/%C3%A9"), ("100%", "b://c/100%25"), ("%20", "b://c/%2520"),
    ] {
      let intent = Intent(name: "A", parameters: ["x": .string(value)])
      #expect(catalog.url(for: intent) == url)
      #expect(catalog.route(url: url).success == intent)
    }
    let number = Intent(name: "A", parameters: ["x": "a", "y": 2.5])
    #expect(catalog.url(for: number) == "a://a?y=2.5")
    // The catalogue never makes such an intent, so it has no URL.
    #expect(catalog.url(for: Intent(name: "A", parameters: ["x": ""])) == nil)
    #expect(catalog.url(for: Intent(name: "A", parameters: ["z": "a"])) == nil)
    #expect(catalog.url(for: Intent(name: "A", parameters: ["x": ["a": 1]])) == nil)
  }

  @Test func `a value that another route of the intent takes for itself is said otherwise`() {
    let (catalog, _) = catalog(("A", [["name": "x"]], ["a://{x}", "a://new"]))
    let intent = Intent(name: "A", parameters: ["x": "new"])
    #expect(catalog.url(for: intent) == "a://new?x=new")
    #expect(catalog.route(url: "a://new?x=new").success == intent)
    #expect(catalog.route(url: "a://new").success == Intent(name: "A"))
  }

  @Test func `an intent is its URL's intent, for any value of any type`() throws {
    let (catalog, issues) = catalog(
      (
        "All", Self.everyType,
        [
          "a://x/{whole}/{text}?c={colour}#{flag}", "a://{text}/y", "b:{part}/{text}",
          "https://example.org/{text}/{flag}?p={part}", "c://{when}/{span}?k={kind}&w={place}",
          "d://{thing}#{link}",
        ]
      ), ("Greedy", [["name": "any"]], ["a://x/{any}/red"]))
    #expect(issues == [])
    var random = SplitMix(state: 20_261_121)
    var direct = 0
    for _ in 0..<3_000 {
      // Parameters that a program might send, as the catalogue resolves them.
      let given = random.parameters()
      let intent = try catalog.resolve(name: "All", parameters: given).get()
      let url = try #require(catalog.url(for: intent), "\(intent)")
      #expect(catalog.route(url: url).success == intent, "\(url)")
      if !url.hasPrefix("intentd:") { direct += 1 }
    }
    #expect(direct > 1_000, "the routes were hardly used: \(direct)")
  }

  private static let everyType: [JSONValue] = [
    ["name": "text", "anyText": true], ["name": "whole", "type": "integer"],
    ["name": "part", "type": "decimal"],
    ["name": "flag", "type": "boolean"], ["name": "colour", "list": "colours"],
    ["name": "kind", "type": "enumeration", "cases": ["small", "very large"]],
    ["name": "when", "type": "date"], ["name": "span", "type": "duration"],
    ["name": "link", "type": "url"], ["name": "place", "type": "place", "anyText": true],
    ["name": "thing", "type": "object", "objectType": "Thing", "anyText": true],
    ["name": "tags", "array": true, "anyText": true],
    ["name": "counts", "type": "integer", "array": true],
  ]

  @Test(
    arguments: [
      (["when": "2026-11-21T10:30:00+01:00"], "x://?when=2026-11-21T09%3A30%3A00Z"),
      (["when": "2026-11-21"], "x://?when=2026-11-21"), (["span": "1h30m"], "x://?span=5400"),
      (["kind": "Very Large"], "x://?kind=very%20large"),
      (["tags": ["a b", "c"]], "x://?tags=a%20b&tags=c"),
      (["counts": [1, -2]], "x://?counts=1&counts=-2"),
      (["place": "52.5, 13.25"], "x://?place=52.5%2C%2013.25"),
      (["thing": "lamp"], "x://?thing=lamp"),
      (["link": "https://a.example/ü"], "x://?link=https%3A%2F%2Fa.example%2F%25C3%25BC"),
    ] as [([String: JSONValue], String)])
  func `each type has its form in a URL`(given: [String: JSONValue], expected: String) throws {
    let (catalog, issues) = catalog(("All", Self.everyType, ["x://"]))
    #expect(issues == [])
    let intent = try catalog.resolve(name: "All", parameters: given).get()
    let url = try #require(catalog.url(for: intent))
    #expect(url == expected)
    #expect(catalog.route(url: url).success == intent)
  }

  @Test func `a value without a text form has no URL`() {
    let (catalog, _) = catalog(("All", Self.everyType, []))
    for parameters in [
      ["tags": []], ["place": ["name": "Home", "latitude": 52.5, "longitude": 13.25]],
      ["thing": ["identifier": "7", "display": "Lamp"]],
    ] as [[String: JSONValue]] {
      #expect(catalog.url(for: Intent(name: "All", parameters: parameters)) == nil)
    }
  }

  @Test func `a required parameter is asked for, or the URL is refused`() throws {
    let (catalog, _) = catalog(
      ("Need", [["name": "n", "type": "integer", "required": true]], ["a://x?n={n}"]))
    guard case .needs(let need) = try catalog.open(url: "a://x").get() else {
      Issue.record("nobody is asked")
      return
    }
    #expect(need.reason == .value)
    #expect(need.parameter == "n")
    #expect(catalog.route(url: "a://x").failure?.code == .missingParameter)
    #expect(catalog.route(url: "a://x?n=1").success == Intent(name: "Need", parameters: ["n": 1]))
  }

  @Test(arguments: [
    ("a://2026-11-21", "Date"), ("a://5m", "Duration"), ("a://small", "Kind"), ("a://12", "Number"),
    ("a://milk", "Any"), ("a://true", "Flag"), ("a://1.5", "Decimal"),
  ])
  func `every type is tried before plain text`(url: String, name: String) {
    func one(_ type: JSONValue, _ more: JSONObject = [:]) -> [JSONValue] {
      var parameter: JSONObject = ["name": "p", "type": type, "required": true]
      parameter.members += more.members
      return [.object(parameter)]
    }
    let (catalog, issues) = catalog(
      ("Any", one("string"), ["a://{p}"]), ("Date", one("date"), ["a://{p}"]),
      ("Duration", one("duration"), ["a://{p}"]), ("Decimal", one("decimal"), ["a://{p}"]),
      ("Flag", one("boolean"), ["a://{p}"]), ("Number", one("integer"), ["a://{p}"]),
      ("Kind", one("enumeration", ["cases": ["small"]]), ["a://{p}"]))
    #expect(issues == [])
    #expect(catalog.route(url: url).success?.name == name)
  }
}

/// A small generator that gives the same values in each run.
private struct SplitMix {
  var state: UInt64

  mutating func next(below bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }

  mutating func parameters() -> [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    if next(below: 10) > 0 { values["text"] = .string(text()) }
    if next(below: 2) == 0 { values["whole"] = .int(Int64(next(below: 2_000)) - 1_000) }
    if next(below: 2) == 0 { values["part"] = .double(Double(next(below: 100_000)) / 64 - 700) }
    if next(below: 2) == 0 { values["flag"] = .bool(next(below: 2) == 0) }
    if next(below: 4) == 0 { values["kind"] = next(below: 2) == 0 ? "small" : "very large" }
    if next(below: 4) == 0 { values["when"] = next(below: 2) == 0 ? "2026-11-21" : "09:30" }
    if next(below: 4) == 0 { values["span"] = .int(Int64(next(below: 100_000))) }
    if next(below: 4) == 0 { values["link"] = "notes://list?a=b#c" }
    if next(below: 4) == 0 { values["place"] = next(below: 2) == 0 ? "1.5, -2" : .string(text()) }
    if next(below: 4) == 0 { values["thing"] = .string(text()) }
    if next(below: 4) == 0 {
      values["tags"] = .array((0...next(below: 3)).map { _ in .string(text()) })
    }
    if next(below: 4) == 0 { values["counts"] = [.int(Int64(next(below: 9))), 5] }
    if next(below: 3) == 0 { values["colour"] = next(below: 2) == 0 ? "red" : "green" }
    return values
  }

  private mutating func text() -> String {
    let pieces = [
      "a", "B", "7", " ", "/", "?", "#", "&", "=", "+", "%", "%41", ".", "..", "~", "é", "北", "🙂",
      ":",
      "@", "\\", "\"", "'", "{", "}", "-", "_", "true", "x",
    ]
    let count = 1 + next(below: 6)
    let text = (0..<count).map { _ in pieces[next(below: pieces.count)] }.joined()
    // White space around a value is ignored, and several spaces count as one.
    let words = text.split(separator: " ")
    return words.isEmpty ? "x" : words.joined(separator: " ")
  }
}
