/// A line that an extension wrote in the place of an answer, and that is no JSON.
struct GarbledLine {
  /// Its beginning, without the white space before it; at most `GarbledLine.lookedAtBytesMax` bytes.
  private let text: Substring

  private static let lookedAtBytesMax = 1_024

  init(_ line: Span<UInt8>) {
    let start = line.copy(0..<min(line.count, Self.lookedAtBytesMax))
    text = String(decoding: start, as: UTF8.self).drop(while: \.isWhitespace)
  }

  /// Whether nothing stands in it: such a line says nothing.
  var isEmpty: Bool { text.isEmpty }

  /// At most `ProviderLimits.shownLineLength` characters of it, with "…" where some are missing.
  var shown: String {
    let most = ProviderLimits.shownLineLength
    return text.count > most ? "\(text.prefix(most))…" : String(text)
  }

  /// The number behind the first `"id":`; `nil`: there is none.
  var id: UInt64? {
    let key = "\"id\""
    var rest = text[...]
    while let quote = rest.firstIndex(of: "\"") {
      rest = rest[quote...]
      guard rest.hasPrefix(key) else {
        rest = rest.dropFirst()
        continue
      }
      rest = rest.dropFirst(key.count).drop(while: \.isWhitespace)
      guard rest.first == ":" else { continue }
      rest = rest.dropFirst().drop(while: \.isWhitespace)
      return UInt64(rest.prefix { $0.isASCII && $0.isNumber })
    }
    return nil
  }
}
