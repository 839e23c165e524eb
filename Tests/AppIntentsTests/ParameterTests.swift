import AppIntents
import JSON
import Testing

enum Units: String, AppEnum {
  case metric, imperial
  static let typeDisplayRepresentation: TypeDisplayRepresentation = "Units"
  static let caseDisplayRepresentations: [Units: DisplayRepresentation] = [
    .metric: "Metric", .imperial: DisplayRepresentation(title: "Imperial", synonyms: ["US"]),
  ]
}

struct City: AppEntity {
  var id: Int
  var name: String
  static let typeDisplayRepresentation: TypeDisplayRepresentation = "City"
  var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: "\(name)") }
  static let defaultQuery = CityQuery()
}

struct CityQuery: EntityStringQuery {
  private var all: [City] { [City(id: 1, name: "Berlin"), City(id: 2, name: "Oslo")] }
  func entities(for identifiers: [Int]) async throws -> [City] {
    all.filter { identifiers.contains($0.id) }
  }
  func suggestedEntities() async throws -> IntentItemCollection<City> {
    IntentItemCollection(items: all)
  }
  func entities(matching string: String) async throws -> [City] {
    all.filter { $0.name.hasPrefix(string) }
  }
  func defaultResult() async -> City? { all.first }
}

struct Rooms: DynamicOptionsProvider {
  @IntentParameterDependency<Show>(\.$city) var show
  func results() async throws -> [String] { ["Hall of \(show?.city.name ?? "nobody")"] }
}

struct Show: WidgetConfigurationIntent {
  static let title: LocalizedStringResource = "Show"
  @Parameter(title: "City") var city: City
  @Parameter(title: "Units", default: .metric) var units: Units
  @Parameter(title: "Count", default: 3, inclusiveRange: (1, 10)) var count: Int?
  @Parameter(title: "Room", optionsProvider: Rooms()) var room: String?
  @Parameter(title: "Cities", size: [.systemSmall: 2]) var cities: [City]?
  @Parameter(title: "Start") var start: DateComponents?

  static var parameterSummary: some ParameterSummary {
    When(\.$units, .equalTo, .metric) {
      Summary("Show \(\.$city) in \(\.$units)") { \.$count }
    } otherwise: {
      Summary("Show \(\.$city)")
    }
  }
}

struct Count: AppIntent {
  static let title: LocalizedStringResource = "Count"
  @Parameter(title: "Number") var number: Int
  func perform() async throws -> some IntentResult & ReturnsValue<Int> & ProvidesDialog {
    .result(value: number + 1, dialog: "It is \(number + 1).")
  }
}

