import Habits
import JSON
package import Timekeeping

/// Suggests an item that the person often uses and has not placed, or one that a manifest wants.
///
/// There is one suggestion at most, from either source. An item that the person sent away is not
/// suggested for a day, and for twice as long each further time in a row. Source: SiriKit,
/// donations and relevant shortcuts.
extension WidgetEngine {
  /// Adds a suggestion if there is reason for one.
  ///
  /// O(items used lately + donations and windows looked at).
  package mutating func proposeSuggestion(at now: WallTime, into output: inout EngineOutput) {
    // By index: most widgets are looked at and not copied.
    var there: [Widget] = []
    for index in placed.byID.indices where placed.byID.values[index].isSuggestion {
      there.append(placed.byID.values[index])
    }
    there.sort { $0.id < $1.id }
    // A habit comes before a manifest's window, unless the person took the window up.
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
      suggestions.end(id, at: widget.suggestionEnd(touchedAt: now))
    } catch {
      // Placing can only fail at the limit of widgets; then nothing is suggested.
    }
  }

  /// Ends a suggestion that nobody touched, unless it is the one that would be suggested in its
  /// place.
  mutating func endSuggestion(_ id: String, at now: WallTime, into output: inout EngineOutput) {
    if let widget = widgets[id], widget.isSuggestion, widget.window == nil,
      let found = mostWanted(at: now), found.window == nil, found.isShown(by: widget)
    {
      suggestions.end(id, at: widget.suggestionEnd(touchedAt: now))
    } else {
      expire(id, at: now, into: &output)
    }
  }

  /// Whether a widget is a suggestion that nobody asked for and that has nothing to show yet.
  ///
  /// No surface hears of such a widget, and it is in no order. `moment`: as it is then; `nil`: by
  /// the entry that surfaces were last told.
  package func isWithheld(_ id: String, at moment: WallTime? = nil) -> Bool {
    guard let widget = widgets[id], widget.isSuggestion, !recent.wasAskedFor(id) else {
      return false
    }
    let shared = timelines[widget.timelineKey]
    guard let moment else { return shared?.shown == nil }
    return shared?.entry(at: moment) == nil
  }

  /// Removes a suggestion whose run brought nothing to show; its item is looked at again later.
  mutating func withdrawIfEmpty(
    _ key: TimelineKey, at now: WallTime, into output: inout EngineOutput
  ) {
    guard key.mode == .compact, let shared = timelines[key], shared.isIdle,
      shared.timeline?.entries.isEmpty ?? true
    else { return }
    for id in shared.widgets where isWithheld(id) {
      if let item = widgets[id]?.item {
        recent.decline(item, for: Limits.suggestionRetry, at: now)
      }
      expire(id, at: now, into: &output)
    }
  }

  /// Looks at windows of manifests: when one opens, and when clock, zone or manifests changed.
  mutating func lookForSuggestions(at now: WallTime, into output: inout EngineOutput) {
    guard let look = suggestions.nextLook, look <= now else { return }
    for id in order {
      guard let widget = widgets[id], widget.isSuggestion, let window = widget.window else {
        continue
      }
      // The clock or the zone was set, or the manifest no longer wants it; a suggestion that the
      // person took up stays for its hour.
      guard
        now < window.from || kinds[widget.kind] == nil
          || !recent.wasAskedFor(id) && !isWanted(widget, at: now)
      else { continue }
      expire(id, at: now, into: &output)
    }
    proposeSuggestion(at: now, into: &output)
    let calendar = surroundings.localDays
    let sentAway = stackModel.sentAway()
    var next = now.advanced(bySeconds: Int64(Limits.suggestedDaysAhead) * 86_400)
    for kind in kinds.values {
      for window in kind.suggest {
        if let opening = window.nextOpening(after: now, calendar) { next = min(next, opening) }
        // The open window suggests an item that was sent away; its pause may end before the window.
        guard let end = window.open(at: now, calendar)?.to, let key = window.configuration?.key
        else {
          continue
        }
        let item = StackDonation.item(kind: kind.kind, configurationKey: key)
        let pauses = [recent.declinedUntil(item, at: now), Self.awayUntil(sentAway[item], at: now)]
        if let pause = pauses.compactMap({ $0 }).max(), pause < end { next = min(next, pause) }
      }
    }
    suggestions.planLook(at: kinds.values.contains { !$0.suggest.isEmpty } ? next : nil)
  }

  /// Whether a window of its manifest is open for it.
  private func isWanted(_ widget: Widget, at now: WallTime) -> Bool {
    let calendar = surroundings.localDays
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

  /// The suggestion that would be made if there were none.
  private mutating func mostWanted(at now: WallTime) -> Suggestion? {
    let mayLearn = !isPrivate && stackModel.habits.useCount >= Limits.suggestionUsesMin
    guard mayLearn || suggestions.looksAtWindows else { return nil }
    let sentAway = stackModel.sentAway()
    let mayShow = { [recent] (item: String) in
      recent.declinedUntil(item, at: now) == nil
        && Self.awayUntil(sentAway[item], at: now) == nil
    }
    if mayLearn, let found = likeliest(at: now, mayShow) { return found }
    guard suggestions.looksAtWindows else { return nil }
    var items: Set<String> = []
    for index in placed.byID.indices where !placed.byID.values[index].isSuggestion {
      items.insert(placed.byID.values[index].item)
    }
    return suggestedNow(at: now) { !items.contains($0) && mayShow($0) }
  }

  /// The item that the person wants most now; `nil` when it is placed.
  private mutating func likeliest(
    at now: WallTime, _ mayShow: (String) -> Bool
  ) -> Suggestion? {
    let moment = surroundings.moment(now)
    let habits = stackModel.habits
    // By slots of the model, which need no hash of a name.
    placed.findSlots(in: habits)
    var slots: [Int32] = []
    var kindNames: [String] = []
    var isPlaced = [Bool](repeating: false, count: habits.slotCount)
    for row in placed.stack.firstRowsOfPlacedItems() {
      slots.append(placed.stack.slot(of: row.item))
      kindNames.append(placed.stack.kinds.names[Int(row.kind)])
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
      habits.judge(slots, kinds: kindNames, placed.situation(of: habits, at: moment)).probabilities
    guard let best = likelihoods.indices.max(by: { likelihoods[$0] < likelihoods[$1] }),
      best >= placedCount, likelihoods[best] >= Limits.suggestionLikelihoodMin
    else { return nil }
    let item = habits.name(of: slots[best])
    guard habits.facts(of: item, at: moment).uses >= Limits.suggestionUsesMin,
      let donation = stackModel.latestDonation(of: item), let kind = kinds[donation.kind],
      quarantineBook[kind.kind] == nil, donation.configuration.intent == kind.intent,
      kind.hasProvider, !donation.configuration.isOfOneWidget
    else { return nil }
    return Suggestion(kind: kind.kind, configuration: donation.configuration)
  }

  /// The suggestion of manifests now: the strongest window, by the weight of its kind.
  private func suggestedNow(at now: WallTime, _ mayShow: (String) -> Bool) -> Suggestion? {
    guard suggestions.looksAtWindows else { return nil }
    let calendar = surroundings.localDays
    var best: (suggestion: Suggestion, weight: Double)?
    for kind in kinds.values.sorted(by: { $0.kind < $1.kind }) where !kind.suggest.isEmpty {
      let claimWeight = stackModel.claimWeights.weight(of: kind.kind)
      guard claimWeight >= Limits.suggestionWeightMin, quarantineBook[kind.kind] == nil else {
        continue
      }
      for suggested in kind.suggest {
        guard let configuration = suggested.configuration,
          let window = suggested.open(at: now, calendar),
          mayShow(StackDonation.item(kind: kind.kind, configurationKey: configuration.key))
        else { continue }
        let weight = claimWeight * Double(window.kind.rawValue)
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

  /// The relevance that a timeline declares at `moment`.
  ///
  /// A suggestion for a window of its manifest has every window of the manifest for the same
  /// configuration, also those of other days, so that an order for another moment is the order of
  /// then. A placed widget has none of them.
  func declared(by shared: SharedTimeline, at moment: WallTime) -> DeclaredRelevance {
    var declared = shared.declared(at: moment)
    for suggested in windows(for: shared) {
      guard let window = suggested.open(at: moment, surroundings.localDays) else { continue }
      if declared.window.map({ $0.yields(to: window) }) ?? true { declared.window = window }
    }
    return declared
  }

  /// When a timeline's entry or relevance changes next by itself.
  ///
  /// For a suggestion in `Limits.suggestedDaysAhead` days at the latest: openings are not looked
  /// for beyond.
  func nextChange(of shared: SharedTimeline, after moment: WallTime) -> WallTime? {
    let windows = windows(for: shared)
    guard !windows.isEmpty else { return shared.nextChange(after: moment) }
    var next = moment.advanced(bySeconds: Int64(Limits.suggestedDaysAhead) * 86_400)
    if let own = shared.nextChange(after: moment) { next = min(next, own) }
    for window in windows {
      if let opening = window.nextOpening(after: moment, surroundings.localDays) {
        next = min(next, opening)
      }
      if let end = window.open(at: moment, surroundings.localDays)?.to { next = min(next, end) }
    }
    return next
  }

  private func windows(for shared: SharedTimeline) -> [SuggestedWindow] {
    guard shared.suggested != nil else { return [] }
    return (kinds[shared.key.kind]?.suggest ?? []).filter {
      $0.configuration?.key == shared.configuration.key
    }
  }

  /// Notes that the windows of manifests changed, with the manifests, the zone or the days off.
  mutating func suggestedWindowsMoved(at now: WallTime, into output: inout EngineOutput) {
    guard suggestions.looksAtWindows else { return }
    suggestions.lookSoon(at: now)
    claims.forgetAll()
    for id in order {
      guard let widget = widgets[id], widget.window != nil else { continue }
      refreshShown(widget.timelineKey, at: now, into: &output)
    }
  }

  /// When an item that was sent away may be suggested again; `nil`: now.
  private static func awayUntil(_ sent: StackModel.SentAway?, at now: WallTime) -> WallTime? {
    guard let sent, sent.last <= now else { return nil }
    let doublings = min(sent.count - 1, Limits.suggestionPauseDoublingsMax)
    let end = sent.last.advanced(byMilliseconds: Limits.suggestionPause << Int64(doublings))
    return now < end ? end : nil
  }
}
