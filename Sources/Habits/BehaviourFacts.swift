package import Timekeeping

/// The facts behind a score that a person remembers too, for a plain sentence.
package struct BehaviourFacts: Hashable, Sendable {
  package enum PartOfDay: Int, Hashable, Sendable {
    case night, morning, afternoon, evening

    package var plural: String {
      switch self {
      case .night: "nights"
      case .morning: "mornings"
      case .afternoon: "afternoons"
      case .evening: "evenings"
      }
    }
  }

  /// Uses ever, 0 for an item never used.
  package var uses: Int
  package var lastUse: WallTime?
  /// Quarter of the day: 00–06, 06–12, 12–18, 18–24.
  package var part: PartOfDay
  /// The kind of days looked at: `weekday` or `workday`, `weekend`, or `day-off` when named days
  /// are among them.
  package var days: String
  /// Days on which it was used in this part of the day, of the last `daysLooked` such days
  /// (workdays or days off) before today; at most five, none before its first use.
  package var daysUsed: Int
  package var daysLooked: Int
  /// The item used last, and how often this item followed it in the last `followChances` times.
  package var previous: String?
  package var followed: Int
  package var followChances: Int

  /// "you used it on 4 of the last 5 weekday mornings", or what else is worth saying; `nil` if
  /// nothing is.
  package var sentence: String? {
    if daysUsed * 2 > daysLooked, daysUsed > 1 {
      return "you used it on \(daysUsed) of the last \(daysLooked) \(days) \(part.plural)"
    }
    if let previous, followed * 3 >= followChances, followed > 1 {
      return "you used it \(followed) of the last \(followChances) times after \(previous)"
    }
    return uses == 0 ? nil : uses == 1 ? "you used it once" : "you used it \(uses) times"
  }
}

extension BehaviourModel {
  /// The facts about one item at a moment.
  ///
  /// O(uses looked at), at most ten.
  ///
  /// `daysOff`: which days were off, as far as it is known today.
  package func facts(
    of item: String, at moment: BehaviourMoment, daysOff: DaysOff = .weekends
  ) -> BehaviourFacts {
    let part = BehaviourFacts.PartOfDay(rawValue: moment.halfHour / 12) ?? .night
    var facts = BehaviourFacts(
      uses: 0, part: part, days: daysOff == .weekends ? "weekday" : "workday", daysUsed: 0,
      daysLooked: 0, followed: 0, followChances: 0)
    if moment.isDayOff { facts.days = daysOff.isWeekend(moment.day) ? "weekend" : "day-off" }
    guard let slot = items.slots[item].map(Int.init), items.counts[slot] > 0 else { return facts }
    facts.uses = Int(items.counts[slot])
    facts.lastUse = WallTime(milliseconds: items.lastUses[slot])
    let used = items.daysUsed[slot * 4 + part.rawValue]
    var day = moment.day - 1
    while facts.daysLooked < 5, day >= items.firstDays[slot], items.lastDays[slot] - day < 64 {
      defer { day -= 1 }
      guard daysOff.isOff(day) == moment.isDayOff else { continue }
      if moment.isDayOff, !daysOff.isWeekend(day) { facts.days = "day-off" }
      facts.daysLooked += 1
      let bit = items.lastDays[slot] - day
      if bit >= 0, used >> UInt64(bit) & 1 == 1 { facts.daysUsed += 1 }
    }
    let last = history[history.count - 1]
    guard last.slot >= 0 else { return facts }
    facts.previous = items.names[Int(last.slot)]
    var index = last.before
    while index >= history.oldest, facts.followChances < 10 {
      facts.followChances += 1
      if Int(history[index + 1].slot) == slot { facts.followed += 1 }
      index = history[index].before
    }
    return facts
  }
}
