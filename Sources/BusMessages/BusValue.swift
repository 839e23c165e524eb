/// A value in a message of a bus, with the type that D-Bus gives it.
///
/// Source: the D-Bus specification, *Type System*.
package enum BusValue: Hashable, Sendable {
  case byte(UInt8)
  case boolean(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case objectPath(String)
  case signature(String)
  case descriptor(BusDescriptor)
  /// Elements of one type, whose signature an empty array has, too.
  case array([BusValue], of: String)
  case structure([BusValue])
  /// Only in an array.
  indirect case entry(BusValue, BusValue)
  indirect case variant(BusValue)

  /// An array of strings.
  package static func strings(_ values: some Sequence<String>) -> BusValue {
    .array(values.map { .string($0) }, of: "s")
  }

  /// The dictionary `a{sv}` of names and values, in this order.
  package static func dictionary(_ members: KeyValuePairs<String, BusValue>) -> BusValue {
    .array(members.map { .entry(.string($0.key), .variant($0.value)) }, of: "{sv}")
  }

  /// The signature of its type; one complete type.
  package var typeSignature: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .descriptor: "h"
    case .array(_, let element): "a" + element
    case .structure(let members): "(" + members.map(\.typeSignature).joined() + ")"
    case .entry(let key, let value): "{" + key.typeSignature + value.typeSignature + "}"
    case .variant: "v"
    }
  }
}

/// A descriptor that came in a message; it is closed with this object.
package final class BusDescriptor: Hashable, Sendable {
  package let number: Int32
  private let close: @Sendable (Int32) -> Void

  /// Takes a descriptor over; `close` closes it.
  package init(_ number: Int32, close: @escaping @Sendable (Int32) -> Void) {
    self.number = number
    self.close = close
  }

  deinit { close(number) }

  package static func == (left: BusDescriptor, right: BusDescriptor) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// MARK: - Looking inside

extension BusValue {
  /// The text of a string, an object path or a signature.
  package var text: String? {
    switch self {
    case .string(let text), .objectPath(let text), .signature(let text): text
    default: nil
    }
  }

  package var boolean: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  /// The number of any type that has whole numbers.
  package var integer: Int64? {
    switch self {
    case .byte(let value): Int64(value)
    case .int16(let value): Int64(value)
    case .uint16(let value): Int64(value)
    case .int32(let value): Int64(value)
    case .uint32(let value): Int64(value)
    case .int64(let value): value
    case .uint64(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// The number of a double, or of any whole number.
  package var number: Double? {
    if case .double(let value) = self { value } else { integer.map(Double.init) }
  }

  package var elements: [BusValue]? {
    if case .array(let elements, _) = self { elements } else { nil }
  }

  /// The texts of an array of strings or of object paths.
  package var texts: [String]? {
    guard case .array(let elements, let type) = self, type == "s" || type == "o" else { return nil }
    return elements.compactMap(\.text)
  }

  /// The value inside a variant, or inside variants in each other; else the value itself.
  package var unwrapped: BusValue {
    var value = self
    while case .variant(let inner) = value { value = inner }
    return value
  }

  /// Returns the value of a name in a dictionary whose keys are strings, without its variant.
  package subscript(name: String) -> BusValue? {
    guard case .array(let elements, _) = self else { return nil }
    for case .entry(.string(name), let value) in elements { return value.unwrapped }
    return nil
  }
}
