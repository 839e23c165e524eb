import DaemonCore
import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Makes the clients' requests: most are sensible, some are nonsense.
extension RandomWorld {
  /// A request of a random method that suits the client, now and then in a batch.
  func request(_ slot: Int) -> Line {
    guard randomness.chance(6) else { return single(slot) }
    // A surface that attaches inside a batch is told of changes before it is told what there is:
    // its own doing.
    var parts: [Line] = []
    // Now and then a batch is more than a client's share of a turn.
    let isLong = span == nil && randomness.chance(10)
    let count = isLong ? randomness.between(20, 60) : randomness.between(1, 6)
    for _ in 0..<count {
      let part = single(slot)
      if !part.expectations.contains(where: { $0.method.hasPrefix("surface.") }) {
        parts.append(part)
      }
    }
    guard !parts.isEmpty else { return single(slot) }
    var bytes: [UInt8] = [UInt8(ascii: "[")]
    for (index, part) in parts.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: part.bytes.dropLast())
    }
    bytes += [UInt8(ascii: "]"), UInt8(ascii: "\n")]
    return Line(bytes: bytes, expectations: parts.flatMap(\.expectations))
  }

  private func single(_ slot: Int) -> Line {
    let (method, params, claim) = call(slot)
    return request(slot, method, params, claim)
  }

  /// The methods by which a client keeps widgets watched for an hour.
  private static let readingMethods: Set<String> = [
    "stack.order", "stack.explain", "widget.list", "widget.openMenu", "widget.timeline",
  ]

  func request(
    _ slot: Int, _ method: String, _ params: JSONObject, _ claim: Ledger.Claim = .nothing
  ) -> Line {
    if Self.readingMethods.contains(method) {
      lastReadingAt = monotonic
    }
    clients[slot].lastRequest += 1
    let number = clients[slot].lastRequest
    var bytes: [UInt8] = []
    let isFollowed =
      method.hasPrefix("surface.") || method == "app.register" || params["reload"] != nil
    // A push without an answer is one whose end nobody learns.
    if claim == .nothing, !isFollowed, randomness.chance(4), !PushLedger.follows(method) {
      appendNotification(method: method, params: .object(params), to: &bytes)
      return Line(bytes: bytes)
    }
    let id: RequestID = number % 3 == 0 ? .string("r\(number)") : .integer(Int64(number))
    appendRequest(id: id, method: method, params: .object(params), to: &bytes)
    return Line(
      bytes: bytes,
      expectations: [Expectation(id: id, method: method, claim: claim, params: params)])
  }

  /// A household fills the places that are empty before it does anything else.
  private func furnishing(_ slot: Int) -> (String, JSONObject, Ledger.Claim)? {
    guard span != nil, clients[slot].role == .operatorTool || clients[slot].role == .shell,
      let count = process?.daemon.lendEngine({ engine in
        engine.widgets.values.count { !$0.isSuggestion }
      }), count < widgetCount
    else { return nil }
    return addition()
  }

  private func call(_ slot: Int) -> (String, JSONObject, Ledger.Claim) {
    if let furnishing = furnishing(slot) { return furnishing }
    let wait = JSONValue.bool(randomness.chance(40))
    var method = randomness.pick(weighted: Self.weights[clients[slot].role] ?? [])
    // Requests that a household makes rarely, or that take long, are made rarely.
    if span != nil, let rare = method, Self.rareMethods.contains(rare), randomness.chance(95) {
      method = .daemonPing
    }
    switch method {
    case .intentSend:
      if let again = retry(slot) { return again }
      let tag = nextTag()
      var params: JSONObject = ["wait": wait, "source": .string(tag)]
      if randomness.chance(15) { return ring(slot, tag, wait: wait) }
      let city = city()
      switch randomness.below(5) {
      case 0: params["text"] = .string("show weather for \(city)")
      case 1: params["text"] = .string("show the note number \(randomness.below(4))")
      case 2:
        params["intent"] = "ShowWeather"
        params["parameters"] = ["city": .string(city)]
      case 3: params["url"] = .string("weather://city/\(city)")
      default: params["text"] = "what nobody understands"
      }
      if usesKeys(slot), randomness.chance(50) { params["idempotencyKey"] = .string(tag) }
      return ("intent.send", params, .donation(tag: tag))
    case .urlOpen:
      let urls = [
        "weather://city/\(city())", "note://hello", "javascript:alert(1)", "x", "weather:",
        "intentd://x-callback-url/ShowWeather?city=\(city())&x-success=sim:ok&x-error=sim:no",
        "intentd://x-callback-url/ShowNote?text=a&x-success=sim:ok&x-cancel=sim:stopped",
        "swiftbar://refreshallplugins", "swiftbar://addplugin?src=x",
      ]
      var params: JSONObject = ["url": .string(randomness.pick(urls)), "wait": wait]
      if randomness.chance(70) { params["app"] = "org.example.Simulated" }
      return ("url.open", params, .nothing)
    case .intentRecognize:
      return ("intent.recognize", ["text": .string("weather in \(city())")], .nothing)
    case .intentComplete:
      var params = languageParameters()
      let texts = ["weather in ", "show", "show the note number ", "x"]
      params["text"] = .string(randomness.pick(texts))
      if randomness.chance(50) { params["content"] = true }
      return ("intent.complete", params, .nothing)
    case .intentDonate:
      let tag = nextTag()
      return (
        "intent.donate",
        [
          "intent": "ShowWeather", "parameters": ["city": .string(city())], "source": .string(tag),
        ], .donation(tag: tag)
      )
    case .intentList: return ("intent.list", languageParameters(), .nothing)
    case .intentSetList:
      let values = (0..<randomness.between(0, 5)).map { _ in city() }
      return (
        "intent.setList", ["name": "cities", "values": .array(values.map { .string($0) })],
        .list(name: "cities", values: values)
      )
    case .donationForget:
      forgetAskedAt = monotonic
      return ("donation.forget", ["all": true], .forgotten)
    case .galleryList:
      return (
        "gallery.list", randomness.chance(60) ? gallery() : languageParameters(), .nothing
      )
    case .imageGet:
      // Those of `FakeProvider`, the second one only as long as some content names it.
      let hashes = [
        "sha256-8eb2014c578312ac428e6b9af1ec64a45798a5a2a1657b9b4684645f918efd92",
        "sha256-f74e9447755b321a9e5f3a9948b162a4f4757c2eed03841100be95729dded151",
        "sha256-0",
      ]
      return ("image.get", ["hash": .string(randomness.pick(hashes))], .nothing)
    case .widgetList: return ("widget.list", languageParameters(), .nothing)
    case .widgetAdd: return addition()
    case .widgetConfigure:
      let id = knownID()
      if randomness.chance(25) {
        return (
          "widget.configure", ["id": .string(id), "reload": .object(ownRules())],
          .widget(id: id, exists: true, value: nil)
        )
      }
      if randomness.chance(20) {
        return (
          "widget.configure", ["id": .string(id), "family": "systemMedium"],
          .widget(id: id, exists: true, value: nil)
        )
      }
      let city = city()
      return (
        "widget.configure", ["id": .string(id), "parameters": ["city": .string(city)]],
        .widget(id: id, exists: true, value: city)
      )
    case .widgetSetMode:
      var params: JSONObject = [
        "id": .string(widgetID()), "mode": randomness.pick(["expanded", "expanded", "compact"]),
        "wait": wait,
      ]
      switch randomness.below(4) {
      case 0: break
      case 1 where clients[slot].role == .surface:
        params["surface"] = .string("s\(randomness.below(9))")
      default: params["name"] = .string(randomness.pick(Self.surfaceNames))
      }
      return ("widget.setMode", params, .nothing)
    case .widgetRemove:
      let id = knownID()
      let named: JSONObject = randomness.chance(70) ? ["id": .string(id)] : ["ids": [.string(id)]]
      return ("widget.remove", named, .widget(id: id, exists: false, value: nil))
    case .widgetRestore: return ("widget.restore", [:], .restored)
    case .widgetReload:
      return randomness.chance(60)
        ? ("widget.reload", ["id": .string(widgetID()), "wait": wait], .nothing)
        : ("widget.reload", ["kind": .string(kind()), "wait": wait], .nothing)
    case .widgetReloadAll: return ("widget.reloadAll", ["wait": wait], .nothing)
    case .widgetSignal:
      return (
        "widget.signal",
        [
          "signal": .int(randomness.chance(80) ? Scenario.signal : randomness.between(1, 30)),
          "wait": wait,
        ], .nothing
      )
    case .widgetPush:
      let timeline = FakeProvider.pushed(at: now.wall, tag: nextTag(), &randomness)
      return ("widget.push", ["id": .string(widgetID()), "timeline": timeline], .nothing)
    case .widgetReceipt:
      let number = randomness.between(1, max(2, Int64(ledger.receipts.count) + 3))
      return ("widget.receipt", ["id": .string("r\(number)"), "wait": wait], .nothing)
    case .widgetTimeline: return ("widget.timeline", ["id": .string(widgetID())], .nothing)
    case .widgetBudget: return ("widget.budget", ["id": .string(widgetID())], .nothing)
    case .widgetTap:
      var params: JSONObject = ["id": .string(widgetID())]
      if randomness.chance(50) { params["item"] = .int(randomness.between(0, 4)) }
      if randomness.chance(10) { params["item"] = [.int(randomness.between(0, 2)), 0] }
      if randomness.chance(10) { params["button"] = .int(randomness.between(1, 9)) }
      if randomness.chance(10) { params["revision"] = .int(randomness.between(0, 2)) }
      return ("widget.tap", params, .nothing)
    case .widgetOpenMenu: return ("widget.openMenu", ["id": .string(widgetID())], .nothing)
    case .donationSetPrivate: return ("donation.setPrivate", ["on": false], .nothing)
    case .stackReplay: return ("stack.replay", ["limit": 3], .nothing)
    case .stackOrder:
      return ("stack.order", randomness.chance(50) ? [:] : ["limit": 2], .nothing)
    case .stackExplain: return ("stack.explain", [:], .nothing)
    case .stackDismiss:
      let id = randomness.chance(30) ? "suggestion:org.sim.Weather" : widgetID()
      return ("stack.dismiss", ["id": .string(id)], .nothing)
    case .surfaceAttach:
      return ("surface.attach", attachment(), .nothing)
    case .surfaceVisibility:
      return ("surface.visibility", ["visible": .bool(randomness.chance(50))], .nothing)
    case .surfaceDetach: return ("surface.detach", [:], .nothing)
    case .surfaceRotate:
      return ("surface.rotate", ["by": .int(randomness.between(-2, 3))], .nothing)
    case .appRegister:
      return ("app.register", ["app": .string(randomness.pick(Scenario.apps))], .nothing)
    case .appState:
      return ("app.state", ["state": randomness.pick(["foreground", "background"])], .nothing)
    case .daemonPing: return ("daemon.ping", [:], .nothing)
    case .daemonStatus: return ("daemon.status", [:], .nothing)
    case .daemonMetrics: return ("daemon.metrics", [:], .nothing)
    case .daemonHistory:
      return ("daemon.history", ["limit": .int(randomness.between(1, 60))], .nothing)
    case .daemonReloadConfiguration: return ("daemon.reloadConfiguration", [:], .nothing)
    case nil: return ("widget.refresh", ["id": 7], .nothing)
    }
  }

  /// An intent that a program performs; its parameter tells each apart, and no program may get one
  /// twice.
  private func ring(
    _ slot: Int, _ tag: String, wait: JSONValue
  ) -> (String, JSONObject, Ledger.Claim) {
    var params: JSONObject = [
      "intent": "Ring", "parameters": ["bell": .string(tag)], "wait": wait,
    ]
    if usesKeys(slot), randomness.chance(70) { params["idempotencyKey"] = .string(tag) }
    return ("intent.send", params, .nothing)
  }

  /// The weights of methods by the client's role; `nil` stands for an unknown method.
  private static let weights: [FakeClient.Role: [(weight: Int, item: Method?)]] = [
    .shell: [
      (10, .intentSend), (3, .urlOpen), (2, .intentRecognize), (2, .intentComplete),
      (6, .widgetAdd), (3, .widgetRemove),
      (4, .widgetConfigure), (5, .widgetReload), (2, .widgetReloadAll), (3, .widgetReceipt),
      (2, .widgetRestore), (3, .widgetTap), (2, .stackExplain), (2, .stackDismiss),
      (2, .widgetSignal), (3, .widgetSetMode), (1, .daemonPing), (1, nil),
    ],
    .surface: [
      (3, .surfaceVisibility), (1, .surfaceAttach), (5, .widgetSetMode), (8, .widgetTap),
      (4, .widgetOpenMenu),
      (3, .stackOrder),
      (2, .stackDismiss), (2, .widgetList), (2, .widgetTimeline), (1, .daemonPing),
    ],
    .host: [
      (8, .widgetReload), (4, .widgetReloadAll), (4, .appState), (2, .appRegister),
      (4, .widgetConfigure),
      (6, .intentDonate), (2, .intentSetList), (4, .widgetPush), (2, .widgetList),
      (3, .widgetReceipt),
    ],
    .producer: [
      (10, .widgetPush), (2, .widgetAdd), (2, .widgetTimeline), (2, .widgetBudget),
      (2, .widgetConfigure),
    ],
    .operatorTool: [
      (3, .daemonStatus), (2, .daemonMetrics), (3, .daemonHistory),
      (2, .daemonReloadConfiguration),
      (2, .widgetBudget), (3, .galleryList), (2, .intentList), (1, .donationForget),
      (3, .widgetAdd),
      (3, .widgetRemove), (2, .widgetList), (1, nil),
    ],
  ]

  /// Returns the parameters of a look at the gallery: mostly with previews.
  private func gallery() -> JSONObject {
    guard randomness.chance(80) else { return [:] }
    var params: JSONObject = ["previews": true]
    if randomness.chance(30) { params["kind"] = .string(kind()) }
    if randomness.chance(30) {
      params["family"] = randomness.pick(["systemSmall", "systemMedium", "accessoryInline"])
    }
    if randomness.chance(50) { params["language"] = randomness.pick(["en", "zh-Hans", "no name"]) }
    return params
  }

  private func addition() -> (String, JSONObject, Ledger.Claim) {
    let kind = kind()
    var params: JSONObject = ["kind": .string(kind)]
    var value: String?
    if let parameter = Scenario.parameterOfKind[kind], randomness.chance(95) {
      let text = parameter == "city" ? city() : "note \(randomness.below(4))"
      params["parameters"] = .object(.init([.init(key: parameter, value: .string(text))]))
      value = text
    }
    if randomness.chance(50) {
      params["family"] = .string(randomness.pick(Scenario.familiesOfKind[kind] ?? ["systemSmall"]))
    }
    // A household always gives an id: a widget without one would be a new widget each time.
    guard span != nil || randomness.chance(85) else { return ("widget.add", params, .nothing) }
    let id = "w\(randomness.below(widgetCount))"
    params["id"] = .string(id)
    return ("widget.add", params, .widget(id: id, exists: true, value: value))
  }

  /// Returns the parameters of a surface that attaches: the widgets it shows and, in some worlds,
  /// its properties.
  func attachment() -> JSONObject {
    var params: JSONObject = [
      "stack": .bool(randomness.chance(40)), "visible": .bool(randomness.chance(80)),
      "families": randomness.chance(30) ? ["systemSmall", "systemMedium"] : .null,
    ]
    if randomness.chance(50) { params["name"] = .string(randomness.pick(Self.surfaceNames)) }
    if randomness.chance(50) { addModes(to: &params) }
    if randomness.chance(30) {
      params["wants"] = randomness.pick([
        [], ["items"], ["view"], ["items", "images", "motion"],
        ["items", "images", "motion", "view"],
      ])
    }
    guard isActive(.changingSurroundings) else { return params }
    switch randomness.below(4) {
    case 0: params["locale"] = randomness.pick(["en_US", "de_DE", "zh-Hans", "not a locale"])
    case 1: params["textSize"] = randomness.pick(["small", "large", "accessibility3", "huge"])
    case 2: params["profile"] = randomness.pick(["phone", "desktop", "bar"])
    default:
      params["displaySizes"] = [
        "systemSmall": ["width": .int(randomness.between(100, 103)), "height": 100]
      ]
    }
    return params
  }

  private static let surfaceNames = ["page", "bar", "DP-1"]

  /// Adds room for modes: sizes, the place on a phone, or nonsense.
  private func addModes(to params: inout JSONObject) {
    func size(_ heights: ClosedRange<Int64>) -> JSONValue {
      [
        "width": .int(randomness.pick([300, 359])),
        "height": .int(randomness.between(heights.lowerBound, heights.upperBound)),
      ]
    }
    switch randomness.below(6) {
    case 0: params["modes"] = ["compact": size(90...110)]
    case 1: params["modes"] = ["expanded": size(300...302)]
    case 2: params["modes"] = ["compact": size(90...140), "expanded": size(140...400)]
    case 3:
      params["entryPoint"] = randomness.pick(["today", "notifications", "icon"])
      params["orientation"] = randomness.pick(["portrait", "landscape"])
    case 4:
      params["screen"] = randomness.pick(["4.7in", "5.5in"])
      params["widgetModes"] = .object(
        JSONObject([.init(key: knownID(), value: ["expanded": size(200...202)])]))
    default: params["modes"] = randomness.pick([[:], ["huge": size(1...2)], ["compact": 7]])
    }
  }

  /// Reload rules of one widget's own; none of them now and then, or nonsense.
  private func ownRules() -> JSONObject {
    switch randomness.below(6) {
    case 0: [:]
    case 1: ["perDay": .int(randomness.between(1, 200))]
    case 2: ["perDay": "10-20", "learning": "1h"]
    case 3: ["minimumInterval": randomness.pick(["1s", "1m", "2h"]), "unchangedIsFree": true]
    case 4: ["activeHours": randomness.pick(["always", "22-6", "0-12"])]
    default: ["perDay": "often"]
    }
  }

  private static let rareMethods: Set<Method> = [
    .donationForget, .daemonHistory, .daemonMetrics, .stackExplain, .widgetReloadAll,
    .daemonReloadConfiguration,
  ]

  private func city() -> String {
    randomness.chance(90) ? randomness.pick(Scenario.cities) : "Atlantis"
  }

  private func kind() -> String {
    randomness.chance(96)
      ? randomness.pick(Scenario.kindNames)
      : randomness.pick([Scenario.clockNames[1], "org.sim.Nothing"])
  }

  /// Returns an id that the client chooses, so that the widget can be followed even without an
  /// answer.
  private func knownID() -> String { "w\(randomness.below(widgetCount))" }

  private func widgetID() -> String {
    randomness.chance(90) ? knownID() : randomness.pick(["clock", "fast", "radar-2", "nobody"])
  }

  /// Whether the client gives its requests keys: a shell, while the clocks go right, by which keys
  /// are forgotten.
  private func usesKeys(_ slot: Int) -> Bool {
    let clocks: Set<Fault> = [.clockForwards, .clockBackwards, .suspends]
    return clients[slot].role == .shell && clocks.isDisjoint(with: faults)
  }

  /// Sends a request again of which nobody knows what became; it takes effect once.
  private func retry(_ slot: Int) -> (String, JSONObject, Ledger.Claim)? {
    // A key is remembered for an hour.
    retries.removeAll { again in
      monotonic.milliseconds(since: again.sentAt) > 1_800_000
        || forgetAskedAt.map { again.sentAt <= $0 } ?? false
    }
    guard clients[slot].role == .shell, !retries.isEmpty, randomness.chance(50) else { return nil }
    let again = retries.removeFirst()
    return ("intent.send", again.params, again.claim)
  }

  private func nextTag() -> String {
    lastTag += 1
    return "tag \(lastTag)"
  }
}
