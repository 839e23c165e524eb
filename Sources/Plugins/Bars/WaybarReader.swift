import JSON

extension PluginReader {
  /// Reads the output of a custom module of Waybar: one line of JSON, or lines of text.
  ///
  /// The first character decides: the author's `return-type` stands in a file that we may not have.
  /// Source: waybar-custom(5).
  static func readWaybar(_ output: [UInt8], _ look: PluginLook) -> PluginReading {
    var reading = PluginReading()
    if let object = BarObject.read(output, into: &reading) {
      readWaybar(object, look, into: &reading)
    } else {
      readWaybar(OutputLines(output, into: &reading).lines, look, into: &reading)
    }
    return reading
  }

  /// Composes the title of a module and, where the look has one, its tooltip; `false`: the module
  /// is hidden, since nothing is left to show.
  private static func compose(
    _ values: PluginLook.Values, _ look: PluginLook, line: Int? = nil,
    into frame: inout PluginFrame, _ reading: inout PluginReading
  ) -> Bool {
    let text = look.title(values)
    guard !text.isEmpty, !look.hidesEmpty || !values.text.isEmpty else { return false }
    frame.titles = [title(pango(text, line: line, into: &reading))]
    switch look.tooltip {
    case .printed: break
    case .none: frame.tooltip = nil
    case .format(let template):
      let tooltip = withLineFeeds(look.fill(template, values))
      frame.tooltip = tooltip.isEmpty ? nil : pango(tooltip, into: &reading)
    }
    return true
  }

  /// Lines of text: the text, the tooltip, words for styling.
  private static func readWaybar(
    _ lines: [OutputLines.Line], _ look: PluginLook, into reading: inout PluginReading
  ) {
    guard let first = lines.first, lines.contains(where: { !$0.text.isEmpty }) else { return }
    var frame = PluginFrame()
    if lines.count > 1, !lines[1].text.isEmpty, look.tooltip == .printed {
      frame.tooltip = pango(
        withLineFeeds(lines[1].text), line: lines[1].number, into: &reading)
    }
    if lines.count > 2 {
      frame.classes = lines[2].text.split(separator: " ").map(String.init)
    }
    let values = PluginLook.Values(text: first.text)
    if compose(values, look, line: first.number, into: &frame, &reading) { reading.frame = frame }
    if lines.count > 3 {
      reading.warn(line: lines[3].number, "only three lines are read: text, tooltip and class")
    }
  }

  private static func readWaybar(
    _ found: BarObject, _ look: PluginLook, into reading: inout PluginReading
  ) {
    let object = found.object
    var frame = PluginFrame()
    var values = PluginLook.Values(text: "")
    for member in object.members {
      let value = member.value
      switch member.key {
      case "text": values.text = BarObject.text(value)
      case "tooltip":
        let text = withLineFeeds(BarObject.text(value))
        if !text.isEmpty, look.tooltip == .printed {
          frame.tooltip = pango(text, into: &reading)
        }
      case "class":
        frame.classes = (value.arrayValue ?? [value]).map(BarObject.text).filter { !$0.isEmpty }
      case "percentage":
        frame.percentage = percentage(
          value, line: found.line(of: "percentage"), into: &reading)
      case "alt": break
      default:
        reading.warn(
          line: found.line(of: member.key),
          "Waybar reads no member '\(member.key)'; it is ignored"
            + didYouMean(
              BarObject.meant(member.key, ["text", "alt", "tooltip", "class", "percentage"])
                .map { [$0] } ?? []))
      }
    }
    // Waybar chooses an icon or a colour by it, as by a class.
    if let alt = object["alt"].map(BarObject.text), !alt.isEmpty, !frame.classes.contains(alt) {
      frame.classes.append(alt)
    }
    values.alt = object["alt"].map(BarObject.text) ?? ""
    values.percentage = frame.percentage
    // Waybar leaves a module without text out, whatever else it says.
    if compose(values, look, into: &frame, &reading) { reading.frame = frame }
  }

  private static func percentage(
    _ value: JSONValue, line: Int, into reading: inout PluginReading
  ) -> Double? {
    guard !value.isNull else { return nil }
    guard let number = value.doubleValue, number.isFinite else {
      reading.warn(
        line: line, "the percentage is \(BarObject.quoted(value)) and no number; it is ignored")
      return nil
    }
    return clamped(number, into: &reading)
  }

  /// Returns a percentage within 0 and 100; a change is told.
  static func clamped(_ number: Double, into reading: inout PluginReading) -> Double {
    let percentage = min(max(number, 0), 100)
    if percentage != number {
      reading.warn("a percentage is from 0 to 100; the one that was printed is taken as the nearer")
    }
    return percentage
  }

  /// Both ways to write a line break in a tooltip as a line feed.
  private static func withLineFeeds(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\r")) else { return text }
    // A carriage return and a line feed are one Character.
    return String(text.map { $0 == "\r" || $0 == "\r\n" ? "\n" : $0 })
  }

  /// Reads markup; what is wrong with it is told.
  static func pango(
    _ text: String, line: Int? = nil, into reading: inout PluginReading
  ) -> StyledText {
    let (styled, warning) = Pango.read(text)
    if let warning { reading.warn(line: line, warning) }
    return styled
  }

  static func title(_ text: StyledText) -> PluginItem {
    var item = PluginItem()
    item.text = text
    return item
  }
}
