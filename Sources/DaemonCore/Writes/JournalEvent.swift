/// The names of all events that a journal entry can have.
///
/// `Journal.append` asserts that its event is among them, so the list stays complete.
package enum JournalEvent {
  /// The names, sorted.
  package static let names = [
    "callback", "configuration", "dismissed", "downloads.done", "downloads.refused", "forgotten",
    "intent", "intent.performed", "launch.failed", "launched", "list.set", "network",
    "notified",
    "options.failed",
    "provider.quarantined", "provider.released", "reload.deferred", "reload.done", "reload.failed",
    "surroundings", "tap", "undone", "widget.configured", "widget.migrated", "widget.mode",
    "widget.orphaned",
    "widget.placed", "widget.reload.rules", "widget.removed", "zone",
  ]
}
