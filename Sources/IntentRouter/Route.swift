/// A URL pattern that makes an intent: `weather://city/{city}`, `stock://{symbol}?range={range}`.
///
/// A host and each path segment is literal text or one parameter; a query names its parameters.
/// Matching is exact: same scheme, same number of segments. Query items that a route does not name
/// fill the parameter of that name if the intent has it, and mean nothing to the router otherwise:
/// they are the app's.
package struct Route: Hashable, Sendable {
  package enum Part: Hashable, Sendable {
    case literal(String)
    case parameter(String)
  }

  package struct QueryPart: Hashable, Sendable {
    package var name: String
    package var part: Part
  }

  /// As written in the document.
  package var pattern: String
  package var scheme: String
  /// `nil` when the pattern has no `//`.
  package var host: Part?
  package var segments: [Part]
  package var query: [QueryPart]

  /// The parameters that the pattern names, in order.
  package var parameterNames: [String] {
    var names: [String] = []
    for part in [host].compactMap({ $0 }) + segments + query.map(\.part) {
      if case .parameter(let name) = part { names.append(name) }
    }
    return names
  }
}

extension Route {
  /// Reads a pattern; the failure is what is wrong with it.
  package static func parse(_ pattern: String) -> Result<Route, RouterError> {
    func invalid(_ problem: String) -> Result<Route, RouterError> {
      .failure(
        RouterError(
          .invalidURL, "the route '\(pattern)' \(problem); write it like weather://city/{city}"))
    }
    // A placeholder stands for some text, so the pattern with a letter in its place must be a URL.
    var sample = ""
    var isInside = false
    for character in pattern {
      switch character {
      case "{":
        guard !isInside else { return invalid("has a '{' inside a parameter") }
        isInside = true
        sample += "x"
      case "}":
        guard isInside else { return invalid("has a '}' without '{'") }
        isInside = false
      default: if !isInside { sample.append(character) }
      }
    }
    guard !isInside else { return invalid("has a '{' without '}'") }
    guard case .success(let url) = ProfiledURL.parse(sample) else {
      return invalid("is not a URL that can be opened")
    }
    guard url.scheme != "intentd" else { return invalid("uses the scheme of the daemon itself") }
    guard url.fragment == nil else { return invalid("has a fragment") }
    guard url.port == nil else { return invalid("has a port") }

    var rest = pattern.drop { $0 != ":" }.dropFirst()
    var query: Substring = ""
    if let mark = rest.firstIndex(of: "?") {
      query = rest[rest.index(after: mark)...]
      rest = rest[..<mark]
    }
    var route = Route(pattern: pattern, scheme: url.scheme, host: nil, segments: [], query: [])
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: "/") ?? rest.endIndex
      guard let host = part(rest[..<end]) else { return invalid("has text beside a parameter") }
      route.host = host
      rest = rest[end...]
    }
    if rest.hasPrefix("/") { rest = rest.dropFirst() }
    if !rest.isEmpty {
      for text in rest.split(separator: "/", omittingEmptySubsequences: false) {
        guard !text.isEmpty else { return invalid("has an empty path segment") }
        guard let part = part(text) else { return invalid("has text beside a parameter") }
        route.segments.append(part)
      }
    }
    for item in query.split(separator: "&") {
      guard let equals = item.firstIndex(of: "="),
        let part = part(item[item.index(after: equals)...])
      else { return invalid("has a query item that is not name={parameter}") }
      route.query.append(.init(name: String(item[..<equals]), part: part))
    }
    let names = route.parameterNames
    guard Set(names).count == names.count else { return invalid("names a parameter twice") }
    return .success(route)
  }

  private static func part(_ text: Substring) -> Part? {
    if text.hasPrefix("{"), text.hasSuffix("}"), text.count > 2 {
      return .parameter(String(text.dropFirst().dropLast()))
    }
    return text.contains("{") ? nil : .literal(String(text))
  }

  /// The texts of the parameters when `url` is of this route, else `nil`.
  func match(_ url: ProfiledURL) -> [String: String]? {
    guard url.scheme == scheme else { return nil }
    var texts: [String: String] = [:]
    func take(_ part: Part, _ text: String, ignoringCase: Bool) -> Bool {
      switch part {
      case .literal(let literal):
        return ignoringCase ? literal.lowercased() == text.lowercased() : literal == text
      case .parameter(let name):
        texts[name] = text
        return true
      }
    }
    switch (host, url.host) {
    case (nil, nil): break
    case (let part?, let text?): guard take(part, text, ignoringCase: true) else { return nil }
    case (nil, _?), (_?, nil): return nil
    }
    var given = url.pathSegments[...]
    // `weather://city/Beijing/` is what some browsers make of it.
    if given.last == "" { given.removeLast() }
    guard given.count == segments.count else { return nil }
    for (part, text) in zip(segments, given) {
      guard take(part, text, ignoringCase: false) else { return nil }
    }
    for item in query {
      guard let text = url.queryItems.last(where: { $0.name == item.name })?.value else {
        if case .literal = item.part { return nil }
        continue
      }
      guard take(item.part, text, ignoringCase: false) else { return nil }
    }
    return texts
  }

  /// The URL of this route with these texts; `nil` when a parameter in host or path has none.
  func url(_ texts: [String: String]) -> String? {
    func text(_ part: Part) -> String? {
      switch part {
      case .literal(let literal): return literal
      case .parameter(let name):
        guard let value = texts[name], !value.isEmpty else { return nil }
        return ProfiledURL.encodingComponent(value)
      }
    }
    var result = "\(scheme):"
    if let host {
      guard let name = text(host) else { return nil }
      result += "//\(name)"
    }
    for (index, segment) in segments.enumerated() {
      guard let name = text(segment) else { return nil }
      result += host == nil && index == 0 ? name : "/\(name)"
    }
    var items: [String] = []
    for item in query {
      if let value = text(item.part) { items.append("\(item.name)=\(value)") }
    }
    let named = Set(parameterNames)
    for (name, value) in texts.sorted(by: { $0.key < $1.key }) where !named.contains(name) {
      items.append(
        "\(ProfiledURL.encodingComponent(name))=\(ProfiledURL.encodingComponent(value))")
    }
    if !items.isEmpty { result += "?" + items.joined(separator: "&") }
    guard case .success = ProfiledURL.parse(result) else { return nil }
    return result
  }
}
