import Glibc
import IntentProtocol
import JSON
import JSONRPC
import Testing
import Timekeeping

@testable import intent_send

/// The exact texts that people read.
///
/// The time is 14:00 on 2026-11-21, two hours east of Greenwich.
struct RenderingTests {
  private let renderer = Renderer(
    style: .plain, now: moment("2026-11-21T12:00:00Z"), zoneOffset: { _ in 7_200 })

  /// The same on a terminal of 80 columns, where advice follows.
  private var onTerminal: Renderer {
    var terminal = renderer
    terminal.columns = 80
    return terminal
  }

  private static func moment(_ text: String) -> WallTime {
    guard let moment = WallTime(rfc3339: text) else { preconditionFailure("no date: \(text)") }
    return moment
  }

  private static let weather: JSONValue = [
    "date": "2026-11-21T12:00:00Z",
    "content": [
      "title": "Beijing", "text": "3° clear", "short": "3°",
      "items": [
        ["text": "22:00  2°", "url": "weather://city/Beijing?hour=22"], ["text": "23:00  1°"],
      ],
    ],
    "url": "weather://city/Beijing",
  ]

  @Test func `an intent shows the identifier that the words of a value hide`() {
    #expect(
      renderer.intent([
        "name": "Open",
        "parameters": [
          "by": 2, "door": ["identifier": "front", "display": "Garage"],
          "at": ["name": "Rome", "latitude": 41.9], "same": ["identifier": "a", "display": "a"],
        ],
      ])
        == #"Open(by: 2, door: "Garage" (identifier: "front"), at: "Rome" (latitude: 41.9), same: "a")"#
    )
  }

  @Test func `the status says what the machine lacks for the supervision of runs`() {
    let gap = "memory that processes share counts for each of them"
    #expect(renderer.status(["supervision": [.string(gap)]]).contains(gap))
  }

  @Test func `the status says which service of the desktop fails`() {
    let services: JSONValue = [
      ["name": "search", "state": "failing", "reason": "the session bus is gone"],
      ["name": "lock", "state": "absent", "reason": "there is no logind"],
      ["name": "power", "state": "connected"],
    ]
    let text = renderer.status(["services": services])
    #expect(text.contains("search of the desktop is not connected: the session bus is gone"))
    #expect(!text.contains("logind") && !text.contains("power"))
  }

  @Test func `the status says that a newer daemon is installed, and how to take it`() {
    #expect(
      renderer.status(["newerInstalled": true]).contains(
        "a newer intentd is installed; to use it: systemctl --user restart intentd\n"))
    #expect(!renderer.status(["newerInstalled": false]).contains("restart"))
    // Without the user manager, its command would start a second daemon.
    #expect(
      renderer.status(["newerInstalled": true, "pid": 4712], isService: false).contains(
        "to use it: kill 4712, then start it again as you did"))
    let group = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/"
    #expect(DaemonService.isGroup(group + "intentd.service\n"))
    #expect(!DaemonService.isGroup(group + "app-foot-12.scope\n"))
    #expect(!DaemonService.runs(processID: Int64(getpid())))
  }

  @Test(arguments: [
    (["error"], "1 mistake"), (["warning"], "1 warning"),
    (["warning", "error", "warning"], "1 mistake and 2 warnings"),
    (["error", "error"], "2 mistakes"),
  ]) func `warnings are not counted as mistakes`(_ severities: [String], _ count: String) {
    let issues = severities.map { severity -> JSONValue in
      ["severity": .string(severity), "file": "w.yaml", "line": 3, "message": "x"]
    }
    #expect(
      renderer.status(["issues": .array(issues)]).contains("  \(count) in the configuration:"))
  }

  @Test func `a hidden widget is not called stale, whatever became of the daemon`() {
    let hidden: JSONValue = [
      "id": "song", "kind": "song", "stale": true, "hidden": "noOutput", "held": "unwatched",
    ]
    #expect(renderer.shortTrouble(of: hidden) == "")
    #expect(renderer.trouble(of: hidden) == "")
    #expect(renderer.glance(["widgets": [hidden]]).contains("hidden, since it printed nothing"))
    #expect(renderer.shortTrouble(of: ["id": "song", "stale": true]) == "stale")
  }

  @Test(arguments: [
    ("every 5s", "every 5s while somebody watches"), ("never", "when somebody asks"),
    ("stream", "all the time while somebody watches"),
  ]) func `the timeline of a plugin says when it runs, and has no policy`(
    _ schedule: String, _ words: String
  ) {
    let text = renderer.timeline(["entries": [], "policy": "never", "schedule": .string(schedule)])
    #expect(text.contains("runs") && text.contains(words) && !text.contains("policy"))
    #expect(renderer.timeline(["entries": [], "policy": "never"]).contains("policy"))
  }

  // MARK: Entries

  @Test func `an entry is its title, text and items`() {
    #expect(
      renderer.entry(Self.weather) == """
        Beijing
        3° clear
          22:00  2°
          23:00  1°

        """)
  }

  private static let entries: [(content: JSONValue, text: String)] = [
    (["text": "one\ntwo"], "one\ntwo\n"),
    (["title": "same", "text": "same"], "same\n"),
    (["title": ["first", "second"]], "first\nsecond\n"),
    (["short": "3°"], "3°\n"),
    (["percentage": 40], "40%\n"),
    (["tooltip": "only this"], "only this\n"),
    // Runs are one text, and a terminal has its own colours.
    (["text": ["runs": [["text": "5.0"], ["text": "0", "color": "#ff0000"]]]], "5.00\n"),
    (["title": "a", "titles": ["a", ["runs": [["text": "b\u{1B}[2J"]]]]], "a\nb\\x1B[2J\n"),
    (["items": [["text": "mail", "badge": "3"]]], "  mail  [3]\n"),
    ([:], "(nothing to show)\n"),
    (["title": "a", "text": ""], "a\n"),
    // A tree of items, a separator, a tick.
    (
      [
        "items": [
          ["text": "a", "items": [["title": "b"]]], ["separator": true],
          ["text": "c", "checked": true],
        ]
      ],
      "  a\n    b\n  ---\n  ✓ c\n"
    ),
    // Live dates are rendered for the present.
    (["text": ["date": "2026-11-21T12:05:00Z", "style": "relative"]], "in 5 min\n"),
    (["text": ["date": "2026-11-21T10:00:00Z", "style": "relative"]], "2 h ago\n"),
    (["text": ["date": "2026-11-21T12:01:05Z", "style": "timer"]], "01:05\n"),
    (["text": ["date": "2026-11-21T13:01:05Z", "style": "timer"]], "1:01:05\n"),
    (["text": ["date": "2026-11-20T12:00:00Z", "style": "offset"]], "-1 d\n"),
    // Stale content says so. Without asOf it is as old as its entry, 11:00 UTC.
    (
      ["text": "a", "staleAfter": 600, "asOf": "2026-11-21T11:50:00Z"], "a\nstale: as of 13:50\n"
    ),
    (["text": "a", "staleAfter": 600.5, "asOf": "2026-11-21T11:50:00Z"], "a\n"),
    (["text": "a", "staleAfter": 60], "a\nstale: as of 13:00\n"),
    (["title": "a", "subtitle": "b", "text": "c"], "a\nb\nc\n"),
    // A provider cannot steer the terminal.
    (["text": "a\u{1B}[2Jb\u{7}\tc\u{9B}d"], "a\\x1B[2Jb\\x07 c\\x9Bd\n"),
    (["text": "dos\r\nlines"], "dos\nlines\n"),
  ]

  @Test(arguments: entries.indices)
  func `an entry without title or text shows what it has`(_ index: Int) {
    let example = Self.entries[index]
    #expect(
      renderer.entry(["date": "2026-11-21T11:00:00Z", "content": example.content]) == example.text)
  }

  @Test func `a picture that stands alone is its alternative text`() {
    let image: JSONValue = ["hash": "sha256-1", "alt": "a red\nsquare"]
    let only: JSONValue = ["date": "2026-11-21T11:00:00Z", "content": ["image": image]]
    #expect(renderer.entry(only) == "[a red square]\n")
    #expect(renderer.summary(only) == "[a red square]")
    #expect(renderer.summary(["content": ["image": ["hash": "sha256-1"]]]) == "[a picture]")
    #expect(renderer.summary(["content": ["text": "a", "image": image]]) == "a")
    #expect(renderer.summary(["content": ["percentage": 4, "image": image]]) == "4%")
    #expect(
      renderer.entry(["content": ["title": "a", "items": [["image": image], ["text": "b"]]]])
        == "a\n  [a red square]\n  b\n")
    let widget: JSONValue = ["id": "w", "name": "Square", "entry": only]
    #expect(renderer.content(of: widget) == "Square\n[a red square]\n")
    let list = renderer.widgets(["widgets": [widget]], isVerbose: false)
    #expect(list.contains("[a red square]"), "\(list)")
    #expect(!list.contains("no content yet"))
    let timeline = renderer.timeline(["entries": [only], "policy": "never"])
    #expect(timeline.contains("[a red square]"), "\(timeline)")
  }

  @Test func `the history has the warning of a reload`() {
    let event: JSONValue = [
      "at": "2026-11-21T11:00:00Z", "event": "reload.done", "widget": "w", "cause": "reload",
      "cost": 0, "warning": "entries[0].content.image: there is no file a.png",
    ]
    for isVerbose in [false, true] {
      let text = renderer.history(["entries": [event]], isVerbose: isVerbose)
      let told = text.ranges(of: "entries[0].content.image: there is no file a.png")
      #expect(told.count == 1, "\(text)")
    }
  }

  @Test func `colour is put around text, never inside`() {
    var coloured = renderer
    coloured.style = Style(isColoured: true)
    #expect(coloured.entry(["content": ["title": "a"]]) == "\u{1B}[1ma\u{1B}[0m\n")
  }

  // MARK: Sentences

  @Test func `a sentence's answer is the entry`() {
    let result: JSONValue = [
      "intent": ["name": "ShowWeather", "parameters": ["city": "Beijing"]],
      "widgets": [["id": "weather", "kind": "w", "suggestion": false, "receipt": "r7"]],
      "receipts": [["id": "r7", "widget": "weather", "state": "done"]],
      "entry": Self.weather, "stale": true,
    ]
    #expect(
      renderer.sent(result) == """
        Beijing
        3° clear
          22:00  2°
          23:00  1°
        stale: as of 14:00

        """)
  }

  @Test func `without an entry the answer names the widgets that were asked`() {
    let widgets: JSONValue = [
      ["id": "weather", "kind": "w", "suggestion": false, "receipt": "r7"],
      ["id": "home", "kind": "w", "suggestion": true, "receipt": "r8"],
    ]
    let intent: JSONValue = ["name": "ShowWeather", "parameters": ["city": "Beijing", "days": 2]]
    #expect(
      renderer.sent(["intent": intent, "widgets": widgets]) == """
        ShowWeather(city: "Beijing", days: 2)
          weather  accepted
          home     accepted, a suggestion

        """)
    let receipts: JSONValue = [
      [
        "id": "r7", "widget": "weather", "state": "deferred", "until": "2026-11-21T12:30:00Z",
        "reason": "spacing",
      ],
      ["id": "r8", "widget": "home", "state": "dropped", "reason": "exit status 1"],
    ]
    #expect(
      renderer.sent(["intent": intent, "widgets": widgets, "receipts": receipts]) == """
        ShowWeather(city: "Beijing", days: 2)
          weather  deferred until 14:30: spacing
          home     dropped: exit status 1, a suggestion

        """)
    #expect(
      renderer.sent(["intent": ["name": "OpenDoor", "parameters": [:]], "widgets": []])
        == "OpenDoor: no widget shows it\n")
  }

  @Test(
    arguments: [
      ([], .done), (["done"], .done), (["done", "dropped"], .done), (["coalesced"], .done),
      (["deferred"], .deferred), (["deferred", "dropped"], .deferred), (["dropped"], .failed),
    ] as [([String], ProgramStatus)])
  func `one widget with its answer is enough for a sentence`(
    _ states: [String], _ status: ProgramStatus
  ) {
    let receipts = states.map { state -> JSONValue in ["widget": "a", "state": .string(state)] }
    #expect(judgement(ofSent: ["receipts": .array(receipts)], renderer).status == status)
  }

  @Test func `an entry that is not fresh comes with the reason`() {
    let result: JSONValue = [
      "entry": Self.weather,
      "receipts": [
        ["widget": "weather", "state": "done"],
        ["widget": "home", "state": "dropped", "reason": "exit status 1"],
      ],
    ]
    #expect(
      judgement(ofSent: result, renderer).complaint
        == "intent-send: home: dropped: exit status 1\n")
  }

  @Test(
    arguments: [
      ([], .done), (["done", "coalesced"], .done), (["done", "deferred"], .deferred),
      (["deferred", "dropped"], .failed), (["accepted"], .done),
    ] as [([String], ProgramStatus)])
  func `a deferred or dropped reload decides the status`(
    _ states: [String], _ status: ProgramStatus
  ) {
    #expect(exitStatus(ofReceipts: states.map { ["state": .string($0)] }) == status)
  }

  @Test func `receipts are a line each`() {
    let receipts: [JSONValue] = [
      ["id": "r1", "widget": "weather", "state": "done"],
      ["id": "r2", "widget": "sun", "state": "coalesced", "into": "r1"],
      [
        "id": "r3", "widget": "clock", "state": "deferred", "until": "2026-11-22T12:00:00Z",
        "reason": "budget",
      ],
      ["id": "r4", "widget": "天气", "state": "dropped", "reason": "the widget was removed"],
    ]
    #expect(
      renderer.receipts(receipts) == """
        weather  done
        sun      coalesced into r1
        clock    deferred until 2026-11-22 14:00: budget
        天气     dropped: the widget was removed

        """)
    #expect(renderer.receipts([]) == "no widget to reload\n")
  }

  // MARK: Lists

  @Test func `a parameter says how open its list is`() {
    #expect(
      renderer.about([
        "name": "to", "type": "string", "title": "City", "list": "cities", "otherValues": true,
        "values": ["Beijing", "Oslo"], "valueCount": 168,
      ]) == "to (string, any city; known: Beijing, Oslo, … (168))")
    #expect(
      renderer.about([
        "name": "room", "type": "string", "list": "rooms", "values": ["Hall"], "valueCount": 1,
      ]) == "room (string, one of: Hall)")
  }

  @Test func `without kinds, the gallery says how to get a first one`() throws {
    let folder = "/config/intentd/widgets"
    let hint =
      "there are no kinds yet: put a script of a bar, such as cpu.5s.sh, into"
      + " /config/intentd/plugins, a manifest and its program into \(folder), or take in the modules"
      + " of your bar: intent-send import ~/.config/waybar/config; a first one to change:"
      + " intent-send new widget NAME; the package intentd-examples has others"
    #expect(
      renderer.gallery(["kinds": []], folders: [folder, "/usr/share/intentd/widgets"]) == """
        \(hint)
        manifests with mistakes, if there are any: intent-send status

        """)
    let refusal = Failure(
      refusal: RPCError(
        .unknownKind, "no manifest offers the kind 'x'",
        details: ["suggestions": [], "folders": [.string(folder)]]))
    #expect(refusal.hints == [hint])
  }

  @Test func `a preview stands behind a rule, and a shape says why it is one`() {
    let shown: JSONValue = [
      "entry": ["content": ["title": "Springfield", "text": "20°", "items": [["text": "13:00"]]]],
      "isPlaceholder": false, "family": "systemSmall", "locale": "en_US",
    ]
    #expect(
      renderer.preview(shown, of: "Weather") == """
          │ systemSmall, en_US
          │ Springfield
          │ 20°
          │ 13:00

        """)
    let shape: JSONValue = [
      "entry": ["content": ["title": "░░░░░░"]], "isPlaceholder": true, "family": "systemSmall",
      "locale": "en_US", "error": "the provider did not answer within 2s",
    ]
    #expect(
      renderer.preview(shape, of: "Bank") == """
          │ systemSmall, en_US
          │ ░░░░░░
          │ no preview: the provider did not answer within 2s

        """)
  }

  @Test func `a failed run comes with its last line and the command that repeats it`() {
    let receipts: [JSONValue] = [
      ["id": "r1", "widget": "weather", "kind": "w", "state": "done"],
      [
        "id": "r2", "widget": "disk", "kind": "me.disk", "state": "dropped",
        "reason": "the provider ended with exit code 3", "stderr": "boom",
      ],
    ]
    let text = """
      weather  done
      disk     dropped: the provider ended with exit code 3: boom

      """
    #expect(renderer.receipts(receipts) == text)
    #expect(onTerminal.receipts(receipts) == text + "try it: intent-send try me.disk\n")
    // Nothing to repeat: no provider failed.
    let removed: JSONValue = [
      "widget": "disk", "kind": "me.disk", "state": "dropped", "reason": "the widget was removed",
    ]
    #expect(onTerminal.receipts([removed]) == "disk  dropped: the widget was removed\n")
  }

  @Test func `a widget that is still loaded for the first time says so`() {
    let widgets: JSONValue = [
      "widgets": [["id": "new"], ["id": "bad", "error": "it ended with exit code 3"]]
    ]
    let text = renderer.widgets(widgets)
    #expect(text.contains("new  no content yet\n"), "\(text)")
    #expect(!text.contains("bad  no content yet"), "\(text)")
  }

  @Test func `widgets in trouble come first, suggestions last`() {
    let result: JSONValue = [
      "widgets": [
        ["id": "sun", "kind": "k", "suggestion": true, "stale": true, "error": "exit status 1"],
        ["id": "weather", "kind": "k", "entry": Self.weather], ["id": "old", "orphaned": true],
      ]
    ]
    #expect(
      renderer.widgets(result) == """
        old      orphaned: no manifest offers its kind
        weather  Beijing: 3° clear  now
        suggested:
        sun  failing: exit status 1

        """)
    #expect(renderer.widgets(["widgets": []]) == "no widgets\n")
  }

  @Test func `a long error is cut in lists on a terminal, and whole elsewhere`() {
    let mistake = "Traceback (most recent call last):\n" + "城".repeated(200)
    let result: JSONValue = [
      "widgets": [["id": "sun", "kind": "k", "error": .string(mistake), "contributions": []]]
    ]
    let whole = "failing: " + mistake.replacing("\n", with: " ")
    #expect(renderer.widgets(result) == "sun  \(whole)\n")
    let cut = onTerminal.widgets(result).split(separator: "\n")
    #expect(cut.count == 5)
    #expect(cut[3].hasSuffix("…"))
    let told = onTerminal.explainedStack(result).filter { $0 == "城" }
    #expect(told.count == 200)
  }

  @Test func `parts of a score that are left out are one part, so that all add up`() {
    func parts(_ values: [Double]) -> String {
      let contributions = values.enumerated().map { index, value -> JSONValue in
        ["name": .string("p\(index)"), "value": .double(value), "because": "b"]
      }
      return renderer.explainedStack(
        ["widgets": [["id": "a", "contributions": .array(contributions)]]], isNumbered: false)
    }
    #expect(parts([0.5, 0.06, -0.8, 0.05]) == "a\n  -0.80 p2, +0.50 p0, +0.11 others\n")
    // One small part is told by its name; parts that add up to nothing are not told.
    #expect(parts([0.5, 0.06]) == "a\n  +0.50 p0, +0.06 p1\n")
    #expect(parts([0.5, 0.06, -0.06]) == "a\n  +0.50 p0\n")
    #expect(parts([]) == "a\n")
  }

  @Test func `a reload that may run in this second may run now`() {
    #expect(
      renderer.budget(["nextAt": "2026-11-21T12:00:01Z"])
        == "  the budget  allows a reload now\n")
    #expect(
      renderer.budget(["nextAt": "2026-11-21T12:00:01.001Z"])
        == "  the budget  allows a reload at 14:00\n")
  }

  @Test func `a widget without a provider tells of pushes, and not of runs or a budget`() {
    var budget: JSONObject = [
      "id": "build", "capacity": 15, "balance": 15.0, "nextAt": "2026-11-21T12:00:00Z",
      "isPushed": true, "exempt": ["reload": 2], "nextReason": "its kind has no provider",
      "runs": [
        ["at": "2026-11-21T11:00:00Z", "cause": "reload", "cost": 0, "unchanged": true],
        ["at": "2026-11-21T10:30:00Z", "cause": "reload", "cost": 0, "unchanged": false],
      ],
    ]
    #expect(
      renderer.budget(.object(budget)) == """
        it shows what is pushed to it: nothing runs, and no budget is spent
          pushed in 24 h  2 times
        last pushes:
          13:00  nothing new
          12:30  new content

        """)
    #expect(
      renderer.status(of: "build", budget: .object(budget), kind: nil) == """
        ● build  well
          last push  13:00, 1 h ago, nothing new

        """)
    budget["runs"] = []
    #expect(
      renderer.status(of: "build", budget: .object(budget), kind: nil) == """
        ● build  well
          last push  none yet; it waits for: intent-send push build FILE

        """)
    let entry: JSONValue = [
      "at": "2026-11-21T11:00:00Z", "event": "reload.done", "widget": "build", "cause": "reload",
      "cost": 0, "unchanged": false, "pushed": true,
    ]
    let history = renderer.history(["entries": [entry]])
    #expect(history.hasSuffix("build  content was pushed to it\n"), "\(history)")
  }

  @Test func `a person without widgets reads what there is to place`() {
    let kinds: JSONValue = [
      "kinds": [
        ["kind": "a", "parameters": [["name": "city", "required": true]]], ["kind": "b"],
      ]
    ]
    #expect(
      renderer.welcome(gallery: kinds) == """
        no widgets yet
          place one: intent-send add b
          2 kinds to choose from: intent-send gallery
          all commands: intent-send --help

        """)
    #expect(renderer.welcome(gallery: [:]).contains("intent-send new widget NAME\n"))
  }

  @Test func `a reload that joined a deferred one shows its time, and the status says so`() {
    let receipt: JSONValue = [
      "id": "r36", "widget": "sun", "state": "coalesced", "into": "r35",
      "leader": [
        "id": "r35", "state": "deferred", "until": "2026-11-21T13:01:00Z", "reason": "quarantine",
      ],
    ]
    #expect(
      renderer.receipts([receipt]) == "sun  deferred until 15:01: quarantine (with r35)\n")
    #expect(exitStatus(ofReceipts: [receipt]) == .deferred)
    #expect(judgement(ofSent: ["receipts": [receipt]], renderer).status == .deferred)
  }

  @Test func `a recognised sentence names its other meanings`() {
    let result: JSONValue = [
      "matched": true, "intent": ["name": "ShowWeather", "parameters": ["city": "Beijing"]],
      "language": "en", "template": "show weather for {city}", "url": "weather://city/Beijing",
      "widgets": ["weather"],
      "candidates": [
        ["intent": ["name": "ShowWeather", "parameters": ["city": "Beijing"]]],
        ["intent": ["name": "Search", "parameters": [:]], "template": "show {anything}"],
      ],
    ]
    #expect(
      renderer.recognized(result) == """
        ShowWeather(city: "Beijing")
          language  en
          template  show weather for {city}
          url       weather://city/Beijing
          asks      weather
          or        Search  show {anything}

        """)
  }

  @Test func `intents list their sentences and URLs`() {
    let result: JSONValue = [
      "intents": [
        [
          "name": "ShowWeather", "title": "Show the weather", "description": "",
          "parameters": [["name": "city", "type": "string", "required": true]],
          "routes": ["weather://city/{city}"], "examples": ["en": ["show weather for Beijing"]],
        ]
      ], "languages": ["en"],
    ]
    #expect(
      renderer.intents(result) == """
        ShowWeather  Show the weather
          parameter: city (string, required)
          say: show weather for Beijing
          open: weather://city/{city}

        """)
  }

  @Test func `a status is printed with any members`() {
    let result: JSONValue = [
      "protocol": 1, "version": "0.1.0", "now": "2026-11-21T12:00:00Z", "store": ["state": "ok"],
      "languages": ["en", "zh-CN"], "ready": true, "nothing": [:],
      "issues": [
        [
          "severity": "error", "file": "/w.yaml", "line": 3, "message": "no kind",
          "expected": "a kind",
        ]
      ],
    ]
    #expect(
      renderer.fields(result) == """
        protocol: 1
        version: 0.1.0
        now: 14:00
        store:
          state: ok
        languages: en, zh-CN
        ready: yes
        nothing: none
        issues:
          /w.yaml:3: error: no kind; expected a kind

        """)
  }

  @Test func `a tap names the URL that was opened and the app`() {
    #expect(
      renderer.tapped(["opened": "nothing", "wrote": true])
        == "wrote a line to its plugin, which stays running\n")
    #expect(
      renderer.tapped(["url": "weather://x", "opened": "app", "application": "org.example.W"])
        == "opened weather://x with org.example.W\n")
    #expect(
      renderer.tapped(["opened": "desktop", "application": "org.example.W"])
        == "opened the app with org.example.W\n")
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
