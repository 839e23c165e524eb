/// The events that an entry of the journal can have: the one list of them.
///
/// `Journal.append` refuses any other where assertions are checked, so that the list is whole.
package enum JournalEvent {
  /// In the order of names.
  package static let names = [
    "callback", "configuration", "dismissed", "forgotten", "intent", "launch.failed", "launched",
    "list.set", "network", "options.failed", "provider.quarantined", "provider.released",
    "reload.deferred", "reload.done", "reload.failed", "surroundings", "tap", "widget.configured",
    "widget.migrated", "widget.orphaned", "widget.placed", "widget.reload.rules", "widget.removed",
    "zone",
  ]
}
