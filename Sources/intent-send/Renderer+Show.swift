import JSON
import PlainText
import Timekeeping

/// Renders widgets as a person looks at them: one with all its content, or the stack at a glance.
extension Renderer {

  // MARK: One widget

  /// Renders a widget as it stands: its whole content, what is unusual about it, its dates.
  ///
  /// `widget` is the widget as the protocol has it; `timeline` the answer to `widget.timeline`;
  /// `shown` the mode that was asked for.
  func shown(
    _ widget: JSONValue, timeline: JSONValue = .null, as shown: TerminalMode = .chosen
  ) -> String {
    var text = content(of: widget)
    let trouble = trouble(of: widget)
    if !trouble.isEmpty { text += paragraph(trouble, hanging: 2, tone: .warning) }
    text += "\n"
    let entry = widget["entry"]
    let opens = entry?["url"].map(word) ?? ""
    text += facts(
      [
        ("widget", word(widget["id"] ?? "")), ("kind", details(of: widget)),
        ("mode", widget["mode"].map(word) ?? ""),
        ("as of", asOf(entry)), ("running since", moment(timeline["runningSince"])),
        ("next entry", moment(nextEntry(timeline))),
        ("next reload", moment(widget["nextReload"])),
        ("waits", widget["held"].map(holdWords) ?? ""), ("tap opens", opens),
      ])
    if let kind = widget["kind"], widget["error"] != nil {
      return text + advice("try it", "intent-send try \(word(kind))")
    }
    return text + tapAdvice(widget, as: shown)
  }

  /// Renders the command that taps the first item of what is shown; empty without items.
  func tapAdvice(_ widget: JSONValue, as shown: TerminalMode) -> String {
    guard let item = firstItem(widget["entry"]) else { return "" }
    let id = widget["id"].map(word) ?? "ID"
    return advice("tap an item", "intent-send tap \(id) --item \(item)\(shown.flag)")
  }

  /// Renders everything that an entry shows, the items with the numbers by which they are tapped.
  func content(of widget: JSONValue) -> String {
    guard let content = widget["entry"]?["content"] else {
      return paragraph(widget["name"].map(word) ?? "", tone: .strong)
        + paragraph("(\(nothing(in: widget)))", hanging: 1, tone: .faint)
    }
    let lines = EntryLines(content, self)
    var text = ""
    let titles = lines.titles.isEmpty ? [widget["name"].map(word) ?? ""] : lines.titles
    for title in titles where !title.isEmpty {
      text += paragraph(title, tone: content["urgent"] == true ? .failure : .strong)
    }
    for line in lines.subtitles + lines.body { text += paragraph(line) }
    if let bar = bar(content["percentage"]) { text += bar + "\n" }
    text += items(content["items"])
    if lines.isEmpty, content["percentage"] == nil, content["items"] == nil {
      text += style.faint("(nothing to show)") + "\n"
    }
    for line in lines.tooltip { text += paragraph(line, tone: .faint) }
    return text
  }

  private func nothing(in widget: JSONValue) -> String {
    widget["hidden"] == nil ? "nothing to show yet" : emptiness(widget)
  }

  /// Renders the items of an entry; those of the first level have their numbers before them.
  private func items(_ value: JSONValue?) -> String {
    guard let items = value?.arrayValue else { return "" }
    let width = String(max(0, items.count - 1)).count
    return items.enumerated().map { index, item in
      let lines = EntryLines.lines(ofItem: item, self, level: 0)
      guard let first = lines.first else { return "" }
      let number = spaces(2 + width - String(index).count) + String(index) + "  "
      if item["separator"]?.boolValue == true { return spaces(4 + width) + first.text + "\n" }
      let indent = 4 + width
      var text = style.faint(number) + paragraph(first.text, indent: indent).dropFirst(indent)
      for line in lines.dropFirst() {
        text += paragraph(line.text, indent: indent + 2 * line.level)
      }
      return text
    }.joined()
  }

  /// Renders a percentage as a bar and a number: `████████░░░░░░░░░░░░  40 %`.
  ///
  /// `nil` if the value is no number.
  func bar(_ value: JSONValue?, columnsMax: Int = 20) -> String? {
    guard let percent = value?.doubleValue else { return nil }
    let width = max(4, min(columnsMax, (columns ?? 80) - 8))
    let share = min(100, max(0, percent)) / 100
    let full = Int((share * Double(width)).rounded())
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    return "\(bar)  \(number(.double(percent))) %"
  }

