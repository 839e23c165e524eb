import DaemonCore
import IntentRouter
import JSON
import WidgetCenter

/// The configuration of all worlds: two intents and ten kinds, written here as values.
///
/// Together the kinds have all properties that matter to the engine: static and configured by an
/// intent, two of one intent, with and without an app, small and large budgets, short and long
/// deadlines, scripts of other bars with intervals of their own, one that stays running, one without
/// a provider.
struct Scenario: Sendable {
  static let cities = ["Beijing", "Berlin", "Lima", "Nairobi", "Oslo"]
  static let kindNames = [
    "org.sim.Agenda", "org.sim.Block", "org.sim.Board", "org.sim.Clock", "org.sim.Fast",
    "org.sim.Note", "org.sim.Radar", "org.sim.Script", "org.sim.Stream", "org.sim.Weather",
  ]
  /// The intent that configures a kind, and its parameter.
  static let parameterOfKind = [
    "org.sim.Note": "text", "org.sim.Radar": "city", "org.sim.Weather": "city",
  ]
  static let familiesOfKind = [
    "org.sim.Agenda": ["systemLarge"], "org.sim.Block": ["accessoryInline"],
    "org.sim.Board": ["systemSmall", "systemMedium"],
    "org.sim.Clock": ["systemSmall", "accessoryInline"], "org.sim.Fast": ["systemSmall"],
    "org.sim.Note": ["systemMedium"], "org.sim.Radar": ["systemLarge"],
    "org.sim.Script": ["systemSmall", "accessoryInline"],
    "org.sim.Stream": ["systemSmall", "accessoryInline"],
    "org.sim.Weather": ["systemSmall", "systemMedium"],
  ]
  /// Kinds of one program: a manifest may offer them together.
  static let bundledKinds = ["org.sim.Agenda", "org.sim.Clock", "org.sim.Note", "org.sim.Weather"]
  static let apps = ["org.sim.WeatherApp", "org.sim.AgendaApp"]

  /// Kinds whose manifest is gone at the moment.
  var missing: [String] = []
  /// Kinds whose manifest has a mistake at the moment.
  var broken: [String] = []
  /// How often the scripts of other bars run.
  var interval = Scenario.shortInterval
  /// Whether one manifest offers `bundledKinds`, rather than a manifest for each.
  var isBundled = false
  /// Counted up with each new version of the providers.
  var version = 1
  var hasIntents = true
  /// The clock has its other name; each of the two is an alias of the other.
  var isRenamed = false
  /// The intent that configures the weather: the usual one, one with other parameters beside the
  /// city, or one that requires more.
  var weatherIntent = Scenario.weatherIntents[0]
  /// The weather does not come in its first family any more.
  var hasLostFamily = false
  /// The agenda has no expanded mode at the moment.
  var hasLostMode = false

  /// The signal that runs the script and the block, and begins the stream anew.
  static let signal: Int64 = 8

  static let weatherIntents = ["ShowWeather", "ShowForecast", "ShowStation"]
  static let shortInterval = "20s"
  /// For a world, or its end, that lasts for hours.
  static let longInterval = "5m"

  static let clockNames = ["org.sim.Clock", "org.sim.Timepiece"]

  func files() -> ConfigurationFiles {
    var catalog: [CatalogSource] = []
    if hasIntents { catalog = Self.catalog }
    var manifests: [ManifestSource] = []
    var bundle: [JSONValue] = []
    for name in Self.kindNames where !missing.contains(name) {
      var document = Self.manifest(name, version: version)
      evolve(&document, name)
      if broken.contains(name) { document["families"] = ["enormous"] }
      if isBundled, Self.bundledKinds.contains(name) {
        document["provider"] = nil
        bundle.append(.object(document))
      } else {
        manifests.append(Self.source(document, file: name))
      }
    }
    if !bundle.isEmpty {
      let provider = Self.manifest(Self.bundledKinds[0], version: version)["provider"]
      manifests.append(
        Self.source(["provider": provider ?? .null, "kinds": .array(bundle)], file: "bundle"))
    }
    var issues: [DocumentIssue] = []
    if !hasIntents {
      issues.append(
        DocumentIssue(file: "intents", line: 0, message: "cannot be read", expected: "a folder"))
    }
    return ConfigurationFiles(catalog: catalog, manifests: manifests, issues: issues)
  }

  private static func source(_ document: JSONObject, file: String) -> ManifestSource {
    ManifestSource(
      file: "widgets/\(file).yaml", directory: "/sim", document: located(.object(document)))
  }

  private func evolve(_ manifest: inout JSONObject, _ name: String) {
    switch name {
    case "org.sim.Clock":
      manifest["kind"] = .string(Self.clockNames[isRenamed ? 1 : 0])
      manifest["aliases"] = [.string(Self.clockNames[isRenamed ? 0 : 1])]
    case "org.sim.Script", "org.sim.Block":
      var provider = manifest["provider"]?.objectValue ?? [:]
      provider["protocol"] = name == "org.sim.Script" ? "xbar" : "i3blocks"
      provider["every"] = .string(interval)
      provider["signal"] = .int(Self.signal)
      if name == "org.sim.Script" { provider["refreshOnOpen"] = true }
      manifest["provider"] = .object(provider)
    case "org.sim.Stream":
      var provider = manifest["provider"]?.objectValue ?? [:]
      provider["protocol"] = "swiftbar"
      provider["stream"] = true
      provider["signal"] = .int(Self.signal)
      manifest["provider"] = .object(provider)
    case "org.sim.Agenda":
      if hasLostMode { manifest["modes"] = "compact" }
    case "org.sim.Weather":
      manifest["intent"] = .string(weatherIntent)
      if hasLostFamily { manifest["families"] = ["systemMedium"] }
    default: break
    }
  }

