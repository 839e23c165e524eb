package import JSON
package import Timekeeping

/// Why and until when a provider is left alone.
package struct Quarantine: Hashable, Sendable {
  /// The provider's fault that leads to the quarantine.
  package enum Cause: String, Hashable, Sendable {
    /// Its runs failed one after the other.
    case failing
    /// It was run over and over again.
    case looping
  }

  package var cause: Cause
  /// A sentence with the figures.
  package var reason: String
  package var since: WallTime
  package var until: WallTime
  /// Whether a loop went on by what a person does, such as taps: then these wait as well.
  package var holdsPersonal = false

  /// Whether the quarantine puts off a request of this cause.
  ///
  /// A person's own request goes through. In a loop there are exceptions: a `reload`, since a
  /// program may cause it; and all of them, if it was these that looped (`holdsPersonal`).
  package func holds(_ request: ReloadCause) -> Bool {
    // An interval is the person's own rule.
    guard request != .interval, request != .providerUpgrade else { return false }
    return switch cause {
    case .failing: !request.isPersonal
    case .looping: request.loopKind == .byProgram || holdsPersonal
    }
  }

  package var json: JSONObject {
    [
      "cause": .string(cause.rawValue), "reason": .string(reason),
      "since": .string(since.rfc3339), "until": .string(until.rfc3339),
    ]
  }
}

/// Providers that fail or loop are left alone for a while, and tell so.
extension WidgetEngine {
  mutating func quarantine(
    _ kind: String, _ cause: Quarantine.Cause, _ reason: String, holdsPersonal: Bool = false,
    at now: WallTime, into output: inout EngineOutput
  ) {
    let until = quarantineBook.begin(kind, cause, reason, holdsPersonal: holdsPersonal, at: now)
      .until
    counters[kind, default: KindCounters()].quarantines += 1
    output.changedWidgets.formUnion(order.filter { widgets[$0]?.kind == kind })
    output.note(
      .providerQuarantined,
      [
        "kind": .string(kind), "cause": .string(cause.rawValue), "reason": .string(reason),
        "until": .string(until.rfc3339),
      ])
  }

  /// Ends a quarantine: its time is over, a run succeeded, or the provider is new.
  ///
  /// `worksAgain`: widgets that failed are tried again now instead of after their back-off.
  mutating func release(
    _ kind: String, because reason: String, worksAgain: Bool = false, at now: WallTime,
    into output: inout EngineOutput
  ) {
    guard quarantineBook.end(kind) else { return }
    suggestions.lookSoon(at: now)
    output.note(.providerReleased, ["kind": .string(kind), "reason": .string(reason)])
    for id in order where widgets[id]?.kind == kind {
      output.changedWidgets.insert(id)
      for key in keys(of: id) { release(key, worksAgain: worksAgain, at: now) }
    }
  }

  /// Lets one timeline go that waited for the end of a quarantine.
  private mutating func release(_ key: TimelineKey, worksAgain: Bool, at now: WallTime) {
    guard var shared = timelines[key], shared.isIdle, let dueAt = shared.dueAt,
      !shared.deferred.isEmpty || worksAgain && shared.consecutiveFailures > 0
    else { return }
    // A reload that waited for the end goes now, spread out so that not all go at once.
    let spread = now.advanced(byMilliseconds: Int64(key.spread % UInt64(Limits.overdueSpread)))
    shared.planDate(min(dueAt, max(spread, shared.budget.earliest(at: now).date)))
    timelines[key] = shared
    plan(shared)
  }

  /// A run of `kind` failed; the last of a long row puts it into quarantine.
  mutating func noteFailure(_ kind: String, at now: WallTime, into output: inout EngineOutput) {
    let count = quarantineBook.countFailure(kind)
    guard count >= Limits.failuresToQuarantine, quarantineBook[kind] == nil else { return }
    quarantine(kind, .failing, "\(count) runs in a row failed", at: now, into: &output)
  }

  mutating func noteSuccess(_ kind: String, at now: WallTime, into output: inout EngineOutput) {
    quarantineBook.forgetFailures(kind)
    if quarantineBook[kind]?.cause == .failing {
      release(kind, because: "a run succeeded", worksAgain: true, at: now, into: &output)
    }
  }

  /// A run starts: one too many within minutes is a loop.
  ///
  /// A person who taps fast is none: of what a person does eight times as many runs are no loop.
  /// They have a limit all the same, since a provider whose run taps its own widget would run for
  /// ever. Theirs holds beside a quarantine, too, that lets a person's requests through.
  mutating func noteStart(
    _ shared: inout SharedTimeline, _ cause: ReloadCause, at now: Now,
    into output: inout EngineOutput
  ) {
    guard let loopKind = cause.loopKind else { return }
    let isPersonal = loopKind == .byPerson
    guard shared.isLooping(startingAt: now.monotonic, byPerson: isPersonal),
      quarantineBook[shared.key.kind].map({ isPersonal && !$0.holdsPersonal }) ?? true
    else { return }
    shared.forgetLoops()
    let most = isPersonal ? Limits.personalLoopRunsMax : Limits.loopRunsMax
    let apart = isPersonal ? "a second or two" : DurationText.write(Limits.loopWindow / Int64(most))
    quarantine(
      shared.key.kind, .looping,
      "it was run more than \(Int(most)) times\(isPersonal ? " by taps or intents" : "")"
        + ", less than \(apart) apart",
      holdsPersonal: isPersonal, at: now.wall, into: &output)
  }
}
