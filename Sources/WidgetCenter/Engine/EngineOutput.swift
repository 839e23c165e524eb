package import JSON

/// What the engine decided while it handled one thing; the core turns it into effects.
package struct EngineOutput: Sendable {
  /// Runs to start, in order.
  package var runs: [ProviderRun] = []
  /// Runs to stop; their outcome still arrives.
  package var cancellations: [RunToken] = []
  /// Receipts that changed state, in order.
  package var receipts: [Receipt] = []
  /// Widgets whose appearance changed.
  package var changedWidgets: Set<String> = []
  /// Widgets that are gone.
  package var removedWidgets: Set<String> = []
  /// The order of the stack may have changed.
  package var stackChanged = false
  /// Decisions for the journal, in order.
  package var journal: [JournalNote] = []

  // What has to be written; the records are asked for when the transaction is made.
  package var dirtyWidgets: Set<String> = []
  package var dirtyTimelines: Set<TimelineKey> = []
  /// Timelines of which only the views changed: a row of their own, since a whole record is kilobytes.
  package var dirtyViews: Set<TimelineKey> = []
  package var dirtyReceipts: Set<ReceiptID> = []
  /// Receipts too old to remember.
  package var forgottenReceipts: [ReceiptID] = []

  /// Donations to keep, by number; `nil`: to be removed.
  package var donations: [(number: Int64, record: JSONValue?)] = []

  /// State of the engine as a whole, by name, to be kept.
  package var settings: [String: JSONValue] = [:]

  package init() {}

  package struct JournalNote: Hashable, Sendable {
    package var event: String
    package var fields: JSONObject

    package init(_ event: String, _ fields: JSONObject) {
      self.event = event
      self.fields = fields
    }
  }

  package mutating func note(_ event: String, _ fields: JSONObject) {
    journal.append(JournalNote(event, fields))
  }
}
