extension SettingsPatch {
  /// Replaces the command of a genmon in its own file, `genmon-7.rc`.
  ///
  /// Settings that xfconf has are not patched: its service writes the file whole, with what it has
  /// in memory. They are kept, each with the command that changes it.
  package mutating func genmon(_ replacements: [Replacement]) {
    for replacement in replacements {
      let command = "intent-send bar genmon \(replacement.widget) --once"
      if isOfXfconf {
        let number = replacement.module.drop { !("0"..."9").contains($0) }
        kept.append(
          (
            replacement.module,
            "xfconf has its settings, so run: xfconf-query -c xfce4-panel"
              + " -p /plugins/plugin-\(number)/command -s '\(command)'"
          ))
        continue
      }
      let number = replacement.line - 1
      let line = (0..<edits.lineCount).contains(number) ? edits.line(number) : ""
      let key = line.prefix { $0 != "=" }
      guard line.contains("="), ShellWords.trimmed(String(key)).lowercased() == "command" else {
        kept.append((replacement.module, "it is not found on line \(replacement.line)"))
        continue
      }
      let end = line.hasSuffix("\r") ? "\r\n" : "\n"
      edits.replaceLines(number..<(number + 1), by: ["\(key)=\(command)\(end)"])
      advice.append(
        "\(replacement.module) is patched while the panel does not run (xfce4-panel -q), since the"
          + " panel writes this file when it ends")
    }
  }

  /// Whether the settings are XML, or what `xfconf-query -lv` prints.
  private var isOfXfconf: Bool {
    let start = edits.text(0..<min(bytes.count, 200))
    return ["<", "/"].contains(ShellWords.trimmed(start).first)
  }
}
