/// Reads x-callback-url 1.0: an app opens a URL of the daemon and gets the outcome by URLs of its
/// own.
///
/// ```
/// intentd://x-callback-url/ShowWeather?x-source=Notes&x-success=notes://got&city=Beijing
/// SCHEME :// x-callback-url / ACTION ? x-source, x-success, x-error, x-cancel & the action's own
/// ```
///
/// The action is the name of an intent (`intentd:`) or a route whose host is `x-callback-url`.
/// Points that the draft leaves open are decided strictly: each `x-` name at most once and only the
/// draft's names; `+` is a plus sign; a callback is a URL that passes the whole profile again and
/// is not one of the daemon's, of the web, of mail or of the telephone. The daemon decides which
/// apps may be called back. Source: x-callback-url 1.0, draft R3.
package struct XCallback: Hashable, Sendable {
  /// The caller's friendly name: for display, no identity.
  package var source: String?
  package var success: ProfiledURL?
  package var error: ProfiledURL?
  package var cancel: ProfiledURL?

  /// The intent of the action, the question that must be answered first, or the reason of a
  /// refusal.
  package var intent: IntentResolution
  /// The schemes at which the action's routes allow any app to be called back.
  package var openCallbacks: Set<String>

  /// The callbacks that are there.
  package var callbacks: [ProfiledURL] { [success, error, cancel].compactMap { $0 } }

  /// The schemes that are never called back, in addition to those that are never opened.
  ///
  /// They are the daemon's own, or those of the web, mail and telephone: a callback contains a
  /// widget's entry, and these would send it to strangers.
  package static let deniedCallbackSchemes: Set<String> = Route.reservedSchemes.union([
    "http", "https", "ws", "wss", "ftp", "ftps", "sftp", "smb", "nfs", "ssh", "telnet", "ldap",
    "mailto", "tel", "sms", "sip", "sips", "xmpp", "irc", "ircs", "magnet",
  ])

  static func isHost(_ name: String) -> Bool {
    // No text gets longer in lower case here, and most hosts are shorter.
    name.utf8.count >= 14 && name.lowercased() == "x-callback-url"
  }

  /// Whether the draft keeps this name for itself.
  static func isReserved(_ name: String) -> Bool { name.lowercased().hasPrefix("x-") }

  /// Takes the `x-` items out of a query.
  ///
  /// - Returns: a request without intent yet, and the action's own items in their order.
  static func split(
    _ items: [ProfiledURL.QueryItem]
  ) -> Result<(request: XCallback, items: [ProfiledURL.QueryItem]), RouterError> {
    do throws(RouterError) {
      return .success(try read(items))
    } catch {
      return .failure(error)
    }
  }

  private static func read(
    _ items: [ProfiledURL.QueryItem]
  ) throws(RouterError) -> (request: XCallback, items: [ProfiledURL.QueryItem]) {
    let known = ["x-source", "x-success", "x-error", "x-cancel"]
    var request = XCallback(
      intent: .failed(RouterError(.noRoute, "no action")), openCallbacks: [])
    var seen: Set<String> = []
    var rest: [ProfiledURL.QueryItem] = []
    for item in items {
      guard isReserved(item.name) else {
        rest.append(item)
        continue
      }
      guard known.contains(item.name) else {
        throw .unknown(.invalidCallback, "x-callback-url parameter", item.name, among: known)
      }
      guard seen.insert(item.name).inserted else {
        throw RouterError(.invalidCallback, "'\(item.name)' is given twice; give it once")
      }
      switch item.name {
      case "x-success": request.success = try callback(item)
      case "x-error": request.error = try callback(item)
      case "x-cancel": request.cancel = try callback(item)
      default:
        guard
          !item.value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
          throw RouterError(.invalidCallback, "'x-source' has a control character; remove it")
        }
        request.source = item.value.isEmpty ? nil : item.value
      }
    }
    return (request, rest)
  }

  private static func callback(_ item: ProfiledURL.QueryItem) throws(RouterError) -> ProfiledURL {
    guard item.value.utf8.count <= Limits.callbackBytesMax else {
      throw RouterError(
        .invalidCallback,
        "'\(item.name)' has \(item.value.utf8.count) bytes; use at most \(Limits.callbackBytesMax)")
    }
    switch ProfiledURL.parse(item.value) {
    case .failure(let error):
      throw RouterError(
        error.code == .deniedScheme ? .callbackDenied : .invalidCallback,
        "'\(item.name)': \(error.message)")
    case .success(let url):
      guard !deniedCallbackSchemes.contains(url.scheme) else {
        throw RouterError(
          .callbackDenied,
          "'\(item.name)' goes to '\(url.scheme):', where nobody is called back; use a scheme of your app"
        )
      }
      return url
    }
  }

  /// `callback` with results behind its own query, before its fragment; as it is when they make it
  /// too long to open.
  package static func url(
    _ callback: ProfiledURL, with results: [ProfiledURL.QueryItem]
  ) -> String {
    guard !results.isEmpty else { return callback.text }
    let hash = callback.text.firstIndex(of: "#") ?? callback.text.endIndex
    let base = callback.text[..<hash]
    // A second `?` is a character of the query like any other.
    let separator =
      switch base.firstIndex(of: "?") {
      case .none: "?"
      case .some(let mark): base[mark...] == "?" || base.hasSuffix("&") ? "" : "&"
      }
    let text = base + separator + ProfiledURL.encoding(results) + callback.text[hash...]
    switch ProfiledURL.parse(String(text)) {
    case .success(let url): return url.text
    case .failure: return callback.text
    }
  }
}

extension ProfiledURL {
  /// Whether an app opens the URL with callbacks.
  package var isXCallback: Bool {
    host.map(XCallback.isHost) ?? false && !Self.webSchemes.contains(scheme)
  }
}
