import IntentRouter
import JSON

/// Fuzzes URLs and route patterns.
///
/// The strict profile accepts its own output unchanged, and an intent that becomes a URL comes back
/// as the same intent. The first section is a URL as a person types it, the optional second the
/// pattern of a route.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let parts = sections(bytes(start, count), countMax: 2)
  let typed = line(parts[0])
  if case .success(let encoded) = ProfiledURL.encoding(typed) {
    precondition(ProfiledURL.encoding(encoded) == .success(encoded), "encoded twice")
    precondition(encoded.utf8.allSatisfy { (0x21...0x7E).contains($0) })
  }
  var definition = weather
  if parts.count > 1, case .success(let route) = Route.parse(line(parts[1])) {
    definition = intent(of: route)
  }
  let (catalog, _) = IntentCatalog.load([definition])

  let routed = catalog.route(url: typed)
  switch ProfiledURL.parse(typed) {
  case .failure(let error):
    precondition(routed == .failure(error), "a URL that is refused is routed")
    return 0
  case .success(let url):
    precondition(!ProfiledURL.deniedSchemes.contains(url.scheme), "a denied scheme")
    precondition(ProfiledURL.parse(url.text) == .success(url), "not the same once more")
    precondition(ProfiledURL.judge(url.text) == .success(url), "not strictly a URL")
    precondition(url.text.utf8.count <= Limits.urlBytesMax)
    precondition(catalog.route(url: url.text) == routed, "written otherwise, routed otherwise")
  }
  guard case .success(let intent) = routed else { return 0 }
  guard let written = catalog.url(for: intent) else { return 0 }
  guard case .success(let again) = catalog.route(url: written) else {
    preconditionFailure("the intent's own URL is refused: \(written)")
  }
  precondition(again == intent, "the intent's own URL is another intent: \(written)")
  return 0
}

/// Returns an intent with the route's parameters, each of them text.
private func intent(of route: Route) -> CatalogSource {
  let parameters = Set(route.parameterNames).sorted().map { name -> LocatedValue in
    object(["name": string(name), "title": string(name), "type": string("string")])
  }
  return CatalogSource(
    file: "intent.yaml",
    document: object([
      "name": string("Open"), "title": string("Open"), "description": string("Opens"),
      "parameters": LocatedValue(.array(parameters), line: 1),
      "routes": LocatedValue(.array([string(route.pattern)]), line: 1),
    ]), kind: .intent)
}

private let weather = CatalogSource(
  file: "intent.yaml",
  document: object([
    "name": string("Show"), "title": string("Show"), "description": string("Shows"),
    "parameters": LocatedValue(
      .array(
        [("city", "string"), ("day", "integer"), ("size", "number"), ("is", "boolean")].map {
          object(["name": string($0.0), "title": string($0.0), "type": string($0.1)])
        }), line: 1),
    "routes": LocatedValue(
      .array(
        ["weather://city/{city}", "weather:day/{day}", "https://a.org/{city}?d={day}"].map(string)),
      line: 1),
  ]), kind: .intent)

private func string(_ text: String) -> LocatedValue { LocatedValue(.string(text), line: 1) }

private func object(_ members: KeyValuePairs<String, LocatedValue>) -> LocatedValue {
  LocatedValue(.object(members.map { .init(key: $0.key, line: 1, value: $0.value) }), line: 1)
}
