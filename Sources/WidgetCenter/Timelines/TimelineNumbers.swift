/// Small numbers for the timelines, so that they wait by number instead of by hash.
///
/// A number is used again after its timeline is gone; no order follows from numbers.
package struct TimelineNumbers: Sendable {
  private var keys: ContiguousArray<TimelineKey?> = []
  private var free: ContiguousArray<Int32> = []

  package init() {}

  /// Numbers in use.
  package var count: Int { keys.count - free.count }

  /// Gives a timeline a number that no other has.
  package mutating func give(_ key: TimelineKey) -> Int32 {
    if let number = free.popLast() {
      keys[Int(number)] = key
      return number
    }
    keys.append(key)
    return Int32(keys.count - 1)
  }

  /// Takes back the number of a timeline that is gone.
  package mutating func takeBack(_ number: Int32) {
    keys[Int(number)] = nil
    free.append(number)
  }

  /// The timeline that has a number; `nil`: none has.
  package func key(of number: Int32) -> TimelineKey? {
    keys.indices.contains(Int(number)) ? keys[Int(number)] : nil
  }
}
