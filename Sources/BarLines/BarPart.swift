package import JSON
import PlainText
package import Timekeeping

/// The part of a bar's line that shows one widget at one moment, clean but not escaped yet.
package struct BarPart: Hashable, Sendable {
  package var widget: ShownWidget
  package var text: BarText
  /// The text for little room; empty where `text` is all there is, and for a bar that has no use for
  /// a second one.
  package var shortText: BarText
  /// The colour of the whole text; runs may have their own.
  package var color: BarColor?
  package var background: BarColor?
  /// Lines without styles; empty for a bar that has no tooltips.
  package var tooltip: [String]
  /// Words for styling, `stale` and `urgent` among them.
  package var classes: [String]
  /// The name of a symbol; a bar may have an icon for it.
  package var symbol: String
  /// 0 to 100.
  package var percentage: Int?
  package var isUrgent: Bool
  package var isStale: Bool
}

/// The wishes of a person about how a bar shows widgets.
package struct BarWishes: Hashable, Sendable {
  /// `nil`: the short text, else the first line of the text, else the title; for a bar that takes a
  /// short text beside the text, the text, else the title.
  package var template: BarTemplate?
  /// Characters of a widget's text, as a person counts them.
  package var lengthMax = BarLimits.textCharacterCountMax
  /// Whether colours are taken that are meant for dark surroundings.
  package var isDark = true

  package init() {}
}

