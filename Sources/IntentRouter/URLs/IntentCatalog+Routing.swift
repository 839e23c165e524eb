/// URLs to intents and back.
import JSON

/// What an opened URL asks for.
package enum OpenedURL: Hashable, Sendable {
  case intent(Intent)
  /// An intent for which a person must say something first.
  case needs(IntentNeed)
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
      switch intent(of: url).intent {
      case .ready(let intent): return .success(.intent(intent))
      case .needs(let need): return .success(.needs(need))
      case .failed(let error): return .failure(error)
      }
    }
  }

  /// The intent of a URL, whoever is to be told about it, and without asking anybody: what a person
  /// would have to say is a refusal, and a confirmation is taken as given.
  package func route(url text: String) -> Result<Intent, RouterError> {
    open(url: text).flatMap { opened in
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
      // Only what belongs to the action is looked at from here on, and shown in messages.
      action.queryItems = split.items
      action.text = "\(url.scheme)://x-callback-url\(url.path)"
      (request.intent, request.openCallbacks) = intent(of: action)
      return request
    }
  }

  private typealias Found = (intent: IntentResolution, openCallbacks: Set<String>)

  private func intent(of url: ProfiledURL) -> Found {
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
    // the most specific one asks for what it lacks, or says what is wrong.
    var second: Found?
    for (definition, route, texts) in fitting {
      let found = (resolution(texts, of: definition), Set(route.callbacks))
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
    var texts: Route.Texts = [:]
    for item in url.queryItems { texts[item.name, default: []].append(item.value) }
    return (resolution(texts, of: definition), Set(definition.routes.flatMap(\.callbacks)))
  }

  /// The intent with these texts as values of its parameters' types.
  private func resolution(
    _ texts: Route.Texts, of definition: IntentDefinition
  ) -> IntentResolution {
    func refused(_ name: String, _ problem: String) -> IntentResolution {
      .failed(
        RouterError(.invalidParameter, "\(definition.name): the parameter '\(name)' \(problem)"))
    }
    var values: [String: JSONValue] = [:]
    for (name, given) in texts.sorted(by: { $0.key < $1.key }) {
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
        return refused(name, "cannot be '\(wrong.prefix(80))'; it must be \(expected)")
      }
      values[name] = parameter.isArray ? .array(typed) : typed[0]
    }
    return resolution(definition, values, isConfirmed: false)
  }
}

extension ParameterDefinition {
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
    let generic = Route(
      pattern: "", scheme: "intentd", host: .literal("intent"), segments: [.literal(intent.name)],
      query: [])
    let routes = definition.routes.filter { !$0.isXCallback } + [generic]
    // An object is found by its identifier, or by what a list calls it.
    for member in ["identifier", "display"] {
      var texts: Route.Texts = [:]
      for (name, value) in intent.parameters where !value.isNull {
        guard let said = urlTexts(value, member) else { return nil }
        texts[name] = said
      }
      for route in routes {
        guard let url = route.url(texts), case .success(let again) = self.route(url: url),
          again == intent || again.canonicalKey == intent.canonicalKey
        else { continue }
        return url
      }
    }
    return nil
  }
}

/// A value as a URL says it: each element of a list once, an object by `member`, a place by its
/// name.
///
/// `nil` when it is none that a text stands for.
private func urlTexts(_ value: JSONValue, _ member: String) -> [String]? {
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
      guard let said = urlTexts(element, member), said.count == 1 else { return nil }
      texts += said
    }
    return texts
  case .object(let object):
    guard let name = (object[member] ?? object["identifier"] ?? object["name"])?.stringValue else {
      return nil
    }
    return [name]
  case .null: return nil
  }
}
