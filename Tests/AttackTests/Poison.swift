import DaemonTestSupport
import Foundation
import JSON
import Testing

/// Texts with which a hostile provider, manifest or daemon would take over a terminal.
enum Poison {
  /// Sets the clipboard, clears the screen, sets a colour that this project uses too; the eight-bit
  /// form of a colour; DEL, a backspace and a carriage return; bidi controls, open and closed;
  /// zero-width and tag characters; a line separator.
  static let text =
    "\u{1B}]52;c;QVRUQUNL\u{7}\u{1B}[2J\u{1B}[31mX\u{9B}31m\u{7F}\u{8}\r\u{202E}gpj\u{202C}"
    + "\u{2066}y\u{2069}\u{61C}\u{200B}\u{2060}\u{FEFF}\u{AD}\u{E0001}\u{E0041}\u{2028}\u{FFF9}"

  /// The same as a double-quoted scalar of YAML writes it.
  static let yaml =
    #"\e]52;c;QVRUQUNL\a\e[2J\e[31mX\x9B31m\x7F\b\r\u202Egpj\u202C\u2066y\u2069\u061C"#
    + #"\u200B\u2060\uFEFF\xAD\U000E0001\U000E0041\u2028\uFFF9"#

  /// The same as `printf` of a shell writes it, in octal bytes.
  static let shell = text.utf8.map { "\\\(String($0, radix: 8).leftPadded(to: 3))" }.joined()

  /// Returns what a terminal would act on, or would not show, in the bytes that a program wrote.
  ///
  /// With `drawing`, what this project writes to a terminal is fine: the sequences of its colours,
  /// and of `watch`. A colour is not, where it is the one of the poison.
  static func problems(in output: String, drawing: Bool = false) -> [String] {
    var rest = output
    if drawing {
      if rest.contains("\u{1B}[31mX") { return ["the colour of the poison"] }
      rest = rest.replacing(
        /\u{1B}\[(?:(?:0|1|2|7|31|32|33)m|2J|K|[0-9]+;1H|\?(?:7|25|1049)[hl])/, with: "")
    }
    return rest.unicodeScalars.compactMap { scalar in
      let properties = scalar.properties
      let isControl = properties.generalCategory == .control && scalar != "\n"
      let isHidden =
        properties.isDefaultIgnorableCodePoint || properties.isBidiControl
        || properties.generalCategory == .format
        || scalar == "\u{2028}" || scalar == "\u{2029}"
      guard isControl || isHidden else { return nil }
      return "U+\(String(scalar.value, radix: 16, uppercase: true))"
    }
  }

  /// Expects that a program wrote no poison to its standard output and error, raw or invisible.
  static func expectNone(
    in program: Program, _ arguments: [String], _ sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectNone(in: program.output, arguments, sourceLocation)
    expectNone(in: program.errors, arguments, sourceLocation)
  }

  /// Expects that `output`, of a program with these arguments, has no poison in it.
  static func expectNone(
    in output: String, _ arguments: [String], _ sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let problems = Set(problems(in: output))
    #expect(problems == [], "\(arguments): \(output)", sourceLocation: sourceLocation)
  }

  /// Letters of the poison that are plain text: output without them shows nothing of it.
  static let plainRest = "gpj"

  /// Returns a value with poison at the end of each string and in a further member of each object.
  ///
  /// With `keepsWords` the words that decide how something is shown stay as they are: dates, and
  /// states and their like. Otherwise a program would often print only that it cannot read them.
  static func into(_ value: JSONValue, keepsWords: Bool, key: String = "") -> JSONValue {
    switch value {
    case .string(let text):
      let isWord = decidingKeys.contains(key) || text.firstMatch(of: /^\d{4}-\d\d-\d\dT/) != nil
      return keepsWords && isWord ? value : .string(text + Poison.text)
    case .array(let values):
      return .array(values.map { into($0, keepsWords: keepsWords, key: key) })
    case .object(let object):
      var poisoned = JSONObject(
        object.members.map {
          .init(key: $0.key, value: into($0.value, keepsWords: keepsWords, key: $0.key))
        })
      poisoned["more" + Poison.text] = .string(Poison.text)
      return .object(poisoned)
    case .null, .bool, .int, .double: return value
    }
  }

  private static let decidingKeys: Set<String> = [
    "state", "event", "cause", "reason", "severity", "type", "policy", "style", "protocol",
    "family", "undone",
  ]
}

extension String {
  fileprivate func leftPadded(to count: Int) -> String {
    String(repeating: "0", count: max(0, count - self.count)) + self
  }
}
