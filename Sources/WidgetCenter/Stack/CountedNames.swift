/// Names that are in use, each with a small number by which arrays find what belongs to it.
///
/// A number is given again after its name is gone; no order follows from numbers.
struct CountedNames: Sendable {
  /// By number; a number that is free has the name "".
  private(set) var names: [String] = []
  private var useCounts: [Int32] = []
  private var free: [Int32] = []
  private var numbers: [String: Int32] = [:]

  /// Names in use.
  var count: Int { numbers.count }

  /// The number of a name; `nil`: nobody uses it.
  func number(of name: String) -> Int32? { numbers[name] }

  mutating func reserveCapacity(_ count: Int) {
    names.reserveCapacity(count)
    useCounts.reserveCapacity(count)
    numbers.reserveCapacity(count)
  }

  /// Counts one more use of a name.
  ///
  /// - Returns: its number, and whether it is the first use.
  mutating func use(_ name: String) -> (number: Int32, isFirst: Bool) {
    if let number = numbers[name] {
      useCounts[Int(number)] += 1
      return (number, false)
    }
    let number: Int32
    if let freed = free.popLast() {
      number = freed
      names[Int(number)] = name
      useCounts[Int(number)] = 1
    } else {
      number = Int32(names.count)
      names.append(name)
      useCounts.append(1)
    }
    numbers[name] = number
    return (number, true)
  }

  /// Counts one use less; the last one gives the number back.
  mutating func release(_ number: Int32) {
    let index = Int(number)
    precondition(useCounts[index] > 0, "a name was released more often than used")
    useCounts[index] -= 1
    guard useCounts[index] == 0 else { return }
    numbers[names[index]] = nil
    names[index] = ""
    free.append(number)
  }
}
