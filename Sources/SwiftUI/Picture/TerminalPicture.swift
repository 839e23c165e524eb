import FoundationAdditions
import PlainText

/// Makes lines of text of a tree, for a terminal.
///
/// Each node becomes a block of lines. A row puts blocks side by side and gives the rest of its
/// columns to its spacers; a column puts them below each other. Areas and shapes have no block of
/// their own: they are backgrounds of something that has words.
struct TerminalPicture {
  let scheme: ColorScheme
  let date: Date
  let hasColours: Bool

  /// The values that a node takes from the nodes around it.
  private struct Inherited {
    var style = TextStyle()
    var isUpper: Bool?
    var isRedacted = false
    var coversPrivate = false
    /// Columns that there are.
    var columns: Int
  }

  /// A line in pieces of one rendition each, and the columns that it takes.
  private struct Line {
    var pieces: [(text: String, codes: String)]
    var columns: Int

    static let empty = Line(pieces: [], columns: 0)

    static func blank(_ columns: Int) -> Line {
      columns > 0
        ? Line(pieces: [(String(repeating: " ", count: columns), "")], columns: columns) : .empty
    }

    static func += (line: inout Line, more: Line) {
      line.pieces += more.pieces
      line.columns += more.columns
    }

    /// The line as a terminal takes it, in at most `columns`.
    func text(columns: Int) -> String {
      var text = ""
      var rest = columns
      for piece in pieces {
        let width = displayWidth(piece.text)
        let shown = width > rest ? shortened(piece.text, columnsMax: rest) : piece.text
        rest -= min(displayWidth(shown), rest)
        text +=
          piece.codes.isEmpty || shown.isEmpty ? shown : "\u{1B}[\(piece.codes)m\(shown)\u{1B}[0m"
        if width > displayWidth(shown) { break }
      }
      return text + String(repeating: " ", count: rest)
    }
  }

  private typealias Block = [Line]

