/// The syntax that desktop entries, `mimeapps.list` and `mimeinfo.cache` share: groups of
/// `key=value`.
///
/// Values stay bytes until a caller asks for one, so a file with one bad translation still works. A
/// line that is no comment, group or pair makes the whole file invalid, as in GLib: half of the
/// associations would be another choice than the person's. Source: Desktop Entry Specification 1.5,
/// "Basic format".
struct KeyFile {
  /// The longest file, in bytes.
  ///
  /// The largest entries in use, with all their translations, have about 100 KiB.
  static let bytesMax = 1 << 20

  private(set) var firstGroup: String?
  private var groups: [String: [String: [UInt8]]] = [:]

  /// Parses a file; `path` is the name that messages use.
  static func parse(_ bytes: [UInt8], path: String) -> Result<KeyFile, LaunchRefusal> {
    guard bytes.count <= bytesMax else {
      return .failure(
        LaunchRefusal(
          .noHandler, "\(path) has \(bytes.count) bytes; at most \(bytesMax) are read"))
    }
    var file = KeyFile()
    var group: String?
    for (index, line) in bytes.split(separator: Byte.lineFeed, omittingEmptySubsequences: false)
      .enumerated()
    {
      let line = trimmedStart(line.last == Byte.carriageReturn ? line.dropLast() : line)
      guard let first = line.first, first != Byte.hash else { continue }
      if let name = groupName(line) {
        group = name
        if file.firstGroup == nil { file.firstGroup = name }
      } else if let group, let pair = pair(line) {
        file.groups[group, default: [:]][pair.key] = pair.value
      } else {
        let place = group == nil ? "before the first [group]" : "in [\(group ?? "")]"
        return .failure(
          LaunchRefusal(
            .noHandler,
            "\(path):\(index + 1): expected key=value or [group] \(place), found '\(shown(line))'"))
      }
    }
    return .success(file)
  }

  /// Returns the value as it is in the file; of a repeated key the last value counts.
  func bytes(_ key: String, in group: String) -> [UInt8]? { groups[group]?[key] }

  /// Returns a value of type string, with its escapes resolved.
  ///
  /// `nil` when absent, not UTF-8, or with a NUL inside.
  func string(_ key: String, in group: String) -> String? {
    guard let raw = bytes(key, in: group) else { return nil }
    return Self.text(Self.unescaped(raw))
  }

  /// Returns a boolean value: `true` and `1` are true, any other text is false.
  func boolean(_ key: String, in group: String) -> Bool {
    let value = string(key, in: group)
    return value == "true" || value == "1"
  }

  /// Returns a list, whose items end at `;`; in an item, `\;` stands for `;`.
  ///
  /// Empty items are left out.
  func list(_ key: String, in group: String) -> [String] {
    guard let raw = bytes(key, in: group) else { return [] }
    var items: [String] = []
    var item: [UInt8] = []
    func end() {
      if !item.isEmpty, let text = Self.text(Self.unescaped(item)) { items.append(text) }
      item = []
    }
    var index = 0
    while index < raw.count {
      let byte = raw[index]
      index += 1
      if byte == Byte.semicolon {
        end()
      } else if byte == Byte.backslash, index < raw.count {
        if raw[index] != Byte.semicolon { item.append(byte) }
        item.append(raw[index])
        index += 1
      } else {
        item.append(byte)
      }
    }
    end()
    return items
  }

  /// Resolves `\s \n \t \r \\`.
  ///
  /// A backslash before any other byte stays, as in GLib: a single `\$` inside `Exec` is common.
  static func unescaped(_ raw: [UInt8]) -> [UInt8] {
    guard raw.contains(Byte.backslash) else { return raw }
    var result: [UInt8] = []
    result.reserveCapacity(raw.count)
    var index = 0
    while index < raw.count {
      let byte = raw[index]
      index += 1
      guard byte == Byte.backslash, index < raw.count else {
        result.append(byte)
        continue
      }
      switch raw[index] {
      case UInt8(ascii: "s"): result.append(Byte.space)
      case UInt8(ascii: "n"): result.append(Byte.lineFeed)
      case UInt8(ascii: "t"): result.append(Byte.tab)
      case UInt8(ascii: "r"): result.append(Byte.carriageReturn)
      case Byte.backslash: result.append(Byte.backslash)
      case let other:
        result.append(byte)
        result.append(other)
      }
      index += 1
    }
    return result
  }

  private static func text(_ bytes: [UInt8]) -> String? {
    bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
  }

  /// Returns the name of a group line, `[name]` followed by blanks at most; `nil` for another line.
  private static func groupName(_ line: ArraySlice<UInt8>) -> String? {
    let line = trimmedEnd(line)
    guard line.count > 2, line.first == UInt8(ascii: "["), line.last == UInt8(ascii: "]") else {
      return nil
    }
    let name = line.dropFirst().dropLast()
    guard !name.contains(UInt8(ascii: "[")), !name.contains(UInt8(ascii: "]")) else { return nil }
    return text(Array(name))
  }

  private static func pair(_ line: ArraySlice<UInt8>) -> (key: String, value: [UInt8])? {
    guard let equals = line.firstIndex(of: UInt8(ascii: "=")),
      let key = text(Array(trimmedEnd(line[..<equals]))), !key.isEmpty
    else { return nil }
    return (key, Array(trimmedEnd(trimmedStart(line[(equals + 1)...]))))
  }

  private static func trimmedStart(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.drop { Byte.isBlank($0) }
  }

  private static func trimmedEnd(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line
    while let last = line.last, Byte.isBlank(last) { line.removeLast() }
    return line
  }

  private static func shown(_ line: ArraySlice<UInt8>) -> String {
    String(decoding: line.prefix(40).filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
  }

  /// The bytes that the grammar of these files uses.
  enum Byte {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let doubleQuote: UInt8 = 0x22
    static let hash: UInt8 = 0x23
    static let dollar: UInt8 = 0x24
    static let percent: UInt8 = 0x25
    static let singleQuote: UInt8 = 0x27
    static let semicolon: UInt8 = 0x3B
    static let backslash: UInt8 = 0x5C
    static let backquote: UInt8 = 0x60

    /// Returns whether the byte is a space or a tab, which may surround a key, a value or a word.
    static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }
  }
}
