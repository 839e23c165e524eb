public import FoundationAdditions

/// An object that answers for intents.
///
/// Source: Intents.
public protocol INIntentHandlerProviding: NSObjectProtocol {
  /// Returns the object that answers for `intent`.
  func handler(for intent: INIntent) -> Any?
}

/// The entry of an Intents extension; a class of the program inherits from it.
///
/// Source: Intents.
open class INExtension: NSObject {
  /// Makes it.
  public required override init() { super.init() }
  /// Returns the object that answers for `intent`.
  open func handler(for intent: INIntent) -> Any? { self }

  /// The program's own class; its object answers for all intents.
  ///
  /// On iOS the extension's property list names the class; here there is one. Handlers are made to be
  /// asked on any thread.
  nonisolated(unsafe) package static let own: INExtension? = {
    ImageTypes.inheriting(from: INExtension.self).first.map { $0.init() }
  }()
}

/// The answer to an intent.
///
/// Source: Intents.
open class INIntentResponse: NSObject {
  /// The activity with which the app goes on.
  open var userActivity: NSUserActivity?

  /// Makes an answer.
  public override init() { super.init() }

  // MARK: For generated classes

  /// The name of the code.
  open var _code: String { "unspecified" }
  /// The names of the codes of the definition file that mean success.
  open var _successes: Set<String> { [] }
  /// The sentences of the codes, with `${parameter}` where a value stands.
  open var _sentences: [String: String] { [:] }
  /// The values of the parameters.
  open var _values: [String: INIntent.Value] { [:] }
}

/// How far an intent is.
public enum INIntentHandlingStatus: Int, Sendable {
  case unspecified = 0, ready, inProgress, success, failure, deferredToApplication,
    userConfirmationRequired
}

/// The person who speaks.
public enum INInteractionDirection: Int, Sendable { case unspecified = 0, outgoing, incoming }

/// An intent that the person did, and its answer.
///
/// Source: Intents.
open class INInteraction: NSObject {
  /// The intent.
  public let intent: INIntent
  /// The answer.
  public let intentResponse: INIntentResponse?
  /// The name for programs.
  open var identifier = UUID().uuidString
  /// The name of a group.
  open var groupIdentifier: String?
  /// When it was.
  open var dateInterval: DateInterval?
  /// How far it is.
  public let intentHandlingStatus = INIntentHandlingStatus.unspecified
  /// The person who spoke.
  open var direction = INInteractionDirection.unspecified

  /// Makes it.
  public init(intent: INIntent, response: INIntentResponse?) {
    self.intent = intent
    intentResponse = response
  }

  /// Tells the system that the person did this; nothing listens here.
  open func donate(completion: (@Sendable ((any Error)?) -> Void)? = nil) { completion?(nil) }
  /// Tells the system that the person did this; nothing listens here.
  open func donate() async throws {}
  /// Takes all donations back.
  open class func deleteAll(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
    completion?(nil)
  }
  /// Takes donations back.
  open class func delete(
    with identifiers: [String], completion: (@Sendable ((any Error)?) -> Void)? = nil
  ) { completion?(nil) }
  /// Takes donations back.
  open class func delete(
    with groupIdentifier: String, completion: (@Sendable ((any Error)?) -> Void)? = nil
  ) { completion?(nil) }
}

/// An intent that the person may start by words of their own.
open class INShortcut: NSObject {
  /// The intent.
  public let intent: INIntent?

  /// Makes it of an intent.
  public init?(intent: INIntent) { self.intent = intent }
}

/// Words of the person for a shortcut; there are none here.
///
/// It stores nothing, so all threads may use it.
open class INVoiceShortcutCenter: NSObject {
  /// The only one.
  nonisolated(unsafe) public static let shared = INVoiceShortcutCenter()
  /// Suggests shortcuts.
  open func setShortcutSuggestions(_ suggestions: [INShortcut]) {}
}

/// When a shortcut is relevant.
open class INRelevanceProvider: NSObject {}

/// A span of time in which a shortcut is relevant.
open class INDateRelevanceProvider: INRelevanceProvider {
  /// The beginning.
  public let startDate: Date
  /// The end; `nil`: open.
  public let endDate: Date?

