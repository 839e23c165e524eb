/// A refusal by the router: the mistake in a sentence, a URL or a direct call, and the remedy.
package struct RouterError: Error, Hashable, Sendable {
  /// The sort of a refusal.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    case emptySentence
    case sentenceTooLong
    case sentenceTooComplex
    case unknownIntent
    case unknownParameter
    case missingParameter
    case invalidParameter
    case invalidURL
    case deniedScheme
    case noRoute
    /// A URL of x-callback-url is not as it must be.
    case invalidCallback
    /// Nobody is called back there, or not by this caller.
    case callbackDenied
    /// A verb of a menu bar's plugin host that has no meaning here.
    case unsupportedVerb
    case unknownList
    case tooManyValues
    case invalidValue
  }

  package var code: Code
  /// A sentence for a person: the event, its object and the remedy.
  package var message: String
  /// Names or values that were probably meant, nearest first; the message may repeat the first.
  package var suggestions: [String]

  package init(_ code: Code, _ message: String, suggestions: [String] = []) {
    self.code = code
    self.message = message
    self.suggestions = suggestions
  }
}

extension RouterError {
  /// `unknown intent 'OpneApp'; did you mean 'OpenApp'?`, or with the choices when nothing is near.
  static func unknown(
    _ code: Code, _ what: String, _ name: String, among names: [String]
  ) -> RouterError {
    let near = nearestNames(to: name, in: names)
    let hint: String
    if let first = near.first {
      hint = "; did you mean '\(first)'?"
    } else if names.isEmpty {
      hint = "; there are none"
    } else {
      let shown = names.prefix(8).joined(separator: ", ")
      hint = "; known are: \(shown)\(names.count > 8 ? ", …" : "")"
    }
    return RouterError(code, "unknown \(what) '\(name)'\(hint)", suggestions: near)
  }
}
