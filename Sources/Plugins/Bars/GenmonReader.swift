import JSON

extension PluginReader {
  private static let genmonTags = [
    "txt", "img", "icon", "tool", "bar", "click", "txtclick", "iconclick", "css",
  ]

  /// Reads the output of a generic monitor of Xfce: elements such as `<txt>`, or plain text.
  ///
  /// Source: the README of xfce4-genmon-plugin.
  static func readGenmon(_ output: [UInt8]) -> PluginReading {
    var reading = PluginReading()
    let lines = OutputLines(output, into: &reading).lines
    let text = lines.map(\.text).joined(separator: "\n")
    var parts: [String: String] = [:]
    for tag in genmonTags { parts[tag] = content(of: tag, in: text) }
    warnOfElements(in: text, besides: parts, into: &reading)
    guard !parts.isEmpty else {
      if text.contains("<txt>") {
        reading.warn("the element <txt> is not closed; the output is shown as text")
      }
      show(StyledText(text), in: &reading)
      return reading
    }
    if let percent = parts["bar"] { readBar(percent, into: &reading) }
    if let markup = parts["txt"], !markup.isEmpty {
      show(pango(markup, into: &reading), in: &reading)
    } else if let percentage = reading.frame.percentage {
      // A bar alone says its number, for surfaces that show text.
      reading.frame.titles = [PluginItem("\(Int(percentage.rounded()))%")]
    }
    if let icon = parts["icon"], !icon.isEmpty {
      if reading.frame.titles.isEmpty { reading.frame.titles = [PluginItem()] }
      reading.frame.titles[0].icon = icon
    }
    if parts["img"] != nil { reading.warn("the picture of <img> is not shown") }
    if parts["css"] != nil { reading.warn("the rules of <css> are not used") }
    if let tooltip = parts["tool"], !tooltip.isEmpty {
      reading.frame.tooltip = pango(tooltip, into: &reading)
    }
    // The text is what is shown, so its command comes first.
    let commands = ["txtclick", "click", "iconclick"].compactMap { parts[$0] }
      .filter { !$0.isEmpty }
    if let command = commands.first { reading.frame.clicks[1] = action(command, into: &reading) }
    if Set(commands).count > 1 {
      reading.warn(
        "a click has more than one command; the first of txtclick, click and iconclick"
          + " is taken")
    }
    return reading
  }

  /// Names of unknown elements that are looked at in one output.
  private static let unknownElementsMax = 8

  /// Says of elements that genmon does not know that they are ignored; in an output without any
  /// that it knows, only of those that look like one, since it is text.
  private static func warnOfElements(
    in text: String, besides parts: [String: String], into reading: inout PluginReading
  ) {
    // The elements inside of known ones are their markup; the lines stay as they are.
    var rest = Array(text.utf8)
    for tag in genmonTags where parts[tag] != nil {
      guard let start = find("<\(tag)>", in: rest[...]),
        let end = find("</\(tag)>", in: rest[start.upperBound...])
      else { continue }
      for index in start.lowerBound..<end.upperBound where rest[index] != 0x0A {
        rest[index] = 0x20
      }
    }
    var seen: Set<String> = []
    var line = 1
    for (index, byte) in rest.enumerated() {
      if byte == 0x0A { line += 1 }
      guard byte == UInt8(ascii: "<"), seen.count < unknownElementsMax else { continue }
      let letters = rest[(index + 1)...].prefix(while: isLetter)
      guard (1...16).contains(letters.count), letters.endIndex < rest.count,
        rest[letters.endIndex] == UInt8(ascii: ">")
      else { continue }
      let name = String(decoding: letters, as: UTF8.self)
      guard !genmonTags.contains(name), seen.insert(name).inserted,
        find("</\(name)>", in: rest[letters.endIndex...]) != nil
      else { continue }
      let meant =
        BarObject.meant(name, genmonTags) ?? genmonTags.first { name.hasPrefix($0) }
      guard !parts.isEmpty || meant != nil && !PangoStyle.elements.contains(name) else { continue }
      reading.warn(
        line: line,
        "genmon reads no element <\(name)>; it is "
          + (parts.isEmpty ? "shown as text" : "ignored") + didYouMean(meant.map { [$0] } ?? []))
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
  }

  private static func readBar(_ text: String, into reading: inout PluginReading) {
    let digits = trimmed(text[...])
    guard let number = Double(digits), number.isFinite else {
      reading.warn("the value '\(digits)' of <bar> is no number; it is ignored")
      return
    }
    reading.frame.percentage = clamped(number, into: &reading)
  }

  /// Shows the first line as the title, and the others below it.
  private static func show(_ text: StyledText, in reading: inout PluginReading) {
    let lines = text.lines.drop(while: \.isEmpty)
    guard let first = lines.first else { return }
    reading.frame.titles = [title(first)]
    reading.frame.text = Array(lines.dropFirst())
  }

  /// Returns the text between `<tag>` and `</tag>`; `nil`: there is none.
  private static func content(of tag: String, in text: String) -> String? {
    let bytes = Array(text.utf8)
    guard let start = find("<\(tag)>", in: bytes[...])?.upperBound,
      let end = find("</\(tag)>", in: bytes[start...])?.lowerBound
    else { return nil }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  private static func find(_ pattern: String, in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    let pattern = Array(pattern.utf8)
    guard bytes.count >= pattern.count else { return nil }
    for start in bytes.startIndex...(bytes.endIndex - pattern.count)
    where bytes[start] == pattern[0] && bytes[start..<start + pattern.count].elementsEqual(pattern)
    {
      return start..<start + pattern.count
    }
    return nil
  }
}
