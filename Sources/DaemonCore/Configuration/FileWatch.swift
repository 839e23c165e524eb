import JSON
import Timekeeping

/// Decides when changed files of the configuration are read again.
///
/// An editor saves a file in several steps, and a copy changes many files. So the files are read
/// when nothing has changed for `Limits.fileQuietInterval`, and after `Limits.fileHoldMax` at the
/// latest. Nothing is due while nothing changes.
///
/// Reading takes some milliseconds in which nobody is served. So after a few times in a row the
/// files are read once in `Limits.configurationInterval`, whoever asks for it.
struct FileWatch: Sendable {
  /// Whether the shell watches files at all.
  private(set) var isOn = false
  /// The folders that the shell cannot watch, and why.
  private(set) var issues: [DocumentIssue] = []
  /// The first and the last change that was not read yet; both `nil`: there is none.
  private var firstChange: Instant?
  private var lastChange: Instant?
  private var lookedAt: Instant?
  private var pace = Pacing(
    interval: Limits.configurationInterval, burst: Limits.configurationBurst)
  /// When the files are read that were wanted too soon; `nil`: they are not.
  private var putOffUntil: Instant?

  var hasChanges: Bool { firstChange != nil }

  mutating func set(isOn: Bool, issues: [DocumentIssue]) {
    self.isOn = isOn
    self.issues = issues
  }

  mutating func noteChange(at now: Instant) {
    firstChange = firstChange ?? now
    lastChange = now
  }

  /// When the files are read; `nil`: there are no changes, and nobody wants it.
  var deadline: Instant? {
    if let putOffUntil { return putOffUntil }
    guard let firstChange, let lastChange else { return nil }
    return min(
      lastChange.advanced(byMilliseconds: Limits.fileQuietInterval),
      firstChange.advanced(byMilliseconds: Limits.fileHoldMax))
  }

  /// Begins to read the files, with everything that has changed so far; `false`: that is put off
  /// until `deadline`.
  mutating func beginReading(at now: Instant) -> Bool {
    guard pace.take(at: now) else {
      putOffUntil = pace.moment(at: now)
      return false
    }
    putOffUntil = nil
    firstChange = nil
    lastChange = nil
    return true
  }

  /// Returns whether the files are to be read because of a name that nothing offers: if they
  /// changed, or were not read for that reason within `Limits.fileLookInterval`.
  mutating func looksForUnknownName(at now: Instant) -> Bool {
    let isRested =
      lookedAt.map { now >= $0.advanced(byMilliseconds: Limits.fileLookInterval) } ?? true
    guard hasChanges || isRested else { return false }
    lookedAt = now
    return true
  }
}
