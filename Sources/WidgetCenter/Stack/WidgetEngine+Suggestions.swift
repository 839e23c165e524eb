import JSON
package import Timekeeping

/// What the person often does and has not placed is suggested, when it is what they want most now; and
/// so is what a manifest wants suggested at this time.
///
/// One suggestion at most is there, whoever made it. What was sent away stays away: for a day, and twice as long
/// each further time in a row. Source: SiriKit, donations and relevant shortcuts.
extension WidgetEngine {
  /// Adds a suggestion if there is reason for one.
  ///
  /// O(items used lately + donations and windows looked at).
  package mutating func proposeSuggestion(at now: WallTime, into output: inout EngineOutput) {
    // By index: most of them are looked at and not copied.
    var there: [Widget] = []
    for index in widgets.indices where widgets.values[index].isSuggestion {
      there.append(widgets.values[index])
    }
    there.sort { $0.id < $1.id }
    // What the person often does comes before what a manifest wants suggested, unless they took that up.
    guard there.allSatisfy({ $0.window != nil && !recent.wasAskedFor($0.id) }),
      let found = mostWanted(at: now),
      there.isEmpty || found.window == nil && !there.contains(where: { found.isShown(by: $0) })
    else { return }
    for widget in there { expire(widget.id, at: now, into: &output) }
    do throws(WidgetError) {
      let id = Self.suggestionID(found.kind)
      let widget = try add(
        kind: found.kind, family: nil, configuration: found.configuration, id: id,
        isSuggestion: true, window: found.window, cause: .placed, at: now, into: &output
      ).widget
      expiries.schedule(id, at: widget.suggestionEnd(touchedAt: now))
    } catch {
      // There are as many widgets as there may be: then nothing is suggested.
    }
  }

  /// Nobody touched a suggestion for its time: it stays while it is what would be suggested in its place.
  mutating func endSuggestion(_ id: String, at now: WallTime, into output: inout EngineOutput) {
    if let widget = widgets[id], widget.isSuggestion, widget.window == nil,
      let found = mostWanted(at: now), found.window == nil, found.isShown(by: widget)
    {
      expiries.schedule(id, at: widget.suggestionEnd(touchedAt: now))
    } else {
      expire(id, at: now, into: &output)
    }
  }

  /// Whether a widget is a suggestion that nobody asked for and that has nothing to show yet: no surface hears
  /// of it, and it is in no order.
  ///
  /// `moment`: then; `nil`: by what surfaces were last told.
  package func isWithheld(_ id: String, at moment: WallTime? = nil) -> Bool {
    guard let widget = widgets[id], widget.isSuggestion, !recent.wasAskedFor(id) else {
      return false
    }
    let shared = timelines[widget.timelineKey]
    guard let moment else { return shared?.shown == nil }
    return shared?.entry(at: moment) == nil
  }

  /// A run brought a suggestion nothing to show: it makes room for another, and is looked at again later.
  mutating func withdrawIfEmpty(
    _ key: TimelineKey, at now: WallTime, into output: inout EngineOutput
  ) {
    guard let shared = timelines[key], shared.isIdle, shared.timeline?.entries.isEmpty ?? true
    else { return }
    for id in shared.widgets where isWithheld(id) {
      if let item = widgets[id]?.item {
        recent.decline(item, for: Limits.suggestionRetry, at: now)
      }
      expire(id, at: now, into: &output)
    }
  }

