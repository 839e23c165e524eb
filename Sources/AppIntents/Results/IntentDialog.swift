public import FoundationAdditions

/// Words that an intent says to the person.
///
/// Source: AppIntents.
public struct IntentDialog: Sendable, ExpressibleByStringInterpolation {
  private let full: LocalizedStringResource
  /// The words in short.
  public let supporting: LocalizedStringResource?

  /// Makes it of words.
  public init(_ text: LocalizedStringResource) {
    full = text
    supporting = nil
  }
  /// Makes it of words, and of words beside a picture.
  public init(full: LocalizedStringResource, supporting: LocalizedStringResource) {
    self.full = full
    self.supporting = supporting
  }
  /// Makes it of words, and of words beside a picture.
  public init(
    full: LocalizedStringResource, supporting: LocalizedStringResource, systemImageName: String
  ) {
    self.init(full: full, supporting: supporting)
  }
  /// Makes it of a literal.
  public init(stringLiteral value: String) {
    self.init(LocalizedStringResource(stringLiteral: value))
  }
  /// Makes it of a literal with values in it.
  public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
    self.init(LocalizedStringResource(stringInterpolation: stringInterpolation))
  }

  package var resource: LocalizedStringResource { full }
  /// The words in the person's language.
  package var text: String { String(localized: full) }
}

/// Why an intent could not be done.
public enum AppIntentError: Error, LocalizedError, CustomLocalizedStringResourceConvertible,
  Sendable
{
  /// Why something is not there.
  public enum Unrecoverable: Error, Sendable {
    case entityNotFound, featureCurrentlyRestricted, networkUnavailable, unknown
  }

  /// A value is missing; the words say which.
  case needsValue(String)
  /// The intent asked the app to come to the front.
  case needsToContinueInForeground
  /// The intent starts anew.
  case restartPerform
  case userActionRequired
  case unrecoverable

  /// A sentence for a person.
  public var errorDescription: String? {
    switch self {
    case .needsValue(let words): words
    case .needsToContinueInForeground: "the app has to be open for this"
    case .restartPerform: "the intent has to start anew"
    case .userActionRequired: "it needs the person, who cannot be asked while its code runs"
    case .unrecoverable: "this is not possible"
    }
  }

  /// The sentence.
  public var localizedStringResource: LocalizedStringResource {
    LocalizedStringResource(stringLiteral: errorDescription ?? "")
  }
}

extension AppIntentError {
  /// The error of an intent that asks while it runs: the question, and how to do without it.
  static func question(_ words: String, instead: String) -> AppIntentError {
    .needsValue("it asks '\(words)', and nobody can answer while its code runs; \(instead)")
  }
}

extension ForegroundContinuableIntent {
  /// The error that asks the app to come to the front.
  public func needsToContinueInForegroundError(
    _ dialog: IntentDialog? = nil
  ) -> AppIntentError { .needsToContinueInForeground }
  /// Asks the app to come to the front; an extension cannot, so it throws.
  public func requestToContinueInForeground(_ dialog: IntentDialog? = nil) async throws {
    throw AppIntentError.needsToContinueInForeground
  }
}

/// Whether the person said yes to the intent before its code began to run.
package enum PersonsConsent {
  @TaskLocal package static var isGiven = false
}

extension AppIntent {
  /// Returns where the person said yes before this code began to run; else throws.
  ///
  /// Code that runs cannot wait for a person here: the error tells the question, and that the
  /// intent's document can ask before.
  public func requestConfirmation(dialog: IntentDialog? = nil) async throws {
    if PersonsConsent.isGiven { return }
    throw AppIntentError.question(
      dialog?.text ?? "\(String(localized: Self.title))?",
      instead:
        "with the line 'confirm: true' in its intent.yaml the person is asked before")
  }
}
