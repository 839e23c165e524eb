/// Small numbers for the timelines there are: what waits by number is found without a hash.
///
/// A number is given again once its timeline is gone; no order follows from it.
package struct TimelineNumbers: Sendable {
  private var keys: ContiguousArray<TimelineKey?> = []
  private var free: ContiguousArray<Int32> = []

  package init() {}

  /// How many are given.
  package var count: Int { keys.count - free.count }

  package mutating func give(_ key: TimelineKey) -> Int32 {
    if let number = free.popLast() {
      keys[Int(number)] = key
      return number
    }
    keys.append(key)
    return Int32(keys.count - 1)
  }

  package mutating func takeBack(_ number: Int32) {
    keys[Int(number)] = nil
    free.append(number)
  }

  /// `nil`: nobody has it.
  package func key(of number: Int32) -> TimelineKey? {
    keys.indices.contains(Int(number)) ? keys[Int(number)] : nil
  }
}
