package import Habits
import JSON
package import Timekeeping

/// Takes the person's acts into the model, and forgets them again.
extension WidgetEngine {
  /// Takes an act on a placed widget or a suggestion.
  ///
  /// `promotes`: the person asked for it just now; `false` for an act that an app reports from
  /// elsewhere.
  package mutating func record(
    _ act: BehaviourAct, of id: String, promotes: Bool = false, at date: WallTime,
    into output: inout EngineOutput
  ) {
    guard let widget = widgets[id] else { return }
    privateMode.noteTouch(of: id)
    replay(act, of: id, promotes: promotes, at: date)
    output.stackChanged = true
    donate(
      act, kind: widget.kind, configuration: widget.shownConfiguration, at: date, into: &output)
  }

  /// Learns from an act, whether its item is placed or not.
  ///
  /// In private mode nothing is learned or kept.
  package mutating func donate(
    _ act: BehaviourAct, kind: String, configuration: WidgetConfiguration, at date: WallTime,
    into output: inout EngineOutput
  ) {
    guard !isPrivate else { return }
    let donation = StackDonation(
      item: StackDonation.item(kind: kind, configurationKey: configuration.key), kind: kind,
      act: act,
      at: date, secondsEast: Int(zoneOffset / 1_000), daysOff: daysOff,
      configuration: configuration,
      claims: act.isUse ? currentClaims(at: date) : [])
    let (number, dropped) = stackModel.donate(donation)
    if !dropped.isEmpty { placed.forgetSlots() }
    output.donations.append((number, donation.record))
    for number in dropped { output.donations.append((number, nil)) }
    output.stackChanged = true
  }

  /// Takes the immediate effects of an act without learning from it: after a restart, from the
  /// journal.
  package mutating func replay(
    _ act: BehaviourAct, of id: String, promotes: Bool, at date: WallTime
  ) {
    switch act {
    case .dismissal: recent.dismiss(id, at: date)
    case .dwell: break
    case .intent, .tap, .open:
      recent.use(id, promotes: promotes, isTouch: act != .intent, at: date)
      if let widget = widgets[id], widget.isSuggestion, promotes || act == .tap {
        suggestions.end(id, at: widget.suggestionEnd(touchedAt: date))
      }
    }
  }

  /// Forgets promotions and dismissals of a widget that was removed.
  package mutating func forgetRecentActs(of id: String) { recent.forget(id) }

  /// Donations that the store kept; `catchUp` learns from them.
  package mutating func restoreDonations(_ records: [(number: Int64, donation: StackDonation)]) {
    stackModel.restore(records)
    placed.forgetSlots()
    stackModel.catchUp(costMax: Limits.startLearningCost)
  }

  /// Learns from all waiting donations, for callers that have the time.
  package mutating func catchUpWithDonations() { stackModel.catchUp() }

  /// Forgets donations, and everything that was learned from them.
  ///
  /// - Returns: how many they were.
  package mutating func forgetDonations(
    _ isForgotten: (StackDonation) -> Bool, at now: WallTime, into output: inout EngineOutput
  ) -> Int {
    let items = Set(stackModel.donations.lazy.filter(isForgotten).map(\.item))
    let gone = stackModel.forget(isForgotten)
    guard !gone.isEmpty else { return 0 }
    placed.forgetSlots()
    recent.forgetAll()
    rotations.forgetAll()
    latestClaims.forget()
    for number in gone { output.donations.append((number, nil)) }
    // A suggestion would show what the person did.
    for id in order where widgets[id].map({ $0.isSuggestion && items.contains($0.item) }) ?? false {
      expire(id, at: now, into: &output)
    }
    output.stackChanged = true
    return gone.count
  }

  /// Turns private mode on or off.
  ///
  /// When it ends, the engine removes the suggestions made in it and forgets the touches.
  package mutating func setPrivate(_ isOn: Bool, at now: WallTime, into output: inout EngineOutput)
  {
    guard isOn != privateMode.isOn else { return }
    if isOn {
      privateMode.begin(at: now)
      output.settings["private"] = privateMode.json
      return
    }
    let start = privateMode.end()
    output.settings["private"] = privateMode.json
    receiptBook.forgetEnded(into: &output) { [privateMode] receipt in
      privateMode.hides(receipt, since: start)
    }
    _ = undoable.forget(\.isPrivate)
    // Their removal is noted as private, so the traces go last.
    for id in privateMode.madeSuggestions where widgets[id]?.isSuggestion == true {
      expire(id, at: now, into: &output)
    }
    let touched = privateMode.forgetTraces()
    guard !touched.isEmpty else { return }
    for id in touched { recent.forget(id) }
    rotations.forgetAll()
    output.stackChanged = true
  }
}
