package import JSON
package import Timekeeping

/// How often a timeline is looked at: a count that halves in a day.
package struct ViewCount: Hashable, Sendable {
  private var value = 0.0
  private var countedAt = WallTime(milliseconds: 0)

  package init() {}

  /// Views closer together than ten minutes are one; whether this is another.
  @discardableResult
  package mutating func add(at now: WallTime) -> Bool {
    if value > 0, now.milliseconds(since: countedAt) < Limits.viewInterval, now >= countedAt {
      return false
    }
    value = value(at: now) + 1
    countedAt = now
    return true
  }

  private func value(at now: WallTime) -> Double {
    let days = Double(max(0, now.milliseconds(since: countedAt))) / 86_400_000
    guard value > 0, days < 60 else { return 0 }
    let whole = days.rounded(.down)
    // Between two halvings along a straight line: no math library, and the same on every machine.
    return value / Double(UInt64(1) << UInt64(whole)) * (1 - (days - whole) / 2)
  }

  /// Views a day, as of late: a steady rate settles at itself.
  package func perDay(at now: WallTime) -> Double { value(at: now) * 0.693 }

  /// The clock was set back: a count that lies ahead is of now.
  ///
  /// Whether it was.
  package mutating func clockChanged(at now: WallTime) -> Bool {
    guard countedAt > now else { return false }
    countedAt = now
    return true
  }

  package var json: JSONValue {
    ["count": .double(value), "at": .string(countedAt.rfc3339)]
  }

  package init?(_ value: JSONValue) {
    guard let count = value["count"]?.doubleValue, count.isFinite, (0...1e6).contains(count),
      let at = value["at"]?.stringValue.flatMap({ WallTime(rfc3339: $0) })
    else { return nil }
    self.value = count
    countedAt = at
  }
}

/// In which hours of the local day the person looks at widgets; older days count less.
package struct ViewHours: Hashable, Sendable {
  private var counts = [Double](repeating: 0, count: 24)
  private var day: Int64 = 0

  package init() {}

  /// `zoneOffset`: milliseconds that local time is ahead of UTC.
  package mutating func add(at now: WallTime, zoneOffset: Int64) {
    let local = now.advanced(byMilliseconds: zoneOffset).milliseconds
    let today = floorDivide(local, 86_400_000)
    if today > day {
      // A tenth less a day; after three months nothing is left.
      let keep = (0..<min(today - day, 90)).reduce(1.0) { kept, _ in kept * 0.9 }
      counts = counts.map { $0 * keep }
    }
    day = today
    let hour = Int(floorDivide(local, 3_600_000) - today * 24)
    counts[hour] += 1
  }

  /// A bit an hour that has at least half as many views as the average one; every hour until enough
  /// is known.
  package var mask: UInt32 {
    let total = counts.reduce(0, +)
    guard total >= Limits.viewsToLearn else { return RefillHours.everyHour }
    var mask: UInt32 = 0
    for (hour, count) in counts.enumerated() where count >= total / 48 { mask |= 1 << UInt32(hour) }
    return mask
  }

  package var json: JSONValue {
    ["day": .int(day), "counts": .array(counts.map { .double(($0 * 1000).rounded() / 1000) })]
  }

  package init?(_ value: JSONValue) {
    guard let day = value["day"]?.intValue, let items = value["counts"]?.arrayValue,
      items.count == 24, day.magnitude <= 10_000_000
    else { return nil }
    let counts = items.compactMap(\.doubleValue).filter { $0.isFinite && $0 >= 0 }
    guard counts.count == 24 else { return nil }
    self.day = day
    self.counts = counts
  }
}
