package import Timekeeping

/// Finds dates in a timeline with which it cannot work: all past, all in the future, a next reload
/// that is past or years away.
///
/// One rule for `intent-send try`, `widget.push` and `intent-send simulate`.
package enum TimelineDates {
  /// The sort of a finding.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case noEntries, allPast, allFuture, afterInPast, afterOutOfSight
  }

  /// A date with which a timeline cannot work, and the advice.
  package struct Finding: Hashable, Sendable {
    package var kind: Kind
    package var problem: String
    /// Advice what to write instead: a sentence that begins with a verb.
    package var fix: String
  }

  /// Returns the findings, in a fixed order.
  ///
  /// - `hasShown`: the widget shows something already, so that it may wait for its first entry.
  /// - `spacing`: milliseconds between reloads at least; an entry may be as old when it arrives.
  /// - `interval`: milliseconds between reloads that the budget allows for good.
  package static func findings(
    of timeline: Timeline, hasShown: Bool, spacing: Int64 = Limits.reloadSpacingDefault,
    interval: Int64 = Limits.reloadIntervalDefault, arrivedAt now: WallTime
  ) -> [Finding] {
    guard let first = timeline.entries.first, let last = timeline.entries.last else {
      return [
        Finding(
          kind: .noEntries, problem: "the timeline has no entries: what was shown before stays",
          fix: "answer with at least one entry, dated \(now.rfc3339) (the request's now)")
      ]
    }
    var findings: [Finding] = []
    let age = now.milliseconds(since: last.date)
    let isAlone = timeline.entries.count == 1
    // A lone entry may say since when something holds: for a day, or for good.
    let mayBeOld =
      isAlone
      && (timeline.policy == .never || timeline.policy != .atEnd && age <= Limits.entryAgeMax)
    if age > max(spacing, 60_000), !mayBeOld {
      findings.append(
        Finding(
          kind: .allPast,
          problem:
            "all entries are in the past: the newest is \(DurationText.words(age)) old when it arrives, and no other follows",
          fix: "date the first entry \(now.rfc3339) (the request's now) and the others after it"))
    }
    let wait = first.date.milliseconds(since: now)
    if wait > Limits.entryLeadMax, !hasShown {
      findings.append(
        Finding(
          kind: .allFuture,
          problem:
            "the first entry is dated \(first.date.rfc3339), \(DurationText.words(wait)) after the request: until then nothing is shown",
          fix: "date the first entry \(now.rfc3339) (the request's now)"))
    }
    return findings + Self.findings(of: timeline.policy, interval: interval, arrivedAt: now)
  }

  /// Returns the findings about a policy alone.
  package static func findings(
    of policy: TimelineReloadPolicy, interval: Int64 = Limits.reloadIntervalDefault,
    arrivedAt now: WallTime
  ) -> [Finding] {
    guard case .after(let date) = policy else { return [] }
    let wait = date.milliseconds(since: now)
    if wait <= 0 {
      return [
        Finding(
          kind: .afterInPast,
          problem:
            "the policy asks for a reload after \(date.rfc3339), which is past when the answer arrives: it is asked again at once",
          fix:
            "count from the request's now: \"after\":\"\(now.advanced(byMilliseconds: interval).rfc3339)\""
        )
      ]
    }
    guard wait > Limits.policySightMax else { return [] }
    return [
      Finding(
        kind: .afterOutOfSight,
        problem:
          "the policy asks for the next reload after \(date.rfc3339), in \(DurationText.words(wait))",
        fix: "say \"never\" if only a person may ask for it, or an earlier date")
    ]
  }
}
