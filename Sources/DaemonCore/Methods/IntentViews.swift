import IntentRouter
import JSON

extension Daemon.Origin {
  /// The member `fromWidgets` of an answer: for each parameter the widget that its value is from.
  var fromWidgetsView: JSONValue {
    .object(
      JSONObject(
        fromWidgets.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .string($0.value)) })
    )
  }
}

extension IntentDefinition {
  /// The intent as `intent.list` describes it, with the first values of its lists in `catalog`;
  /// `made` are sentences by language, for those without examples.
  func view(in catalog: IntentCatalog, made: [String: [String]]) -> JSONObject {
    var view: JSONObject = [
      "name": .string(name), "title": .string(title), "description": .string(description),
      "parameters": parametersView(in: catalog),
      "routes": .array(routes.map { .string($0.pattern) }),
    ]
    let said = catalog.languages.compactMap { language -> JSONObject.Member? in
      var sentences = (examples[language] ?? []).prefix(Limits.shownExampleCountMax)
        .map(\.sentence)
      if sentences.isEmpty { sentences = made[language] ?? [] }
      guard !sentences.isEmpty else { return nil }
      return .init(key: language, value: .array(sentences.map { .string($0) }))
    }
    if !said.isEmpty { view["examples"] = .object(JSONObject(said)) }
    if !isEligibleForWidgets { view["widgets"] = false }
    if links != .allow { view["links"] = .string(links.rawValue) }
    return view
  }

  /// The parameters as `intent.list` and `gallery.list` describe them.
  func parametersView(in catalog: IntentCatalog) -> JSONValue {
    .array(
      parameters.map { parameter in
        var object: JSONObject = [
          "name": .string(parameter.name), "type": .string(parameter.type.rawValue),
          "required": .bool(parameter.isRequired), "title": .string(parameter.title),
        ]
        if let list = parameter.list {
          object["list"] = .string(list)
          if let told = catalog.told(ofList: list) {
            object["values"] = .array(told.titles.map { .string($0) })
            object["valueCount"] = .int(Int64(told.count))
          }
          if parameter.allowsOtherValues { object["otherValues"] = true }
        }
        if parameter.isArray { object["array"] = true }
        if parameter.isDynamic { object["dynamic"] = true }
        if !parameter.cases.isEmpty {
          object["cases"] = .array(
            parameter.cases.map {
              ["name": .string($0.identifier), "title": .string($0.title)]
            })
        }
        object["default"] = parameter.defaultValue
        object["minimum"] = parameter.minimum.map { .double($0) }
        object["maximum"] = parameter.maximum.map { .double($0) }
        object["lengthMax"] = parameter.lengthMax.map { .int(Int64($0)) }
        return .object(object)
      })
  }
}

extension Intent {
  /// The intent as answers have it, its parameters in the order of their names.
  var view: JSONObject {
    let members = parameters.sorted { $0.key < $1.key }
    return [
      "name": .string(name),
      "parameters": .object(JSONObject(members.map { .init(key: $0.key, value: $0.value) })),
    ]
  }
}

extension Misunderstanding {
  /// The part of a sentence that did not fit, as the answers about it have it.
  var view: JSONObject {
    var view: JSONObject = [
      "parameter": .string(parameter), "text": .string(text), "message": .string(message),
    ]
    view["nearest"] = nearest.map { .string($0) }
    return view
  }
}
