package import JSON
import PlainText

/// The words with which the page answers an act of the person: of the daemon, and of the programs
/// that it asked.
package enum PageWords {
  /// Returns what the page shows of an answer to an act: what programs said, and what is asked.
  ///
  /// ```
  /// {"said": ["It is 5."], "question": {"prompt", "token"}}
  /// ```
  ///
  /// Both may be absent. Each text is a line as `line` makes it; of several that followed one
  /// another at most `WebLimits.wordsCountMax` are told.
  package static func of(_ answer: JSONValue) -> JSONValue {
    var shown = JSONObject()
    if let performed = answer["performed"] {
      let steps = [performed] + (performed["next"]?.arrayValue ?? [])
      let said = steps.compactMap { $0["message"]?.stringValue ?? $0["dialog"]?.stringValue }
      shown["said"] = .array(said.prefix(WebLimits.wordsCountMax).map { .string(line($0)) })
    }
    if let prompt = answer["needs"]?["prompt"]?.stringValue,
      let token = answer["needs"]?["token"]?.stringValue
    {
      shown["question"] = ["prompt": .string(line(prompt)), "token": .string(line(token))]
    }
    return .object(shown)
  }

  /// Returns `text` as one line that is safe to show.
  ///
  /// It has at most `WebLimits.wordsCharacterCountMax` characters. O(length).
  package static func line(_ text: String) -> String {
    let line = printable(text)
    guard line.count > WebLimits.wordsCharacterCountMax else { return line }
    return line.prefix(WebLimits.wordsCharacterCountMax - 1) + "…"
  }
}
