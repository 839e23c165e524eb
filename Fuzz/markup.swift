import PlainText
import Plugins

/// Fuzzes the readers of markup: Pango, escape sequences, emoji codes, polybar's tags, colours.
///
/// Each gives text and a style, whatever it reads: no sequence of a terminal is left, a colour has
/// the one form that surfaces know, and broken markup has no style.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = line(bytes(start, count))
  within(1_000, "markup") {
    let (pango, warning) = Pango.read(input)
    check(pango)
    if warning?.hasSuffix("without its styles") == true {
      precondition(pango.runs.allSatisfy { $0.style == TextStyle() }, "a style of broken markup")
    }

    let escapes = ANSI.read(input)
    check(escapes)
    precondition(
      escapes.plain.unicodeScalars.allSatisfy {
        $0 != "\u{1B}" && !(0x80...0x9F).contains($0.value)
      },
      "a control character is left")
    precondition(escapes.plain.utf8.count <= input.utf8.count)

    let emoji = EmojiCodes.replaced(in: input)
    if !input.utf8.contains(UInt8(ascii: ":")) { precondition(emoji == input) }

    let tags = PolybarTags.read(input)
    check(tags.text)
    precondition(tags.commands.allSatisfy { (1...5).contains($0.key) && !$0.value.isEmpty })
    precondition(tags.warnings.count <= PluginLimits.warningCountMax)

    for hasAlphaFirst in [false, true] {
      if let color = ColorText.read(input, hasAlphaFirst: hasAlphaFirst) { check(color) }
    }
  }
  return 0
}

private func check(_ text: StyledText) {
  for (run, next) in zip(text.runs, text.runs.dropFirst()) {
    precondition(run.style != next.style, "two runs that are one")
  }
  for run in text.runs {
    precondition(!run.text.isEmpty, "an empty run")
    if let color = run.style.color { check(color) }
    if let color = run.style.background { check(color) }
    if let size = run.style.size { precondition(PluginLimits.fontPoints.contains(size)) }
  }
}

private func check(_ color: PluginColor) {
  precondition(ColorText.read(color.light) == PluginColor(light: color.light))
  if let dark = color.dark {
    precondition(ColorText.read(dark) == PluginColor(light: dark))
  }
}
