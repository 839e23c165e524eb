/// A URL pattern that makes an intent: `weather://city/{city}`, `stock://{symbol}?range={range}`,
/// `notes://list#{section}`.
///
/// The host, each path segment, each query value and the fragment is literal text or one parameter.
/// A URL is of a route when
/// - scheme and host are the same in any case, and it has no port,
/// - it has as many path segments (one `/` at the end does not count), the literal ones the same,
/// - it has every literal query item, exactly once,
/// - it has a fragment, when the pattern has one.
///
/// Query parameters may be absent; whether the intent can do without is the intent's to say. Query
/// items that a route does not name fill the parameter of that name if the intent has it.
/// Everything else (other items, a fragment that the pattern lacks) means nothing to the router: it
/// is the app's.
///
/// A route whose host is `x-callback-url` is opened by other apps: see `XCallback`. Such a URL is
/// of such a route only.
package struct Route: Hashable, Sendable {
  /// A part of the pattern: literal text, or the name of a parameter.
  package enum Part: Hashable, Sendable {
    /// Decoded: what the URL stands for, not how it is escaped.
    case literal(String)
    case parameter(String)
  }

  /// A query item of the pattern.
  package struct QueryPart: Hashable, Sendable {
    package var name: String
    package var part: Part

    package init(name: String, part: Part) {
      self.name = name
      self.part = part
    }
  }

  /// As written in the document.
  package var pattern: String
  package var scheme: String
  /// `nil` when the pattern has no `//`.
  package var host: Part?
  package var segments: [Part]
  package var query: [QueryPart]
  /// `nil`: a URL with and one without a fragment are the same.
  package var fragment: Part?
  /// Schemes at which anybody may be called back with the results of this route.
  ///
  /// Lower case and sorted; only for routes of `x-callback-url`.
  package var callbacks: [String] = []

  /// Schemes whose URLs mean something of their own here, whatever routes say.
  package static let reservedSchemes: Set<String> = ["intentd", "swiftbar", "xbar", "bitbar"]

  /// The parameters that the pattern names, in order.
  package var parameterNames: [String] {
    parts.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
  }

  /// Everything that may be a parameter, from left to right.
  var parts: [Part] {
    [host].compactMap { $0 } + segments + query.map(\.part) + [fragment].compactMap { $0 }
  }

  package var isXCallback: Bool {
    guard case .literal(let name) = host, XCallback.isHost(name) else { return false }
    return !ProfiledURL.webSchemes.contains(scheme)
  }
}

// MARK: Reading

extension Route {
  /// Reads a pattern; the failure is what is wrong with it.
  package static func parse(_ pattern: String) -> Result<Route, RouterError> {
    do throws(RouterError) {
      return .success(try read(pattern))
    } catch {
      return .failure(error)
    }
  }

