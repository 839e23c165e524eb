// URLs to intents and back.

package import JSON

/// The request that an opened URL makes.
package enum OpenedURL: Hashable, Sendable {
  case intent(Intent)
  /// An intent for which a person must say something first.
  case needs(IntentNeed)
  /// An intent, and the app that gets its outcome.
  case callback(XCallback)
  /// Reloads, as the plugin hosts of menu bars say it.
  case plugins(PluginHostURL)
}

extension IntentCatalog {
  /// Reads the request of a URL, as a person types it or another app opens it.
  ///
  /// `intentd://intent/NAME?parameter=value`, `x-callback-url`, the verbs of menu-bar plugin hosts,
  /// or a route of an intent. Linear in the routes.
  package func open(url text: String) -> Result<OpenedURL, RouterError> {
    ProfiledURL.parse(text).flatMap { open($0) }
  }

  private func open(_ url: ProfiledURL) -> Result<OpenedURL, RouterError> {
    if PluginHostURL.schemes.contains(url.scheme) {
      return PluginHostURL.parse(url).map { .plugins($0) }
    }
    if url.isXCallback { return callback(url).map { .callback($0) } }
    switch intent(of: url).intent {
    case .ready(let intent): return .success(.intent(intent))
    case .needs(let need): return .success(.needs(need))
    case .failed(let error): return .failure(error)
    }
  }

  /// Returns the intent of a URL, without its callbacks and without questions: a question is a
  /// refusal, and a confirmation counts as given.
  package func route(url text: String) -> Result<Intent, RouterError> {
    ProfiledURL.parse(text).flatMap { route($0) }
  }

