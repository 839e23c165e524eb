import Documents
import JSON
import Testing
import Timekeeping
import WidgetCenter

@Suite struct ManifestReaderTests {
  private func read(_ text: String) throws -> (kind: WidgetKind?, issues: [String]) {
    let document = readYAML(text, file: "w.yaml")
    #expect(document.issues.isEmpty)
    let value = try #require(document.value)
    let read = ManifestReader.read(
      ManifestSource(file: "w.yaml", directory: "/home/me/widgets", document: value))
    return (read.kind, read.issues.map(\.description))
  }

  /// Returns the issues of a manifest that is right except for `lines`.
  private func issues(_ lines: String, without key: String = "") throws -> [String] {
    let right = ["kind: a.b", "name: A", "families: [systemSmall]", "provider: {exec: [./a]}"]
      .filter { key.isEmpty || !$0.hasPrefix("\(key):") }
    return try read((right + [lines]).joined(separator: "\n")).issues
  }

  @Test func `a manifest is its kind`() throws {
    let read = try read(
      """
      kind: org.example.weather
      name: Weather
      description: Now and the next hours
      families: [systemSmall, systemMedium, systemSmall, accessoryInline]
      intent: ShowWeather
      provider:
        exec: [./weather, --hours, 12, true]
        protocol: extension
        timeout: 1.5m
        memory: 64MB
      reload: {minimumInterval: 10m, perDay: 70}
      env: {WEATHER_UNITS: metric, HOURS: 12, _X9: true}
      url: weather://city/{city}
      app: org.example.Weather
      """)
    #expect(read.issues == [])
    #expect(
      read.kind
        == WidgetKind(
          kind: "org.example.weather", name: "Weather", description: "Now and the next hours",
          families: [.systemSmall, .systemMedium, .accessoryInline], intent: "ShowWeather",
          provider: ProviderDeclaration(
            exec: ["./weather", "--hours", "12", "true"], providerProtocol: .extension,
            directory: "/home/me/widgets", timeout: 90_000, memory: 64 << 20,
            environment: [
              .init(name: "WEATHER_UNITS", value: "metric"), .init(name: "HOURS", value: "12"),
              .init(name: "_X9", value: "true"),
            ]),
          reload: ReloadRules(perDay: 70...70, spacing: 600_000), url: "weather://city/{city}",
          app: "org.example.Weather", file: "w.yaml"))
  }

  @Test func `a member that is left out has its default`() throws {
    let read = try read("kind: a\nname: A\nfamilies: [systemLarge]\nprovider: {exec: [a]}")
    #expect(read.issues == [])
    #expect(
      read.kind
        == WidgetKind(
          kind: "a", name: "A", families: [.systemLarge],
          provider: ProviderDeclaration(exec: ["a"], directory: "/home/me/widgets"), file: "w.yaml")
    )
    #expect(read.kind?.provider.timeout == 30_000)
    #expect(read.kind?.reload == ReloadRules())
    #expect(ReloadRules().perDay == 40...70)
    #expect(ReloadRules().spacing == 300_000)
  }

  @Test func `every mistake of a manifest is found in one reading`() throws {
    let read = try read(
      """
      kind: org.example weather
      nmae: Weather
      families: [systemSmall, systemSmal, 7]
      intent: [a]
      provider:
        exec: [./weather, [nested], {a: b}]
        protocol: rest
        timeout: 30 parsecs
        memory: 12
        shell: true
      reload: {minimumInterval: 0s, perDay: 0.5, perWeek: 1}
      env:
        1BAD: x
        GOOD: {a: b}
      url: nowhere
      app: ""
      """)
    #expect(read.kind == nil)
    let families =
      "systemSmall, systemMedium, systemLarge, systemExtraLarge, systemExtraLargePortrait, accessoryCircular, accessoryRectangular, accessoryInline, accessoryCorner"
    #expect(
      read.issues == [
        "w.yaml:2: warning: 'nmae' is not a key of a manifest and is ignored; did you mean 'name'?; expected one of kind, name, description, families, modes, intent, provider, reload, env, url, app, needs, aliases, suggest, permissions, sandbox, privileges, kinds, group, downloads, performs, view, private",
        "w.yaml:1: error: kind is 'org.example weather'; expected letters, digits, '.', '-' and '_', such as org.example.weather, at most 128",
        "w.yaml:1: error: name is missing; expected a text",
        "w.yaml:3: error: 'systemSmal' is not a family; did you mean 'systemSmall'?; expected one of \(families)",
        "w.yaml:3: error: '7' is not a family; expected one of \(families)",
        "w.yaml:4: error: intent is a list of 1; expected a text",
        "w.yaml:10: warning: 'provider.shell' is not a key of a manifest and is ignored; expected one of exec, protocol, timeout, memory, processes, fileSize, cache, processorTime, every, retry, recheck, stream, useTrailingStreamSeparator, alwaysVisible, refreshOnOpen, signal, clicks, restart, if, look",
        "w.yaml:6: error: an argument of provider.exec is a list of 1; expected a string",
        "w.yaml:6: error: an argument of provider.exec is a mapping of 1; expected a string",
        "w.yaml:7: error: provider.protocol is 'rest'; expected timeline (a process a request), extension (long-lived), or the program that the script was written for: xbar, swiftbar, argos, waybar, i3blocks, polybar, genmon, text",
        "w.yaml:8: error: provider.timeout is '30 parsecs'; expected a duration such as 30s, 5m or 2h, from 100ms to 10m",
        "w.yaml:9: error: provider.memory is '12'; expected a size of at least 1MB, such as 64MB or 1GB",
        "w.yaml:13: error: env has the name '1BAD'; expected letters, digits and '_', not starting with a digit",
        "w.yaml:14: error: env.GOOD is a mapping of 1; expected a string, number or boolean",
        "w.yaml:11: warning: 'reload.perWeek' is not a key of a manifest and is ignored; expected one of minimumInterval, perDay, learning, unchangedIsFree, activeHours",
        "w.yaml:11: error: reload.minimumInterval is '0s'; expected a duration from 1s to 1d, such as 5m",
        "w.yaml:11: error: reload.perDay is '0.5'; expected a whole number from 1 to 86400, or two such as 40-70",
        "w.yaml:15: error: url is 'nowhere'; expected a URL with a scheme, such as weather://city/{city}",
        "w.yaml:16: error: app is ''; expected a text",
      ])
  }

  @Test func `a warning does not drop the kind`() throws {
    let read = try read(
      "kind: a\nname: A\nfamilies: [systemLarge]\nprovider: {exec: [a], color: red}\nfoo: 1")
    #expect(read.kind?.kind == "a")
    #expect(read.issues.count == 2)
    #expect(read.issues.allSatisfy { $0.contains(": warning: ") })
  }

  @Test(arguments: [
    (
      "[1, 2]",
      "w.yaml:1: error: a manifest is a list of 2; expected a mapping with kind, name, families, provider"
    ),
    (
      "just text",
      "w.yaml:1: error: a manifest is 'just text'; expected a mapping with kind, name, families, provider"
    ),
  ])
  func `a document that is no mapping is one mistake`(_ text: String, _ issue: String) throws {
    let read = try read(text)
    #expect(read.kind == nil)
    #expect(read.issues == [issue])
  }

  @Test(arguments: [
    (
      "families", "",
      "w.yaml:1: error: families is missing; expected a list such as [systemSmall, accessoryInline]"
    ),
    ("families", "families: []", "families is a list of 0"),
    ("families", "families: systemSmall", "families is 'systemSmall'"),
    ("provider", "reload: {perDay: 5}", "w.yaml:4: error: reload has no effect without a provider"),
    ("provider", "intent: ShowWeather", "w.yaml:4: error: intent has no effect without a provider"),
    ("provider", "provider: ./a", "w.yaml:4: error: provider is './a'"),
    ("provider", "provider: {}", "provider.exec is missing"),
    ("provider", "provider: {exec: ./a --short}", "provider.exec is './a --short'"),
    ("provider", "provider: {exec: []}", "provider.exec is a list of 0"),
    ("provider", "provider: {exec: ['']}", "the program of provider.exec is empty"),
    ("provider", "provider: {exec: [\"a\\0b\"]}", "an argument of provider.exec"),
    ("provider", "provider: {exec: [a], timeout: 99ms}", "provider.timeout is '99ms'"),
    ("provider", "provider: {exec: [a], timeout: 601s}", "provider.timeout is '601s'"),
    ("provider", "provider: {exec: [a], memory: 1023KB}", "provider.memory is '1023KB'"),
    ("provider", "provider: {exec: [a], memory: -64MB}", "provider.memory is '-64MB'"),
    ("kind", "kind: ''", "kind is ''"),
    ("kind", "kind:", "kind is missing"),
    ("kind", "kind: ../../etc", "kind is '../../etc'"),
    ("", "reload: 5m", "reload is '5m'"),
    ("", "reload: {minimumInterval: 999ms}", "reload.minimumInterval is '999ms'"),
    ("", "reload: {minimumInterval: 86401s}", "reload.minimumInterval is '86401s'"),
    ("", "reload: {perDay: 0}", "reload.perDay is '0'"),
    ("", "reload: {perDay: 86401}", "reload.perDay is '86401'"),
    ("", "reload: {perDay: 70-40}", "reload.perDay is '70-40'"),
    ("", "reload: {perDay: [1, 2, 3]}", "reload.perDay is a list of 3"),
    ("", "reload: {learning: 31d}", "reload.learning is '31d'"),
    ("", "reload: {unchangedIsFree: maybe}", "reload.unchangedIsFree is 'maybe'"),
    ("", "reload: {activeHours: 7-7}", "reload.activeHours is '7-7'"),
    ("", "reload: {activeHours: 24-7}", "reload.activeHours is '24-7'"),
    ("", "needs: sunshine", "needs is 'sunshine'"),
    ("", "aliases: org.example.old", "aliases is 'org.example.old'"),
    ("", "aliases: ['a b']", "an alias is 'a b'"),
    ("", "env: [A, B]", "env is a list of 2"),
    ("", "env: {A: \"a\\0b\"}", "env.A is"),
    ("", "intent: ''", "intent is ''"),
    ("", "description: 7", "description is '7'"),
  ])
  func `one mistake is one issue`(_ key: String, _ lines: String, _ issue: String) throws {
    let found = try issues(lines, without: key)
    #expect(found.count == 1)
    #expect(found.first?.contains(issue) == true, "\(found)")
    #expect(found.first?.contains("error") == true)
  }

  @Test func `a kind does not lose its provider by a slip of the pen`() throws {
    #expect(try issues("", without: "provider") == [])
    let slip = try issues("providr: {exec: [./a]}", without: "provider")
    #expect(
      slip.last
        == "w.yaml:4: error: provider is missing, and 'providr' is written; expected provider: a mapping with exec: [program, argument…]"
    )
  }

  @Test(arguments: [
    "provider: {exec: [a], timeout: 100ms}", "provider: {exec: [a], timeout: 600s}",
    "provider: {exec: [a], memory: 1MB}", "provider: {exec: [a], memory: 1048576}",
    "provider: {exec: [a], timeout: 30}",
  ])
  func `the edges of the limits are allowed`(_ provider: String) throws {
    #expect(try issues(provider, without: "provider") == [])
  }

  @Test func `the limits of length and count hold on both sides`() throws {
    func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
    #expect(try issues("kind: \(repeated("k", 128))", without: "kind") == [])
    #expect(try issues("kind: \(repeated("k", 129))", without: "kind").count == 1)
    #expect(try issues("description: \(repeated("d", 4_096))") == [])
    #expect(
      try issues("description: \(repeated("d", 4_097))")
        == ["w.yaml:5: error: description has 4097 bytes; expected at most 4096"])
    func exec(_ count: Int) -> String { "provider: {exec: [\(repeated("a, ", count - 1))a]}" }
    #expect(try issues(exec(64), without: "provider") == [])
    #expect(try issues(exec(65), without: "provider").count == 1)
    func env(_ count: Int) -> String {
      "env: {\((0..<count).map { "V\($0): x" }.joined(separator: ", "))}"
    }
    #expect(try issues(env(64)) == [])
    #expect(try issues(env(65)).count == 1)
  }

  @Test(
    arguments: [
      ("250ms", 250), ("30s", 30_000), ("5m", 300_000), ("2h", 7_200_000), ("1d", 86_400_000),
      ("30", 30_000), ("1.5", 1_500), ("0.5h", 1_800_000), ("5 m", 300_000), ("0", 0),
      ("", nil), ("s", nil), ("-5s", nil), ("5parsecs", nil), ("1e400d", nil), ("9e18d", nil),
      ("nan", nil), ("5M", nil), ("5  m", nil), ("m5", nil),
    ] as [(String, Int64?)])
  func `a duration is read`(_ text: String, _ milliseconds: Int64?) {
    #expect(DurationText.read(text) == milliseconds)
  }

  @Test(
    arguments: [
      (0, "0ms"), (1, "1ms"), (999, "999ms"), (1_000, "1s"), (1_500, "1500ms"), (60_000, "1m"),
      (90_000, "90s"), (3_600_000, "1h"), (86_400_000, "1d"), (172_800_000, "2d"),
    ] as [(Int64, String)])
  func `a duration is written in its largest whole unit`(_ milliseconds: Int64, _ text: String) {
    #expect(DurationText.write(milliseconds) == text)
    #expect(DurationText.read(text) == milliseconds)
  }

  @Test(
    arguments: [
      ("512KB", 524_288), ("64MB", 67_108_864), ("64mb", 67_108_864), ("1GB", 1_073_741_824),
      ("1.5KB", 1_536), ("12B", 12), ("12", 12), ("", nil), ("MB", nil), ("-1MB", nil),
      ("1TB", nil), ("99999999999999GB", nil),
    ] as [(String, UInt64?)])
  func `a size is read`(_ text: String, _ bytes: UInt64?) {
    #expect(ByteCount.read(text) == bytes)
  }

  @Test func `windows of a suggestion are read: local times on some days, or dates`() throws {
    let read = try read(
      """
      kind: a.b
      name: A
      families: [systemSmall]
      provider: {exec: [./a]}
      intent: ShowTrains
      suggest:
        - {from: 7:00, to: 09:30, days: workdays, parameters: {line: U2}, kind: scheduled}
        - {from: "22:00", to: 02:00, days: [friday, saturday], kind: informational}
        - {from: 12:00, to: 24:00, days: daysOff}
        - {from: 2026-12-24T18:00:00Z, to: 2026-12-24T23:00:00+01:00}
      """)
    #expect(read.issues == [])
    func date(_ text: String) throws -> WallTime { try #require(WallTime(rfc3339: text)) }
    #expect(
      read.kind?.suggest == [
        SuggestedWindow(
          parameters: ["line": "U2"], span: .daily(from: 420, to: 570, .workdays),
          kind: .scheduled, line: 7),
        SuggestedWindow(
          span: .daily(from: 1_320, to: 120, .weekdays([4, 5])), kind: .informational, line: 8),
        SuggestedWindow(span: .daily(from: 720, to: 1_440, .daysOff), line: 9),
        SuggestedWindow(
          span: .once(
            from: try date("2026-12-24T18:00:00Z"), to: try date("2026-12-24T22:00:00Z")), line: 10),
      ])
  }

  @Test func `every mistake in a window of a suggestion is found, with its line`() throws {
    let end = "expected a local time such as 07:00, or a date such as 2026-12-24T18:00:00Z"
    let cases: [(line: String, issue: String)] = [
      ("{from: 7, to: 09:00}", "error: suggest.from is '7'; \(end)"),
      ("{from: 07:00, to: 09:60}", "error: suggest.to is '09:60'; \(end)"),
      ("{from: 07:00, to: 24:01}", "error: suggest.to is '24:01'; \(end)"),
      ("{from: 07:00}", "error: suggest.to is missing; \(end)"),
      (
        "{from: 07:00, to: 07:00}",
        "error: suggest.to is '07:00'; expected another time than from, 12h later at most"
      ),
      (
        "{from: 07:00, to: 19:01}",
        "error: suggest.to is '19:01'; expected another time than from, 12h later at most"
      ),
      (
        "{from: 07:00, to: 2026-12-24T18:00:00Z}",
        "error: suggest.from and suggest.to are a date and a time; expected two dates, or two local times"
      ),
      (
        "{from: 2026-12-24T18:00:00Z, to: 2026-12-24T18:00:00Z}",
        "error: suggest.to is 2026-12-24T18:00:00Z; expected a date after from, 12h later at most"
      ),
      (
        "{from: 2026-12-24T18:00:00Z, to: 2026-12-24T19:00:00Z, days: workdays}",
        "error: suggest.days stands beside dates; expected days only with local times such as 07:00"
      ),
      (
        "{from: 07:00, to: 09:00, days: [monday, someday]}",
        "error: suggest.days has 'someday'; expected workdays, daysOff, or a list such as [monday, friday]"
      ),
      (
        "{from: 07:00, to: 09:00, days: []}",
        "error: suggest.days is an empty list; expected workdays, daysOff, or a list such as [monday, friday]"
      ),
      (
        "{from: 07:00, to: 09:00, kind: loud}",
        "error: suggest.kind is 'loud'; expected one of informational, default, scheduled"
      ),
      (
        "{from: 07:00, to: 09:00, parameters: {city: Oslo}}",
        "error: suggest.parameters is there, and the kind has no intent; expected an intent, or no parameters"
      ),
      (
        "{from: 07:00, to: 09:00, day: monday}",
        "warning: 'suggest.day' is not a key of a manifest and is ignored; did you mean 'days'?; expected one of parameters, from, to, days, kind"
      ),
      (
        "07:00",
        "error: a window of suggest is '07:00'; expected a mapping such as {from: 07:00, to: 09:00, days: workdays}"
      ),
    ]
    for (line, issue) in cases {
      #expect(try issues("suggest:\n  - \(line)") == ["w.yaml:6: \(issue)"])
    }
    let window = "{from: 07:00, to: 09:00}"
    let many = Array(repeating: window, count: 17).joined(separator: ", ")
    #expect(
      try issues("suggest: [\(many)]") == [
        "w.yaml:5: error: suggest is a list of 17; expected a list of at most 16 windows such as {from: 07:00, to: 09:00, days: workdays}"
      ])
    #expect(
      try issues("intent: A\nsuggest: [{from: 07:00, to: 09:00, parameters: Oslo}]") == [
        "w.yaml:6: error: suggest.parameters is 'Oslo'; expected a mapping such as {city: Oslo}"
      ])
  }
}