  /// When a window of a manifest opens, and when clock, zone or manifests changed.
  mutating func lookForSuggestions(at now: WallTime, into output: inout EngineOutput) {
    guard let look = nextSuggestionLook, look <= now else { return }
    for id in order {
      guard let widget = widgets[id], widget.isSuggestion, let window = widget.window else {
        continue
      }
      // The clock or the zone was set, or its manifest wants it no more; what the person took up stays its hour.
      guard
        now < window.from || kinds[widget.kind] == nil
          || !recent.wasAskedFor(id) && !isWanted(widget, at: now)
      else { continue }
      expire(id, at: now, into: &output)
    }
    proposeSuggestion(at: now, into: &output)
    let calendar = localDays
    let sentAway = stackModel.sentAway()
    var next = now.advanced(bySeconds: Int64(Limits.suggestedDaysAhead) * 86_400)
    for kind in kinds.values {
      for window in kind.suggest {
        if let opening = window.nextOpening(after: now, calendar) { next = min(next, opening) }
        // It is open, and what it suggests was sent away: that may be over before it is.
        guard let end = window.open(at: now, calendar)?.to, let key = window.configuration?.key
        else {
          continue
        }
        let item = StackDonation.item(kind: kind.kind, configurationKey: key)
        let pauses = [recent.declinedUntil(item, at: now), Self.awayUntil(sentAway[item], at: now)]
        if let pause = pauses.compactMap({ $0 }).max(), pause < end { next = min(next, pause) }
      }
    }
    nextSuggestionLook = kinds.values.contains { !$0.suggest.isEmpty } ? next : nil
  }

  /// Whether a window of its manifest is open for it.
  private func isWanted(_ widget: Widget, at now: WallTime) -> Bool {
    let calendar = localDays
    return (kinds[widget.kind]?.suggest ?? []).contains { window in
      window.configuration?.key == widget.configuration.key && window.open(at: now, calendar) != nil
    }
  }

  private struct Suggestion {
    var kind: String
    var configuration: WidgetConfiguration
    var window: RelevantWindow?

    func isShown(by widget: Widget) -> Bool {
      kind == widget.kind && configuration.key == widget.configuration.key
    }
  }

  /// What would be suggested if nothing were.
  private mutating func mostWanted(at now: WallTime) -> Suggestion? {
    let mayLearn = !isPrivate && stackModel.habits.useCount >= Limits.suggestionUsesMin
    guard mayLearn || nextSuggestionLook != nil else { return nil }
    let sentAway = stackModel.sentAway()
    let mayShow = { [recent] (item: String) in
      recent.declinedUntil(item, at: now) == nil
        && Self.awayUntil(sentAway[item], at: now) == nil
    }
    if mayLearn, let found = likeliest(at: now, mayShow) { return found }
    guard nextSuggestionLook != nil else { return nil }
    var placed: Set<String> = []
    for index in widgets.indices where !widgets.values[index].isSuggestion {
      placed.insert(widgets.values[index].item)
    }
    return suggestedNow(at: now) { !placed.contains($0) && mayShow($0) }
  }

  /// What the person wants most now, if that is not placed.
  private mutating func likeliest(
    at now: WallTime, _ mayShow: (String) -> Bool
  ) -> Suggestion? {
    let moment = moment(now)
    let habits = stackModel.habits
    // By slots of the model: no name is hashed for it.
    var rows = stackRows ?? StackRows(order, widgets)
    stackRows = nil
    defer { stackRows = rows }
    rows.findSlots(in: habits)
    var slots: [Int32] = []
    var kindNames: [String] = []
    var isPlaced = [Bool](repeating: false, count: habits.slotCount)
    for item in rows.placedItems {
      slots.append(rows.slots[item])
      kindNames.append(rows.kinds[Int(rows.kindsOfItems[item])])
      if let slot = slots.last, slot >= 0 { isPlaced[Int(slot)] = true }
    }
    let placedCount = slots.count
    for slot in habits.latestSlots(Limits.comparedItemCountMax)
    where !isPlaced[Int(slot)] && mayShow(habits.name(of: slot)) {
      slots.append(slot)
      kindNames.append("")
    }
    guard slots.count > placedCount else { return nil }
    let likelihoods =
      habits.judge(slots, kinds: kindNames, rows.situation(of: habits, at: moment)).probabilities
    guard let best = likelihoods.indices.max(by: { likelihoods[$0] < likelihoods[$1] }),
      best >= placedCount, likelihoods[best] >= Limits.suggestionLikelihoodMin
    else { return nil }
    let item = habits.name(of: slots[best])
    guard habits.facts(of: item, at: moment).uses >= Limits.suggestionUsesMin,
      let donation = stackModel.latestDonation(of: item), let kind = kinds[donation.kind],
      quarantines[kind.kind] == nil, donation.configuration.intent == kind.intent
    else { return nil }
    return Suggestion(kind: kind.kind, configuration: donation.configuration)
  }

