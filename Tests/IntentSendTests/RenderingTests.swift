import IntentProtocol
import JSON
import JSONRPC
import PlainText
import Testing
import Timekeeping

@testable import intent_send

/// The exact texts that people read.
///
/// The time is 14:00 on 2026-11-21, two hours east of Greenwich.
struct RenderingTests {
  private let renderer = Renderer(
    style: .plain, now: moment("2026-11-21T12:00:00Z"), zoneOffset: { _ in 7_200 })

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
          home     accepted  suggestion

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
          home     dropped: exit status 1         suggestion

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

  @Test func `widgets are a table`() {
    let result: JSONValue = [
      "widgets": [
        [
          "id": "weather", "kind": "org.example.weather", "family": "systemSmall",
          "suggestion": false, "orphaned": false, "stale": false, "entry": Self.weather,
        ],
        [
          "id": "sun", "kind": "org.example.sun", "family": "accessoryInline", "suggestion": true,
          "orphaned": false, "stale": true, "error": "exit status 1",
          "entry": ["content": ["short": "↑ 07:01"]],
        ],
        ["id": "old", "kind": "x", "family": "systemSmall", "orphaned": true],
      ]
    ]
    let wide = String(repeating: " ", count: 41)
    #expect(
      renderer.widgets(result) == """
        weather  org.example.weather  systemSmall\(wide)Beijing: 3° clear
        sun      org.example.sun      accessoryInline  suggestion, stale (exit status 1)  ↑ 07:01
        old      x                    systemSmall      orphaned

        """)
    #expect(renderer.widgets(["widgets": []]) == "no widgets; place one: intent-send add KIND\n")
  }

  @Test func `the gallery says what each kind takes`() {
    let result: JSONValue = [
      "kinds": [
        [
          "kind": "org.example.weather", "name": "Weather", "description": "Now and the next hours",
          "families": ["systemSmall", "systemMedium"], "intent": "ShowWeather",
          "parameters": [
            ["name": "city", "type": "string", "required": true, "list": "cities"],
            ["name": "days", "type": "integer", "required": false],
          ],
        ]
      ]
    ]
    #expect(
      renderer.gallery(result) == """
        org.example.weather  Weather
          Now and the next hours
          families: systemSmall, systemMedium
          intent: ShowWeather
          parameter: city (string, required, of the list cities)
          parameter: days (integer)

        """)
  }

  @Test func `a timeline marks what is shown`() {
    let result: JSONValue = [
      "entries": [
        ["date": "2026-11-21T11:00:00Z", "content": ["text": "a"]],
        ["date": "2026-11-21T12:30:00Z", "content": ["title": "b", "text": "c"]],
      ],
      "current": 0, "policy": ["after": "2026-11-21T13:00:00Z"],
      "fetchedAt": "2026-11-21T11:00:00Z", "nextReload": "2026-11-21T13:00:00Z",
      "stale": true, "error": "timed out",
    ]
    #expect(
      renderer.timeline(result) == """
        *  13:00  a
           14:30  b: c
        policy: after 15:00
        fetched: 13:00
        next reload: 15:00
        stale (timed out)

        """)
    #expect(renderer.timeline(["entries": [], "policy": "never"]) == "no entries\npolicy: never\n")
  }

  @Test func `a timeline says when it is relevant`() {
    let windows: JSONValue = [
      ["from": "2026-11-21T08:00:00Z", "to": "2026-11-21T09:30:00Z", "kind": "informational"],
      ["from": "2026-11-21T12:00:00Z", "to": "2026-11-21T13:00:00Z", "kind": "scheduled"],
      ["from": "2026-11-22T08:00:00Z", "to": "2026-11-22T09:30:00Z", "kind": "default"],
    ]
    #expect(
      renderer.timeline(["entries": [], "relevance": windows, "policy": "never"]) == """
        no entries
        relevant:
             10:00             to 11:30             informational
          *  14:00             to 15:00             scheduled
             2026-11-22 10:00  to 2026-11-22 11:30  default
        policy: never

        """)
  }

  @Test func `a budget is read in sentences`() {
    let result: JSONValue = [
      "capacity": 50, "balance": 12.26, "refillPerHour": 2.5, "nextAt": "2026-11-21T12:10:00Z",
      "reason": "spacing", "spent": ["policy": 3, "retry": 1], "exempt": [:],
    ]
    #expect(
      renderer.budget(result) == """
        12.3 of 50 reloads left, 2.5 more an hour
        one could be paid for: at 14:10 (spacing)
        spent in 24 h: policy=3 retry=1
        exempt in 24 h: nothing

        """)
  }

  @Test func `a budget tells its rate, its rules, what it waits for and who spent it`() {
    let result: JSONValue = [
      "capacity": 15, "balance": 15.0, "perDay": 62, "refillPerHour": 2.58, "spacing": 300.0,
      "nextAt": "2026-11-21T12:00:00Z", "viewsPerDay": 0.69,
      "learningUntil": "2026-11-24T12:00:00Z",
      "rules": ["perDay": "40-70", "minimumInterval": "5m"], "held": "nobody watches it",
      "nextReason": "nobody watches it",
      "quarantine": ["reason": "10 runs in a row failed", "until": "2026-11-21T13:00:00Z"],
      "spent": ["policy": 1], "exempt": [:],
      "runs": [
        ["at": "2026-11-21T11:50:00Z", "cause": "policy", "cost": 1, "unchanged": false],
        ["at": "2026-11-21T11:40:00Z", "cause": "tap", "cost": 0, "unchanged": true],
      ],
    ]
    #expect(
      renderer.budget(result) == """
        15 of 15 reloads left, 2.6 more an hour
        next reload: none is planned (nobody watches it)
        one could be paid for: now
        in quarantine until 15:00: 10 runs in a row failed
        rate: 62 a day, seen 0.7 times a day, more until 2026-11-24 14:00 while it is new
        rules: perDay=40-70 minimumInterval=5m
        spent in 24 h: policy=1
        exempt in 24 h: nothing
        last runs:
          13:50:00  policy  -1
          13:40:00  tap     free  unchanged

        """)
  }

  @Test func `a widget says that its provider is left alone, or waits for the network`() {
    let result: JSONValue = [
      "widgets": [
        [
          "id": "a", "kind": "k", "family": "systemSmall",
          "quarantinedUntil": "2026-11-21T13:00:00Z",
        ],
        ["id": "b", "kind": "k", "family": "systemSmall", "held": "network"],
        ["id": "c", "kind": "k", "family": "systemSmall", "held": "unwatched"],
        [
          "id": "d", "kind": "k", "family": "systemSmall", "orphaned": true,
          "problem": "city is missing",
        ],
      ]
    ]
    #expect(
      renderer.widgets(result) == """
        a  k  systemSmall  in quarantine until 15:00
        b  k  systemSmall  waits for the network
        c  k  systemSmall
        d  k  systemSmall  orphaned (city is missing)

        """)
  }

  @Test func `without kinds, the gallery names the folder for manifests`() throws {
    let folder = "/config/intentd/widgets"
    let hint =
      "there are no kinds yet: put a manifest and its program into \(folder), then: intent-send reload-config"
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

  @Test func `the status has its units`() {
    #expect(renderer.status(["uptime": 19.209, "pid": 7]) == "uptime: 19 s\npid: 7\n")
  }

  @Test func `a reload that may run in this second may run now`() {
    #expect(renderer.budget(["nextAt": "2026-11-21T12:00:01Z"]) == "one could be paid for: now\n")
    #expect(
      renderer.budget(["nextAt": "2026-11-21T12:00:01.001Z"]) == "one could be paid for: at 14:00\n"
    )
  }

  @Test func `a budget tells when it continues by itself, and the last failure`() {
    let result: JSONValue = [
      "nextAt": "2026-11-21T12:00:00Z", "nextReload": "2026-11-21T12:02:00Z",
      "nextReason": "a retry, 2 runs in a row failed", "failures": 2,
      "error": "the provider ended with exit status 3",
      "runs": [
        [
          "at": "2026-11-21T12:00:00Z", "cause": "retry", "cost": 0, "unchanged": false,
          "error": "the provider ended with exit status 3",
        ]
      ],
    ]
    #expect(
      renderer.budget(result) == """
        next reload: 14:02 (a retry, 2 runs in a row failed)
        one could be paid for: now
        2 runs in a row failed, the last: the provider ended with exit status 3
        last runs:
          14:00:00  retry  failed: the provider ended with exit status 3

        """)
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

  @Test func `the stack is numbered, and explained in numbers that add up`() {
    let widgets: JSONValue = [
      [
        "id": "weather", "score": 0.8234, "entry": Self.weather, "why": "you asked for it",
        "contributions": [
          ["name": "declared", "value": 0.6, "because": "the provider says 60"],
          ["name": "dismissed", "value": -0.1, "because": "sent away 3 h ago"],
        ],
      ],
      ["id": "sun", "score": -1, "stale": true, "contributions": []],
    ]
    #expect(
      renderer.stack(["widgets": widgets]) == """
        1  weather  0.82          Beijing: 3° clear
        2  sun      -1.00  stale

        """)
    #expect(
      renderer.explainedStack(["widgets": widgets]) == """
        1  weather  0.82
           you asked for it
            +0.60  declared   the provider says 60
            -0.10  dismissed  sent away 3 h ago
        2  sun  -1.00

        """)
  }

  @Test func `a long error is cut in tables and complete in the explanation`() {
    let mistake = "exit status 1: Traceback (most recent call last):\n" + "城".repeated(60)
    let result: JSONValue = [
      "widgets": [
        [
          "id": "sun", "kind": "k", "family": "systemSmall", "score": 1, "stale": true,
          "error": .string(mistake), "entry": Self.weather, "contributions": [],
        ],
        [
          "id": "rain", "kind": "k", "family": "systemSmall", "score": 0, "orphaned": true,
          "problem": .string("城".repeated(60)), "contributions": [],
        ],
      ]
    ]
    let short = "城".repeated(23)
    #expect(
      renderer.stack(result) == """
        1  sun   1.00  stale (exit status 1: Traceback (most recent call last…)    Beijing: 3° clear
        2  rain  0.00  orphaned (\(short)…)

        """)
    #expect(
      renderer.widgets(result) == """
        sun   k  systemSmall  stale (exit status 1: Traceback (most recent call last…)    Beijing: 3° clear
        rain  k  systemSmall  orphaned (\(short)…)

        """)
    let whole = mistake.replacing("\n", with: " ")
    #expect(
      renderer.explainedStack(result) == """
        1  sun  1.00
           \(whole)
        2  rain  0.00
           \("城".repeated(60))

        """)
    #expect(shortened("abc", columnsMax: 3) == "abc")
    #expect(shortened("abcd", columnsMax: 3) == "ab…")
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

  @Test func `history is a line an event, with its details`() {
    let result: JSONValue = [
      "entries": [
        [
          "sequence": 9, "at": "2026-11-21T11:59:07Z", "event": "tap", "widget": "weather",
          "url": "weather://x",
        ],
        ["sequence": 8, "at": "2026-11-20T11:59:07Z", "event": "configuration", "kinds": 3],
      ]
    ]
    #expect(
      renderer.history(result) == """
        13:59:07             tap            weather  url=weather://x
        2026-11-20 13:59:07  configuration           kinds=3

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
