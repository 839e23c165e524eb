public import FoundationAdditions

/// The part of a Live Activity that stays the same.
///
/// Live Activities compile, and nothing shows them. Source: ActivityKit.
public protocol ActivityAttributes: Codable {
  /// The part that changes.
  associatedtype ContentState: Codable, Hashable
}

/// A state, and until when it holds.
public struct ActivityContent<State: Codable & Hashable>: Codable, Hashable {
  /// The state.
  public var state: State
  /// When it is out of date.
  public var staleDate: Date?
  /// How much it matters.
  public var relevanceScore: Double

  /// Makes it.
  public init(state: State, staleDate: Date?, relevanceScore: Double = 0) {
    self.state = state
    self.staleDate = staleDate
    self.relevanceScore = relevanceScore
  }
}

/// How a Live Activity is.
public enum ActivityState: Codable, Hashable, Sendable {
  case active, ended, dismissed, stale, pending
}

/// When the last state goes.
public struct ActivityUIDismissalPolicy: Hashable, Sendable {
  private let date: Date?
  /// The system's own choice.
  public static let `default` = ActivityUIDismissalPolicy(date: nil)
  /// At once.
  public static let immediate = ActivityUIDismissalPolicy(date: .distantPast)
  /// After a date.
  public static func after(_ date: Date) -> ActivityUIDismissalPolicy { Self(date: date) }
}

/// The sender of the states.
public struct PushType: Hashable, Sendable {
  private let name: String
  /// A server, to this device.
  public static let token = PushType(name: "token")
  /// A server, to a channel.
  public static func channel(_ channelID: String) -> PushType { Self(name: channelID) }
}

/// A sound and words with a state.
public struct AlertConfiguration: Hashable, Sendable {
  /// A sound.
  public struct AlertSound: Hashable, Sendable {
    private let name: String
    /// The usual one.
    public static let `default` = AlertSound(name: "default")
    /// A sound of the app.
    public static func named(_ name: String) -> AlertSound { Self(name: name) }
  }
  /// The first line.
  public var title: LocalizedStringResource
  /// The words.
  public var body: LocalizedStringResource
  /// The sound.
  public var sound: AlertSound

  /// Makes it.
  public init(title: LocalizedStringResource, body: LocalizedStringResource, sound: AlertSound) {
    self.title = title
    self.body = body
    self.sound = sound
  }
}

/// Why a Live Activity does not start.
public enum ActivityAuthorizationError: Error, Hashable, Sendable {
  /// There are none here.
  case unsupported
  case denied
  case unsupportedTarget
  case visibility
}

/// Whether the person allows Live Activities.
open class ActivityAuthorizationInfo {
  /// They are not possible here.
  public let areActivitiesEnabled = false
  /// They are not possible here.
  public let frequentPushesEnabled = false

  /// Changes of `areActivitiesEnabled`: there are none.
  public var activityEnablementUpdates: AsyncStream<Bool> { .finished }
  /// Changes of `frequentPushesEnabled`: there are none.
  public var frequentPushEnablementUpdates: AsyncStream<Bool> { .finished }

  /// Makes it.
  public init() {}
}

extension AsyncStream {
  /// A stream that ends at once.
  fileprivate static var finished: AsyncStream<Element> { AsyncStream { $0.finish() } }
}

/// A Live Activity; none starts here, so no thread ever has one.
///
/// Source: ActivityKit.
public final class Activity<Attributes: ActivityAttributes>: Identifiable, @unchecked Sendable {
  /// The content.
  public typealias ContentState = Attributes.ContentState

  /// The name for programs.
  public let id: String
  /// The part that stays the same.
  public let attributes: Attributes
  /// The state now.
  public let content: ActivityContent<ContentState>
  /// How it is.
  public let activityState = ActivityState.dismissed
  /// The number for a server's messages.
  public let pushToken: Data? = nil

  private init(_ attributes: Attributes, _ content: ActivityContent<ContentState>) {
    id = UUID().uuidString
    self.attributes = attributes
    self.content = content
  }

  /// The states to come: none.
  public var activityStateUpdates: AsyncStream<ActivityState> { .finished }
  /// The contents to come: none.
  public var contentUpdates: AsyncStream<ActivityContent<ContentState>> { .finished }
  /// The states to come: none.
  public var contentStateUpdates: AsyncStream<ContentState> { .finished }
  /// The numbers for a server's messages to come: none.
  public var pushTokenUpdates: AsyncStream<Data> { .finished }
  /// The activities to come: none.
  public static var activityUpdates: AsyncStream<Activity<Attributes>> { .finished }
  /// The numbers by which a server may start activities: none.
  public static var pushToStartTokenUpdates: AsyncStream<Data> { .finished }
  /// The number by which a server may start activities: there is none.
  public static var pushToStartToken: Data? { nil }
  /// The state now.
  public var contentState: ContentState { content.state }

  /// The activities that are shown: none.
  public static var activities: [Activity<Attributes>] { [] }
  /// Throws: there are no Live Activities here.
  public static func request(
    attributes: Attributes, content: ActivityContent<ContentState>, pushType: PushType? = nil
  ) throws -> Activity<Attributes> { throw ActivityAuthorizationError.unsupported }
  /// Throws: there are no Live Activities here.
  public static func request(
    attributes: Attributes, contentState: ContentState, pushType: PushType? = nil
  ) throws -> Activity<Attributes> { throw ActivityAuthorizationError.unsupported }

  /// Changes the state of none.
  public func update(
    _ content: ActivityContent<ContentState>, alertConfiguration: AlertConfiguration? = nil
  ) async {}
  /// Changes the state of none.
  public func update(using contentState: ContentState) async {}
  /// Ends none.
  public func end(
    _ content: ActivityContent<ContentState>?,
    dismissalPolicy: ActivityUIDismissalPolicy = .default
  ) async {}
  /// Ends none.
  public func end(
    using contentState: ContentState? = nil, dismissalPolicy: ActivityUIDismissalPolicy = .default
  ) async {}
}
