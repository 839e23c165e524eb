import BarLines
import JSON

/// A line as its bar reads it: written a second time, from the bars' own manuals and sources, to
/// check what `BarLine` writes.
struct BarReading {
  /// The text that is shown, without the bar's own styles.
  var text = ""
  /// Commands that the bar would run or take, and that are not ours.
  var foreignCommands: [String] = []

  /// Returns the reading; `nil` for a line that the bar cannot read.
  static func read(_ line: String, _ format: BarFormat) -> BarReading? {
    switch format {
    case .waybar: (try? JSONValue(parsing: line))?["text"]?.stringValue.flatMap(pango)
    case .i3bar:
      (try? JSONValue(parsing: line))?.arrayValue?.first.flatMap(block)
    case .genmon: genmon(line)
    case .polybar: tags(line, hasPercentEscape: false)
    case .lemonbar: tags(line, hasPercentEscape: true)
    case .tmux: tmux(line)
    case .conky: conky(line)
    case .text: BarReading(text: line)
    }
  }

  /// The short text is shown where room is short, so it is the one that is read.
  private static func block(_ block: JSONValue) -> BarReading? {
    guard let full = block["full_text"]?.stringValue.flatMap(pango) else { return nil }
    guard var short = block["short_text"]?.stringValue.flatMap(pango) else { return full }
    short.foreignCommands += full.foreignCommands
    return short
  }

  /// Only our `<span …>` may stand in it; every `&` begins an entity.
  private static func pango(_ markup: String) -> BarReading? {
    var reading = BarReading()
    // Marks and joiners are no part of the bar's own characters, so scalars are read.
    var rest = markup.unicodeScalars[...]
    var isOpen = false
    while let scalar = rest.popFirst() {
      switch scalar {
      case "<":
        guard let end = rest.firstIndex(of: ">") else { return nil }
        let tag = String(rest[..<end])
        rest = rest[rest.index(after: end)...]
        if tag == "/span", isOpen {
          isOpen = false
        } else if tag.hasPrefix("span "), !isOpen, isOurs(attributes: tag.dropFirst(4)) {
          isOpen = true
        } else {
          reading.foreignCommands.append(tag)
        }
      case ">": return nil
      case "&":
        guard let end = rest.firstIndex(of: ";") else { return nil }
        let known = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        guard let text = known[String(rest[..<end])] else { return nil }
        reading.text += text
        rest = rest[rest.index(after: end)...]
      default: reading.text.unicodeScalars.append(scalar)
      }
    }
    return isOpen ? nil : reading
  }

  private static func isOurs(attributes: Substring) -> Bool {
    let names = [
      "foreground", "background", "fgalpha", "bgalpha", "weight", "style", "underline",
      "strikethrough",
    ]
    return attributes.split(separator: " ").allSatisfy { attribute in
      let parts = attribute.split(separator: "=")
      return parts.count == 2 && names.contains(String(parts[0]))
        && parts[1].dropFirst().dropLast().allSatisfy { $0 == "#" || $0.isLetter || $0.isNumber }
    }
  }

  /// The monitor looks for its elements anywhere in the output.
  private static func genmon(_ line: String) -> BarReading? {
    func element(_ name: String) -> String? {
      let scalars = line.unicodeScalars
      guard let start = scalars.firstRange(of: "<\(name)>".unicodeScalars),
        let end = scalars.firstRange(of: "</\(name)>".unicodeScalars)
      else { return nil }
      return String(scalars[start.upperBound..<end.lowerBound])
    }
    guard var reading = element("txt").flatMap(pango) else { return nil }
    for name in ["txtclick", "click", "iconclick"] {
      if let command = element(name), !isOurs(command: command) {
        reading.foreignCommands.append(command)
      }
    }
    for name in ["img", "icon", "bar", "css"] where line.contains("<\(name)>") {
      reading.foreignCommands.append(name)
    }
    return reading
  }

