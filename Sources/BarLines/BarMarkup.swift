/// Text in the markup of a bar: the bar's own commands in it are escaped, its styles are written.
///
/// What each bar reads as a command was tried on the real program:
///
/// | bar | reads | is escaped as |
/// |---|---|---|
/// | Waybar, i3bar, genmon | Pango's `<` and `&` | `&lt;`, `&amp;` |
/// | polybar | `%{…}`; it has no escape | U+200B between `%` and `{` |
/// | lemonbar | `%{…}` | `%%` |
/// | tmux | `#(…)`, `#{…}` under `#{E:…}`, and `#[…]` | `##` |
/// | conky | `$name`, `${name …}` | `$$`; U+200B before `{`, since templates are found behind `$$` |
/// | conky | `#`, a comment that hides what follows | `\#` |
///
/// Each run is escaped alone. So styles that a bar cannot show go first: neighbours that then look
/// the same become one run, and no command is put together from the two.
enum BarMarkup {
  static func pango(_ text: BarText) -> String {
    text.runs.map { run in
      let style = run.style
      var attributes = ""
      if let color = style.color {
        attributes += " foreground=\"\(color.opaque)\""
        // From 1 to 65,536; 0 would be refused.
        if color.alpha < 0xFF { attributes += " fgalpha=\"\(Int(color.alpha) * 257 + 1)\"" }
      }
      if let color = style.background {
        attributes += " background=\"\(color.opaque)\""
        if color.alpha < 0xFF { attributes += " bgalpha=\"\(Int(color.alpha) * 257 + 1)\"" }
      }
      if style.isBold { attributes += " weight=\"bold\"" }
      if style.isItalic { attributes += " style=\"italic\"" }
      if style.isUnderlined { attributes += " underline=\"single\"" }
      if style.isStruck { attributes += " strikethrough=\"true\"" }
      let escaped = pango(run.text)
      return attributes.isEmpty ? escaped : "<span\(attributes)>\(escaped)</span>"
    }.joined()
  }

  /// Escapes text for Pango.
  ///
  /// Source: GLib, `g_markup_escape_text`.
  static func pango(_ text: String) -> String {
    replacing(text) { scalar, _ in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&apos;"
      default: nil
      }
    }
  }

  static func polybar(_ text: BarText) -> String {
    tagged(text) { run in
      replacing(run) { scalar, next in scalar == "%" && next == "{" ? "%\u{200B}" : nil }
    }
  }

  static func lemonbar(_ text: BarText) -> String {
    tagged(text) { run in replacing(run) { scalar, _ in scalar == "%" ? "%%" : nil } }
  }

  /// The tags that polybar and lemonbar share; neither has bold or slanted text without a font.
  private static func tagged(_ text: BarText, _ escape: (String) -> String) -> String {
    let shown = text.styled { style in
      style.isBold = false
      style.isItalic = false
      style.isStruck = false
    }
    return shown.runs.map { run in
      var start = ""
      var end = ""
      if let color = run.style.background {
        start += "%{B\(color.alphaFirst)}"
        end = "%{B-}" + end
      }
      if let color = run.style.color {
        start += "%{F\(color.alphaFirst)}"
        end = "%{F-}" + end
      }
      if run.style.isUnderlined {
        start += "%{+u}"
        end = "%{-u}" + end
      }
      return start + escape(run.text) + end
    }.joined()
  }

  static func tmux(_ text: BarText) -> String {
    text.runs.map { run in
      let escaped = replacing(run.text) { scalar, _ in scalar == "#" ? "##" : nil }
      var words: [String] = []
      if let color = run.style.color { words.append("fg=\(color.opaque)") }
      if let color = run.style.background { words.append("bg=\(color.opaque)") }
      if run.style.isBold { words.append("bold") }
      if run.style.isItalic { words.append("italics") }
      if run.style.isUnderlined { words.append("underscore") }
      if run.style.isStruck { words.append("strikethrough") }
      guard !words.isEmpty else { return escaped }
      return "#[\(words.joined(separator: ","))]\(escaped)#[default]"
    }.joined()
  }

  static func conky(_ text: BarText) -> String {
    let shown = text.styled { style in
      let color = style.color
      style = BarStyle()
      style.color = color
    }
    return shown.runs.map { run in
      let escaped = replacing(run.text) { scalar, next in
        if scalar == "#" { return "\\#" }
        guard scalar == "$" else { return nil }
        return next == "{" ? "$$\u{200B}" : "$$"
      }
      guard let color = run.style.color else { return escaped }
      return "${color \(color.opaque)}\(escaped)${color}"
    }.joined()
  }

  /// Returns `text` with each scalar that `replacement` has something for replaced; it gets the
  /// scalar and the one behind it.
  private static func replacing(
    _ text: String, _ replacement: (Unicode.Scalar, Unicode.Scalar?) -> String?
  ) -> String {
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if let other = replacement(scalar, rest.first) {
        result.append(contentsOf: other.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
