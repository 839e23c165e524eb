/// Something to show, and from when on.
///
/// Source: WidgetKit.
public protocol TimelineEntry {
  /// When the entry is to be shown.
  var date: Date { get }
  /// How much it matters then, for the smart stack; `nil` says nothing.
  var relevance: TimelineEntryRelevance? { get }
}

extension TimelineEntry {
  /// Says nothing.
  public var relevance: TimelineEntryRelevance? { nil }
}

/// How much an entry matters, compared with the other entries of the same provider.
///
/// Source: WidgetKit.
public struct TimelineEntryRelevance: Codable, Hashable {
  /// Any scale, as long as it is the same for all entries.
  ///
  /// Zero and less never brings a widget up.
  public var score: Float
  /// Seconds for which the score holds; 0 until the next entry.
  public var duration: TimeInterval

  /// A score, and for how long it holds.
  public init(score: Float, duration: TimeInterval = 0) {
    self.score = score
    self.duration = duration
  }
}

/// Entries, and when to ask for more.
///
/// Source: WidgetKit.
public struct Timeline<EntryType> where EntryType: TimelineEntry {
  /// What to show, in any order.
  public let entries: [EntryType]
  /// When to ask for the next timeline.
  public let policy: TimelineReloadPolicy

  /// Entries, and when to ask for more.
  public init(entries: [EntryType], policy: TimelineReloadPolicy) {
    self.entries = entries
    self.policy = policy
  }
}

/// When a provider wants to be asked for its next timeline.
///
/// Source: WidgetKit. As there, a struct without a public initialiser, and nothing but `Equatable`.
public struct TimelineReloadPolicy: Equatable {
  package enum Rule: Equatable {
    case atEnd
    case never
    case after(Date)
  }

  package let rule: Rule

  /// Once the last entry's date has passed.
  public static var atEnd: TimelineReloadPolicy { TimelineReloadPolicy(rule: .atEnd) }
  /// Not until the app asks for it.
  public static var never: TimelineReloadPolicy { TimelineReloadPolicy(rule: .never) }
  /// Not before `date`.
  public static func after(_ date: Date) -> TimelineReloadPolicy {
    TimelineReloadPolicy(rule: .after(date))
  }
}