struct OpenPage: AppIntent {
  static let title: LocalizedStringResource = "Open"
  func perform() async throws -> some IntentResult & OpensIntent {
    .result(opensIntent: OpenURLIntent(try #require(URL(string: "city://oslo"))))
  }
}

struct Shortcuts: AppShortcutsProvider {
  static var appShortcuts: [AppShortcut] {
    AppShortcut(
      intent: Show(), phrases: ["Show \(\.$city) in \(.applicationName)"], shortTitle: "Show",
      systemImageName: "map")
    AppShortcut(intent: Count(), phrases: ["Count", "Let \(.applicationName) count"])
  }
}

@Suite struct ParameterTests {
  private func parameter(_ name: String, of intent: Show) throws -> any AnyIntentParameter {
    try #require(intent.parameters.first { $0.name == name }).parameter
  }

  @Test func `parameters have the names of their properties, in order`() {
    #expect(
      Show().parameters.map(\.name) == ["city", "units", "count", "room", "cities", "start"])
  }

  @Test func `a key path names a parameter by its identity`() {
    #expect(Show.name(of: \.$city) == "city")
    #expect(Show.name(of: \.$room) == "room")
  }

  @Test func `a default holds until a value is set`() async throws {
    let show = Show()
    #expect(show.units == .metric)
    #expect(show.count == 3)
    #expect(show.room == nil)
    #expect(try await parameter("units", of: show).set("imperial"))
    #expect(try await parameter("count", of: show).set(7))
    #expect(show.units == .imperial)
    #expect(show.count == 7)
  }

  @Test func `a value that is none of the type changes nothing`() async throws {
    let show = Show()
    #expect(try await !parameter("units", of: show).set("furlongs"))
    #expect(try await !parameter("count", of: show).set("many"))
    #expect(try await !parameter("start", of: show).set("soon"))
    #expect(show.units == .metric)
    #expect(show.count == 3)
  }

  @Test func `an entity is found by its identifier, and by what a person said`() async throws {
    let show = Show()
    let city = try parameter("city", of: show)
    #expect(try await city.set(["identifier": "2", "display": "anything"]))
    #expect(show.city.name == "Oslo")
    #expect(try await city.set("Berlin"))
    #expect(show.city.name == "Berlin")
    #expect(try await city.set(["identifier": "Os", "display": "Os"]))
    #expect(show.city.name == "Oslo")
    #expect(try await !city.set("Atlantis"))
    #expect(show.city.name == "Oslo")
  }

  @Test func `of a list the entities that are known are taken`() async throws {
    let show = Show()
    #expect(try await parameter("cities", of: show).set(["1", "Atlantis", "2"]))
    #expect(show.cities?.map(\.name) == ["Berlin", "Oslo"])
  }

  @Test func `a missing entity is the default of its query`() async throws {
    let show = Show()
    try await parameter("city", of: show).fill()
    #expect(show.city.name == "Berlin")
  }

  @Test func `a time of day is a date without a day`() async throws {
    let show = Show()
    #expect(try await parameter("start", of: show).set("09:30"))
    #expect(show.start?.hour == 9)
    #expect(show.start?.minute == 30)
    #expect(show.start?.year == nil)
  }

  @Test func `a type is described for a manifest`() throws {
    let show = Show()
    #expect(try parameter("city", of: show).type.shape == .entity(name: "City"))
    #expect(try parameter("cities", of: show).type.shape == .list(.entity(name: "City")))
    #expect(try parameter("count", of: show).isOptional)
    #expect(try !parameter("city", of: show).isOptional)
    #expect(try parameter("count", of: show).traits.range == 1...10)
    guard case .enumeration("Units", let cases) = try parameter("units", of: show).type.shape
    else {
      Issue.record("no enumeration")
      return
    }
    #expect(cases.map(\.name) == ["metric", "imperial"])
    #expect(cases.map { String(localized: $0.title) } == ["Metric", "Imperial"])
  }

  @Test func `the values of a parameter come from its query or its provider`() async throws {
    let show = Show()
    let cities = try #require(try parameter("city", of: show).optionsSource)
    #expect(try await cities.options(matching: nil).map(\.title) == ["Berlin", "Oslo"])
    #expect(
      try await cities.options(matching: "Os").map(\.value)
        == [["identifier": "2", "display": "Oslo"]])
    #expect(try parameter("units", of: show).optionsSource == nil)
    show.city = City(id: 2, name: "Oslo")
    let rooms = try #require(try parameter("room", of: show).optionsSource)
    let titles = try await CurrentIntent.$value.withValue(show) {
      try await rooms.options(matching: nil).map(\.title)
    }
    #expect(titles == ["Hall of Oslo"])
  }

  @Test func `an intent is sent with the values that it has`() {
    let show = Show()
    show.city = City(id: 2, name: "Oslo")
    #expect(
      IntentCall(show).json == [
        "name": "Show",
        "parameters": [
          "city": ["identifier": "2", "display": "Oslo"], "units": "metric", "count": 3,
        ],
      ])
  }
}

@Suite struct SummaryTests {
  @Test func `each form of a summary is a combination`() {
    #expect(
      Show.summaryForms.map(\.parameters) == [["city", "units", "count"], ["city"]])
    #expect(Show.summaryForms.map(\.title) == ["Show ${city} in ${units}", "Show ${city}"])
    #expect(Count.summaryForms.isEmpty)
  }

  @Test func `phrases know the app and the parameters`() {
    let shortcuts = Shortcuts.appShortcuts
    #expect(shortcuts.map(\.intentName) == ["Show", "Count"])
    #expect(shortcuts[0].phrases.map(\.key) == ["Show ${city} in ${applicationName}"])
    #expect(shortcuts[0].phrases[0].parameterNames == ["city"])
    #expect(shortcuts[1].phrases.map(\.key) == ["Count", "Let ${applicationName} count"])
  }
}

@Suite struct ResultTests {
  @Test func `a result has its words and its value`() async throws {
    let count = Count()
    count.number = 4
    #expect(try await count.perform().performAnswer == ["dialog": "It is 5.", "value": 5])
  }

  @Test func `a result may open a URL`() async throws {
    #expect(try await OpenPage().perform().performAnswer == ["url": "city://oslo"])
  }

  @Test func `a result without anything is empty`() async throws {
    #expect(try await Show().perform().performAnswer == [:])
  }
}
