import IntentRouter
import JSON

/// Fuzzes routes with patterns and a URL.
///
/// The loaded routes give each URL one meaning, in any order of loading. An intent that came from a
/// URL becomes a URL with the same meaning. A callback stays in the app that asked for it.
///
/// The first section is a URL as a person types it. The second has patterns, one a line, each for
/// an intent of its own; `!` in front makes a route with callbacks. The first letter of a
/// parameter's name is its type: `i` a whole number, `d` a number, `b` a boolean, `l` a value of a
/// list, `A` several numbers, `D` a date, `E` a case, `K` a URL, `O` an object, `P` a place, `S` a
/// duration, any other letter text. The third section has the texts that a callback brings back.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let parts = sections(bytes(start, count), countMax: 3)
  let typed = line(parts[0])
  let patterns = parts.count > 1 ? lines(parts[1]).prefix(12) : []
  let sources = patterns.enumerated().map { intent($0.offset, $0.element) }
  let (catalog, issues) = IntentCatalog.load([list] + sources)
  for definition in catalog.definitions { check(definition) }

  let opened = catalog.open(url: typed)
  precondition(catalog.open(url: typed) == opened, "opened twice, opened otherwise")
  if case .success(let url) = ProfiledURL.parse(typed) {
    precondition(catalog.open(url: url.text) == opened, "written otherwise, opened otherwise")
  } else if case .success = opened {
    preconditionFailure("a URL that is refused is opened")
  }
  if case .success(.plugins(let request)) = opened { check(request, typed) }
  if case .success(.callback(let request)) = opened {
    check(request, results: parts.count > 2 ? lines(parts[2]) : [])
  }
  // The chosen route must not depend on the order of loading. (Skip `intentd:` URLs: they contain
  // the intent's name, and turning the order changes the names.)
  if issues.isEmpty, !typed.lowercased().hasPrefix("intentd:") {
    let turned = patterns.reversed().enumerated().map { intent($0.offset, $0.element) }
    let (other, _) = IntentCatalog.load([list] + turned)
    let again = other.route(url: typed)
    switch (catalog.route(url: typed), again) {
    case (.success(let one), .success(let two)):
      precondition(one.parameters == two.parameters, "\(one) or \(two)")
      if let number = Int(one.name.dropFirst()) {
        precondition(two.name == "N\(patterns.count - 1 - number)", "\(one) or \(two)")
      }
    case (.failure(let one), .failure(let two)):
      precondition(one.code == two.code, "\(one.message) or \(two.message)")
    case (let one, let two): preconditionFailure("\(one) or \(two)")
    }
  }
  guard case .success(let intent) = catalog.route(url: typed),
    let written = catalog.url(for: intent)
  else { return 0 }
  precondition(
    catalog.route(url: written) == .success(intent), "its own URL is another: \(written)")
  return 0
}

/// Checks that a route's text gives the same route, and that the route takes the URLs that it
/// makes.
private func check(_ definition: IntentDefinition) {
  for route in definition.routes {
    guard case .success(var again) = Route.parse(route.pattern) else {
      preconditionFailure("a pattern is read once only: \(route.pattern)")
    }
    again.callbacks = route.callbacks
    precondition(again == route)
    precondition(!Route.reservedSchemes.contains(route.scheme))
    precondition(Set(route.parameterNames).count == route.parameterNames.count)
    precondition(route.callbacks.allSatisfy { !XCallback.deniedCallbackSchemes.contains($0) })
  }
}

/// Checks what a URL of a menu-bar host asks for: it names widgets to reload, and nothing else of it
/// gets any further.
private func check(_ request: PluginHostURL, _ typed: String) {
  guard case .success(let url) = ProfiledURL.parse(typed) else {
    preconditionFailure("a URL that is refused asks for plugins")
  }
  precondition(PluginHostURL.schemes.contains(url.scheme), "another scheme")
  guard case .reload(let target, let ignored) = request else { return }
  let said = url.queryItems.map(\.name)
  precondition(ignored.count == said.count - 1 && ignored.allSatisfy(said.contains))
  switch target {
  case .index(let index): precondition((0...Limits.barIndexMax).contains(index))
  case .named(let name):
    precondition(!name.isEmpty && name != "*" && url.queryItems.map(\.value).contains(name))
  }
}

