/// The names of lists that are in a sentence, or nearly are, by list and place.
struct NearNamesFound {
  /// The names of one list, place by place.
  struct Row {
    fileprivate(set) var named: [NearSearch.Named] = []
    /// Where the names at each place begin; complete where it ends with the count of all.
    fileprivate(set) var starts: [Int32] = [0]

    mutating func append(_ name: NearSearch.Named) { named.append(name) }

    mutating func endPlace() { starts.append(Int32(named.count)) }

    /// The names at a place.
    func names(at place: Int) -> Range<Int> { Int(starts[place])..<Int(starts[place + 1]) }
  }

  private(set) var named: [NearSearch.Named] = []
  /// Where the names of each row begin at each place.
  private(set) var starts: [Int32] = []
  /// The first of `starts` of a list, or −1 where it has no name.
  ///
  /// Lists of free words share a row.
  private(set) var rows: [Int32]

  init(listCount: Int) { rows = [Int32](repeating: -1, count: listCount) }

  mutating func add(_ row: Row, of list: Int) {
    guard !row.named.isEmpty else { return }
    rows[list] = Int32(starts.count)
    let first = Int32(named.count)
    for start in row.starts { starts.append(first + start) }
    named += row.named
  }

  /// Gives a list the row of another.
  mutating func share(rowOf other: Int, with list: Int) { rows[list] = rows[other] }
}
