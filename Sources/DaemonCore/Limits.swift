/// What this module refuses to exceed, with unit and reason.
///
/// The wire's own limits are `WireLimits`.
package enum Limits {
  /// Connections at once: a desktop has dozens of surfaces, not thousands.
  package static let connectionCountMax = 1_024
  /// Widgets in one `surface.update`; of more than that the next turns tell.
  package static let updatedWidgetCountMax = 256
  /// Widgets of one request that a turn describes, or asks reloads for: some milliseconds of work.
  package static let widgetsInPieceMax = 128
  /// Requests for very many reloads that one connection has under way: each names thousands of receipts.
  package static let longReloadCountMax = 4
  /// Requests of one connection that wait for something (`wait: true`, a launch).
  package static let waitingCountMax = 256
  /// Journal entries kept in memory for `daemon.history` and for rebuilding behaviour.
  package static let journalEntryCountMax = 20_000
  /// Journal rows read back at start; a row holds a whole turn.
  package static let journalRowCountMax = 20_000
  /// Entries after which old rows are pruned, counted upwards.
  package static let journalPruneInterval: Int64 = 10_000
  /// Entries in one answer of `daemon.history`.
  package static let historyCountMax: Int64 = 1_000
  /// Milliseconds until a failed transaction is tried again.
  package static let commitRetryInterval: Int64 = 1_000
  /// Bytes of parameters of `stack.order` that are recognized when they come again.
  package static let rememberedParamsBytesMax = 128
  /// Answers to `stack.order` that are kept as bytes: each is as long as the stack.
  package static let stackAnswerCountMax = 8
  /// Milliseconds for which a computed stack order is good when nothing changed: the counts in it fade.
  package static let stackCacheInterval: Int64 = 60_000
  /// Milliseconds that a stack is looked at before its top widget counts as looked at.
  package static let dwellMin: Int64 = 3_000
  /// Milliseconds after which a visible stack is furniture and not looked at.
  package static let dwellMax: Int64 = 300_000
  /// Entries of `daysOff` in the settings: decades of holidays.
  package static let namedDayCountMax = 1_000
  /// Sets of families whose order is remembered.
  package static let familyStackCountMax = 16
  /// Characters of `source`.
  package static let sourceLengthMax = 128
  /// Callbacks that wait for reloads, of all callers together.
  package static let callbackCountMax = 64
  /// Bytes of one text in a callback: a line to show, not a document.
  package static let callbackResultBytesMax = 1_024
  /// Languages in one request.
  package static let languageCountMax = 16
  /// Keys of a sentence's context.
  package static let contextKeyCountMax = 32
  /// UTF-8 bytes of a text in a sentence's context.
  package static let contextValueBytesMax = 256
  /// Options of one parameter that a provider may give.
  package static let optionCountMax = 1_000
  /// UTF-8 bytes of an option's title.
  package static let optionTitleBytesMax = 256
  /// Questions that wait for a sender's answer; the oldest goes first.
  package static let pendingNeedsMax = 64
  /// Milliseconds that a question waits.
  package static let pendingNeedInterval: Int64 = 300_000
}
