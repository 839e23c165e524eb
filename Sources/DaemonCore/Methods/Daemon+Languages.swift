import IntentProtocol
import JSON
import JSONRPC
import WidgetCenter

/// The languages in which a client is answered: names, descriptions, titles and questions.
extension Daemon {
  /// The parameters by which a request names its languages.
  static let languageKeys = ["language", "languages"]

  /// Returns the languages that a request names, in order; none where it names none.
  func namedLanguages(_ params: Params) throws(RPCError) -> [String] {
    if let language = try params.optionalString("language") { return [language] }
    return try params.optionalStrings("languages", countMax: Limits.languageCountMax) ?? []
  }

  /// Returns the languages of who asks: those that the request names, else the locale of the
  /// client's surface, else the daemon's.
  func languages(_ params: Params, of connection: ConnectionID) throws(RPCError) -> [String] {
    let named = try namedLanguages(params)
    return named.isEmpty ? languages(of: connection) : named
  }

  /// Returns the locale of the client's surface, else the daemon's.
  func languages(of connection: ConnectionID) -> [String] {
    [surfaces.locale(of: connection) ?? engine.locale]
  }
}

extension Daemon.Origin {
  /// The languages of questions: that of the sentence, then those of its sender.
  var languagesOfQuestions: [String] { (language.map { [$0] } ?? []) + languages }
}
