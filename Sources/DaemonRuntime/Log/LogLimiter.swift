import DaemonCore
import Timekeeping

/// Keeps one cause from filling the log: a provider that fails each second, a disk that stays full.
///
/// A cause is an event's name with its `kind` and `code`. In each window of a minute the first
/// `RuntimeLimits.logLineCountMax` lines of a cause pass. The others are counted, and the first
/// line of its next window has their number, as `suppressed`.
struct LogLimiter {
  private struct Cause {
    var startedAt: Instant
    var lineCount = 0
    var suppressedCount = 0
  }

  private var causes: [String: Cause] = [:]

  var causeCount: Int { causes.count }

  /// Returns the line to write; `nil` when its cause has had its lines in this window.
  mutating func pass(_ line: LogLine, at now: Instant) -> LogLine? {
    let name =
      ([line.event] + line.fields.filter { ["kind", "code"].contains($0.key) }.map(\.value))
      .joined(separator: "\u{1F}")
    var cause = causes[name] ?? Cause(startedAt: now)
    var passed = line
    if now.milliseconds(since: cause.startedAt) >= RuntimeLimits.logWindow {
      if cause.suppressedCount > 0 {
        passed.fields.append(
          LogLine.Field(key: "suppressed", value: String(cause.suppressedCount)))
      }
      cause = Cause(startedAt: now)
    }
    defer { remember(cause, name) }
    guard cause.lineCount < RuntimeLimits.logLineCountMax else {
      cause.suppressedCount += 1
      return nil
    }
    cause.lineCount += 1
    return passed
  }

  private mutating func remember(_ cause: Cause, _ name: String) {
    if causes[name] == nil, causes.count >= RuntimeLimits.logCauseCountMax,
      let oldest = causes.min(by: { ($0.value.startedAt, $0.key) < ($1.value.startedAt, $1.key) })
    {
      causes[oldest.key] = nil
    }
    causes[name] = cause
  }
}
