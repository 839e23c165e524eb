public import FoundationAdditions

/// An act of an app that the person can start from outside of it.
///
/// Source: AppIntents.
public protocol AppIntent: PersistentlyIdentifiable, Sendable {
  /// What `perform()` answers.
  associatedtype PerformResult: IntentResult
  /// What a summary of the parameters is made of.
  associatedtype SummaryContent: ParameterSummary

  /// The name for people.
  static var title: LocalizedStringResource { get }
  /// What it does.
  static var description: IntentDescription? { get }
  /// Whether the app comes to the front.
  static var openAppWhenRun: Bool { get }
  /// Whether the person can find it.
  static var isDiscoverable: Bool { get }
  /// Whether it needs an unlocked screen.
  static var authenticationPolicy: IntentAuthenticationPolicy { get }
  /// The sentence that has the parameters in it.
  @ParameterSummaryBuilder<Self> static var parameterSummary: SummaryContent { get }

  /// Makes it with the defaults of its parameters.
  init()

  /// Does it.
  func perform() async throws -> PerformResult
}

extension AppIntent {
  /// No description.
  public static var description: IntentDescription? { nil }
  /// The app stays where it is.
  public static var openAppWhenRun: Bool { false }
  /// The person can find it.
  public static var isDiscoverable: Bool { true }
  /// It is always allowed.
  public static var authenticationPolicy: IntentAuthenticationPolicy { .alwaysAllowed }
  /// No summary.
  public static var parameterSummary: some ParameterSummary { EmptyParameterSummary() }
  /// The name of the type.
  public static var persistentIdentifier: String { String(describing: Self.self) }
}

/// A type with a name that stays when the type is renamed.
public protocol PersistentlyIdentifiable {
  /// The name.
  static var persistentIdentifier: String { get }
}

/// Whether an intent needs an unlocked screen.
public enum IntentAuthenticationPolicy: Hashable, Sendable {
  case alwaysAllowed
  case requiresAuthentication
  case requiresLocalDeviceAuthentication
}

/// What an intent does, for people.
public struct IntentDescription: Sendable, ExpressibleByStringInterpolation {
  /// The words.
  public let descriptionText: LocalizedStringResource
  /// The group that it is listed in.
  public let categoryName: LocalizedStringResource?
  /// Words that find it.
  public let searchKeywords: [LocalizedStringResource]
  /// What its result is called.
  public let resultValueName: LocalizedStringResource?

  /// Makes a description.
  public init(
    _ descriptionText: LocalizedStringResource, categoryName: LocalizedStringResource? = nil,
    searchKeywords: [LocalizedStringResource] = [], resultValueName: LocalizedStringResource? = nil
  ) {
    self.descriptionText = descriptionText
    self.categoryName = categoryName
    self.searchKeywords = searchKeywords
    self.resultValueName = resultValueName
  }

  /// Makes the description of a literal.
  public init(stringLiteral value: String) {
    self.init(LocalizedStringResource(stringLiteral: value))
  }

  /// Makes the description of a literal with values in it.
  public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
    self.init(LocalizedStringResource(stringInterpolation: stringInterpolation))
  }
}
