import JSON

/// What a person's habits say about sentences that are not recognised yet.
struct HabitualValues {
  /// By the name of an intent, the score of its likeliest habit.
  private(set) var scores: [String: Double] = [:]
  /// By the name of a parameter, the values of habits, the likeliest first; a few of each.
  private(set) var values: [String: [JSONValue]] = [:]
  private var exact: [Intent: Double] = [:]

  init(_ habits: [CompletionHabit]) {
    let used = habits.filter { $0.score > 0 }.prefix(Limits.completionHabitsMax)
    for habit in used.enumerated().sorted(by: {
      $0.element.score != $1.element.score
        ? $0.element.score > $1.element.score : $0.offset < $1.offset
    }).map(\.element) {
      exact[habit.intent] = max(exact[habit.intent] ?? 0, habit.score)
      scores[habit.intent.name] = max(scores[habit.intent.name] ?? 0, habit.score)
      for (name, value) in habit.intent.parameters where !value.isNull {
        guard values[name, default: []].count < Limits.completionNamesMax,
          !values[name, default: []].contains(value)
        else { continue }
        values[name, default: []].append(value)
      }
    }
  }

  /// How much exactly this intent is wanted; 0 where nothing is known.
  func score(of intent: Intent) -> Double { exact[intent] ?? 0 }
}
