/// The last look at a URL before an application gets it.
///
/// It has been through the URL profile already. This is the second lock on the door that matters:
/// whatever way a string came here, it starts with a scheme (never with `-` or `/`, so it cannot
/// pass for an option or a file), the scheme is not one of those that run code or open files, and
/// it fits one argument.
package enum LaunchableURL {
  /// Longest URL, bytes.
  package static let bytesMax = 8192

  /// Never handed to an application.
  ///
  /// They run code in their opener's place, or name local files,
  /// which are opened by descriptor where they are opened at all.
  package static let deniedSchemes: Set<String> = [
    "javascript", "vbscript", "livescript", "data", "about", "blob", "filesystem", "view-source",
    "jar", "resource", "chrome", "file", "shell", "ms-msdt", "vnd.libreoffice.command",
    "moz-extension", "chrome-extension",
  ]

  /// The lower-cased scheme, or `nil` when `url` does not start with one (RFC 3986, section 3.1).
  package static func scheme(of url: String) -> String? {
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = url.utf8[..<colon]
    guard let first = scheme.first, isLetter(first),
      scheme.allSatisfy({ isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) })
    else { return nil }
    return String(url[..<colon]).lowercased()
  }

  /// Why this URL is not opened; `nil` when it may be.
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

  /// Why nothing of this scheme is opened; `nil` when it may be.
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
