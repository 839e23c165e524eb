/// URLs to intents and back.
import JSON

/// What an opened URL asks for.
package enum OpenedURL: Hashable, Sendable {
  case intent(Intent)
  /// An intent, and who is told what became of it.
  case callback(XCallback)
  /// Reloads, as the plugin hosts of menu bars say it.
  case plugins(BarVerb)
}

extension IntentCatalog {
  /// What a URL asks for, as a person types it or another app opens it.
  ///
  /// `intentd://intent/NAME?parameter=value`, `x-callback-url`, the verbs of menu-bar plugin hosts,
  /// or a route of an intent. Linear in the routes.
  package func open(url text: String) -> Result<OpenedURL, RouterError> {
    ProfiledURL.parse(text).flatMap { url in
      if BarVerb.schemes.contains(url.scheme) { return BarVerb.parse(url).map { .plugins($0) } }
      if url.isXCallback { return callback(url).map { .callback($0) } }
      return intent(of: url).map { .intent($0.intent) }
    }
  }

  /// The intent of a URL, whoever is to be told about it.
  package func route(url text: String) -> Result<Intent, RouterError> {
    open(url: text).flatMap { opened in
      switch opened {
      case .intent(let intent): .success(intent)
      case .callback(let request): request.intent
      case .plugins:
        .failure(
          RouterError(.noRoute, "this URL reloads widgets and is no intent; open it with url.open"))
      }
    }
  }

  private func callback(_ url: ProfiledURL) -> Result<XCallback, RouterError> {
    XCallback.split(url.queryItems).map { split in
      var request = split.request
      var action = url
      // Only what belongs to the action is looked at from here on, and shown in messages.
      action.queryItems = split.items
      action.text = "\(url.scheme)://x-callback-url\(url.path)"
      switch intent(of: action) {
      case .success(let found):
        request.intent = .success(found.intent)
        request.openCallbacks = found.openCallbacks
      case .failure(let error): request.intent = .failure(error)
      }
      return request
    }
  }

  private typealias Found = (intent: Intent, openCallbacks: Set<String>)

  private func intent(of url: ProfiledURL) -> Result<Found, RouterError> {
    if url.scheme == "intentd" { return named(in: url) }
    var fitting: [(definition: IntentDefinition, route: Route, texts: Route.Texts)] = []
    for definition in definitions {
      for route in definition.routes {
        guard var texts = route.match(url) else { continue }
        for item in url.queryItems where definition.parameter(named: item.name) != nil {
          // What the pattern takes from elsewhere in the URL is not said twice.
          guard !route.parameterNames.contains(item.name) else { continue }
          texts[item.name, default: []].append(item.value)
        }
        fitting.append((definition, route, texts))
      }
    }
    if fitting.count > 1 {
      fitting.sort {
        RouteRank($0.route, of: $0.definition) < RouteRank($1.route, of: $1.definition)
      }
    }
    // Of routes that differ by type only the value tells which one is meant. When none takes it,
    // the most specific one says why.
    var refusal: RouterError?
    for (definition, route, texts) in fitting {
      switch values(texts, of: definition).flatMap({ resolve(definition, $0) }) {
      case .success(let intent): return .success((intent, Set(route.callbacks)))
      case .failure(let error): refusal = refusal ?? error
      }
    }
    return .failure(refusal ?? noRoute(url))
  }

  private func noRoute(_ url: ProfiledURL) -> RouterError {
    let patterns = definitions.flatMap { $0.routes.map(\.pattern) }
    let sameScheme = patterns.filter { $0.hasPrefix("\(url.scheme):") }
    let suggestions = Array(
      (sameScheme.isEmpty ? nearestNames(to: url.text, in: patterns) : sameScheme)
        .prefix(Limits.suggestionsMax))
    let hint =
      suggestions.isEmpty
      ? "write intentd://intent/NAME?parameter=value"
      : "known are \(suggestions.joined(separator: ", "))"
    return RouterError(
      .noRoute, "no intent has a route for '\(url.text)'; \(hint)", suggestions: suggestions)
  }

