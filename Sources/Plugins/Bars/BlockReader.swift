import JSON

/// Reads the output of a block of i3blocks. Source: i3blocks(1), and i3bar's protocol.
extension PluginReader {
  /// The exit status of a block that asks for attention.
  package static let urgentStatus: Int32 = 33

  /// Reads lines (full text, short text, colour, background), or one line of JSON.
  ///
  /// `exitStatus` 33 makes the block urgent.
  static func readBlock(
    _ output: [UInt8], exitStatus: Int32, _ look: PluginLook
  ) -> PluginReading {
    var reading = PluginReading()
    if let object = BarObject.read(output, into: &reading) {
      readBlock(object, look, into: &reading)
    } else {
      readBlock(OutputLines(output, into: &reading).lines, look, into: &reading)
    }
    if exitStatus == urgentStatus { reading.frame.isUrgent = true }
    return reading
  }

  private static func readBlock(
    _ lines: [OutputLines.Line], _ look: PluginLook, into reading: inout PluginReading
  ) {
    // i3bar leaves a block without a full text out.
    let full = lines.first?.text ?? look.text ?? ""
    guard !full.isEmpty else { return }
    let text = look.title(PluginLook.Values(text: full))
    var item = title(blockText(text, line: lines.first?.number, into: &reading))
    let short = lines.count > 1 ? lines[1].text : look.shortText ?? ""
    if !short.isEmpty {
      let line = lines.count > 1 ? lines[1].number : nil
      reading.frame.short = blockText(short, line: line, into: &reading)
    }
    if lines.count > 2 {
      item.color = blockColor(lines[2].text, line: lines[2].number, into: &reading)
    }
    if lines.count > 3 {
      reading.frame.background = blockColor(
        lines[3].text, line: lines[3].number, into: &reading)
    }
    if lines.count > 4 {
      reading.warn(
        line: lines[4].number,
        "only four lines are read: full text, short text, color and background")
    }
    reading.frame.titles = [item]
  }

  /// Members that are read.
  private static let read = [
    "full_text", "short_text", "color", "background", "urgent", "markup",
  ]

  /// Members of i3bar's protocol that no surface shows.
  private static let ignored: Set<String> = [
    "align", "border", "border_bottom", "border_left", "border_right", "border_top", "instance",
    "min_width", "name", "separator", "separator_block_width",
  ]

  private static func readBlock(
    _ found: BarObject, _ look: PluginLook, into reading: inout PluginReading
  ) {
    let object = found.object
    let isPlain = object["markup"]?.stringValue == "none"
    var look = look
    // Its own word wins over that of the settings.
    if object["markup"] != nil { look.isPlain = false }
    func read(_ text: String, _ reading: inout PluginReading) -> StyledText {
      isPlain ? StyledText(text) : blockText(text, into: &reading)
    }
    var item = PluginItem()
    var state = JSONObject()
    var text = look.text ?? ""
    if object["short_text"] == nil, let short = look.shortText, !short.isEmpty {
      reading.frame.short = read(short, &reading)
    }
    for member in object.members {
      let value = member.value
      switch member.key {
      case "full_text": text = BarObject.text(value)
      case "short_text":
        let short = BarObject.text(value)
        if !short.isEmpty { reading.frame.short = read(short, &reading) }
      case "color":
        item.color = blockColor(
          BarObject.text(value), line: found.line(of: member.key), into: &reading)
      case "background":
        reading.frame.background = blockColor(
          BarObject.text(value), line: found.line(of: member.key), into: &reading)
      case "urgent":
        reading.frame.isUrgent = value.boolValue ?? ["true", "1"].contains(BarObject.text(value))
      case "markup": break
      default:
        if ignored.contains(member.key) { break }
        state.members.append(member)
        warnOfSlip(member.key, found, into: &reading)
      }
    }
    if !state.members.isEmpty { reading.frame.state = state }
    guard !text.isEmpty else { return }
    item.text = read(look.title(PluginLook.Values(text: text)), &reading)
    reading.frame.titles = [item]
  }

  /// Says of a member that goes back to the script that it looks like one which is read.
  ///
  /// Beside the one that it looks like, and with an underscore in front, it is state for sure.
  private static func warnOfSlip(
    _ key: String, _ found: BarObject, into reading: inout PluginReading
  ) {
    guard !key.hasPrefix("_"), let meant = BarObject.meant(key, read), found.object[meant] == nil
    else { return }
    reading.warn(
      line: found.line(of: key),
      "i3blocks reads no member '\(key)'; it only goes back to the script with its next run"
        + didYouMean([meant]))
  }

  /// Reads text that is markup if it looks so: the block's `markup=pango` stands in a file that we
  /// may not have.
  private static func blockText(
    _ text: String, line: Int? = nil, into reading: inout PluginReading
  ) -> StyledText {
    let (styled, warning) = Pango.read(text)
    guard let warning else { return styled }
    // An & or a < alone is text of a block without markup.
    guard Pango.hasElement(text) else { return StyledText(text) }
    reading.warn(line: line, warning)
    return styled
  }

  private static func blockColor(
    _ text: String, line: Int? = nil, into reading: inout PluginReading
  ) -> PluginColor? {
    guard !text.isEmpty else { return nil }
    guard let color = ColorText.read(text) else {
      reading.warn(line: line, "'\(text)' is no colour; it is ignored; write one as #RRGGBB")
      return nil
    }
    return color
  }
}
