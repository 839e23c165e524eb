import BusMessages
import CUserBus
import Glibc

/// The head of a message.
struct BusHead {
  var sender = ""
  var path = ""
  var interface = ""
  var member = ""
  var signature = ""
  /// `nil`: the message is no refusal.
  var errorName: String?
  var errorText: String?
  var expectsAnswer = false

  init(of message: OpaquePointer) {
    let head = unsafe cuserbus_head(message)
    sender = unsafe Self.text(head.sender) ?? ""
    path = unsafe Self.text(head.path) ?? ""
    interface = unsafe Self.text(head.interface) ?? ""
    member = unsafe Self.text(head.member) ?? ""
    signature = unsafe Self.text(head.signature) ?? ""
    errorName = unsafe Self.text(head.error_name)
    errorText = unsafe Self.text(head.error_text)
    expectsAnswer = unsafe head.expects_answer
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe String(cString: pointer)
  }
}

/// Reads a message of libsystemd step by step.
@safe
struct BusReader: BusCursor {
  private let message: OpaquePointer

  private init(_ message: OpaquePointer) { unsafe self.message = message }

  /// Reads all values of a message.
  static func read(
    _ message: OpaquePointer, _ limits: BusLimits
  ) throws(BusReadError) -> [BusValue] {
    var reader = unsafe BusReader(message)
    return try limits.read(&reader)
  }

  mutating func peek() throws(BusReadError) -> BusItem? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    let status = unsafe cuserbus_peek(message, &type, &contents)
    guard status >= 0 else { throw .malformed }
    guard status > 0 else { return nil }
    var item = BusItem(type: UInt8(bitPattern: type))
    if let contents = unsafe contents { item.contents = unsafe String(cString: contents) }
    return item
  }

  mutating func enter(_ item: BusItem) throws(BusReadError) {
    guard unsafe cuserbus_enter(message, CChar(bitPattern: item.type), item.contents) >= 0 else {
      throw .malformed
    }
  }

  mutating func exit() throws(BusReadError) {
    guard unsafe cuserbus_leave(message) >= 0 else { throw .malformed }
  }

  mutating func read(_ item: BusItem) throws(BusReadError) -> BusValue {
    var value = unsafe cuserbus_value()
    guard unsafe cuserbus_read(message, CChar(bitPattern: item.type), &value) > 0 else {
      throw .malformed
    }
    switch Unicode.Scalar(item.type) {
    case "y": return unsafe .byte(value.byte)
    case "b": return unsafe .boolean(value.boolean != 0)
    case "n": return unsafe .int16(value.int16)
    case "q": return unsafe .uint16(value.uint16)
    case "i": return unsafe .int32(value.int32)
    case "u": return unsafe .uint32(value.uint32)
    case "x": return unsafe .int64(value.int64)
    case "t": return unsafe .uint64(value.uint64)
    case "d": return unsafe .double(value.number)
    case "h":
      // The message closes its own.
      let copy = unsafe fcntl(value.descriptor, F_DUPFD_CLOEXEC, 3)
      guard copy >= 0 else { throw .malformed }
      return .descriptor(BusDescriptor(copy) { _ = Glibc.close($0) })
    default:
      guard let text = unsafe value.text else { throw .malformed }
      let string = unsafe String(cString: text)
      switch Unicode.Scalar(item.type) {
      case "s": return .string(string)
      case "o": return .objectPath(string)
      case "g": return .signature(string)
      default: throw .malformed
      }
    }
  }
}

/// Writes values into a message of libsystemd.
@safe
struct BusWriter: BusSink {
  /// An errno, below zero.
  struct Failure: Error { var status: Int32 }

  private let message: OpaquePointer

  private init(_ message: OpaquePointer) { unsafe self.message = message }

  /// Returns 0, or the error as libsystemd numbers it.
  static func append(_ values: [BusValue], to message: OpaquePointer) -> Int32 {
    var writer = unsafe BusWriter(message)
    do throws(Failure) {
      for value in values { try value.write(into: &writer) }
      return 0
    } catch {
      return error.status
    }
  }

  mutating func open(_ item: BusItem) throws(Failure) {
    try check(unsafe cuserbus_begin(message, CChar(bitPattern: item.type), item.contents))
  }

  mutating func close() throws(Failure) { try check(unsafe cuserbus_end(message)) }

  mutating func append(_ value: BusValue) throws(Failure) {
    if let text = value.text {
      return try check(
        unsafe text.withCString { pointer in
          unsafe append(value, cuserbus_value(text: pointer))
        })
    }
    var number = unsafe cuserbus_value()
    switch value {
    case .byte(let value): unsafe number.byte = value
    case .boolean(let value): unsafe number.boolean = value ? 1 : 0
    case .int16(let value): unsafe number.int16 = value
    case .uint16(let value): unsafe number.uint16 = value
    case .int32(let value): unsafe number.int32 = value
    case .uint32(let value): unsafe number.uint32 = value
    case .int64(let value): unsafe number.int64 = value
    case .uint64(let value): unsafe number.uint64 = value
    case .double(let value): unsafe number.number = value
    case .descriptor(let value): unsafe number.descriptor = value.number
    default: throw Failure(status: -EINVAL)
    }
    try check(unsafe append(value, number))
  }

  private func append(_ value: BusValue, _ content: cuserbus_value) -> Int32 {
    unsafe cuserbus_append(message, CChar(bitPattern: value.typeSignature.utf8.first ?? 0), content)
  }

  private func check(_ status: Int32) throws(Failure) {
    guard status >= 0 else { throw Failure(status: status) }
  }
}
