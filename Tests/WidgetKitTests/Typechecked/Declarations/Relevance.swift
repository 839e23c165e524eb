import WidgetKit

// When a widget is relevant, whatever it shows.

private func relevance() async throws {
  let start = Date()
  let contexts: [RelevantContext] = [
    .date(start), .date(from: start, to: start + 60),
    .date(interval: DateInterval(start: start, duration: 60), kind: .default),
    .date(interval: DateInterval(start: start, duration: 60), kind: .informational),
    .date(interval: DateInterval(start: start, duration: 60), kind: .scheduled),
    .date(range: start...start + 60, kind: .default),
    .location(inferred: .home), .sleep(.bedtime), .sleep(.wakeup), .fitness(.workoutActive),
    .fitness(.activityRingsIncomplete),
  ]
  let _: WidgetRelevance<Void> = WidgetRelevance(
    contexts.map { WidgetRelevanceAttribute(context: $0) } + [
      WidgetRelevanceAttribute(group: .named("group")),
      WidgetRelevanceAttribute(group: .ungrouped), WidgetRelevanceAttribute(group: .automatic),
    ])
  let _: WidgetRelevance<INIntent> = WidgetRelevance([
    WidgetRelevanceAttribute(configuration: INIntent(), context: .date(start)),
    WidgetRelevanceAttribute(configuration: INIntent(), group: .automatic),
  ])
  let intents = contexts.map {
    RelevantIntent(ChooseColour(), widgetKind: "new", relevance: $0)
  }
  try await RelevantIntentManager.shared.updateRelevantIntents(intents)

  let shortcut = INShortcut(intent: INIntent()).map(INRelevantShortcut.init(shortcut:))
  shortcut?.widgetKind = "old"
  shortcut?.shortcutRole = .information
  shortcut?.relevanceProviders = [
    INDateRelevanceProvider(start: start, end: nil),
    INDailyRoutineRelevanceProvider(situation: .morning),
  ]
  INRelevantShortcutStore.default.setRelevantShortcuts([shortcut].compactMap { $0 }) { error in
    print(error as Any)
  }
  try await INRelevantShortcutStore.default.setRelevantShortcuts([])
}
