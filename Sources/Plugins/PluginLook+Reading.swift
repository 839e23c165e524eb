extension PluginReading {
  /// Gives the first title the length and the colours of a look.
  mutating func finish(_ look: PluginLook) {
    guard var title = frame.titles.first else { return }
    if title.color == nil { title.color = look.color }
    if frame.background == nil { frame.background = look.background }
    // Characters are counted as they are shown, where one that steers is an escape of several.
    let text = title.text.cleaned
    if let lengthMax = look.lengthMax, text.plain.count > lengthMax {
      if frame.tooltip == nil, look.tooltip == .printed { frame.tooltip = title.text }
      title.text = text.shortened(toCharacters: lengthMax - 1)
    }
    frame.titles[0] = title
  }
}

extension StyledText {
  /// Returns the first `count` characters, with an ellipsis behind them.
  func shortened(toCharacters count: Int) -> StyledText {
    var result = StyledText()
    var room = count
    for run in runs where room > 0 {
      result.append(String(run.text.prefix(room)), run.style)
      room -= min(room, run.text.count)
    }
    result.append("…", result.runs.last?.style ?? runs.first?.style ?? TextStyle())
    return result
  }
}