  /// Our click commands consist of these characters alone: none means anything to a shell.
  private static func isOurs(command: some StringProtocol) -> Bool {
    guard command.hasPrefix("intent-send click bar ") || command.hasPrefix("intentd/") else {
      return false
    }
    return command.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (97...122).contains(byte | 0x20)
        || " -_.@%/".utf8.contains(byte)
    }
  }

  private static func tags(_ line: String, hasPercentEscape: Bool) -> BarReading? {
    var reading = BarReading()
    var rest = line.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "%" else {
        reading.text.unicodeScalars.append(scalar)
        continue
      }
      if rest.first == "%", hasPercentEscape {
        rest.removeFirst()
        reading.text += "%"
      } else if rest.first == "{" {
        guard let end = rest.firstIndex(of: "}") else { return nil }
        let tag = String(rest[rest.index(after: rest.startIndex)..<end])
        rest = rest[rest.index(after: end)...]
        let plain = ["F-", "B-", "+u", "-u", "A"]
        let isColor = (tag.hasPrefix("F#") || tag.hasPrefix("B#")) && [8, 10].contains(tag.count)
        let parts = tag.split(separator: ":", omittingEmptySubsequences: false)
        let isAction =
          parts.count == 3 && parts[0].count == 2 && parts[2].isEmpty
          && isOurs(command: parts[1])
        if !plain.contains(tag), !isColor, !isAction { reading.foreignCommands.append(tag) }
      } else {
        reading.text += "%"
      }
    }
    return reading
  }

  /// First as `#{E:…}` expands the option, then as the status line draws it.
  private static func tmux(_ line: String) -> BarReading? {
    var reading = BarReading()
    var expanded = ""
    var rest = line.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "#" else {
        expanded.unicodeScalars.append(scalar)
        continue
      }
      let more = rest.prefix { $0 == "#" }.count
      if rest.dropFirst(more).first == "[" {
        // A run of these before a bracket stays as it is.
        expanded += String(repeating: "#", count: more + 1) + "["
        rest = rest.dropFirst(more + 1)
      } else if more > 0 {
        expanded += "#"
        rest.removeFirst()
      } else if let next = rest.first, next == "(" || next == "{" {
        reading.foreignCommands.append(String(rest))
        return reading
      } else if let next = rest.first, ("A"..."Z").contains(next) || next == "h" {
        // The short names of values, such as #S.
        reading.foreignCommands.append("#" + String(rest))
        return reading
      } else if rest.first != ",", rest.first != "}" {
        expanded += "#"
      }
    }
    rest = expanded.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "#" else {
        reading.text.unicodeScalars.append(scalar)
        continue
      }
      let count = rest.prefix { $0 == "#" }.count + 1
      rest = rest.dropFirst(count - 1)
      guard rest.first == "[" else {
        // Half of them are drawn; the expansion has halved them before, so the plain option shows
        // as many as were written.
        reading.text += String(repeating: "#", count: count)
        continue
      }
      reading.text += String(repeating: "#", count: count / 2)
      guard count % 2 == 1 else { continue }
      guard let end = rest.firstIndex(of: "]") else { return nil }
      let style = String(rest[rest.index(after: rest.startIndex)..<end])
      rest = rest[rest.index(after: end)...]
      let ours = ["default", "norange", "bold", "italics", "underscore", "strikethrough"]
      for word in style.split(separator: ",") {
        let isOurs =
          ours.contains(String(word)) || word.hasPrefix("fg=#") || word.hasPrefix("bg=#")
          || word.hasPrefix("range=user|bar")
        if !isOurs { reading.foreignCommands.append(String(word)) }
      }
    }
    return reading
  }

  private static func conky(_ line: String) -> BarReading? {
    var reading = BarReading()
    // Templates are looked for first, also behind `$$`.
    if line.lowercased().contains("${template") { reading.foreignCommands.append("template") }
    var rest = line.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\\", rest.first == "#" {
        rest.removeFirst()
        reading.text += "#"
        continue
      }
      // A comment: conky 1.18.3 leaves out what follows, in the output of programs too.
      if scalar == "#" { reading.foreignCommands.append("#" + String(rest)) }
      guard scalar == "$" else {
        reading.text.unicodeScalars.append(scalar)
        continue
      }
      if rest.first == "$" {
        rest.removeFirst()
        reading.text += "$"
      } else if rest.first == "{" {
        guard let end = rest.firstIndex(of: "}") else { return nil }
        let command = String(rest[rest.index(after: rest.startIndex)..<end])
        rest = rest[rest.index(after: end)...]
        let isColor = command == "color" || command.hasPrefix("color #") && command.count == 13
        if !isColor { reading.foreignCommands.append(command) }
      } else {
        reading.foreignCommands.append(String(rest))
        return reading
      }
    }
    return reading
  }
}
