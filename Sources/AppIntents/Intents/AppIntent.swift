public import FoundationAdditions

/// An act of an app that the person can start from outside of it.
///
/// Source: AppIntents. The attribute keeps the type in an optimised program although nothing mentions
/// it: an intent comes by its name.
@_alwaysEmitConformanceMetadata
public protocol AppIntent: PersistentlyIdentifiable, Sendable {
  /// The answer of `perform()`.
  associatedtype PerformResult: IntentResult
  /// The sentence that has the parameters in it.
  associatedtype SummaryContent: ParameterSummary

  /// The name for people.
  static var title: LocalizedStringResource { get }
  /// A sentence on what it does.
  static var description: IntentDescription? { get }
  /// Whether the app comes to the front.
  static var openAppWhenRun: Bool { get }
  /// Whether people find it in lists.
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
  /// The property wrapper of a parameter.
  public typealias Parameter<Value: _IntentValue> = IntentParameter<Value>
  /// A sentence with parameters in it.
  public typealias Summary = IntentParameterSummary<Self>
  /// A sentence that depends on a parameter.
  public typealias When = ParameterSummaryWhenCondition<Self>
  /// Sentences for the values of a parameter.
  public typealias Switch = ParameterSummarySwitchCondition<Self>
  /// The sentence for one value.
  public typealias Case<Value> = ParameterSummaryCaseCondition<Self, Value>
  /// The sentence for every other value.
  public typealias DefaultCase = ParameterSummaryDefaultCaseCondition<Self>

  /// No description.
  public static var description: IntentDescription? { nil }
  /// The app stays where it is.
  public static var openAppWhenRun: Bool { false }
  /// People find it in lists.
  public static var isDiscoverable: Bool { true }
  /// It is always allowed.
  public static var authenticationPolicy: IntentAuthenticationPolicy { .alwaysAllowed }
  /// No sentence.
  public static var parameterSummary: some ParameterSummary { EmptyParameterSummary() }
  /// The name of the type.
  public static var persistentIdentifier: String { String(describing: Self.self) }

  /// Tells the system that the person did this; nothing listens here.
  @discardableResult
  public func donate() async throws -> IntentDonationIdentifier { IntentDonationIdentifier() }
  /// Tells the system that the person did this; nothing listens here.
  public func donate() {}
  /// Performs it from within another intent.
  public func callAsFunction(donate: Bool = false) async throws {
    _ = try await perform()
  }
}

/// A type with a name that stays when the type is renamed.
public protocol PersistentlyIdentifiable {
  /// The name.
  static var persistentIdentifier: String { get }
}

extension PersistentlyIdentifiable {
  /// The name of the type.
  public static var persistentIdentifier: String { String(describing: Self.self) }
}

/// Whether an intent needs an unlocked screen.
public enum IntentAuthenticationPolicy: Hashable, Sendable {
  case alwaysAllowed
  case requiresAuthentication
  case requiresLocalDeviceAuthentication
}

/// A sentence on what an intent does.
public struct IntentDescription: Sendable, ExpressibleByStringInterpolation {
  /// The words.
  public let descriptionText: LocalizedStringResource
  /// The group that it is listed in.
  public let categoryName: LocalizedStringResource?
  /// Words that find it.
  public let searchKeywords: [LocalizedStringResource]
  /// The name of its result.
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

/// The name of a donation.
public struct IntentDonationIdentifier: Hashable, Sendable {
  private let id = UUID()
  init() {}
}

/// Donations of intents; nothing listens here.
public final class IntentDonationManager: Sendable {
  /// The only one.
  public static let shared = IntentDonationManager()

  /// Tells the system that the person did this.
  @discardableResult
  public func donate(intent: some AppIntent) async throws -> IntentDonationIdentifier {
    IntentDonationIdentifier()
  }

  /// Tells the system that the person did this.
  public func donate(intent: some AppIntent) {}

  /// Takes donations back.
  public func deleteDonations(matching predicate: IntentDonationMatchingPredicate) async throws {}
}

/// Which donations are meant.
public struct IntentDonationMatchingPredicate: Sendable {
  /// Those of an intent.
  public static func intentType(_ type: any AppIntent.Type) -> Self { Self() }
}

extension NSUserActivity {
  /// The configuration of the widget that was tapped: `nil`, since a tap tells an app its URL alone.
  public func widgetConfigurationIntent<Intent: WidgetConfigurationIntent>(
    of type: Intent.Type = Intent.self
  ) -> Intent? { nil }
}
