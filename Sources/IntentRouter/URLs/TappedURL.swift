// URLs that a widget shows and a person taps.

extension ProfiledURL {
  /// The fields that a `mailto:` URL may fill in: what a person sees in the letter before sending.
  ///
  /// Others make some mail programs do more: `attach` puts a file of the person into the letter.
  static let letterFields: Set<String> = [
    "to", "cc", "bcc", "subject", "body", "in-reply-to", "references", "keywords",
  ]

  /// Encodes and checks the URL of a tap.
  ///
  /// It keeps the profile, with one difference: the host of `http:` and `https:` may be an address
  /// in the one form that all parsers read alike (`192.168.1.1`, `[::1]`), since people have
  /// printers and servers without a name. A `mailto:` URL may fill in `letterFields` only.
  package static func parse(tapped text: String) -> Result<ProfiledURL, RouterError> {
    parse(text, takesAddresses: true).flatMap { url in
      guard url.scheme == "mailto" else { return .success(url) }
      let strange = url.queryItems.first { !letterFields.contains($0.name.lowercased()) }
      guard let strange else { return .success(url) }
      return .failure(
        RouterError(
          .invalidURL,
          "a mailto: URL is not opened with '\(strange.name.prefix(40))'; it may have \(letterFields.sorted().joined(separator: ", "))"
        ))
    }
  }

  /// Whether a host is an address in its one usual form: four numbers of 0 to 255 without leading
  /// zeros, or an address of IPv6 in brackets without a zone and without an IPv4 part.
  static func isPlainAddress(_ host: ArraySlice<UInt8>) -> Bool {
    guard host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") else {
      return isDottedQuad(host)
    }
    return isIPv6(host.dropFirst().dropLast())
  }

  private static func isDottedQuad(_ host: ArraySlice<UInt8>) -> Bool {
    let numbers = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return numbers.count == 4
      && numbers.allSatisfy { digits in
        (1...3).contains(digits.count) && digits.allSatisfy { $0 &- 0x30 < 10 }
          && (digits.count == 1 || digits.first != UInt8(ascii: "0"))
          && digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 255
      }
  }

  /// Eight groups of one to four hex digits; `::` stands for the groups that are missing, once.
  private static func isIPv6(_ text: ArraySlice<UInt8>) -> Bool {
    let groups = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    let filled = groups.filter { !$0.isEmpty }
    guard filled.allSatisfy({ $0.count <= 4 && $0.allSatisfy { hexValue($0) != nil } }) else {
      return false
    }
    switch groups.count - filled.count {
    case 0: return groups.count == 8
    case 1:
      // `1::2`: one empty group, and it is inside.
      return groups.first?.isEmpty == false && groups.last?.isEmpty == false && filled.count < 8
    case 2:
      // `::1` or `1::`: the end has two.
      let first = groups.prefix(2).allSatisfy(\.isEmpty)
      let last = groups.suffix(2).allSatisfy(\.isEmpty)
      return groups.count > 2 && (first || last) && filled.count < 8
    case 3: return groups.count == 3
    default: return false
    }
  }
}
