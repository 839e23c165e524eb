import JSON
import Timekeeping
import WidgetCenter

/// The last configuration of a shadow budget; dropped when the shadows change by themselves.
struct FollowedBudget: Sendable {
  var key: TimelineKey
  var perDay: Int
  var spacing: Int64
  var hours: RefillHours
  /// Something was ever spent from the engine's.
  var isSpent: Bool
}

/// A second implementation of the budget, written from its description and not from its code.
///
/// `perDay` tokens come back over a day, most of them in the active `hours`; at most a quarter of a
/// day's tokens is saved; a budgeted run that succeeded costs one, and two such runs are `spacing`
/// apart. It counts fractions of a token and the engine thousandths; `slack` is the largest
/// difference by rounding.
struct ShadowBudget: Sendable {
  private(set) var perDay: Int
  private(set) var spacing: Int64
  private(set) var hours: RefillHours
  private var tokens: Double
  private var countedAt: WallTime
  /// The moment of the last spending; also `nil` after the clock was set back, when the span since
  /// then is unknown.
  private var lastSpentAt: WallTime?
  /// Something was ever spent from it.
  private(set) var wasUsed = false

  private static let slack = 0.01

  init(perDay: Int, spacing: Int64, hours: RefillHours, at now: WallTime) {
    self.perDay = perDay
    self.spacing = spacing
    self.hours = hours
    tokens = Double(max(1, perDay / 4))
    countedAt = now
  }

  /// As a timeline's record on disk has it.
  mutating func restore(_ record: JSONValue) {
    guard let budget = record["budget"], let balance = budget["balance"]?.doubleValue,
      let at = budget["at"]?.stringValue.flatMap({ WallTime(rfc3339: $0) })
    else { return }
    tokens = balance
    let now = countedAt
    countedAt = min(at, now)
    lastSpentAt = budget["lastSpentAt"]?.stringValue.flatMap { WallTime(rfc3339: $0) }
    wasUsed = lastSpentAt != nil
    if let date = lastSpentAt, date > now { lastSpentAt = nil }
  }

  private mutating func count(at now: WallTime) {
    let elapsed = min(max(0, now.milliseconds(since: countedAt)), 86_400_000)
    let share = shareOfDay(from: now.advanced(byMilliseconds: -elapsed), to: now)
    tokens = min(Double(max(1, perDay / 4)), tokens + share * Double(perDay))
    countedAt = now
  }

  /// Returns the share of a day's refill between two moments.
  ///
  /// An active hour counts four times as much as a quiet one.
  private func shareOfDay(from start: WallTime, to end: WallTime) -> Double {
    let hourLength = 3_600_000.0
    let active = Double(hours.mask.nonzeroBitCount)
    let whole = (active * 4 + (24 - active)) * hourLength
    var at = Double(start.milliseconds + hours.zoneOffset)
    let last = Double(end.milliseconds + hours.zoneOffset)
    var sum = 0.0
    while at < last {
      let hour = (at / hourLength).rounded(.down)
      let next = min(last, (hour + 1) * hourLength)
      let hourOfDay = hour - (hour / 24).rounded(.down) * 24
      let isActive = hours.mask & (1 << UInt32(hourOfDay)) != 0
      sum += (next - at) * (isActive ? 4 : 1)
      at = next
    }
    return sum / whole
  }

  mutating func configure(perDay: Int, spacing: Int64, hours: RefillHours, at now: WallTime) {
    count(at: now)
    self.perDay = perDay
    self.spacing = spacing
    self.hours = hours
    tokens = min(tokens, Double(max(1, perDay / 4)))
  }

  /// Keeps the refill before a clock jump; the core may have counted it or not.
  mutating func clockSet(from before: WallTime, backTo now: WallTime) {
    count(at: before)
    countedAt = now
    lastSpentAt = nil
  }

  /// `isFree`: only the spacing counts.
  mutating func spend(isFree: Bool, at now: WallTime) {
    count(at: now)
    if !isFree { tokens = max(0, tokens - 1) }
    lastSpentAt = now
    wasUsed = true
  }

  /// Why a budgeted run must not start at `now`; one that is not spaced needs a token alone.
  mutating func objection(at now: WallTime, isSpaced: Bool) -> String? {
    count(at: now)
    if isSpaced, let lastSpentAt, lastSpentAt <= now, now.milliseconds(since: lastSpentAt) < spacing
    {
      return
        "\(now.milliseconds(since: lastSpentAt)) ms after the last one, and \(spacing) ms have to lie between them"
    }
    return tokens < 1 - Self.slack ? "with \(tokens) of a token left" : nil
  }
}
