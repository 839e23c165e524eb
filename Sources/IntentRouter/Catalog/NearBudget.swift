import JSON

/// The work of looking for near misses in one answer: what is left of it bounds the time that other
/// clients wait.
///
/// Every list and every run of words of a sentence draws on the same budget, so that neither long
/// lists nor long sentences add up. What does not fit is not looked at: a suggestion fails to come,
/// and nothing else changes.
struct NearBudget {
  /// Values that may still be looked at.
  private(set) var glances = Limits.glancedValuesMax
  /// Values that may still be compared letter by letter.
  private(set) var comparisons = Limits.comparedValuesMax

  /// Takes the glances for a whole list; `false`: so many are not left.
  mutating func takeGlances(_ count: Int) -> Bool {
    guard count < glances else { return false }
    glances -= count
    return true
  }

  /// Takes one comparison; `false`: none is left.
  mutating func takeComparison() -> Bool {
    guard comparisons > 0 else { return false }
    comparisons -= 1
    return true
  }
}

/// Counts the slips that make one text of the other, as `editDistance` does, up to `most`; `nil`
/// when there are more.
///
/// Only the part of the table near its diagonal is filled: O(length × most).
func editDistance(_ left: [UInt32], _ right: [UInt32], atMost most: Int) -> Int? {
  precondition(most >= 0, "texts have no negative distance")
  guard abs(left.count - right.count) <= most else { return nil }
  let beyond = most + 1
  var beforePrevious = [Int](repeating: beyond, count: right.count + 1)
  var current = beforePrevious
  var previous = beforePrevious
  for column in 0...min(most, right.count) { previous[column] = column }
  for row in left.indices {
    let low = max(0, row - most)
    let high = min(right.count - 1, row + most)
    current[low] = low == 0 ? min(row + 1, beyond) : beyond
    var least = current[low]
    var column = low
    while column <= high {
      let cost = left[row] == right[column] ? 0 : 1
      var best = min(previous[column] + cost, previous[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        best = min(best, beforePrevious[column - 1] + 1)
      }
      current[column + 1] = min(best, beyond)
      least = min(least, best)
      column += 1
    }
    // The next row looks one place farther.
    if high + 2 <= right.count { current[high + 2] = beyond }
    // A swap reaches over one row, and costs one.
    guard least <= most else { return nil }
    swap(&beforePrevious, &previous)
    swap(&previous, &current)
  }
  return previous[right.count] <= most ? previous[right.count] : nil
}