  private static func read(_ pattern: String) throws(RouterError) -> Route {
    func invalid(_ problem: String) -> RouterError {
      RouterError(
        .invalidURL, "the route '\(pattern)' \(problem); write it like weather://city/{city}")
    }
    // A placeholder stands for some text, so the pattern with a letter in its place must be a URL.
    var sample = ""
    var name: String?
    for character in pattern {
      switch (character, name) {
      case ("{", nil): name = ""
      case ("{", _): throw invalid("has a '{' inside a parameter")
      case ("}", nil): throw invalid("has a '}' without '{'")
      case ("}", let read?):
        guard isParameterName(read) else {
          throw invalid("has the parameter '{\(read)}', which is no name")
        }
        name = nil
        sample += "x"
      case (_, let read?): name = read + String(character)
      case (_, nil): sample.append(character)
      }
    }
    guard name == nil else { throw invalid("has a '{' without '}'") }
    let url: ProfiledURL
    switch ProfiledURL.parse(sample) {
    case .success(let parsed): url = parsed
    case .failure(let error):
      throw error.code == .deniedScheme
        ? invalid("has a scheme that is never opened") : invalid("is not a URL that can be opened")
    }
    guard !pattern.prefix(while: { $0 != ":" }).contains("{") else {
      throw invalid("has a parameter for its scheme")
    }
    guard !reservedSchemes.contains(url.scheme) else {
      throw invalid("uses the scheme '\(url.scheme)', which has a meaning of its own here")
    }
    guard url.port == nil else { throw invalid("has a port") }

    func part(_ text: Substring) throws(RouterError) -> Part {
      if text.hasPrefix("{"), text.hasSuffix("}"), !text.dropFirst().contains("{") {
        return .parameter(String(text.dropFirst().dropLast()))
      }
      guard !text.contains("{") else { throw invalid("has text beside a parameter") }
      return .literal(ProfiledURL.decodingTyped(String(text)))
    }

    var rest = pattern.drop { $0 != ":" }.dropFirst()
    var route = Route(pattern: pattern, scheme: url.scheme, host: nil, segments: [], query: [])
    if let hash = rest.firstIndex(of: "#") {
      route.fragment = try part(rest[rest.index(after: hash)...])
      rest = rest[..<hash]
    }
    var query: Substring = ""
    if let mark = rest.firstIndex(of: "?") {
      query = rest[rest.index(after: mark)...]
      rest = rest[..<mark]
    }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: "/") ?? rest.endIndex
      route.host = try part(rest[..<end])
      rest = rest[end...]
    }
    if rest.hasPrefix("/") { rest = rest.dropFirst() }
    if !rest.isEmpty {
      for text in rest.split(separator: "/", omittingEmptySubsequences: false) {
        guard !text.isEmpty else { throw invalid("has an empty path segment") }
        route.segments.append(try part(text))
      }
    }
    for item in query.split(separator: "&") {
      guard let equals = item.firstIndex(of: "="), !item[..<equals].contains("{") else {
        throw invalid("has a query item that is not name={parameter}")
      }
      let name = ProfiledURL.decodingTyped(String(item[..<equals]))
      guard !route.query.contains(where: { $0.name == name }) else {
        throw invalid("has the query item '\(name)' twice")
      }
      guard !(route.isXCallback && XCallback.isReserved(name)) else {
        throw invalid("names the query item '\(name)', which belongs to x-callback-url")
      }
      route.query.append(
        QueryPart(name: name, part: try part(item[item.index(after: equals)...])))
    }
    let names = route.parameterNames
    guard Set(names).count == names.count else { throw invalid("names a parameter twice") }
    return route
  }

  private static func isParameterName(_ name: String) -> Bool {
    guard let first = name.utf8.first, first | 0x20 >= 0x61, first | 0x20 <= 0x7A else {
      return false
    }
    return name.utf8.allSatisfy {
      $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 &- 0x30 < 10 || $0 == UInt8(ascii: "_")
    }
  }
}

// MARK: From a URL and to one

extension Route {
  /// Returns the texts of the parameters when `url` is of this route, else `nil`.
  func match(_ url: ProfiledURL) -> URLTexts? {
    guard url.scheme == scheme, url.port == nil, url.isXCallback == isXCallback else { return nil }
    var texts = URLTexts()
    func take(_ part: Part, _ text: String, ignoringCase: Bool = false) -> Bool {
      switch part {
      case .literal(let literal):
        return literal == text || ignoringCase && literal.lowercased() == text.lowercased()
      case .parameter(let name):
        texts.append(text, for: name)
        return true
      }
    }
    switch (host, url.host) {
    case (nil, nil): break
    case (let part?, let text?): guard take(part, text, ignoringCase: true) else { return nil }
    case (nil, _?), (_?, nil): return nil
    }
    // `weather://city/Beijing/` is what some browsers make of it.
    let given = url.pathSegments.count - (url.pathSegments.last == "" ? 1 : 0)
    guard given == segments.count else { return nil }
    for index in segments.indices {
      guard take(segments[index], url.pathSegments[index]) else { return nil }
    }
    for item in query {
      let values = url.queryItems.filter { $0.name == item.name }.map(\.value)
      switch item.part {
      case .literal(let literal): guard values == [literal] else { return nil }
      case .parameter(let name): if !values.isEmpty { texts.set(values, for: name) }
      }
    }
    if let fragment {
      guard let text = url.fragment, take(fragment, text) else { return nil }
    }
    return texts
  }

