import JSON

/// Parts of widgets as one line of a bar.
package struct BarLine: Hashable, Sendable {
  package var format: BarFormat
  /// The name of the bar, which comes back with a click where the bar runs a command for it.
  package var name: BarName
  /// Stands between two widgets where the bar takes one text; cleaned and escaped as they are.
  package var separator = " | "

  package init(_ format: BarFormat, name: BarName) {
    self.format = format
    self.name = name
  }

  /// The buttons for which tags are written: left, middle, right, the wheel up and down.
  private static let buttons = 1...5

  /// Returns the line, without the end of a line.
  ///
  /// For i3bar it is one array of blocks; `I3barProtocol` has what stands around it.
  package func text(_ parts: [BarPart]) -> String {
    let parts = Array(parts.prefix(BarLimits.widgetCountMax))
    switch format {
    case .waybar: return waybar(parts)
    case .i3bar: return JSONValue.array(parts.map(block)).serialized
    case .polybar:
      return joined(parts, BarMarkup.polybar) { part, text in
        Self.tagged(text) { "intent-send click \(name.text) \($0) --shown \(part.widget.word)" }
      }
    case .lemonbar:
      return joined(parts, BarMarkup.lemonbar) { part, text in
        Self.tagged(text) { LemonbarClicks.word(part.widget, button: $0) }
      }
    case .tmux: return tmux(parts)
    case .genmon: return genmon(parts)
    case .conky: return joined(parts, BarMarkup.conky) { $1 }
    // It has no colours in which old content could look old.
    case .text: return joined(parts, \.plain) { $0.isStale ? "\($1) (stale)" : $1 }
    }
  }

  /// Returns the texts of all parts, each escaped by `escape` and then inside of what `wrap` adds.
  private func joined(
    _ parts: [BarPart], _ escape: (BarText) -> String, _ wrap: (BarPart, String) -> String
  ) -> String {
    let shown = parts.map { (part: $0, text: Self.colored($0)) }.filter { !$0.text.isEmpty }
    return shown.map { wrap($0.part, escape($0.text)) }
      .joined(separator: escape(BarText(separator)))
  }

  /// The text of a part in the colours of the part.
  private static func colored(_ part: BarPart) -> BarText {
    part.text.styled { style in
      style.color = style.color ?? part.color
      style.background = style.background ?? part.background
    }
  }

  /// Returns `text` inside the tags of a command for each button.
  ///
  /// The commands have no character that a tag reads, so nothing of them is escaped.
  private static func tagged(_ text: String, _ command: (Int) -> String) -> String {
    buttons.map { "%{A\($0):\(command($0)):}" }.joined() + text
      + String(repeating: "%{A}", count: buttons.count)
  }

  // MARK: Formats

  private func waybar(_ parts: [BarPart]) -> String {
    var classes: [String] = []
    for name in parts.flatMap(\.classes) where !classes.contains(name) { classes.append(name) }
    var line: JSONObject = [
      "text": .string(joined(parts, BarMarkup.pango) { $1 }),
      "alt": .string(BarMarkup.pango(parts.first?.symbol ?? "")),
      "tooltip": .string(tooltip(parts, lineEnd: "\n")),
      "class": .array(classes.map { .string($0) }),
    ]
    if let percentage = parts.first?.percentage { line["percentage"] = .int(Int64(percentage)) }
    return JSONValue.object(line).serialized
  }

  private func tooltip(_ parts: [BarPart], lineEnd: String) -> String {
    parts.filter { !$0.tooltip.isEmpty }
      .map { $0.tooltip.map { BarMarkup.pango($0) }.joined(separator: lineEnd) }
      .joined(separator: lineEnd + lineEnd)
  }

  private func block(_ part: BarPart) -> JSONValue {
    var block: JSONObject = [
      "name": .string(part.widget.encodedID), "instance": .string("\(part.widget.revision)"),
      "full_text": .string(BarMarkup.pango(part.text)),
    ]
    if !part.shortText.isEmpty {
      block["short_text"] = .string(BarMarkup.pango(part.shortText))
    }
    block["markup"] = "pango"
    block["color"] = part.color.map { .string($0.alphaLast) }
    block["background"] = part.background.map { .string($0.alphaLast) }
    if part.isUrgent, !part.isStale { block["urgent"] = true }
    return .object(block)
  }

  private func tmux(_ parts: [BarPart]) -> String {
    var index = 0
    return joined(parts, BarMarkup.tmux) { _, text in
      let range = index == 0 ? name.text : "\(name.text).\(index)"
      index += 1
      guard range.utf8.count <= BarLimits.tmuxRangeBytesMax else { return text }
      // tmux 3.3 does not know the word and leaves this style out.
      return "#[range=user|\(range)]\(text)#[norange]"
    }
  }

  private func genmon(_ parts: [BarPart]) -> String {
    var line = "<txt>\(joined(parts, BarMarkup.pango) { $1 })</txt>"
    let tooltip = tooltip(parts, lineEnd: "&#10;")
    if !tooltip.isEmpty { line += "<tool>\(tooltip)</tool>" }
    if let first = parts.first {
      line +=
        "<txtclick>intent-send click \(name.text) left --shown \(first.widget.word)</txtclick>"
    }
    return line
  }
}

/// The words around the lines of i3bar's protocol.
///
/// Source: i3's "i3bar input protocol", sway's swaybar-protocol(7).
package enum I3barProtocol {
  /// The header and the start of the endless array, in front of the first line.
  ///
  /// `stopSignal` is sent when the bar is hidden and `continueSignal` when it is shown again; `nil`
  /// stands for the bar's own choice, which stops the process.
  package static func header(stopSignal: Int32? = nil, continueSignal: Int32? = nil) -> String {
    var header: JSONObject = ["version": 1, "click_events": true]
    header["stop_signal"] = stopSignal.map { .int(Int64($0)) }
    header["cont_signal"] = continueSignal.map { .int(Int64($0)) }
    return JSONValue.object(header).serialized + "\n[\n"
  }

  /// A line as it stands in the array: a comma comes before every line but the first.
  package static func element(_ line: String, isFirst: Bool) -> String {
    isFirst ? line : "," + line
  }
}
