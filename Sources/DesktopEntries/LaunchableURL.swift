/// Checks a URL for the last time before an application gets it.
///
/// The URL profile has checked the URL already; this check does not rely on it. A string that
/// passes starts with a scheme (and so not with `-` or `/`, as an option or a file would), the
/// scheme is not one that runs code or opens files, and the string fits into one argument.
package enum LaunchableURL {
  /// The longest URL, in bytes.
  package static let bytesMax = 8192

  /// The schemes that are never handed to an application.
  ///
  /// They run code in the opener's context, or they name local files.
  package static let deniedSchemes: Set<String> = [
    "javascript", "vbscript", "livescript", "data", "about", "blob", "filesystem", "view-source",
    "jar", "resource", "chrome", "file", "shell", "ms-msdt", "vnd.libreoffice.command",
    "moz-extension", "chrome-extension",
  ]

  /// Returns the scheme in lower case; `nil` if `url` does not start with one (RFC 3986, section
  /// 3.1).
  package static func scheme(of url: String) -> String? {
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = url.utf8[..<colon]
    guard let first = scheme.first, isLetter(first),
      scheme.allSatisfy({ isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) })
    else { return nil }
    return String(url[..<colon]).lowercased()
  }

  /// Returns the reason why this URL is not opened; `nil` if it may be opened.
  package static func refusal(for url: String) -> LaunchRefusal? {
    guard url.utf8.count <= bytesMax else {
      return LaunchRefusal(
        .tooLong, "the URL has \(url.utf8.count) bytes; at most \(bytesMax) are opened")
    }
    guard !url.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      return LaunchRefusal(.controlCharacter, "the URL has a control character in it")
    }
    guard let scheme = scheme(of: url) else {
      return LaunchRefusal(.noScheme, "the URL must start with a scheme, such as https:")
    }
    return refusal(forScheme: scheme)
  }

  /// Returns the reason why no URL of this scheme is opened; `nil` if it may be opened.
  package static func refusal(forScheme scheme: String) -> LaunchRefusal? {
    guard deniedSchemes.contains(scheme.lowercased()) else { return nil }
    return LaunchRefusal(.schemeDenied, "\(scheme): is never opened from a widget")
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
