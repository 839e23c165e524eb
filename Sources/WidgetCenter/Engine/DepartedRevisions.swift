import Timekeeping

/// The numbers of entries that changes took away, until these changes are on disk.
///
/// A change that cannot be written is undone: the widget and its entry come back, and with them the
/// number under which the person saw it. The numbers of a transaction are forgotten when it is on
/// disk; those of the turns meanwhile belong to the next one.
struct DepartedRevisions: Sendable {
  /// A timeline as it was when its last widget left.
  struct Entry: Hashable, Sendable {
    let revision: Int64
    /// The hash of what it showed; `nil`: nothing.
    fileprivate let mark: Int?

    fileprivate init(_ shown: TimelineEntry?, _ revision: Int64) {
      self.revision = revision
      mark = shown.map(Self.mark)
    }

    /// Whether it showed the same as `entry`.
    func showed(_ entry: TimelineEntry?) -> Bool { mark == entry.map(Self.mark) }

    /// The hash of all that `TimelineEntry.showsSame` compares.
    ///
    /// The entry itself would be kept otherwise, and may be long.
    private static func mark(_ entry: TimelineEntry) -> Int {
      var hasher = Hasher()
      hasher.combine(entry.content)
      hasher.combine(entry.url)
      return hasher.finalize()
    }
  }

  /// A widget as it was when it left its timeline.
  struct Place: Hashable, Sendable {
    let timeline: TimelineKey
    let revisionMin: Int64
    var expandedRevisionMin: Int64 = 0
  }

  private struct Generation: Sendable {
    var entries: [TimelineKey: Entry] = [:]
    var places: [String: Place] = [:]

    /// Adds what left later; of two of one name the first stays, because it is the one on disk.
    mutating func add(_ later: Generation) {
      entries.merge(later.entries) { first, _ in first }
      places.merge(later.places) { first, _ in first }
    }
  }

  /// Those of changes that are in no transaction yet.
  private var waiting = Generation()
  /// Those of the transaction under way.
  private var inTransaction = Generation()

  /// Notes that a widget leaves its timeline.
  mutating func note(_ widget: Widget) {
    guard waiting.places[widget.id] == nil, waiting.places.count < Limits.widgetCountMax else {
      return
    }
    waiting.places[widget.id] = Place(
      timeline: widget.timelineKey, revisionMin: widget.revisionMin,
      expandedRevisionMin: widget.expandedRevisionMin)
  }

  /// Notes that the last widget left a timeline.
  mutating func note(_ shared: SharedTimeline) {
    guard waiting.entries[shared.key] == nil, waiting.entries.count < Limits.widgetCountMax else {
      return
    }
    waiting.entries[shared.key] = Entry(shared.shown, shared.revision)
  }

  /// The entry that a timeline had on disk; `nil`: nothing took it away.
  func entry(of key: TimelineKey) -> Entry? { inTransaction.entries[key] ?? waiting.entries[key] }

  /// The place that a widget had on disk; `nil`: it did not leave it.
  func place(of id: String) -> Place? { inTransaction.places[id] ?? waiting.places[id] }

  /// Ties all so far to the transaction that begins.
  mutating func beginTransaction() {
    inTransaction.add(waiting)
    waiting = Generation()
  }

  /// Forgets those of the transaction that is on disk.
  mutating func transactionCommitted() { inTransaction = Generation() }
}