  /// Makes it.
  public init(start startDate: Date, end endDate: Date?) {
    self.startDate = startDate
    self.endDate = endDate
  }
}

/// The situations of a day.
public enum INDailyRoutineSituation: Int, Sendable {
  case morning = 0, evening, home, work, school, gym, commute, headphonesConnected, activeWorkout,
    physicalActivityIncomplete
}

/// A situation in which a shortcut is relevant.
open class INDailyRoutineRelevanceProvider: INRelevanceProvider {
  /// The situation.
  public let situation: INDailyRoutineSituation

  /// Makes it.
  public init(situation: INDailyRoutineSituation) { self.situation = situation }
}

/// What a relevant shortcut does for the person.
public enum INRelevantShortcutRole: Int, Sendable { case action = 0, information }

/// A shortcut, and when it is relevant.
open class INRelevantShortcut: NSObject {
  /// The shortcut.
  public let shortcut: INShortcut
  /// When it is relevant.
  open var relevanceProviders: [INRelevanceProvider] = []
  /// The kind of the widget that shows it.
  open var widgetKind: String?
  /// What it does for the person.
  open var shortcutRole = INRelevantShortcutRole.action

  /// Makes it.
  public init(shortcut: INShortcut) { self.shortcut = shortcut }
}

/// The relevant shortcuts; nothing reads them here, so all threads may use it.
open class INRelevantShortcutStore: NSObject {
  /// The only one.
  nonisolated(unsafe) public static let `default` = INRelevantShortcutStore()
  /// Replaces them.
  open func setRelevantShortcuts(
    _ shortcuts: [INRelevantShortcut], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) { completionHandler?(nil) }
  /// Replaces them.
  open func setRelevantShortcuts(_ shortcuts: [INRelevantShortcut]) async throws {}
}

/// How a value of an intent was taken: the parent of all results.
open class INIntentResolutionResult: NSObject {
  /// The value that was found.
  public enum Outcome: Sendable {
    case success, needsValue, notRequired, unsupported, confirmation, disambiguation
  }
  /// The value that was found.
  public let outcome: Outcome

  /// Makes a result.
  public required init(outcome: Outcome = .success) { self.outcome = outcome }
  /// The person has to say a value.
  public class func needsValue() -> Self { Self(outcome: .needsValue) }
  /// No value is needed.
  public class func notRequired() -> Self { Self(outcome: .notRequired) }
  /// The value cannot be used.
  public class func unsupported() -> Self { Self(outcome: .unsupported) }
}

/// How a text was taken.
open class INStringResolutionResult: INIntentResolutionResult {
  /// The text is right.
  public class func success(with resolvedString: String) -> Self { Self() }
  /// The person has to choose.
  public class func disambiguation(with stringsToDisambiguate: [String]) -> Self {
    Self(outcome: .disambiguation)
  }
  /// The person has to say yes.
  public class func confirmationRequired(with stringToConfirm: String?) -> Self {
    Self(outcome: .confirmation)
  }
}

/// How a truth was taken.
open class INBooleanResolutionResult: INIntentResolutionResult {
  /// It is right.
  public class func success(with resolvedValue: Bool) -> Self { Self() }
}

/// How a whole number was taken.
open class INIntegerResolutionResult: INIntentResolutionResult {
  /// It is right.
  public class func success(with resolvedValue: Int) -> Self { Self() }
}

/// How a number was taken.
open class INDoubleResolutionResult: INIntentResolutionResult {
  /// It is right.
  public class func success(with resolvedValue: Double) -> Self { Self() }
}

/// How an object was taken.
open class INObjectResolutionResult: INIntentResolutionResult {
  /// It is right.
  public class func success(with resolvedObject: INObject) -> Self { Self() }
  /// The person has to choose.
  public class func disambiguation(with objectsToDisambiguate: [INObject]) -> Self {
    Self(outcome: .disambiguation)
  }
  /// The person has to say yes.
  public class func confirmationRequired(with objectToConfirm: INObject?) -> Self {
    Self(outcome: .confirmation)
  }
}

/// How a case of an enumeration was taken.
open class INEnumResolutionResult: INIntentResolutionResult {}
