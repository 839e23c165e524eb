import JSON

/// Names by language: what clients ask for, and what they must be answered.
extension RandomWorld {
  /// The name of the weather, as its manifest has it.
  static let weatherNames = LocalizedText([
    .init(language: "en", text: "Weather"), .init(language: "zh-CN", text: "天气"),
  ])

  /// Returns the parameters of a request that may name a language.
  func languageParameters() -> JSONObject {
    guard randomness.chance(60) else { return [:] }
    return ["language": .string(randomness.pick(["en", "zh", "zh_TW.UTF-8", "de", "*"]))]
  }

  /// Checks that an answer has names in the language that its request named.
  func checkNames(in result: JSONValue, of request: FakeClient.Outstanding) {
    guard let language = request.params["language"]?.stringValue else { return }
    let kind: JSONValue = "org.sim.Weather"
    for item in (result["kinds"] ?? result["widgets"])?.arrayValue ?? []
    where item["kind"] == kind && item["name"] != kind {
      // A widget whose kind is away has the id of the kind for its name.
      let wanted = Self.weatherNames.text(in: [language])
      if item["name"] != .string(wanted) {
        violate(
          "\(request.method) in '\(language)' has the name \(item["name"]?.serialized ?? "-")")
      }
    }
  }
}
