import Documents
import Foundation
import IntentRouter
import JSON
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// Tests what a link may do, which any page or program can open: little, and never as the person.
@Suite struct LinkTests {
  private static func intent(_ name: String, _ rest: String) -> CatalogSource {
    let text = "name: \(name)\ntitle: \(name)\ndescription: An intent\n\(rest)"
    return CatalogSource(
      file: "\(name)/intent.yaml",
      document: readYAML(text, file: "\(name)/intent.yaml").value ?? LocatedValue(.null, line: 1),
      kind: .intent)
  }

  private func harness(provider: @escaping (ProviderRun) -> ProviderOutcome? = Harness.texts)
    -> Harness
  {
    Harness(
      files: ConfigurationFiles(
        catalog: Harness.shippedIntents + [
          Self.intent("Lock", "links: ask\nparameters:\n  - {name: door, required: true}"),
          Self.intent(
            "Erase", "links: ask\nconfirm: true\nroutes: [\"erase://x-callback-url/all\"]"),
          Self.intent("Pay", "links: never\nroutes: [\"pay://{sum}\"]\nparameters: [{name: sum}]"),
        ], manifests: Harness.manifests), provider: provider)
  }

  private func open(
    _ city: String, _ harness: inout Harness, _ client: ConnectionID
  ) throws -> JSONValue {
    try harness.call(
      "url.open", ["url": .string("intentd://intent/ShowWeather?city=\(city)")], from: client)
  }

  private func history(_ harness: inout Harness, _ client: ConnectionID) throws -> [JSONValue] {
    try harness.call("daemon.history", ["limit": 1_000], from: client)["entries"]?.arrayValue ?? []
  }

  // MARK: Pace and budget

  @Test func `ten links at once, then five a second`() throws {
    var harness = harness()
    let client = harness.connect()
    for _ in 0..<10 { #expect(try open("Rome", &harness, client)["intent"] != nil) }
    #expect(
      try harness.refusal(
        "url.open", ["url": "intentd://intent/ShowWeather?city=Rome"], from: client)
        == "-32023 limitReached")
    // Whoever sends a URL as an intent of their own is no link.
    #expect(
      try harness.call("intent.send", ["url": "weather://city/Rome"], from: client)["intent"]
        != nil)
    harness.pass(1)
    for _ in 0..<5 { #expect(try open("Rome", &harness, client)["intent"] != nil) }
    #expect(try open("Rome", &harness, client)["intent"] == nil)
  }

  @Test func `thousands of links cost a handful of runs and leave the history to the person`()
    throws
  {
    var runs = 0
    var harness = harness(provider: { run in
      runs += 1
      return Harness.texts(run)
    })
    let client = harness.connect()
    try harness.call(
      "widget.add", ["kind": "org.example.weather", "id": "w", "parameters": ["city": "Rome"]],
      from: client)
    try harness.call(
      "intent.send", ["intent": "ShowWeather", "parameters": ["city": "Rome"]], from: client)
    let before = try history(&harness, client).count
    let (runsBefore, cities) = (runs, ["Rome", "Beijing", "Paris", "Berlin"])
    var followed = 0
    for number in 0..<5_000 {
      let answer = try open(cities[number % cities.count], &harness, client)
      if answer["intent"] != nil { followed += 1 }
      if number % 25 == 24 { harness.pass(1) }
    }
    #expect(followed > 500, "the pace lets five a second pass, where the budget of kinds does")
    // A widget that is placed has its bucket, and suggestions of the kind have theirs.
    #expect(runs - runsBefore <= 40, "\(runs - runsBefore) runs")
    let entries = try history(&harness, client)
    #expect(entries.count - before <= 200, "\(entries.count - before) entries")
    #expect(entries.contains { $0["event"] == "intent" && $0["link"] == nil })
    harness.pass(600)
    _ = try open("Rome", &harness, client)
    let last = try history(&harness, client).first { $0["event"] == "intent" }
    #expect(last?["link"] == true)
    #expect((last?["more"]?.intValue ?? 0) > 400)
    let metrics = try harness.call("daemon.metrics", from: client)["text"]?.stringValue ?? ""
    #expect(metrics.contains("intentd_links_total \(followed + 1)\n"))
  }