  /// Returns the lines of a picture in a frame.
  func text(of root: ViewNode, columns: Int) -> String {
    let inner = max(columns - 4, 1)
    let block = block(of: root, Inherited(columns: inner))
    let edge = String(repeating: "─", count: inner + 2)
    var lines = ["╭\(edge)╮"]
    for line in block.isEmpty ? [.empty] : block {
      lines.append("│ \(line.text(columns: inner)) │")
    }
    lines.append("╰\(edge)╯")
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: Nodes

  private func block(of node: ViewNode, _ outer: Inherited) -> Block {
    var inherited = outer
    for property in node.properties.reversed() {
      switch property {
      case .text(let style): inherited.style = style.over(inherited.style)
      case .textCase(let isUpper): inherited.isUpper = isUpper
      case .redacted(let isPrivacy):
        if isPrivacy { inherited.coversPrivate = true } else { inherited.isRedacted = true }
      case .unredacted:
        inherited.isRedacted = false
        inherited.coversPrivate = false
      case .privacySensitive:
        inherited.isRedacted = inherited.isRedacted || inherited.coversPrivate
      case .hidden: return []
      case .opacity(let opacity) where opacity <= 0.01: return []
      default: break
      }
    }
    switch node.kind {
    case .text(let runs): return lines(of: runs, inherited)
    case .symbol(let picture): return [sign("‹\(printable(picture.name))›", inherited)]
    case .asset(let picture):
      return picture.label.isEmpty ? [] : [sign("[\(printable(picture.label))]", inherited)]
    case .row(let layout): return row(node.children, layout, inherited)
    case .column(let layout):
      return column(node.children.map { block(of: $0, inherited) }, layout.alignment)
    case .layers(let place):
      return column(node.children.map { block(of: $0, inherited) }, place.horizontal)
    case .grid(let layout): return grid(node.children, layout, inherited)
    case .link:
      inherited.style.underline = .init(isActive: true)
      return column(node.children.map { block(of: $0, inherited) }, .center)
    case .button(let tap):
      inherited.columns = max(inherited.columns - 4, 1)
      // A symbol has no picture here, and its name says less than that of the intent.
      let label =
        tap.title.isEmpty || node.hasWords
        ? column(node.children.map { block(of: $0, inherited) }, .center)
        : [sign(printable(tap.title), inherited)]
      return tap.intent == nil ? label : bracketed(label)
    case .toggle(let isOn, _):
      inherited.columns = max(inherited.columns - 4, 1)
      let mark = [styled(isOn ? "[x]" : "[ ]", inherited.style)]
      return joined([mark] + node.children.map { block(of: $0, inherited) })
    case .measure(let picture): return measure(node.children, picture, inherited)
    case .attached: return column(node.children.map { block(of: $0, inherited) }, .center)
    case .divider:
      return [styled(String(repeating: "─", count: max(inherited.columns, 1)), TextStyle())]
    case .spacer, .shape, .fill, .unshown: return []
    }
  }

  /// A sign for a picture, no wider than there is room.
  private func sign(_ text: String, _ inherited: Inherited) -> Line {
    styled(shortened(text, columnsMax: inherited.columns), inherited.style)
  }

  private func lines(of runs: [TextRun], _ inherited: Inherited) -> Block {
    // A text of one style may be wrapped; one of several styles stays a line.
    var whole = ""
    for run in runs {
      var words: String
      switch run.content {
      case .text(let text): words = text
      case .live(let live): words = LiveText.text(of: live, at: date)
      case .symbol(let name): words = "‹\(name)›"
      case .asset(let picture): words = picture.label
      }
      switch inherited.isUpper {
      case true?: words = words.uppercased()
      case false?: words = words.lowercased()
      case nil: break
      }
      whole += words
    }
    if inherited.isRedacted { whole = String(whole.map { $0.isWhitespace ? $0 : "▒" }) }
    let style = (runs.first?.style ?? TextStyle()).over(inherited.style)
    var block: Block = []
    for line in printableLines(whole) {
      for part in wrapped(line, columnsMax: max(inherited.columns, 1)) {
        block.append(styled(shortened(part, columnsMax: max(inherited.columns, 1)), style))
      }
    }
    return block
  }

  private func row(
    _ children: [ViewNode], _ layout: StackLayout, _ inherited: Inherited
  ) -> Block {
    var blocks: [Block?] = []
    var inner = inherited
    for child in children {
      if case .spacer = child.kind {
        blocks.append(nil)
        continue
      }
      // Where there is no room for a letter, the rest of a row is left out.
      guard inner.columns > 1 else { break }
      let block = block(of: child, inner)
      guard !block.isEmpty else { continue }
      blocks.append(block)
      inner.columns = max(inner.columns - Self.columns(of: block) - 1, 0)
    }
    let used = blocks.compactMap { $0 }.reduce(0) { $0 + Self.columns(of: $1) }
    let spacers = blocks.count { $0 == nil }
    // A spacer is the gap between its neighbours.
    let isGapBefore = blocks.indices.map { $0 > 0 && blocks[$0] != nil && blocks[$0 - 1] != nil }
    let gaps = isGapBefore.count { $0 }
    let free = max(inherited.columns - used - gaps, 0)
    var parts: [Block] = []
    var met = 0
    for block in blocks {
      if let block {
        parts.append(block)
      } else {
        // Columns that do not divide evenly go to the first spacers.
        let share = free / spacers + (met < free % spacers ? 1 : 0)
        met += 1
        parts.append([.blank(share)])
      }
    }
    return joined(parts, isGapBefore: isGapBefore)
  }

  /// Puts blocks side by side, with a gap between them.
  private func joined(_ blocks: [Block]) -> Block {
    let blocks = blocks.filter { !$0.isEmpty }
    return joined(blocks, isGapBefore: blocks.indices.map { $0 > 0 })
  }

  /// Puts blocks side by side, their middles on one line.
  private func joined(_ blocks: [Block], isGapBefore: [Bool]) -> Block {
    let height = blocks.map(\.count).max() ?? 0
    var lines: Block = []
    for index in 0..<height {
      var line = Line.empty
      for (place, block) in blocks.enumerated() {
        let width = Self.columns(of: block)
        let top = (height - block.count) / 2
        let part = block.indices.contains(index - top) ? block[index - top] : .empty
        if isGapBefore[place], width > 0 {
          line += .blank(1)
        }
        line += Self.filled(part, width, .start)
      }
      lines.append(line)
    }
    return lines
  }

  private func column(_ blocks: [Block], _ alignment: EdgePlace) -> Block {
    let lines = blocks.flatMap { $0 }
    let width = Self.columns(of: lines)
    return lines.map { Self.filled($0, width, alignment) }
  }

  private func grid(_ children: [ViewNode], _ layout: GridLayout, _ inherited: Inherited) -> Block {
    let count = max(layout.tracks.count, 1)
    var inner = inherited
    inner.columns = max(inherited.columns / count - 1, 1)
    let cells = children.map { child in
      block(of: child, inner).map { Self.filled($0, inner.columns, .center) }
    }
    var lines: Block = []
    var start = 0
    while start < cells.count {
      lines += joined(Array(cells[start..<min(start + count, cells.count)]))
      start += count
    }
    return lines
  }

  private func measure(
    _ children: [ViewNode], _ picture: MeasurePicture, _ inherited: Inherited
  ) -> Block {
    let labels = children.map { block(of: $0, inherited) }
    guard let fraction = picture.fraction, picture.form != .drawn else {
      return column(labels, .center)
    }
    let width = min(max(inherited.columns, 1), 20)
    let full = min(Int((fraction * Double(width)).rounded()), width)
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    return column([[styled(bar, inherited.style)], joined(labels)], .start)
  }

  private func bracketed(_ label: Block) -> Block {
    joined(
      [[styled("(", TextStyle())], label, [styled(")", TextStyle())]],
      isGapBefore: [false, false, false])
  }

  // MARK: Lines

  private static func columns(of block: Block) -> Int { block.map(\.columns).max() ?? 0 }

  private static func filled(_ line: Line, _ columns: Int, _ place: EdgePlace) -> Line {
    let rest = max(columns - line.columns, 0)
    let before = place == .start ? 0 : place == .end ? rest : rest / 2
    var filled = Line.blank(before)
    filled += line
    filled += .blank(rest - before)
    return filled
  }

  /// Sets the rendition of a line: its weight and its colour.
  private func styled(_ text: String, _ style: TextStyle) -> Line {
    let columns = displayWidth(text)
    guard hasColours, !text.isEmpty else { return Line(pieces: [(text, "")], columns: columns) }
    var codes: [String] = []
    if (style.weight ?? style.font?.weight ?? .regular).number >= 600 { codes.append("1") }
    if style.isItalic == true { codes.append("3") }
    if style.underline?.isActive == true { codes.append("4") }
    switch style.paint {
    case .color(.named(.primary))?, .hierarchical(0)?, nil: break
    case .hierarchical?, .color(.named(.secondary))?: codes.append("2")
    case let paint?:
      let color = Markup.color(of: paint, scheme)
      func byte(_ part: Double) -> Int { Int((min(max(part, 0), 1) * 255).rounded()) }
      codes.append("38;2;\(byte(color.red));\(byte(color.green));\(byte(color.blue))")
    }
    return Line(pieces: [(text, codes.joined(separator: ";"))], columns: columns)
  }
}
