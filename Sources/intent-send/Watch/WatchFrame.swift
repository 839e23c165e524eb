import JSON
import PlainText
import Timekeeping

/// Draws `WatchModel`: the lines of a terminal of a certain size.
struct WatchFrame {
  /// The first line of the list that is in view.
  private(set) var scroll = 0
  /// The selected widget of the last drawing, its lines in the list, and the lines of the view.
  private var selected: String?
  private var selectedLines = 0..<0
  private var height = 1

  /// Lines around the list: the header and the last line.
  private static let linesAround = 2

  /// Returns `rows` lines of at most `renderer.columns` columns each.
  ///
  /// Keeps the selected widget in view, with all its lines if they fit.
  mutating func lines(_ model: WatchModel, _ renderer: Renderer, rows: Int) -> [String] {
    let columns = renderer.columns ?? 80
    let height = max(1, rows - Self.linesAround)
    let header = Self.header(model, renderer, columns)
    let footer = Self.footer(model, renderer, columns)
    var body: [String]
    if model.showsHelp {
      body = Self.help(renderer)
    } else if model.order.isEmpty {
      let welcome = [
        "no widgets yet", "", "place one: intent-send add KIND", "kinds: intent-send gallery",
      ]
      body = model.hasAttached ? welcome : []
    } else {
      let blocks = Self.blocks(model, renderer, columns)
      bringIntoView(blocks, model, height)
      body = Array(blocks.joined().dropFirst(scroll))
    }
    body = body.prefix(height).map { $0 }
    body += Array(repeating: "", count: height - body.count)
    return Array(([header] + body + [footer]).suffix(max(1, rows)))
  }

  /// The widgets that a page moves by.
  static func page(_ rows: Int) -> Int { max(1, (rows - linesAround) / 2) }

  /// Moves the view by a page inside the selected widget, if it is longer than the view and goes on
  /// in that direction; returns whether it did.
  mutating func pageInside(forward: Bool) -> Bool {
    let before = scroll
    // A line of the page before stays in view.
    let step = max(1, height - 1)
    if forward, selectedLines.upperBound > scroll + height {
      scroll = min(scroll + step, selectedLines.upperBound - height)
    } else if !forward, selectedLines.lowerBound < scroll {
      scroll = max(scroll - step, selectedLines.lowerBound)
    }
    return scroll != before
  }

  private mutating func bringIntoView(_ blocks: [[String]], _ model: WatchModel, _ height: Int) {
    let place = model.selected.flatMap { model.order.firstIndex(of: $0) } ?? 0
    let start = blocks.prefix(place).reduce(0) { $0 + $1.count }
    let end = start + blocks[place].count
    let total = blocks.reduce(0) { $0 + $1.count }
    let isSame = selected == model.selected
    (selected, selectedLines, self.height) = (model.selected, start..<end, height)
    if isSame, end - start > height {
      // The person may have moved the view inside it.
      scroll = min(max(scroll, start), end - height)
    } else {
      if end > scroll + height { scroll = end - height }
      if start < scroll { scroll = start }
    }
    scroll = min(scroll, max(0, total - height))
  }

  // MARK: The list

  /// Returns the lines of each widget, in the order of the stack.
  private static func blocks(
    _ model: WatchModel, _ renderer: Renderer, _ columns: Int
  ) -> [[String]] {
    var plain = renderer
    plain.style = .plain
    plain.columns = max(1, columns - 2)
    var styled = plain
    styled.style = model.link == .connected ? renderer.style : .plain
    let rows = model.order.map { id in plain.watchRow(model.widgets[id] ?? .null) }
    let plainLines = plain.listLines(rows)
    let styledLines = styled.listLines(rows)
    return model.order.indices.map { index in
      let id = model.order[index]
      let isSelected = id == model.selected
      var lines: [String]
      if isSelected {
        lines = plainLines[index].enumerated().map { line, text in
          renderer.style.reversed(padded((line == 0 ? "> " : "  ") + text, columns: columns))
        }
      } else {
        lines = styledLines[index].map { "  " + $0 }
      }
      if model.expanded.contains(id) {
        var inner = styled
        inner.columns = max(1, columns - 4)
        lines += inner.watchContent(model.widgets[id] ?? .null).map { "    " + $0 }
      }
      // While no daemon is there, nothing may look as if it were new.
      return model.link == .connected || isSelected ? lines : lines.map { renderer.style.faint($0) }
    }
  }

