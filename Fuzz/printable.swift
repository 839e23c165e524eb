import JSON
import PlainText

/// Fuzzes everything that turns text of others into what a person sees.
///
/// - Nothing that steers a terminal, reorders other text or hides in it is left, in any form.
/// - The result of a result is the same text.
/// - JSON keeps its value.
/// - A text that is cut has at most the columns it was cut to; broken lines have the words of the
///   text.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = text(bytes(start, count))
  within(1_000, "a text") {
    check(printable(input), again: printable, allowing: [])
    check(escaped(input), again: escaped, allowing: [])
    check(TerminalText(input).text, again: { TerminalText($0).text }, allowing: ["\n", "\t"])
    for line in printableLines(input) { checkTame(line, allowing: []) }
    checkColours(input)
    checkJSON(input)
    checkWidths(printable(input), columns: count % 40)
  }
  return 0
}

private func check(
  _ safe: String, again: (String) -> String, allowing allowed: Set<Unicode.Scalar>
) {
  checkTame(safe, allowing: allowed)
  precondition(again(safe).utf8.elementsEqual(safe.utf8), "the result of a result is another")
}

/// Traps if a scalar is left that no output may have; the rule is written a second time here, from
/// its description.
private func checkTame(_ text: String, allowing allowed: Set<Unicode.Scalar>) {
  var before: Unicode.Scalar?
  var tagCount = 0
  for scalar in text.unicodeScalars {
    defer { before = scalar }
    let isTag = (0xE0020...0xE007F).contains(scalar.value)
    tagCount = isTag ? tagCount + 1 : 0
    guard !allowed.contains(scalar) else { continue }
    let properties = scalar.properties
    precondition(properties.generalCategory != .control, "a control character")
    precondition(!properties.isBidiControl, "a bidi control")
    precondition(!properties.isNoncharacterCodePoint, "a noncharacter")
    precondition(scalar != "\u{2028}" && scalar != "\u{2029}", "a separator")
    guard properties.isDefaultIgnorableCodePoint else { continue }
    guard let before else { preconditionFailure("an invisible character at the start") }
    switch scalar.value {
    case 0x200C, 0x200D, 0xFE00...0xFE0F, 0x180B...0x180F, 0xE0100...0xE01EF:
      // One behind something that is seen; a joiner may follow a selector, too.
      let isSeen = !before.properties.isDefaultIgnorableCodePoint
      precondition(isSeen || before.value == 0xFE0F, "invisible characters in a row")
    case 0xE0020...0xE007F:
      precondition(tagCount > 1 || before == "\u{1F3F4}", "tags without a flag")
      precondition(tagCount <= 6, "too many tags for a flag")
    default: preconditionFailure("an invisible character: \(String(scalar.value, radix: 16))")
    }
  }
}

/// Our colours may pass, and nothing else that begins with ESC; a colour ends with the text.
private func checkColours(_ input: String) {
  let coloured = TerminalText(input, hasColours: true).text
  precondition(TerminalText(coloured, hasColours: true).text == coloured, "coloured twice")
  var rest = coloured.unicodeScalars[...]
  var isOn = false
  while let scalar = rest.first {
    let known = Rendition.allCases.first { rest.starts(with: $0.sequence.unicodeScalars) }
    if let known {
      isOn = known != .normal
      rest.removeFirst(known.sequence.unicodeScalars.count)
    } else {
      precondition(scalar != "\u{1B}", "a sequence that is not ours")
      rest.removeFirst()
    }
  }
  precondition(!isOn, "a colour is left on")
}

private func checkJSON(_ input: String) {
  let value: JSONValue = .object(JSONObject([.init(key: input, value: .array([.string(input)]))]))
  let line = TerminalText(json: value.serialized).text
  checkTame(line, allowing: [])
  do throws(JSONError) {
    let read = try JSONValue(parsing: line)
    var before: [UInt8] = []
    var after: [UInt8] = []
    value.write(into: &before)
    read.write(into: &after)
    precondition(before == after, "JSON has another value")
  } catch {
    preconditionFailure("JSON became none: \(error.message)")
  }
  precondition(printableJSON(line).utf8.elementsEqual(line.utf8), "JSON is escaped twice")
}

private func checkWidths(_ line: String, columns: Int) {
  precondition(displayWidth(shortened(line, columnsMax: columns)) <= columns, "cut, and too wide")
  precondition(displayWidth(padded(line, columns: columns)) >= columns, "padded, and too narrow")
  let lines = wrapped(line, columnsMax: max(columns, 4), hanging: 2)
  precondition(!lines.isEmpty, "no line")
  precondition(
    lines.joined().utf8.lazy.filter { $0 != 0x20 }.elementsEqual(
      line.utf8.lazy.filter { $0 != 0x20 }), "words went with the break")
}
