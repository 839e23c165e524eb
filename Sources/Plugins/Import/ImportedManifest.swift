/// The text of a manifest for a module of another bar.
///
/// ```yaml
/// # imported from "/home/me/.config/waybar/config", "custom/weather", line 12; sha256 …
/// kind: "weather"
/// name: "weather"
/// families: [systemSmall, accessoryInline]
/// provider:
///   protocol: waybar
///   exec: ["/home/me/bin/weather.sh"]
///   every: 10m
/// ```
///
/// The first line says where it comes from and has the hash of all other lines: a manifest in which
/// a person changed something is known by it.
package struct ImportedManifest: Hashable, Sendable {
  package var kind: String
  /// The name that people see; `nil`: that of the kind.
  package var name: String?
  package var module: ImportedModule
  package var plugin: ImportedPlugin

  package init(kind: String, module: ImportedModule, plugin: ImportedPlugin) {
    self.kind = kind
    self.module = module
    self.plugin = plugin
  }

  /// All lines but the first; each text of others is in quotes.
  package var body: String {
    var lines = [
      "kind: \(YAMLText.quoted(kind))", "name: \(YAMLText.quoted(name ?? kind))",
      "families: [systemSmall, accessoryInline]", "provider:",
      "  protocol: \(plugin.declaration.format.rawValue)", "  exec: \(list(plugin.exec))",
    ]
    if plugin.declaration.isStream {
      lines.append("  stream: true")
      if plugin.declaration.hasTrailingSeparator {
        lines.append("  useTrailingStreamSeparator: true")
      }
    } else {
      lines.append("  every: \(every)")
    }
    if plugin.declaration.emptyTitle != nil { lines.append("  alwaysVisible: true") }
    if plugin.declaration.runsWhenOpened { lines.append("  refreshOnOpen: true") }
    if let restart = plugin.declaration.restart { lines.append("  restart: \(Self.time(restart))") }
    if let retry = plugin.declaration.retry { lines.append("  retry: \(Self.time(retry))") }
    if let signal = plugin.declaration.signal { lines.append("  signal: \(signal)") }
    if !plugin.declaration.condition.isEmpty {
      lines.append("  if: \(list(plugin.declaration.condition))")
      if let recheck = plugin.declaration.recheck {
        lines.append("  recheck: \(Self.time(recheck))")
      }
    }
    let clicks = plugin.declaration.clicks.sorted { $0.key.rawValue < $1.key.rawValue }
    if !clicks.isEmpty {
      lines.append("  clicks:")
      lines += clicks.map { "    \($0.key.name): \(list($0.value))" }
    }
    if let look = plugin.declaration.look { lines += self.lines(of: look) }
    if !plugin.environment.isEmpty {
      lines.append("env:")
      lines += plugin.environment.map { "  \($0.name): \(YAMLText.quoted($0.value))" }
    }
    if !plugin.leftOut.isEmpty {
      let keys = plugin.leftOut.map { YAMLText.quoted($0) }.joined(separator: ", ")
      lines.append("# these settings of the bar have no effect here: \(keys)")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func lines(of look: PluginLook) -> [String] {
    var lines: [String] = []
    if let text = look.text { lines.append("text: \(YAMLText.quoted(text))") }
    if let text = look.shortText { lines.append("shortText: \(YAMLText.quoted(text))") }
    if let format = look.format { lines.append("format: \(YAMLText.quoted(format))") }
    if let alternate = look.alternate {
      lines.append("alternate: \(YAMLText.quoted(alternate))")
      if look.alternateButton != .left {
        lines.append("alternateClick: \(look.alternateButton.name)")
      }
    }
    if let format = look.failFormat { lines.append("failFormat: \(YAMLText.quoted(format))") }
    if !look.icons.isEmpty {
      lines.append("icons:")
      lines += look.icons.sorted { $0.key < $1.key }.map {
        "  \(YAMLText.quoted($0.key)): \(list($0.value))"
      }
    }
    switch look.tooltip {
    case .printed: break
    case .none: lines.append("tooltip: false")
    case .format(let format): lines.append("tooltip: \(YAMLText.quoted(format))")
    }
    if let lengthMax = look.lengthMax { lines.append("maxLength: \(lengthMax)") }
    if !look.hasEllipsis { lines.append("ellipsis: false") }
    if let lengthMin = look.lengthMin { lines.append("minLength: \(lengthMin)") }
    if look.alignment != .left { lines.append("align: \(look.alignment.rawValue)") }
    if let color = look.color { lines.append("color: \(YAMLText.quoted(color.light))") }
    if let color = look.background { lines.append("background: \(YAMLText.quoted(color.light))") }
    if look.isPlain { lines.append("plain: true") }
    if look.hidesEmpty { lines.append("hideEmpty: true") }
    return lines.isEmpty ? [] : ["  look:"] + lines.map { "    " + $0 }
  }

  private func list(_ words: [String]) -> String {
    "[\(words.map { YAMLText.quoted($0) }.joined(separator: ", "))]"
  }

  private var every: String {
    switch plugin.declaration.schedule {
    case .every(let milliseconds): Self.time(milliseconds)
    case .once: "once"
    case .never: "never"
    case .cron: YAMLText.quoted(plugin.cron ?? "")
    }
  }

  /// Writes a time with the largest unit that divides it: `30s`, `10m`, `1500ms`.
  package static func time(_ milliseconds: Int64) -> String {
    for (size, unit) in [(86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1_000, "s")]
      as [(Int64, String)] where milliseconds % size == 0 && milliseconds > 0
    {
      return "\(milliseconds / size)\(unit)"
    }
    return "\(milliseconds)ms"
  }

  // MARK: The first line

  /// The beginning of the first line, by which a later import knows the same module.
  private var origin: String {
    "# imported from \(YAMLText.quoted(module.file)), \(YAMLText.quoted(module.name)), line "
  }

  /// The whole text; `hash` returns the hash of a text in hexadecimal digits.
  package func text(hash: (String) -> String) -> String {
    "\(origin)\(module.line); sha256 \(hash(body))\n\(body)"
  }

  /// Whether the first line of a text says that it came from the same module.
  package func isOrigin(of text: String) -> Bool { text.hasPrefix(origin) }

  /// A file that is there already, seen from this manifest.
  package enum Present: Hashable, Sendable {
    /// It came from the same module, and nobody changed it.
    case untouched
    /// A person changed it, or wrote it.
    case edited
    /// It came from another module, and nobody changed it.
    case other
  }

  /// Judges the text of the file in the place of this manifest.
  package func judge(_ text: String, hash: (String) -> String) -> Present {
    guard let end = text.utf8.firstIndex(of: UInt8(ascii: "\n")) else { return .edited }
    let first = text[..<end]
    let rest = String(text[text.utf8.index(after: end)...])
    guard first.hasPrefix("# imported from "), first.hasSuffix("; sha256 \(hash(rest))") else {
      return first.hasPrefix("# imported from ") && !first.hasPrefix(origin) ? .other : .edited
    }
    return first.hasPrefix(origin) ? .untouched : .other
  }
}

/// Writes texts of others into YAML.
package enum YAMLText {
  /// Returns a text in double quotes, with an escape for each character that a reader of YAML
  /// refuses, that is not seen, or that changes the order of the others.
  ///
  /// Source: YAML 1.2.2, 5.7 escaped characters. O(length).
  package static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      default:
        if isPlain(scalar) {
          quoted.unicodeScalars.append(scalar)
        } else {
          quoted += escape(scalar.value)
        }
      }
    }
    return quoted + "\""
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7f }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .surrogate:
      return false
    default: return !properties.isDefaultIgnorableCodePoint && !properties.isNoncharacterCodePoint
    }
  }

  private static func escape(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    let (mark, count) = value < 0x100 ? ("x", 2) : value < 0x10000 ? ("u", 4) : ("U", 8)
    return "\\" + mark + String(repeating: "0", count: count - digits.count) + digits
  }
}
