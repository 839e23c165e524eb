/// The limits of this module, each with its unit and reason.
package enum Limits {
  /// Entries in one timeline: one a minute for a day.
  package static let timelineEntryCountMax = 1_440
  /// Relevant windows beside the entries of a timeline: eight a day for a month.
  package static let relevantWindowCountMax = 256
  /// Bytes of one entry's URL; the URL profile's own limit.
  package static let entryURLBytesMax = 8_192
  /// Bytes of one entry's content: a page of text for each of a hundred items.
  ///
  /// Each widget of the timeline is sent with it, to each surface.
  package static let entryBytesMax = 256 * 1_024
  /// Bytes that a value in an entry counts as, beside its text.
  static let valueBytes = 8
  /// Levels of items inside items: more is a mistake, and surfaces leave the rest out.
  package static let itemDepthMax = 8
  /// Bytes of JSON of all values that taps set on one widget.
  package static let valuesBytesMax = 1_024
  /// Values that taps set on one widget: a few, which people see the effect of.
  package static let valueCountMax = 32
  /// Characters of the name of such a value.
  package static let valueNameLengthMax = 64
  /// Warnings about one answer that are made; the rest is counted.
  package static let warningCountMax = 20
  /// Bytes of an output that is no JSON, of which a message may quote a part.
  package static let judgedOutputBytesMax = 16_384
  /// Milliseconds after an answer in which its first entry may begin without a warning.
  package static let entryLeadMax: Int64 = 5_000
  /// Milliseconds that an entry may be old when it arrives alone, with a date for the next reload.
  package static let entryAgeMax: Int64 = 86_400_000
  /// Milliseconds until the next reload that a policy may ask for without a warning: over a year.
  package static let policySightMax: Int64 = 400 * 86_400_000
  /// Milliseconds between reloads that suit the budget of a manifest which says nothing.
  package static let reloadIntervalDefault: Int64 = 1_800_000
  /// Surfaces, by their names, on which one widget is expanded: more than anybody has.
  package static let expandedSurfaceCountMax = 32
  /// Placed widgets: ten screens of a thousand.
  package static let widgetCountMax = 10_000
  /// Characters in a widget's id: it is typed by people.
  package static let widgetIDLengthMax = 128
  /// Timelines handled in one turn when many are due, or were restored: some milliseconds of work.
  package static let sliceCount = 64
  /// Widgets that a client read at once and that are noted in the same turn: a page of a list.
  ///
  /// More are noted in slices.
  package static let readAtOnceMax = 128
  /// Slots for runs of providers: a person's machine has other work.
  package static let runningProviderCountMax = 4
  /// Slots more for what a person waits for, so that providers which hang do not hold a person up.
  package static let reservedSlotCount = 4
  /// Slots more for the intervals of scripts that are over at once.
  package static let quickSlotCount = 4
  /// Milliseconds within which the last run of a script was over, for its next one to be quick.
  static let quickRunMax: Int64 = 100
  /// Milliseconds after which a run gives its slot back and goes on without one: few providers take
  /// as long, and one that hangs holds the others up no longer.
  package static let slotInterval: Int64 = 5_000
  /// Runs that go on without a slot: as many as a person has widgets, when a network does not
  /// answer.
  ///
  /// The oldest ends for a new one.
  package static let overlongRunCountMax = 32
  /// Runs under way for timelines, with a slot and without.
  package static let runCountMax =
    runningProviderCountMax + reservedSlotCount + quickSlotCount + overlongRunCountMax
  /// Providers asked for options at once, in addition to those: a client waits for each.
  package static let optionRunCountMax = 4
  /// Runs that make previews at once, in addition to those: a gallery of twenty kinds is there in a
  /// second, and a person's other work goes on.
  package static let previewRunCountMax = 3
  /// Intents performed at once, in addition to those: a person taps one button after the other.
  package static let performRunCountMax = 8
  /// Of these, intents that one program performs at once: one that hangs leaves room for others.
  package static let performRunOfProgramCountMax = 4
  /// Intents that one manifest performs: a large app declares some dozens.
  package static let performedIntentCountMax = 256
  /// UTF-8 bytes of the name of an intent that a manifest performs.
  package static let intentNameBytesMax = 128
  /// UTF-8 bytes of the words with which an intent answers: a paragraph that somebody reads.
  package static let dialogBytesMax = 2_048
  /// UTF-8 bytes that are kept of one character of words that are cut; the longest emoji has 41.
  package static let characterBytesMax = 64
  /// Bytes, as JSON, of the value or the parameters with which an intent answers.
  package static let performedValueBytesMax = 16 * 1_024
  /// UTF-8 bytes of the words with which an intent fails.
  package static let performFailureBytesMax = 1_024
  /// Milliseconds that a provider may take for a preview: somebody looks at the gallery.
  package static let previewTimeMax: Int64 = 2_000
  /// Previews of one kind for which its provider is asked within `previewSpan`.
  ///
  /// It is all families in four languages. A client that asks in ever other languages does not keep a
  /// program running.
  package static let previewAskCountMax = 32
  /// Milliseconds in which `previewAskCountMax` holds.
  package static let previewSpan: Int64 = 60_000
  /// Previews that wait for a run: those of more kinds than anybody has.
  package static let previewQueueMax = 512
  /// Previews that are kept, and failures that are remembered: a hundred kinds in five families or
  /// languages.
  package static let previewCountMax = 512
  /// Bytes of the content of one preview: a picture of a widget, and not all that it can show.
  package static let previewBytesMax = 16 * 1_024
  /// Bytes of all previews that are kept.
  package static let previewsBytesMax = 2 * 1_024 * 1_024
  /// Milliseconds after a failed preview in which its provider is not asked again.
  package static let previewPause: Int64 = 10_000
  /// Lines, and rows, of which a shape keeps the place.
  static let previewLineCountMax = 3
  /// Receipts remembered after they ended, for `widget.receipt`.
  package static let endedReceiptCountMax = 2_000
  /// Steps from a coalesced receipt to the one that leads it: none points further.
  package static let coalescedStepCountMax = 64
  /// Bytes of one manifest's text value.
  package static let manifestTextBytesMax = 4_096
  /// Kinds that one manifest offers: a person chooses among them in a gallery.
  package static let kindOfManifestCountMax = 32
  /// Clicks on a plugin that wait for runs of their own, one run a click.
  package static let waitingClickCountMax = 16
  /// Arguments in a manifest's `exec`.
  package static let argumentCountMax = 64
  /// Variables in a manifest's `env`.
  package static let environmentCountMax = 64
  /// Paths, and names on the bus, in each list of a manifest's `permissions`: a person reads them.
  package static let permissionCountMax = 32
  /// Bytes of a path in `permissions`, as many as the kernel takes.
  package static let permissionPathBytesMax = 4_096
  /// Bytes of a name on the bus.
  ///
  /// Source: the D-Bus specification.
  package static let busNameBytesMax = 255
  /// Files of one consent: those of a folder that was installed.
  package static let pinnedFileCountMax = 500
  /// Milliseconds a provider may take when the manifest does not say.
  package static let providerTimeoutDefault: Int64 = 30_000
  /// Milliseconds a manifest may ask for: longer work belongs into a producer that pushes.
  package static let providerTimeoutMax: Int64 = 600_000
  /// Milliseconds that a manifest may set a provider's timeout to at least.
  package static let providerTimeoutMin: Int64 = 100
  /// Bytes of memory that a manifest may give a provider at least.
  package static let providerMemoryMin: UInt64 = 1 << 20
  /// Bytes of memory for a provider when the manifest does not say: what a Python program needs,
  /// and a browser does not.
  package static let providerMemoryDefault: UInt64 = 256 * 1024 * 1024
  /// Processes of a provider at the same time when the manifest does not say: a script and the
  /// pipelines that it starts.
  package static let providerProcessCountDefault = 64
  /// Processes that a manifest may allow.
  package static let providerProcessCountRange: ClosedRange<Int> = 1...1_000
  /// Bytes of a file that a provider writes when the manifest does not say.
  package static let providerFileBytesDefault: UInt64 = 256 * 1024 * 1024
  /// Bytes of all files in a provider's cache folder when the manifest does not say.
  package static let providerCacheBytesDefault: UInt64 = 256 * 1024 * 1024
  /// Bytes that a manifest may set these two to at least.
  package static let providerFileBytesMin: UInt64 = 1 << 20
  /// Milliseconds of processor time that a manifest may allow: a tenth of a second to an hour.
  package static let providerProcessorTimeRange: ClosedRange<Int64> = 100...3_600_000
  /// Milliseconds of processor time of an extension in a window when the manifest does not say.
  package static let extensionProcessorTimeDefault: Int64 = 30_000
  /// Milliseconds of that window.
  package static let extensionProcessorWindow: Int64 = 60_000
  /// Milliseconds between the moments at which runs by an interval begin.
  static let intervalStep: Int64 = 100
  /// Milliseconds between two failures at an interval that the history and the log have of one
  /// timeline: a script that fails each second would fill both.
  static let routineFailureInterval: Int64 = 3_600_000
  /// Bytes of the pictures of all widgets: a thousand icons, or sixty of the largest pictures.
  package static let pictureBytesMax = 16 * 1_024 * 1_024
  /// Pictures of one timeline: the icons of a week of hours.
  package static let timelinePictureCountMax = 64
  /// Bytes of the views of one timeline: half of what an answer may have, and large widgets for a week
  /// of hours.
  package static let timelineViewBytesMax = 2 * 1_024 * 1_024
  /// Bytes of the views of all timelines: sixteen of the fullest, or thousands of usual ones.
  package static let viewBytesMax = 32 * 1_024 * 1_024
  /// Pixels of all pictures of one timeline: decoded, they take 64 MiB of a surface's memory.
  package static let timelinePicturePixelsMax = 16 * 1_024 * 1_024
  /// Members of a plugin's state that it gets back as variables.
  package static let pluginStateCountMax = 64
  /// Milliseconds between the runs of a plugin, and before a stream that ended is started again: a
  /// tenth of a second, which a clock with tenths needs, to a year.
  package static let pluginIntervalRange: ClosedRange<Int64> = 100...31_622_400_000
  /// Milliseconds before a stream that ended is started again, where its `restart` is a mistake.
  static let pluginRestartDefault: Int64 = 5_000
  /// Milliseconds before a stream that ended is started again, where its manifest does not say; twice
  /// as long with each end in a row that came soon after the start.
  package static let streamPauseFirst: Int64 = 1_000
  /// Milliseconds of that pause at most, unless the manifest asks for a longer one.
  package static let streamPauseMax: Int64 = 300_000
  /// Milliseconds after which the end of a stream is no early one.
  package static let streamSteadyInterval: Int64 = 10_000
  /// Milliseconds for which a stream goes on when nobody watches it any more: a look at another
  /// screen, or a bar that starts anew, does not end it.
  package static let streamLinger: Int64 = 10_000
  /// Streams that run at once: several times as many as a bar has room for.
  package static let streamCountMax = 64
  /// Signals that run a plugin, counted from SIGRTMIN: those that pkill -RTMIN+N reaches.
  package static let pluginSignalRange = 1...30
  /// Milliseconds between budgeted reloads when the manifest does not say.
  ///
  /// Source: "Keeping a widget up to date", ≥ 5 min.
  package static let reloadSpacingDefault: Int64 = 300_000
  /// Milliseconds between budgeted reloads that a manifest or a person may ask for: a second to a
  /// day.
  package static let reloadSpacingRange: ClosedRange<Int64> = 1_000...86_400_000
  /// Milliseconds by which a reload is put off at most, so that widgets of one server do not ask it
  /// together.
  package static let policyJitterMax: Int64 = 300_000
  /// Runs of one timeline that are remembered for `widget.budget`; of a day with more the latest.
  package static let recentRunCountMax = 2_000
  /// Failures in a row to which a timeline counts; the back-off has reached its maximum long
  /// before.
  package static let failureCountMax = 1_000
  /// Reloads a day when the manifest does not say: seen never, seen often.
  ///
  /// Source: "Keeping a widget up to date".
  package static let reloadsPerDayRange = 40...70
  /// Reloads a day that a manifest or a person may ask for: one a second.
  package static let reloadsPerDayMax = 86_400
  /// Full buckets of saved reloads that make up a day's reloads: a quiet night cannot be spent in
  /// one burst.
  package static let bucketsPerDay: Int64 = 4
  /// Reloads that come back in an active hour for one in a quiet hour.
  package static let activeHourWeight: Int64 = 4
  /// Views a day from which a widget gets the most of its range: one in each of sixteen waking
  /// hours.
  package static let viewsPerDayFull = 16.0
  /// Characters of the title of a notification.
  package static let noticeTitleLengthMax = 128
  /// Characters of the text of a notification.
  package static let noticeTextLengthMax = 512
  /// Hundredths of a full battery below which budgets are halved.
  package static let savingBatteryPercent = 20
  /// Milliseconds within which views count as one.
  package static let viewInterval: Int64 = 600_000
  /// Milliseconds after which a widget that is still visible was viewed again.
  package static let viewTick: Int64 = 3_600_000
  /// Views, of all widgets together, from which the hours of the day are known.
  package static let viewsToLearn = 100.0
  /// Milliseconds for which a new widget is reloaded more often than later.
  ///
  /// Source: "a few days".
  package static let learningPeriod: Int64 = 259_200_000
  /// Milliseconds that a learning period may be configured to.
  package static let learningPeriodMax: Int64 = 2_592_000_000
  /// Reloads of a new widget for one of an old one.
  package static let learningFactor = 1.5
  /// Milliseconds for which a widget counts as watched after a client read it.
  package static let readingWindow: Int64 = 3_600_000
  /// Milliseconds between reloads of an unwatched widget whose relevance counts.
  package static let unwatchedInterval: Int64 = 3_600_000
  /// Milliseconds before the first retry of a failing provider; doubles to the maximum.
  package static let backOffFirst: Int64 = 60_000
  /// Milliseconds between retries at most.
  package static let backOffMax: Int64 = 3_600_000
  /// Runs of a kind that fail one after the other before its provider is quarantined.
  package static let failuresToQuarantine = 10
  /// Milliseconds that a failing provider stays in quarantine.
  package static let failureQuarantine: Int64 = 3_600_000
  /// Runs of one timeline within `loopWindow` that a program may have asked for; with more its
  /// provider is quarantined.
  package static let loopRunsMax = 30.0
  /// Runs of the same within `loopWindow` that a person asked for: far more than anybody taps.
  ///
  /// A program that taps or sends intents cannot be told from a person.
  package static let personalLoopRunsMax = 240.0
  /// Milliseconds in which so many runs are no loop.
  package static let loopWindow: Int64 = 300_000
  /// Milliseconds that a provider stays in quarantine for a loop.
  package static let loopQuarantine: Int64 = 900_000
  /// Milliseconds that a request for a provider that needs the network waits for it, before it is
  /// tried anyway.
  package static let networkPatience: Int64 = 3_600_000
  /// Milliseconds that downloads may wait for others, so that one process carries them out; none
  /// where somebody waits.
  package static let downloadWindow: Int64 = 2_000
  /// Milliseconds that the receipts of a reload wait for the files that its answer asked for.
  package static let downloadPatience: Int64 = 20_000
  /// Answers to downloads that may ask for further ones in a row: an index, a page, its picture.
  package static let downloadRoundCountMax = 3
  /// Downloads that one process carries out at most: it takes four at a time, each of which may last
  /// a minute, within `fetchTimeout`.
  package static let downloadsAtOnceMax = 20
  /// Processes that download at once.
  package static let fetchCountMax = 2
  /// Milliseconds that such a process may take, with all that it carries out.
  package static let fetchTimeout: Int64 = 300_000
  /// Milliseconds until downloads are tried again after a failure that may pass, doubled with each.
  package static let downloadRetryFirst: Int64 = 60_000
  /// Milliseconds between two tries at most.
  package static let downloadRetryMax: Int64 = 3_600_000
  /// UTF-8 bytes of the line of standard error that is kept with a failure: two lines of a terminal
  /// or three.
  package static let errorLineBytesMax = 300
  /// Lines from the end of standard error that are looked through for that line.
  package static let errorLineCountMax = 64
  /// UTF-8 bytes of the reason that a provider gives for its failure; a longer one is cut.
  package static let failureReasonBytesMax = 300
  /// Runs that `widget.budget` lists, the newest first.
  package static let budgetRunsShown = 20
  /// Former names of one kind.
  package static let aliasCountMax = 32
  /// Points a surface may give a widget in one direction: a wall of screens.
  package static let displaySizeMax: Int64 = 16_384
  /// Milliseconds over which overdue reloads are spread after a restart or a resume.
  package static let overdueSpread: Int64 = 30_000
  /// Units of a score that an entry may declare, either way: what people read; a date or a size by
  /// mistake is more.
  package static let relevanceScoreMax = 1_000_000.0
  /// Milliseconds a relevance without a duration lasts at most.
  package static let relevanceWindowMax: Int64 = 86_400_000
  /// Kinds without a widget whose highest score is remembered: some years of trying things out.
  package static let scaleCountMax = 256
  /// Milliseconds that an intent keeps its widget on top.
  package static let promotionWindow: Int64 = 900_000
  /// Milliseconds that a dismissed widget stays down.
  package static let dismissalWindow: Int64 = 14_400_000
  /// Milliseconds for which a removal or a dismissal can be undone.
  package static let undoWindow: Int64 = 600_000
  /// Acts that can be undone: a person takes back the last few.
  package static let undoableActCountMax = 16
  /// Bytes of the timeline that a removed widget keeps; a longer one is loaded anew.
  package static let undoTimelineBytesMax = 65_536
  /// Bytes of all these timelines together.
  package static let undoTimelinesBytesMax = 524_288
  /// Milliseconds that an unused suggestion stays.
  package static let suggestionWindow: Int64 = 3_600_000
  /// Donations that are kept, and learned from again at a start: as many as the model remembers one
  /// by one.
  package static let donationCountMax = 8_192
  /// Donations that go at once when there are too many, the oldest first: the rest is learned anew
  /// then.
  package static let donationPruneCount = 1_024
  /// Claims of providers that one donation keeps.
  package static let claimCountMax = 8
  /// Items, the latest used first, that a claim is compared with.
  package static let comparedItemCountMax = 48
  /// Items compared in one turn while donations are learned anew: some three milliseconds.
  package static let relearningCost = 12_000
  /// Items compared that learning one use costs beside the items that are known.
  package static let relearningCostOfUse = 50
  /// Items compared at a start before others are served: some hundred milliseconds.
  package static let startLearningCost = 500_000
  /// Claims of timelines that are looked up for one use: a millisecond of work.
  ///
  /// With more to look up, the use is kept without claims.
  package static let claimLookUpsOfUseMax = 1_024
  /// Donations that a replay of the order looks at, the latest ones.
  package static let replayedDonationCountMax = 1_000
  /// Kinds whose weight in the stack is remembered: every widget that there can be, and some that
  /// went.
  package static let claimWeightCountMax = 12_288
  /// Items that are not suggested for a while: as many as the habits know.
  package static let declinedItemCountMax = 12_288
  /// Milliseconds that a widget stays on top of a stack at least.
  package static let minimumStay: Int64 = 180_000
  /// Units of the score by which another widget has to lead before it takes the top.
  package static let rotationLead = 0.3
  /// Stacks whose top is remembered, by their families; one more begins anew.
  package static let rotationCountMax = 32
  /// Milliseconds after a touch in which the top does not change by itself.
  package static let interactionPause: Int64 = 30_000
  /// Numbers that the store counts with: far from where counting on would overflow.
  package static let storedNumberMax: Int64 = 1 << 53
  /// Milliseconds between looks at the order while a stack is visible.
  package static let rotationTick: Int64 = 300_000
  /// Uses after which something that is not placed may be suggested.
  package static let suggestionUsesMin = 3
  /// Shares of all that could be used now that a suggestion has at least, by the habits.
  package static let suggestionLikelihoodMin = 0.25
  /// Donations, from the latest, that are searched for an item's configuration.
  package static let searchedDonationCountMax = 1_000
  /// Milliseconds for which what was dismissed is not suggested again; twice as long each further
  /// time in a row.
  package static let suggestionPause: Int64 = 86_400_000
  /// Times that this pause doubles at most: then it is 32 days.
  package static let suggestionPauseDoublingsMax = 5
  /// Milliseconds until a suggestion that had nothing to show is made again: the network may be
  /// back by then.
  package static let suggestionRetry: Int64 = 600_000
  /// Windows in one manifest for which it wants to be suggested.
  package static let suggestedWindowCountMax = 16
  /// Milliseconds that such a window is open at most: a widget that is there all day is no
  /// suggestion.
  package static let suggestedSpanMax: Int64 = 43_200_000
  /// Days that are looked through for the next opening of a window.
  package static let suggestedDaysAhead = 7
  /// Units of a claim weight below which a kind's windows suggest nothing: a quarter of what each
  /// begins with.
  package static let suggestionWeightMin = 0.5
}
