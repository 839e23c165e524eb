extension PluginReading {
  /// Gives the first title the length and the colours of a look.
  mutating func finish(_ look: PluginLook) {
    guard var title = frame.titles.first else { return }
    if title.color == nil { title.color = look.color }
    if frame.background == nil { frame.background = look.background }
    // Characters are counted as they are shown, where one that steers is an escape of several.
    let text = title.text.cleaned
    let count = text.plain.count
    if let lengthMax = look.lengthMax, count > lengthMax {
      if frame.tooltip == nil, look.tooltip == .printed { frame.tooltip = title.text }
      title.text =
        look.hasEllipsis
        ? text.shortened(toCharacters: lengthMax - 1, ending: "…")
        : text.shortened(toCharacters: lengthMax, ending: "")
    } else if let lengthMin = look.lengthMin, count < lengthMin {
      let room = min(lengthMin, look.lengthMax ?? lengthMin)
      title.text = text.filled(toCharacters: room, look.alignment)
    }
    frame.titles[0] = title
  }
}

extension StyledText {
  /// Returns a text with blanks at its ends, `count` characters in all; one that is longer stays.
  func filled(toCharacters count: Int, _ alignment: PluginLook.Alignment) -> StyledText {
    let missing = max(0, count - plain.count)
    let before =
      switch alignment {
      case .left: 0
      case .center: missing / 2
      case .right: missing
      }
    var result = StyledText(String(repeating: " ", count: before))
    for run in runs { result.append(run.text, run.style) }
    result.append(String(repeating: " ", count: missing - before))
    return result
  }

  /// Returns the first `count` characters, with `ending` behind them.
  func shortened(toCharacters count: Int, ending: String) -> StyledText {
    var result = StyledText()
    var room = count
    for run in runs where room > 0 {
      result.append(String(run.text.prefix(room)), run.style)
      room -= min(room, run.text.count)
    }
    result.append(ending, result.runs.last?.style ?? runs.first?.style ?? TextStyle())
    return result
  }
}
