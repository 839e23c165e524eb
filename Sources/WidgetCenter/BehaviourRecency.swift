package import Timekeeping

/// What the person did lately, per widget, in constant memory.
///
/// A first, plain model of behaviour: each tap and each intent counts one, fading with a half-life of
/// six hours. A learned model takes this place later; what it must offer is `value(for:at:)` and the
/// three `record` methods, replayed from the journal after a restart.
package struct BehaviourRecency: Hashable, Sendable {
  private struct Trace: Hashable, Sendable {
    var taps = FadingCount()
    var intents = FadingCount()
    var promotedAt: WallTime?
    var dismissedAt: WallTime?
  }

  private var traces: [String: Trace] = [:]

  package init() {}

  package mutating func recordTap(_ id: String, at now: WallTime) {
    traces[id, default: Trace()].taps.add(at: now)
    traces[id]?.dismissedAt = nil
  }

  package mutating func recordIntent(_ id: String, promotes: Bool, at now: WallTime) {
    traces[id, default: Trace()].intents.add(at: now)
    guard promotes else { return }
    traces[id]?.promotedAt = now
    traces[id]?.dismissedAt = nil
  }

  package mutating func recordDismissal(_ id: String, at now: WallTime) {
    traces[id, default: Trace()].dismissedAt = now
    traces[id]?.promotedAt = nil
  }

  package mutating func forget(_ id: String) { traces[id] = nil }

  /// Forgets everything that was learned.
  package mutating func forgetAll() { traces = [:] }

  package func taps(_ id: String, at now: WallTime) -> Double {
    traces[id]?.taps.value(at: now) ?? 0
  }

  package func intents(_ id: String, at now: WallTime) -> Double {
    traces[id]?.intents.value(at: now) ?? 0
  }

  /// When the person sent an intent that this widget shows, if that still keeps it on top.
  package func promotion(_ id: String, at now: WallTime) -> WallTime? {
    guard let date = traces[id]?.promotedAt else { return nil }
    return now < date.advanced(byMilliseconds: Limits.promotionWindow) ? date : nil
  }

  /// Until when the widget stays down, because the person sent it away.
  package func dismissedUntil(_ id: String, at now: WallTime) -> WallTime? {
    guard let date = traces[id]?.dismissedAt else { return nil }
    let end = date.advanced(byMilliseconds: Limits.dismissalWindow)
    return now < end ? end : nil
  }
}

/// A count whose past halves every six hours.
private struct FadingCount: Hashable, Sendable {
  private var value = 0.0
  private var at = WallTime(milliseconds: 0)
  private static let halfLife = 21_600_000.0

  mutating func add(at now: WallTime) {
    value = value(at: now) + 1
    at = now
  }

  func value(at now: WallTime) -> Double {
    guard value > 0 else { return 0 }
    let halvings = Double(max(0, now.milliseconds(since: at))) / Self.halfLife
    return value * power(ofHalf: halvings)
  }

  /// 0.5^x for x ≥ 0 without a math library: whole halvings, then five terms of the exponential series (error below 1e-3).
  private func power(ofHalf exponent: Double) -> Double {
    guard exponent < 64 else { return 0 }
    let whole = exponent.rounded(.down)
    let x = (exponent - whole) * 0.693_147_180_559_945_3
    let fraction = 1 - x + x * x / 2 - x * x * x / 6 + x * x * x * x / 24 - x * x * x * x * x / 120
    return fraction / Double(UInt64(1) << UInt64(whole))
  }
}
