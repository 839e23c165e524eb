import IntentProtocol
import IntentRouter
import JSON
import JSONRPC

extension RPCError {
  /// Turns a refusal of the router into one with a code of the wire.
  init(_ error: RouterError) {
    let code: WireErrorCode =
      switch error.code {
      case .unknownIntent: .unknownIntent
      case .invalidURL, .invalidCallback: .invalidURL
      case .callbackDenied: .callbackDenied
      case .unsupportedVerb: .unsupportedVerb
      case .deniedScheme: .schemeDenied
      case .noRoute: .noRoute
      case .unknownList: .unknownList
      case .emptySentence, .sentenceTooLong, .sentenceTooComplex, .unknownParameter,
        .missingParameter, .invalidParameter, .tooManyValues, .invalidValue:
        .invalidParameter
      }
    self.init(
      code, error.message,
      details: ["suggestions": .array(error.suggestions.map { .string($0) })])
  }
}
