/// The URLs that markup may have: a part of the strict profile of the router.
///
/// The router judges each URL once more when it is tapped. This check needs none of the router, so
/// that a widget's program can ask it too: only ASCII that a URL may have, no user, no address as a
/// host, and none of the schemes that run code or reach files. A test compares it with the router's.
package enum MarkupURL {
  /// Schemes that are never opened; those of the router.
  package static let deniedSchemes: Set<String> = [
    "javascript", "vbscript", "livescript", "data", "about", "blob", "filesystem", "view-source",
    "jar", "resource", "chrome", "file", "shell", "ms-msdt", "vnd.libreoffice.command",
    "moz-extension", "chrome-extension",
  ]

  private static let webSchemes: Set<String> = ["http", "https", "ws", "wss", "ftp"]

  /// Whether the markup may have this URL.
  package static func accepts(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, bytes.count <= MarkupLimits.attributeBytesMax,
      let colon = bytes.firstIndex(of: UInt8(ascii: ":")), isLetter(bytes[0]),
      bytes[..<colon].allSatisfy(isSchemeByte), hasOnlyURLBytes(bytes)
    else { return false }
    let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
    guard !deniedSchemes.contains(scheme) else { return false }
    let isWeb = webSchemes.contains(scheme)
    let rest = bytes[(colon + 1)...]
    guard rest.starts(with: "//".utf8) else { return !isWeb }
    let authority = rest.dropFirst(2).prefix { byte in
      byte != UInt8(ascii: "/") && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#")
    }
    return isWeb ? isHostAndPort(authority) : authority.allSatisfy(isNameByte)
  }

  private static func hasOnlyURLBytes(_ bytes: [UInt8]) -> Bool {
    var hasFragment = false
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "%"):
        guard index + 2 < bytes.count, isHexDigit(bytes[index + 1]), isHexDigit(bytes[index + 2])
        else { return false }
      case UInt8(ascii: "#"):
        if hasFragment { return false }
        hasFragment = true
      case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
        UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"),
        UInt8(ascii: "}"):
        return false
      default:
        guard (0x21...0x7E).contains(byte) else { return false }
      }
    }
    return true
  }

  private static func isHostAndPort(_ authority: ArraySlice<UInt8>) -> Bool {
    let host = authority.prefix { $0 != UInt8(ascii: ":") }
    let port = authority[host.endIndex...].dropFirst()
    guard port.count <= 5, port.allSatisfy(isDigit),
      port.reduce(0, { $0 * 10 + Int($1 - 0x30) }) <= 65_535, !host.isEmpty, host.count <= 253
    else { return false }
    let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard let last = labels.last, let first = last.first, isLetter(first) else { return false }
    return labels.allSatisfy { label in
      guard let first = label.first, let last = label.last, label.count <= 63 else { return false }
      return first != UInt8(ascii: "-") && last != UInt8(ascii: "-")
        && label.allSatisfy(isNameByte) && !label.contains(UInt8(ascii: "."))
        && !label.contains(UInt8(ascii: "_")) && !label.contains(UInt8(ascii: "~"))
        && String(decoding: label.prefix(4), as: UTF8.self).lowercased() != "xn--"
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
  private static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte | 0x20) &- 0x61 < 6
  }
  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".")
  }
  private static func isNameByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
  }
}
