import Timekeeping

/// The pace of links, and the room that they get in the history.
///
/// Any page and any program can open a link, a thousand times if it likes. What a link does stays
/// within bounds of its own, so that it costs the person neither their budget nor their history.
struct Links: Sendable {
  /// The pace of intents that links make.
  private var pacing = Pacing(interval: Limits.linkInterval, burst: Limits.linkBurst)
  /// The pace of suggestions that links make, by kind; only kinds of manifests are in it.
  private var suggestions: [String: Pacing] = [:]
  /// When the interval began in which entries are counted; `nil`: no link was told of yet.
  private var tellingSince: Instant?
  private var toldCount = 0
  /// Links that were followed and are not in the history, since its last entry about one.
  private var untoldCount: Int64 = 0
  /// Links whose intent was made, or that reloaded widgets.
  private(set) var followedCount: UInt64 = 0
  /// Links that came too fast, or that their intent does not want.
  private(set) var refusedCount: UInt64 = 0

  /// Takes a token for an intent that a link makes, or asks about; `false`: links come too fast.
  mutating func takeIntent(at now: Instant) -> Bool { pacing.take(at: now) }

  /// Takes a token for another widget of `kind` that a link suggests; `false`: there is none left.
  mutating func takeSuggestion(of kind: String, at now: Instant) -> Bool {
    let full = Pacing(
      interval: Limits.linkSuggestionInterval, burst: Limits.linkSuggestionBurst)
    return suggestions[kind, default: full].take(at: now)
  }

  mutating func countFollowed() { followedCount += 1 }
  mutating func countRefused() { refusedCount += 1 }

  /// Takes one of the entries that links get in the history: at most `Limits.linkEntryCountMax` in
  /// each `Limits.linkEntryInterval`.
  ///
  /// - Returns: the number of links since the last entry that got none; `nil`: this one gets none
  ///   either.
  mutating func takeEntry(at now: Instant) -> Int64? {
    if tellingSince.map({ now.milliseconds(since: $0) >= Limits.linkEntryInterval }) ?? true {
      tellingSince = now
      toldCount = 0
    }
    guard toldCount < Limits.linkEntryCountMax else {
      untoldCount += 1
      return nil
    }
    toldCount += 1
    defer { untoldCount = 0 }
    return untoldCount
  }
}