  private func asOf(_ entry: JSONValue?) -> String {
    guard let date = entry?["content"]?["asOf"] ?? entry?["date"] else { return "" }
    return moment(date)
  }

  /// Returns the date of the entry after the one that is shown.
  private func nextEntry(_ timeline: JSONValue) -> JSONValue? {
    guard let entries = timeline["entries"]?.arrayValue else { return nil }
    let next = timeline["current"]?.intValue.map { Int($0) + 1 } ?? 0
    return entries.indices.contains(next) ? entries[next]["date"] : nil
  }

  private func holdWords(_ held: JSONValue) -> String {
    switch held.stringValue {
    case "unwatched": "until somebody looks at it"
    case "network": "for the network"
    case "problem": "until its configuration fits its kind"
    case "locked": "until the session is unlocked"
    default: word(held)
    }
  }

  private func firstItem(_ entry: JSONValue?) -> Int? {
    entry?["content"]?["items"]?.arrayValue?.firstIndex { $0["separator"]?.boolValue != true }
  }

  // MARK: The stack

  /// Rows below the widget on top, on a terminal.
  private static let rowsMax = 15
  /// Lines and items that the widget on top shows.
  private static let linesMax = 6

  /// Renders the stack at a glance: the widget on top with its content, the others in a row each,
  /// then what is unusual and what to do next.
  func glance(_ result: JSONValue) -> String {
    let widgets = list("widgets", in: result)
    guard let top = widgets.first else { return "no widgets yet\n" }
    let shown = isForTerminal ? widgets.dropFirst().prefix(Self.rowsMax) : widgets.dropFirst()
    var text = card(top)
    if !shown.isEmpty { text += "\n" + list(shown.map(glanceRow)) }
    let left = widgets.count - 1 - shown.count
    if left > 0 { text += advice("and \(left) more", "intent-send stack") }
    guard isForTerminal else { return text }
    let troubled = widgets.filter { $0["suggestion"] != true && !trouble(of: $0).isEmpty }
    text += "\n"
    if let first = troubled.first?["id"].map(word) {
      let names = troubled.prefix(5).compactMap { $0["id"].map(word) }.joined(separator: ", ")
      let more = troubled.count > 5 ? " and \(troubled.count - 5) more" : ""
      text += paragraph(
        "\(troubled.count) of \(counted(Int64(widgets.count), "widget")) in trouble: \(names)\(more)",
        hanging: 2, tone: .warning)
      text += advice("why", "intent-send status \(first)")
    }
    return text + advice("live", "intent-send watch") + advice("all commands", "intent-send --help")
  }

  /// Renders the widget on top: title, lines and items as far as there is room, its id and age.
  private func card(_ widget: JSONValue) -> String {
    let lines = widget["entry"]?["content"].map { EntryLines($0, self) }
    let titles =
      lines.map { $0.titles.isEmpty ? [widget["name"].map(word) ?? ""] : $0.titles } ?? []
    var text = titles.map { paragraph($0, tone: .strong) }.joined()
    let body = (lines?.subtitles ?? []) + (lines?.body ?? [])
    for line in body.prefix(Self.linesMax) { text += paragraph(line) }
    if let bar = bar(widget["entry"]?["content"]?["percentage"]) { text += bar + "\n" }
    let items = lines?.items ?? []
    for line in items.prefix(Self.linesMax) { text += paragraph(line, indent: 2) }
    if lines == nil {
      text += paragraph("(\(nothing(in: widget)))", hanging: 1, tone: .faint)
    }
    let rest = max(0, body.count - Self.linesMax) + max(0, items.count - Self.linesMax)
    let id = widget["id"].map(word) ?? ""
    let more = rest > 0 ? ", \(rest) more: intent-send show \(id)" : ""
    let age = age(of: widget["entry"])
    let about = [id, age].filter { !$0.isEmpty }.joined(separator: ", ")
    return text + paragraph(about + more, hanging: 2, tone: .faint)
      + paragraph(shortTrouble(of: widget), tone: .warning)
  }

