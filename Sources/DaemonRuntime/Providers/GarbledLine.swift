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

  /// The number of the request that the line answers: behind `"id":` in the line's own object, and
  /// not in one inside of it, which belongs to the content; `nil`: there is none.
  var id: UInt64? {
    var rest = text.unicodeScalars[...]
    var depth = 0
    while let scalar = rest.popFirst() {
      switch scalar {
      case "{", "[": depth += 1
      case "}", "]": depth -= 1
      case "\"":
        guard let string = Self.takeString(&rest) else { return nil }
        guard depth == 1, string == "id" else { continue }
        rest = rest.drop { $0.properties.isWhitespace }
        guard rest.first == ":" else { continue }
        rest = rest.dropFirst().drop { $0.properties.isWhitespace }
        return UInt64(String(rest.prefix { ("0"..."9").contains($0) }))
      default: break
      }
    }
    return nil
  }

  /// Takes the rest of a string, whose first quotation mark is taken already, with its escapes as
  /// they are written; `nil`: it does not end.
  private static func takeString(_ rest: inout Substring.UnicodeScalarView) -> String? {
    var string = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return String(string)
      case "\\":
        string.append(scalar)
        if let escaped = rest.popFirst() { string.append(escaped) }
      default: string.append(scalar)
      }
    }
    return nil
  }
}
