package import JSON

/// The answer of a program that performed an intent: `{"dialog"?, "value"?, "url"?, "intent"?}`.
///
/// The code has run, so nothing in the answer makes a failure of it: a member that cannot be taken is
/// left out, and `warnings` says why.
package struct PerformAnswer: Hashable, Sendable {
  /// Words for the person, at most `Limits.dialogBytesMax` bytes of UTF-8; `nil`: it has none.
  package var dialog: String?
  /// At most `Limits.performedValueBytesMax` bytes; `nil`: it has none.
  package var value: JSONValue?
  /// The URL as it was written; the caller checks its form.
  package var url: String?
  /// The intent that is to be done next; `nil`: none is.
  package var next: Call?
  /// A sentence for each member that was left out or cut.
  package var warnings: [String] = []

  /// An intent by name, with the values of its parameters.
  package struct Call: Hashable, Sendable {
    package var name: String
    package var parameters: JSONObject
  }

  /// Reads the `result` of a response.
  ///
  /// - Parameter bytes: JSON of any form; bytes that are none count as an answer without members.
  /// - Returns: the members that can be taken.
  package static func read(_ bytes: [UInt8]) -> PerformAnswer {
    var answer = PerformAnswer()
    let result: JSONValue
    do throws(JSONError) {
      result = try JSONValue(parsing: bytes)
    } catch {
      answer.warnings.append("its answer is not JSON: \(error.message)")
      return answer
    }
    guard let members = result.objectValue else {
      if !result.isNull {
        answer.warnings.append("its answer is \(result.typeName); expected an object")
      }
      return answer
    }
    answer.readDialog(members["dialog"])
    answer.readValue(members["value"])
    answer.readURL(members["url"])
    answer.readNext(members["intent"])
    return answer
  }

  private mutating func readDialog(_ value: JSONValue?) {
    guard let value, !value.isNull else { return }
    guard let text = value.stringValue else {
      warnings.append("dialog is \(value.typeName) and was left out; expected a text")
      return
    }
    guard !text.isEmpty else { return }
    dialog = Self.cut(text, to: Limits.dialogBytesMax)
    if dialog != text {
      warnings.append(
        "dialog has \(text.utf8.count) bytes and was cut; at most \(Limits.dialogBytesMax) are shown"
      )
    }
  }

  private mutating func readValue(_ given: JSONValue?) {
    guard let given, !given.isNull else { return }
    guard !given.isLarger(than: Limits.performedValueBytesMax) else {
      warnings.append(
        "value has more than \(Limits.performedValueBytesMax) bytes and was left out")
      return
    }
    value = given
  }

  private mutating func readURL(_ value: JSONValue?) {
    guard let value, !value.isNull else { return }
    guard let text = value.stringValue, !text.isEmpty else {
      warnings.append("url is \(value.typeName) and was left out; expected a URL")
      return
    }
    url = text
  }

  private mutating func readNext(_ value: JSONValue?) {
    guard let value, !value.isNull else { return }
    guard ItemAct.isIntent(value), let name = value["name"]?.stringValue,
      name.utf8.count <= Limits.intentNameBytesMax
    else {
      warnings.append(
        "intent was left out; expected an object such as {\"name\":\"ShowWeather\",\"parameters\":{}}"
      )
      return
    }
    let parameters = value["parameters"]?.objectValue ?? [:]
    guard !JSONValue.object(parameters).isLarger(than: Limits.performedValueBytesMax) else {
      warnings.append(
        "the parameters of intent have more than \(Limits.performedValueBytesMax) bytes, and it was"
          + " left out")
      return
    }
    next = Call(name: name, parameters: parameters)
  }

  /// Returns as many whole characters as fit into `most` bytes, with "…" where some are missing.
  ///
  /// A character has no largest size, because marks without number pile up on it: of one with more
  /// than `Limits.characterBytesMax` bytes its first scalars stay, as many as fit into that.
  package static func cut(_ text: String, to most: Int) -> String {
    guard text.utf8.count > most else { return text }
    let mark = "…"
    var kept = ""
    var count = mark.utf8.count
    for character in text {
      let character = shortened(character)
      count += character.utf8.count
      guard count <= most else { break }
      kept += character
    }
    return kept + mark
  }

  private static func shortened(_ character: Character) -> String {
    let most = Limits.characterBytesMax
    guard character.utf8.count > most else { return String(character) }
    var kept = String.UnicodeScalarView()
    var count = 0
    for scalar in character.unicodeScalars {
      count += UTF8.width(scalar)
      guard count <= most else { break }
      kept.append(scalar)
    }
    return String(kept)
  }
}

/// The end of a run that performed an intent, as a person needs to know it.
package enum PerformEnd: Hashable, Sendable {
  case done(PerformAnswer)
  /// The program says that it did not do it, or never began: the reason for the person.
  case failed(String)
  /// Nobody knows how much of it was done: what happened.
  case unknown(String)

  /// Judges a run that brought no answer; `timedOut`: the milliseconds that it had, if they passed.
  package init(_ failure: ProviderFailure, timedOut: Int64?) {
    switch failure.reason {
    case .refused(let words), .reported(let words):
      self = .failed(PerformAnswer.cut(words, to: Limits.performFailureBytesMax))
    case .notStarted, .notBoxed, .changed:
      self = .failed(Self.sentence(failure))
    case .cancelled where timedOut != nil:
      var failure = failure
      failure.reason = .timedOut(after: timedOut ?? 0)
      self = .unknown(Self.sentence(failure))
    case .exited, .signaled, .timedOut, .tooMuchOutput, .overLimit, .unsupervised, .badAnswer,
      .cancelled, .crowdedOut:
      self = .unknown(Self.sentence(failure))
    }
  }

  private static func sentence(_ failure: ProviderFailure) -> String {
    let said = failure.stderr.map { ": \($0)" } ?? ""
    return PerformAnswer.cut(failure.message + said, to: Limits.performFailureBytesMax)
  }
}
