/// Values by connection: a dictionary for keys that each request looks up several times.
///
/// The shell numbers connections upwards, so the keys stand in a sorted array: a new one is
/// appended, and a look-up compares a few integers instead of hashing. The values stand in an array
/// that callers index, because `Dictionary.values[index].member` copies the whole value for its one
/// member.
///
/// A look-up is O(log connections). Removing a connection is O(connections), and so is adding one
/// that is not the newest.
struct ConnectionTable<Value: Sendable>: Sendable {
  /// In ascending order.
  private(set) var keys: [ConnectionID] = []
  /// The values, in the order of `keys`.
  ///
  /// Callers read and change elements in place; the table alone adds and removes them.
  var values: [Value] = []

  var count: Int { keys.count }

  /// Returns the place of the connection's value in `values`; `nil`: the table has none.
  func index(forKey key: ConnectionID) -> Int? {
    assert(values.count == keys.count, "each connection has one value")
    let index = place(of: key)
    return index < keys.count && keys[index] == key ? index : nil
  }

  subscript(key: ConnectionID) -> Value? {
    get { index(forKey: key).map { values[$0] } }
    set {
      let index = place(of: key)
      let isKnown = index < keys.count && keys[index] == key
      switch (newValue, isKnown) {
      case (let value?, true): values[index] = value
      case (let value?, false):
        keys.insert(key, at: index)
        values.insert(value, at: index)
      case (nil, true):
        keys.remove(at: index)
        values.remove(at: index)
      case (nil, false): break
      }
    }
  }

  /// Removes the connection's value and returns it; `nil`: the table has none.
  mutating func removeValue(forKey key: ConnectionID) -> Value? {
    guard let index = index(forKey: key) else { return nil }
    keys.remove(at: index)
    return values.remove(at: index)
  }

  /// Returns the place of the first key that is not below `key`.
  private func place(of key: ConnectionID) -> Int {
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
