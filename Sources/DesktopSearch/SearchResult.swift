import JSON
import PlainText

/// One result of a search: a sentence, or a sentence and the answer to the question that it asks.
struct SearchResult: Hashable {
  /// Says by itself what is to be done, so that a result can be chosen after a restart.
  var id: String
  var name: String
  var description = ""
  /// The name of an icon of the desktop's theme.
  var icon = ThemedIcon.usual
  /// Whether it is what was typed, or its beginning; false: a slip was forgiven.
  var isExact = true

  /// The parts of an id: lines of the sentence, its language, and the choice in JSON.
  struct Identity {
    var sentence: String
    /// `nil`: any of the person's.
    var language: String?
    /// The answer to the question that the sentence asks; `nil`: it asks none.
    var choice: JSONValue?

    init(sentence: String, language: String?, choice: JSONValue? = nil) {
      self.sentence = sentence
      self.language = language
      self.choice = choice
    }

    /// Reads an id, which anybody on the bus can have made.
    init?(id: String) {
      guard id.utf8.count <= DesktopLimits.idBytesMax else { return nil }
      let lines = id.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        .map { String($0) }
      guard lines.count <= 3, lines[0].contains(where: { !$0.isWhitespace }),
        lines[0].unicodeScalars.count <= DesktopLimits.queryLengthMax
      else { return nil }
      sentence = String(lines[0])
      if lines.count > 1, !lines[1].isEmpty {
        guard lines[1].utf8.count <= 35,
          lines[1].utf8.allSatisfy({ byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
              || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-")
          })
        else { return nil }
        language = String(lines[1])
      }
      guard lines.count > 2 else { return }
      do throws(JSONError) { choice = try JSONValue(parsing: String(lines[2])) } catch {
        return nil
      }
      switch choice {
      case .string, .int, .double, .bool: break
      default: return nil
      }
    }

    var id: String {
      var id = sentence
      if language != nil || choice != nil { id += "\n\(language ?? "")" }
      if let choice { id += "\n\(choice.serialized)" }
      return id
    }
  }

  init(id: String, name: String) {
    self.id = id
    self.name = Self.shown(name)
  }

  /// The result that an id means, as far as it says.
  init?(id: String) {
    guard let identity = Identity(id: id) else { return nil }
    var name = identity.sentence
    if let choice = identity.choice, choice != true {
      name += ": \(choice.stringValue ?? choice.serialized)"
    }
    self.init(id: id, name: name)
  }

  // MARK: - From completions

  /// The results of an answer to `intent.complete`.
  static func results(of answer: JSONValue?) -> [SearchResult] {
    var results: [SearchResult] = []
    for completion in answer?["completions"]?.arrayValue ?? [] {
      for result in Self.results(ofCompletion: completion)
      where results.count < DesktopLimits.resultCountMax
        && !results.contains(where: { $0.name == result.name })
      {
        results.append(result)
      }
    }
    return results
  }

  private static func results(ofCompletion completion: JSONValue) -> [SearchResult] {
    // By scalars: a carriage return and a line feed are one character.
    guard let sentence = completion["sentence"]?.stringValue,
      !sentence.unicodeScalars.contains(where: { $0 == "\n" || $0 == "\r" })
    else { return [] }
    let language = completion["language"]?.stringValue
    let isExact = completion["changes"] == nil
    guard let need = completion["needs"] else {
      var result = SearchResult(
        id: Identity(sentence: sentence, language: language).id, name: sentence.trimmed)
      result.isExact = isExact
      if let content = completion["content"] {
        result.description = shown(Self.words(of: content, beside: sentence))
        result.icon = ThemedIcon.name(for: content)
      }
      return [result]
    }
    let prompt = need["prompt"]?.stringValue ?? ""
    if need["reason"]?.stringValue == "confirmation", need["choices"] == nil {
      // A sentence with a slip is not offered with its yes: the person types it in full.
      guard isExact else { return [] }
      // The question is what the result shows, so choosing it is the yes.
      var result = SearchResult(
        id: Identity(sentence: sentence, language: language, choice: true).id, name: sentence)
      result.description = shown(prompt)
      // Never the first choice of a search: Enter alone would be the yes.
      result.isExact = false
      return [result]
    }
    // A sentence that stops before words of the person has nothing to choose.
    guard completion["unfinished"]?.boolValue != true else { return [] }
    let choices =
      need["choices"]?.arrayValue?.map { ($0["title"]?.stringValue, $0["value"]) }
      ?? need["values"]?.arrayValue?.map { ($0.stringValue, $0) } ?? []
    return choices.prefix(DesktopLimits.choiceCountMax).compactMap { title, value in
      guard let title, let value, value.objectValue == nil, value.arrayValue == nil, !value.isNull
      else { return nil }
      var result = SearchResult(
        id: Identity(sentence: sentence, language: language, choice: value).id,
        name: "\(sentence.trimmed): \(title)")
      result.description = shown(prompt)
      result.isExact = isExact
      return result
    }
  }

  /// Returns the title and the text of an entry in one line.
  ///
  /// A title that the sentence beside it has is left out: GNOME cuts a description that repeats what
  /// was typed, since the repeated words are bold.
  static func words(of content: JSONValue, beside sentence: String = "") -> String {
    let title = content["title"]?.stringValue ?? ""
    let text = content["text"]?.stringValue ?? content["short"]?.stringValue ?? ""
    if text.isEmpty { return title }
    let isSaid = text.contains(title) || sentence.lowercased().contains(title.lowercased())
    return title.isEmpty || isSaid ? text : "\(title): \(text)"
  }

  /// Makes a text of others one line that is safe to show, of a length that fits.
  static func shown(_ text: String) -> String {
    String(printable(text).prefix(DesktopLimits.shownLengthMax))
  }
}

extension String {
  /// Without the spaces at its end.
  fileprivate var trimmed: String {
    String(reversed().drop { $0.isWhitespace }.reversed())
  }
}
