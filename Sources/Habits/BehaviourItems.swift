import Timekeeping

/// The facts about each item, in arrays by slot; a slot is the dense index of an item.
struct BehaviourItems: Hashable, Sendable {
  private(set) var slots: [String: Int32] = [:]
  private(set) var names: [String] = []
  /// Slots, the one used last first; and each slot's place there.
  private(set) var recency: [Int32] = []
  private(set) var ranks: [Int32] = []

  private(set) var counts: [Double] = []
  /// Milliseconds since 1970 of the last use; `Int64.min` before the first.
  private(set) var lastUses: [Int64] = []
  /// The last use's index in the history, −1 before the first.
  private(set) var lastIndices: [Int] = []
  /// The learned part of the score that is the item's own.
  var bias: [Double] = []
  var biasErrors: [Double] = []

  /// 96 a slot: smeared uses by half-hour of workdays, then of days off.
  private(set) var byHalfHour: [Float] = []
  /// 7 a slot, Monday first.
  private(set) var byWeekday: [Float] = []
  /// 5 a slot, by the pause before.
  private(set) var byPause: [Float] = []
  /// 24 a slot: what followed last in each two hours, of workdays and of days off, and how often in
  /// a row.
  var streakItems: [Int32] = []
  var streakLengths: [UInt8] = []
  /// 4 a slot: for each quarter of the day, the days it was used on; bit 0 is `lastDays`.
  private(set) var daysUsed: [UInt64] = []
  private(set) var lastDays: [Int] = []
  private(set) var firstDays: [Int] = []

  private(set) var thisWeek = FadingCounts()
  private(set) var lately = FadingCounts()
  private(set) var last20 = FadingCounts()
  private(set) var thisHour = FadingCounts()
  /// Milliseconds since 1970 up to which the counts have faded.
  private(set) var fadedTo = Int64.min

  /// The share that remains at `now` of the counts that fade with time.
  func remaining(at now: Int64) -> (week: Double, hour: Double) {
    guard fadedTo != .min else { return (1, 1) }
    let elapsed = Double(now) - Double(fadedTo)
    return (
      BehaviourMath.exp(-elapsed / Self.weekFading), BehaviourMath.exp(-elapsed / Self.hourFading)
    )
  }

  /// Counts the changes of `slots`: equal versions of one model have equal slots.
  private(set) var slotsVersion = 0

  mutating func add(_ name: String) -> Int {
    slotsVersion += 1
    let slot = names.count
    if let free = freeSlots.popLast() {
      names[Int(free)] = name
      slots[name] = free
      enter(free)
      return Int(free)
    }
    slots[name] = Int32(slot)
    names.append(name)
    ranks.append(0)
    enter(Int32(slot))
    counts.append(0)
    lastUses.append(.min)
    lastIndices.append(-1)
    bias.append(0)
    biasErrors.append(0)
    byHalfHour.append(contentsOf: repeatElement(0, count: 96))
    byWeekday.append(contentsOf: repeatElement(0, count: 7))
    byPause.append(contentsOf: repeatElement(0, count: 5))
    streakItems.append(contentsOf: repeatElement(-1, count: 24))
    streakLengths.append(contentsOf: repeatElement(0, count: 24))
    daysUsed.append(contentsOf: repeatElement(0, count: 4))
    lastDays.append(0)
    firstDays.append(0)
    thisWeek.append()
    lately.append()
    last20.append()
    thisHour.append()
    return slot
  }

  private var freeSlots: [Int32] = []

  private mutating func enter(_ slot: Int32) {
    ranks[Int(slot)] = Int32(recency.count)
    recency.append(slot)
  }

  /// Forgets the item not used for the longest time; its slot is free for another.
  ///
  /// O(items).
  mutating func evictOldest() -> Int {
    let slot = Int(recency.removeLast())
    slots[names[slot]] = nil
    freeSlots.append(Int32(slot))
    counts[slot] = 0
    lastUses[slot] = .min
    lastIndices[slot] = -1
    bias[slot] = 0
    biasErrors[slot] = 0
    for index in slot * 96..<slot * 96 + 96 { byHalfHour[index] = 0 }
    for index in slot * 7..<slot * 7 + 7 { byWeekday[index] = 0 }
    for index in slot * 5..<slot * 5 + 5 { byPause[index] = 0 }
    for index in streakItems.indices where streakItems[index] == slot {
      streakItems[index] = -1
      streakLengths[index] = 0
    }
    for index in slot * 24..<slot * 24 + 24 {
      streakItems[index] = -1
      streakLengths[index] = 0
    }
    for index in slot * 4..<slot * 4 + 4 { daysUsed[index] = 0 }
    thisWeek.clear(slot)
    lately.clear(slot)
    last20.clear(slot)
    thisHour.clear(slot)
    return slot
  }

