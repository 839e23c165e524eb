/// A line of a menu, split: `--text | key=value key='a b' | key="c"`.
///
/// A title may have pipes of its own (`docker ps | head | color=red`): the line is split at the
/// first pipe behind which everything is parameters. That is so where the first word is `key=…`
/// with a key that exists, or where every word is `key=value` and one of the keys exists or nearly
/// does. A line without such a pipe is text as a whole.
struct MenuLine: Hashable {
  struct Parameter: Hashable {
    /// In lower case: SwiftBar's keys have no case, and a key of another case means the same in the
    /// others.
    var key: String
    var value: String
  }

  /// The text with its dashes, up to the pipe.
  private(set) var text: String
  private(set) var parameters: [Parameter] = []
  /// Words between the parameters that are none.
  private(set) var strays: [String] = []
  /// Whether there is a pipe before something like parameters that no key makes one.
  private(set) var hasUnknownTail = false

  /// Splits a line; O(length).
  ///
  /// With `hasShellQuotes` a backslash in double quotes escapes what it does in a shell, as in
  /// Argos; else only a quote, since xbar and SwiftBar keep every other backslash.
  init(_ line: String, hasShellQuotes: Bool = false) {
    let bytes = Array(line.utf8)
    text = line
    var attempts = 0
    var index = 0
    while let pipe = bytes[index...].firstIndex(of: UInt8(ascii: "|")) {
      let start = Words.skip(bytes, from: pipe + 1)
      if start == bytes.count {
        // Nothing behind it: parameters, but none.
        text = String(decoding: bytes[..<pipe], as: UTF8.self)
        return
      }
      // Each attempt reads the rest, so that their number is limited.
      if Words.key(bytes, at: start) != nil, attempts < PluginLimits.menuPipeCountMax {
        attempts += 1
        var words = Words(bytes, from: start, hasShellQuotes: hasShellQuotes)
        words.readAll()
        if words.areParameters {
          text = String(decoding: bytes[..<pipe], as: UTF8.self)
          parameters = words.parameters
          strays = words.strays
          return
        }
        hasUnknownTail = hasUnknownTail || words.strays.isEmpty
      }
      index = start
    }
  }
}

/// The words behind a pipe.
private struct Words {
  let bytes: [UInt8]
  let hasShellQuotes: Bool
  var index: Int
  var parameters: [MenuLine.Parameter] = []
  var strays: [String] = []
  var beginsWithStray = false

  init(_ bytes: [UInt8], from index: Int, hasShellQuotes: Bool) {
    self.bytes = bytes
    self.hasShellQuotes = hasShellQuotes
    self.index = index
  }

  /// Whether these are the parameters of a line.
  var areParameters: Bool {
    guard let first = parameters.first, !beginsWithStray else { return false }
    if MenuKey.isKnown(first.key) { return true }
    guard strays.isEmpty else { return false }
    // Looking for near keys takes a while, and a line may have thousands of words.
    return parameters.contains { MenuKey.isKnown($0.key) }
      || parameters.prefix(8).contains { MenuKey.nearest(to: $0.key) != nil }
  }

  mutating func readAll() {
    while index < bytes.count {
      if let equals = Self.key(bytes, at: index) {
        let key = String(decoding: bytes[index..<equals], as: UTF8.self).lowercased()
        index = equals + 1
        parameters.append(MenuLine.Parameter(key: key, value: value()))
      } else {
        if parameters.isEmpty { beginsWithStray = true }
        let end = bytes[index...].firstIndex { Self.isBlank($0) } ?? bytes.count
        strays.append(String(decoding: bytes[index..<end], as: UTF8.self))
        index = end
      }
      index = Self.skip(bytes, from: index)
    }
  }

  /// Reads a value, quoted or up to a blank.
  private mutating func value() -> String {
    var value: [UInt8] = []
    if index < bytes.count, bytes[index] == UInt8(ascii: "'") || bytes[index] == UInt8(ascii: "\"")
    {
      let quote = bytes[index]
      index += 1
      while index < bytes.count, bytes[index] != quote {
        if quote == UInt8(ascii: "\""), bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count
        {
          let next = bytes[index + 1]
          let isEscape = next == quote || hasShellQuotes && #"\$`"#.utf8.contains(next)
          if !isEscape { value.append(bytes[index]) }
          value.append(next)
          index += 2
        } else {
          value.append(bytes[index])
          index += 1
        }
      }
      // A quote that is not closed ends with the line.
      index = min(index + 1, bytes.count)
    }
    while index < bytes.count, !Self.isBlank(bytes[index]), !isDivider {
      value.append(bytes[index])
      index += 1
    }
    return String(decoding: value, as: UTF8.self)
  }

  /// Whether a pipe stands here that divides parameters, as in `color=red|size=5` or `color=red| `;
  /// any other one is a part of the value, as in a URL.
  private var isDivider: Bool {
    guard bytes[index] == UInt8(ascii: "|") else { return false }
    let next = index + 1
    guard next < bytes.count, !Self.isBlank(bytes[next]) else { return true }
    guard let equals = Self.key(bytes, at: next) else { return false }
    return MenuKey.isKnown(String(decoding: bytes[next..<equals], as: UTF8.self).lowercased())
  }

  /// Returns the place of the `=` of a word `key=…` that begins at `index`; `nil`: it is none.
  static func key(_ bytes: [UInt8], at index: Int) -> Int? {
    guard index < bytes.count, (bytes[index] | 0x20) >= 97, (bytes[index] | 0x20) <= 122 else {
      return nil
    }
    for place in index..<min(index + PluginLimits.menuKeyBytesMax, bytes.count) {
      switch bytes[place] {
      case UInt8(ascii: "="): return place
      case 48...57, 65...90, 97...122, UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
        continue
      default: return nil
      }
    }
    return nil
  }

  /// Returns the place of the first byte that is neither blank nor a pipe.
  static func skip(_ bytes: [UInt8], from index: Int) -> Int {
    bytes[index...].firstIndex { !isBlank($0) && $0 != UInt8(ascii: "|") } ?? bytes.count
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
}