private func check(_ request: XCallback, results: [String]) {
  let items = results.enumerated().map {
    ProfiledURL.QueryItem(name: "r\($0.offset)", value: $0.element)
  }
  for callback in request.callbacks {
    precondition(!XCallback.deniedCallbackSchemes.contains(callback.scheme))
    precondition(!ProfiledURL.deniedSchemes.contains(callback.scheme))
    precondition(ProfiledURL.judge(callback.text) == .success(callback), "not strictly a URL")
    let text = XCallback.url(callback, with: items)
    guard case .success(let whole) = ProfiledURL.judge(text) else {
      preconditionFailure("results make it no URL: \(text)")
    }
    precondition(whole.scheme == callback.scheme && whole.host == callback.host)
    precondition(whole.port == callback.port && whole.path == callback.path)
    precondition(whole.fragment == callback.fragment)
    precondition(whole.queryItems.starts(with: callback.queryItems), "its own query is changed")
    let added = whole.queryItems.dropFirst(callback.queryItems.count)
    precondition(added.isEmpty || Array(added) == items, "results are changed: \(text)")
  }
}

private func lines(_ bytes: [UInt8]) -> [String] {
  line(bytes).split(separator: "\n").map(String.init)
}

private func intent(_ number: Int, _ pattern: String) -> CatalogSource {
  let callsBack = pattern.hasPrefix("!")
  let pattern = callsBack ? String(pattern.dropFirst()) : pattern
  var names: [String] = ["text"]
  if case .success(let route) = Route.parse(pattern) { names += route.parameterNames }
  let parameters = Set(names).sorted().map { name in
    var members: [LocatedValue.Member] = [member("name", string(name))]
    switch name.first {
    case "i": members.append(member("type", string("integer")))
    case "d": members.append(member("type", string("decimal")))
    case "b": members.append(member("type", string("boolean")))
    case "l": members.append(member("list", string("words")))
    case "A":
      members.append(member("type", string("integer")))
      members.append(member("array", LocatedValue(.bool(true), line: 1)))
    case "D": members.append(member("type", string("date")))
    case "E":
      members.append(member("type", string("enumeration")))
      let cases = [string("small"), string("very large")]
      members.append(member("cases", LocatedValue(.array(cases), line: 1)))
    case "K": members.append(member("type", string("url")))
    case "O": members.append(member("type", string("object")))
    case "P": members.append(member("type", string("place")))
    case "S": members.append(member("type", string("duration")))
    default: break
    }
    return LocatedValue(.object(members), line: 1)
  }
  let route =
    callsBack
    ? LocatedValue(
      .object([
        member("url", string(pattern)),
        member("callbacks", LocatedValue(.array([string("notes")]), line: 1)),
      ]), line: 1) : string(pattern)
  return CatalogSource(
    file: "intent.yaml",
    document: LocatedValue(
      .object([
        member("name", string("N\(number)")), member("title", string("")),
        member("description", string("")),
        member("parameters", LocatedValue(.array(parameters), line: 1)),
        member("routes", LocatedValue(.array([route]), line: 1)),
      ]), line: 1), kind: .intent)
}

private let list = CatalogSource(
  file: "list.yaml",
  document: LocatedValue(
    .object([
      member(
        "lists",
        LocatedValue(
          .object([
            member(
              "words",
              LocatedValue(
                .object([
                  member("values", LocatedValue(.array([string("red"), string("green")]), line: 1))
                ]), line: 1))
          ]), line: 1))
    ]), line: 1), kind: .list)

private func member(_ key: String, _ value: LocatedValue) -> LocatedValue.Member {
  .init(key: key, line: 1, value: value)
}

private func string(_ text: String) -> LocatedValue { LocatedValue(.string(text), line: 1) }
