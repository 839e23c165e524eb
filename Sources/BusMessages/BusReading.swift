/// A place in a message that is read.
///
/// libsystemd has one, which checks that the message is well formed; the recursion and the limits
/// are here, so that they can be fuzzed without a bus.
package protocol BusCursor {
  /// Returns the next item of the container that the cursor is in; `nil`: it has no more.
  mutating func peek() throws(BusReadError) -> BusItem?
  /// Goes into the container that is next.
  mutating func enter(_ item: BusItem) throws(BusReadError)
  /// Leaves the container, of which everything was read.
  mutating func exit() throws(BusReadError)
  /// Reads the value that is next, which is no container.
  mutating func read(_ item: BusItem) throws(BusReadError) -> BusValue
}

/// The type of a value: D-Bus' letter, and for a container the signature of what is in it.
package struct BusItem: Hashable, Sendable {
  /// The letter of a basic type, or `a`, `r` (a structure), `e` (an entry) or `v`.
  package var type: UInt8
  package var contents: String

  package init(type: UInt8, contents: String = "") {
    self.type = type
    self.contents = contents
  }
}

/// Why a message is not read.
package enum BusReadError: Error, Hashable, Sendable {
  /// It is larger or deeper than `BusLimits`.
  case tooLarge
  case malformed

  /// The error's name on the bus.
  package var name: String {
    switch self {
    case .tooLarge: "org.freedesktop.DBus.Error.LimitsExceeded"
    case .malformed: "org.freedesktop.DBus.Error.InvalidArgs"
    }
  }

  package var message: String {
    switch self {
    case .tooLarge: "the message is too large"
    case .malformed: "the message cannot be read"
    }
  }
}

extension BusLimits {
  /// Reads all values of a message.
  package func read(_ cursor: inout some BusCursor) throws(BusReadError) -> [BusValue] {
    var room = Room(valueCount: valueCountMax, bytes: bytesMax)
    return try values(&cursor, depth: 0, &room)
  }

  /// The room that is left for the rest of the message.
  private struct Room {
    var valueCount: Int
    var bytes: Int
  }

  private func values(
    _ cursor: inout some BusCursor, depth: Int, _ room: inout Room
  ) throws(BusReadError) -> [BusValue] {
    var values: [BusValue] = []
    while let item = try cursor.peek() {
      values.append(try value(item, &cursor, depth: depth, &room))
    }
    return values
  }

  private func value(
    _ item: BusItem, _ cursor: inout some BusCursor, depth: Int, _ room: inout Room
  ) throws(BusReadError) -> BusValue {
    room.valueCount -= 1
    guard room.valueCount >= 0 else { throw .tooLarge }
    guard ["a", "r", "e", "v"].contains(Unicode.Scalar(item.type)) else {
      let value = try cursor.read(item)
      room.bytes -= value.text?.utf8.count ?? 0
      guard room.bytes >= 0 else { throw .tooLarge }
      return value
    }
    guard depth < depthMax else { throw .tooLarge }
    try cursor.enter(item)
    let inner = try values(&cursor, depth: depth + 1, &room)
    try cursor.exit()
    switch Unicode.Scalar(item.type) {
    case "a": return .array(inner, of: item.contents)
    case "r": return .structure(inner)
    case "e":
      guard inner.count == 2 else { throw .malformed }
      return .entry(inner[0], inner[1])
    default:
      guard inner.count == 1 else { throw .malformed }
      return .variant(inner[0])
    }
  }
}

/// A message that is written.
package protocol BusSink {
  associatedtype Failure: Error
  mutating func open(_ item: BusItem) throws(Failure)
  mutating func close() throws(Failure)
  /// Appends a value that is no container.
  mutating func append(_ value: BusValue) throws(Failure)
}

extension BusValue {
  /// Appends the value, with everything in it.
  package func write<Sink: BusSink>(into sink: inout Sink) throws(Sink.Failure) {
    let inner: [BusValue]
    let item: BusItem
    switch self {
    case .array(let elements, let type):
      (inner, item) = (elements, BusItem(type: UInt8(ascii: "a"), contents: type))
    case .structure(let members):
      let types = members.map(\.typeSignature).joined()
      (inner, item) = (members, BusItem(type: UInt8(ascii: "r"), contents: types))
    case .entry(let key, let value):
      let types = key.typeSignature + value.typeSignature
      (inner, item) = ([key, value], BusItem(type: UInt8(ascii: "e"), contents: types))
    case .variant(let value):
      (inner, item) = ([value], BusItem(type: UInt8(ascii: "v"), contents: value.typeSignature))
    default: return try sink.append(self)
    }
    try sink.open(item)
    for value in inner { try value.write(into: &sink) }
    try sink.close()
  }
}
