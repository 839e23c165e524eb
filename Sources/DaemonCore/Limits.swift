/// The limits of this module, with their units and reasons.
///
/// The wire's own limits are `WireLimits`.
package enum Limits {
  /// Connections at the same time: a desktop has dozens of surfaces, not thousands.
  package static let connectionCountMax = 1_024
  /// Connections of one process: its other programs and tools go on.
  package static let connectionsOfProcessMax = 256
  /// Connections that only a process without any may take.
  package static let reservedConnectionCount = 32
  /// Bytes that all clients together make the daemon hold: `MemoryBudget`.
  package static let clientBytesMax = 256 * 1_024 * 1_024
  /// Milliseconds between two pieces of a line: a slow link brings some bytes in that time.
  package static let linePauseMax: Int64 = 30_000
  /// Milliseconds that a line may take: the longest one over a link of 112 kbit/s.
  package static let lineTimeMax: Int64 = 300_000
  /// Bytes that a request which waits is counted with, beside its answer.
  static let waitingRequestBytes = 1_024
  /// Bytes of a page of a list from which on it gets no further widget; also of a `surface.update`.
  package static let pageBytes = 128 * 1_024
  /// Bytes of all pages of one turn, and of all updates, from which on the others wait.
  static let pagesInTurnBytes = 2 * 1_024 * 1_024
  /// Bytes that the lists which wait for one client are counted with, from which on it gets no
  /// further list: dozens of short ones, or one of all widgets that there may be.
  package static let waitingListBytesMax = 64 * 1_024
  /// Bytes of the lists of one batch, from which on its further lists are refused.
  package static let batchListBytesMax = 16 * 1_024 * 1_024
  /// Surfaces of one connection: a page or a panel has a few, and each is looked at in every turn.
  static let surfacesOfConnectionMax = 16
  /// Widgets of one surface that have room of their own for modes: more than a screen holds.
  static let widgetsWithModesMax = 256
  /// Bytes of the name that surfaces share.
  static let surfaceNameBytesMax = 64
  /// Widgets by which a stack is turned at most before its next update.
  static let stackTurnsMax = 10_000
  /// Widgets in one `surface.update`; the following turns tell of the others.
  package static let updatedWidgetCountMax = 256
  /// Ids of a stack up to which they are compared one by one; hashing is faster with more.
  static let comparedIDCountMax = 32
  /// Changed widgets up to which their ids are compared one by one, with those of all widgets.
  static let comparedChangeCountMax = 8
  /// Widgets of one request that one turn describes or reloads: some milliseconds of work.
  package static let widgetsInSliceMax = 128
  /// Ids in a list of ids that are as much work as one widget that is described.
  package static let idsForOneWidget = 64
  /// Bulk reloads that one connection has under way; each may name thousands of receipts.
  package static let bulkReloadCountMax = 4
  /// Units of work that one connection may cause in a turn; a unit is about a microsecond of a
  /// release build.
  package static let connectionWorkMax = 2_000
  /// Units of work that all connections may cause in a turn with what they sent just now.
  package static let freshWorkMax = 4_000
  /// Units of work that all connections may cause in a turn with what was put off before.
  package static let backlogWorkMax = 3_000
  /// Units that one request is charged at most.
  static let requestWorkMax = 1_000_000
  /// Units for a request, whatever it asks.
  static let workOfRequest = 1
  /// Bytes of a line that are a unit of work.
  static let lineBytesForUnit = 64
  /// Bytes of an answer that are a unit of work.
  static let answerBytesForUnit = 256
  /// Bytes of the cheapest requests that are a unit of work.
  static let cheapBytesForUnit = 512
  /// Bytes of a sentence that are a unit of work.
  static let sentenceBytesForUnit = 4
  /// Units for the sentences that begin as a text does, in one language.
  static let workOfCompletion = 500
  /// Sentences that one completion offers when the request does not say.
  package static let completionCountUsual = 5
  /// Units for a change of a list, beside its values.
  static let workOfListChange = 500
  /// Units for each value that a changed list has then.
  static let workOfListValue = 2
  /// Units for a sentence that is made as an example and recognized.
  static let workOfMadeExample = 50
  /// Units for the text of all metrics.
  static let workOfMetrics = 300
  /// Units for a sentence that matches nothing: each connection has one such answer a turn.
  ///
  /// The router looks for what was meant, which may take some milliseconds.
  static let workOfSuggestions = connectionWorkMax
  /// Bytes of a connection that wait for a later turn, from which on nothing more is read from it.
  package static let backlogBytesMax = 64 * 1024
  /// Requests of one connection that wait for something (`wait: true`, a launch).
  package static let waitingCountMax = 256
  /// Journal entries kept in memory for `daemon.history` and for rebuilding behaviour.
  package static let journalEntryCountMax = 20_000
  /// Journal rows read back at start; a row holds a whole turn.
  package static let journalRowCountMax = 20_000
  /// Journal entries between two prunings of old rows.
  package static let journalPruneInterval: Int64 = 10_000
  /// Entries in one answer of `daemon.history`.
  package static let historyCountMax: Int64 = 1_000
  /// Milliseconds for which no file may change before changed files are read: an editor's save has
  /// several steps.
  package static let fileQuietInterval: Int64 = 250
  /// Milliseconds after which changed files are read although they go on changing.
  package static let fileHoldMax: Int64 = 2_000
  /// Milliseconds between two readings of the files because a client names a kind that no manifest
  /// offers.
  package static let fileLookInterval: Int64 = 1_000
  /// Nanoseconds after which the files may be read once more; reading takes some milliseconds.
  static let configurationInterval: Int64 = 2_000_000_000
  /// Times that the files may be read in a row after a pause.
  static let configurationBurst: Int64 = 10
  /// Issues in one `configuration.update`; `daemon.status` has all.
  package static let announcedIssueCountMax = 20
  /// Widgets in the answer to `app.register`, and changes in one `app.widgetsChanged`.
  package static let toldAppWidgetCountMax = 256
  /// Nanoseconds after which apps in the background may configure one more widget.
  static let appConfigurationInterval: Int64 = 60_000_000_000
  /// Widgets that apps in the background may configure in a row after a pause.
  package static let appConfigurationBurst: Int64 = 20
  /// Other connections of one app that `app.register` lists.
  static let otherHostCountMax = 8
  /// Failing widgets that `daemon.status` lists: more than that have one cause.
  package static let failingShownMax = 20
  /// Rows that could not be read and are kept; more than that have one cause, and stay where they
  /// are.
  package static let keptRowCountMax = 1_000
  /// Milliseconds for which the answer to a request with an idempotency key is remembered.
  package static let requestMemoryInterval: Int64 = 3_600_000
  /// Requests with a key that are remembered of one client.
  package static let rememberedRequestCountMax = 10_000
  /// Requests with a key that are remembered of all clients; one that is under way is never
  /// forgotten to make room.
  package static let rememberedRequestSumMax = 40_000
  /// Numbers of forgotten requests that are kept beside as many as are remembered: so they are
  /// cleared seldom, and all at once.
  package static let forgottenRequestNumberMax = 64
  /// Bytes of an answer that is remembered; of a longer one only that it was given.
  package static let rememberedAnswerBytesMax = 16 * 1_024
  /// Bytes of all remembered answers; beyond that the oldest are forgotten, not the requests.
  package static let rememberedAnswerBytesSumMax = 8 * 1_024 * 1_024
  /// Bytes of the row with which a failing store is tried: more than most transactions have.
  package static let probeBytes = 64 * 1_024
  /// Milliseconds until a failed transaction is tried again.
  package static let commitRetryInterval: Int64 = 1_000
  /// Nanoseconds from which on a transaction counts as slow; the next one may then be held back.
  package static let slowTransaction: Int64 = 3_000_000
  /// Nanoseconds for which a transaction is held back, at most.
  package static let commitHoldMax: Int64 = 2_000_000
  /// Milliseconds between two writes of deferred records: a crash may lose that much of them.
  package static let deferredWriteInterval: Int64 = 60_000
  /// Milliseconds in which a widget has one notification at most.
  package static let noticeInterval: Int64 = 600_000
  /// Milliseconds, of a clock that stands still in sleep, for which an announcement of sleep holds:
  /// until then everything is written at once.
  package static let sleepNoticeMax: Int64 = 60_000
  /// Bytes that are reserved for a turn's row of the journal: one usual entry.
  package static let journalRowBytesReserved = 256
  /// Bytes that are reserved for the answer to a request, so that it seldom grows while it is made.
  package static let answerBytesReserved = 512
  /// Bytes of what a client sends at once, up to which it counts as one short request.
  package static let shortRequestBytes = 128
  /// Intents whose URL is remembered.
  package static let rememberedURLCountMax = 32
  /// Bytes of the parameters of a `stack.order` request whose answer is kept.
  package static let rememberedParamsBytesMax = 128
  /// Answers to `stack.order` that are kept as bytes; each is as long as the stack.
  package static let stackAnswerCountMax = 8
  /// Claims of timelines that one turn looks up for orders of the stack: a millisecond of work, or
  /// two.
  package static let claimsInTurnMax = 1_024
  /// Rows (widgets) that the orders of one turn rank: three milliseconds of work.
  ///
  /// If there is one order only, it may have more.
  package static let rankedRowsInTurnMax = 10_000
  /// Milliseconds for which a computed stack order holds while no input changes: counts fade.
  package static let stackCacheInterval: Int64 = 60_000
  /// Milliseconds for which a stack must be visible before its top widget counts as looked at.
  package static let dwellMin: Int64 = 3_000
  /// Milliseconds after which a visible stack counts no more: it is always in sight.
  package static let dwellMax: Int64 = 300_000
  /// Uses that one `stack.replay` lists, the newest first.
  static let replayedUseCountMax: Int64 = 1_000
  /// Uses that `stack.replay` lists when the request does not say.
  static let replayedUseCountDefault: Int64 = 20
  /// Entries of `daysOff` in the settings: decades of holidays.
  package static let namedDayCountMax = 1_000
  /// Sets of families whose stack order is kept.
  package static let familyStackCountMax = 16
  /// Characters of a request's `source`; the rest is cut off.
  package static let sourceLengthMax = 128
  /// Widgets that wait for the intents which their items sent; one more is reloaded at once.
  static let tapReloadCountMax = 64
  /// Intents that a program names one after the other, beside the one that was sent.
  static let performChainMax = 3
  /// Placed widgets of a program that are reloaded when an intent from elsewhere was performed: more
  /// than anybody looks at.
  static let performedReloadCountMax = 64
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
  /// JSON values in the parameters of a request; tiny values are the dearest bytes of a line.
  package static let valueCountMax = 100_000
  /// JSON values in the parameters of a request that changes a list: each of its values may be an
  /// object of two.
  package static let valueCountOfListMax = 3 * listValueCountMax + 100
  /// Keys of an object of a request, such as the parameters of an intent.
  package static let keyCountMax = 1_000
  /// Bytes of the parameters from which on a change of a list is refused unread while long ones
  /// come too often.
  package static let longListBytes = 64 * 1_024
  /// Values in one request that changes a list.
  package static let listValueCountMax = 100_000
  /// Nanoseconds after which clients may change lists by one more value: a list is indexed anew with
  /// each change, which takes a microsecond or two a value.
  static let listValueInterval: Int64 = 200_000
  /// Values by which clients may change lists in a row after a pause.
  package static let listValueBurst: Int64 = 300_000
  /// Items of a widget that a tap may name, counted from 0.
  package static let tappedItemMax: Int64 = 10_000
  /// Levels of items below each other that the path of a tap may name.
  package static let tappedDepthMax = 8
  /// Pixels of a coordinate or a length in the position of a tap, in either direction.
  package static let tappedPixelMax: Int64 = 1_000_000
  /// Numbers of revisions that a tap may name are at most this: JavaScript has no higher whole ones.
  package static let revisionMax: Int64 = 9_007_199_254_740_991
  /// Programs of clicks on plugins that are under way at once.
  ///
  /// One that runs for longer than `ProviderLimits.commandWatchMax` counts no more.
  package static let commandCountMax = 64
  /// Programs of clicks on one kind that are under way: who turns the wheel on a volume starts many.
  package static let commandsOfKindMax = 32
  /// Nanoseconds after which a link may trigger one more action.
  package static let linkInterval: Int64 = 200_000_000
  /// Actions that links may trigger in a row after a pause.
  package static let linkBurst: Int64 = 10
  /// Nanoseconds after which links may suggest one more widget of a kind: 40 a day, as many as the
  /// smallest budget has reloads.
  package static let linkSuggestionInterval: Int64 = 2_160_000_000_000
  /// Widgets of a kind that links may suggest in a row after a pause.
  package static let linkSuggestionBurst: Int64 = 10
  /// Entries about links that the history gets in `linkEntryInterval`; the others are counted in
  /// the next entry.
  package static let linkEntryCountMax = 30
  /// Milliseconds in which those entries are counted: links that never end fill a fifth of the
  /// history in a day.
  package static let linkEntryInterval: Int64 = 600_000
  /// Questions about links that wait for a yes; a new one replaces the oldest.
  package static let pendingLinkQuestionCountMax = 8
  /// Options of one parameter that a provider may give.
  package static let optionCountMax = 1_000
  /// UTF-8 bytes of an option's title.
  package static let optionTitleBytesMax = 256
  /// Example sentences of one language that `intent.list` gives of an intent.
  package static let shownExampleCountMax = 2
  /// Choices of one question, the values of placed widgets among them.
  package static let offeredChoiceCountMax = 20
  /// Questions that wait for their sender's answer; a new one replaces the oldest.
  package static let pendingQuestionCountMax = 64
  /// Milliseconds for which a question waits for its answer.
  package static let pendingQuestionInterval: Int64 = 300_000
  /// Milliseconds for which a gallery waits for its previews; those that are not there then come
  /// with the next one.
  ///
  /// Two runs of a provider that hangs take four seconds.
  package static let galleryWait: Int64 = 5_000
  /// Bytes of the previews in one gallery, from which on the others are shapes.
  package static let galleryPreviewBytesMax = 1_024 * 1_024
  /// Milliseconds for which a menu that was opened waits for the run of its plugin.
  ///
  /// Then it shows the last items: a person waits no longer for a menu.
  package static let menuWait: Int64 = 2_000
}
