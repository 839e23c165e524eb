import Habits
package import Timekeeping

/// Explains a widget's place in the stack, in numbers that add up and in a sentence.
extension WidgetEngine {
  /// Each part of the score with a phrase, in the causes' order.
  package func reasons(
    for place: StackPlace, at moment: WallTime
  ) -> [(cause: StackCause, value: Double, because: String)] {
    place.contributions.map { ($0.cause, $0.value, because($0.cause, $0.value, place, at: moment)) }
  }

  /// One plain sentence: "you used it on 4 of the last 5 weekday mornings; its provider says 80
  /// until 09:30".
  package func sentence(for place: StackPlace, at moment: WallTime) -> String {
    guard let widget = widgets[place.id] else { return "it is not placed" }
    var parts: [String] = []
    for cause in [StackCause.dismissed, .intentJustSent, .stays] where place.value(cause) != 0 {
      parts.append(because(cause, place.value(cause), place, at: moment))
    }
    let habits: [StackCause] = [.often, .lately, .timeOfDay, .weekday, .afterwards]
    let total = habits.reduce(0) { $0 + place.value($1) }
    if total > 0, let habit = habit(of: widget, at: moment) {
      parts.append(habit)
    } else if total < 0 {
      parts.append(
        facts(of: widget, at: moment).uses == 0
          ? "you have not used it yet" : "at such a moment you mostly use others")
    }
    if place.value(.relevance) != 0 {
      parts.append(because(.relevance, place.value(.relevance), place, at: moment))
    }
    return parts.isEmpty
      ? "nothing speaks for or against it: it keeps its place" : parts.joined(separator: "; ")
  }

  private func facts(of widget: Widget, at moment: WallTime) -> BehaviourFacts {
    stackModel.habits.facts(of: widget.item, at: surroundings.moment(moment), daysOff: daysOff)
  }

  private func habit(of widget: Widget, at moment: WallTime) -> String? {
    var facts = facts(of: widget, at: moment)
    // An item that follows itself says nothing.
    facts.previous = facts.previous.flatMap { $0 == widget.item ? nil : title(ofItem: $0) }
    return facts.sentence
  }

  /// The name that a person gives an item: the widget's id, else the name of the kind.
  private func title(ofItem item: String) -> String {
    if let index = placed.stack.firstIndex(ofItem: item) { return "'\(order[index])'" }
    let kind = String(item.prefix { $0 != "\u{1F}" })
    return kinds[kind]?.name ?? kind
  }

  private func because(
    _ cause: StackCause, _ value: Double, _ place: StackPlace, at moment: WallTime
  ) -> String {
    guard let widget = widgets[place.id] else { return "it is not placed" }
    let facts = facts(of: widget, at: moment)
    let speaksFor = value > 0
    switch cause {
    case .often, .lately, .timeOfDay, .weekday, .afterwards:
      return becauseOfHabits(cause, facts, speaksFor, widget, at: moment)
    case .relevance: return becauseOfProvider(widget, at: moment)
    case .intentJustSent:
      let date = recent.promotion(widget.id, at: moment) ?? moment
      return "you asked for it at \(Self.shortTime(date, from: moment, zoneOffset))"
    case .dismissed:
      let end = recent.dismissedUntil(widget.id, at: moment) ?? moment
      return
        "you sent it away; it stays down until \(Self.shortTime(end, from: moment, zoneOffset))"
    case .stays: return "it is on top, and the top does not change all the time"
    }
  }

  /// Says only what was seen.
  ///
  /// All causes compare with others, so other items may be the reason.
  private func becauseOfHabits(
    _ cause: StackCause, _ facts: BehaviourFacts, _ speaksFor: Bool, _ widget: Widget,
    at moment: WallTime
  ) -> String {
    guard facts.uses > 0, let last = facts.lastUse else {
      return speaksFor
        ? "you have not used it yet, and seldom use others at such a moment"
        : "you have not used it yet"
    }
    switch cause {
    case .lately:
      let date = Self.shortTime(last, from: moment, zoneOffset)
      return speaksFor ? "you used it last at \(date)" : "you used it last at \(date), others since"
    case .timeOfDay:
      guard speaksFor else { return "at this time of day you mostly use others" }
      return facts.daysUsed > 1
        ? "it is one for this time of day" : "you used it at such a time, or others seldom"
    case .weekday:
      guard speaksFor else { return "on this weekday you mostly use others" }
      return facts.uses > 3
        ? "it is one for this day of the week" : "you used it on such a day, or others seldom"
    case .afterwards:
      guard let previous = facts.previous, facts.followed > 1,
        facts.followed * 3 >= facts.followChances
      else {
        return speaksFor
          ? "it fits what you did before, and how long ago that was" : "others fit better now"
      }
      let name = previous == widget.item ? "itself" : title(ofItem: previous)
      return speaksFor ? "it often follows \(name)" : "others fit better now"
    default:
      let times = facts.uses == 1 ? "once" : "\(facts.uses) times"
      return speaksFor ? "you used it \(times)" : "you used it \(times), others more often"
    }
  }

