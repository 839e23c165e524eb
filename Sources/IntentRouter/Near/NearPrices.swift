/// The price of each word of a sentence for each word of the lexicon that it is near to.
///
/// A price is 0 for the word as it is, about 0.5 for a slip, and infinite where it is not near.
struct NearPrices {
  /// A word of the lexicon that a word of the sentence is near to.
  typealias Known = (id: Int32, price: Float)

  /// Those of all words of the sentence, in a row.
  private var known: [Known] = []
  private var starts: [Int32] = [0]
  /// By word of the lexicon: its column in `table`; -1 where no word of the sentence is near to it.
  private var columns: [Int32]
  private var columnCount = 0
  /// A row for each word of the sentence.
  private var table: [Float]

  /// `exchanging`: whether known words may be taken for others.
  init(of sentence: NearSentence, lexiconCount: Int, exchanging: Bool) {
    columns = [Int32](repeating: -1, count: lexiconCount)
    known.reserveCapacity(4 * sentence.words.count)
    starts.reserveCapacity(sentence.words.count + 1)
    for index in sentence.words.indices {
      let first = known.count
      let isKnown = sentence.words[index].id != nil
      if let id = sentence.words[index].id { known.append((id, 0)) }
      if exchanging || !isKnown, let forms = sentence.words[index].forms {
        for other in forms {
          let form = other.form
          let isExchanged = isKnown && form.kind != .same && form.kind != .marks
          let price = form.cost + (isExchanged ? NearSearch.Price.exchanged : 0)
          if let place = known[first...].firstIndex(where: { $0.id == other.id }) {
            known[place].price = min(known[place].price, price)
          } else {
            known.append((other.id, price))
          }
        }
      }
      starts.append(Int32(known.count))
    }
    for (id, _) in known where columns[Int(id)] < 0 {
      columns[Int(id)] = Int32(columnCount)
      columnCount += 1
    }
    table = [Float](repeating: .infinity, count: sentence.words.count * columnCount)
    for word in sentence.words.indices {
      for (id, price) in self[word] { table[word * columnCount + Int(columns[Int(id)])] = price }
    }
  }

  /// The words that a word of the sentence is near to.
  subscript(word: Int) -> ArraySlice<Known> { known[Int(starts[word])..<Int(starts[word + 1])] }

  /// The column of a word of the lexicon; `nil` where no word of the sentence is near to it.
  @inline(__always)
  func column(of id: Int) -> Int? {
    let column = columns[id]
    return column >= 0 ? Int(column) : nil
  }

  /// The price of a word of the sentence in a column; infinite where it is not near.
  @inline(__always)
  func price(of word: Int, column: Int) -> Float { table[word * columnCount + column] }
}