  /// Makes the URL of this route with these texts; `nil` when a parameter in host, path or fragment
  /// has none, or one that cannot stand there.
  ///
  /// The result equals `ProfiledURL.parse` of its text, which is not parsed where it need not be.
  func url(_ texts: URLTexts) -> ProfiledURL? {
    func text(_ part: Part) -> String? {
      switch part {
      case .literal(let literal): return literal
      case .parameter(let name):
        // Every parser takes the segments `.` and `..` away, escaped or not.
        guard let values = texts[name], values.count == 1, !values[0].isEmpty,
          values[0] != ".", values[0] != ".."
        else { return nil }
        return values[0]
      }
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(128)
    bytes.append(contentsOf: scheme.utf8)
    bytes.append(UInt8(ascii: ":"))
    var url = ProfiledURL(
      text: "", scheme: scheme, host: nil, port: nil, path: "", pathSegments: [], queryItems: [],
      fragment: nil)
    if let host {
      guard let name = text(host) else { return nil }
      bytes.append(UInt8(ascii: "/"))
      bytes.append(UInt8(ascii: "/"))
      ProfiledURL.appendComponent(name, to: &bytes)
      url.host = name
    }
    let pathStart = bytes.count
    url.pathSegments.reserveCapacity(segments.count)
    for segment in segments {
      guard let name = text(segment) else { return nil }
      if url.host != nil || !url.pathSegments.isEmpty { bytes.append(UInt8(ascii: "/")) }
      ProfiledURL.appendComponent(name, to: &bytes)
      url.pathSegments.append(name)
    }
    url.path = String(decoding: bytes[pathStart...], as: UTF8.self)
    appendQuery(texts, to: &url, &bytes)
    if let fragment {
      guard let name = text(fragment) else { return nil }
      bytes.append(UInt8(ascii: "#"))
      ProfiledURL.appendComponent(name, to: &bytes)
      url.fragment = name
    }
    url.text = String(decoding: bytes, as: UTF8.self)
    // A host has no escapes. The host of a web page has more rules, and so has a URL without one.
    let hostEnd = pathStart - scheme.utf8.count - 3
    guard let host = url.host, host.utf8.count == hostEnd, bytes.count <= Limits.urlBytesMax,
      !ProfiledURL.webSchemes.contains(scheme)
    else {
      guard case .success(let parsed) = ProfiledURL.parse(url.text) else { return nil }
      return parsed
    }
    assert(.success(url) == ProfiledURL.parse(url.text), "the parts of a URL are not its own")
    return url
  }

  /// Adds the items of the pattern in its order, then the texts that it does not name by their
  /// names.
  private func appendQuery(_ texts: URLTexts, to url: inout ProfiledURL, _ bytes: inout [UInt8]) {
    for item in query {
      switch item.part {
      case .literal(let literal):
        url.queryItems.append(.init(name: item.name, value: literal))
      case .parameter(let name):
        for value in texts[name] ?? [] {
          url.queryItems.append(.init(name: item.name, value: value))
        }
      }
    }
    for item in texts.items where !names(item.name) {
      for value in item.values { url.queryItems.append(.init(name: item.name, value: value)) }
    }
    for (index, item) in url.queryItems.enumerated() {
      bytes.append(index == 0 ? UInt8(ascii: "?") : UInt8(ascii: "&"))
      ProfiledURL.appendComponent(item.name, to: &bytes)
      bytes.append(UInt8(ascii: "="))
      ProfiledURL.appendComponent(item.value, to: &bytes)
    }
  }

  /// Whether some part of the pattern is the parameter `name`.
  func names(_ name: String) -> Bool {
    func isIt(_ part: Part) -> Bool {
      if case .parameter(let own) = part { return own == name }
      return false
    }
    return host.map(isIt) ?? false || segments.contains(where: isIt)
      || query.contains { isIt($0.part) } || fragment.map(isIt) ?? false
  }
}

/// The texts that a URL has for an intent's parameters, by name, those of one name in the order of
/// the URL.
///
/// Sorted by name. A URL names few parameters, so that a row is faster than a table.
struct URLTexts {
  private(set) var items: [(name: String, values: [String])] = []

  subscript(name: String) -> [String]? { items.first { $0.name == name }?.values }

  mutating func append(_ text: String, for name: String) {
    let place = place(of: name)
    if place < items.count, items[place].name == name {
      items[place].values.append(text)
    } else {
      items.insert((name, [text]), at: place)
    }
  }

  mutating func set(_ values: [String], for name: String) {
    let place = place(of: name)
    if place < items.count, items[place].name == name {
      items[place].values = values
    } else {
      items.insert((name, values), at: place)
    }
  }

  private func place(of name: String) -> Int {
    items.firstIndex { $0.name >= name } ?? items.count
  }
}
