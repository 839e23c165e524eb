/// The decision who may have what.
///
/// Loopback belongs to every user of the machine and to every page in the browser. So another
/// `Host` is refused (a name that was made to lead here), a request of another page, and everything
/// without the cookie or a token.
package struct WebDoor: Hashable, Sendable {
  /// The port that the server has.
  package var port: UInt16
  /// Whether it is the page's, at 127.0.0.1; else it is for panels alone.
  package var isLocal: Bool

  package init(port: UInt16, isLocal: Bool) {
    self.port = port
    self.isLocal = isLocal
  }

  /// The one who asks.
  package enum Visitor: Hashable, Sendable {
    /// The person, whose browser has the cookie.
    case person
    case device(PanelDevice)
    /// Somebody who has a code, or a panel that introduces itself; neither is believed yet.
    case stranger
  }

  /// Says who asks, or throws the reason why the request is refused.
  ///
  /// `isSession` says whether a cookie's value is that of a session.
  package func visitor(
    _ request: WebRequest, _ route: WebRoute, devices: [PanelDevice],
    isSession: (WebSecret) -> Bool
  ) throws(WebRefusal) -> Visitor {
    guard isLocal || route.isForPanels else { throw .notFound }
    if isLocal { try checkHost(request) }
    try checkOrigin(request, route)
    switch route {
    case .enter, .setup: return .stranger
    case .page, .file, .events, .picture, .tap, .reload, .setMode:
      if hasSession(request, isSession) { return .person }
      throw WebRefusal(403, "This browser is not signed in. Run: intent-send web")
    case .panel(let panel):
      if isLocal, hasSession(request, isSession) { return .person }
      let device = try device(of: request, devices)
      guard device.panel == panel.name else {
        throw WebRefusal(403, "The token is for another panel. Its own: /panel/\(device.panel).png")
      }
      return .device(device)
    case .display, .log: return .device(try device(of: request, devices))
    }
  }

  private func hasSession(_ request: WebRequest, _ isSession: (WebSecret) -> Bool) -> Bool {
    request.cookie(Self.cookieName(port)).flatMap { WebSecret($0) }.map(isSession) ?? false
  }

  private func checkHost(_ request: WebRequest) throws(WebRefusal) {
    let host = request.header("host")
    guard host == "127.0.0.1:\(port)" || host == "localhost:\(port)" else {
      throw WebRefusal(421, "This server is only for http://127.0.0.1:\(port)/.")
    }
  }

  private func checkOrigin(_ request: WebRequest, _ route: WebRoute) throws(WebRefusal) {
    let foreign = WebRefusal(403, "The request comes from another page.")
    let isChange: Bool =
      switch route {
      case .tap, .reload, .setMode: true
      case .page, .enter, .file, .events, .picture, .panel, .setup, .display, .log: false
      }
    if request.has("origin") || isChange {
      guard let origin = request.header("origin"), let host = request.header("host"),
        origin == "http://\(host)"
      else { throw foreign }
    }
    // Browsers say so also where they send no origin: for pictures, scripts and links. The link with
    // the code comes from elsewhere on purpose.
    if case .enter = route { return }
    if request.has("sec-fetch-site") {
      guard let site = request.header("sec-fetch-site"), site == "same-origin" || site == "none"
      else { throw foreign }
    }
  }

  private func device(
    of request: WebRequest, _ devices: [PanelDevice]
  ) throws(WebRefusal) -> PanelDevice {
    let bearer = request.header("authorization").flatMap {
      $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil
    }
    let text = request.header("access-token") ?? bearer ?? request.parameter("token")
    guard let token = text.flatMap({ WebSecret($0) }),
      let device = devices.first(where: { $0.token.matches(token) })
    else {
      throw WebRefusal(403, "A panel needs its token. Make one: intent-send web --device NAME")
    }
    return device
  }

  /// The cookie of a port; all ports of a host share their cookies.
  package static func cookieName(_ port: UInt16) -> String { "intentd-\(port)" }

  /// The field that signs a browser in.
  ///
  /// Source: RFC 6265bis, `SameSite`.
  package static func cookie(_ session: WebSecret, port: UInt16) -> WebRequest.Field {
    WebRequest.Field(
      "Set-Cookie",
      "\(cookieName(port))=\(session.text); HttpOnly; SameSite=Strict; Path=/; "
        + "Max-Age=\(WebLimits.sessionSecondsMax)")
  }

  /// The answer to a code that was good.
  ///
  /// It leads to the page by a refresh and not by 303: a browser that came from elsewhere does not
  /// send a strict cookie along a chain of redirections, but it does when this page leads on.
  package static func welcome(_ session: WebSecret, port: UInt16) -> WebAnswer {
    let page = """
      <!doctype html><html lang="en"><meta charset="utf-8">\
      <meta http-equiv="refresh" content="0;url=/"><title>intentd</title>\
      <p><a href="/">Widgets</a></p></html>
      """
    return WebAnswer(
      200, "text/html; charset=utf-8", Array(page.utf8), head: [cookie(session, port: port)])
  }
}
