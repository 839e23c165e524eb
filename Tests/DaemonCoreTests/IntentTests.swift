import IntentRouter
import JSON
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// Sentences, names and URLs become intents, and intents reach widgets.
@Suite struct IntentTests {
  @Test(
    arguments: [
      ["text": "show weather for Beijing"], ["text": "北京天气"],
      ["intent": "ShowWeather", "parameters": ["city": "Beijing"]],
      ["url": "weather://city/Beijing"], ["url": "intentd://intent/ShowWeather?city=Beijing"],
    ] as [JSONValue])
  func `a sentence, a name and a URL ask the same widget`(_ params: JSONValue) throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    try harness.call(
      "widget.add", ["kind": "org.example.weather", "parameters": ["city": "Beijing"]], from: client
    )
    let answer = try harness.call("intent.send", params, from: client)
    #expect(
      answer["intent"]?.serialized == #"{"name":"ShowWeather","parameters":{"city":"Beijing"}}"#)
    #expect(
      answer["widgets"]?.serialized
        == #"[{"id":"weather","kind":"org.example.weather","suggestion":false,"receipt":"r2"}]"#)
    #expect(
      try harness.call("stack.order", from: client)["widgets"]?.arrayValue?.first?["id"]
        == "weather")
  }

  private static func history(_ harness: Harness) -> String {
    harness.stored.journal.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
  }

  @Test func `an intent of private mode is in no history, and its suggestion is removed`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    try harness.call("donation.setPrivate", ["on": true], from: client)
    try harness.call("intent.send", ["text": "weather in Rome"], from: client)
    try harness.call("intent.send", ["text": "weather in Oslo"], from: client)
    #expect(try harness.call("stack.order", ["ids": true], from: client)["ids"] != [])
    for city in ["Rome", "Oslo"] { #expect(!Self.history(harness).contains(city)) }
    try harness.call("donation.setPrivate", ["on": false], from: client)
    #expect(try harness.call("stack.order", ["ids": true], from: client)["ids"] == [])
    for rows in harness.stored.tables.values {
      #expect(rows.allSatisfy { !String(decoding: $0.bytes, as: UTF8.self).contains("Oslo") })
    }
  }

  @Test func `rows of private mode name neither the intent nor its widget`() throws {
    for fails in [false, true] {
      var harness = Harness(provider: Harness.texts)
      let client = harness.connect()
      try harness.call(
        "widget.add",
        ["kind": "org.example.weather", "id": "mine", "parameters": ["city": "Oslo"]],
        from: client)
      try harness.call("donation.setPrivate", ["on": true], from: client)
      let before = harness.stored.journal.count
      let logged = harness.log.count
      if fails {
        harness.provider = { _ in
          .failed(ProviderFailure(.exited(code: 3), diagnostics: "no weather in Oslo"))
        }
      }
      try harness.call("intent.send", ["text": "weather in Oslo"], from: client)
      try harness.call("intent.send", ["text": "weather in Rome"], from: client)
      try harness.call("widget.reload", ["id": "mine"], from: client)
      harness.pass(30)
      try harness.call("intent.send", ["text": "weather in Rome"], from: client)
      try harness.call("donation.setPrivate", ["on": false], from: client)
      let rows = harness.stored.journal.dropFirst(before).map {
        String(decoding: $0.bytes, as: UTF8.self)
      }
      #expect(rows.joined().contains(fails ? "reload.failed" : "reload.done"))
      #expect(rows.joined().contains("widget.removed"))
      for word in ["Oslo", "Rome", "mine", "weather"] {
        #expect(!rows.joined().contains(word), "\(word) in \(rows)")
      }
      for line in harness.log.dropFirst(logged) {
        #expect(!line.fields.contains { $0.value.contains("weather") }, "\(line)")
      }
    }
  }

  @Test func `a suggestion of private mode is removed at its end, also after a restart`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    try harness.call("donation.setPrivate", ["on": true], from: client)
    try harness.call("intent.send", ["text": "weather in Rome"], from: client)
    var next = Harness(stored: harness.stored, at: harness.now.wall, provider: Harness.texts)
    let reader = next.connect()
    #expect(try next.call("stack.order", ["ids": true], from: reader)["ids"] != [])
    try next.call("donation.setPrivate", ["on": false], from: reader)
    #expect(try next.call("stack.order", ["ids": true], from: reader)["ids"] == [])
  }

  @Test func `forgetting removes the suggestion and its rows of the history`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    try harness.call("intent.send", ["text": "weather in Rome"], from: client)
    #expect(Self.history(harness).contains("Rome"))
    try harness.call("donation.forget", ["all": true], from: client)
    #expect(try harness.call("stack.order", ["ids": true], from: client)["ids"] == [])
    #expect(!Self.history(harness).contains("Rome"))
  }

  @Test func `the top widget stays on top after a restart`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    for city in ["Rome", "Oslo", "Lima"] {
      try harness.call(
        "widget.add",
        [
          "kind": "org.example.weather", "id": .string(city), "parameters": ["city": .string(city)],
        ],
        from: client)
    }
    var order: JSONValue = .null
    for city in ["Rome", "Oslo", "Lima"] {
      try harness.call(
        "intent.donate", ["intent": "ShowWeather", "parameters": ["city": .string(city)]],
        from: client)
      order = try harness.call("stack.order", ["ids": true], from: client)
      harness.pass(10)
    }
    var next = Harness(stored: harness.stored, at: harness.now.wall, provider: Harness.texts)
    let reader = next.connect()
    #expect(try next.call("stack.order", ["ids": true], from: reader) == order)
    // Without the stored top, another widget would be on top.
    var forgetful = harness.stored
    forgetful.tables[.setting]?.removeAll { $0.key == "rotations" }
    var other = Harness(stored: forgetful, at: harness.now.wall, provider: Harness.texts)
    let third = other.connect()
    #expect(try other.call("stack.order", ["ids": true], from: third) != order)
  }

  @Test func `the order can be asked for as ids, from the cache too`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock", "id": "one"], from: client)
    try harness.call(
      "widget.add",
      ["kind": "org.example.weather", "id": "two", "parameters": ["city": "Rome"]], from: client)
    func views(_ harness: inout Harness) throws -> [JSONValue] {
      let widgets = try harness.call("stack.order", from: client)["widgets"]?.arrayValue ?? []
      return widgets.compactMap { $0["id"] }
    }
    for dismissed in ["one", "two", "one"] {
      let order = try views(&harness)
      #expect(order.count >= 2)
      // The first answer is computed, the second comes from the cache.
      for _ in 0..<2 {
        #expect(
          try harness.call("stack.order", ["ids": true], from: client)
            == ["ids": .array(order)])
        #expect(
          try harness.call("stack.order", ["ids": true, "limit": 1], from: client)
            == ["ids": .array([order[0]])])
      }
      try harness.call("stack.dismiss", ["id": .string(dismissed)], from: client)
    }
    // Ask with the same bytes repeatedly: the answer follows each change. Other bytes are computed
    // anew.
    for id in ["three", "four"] {
      try harness.call(
        "widget.add", ["kind": "org.example.clock", "id": .string(id)], from: client)
      for limit in [1, 2, 2, 1, 1] {
        let all = try views(&harness)
        for _ in 0..<2 {
          #expect(
            try harness.call(
              "stack.order", ["ids": true, "limit": .int(Int64(limit))], from: client)
              == ["ids": .array(Array(all.prefix(limit)))])
        }
      }
      try harness.call("stack.dismiss", ["id": views(&harness)[0]], from: client)
    }
    #expect(try harness.refusal("stack.explain", ["ids": true], from: client) == "-32602")
    #expect(try harness.refusal("stack.order", ["ids": 1], from: client) == "-32602")
  }

  @Test func `every widget with that configuration is asked, no other, and all families`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    for (id, city, family) in [
      ("a", "Beijing", "systemSmall"), ("b", "Rome", "systemSmall"),
      ("c", "beijing", "accessoryInline"), ("d", "Beijing", "systemSmall"),
    ] {
      try harness.call(
        "widget.add",
        [
          "kind": "org.example.weather", "id": .string(id), "family": .string(family),
          "parameters": ["city": .string(city)],
        ], from: client)
    }
    let answer = try harness.call("intent.send", ["text": "weather in Beijing"], from: client)
    let ids = answer["widgets"]?.arrayValue?.compactMap { $0["id"]?.stringValue }
    #expect(ids == ["a", "d", "c"])
    #expect(harness.daemon.engine.widgets.count == 4)
  }

  @Test func `with wait the answer comes when the reload has ended, with its entry`() throws {
    var harness = Harness()
    let client = harness.connect()
    let send =
      #"{"jsonrpc":"2.0","id":1,"method":"intent.send","params":{"text":"weather in Rome","wait":true}}"#
    #expect(harness.send(send, to: client) == [])
    try harness.answer("org.example.weather", Harness.timeline(#"{"text":"18°"}"#))
    let answer = try JSONValue(parsing: try #require(harness.received(by: client).last))
    #expect(answer["id"] == 1)
    #expect(answer["result"]?["entry"]?["content"]?["text"] == "18°")
    #expect(answer["result"]?["receipts"]?.arrayValue?.first?["state"] == "done")
    #expect(answer["result"]?["stale"] == false)
  }

  @Test func `with wait a failure is told, beside the last good entry`() throws {
    var harness = Harness()
    let client = harness.connect()
    harness.send(
      #"{"jsonrpc":"2.0","id":1,"method":"intent.send","params":{"text":"weather in Rome","wait":true}}"#,
      to: client)
    try harness.answer("org.example.weather", Harness.timeline(#"{"text":"18°"}"#))
    harness.send(
      #"{"jsonrpc":"2.0","id":2,"method":"intent.send","params":{"text":"weather in Rome","wait":true}}"#,
      to: client)
    try harness.fail("org.example.weather", .exited(code: 2), stderr: "loading\nno key\n")
    let answer = try JSONValue(parsing: try #require(harness.received(by: client).last))
    #expect(answer["id"] == 2)
    #expect(answer["result"]?["stderr"] == "no key")
    #expect(answer["result"]?["receipts"]?.arrayValue?.first?["stderr"] == "no key")
    let logged = harness.log.first { $0.event == "provider.failed" }
    #expect(logged?.fields.last == LogLine.Field(key: "stderr", value: "no key"))
    #expect(answer["result"]?["entry"]?["content"]?["text"] == "18°")
    #expect(answer["result"]?["receipts"]?.arrayValue?.first?["state"] == "dropped")
    #expect(answer["result"]?["error"] == "the provider ended with exit code 2")
    #expect(answer["result"]?["stale"] == true)
  }

  @Test func `an intent that no widget shows is donated, and the answer says so at once`() throws {
    var harness = Harness()
    let client = harness.connect()
    let answer = try harness.call(
      "intent.send", ["intent": "ShowSystemStatus", "wait": true, "source": "test"], from: client)
    #expect(
      answer.serialized == #"{"intent":{"name":"ShowSystemStatus","parameters":{}},"widgets":[]}"#)
    let history = try harness.call("daemon.history", ["limit": 1], from: client)
    #expect(
      history["entries"]?.serialized
        == #"[{"sequence":2,"at":"2026-11-20T08:00:00Z","event":"intent","intent":"ShowSystemStatus","parameters":{},"source":"test"}]"#
    )
  }

  @Test func `a sentence without a match gets suggestions and has no effect`() throws {
    var harness = Harness()
    let client = harness.connect()
    let error = try harness.call(
      "intent.send", ["text": "show wether for Beijing", "strict": true], from: client)
    #expect(error["code"] == -32010)
    #expect(error["data"]?["suggestions"]?.arrayValue?.first == "show weather for Beijing")
    #expect(harness.daemon.engine.widgets.isEmpty)
    #expect(harness.daemon.journal.lastSequence == 1)
  }

  @Test(
    arguments: [
      ([:], "-32602"), (["text": "weather", "url": "weather://city/Rome"], "-32602"),
      (["text": 7], "-32602"), (["text": "weather", "languages": "en"], "-32602"),
      (["text": ""], "-32012 invalidParameter"),
      (["intent": "Nothing"], "-32011 unknownIntent"),
      (["intent": "ShowWeather", "parameters": ["town": "Rome"]], "-32012 invalidParameter"),
      (["intent": "ShowWeather", "parameters": ["city": 7]], "-32012 invalidParameter"),
      (["url": "nowhere"], "-32013 invalidURL"),
      (["url": "data:text/html,x"], "-32014 schemeDenied"),
      (["url": "weather://town/Rome"], "-32015 noRoute"),
    ] as [(JSONValue, String)])
  func `a request that cannot be sent is refused with its code`(_ params: JSONValue, _ code: String)
    throws
  {
    var harness = Harness()
    let client = harness.connect()
    #expect(try harness.refusal("intent.send", params, from: client) == code)
    #expect(harness.daemon.engine.receipts.isEmpty)
  }

  @Test func `a sentence of 1,024 characters is read, one more is refused`() throws {
    var harness = Harness()
    let client = harness.connect()
    let long = String(repeating: "x", count: 1_024)
    #expect(
      try harness.refusal("intent.send", ["text": .string(long)], from: client) == "-32010 noMatch")
    #expect(
      try harness.refusal("intent.send", ["text": .string(long + "x")], from: client)
        == "-32012 invalidParameter")
    #expect(
      try harness.refusal(
        "url.open", ["url": .string("a:" + String(repeating: "x", count: 8_191))], from: client)
        == "-32013 invalidURL")
  }

  @Test func `recognising is sending without any effect`() throws {
    var harness = Harness()
    let client = harness.connect()
    let before = harness.commitCount
    let answer = try harness.call("intent.recognize", ["text": "weather in Rome"], from: client)
    #expect(answer["matched"] == true)
    #expect(
      try harness.call("intent.recognize", ["text": "xyzzy"], from: client)["matched"] == false)
    #expect(harness.commitCount == before)
    #expect(harness.running.isEmpty)
  }

  @Test func `a forgotten donation takes with it everything that was learned from it`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock"], from: client)
    try harness.call(
      "widget.add", ["kind": "org.example.weather", "parameters": ["city": "Rome"]], from: client)
    try harness.call("intent.send", ["text": "weather in Rome"], from: client)
    #expect(
      try harness.call("stack.order", from: client)["widgets"]?.arrayValue?.first?["id"]
        == "weather")
    #expect(
      try harness.call("donation.forget", ["intent": "ShowAgenda"], from: client)["forgotten"] == 0)
    #expect(try harness.refusal("donation.forget", [:], from: client) == "-32602")
    #expect(
      try harness.call("donation.forget", ["intent": "ShowWeather"], from: client)["forgotten"] == 2
    )
    #expect(
      try harness.call("stack.order", from: client)["widgets"]?.arrayValue?.first?["id"] == "clock")
    let stored = harness.stored.journal.map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(
      stored.allSatisfy {
        !$0.contains("Rome\"},\"language") && !$0.contains("\"event\":\"intent\"")
      })
    var next = Harness(stored: harness.stored, provider: Harness.texts)
    let reader = next.connect()
    #expect(
      try next.call("stack.order", from: reader)["widgets"]?.arrayValue?.first?["id"] == "clock")
  }

  @Test func `forgetting since a date keeps earlier donations`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock"], from: client)
    harness.launcher = { _ in .started(application: "x", processID: 7) }
    try harness.call("intent.send", ["intent": "ShowSystemStatus"], from: client)
    harness.pass(60)
    try harness.call("intent.send", ["intent": "ShowSystemStatus"], from: client)
    #expect(
      try harness.call("donation.forget", ["since": "2026-11-20T08:00:30Z"], from: client)[
        "forgotten"]
        == 1)
    #expect(try harness.call("donation.forget", ["all": true], from: client)["forgotten"] == 1)
    #expect(
      try harness.refusal("donation.forget", ["since": "yesterday"], from: client) == "-32602")
  }

  @Test func `a list that was replaced holds for sentences, and across configurations`() throws {
    var harness = Harness()
    let client = harness.connect()
    #expect(
      try harness.call(
        "intent.setList", ["name": "cities", "values": ["Lönneberga", "Oz"]], from: client)["count"]
        == 2)
    harness.handle(.reloadRequested)
    let answer = try harness.call("intent.recognize", ["text": "Oz weather"], from: client)
    #expect(answer["intent"]?["parameters"]?["city"] == "Oz")
    #expect(
      try harness.refusal("intent.setList", ["name": "towns", "values": []], from: client)
        == "-32016 unknownList")
    #expect(try harness.refusal("intent.setList", ["name": "cities"], from: client) == "-32602")
    #expect(
      try harness.call(
        "intent.setList",
        [
          "name": "cities", "add": [["in": "emerald city", "out": "Oz"]], "remove": ["lönneberga"],
        ],
        from: client)["count"] == 2)
    do {
      var next = Harness(stored: harness.stored)
      let reader = next.connect()
      let again = try next.call(
        "intent.recognize", ["text": "emerald city weather"], from: reader)
      #expect(again["intent"]?["parameters"]?["city"] == "Oz")
      #expect(
        try next.call("intent.recognize", ["text": "Lönneberga weather"], from: reader)["matched"]
          == false)
    }
    for wrong: JSONValue in [
      ["name": "cities", "values": [], "add": []], ["name": "cities", "add": [7]],
      ["name": "cities", "values": 3],
    ] {
      #expect(try harness.refusal("intent.setList", wrong, from: client) == "-32602")
    }
  }
}
