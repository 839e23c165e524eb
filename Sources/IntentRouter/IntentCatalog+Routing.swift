/// URLs to intents and back.
import JSON

extension IntentCatalog {
  /// The intent of a URL: `intentd://intent/NAME?parameter=value`, or a route of an intent.
  package func route(url text: String) -> Result<Intent, RouterError> {
    let url: ProfiledURL
    switch ProfiledURL.parse(text) {
    case .failure(let error): return .failure(error)
    case .success(let parsed): url = parsed
    }
    if url.scheme == "intentd" { return resolveGeneric(url) }
    for definition in definitions {
      for route in definition.routes {
        guard var texts = route.match(url) else { continue }
        for item in url.queryItems
        where texts[item.name] == nil && definition.parameter(named: item.name) != nil {
          texts[item.name] = item.value
        }
        return resolve(definition, values(texts, of: definition))
      }
    }
    let patterns = definitions.flatMap { $0.routes.map(\.pattern) }
    let sameScheme = patterns.filter { $0.hasPrefix("\(url.scheme):") }
    let suggestions = Array(
      (sameScheme.isEmpty ? nearestNames(to: url.text, in: patterns) : sameScheme)
        .prefix(Limits.suggestionsMax))
    let hint =
      suggestions.isEmpty
      ? "write intentd://intent/NAME?parameter=value"
      : "known are \(suggestions.joined(separator: ", "))"
    return .failure(
      RouterError(
        .noRoute, "no intent has a route for '\(url.text)'; \(hint)", suggestions: suggestions))
  }

  private func resolveGeneric(_ url: ProfiledURL) -> Result<Intent, RouterError> {
    var segments = url.pathSegments
    if segments.last == "" { segments.removeLast() }
    guard url.host?.lowercased() == "intent", segments.count == 1, !segments[0].isEmpty else {
      return .failure(
        RouterError(
          .noRoute,
          "'\(url.text)' names no intent; write intentd://intent/NAME?parameter=value"))
    }
    guard let definition = definition(named: segments[0]) else {
      return .failure(
        .unknown(.unknownIntent, "intent", segments[0], among: definitions.map(\.name)))
    }
    var texts: [String: String] = [:]
    for item in url.queryItems {
      guard texts.updateValue(item.value, forKey: item.name) == nil else {
        return .failure(
          RouterError(
            .invalidParameter,
            "\(definition.name): the parameter '\(item.name)' is given twice; give it once"))
      }
    }
    return resolve(definition, values(texts, of: definition))
  }

  private func values(
    _ texts: [String: String], of definition: IntentDefinition
  ) -> [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    for (name, text) in texts {
      values[name] = definition.parameter(named: name).map { typed(text, for: $0) } ?? .string(text)
    }
    return values
  }

  /// The URL that makes this intent: by its first route that fits, else the generic one. `nil` when
  /// the intent is not known or has a value that no URL can carry.
  package func url(for intent: Intent) -> String? {
    guard let definition = definition(named: intent.name) else { return nil }
    var texts: [String: String] = [:]
    for (name, value) in intent.parameters {
      switch value {
      case .string(let text): texts[name] = text
      case .int(let number): texts[name] = "\(number)"
      case .double(let number): texts[name] = "\(number)"
      case .bool(let flag): texts[name] = flag ? "true" : "false"
      case .null: continue
      case .array, .object: return nil
      }
    }
    for route in definition.routes {
      if let url = route.url(texts) { return url }
    }
    let generic = Route(
      pattern: "", scheme: "intentd", host: .literal("intent"), segments: [.literal(intent.name)],
      query: [])
    return generic.url(texts)
  }
}