  private func becauseOfProvider(_ widget: Widget, at moment: WallTime) -> String {
    guard let claim = claim(of: widget, at: moment) else { return "its provider says nothing" }
    func until(_ date: WallTime?) -> String {
      "until \(Self.shortTime(date ?? moment, from: moment, zoneOffset))"
    }
    let declared = claim.declared
    if let score = declared.score, score <= 0 {
      return "its provider says \(plain(score)): not relevant \(until(declared.scoreUntil))"
    }
    var parts: [String] = []
    if let window = declared.window {
      parts.append("\(window.kind.sentence) \(until(window.to))")
    }
    if let score = declared.score {
      parts.append(
        "\(plain(score)), of at most \(plain(claim.most)) so far, \(until(declared.scoreUntil))")
    }
    var text = "its provider says \(parts.joined(separator: ", and "))"
    let weight = stackModel.claimWeights.weight(of: widget.kind)
    if weight < ClaimWeights.weightAtFirst / 2 {
      text += " (it counts little, since you mostly use others when it says so)"
    }
    return text
  }

  /// `09:30` on the same local day, else `2026-11-21 09:30`.
  static func shortTime(_ date: WallTime, from moment: WallTime, _ zoneOffset: Int64) -> String {
    let local = date.advanced(byMilliseconds: zoneOffset).rfc3339
    let today = moment.advanced(byMilliseconds: zoneOffset).rfc3339
    let day = local.prefix { $0 != "T" }
    let time = local.drop { $0 != "T" }.dropFirst().prefix(5)
    return day == today.prefix { $0 != "T" } ? String(time) : "\(day) \(time)"
  }
}

/// Two decimals at most.
private func plain(_ value: Double) -> String {
  let rounded = (value * 100).rounded() / 100
  return rounded == rounded.rounded() && abs(rounded) < 1e15
    ? String(Int64(rounded)) : String(rounded)
}

/// How well the stack would have foreseen the person's uses.
package struct StackReplay: Sendable {
  /// All uses, and those of an item that was known before.
  package var uses = 0
  package var foreseen = 0
  package var first = 0
  package var firstThree = 0
  /// The sum of 1 / rank; an unknown item counts 0.
  package var reciprocalSum = 0.0
  /// Newest first; `rank` is `nil` for an item that had never been used before.
  package var latest: [(donation: StackDonation, rank: Int?)] = []
}

extension WidgetEngine {
  /// Replays the latest donations, and ranks each use before it learns from it.
  ///
  /// O(donations · items): some tens of milliseconds for thousands.
  package func replayedUses(latest count: Int) -> StackReplay {
    var replay = StackReplay()
    var habits = BehaviourModel()
    var rows: [(donation: StackDonation, rank: Int?)] = []
    // The latest donations tell enough; more would keep other clients waiting.
    for donation in stackModel.donations.suffix(Limits.replayedDonationCountMax) {
      defer { habits.learn(donation.item, kind: donation.kind, donation.act, at: donation.moment) }
      guard donation.act.isUse else { continue }
      let rank = habits.rank(of: donation.item, at: donation.moment)
      replay.uses += 1
      rows.append((donation, rank))
      guard let rank else { continue }
      replay.foreseen += 1
      if rank == 1 { replay.first += 1 }
      if rank <= 3 { replay.firstThree += 1 }
      replay.reciprocalSum += 1 / Double(rank)
    }
    replay.latest = rows.suffix(count).reversed()
    return replay
  }
}