/// Reads a widget, as `surface.update` gives it, into a part of a line.
package struct PartReader {
  private let wishes: BarWishes
  private let now: WallTime
  private let isAlone: Bool
  private let isLost: Bool
  private let format: BarFormat
  /// The first moment at which something of the parts read so far reads differently; `nil`: they
  /// stay as they are.
  package private(set) var nextChange: WallTime?

  /// Makes a reader of the parts of a bar of this format for the moment `now`.
  ///
  /// `isLost` says that the daemon is gone, and that nothing is current any more; `isAlone` that the
  /// bar shows one widget, which nobody takes for another one.
  package init(
    _ wishes: BarWishes, _ format: BarFormat, isAlone: Bool, isLost: Bool, at now: WallTime
  ) {
    self.wishes = wishes
    self.now = now
    self.isAlone = isAlone
    self.isLost = isLost
    self.format = format
  }

  /// Returns the part of a widget; `nil` for one that is hidden, and for a value without an id.
  package mutating func part(of widget: JSONValue) -> BarPart? {
    guard let id = widget["id"]?.stringValue, widget["hidden"]?.isNull ?? true else { return nil }
    let content = widget["entry"]?["content"] ?? .null
    let isStale = isLost || widget["stale"]?.boolValue == true
    let isUrgent = content["urgent"]?.boolValue == true
    let own = BarColor(content["color"], isDark: wishes.isDark)
    let (shown, short) = texts(of: widget, content)
    return BarPart(
      widget: ShownWidget(id: id, revision: widget["revision"]?.intValue ?? 0),
      text: fitted(shown, isStale: isStale), shortText: fitted(short, isStale: isStale),
      color: isStale ? own?.dimmed ?? .stale : own,
      background: isStale ? nil : BarColor(content["background"], isDark: wishes.isDark),
      tooltip: format.hasTooltip
        ? tooltip(of: widget, content, shown.plain, isStale: isStale) : [],
      classes: classes(content, isStale: isStale, isUrgent: isUrgent),
      symbol: content["symbol"]?.stringValue.map(word) ?? "",
      percentage: percentage(content), isUrgent: isUrgent, isStale: isStale)
  }

  // MARK: The text

  /// Returns the text of a widget and the one for little room.
  ///
  /// The second is empty if there is none, and where the bar has no choice between two; a person's
  /// own template leaves it none.
  private mutating func texts(
    of widget: JSONValue, _ content: JSONValue
  ) -> (text: BarText, short: BarText) {
    if let template = wishes.template {
      let filled = template.filled { value(of: $0, widget, content) }
      return (filled ?? line(of: widget, content), BarText())
    }
    guard format.hasShortText else { return (line(of: widget, content), BarText()) }
    let short = first(content["short"])
    guard let long = long(content), long != short else {
      return (line(of: widget, content), BarText())
    }
    return (long, short)
  }

  /// Returns a text as the bar shows it: without colours of its own if it is stale, and cut.
  private func fitted(_ text: BarText, isStale: Bool) -> BarText {
    (isStale
      ? text.styled {
        $0.color = nil; $0.background = nil
      } : text)
      .shortened(countMax: min(wishes.lengthMax, BarLimits.textCharacterCountMax))
  }

  private mutating func line(of widget: JSONValue, _ content: JSONValue) -> BarText {
    let short = first(content["short"])
    if !short.isEmpty { return short }
    if let long = long(content) { return long }
    if let percentage = percentage(content) { return BarText("\(percentage)%") }
    return name(of: widget)
  }

  /// Returns the first line of the text, else the title; `nil` for content that has neither.
  private mutating func long(_ content: JSONValue) -> BarText? {
    let text = first(content["text"])
    if !text.isEmpty { return text }
    let title = title(content)
    return title.isEmpty ? nil : title
  }

  private mutating func value(
    of name: BarTemplate.Value, _ widget: JSONValue, _ content: JSONValue
  ) -> BarText {
    switch name {
    case .line: line(of: widget, content)
    case .title: title(content)
    case .subtitle: first(content["subtitle"])
    case .text: first(content["text"])
    case .short: first(content["short"])
    case .percentage: BarText(percentage(content).map { "\($0)" } ?? "")
    case .symbol: BarText(content["symbol"]?.stringValue ?? "")
    case .name: self.name(of: widget)
    case .id: BarText(widget["id"]?.stringValue ?? "")
    }
  }

  private func name(of widget: JSONValue) -> BarText {
    BarText(widget["name"]?.stringValue ?? widget["id"]?.stringValue ?? "")
  }

  /// The title, or the one of several whose turn it is: on all bars the same.
  private mutating func title(_ content: JSONValue) -> BarText {
    let titles = (content["titles"]?.arrayValue ?? []).map { first($0) }.filter { !$0.isEmpty }
    guard titles.count > 1, now.milliseconds >= 0 else {
      return titles.first ?? first(content["title"])
    }
    let turn = now.milliseconds / BarLimits.titleMilliseconds
    note(WallTime(milliseconds: (turn + 1) * BarLimits.titleMilliseconds))
    return titles[Int(turn % Int64(titles.count))]
  }

  private func percentage(_ content: JSONValue) -> Int? {
    guard let value = content["percentage"]?.doubleValue, (0...100).contains(value) else {
      return nil
    }
    return Int(value.rounded())
  }

  /// Returns the first line of a value that is not empty.
  private mutating func first(_ value: JSONValue?) -> BarText {
    guard let values = value?.arrayValue else { return value.map { line($0) } ?? BarText() }
    for value in values {
      let line = line(value)
      if !line.isEmpty { return line }
    }
    return BarText()
  }

  /// Returns a line of the content: a text, text in runs, or a live date; empty for another value.
  private mutating func line(_ value: JSONValue) -> BarText {
    switch value {
    case .string(let text): return BarText(text)
    case .int, .double: return BarText(value.serialized)
    case .object:
      if let runs = value["runs"]?.arrayValue {
        var line = BarText()
        for run in runs { line.append(run["text"]?.stringValue ?? "", style(of: run)) }
        return line
      }
      guard let date = LiveDate(value) else { return BarText() }
      note(date.nextChange(after: now))
      return BarText(date.text(at: now))
    case .null, .bool, .array: return BarText()
    }
  }

  private func style(of run: JSONValue) -> BarStyle {
    var style = BarStyle()
    style.color = BarColor(run["color"], isDark: wishes.isDark)
    style.background = BarColor(run["background"], isDark: wishes.isDark)
    style.isBold = run["bold"]?.boolValue == true
    style.isItalic = run["italic"]?.boolValue == true
    style.isUnderlined = run["underline"]?.boolValue == true
    style.isStruck = run["strikethrough"]?.boolValue == true
    return style
  }

  // MARK: What stands beside it

  private mutating func tooltip(
    of widget: JSONValue, _ content: JSONValue, _ shown: String, isStale: Bool
  ) -> [String] {
    var lines = lines(content["tooltip"])
    if lines.isEmpty {
      lines = [title(content).plain] + self.lines(content["subtitle"]) + self.lines(content["text"])
      lines.removeAll { $0.isEmpty }
      // A tooltip that says what the bar says is in the way.
      if lines == [shown] { lines = [] }
    }
    lines = lines.prefix(BarLimits.tooltipLineCountMax - 2).map { cut($0) }
    guard isStale else { return lines }
    if isLost {
      lines.append("the daemon is not running")
    } else if let error = widget["error"]?.stringValue {
      lines.append(cut(printable(error)))
    }
    let date = (content["asOf"] ?? widget["entry"]?["date"])?.stringValue
    var age = "stale"
    if let date = date.flatMap({ WallTime(rfc3339: $0) }) {
      note(ContentAge.nextChange(since: date, after: now))
      age += ": \(ContentAge.text(since: date, at: now)) old"
    }
    lines.append(isAlone ? age : cut("\(printable(name(of: widget).plain)) is \(age)"))
    return lines
  }

  private mutating func lines(_ value: JSONValue?) -> [String] {
    let values = value?.arrayValue ?? value.map { [$0] } ?? []
    return values.prefix(BarLimits.tooltipLineCountMax).flatMap { value -> [String] in
      // A text of several lines, as those in `tooltip` may be.
      guard let text = value.stringValue else { return [line(value).plain] }
      return printableLines(text)
    }
  }

  private func classes(_ content: JSONValue, isStale: Bool, isUrgent: Bool) -> [String] {
    var classes = (content["class"]?.arrayValue ?? []).prefix(BarLimits.classCountMax)
      .compactMap { $0.stringValue.map(word) }.filter { !$0.isEmpty }
    if isUrgent, !classes.contains("urgent") { classes.append("urgent") }
    if isStale, !classes.contains("stale") { classes.append("stale") }
    return classes
  }

  private func word(_ text: String) -> String {
    String(printable(text).prefix(BarLimits.classCharacterCountMax))
  }

  private func cut(_ line: String) -> String {
    guard line.count > BarLimits.tooltipCharacterCountMax else { return line }
    return line.prefix(BarLimits.tooltipCharacterCountMax - 1) + "…"
  }

  private mutating func note(_ moment: WallTime?) {
    guard let moment else { return }
    nextChange = min(nextChange ?? moment, moment)
  }
}
