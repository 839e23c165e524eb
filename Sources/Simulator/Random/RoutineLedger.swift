import DaemonCore
import Timekeeping
import WidgetCenter

/// The other class of what is written: content that an interval brought and that nobody was promised.
///
/// A crash may lose a minute of it. So the ledger knows since when the store lacks the content of
/// which timeline, and that may not be longer while the store works.
struct RoutineLedger: Sendable {
  /// Milliseconds for which the store may lack content.
  private static let interval: Int64 = 60_000
  /// Milliseconds until a write that is due is begun: a slow disk has one to end before.
  private static let patience: Int64 = 10_000

  /// Since when a timeline has content that is in no transaction.
  private var unsaved: [String: Instant] = [:]
  /// The same of content in the transaction under way.
  private var underWay: [String: Instant] = [:]
  private var failedAt: Instant?

  /// The daemon takes an outcome at an interval.
  mutating func took(_ key: TimelineKey, at now: Instant) {
    if unsaved[key.text] == nil { unsaved[key.text] = now }
  }

  /// A transaction begins.
  mutating func begin(_ writes: [StoreWrite]) {
    guard !unsaved.isEmpty else { return }
    for write in writes {
      switch write {
      case .put(.timeline, let key, _), .remove(.timeline, let key):
        guard let since = unsaved.removeValue(forKey: key) else { continue }
        underWay[key] = min(since, underWay[key] ?? since)
      case .put, .remove, .appendJournal, .pruneJournal, .scrub: break
      }
    }
  }

  /// The transaction is on disk.
  mutating func committed() { underWay = [:] }

  /// Nothing of the transaction is on disk.
  mutating func failed(at now: Instant) {
    unsaved.merge(underWay) { min($0, $1) }
    underWay = [:]
    failedAt = now
  }

  /// Memory started over, which may have taken content away: a push replaced it and was refused.
  ///
  /// Everything else is checked by the comparison of memory with the disk.
  mutating func startOver() {
    unsaved = [:]
    underWay = [:]
  }

  /// The process ended: what it had not written is lost, as it may be.
  mutating func forgetAll() { self = RoutineLedger() }

  /// A sentence about content that should be on disk by now; `nil`: there is none.
  ///
  /// Nothing is said while the disk fails, and a while after that.
  func overdue(at now: Instant) -> String? {
    if let failedAt, now.milliseconds(since: failedAt) < Self.interval + Self.patience {
      return nil
    }
    let late = unsaved.filter {
      now.milliseconds(since: $0.value) > Self.interval + Self.patience
    }
    guard let key = late.keys.min(), let since = late[key] else { return nil }
    return
      "the content of '\(key)' is not on disk after \(now.milliseconds(since: since) / 1_000) s"
  }

  /// A sentence about content of before `moment` that a stop, or sleep, did not write; `nil`: there
  /// is none.
  func lost(_ how: String, since moment: Instant, at now: Instant) -> String? {
    guard failedAt.map({ now.milliseconds(since: $0) > Self.interval + Self.patience }) ?? true
    else { return nil }
    guard let key = unsaved.filter({ $0.value < moment }).keys.min() else { return nil }
    return "\(how) and did not write the content of '\(key)'"
  }
}
