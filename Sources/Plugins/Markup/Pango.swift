/// Reads Pango markup: elements such as `<b>` and `<span foreground="red">`, and entities.
///
/// Pango refuses a text with one mistake whole, and bars then show it raw or not at all. Here a
/// text with a mistake is shown without any style: the tags of known elements are left out, known
/// entities are read, and everything else stays as it was written. Source: Pango's manual, "Text
/// Attribute Markup".
package enum Pango {
  /// Returns the text in its styles, and the first thing in it that is not as Pango wants it.
  ///
  /// `base` is the style outside of all elements. Relative sizes (`big`, `smaller`, `50%`) are of
  /// its size, or of 10 points. O(length).
  package static func read(
    _ text: String, base: TextStyle = TextStyle()
  ) -> (text: StyledText, warning: String?) {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
      return (StyledText(text, base), nil)
    }
    var reader = Reader(Array(text.utf8), base)
    reader.read()
    if let mistake = reader.mistake {
      return (StyledText(reader.result.plain, base), mistake + "; it is shown without its styles")
    }
    return (reader.result, reader.warning)
  }

  /// Returns whether `text` has the tag of a known element, as only markup has it; O(length).
  ///
  /// `a <b 9%` and `a <b and c> d` have none: a tag ends with its name, or has attributes.
  static func hasElement(_ text: String) -> Bool {
    text.split(separator: "<", omittingEmptySubsequences: false).dropFirst().contains { part in
      let tag = part.first == "/" ? part.dropFirst() : part
      let name = tag.prefix { $0.isLetter }
      guard PangoStyle.elements.contains(String(name)), let end = tag.firstIndex(of: ">") else {
        return false
      }
      let attributes = tag[name.endIndex..<end]
      return attributes.allSatisfy { $0.isWhitespace || $0 == "/" } || attributes.contains("=")
    }
  }

  private struct Reader {
    let text: [UInt8]
    let base: TextStyle
    var result = StyledText()
    /// Makes the markup invalid; only the first one is kept.
    private(set) var mistake: String?
    /// Something in valid markup that is not shown.
    private(set) var warning: String?
    private var index = 0
    private var open: [(name: String, style: TextStyle)] = []
    /// Elements beyond the limit of depth that are open.
    private var tooDeepCount = 0

    init(_ text: [UInt8], _ base: TextStyle) {
      self.text = text
      self.base = base
    }

    mutating func read() {
      while index < text.count {
        let start = index
        while index < text.count, text[index] != UInt8(ascii: "<"), text[index] != UInt8(ascii: "&")
        { index += 1 }
        append(start..<index)
        guard index < text.count else { break }
        if text[index] == UInt8(ascii: "<") { readTag() } else { readEntity() }
      }
      if let last = open.last { note("the element <\(last.name)> of the markup is not closed") }
    }

    private var style: TextStyle { open.last?.style ?? base }

    private mutating func note(_ mistake: String) { self.mistake = self.mistake ?? mistake }

    private mutating func append(_ range: Range<Int>) {
      result.append(String(decoding: text[range], as: UTF8.self), style)
    }

    private mutating func readEntity() {
      let start = index
      if let (scalar, end) = Entities.read(text, at: index) {
        result.append(String(scalar), style)
        index = end
        return
      }
      index += 1
      note("the markup has an & that begins no entity (&amp; stands for it)")
      append(start..<index)
    }

    /// Reads `<name attribute="value">`, `<name/>` or `</name>`; else `<` is text.
    private mutating func readTag() {
      var cursor = index + 1
      let isClosing = cursor < text.count && text[cursor] == UInt8(ascii: "/")
      if isClosing { cursor += 1 }
      let nameStart = cursor
      while cursor < text.count, isLetter(text[cursor]) { cursor += 1 }
      let name = String(decoding: text[nameStart..<cursor], as: UTF8.self)
      guard PangoStyle.elements.contains(name) else {
        note(
          name.isEmpty
            ? "the markup has a < that begins no element (&lt; stands for it)"
            : "the markup has an element <\(name)>, which Pango does not know")
        append(index..<index + 1)
        index += 1
        return
      }
      var attributes: [(String, String)] = []
      while let attribute = readAttribute(&cursor) { attributes.append(attribute) }
      skipBlanks(&cursor)
      let isEmpty = cursor < text.count && text[cursor] == UInt8(ascii: "/")
      if isEmpty { cursor += 1 }
      guard cursor < text.count, text[cursor] == UInt8(ascii: ">") else {
        note("the element <\(name)> of the markup has something that is no attribute")
        // A known element is never shown raw: all up to its end is left out.
        index = text[cursor...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? text.count
        return
      }
      index = cursor + 1
      if isClosing {
        close(name)
      } else {
        openElement(name, attributes, isEmpty)
      }
    }

    private mutating func openElement(
      _ name: String, _ attributes: [(String, String)], _ isEmpty: Bool
    ) {
      var style = style
      PangoStyle.apply(element: name, to: &style)
      for (key, value) in attributes {
        guard name == "span" else {
          note("the element <\(name)> of the markup takes no attributes")
          break
        }
        if let problem = PangoStyle.apply(key, value, to: &style) { warning = warning ?? problem }
      }
      guard !isEmpty else { return }
      guard open.count < PluginLimits.markupDepthMax else {
        tooDeepCount += 1
        note("the markup has elements of more than \(PluginLimits.markupDepthMax) levels")
        return
      }
      open.append((name, style))
    }

    private mutating func close(_ name: String) {
      if tooDeepCount > 0 {
        tooDeepCount -= 1
      } else if open.last?.name == name {
        open.removeLast()
      } else {
        note("the markup closes <\(name)> where it is not the last element that is open")
      }
    }

    /// Reads `key="value"` behind blanks, or returns `nil` and leaves the cursor.
    private func readAttribute(_ cursor: inout Int) -> (String, String)? {
      var end = cursor
      skipBlanks(&end)
      let keyStart = end
      while end < text.count,
        isLetter(text[end]) || text[end] == UInt8(ascii: "_")
          || text[end] == UInt8(ascii: "-")
      { end += 1 }
      let key = String(decoding: text[keyStart..<end], as: UTF8.self)
      skipBlanks(&end)
      guard !key.isEmpty, end < text.count, text[end] == UInt8(ascii: "=") else { return nil }
      end += 1
      skipBlanks(&end)
      guard end < text.count, text[end] == UInt8(ascii: "\"") || text[end] == UInt8(ascii: "'"),
        let close = text[(end + 1)...].firstIndex(of: text[end])
      else { return nil }
      cursor = close + 1
      return (key.lowercased(), Entities.replaced(in: text[(end + 1)..<close]))
    }

    private func skipBlanks(_ cursor: inout Int) {
      while cursor < text.count, [0x20, 0x09, 0x0A, 0x0D].contains(text[cursor]) { cursor += 1 }
    }

    private func isLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
  }
}

/// The entities of markup: five names, and numbers.
///
/// Source: GLib's GMarkup.
enum Entities {
  private static let names: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]

  /// Returns the character of the entity that begins at `start`, and the index behind it.
  static func read(_ text: [UInt8], at start: Int) -> (Unicode.Scalar, Int)? {
    // The longest is a number with a few zeros in front: &#x0010FFFF;
    let rest = text[(start + 1)...].prefix(12)
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: rest[..<end], as: UTF8.self)
    if let scalar = names[name] { return (scalar, end + 1) }
    guard name.first == "#" else { return nil }
    let digits = name.dropFirst()
    let isHexadecimal = digits.first == "x" || digits.first == "X"
    let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    guard let number, number > 0, let scalar = Unicode.Scalar(number) else { return nil }
    return (scalar, end + 1)
  }

  /// Returns the text with its entities replaced; an & that begins none stays.
  static func replaced(in bytes: ArraySlice<UInt8>) -> String {
    let text = Array(bytes)
    guard text.contains(UInt8(ascii: "&")) else { return String(decoding: text, as: UTF8.self) }
    var result: [UInt8] = []
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "&"), let (scalar, end) = read(text, at: index) {
        result += Array(String(scalar).utf8)
        index = end
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
