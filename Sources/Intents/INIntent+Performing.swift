import FoundationAdditions

extension INIntent {
  /// The last response of a handler, as values.
  public struct _Answer: Hashable, Sendable {
    /// The name of the code.
    package var code: String
    /// Whether the intent was done.
    package var isDone: Bool
    /// The sentence of the code for the person; `nil`: the definition file has none.
    package var sentence: String?
    /// The values of the response's parameters.
    package var values: [String: Value]

    init(_ response: INIntentResponse) {
      code = response._code
      isDone = Self.doneCodes.union(response._successes).contains(response._code)
      values = response._values
      sentence = response._sentences[response._code].map { [values] sentence in
        Self.filled(sentence, with: values)
      }
    }

    /// A response that no handler set a code of says nothing against it.
    private static let doneCodes: Set<String> = [
      "unspecified", "ready", "continueInApp", "inProgress", "success",
    ]

    /// Puts values in the places of `${name}`; one that is missing leaves nothing.
    private static func filled(_ sentence: String, with values: [String: Value]) -> String {
      var text = ""
      var rest = sentence[...]
      while let start = rest.firstRange(of: "${") {
        text += rest[..<start.lowerBound]
        rest = rest[start.upperBound...]
        guard let end = rest.firstIndex(of: "}") else { return text + "${" + rest }
        text += values[String(rest[..<end])]?.words ?? ""
        rest = rest[rest.index(after: end)...]
      }
      return text + rest
    }
  }

  /// Asks a handler to confirm and, unless it refuses, to handle; each of its completions counts once.
  public static func _answer<Response: INIntentResponse>(
    to completion: @escaping @Sendable (_Answer) -> Void,
    confirm: (@escaping (Response) -> Void) -> Void,
    handle: @escaping (@escaping (Response) -> Void) -> Void
  ) {
    let confirmed = FirstCall()
    confirm { response in
      guard confirmed.isFirst() else { return }
      let answer = _Answer(response)
      guard answer.isDone else { return completion(answer) }
      let handled = FirstCall()
      handle { response in
        if handled.isFirst() { completion(_Answer(response)) }
      }
    }
  }
}

extension INIntent.Value {
  /// The value in words for a person.
  fileprivate var words: String {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .boolean(let truth): String(truth)
    case .list(let values): values.map(\.words).joined(separator: ", ")
    case .fields(let parts): (parts["display"] ?? parts["identifier"])?.words ?? ""
    case .none: ""
    }
  }
}
