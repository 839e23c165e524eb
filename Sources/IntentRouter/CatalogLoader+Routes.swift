/// `routes:` of `intent.yaml`.
import JSON

extension CatalogLoader {
  mutating func readRoute(
    _ value: LocatedValue, of definition: IntentDefinition, in file: String
  ) -> Route? {
    guard let pattern = string(value, "a route", in: file) else { return nil }
    switch Route.parse(pattern) {
    case .failure(let error):
      report(file, value.line, error.message, expected: "a URL pattern")
      return nil
    case .success(let route):
      for name in route.parameterNames where definition.parameter(named: name) == nil {
        report(
          file, value.line, "the route '\(pattern)' names the parameter '\(name)'",
          expected: "a parameter of \(definition.name)")
        return nil
      }
      for other in catalog.definitions {
        if other.routes.contains(where: { $0.accepts(sameURLsAs: route) }) {
          report(
            file, value.line, "the route '\(pattern)' is taken by \(other.name)",
            expected: "another route")
          return nil
        }
      }
      return route
    }
  }
}

extension Route {
  /// Whether another route differs at most in the names of its parameters.
  fileprivate func accepts(sameURLsAs other: Route) -> Bool {
    func shape(_ part: Part) -> Part {
      if case .parameter = part { return .parameter("") }
      return part
    }
    return scheme == other.scheme && host.map(shape) == other.host.map(shape)
      && segments.map(shape) == other.segments.map(shape)
      && query.filter(\.isLiteral) == other.query.filter(\.isLiteral)
  }
}

extension Route.QueryPart {
  fileprivate var isLiteral: Bool {
    if case .literal = part { return true }
    return false
  }
}
