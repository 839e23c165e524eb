/// The URLs that this system accepts: a strict profile of RFC 3986, judged byte by byte.
///
/// Parsers of URLs disagree, and what one of them checks another one opens. So only URLs are
/// accepted that no two parsers read differently: no user, no backslash, no address written as a
/// number, no escapes in a host. The text that a person types is percent-encoded first
/// (`encoding(_:)`); if the result is not plainly a URL, it is refused.
package struct ProfiledURL: Hashable, Sendable {
  /// One `name=value` of the query.
  package struct QueryItem: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Normalised: the scheme and the host of web schemes in lower case, otherwise as given.
  package var text: String
  /// Lower case, without the colon.
  package var scheme: String
  /// `nil` without `//`; may be empty (`sc://?`).
  package var host: String?
  package var port: Int?
  /// As written, with its escapes.
  package var path: String
  /// Between the slashes, decoded.
  ///
  /// `/city/Beijing` has two, `/city/` two of which the last is empty.
  package var pathSegments: [String]
  /// In order, decoded; `+` stays a plus sign.
  package var queryItems: [QueryItem]
  /// Decoded.
  package var fragment: String?

  /// The schemes that are never opened nor routed: they run code, or they reach files and data.
  package static let deniedSchemes: Set<String> = [
    "javascript", "vbscript", "livescript", "data", "about", "blob", "filesystem", "view-source",
    "jar", "resource", "chrome", "file", "shell", "ms-msdt", "vnd.libreoffice.command",
    "moz-extension", "chrome-extension",
  ]

  /// Encodes typed text, checks it strictly, and refuses denied schemes.
  package static func parse(_ text: String) -> Result<ProfiledURL, RouterError> {
    parse(text, takesAddresses: false)
  }

  /// The same; with `takesAddresses` the host of `http:` and `https:` may also be an address.
  static func parse(
    _ text: String, takesAddresses: Bool
  ) -> Result<ProfiledURL, RouterError> {
    let url: ProfiledURL
    switch encoding(text) {
    case .failure(let error): return .failure(error)
    case .success(let encoded):
      switch judge(encoded, takesAddresses: takesAddresses) {
      case .failure(let error): return .failure(error)
      case .success(let judged): url = judged
      }
    }
    guard !deniedSchemes.contains(url.scheme) else {
      return .failure(
        RouterError(
          .deniedScheme, "URLs with the scheme '\(url.scheme)' are never opened; use another scheme"
        ))
    }
    return .success(url)
  }
}

// MARK: Encoding

extension ProfiledURL {
  /// Percent-encodes every byte that a URL may not have, a `%` that begins no escape, and a second
  /// `#`; encoding the result again changes nothing.
  ///
  /// Control characters, characters that change the direction of text, and text that is too long
  /// are refused instead.
  package static func encoding(_ text: String) -> Result<String, RouterError> {
    guard !text.isEmpty else { return .failure(invalid("the URL is empty", "write one")) }
    for scalar in text.unicodeScalars where isForbidden(scalar) {
      let code = "U+" + hexadecimal(scalar.value, digits: 4)
      return .failure(
        invalid("the URL has the invisible character \(code)", "remove it or write it as an escape")
      )
    }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 16)
    var hasFragment = false
    for (index, byte) in bytes.enumerated() {
      let isKept: Bool
      switch byte {
      case UInt8(ascii: "%"):
        isKept =
          index + 2 < bytes.count && hexValue(bytes[index + 1]) != nil
          && hexValue(bytes[index + 2]) != nil
      case UInt8(ascii: "#"):
        isKept = !hasFragment
        hasFragment = true
      default: isKept = isReserved(byte) || isUnreserved(byte)
      }
      if isKept { result.append(byte) } else { appendEscape(byte, to: &result) }
    }
    guard result.count <= Limits.urlBytesMax else {
      return .failure(
        invalid("the URL has \(result.count) bytes", "use at most \(Limits.urlBytesMax)"))
    }
    return .success(String(decoding: result, as: UTF8.self))
  }

  /// A text as one path segment or query value: everything but unreserved characters is escaped.
  package static func encodingComponent(_ text: String) -> String {
    var result: [UInt8] = []
    appendComponent(text, to: &result)
    return String(decoding: result, as: UTF8.self)
  }

  /// Appends what `encodingComponent` returns.
  static func appendComponent(_ text: String, to bytes: inout [UInt8]) {
    for byte in text.utf8 {
      if isUnreserved(byte) { bytes.append(byte) } else { appendEscape(byte, to: &bytes) }
    }
  }

  /// Items as a query, without its `?`.
  package static func encoding(_ items: [QueryItem]) -> String {
    items.map { "\(encodingComponent($0.name))=\(encodingComponent($0.value))" }
      .joined(separator: "&")
  }

  /// Decodes a piece of a URL as a person types it: `my list` and `my%20list` are the same,
  /// and `100%` is what it says.
  static func decodingTyped(_ text: String) -> String {
    switch encoding(text) {
    case .success(let encoded): decoded(Array(encoded.utf8)[...])
    case .failure: text
    }
  }

  /// C0, DEL, C1, marks and overrides of direction, and the byte order mark.
  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF:
      true
    default: false
    }
  }
}

