/// A URL that may be downloaded: `http` or `https`, a host, no user and no password.
///
/// Source: RFC 3986, of which this reads what the two schemes need. Text that two readers could take
/// differently (a backslash, a space, a percent sign in the host, letters beyond ASCII) is refused:
/// libcurl reads the same text once more.
package struct DownloadURL: Hashable, Sendable {
  /// The URL as it is asked for: lower-case scheme and host, no fragment.
  package let text: String
  package let isSecure: Bool
  /// In lower case; an address of IPv6 has its brackets.
  package let host: String
  package let port: UInt16
  /// The path with its query; begins with `/`.
  package let path: String

  /// The reason why a text is no URL that may be downloaded.
  package struct Mistake: Error, Hashable, Sendable {
    /// Words that follow the URL: `is too long`.
    package var message: String
    package var hint: String
  }

  package init(_ text: String) throws(Mistake) {
    guard text.utf8.count <= DownloadLimits.urlBytesMax else {
      throw Mistake(
        message: "is longer than \(DownloadLimits.urlBytesMax) bytes",
        hint: "shorten it, or put what it carries into a header")
    }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else {
      throw Mistake(
        message: "has a character that a URL must not have",
        hint: "write spaces and letters beyond ASCII as %20, %C3%A9…; a host as xn--…")
    }
    guard let colon = text.firstIndex(of: ":") else { throw Self.noScheme }
    let scheme = text[..<colon].lowercased()
    guard scheme == "http" || scheme == "https" else {
      guard text[colon...].hasPrefix("://") else { throw Self.noScheme }
      throw Mistake(
        message: "has the scheme '\(scheme)'", hint: "only https:// and http:// are downloaded")
    }
    guard text[colon...].hasPrefix("://") else { throw Self.noScheme }
    let rest = text[text.index(colon, offsetBy: 3)...]
    let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
    isSecure = scheme == "https"
    (host, port) = try Self.readAuthority(rest[..<end], isSecure: isSecure)
    let tail = rest[end...].prefix { $0 != "#" }
    path = tail.hasPrefix("/") ? String(tail) : "/" + tail
    let usual: UInt16 = isSecure ? 443 : 80
    self.text = "\(scheme)://\(host)\(port == usual ? "" : ":\(port)")\(path)"
  }

  private static let noScheme = Mistake(
    message: "is no whole URL", hint: "begin it with https:// or http://")

  private static func readAuthority(
    _ text: Substring, isSecure: Bool
  ) throws(Mistake) -> (host: String, port: UInt16) {
    guard !text.contains("@") else {
      throw Mistake(
        message: "carries a user or a password",
        hint: "send them in a header: Authorization; a URL is shown and logged")
    }
    var host = text
    var port: UInt16 = isSecure ? 443 : 80
    let bracket = text.lastIndex(of: "]")
    if let colon = text.lastIndex(of: ":"), bracket.map({ $0 < colon }) ?? true {
      let digits = text[text.index(after: colon)...]
      guard digits.isEmpty || digits.allSatisfy({ $0.isASCII && $0.isNumber }),
        let number = digits.isEmpty ? port : UInt16(digits), number > 0
      else {
        throw Mistake(
          message: "has the port '\(digits.prefix(12))'", hint: "a port is a number up to 65535")
      }
      port = number
      host = text[..<colon]
    }
    let isName = host.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
    let isAddress =
      host.hasPrefix("[") && host.hasSuffix("]")
      && NetworkAddress(ipv6: String(host.dropFirst().dropLast())) != nil
    guard !host.isEmpty, host.utf8.count <= 253, isName || isAddress else {
      throw Mistake(message: "has no host that can be asked", hint: "write https://HOST/…")
    }
    return (host.lowercased(), port)
  }

  /// Whether it means this machine by its name, so that no network is needed.
  package var isOnThisMachine: Bool {
    if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
    return NetworkAddress(ipv4: host)?.bytes.first == 127
  }

  /// The URL without its query, which may carry a key: for words that are shown and kept.
  package var shown: String { Self.shown(text) }

  /// Returns a text that is perhaps a URL without its query, and without a user and a password.
  static func shown(_ text: String) -> String {
    let bare = text.prefix { $0 != "?" && $0 != "#" }
    guard let start = bare.firstRange(of: "://")?.upperBound else { return String(bare) }
    let authority = bare[start...].prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return String(bare) }
    return bare[..<start] + String(bare[bare.index(after: at)...])
  }

  /// Scheme, host and port: what a secret header is meant for.
  package var origin: String { "\(isSecure ? "https" : "http")://\(host):\(port)" }

  /// Returns the URL that a `Location` leads to from here.
  ///
  /// Source: RFC 3986, section 5.2; libcurl takes `.` and `..` out of the path.
  package func following(_ location: String) throws(Mistake) -> DownloadURL {
    let prefix = "\(isSecure ? "https" : "http")://\(authority)"
    if location.hasPrefix("//") {
      return try DownloadURL("\(isSecure ? "https" : "http"):\(location)")
    }
    if location.hasPrefix("/") { return try DownloadURL(prefix + location) }
    let bare = path.prefix { $0 != "?" }
    if location.hasPrefix("?") { return try DownloadURL(prefix + bare + location) }
    let beforeSlash = location.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    if beforeSlash.contains(":") { return try DownloadURL(location) }
    let folder = bare.lastIndex(of: "/").map { bare[...$0] } ?? "/"
    return try DownloadURL(prefix + folder + location)
  }

  private var authority: String { port == (isSecure ? 443 : 80) ? host : "\(host):\(port)" }
}
