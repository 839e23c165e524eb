package import JSON
package import Timekeeping

/// Recognises what a program printed in the place of a timeline, and writes the line that it should
/// print.
///
/// Scripts for bars print a text (`CPU 42%`), or an object of their bar (`{"text":"42%"}`).
package enum AnswerAdvice {
  /// Says why `output` is no JSON, and what to print.
  ///
  /// `error` is the reader's; `now` is the moment for which the example is written.
  package static func sentence(
    onOutput output: [UInt8], _ error: JSONError, at now: WallTime?
  ) -> String {
    let text = String(decoding: output.prefix(Limits.judgedOutputBytesMax), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).map { trimmed($0) }.filter { !$0.isEmpty }
    guard let first = lines.first, let last = lines.last else {
      return "it is empty: nothing was printed on standard output; \(advice([:], now))"
    }
    if isPython(text) {
      return "it is not JSON but a Python value; print(json.dumps(answer)) writes JSON"
    }
    if "{[".contains(first.first ?? " ") {
      if error.code == .trailingBytes {
        return
          "it is not JSON alone: '\(short(last))' follows the answer; what is not the answer belongs to standard error (>&2)"
      }
      let line = output.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
      return "it is not JSON: line \(line): \(error.message)"
    }
    if let start = lines.first(where: { $0.hasPrefix("{") }) {
      return
        "it is not JSON alone: '\(short(first))' stands before '\(short(start))'; what is not the answer belongs to standard error (>&2)"
    }
    return
      "it is not JSON but the text '\(short(first))'; \(advice(["text": .string(short(first))], now))"
  }

  /// Says what to print in the place of a JSON value that is no timeline.
  static func sentence(on value: JSONValue, at now: WallTime?) -> String {
    advice(content(of: value), now)
  }

  /// Says what to print in the place of an object that has no list `entries`.
  static func sentence(onKeysOf object: JSONObject, at now: WallTime?) -> String {
    let keys = object.members.map(\.key).filter { $0 != "entries" }
    if let near = nearest(to: "entries", among: keys, countMax: 1).first {
      return "did you mean it by '\(short(near))'?"
    }
    return advice(content(of: .object(object)), now)
  }

  /// Returns an example of an entry's content, with what stands beside the place of the content.
  static func exampleOfContent(in entry: JSONObject) -> String {
    var beside = entry
    beside["date"] = nil
    beside["url"] = nil
    let content = content(of: .object(beside))
    return content.members.isEmpty
      ? "{\"title\":\"…\"}" : JSONValue.object(content).serialized
  }

  private static func advice(_ content: JSONObject, _ now: WallTime?) -> String {
    "print a line such as \(line(content, at: now))"
  }

  /// Returns a whole answer with `content`, which a program may print as it stands.
  private static func line(_ content: JSONObject, at now: WallTime?) -> String {
    let now = now ?? WallTime(rfc3339: "2026-11-20T21:00:00Z") ?? WallTime(milliseconds: 0)
    // Whole seconds, as a shell's date writes them.
    let date = WallTime(seconds: now.milliseconds / 1_000)
    let content = content.members.isEmpty ? ["text": "42%"] : content
    let entry: JSONValue = ["date": .string(date.rfc3339), "content": .object(content)]
    let after = date.advanced(byMilliseconds: 1_800_000)
    let answer: JSONValue = [
      "entries": [entry], "policy": ["after": .string(after.rfc3339)],
    ]
    return answer.serialized
  }

  /// Returns the content that a bar's object, a list of them, a number or a text stands for.
  private static func content(of value: JSONValue) -> JSONObject {
    switch value {
    case .string(let text): return text.isEmpty ? [:] : ["text": .string(short(text))]
    case .int, .double: return ["text": .string(value.serialized)]
    case .array(let values): return values.first.map(content(of:)) ?? [:]
    case .null, .bool: return [:]
    case .object(let object):
      var content: JSONObject = [:]
      for key in ContentModel.keys where key.form != .items {
        let names = [key.name] + key.otherNames
        guard let said = names.lazy.compactMap({ object[$0] }).first(where: { !$0.isNull }),
          let value = key.form.takes(said) ? said : key.form.meant(by: said)
        else { continue }
        content[key.name] = value.stringValue.map { .string(short($0)) } ?? value
      }
      return content
    }
  }

  // MARK: Words

  /// `{'entries': [...]}`, `[{'date': …}]`, or an object with `True` or `None`.
  private static func isPython(_ text: String) -> Bool {
    let start = text.drop { $0.isWhitespace || $0 == "[" || $0 == "{" }
    guard start.startIndex > text.startIndex else { return false }
    return start.hasPrefix("'")
      || [": True", ": False", ": None"].contains { text.contains($0) }
  }

  private static func trimmed(_ line: Substring) -> String {
    var line = line
    while line.first?.isWhitespace ?? false { line.removeFirst() }
    while line.last?.isWhitespace ?? false { line.removeLast() }
    return String(line)
  }

  private static func short(_ text: some StringProtocol) -> String {
    text.count > 60 ? "\(text.prefix(60))…" : String(text)
  }
}