  private func glanceRow(_ widget: JSONValue) -> ListRow {
    let isHidden = widget["hidden"] != nil && shortTrouble(of: widget).isEmpty
    return ListRow(
      name: widget["id"].map(word) ?? "",
      content: isHidden ? emptiness(widget) : summary(widget["entry"]),
      fact: age(of: widget["entry"]), notes: [.init(text: shortTrouble(of: widget))])
  }

  /// Renders what is unusual about a widget in a word or two, without the reasons.
  func shortTrouble(of widget: JSONValue) -> String {
    if widget["orphaned"] == true { return "orphaned" }
    if let error = widget["error"], !error.isNull { return "failing" }
    // One that is hidden has nothing to show that could be old.
    if widget["stale"] == true, widget["hidden"] == nil { return "stale" }
    return widget["held"] == "network" ? "waits for the network" : ""
  }

  /// Renders the welcome of a person who has no widgets: what there is to place, and how.
  ///
  /// `gallery` is the answer to `gallery.list`.
  func welcome(gallery: JSONValue) -> String {
    let kinds = list("kinds", in: gallery)
    // A kind without required parameters is placed by its name alone.
    let simple = kinds.first { kind in
      !(kind["parameters"]?.arrayValue ?? []).contains { $0["required"] == true }
    }
    var text = "no widgets yet\n"
    if let kind = simple?["kind"] {
      text += paragraph("place one: intent-send add \(word(kind))", indent: 2, hanging: 2)
    }
    if kinds.isEmpty {
      text += paragraph(
        "there are no kinds of widgets either; how to get one: intent-send gallery; to make one:"
          + " intent-send new widget NAME", indent: 2, hanging: 2)
    } else {
      text += paragraph(
        "\(counted(Int64(kinds.count), "kind")) to choose from: intent-send gallery", indent: 2,
        hanging: 2)
    }
    return text + paragraph("all commands: intent-send --help", indent: 2, hanging: 2)
  }
}

/// The lines of an entry's content, safe to print, live dates as they are now.
struct EntryLines {
  var titles: [String]
  var subtitles: [String]
  /// The text, unless it only repeats the titles; `short` where there is neither, else what a
  /// picture shows that stands alone.
  var body: [String]
  /// The items, indented by their level.
  var items: [String]
  var tooltip: [String]

  init(_ content: JSONValue, _ renderer: Renderer) {
    let all = renderer.texts(content["titles"])
    titles = all.isEmpty ? renderer.texts(content["title"]) : all
    subtitles = renderer.texts(content["subtitle"])
    let text = renderer.texts(content["text"])
    body = text == titles ? [] : text
    if titles.isEmpty, subtitles.isEmpty, body.isEmpty { body = renderer.texts(content["short"]) }
    items = (content["items"]?.arrayValue ?? []).flatMap { item in
      Self.lines(ofItem: item, renderer, level: 0).map { spaces(2 * $0.level) + $0.text }
    }
    tooltip = renderer.texts(content["tooltip"])
    if isEmpty, content["percentage"]?.doubleValue == nil {
      body = renderer.picture(content["image"]).map { [$0] } ?? []
    }
  }

  var isEmpty: Bool { titles.isEmpty && subtitles.isEmpty && body.isEmpty }

  /// Levels of items that are shown; a deeper tree is a mistake.
  private static let levelsMax = 8

  /// Returns the lines of an item and of the items inside it.
  static func lines(
    ofItem item: JSONValue, _ renderer: Renderer, level: Int
  ) -> [(level: Int, text: String)] {
    guard level < levelsMax else { return [] }
    if item["separator"]?.boolValue == true { return [(level, "---")] }
    var own = renderer.texts(item.objectValue == nil ? item : item["text"] ?? item["title"])
    if own.isEmpty { own = renderer.picture(item["image"]).map { [$0] } ?? [] }
    let mark = item["checked"]?.boolValue == true ? "✓ " : ""
    let inner = (item["items"]?.arrayValue ?? []).flatMap {
      lines(ofItem: $0, renderer, level: level + 1)
    }
    let badge = item["badge"].map { "  [\(renderer.word($0))]" } ?? ""
    return own.enumerated().map { (level, $0 == 0 ? mark + $1 + badge : $1) } + inner
  }
}
