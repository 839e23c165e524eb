/// A view of a widget for a moment: the content to show from `date` on.
///
/// Source: WidgetKit.
public protocol TimelineEntry {
  /// The date from which on the entry is shown.
  var date: Date { get }
  /// The relevance of the entry for the smart stack; `nil` declares none.
  var relevance: TimelineEntryRelevance? { get }
}

extension TimelineEntry {
  /// `nil`: the entry declares no relevance.
  public var relevance: TimelineEntryRelevance? { nil }
}

/// The weight of an entry, compared with the other entries of the same provider.
///
/// Source: WidgetKit.
public struct TimelineEntryRelevance: Codable, Hashable {
  /// The weight, on any scale that is the same for all entries of the provider.
  ///
  /// A score of 0 or less never raises a widget.
  public var score: Float
  /// The seconds for which the score holds; 0 means until the next entry.
  public var duration: TimeInterval

  /// Makes a relevance from a score and the seconds for which it holds.
  public init(score: Float, duration: TimeInterval = 0) {
    self.score = score
    self.duration = duration
  }
}

/// A list of entries and the policy for the next reload.
///
/// Source: WidgetKit.
public struct Timeline<EntryType> where EntryType: TimelineEntry {
  /// The entries, in any order.
  public let entries: [EntryType]
  /// The policy that decides when the provider is asked for its next timeline.
  public let policy: TimelineReloadPolicy

  /// Makes a timeline from its entries and its policy.
  public init(entries: [EntryType], policy: TimelineReloadPolicy) {
    self.entries = entries
    self.policy = policy
  }
}

/// The moment from which on a provider wants to be asked for its next timeline.
///
/// Source: WidgetKit. As there, it is a struct without a public initialiser, and only `Equatable`.
public struct TimelineReloadPolicy: Equatable {
  package enum Rule: Equatable {
    case atEnd
    case never
    case after(Date)
  }

  package let rule: Rule

  /// The provider is asked once the last entry's date has passed.
  public static var atEnd: TimelineReloadPolicy { TimelineReloadPolicy(rule: .atEnd) }
  /// The provider is asked only when the app requests a reload.
  public static var never: TimelineReloadPolicy { TimelineReloadPolicy(rule: .never) }
  /// The provider is asked at `date` or later.
  public static func after(_ date: Date) -> TimelineReloadPolicy {
    TimelineReloadPolicy(rule: .after(date))
  }
}
