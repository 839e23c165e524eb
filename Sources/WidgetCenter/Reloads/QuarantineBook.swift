import Timekeeping

/// The kinds whose providers are left alone, until when, and how many runs of each kind failed in a
/// row.
struct QuarantineBook: Sendable {
  /// The kinds in quarantine.
  private(set) var byKind: [String: Quarantine] = [:]
  /// When each quarantine ends.
  private var releases = DeadlineQueue<String, WallTime>()
  private var failuresInARow: [String: Int] = [:]

  var isEmpty: Bool { byKind.isEmpty }
  subscript(kind: String) -> Quarantine? { byKind[kind] }

  /// Puts a kind into quarantine, for the time that the cause has in `Limits`.
  mutating func begin(
    _ kind: String, _ cause: Quarantine.Cause, _ reason: String, holdsPersonal: Bool = false,
    at now: WallTime
  ) -> Quarantine {
    let length = cause == .failing ? Limits.failureQuarantine : Limits.loopQuarantine
    let quarantine = Quarantine(
      cause: cause, reason: reason, since: now, until: now.advanced(byMilliseconds: length),
      holdsPersonal: holdsPersonal)
    byKind[kind] = quarantine
    releases.schedule(kind, at: quarantine.until)
    return quarantine
  }

  /// Takes a kind out of quarantine; `false` when it is in none.
  mutating func end(_ kind: String) -> Bool {
    guard byKind.removeValue(forKey: kind) != nil else { return false }
    releases.cancel(kind)
    return true
  }

  /// Takes a kind whose quarantine is over by `now`; `end` still has to be called for it.
  mutating func popOver(at now: WallTime) -> String? { releases.popDue(at: now) }

  /// When the next quarantine ends.
  mutating func nextRelease() -> WallTime? { releases.next() }

  /// Counts a run that failed.
  ///
  /// - Returns: how many runs of the kind have failed in a row.
  mutating func countFailure(_ kind: String) -> Int {
    failuresInARow[kind, default: 0] += 1
    return failuresInARow[kind] ?? 0
  }

  /// Begins the row of failures of a kind anew.
  mutating func forgetFailures(_ kind: String) { failuresInARow[kind] = nil }

  /// Brings ends that a clock ahead of `now` gave back to where this clock puts them.
  mutating func clockChanged(at now: WallTime) {
    for (kind, quarantine) in byKind {
      let length = quarantine.until.milliseconds(since: quarantine.since)
      let latest = now.advanced(byMilliseconds: length)
      guard quarantine.until > latest else { continue }
      byKind[kind]?.until = latest
      releases.schedule(kind, at: latest)
    }
  }

  /// A sentence for everything that is wrong; empty in a sound book.
  func checkInvariants() -> [String] {
    var wrong: [String] = []
    if releases.count != byKind.count {
      wrong.append("\(byKind.count) kinds are in quarantine and \(releases.count) have an end")
    }
    for (kind, quarantine) in byKind where releases.moment(of: kind) != quarantine.until {
      wrong.append("the quarantine of \(kind) ends at another time than it says")
    }
    return wrong
  }
}