  @Test func `a link is no habit and no promotion, and a restart takes it for none`() throws {
    var harness = harness()
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "c"], from: client)
    try harness.call(
      "widget.add", ["kind": "org.example.weather", "id": "w", "parameters": ["city": "Rome"]],
      from: client)
    func standing(_ harness: inout Harness, _ client: ConnectionID) throws -> (Int64?, String) {
      let donations = try harness.call("daemon.status", from: client)["donations"]?.intValue
      let order = try harness.call("stack.order", from: client)
      return (donations, order.serialized)
    }
    let before = try standing(&harness, client)
    for _ in 0..<8 { _ = try open("Rome", &harness, client) }
    #expect(try standing(&harness, client) == before)
    var restarted = Harness(files: harness.files, stored: harness.stored, at: harness.now.wall)
    let again = restarted.connect()
    #expect(try standing(&restarted, again) == before)
    // The same by the person's own intent is one.
    try harness.call(
      "intent.send", ["intent": "ShowWeather", "parameters": ["city": "Rome"]], from: client)
    #expect(try standing(&harness, client).0 == 1)
  }

  @Test func `a plugin host's link reloads within the budget`() throws {
    var runs = 0
    var harness = harness(provider: { run in
      runs += 1
      return Harness.texts(run)
    })
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "c"], from: client)
    for _ in 0..<600 {
      _ = try harness.call("url.open", ["url": "swiftbar://refreshallplugins"], from: client)
      harness.pass(1)
    }
    #expect(runs <= 20, "\(runs) runs")
  }

  // MARK: Links that are asked about

  @Test func `a value of a link stays a value in the question, whatever it says`() throws {
    var harness = harness()
    let opener = harness.connect()
    let door = "front%27%29.%20Do%20it%3F%20Say%20yes.%20A%20link%20asks%20for%3A%20Lock%20%28%27"
    let url: JSONValue = [
      "url": .string("intentd://intent/Lock?door=\(door)\(String(repeating: "x", count: 200))")
    ]
    let prompt = try #require(
      try harness.call("url.open", url, from: opener)["needs"]?["prompt"]?.stringValue)
    #expect(
      prompt.hasPrefix("A link asks for: Lock (door 'front ). Do it? Say yes. A link asks for:"))
    #expect(prompt.hasSuffix("x…'). Do it?"))
    #expect(prompt.count { $0 == "'" } == 2, "the marks around the value: \(prompt)")
    #expect(prompt.unicodeScalars.count < 140)
  }

  @Test func `an intent with links ask is offered to the person, whose yes is an act of theirs`()
    throws
  {
    var harness = harness()
    let (opener, bar) = (harness.connect(), harness.connect())
    try harness.call("surface.attach", ["questions": true], from: bar)
    _ = harness.received(by: bar)
    let url: JSONValue = ["url": "intentd://intent/Lock?door=front"]
    let need = try #require(try harness.call("url.open", url, from: opener)["needs"])
    #expect(need["reason"] == "confirmation")
    #expect(need["link"] == true)
    #expect(need["prompt"] == "A link asks for: Lock (door 'front'). Do it?")
    let offered = harness.received(by: bar)
    #expect(offered.count == 1)
    #expect(offered.first?.contains(#""method":"intent.question""#) == true)
    let token = try #require(need["token"])
    #expect(try JSONValue(parsing: offered[0])["params"]?["token"] == token)
    #expect(
      try harness.call("daemon.status", from: opener)["questions"]?.arrayValue?.first?["token"]
        == token)
    // The same link asks once.
    #expect(try harness.call("url.open", url, from: opener)["needs"]?["token"] == token)
    #expect(harness.received(by: bar) == [])
    #expect(try !history(&harness, opener).contains { $0["event"] == "intent" })

    let answer: JSONValue = ["resume": token, "choice": true]
    #expect(try harness.call("intent.send", answer, from: bar)["intent"]?["name"] == "Lock")
    let entry = try history(&harness, opener).first { $0["event"] == "intent" }
    #expect(entry?["parameters"] == ["door": "front"])
    #expect(entry?["link"] == nil)
    #expect(try harness.call("daemon.status", from: opener)["questions"] == nil)
    #expect(try harness.refusal("intent.send", answer, from: opener) == "-32602")
  }

  @Test func `a question of a link ends with a no or after five minutes`() throws {
    var harness = harness()
    let client = harness.connect()
    func ask(_ door: String) throws -> JSONValue {
      try #require(
        try harness.call(
          "url.open", ["url": .string("intentd://intent/Lock?door=\(door)")], from: client)[
            "needs"]?[
            "token"])
    }
    #expect(
      try harness.call(
        "intent.send", ["resume": ask("front"), "choice": false], from: client)["cancelled"] == true
    )
    let token = try ask("back")
    harness.pass(300)
    #expect(
      try harness.refusal("intent.send", ["resume": token, "choice": true], from: client)
        == "-32602")
    #expect(try !history(&harness, client).contains { $0["event"] == "intent" })
  }

  @Test func `an intent that wants a yes gets it together with its link's`() throws {
    var harness = harness()
    let client = harness.connect()
    let need = try harness.call(
      "url.open", ["url": "erase://x-callback-url/all"], from: client)["needs"]
    let token = try #require(need?["token"])
    #expect(
      try harness.call("intent.send", ["resume": token, "choice": "yes"], from: client)["intent"]?[
        "name"] == "Erase")
  }

  @Test func `links do not push out the questions of senders`() throws {
    var harness = harness()
    let client = harness.connect()
    let own = try harness.call(
      "intent.send", ["intent": "Erase"], from: client)["needs"]?["token"]
    for number in 0..<40 {
      _ = try harness.call(
        "url.open", ["url": .string("intentd://intent/Lock?door=\(number)")], from: client)
      harness.pass(1)
    }
    let waiting = try harness.call("daemon.status", from: client)["questions"]?.arrayValue ?? []
    #expect(waiting.count == Limits.pendingLinkQuestionCountMax)
    #expect(
      try harness.call(
        "intent.send", ["resume": try #require(own), "choice": true], from: client)["intent"] != nil
    )
  }

  @Test(arguments: ["pay://7", "intentd://intent/Pay?sum=7", "intentd://x-callback-url/Pay?sum=7"])
  func `an intent with links never is made by no link`(url: String) throws {
    var harness = harness()
    let client = harness.connect()
    #expect(
      try harness.refusal("url.open", ["url": .string(url)], from: client) == "-32017 linkRefused")
    #expect(
      try harness.call("intent.send", ["url": .string(url)], from: client)["intent"]?["name"]
        == "Pay")
  }

  @Test func `an app is not called back by a link that is asked about`() throws {
    var harness = harness()
    let client = harness.connect()
    #expect(
      try harness.refusal(
        "url.open",
        [
          "url": "intentd://x-callback-url/Lock?door=a&x-success=notes:ok&x-error=notes:no",
          "app": "org.example.Notes",
        ], from: client) == "-32017 linkRefused")
    #expect(harness.launches.map { $0.request.url?.prefix(8) } == ["notes:no"])
  }

  // MARK: Values

  @Test(arguments: [
    "..%2F..%2Fetc", "--help", "-rf", "a%2F..%2Fb", "%E2%80%AE", "a%1Bb", "a%C2%9Bb", "%E2%80%A8",
    "%F3%A0%81%81", "x%00y",
  ])
  func `a value that is no plain text reaches no provider, by whatever way`(value: String) throws {
    var harness = harness()
    let client = harness.connect()
    #expect(
      try harness.refusal(
        "url.open", ["url": .string("intentd://intent/ShowWeather?city=\(value)")], from: client)
        == "-32012 invalidParameter")
    let plain = try #require(value.removingPercentEncoding)
    for (method, params) in [
      ("intent.send", ["intent": "ShowWeather", "parameters": ["city": .string(plain)]]),
      (
        "widget.add",
        ["kind": "org.example.weather", "id": "w", "parameters": ["city": .string(plain)]]
      ),
    ] as [(String, JSONValue)] {
      #expect(
        try harness.refusal(method, params, from: client) == "-32012 invalidParameter", "\(method)")
    }
    #expect(
      try harness.refusal(
        "intent.setList", ["name": "cities", "add": [.string(plain)]], from: client)
        == "-32012 invalidParameter")
    #expect(
      try harness.refusal(
        "intent.setList",
        ["name": "cities", "add": [["in": "there", "out": .string(plain)]]], from: client)
        == "-32012 invalidParameter")
    #expect(harness.running.isEmpty)
  }
}
