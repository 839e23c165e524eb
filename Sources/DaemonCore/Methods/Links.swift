import Timekeeping

/// The pace of links, and the room that they get in the history.
///
/// Any page and any program can open a link, a thousand times if it likes. What a link does stays
/// within bounds of its own, so that it costs the person neither their budget nor their history.
struct Links: Sendable {
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

  /// Whether an intent may be made by a link now; each call takes a token of the pace.
  mutating func mayMakeIntent(at now: Instant) -> Bool { pacing.take(at: now) }

  /// Whether a link may suggest another widget of `kind` now; each call takes a token of its pace.
  mutating func maySuggest(_ kind: String, at now: Instant) -> Bool {
    let full = Pacing(
      interval: Limits.linkSuggestionInterval, burst: Limits.linkSuggestionBurst)
    return suggestions[kind, default: full].take(at: now)
  }

  mutating func countFollowed() { followedCount += 1 }
  mutating func countRefused() { refusedCount += 1 }

  /// Whether the history gets an entry about a link: at most `Limits.linkEntryCountMax` each
  /// `Limits.linkEntryInterval`.
  ///
  /// - Returns: how many links before it got none; `nil`: it gets none either.
  mutating func tell(at now: Instant) -> Int64? {
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
