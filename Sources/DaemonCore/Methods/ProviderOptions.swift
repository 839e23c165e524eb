package import IntentRouter
package import JSON

/// The answer of a provider that was asked for the values of a parameter:
/// `{"options": [TEXT | {"value": …, "title": TEXT} | {"identifier": TEXT, "display": TEXT}]}`.
package enum ProviderOptions {
  /// Why an answer has no usable options.
  package struct Problem: Error, Hashable, Sendable {
    /// Follows the name of the provider: "its answer has no list 'options'".
    package var message: String
  }

  /// Reads the options; each has a title, which a person reads and says.
  package static func read(_ answer: JSONValue) -> Result<[ResolutionChoice], Problem> {
    func wrong(_ message: String) -> Result<[ResolutionChoice], Problem> {
      .failure(Problem(message: message))
    }
    guard let elements = answer["options"]?.arrayValue else {
      return wrong("its answer has no list 'options'")
    }
    guard elements.count <= Limits.optionCountMax else {
      return wrong("it has \(elements.count) options; at most \(Limits.optionCountMax) are taken")
    }
    var options: [ResolutionChoice] = []
    for (index, element) in elements.enumerated() {
      let title =
        element.stringValue ?? element["title"]?.stringValue ?? element["display"]?.stringValue
        ?? element["identifier"]?.stringValue ?? element["value"]?.stringValue
      guard let title, !title.isEmpty, title.utf8.count <= Limits.optionTitleBytesMax else {
        return wrong(
          "option \(index + 1) has no title of at most \(Limits.optionTitleBytesMax) bytes")
      }
      options.append(ResolutionChoice(value: element["value"] ?? element, title: title))
    }
    return .success(options)
  }
}