  private static func manifest(_ name: String, version: Int) -> JSONObject {
    var manifest: JSONObject = ["kind": .string(name), "name": .string(name)]
    manifest["families"] = .array((familiesOfKind[name] ?? []).map { .string($0) })
    var timeout = "30s"
    switch name {
    case "org.sim.Agenda":
      manifest["app"] = "org.sim.AgendaApp"
      manifest["modes"] = ["compact", "expanded"]
      manifest["reload"] = ["perDay": 24]
    case "org.sim.Fast":
      manifest["reload"] = ["minimumInterval": "1m", "perDay": 96, "unchangedIsFree": true]
      timeout = "5s"
    case "org.sim.Clock":
      manifest["reload"] = ["activeHours": "7-23"]
      manifest["app"] = "org.sim.AgendaApp"
    case "org.sim.Note":
      manifest["intent"] = "ShowNote"
      manifest["app"] = "org.sim.WeatherApp"
      manifest["group"] = "org.sim.weather"
      manifest["url"] = "https://example.org/note/{text}"
    case "org.sim.Radar":
      manifest["intent"] = "ShowWeather"
      manifest["needs"] = "network"
      timeout = "2m"
    case "org.sim.Weather":
      let names = RandomWorld.weatherNames.versions
      manifest["name"] = .object(
        JSONObject(names.map { .init(key: $0.language, value: .string($0.text)) }))
      manifest["intent"] = "ShowWeather"
      manifest["app"] = "org.sim.WeatherApp"
      manifest["url"] = "weather://city/{city}"
    default: break
    }
    if name == "org.sim.Board" { return manifest }
    var provider: JSONObject = [
      "exec": ["./provider", .string("v\(version)")], "timeout": .string(timeout),
    ]
    if name == "org.sim.Fast" {
      provider["protocol"] = "extension"
      manifest["performs"] = ["Ring"]
    }
    manifest["provider"] = .object(provider)
    return manifest
  }

  private static let catalog: [CatalogSource] = {
    let weather: JSONValue = [
      "name": "ShowWeather", "title": "Weather", "description": "Weather of a city",
      "parameters": [
        ["name": "city", "type": "string", "list": "cities", "required": true, "otherValues": true]
      ],
      "routes": ["weather://city/{city}"],
    ]
    let city: JSONValue = [
      "name": "city", "type": "string", "list": "cities", "required": true, "otherValues": true,
    ]
    let forecast: JSONValue = [
      "name": "ShowForecast", "title": "Forecast", "description": "Weather of the days to come",
      "parameters": [city, ["name": "days", "type": "integer"]],
    ]
    let station: JSONValue = [
      "name": "ShowStation", "title": "Station", "description": "Weather at a station",
      "parameters": [
        city, ["name": "station", "type": "string", "required": true, "otherValues": true],
      ],
    ]
    let note: JSONValue = [
      "name": "ShowNote", "title": "Note", "description": "A note",
      "parameters": [
        ["name": "text", "type": "string", "required": true, "dynamic": true, "otherValues": true]
      ],
      "routes": ["note://{text}"],
    ]
    let ring: JSONValue = [
      "name": "Ring", "title": "Ring", "description": "Rings a bell", "widgets": false,
      "parameters": [["name": "bell", "type": "string"]],
    ]
    let weatherSentences: JSONValue = [
      "language": "en",
      "intents": [
        "ShowWeather": [
          "data": [["sentences": ["show weather for {cities:city}", "weather in {cities:city}"]]]
        ]
      ],
    ]
    let noteSentences: JSONValue = [
      "language": "en",
      "intents": ["ShowNote": ["data": [["sentences": ["show [the] note {words:text}"]]]]],
      "lists": ["words": ["wildcard": true]],
    ]
    let list: JSONValue = [
      "lists": ["cities": ["values": .array(cities.map { .string($0) })]]
    ]
    return [
      CatalogSource(file: "ShowWeather/intent.yaml", document: located(weather), kind: .intent),
      CatalogSource(
        file: "ShowWeather/en.yaml", document: located(weatherSentences), kind: .sentences),
      CatalogSource(file: "ShowForecast/intent.yaml", document: located(forecast), kind: .intent),
      CatalogSource(file: "ShowStation/intent.yaml", document: located(station), kind: .intent),
      CatalogSource(file: "ShowNote/intent.yaml", document: located(note), kind: .intent),
      CatalogSource(file: "Ring/intent.yaml", document: located(ring), kind: .intent),
      CatalogSource(file: "ShowNote/en.yaml", document: located(noteSentences), kind: .sentences),
      CatalogSource(file: "lists/cities.yaml", document: located(list), kind: .list),
    ]
  }()
}
