import JSON
import Plugins
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// Tests what a tap does: the path to an item, buttons, the revision that was seen, programs.
@Suite struct TapActionTests {
  private static let kinds = [
    plugin("menu", .xbar), plugin("block", .i3blocks),
    plugin("volume", .polybar, clicks: [.right: ["pavucontrol"], .scrollUp: ["./up", "1 2"]]),
    plugin("bar", .waybar, clicks: [.left: ["./toggle"]]),
    plugin("turns", .waybar, clicks: [.right: ["./menu"]], turns: .left),
    plugin("turns-3", .waybar, clicks: [.right: ["./menu"]], turns: .right),
    WidgetKind(
      kind: "plain", name: "plain", families: [.systemSmall],
      provider: ProviderDeclaration(exec: ["./plain"]), url: "https://plain.example/"),
  ]

  private static func plugin(
    _ kind: String, _ format: PluginFormat, clicks: [PluginButton: [String]] = [:],
    turns: PluginButton? = nil
  ) -> WidgetKind {
    var provider = ProviderDeclaration(exec: ["./\(kind)"], directory: "/widgets")
    provider.plugin = PluginDeclaration(format, .once)
    provider.plugin?.clicks = clicks
    if let turns {
      var look = PluginLook()
      look.alternate = "other {text}"
      look.alternateButton = turns
      provider.plugin?.look = look
    }
    return WidgetKind(kind: kind, name: kind, families: [.systemSmall], provider: provider)
  }

  /// Collects the programs that are started, as lists of words.
  private final class Started {
    var commands: [[String]] = []

    func launch(_ request: LaunchRequest) -> LaunchOutcome {
      guard case .command(let command) = request.target else {
        return .started(application: "browser.desktop")
      }
      commands.append(command.exec)
      return .started(application: command.exec[0], processID: 7)
    }
  }

  private static func harness(
    stored: StoredState = StoredState(), at wall: WallTime = WallTime(seconds: 1_795_161_600)
  ) -> Harness {
    var harness = Harness(stored: stored, at: wall)
    harness.measure { daemon in
      var output = EngineOutput()
      daemon.engine.setKinds(kinds, at: wall, into: &output)
    }
    return harness
  }

  private func world() throws -> (Harness, ConnectionID) {
    var harness = Self.harness()
    let client = harness.connect()
    for kind in ["menu", "block", "volume", "bar", "plain"] {
      try harness.call("widget.add", ["kind": .string(kind), "id": .string(kind)], from: client)
    }
    return (harness, client)
  }

  private func push(
    _ content: String, _ id: String, _ harness: inout Harness, _ client: ConnectionID
  ) throws -> JSONValue {
    try harness.call(
      "widget.push",
      ["id": .string(id), "timeline": try JSONValue(parsing: Harness.timeline(content))],
      from: client)
  }

  private static let menu = """
    CPU | bash=/bin/top param1=-d terminal=true
    ---
    Web | href=https://example.org/
    Tools
    --Kill | bash=/bin/kill param1=1 terminal=false refresh=true
    --Again | refresh=true
    Off | disabled=true bash=/bin/off
    Plain | bash=/bin/plain terminal=false
    Other | alternate=true bash=/bin/other terminal=false

    """

  @Test func `a tap on what has no action says where the items are`() throws {
    var (harness, client) = try world()
    try harness.printed("menu", "CPU\n---\nTop | bash=/bin/top\n")
    let refusal = try harness.call("widget.tap", ["id": "menu"], from: client)
    #expect(refusal["data"]?["name"] == "nothingToOpen")
    #expect(refusal["message"]?.stringValue?.contains("intent-send tap menu --item 0") == true)
  }

