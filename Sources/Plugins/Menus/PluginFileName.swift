/// The meaning of the name of a file in a plugins folder: `name[.position].interval[+].ext`.
///
/// ```
/// cpu.5s.sh            a kind `cpu`, every five seconds
/// 010-load.1h30m.py    a kind `load`, every 90 minutes; the number in front only sorts
/// mail.l.5m+.sh        every five minutes and when its menu is opened (Argos), at the left
/// ```
///
/// The interval is the last part between dots that is numbers with units (`ms`, `s`, `m`, `h`,
/// `d`); for SwiftBar the shortest one. Without one, xbar runs a script every minute, SwiftBar and
/// Argos once. Source: the READMEs of the three; docs/PLUGINS.md lists the differences.
package struct PluginFileName: Hashable, Sendable {
  /// The name of the kind: letters, digits, `-` and `_`; never empty.
  package var name: String
  package var schedule: PluginSchedule
  /// Whether the name has an interval, or its family's default stands.
  package var hasInterval = false
  /// Whether a look at its menu runs it, too: a `+` behind the interval.
  package var runsWhenOpened = false
  /// The place in Argos' bar, such as `l` or `10r`; `nil`: none is given.
  package var position: String?
  /// Something in the name that is read in another way than its author may have meant; a sentence
  /// without its period.
  package var warning: String?

  /// The reason for which a file is no plugin.
  package enum Rejection: Error, Hashable, Sendable {
    /// The name begins with a dot.
    case hidden
    /// The name ends with `.off`: somebody turned it off.
    case turnedOff
    /// It holds the values of variables, or other JSON.
    case values
    /// It is a text about the folder: `.md`, `.txt`, `.swiftbarignore`.
    case text
    /// Nothing of the name is a letter or a digit.
    case nameless
  }

  /// Reads the name of a file; it has no folder.
  ///
  /// An interval below `PluginLimits.intervalMillisecondsMin` or above `PluginLimits.intervalMillisecondsMax` is clamped,
  /// with a warning. O(length).
  package static func read(
    _ file: String, _ format: PluginFormat
  ) -> Result<PluginFileName, Rejection> {
    if let rejection = rejection(of: file) { return .failure(rejection) }
    let segments = file.split(separator: ".", omittingEmptySubsequences: false)
    guard let name = kindName(String(segments[0])) else { return .failure(.nameless) }
    var result = PluginFileName(
      name: name, schedule: format == .xbar ? .every(60_000) : .once)
    // The last segment is the extension, unless there is none.
    let middle = Array(segments.dropFirst().dropLast(segments.count > 2 ? 1 : 0))
    let found = middle.indices.compactMap { index in
      Interval(middle[index]).map { (index: index, interval: $0) }
    }
    let chosen =
      format == .swiftbar
      ? found.min { $0.interval.milliseconds < $1.interval.milliseconds } : found.last
    if let chosen {
      let previous = chosen.index > 0 ? middle[chosen.index - 1] : ""
      result.take(chosen.interval, file)
      if isPosition(previous) { result.position = String(previous) }
      if result.warning == nil, isNumber(previous) {
        result.warning =
          "the interval of '\(file)' is '\(middle[chosen.index])', as xbar, SwiftBar and Argos read it;"
          + " a fraction is written in milliseconds, as '1500ms'"
      }
    }
    return .success(result)
  }

  private init(name: String, schedule: PluginSchedule) {
    self.name = name
    self.schedule = schedule
  }

  private mutating func take(_ interval: Interval, _ file: String) {
    hasInterval = true
    runsWhenOpened = interval.hasPlus
    let clamped = min(
      max(interval.milliseconds, PluginLimits.intervalMillisecondsMin),
      PluginLimits.intervalMillisecondsMax)
    schedule = .every(clamped)
    guard clamped != interval.milliseconds else { return }
    warning =
      clamped > interval.milliseconds
      ? "'\(file)' asks for more than one run a second; it is run every second"
      : "'\(file)' asks for an interval above 100 days; it is run every 100 days"
  }

  private static func rejection(of file: String) -> Rejection? {
    let lower = file.lowercased()
    if lower.hasPrefix(".") { return .hidden }
    if lower.hasSuffix(".off") { return .turnedOff }
    if lower.hasSuffix(".json") { return .values }
    if lower.hasSuffix(".md") || lower.hasSuffix(".txt") { return .text }
    return nil
  }

  /// Returns the name of a kind for the first part of a file's name: without the number in front
  /// that only sorts (`010-`), and with `-` for each run of other characters.
  private static func kindName(_ text: String) -> String? {
    var part = text[...]
    let digits = part.prefix { $0.isASCIIDigit }
    let rest = part.dropFirst(digits.count)
    if !digits.isEmpty, let mark = rest.first, mark == "-" || mark == "_",
      rest.dropFirst().contains(where: \.isASCIILetterOrDigit)
    {
      part = rest.dropFirst()
    }
    var name = ""
    for character in part {
      if character.isASCIILetterOrDigit || character == "_" || character == "-" {
        name.append(character)
      } else if name.last != "-" {
        name.append("-")
      }
    }
    while name.hasPrefix("-") { name.removeFirst() }
    while name.hasSuffix("-") { name.removeLast() }
    guard name.contains(where: \.isASCIILetterOrDigit) else { return nil }
    return String(name.prefix(PluginLimits.kindNameCountMax))
  }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.allSatisfy(\.isASCIIDigit)
  }

  /// Argos: an optional number and `l`, `c` or `r`.
  private static func isPosition(_ text: Substring) -> Bool {
    guard let last = text.last, "lcr".contains(last) else { return false }
    return text.dropLast().allSatisfy(\.isASCIIDigit)
  }
}

/// Numbers with units, and perhaps a plus: `5s`, `10ms`, `1h30m`, `5m+`.
struct Interval {
  /// At least 0.
  private(set) var milliseconds: Int64 = 0
  let hasPlus: Bool

  /// Reads a part of a name; `nil` if it is no interval.
  init?(_ text: some StringProtocol) {
    var text = text.lowercased()[...]
    hasPlus = text.last == "+"
    if hasPlus { text.removeLast() }
    guard !text.isEmpty else { return nil }
    while !text.isEmpty {
      let number = text.prefix(while: \.isASCIIDigit)
      text = text.dropFirst(number.count)
      let unit = text.prefix { !$0.isASCIIDigit }
      text = text.dropFirst(unit.count)
      // Nine digits of days still fit into the result many times.
      guard number.utf8.count <= 9, let value = Int64(number), let length = Self.units[String(unit)]
      else { return nil }
      milliseconds = min(milliseconds + value * length, .max / 2)
    }
  }

  private static let units: [String: Int64] = [
    "ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
  ]
}

extension Character {
  var isASCIIDigit: Bool { isASCII && isNumber }
  var isASCIILetterOrDigit: Bool { isASCII && (isNumber || isLetter) }
}