  private func route(_ url: ProfiledURL) -> Result<Intent, RouterError> {
    open(url).flatMap { opened in
      switch opened {
      case .intent(let intent): .success(intent)
      case .needs(let need): resolve(name: need.intent, parameters: need.parameters)
      case .callback(let request):
        switch request.intent {
        case .ready(let intent): .success(intent)
        case .needs(let need): resolve(name: need.intent, parameters: need.parameters)
        case .failed(let error): .failure(error)
        }
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
      // From here on, use and quote only the items that belong to the action.
      action.queryItems = split.items
      action.text = "\(url.scheme)://x-callback-url\(url.path)"
      (request.intent, request.openCallbacks) = intent(of: action)
      return request
    }
  }

  private typealias Found = (intent: IntentResolution, openCallbacks: Set<String>)

  private func intent(of url: ProfiledURL) -> Found {
    if url.scheme == "intentd" { return named(in: url) }
    var fitting: [(place: RoutePlace, texts: URLTexts)] = []
    for place in routesByScheme[url.scheme] ?? [] {
      guard var texts = definitions[place.definition].routes[place.route].match(url) else {
        continue
      }
      for item in url.queryItems where definitions[place.definition].hasParameter(named: item.name)
      {
        // A parameter that the pattern takes from elsewhere in the URL is not said twice.
        guard !definitions[place.definition].routes[place.route].names(item.name) else { continue }
        texts.append(item.value, for: item.name)
      }
      fitting.append((place, texts))
    }
    if fitting.count > 1 {
      let ranks = fitting.map { rank($0.place) }
      let order = fitting.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
      fitting = order.map { fitting[$0] }
    }
    // The value decides between routes that differ only by type. If none takes it, the most
    // specific route asks for a missing value or reports the mistake.
    var second: Found?
    for (place, texts) in fitting {
      let callbacks = definitions[place.definition].routes[place.route].callbacks
      let found = (resolution(texts, of: definitions[place.definition]), Set(callbacks))
      switch found.0 {
      case .ready: return found
      case .needs(let need):
        guard need.reason == .value else { return found }
        second = second ?? found
      case .failed: second = second ?? found
      }
    }
    return second ?? (.failed(noRoute(url)), [])
  }

  private func rank(_ place: RoutePlace) -> RouteRank {
    let definition = definitions[place.definition]
    return RouteRank(definition.routes[place.route], of: definition)
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
  private func named(in url: ProfiledURL) -> Found {
    var segments = url.pathSegments
    if segments.last == "" { segments.removeLast() }
    guard url.host?.lowercased() == "intent" || url.isXCallback, url.port == nil,
      segments.count == 1, !segments[0].isEmpty
    else {
      let error = RouterError(
        .noRoute, "'\(url.text)' names no intent; write intentd://intent/NAME?parameter=value")
      return (.failed(error), [])
    }
    guard let definition = definition(named: segments[0]) else {
      let names = definitions.map(\.name)
      return (.failed(.unknown(.unknownIntent, "intent", segments[0], among: names)), [])
    }
    var texts = URLTexts()
    for item in url.queryItems { texts.append(item.value, for: item.name) }
    return (resolution(texts, of: definition), Set(definition.routes.flatMap(\.callbacks)))
  }

  /// The intent with these texts as values of its parameters' types.
  private func resolution(
    _ texts: URLTexts, of definition: IntentDefinition
  ) -> IntentResolution {
    func refused(_ name: String, _ problem: String) -> IntentResolution {
      .failed(
        RouterError(.invalidParameter, "\(definition.name): the parameter '\(name)' \(problem)"))
    }
    var values: [String: JSONValue] = [:]
    for (name, given) in texts.items {
      guard let parameter = definition.parameter(named: name) else {
        // To be refused by name, with the nearest one.
        values[name] = .string(given[0])
        continue
      }
      guard given.count == 1 || parameter.isArray else {
        return refused(name, "is given \(given.count) times; give it once")
      }
      let typed = given.map { self.typed($0, for: parameter) }
      if let expected = parameter.expectedText,
        let wrong = zip(given, typed).first(where: { $0.1.stringValue != nil })?.0
      {
        return refused(name, "cannot be \(quoted(wrong)); it must be \(expected)")
      }
      values[name] = parameter.isArray ? .array(typed) : typed[0]
    }
    return resolution(definition, values, isConfirmed: false)
  }
}

extension ParameterDefinition {
  /// The form that a text of the type must have; `nil` when any text will do.
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
  /// Returns the URL that makes this intent: that of its first route that fits, else the generic
  /// one.
  ///
  /// Opening it gives this intent again: each URL is tried before it is given. `nil` when the
  /// intent is not known, is not one that the catalogue would resolve to itself, or has a value
  /// that no URL can carry.
  package func url(for intent: Intent) -> String? {
    guard let index = definitionIndex(named: intent.name) else { return nil }
    // An object is found by its identifier, or by its name in a list.
    for member in ["identifier", "display"] {
      var texts = URLTexts()
      var hasObject = false
      for (name, value) in intent.parameters where !value.isNull {
        guard let said = urlTexts(value, member, &hasObject) else { return nil }
        texts.set(said, for: name)
      }
      for route in definitions[index].routes.indices
      where !definitions[index].routes[route].isXCallback {
        if let url = definitions[index].routes[route].url(texts), leads(url, to: intent) {
          return url.text
        }
      }
      let generic = Route(
        pattern: "", scheme: "intentd", host: .literal("intent"),
        segments: [.literal(intent.name)], query: [])
      if let url = generic.url(texts), leads(url, to: intent) { return url.text }
      guard hasObject else { return nil }
    }
    return nil
  }

  /// Returns a parameter's value as texts for a URL: each element of a list, an object's
  /// identifier, a place's name; empty when no text stands for it.
  package static func urlForm(of value: JSONValue) -> [String] {
    var hasObject = false
    return urlTexts(value, "identifier", &hasObject) ?? []
  }

  private func leads(_ url: ProfiledURL, to intent: Intent) -> Bool {
    guard case .success(let again) = route(url) else { return false }
    return again == intent || again.canonicalKey == intent.canonicalKey
  }
}

/// A value as a URL says it: each element of a list once, an object by `member`, a place by its
/// name.
///
/// `nil` when no text stands for it. Sets `hasObject` when `member` matters.
private func urlTexts(
  _ value: JSONValue, _ member: String, _ hasObject: inout Bool
) -> [String]? {
  switch value {
  case .string(let text): return [text]
  case .int(let number): return ["\(number)"]
  case .double(let number):
    // `2.0` and `2` are the same number; a whole one is also read where whole numbers are asked
    // for.
    if let whole = Int64(exactly: number) { return ["\(whole)"] }
    return ["\(number)"]
  case .bool(let flag): return [flag ? "true" : "false"]
  case .array(let elements):
    guard !elements.isEmpty else { return nil }
    var texts: [String] = []
    for element in elements {
      guard let said = urlTexts(element, member, &hasObject), said.count == 1 else { return nil }
      texts += said
    }
    return texts
  case .object(let object):
    hasObject = true
    guard let name = (object[member] ?? object["identifier"] ?? object["name"])?.stringValue else {
      return nil
    }
    return [name]
  case .null: return nil
  }
}