  /// What manifests want suggested now: of several the one whose window says most, by the voice of its kind.
  private func suggestedNow(at now: WallTime, _ mayShow: (String) -> Bool) -> Suggestion? {
    guard nextSuggestionLook != nil else { return nil }
    let calendar = localDays
    var best: (suggestion: Suggestion, weight: Double)?
    for kind in kinds.values.sorted(by: { $0.kind < $1.kind }) where !kind.suggest.isEmpty {
      let voice = stackModel.voices.weight(of: kind.kind)
      guard voice >= Limits.suggestionVoiceMin, quarantines[kind.kind] == nil else { continue }
      for suggested in kind.suggest {
        guard let configuration = suggested.configuration,
          let window = suggested.open(at: now, calendar),
          mayShow(StackDonation.item(kind: kind.kind, configurationKey: configuration.key))
        else { continue }
        let weight = voice * Double(window.kind.rawValue)
        if best.map({ $0.weight < weight }) ?? true {
          best = (
            Suggestion(kind: kind.kind, configuration: configuration, window: window), weight
          )
        }
      }
    }
    return best?.suggestion
  }

  // MARK: The windows of a suggestion

  /// What a timeline says of its relevance at `moment`.
  ///
  /// A suggestion that is there for a window of its manifest has every window of the manifest for the same
  /// configuration, also those of other days: asked for another moment, the order is the one of then. What is
  /// placed has none of them.
  func declared(by shared: SharedTimeline, at moment: WallTime) -> DeclaredRelevance {
    var declared = shared.declared(at: moment)
    for suggested in windows(for: shared) {
      guard let window = suggested.open(at: moment, localDays) else { continue }
      if declared.window.map({ $0.yields(to: window) }) ?? true { declared.window = window }
    }
    return declared
  }

  /// When what a timeline shows, or what it says of its relevance, changes next by itself.
  ///
  /// For a suggestion in `Limits.suggestedDaysAhead` days at the latest: no further are openings looked for.
  func nextChange(of shared: SharedTimeline, after moment: WallTime) -> WallTime? {
    let windows = windows(for: shared)
    guard !windows.isEmpty else { return shared.nextChange(after: moment) }
    var next = moment.advanced(bySeconds: Int64(Limits.suggestedDaysAhead) * 86_400)
    if let own = shared.nextChange(after: moment) { next = min(next, own) }
    for window in windows {
      if let opening = window.nextOpening(after: moment, localDays) { next = min(next, opening) }
      if let end = window.open(at: moment, localDays)?.to { next = min(next, end) }
    }
    return next
  }

  private func windows(for shared: SharedTimeline) -> [SuggestedWindow] {
    guard shared.suggested != nil else { return [] }
    return (kinds[shared.key.kind]?.suggest ?? []).filter {
      $0.configuration?.key == shared.key.configuration
    }
  }

  /// The windows of manifests lie elsewhere: those of other manifests, of another zone or other days off.
  mutating func suggestedWindowsMoved(at now: WallTime, into output: inout EngineOutput) {
    guard nextSuggestionLook != nil else { return }
    nextSuggestionLook = now
    stackRows?.forgetClaims()
    for id in order {
      guard let widget = widgets[id], widget.window != nil else { continue }
      refreshShown(widget.timelineKey, at: now, into: &output)
    }
  }

  private var localDays: LocalDays {
    LocalDays(zoneOffset: zoneOffset, isOff: daysOff.isOff)
  }

  /// When what was sent away may be suggested again.
  private static func awayUntil(_ sent: StackModel.SentAway?, at now: WallTime) -> WallTime? {
    guard let sent, sent.last <= now else { return nil }
    let doublings = min(sent.count - 1, Limits.suggestionPauseDoublingsMax)
    let end = sent.last.advanced(byMilliseconds: Limits.suggestionPause << Int64(doublings))
    return now < end ? end : nil
  }
}
