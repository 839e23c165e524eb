import JSON
package import Timekeeping

/// Takes news about the person's session on the machine: while it is locked, nothing personal is
/// asked for or handed out.
///
/// A kind with `private: true` in its manifest shows personal data. Its provider is left alone while
/// the session is locked, and its widgets look as if they had nothing but a name. A kind that no
/// manifest offers now may have said so, too.
extension WidgetEngine {
  /// Whether the person's session is locked.
  package var isLocked: Bool { surroundings.isLocked }

  /// Whether widgets of a kind show nothing personal now.
  package func isMasked(_ kind: String) -> Bool {
    surroundings.isLocked && kinds[kind]?.isPrivate ?? true
  }

  /// Takes whether the session is locked; private widgets look different, and what they waited for is
  /// due after the unlocking.
  package mutating func setLocked(
    _ isLocked: Bool, at now: WallTime, into output: inout EngineOutput
  ) {
    guard surroundings.setLocked(isLocked) else { return }
    for id in order where widgets[id].map({ kinds[$0.kind]?.isPrivate ?? true }) ?? false {
      output.changedWidgets.insert(id)
    }
    if isLocked { endMaskedStreams(into: &output) }
    sweep(.lock, at: now, into: &output)
  }

  /// Puts a request off until the session is unlocked: it is due then, and its receipt says that it
  /// did not run.
  mutating func askWhenUnlocked(
    _ shared: inout SharedTimeline, _ cause: ReloadCause, receipt: ReceiptID?, at now: WallTime,
    into output: inout EngineOutput
  ) {
    for receipt in shared.takeDeferred() + [receipt].compactMap(\.self) {
      settle(receipt, .dropped(reason: Self.lockedReason), into: &output)
    }
    // A menu or a tap of then is over when the person is back.
    shared.forgetClicks()
    shared.plan(at: min(shared.dueAt ?? now, now), cause.isAutomatic ? cause : .timeChange)
    output.dirtyTimelines.insert(shared.key)
    plan(shared)
  }

  static let lockedReason =
    "the session is locked, and the kind is private; it is reloaded after the unlocking"
}

/// Takes news about the machine's power and its network's price, which halve every budget.
///
/// Two reasons halve it once. What a person asks for spends no budget, so it is not touched.
extension WidgetEngine {
  /// Why budgets are halved now; empty: they are not.
  package var savingCauses: [SavingCause] { surroundings.supply.savingCauses }

  /// Takes what is known of the machine's power and network.
  package mutating func setSupply(
    _ new: MachineSupply, at now: WallTime, into output: inout EngineOutput
  ) {
    let before = savingCauses
    surroundings.setSupply(new)
    guard savingCauses != before else { return }
    output.note(
      .surroundings, ["saving": .array(savingCauses.map { .string($0.rawValue) })])
    // Both mean the same budgets.
    guard savingCauses.isEmpty != before.isEmpty else { return }
    sweep(.supply, at: now, into: &output)
  }

  /// Plans a reload that waits for its budget anew, since that comes back faster or slower now.
  mutating func followSupply(
    _ key: TimelineKey, at now: WallTime, into output: inout EngineOutput
  ) {
    guard var shared = timelines[key], !shared.deferred.isEmpty, let dueAt = shared.dueAt else {
      return
    }
    tune(&shared, at: now)
    shared.planDate(min(dueAt, shared.budget.earliest(at: now).date))
    timelines[key] = shared
    output.dirtyTimelines.insert(key)
    plan(shared)
  }
}