  // MARK: Around the list

  private static func header(
    _ model: WatchModel, _ renderer: Renderer, _ columns: Int
  ) -> String {
    let style = renderer.style
    if case .waiting(let since) = model.link {
      let clock = String(renderer.localText(since).dropFirst(11).prefix(8))
      return style.warning(
        shortened(
          "no daemon since \(clock); waiting for it, nothing here is new", columnsMax: columns))
    }
    if let question = model.questions.first {
      let keys = "  y yes  n no"
      let room = max(0, columns - displayWidth(keys))
      let text = shortened(printable(question.prompt), columnsMax: room) + keys
      return style.warning(shortened(text, columnsMax: columns))
    }
    if let first = model.issues.first {
      let count = renderer.countedIssues(model.issues)
      let text = "\(count) in the configuration: \(renderer.issue(first) ?? "")"
      return style.warning(shortened(text, columnsMax: columns))
    }
    let failing = model.order.count { id in
      model.widgets[id].map { !renderer.shortTrouble(of: $0).isEmpty } ?? false
    }
    let trouble = failing > 0 ? ", \(failing) in trouble" : ""
    let left = counted(Int64(model.order.count), "widget") + trouble
    let clock = String(renderer.localText(renderer.now).dropFirst(11).prefix(5))
    let text = padded(shortened(left, columnsMax: columns - 7), columns: columns - 5)
    return style.faint(columns > 12 ? text + clock : clock)
  }

  private static func footer(
    _ model: WatchModel, _ renderer: Renderer, _ columns: Int
  ) -> String {
    if let message = model.message {
      let text = shortened(printable(message.text), columnsMax: columns)
      return message.isWarning ? renderer.style.warning(text) : text
    }
    let help = [
      "up/down move  enter open  t tap  0-9 tap an item  d dismiss  u undo  r reload  R all  ? help  q quit",
      "enter open  t tap  0-9 item  d dismiss  r reload  ? help  q quit",
      "t tap  d dismiss  r reload  ? help  q quit", "? help  q quit",
    ]
    let text = help.first { displayWidth($0) <= columns } ?? "q quit"
    return renderer.style.faint(text)
  }

  private static func help(_ renderer: Renderer) -> [String] {
    let keys = renderer.facts(
      [
        ("up, k", "the widget above"), ("down, j", "the widget below"),
        ("page up, page down", "several widgets"), ("home, g", "the first widget"),
        ("end, G", "the last widget"), ("enter, space", "show all of its content, or less"),
        ("right, left", "more, less"), ("t", "tap it: open it in its app"),
        ("0 to 9", "tap the item of that number"), ("d", "dismiss it, for four hours"),
        ("u", "take back the last dismissal or removal"), ("r", "reload it"),
        ("R", "reload every widget"), ("y, n", "answer the question of a link in the first line"),
        ("ctrl-l", "draw everything again"),
        ("q, ctrl-c", "quit"), ("any key", "close this help"),
      ])
    return keys.split(separator: "\n").map(String.init)
  }
}

extension Renderer {
  /// Returns the row of a widget that is not expanded.
  fileprivate func watchRow(_ widget: JSONValue) -> ListRow {
    ListRow(
      name: widget["id"].map(word) ?? "", content: summary(widget["entry"]),
      fact: age(of: widget["entry"]), notes: [.init(text: shortTrouble(of: widget))])
  }

  /// Returns the lines below an expanded widget's row: its content, what is wrong, its next reload.
  fileprivate func watchContent(_ widget: JSONValue) -> [String] {
    var text = content(of: widget)
    text += paragraph(trouble(of: widget), hanging: 2, tone: .warning)
    if let next = widget["nextReload"], !next.isNull {
      text += paragraph("next reload: \(moment(next))", hanging: 2, tone: .faint)
    }
    return text.split(separator: "\n").map(String.init)
  }
}
