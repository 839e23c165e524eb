/// The program to which a file of settings belongs, found by what stands in it.
package enum ImportFormat: String, CaseIterable, Hashable, Sendable {
  case waybar, i3blocks, polybar, genmon

  /// Returns the program of a file; `nil`: it is none that is known.
  ///
  /// O(bytes).
  package static func of(_ bytes: [UInt8]) -> ImportFormat? {
    var start = bytes[...]
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { start = start.dropFirst(3) }
    start = start.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }
    guard let first = start.first, !start.contains(0) else { return nil }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "/"), !isPath(start) { return .waybar }
    if first == UInt8(ascii: "<") || first == UInt8(ascii: "/") {
      return start.contains(UInt8(ascii: "\n")) || isPath(start) ? .genmon : nil
    }
    if first == UInt8(ascii: "["), isList(start.dropFirst()) { return .waybar }
    return ofLines(String(decoding: start, as: UTF8.self))
  }

  /// Whether settings begin with a property such as `/plugins/plugin-7`.
  private static func isPath(_ start: ArraySlice<UInt8>) -> Bool {
    start.starts(with: "/plugins".utf8) || start.starts(with: "/configver".utf8)
      || start.starts(with: "/panels".utf8)
  }

  /// Whether what stands behind a `[` is an element of a list, and no name of a section.
  private static func isList(_ rest: ArraySlice<UInt8>) -> Bool {
    let next = rest.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0a && $0 != 0x0d }
    return next == UInt8(ascii: "{") || next == UInt8(ascii: "]") || next == UInt8(ascii: "/")
  }

  private static func ofLines(_ text: String) -> ImportFormat? {
    var hasSection = false
    var keys: Set<Substring> = []
    for line in text.split(whereSeparator: \.isNewline).prefix(PluginLimits.importLineCountMax) {
      let line = ShellWords.trimmed(String(line))
      if line.hasPrefix("[") {
        hasSection = true
        if line.hasPrefix("[module/") || line.hasPrefix("[bar/") || line == "[colors]"
          || line.hasPrefix("[global/") || line == "[settings]"
        {
          return .polybar
        }
      } else if !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") {
        keys.insert(line[..<equals])
      }
    }
    if !hasSection, keys.contains("Command") { return .genmon }
    return hasSection || keys.contains("command") ? .i3blocks : nil
  }
}

extension ImportSource {
  /// Reads all modules of settings of a program.
  package func read(_ format: ImportFormat) -> ImportReading {
    switch format {
    case .waybar: WaybarImport.read(self)
    case .i3blocks: BlocksImport.read(self)
    case .polybar: PolybarImport.read(self)
    case .genmon: GenmonImport.read(self)
    }
  }
}
