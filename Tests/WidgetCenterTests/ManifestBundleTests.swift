import Documents
import JSON
import Testing
import Timekeeping
import WidgetCenter

/// Tests manifests that offer several kinds.
@Suite struct ManifestBundleTests {
  private func read(_ text: String) throws -> ManifestReading {
    let document = readYAML(text, file: "w.yaml")
    #expect(document.issues.isEmpty)
    return ManifestReader.read(
      ManifestSource(
        file: "w.yaml", directory: "/home/me/widgets", document: try #require(document.value)))
  }

  private static let clock = """
    provider: {exec: [./clock], protocol: extension, timeout: 5s}
    env: {ZONE: UTC}
    needs: network
    permissions: {read: [~/Documents]}
    sandbox: strict
    app: org.example.Clock
    description: The time
    families: [systemSmall]
    reload: {perDay: 24}
    kinds:
      - kind: org.example.clock
        name: Clock
        intent: ShowWorldClock
        url: clock://{city}
        aliases: [org.example.time]
      - {kind: org.example.week, name: Week, families: [systemMedium], description: The week,
         reload: {perDay: 2}, app: null}
    """

  @Test func `each kind has the keys beside kinds, and its own win`() throws {
    let read = try read(Self.clock)
    #expect(read.issues == [])
    #expect(read.kinds.map(\.kind) == ["org.example.clock", "org.example.week"])
    let (clock, week) = (read.kinds[0], read.kinds[1])
    #expect(clock.name == "Clock" && week.name == "Week")
    #expect(clock.description == "The time" && week.description == "The week")
    #expect(clock.families == [.systemSmall] && week.families == [.systemMedium])
    #expect(clock.intent == "ShowWorldClock" && week.intent == nil)
    #expect(clock.url == "clock://{city}" && week.url == nil)
    #expect(clock.aliases == ["org.example.time"] && week.aliases == [])
    #expect(clock.reload.perDay == 24...24 && week.reload.perDay == 2...2)
    #expect(clock.app == "org.example.Clock" && week.app == nil)
    #expect(read.lines == ["org.example.clock": 11, "org.example.week": 16])
  }

  @Test func `all kinds have one program, known under the id of the first`() throws {
    let kinds = try read(Self.clock).kinds
    #expect(kinds[0].provider == kinds[1].provider)
    #expect(kinds.map(\.bundle) == ["org.example.clock", "org.example.clock"])
    #expect(kinds[1].provider.exec == ["./clock"])
    #expect(kinds[1].provider.timeout == 5_000)
    #expect(kinds[1].provider.environment == [.init(name: "ZONE", value: "UTC")])
    #expect(kinds[1].needsNetwork && kinds[1].isStrict)
    #expect(kinds[1].asked.read == ["~/Documents"])
  }

  @Test func `a consent to the manifest holds for each of its kinds`() throws {
    let kinds = try read(Self.clock).kinds
    let granted = ProviderPermissions(network: true)
    let consent = Consent(
      kind: "org.example.clock", manifest: "w.yaml", granted: granted,
      date: .init(milliseconds: 0), pin: ProgramPin(files: []))
    for kind in kinds { #expect(kind.held(by: consent).granted == granted) }
  }

  @Test func `a kind without a bundle is known under its own id`() throws {
    let kind = try #require(
      try read("kind: a\nname: A\nfamilies: [systemSmall]\nprovider: {exec: [a]}").kind)
    #expect(kind.bundle == "a" && kind.provider.bundle == nil)
  }

  @Test func `kinds that are pushed to have no program together`() throws {
    let read = try read("families: [systemSmall]\nkinds: [{kind: a, name: A}, {kind: b, name: B}]")
    #expect(read.issues == [])
    #expect(read.kinds.map(\.hasProvider) == [false, false])
    #expect(read.kinds.map(\.bundle) == ["a", "b"])
  }

  /// Manifests with mistakes: the kinds that load, those that are broken, and the issues, each with
  /// its line.
  private static let mistakes: [(String, [String], [String], [String])] = [
    (
      "kinds: [{kind: a, name: A}, {kind: b}, {kind: c, name: C, families: [large]}]", ["a"],
      ["b", "c"], ["3: name is missing", "3: 'large' is not a family; did you mean 'systemLarge'?"]
    ),
    (
      "kinds:\n - {kind: a, name: A}\n - {kind: a, name: B}", ["a"], [],
      ["5: the kind 'a' stands in kinds twice, first on line 4"]
    ),
    (
      "kinds: [{kind: a, name: A, needs: network, provider: {exec: [b]}, kinds: []}]", [], ["a"],
      [
        "3: needs stands in a kind of kinds", "3: provider stands in a kind of kinds",
        "3: kinds stands in a kind of kinds",
      ]
    ),
    (
      "name: A\naliases: [c]\nkinds: [{kind: a, name: A}]", ["a"], [],
      ["3: name stands beside kinds", "4: aliases stands beside kinds"]
    ),
    (
      "reload: 5\ncolour: red\nkinds: [{kind: a, name: A}, {kind: b, name: B}]", [], ["a", "b"],
      ["4: 'colour' is not a key of a manifest and is ignored", "3: reload is '5'"]
    ),
    ("kinds: []", [], [], ["3: kinds is a list of 0"]),
    ("kinds:", [], [], ["3: kinds is empty"]),
    ("kinds: [5, {kind: b, name: B}]", ["b"], [], ["3: a kind of kinds is '5'"]),
  ]

  @Test(arguments: mistakes)
  func `every mistake is found at once, and the other kinds load`(
    text: String, kinds: [String], broken: [String], issues: [String]
  ) throws {
    let read = try read("provider: {exec: [./a]}\nfamilies: [systemSmall]\n" + text)
    #expect(read.kinds.map(\.kind) == kinds)
    #expect(read.broken == Set(broken))
    let told = read.issues.map { "\($0.line): \($0.message)" }
    #expect(told == issues)
  }

  @Test func `a bundle has at most 32 kinds`() throws {
    for count in [32, 33] {
      let kinds = (0..<count).map { "{kind: k\($0), name: K}" }.joined(separator: ", ")
      let read = try read("families: [systemSmall]\nkinds: [\(kinds)]")
      #expect(read.kinds.count == (count == 32 ? 32 : 0))
      #expect(read.issues.count == (count == 32 ? 0 : 1))
    }
  }

  @Test func `more mistakes than anybody is shown end the reading`() throws {
    let words = [String](repeating: "x", count: 500).joined(separator: ", ")
    let kinds = (0..<32).map { "{kind: k\($0), name: K, families: [\(words)]}" }
    let read = try read("kinds:\n" + kinds.map { "  - \($0)\n" }.joined())
    #expect(read.kinds == [])
    #expect(read.broken.count == 32)
    #expect(read.issues.count < 1_000)
  }

  // MARK: What stays in force

  private func kinds(_ names: [String]) -> [WidgetKind] {
    names.map {
      WidgetKind(
        kind: $0, name: $0, families: [.systemSmall], provider: ProviderDeclaration(exec: ["a"]),
        file: "w.yaml")
    }
  }

  /// A manifest that offered a, b and c: its text now, and the kinds whose last good version stays.
  private static let stays: [(String, [String])] = [
    ("kinds: [{kind: a, name: A}, {kind: b}, {kind: c, name: C}]", ["b"]),
    ("kinds: [{kind: a, name: A}, {kind: b, name: B}]", []),
    ("kinds: [{kind: a, name: A}, {kind: b}]", ["b"]),
    // Whether d is what c is called now, nobody knows.
    ("kinds: [{kind: a, name: A}, {kind: b, name: B}, {kind: d}]", ["c"]),
    ("kinds: [{kind: a, name: A}, {kind: '', name: B}]", ["b", "c"]),
    ("kinds: 5", ["a", "b", "c"]),
    ("kinds: [{kind: a, name: A}]\nprovider: 5", ["a"]),
    ("kinds: [{kind: a, name: A}]\nname: 5", ["b", "c"]),
    ("kind: a\nname: A", []),
    ("kind: a", ["a", "b", "c"]),
  ]

  @Test(arguments: stays)
  func `a kind with a mistake stays as it was, and one that is gone goes`(
    text: String, staying: [String]
  ) throws {
    let read = try read("families: [systemSmall]\n" + text)
    #expect(read.staying(of: kinds(["a", "b", "c"])).map(\.kind) == staying)
  }
}
