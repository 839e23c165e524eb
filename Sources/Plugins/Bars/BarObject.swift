import JSON

/// The JSON object that a module of Waybar or a block of i3blocks prints in one line.
enum BarObject {
  /// Returns the object of an output; `nil`: it is none, and is text.
  ///
  /// It is looked for where the first character is a brace. The program reads one line; here an
  /// object in several lines is read, too. Bytes that are no UTF-8 are replaced.
  static func read(_ output: [UInt8], into reading: inout PluginReading) -> JSONObject? {
    let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
    var output = output.drop { blanks.contains($0) }
    guard output.first == UInt8(ascii: "{") else { return nil }
    // What follows the object is not read, and may be as long as any output.
    let first = output.prefix { $0 != 0x0A }
    guard first.count <= PluginLimits.objectBytesMax else {
      reading.warn(
        "the object has \(first.count) bytes; at most \(PluginLimits.objectBytesMax) are read")
      return nil
    }
    let isLong = output.count > PluginLimits.objectBytesMax
    if isLong { output = first }
    var text = String(decoding: output, as: UTF8.self)
    if String(validating: output, as: UTF8.self) == nil {
      reading.warn("the object is not UTF-8; the bytes that are not are replaced")
    }
    if text.utf8.contains(0) {
      reading.warn("the object has NUL bytes, which are left out")
      text.unicodeScalars.removeAll { $0 == "\0" }
    }
    let line = text.prefix { !$0.isNewline }
    let rest = text[line.endIndex...]
    if let object = parse(String(line)) {
      if isLong || rest.contains(where: { !$0.isWhitespace }) {
        reading.warn(line: 2, "only the first line of an output of JSON is read")
      }
      return object
    }
    do throws(JSONError) {
      let object = try JSONValue(parsing: text).objectValue
      reading.warn("the object stands in several lines; the bar itself reads only the first")
      return object
    } catch {
      reading.warn(
        line: 1,
        "the output begins like an object, but is no JSON: \(error.message);"
          + " it is shown as text")
      return nil
    }
  }

  private static func parse(_ line: String) -> JSONObject? {
    // Why it is none is found out with the whole output.
    guard case .success(let value) = Result(catching: { try JSONValue(parsing: line) }) else {
      return nil
    }
    return value.objectValue
  }

  /// Returns a member as text: programs write numbers and flags where text is meant.
  static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: ""
    case .string(let text): text
    default: value.serialized
    }
  }

  /// Returns a value for a message, cut after 60 characters.
  static func quoted(_ value: JSONValue) -> String {
    let text = value.serialized
    return text.count > 60 ? text.prefix(60) + "…" : text
  }

  /// Returns "; did you mean …", or nothing.
  static func meant(_ key: String, _ known: [String]) -> String {
    didYouMean(nearest(to: key, among: known, countMax: 1))
  }
}
