import Documents
import Foundation
import JSON
import Testing
import WidgetCenter

/// Tests that `docs/schema/manifest.json` and the reader of manifests agree: a manifest is valid by
/// the schema if the reader finds no error and no warning in it.
///
/// A schema cannot compare values, and it does not read the units of a duration or a size;
/// `isUnsaid` knows what the reader sees beyond it.
@Suite struct ManifestSchemaTests {
  /// A manifest with every key.
  private static let whole = """
    kind: org.example.weather
    name: Weather
    description: Now and the next hours
    families: [systemSmall, accessoryInline]
    modes: [compact, expanded]
    view: html
    intent: ShowWeather
    provider:
      exec: [./weather, --hours, 12, true]
      protocol: timeline
      timeout: 30s
      memory: 64MB
    reload: {minimumInterval: 5m, perDay: 40-70, learning: 3d, unchangedIsFree: true, activeHours: 7-23}
    needs: [network]
    private: true
    downloads: {metered: true}
    aliases: [weather.old]
    suggest:
      - {from: 07:00, to: 09:00, days: [monday, friday], parameters: {city: Oslo}, kind: scheduled}
      - {from: 2026-12-24T18:00:00Z, to: 2026-12-24T23:00:00Z}
    env: {WEATHER_UNITS: metric, HOURS: 12}
    permissions:
      network: true
      read: [~/Documents, /srv/music]
      write: [~/.local/share/weather]
      bus: [org.mpris.MediaPlayer2.*, org.freedesktop.Notifications]
    sandbox: strict
    privileges: false
    url: weather://city/{city}
    app: org.example.Weather
    group: org.example.sky
    """

  /// A manifest with every key of a script of another bar.
  private static let script = """
    kind: cpu
    name: Processor
    families: [accessoryInline]
    provider:
      exec: [./cpu.sh]
      protocol: i3blocks
      every: 5s
      retry: 30s
      recheck: 10s
      stream: true
      signal: 8
      restart: 5s
      clicks: {left: [gnome-system-monitor, --process], scrollUp: notify-send "$(uptime)"}
      if: [which, sensors]
      look:
        format: "{icon} {text}"
        icons: {default: [low, high], mute: off}
        tooltip: "{alt}"
        alternate: "{alt}"
        alternateClick: right
        failFormat: no {text}
        maxLength: 30
        ellipsis: false
        minLength: 3
        align: right
        color: "#ff8800"
        background: "#000"
        plain: true
        hideEmpty: true
    """

  /// A manifest that offers several kinds, with keys in each of the places where they may stand.
  private static let bundle = """
    provider: {exec: [./clock], protocol: extension}
    app: org.example.Clock
    description: The time
    families: [systemSmall, systemMedium]
    reload: {perDay: 24}
    env: {ZONE: UTC}
    performs: [AddCity, RemoveCity]
    kinds:
      - kind: org.example.clock
        name: Clock
        intent: ShowWorldClock
        url: clock://city/{city}
        suggest: [{from: 07:00, to: 09:00, parameters: {city: Oslo}}]
        aliases: [org.example.time]
      - {kind: org.example.week, name: {en: Week, zh-CN: 星期}, families: [systemMedium], reload: {perDay: 2}}
    """

  private static func schema() throws -> JSONSchema {
    try JSONSchema(project: "docs/schema/manifest.json")
  }

  private static func manifest(_ text: String = whole) throws -> JSONValue {
    let document = readYAML(text, file: "w.yaml")
    #expect(document.issues.isEmpty)
    return try #require(document.value).json
  }

  private static func issues(of manifest: JSONValue) -> [String] {
    ManifestReader.read(
      ManifestSource(file: "w.yaml", directory: "/", document: located(manifest))
    ).issues.map(\.description)
  }

  @Test(arguments: [whole, script, bundle])
  func `a manifest with every key is valid and read without a word`(text: String) throws {
    let manifest = try Self.manifest(text)
    #expect(Self.issues(of: manifest) == [])
    #expect(try Self.schema().mistakes(in: manifest) == [])
  }

  @Test func `the schema has every key of the page`() throws {
    let schema = try Self.schema()
    let keys = Set(try Self.manifest().objectValue?.members.map(\.key) ?? [])
    #expect(Set(schema.properties.map(\.key)) == keys.union(["kinds", "performs"]))
  }

