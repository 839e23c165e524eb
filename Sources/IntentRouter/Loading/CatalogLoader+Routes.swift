import JSON

/// `routes:` of `intent.yaml`.
extension CatalogLoader {
  /// A pattern, or `{url: pattern, callbacks: [scheme]}`.
  mutating func readRoute(
    _ value: LocatedValue, of definition: IntentDefinition, in file: String
  ) -> Route? {
    var patternValue = value
    if case .object = value.node {
      checkKeys(
        members(value, "a route", in: file), known: ["url", "callbacks"], "a route", in: file)
      guard let url = value["url"] else {
        report(file, value.line, "the route has no key 'url'", expected: "url: a URL pattern")
        return nil
      }
      patternValue = url
    }
    guard let pattern = string(patternValue, "a route", in: file) else { return nil }
    var route: Route
    switch Route.parse(pattern) {
    case .failure(let error):
      report(file, patternValue.line, error.message, expected: "a URL pattern")
      return nil
    case .success(let read): route = read
    }
    for name in route.parameterNames where definition.parameter(named: name) == nil {
      report(
        file, patternValue.line, "the route '\(pattern)' names the parameter '\(name)'",
        expected: "a parameter of \(definition.name)")
      return nil
    }
    for other in catalog.definitions + [definition] {
      if other.routes.contains(where: {
        route.isAmbiguous(with: $0, of: other, seenFrom: definition)
      }) {
        report(
          file, patternValue.line,
          "the route '\(pattern)' is taken by \(other.name)", expected: "another route")
        return nil
      }
    }
    if let callbacks = value["callbacks"] {
      guard let schemes = readCallbacks(callbacks, of: route, in: file) else { return nil }
      route.callbacks = schemes
    }
    return route
  }

  private mutating func readCallbacks(
    _ value: LocatedValue, of route: Route, in file: String
  ) -> [String]? {
    guard route.isXCallback else {
      report(
        file, value.line, "the route '\(route.pattern)' calls nobody back",
        expected: "callbacks only with the host x-callback-url")
      return nil
    }
    var schemes: Set<String> = []
    for element in elements(value, "'callbacks'", in: file) {
      guard let name = string(element, "a scheme", in: file)?.lowercased() else { return nil }
      guard case .success(let url) = ProfiledURL.parse("\(name)://x"), url.scheme == name,
        !XCallback.deniedCallbackSchemes.contains(name)
      else {
        report(
          file, element.line, "'\(name)' is no scheme to call back",
          expected: "the scheme of an app, without ':'")
        return nil
      }
      schemes.insert(name)
    }
    guard schemes.count <= Limits.callbackSchemesMax else {
      report(
        file, value.line, "the route '\(route.pattern)' has too many callbacks",
        expected: "at most \(Limits.callbackSchemesMax)")
      return nil
    }
    return schemes.sorted()
  }
}