  /// `intentd://intent/NAME?…` and `intentd://x-callback-url/NAME?…`: every parameter by its name.
  private func named(in url: ProfiledURL) -> Result<Found, RouterError> {
    var segments = url.pathSegments
    if segments.last == "" { segments.removeLast() }
    guard url.host?.lowercased() == "intent" || url.isXCallback, url.port == nil,
      segments.count == 1, !segments[0].isEmpty
    else {
      return .failure(
        RouterError(
          .noRoute,
          "'\(url.text)' names no intent; write intentd://intent/NAME?parameter=value"))
    }
    guard let definition = definition(named: segments[0]) else {
      return .failure(
        .unknown(.unknownIntent, "intent", segments[0], among: definitions.map(\.name)))
    }
    var texts: Route.Texts = [:]
    for item in url.queryItems { texts[item.name, default: []].append(item.value) }
    return values(texts, of: definition).flatMap { resolve(definition, $0) }.map {
      ($0, Set(definition.routes.flatMap(\.callbacks)))
    }
  }

  /// Texts of a URL as values of the parameters' types.
  private func values(
    _ texts: Route.Texts, of definition: IntentDefinition
  ) -> Result<[String: JSONValue], RouterError> {
    func refused(_ name: String, _ problem: String) -> RouterError {
      RouterError(.invalidParameter, "\(definition.name): the parameter '\(name)' \(problem)")
    }
    var values: [String: JSONValue] = [:]
    for (name, given) in texts.sorted(by: { $0.key < $1.key }) {
      guard let parameter = definition.parameter(named: name) else {
        // To be refused by name, with the nearest one.
        values[name] = .string(given[0])
        continue
      }
      if parameter.takesSeveral {
        values[name] = .array(given.map { typed($0, for: parameter) })
        continue
      }
      guard given.count == 1 else {
        return .failure(refused(name, "is given \(given.count) times; give it once"))
      }
      let value = typed(given[0], for: parameter)
      if let expected = parameter.expectedText, value.stringValue != nil {
        return .failure(refused(name, "cannot be '\(given[0].prefix(80))'; it must be \(expected)"))
      }
      values[name] = value
    }
    return .success(values)
  }
}

extension ParameterDefinition {
  /// Whether a URL may say it several times.
  fileprivate var takesSeveral: Bool { isArray }

  /// What a text must look like to be of the type; `nil` when any text may be.
  fileprivate var expectedText: String? {
    let expected: [ValueType: String] = [
      .integer: "a whole number", .decimal: "a number, as 2.5", .boolean: "true or false",
      .duration: "seconds, or a duration as 5m",
    ]
    return expected[type]
  }
}

// MARK: The reverse

extension IntentCatalog {
  /// The URL that makes this intent: by its first route that fits, else the generic one.
  ///
  /// Opening it gives this intent again: each URL is tried before it is given. `nil` when the intent
  /// is not known, is not one that the catalogue would resolve to itself, or has a value that no
  /// URL can carry.
  package func url(for intent: Intent) -> String? {
    guard let definition = definition(named: intent.name) else { return nil }
    var texts: Route.Texts = [:]
    for (name, value) in intent.parameters where !value.isNull {
      guard let said = urlTexts(value) else { return nil }
      texts[name] = said
    }
    let generic = Route(
      pattern: "", scheme: "intentd", host: .literal("intent"), segments: [.literal(intent.name)],
      query: [])
    for route in definition.routes.filter({ !$0.isXCallback }) + [generic] {
      guard let url = route.url(texts), case .success(let again) = self.route(url: url),
        again.canonicalKey == intent.canonicalKey
      else { continue }
      return url
    }
    return nil
  }
}

/// A value as a URL says it: each element of a list once.
///
/// `nil` when it is none that a text stands for.
private func urlTexts(_ value: JSONValue) -> [String]? {
  switch value {
  case .string(let text): return [text]
  case .int(let number): return ["\(number)"]
  case .double(let number):
    // `2.0` and `2` are the same number; a whole one is also read where whole numbers are asked for.
    if let whole = Int64(exactly: number) { return ["\(whole)"] }
    return ["\(number)"]
  case .bool(let flag): return [flag ? "true" : "false"]
  case .array(let elements):
    guard !elements.isEmpty else { return nil }
    var texts: [String] = []
    for element in elements {
      guard let said = urlTexts(element), said.count == 1 else { return nil }
      texts += said
    }
    return texts
  case .object(let object):
    // An object is known by its identifier; the display string comes back with it.
    guard let identifier = object["identifier"]?.stringValue else { return nil }
    return [identifier]
  case .null: return nil
  }
}
