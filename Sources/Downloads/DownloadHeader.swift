import JSON

/// A header that is added to the request of a download.
package struct DownloadHeader: Hashable, Sendable {
  package let name: String
  package let value: String

  /// Makes a header that may be sent, or says why it may not.
  package init(name: String, value: String) throws(DownloadMistake) {
    guard (1...DownloadLimits.headerNameBytesMax).contains(name.utf8.count),
      name.utf8.allSatisfy(Self.isTokenByte)
    else {
      throw DownloadMistake(
        "headers", "\(quoted(name)) is no name of a header",
        "letters, digits and '-', at most \(DownloadLimits.headerNameBytesMax) bytes")
    }
    guard !Self.isOurs(name.lowercased()) else {
      throw DownloadMistake(
        "headers", "\(quoted(name)) is a header that intent-fetch keeps to itself",
        "set Accept, Accept-Language, Authorization or a header of the server's interface")
    }
    guard value.utf8.count <= DownloadLimits.headerValueBytesMax,
      value.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F })
    else {
      throw DownloadMistake(
        "headers.\(name)", "the value is no line of printable ASCII",
        "at most \(DownloadLimits.headerValueBytesMax) bytes, without a line break")
    }
    self.name = name
    self.value = value
  }

  /// The line of the request.
  ///
  /// libcurl drops a header that ends in a colon, and sends one that ends in a semicolon empty.
  package var line: String { value.isEmpty ? "\(name);" : "\(name): \(value)" }

  /// Whether the name is one that frames the message, names the host, carries the browser's state, or
  /// is set by the cache: a provider that set it could smuggle a second request, or read another
  /// answer than the cache keeps.
  private static func isOurs(_ name: String) -> Bool {
    if name.hasPrefix("proxy-") || name.hasPrefix("sec-") || name.hasPrefix("if-") { return true }
    return [
      "host", "cookie", "cookie2", "connection", "keep-alive", "content-length", "content-type",
      "content-encoding", "transfer-encoding", "te", "trailer", "upgrade", "expect", "via", "range",
      "accept-encoding", "user-agent", "referer", "origin", "forwarded", "x-forwarded-for",
      "x-forwarded-host", "http2-settings",
    ].contains(name)
  }

  /// Source: RFC 9110, section 5.6.2, `token`.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}

/// A mistake in a request for a download: its place, what is wrong, and what is expected.
package struct DownloadMistake: Error, Hashable, Sendable {
  /// The member, such as `url` or `expect.maxBytes`.
  package var member: String
  package var message: String
  package var expected: String

  package init(_ member: String, _ message: String, _ expected: String) {
    self.member = member
    self.message = message
    self.expected = expected
  }
}
