/// The thing that a request asks for.
package enum WebRoute: Hashable, Sendable {
  /// The page.
  case page
  /// The page, by a person who has a code.
  case enter(WebSecret)
  /// A file of the page.
  case file(PageFile)
  /// The stream of events, after the one that the browser had last.
  case events(after: EventID?)
  /// A picture of a widget, by the hash that its content names.
  case picture(String)
  case tap(PageTap)
  case reload(id: String)
  /// Shows a widget expanded or compact on the page.
  case setMode(id: String, isExpanded: Bool)
  case panel(PanelRequest)
  /// A TRMNL introduces itself.
  case setup
  /// A TRMNL asks for the address of its picture.
  case display
  /// A TRMNL reports what went wrong on it.
  case log

  /// Whether a panel asks for it, so that it is served beyond this machine.
  package var isForPanels: Bool {
    switch self {
    case .panel, .setup, .display, .log: true
    case .page, .enter, .file, .events, .picture, .tap, .reload, .setMode: false
    }
  }

  /// Finds the route of a request.
  ///
  /// Throws 404 for an address that is none, 405 for a method that it does not have, and 400 for a
  /// value that is not valid.
  package static func find(_ request: WebRequest) throws(WebRefusal) -> WebRoute {
    let (route, method) = try place(of: request)
    let hasHead = method == "GET" && route.hasHead
    guard request.method == method || request.method == "HEAD" && hasHead else {
      throw WebRefusal(
        405, "This address has only \(method).", allow: hasHead ? "GET, HEAD" : method)
    }
    return route
  }

  /// Whether HEAD is answered: what is good once would be used up by it, and events have no end.
  private var hasHead: Bool {
    switch self {
    case .enter, .setup, .events: false
    case .page, .file, .picture, .tap, .reload, .setMode, .panel, .display, .log: true
    }
  }

  private static func place(
    of request: WebRequest
  ) throws(WebRefusal) -> (WebRoute, method: String) {
    switch request.path {
    case "/":
      guard let code = request.parameter("code") else { return (.page, "GET") }
      guard let code = WebSecret(code) else {
        throw .invalid("code", "the one that 'intent-send web' printed")
      }
      return (.enter(code), "GET")
    case "/events":
      return (.events(after: request.header("last-event-id").flatMap { EventID($0) }), "GET")
    case "/tap": return (.tap(try PageTap(request)), "POST")
    case "/reload":
      guard let id = request.parameter("id"), isID(id) else {
        throw .invalid("id", "the id of a widget")
      }
      return (.reload(id: id), "POST")
    case "/mode":
      guard let id = request.parameter("id"), isID(id) else {
        throw .invalid("id", "the id of a widget")
      }
      guard let mode = request.parameter("mode"), ["compact", "expanded"].contains(mode) else {
        throw .invalid("mode", "compact or expanded")
      }
      return (.setMode(id: id, isExpanded: mode == "expanded"), "POST")
    case "/api/setup", "/api/setup/": return (.setup, "GET")
    case "/api/display", "/api/display/": return (.display, "GET")
    case "/api/log", "/api/log/": return (.log, "POST")
    default:
      if let file = PageFile(path: request.path) { return (.file(file), "GET") }
      if request.path.hasPrefix("/panel/") { return (.panel(try PanelRequest(request)), "GET") }
      if request.path.hasPrefix("/picture/") {
        let hash = String(request.path.dropFirst("/picture/".count))
        guard hash.utf8.count <= 128, hash.hasPrefix("sha256-"),
          WebSecret(String(hash.dropFirst(7))) != nil
        else { throw .notFound }
        return (.picture(hash), "GET")
      }
      throw .notFound
    }
  }

  static func isID(_ id: String) -> Bool { (1...WebLimits.idBytesMax).contains(id.utf8.count) }
}

/// A tap on the page, on what the person saw.
package struct PageTap: Hashable, Sendable {
  package var id: String
  package var revision: Int64
  /// The path to an item; empty: the widget itself.
  package var item: [Int64]
  /// The key of the person's click, with which it takes effect once; `nil`: the page gave none.
  ///
  /// A browser sends a request again when its connection ends.
  package var key: String?

  init(_ request: WebRequest) throws(WebRefusal) {
    guard let id = request.parameter("id"), WebRoute.isID(id) else {
      throw .invalid("id", "the id of a widget")
    }
    guard let revision = request.parameter("revision").flatMap({ Int64($0) }), revision >= 0 else {
      throw .invalid("revision", "the number that the widget had")
    }
    self.id = id
    self.revision = revision
    item = []
    if let key = request.parameter("key") {
      guard (1...WebLimits.keyBytesMax).contains(key.utf8.count),
        key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else {
        throw .invalid("key", "printable ASCII of at most \(WebLimits.keyBytesMax) bytes")
      }
      self.key = key
    }
    guard let path = request.parameter("item"), !path.isEmpty else { return }
    let parts = path.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int64($0) }.filter { (0..<1_000_000).contains($0) }
    guard numbers.count == parts.count, numbers.count <= WebLimits.itemDepthMax else {
      throw .invalid("item", "indexes of items, such as 1,0")
    }
    item = numbers
  }
}

/// The files that the page consists of.
package enum PageFile: String, CaseIterable, Hashable, Sendable {
  case style = "page.css"
  case script = "page.js"
  /// The script that the tabs share: one connection for all of them.
  case shared = "shared.js"
  /// The script that draws views.
  case view = "view.js"
  case mark = "mark.svg"

  init?(path: String) { self.init(rawValue: String(path.dropFirst())) }

  package var type: String {
    switch self {
    case .style: "text/css; charset=utf-8"
    case .script, .shared, .view: "text/javascript; charset=utf-8"
    case .mark: "image/svg+xml"
    }
  }
}
