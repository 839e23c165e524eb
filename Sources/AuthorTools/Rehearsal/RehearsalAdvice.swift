import JSON
import Timekeeping
import WidgetCenter

/// Finds policies in a provider's answers that cannot work, and proposes others.
struct RehearsalAdvice {
  enum Finding: String, CaseIterable, Hashable {
    case singleEntryAtEnd, timelineTooShort, afterTooSoon, afterInPast, afterOutOfSight, allPast,
      allFuture, noEntries, failing

    init(_ kind: TimelineDates.Kind) {
      switch kind {
      case .noEntries: self = .noEntries
      case .allPast: self = .allPast
      case .allFuture: self = .allFuture
      case .afterInPast: self = .afterInPast
      case .afterOutOfSight: self = .afterOutOfSight
      }
    }
  }

  /// One finding, however often it was made.
  struct Advice: Hashable {
    var finding: Finding
    var count: Int
    var firstAt: WallTime
    var problem: String
    var fix: String
  }

  private let kind: WidgetKind
  private var found: [Finding: Advice] = [:]
  private var answerCount = 0
  private var failureCount = 0

  init(_ kind: WidgetKind) { self.kind = kind }

  /// Milliseconds from one reload to the next that the budget allows for good, to a widget that is
  /// often seen.
  private var interval: Int64 {
    let even = 86_400_000 / Int64(kind.reload.perDay.upperBound)
    // Up to whole minutes, as a person would write it.
    let written = even > 60_000 ? (even + 59_999) / 60_000 * 60_000 : even
    return max(kind.reload.spacing, written)
  }

  private var allowance: String {
    "\(kind.reload.perDay.upperBound) reloads a day at least \(DurationText.words(kind.reload.spacing)) apart are one every \(DurationText.words(interval))"
  }

  /// The final advice, about repeated behaviour.
  ///
  /// Single bursts are left out, because a budget allows them.
  var advice: [Advice] {
    Finding.allCases.compactMap { found[$0] }.filter { advice in
      switch advice.finding {
      case .timelineTooShort, .afterTooSoon: advice.count >= 2 && advice.count * 4 >= answerCount
      case .failing: true
      case .singleEntryAtEnd, .afterInPast, .afterOutOfSight, .allPast, .allFuture, .noEntries: true
      }
    }
  }

  mutating func judge(_ failure: ProviderFailure, at now: WallTime) {
    failureCount += 1
    let diagnostics = failure.stderr.map { ": \($0)" }
    note(
      .failing, at: now, "a run fails: \(failure.message)\(diagnostics ?? "")",
      "run it once and see all it says: intent-send try \(kind.file)")
  }

  mutating func judge(_ timeline: Timeline, hasShown: Bool, at now: WallTime) {
    answerCount += 1
    let findings = TimelineDates.findings(
      of: timeline, hasShown: hasShown, spacing: kind.reload.spacing, interval: interval,
      arrivedAt: now)
    for finding in findings {
      note(Finding(finding.kind), at: now, finding.problem, finding.fix)
    }
    guard let last = timeline.entries.last else { return }
    let isAlone = timeline.entries.count == 1
    let ample = now.advanced(byMilliseconds: interval).rfc3339
    switch timeline.policy {
    case .never: break
    case .atEnd where isAlone:
      note(
        .singleEntryAtEnd, at: now,
        "a single entry with the policy atEnd: it ends as it begins, so each answer asks for the next one and only the budget holds it back",
        "say when the data changes, \"policy\":{\"after\":\"\(ample)\"}, or answer with the entries that follow too"
      )
    case .atEnd:
      let span = last.date.milliseconds(since: now)
      guard span < interval else { return }
      note(
        .timelineTooShort, at: now,
        "the entries last \(DurationText.words(max(0, span))) and then ask for more; \(allowance)",
        "answer with entries up to \(ample) or later, or ask for a larger budget in the manifest: reload: {perDay: \(perDay(for: span)), minimumInterval: \(DurationText.write(min(kind.reload.spacing, max(span, 1_000))))}"
      )
    case .after(let date):
      let wait = date.milliseconds(since: now)
      if wait > 0, wait + 999 < interval {
        // Providers that write whole seconds are up to one second early; that is not reported.
        note(
          .afterTooSoon, at: now,
          "the policy asks for the next reload after \(DurationText.words(wait)); \(allowance)",
          "\"after\":\"\(ample)\" or later with entries for the time between, or a larger budget in the manifest: reload: {perDay: \(perDay(for: wait)), minimumInterval: \(DurationText.write(min(kind.reload.spacing, max(wait, 1_000))))}"
        )
      }
    }
  }

  /// Reloads a day that `span` milliseconds between them take.
  private func perDay(for span: Int64) -> Int64 {
    min(86_400, (86_400_000 + max(span, 1_000) - 1) / max(span, 1_000))
  }

  private mutating func note(
    _ finding: Finding, at now: WallTime, _ problem: String, _ fix: String
  ) {
    if found[finding] != nil {
      found[finding]?.count += 1
    } else {
      found[finding] = Advice(finding: finding, count: 1, firstAt: now, problem: problem, fix: fix)
    }
  }
}
