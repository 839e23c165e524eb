/// A compact form of a document, to keep one without its hundreds of small objects.
///
/// The form is private to the process that made it: it has no version and is never stored.
package struct PackedDocument: Hashable, Sendable {
  private var bytes: [UInt8] = []

  /// O(document).
  package init(_ document: LocatedValue) { append(document) }

  /// The document.
  ///
  /// O(document).
  package var document: LocatedValue {
    var place = bytes.startIndex
    let document = value(&place)
    assert(place == bytes.endIndex, "a packed document has no rest")
    return document
  }

  package var byteCount: Int { bytes.count }

  private enum Tag: UInt8 { case null, no, yes, int, double, string, array, object }

  // MARK: Packing

  private mutating func append(_ value: LocatedValue) {
    func begin(_ tag: Tag) {
      bytes.append(tag.rawValue)
      append(UInt64(value.line))
    }
    switch value.node {
    case .null: begin(.null)
    case .bool(let flag): begin(flag ? .yes : .no)
    case .int(let number):
      begin(.int)
      append(UInt64(bitPattern: number))
    case .double(let number):
      begin(.double)
      append(number.bitPattern)
    case .string(let text):
      begin(.string)
      append(text)
    case .array(let values):
      begin(.array)
      append(UInt64(values.count))
      for value in values { append(value) }
    case .object(let members):
      begin(.object)
      append(UInt64(members.count))
      for member in members {
        append(member.key)
        append(UInt64(member.line))
        append(member.value)
      }
    }
  }

  /// Seven bits a byte, the lowest first; the highest bit says that more follow.
  private mutating func append(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func append(_ text: String) {
    append(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  // MARK: Unpacking

  private func value(_ place: inout Int) -> LocatedValue {
    guard let tag = Tag(rawValue: bytes[place]) else {
      preconditionFailure("only packing makes a packed document")
    }
    place += 1
    let line = Int(number(&place))
    let node: LocatedValue.Node
    switch tag {
    case .null: node = .null
    case .no: node = .bool(false)
    case .yes: node = .bool(true)
    case .int: node = .int(Int64(bitPattern: number(&place)))
    case .double: node = .double(Double(bitPattern: number(&place)))
    case .string: node = .string(text(&place))
    case .array:
      let count = Int(number(&place))
      var values: [LocatedValue] = []
      values.reserveCapacity(count)
      for _ in 0..<count { values.append(value(&place)) }
      node = .array(values)
    case .object:
      let count = Int(number(&place))
      var members: [LocatedValue.Member] = []
      members.reserveCapacity(count)
      for _ in 0..<count {
        let key = text(&place)
        let line = Int(number(&place))
        members.append(.init(key: key, line: line, value: value(&place)))
      }
      node = .object(members)
    }
    return LocatedValue(node, line: line)
  }

  private func number(_ place: inout Int) -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = bytes[place]
      place += 1
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
  }

  private func text(_ place: inout Int) -> String {
    let count = Int(number(&place))
    defer { place += count }
    return String(decoding: bytes[place..<place + count], as: UTF8.self)
  }
}
