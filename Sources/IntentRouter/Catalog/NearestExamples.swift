import JSON

/// The examples that are nearest to a sentence, each text once, nearest first.
///
/// Most examples are far away, and their letter pairs and lengths alone say so. Only the others are
/// compared letter by letter, which costs a hundred times as much; the result is the same.
struct NearestExamples {
  /// How much farther the next examples count.
  var penalty = 0.0
  /// At most `Limits.suggestionsMax`, in their order.
  private var found: [(score: Double, text: String)] = []

  var texts: [String] { found.map(\.text) }

  /// Takes an example among the nearest if it is one of them; `compared` is what of it is compared
  /// with what was said.
  ///
  /// The score is 0 for equal texts, and 1 for texts with nothing in common.
  mutating func offer(_ text: String, _ said: [UInt32], _ compared: [UInt32]) {
    let longest = Double(max(said.count, compared.count, 1))
    // Pairs as bits: a text of this length has few enough for that.
    let (first, second) = (RequiredText(said).pairs, RequiredText(compared).pairs)
    let common = (first & second).nonzeroBitCount
    let all = first.nonzeroBitCount + second.nonzeroBitCount
    let shared = all == 0 ? 0 : Double(2 * common) / Double(all)
    // As many slips as one text is longer than the other, at least.
    let fewest = Double(abs(said.count - compared.count)) / longest
    guard mayEnter((fewest + 1 - shared) / 2 + penalty) else { return }
    let edits = Double(editDistance(said, compared)) / longest
    enter((edits + 1 - shared) / 2 + penalty, text)
  }

  private func mayEnter(_ score: Double) -> Bool {
    guard found.count == Limits.suggestionsMax, let last = found.last else { return true }
    return score <= last.score
  }

  private mutating func enter(_ score: Double, _ text: String) {
    if let known = found.firstIndex(where: { $0.text == text }) {
      guard score < found[known].score else { return }
      found.remove(at: known)
    }
    let place = found.firstIndex { (score, text) < ($0.score, $0.text) } ?? found.count
    found.insert((score, text), at: place)
    if found.count > Limits.suggestionsMax { found.removeLast() }
  }
}
