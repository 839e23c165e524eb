import JSON

/// The JSON object that a module of Waybar or a block of i3blocks prints in one line.
struct BarObject {
  let object: JSONObject
  /// The text from the object on, to find the lines of its members.
  private let text: String
  /// The line on which it begins, from 1.
  private let firstLine: Int

  /// Returns the line of a member; that of the object for one that is written with escapes.
  ///
  /// O(bytes); only for a message.
  func line(of key: String) -> Int {
    let (text, name) = (Array(text.utf8), Array("\"\(key)\"".utf8))
    guard text.count >= name.count else { return firstLine }
    var line = firstLine
    for start in 0...(text.count - name.count) {
      if text[start] == name[0], text[start..<start + name.count].elementsEqual(name) {
        return line
      }
      if text[start] == 0x0A { line += 1 }
    }
    return firstLine
  }

  /// Returns the object of an output; `nil`: it is none, and is text.
  ///
  /// It is looked for where the first character is a brace. The program reads one line; here an
  /// object in several lines is read, too. Bytes that are no UTF-8 are replaced.
  static func read(_ output: [UInt8], into reading: inout PluginReading) -> BarObject? {
    let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
    let firstLine = 1 + output.prefix { blanks.contains($0) }.count { $0 == 0x0A }
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
      return BarObject(object: object, text: String(line), firstLine: firstLine)
    }
    do throws(JSONError) {
      let object = try JSONValue(parsing: text).objectValue
      reading.warn("the object stands in several lines; the bar itself reads only the first")
      return object.map { BarObject(object: $0, text: text, firstLine: firstLine) }
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

  /// Returns the known name that was meant; `nil`: none is near.
  ///
  /// A name with a known one as its last word is near, too: `full_text` where the bar reads `text`.
  static func meant(_ key: String, _ known: [String]) -> String? {
    nearest(to: key, among: known, countMax: 1).first
      ?? known.first { $0.utf8.count > 2 && key.hasSuffix("_\($0)") }
  }
}
