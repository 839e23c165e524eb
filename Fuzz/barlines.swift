import BarLines
import JSON
import Timekeeping

/// Fuzzes widgets as lines of bars, and the clicks and choices that come back.
///
/// The input has sections: the content of a widget as JSON, or as plain text in every place that
/// takes a text; its id; a template; a line that a bar writes about a click. The first byte chooses
/// the moment, the length and whether the widget is current.
///
/// - A line is one line without control characters, and its bar reads it.
/// - No command of any bar in it is active, and the text is that of every other bar.
/// - The same line is not written twice, and the bar wakes later than now.
/// - A click leads back to the widget that it was written for.
/// - Rows of a menu differ from each other.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes(start, count)
  guard let choice = input.first else { return 0 }
  let parts = sections(Array(input.dropFirst()), countMax: 4)
  let widget = widget(parts[0], id: parts.count > 1 ? line(parts[1]) : "weather", choice)
  var wishes = BarWishes()
  wishes.lengthMax = choice % 5 == 0 ? Int(choice) : 256
  wishes.isDark = choice % 2 == 0
  wishes.template = parts.count > 2 ? template(line(parts[2])) : nil
  within(2_000, "a line") {
    let plain = check(widget, .text, wishes, choice, plain: nil)
    for format in BarFormat.allCases where format != .text {
      _ = check(widget, format, wishes, choice, plain: plain)
    }
    check(BarMenu(widget, at: WallTime(milliseconds: 1_795_161_600_000)))
    if parts.count > 3 { checkClick(parts[3]) }
  }
  return 0
}

private func widget(_ part: [UInt8], id: String, _ choice: UInt8) -> JSONValue {
  let text = JSONValue.string(line(part))
  var content: JSONValue = [
    "text": text, "title": text, "tooltip": [text], "color": text, "class": [text],
    "symbol": text, "items": [["text": text, "badge": text, "items": [["text": text]]]],
  ]
  if let read = try? JSONValue(parsing: part), read.objectValue != nil { content = read }
  return [
    "id": .string(id), "name": text, "revision": .int(Int64(choice)), "error": text,
    "stale": .bool(choice % 7 == 0),
    "entry": ["date": "2026-11-20T08:00:00Z", "content": content],
  ]
}

private func template(_ text: String) -> BarTemplate? {
  // A mistake of the person; the command names it and ends.
  try? BarTemplate(parsing: text)
}

/// Returns the text that is read; `plain` is that of another bar.
private func check(
  _ widget: JSONValue, _ format: BarFormat, _ wishes: BarWishes, _ choice: UInt8, plain: String?
) -> String {
  guard let name = BarName("bar") else { fatalError("the name of the bar is none") }
  var output = BarOutput(BarLine(format, name: name), wishes)
  let now = WallTime(milliseconds: 1_795_161_600_000 + Int64(choice) * 997)
  output.show([widget])
  if choice % 3 == 0 { output.lose() }
  guard let line = output.next(at: now) else { fatalError("there is no first line") }
  precondition(
    line.unicodeScalars.allSatisfy {
      $0.properties.generalCategory != .control && $0 != "\u{2028}" && $0 != "\u{2029}"
    }, "more than a line")
  guard let reading = BarReading.read(line, format) else { fatalError("\(format) cannot read it") }
  precondition(reading.foreignCommands.isEmpty, "\(format) runs \(reading.foreignCommands)")
  var shown = visible(reading.text)
  // Without colours, plain text says in a word that it is old.
  if format == .text, choice % 7 == 0 || choice % 3 == 0, shown.hasSuffix("(stale)") {
    shown = visible(String(shown.dropLast(7)))
  }
  if let plain { precondition(shown == plain, "\(format) shows \(shown) for \(plain)") }
  if let wake = output.nextChange(after: now) { precondition(wake > now, "it wakes in the past") }
  output.show([widget])
  if choice % 3 == 0 { output.lose() }
  precondition(output.next(at: now) == nil, "the same line is written twice")
  return shown
}

/// U+200B is not seen, and blanks at the ends are left out.
private func visible(_ text: String) -> String {
  var scalars = text.unicodeScalars.filter { $0 != "\u{200B}" }[...]
  while scalars.first == " " { scalars.removeFirst() }
  while scalars.last == " " { scalars.removeLast() }
  var text = String.UnicodeScalarView()
  text.append(contentsOf: scalars)
  return String(text)
}

private func check(_ menu: BarMenu) {
  precondition(menu.rows.count <= BarLimits.menuRowCountMax)
  precondition(Set(menu.rows.map(\.line)).count == menu.rows.count, "two rows are the same")
  for row in menu.rows {
    precondition(!row.path.isEmpty && row.path.count <= BarLimits.menuDepthMax)
    precondition(row.line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    precondition(menu.row(chosen: row.line + "\n") == row, "a choice leads elsewhere")
  }
}

private func checkClick(_ line: [UInt8]) {
  for click in [I3barClicks.click(line: line), LemonbarClicks.click(line: line)] {
    guard let click else { continue }
    precondition((1...9).contains(click.button) && click.widget.revision >= 0)
    precondition(ShownWidget(word: click.widget.word) == click.widget, "another widget comes back")
  }
}
