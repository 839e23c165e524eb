/// "Did you mean": the candidates that are few typing mistakes away from what was written.
///
/// The distance is optimal string alignment (insert, delete, replace, swap neighbours) without
/// regard to ASCII case; at most a third of the longer text may differ. The nearest comes first,
/// equal ones in the order given. O(candidates × length²).
package func nearest(
  to text: String, among candidates: some Sequence<String>, countMax: Int = 3
) -> [String] {
  nearest(to: text, amongAll: Array(candidates), countMax: countMax)
}

private func nearest(
  to text: String, amongAll candidates: [String], countMax: Int
) -> [String] {
  let wanted = foldedScalars(text)
  guard !wanted.isEmpty, wanted.count <= 128 else { return [] }
  var found: [(distance: Int, order: Int, text: String)] = []
  for (order, candidate) in candidates.enumerated() {
    let scalars = foldedScalars(candidate)
    let longer = max(wanted.count, scalars.count)
    guard longer <= 128 else { continue }
    // A part of the name is as good as a typing mistake: "weather" for "org.example.weather".
    let isPart = wanted.count >= 3 && containsRun(scalars, wanted)
    guard isPart || abs(wanted.count - scalars.count) * 3 <= longer + 2 else { continue }
    let distance = editDistance(wanted, scalars)
    guard isPart || distance * 3 <= longer + 1 else { continue }
    found.append((isPart ? min(distance, 2) : distance, order, candidate))
  }
  found.sort { ($0.distance, $0.order) < ($1.distance, $1.order) }
  return found.prefix(countMax).map(\.text)
}

/// The one candidate of `nearest` that is nearer than all others; `nil` if there is none, or if two
/// are as near.
package func clearlyNearest(
  to text: String, among candidates: some Sequence<String>
) -> String? {
  let near = nearest(to: text, among: candidates, countMax: 2)
  guard near.count == 2 else { return near.first }
  let wanted = foldedScalars(text)
  let distances = near.map { editDistance(wanted, foldedScalars($0)) }
  return distances[0] < distances[1] ? near[0] : nil
}

/// `; did you mean 'a' or 'b'?`, or nothing.
package func didYouMean(_ suggestions: [String]) -> String {
  guard !suggestions.isEmpty else { return "" }
  return "; did you mean \(suggestions.map { "'\($0)'" }.joined(separator: " or "))?"
}

/// `; for example: 'a' or 'b'`, or nothing: for names that are not near enough to be meant.
package func forExample(_ suggestions: [String]) -> String {
  guard !suggestions.isEmpty else { return "" }
  return "; for example: \(suggestions.map { "'\($0)'" }.joined(separator: " or "))"
}

private func foldedScalars(_ text: String) -> [UInt32] {
  text.unicodeScalars.map { scalar in
    (65...90).contains(scalar.value) ? scalar.value + 32 : scalar.value
  }
}

private func containsRun(_ text: [UInt32], _ part: [UInt32]) -> Bool {
  guard part.count <= text.count else { return false }
  for start in 0...(text.count - part.count)
  where text[start..<(start + part.count)].elementsEqual(part) { return true }
  return false
}

/// Counts the insertions, deletions, replacements and swaps of neighbours that make one text of the
/// other.
///
/// O(left × right).
package func editDistance(_ left: [UInt32], _ right: [UInt32]) -> Int {
  // Three rows of the table, which take turns.
  var beforePrevious = [Int](repeating: 0, count: right.count + 1)
  var previous = Array(0...right.count)
  var current = beforePrevious
  for row in left.indices {
    current[0] = row + 1
    for column in right.indices {
      let cost = left[row] == right[column] ? 0 : 1
      var best = min(previous[column] + cost, previous[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        best = min(best, beforePrevious[column - 1] + 1)
      }
      current[column + 1] = best
    }
    swap(&beforePrevious, &previous)
    swap(&previous, &current)
  }
  return previous[right.count]
}

// MARK: Short forms of kinds

/// Whether a person who writes `word` may mean this kind.
///
/// The word is the kind's id or the last part of it, in any case: `weather` is short for
/// `org.example.weather`.
package func isShortForm(_ word: String, ofKind kind: String) -> Bool {
  let wanted = word.lowercased()
  let id = kind.lowercased()
  return id == wanted || id.split(separator: ".").last.map(String.init) == wanted
}

/// Says that a word is short for several kinds.
package func severalKinds(_ word: String, _ kinds: [String]) -> String {
  let names = kinds.map { "'\($0)'" }.joined(separator: " and ")
  return "'\(word)' may be \(names); write one of these"
}
