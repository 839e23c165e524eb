import JSON

/// Measures how much an entry shows: the content of the largest one is sent with each widget.
extension JSONValue {
  /// Returns whether the texts and keys of this value have more than `most` bytes of UTF-8, where
  /// each value counts as `Limits.valueBytes` more.
  ///
  /// O(values), or less if there are more.
  func isLarger(than most: Int) -> Bool {
    var room = most
    return !takeRoom(&room)
  }

  /// Takes this value's bytes from `room`; `false`: it does not fit.
  private func takeRoom(_ room: inout Int) -> Bool {
    room -= Limits.valueBytes
    switch self {
    case .string(let text): room -= text.utf8.count
    case .array(let items):
      for item in items where !item.takeRoom(&room) { return false }
    case .object(let object):
      for member in object.members {
        room -= member.key.utf8.count
        guard member.value.takeRoom(&room) else { return false }
      }
    default: break
    }
    return room >= 0
  }
}
