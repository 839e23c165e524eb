import JSON
import PlainText

/// Cleans what is shown, in one place that the frame of every family goes through.
///
/// An output is foreign text. Its markup is read by then, and what is left is text for people:
/// escape sequences are removed, and `printable` takes away what steers, hides or reorders. Texts
/// and lists are cut at the limits, and all together at `PluginLimits.frameBytesMax`. The programs
/// and arguments of actions are no text and stay as they are, within limits.
extension PluginReading {
  /// Returns the reading with a frame that is safe to show, and tells what was cut; O(size).
  package func cleaned() -> PluginReading {
    var cleaner = FrameCleaner(self)
    cleaner.clean()
    return cleaner.reading
  }
}

/// Returns the start of `text` with at most `count` bytes, without a part of a character.
///
/// O(length), also for a character with thousands of marks.
func cut(_ text: String, toBytes count: Int) -> String {
  guard text.utf8.count > count else { return text }
  var end = text.utf8.index(text.utf8.startIndex, offsetBy: count)
  while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
  let start = text[..<end]
  guard let last = start.indices.last else { return "" }
  return String(text.index(after: last) == end ? start : text[..<last])
}

/// Returns a text of a frame without sequences and characters that steer or hide.
///
/// Markup is read by then: a sequence that is still there has no meaning for its family.
private func shown(_ text: String) -> String { printable(ANSI.read(text).plain) }

extension StyledText {
  /// The text as it is shown, before it is cut at the limits.
  var cleaned: StyledText {
    var text = StyledText()
    for run in runs { text.append(shown(run.text), run.style) }
    return text
  }
}

private struct FrameCleaner {
  private(set) var reading: PluginReading
  /// Bytes that are left for texts.
  private var room = PluginLimits.frameBytesMax
  private var itemRoom = PluginLimits.itemCountMax
  /// Bytes that are left for pictures, and the hashes of those that were taken.
  private var pictureRoom = PluginLimits.frameImagesBytesMax
  private var pictures: Set<String> = []
  /// Everything told already, so that each thing is told once.
  private var told: Set<String> = []

  init(_ reading: PluginReading) { self.reading = reading }

  private mutating func tell(_ message: String) {
    if told.insert(message).inserted { reading.warn(message) }
  }

  mutating func clean() {
    var frame = reading.frame
    if frame.titles.count > PluginLimits.titleCountMax {
      tell("more than \(PluginLimits.titleCountMax) titles; the first ones are shown")
    }
    frame.titles = frame.titles.prefix(PluginLimits.titleCountMax).map { item($0, depth: 0) }
    frame.short = frame.short.map { line($0) }
    if frame.classes.count > PluginLimits.classCountMax {
      tell(
        "more than \(PluginLimits.classCountMax) words for styling (class, alt); the first ones"
          + " count")
    }
    frame.classes = frame.classes.prefix(PluginLimits.classCountMax).map { word($0) }
      .filter { !$0.isEmpty }
    frame.text = lines(frame.text)
    if let tooltip = frame.tooltip {
      var text = StyledText()
      for (index, line) in lines(tooltip.lines).enumerated() {
        if index > 0 { text.append("\n") }
        for run in line.runs { text.append(run.text, run.style) }
      }
      frame.tooltip = text.isEmpty ? nil : text
    }
    frame.items = items(frame.items, depth: 1)
    frame.clicks = frame.clicks.filter { (1...9).contains($0.key) }.mapValues { action($0) }
      .filter { !$0.value.isEmpty }
    clean(&frame.state)
    reading.frame = frame
  }

  private mutating func clean(_ state: inout JSONObject?) {
    guard let members = state?.members else { return }
    if JSONValue.object(JSONObject(members)).serialized.utf8.count > PluginLimits.stateBytesMax {
      tell("the state has more than \(PluginLimits.stateBytesMax) bytes; it is not kept")
      state = nil
    } else if members.count(where: { PluginVariable.isName($0.key) })
      > PluginLimits.variableCountMax
    {
      tell(
        "the state has more than \(PluginLimits.variableCountMax) members; the next run gets the"
          + " first ones")
    }
  }

  // MARK: Items

  private mutating func items(_ items: [PluginItem], depth: Int) -> [PluginItem] {
    guard depth <= PluginLimits.menuDepthMax else {
      if !items.isEmpty {
        tell("more than \(PluginLimits.menuDepthMax) levels of items; the deeper ones are left out")
      }
      return []
    }
    var cleaned: [PluginItem] = []
    for one in items {
      guard itemRoom > 0, room > 0 else {
        tell(
          "more than \(PluginLimits.itemCountMax) items or \(PluginLimits.frameBytesMax) bytes;"
            + " the rest is left out")
        break
      }
      itemRoom -= 1
      cleaned.append(item(one, depth: depth))
    }
    return cleaned
  }