  /// Counts one use.
  ///
  /// `index`: the use's place in the history.
  mutating func use(_ slot: Int, index: Int, _ context: BehaviourContext) {
    moveToFront(slot)
    if fadedTo != .min {
      let elapsed = Double(context.now) - Double(fadedTo)
      thisWeek.fade(elapsed / Self.weekFading)
      thisHour.fade(elapsed / Self.hourFading)
    }
    fadedTo = context.now
    lately.fade(0.25)
    last20.fade(0.05)
    thisWeek.add(slot)
    thisHour.add(slot)
    lately.add(slot)
    last20.add(slot)
    counts[slot] += 1
    lastUses[slot] = context.now
    lastIndices[slot] = index
    let moment = context.moment
    for (offset, part) in Self.smear.enumerated() {
      let halfHour = (moment.halfHour + offset + 42) % 48
      byHalfHour[slot * 96 + context.dayOff * 48 + halfHour] += Float(part)
    }
    byWeekday[slot * 7 + moment.weekday] += 1
    if index > 0 { byPause[slot * 5 + context.pauseBucket] += 1 }
    noteDay(slot, moment)
  }

  private mutating func noteDay(_ slot: Int, _ moment: BehaviourMoment) {
    if counts[slot] == 1 {
      firstDays[slot] = moment.day
      lastDays[slot] = moment.day
    }
    let step = moment.day - lastDays[slot]
    if step > 0 {
      for part in slot * 4..<slot * 4 + 4 {
        daysUsed[part] = step < 64 ? daysUsed[part] << step : 0
      }
      lastDays[slot] = moment.day
    }
    // A day before the last one, in another time zone: it counts if it is near.
    let bit = step < 0 ? -step : 0
    if bit < 64 { daysUsed[slot * 4 + moment.halfHour / 12] |= 1 << UInt64(bit) }
  }

  private mutating func moveToFront(_ slot: Int) {
    var place = Int(ranks[slot])
    while place > 0 {
      let other = recency[place - 1]
      recency[place] = other
      ranks[Int(other)] = Int32(place)
      place -= 1
    }
    recency[0] = Int32(slot)
    ranks[slot] = 0
  }

  /// Milliseconds in which a count falls to 1/e: seven days of half-life; one hour.
  private static let weekFading = 604_800_000 / 0.693_147_180_559_945_3
  private static let hourFading = 3_600_000.0

  /// A use counts for the hours around it too: a bell of one hour's width over thirteen half-hours.
  static let smear: [Double] = {
    let bell = (0..<13).map { BehaviourMath.exp(-0.125 * Double(($0 - 6) * ($0 - 6))) }
    let sum = bell.reduce(0, +)
    return bell.map { $0 / sum }
  }()
}

/// The last uses, in a ring.
struct BehaviourHistory: Hashable, Sendable {
  struct Use: Hashable, Sendable {
    /// −1: the item was evicted.
    var slot: Int32
    var halfHour: Int8
    var weekday: Int8
    var isDayOff: Bool
    /// Milliseconds since 1970.
    var time: Int64
    /// (seconds since the use before + 10)^0.3.
    var pause: Double
    /// The index of the same item's use before this one, −1 if it is the first.
    var before: Int
  }

  private var ring: [Use] = []
  /// Uses ever; the index of the next.
  private(set) var count = 0
  /// The index of the present session's first use.
  private(set) var sessionStart = 0

  var oldest: Int { max(0, count - Limits.historyCountMax) }

  subscript(index: Int) -> Use { ring[index & (Limits.historyCountMax - 1)] }

  mutating func append(_ use: Use, startsSession: Bool) {
    if startsSession { sessionStart = count }
    if ring.count < Limits.historyCountMax {
      ring.append(use)
    } else {
      ring[count & (Limits.historyCountMax - 1)] = use
    }
    count += 1
  }

  mutating func forget(_ slot: Int) {
    for index in ring.indices where ring[index].slot == slot { ring[index].slot = -1 }
  }
}
