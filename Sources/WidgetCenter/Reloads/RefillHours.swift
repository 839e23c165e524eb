package import Timekeeping

/// How the refill of a budget is spread over the local day: an active hour gives four times as much
/// as a quiet one.
///
/// All numbers are integers, so that a day gives the same refill however often the budget is looked
/// at.
package struct RefillHours: Hashable, Sendable {
  package static let everyHour: UInt32 = 0xFF_FFFF
  /// Evenly over the day.
  package static let even = RefillHours(mask: everyHour, zoneOffset: 0)

  /// A bit an hour of the local day; never 0.
  package let mask: UInt32
  /// Milliseconds that local time is ahead of UTC.
  package let zoneOffset: Int64

  private static let hour: Int64 = 3_600_000

  package init(mask: UInt32, zoneOffset: Int64) {
    let hours = mask & Self.everyHour
    self.mask = hours == 0 ? Self.everyHour : hours
    // Evenly is evenly in every zone.
    self.zoneOffset = self.mask == Self.everyHour ? 0 : zoneOffset
  }

  /// The sum of weight × milliseconds over a day.
  package var wholeDay: Int64 {
    let active = Int64(mask.nonzeroBitCount)
    return (active * Limits.activeHourWeight + (24 - active)) * Self.hour
  }

  private func local(_ moment: WallTime) -> Int64 {
    moment.advanced(byMilliseconds: zoneOffset).milliseconds
  }

  private func weight(localHour: Int64) -> Int64 {
    let hour = ((localHour % 24) + 24) % 24
    return mask & (1 << UInt32(hour)) == 0 ? 1 : Limits.activeHourWeight
  }

  /// The part of a day's refill that comes back in one hour at this rate.
  package func sharePerHour(at moment: WallTime) -> Double {
    Double(weight(localHour: floorDivide(local(moment), Self.hour)) * Self.hour) / Double(wholeDay)
  }

  /// The sum of weight × milliseconds from `start` to `end`, which is a day later at most.
  package func weighted(from start: WallTime, to end: WallTime) -> Int64 {
    guard start < end else { return 0 }
    if mask == Self.everyHour { return end.milliseconds(since: start) * Limits.activeHourWeight }
    var sum: Int64 = 0
    var position = local(start)
    let last = local(end)
    while position < last {
      let hour = floorDivide(position, Self.hour)
      let next = min(last, (hour + 1) * Self.hour)
      sum += (next - position) * weight(localHour: hour)
      position = next
    }
    return sum
  }

  /// The first moment by which `amount` of weight × milliseconds has passed since `start`.
  package func moment(after start: WallTime, weighted amount: Int64) -> WallTime {
    guard amount > 0 else { return start }
    if mask == Self.everyHour {
      let weight = Limits.activeHourWeight
      return start.advanced(byMilliseconds: (amount + weight - 1) / weight)
    }
    var left = amount
    var position = local(start)
    while true {
      let hour = floorDivide(position, Self.hour)
      let weight = weight(localHour: hour)
      let span = (hour + 1) * Self.hour - position
      if span * weight >= left {
        position += (left + weight - 1) / weight
        return WallTime(milliseconds: position).advanced(byMilliseconds: -zoneOffset)
      }
      left -= span * weight
      position += span
    }
  }
}

/// Rounded down, for dates before 1970, too.
func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
  let quotient = value / divisor
  return value % divisor < 0 ? quotient - 1 : quotient
}
