/// The value that a person meant by an answer with a slip in it, where there is no doubt about it.
import JSON

extension IntentCatalog {
  /// Returns the title of the value that `answer` is a slip away from; `nil` if that is in doubt.
  ///
  /// `choices` are the titles that were offered; beyond them the values of the parameter's list
  /// count. `nil` also if the answer is one of these. The rules of `nearestValue` say how many slips
  /// there may be, and no other value may be as near. O(values).
  package func meantValue(
    by answer: String, among choices: [String], for parameter: String, of intent: String
  ) -> String? {
    let said = NormalizedText(value: answer).folded
    let titles = choices.map { NormalizedText(value: $0).folded }
    let definition = definition(named: intent)?.parameter(named: parameter)
    let list = definition?.list.flatMap(textList(named:))
    guard !titles.contains(said), list?.values(named: answer).isEmpty ?? true else { return nil }
    if let choice = onlyNearest(to: said, in: ValueIndex(titles), isSame: { $0 == $1 }) {
      return choices[choice]
    }
    guard let list else { return nil }
    return onlyNearest(
      to: said, in: list.index(ignoringWhitespace: false),
      isSame: { list.values[$0].canonical == list.values[$1].canonical }
    ).map { title(of: list.values[$0].canonical) }
  }

  /// Returns the place of the value that `said` is a slip away from; `nil` if there is none, or if
  /// another one is as near.
  ///
  /// Several texts of a list may stand for one value; `isSame` says so.
  private func onlyNearest(
    to said: [UInt32], in index: ValueIndex, isSame: (Int, Int) -> Bool
  ) -> Int? {
    guard let nearest = nearestValue(to: said, in: index) else { return nil }
    let slips = editDistance(said, Array(index.text(nearest)))
    let characters = RequiredText(said).characters
    var compared = 0
    for other in 0..<index.count where !isSame(other, nearest) {
      let text = index.text(other)
      guard (characters ^ index.characters[other]).nonzeroBitCount <= 2 * slips,
        abs(text.count - said.count) <= slips
      else { continue }
      compared += 1
      guard compared <= Limits.comparedValuesMax,
        editDistance(said, Array(text), atMost: slips) == nil
      else {
        return nil
      }
    }
    return nearest
  }
}
