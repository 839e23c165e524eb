import Timekeeping

/// The part of a plugin's timeline that lives in memory alone: the end of its last run, and the
/// template that a click chose.
struct PluginTurn: Hashable, Sendable {
  /// The end of a run, as far as it decides when the next one is due.
  enum End: Hashable, Sendable {
    case good
    /// It failed, also where its look shows what it printed.
    case failed
    /// The condition of its manifest did not hold.
    case unmet
    /// There was none: it waits until somebody asks.
    case unasked
  }

  var end = End.good
  /// The moment when the run that waits or goes on was due by its interval; `nil`: something else
  /// caused it.
  var due: WallTime?
  /// Whether the last good run brought nothing new.
  var isUnchanged = false
  /// Whether the last run was over at once (`Limits.quickRunMax`).
  var isQuick = false
  /// Whether the second template of its look is shown (`PluginLook.alternate`).
  var showsAlternate = false
}