  /// Values that are put at each place of the whole manifest.
  private static let values: [JSONValue] = [
    nil, true, 0, 1, 5, 40.5, -1, 70, 100_000, 2_000_000, 1e10, "", "text", "two words", "a:b",
    "network", "workdays", "monday", "learned", "7-23", "25-3", "40-70", "30s", "64MB", "soon",
    "07:00", "25:00", "2026-12-24T19:00:00Z", "systemLarge", "systemlarge", "extension", "default",
    "-x", "a\u{0}b", "compact", "expanded", ["compact"], [], ["text"], [5], [40, 70], [1, 2, 3],
    [[]], [:], ["a": "b"],
    ["exec": ["./a"]], ["network"], ["monday"], ["from": "07:00", "to": "09:00"],
    ["en": "Week", "zh-CN": "星期"], ["en": 5], ["en": nil], ["zh_CN": "a"], ["english": "a"],
  ]

  /// Whether an issue is about what the schema cannot say.
  private static func isUnsaid(_ issue: String) -> Bool {
    // Values that are compared: an end with its beginning, an intent with the parameters of a
    // window, two numbers with one another.
    ["suggest.to is", "suggest.parameters is there", "reload.perDay is '25-3'"].contains {
      issue.contains($0)
    }
  }

  @Test(arguments: [(whole, 1_500), (script, 500), (bundle, 1_000)])
  func `at every place the schema refuses what the reader minds, and nothing else`(
    text: String, countMin: Int
  ) throws {
    let schema = try Self.schema()
    let manifest = try Self.manifest(text)
    var count = 0
    for place in manifest.places where place.count < 4 || place.last != .key("city") {
      for value in Self.values.map(Optional.some) + [nil] {
        let changed = manifest.replacing(place, with: value)
        let issues = Self.issues(of: changed)
        let mistakes = schema.mistakes(in: changed)
        count += 1
        // The span of a window has an issue of its own; the schema may see it or not.
        guard !issues.contains(where: Self.isUnsaid) else { continue }
        #expect(
          issues.isEmpty == mistakes.isEmpty,
          "\(written(place)) is \(value?.serialized ?? "gone"): \(issues) and \(mistakes)")
      }
    }
    #expect(count > countMin)
  }

  @Test func `a key that nobody knows is refused by both, at every level`() throws {
    let schema = try Self.schema()
    let manifest = try Self.manifest()
    for place: [JSONValue.Step] in [
      [.key("surprise")], [.key("provider"), .key("shell")], [.key("reload"), .key("perWeek")],
      [.key("suggest"), .index(0), .key("at")],
    ] {
      let changed = manifest.replacing(place, with: "x")
      #expect(Self.issues(of: changed).count == 1, "\(written(place))")
      #expect(!schema.isValid(changed), "\(written(place))")
    }
  }

  @Test func `a key stands in a bundle where both say that it may`() throws {
    let schema = try Self.schema()
    let bundle = try Self.manifest(Self.bundle)
    let value = try Self.manifest().objectValue?.members ?? []
    for member in value {
      let beside = bundle.replacing([.key(member.key)], with: member.value)
      let inKind = bundle.replacing(
        [.key("kinds"), .index(1), .key(member.key)], with: member.value)
      for changed in [beside, inKind] {
        let issues = Self.issues(of: changed).filter { !Self.isUnsaid($0) }
        #expect(issues.isEmpty == schema.isValid(changed), "\(member.key): \(issues)")
      }
    }
  }

  /// Facts of the page, each with whether it holds.
  static let facts: [(String, Bool)] = [
    ("timeout: 100ms", true), ("timeout: 0.1", true), ("timeout: 0.05", false),
    ("timeout: 600", true), ("timeout: 601", false), ("timeout: 10 parsecs", false),
    ("memory: 1048576", true), ("memory: 1048575", false), ("memory: 1.5GB", true),
    ("memory: much", false), ("protocol: extension", true), ("protocol: xbar", true),
    ("protocol: i3bar", false), ("protocol: xbar\n  every: 5s", true), ("every: 5s", false),
    ("protocol: timeline\n  signal: 8", false), ("protocol: text\n  signal: 30", true),
    ("protocol: text\n  signal: 31", false),
    ("protocol: text\n  every: 0.05", false), ("protocol: text\n  restart: 5s", false),
    ("protocol: text\n  restart: 5s\n  stream: true", true),
    ("protocol: swiftbar\n  stream: true\n  useTrailingStreamSeparator: true", true),
    ("protocol: swiftbar\n  stream: true\n  useTrailingStreamSeparator: 1", false),
    ("protocol: swiftbar\n  useTrailingStreamSeparator: true", false),
    ("protocol: waybar\n  stream: true\n  useTrailingStreamSeparator: true", false),
    ("useTrailingStreamSeparator: true", false),
    ("protocol: xbar\n  alwaysVisible: true", true),
    ("protocol: waybar\n  stream: true\n  alwaysVisible: false", true),
    ("protocol: argos\n  refreshOnOpen: true", true), ("refreshOnOpen: true", false),
    ("protocol: argos\n  refreshOnOpen: yes please", false),
    ("protocol: xbar\n  alwaysVisible: 1", false), ("alwaysVisible: true", false),
    ("protocol: polybar\n  look: {icons: [a, b]}", true),
    ("protocol: xbar\n  look: {format: a}", false),
    ("protocol: xbar\n  retry: 5s\n  recheck: 100ms", true), ("retry: 5s", false),
    ("protocol: xbar\n  retry: 0.05", false), ("protocol: xbar\n  recheck: soon", false),
    ("protocol: waybar\n  look: {alternateClick: up}", false),
    ("protocol: waybar\n  look: {align: middle}", false),
    ("protocol: waybar\n  look: {tooltip: false}", true),
    ("protocol: waybar\n  look: {tooltip: ''}", false),
    ("protocol: waybar\n  look: {maxLength: 1001}", false),
    ("protocol: waybar\n  look: {icons: {default: []}}", false),
    ("protocol: waybar\n  look: {color: '#12345'}", false),
    ("protocol: waybar\n  look: {color: '#1234'}", true),
  ]

  @Test(arguments: facts)
  func `a fact of the provider holds in both`(line: String, isGood: Bool) throws {
    let text = """
      kind: a
      name: A
      families: [systemSmall]
      provider:
        exec: [./a]
        \(line)
      """
    let manifest = try #require(readYAML(text, file: "w.yaml").value).json
    #expect(Self.issues(of: manifest).isEmpty == isGood)
    #expect(try Self.schema().isValid(manifest) == isGood)
  }

  @Test func `limits of numbers are the same in both`() throws {
    let schema = try Self.schema()
    let manifest = try Self.manifest()
    func both(_ place: [JSONValue.Step], _ good: JSONValue, _ bad: JSONValue) {
      for (value, isGood) in [(good, true), (bad, false)] {
        let changed = manifest.replacing(place, with: value)
        #expect(Self.issues(of: changed).isEmpty == isGood, "\(written(place))")
        #expect(schema.isValid(changed) == isGood, "\(written(place))")
      }
    }
    func texts(_ count: Int) -> JSONValue {
      .array((0..<count).map { .string("a\($0)") })
    }
    func variables(_ count: Int) -> JSONValue {
      .object(JSONObject((0..<count).map { .init(key: "V\($0)", value: "x") }))
    }
    both([.key("provider"), .key("exec")], texts(64), texts(65))
    both([.key("aliases")], texts(32), texts(33))
    let bundle = try Self.manifest(Self.bundle)
    for count in [32, 33] {
      let kinds = (0..<count).map { number -> JSONValue in
        ["kind": .string("k\(number)"), "name": "K"]
      }
      let changed = bundle.replacing([.key("kinds")], with: .array(kinds))
      #expect(Self.issues(of: changed).isEmpty == (count == 32))
      #expect(schema.isValid(changed) == (count == 32))
    }
    both([.key("env")], variables(64), variables(65))
    both([.key("reload"), .key("perDay")], 86_400, 86_401)
    both([.key("reload"), .key("minimumInterval")], 86_400, 86_401)
    both([.key("reload"), .key("learning")], 2_592_000, 2_592_001)
    let window: JSONValue = ["from": "07:00", "to": "09:00"]
    both(
      [.key("suggest")], .array([JSONValue](repeating: window, count: 16)),
      .array([JSONValue](repeating: window, count: 17)))
    let long = JSONValue.string(String(repeating: "a", count: 4_096))
    let longer = JSONValue.string(String(repeating: "a", count: 4_097))
    both([.key("description")], long, longer)
    both([.key("kind")], .string(String(repeating: "a", count: 128)), longer)
  }
}
