/// The limits of the desktop's search.
package enum DesktopLimits {
  /// Characters of what is searched for; more give nothing.
  package static let queryLengthMax = 1_024
  /// Results of one query.
  package static let resultCountMax = 10
  /// Sentences that one query asks the core for.
  static let completionCountMax = 5
  /// Choices of one question that become results.
  static let choiceCountMax = 6
  /// Milliseconds after which a query is answered with nothing: a person types on.
  package static let searchWaitMax: Int64 = 300
  /// Milliseconds for which the answer to a chosen result is waited for, so that it can be shown.
  package static let actWaitMax: Int64 = 60_000
  /// Milliseconds for which an opened URL is waited for.
  package static let openWaitMax: Int64 = 5_000
  /// Requests that the core has not answered; more calls are refused.
  package static let requestCountMax = 64
  /// Callers whose last results are remembered.
  package static let callerCountMax = 64
  /// UTF-8 bytes of a result's id: a query, a language, and a choice.
  static let idBytesMax = 8_192
  /// URLs of one call.
  static let urlCountMax = 16
  /// Bytes of an activation token, as many as the core takes.
  static let tokenBytesMax = 512
  /// Characters of a name or a description that is shown.
  static let shownLengthMax = 300
}
