extension SettingsPatch {
  /// Replaces modules of polybar.
  ///
  /// What a module inherits is written into it, as far as polybar goes on with it: the commands and
  /// formats of the other section would change what the widget shows.
  package mutating func polybar(_ replacements: [Replacement]) {
    let sections = sections()
    for replacement in replacements {
      let module = sections.first {
        $0.body.lowerBound == replacement.line && $0.name == "module/\(replacement.module)"
      }
      guard let module else {
        kept.append((replacement.module, "it is not found on line \(replacement.line)"))
        continue
      }
      var inherited: [String: String] = [:]
      if let missing = inherit(module, sections, into: &inherited) {
        kept.append(
          (
            replacement.module,
            "it inherits from [\(missing)], which is not in this file: copy what it needs of that"
              + " section, remove 'inherit', and import again"
          ))
        continue
      }
      polybarModule(replacement, module.body, inherited)
    }
  }

  /// A section of polybar: its name, and its lines without the header, which count from 0.
  private struct PolybarSection {
    var name: String
    var body: Range<Int>
  }

  private func sections() -> [PolybarSection] {
    var sections: [PolybarSection] = []
    for number in 0..<edits.lineCount {
      let line = ShellWords.trimmed(edits.line(number))
      guard line.hasPrefix("[") else { continue }
      if let last = sections.indices.last {
        sections[last].body = sections[last].body.lowerBound..<number
      }
      let name = line.hasSuffix("]") ? String(line.dropFirst().dropLast()) : ""
      sections.append(PolybarSection(name: name, body: (number + 1)..<edits.lineCount))
    }
    return sections
  }

  /// Adds the values that a section inherits, by their keys; what is there already counts more.
  ///
  /// A section counts where it is named first, and nearer than those from which it inherits itself:
  /// so does `PolybarImport`. Each is read once. O(lines).
  ///
  /// - Returns: the name of a section that the file has not; `nil`: all are there.
  private func inherit(
    _ module: PolybarSection, _ sections: [PolybarSection], into values: inout [String: String]
  ) -> String? {
    var seen: Set<String> = [module.name]
    // The next one stands last.
    var pending = parents(of: module)
    while let name = pending.popLast() {
      guard seen.insert(name).inserted else { continue }
      let found = sections.filter { $0.name == name }
      guard !found.isEmpty else { return name }
      for section in found.reversed() {
        // The line that is written last counts.
        for number in section.body.reversed() {
          guard let entry = Self.entry(edits.line(number)), entry.key != "inherit",
            values[entry.key] == nil
          else { continue }
          values[entry.key] = entry.value
        }
        pending += parents(of: section)
      }
    }
    return nil
  }

  /// The sections from which one inherits, the last one first.
  private func parents(of section: PolybarSection) -> [String] {
    let value = section.body.compactMap { Self.entry(edits.line($0)) }.last { $0.key == "inherit" }
    let names = (value?.value ?? "").split { $0 == " " || $0 == "\t" || $0 == "\"" }
    return names.reversed().map(String.init)
  }

  private mutating func polybarModule(
    _ replacement: Replacement, _ body: Range<Int>, _ inherited: [String: String]
  ) {
    let keys = body.map { Self.entry(edits.line($0))?.key }
    let all = Set(keys.compactMap { $0 }).union(inherited.keys)
    // Prefix and suffix are a part of the label now.
    let isAlone = all.isDisjoint(with: Self.besidesLabel)
    let leftOut = all.intersection(replacement.leftOut).sorted()
    let paddings = leftOut.filter { $0.contains("padding") }
    func isReplaced(_ key: String) -> Bool {
      let isDrawn =
        Self.lines.contains(key) && paddings.isEmpty && (isAlone || !key.hasPrefix("label-"))
      return Self.isOfPolybarScript(key) && !replacement.leftOut.contains(key) && !isDrawn
    }
    let ofLabel = leftOut.filter { $0.hasPrefix("label-") }
    if !isAlone, !ofLabel.isEmpty {
      advice.append(
        "\(replacement.module): \(ofLabel.joined(separator: ", ")) now also holds for what stands"
          + " around its label")
    }
    if !paddings.isEmpty, all.contains(where: Self.isAroundText) {
      advice.append(
        "\(replacement.module): its background and its lines no longer cover"
          + " \(paddings.joined(separator: ", "))")
    }
    let own = [
      "type = custom/script", "exec = intent-send bar polybar \(replacement.widget)", "tail = true",
    ]
    var copied = inherited.filter { !keys.contains($0.key) && !isReplaced($0.key) }
      .sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
    let hasScript = keys.contains { $0.map(isReplaced) ?? false }
    var isWritten = false
    for (number, key) in zip(body, keys) {
      guard let key, key == "inherit" || isReplaced(key) else { continue }
      let end = edits.line(number).hasSuffix("\r") ? "\r\n" : "\n"
      // The new lines stand where the first old ones stood.
      var lines: [String] = []
      if !isWritten, key != "inherit" || !hasScript {
        lines = own
        isWritten = true
      }
      if key == "inherit" {
        lines += copied
        copied = []
      }
      edits.replaceLines(number..<(number + 1), by: lines.map { $0 + end })
    }
    if !isWritten {
      edits.replaceLines(body.lowerBound..<body.lowerBound, by: own.map { $0 + "\n" })
    }
  }

  /// Lines that polybar draws in their own colours; the widget's text is underlined without one.
  private static let lines: Set<String> = [
    "format-underline", "format-overline", "label-underline", "label-overline",
  ]

  /// Whether polybar draws something below or behind the whole text, paddings included.
  private static func isAroundText(_ key: String) -> Bool {
    lines.contains(key) || key == "format-background" || key == "label-background"
  }

  private static let besidesLabel: Set<String> = ["format", "format-prefix", "format-suffix"]

  /// Whether a key belongs to the script that ran before, or is carried out by the daemon now.
  private static func isOfPolybarScript(_ key: String) -> Bool {
    let names: Set<String> = ["type", "exec", "exec-if", "tail", "initial"]
    let beginnings = [
      "interval", "click-", "double-click-", "scroll-", "hook-", "env-", "format", "label",
    ]
    return names.contains(key) || beginnings.contains { key.hasPrefix($0) }
  }

  private static func entry(_ line: String) -> (key: String, value: String)? {
    let line = ShellWords.trimmed(line)
    guard let first = line.first, first != ";", first != "#", let equals = line.firstIndex(of: "=")
    else { return nil }
    return (
      ShellWords.trimmed(String(line[..<equals])),
      ShellWords.trimmed(String(line[line.index(after: equals)...]))
    )
  }
}
