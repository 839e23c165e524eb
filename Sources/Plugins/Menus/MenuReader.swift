extension PluginReader {
  /// Reads the output of a script of xbar, SwiftBar or Argos: titles, a line `---`, a menu.
  ///
  /// Source: the READMEs of the three; docs/PLUGINS.md lists what is read and each difference.
  static func readMenu(_ output: [UInt8], _ format: PluginFormat) -> PluginReading {
    var reader = MenuReader(format: format)
    reader.read(output)
    return reader.reading
  }
}

/// Makes a frame of the lines of a menu.
private struct MenuReader {
  let format: PluginFormat
  private(set) var reading = PluginReading()
  private var items: MenuItemReader
  private var tree = MenuTree()
  /// The titles that the menu repeats.
  private var repeated: [PluginItem] = []
  private var titleCount = 0

  init(format: PluginFormat) {
    self.format = format
    items = MenuItemReader(format: format)
  }

  mutating func read(_ output: [UInt8]) {
    let lines = OutputLines(
      output, into: &reading, lineBytesMax: PluginLimits.menuLineBytesMax)
    var isInBody = false
    var textBytes = 0
    for line in lines.lines {
      let split = MenuLine(line.text, hasShellQuotes: format == .argos)
      // The time to read texts grows with their bytes, and others wait meanwhile.
      textBytes += min(split.text.utf8.count, PluginLimits.lineBytesMax)
      if textBytes > PluginLimits.menuTextBytesMax {
        reading.warn(
          line: line.number,
          "the texts of the menu have more than \(PluginLimits.menuTextBytesMax) bytes; the rest is"
            + " left out")
        break
      }
      if !isInBody, isDivider(line.text, split) {
        isInBody = true
        // SwiftBar's divider may have a text of its own: `---More`.
        if Separator.level(split.text) != nil { continue }
      }
      if isInBody {
        readItem(split, line.number)
      } else {
        readTitle(split, line.number)
      }
    }
    finish()
    // Blanks, dashes and pipes alone are the way to say nothing.
    let isBlank = output.allSatisfy { $0 <= 32 || "-|".utf8.contains($0) }
    if reading.frame.isHidden, !isBlank {
      reading.warn("no line has a text or a picture to show; the widget is hidden")
    }
  }

  /// Returns whether a line is the one that ends the titles, which each family knows otherwise.
  private func isDivider(_ line: String, _ split: MenuLine) -> Bool {
    switch format {
    case .swiftbar: line.hasPrefix("---")
    case .argos: Separator.level(split.text) != nil && split.parameters.isEmpty
    default: split.text.trimmed == "---"
    }
  }

  private mutating func readTitle(_ line: MenuLine, _ number: Int) {
    guard let entry = items.read(line, text: line.text, number: number, into: &reading) else {
      return
    }
    if entry.isInMenu { repeated.append(entry.item) }
    titleCount += 1
    guard titleCount <= PluginLimits.titleCountMax else {
      if titleCount == PluginLimits.titleCountMax + 1 {
        reading.warn(
          line: number,
          "only the first \(PluginLimits.titleCountMax) lines before '---' take turns in the bar")
      }
      return
    }
    reading.frame.titles.append(entry.item)
  }

  private mutating func readItem(_ line: MenuLine, _ number: Int) {
    if let level = Separator.level(line.text) {
      _ = tree.add(.separator, level: level)
      return
    }
    let dashes = line.text.utf8.prefix { $0 == UInt8(ascii: "-") }.count
    let level = dashes / 2
    let text = String(line.text.dropFirst(level * 2))
    guard let entry = items.read(line, text: text, number: number, into: &reading),
      // Argos hides titles alone.
      entry.isInMenu || format == .argos
    else { return }
    if entry.isAlternate {
      if !tree.addAlternate(entry.item, level: level) {
        reading.warn(
          line: number,
          "'alternate' has no item before it on its level, or that has one already; it is shown as"
            + " an item")
      }
    } else if tree.add(entry.item, level: level) {
      reading.warn(
        line: number,
        "the item is on level \(level); menus have \(PluginLimits.menuDepthMax) levels, and it is"
          + " put on the last one")
    }
  }

  private mutating func finish() {
    var items = tree.items
    // A menu of lines alone shows nothing.
    if items.allSatisfy(\.isSeparator) { items = [] }
    if titleCount > 1, !repeated.isEmpty {
      items = repeated + (items.isEmpty || items[0].isSeparator ? [] : [.separator]) + items
    }
    reading.frame.items = items
  }
}

/// A line between items: three dashes, and two more for each level above it.
private enum Separator {
  /// Returns the level of a line that has nothing but dashes, at least three; `nil` for any other.
  static func level(_ text: String) -> Int? {
    let dashes = text.trimmed
    guard dashes.utf8.count >= 3, dashes.utf8.allSatisfy({ $0 == UInt8(ascii: "-") }) else {
      return nil
    }
    return (dashes.utf8.count - 3) / 2
  }
}
