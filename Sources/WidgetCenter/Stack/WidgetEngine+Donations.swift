import DequeModule
import JSON
package import Timekeeping

/// What the person does, on its way into the model.
extension WidgetEngine {
  /// The person did something with a placed widget or a suggestion.
  ///
  /// `promotes`: they asked for it just now; false for what an app reports the person did elsewhere.
  package mutating func record(
    _ act: BehaviourAct, of id: String, promotes: Bool = false, at date: WallTime,
    into output: inout EngineOutput
  ) {
    guard let widget = widgets[id] else { return }
    if isPrivate { privateActs.insert(id) }
    replay(act, of: id, promotes: promotes, at: date)
    output.stackChanged = true
    donate(
      act, kind: widget.kind, configuration: widget.configuration, at: date, into: &output)
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
    if !dropped.isEmpty { stackRows?.forgetSlots() }
    output.donations.append((number, donation.record))
    for number in dropped { output.donations.append((number, nil)) }
    output.stackChanged = true
  }

  /// What counts at once and for a while, without learning anything: after a restart, from the journal.
  package mutating func replay(
    _ act: BehaviourAct, of id: String, promotes: Bool, at date: WallTime
  ) {
    switch act {
    case .dismissal: recent.dismiss(id, at: date)
    case .dwell: break
    case .intent, .tap, .open:
      recent.use(id, promotes: promotes, isTouch: act != .intent, at: date)
      if let widget = widgets[id], widget.isSuggestion, promotes || act == .tap {
        expiries.schedule(id, at: widget.suggestionEnd(touchedAt: date))
      }
    }
  }

  /// A widget that was removed is neither promoted nor sent away any more.
  package mutating func forgetRecentActs(of id: String) { recent.forget(id) }

  /// Sends a widget away for a while, and a suggestion for good.
  package mutating func dismiss(
    _ id: String, at now: WallTime, into output: inout EngineOutput
  ) throws(WidgetError) {
    guard let widget = widgets[id] else { throw unknownWidget(id) }
    record(.dismissal, of: id, at: now, into: &output)
    if widget.isSuggestion {
      recent.decline(widget.item, at: now)
      try remove(id, at: now, into: &output)
    } else {
      expiries.schedule(id, at: now.advanced(byMilliseconds: Limits.dismissalWindow))
    }
  }

  /// Donations that the store kept; `catchUp` learns from them.
  package mutating func restoreDonations(_ records: [(number: Int64, donation: StackDonation)]) {
    stackModel.restore(records)
    stackRows?.forgetSlots()
    stackModel.catchUp(costMax: Limits.startLearningCost)
  }

  /// Learns from everything that waits: for who has all the time.
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
    stackRows?.forgetSlots()
    recent.forgetAll()
    rotations = [:]
    claims = nil
    for number in gone { output.donations.append((number, nil)) }
    // What is suggested shows what was done.
    for id in order where widgets[id].map({ $0.isSuggestion && items.contains($0.item) }) ?? false {
      expire(id, at: now, into: &output)
    }
    output.stackChanged = true
    return gone.count
  }

  /// What the store keeps of private mode.
  var privacy: JSONValue {
    guard let privateSince else { return ["on": .bool(isPrivate)] }
    return ["on": .bool(isPrivate), "at": .string(privateSince.rfc3339)]
  }

  /// Forgets ended receipts before their time.
  private mutating func forgetReceipts(
    into output: inout EngineOutput, _ isForgotten: (Receipt) -> Bool
  ) {
    let gone = endedReceipts.filter { receipts[$0].map(isForgotten) ?? false }
    guard !gone.isEmpty else { return }
    let all = Set(gone)
    endedReceipts.removeAll { all.contains($0) }
    for id in gone {
      receipts[id] = nil
      output.dirtyReceipts.remove(id)
      output.forgottenReceipts.append(id)
    }
  }

  /// Nothing the person does from now on is kept or learned from; what was suggested meanwhile goes at the end.
  package mutating func setPrivate(_ isOn: Bool, at now: WallTime, into output: inout EngineOutput)
  {
    guard isOn != isPrivate else { return }
    isPrivate = isOn
    let since = privateSince ?? WallTime(milliseconds: .min)
    privateSince = isOn ? now : nil
    output.settings["private"] = privacy
    guard !isOn else { return }
    forgetReceipts(into: &output) { [privateSuggestions] receipt in
      privateSuggestions.contains(receipt.widget)
        || receipt.cause.isPersonal && receipt.requestedAt >= since
    }
    for id in privateSuggestions.sorted() where widgets[id]?.isSuggestion == true {
      expire(id, at: now, into: &output)
    }
    privateSuggestions = []
    guard !privateActs.isEmpty else { return }
    for id in privateActs { recent.forget(id) }
    privateActs = []
    rotations = [:]
    output.stackChanged = true
  }
}
