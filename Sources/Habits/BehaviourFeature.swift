/// The sixteen features by which the model scores an item, and their causes in a person's words.
///
/// `docs/RANKING.md` has their formulas. The raw value is the index in a vector of sixteen.
package enum BehaviourFeature: Int, CaseIterable, Hashable, Sendable {
  /// ln of the item's share of all uses.
  case share
  /// ln of its share of uses that fade with a half-life of seven days.
  case shareThisWeek
  /// ln of its share of uses that fade by e^(−1/4) with each use of anything.
  case shareLately
  /// ln of how often it followed the previous item, after a pause like this one.
  case follows
  /// ln of how often it followed the previous two items, and three where there is such a past.
  case sequence
  /// ln of how much more it is used at this half-hour than other items are.
  case timeOfDay
  /// The same for the weekday.
  case weekday
  /// ln of how often an item of this rank by recency, used this long ago, is used next.
  case sinceLastUse
  /// ln of how much more it is used after a pause like this one than other items are.
  case pause
  /// ln of a vote of similar moments: time of day, weekday, pause, previous item.
  case similarMoments
  /// ln of its share of the present session.
  case session
  /// Whether it followed the previous item at this time of day the last times, and how reliable
  /// that is.
  case streak
  /// −ln(1 + rank), rank 0: the item used last.
  case rank
  /// ln of how often items are used this many days and hours after their last use.
  case rhythm
  /// ln of its share of uses that fade with e^(−1/hour).
  case shareThisHour
  /// ln of a vote of the same hour, weekdays apart.
  case sameHourAndWeekday

  package var cause: BehaviourCause {
    switch self {
    case .share: .often
    case .shareThisWeek, .shareLately, .sinceLastUse, .session, .rank, .shareThisHour: .lately
    case .follows, .sequence, .streak, .pause: .afterwards
    case .timeOfDay, .similarMoments, .rhythm: .timeOfDay
    case .weekday, .sameHourAndWeekday: .weekday
    }
  }
}

/// Why a person would want an item now, in words that people use.
package enum BehaviourCause: Int, CaseIterable, Hashable, Sendable {
  case often
  case lately
  case timeOfDay
  case weekday
  /// The item follows the person's previous act.
  case afterwards
}
