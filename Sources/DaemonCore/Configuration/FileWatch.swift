import JSON
import Timekeeping

/// Decides when changed files of the configuration are read again.
///
/// An editor saves a file in several steps, and a copy changes many files. So the files are read
/// when nothing has changed for `Limits.fileQuietInterval`, and after `Limits.fileHoldMax` at the
/// latest. Nothing is due while nothing changes.
struct FileWatch: Sendable {
  /// Whether the shell watches files at all.
  private(set) var isOn = false
  /// The folders that the shell cannot watch, and why.
  private(set) var issues: [DocumentIssue] = []
  /// The first and the last change that was not read yet; both `nil`: there is none.
  private var firstChange: Instant?
  private var lastChange: Instant?
  private var lookedAt: Instant?

  var hasChanges: Bool { firstChange != nil }

  mutating func set(isOn: Bool, issues: [DocumentIssue]) {
    self.isOn = isOn
    self.issues = issues
  }

  mutating func noteChange(at now: Instant) {
    firstChange = firstChange ?? now
    lastChange = now
  }

  /// When the changes are read; `nil`: there are none.
  var deadline: Instant? {
    guard let firstChange, let lastChange else { return nil }
    return min(
      lastChange.advanced(byMilliseconds: Limits.fileQuietInterval),
      firstChange.advanced(byMilliseconds: Limits.fileHoldMax))
  }

  /// The files are being read now, with everything that has changed so far.
  mutating func noteReading() {
    firstChange = nil
    lastChange = nil
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
