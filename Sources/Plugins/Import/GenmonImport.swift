/// Reads the settings of genmon: its own file, what `xfconf-query -lv` prints, or the XML file of
/// the panel.
package enum GenmonImport {
  package static func read(_ source: ImportSource) -> ImportReading {
    var reading = ImportReading()
    let text = String(decoding: source.bytes, as: UTF8.self)
    let start = ShellWords.trimmed(String(text.prefix(200)))
    if start.hasPrefix("<") {
      readProperties(XfconfXML.properties(text), source, &reading)
    } else if start.hasPrefix("/") {
      readProperties(listed(text), source, &reading)
    } else {
      let lines = SettingsLines(source.bytes, source.path, .trimmed, into: &reading)
      var values: [String: String] = [:]
      for section in lines.sections {
        for entry in section.entries { values[entry.key.lowercased()] = entry.value }
      }
      let command = lines.sections.flatMap(\.entries).first { $0.key.lowercased() == "command" }
      let name = source.path.split(separator: "/").last ?? "genmon"
      reading.add(
        ImportedModule(
          name: name.hasSuffix(".rc") ? String(name.dropLast(3)) : String(name),
          file: source.path, line: command?.line ?? 1,
          outcome(
            values["command"] ?? "", period: values["updateperiod"],
            label: values["uselabel"] == "1", source)))
    }
    return reading
  }

  /// A property of xfconf: its path such as `/plugins/plugin-7/command`, and its line.
  struct Property: Hashable {
    var path: String
    var value: String
    var line: Int
  }

  private static func readProperties(
    _ properties: [Property], _ source: ImportSource, _ reading: inout ImportReading
  ) {
    let values = Dictionary(properties.map { ($0.path, $0.value) }) { _, last in last }
    for property in properties {
      let parts = property.path.split(separator: "/")
      guard parts.count == 2, parts[0] == "plugins", property.value == "genmon" else { continue }
      let number = parts[1].drop { !("0"..."9").contains($0) }
      let isLabelled = values[property.path + "/use-label"] == "true"
      reading.add(
        ImportedModule(
          name: "genmon-\(number)", file: source.path, line: property.line,
          outcome(
            values[property.path + "/command"] ?? "",
            period: values[property.path + "/update-period"], label: isLabelled, source)))
    }
  }

  private static func listed(_ text: String) -> [Property] {
    var properties: [Property] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      guard let end = line.firstIndex(of: " ") else { continue }
      properties.append(
        Property(
          path: String(line[..<end]), value: ShellWords.trimmed(String(line[end...])),
          line: index + 1))
    }
    return properties
  }

  /// `period` is in milliseconds; genmon's own is 30 seconds.
  private static func outcome(
    _ command: String, period: String?, label: Bool, _ source: ImportSource
  ) -> ImportedModule.Outcome {
    do throws(ModuleBuilding.Refusal) {
      let exec = try ModuleBuilding(home: source.home, folder: source.home)
        .arguments(command, "the command")
      guard !exec.isEmpty else { return .hasNoCommand("no command, nothing to show") }
      let seconds = (period.flatMap { Double($0) } ?? 30_000) / 1_000
      let every =
        ModuleBuilding.milliseconds(seconds) ?? PluginLimits.importIntervalMilliseconds.lowerBound
      var plugin = ImportedPlugin(exec, PluginDeclaration(.genmon, .every(every)))
      if label { plugin.leftOut = ["label"] }
      return .taken(plugin)
    } catch {
      return .refused(error.reason)
    }
  }
}

/// Finds the properties in an XML file of xfconf; other elements have no meaning here.
enum XfconfXML {
  /// O(length).
  static func properties(_ text: String) -> [GenmonImport.Property] {
    var properties: [GenmonImport.Property] = []
    var path: [String] = []
    var line = 1
    for piece in text.split(separator: "<", omittingEmptySubsequences: false) {
      let start = line
      line += piece.utf8.count { $0 == 0x0a }
      if piece.hasPrefix("/property") {
        _ = path.popLast()
        continue
      }
      guard piece.hasPrefix("property"), path.count < PluginLimits.importDepthMax else { continue }
      let tag = piece.prefix { $0 != ">" }
      path.append(attribute("name", of: tag))
      let whole = "/" + path.joined(separator: "/")
      properties.append(.init(path: whole, value: attribute("value", of: tag), line: start))
      if tag.hasSuffix("/") { path.removeLast() }
    }
    return properties
  }

  private static func attribute(_ name: String, of tag: Substring) -> String {
    guard let start = tag.firstRange(of: " \(name)=\"") else { return "" }
    var value = String(tag[start.upperBound...].prefix { $0 != "\"" })
    for (entity, character) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&"),
    ] {
      value = value.split(separator: entity, omittingEmptySubsequences: false)
        .joined(separator: character)
    }
    return value
  }
}
