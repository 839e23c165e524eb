/// The values of parameters and tags.
enum MenuValue {
  /// Reads a yes or a no, in any case; `nil` for anything else, also for an empty text.
  static func flag(_ text: some StringProtocol) -> Bool? {
    switch text.lowercased() {
    case "true", "1", "yes", "on": true
    case "false", "0", "no", "off": false
    default: nil
    }
  }

  /// Reads points of a font, within `PluginLimits.fontPoints`.
  static func size(_ text: String) -> Double? {
    guard let size = Double(text), PluginLimits.fontPoints.contains(size) else { return nil }
    return size
  }

  /// Reads a whole number from 0 to 9,999, in digits alone; a fraction is dropped.
  static func count(_ text: some StringProtocol) -> Int? {
    let digits = text.prefix { $0.isASCIIDigit }
    let rest = text.dropFirst(digits.count)
    guard (1...4).contains(digits.count) else { return nil }
    guard rest.isEmpty || rest.first == "." && rest.dropFirst().allSatisfy(\.isASCIIDigit) else {
      return nil
    }
    return Int(digits)
  }
}

extension StringProtocol {
  /// The text without blanks at both ends.
  var trimmed: String {
    var text = self[...]
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}

extension String {
  var nonEmpty: String? { isEmpty ? nil : self }

  /// The text without a pair of quotes around it.
  var unquoted: String {
    guard count >= 2, let first, first == last, first == "\"" || first == "'" else { return self }
    return String(dropFirst().dropLast())
  }

  /// The text without blanks at both ends, and cut after `bytesMax` bytes at a character.
  func trimmed(to bytesMax: Int) -> String {
    trimmed.prefix(bytes: bytesMax)
  }

  /// The start of the text, of at most `bytesMax` bytes; the last character is whole.
  func prefix(bytes bytesMax: Int) -> String {
    guard utf8.count > bytesMax else { return self }
    var end = utf8.index(startIndex, offsetBy: bytesMax)
    while end > startIndex, end.samePosition(in: self) == nil { end = utf8.index(before: end) }
    return String(self[..<end])
  }
}
