extension PluginReader {
  /// Reads the first line of a script of polybar, with its tags.
  ///
  /// `showsEmpty`: what the look adds is shown without a text, too. Source: polybar's wiki, "Module:
  /// script".
  static func readPolybar(
    _ output: [UInt8], _ look: PluginLook, showsEmpty: Bool
  ) -> PluginReading {
    var reading = PluginReading()
    let lines = OutputLines(output, into: &reading).lines
    let text = lines.first?.text ?? ""
    let line = lines.first?.number
    guard !text.isEmpty || showsEmpty else { return reading }
    if lines.count > 1 {
      reading.warn(line: lines[1].number, "only the first line is read")
    } else if !text.isEmpty, output.last != UInt8(ascii: "\n") {
      reading.warn(line: line, "the line is not ended; polybar itself would not show it")
    }
    let tags = PolybarTags.read(look.title(PluginLook.Values(text: text)))
    for warning in tags.warnings { reading.warn(line: line, warning) }
    if !tags.text.isEmpty { reading.frame.titles = [title(tags.text)] }
    for (button, command) in tags.commands {
      if let action = action(command, line: line, into: &reading) {
        reading.frame.clicks[button] = action
      }
    }
    return reading
  }

  /// Returns the action of a command for `sh -c`, without a shell where its words are enough.
  ///
  /// `nil`: there is nothing to run; the warnings say so.
  static func action(
    _ command: String, line: Int? = nil, into reading: inout PluginReading
  ) -> PluginAction? {
    guard command.contains(where: { !$0.isWhitespace }) else { return nil }
    guard command.utf8.count <= PluginLimits.commandBytesMax else {
      reading.warn(
        line: line,
        "a command has \(command.utf8.count) bytes; it is ignored, at most"
          + " \(PluginLimits.commandBytesMax) are run")
      return nil
    }
    guard let arguments = ShellWords.arguments(command) else {
      reading.warn(line: line, "a command cannot be read by a shell; it is ignored: \(command)")
      return nil
    }
    var action = PluginAction()
    action.exec = arguments
    return action
  }
}