  @Test func `an item is found by its path, and does what it says`() throws {
    var (harness, client) = try world()
    try harness.printed("menu", Self.menu)
    harness.launcher = Started().launch
    func tap(_ params: JSONObject) throws -> String {
      var all: JSONObject = ["id": "menu"]
      all.members += params.members
      return try harness.call("widget.tap", .object(all), from: client).serialized
    }
    #expect(
      try tap([:]) == #"{"opened":"program","pid":7,"program":"/bin/top"}"#, "the title")
    #expect(
      try tap(["item": 0])
        == #"{"opened":"desktop","application":"browser.desktop","url":"https://example.org/"}"#)
    #expect(
      try tap(["item": [1, 0]]) == #"{"opened":"program","pid":7,"program":"/bin/kill"}"#)
    #expect(try tap(["item": [1, 1]]) == #"{"opened":"nothing"}"#)
    #expect(harness.running.map(\.kind).contains("menu"), "it is asked again")
    #expect(
      try tap(["item": [3], "modifiers": ["alt"]])
        == #"{"opened":"program","pid":7,"program":"/bin/other"}"#)
    func refused(_ params: JSONObject) throws -> String {
      var all: JSONObject = ["id": "menu"]
      all.members += params.members
      return try harness.refusal("widget.tap", .object(all), from: client)
    }
    #expect(try refused(["item": 2]) == "-32030 nothingToOpen", "it is disabled")
    #expect(try refused(["button": 3]) == "-32030 nothingToOpen")
    let wrong: [JSONObject] = [
      ["item": 9], ["item": [1, 7]], ["item": []], ["item": [0, "a"]], ["item": [1, 1, 0]],
      ["button": 0], ["button": 10], ["modifiers": ["hyper"]], ["modifiers": "shift"],
      ["position": ["z": 1]], ["position": ["x": 1.5]], ["revision": -1],
    ]
    for params in wrong { #expect(try refused(params) == "-32602", "\(params)") }
  }

  @Test func `a terminal is asked for where the output says so`() throws {
    var (harness, client) = try world()
    try harness.printed("menu", Self.menu)
    harness.send(
      #"{"jsonrpc":"2.0","id":1,"method":"widget.tap","params":{"id":"menu"}}"#, to: client)
    guard case .command(let command) = try #require(harness.launches.last).request.target else {
      Issue.record("no program is started")
      return
    }
    #expect(command.exec == ["/bin/top", "-d"])
    #expect(command.isInTerminal)
    #expect(command.provider.exec == ["./menu"])
  }

  @Test func `the widget is asked again when the program has ended, not before`() throws {
    var (harness, client) = try world()
    try harness.printed("menu", Self.menu)
    let tap =
      #"{"jsonrpc":"2.0","id":1,"method":"widget.tap","params":{"id":"menu","item":[1,0]}}"#
    harness.send(tap, to: client)
    let token = try #require(harness.launches.last).token
    try harness.launched(.started(application: "/bin/kill", processID: 8))
    #expect(!harness.running.contains { $0.kind == "menu" })
    harness.handle(.commandEnded(token))
    #expect(harness.running.contains { $0.kind == "menu" })
    harness.handle(.commandEnded(token))
    #expect(harness.running.count { $0.kind == "menu" } == 1, "a second end changes nothing")
  }

  @Test func `the commands of a manifest win, and other buttons do nothing`() throws {
    var (harness, client) = try world()
    try harness.printed("volume", "%{A3:/bin/mine:}50 %%{A}\n")
    try harness.printed("bar", "on\n")
    harness.launcher = Started().launch
    func tap(_ id: String, _ button: Int64) throws -> JSONValue {
      try harness.call("widget.tap", ["id": .string(id), "button": .int(button)], from: client)
    }
    #expect(try tap("volume", 3)["program"] == "pavucontrol")
    #expect(try tap("volume", 4)["program"] == "./up")
    #expect(try tap("volume", 5)["data"]?["name"] == "nothingToOpen")
    #expect(try tap("bar", 1)["program"] == "./toggle")
  }

  @Test func `a click shows the other template of a look, and the next one the first`() throws {
    var (harness, client) = try world()
    for kind in ["turns", "turns-3"] {
      try harness.call("widget.add", ["kind": .string(kind), "id": .string(kind)], from: client)
      try harness.printed(kind, "a")
    }
    harness.launcher = Started().launch
    func title(_ id: String) throws -> JSONValue? {
      let widgets = try harness.call("widget.list", from: client)["widgets"]?.arrayValue ?? []
      return widgets.first { $0["id"]?.stringValue == id }?["entry"]?["content"]?["title"]
    }
    func tap(_ id: String, _ button: Int64) throws -> String {
      try harness.call("widget.tap", ["id": .string(id), "button": .int(button)], from: client)
        .serialized
    }
    #expect(try title("turns") == "a")
    #expect(try tap("turns", 1) == #"{"opened":"nothing"}"#)
    try harness.printed("turns", "b")
    #expect(try title("turns") == "other b")
    // Another button changes nothing of it.
    #expect(try tap("turns", 3) == #"{"opened":"program","pid":7,"program":"./menu"}"#)
    #expect(!harness.running.contains { $0.kind == "turns" })
    #expect(try tap("turns", 1) == #"{"opened":"nothing"}"#)
    try harness.printed("turns", "c")
    #expect(try title("turns") == "c")
    // Beside a program it does not wait for the end of that.
    #expect(try tap("turns-3", 3) == #"{"opened":"program","pid":7,"program":"./menu"}"#)
    try harness.printed("turns-3", "d")
    #expect(try title("turns-3") == "other d")
  }

  @Test func `a click on a block is a run of its own with the variables of the click`() throws {
    var (harness, client) = try world()
    try harness.printed("block", "50 %\n")
    let press: JSONValue = [
      "id": "block", "button": 4, "modifiers": ["alt", "shift"],
      "position": ["x": 1200, "y": 8, "relativeX": 3],
    ]
    #expect(
      try harness.call("widget.tap", press, from: client).serialized == #"{"opened":"nothing"}"#)
    try harness.call("widget.tap", ["id": "block", "button": 5], from: client)
    let first = try #require(harness.running.first { $0.kind == "block" })
    #expect(first.plugin?.reason == .click)
    func told(_ name: String, _ run: ProviderRun) -> String? {
      run.plugin?.variables.last { $0.name == name }?.value
    }
    #expect(told("BLOCK_NAME", first) == "block")
    #expect(told("BLOCK_BUTTON", first) == "4")
    #expect(told("BLOCK_X", first) == "1200")
    #expect(told("relative_x", first) == "3")
    #expect(told("modifiers", first) == "Shift,Mod1")
    // The second click came during the run of the first one.
    try harness.printed("block", "60 %\n")
    let second = try #require(harness.running.first { $0.kind == "block" })
    #expect(told("BLOCK_BUTTON", second) == "5")
    try harness.printed("block", "50 %\n")
    #expect(!harness.running.contains { $0.kind == "block" })
    // A flood is bounded.
    var refusals: Set<String> = []
    for _ in 0..<40 {
      let answer = try harness.call("widget.tap", ["id": "block"], from: client)
      if let name = answer["data"]?["name"]?.stringValue { refusals.insert(name) }
    }
    #expect(refusals == ["limitReached"])
    var runs = 0
    while harness.running.contains(where: { $0.kind == "block" }), runs < 40 {
      try harness.printed("block", "50 %\n")
      runs += 1
    }
    #expect(runs == WidgetCenter.Limits.waitingClickCountMax + 1)
  }

  @Test func `a tap on what is shown no more does nothing`() throws {
    var (harness, client) = try world()
    try harness.printed("menu", Self.menu)
    func revision() throws -> JSONValue {
      let widgets = try harness.call("widget.list", from: client)["widgets"]?.arrayValue ?? []
      return try #require(widgets.first { $0["id"] == "menu" }?["revision"])
    }
    let seen = try revision()
    try harness.call("widget.reload", ["id": "menu"], from: client)
    try harness.printed("menu", "CPU | bash=/bin/rm terminal=false\n")
    let answer = try harness.call("widget.tap", ["id": "menu", "revision": seen], from: client)
    #expect(answer["code"] == -32032)
    #expect(answer["data"]?["name"] == "entryChanged")
    #expect(answer["data"]?["revision"] == (try revision()))
    #expect(harness.launches.isEmpty)
    harness.launcher = { _ in .started(application: "/bin/rm") }
    let again = try harness.call(
      "widget.tap", ["id": "menu", "revision": try revision()], from: client)
    #expect(again["program"] == "/bin/rm")
    #expect(try harness.call("widget.tap", ["id": "menu"], from: client)["program"] == "/bin/rm")
  }

  @Test func `content that a client pushed runs no program, of no kind of widget`() throws {
    var (harness, client) = try world()
    let contents = [
      #"{"title":"a","action":{"exec":["/bin/evil"]}}"#,
      #"{"title":"a","clicks":{"1":{"exec":["/bin/evil"]}}}"#,
      #"{"title":"a","items":[{"text":"b","action":{"exec":["/bin/evil"]}}]}"#,
      #"{"title":"a","printed":true,"action":{"exec":["/bin/evil"]}}"#,
    ]
    try harness.printed("menu", Self.menu)
    let started = Started()
    harness.launcher = started.launch
    for id in ["menu", "plain"] {
      for content in contents {
        // Whether it is refused or shown: nothing of it is run.
        _ = try push(content, id, &harness, client)
        _ = try harness.call("widget.tap", ["id": .string(id)], from: client)
        _ = try harness.call("widget.tap", ["id": .string(id), "item": 0], from: client)
        #expect(!started.commands.contains(["/bin/evil"]), "\(id): \(content)")
      }
    }
    // The answer of a provider that is no plugin runs nothing either.
    try harness.call("widget.reload", ["id": "plain"], from: client)
    if harness.running.contains(where: { $0.kind == "plain" }) {
      try harness.answer("plain", Harness.timeline(contents[0]))
    }
    _ = try harness.call("widget.tap", ["id": "plain"], from: client)
    #expect(!started.commands.contains(["/bin/evil"]))
  }

  @Test func `the programs of clicks are limited in number`() throws {
    var (harness, client) = try world()
    try harness.printed("menu", Self.menu)
    harness.launcher = { _ in .started(application: "/bin/top") }
    var refused = 0
    var started = 0
    for _ in 0..<(Limits.commandsOfKindMax + 10) {
      let answer = try harness.call("widget.tap", ["id": "menu"], from: client)
      if answer["data"]?["name"] == "limitReached" { refused += 1 } else { started += 1 }
    }
    #expect(started == Limits.commandsOfKindMax)
    #expect(refused == 10)
  }

  @Test func `programs that have not started yet count, too`() throws {
    var (harness, client) = try world()
    try harness.printed("menu", Self.menu)
    var asked = 0
    // Nobody says yet that it has started.
    harness.launcher = { _ in
      asked += 1
      return nil
    }
    for _ in 0..<(Limits.commandsOfKindMax + 10) {
      _ = harness.send(
        #"{"jsonrpc":"2.0","id":1,"method":"widget.tap","params":{"id":"menu"}}"#, to: client)
    }
    #expect(asked == Limits.commandsOfKindMax)
  }

  @Test func `a program that cannot be started counts no longer`() throws {
    var (harness, client) = try world()
    try harness.printed("menu", Self.menu)
    harness.launcher = { _ in .failed(reason: "notFound", message: "there is none") }
    for _ in 0..<(Limits.commandsOfKindMax + 10) {
      let answer = try harness.call("widget.tap", ["id": "menu"], from: client)
      #expect(answer["data"]?["name"] != "limitReached")
    }
  }

  @Test func `after a restart only a plugin's own output names programs`() throws {
    var (harness, _) = try world()
    try harness.printed("menu", Self.menu)
    harness.pass(120)
    var next = Self.harness(stored: harness.stored, at: harness.now.wall)
    let reader = next.connect()
    next.launcher = Started().launch
    let answer = try next.call("widget.tap", ["id": "menu"], from: reader)
    #expect(answer["program"] == "/bin/top")
    // Content that no plugin printed, from a store that an earlier version wrote.
    let timelines = harness.stored.tables[.timeline] ?? []
    #expect(timelines.contains { String(decoding: $0.bytes, as: UTF8.self).contains("/bin/top") })
    var state = harness.stored
    state.tables[.timeline] = timelines.map { row in
      let text = String(decoding: row.bytes, as: UTF8.self)
      return .init(key: row.key, bytes: Array(text.replacing(#","printed":true"#, with: "").utf8))
    }
    var other = Self.harness(stored: state, at: harness.now.wall)
    let stranger = other.connect()
    let started = Started()
    other.launcher = started.launch
    #expect(
      try other.refusal("widget.tap", ["id": "menu"], from: stranger) == "-32030 nothingToOpen")
    #expect(
      try other.refusal("widget.tap", ["id": "menu", "item": [1, 0]], from: stranger)
        == "-32030 nothingToOpen")
    #expect(started.commands.isEmpty)
  }
}
