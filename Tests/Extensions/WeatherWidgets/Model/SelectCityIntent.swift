import AppIntents

struct SelectCityIntent: WidgetConfigurationIntent {
  static var title: LocalizedStringResource = "Select City"
  static var description = IntentDescription("Chooses the city whose weather is shown.")

  @Parameter(title: "City")
  var city: CityEntity?

  @Parameter(title: "Unit", default: .celsius)
  var unit: TemperatureUnit

  static var parameterSummary: some ParameterSummary {
    Summary("Weather in \(\.$city) in \(\.$unit)")
  }
}

enum TemperatureUnit: String, AppEnum {
  case celsius, fahrenheit

  static var typeDisplayRepresentation: TypeDisplayRepresentation = "Temperature Unit"
  static var caseDisplayRepresentations: [TemperatureUnit: DisplayRepresentation] = [
    .celsius: "Celsius",
    .fahrenheit: DisplayRepresentation(title: "Fahrenheit", subtitle: "as in the United States"),
  ]

  func format(_ celsius: Double) -> String {
    let value = self == .celsius ? celsius : celsius * 9 / 5 + 32
    return "\(Int(value.rounded()))°"
  }
}

struct CityEntity: AppEntity, Hashable {
  static var typeDisplayRepresentation: TypeDisplayRepresentation = "City"
  static var defaultQuery = CityQuery()

  let id: String
  let name: String
  let country: String

  var displayRepresentation: DisplayRepresentation {
    DisplayRepresentation(title: "\(name)", subtitle: "\(country)")
  }

  static let samples = [
    CityEntity(id: "oslo", name: "Oslo", country: "Norway"),
    CityEntity(id: "beijing", name: "Beijing", country: "China"),
    CityEntity(id: "lima", name: "Lima", country: "Peru"),
  ]
}

struct CityQuery: EntityStringQuery {
  func entities(for identifiers: [CityEntity.ID]) async throws -> [CityEntity] {
    CityEntity.samples.filter { identifiers.contains($0.id) }
  }

  func entities(matching string: String) async throws -> [CityEntity] {
    CityEntity.samples.filter { $0.name.localizedCaseInsensitiveContains(string) }
  }

  func suggestedEntities() async throws -> [CityEntity] { CityEntity.samples }

  func defaultResult() async -> CityEntity? { CityEntity.samples.first }
}
