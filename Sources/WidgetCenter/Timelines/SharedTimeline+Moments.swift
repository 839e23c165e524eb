package import Timekeeping

/// What a timeline shows and declares at a moment, and when that changes.
extension SharedTimeline {
  /// The entry for `moment`.
  package func entry(at moment: WallTime) -> TimelineEntry? {
    guard let timeline, let index = timeline.index(at: moment) else { return nil }
    return timeline.entries[index]
  }

  /// The relevance that is declared for `moment`.
  ///
  /// O(entries + windows).
  func declared(at moment: WallTime) -> DeclaredRelevance {
    let timeline = timeline
    let relevance = timeline?.relevance(at: moment)
    var window = timeline?.window(at: moment)
    if let suggested, suggested.covers(moment), window.map({ $0.yields(to: suggested) }) ?? true {
      window = suggested
    }
    return DeclaredRelevance(
      score: relevance?.score, scoreUntil: relevance?.until, window: window)
  }

  /// The most that it ever declared.
  var scale: RelevanceScale { RelevanceScale(score: scoreMax, window: windowMax) }

  /// The last run failed, the content outlived itself, or it is of an earlier process and was to be
  /// replaced by now.
  package func isStale(at moment: WallTime) -> Bool { isStale(entry(at: moment), at: moment) }

  /// The same, when the entry of that moment is known.
  func isStale(_ entry: TimelineEntry?, at moment: WallTime) -> Bool {
    if consecutiveFailures > 0 || isOfBefore { return true }
    guard let entry, let date = staleDate(of: entry) else { return false }
    return date <= moment
  }

  /// When an entry outlives itself; `nil`: never.
  ///
  /// It counts from the moment at which the provider last said that nothing is new, if that is
  /// later than the entry's own.
  private func staleDate(of entry: TimelineEntry) -> WallTime? {
    entry.staleDate(confirmedAt: isConfirmed ? fetchedAt : nil)
  }

  /// The moment from which on it is stale: of the first of the failed runs, at which the content
  /// outlived itself, or at which an earlier process got it, whichever came first; `nil`: it is not
  /// stale, or an earlier version stored the failures without their date.
  func staleSince(_ entry: TimelineEntry?, at moment: WallTime) -> WallTime? {
    let dates = [
      entry.flatMap(staleDate).flatMap { $0 <= moment ? $0 : nil },
      consecutiveFailures > 0 ? failingSince ?? fetchedAt : nil,
      // Nobody knows when its run was to be: that process may have ended a minute later.
      isOfBefore ? fetchedAt : nil,
    ]
    return dates.compactMap(\.self).min()
  }

  /// Returns the next moment at which the shown entry or its relevance changes by itself.
  package func nextChange(after moment: WallTime) -> WallTime? {
    var earliest: WallTime?
    func consider(_ date: WallTime?) {
      guard let date, date > moment else { return }
      earliest = earliest.map { min($0, date) } ?? date
    }
    consider(suggested?.from)
    consider(suggested?.to)
    guard let timeline else { return earliest }
    let shown = timeline.index(at: moment)
    let following = shown.map { $0 + 1 } ?? 0
    if following < timeline.entries.count { consider(timeline.entries[following].date) }
    consider(timeline.relevance(at: moment)?.until)
    consider(timeline.nextWindowChange(after: moment))
    if let shown { consider(staleDate(of: timeline.entries[shown])) }
    return earliest
  }
}
