package import JSON

/// The decisions that the engine made while it handled one event; the core turns them into effects.
package struct EngineOutput: Sendable {
  /// The runs to start, in order.
  package var runs: [ProviderRun] = []
  /// Runs to stop; their outcome still arrives.
  package var cancellations: [RunToken] = []
  /// The downloads to start, in order.
  package var fetches: [FetchRequest] = []
  /// Downloads to stop; their outcome still arrives.
  package var fetchCancellations: [FetchToken] = []
  /// Receipts that changed state, in order.
  package var receipts: [Receipt] = []
  /// Widgets whose appearance changed, in whatever mode.
  package var changedWidgets: Set<String> = []
  /// Of widgets with two timelines, those whose compact appearance changed.
  package var changedCompact: Set<String> = []
  /// Those whose expanded appearance changed.
  package var changedExpanded: Set<String> = []
  /// Widgets whose plugin ran because a menu was opened, well or not.
  package var menuRuns: Set<String> = []
  /// The removed widgets.
  package var removedWidgets: Set<String> = []
  /// The widgets whose urgent entry became current, in order.
  package var urgentWidgets: [String] = []
  /// Whether the order of the stack may have changed.
  package var stackChanged = false
  /// Decisions for the journal, in order.
  package var journal: [JournalNote] = []

  // The records to write; the core asks for their contents when it makes the transaction.
  package var dirtyWidgets: Set<String> = []
  package var dirtyTimelines: Set<TimelineKey> = []
  /// Timelines whose content changed by the interval of a plugin: nobody was promised it, and a
  /// clock would cost a transaction a second.
  package var routineTimelines: Set<TimelineKey> = []
  /// Timelines of which a provider said that nothing is new: they are written with the next change
  /// that is.
  package var unhurriedTimelines: Set<TimelineKey> = []
  /// Timelines of which only the views changed.
  ///
  /// Views have a row of their own, since a whole record is kilobytes.
  package var dirtyViews: Set<TimelineKey> = []
  /// Previews that are kept anew, or are forgotten: a cache, of which nobody was promised anything.
  package var routinePreviews: Set<PreviewKey> = []
  /// Whether the making of a preview ended, well or not.
  package var previewsEnded = false
  package var dirtyReceipts: Set<ReceiptID> = []
  /// The receipts that are too old to keep.
  package var forgottenReceipts: [ReceiptID] = []

  /// The donations to store, by number; a `nil` record is to be removed.
  package var donations: [(number: Int64, record: JSONValue?)] = []

  /// The engine's settings to store, by name.
  package var settings: [String: JSONValue] = [:]

  package init() {}

  /// Adds a note for the journal.
  package mutating func note(
    _ decision: EngineDecision, _ fields: JSONObject, isPrivate: Bool = false
  ) {
    journal.append(JournalNote(decision: decision, fields: fields, isPrivate: isPrivate))
  }

  /// One decision and its details.
  package struct JournalNote: Hashable, Sendable {
    package var decision: EngineDecision
    package var fields: JSONObject
    /// Whether the details are left out because they would show what the person did in private
    /// mode.
    package var isPrivate = false

    /// The name under which the journal keeps it.
    package var event: String { decision.rawValue }
  }
}

/// A decision of the engine; the raw value is the event's name in the journal.
package enum EngineDecision: String, CaseIterable, Hashable, Sendable {
  case widgetPlaced = "widget.placed"
  case widgetConfigured = "widget.configured"
  case widgetRemoved = "widget.removed"
  case widgetMigrated = "widget.migrated"
  /// A widget cannot be asked for until somebody configures it.
  case widgetOrphaned = "widget.orphaned"
  case widgetReloadRules = "widget.reload.rules"
  /// The person expanded or collapsed it.
  case widgetMode = "widget.mode"
  case reloadDone = "reload.done"
  case reloadFailed = "reload.failed"
  case reloadDeferred = "reload.deferred"
  case downloadsDone = "downloads.done"
  case downloadsRefused = "downloads.refused"
  case providerQuarantined = "provider.quarantined"
  case providerReleased = "provider.released"
  case surroundings
  case zone
  case network

  /// Whether the log tells it, beside the journal.
  package var isForLog: Bool {
    switch self {
    case .providerQuarantined, .providerReleased, .widgetMigrated, .widgetOrphaned: true
    case .widgetPlaced, .widgetConfigured, .widgetRemoved, .widgetReloadRules, .widgetMode,
      .reloadDone, .reloadFailed, .reloadDeferred, .downloadsDone, .downloadsRefused,
      .surroundings, .zone, .network:
      false
    }
  }
}
