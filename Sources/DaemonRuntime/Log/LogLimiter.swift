import DaemonCore
import Timekeeping

/// Keeps one cause from filling the log: a provider that fails each second, a disk that stays full.
///
/// A cause is an event's name with its `kind` and `code`. Of each the first lines of a minute pass;
/// the others are counted, and the next line that passes says how many there were, as `suppressed`.
struct LogLimiter {
  /// Lines of one cause in one window.
  static let lineCountMax = 10
  /// Milliseconds.
  static let window: Int64 = 60_000
  /// Causes remembered: kinds come from manifests, of which there may be many.
  ///
  /// The oldest goes.
  static let causeCountMax = 256

  private struct Cause {
    var startedAt: Instant
    var lineCount = 0
    var suppressedCount = 0
  }

  private var causes: [String: Cause] = [:]

  var causeCount: Int { causes.count }

  /// The line as it is to be written, or `nil` when this cause had its lines.
  mutating func pass(_ line: LogLine, at now: Instant) -> LogLine? {
    let name =
      ([line.event] + line.fields.filter { ["kind", "code"].contains($0.key) }.map(\.value))
      .joined(separator: "\u{1F}")
    var cause = causes[name] ?? Cause(startedAt: now)
    var passed = line
    if now.milliseconds(since: cause.startedAt) >= Self.window {
      if cause.suppressedCount > 0 {
        passed.fields.append(
          LogLine.Field(key: "suppressed", value: String(cause.suppressedCount)))
      }
      cause = Cause(startedAt: now)
    }
    defer { remember(cause, name) }
    guard cause.lineCount < Self.lineCountMax else {
      cause.suppressedCount += 1
      return nil
    }
    cause.lineCount += 1
    return passed
  }

  private mutating func remember(_ cause: Cause, _ name: String) {
    if causes[name] == nil, causes.count >= Self.causeCountMax,
      let oldest = causes.min(by: { ($0.value.startedAt, $0.key) < ($1.value.startedAt, $1.key) })
    {
      causes[oldest.key] = nil
    }
    causes[name] = cause
  }
}
