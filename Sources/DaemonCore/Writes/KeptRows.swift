/// Rows of the store that could not be read at a start, and are kept as they were.
///
/// A row that cannot be read moves into the table `kept` with the start that finds it. So it is not
/// lost, nothing is written over it, and its id is not given away in silence.
struct KeptRows: Hashable, Sendable {
  /// Rows in the table `kept`, and rows that stay where they are.
  private(set) var count = 0
  /// The ids of the widgets among them.
  private(set) var widgets: Set<String> = []

  /// Returns the key of a row in the table `kept`.
  static func key(_ table: StoreTable, _ key: String) -> String { "\(table.rawValue)/\(key)" }

  /// Notes a row of the table `kept`, by its key there.
  mutating func note(_ key: String) {
    count += 1
    let prefix = "\(StoreTable.widget.rawValue)/"
    if key.hasPrefix(prefix) { widgets.insert(String(key.dropFirst(prefix.count))) }
  }

  /// Notes rows that cannot be read and stay where they are.
  mutating func noteLeft(_ count: Int) { self.count += count }

  /// Forgets the row of a widget; `false`: there is none.
  mutating func giveUp(_ widget: String) -> Bool {
    guard widgets.remove(widget) != nil else { return false }
    count -= 1
    return true
  }
}