// MARK: Judging

extension ProfiledURL {
  static let webSchemes: Set<String> = ["http", "https", "ws", "wss", "ftp"]

  /// Accepts a URL that is already encoded, and nothing that a parser could read in two ways.
  ///
  /// Does not look at the list of denied schemes, except `file`, which has no safe reading.
  package static func judge(
    _ text: String, takesAddresses: Bool = false
  ) -> Result<ProfiledURL, RouterError> {
    do throws(RouterError) {
      return .success(try parts(of: text, takesAddresses: takesAddresses))
    } catch {
      return .failure(error)
    }
  }

  private static func parts(
    of text: String, takesAddresses: Bool
  ) throws(RouterError) -> ProfiledURL {
    let bytes = Array(text.utf8)
    guard bytes.count <= Limits.urlBytesMax else {
      throw invalid("the URL has \(bytes.count) bytes", "use at most \(Limits.urlBytesMax)")
    }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first,
      isLetter(first), bytes[..<colon].allSatisfy(isSchemeByte)
    else {
      throw invalid("'\(shown(text))' has no scheme", "write it like weather://city/Beijing")
    }
    try checkCharacters(bytes, text)
    let scheme = string(bytes[..<colon]).lowercased()
    guard scheme != "file" else {
      throw RouterError(
        .deniedScheme, "URLs with the scheme 'file' are never opened; hand the file over itself")
    }

    var rest = bytes[(colon + 1)...]
    var fragment: ArraySlice<UInt8>?
    if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
      fragment = rest[(hash + 1)...]
      rest = rest[..<hash]
    }
    var query: ArraySlice<UInt8>?
    if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
      query = rest[(mark + 1)...]
      rest = rest[..<mark]
    }
    let isWeb = webSchemes.contains(scheme)
    var authority: ArraySlice<UInt8>?
    var path = rest
    if rest.starts(with: "//".utf8) {
      let start = rest.startIndex + 2
      let end = rest[start...].firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = rest[start..<end]
      path = rest[end...]
    } else if isWeb {
      throw invalid("'\(shown(text))' has no '//' after '\(scheme):'", "write \(scheme)://host/…")
    }
    var url = ProfiledURL(
      text: "", scheme: scheme, host: nil, port: nil, path: string(path), pathSegments: [],
      queryItems: [], fragment: nil)
    var normalized = "\(scheme):"
    if let authority {
      let (host, port) = try hostAndPort(
        authority, isWeb: isWeb,
        takesAddresses: takesAddresses && ["http", "https"].contains(scheme), text)
      url.host = host
      url.port = port
      // The digits of a port are kept as they were written.
      normalized += "//\(host)\(string(authority.dropFirst(host.utf8.count)))"
    }
    url.text = normalized + string(bytes[path.startIndex...])
    url.pathSegments = segments(path)
    url.queryItems = items(query ?? [])
    url.fragment = fragment.map { decoded($0) }
    return url
  }

  private static func checkCharacters(_ bytes: [UInt8], _ text: String) throws(RouterError) {
    var hasFragment = false
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "%"):
        guard index + 2 < bytes.count, hexValue(bytes[index + 1]) != nil,
          hexValue(bytes[index + 2]) != nil
        else {
          throw invalid("'\(shown(text))' has a '%' without two hex digits", "write '%25' for '%'")
        }
      case UInt8(ascii: "#"):
        guard !hasFragment else {
          throw invalid("'\(shown(text))' has two '#'", "write '%23' for the second")
        }
        hasFragment = true
      default:
        guard isReserved(byte) || isUnreserved(byte) else {
          throw invalid(
            "'\(shown(text))' has a byte that a URL cannot have (0x\(hexadecimal(UInt32(byte), digits: 2)))",
            "percent-encode it")
        }
      }
      index += 1
    }
  }

  private static func hostAndPort(
    _ authority: ArraySlice<UInt8>, isWeb: Bool, takesAddresses: Bool, _ text: String
  ) throws(RouterError) -> (host: String, port: Int?) {
    guard !authority.contains(UInt8(ascii: "@")) else {
      throw invalid("'\(shown(text))' has a user before its host", "leave out everything up to '@'")
    }
    var host = authority
    var port: Int?
    // The colons of an address in brackets begin no port.
    let isBracketed = takesAddresses && authority.first == UInt8(ascii: "[")
    let close = isBracketed ? authority.firstIndex(of: UInt8(ascii: "]")) : nil
    let behind = authority[(close ?? authority.startIndex)...]
    if let colon = behind.firstIndex(of: UInt8(ascii: ":")) {
      host = authority[..<colon]
      let digits = authority[(colon + 1)...]
      guard !host.isEmpty, digits.allSatisfy({ $0 &- 0x30 < 10 }) else {
        throw invalid("'\(shown(text))' has no valid port", "write host:port with digits")
      }
      let value = digits.reduce(0) { min($0 * 10 + Int($1 - 0x30), 65_536) }
      guard value <= 65_535 else {
        throw invalid("'\(shown(text))' has a port above 65535", "use a smaller one")
      }
      port = digits.isEmpty ? nil : value
    }
    if isWeb {
      guard isPlainHostName(host) || takesAddresses && isPlainAddress(host) else {
        throw invalid(
          "'\(shown(text))' has a host that is no plain name",
          takesAddresses
            ? "use letters, digits, '-' and '.', or an address such as 192.168.1.1 or [::1]"
            : "use letters, digits, '-' and '.', and no address")
      }
      return (string(host).lowercased(), port)
    }
    guard host.allSatisfy({ isUnreserved($0) || isSubDelimiter($0) }) else {
      throw invalid(
        "'\(shown(text))' has a host with '%' or another reserved character",
        "use letters, digits, '-' and '.' between '//' and the next '/'")
    }
    return (string(host), port)
  }

  /// Labels of letters, digits and inner hyphens; not international ones in disguise, and no number
  /// at the end.
  private static func isPlainHostName(_ host: ArraySlice<UInt8>) -> Bool {
    guard !host.isEmpty, host.count <= 253 else { return false }
    let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    for label in labels {
      guard let first = label.first, let last = label.last, label.count <= 63,
        first != UInt8(ascii: "-"), last != UInt8(ascii: "-"),
        label.allSatisfy({ isLetter($0) || $0 &- 0x30 < 10 || $0 == UInt8(ascii: "-") })
      else { return false }
      if string(label.prefix(4)).lowercased() == "xn--" { return false }
    }
    guard let last = labels.last else { return false }
    let isDecimal = last.allSatisfy { $0 &- 0x30 < 10 }
    let isHexadecimal =
      string(last.prefix(2)).lowercased() == "0x"
      && last.dropFirst(2).allSatisfy { hexValue($0) != nil }
    return !isDecimal && !isHexadecimal
  }

  private static func segments(_ path: ArraySlice<UInt8>) -> [String] {
    guard !path.isEmpty else { return [] }
    let body = path.first == UInt8(ascii: "/") ? path.dropFirst() : path
    return body.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(decoded)
  }

  private static func items(_ query: ArraySlice<UInt8>) -> [QueryItem] {
    query.split(separator: UInt8(ascii: "&")).map { pair in
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else {
        return QueryItem(name: decoded(pair), value: "")
      }
      return QueryItem(name: decoded(pair[..<equals]), value: decoded(pair[(equals + 1)...]))
    }
  }

  /// Decodes escapes to bytes and bytes to text.
  ///
  /// Bytes that are no UTF-8 become U+FFFD, which no parameter accepts.
  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "%")) else { return string(bytes) }
    var result: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
        let high = hexValue(bytes[index + 1]), let low = hexValue(bytes[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

// MARK: Bytes

private func invalid(_ problem: String, _ advice: String) -> RouterError {
  RouterError(.invalidURL, "\(problem); \(advice)")
}

/// At most 80 characters of a URL, for a message.
private func shown(_ text: String) -> String {
  text.count > 80 ? "\(text.prefix(80))…" : text
}

private func string(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

private func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

/// Bytes below 128, a bit each: whole URLs are looked at byte by byte.
private struct ByteSet {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  init(_ members: String) {
    for byte in members.utf8 {
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
    }
  }

  func contains(_ byte: UInt8) -> Bool {
    byte < 128 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
  }
}

private let digitsAndLetters =
  "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
private let schemeBytes = ByteSet(digitsAndLetters + "+-.")
private let unreservedBytes = ByteSet(digitsAndLetters + "-._~")
private let subDelimiters = ByteSet("!$&'()*+,;=")
private let reservedBytes = ByteSet("!$&'()*+,;=:/?#[]@")

private func isSchemeByte(_ byte: UInt8) -> Bool { schemeBytes.contains(byte) }

private func isUnreserved(_ byte: UInt8) -> Bool { unreservedBytes.contains(byte) }

private func isSubDelimiter(_ byte: UInt8) -> Bool { subDelimiters.contains(byte) }

private func isReserved(_ byte: UInt8) -> Bool { reservedBytes.contains(byte) }

func hexValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 0x30...0x39: byte - 0x30
  case 0x41...0x46: byte - 0x41 + 10
  case 0x61...0x66: byte - 0x61 + 10
  default: nil
  }
}

private func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
  func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x41 + value - 10 }
  bytes.append(UInt8(ascii: "%"))
  bytes.append(digit(byte >> 4))
  bytes.append(digit(byte & 15))
}

func hexadecimal(_ value: UInt32, digits: Int) -> String {
  let text = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}
