import BusMessages
import DesktopSearch
import JSON
import Testing
import Timekeeping

@Suite struct DesktopSearchTests {
  // MARK: - What the person sees

  @Test func `a query asks the core for completions, and for nothing else`() throws {
    var rig = SearchRig()
    let call = rig.find("show wea")
    #expect(rig.answers(call).isEmpty)
    let request = try #require(rig.requests.first)
    #expect(request["method"] == "intent.complete")
    #expect(
      request["params"] == [
        "text": "show wea", "languages": ["en", "zh-CN"], "limit": 5, "content": true,
      ])
    #expect(rig.outputs.count == 1)
  }

  @Test func `a result has the sentence, what is known now, and its icon`() throws {
    var rig = SearchRig()
    let call = rig.find("show wea")
    rig.answer(weather)
    let ids = try #require(rig.ids(call))
    #expect(
      ids == [
        "show weather in Beijing\nen", "show weather\nen\n\"Beijing\"",
        "show weather\nen\n\"Rome\"",
      ])
    let metas = rig.call(SearchRig.shell, "GetResultMetas", [.strings(ids)])
    guard case .reply(_, let values)? = rig.answers(metas).first, let list = values.first?.elements
    else {
      Issue.record("no metas")
      return
    }
    #expect(values.first?.typeSignature == "aa{sv}")
    #expect(list.map { $0["id"]?.text } == ids)
    #expect(
      list.map { $0["name"]?.text }
        == ["show weather in Beijing", "show weather: Beijing", "show weather: Rome"])
    #expect(
      list.map { $0["description"]?.text } == ["3° clear", "Which city?", "Which city?"])
    #expect(list.first?["gicon"]?.text == "weather-clear-night")
  }

  @Test func `a runner gets the same results in one answer`() throws {
    var rig = SearchRig()
    let call = rig.match("show wea")
    rig.answer(weather)
    guard case .reply(_, let values)? = rig.answers(call).first, let list = values.first?.elements
    else {
      Issue.record("no matches")
      return
    }
    #expect(values.first?.typeSignature == "a(sssida{sv})")
    guard case .structure(let first)? = list.first else {
      Issue.record("no structure")
      return
    }
    #expect(
      first == [
        .string("show weather in Beijing\nen"), .string("show weather in Beijing"),
        .string("weather-clear-night"), .int32(100), .double(0.9),
        .dictionary(["subtext": .string("3° clear")]),
      ])
    #expect(list.count == 3)
  }

  @Test func `a text that asks nothing, and one that is too long, give nothing at once`() {
    var rig = SearchRig()
    for text in ["", "   ", String(repeating: "x", count: DesktopLimits.queryLengthMax + 1)] {
      let call = rig.match(text)
      #expect(rig.answers(call) == [.reply(call, [.array([], of: "(sssida{sv})")])])
    }
    #expect(rig.requests.isEmpty)
    _ = rig.match(String(repeating: "x", count: DesktopLimits.queryLengthMax))
    #expect(rig.requests.count == 1)
  }

  // MARK: - Time, callers, the lock

  @Test func `a newer query of a caller replaces its older one`() {
    var rig = SearchRig()
    let older = rig.find("show")
    let other = rig.find("show", from: ":1.8")
    let newer = rig.find("show wea")
    #expect(rig.ids(older) == [])
    #expect(rig.answers(other).isEmpty && rig.answers(newer).isEmpty)
    // The core answers the older one, too, which nobody hears.
    rig.answer(weather, to: 1)
    #expect(rig.answers(older).count == 1 && rig.answers(newer).isEmpty)
    rig.answer(weather, to: 3)
    #expect(rig.ids(newer)?.count == 3)
  }

  @Test func `no query is answered later than its time`() {
    var rig = SearchRig()
    let call = rig.find("show wea")
    #expect(rig.search.deadline == rig.now.advanced(byMilliseconds: 300))
    rig.pass(milliseconds: 299)
    #expect(rig.answers(call).isEmpty)
    rig.pass(milliseconds: 1)
    #expect(rig.ids(call) == [])
    #expect(rig.search.deadline == nil)
    rig.answer(weather, to: 1)
    #expect(rig.answers(call).count == 1)
  }

  @Test func `in a locked session nothing is found and nothing is done`() {
    var rig = SearchRig()
    let before = rig.find("show wea")
    rig.search.isLocked = true
    rig.answer(weather)
    #expect(rig.ids(before) == [])
    let call = rig.find("show wea")
    #expect(rig.ids(call) == [])
    let metas = rig.call(
      SearchRig.shell, "GetResultMetas", [.strings(["show weather in Beijing\nen"])])
    #expect(rig.answers(metas) == [.reply(metas, [.array([], of: "a{sv}")])])
    rig.call(SearchRig.runner, "Run", [.string("show weather in Beijing\nen"), .string("")])
    rig.call(SearchRig.application, "Activate", [.dictionary([:])])
    let opened = rig.call(
      SearchRig.application, "Open", [.strings(["weather://city/Rome"]), .dictionary([:])])
    guard
      case .refuse(opened, "org.freedesktop.DBus.Error.AccessDenied", _)? =
        rig.answers(opened).first
    else {
      Issue.record("not refused: \(rig.answers(opened))")
      return
    }
    rig.call(SearchRig.runner, "SetActivationToken", [.string("token-1")])
    #expect(rig.search.isIdle)
    #expect(rig.requests.count == 1)
    #expect(!rig.outputs.contains(.openPage(activationToken: nil)))
    rig.search.isLocked = false
    _ = rig.find("show wea")
    #expect(rig.requests.count == 2)
  }

  @Test func `a caller that dies leaves nothing behind`() {
    var rig = SearchRig()
    let call = rig.find("show wea")
    rig.answer(weather)
    let pending = rig.find("show weat")
    #expect(!rig.search.isIdle)
    rig.search.callerLeft(":1.7")
    #expect(rig.search.isIdle && rig.search.deadline == nil)
    let opened = rig.call(SearchRig.application, "Open", [.strings(["a:b"]), .dictionary([:])])
    rig.search.callerLeft(":1.7")
    rig.answer(["intent": [:]])
    #expect(rig.answers(opened).isEmpty && rig.search.isIdle)
    #expect(rig.answers(call).count == 1 && rig.answers(pending).isEmpty)
  }

  @Test func `a thousand callers leave no more than the last ones`() {
    var rig = SearchRig()
    for number in 0..<1_000 {
      _ = rig.find("show wea", from: ":1.\(number)")
      rig.answer(weather)
      rig.outputs = []
    }
    for number in (1_000 - DesktopLimits.callerCountMax)..<1_000 {
      #expect(!rig.search.isIdle)
      rig.search.callerLeft(":1.\(number)")
    }
    #expect(rig.search.isIdle)
  }

  @Test func `a core that is gone, and a bus that is gone, leave no call unanswered`() {
    var rig = SearchRig()
    let call = rig.find("show wea")
    let open = rig.call(SearchRig.application, "Open", [.strings(["a:b"]), .dictionary([:])])
    rig.search.lostCore(into: &rig.outputs)
    #expect(rig.ids(call) == [])
    guard case .refuse? = rig.answers(open).first else {
      Issue.record("the URL counts as opened")
      return
    }
    _ = rig.find("show wea")
    rig.search.lostBus()
    #expect(rig.search.isIdle)
  }

  // MARK: - Choosing

  @Test func `choosing sends the sentence once, and tells the answer once`() throws {
    var rig = SearchRig()
    let call = rig.call(
      SearchRig.shell, "ActivateResult",
      [.string("show weather in Beijing\nen"), .strings(["show", "wea"]), .uint32(7)])
    #expect(rig.answers(call) == [.reply(call, [])])
    #expect(rig.requests.map { $0["method"] } == ["intent.send"])
    #expect(
      rig.requests.first?["params"] == [
        "text": "show weather in Beijing", "languages": ["en"], "wait": true, "strict": true,
        "source": "search",
      ])
    rig.answer([
      "intent": ["name": "ShowWeather", "parameters": ["city": "Beijing"]],
      "entry": ["content": ["title": "Beijing", "text": "3° <clear> & cold", "symbol": "sun.max"]],
    ])
    rig.answer([:], to: 1)
    rig.pass(milliseconds: 100_000)
    let notice = try #require(rig.notices.first)
    #expect(rig.notices.count == 1 && rig.requests.count == 1)
    #expect(notice.member == "Notify")
    #expect(notice.arguments.map(\.typeSignature).joined() == "susssasa{sv}i")
    #expect(
      notice.arguments[2...4].map(\.text) == [
        "weather-clear", "Beijing", "3° &lt;clear&gt; &amp; cold",
      ])
  }

  @Test func `a choice answers the question of its sentence`() throws {
    var rig = SearchRig()
    rig.call(
      SearchRig.runner, "Run", [.string("show weather\nen\n\"Rome\""), .string("")], from: ":1.9")
    #expect(rig.requests.last?["params"]?["text"] == "show weather")
    rig.answer(["needs": ["prompt": "Which city?", "token": "4711-1"]])
    #expect(
      rig.requests.last?["params"] == ["resume": "4711-1", "choice": "Rome", "wait": true])
    // Another question is told, and not answered.
    rig.answer(["needs": ["prompt": "Which Rome?", "token": "4711-2"]])
    #expect(rig.requests.count == 2)
    #expect(rig.notices.first?.arguments[4] == .string("Which Rome?"))
    #expect(rig.search.isIdle)
  }

  @Test func `a sentence that wants a yes is one result, which says yes`() throws {
    var rig = SearchRig()
    let call = rig.find("delete every")
    rig.answer([
      "completions": [
        [
          "sentence": "delete everything", "language": "en",
          "needs": ["reason": "confirmation", "prompt": "Delete 7 notes?"],
        ]
      ]
    ])
    let id = try #require(rig.ids(call)?.first)
    #expect(id == "delete everything\nen\ntrue")
    rig.call(SearchRig.shell, "ActivateResult", [.string(id), .strings([]), .uint32(0)])
    rig.answer(["needs": ["reason": "confirmation", "token": "t"]])
    #expect(rig.requests.last?["params"] == ["resume": "t", "choice": true, "wait": true])
  }

  @Test func `what was found before a restart can still be chosen`() throws {
    var rig = SearchRig()
    let ids = ["show weather\nen\n\"Rome\"", "show agenda\nen", "show agenda", "\n", ""]
    let metas = rig.call(SearchRig.shell, "GetResultMetas", [.strings(ids)])
    guard case .reply(_, let values)? = rig.answers(metas).first, let list = values.first?.elements
    else {
      Issue.record("no metas")
      return
    }
    #expect(
      list.map { $0["name"]?.text } == ["show weather: Rome", "show agenda", "show agenda"])
    rig.call(SearchRig.runner, "Run", [.string("show agenda"), .string("")])
    #expect(rig.requests.last?["params"]?["languages"] == ["en", "zh-CN"])
  }

  @Test func `an id that is no result does nothing`() {
    var rig = SearchRig()
    let long = String(repeating: "x", count: DesktopLimits.queryLengthMax + 1)
    for id in [
      "", " \nen", long, "a\nen\n{}", "a\nen\nnull", "a\nen\n[", "a\nen\n1\n2", "a\ne n",
      "a\nen\n\"\(String(repeating: "x", count: 9_000))\"",
    ] {
      let call = rig.call(SearchRig.runner, "Run", [.string(id), .string("")])
      #expect(rig.answers(call) == [.reply(call, [])])
    }
    #expect(rig.requests.isEmpty)
  }

  @Test func `a token of the compositor goes with the next act only`() {
    var rig = SearchRig()
    rig.call(SearchRig.runner, "SetActivationToken", [.string("token-1")])
    for _ in 0..<2 {
      rig.call(SearchRig.runner, "Run", [.string("show agenda\nen"), .string("")])
    }
    #expect(rig.requests.map { $0["params"]?["activationToken"] } == ["token-1", nil])
    rig.call(SearchRig.runner, "SetActivationToken", [.string("no token\n")])
    rig.call(SearchRig.runner, "Run", [.string("show agenda\nen"), .string("")])
    #expect(rig.requests.last?["params"]?["activationToken"] == nil)
    var late: [DesktopSearch.Output] = []
    rig.search.passed(at: rig.now.advanced(byMilliseconds: 3_600_000), into: &late)
    #expect(rig.search.isIdle)
  }

  // MARK: - The application

  @Test func `opening does what the protocol does, for each URL`() throws {
    var rig = SearchRig()
    let call = rig.call(
      SearchRig.application, "Open",
      [
        .strings(["weather://city/Rome", "nonsense:"]),
        .dictionary(["activation-token": .string("token-1")]),
      ])
    #expect(rig.requests.map { $0["method"] } == ["url.open", "url.open"])
    #expect(
      rig.requests.first?["params"]
        == ["url": "weather://city/Rome", "activationToken": "token-1"])
    rig.answer(["intent": [:]], to: 1)
    #expect(rig.answers(call).isEmpty)
    rig.answer(["code": -32001, "message": "nothing opens this"], as: "error", to: 2)
    #expect(
      rig.answers(call) == [
        .refuse(
          call, name: "org.freedesktop.DBus.Error.Failed", message: "nothing opens this")
      ])
    let many = Array(repeating: "a:b", count: 17)
    let flood = rig.call(SearchRig.application, "Open", [.strings(many), .dictionary([:])])
    guard case .refuse(_, let name, _)? = rig.answers(flood).first else {
      Issue.record("17 URLs are opened")
      return
    }
    #expect(name == "org.freedesktop.DBus.Error.LimitsExceeded")
  }

  @Test func `activating opens the page`() {
    var rig = SearchRig()
    rig.call(
      SearchRig.application, "Activate",
      [.dictionary(["desktop-startup-id": .string("token-2")])])
    rig.call(SearchRig.shell, "LaunchSearch", [.strings(["show"]), .uint32(1)])
    #expect(
      rig.outputs.filter { if case .openPage = $0 { true } else { false } }
        == [.openPage(activationToken: "token-2"), .openPage(activationToken: nil)])
  }

  // MARK: - Calls that are wrong

  @Test func `other objects, interfaces, methods and types are refused`() {
    var rig = SearchRig()
    let calls = [
      rig.call(SearchRig.runner, "Match", [.string("a")], path: "/org/intentd/Daemon/x"),
      rig.call("org.example.Other", "Match", [.string("a")]),
      rig.call(SearchRig.runner, "GetInitialResultSet", [.strings(["a"])]),
      rig.call(SearchRig.runner, "Match", [.strings(["a"])]),
      rig.call(SearchRig.runner, "Match", []),
      rig.call(
        SearchRig.application, "ActivateAction",
        [.string("quit"), .array([], of: "v"), .dictionary([:])]),
    ]
    let names = calls.map { call -> String in
      guard case .refuse(_, let name, _)? = rig.answers(call).first else { return "" }
      return String(name.split(separator: ".").last ?? "")
    }
    #expect(
      names == [
        "UnknownObject", "UnknownInterface", "UnknownMethod", "InvalidArgs", "InvalidArgs",
        "InvalidArgs",
      ])
    #expect(rig.requests.isEmpty)
  }

  @Test func `the description names every method with its types`() {
    let xml = DesktopSearch.introspection(of: DesktopSearch.path)
    #expect(
      xml.contains(
        """
        <method name="GetSubsearchResultSet"><arg type="as" direction="in"/>\
        <arg type="as" direction="in"/><arg type="as" direction="out"/></method>
        """))
    #expect(
      xml.contains(
        """
        <method name="ActivateAction"><arg type="s" direction="in"/><arg type="av" direction="in"/>\
        <arg type="a{sv}" direction="in"/></method>
        """))
    #expect(DesktopSearch.introspection(of: "/") == "<node></node>")
  }
}