  private mutating func item(_ item: PluginItem, depth: Int) -> PluginItem {
    room -= PluginLimits.runCostBytes
    guard !item.isSeparator else { return .separator }
    var item = item
    item.text = line(item.text)
    item.badge = item.badge.map { word($0) }
    item.icon = item.icon.map { word($0) }.flatMap { $0.isEmpty ? nil : $0 }
    item.tooltip = item.tooltip.map { line(StyledText($0)).plain }
      .flatMap { $0.isEmpty ? nil : $0 }
    item.picture = item.image.flatMap { picture($0) }
    if item.color != nil { room -= PluginLimits.styleCostBytes }
    item.action = action(item.action)
    item.items = items(item.items, depth: depth + 1)
    if item.alternate.count > 1 || item.alternate.contains(where: { !$0.alternate.isEmpty }) {
      tell("an item has more than one alternate; the first one counts")
    }
    item.alternate = item.alternate.prefix(1).map { one in
      var one = one
      // One beside another would never be seen.
      one.alternate = []
      return self.item(one, depth: depth)
    }
    return item
  }

  private mutating func picture(_ bytes: [UInt8]) -> PluginPicture? {
    switch PluginPicture.read(bytes) {
    case .failure(let refusal):
      tell(refusal.message)
      return nil
    case .success(let picture):
      // Menus repeat their pictures, which are kept once.
      guard !pictures.contains(picture.sourceHash) else { return picture }
      guard picture.byteCount <= pictureRoom else {
        tell(
          "all pictures together have more than \(PluginLimits.frameImagesBytesMax) bytes; the"
            + " others are not shown")
        return nil
      }
      pictureRoom -= picture.byteCount
      pictures.insert(picture.sourceHash)
      return picture
    }
  }

  private mutating func action(_ action: PluginAction) -> PluginAction {
    var action = action
    if let url = action.url {
      if url.utf8.count > PluginLimits.urlBytesMax || printable(url) != url {
        tell(
          "a URL is too long or has control characters; it is left out: \(cut(url, toBytes: 60))")
        action.url = nil
      } else {
        action.url = takesRoom(url.utf8.count) ? url : nil
      }
    }
    let isRunnable =
      action.exec.count <= PluginLimits.argumentCountMax
      && action.exec.allSatisfy {
        $0.utf8.count <= PluginLimits.commandBytesMax && !$0.utf8.contains(0)
      }
    if !isRunnable {
      tell(
        "a command has more than \(PluginLimits.argumentCountMax) arguments, a longer one than"
          + " \(PluginLimits.commandBytesMax) bytes, or a NUL; it is left out")
      action.exec = []
    }
    if let text = action.stdin {
      let line = String(text.filter { !$0.isNewline && $0 != "\0" })
      let part = cut(line, toBytes: PluginLimits.textBytesMax)
      if part != text {
        tell(
          "a line for the standard input has line breaks, a NUL or more than"
            + " \(PluginLimits.textBytesMax) bytes; they are left out")
      }
      action.stdin = part
    }
    if !takesRoom(action.exec.reduce(0) { $0 + $1.utf8.count + PluginLimits.argumentCostBytes }) {
      action.exec = []
    }
    if !action.isEmpty { room -= PluginLimits.runCostBytes + (action.stdin?.utf8.count ?? 0) }
    return action
  }

  /// Takes bytes of the room that is left for a command or a URL, which cannot be cut; `false`: they
  /// do not fit, and that is told.
  private mutating func takesRoom(_ count: Int) -> Bool {
    guard count <= max(room, 0) else {
      tell(
        "all texts and commands have more than \(PluginLimits.frameBytesMax) bytes; further"
          + " commands and URLs are left out")
      return false
    }
    room -= count
    return true
  }

  // MARK: Text

  private mutating func lines(_ lines: [StyledText]) -> [StyledText] {
    var cleaned: [StyledText] = []
    if lines.count > PluginLimits.lineCountMax {
      tell("a text has more than \(PluginLimits.lineCountMax) lines; the rest is left out")
    }
    for one in lines.prefix(PluginLimits.lineCountMax) {
      guard room > 0 else {
        tell("more than \(PluginLimits.frameBytesMax) bytes of text; the rest is left out")
        break
      }
      cleaned.append(line(one))
    }
    return cleaned
  }

  /// Cleans a text that is shown in one line.
  private mutating func line(_ text: StyledText) -> StyledText {
    var cleaned = StyledText()
    var left = min(PluginLimits.textBytesMax, max(room, 0))
    for (index, run) in text.runs.enumerated() {
      guard index < PluginLimits.runCountMax else {
        tell("a text has more than \(PluginLimits.runCountMax) styles; it is cut")
        break
      }
      let plain = shown(run.text)
      let part = cut(plain, toBytes: left)
      if part.utf8.count < plain.utf8.count {
        tell(
          "a text has more than \(PluginLimits.textBytesMax) bytes, or all have more than"
            + " \(PluginLimits.frameBytesMax); it is cut")
      }
      left -= part.utf8.count
      var style = run.style
      style.font = style.font.map { word($0) }.flatMap { $0.isEmpty ? nil : $0 }
      room -= PluginLimits.runCostBytes + part.utf8.count
      if style != TextStyle() { room -= PluginLimits.styleCostBytes }
      cleaned.append(part, style)
      if left <= 0 { break }
    }
    return cleaned
  }

  private mutating func word(_ text: String) -> String {
    let whole = printable(text)
    let word = cut(whole, toBytes: PluginLimits.wordBytesMax)
    if word.utf8.count < whole.utf8.count {
      tell(
        "a word for styling, a badge or the name of an icon or a font has more than"
          + " \(PluginLimits.wordBytesMax) bytes; it is cut")
    }
    room -= PluginLimits.runCostBytes + word.utf8.count
    return word
  }
}
